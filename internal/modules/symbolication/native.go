package symbolication

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/native"
)

// headBytes are the bytes by which a file is recognised.
const headBytes = 8

// maxIDs is how many images of a stack are looked for by their ids.
const maxIDs = 100

// nativeFile reports whether bytes begin a file with functions of native code.
func nativeFile(head []byte) bool { return dwarf.Is(head) || breakpad.Is(head) }

// headOf returns the first bytes of a file that was sent.
func headOf(f params.File) []byte {
	if sp, ok := f.Spooled.(*spooled); ok {
		return sp.head
	}
	return f.Data
}

// sniff finds out whether a part has functions of native code, or names.
func (s *service) sniff(ctx context.Context, app model.AppID, p *part) error {
	f, err := s.folder.Open(ctx, file(app, p.File))
	if errors.Is(err, files.ErrNotFound) {
		return errGone
	}
	if err != nil {
		return err
	}
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.Join(err, f.Close())
	}
	if p.Native = nativeFile(head[:n]); !p.Native {
		p.Form = formOf(head[:n])
	}
	return f.Close()
}

// native reports whether a symbol has functions of native code.
func (s symbol) native() bool {
	return slices.ContainsFunc(s.Parts, func(p part) bool { return p.Native })
}

// ids are the forms in which the id of a build may stand elsewhere.
func ids(id string) []string {
	if id == "" {
		return nil
	}
	out := []string{id}
	if len(id) >= 32 {
		out = append(out, id[:32], native.GUID(id))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func idsOf(o *opened) (out []string) {
	if o.js != nil {
		if id := native.ID(o.js.DebugID); id != "" {
			return []string{id}
		}
	}
	for _, f := range o.native {
		out = append(out, ids(f.ID())...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// traceOf reads the stack of a report; nil when it has no frame of native code.
func traceOf(stack kernel.CrashStack) (*native.Trace, []native.Image) {
	own := native.Image{Name: stack.Program, ID: native.ID(stack.UUID), Load: native.Address(stack.Load)}
	t := native.Parse(stack.Text, native.Images(stack.Images), own)
	used := t.Used()
	used = used[:min(len(used), maxIDs)]
	if len(used) == 0 {
		return nil, nil
	}
	return t, used
}

// readNative symbolicates the frames of native code of a stack, by the symbols that have the ids of its images, and by those of its build,
// which it returns.
func (s *service) readNative(ctx context.Context, app model.AppID, stack kernel.CrashStack, list []symbol) (text string, found bool, used []symbol, err error) {
	_, images := traceOf(stack)
	if images == nil {
		return "", false, nil, nil
	}
	used, err = s.nativeSymbols(ctx, app, stack, list, images)
	if err != nil || len(used) == 0 {
		return "", false, nil, err
	}
	text, found, err = s.applyNative(ctx, app, used, stack)
	return text, found, used, err
}

// nativeSymbols are the symbols of native code that a crash may be symbolicated by: what was chosen for its group, else those with the ids of images,
// and behind them those of the list.
func (s *service) nativeSymbols(ctx context.Context, app model.AppID, stack kernel.CrashStack, list []symbol, images []native.Image) ([]symbol, error) {
	chosen, err := choiceSpec().In(s.docs, app).Get(ctx, stack.Group)
	if err != nil && !docs.IsNotFound(err) {
		return nil, err
	}
	if err == nil && len(list) == 1 && list[0].ID == chosen.Symbol {
		return list, nil
	}
	var wanted []any
	for _, img := range images {
		for _, id := range ids(img.ID) {
			wanted = append(wanted, id)
		}
	}
	if len(wanted) > 0 {
		byID, err := spec().In(s.docs, app).All(ctx, docs.Query{Where: []docs.Cond{docs.In("id", wanted...)}})
		if err != nil {
			return nil, err
		}
		slices.Reverse(byID) // keys sort by time
		list = append(byID, list...)
	}
	return slices.DeleteFunc(slices.Clone(list), func(sym symbol) bool { return !sym.native() }), nil
}

// applyNative symbolicates a stack by the files of symbols; found is whether any frame was.
func (s *service) applyNative(ctx context.Context, app model.AppID, list []symbol, stack kernel.CrashStack) (out string, found bool, err error) {
	if stack.Dump != "" {
		return s.applyDump(ctx, app, list, stack)
	}
	t, _ := traceOf(stack)
	if t == nil {
		return "", false, nil
	}
	err = s.alone(ctx, func() error {
		var opened []func()
		defer func() {
			for _, done := range opened {
				done()
			}
		}()
		var n int
		out, n, err = t.Symbolicate(ctx, func(img native.Image) (native.Source, error) {
			list, err := s.codesOf(ctx, app, list, img, stack.Program, &opened)
			if len(list) == 0 {
				return nil, err
			}
			return sources(list), err
		})
		found = n > 0
		return err
	})
	return out, found && err == nil, err
}

// of returns the architecture that an image is of; nil for none.
func (o *opened) of(img native.Image) code {
	for _, f := range o.native {
		if img.ID != "" && native.SameID(f.ID(), img.ID) {
			return f
		}
	}
	if len(o.native) == 1 && (img.ID == "" || o.native[0].ID() == "") {
		return o.native[0]
	}
	return nil
}

// goesWith reports whether a part may have the functions of an image: by its id, or, where one of them has none, by its name.
func goesWith(p part, sym symbol, img native.Image, program string) bool {
	if img.ID != "" && len(p.IDs) > 0 {
		return slices.ContainsFunc(ids(img.ID), func(id string) bool { return slices.Contains(p.IDs, id) })
	}
	name := path.Base(img.Name)
	for bare := p.Name; ; {
		if bare == name {
			return true
		}
		ext := strings.ToLower(path.Ext(bare))
		if !slices.Contains(nativeExtensions(), ext) || ext == "" {
			break
		}
		bare = bare[:len(bare)-len(ext)]
		if bare+".so" == name || bare+".dylib" == name {
			return true
		}
	}
	return len(sym.Parts) == 1 && (program == img.Name || img.Name == "app") // "app" is what Dart does not name
}

// nativeExtensions are those that symbol files have behind the names of programs and libraries.
func nativeExtensions() []string {
	return []string{"", ".debug", ".dbg", ".dsym", ".dylib", ".dwarf", ".so", ".sym", ".symbols"}
}
