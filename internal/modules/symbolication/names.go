package symbolication

import (
	"context"
	"os"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/symbols"
	"quipu/internal/symbols/dart"
	"quipu/internal/symbols/il2cpp"
)

// Forms of files with names that stacks get once functions are known.
const (
	formDart   = "dart"   // the obfuscation map of Dart
	formIL2CPP = "il2cpp" // the line map of Unity's IL2CPP
)

// maxNames is how large a file with names is at most, in bytes.
const maxNames = 256 << 20

// formOf is the form of a file that begins with some bytes; "" for others.
func formOf(head []byte) string {
	switch {
	case dart.Is(head):
		return formDart
	case il2cpp.Is(head):
		return formIL2CPP
	}
	return ""
}

func openNames(ctx context.Context, f *os.File, size int64, form string) (names, error) {
	if size > maxNames {
		return nil, symbols.TooLarge("a file of names of more than %d MiB", maxNames>>20)
	}
	if form == formDart {
		return dart.Open(ctx, f, size)
	}
	return il2cpp.Open(ctx, f, size)
}

// renamed gives a stack the names of its build's files of names, and of those beside the native code of its images. Of several files of a form, the first
// that has a name counts. found is whether any has.
func (s *service) renamed(ctx context.Context, app model.AppID, list []symbol, text string) (out string, found bool, err error) {
	done := map[string]bool{}
	for _, sym := range list {
		for _, p := range sym.Parts {
			if p.Form == "" || done[p.Form] || done[p.File] {
				continue
			}
			done[p.File] = true
			err := s.alone(ctx, func() error {
				o, leave, err := s.open(ctx, app, sym.Platform, p)
				if code := fault.CodeOf(err); code == symbols.CodeBadFile || code == symbols.CodeTooLarge {
					return nil
				}
				if err != nil {
					return err
				}
				defer leave()
				if got, changed := o.names.Rewrite(text); changed {
					text, found, done[p.Form] = got, true, true
				}
				return nil
			})
			if err != nil {
				return text, found, err
			}
		}
	}
	return text, found, nil
}
