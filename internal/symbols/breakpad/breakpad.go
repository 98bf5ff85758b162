// Package breakpad reads the text symbol files of Breakpad (.sym), as dump_syms makes them of ELF, Mach-O and PDB files: the functions, lines and inlined
// calls behind addresses, and the rules by which a frame of a stack leads to its caller (STACK CFI, STACK WIN).
//
// Open reads a file once, from its begin to its end, and keeps where each record stands, by address. What a record says is read from the file
// when an address in it is looked up, and the latest records are held. So a file takes 24 bytes of memory for each of its functions and ranges, and
// that of the records that are in use, however many lines it has.
package breakpad

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quipu/internal/symbols"
	"quipu/internal/symbols/dwarf"
)

// Bounds of a file.
const (
	maxRecords = 2_000_000 // functions, public symbols, ranges with rules, names of files and of inlined functions
	maxLine    = 64 << 10  // bytes of a line that are read; of longer ones the rest is passed over
	maxSub     = 500_000   // lines of one record
)

// record is where a record stands that is of a range of addresses.
type record struct {
	addr  uint64
	size  uint32
	named bool  // of functions and public symbols: the name is not empty
	at    int64 // in the file
}

// end is the last address of a record.
func (r record) end() uint64 { return r.addr + uint64(r.size) - 1 }

// text is where a name stands that lines refer to by a number.
type text struct {
	num uint32
	at  int64
}

// File is an opened file. It is safe for concurrent use.
type File struct {
	r          io.ReaderAt
	size       int64
	id         string
	arch, name string

	funcs, publics, cfi, data, fpo []record // data and fpo are STACK WIN 4 and 0
	files, origins                 []text

	kept   kept
	mu     sync.Mutex
	byName map[string]uint64 // of Symbol; nil = not read yet
}

// Is reports whether a file that begins with these bytes, at least seven, may be one that Open reads.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte("MODULE ")) }

// Open opens a file, which must stay as it is and open while it is used. Faults: symbols.bad_file for what is no such file or has neither functions nor
// rules; symbols.too_large for one with more records than are kept.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	if err := f.index(ctx); err != nil {
		return nil, err
	}
	if len(f.funcs)+len(f.publics)+len(f.cfi)+len(f.data)+len(f.fpo) == 0 {
		return nil, symbols.Bad("it has no functions")
	}
	return f, nil
}

// ID returns the debug id as hexadecimal digits in lower case: 32 of a GUID, and the age behind them.
func (f *File) ID() string { return f.id }

// Arch returns the architecture as the file calls it.
func (f *File) Arch() string { return f.arch }

// Name returns the name of the program, the library or the PDB.
func (f *File) Name() string { return f.name }

// Base returns 0: addresses are counted from where the module begins.
func (*File) Base() uint64 { return 0 }

// Cost returns about how much memory the file takes, in bytes.
func (f *File) Cost() int64 {
	return int64(cap(f.funcs)+cap(f.publics)+cap(f.cfi)+cap(f.data)+cap(f.fpo))*24 + int64(cap(f.files)+cap(f.origins))*16 + min(maxKept, 3*f.size) + 128<<10
}

// Close does nothing: the file that was opened belongs to the caller.
func (*File) Close() {}

// lines reads lines from a place on.
type lines struct {
	in *bufio.Reader
	at int64 // of the next line
}

func (f *File) linesAt(ctx context.Context, at int64, buffer int) *lines {
	return &lines{in: bufio.NewReaderSize(symbols.Reader(ctx, io.NewSectionReader(f.r, at, max(0, f.size-at))), buffer), at: at}
}

// next returns a line without its end, cut after its first bytes when it is long, and where it begins. The slice is valid until the next call.
func (l *lines) next() (line []byte, at int64, err error) {
	at = l.at
	line, err = l.in.ReadSlice('\n')
	l.at += int64(len(line))
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			var rest []byte
			rest, err = l.in.ReadSlice('\n')
			l.at += int64(len(rest))
		}
	}
	if err != nil && (!errors.Is(err, io.EOF) || l.at == at) {
		return nil, at, err
	}
	return bytes.TrimRight(line, "\r\n"), at, nil
}

// word splits off the next word.
func word(b []byte) (first, rest []byte) {
	b = bytes.TrimLeft(b, " ")
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}

func number(b []byte, base, bits int) (n uint64, rest []byte, ok bool) {
	first, rest := word(b)
	n, err := strconv.ParseUint(string(first), base, bits)
	return n, rest, err == nil
}

// numbers reads numbers in front of what else is in a line.
func numbers(b []byte, base int, into ...*uint64) (rest []byte, ok bool) {
	for _, to := range into {
		if *to, b, ok = number(b, base, 64); !ok {
			return nil, false
		}
	}
	return b, true
}

// index reads where the records are. Lines that cannot be read are passed over.
func (f *File) index(ctx context.Context) error {
	l := f.linesAt(ctx, 0, maxLine)
	first, _, err := l.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	parts := strings.SplitN(string(first), " ", 5)
	if len(parts) < 5 || parts[0] != "MODULE" || len(parts[3]) < 32 || strings.Trim(strings.ToLower(parts[3]), "0123456789abcdef") != "" {
		return symbols.Bad("it does not begin with a line of a module")
	}
	f.arch, f.id, f.name = parts[2], strings.ToLower(parts[3]), parts[4]
	for {
		line, at, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		f.line(line, at)
		if len(f.funcs)+len(f.publics)+len(f.cfi)+len(f.data)+len(f.fpo)+len(f.files)+len(f.origins) > maxRecords {
			return symbols.TooLarge("more than %d functions and ranges", maxRecords)
		}
	}
	f.funcs, f.cfi, f.data, f.fpo = apart(f.funcs), apart(f.cfi), apart(f.data), apart(f.fpo)
	slices.SortStableFunc(f.publics, func(a, b record) int { return cmp.Compare(a.addr, b.addr) })
	f.files, f.origins = last(f.files), last(f.origins)
	return nil
}

func (f *File) line(line []byte, at int64) {
	kind, rest := word(line)
	switch string(kind) {
	case "FUNC", "PUBLIC":
		var r record
		var ok bool
		if r.addr, r.size, _, rest, ok = ofFunction(kind, rest); !ok {
			return
		}
		r.at, r.named = at, len(rest) > 0
		if kind[0] == 'P' {
			f.publics = append(f.publics, r)
		} else if ranged(r) {
			f.funcs = append(f.funcs, r)
		}
	case "FILE", "INLINE_ORIGIN":
		n, _, ok := number(rest, 10, 32)
		if !ok {
			return
		}
		t := text{uint32(n), at} // of 32 bits
		if kind[0] == 'F' {
			f.files = append(f.files, t)
		} else {
			f.origins = append(f.origins, t)
		}
	case "STACK":
		f.stack(rest, at)
	}
}

// ofFunction reads a line of a function or a public symbol behind its first word.
func ofFunction(kind, b []byte) (addr uint64, size, params uint32, name []byte, ok bool) {
	if first, rest := word(b); string(first) == "m" {
		b = rest
	}
	var n, p uint64
	if addr, b, ok = number(b, 16, 64); !ok {
		return
	}
	if kind[0] == 'F' {
		if n, b, ok = number(b, 16, 32); !ok {
			return
		}
	}
	if p, b, ok = number(b, 16, 32); !ok {
		return
	}
	return addr, uint32(n), uint32(p), bytes.TrimLeft(b, " "), true // of 32 bits
}

// ranged reports whether a record has addresses.
func ranged(r record) bool { return r.size > 0 && r.addr <= 1<<64-1-uint64(r.size) }

func (f *File) stack(b []byte, at int64) {
	kind, rest := word(b)
	switch string(kind) {
	case "CFI":
		first, rest := word(rest)
		if string(first) != "INIT" {
			return
		}
		var addr, size uint64
		if _, ok := numbers(rest, 16, &addr, &size); !ok || size >= 1<<32 {
			return
		}
		if r := (record{addr: addr, size: uint32(size), at: at}); ranged(r) { // checked
			f.cfi = append(f.cfi, r)
		}
	case "WIN":
		w, ok := readWin(rest)
		if !ok {
			return
		}
		r := record{addr: w.addr, size: w.size, at: at}
		if !ranged(r) {
			return
		}
		if w.program != "" {
			f.data = insertWin(f.data, r)
		} else {
			f.fpo = insertWin(f.fpo, r)
		}
	}
}

// insertWin adds a range. Those of the format may reach into the next one, which then ends them.
func insertWin(list []record, r record) []record {
	if n := len(list); n > 0 {
		if prev := &list[n-1]; prev.addr <= r.end() && r.addr <= prev.end() {
			switch {
			case r.addr > prev.addr:
				prev.size = uint32(r.addr - prev.addr) // less than the size was
			case prev.addr != r.addr || prev.size != r.size:
				return list
			}
		}
	}
	return append(list, r)
}

// apart sorts ranges and leaves out those that begin within the one before.
func apart(list []record) []record {
	slices.SortStableFunc(list, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(a.size, b.size))
	})
	out := list[:0]
	for _, r := range list {
		if n := len(out); n > 0 && r.addr <= out[n-1].end() {
			continue
		}
		out = append(out, r)
	}
	return out
}

// last sorts names by their numbers; of those with the same number the last counts.
func last(list []text) []text {
	slices.SortStableFunc(list, func(a, b text) int { return cmp.Compare(a.num, b.num) })
	out := list[:0]
	for _, t := range list {
		if n := len(out); n > 0 && out[n-1].num == t.num {
			out[n-1] = t
			continue
		}
		out = append(out, t)
	}
	return out
}

// covering returns the range that an address is in; nil for none.
func covering(list []record, addr uint64) *record {
	if i := before(list, addr); i >= 0 && addr <= list[i].end() {
		return &list[i]
	}
	return nil
}

// before returns the last record that does not begin behind an address; -1 for none.
func before(list []record, addr uint64) int {
	i, _ := slices.BinarySearchFunc(list, addr, func(r record, addr uint64) int {
		if r.addr <= addr {
			return -1
		}
		return 1
	})
	return i - 1
}

// public returns the public symbol that an address belongs to: the nearest before it, unless a function begins in between.
func (f *File) public(addr uint64) *record {
	i := before(f.publics, addr)
	if i < 0 {
		return nil
	}
	if n := before(f.funcs, addr); n >= 0 && f.publics[i].addr <= f.funcs[n].addr {
		return nil
	}
	return &f.publics[i]
}

// Named reports whether a function with a name is known at an address.
func (f *File) Named(_ context.Context, addr uint64) (bool, error) {
	r := covering(f.funcs, addr)
	if r == nil {
		r = f.public(addr)
	}
	return r != nil && r.named, nil
}

// Find returns the functions that an address is in, the innermost first. Return addresses must be decreased by one before.
func (f *File) Find(ctx context.Context, addr uint64) ([]dwarf.Frame, error) {
	list, _, err := f.Function(ctx, addr)
	return list, err
}

// Symbol returns the address of a function or of a public symbol by its name.
func (f *File) Symbol(name string) (uint64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byName == nil {
		f.byName = map[string]uint64{}
		for _, list := range [][]record{f.publics, f.funcs} {
			for _, r := range list {
				if len(f.byName) >= maxSymbols {
					break
				}
				line, err := f.lineAt(context.Background(), r.at)
				if err != nil {
					continue
				}
				kind, rest := word(line)
				if _, _, _, name, ok := ofFunction(kind, rest); ok && len(name) < 200 {
					f.byName[string(name)] = r.addr
				}
			}
		}
	}
	addr, ok := f.byName[name]
	return addr, ok
}

// maxSymbols is how many functions of a file are found by their names.
const maxSymbols = 50_000

func (f *File) lineAt(ctx context.Context, at int64) ([]byte, error) {
	line, _, err := f.linesAt(ctx, at, 4<<10).next()
	return line, err
}
