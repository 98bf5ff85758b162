package symbolication

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/symbols"
	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/proguard"
	"quipu/internal/symbols/sourcemap"
)

// maxTried is how many symbols of a build are tried for a stack, the latest first.
const maxTried = 5

// maxClasses is how many classes a mapping has at most.
const maxClasses = 500_000

// costOfClass is about what a class of an opened mapping takes, in bytes.
const costOfClass = 200

// readable symbolicates a stack by the symbol that was chosen for its group, else by those of its build.
func (s *service) readable(ctx context.Context, app model.AppID, stack kernel.CrashStack) (string, bool) {
	if !s.enabled() {
		return "", false
	}
	list, err := s.candidates(ctx, app, stack)
	text, found := stack.Text, false
	if err == nil {
		var used []symbol
		text, found, used, err = s.framed(ctx, app, stack, list)
		named, renamed, tried := s.renamed(ctx, app, slices.Concat(used, list), text)
		text, found, err = named, found || renamed, errors.Join(err, tried)
	}
	if found {
		return text, true
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "stack is shown without symbols", slog.String("app", app.String()), slog.Any("error", err))
	}
	return "", false
}

// framed gives the frames of a stack the functions of its symbols; the text is that of the stack where none has any. used are the symbols of
// native code that were found by the ids of images.
func (s *service) framed(ctx context.Context, app model.AppID, stack kernel.CrashStack, list []symbol) (text string, found bool, used []symbol, err error) {
	if stack.Dump != "" {
		if text, found, used, err = s.readDump(ctx, app, stack, list); found {
			return text, true, used, nil
		}
		return stack.Text, false, used, err
	}
	for _, sym := range list {
		text, found, tried := s.apply(ctx, app, sym, stack)
		if err = errors.Join(err, tried); found {
			return text, true, nil, nil
		}
	}
	text, found, used, tried := s.readNative(ctx, app, stack, list)
	if found {
		return text, true, used, nil
	}
	return stack.Text, false, used, errors.Join(err, tried)
}

// candidates are the symbols that a stack may be symbolicated by.
func (s *service) candidates(ctx context.Context, app model.AppID, stack kernel.CrashStack) ([]symbol, error) {
	col := spec().In(s.docs, app)
	chosen, err := choiceSpec().In(s.docs, app).Get(ctx, stack.Group)
	if err == nil {
		sym, err := col.Get(ctx, chosen.Symbol)
		if err == nil {
			return []symbol{sym}, nil
		}
		if !docs.IsNotFound(err) {
			return nil, err
		}
	} else if !docs.IsNotFound(err) {
		return nil, err
	}
	byID, err := s.byDebugID(ctx, app, stack.Images)
	if err != nil {
		return nil, err
	}
	var names []any
	for _, name := range []string{stack.Version, stack.Build, stack.UUID} {
		if name != "" {
			names = append(names, strings.ToLower(name))
		}
	}
	if len(names) == 0 {
		return byID, nil
	}
	list, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.In("build", names...)}})
	list = slices.DeleteFunc(list, func(sym symbol) bool { return sym.Problem != "" || !fits(sym, stack.OS) })
	list = slices.DeleteFunc(list, func(sym symbol) bool {
		return slices.ContainsFunc(byID, func(have symbol) bool { return have.ID == sym.ID })
	})
	slices.Reverse(list) // keys sort by time
	return append(byID, list[:min(len(list), maxTried)]...), err
}

// fits reports whether symbols may be those of a crash on an OS. JavaScript runs on all; native code is recognised by more than that.
func fits(sym symbol, os string) bool {
	return sym.Platform == javascript || os == "" || strings.EqualFold(sym.Platform, os) || sym.native()
}

// apply symbolicates a stack by the source maps or mappings of a symbol; found is whether any frame was.
func (s *service) apply(ctx context.Context, app model.AppID, sym symbol, stack kernel.CrashStack) (out string, found bool, err error) {
	out = stack.Text
	err = s.alone(ctx, func() (err error) {
		switch sym.Platform {
		case javascript:
			out, err = s.applyMaps(ctx, app, sym, stack.Text, stack.Images)
		case android:
			out, err = s.applyMappings(ctx, app, sym, stack.Text)
		}
		return err
	})
	return out, err == nil && out != stack.Text, err
}

// alone runs fn while nobody else opens or uses symbol files, so that the memory they take is bounded.
func (s *service) alone(ctx context.Context, fn func() error) error {
	select {
	case s.applying <- struct{}{}:
		defer func() { <-s.applying }()
		return fn()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *service) applyMappings(ctx context.Context, app model.AppID, sym symbol, text string) (string, error) {
	for _, p := range sym.Parts {
		if p.Native || p.Form != "" {
			continue
		}
		o, done, err := s.open(ctx, app, sym.Platform, p)
		if fault.CodeOf(err) == symbols.CodeBadFile || fault.CodeOf(err) == symbols.CodeTooLarge {
			continue
		}
		if err != nil {
			return text, err
		}
		out, err := o.jvm.Retrace(ctx, text)
		done()
		if err != nil || out != text {
			return out, err
		}
	}
	return text, nil
}

// open opens a file of a symbol.
func (s *service) open(ctx context.Context, app model.AppID, platform string, p part) (*opened, func(), error) {
	name := file(app, p.File)
	return s.opened.use(name+"."+platform, func() (*opened, error) {
		f, err := s.folder.Open(ctx, name)
		if errors.Is(err, files.ErrNotFound) {
			return nil, errGone
		}
		if err != nil {
			return nil, err
		}
		o, err := s.read(ctx, f, platform, p)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return o, nil
	})
}

// read reads a file as the platform has them.
func (s *service) read(ctx context.Context, f *os.File, platform string, p part) (o *opened, err error) {
	o = &opened{file: f}
	size := p.Size
	if p.Native {
		if o.native, err = s.code(ctx, f, size); err != nil {
			return nil, err
		}
		for _, n := range o.native {
			o.cost += n.Cost()
		}
		return o, nil
	}
	if p.Form != "" {
		if o.names, err = openNames(ctx, f, size, p.Form); err == nil {
			o.cost = o.names.Cost()
		}
		return o, err
	}
	if platform == javascript {
		if size > maxMap {
			return nil, symbols.TooLarge("a source map of more than %d MiB", maxMap>>20)
		}
		o.js, err = sourcemap.Open(ctx, f, size)
		o.cost = size
		return o, err
	}
	if err := checkClasses(ctx, f); err != nil {
		return nil, err
	}
	if o.jvm, err = proguard.Open(ctx, f, size); err == nil {
		o.cost = int64(o.jvm.Classes())*costOfClass + 1<<16
	}
	return o, err
}

// code opens a file of native code.
func (s *service) code(ctx context.Context, f *os.File, size int64) (out []code, err error) {
	head := make([]byte, headBytes)
	if n, _ := f.ReadAt(head, 0); breakpad.Is(head[:n]) {
		b, err := breakpad.Open(ctx, f, size)
		return []code{b}, err
	}
	list, err := dwarf.Open(ctx, f, size, dwarf.Options{Scratch: s.folder.Scratch, MaxUnpacked: s.cfg.MaxFileBytes})
	for _, d := range list {
		out = append(out, d)
	}
	return out, err
}

// checkClasses refuses a mapping with more lines that may name a class than are held in memory.
func checkClasses(ctx context.Context, f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(symbols.Reader(ctx, f), 64<<10)
	for n, whole := 0, true; ; {
		line, err := r.ReadSlice('\n')
		if whole && len(line) > 0 && line[0] != ' ' && line[0] != '#' {
			if n++; n > maxClasses {
				return symbols.TooLarge("more than %d classes", maxClasses)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if whole = err == nil; !whole && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// problem says why no frame can be found by files; "" = some can.
func (s *service) problem(ctx context.Context, app model.AppID, platform string, parts []part) (text string, err error) {
	err = s.alone(ctx, func() (err error) {
		text, err = s.problemOf(ctx, app, platform, parts)
		return err
	})
	return text, err
}

func (s *service) problemOf(ctx context.Context, app model.AppID, platform string, parts []part) (string, error) {
	text, good := "There is no symbol file in the archive", false
	for i := range parts {
		p := &parts[i]
		if platform != javascript {
			if err := s.sniff(ctx, app, p); err != nil {
				return "", err
			}
		}
		if platform != javascript && platform != android && !p.Native && p.Form == "" {
			text = "Symbol files of this platform are kept, but not read"
			continue
		}
		if good && !p.Native && p.Form == "" && platform != javascript { // it is opened when it is used
			continue
		}
		o, done, err := s.open(ctx, app, platform, *p)
		if err == nil {
			p.IDs = idsOf(o)
			done()
			good = true
			continue
		}
		code := fault.CodeOf(err)
		if code != symbols.CodeBadFile && code != symbols.CodeTooLarge {
			return "", err
		}
		text = message(err)
	}
	if good {
		text = ""
	}
	return text, nil
}

// message is what a fault says to people.
func message(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Msg
	}
	return "Symbol file cannot be read"
}
