package breakpad

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sort"

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
	addr       uint64
	size       uint32
	file, line uint32 // of the call
	origin     uint32
}

// end is the last address of a row, which has at least one.
func (x row) end() uint64 { return x.addr + uint64(x.size) - 1 }

// function is what a file says of a function.
type function struct {
	name   string
	params uint32
	rows   []row                // by address, none of them within another
	calls  map[uint32][]inlined // by their depth; each list by address
	parts  int                  // rows and ranges of calls that were read
}

// cost is about what a function takes in memory, in bytes.
func (fn *function) cost() int64 { return int64(fn.parts)*40 + int64(len(fn.name)) + 256 }

// read reads a function with its lines.
func (f *File) read(ctx context.Context, r *record) (*function, error) {
	l := f.linesAt(ctx, r.at, 4<<10)
	line, _, err := l.next()
	if err != nil {
		return nil, err
	}
	kind, rest := word(line)
	out := &function{calls: map[uint32][]inlined{}}
	_, _, params, name, _ := ofFunction(kind, rest) // it could be read when it was indexed
	out.params, out.name = params, dwarf.Demangle(string(name))
	for n := 0; n < maxSub && out.parts < maxSub; n++ {
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
			out.call(call)
			continue
		}
		var x row
		if !x.read(line) {
			break
		}
		if x.size > 0 {
			out.rows = append(out.rows, x)
			out.parts++
		}
	}
	out.arrange()
	return out, nil
}

// arrange sorts what was read. Rows that begin within another one do not count; of calls at one address the last counts.
func (fn *function) arrange() {
	slices.SortStableFunc(fn.rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(a.size, b.size)) })
	rows := fn.rows[:0]
	for _, x := range fn.rows {
		if n := len(rows); n > 0 && x.addr <= rows[n-1].end() {
			continue
		}
		rows = append(rows, x)
	}
	fn.rows = slices.Clip(rows)
	for _, list := range fn.calls {
		slices.SortStableFunc(list, func(a, b inlined) int { return cmp.Compare(a.addr, b.addr) })
	}
}

// row returns the row of an address; nil for none.
func (fn *function) row(addr uint64) *row {
	i := sort.Search(len(fn.rows), func(i int) bool { return fn.rows[i].addr > addr }) - 1
	if i < 0 || addr > fn.rows[i].end() {
		return nil
	}
	return &fn.rows[i]
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
	x.size, x.line, x.file = uint32(size), uint32(line), uint32(file) // of 32 bits
	return true
}

// call reads the ranges of an inlined call.
func (fn *function) call(b []byte) {
	var depth, line, file, origin uint64
	b, ok := numbers(b, 10, &depth, &line, &file, &origin)
	if !ok || depth > 1000 || line >= 1<<32 || file >= 1<<32 || origin >= 1<<32 {
		return
	}
	for len(b) > 0 && fn.parts < maxSub {
		var at, size uint64
		if b, ok = numbers(b, 16, &at, &size); !ok || size >= 1<<32 {
			return
		}
		c := inlined{addr: at, size: uint32(size), file: uint32(file), line: uint32(line), origin: uint32(origin)} // checked
		fn.calls[uint32(depth)] = append(fn.calls[uint32(depth)], c)                                               // checked
		fn.parts++
	}
}

// at returns the inlined call of a depth at an address: the range that begins last before the address decides.
func (fn *function) at(depth uint32, addr uint64) (inlined, bool) {
	list := fn.calls[depth]
	i := sort.Search(len(list), func(i int) bool { return list[i].addr > addr }) - 1
	if i < 0 {
		return inlined{}, false
	}
	return list[i], addr-list[i].addr < uint64(list[i].size)
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
	fn, err := held(ctx, f, r, f.read)
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
	here := dwarf.Frame{Function: fn.name}
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
	if x := fn.row(addr); x != nil {
		if here.File, err = f.text(ctx, f.files, x.file); err != nil {
			return nil, 0, err
		}
		here.Line = int(x.line)
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
