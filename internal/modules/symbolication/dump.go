package symbolication

import (
	"context"
	"slices"

	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/symbols"
	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/minidump"
	"quipu/internal/symbols/native"
)

// maxModules is how many modules of a minidump are looked for by their ids.
const maxModules = 400

// readDump walks the stacks of a minidump by the symbols that have the ids of its modules, and by those of its build, which it returns.
func (s *service) readDump(ctx context.Context, app model.AppID, stack kernel.CrashStack, list []symbol) (text string, found bool, used []symbol, err error) {
	dump, err := minidump.Parse([]byte(stack.Dump))
	if err != nil {
		return "", false, nil, err
	}
	var images []native.Image
	for i := range dump.Modules[:min(len(dump.Modules), maxModules)] {
		images = append(images, imageOf(&dump.Modules[i]))
	}
	if used, err = s.nativeSymbols(ctx, app, stack, list, images); err != nil || len(used) == 0 {
		return "", false, nil, err
	}
	text, found, err = s.applyDump(ctx, app, used, stack)
	return text, found, used, err
}

// applyDump walks the stacks of a minidump by the files of symbols; found is whether any frame has a function.
func (s *service) applyDump(ctx context.Context, app model.AppID, list []symbol, stack kernel.CrashStack) (text string, found bool, err error) {
	dump, err := minidump.Parse([]byte(stack.Dump))
	if err != nil {
		return "", false, err
	}
	program := stack.Program
	if program == "" && len(dump.Modules) > 0 {
		program = dump.Modules[0].Bare()
	}
	err = s.alone(ctx, func() error {
		known := map[*minidump.Module]minidump.Symbols{}
		var opened []func()
		defer func() {
			for _, done := range opened {
				done()
			}
		}()
		out, err := dump.Read(ctx, func(m *minidump.Module) (minidump.Symbols, error) {
			if y, ok := known[m]; ok {
				return y, nil
			}
			list, err := s.codesOf(ctx, app, list, imageOf(m), program, &opened)
			if err == nil {
				known[m] = walked(list)
			}
			return known[m], err
		})
		text, found = out.Text, out.Found > 0
		return err
	})
	return text, found && err == nil, err
}

func imageOf(m *minidump.Module) native.Image {
	return native.Image{Name: m.Bare(), ID: native.ID(m.ID), Load: m.Base, End: m.Base + m.Size}
}

// walked is native code as walks of stacks take it; nil for none.
func walked(list []code) minidump.Symbols {
	var out several
	for _, c := range list {
		if f, ok := c.(*breakpad.File); ok {
			out = append(out, f)
		} else {
			out = append(out, plain{c})
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return out
}

// several are files of one image: one may have the lines, another the rules for unwinding.
type several []minidump.Symbols

// Function implements minidump.Symbols.
func (s several) Function(ctx context.Context, addr uint64) (list []dwarf.Frame, params uint32, err error) {
	for _, one := range s {
		found, n, err := one.Function(ctx, addr)
		if err != nil {
			return nil, 0, err
		}
		if better(found, list) {
			list, params = found, n
		}
	}
	return list, params, nil
}

// Named implements minidump.Symbols.
func (s several) Named(ctx context.Context, addr uint64) (bool, error) {
	for _, one := range s {
		if ok, err := one.Named(ctx, addr); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// Unwind implements minidump.Symbols.
func (s several) Unwind(ctx context.Context, addr uint64, w breakpad.Walker) (bool, error) {
	for _, one := range s {
		if ok, err := one.Unwind(ctx, addr, w); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// better reports whether functions of an address say more than those that are there.
func better(list, than []dwarf.Frame) bool {
	worth := func(list []dwarf.Frame) int {
		switch {
		case len(list) == 0:
			return 0
		case list[0].Line == 0:
			return 1
		}
		return 2
	}
	return worth(list) > worth(than)
}

// sources are files of one image as stacks of text take them. Addresses are those of the first.
type sources []code

// Base implements native.Source.
func (s sources) Base() uint64 { return s[0].Base() }

// Find implements native.Source.
func (s sources) Find(ctx context.Context, addr uint64) (list []dwarf.Frame, err error) {
	for _, c := range s {
		found, err := c.Find(ctx, addr-s.Base()+c.Base())
		if err != nil {
			return nil, err
		}
		if better(found, list) {
			list = found
		}
	}
	return list, nil
}

// Symbol implements native.Source.
func (s sources) Symbol(name string) (uint64, bool) {
	for _, c := range s {
		if at, ok := c.Symbol(name); ok {
			return at - c.Base() + s.Base(), true
		}
	}
	return 0, false
}

// plain is native code whose programs have rules for unwinding of their own, or none.
type plain struct{ code code }

// Function implements minidump.Symbols.
func (p plain) Function(ctx context.Context, addr uint64) ([]dwarf.Frame, uint32, error) {
	list, err := p.code.Find(ctx, addr+p.code.Base())
	return list, 0, err
}

// Named implements minidump.Symbols.
func (p plain) Named(ctx context.Context, addr uint64) (bool, error) {
	list, err := p.code.Find(ctx, addr+p.code.Base())
	return len(list) > 0 && list[len(list)-1].Function != "", err
}

// Unwind implements minidump.Symbols.
func (p plain) Unwind(ctx context.Context, addr uint64, w breakpad.Walker) (bool, error) {
	if f, ok := p.code.(*dwarf.File); ok {
		return f.Unwind(ctx, addr+f.Base(), w)
	}
	return false, nil
}

// maxBeside is how many files of one image are used together.
const maxBeside = 4

// codesOf opens the symbols of an image, the latest first: all files with its id, since the program, which has the rules for unwinding, and what has its
// debugging information may be two; else the first that goes with it by its name. What has to be closed is added to opened.
func (s *service) codesOf(ctx context.Context, app model.AppID, list []symbol, img native.Image, program string, opened *[]func()) (out []code, err error) {
	var named code
	for _, sym := range list {
		for _, p := range sym.Parts {
			if !p.Native || !goesWith(p, sym, img, program) || len(out) == maxBeside {
				continue
			}
			o, done, err := s.open(ctx, app, sym.Platform, p)
			if fault.CodeOf(err) == symbols.CodeBadFile || fault.CodeOf(err) == symbols.CodeTooLarge {
				continue
			}
			if err != nil {
				return nil, err
			}
			*opened = append(*opened, done)
			switch f := o.of(img); {
			case f == nil, slices.Contains(out, f):
			case img.ID != "" && native.SameID(f.ID(), img.ID):
				out = append(out, f)
			case img.ID == "":
				return []code{f}, nil
			case named == nil:
				named = f
			}
		}
	}
	if len(out) == 0 && named != nil {
		out = append(out, named)
	}
	return out, nil
}
