package symbolication

import (
	"context"

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
			c, err := s.codeOf(ctx, app, list, imageOf(m), program, &opened)
			if err == nil {
				known[m] = walked(c)
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

// walked is native code as walks of stacks take it; nil for nil.
func walked(c code) minidump.Symbols {
	switch c := c.(type) {
	case nil:
		return nil
	case *breakpad.File:
		return c
	}
	return plain{c}
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

// codeOf opens the symbols of an image; nil when there are none. What has to be closed is added to opened.
func (s *service) codeOf(ctx context.Context, app model.AppID, list []symbol, img native.Image, program string, opened *[]func()) (code, error) {
	for _, sym := range list {
		for _, p := range sym.Parts {
			if !p.Native || !goesWith(p, sym, img, program) {
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
			if f := o.of(img); f != nil {
				return f, nil
			}
		}
	}
	return nil, nil //nolint:nilnil // an image without symbols is no error
}
