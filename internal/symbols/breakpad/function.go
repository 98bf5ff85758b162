package breakpad

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"quipu/internal/symbols/dwarf"
)

// row is a range of addresses of a source line.
type row struct {
	addr       uint64
	size       uint32
	file, line uint32
}

// inlined is a range of addresses of a call that was inlined.
type inlined struct {
	depth      uint32
	addr       uint64
	size       uint32
	file, line uint32 // of the call
	origin     uint32
}

// function is what a file says of a function around an address.
type function struct {
	name   string
	params uint32
	row    *row
	calls  map[uint32]inlined // by their depth
}

// read reads a function. Of its lines only those that are of the address are kept.
func (f *File) read(ctx context.Context, r *record, addr uint64) (*function, error) {
	l := f.linesAt(ctx, r.at, 4<<10)
	line, _, err := l.next()
	if err != nil {
		return nil, err
	}
	kind, rest := word(line)
	out := &function{calls: map[uint32]inlined{}}
	_, _, params, name, _ := ofFunction(kind, rest) // it could be read when it was indexed
	out.params, out.name = params, string(name)
	var rows []row
	for range maxSub {
		line, _, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(line, []byte("INLINE_ORIGIN ")) {
			continue
		}
		if call, ok := bytes.CutPrefix(line, []byte("INLINE ")); ok {
			out.call(call, addr)
			continue
		}
		var x row
		if !x.read(line) {
			break
		}
		if x.size > 0 && x.addr <= addr { // of these, one may be within another
			rows = append(rows, x)
		}
	}
	out.choose(rows, addr)
	return out, nil
}

// choose sets the row of an address: rows that begin within another one do not count.
func (fn *function) choose(rows []row, addr uint64) {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(a.size, b.size)) })
	end, some := uint64(0), false
	for _, x := range rows {
		if some && x.addr <= end {
			continue
		}
		end, some = x.addr+uint64(x.size)-1, true
		if addr <= end {
			fn.row = &x
			return
		}
	}
}

func (x *row) read(b []byte) bool {
	var size, line, file uint64
	var ok bool
	if x.addr, b, ok = number(b, 16, 64); !ok {
		return false
	}
	if size, b, ok = number(b, 16, 32); !ok {
		return false
	}
	if line, b, ok = number(b, 10, 32); !ok {
		return false
	}
	if file, _, ok = number(b, 10, 32); !ok || x.addr > 1<<64-1-size {
		return false
	}
	x.size, x.line, x.file = uint32(size), uint32(line), uint32(file) //nolint:gosec // of 32 bits
	return true
}

// call reads the ranges of an inlined call. At each depth the range that begins last before the address decides.
func (fn *function) call(b []byte, addr uint64) {
	var depth, line, file, origin uint64
	b, ok := numbers(b, 10, &depth, &line, &file, &origin)
	if !ok || depth > 1000 || line >= 1<<32 || file >= 1<<32 || origin >= 1<<32 {
		return
	}
	for len(b) > 0 {
		var at, size uint64
		if b, ok = numbers(b, 16, &at, &size); !ok || size >= 1<<32 {
			return
		}
		c := inlined{depth: uint32(depth), addr: at, size: uint32(size), file: uint32(file), line: uint32(line), origin: uint32(origin)} //nolint:gosec // checked
		if have, known := fn.calls[c.depth]; at <= addr && (!known || have.addr <= at) {
			fn.calls[c.depth] = c
		}
	}
}

// at returns the inlined call of a depth at an address.
func (fn *function) at(depth uint32, addr uint64) (inlined, bool) {
	c, ok := fn.calls[depth]
	return c, ok && addr-c.addr < uint64(c.size)
}

// Function returns the functions that an address is in, the innermost first, and how many bytes of parameters the outermost takes on the stack.
func (f *File) Function(ctx context.Context, addr uint64) (list []dwarf.Frame, params uint32, err error) {
	r := covering(f.funcs, addr)
	if r == nil {
		if r = f.public(addr); r == nil {
			return nil, 0, nil
		}
		line, err := f.lineAt(ctx, r.at)
		if err != nil {
			return nil, 0, err
		}
		kind, rest := word(line)
		_, _, params, name, _ := ofFunction(kind, rest)
		return []dwarf.Frame{{Function: dwarf.Demangle(string(name))}}, params, nil
	}
	fn, err := f.read(ctx, r, addr)
	if err != nil {
		return nil, 0, err
	}
	params = fn.params
	if w, ok, err := f.winAt(ctx, addr); err != nil {
		return nil, 0, err
	} else if ok {
		params = w.params // compilers say it there more reliably
	}
	// A line of a call is of the function that calls; the innermost function has the line of the address.
	here := dwarf.Frame{Function: dwarf.Demangle(fn.name)}
	for depth := uint32(0); ; depth++ {
		c, ok := fn.at(depth, addr)
		if !ok {
			break
		}
		if here.File, err = f.text(ctx, f.files, c.file); err != nil {
			return nil, 0, err
		}
		here.Line = int(c.line)
		name, err := f.text(ctx, f.origins, c.origin)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, here)
		here = dwarf.Frame{Function: dwarf.Demangle(name), Inlined: true}
	}
	if fn.row != nil {
		if here.File, err = f.text(ctx, f.files, fn.row.file); err != nil {
			return nil, 0, err
		}
		here.Line = int(fn.row.line)
	}
	list = append(list, here)
	slices.Reverse(list)
	return list, params, nil
}

// text returns a name by its number; "" when there is none.
func (f *File) text(ctx context.Context, list []text, num uint32) (string, error) {
	i, ok := slices.BinarySearchFunc(list, num, func(t text, n uint32) int { return cmp.Compare(t.num, n) })
	if !ok {
		return "", nil
	}
	line, err := f.lineAt(ctx, list[i].at)
	if err != nil {
		return "", err
	}
	_, rest := word(line)
	_, rest = word(rest)
	return string(bytes.TrimLeft(rest, " ")), nil
}
