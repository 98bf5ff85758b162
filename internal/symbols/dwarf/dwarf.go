// Package dwarf finds the functions, files and lines that stand behind addresses of native code, with the functions that were inlined,
// by the debugging information (DWARF 2 to 5) and the symbol tables of ELF and Mach-O files: programs, libraries, files that hold
// debugging information only, and dSYM.
//
// Open reads where the units of a file are; a unit is decoded when an address in it is looked up, and the latest are kept. So a file
// of any size takes memory for the ranges of its units, its symbols and a few units. The standard library's debug/dwarf is not used: it
// wants whole sections in memory, looks through all units for each address, and believes what a table says of its own length.
//
// Names of C++, Rust and Swift are demangled. Split DWARF (.dwo, .dwp), the files of dwz and files that were not linked are
// not read.
package dwarf

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"sync"

	"quipu/internal/fault"
	"quipu/internal/symbols"
)

// Bounds of work, in about bytes that are decoded.
const (
	workOfFile = 256 << 20 // beside four times its size
	workOfUnit = 64 << 20  // beside four times its size
)

// maxKept is about what decoded units of a file take in memory, in bytes. One that is in use may take more.
const maxKept = 24 << 20

// Frame is a function that an address is in.
type Frame struct {
	Function string // "" unknown
	File     string // "" unknown
	Line     int    // from 1; 0 unknown
	Column   int    // from 1; 0 unknown
	Inlined  bool   // into the frame behind it
}

// image is what is read of an ELF or Mach-O file.
type image struct {
	id    string // build id or UUID: hexadecimal digits in lower case, "" for none
	arch  string
	order binary.ByteOrder
	base  uint64 // address of what is loaded first
	exec  []span // addresses of code; none = all

	info, abbrev, line, str, lineStr, strOffsets, addr, ranges, rnglists section
	table                                                                symtab
	frames                                                               []*frames
	compact                                                              *compact // nil = none
	scratch                                                              *os.File // unpacked sections, nil = none
	unpacked                                                             int64    // bytes of it
}

// runs reports whether an address is of code.
func (m *image) runs(addr uint64) bool {
	for _, s := range m.exec {
		if addr >= s.low && addr < s.high {
			return true
		}
	}
	return len(m.exec) == 0
}

// File is an opened file, or one of the architectures that a file has. It is safe for concurrent use; lookups take turns.
type File struct {
	mu     sync.Mutex
	image  image
	units  []unit
	ranges []piece // of units
	tables map[uint64]*abbrevs
	work   int64 // that may still be done

	kept map[int32]*detail
	used []int32 // numbers of kept units, the latest last
	cost int64   // of kept
}

// Options say how a file is opened.
type Options struct {
	// Scratch returns an empty file for sections that have to be unpacked; it is closed by Close, and may be deleted before.
	// nil = files with such sections are refused.
	Scratch func() (*os.File, error)
	// MaxUnpacked is how many bytes such sections have unpacked.
	MaxUnpacked int64
}

// Is reports whether a file that begins with these bytes, at least four, may be one that Open reads.
func Is(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	switch string(head[:4]) {
	case "\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xca\xfe\xba\xbf":
		return true
	}
	return false
}

// Open opens a file, which must stay as it is and open until Close: one for each architecture that it has. Faults: symbols.bad_file for what is no
// such file, was not linked, or has neither debugging information nor symbols nor a table for unwinding; symbols.too_large for what is beyond a bound.
func Open(ctx context.Context, r io.ReaderAt, size int64, o Options) (out []*File, err error) {
	head := make([]byte, 8)
	if n, _ := r.ReadAt(head, 0); !Is(head[:n]) {
		return nil, symbols.Bad("it is neither ELF nor Mach-O")
	}
	var images []*image
	if string(head[:4]) == "\x7fELF" {
		images, err = openELF(r, size, o)
	} else {
		images, err = openMachO(r, size)
	}
	defer func() {
		if err != nil {
			for _, img := range images {
				img.close()
			}
		}
	}()
	if err != nil {
		return nil, err
	}
	for _, img := range images {
		f := &File{image: *img, tables: map[uint64]*abbrevs{}, kept: map[int32]*detail{}, work: workOfFile + 4*size}
		if err := f.index(ctx); err != nil {
			return nil, err
		}
		if err := f.image.table.load(ctx, &f.image); err != nil {
			return nil, err
		}
		if len(f.ranges) == 0 && len(f.image.table.list) == 0 && len(f.image.frames) == 0 && (f.image.compact == nil || f.image.compact.in.r == nil) {
			return nil, symbols.Bad("it has neither debugging information nor symbols, and no table for unwinding")
		}
		out = append(out, f)
	}
	return out, nil
}

func (m *image) close() {
	if m.scratch != nil {
		_ = m.scratch.Close() // it was only read
	}
}

// Close closes what Open made. The file that was opened stays open.
func (f *File) Close() { f.image.close() }

// ID returns the build id or the UUID as hexadecimal digits in lower case, "" when there is none.
func (f *File) ID() string { return f.image.id }

// Arch returns the architecture by the name that Go has for it, or as the file numbers it.
func (f *File) Arch() string { return f.image.arch }

// Base returns the address that the file gives to its first byte: the address where it was loaded minus Base is what has to be taken from
// an address of the process before it is looked up.
func (f *File) Base() uint64 { return f.image.base }

// Lines reports whether there is debugging information, not symbols only.
func (f *File) Lines() bool { return len(f.ranges) > 0 }

// Cost returns about how much memory the file takes at most, in bytes.
func (f *File) Cost() int64 {
	units := f.image.info.size + 4*f.image.line.size
	tables := int64(0) // an entry takes about as much as it does in the file
	for _, t := range f.image.frames {
		tables += min(t.in.size, maxFrames*24)
	}
	if c := f.image.compact; c != nil {
		tables += min(4*c.starts.size, 4*maxFunctions)
	}
	return int64(len(f.units))*80 + int64(len(f.ranges)+len(f.image.table.list))*16 + min(maxKept, units) + tables + 64<<10
}

// Symbol returns the address of a function by its name in the symbol table.
func (f *File) Symbol(name string) (uint64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.image.table.address(name)
}

// Find returns the functions that an address is in, the innermost first; none when nothing is known of it. Return addresses must be
// decreased by one before. The error is that of ctx or of reading the file.
func (f *File) Find(ctx context.Context, addr uint64) ([]Frame, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.image.runs(addr) {
		return nil, nil
	}
	out, bare, err := f.find(ctx, addr)
	if err != nil && !damaged(err) {
		return nil, err
	}
	n := len(out)
	if n > 0 && out[n-1].Function != "" && !bare {
		return out, nil
	}
	name, err := f.image.table.find(addr)
	if err != nil && !damaged(err) {
		return nil, err
	}
	if name == "" {
		return out, nil
	}
	whole := Demangle(name)
	if n == 0 {
		return []Frame{{Function: whole}}, nil
	}
	if alone, _, _ := strings.Cut(out[n-1].Function, "<"); alone == "" || whole != name && strings.Contains(whole, alone) {
		out[n-1].Function = whole
	}
	return out, nil
}

// find returns the functions that debugging information has for an address; bare is whether the outermost has a name without its namespace
// and parameters.
func (f *File) find(ctx context.Context, addr uint64) (out []Frame, bare bool, err error) {
	n := find(f.ranges, addr)
	if n < 0 {
		return nil, false, nil
	}
	d, err := f.detail(ctx, n)
	if err != nil {
		return nil, false, err
	}
	var here Frame
	r, ok := d.lines.find(addr)
	if ok {
		here = Frame{File: d.lines.file(uint64(r.file)), Line: int(r.line), Column: int(r.column)}
	}
	for i := find(d.where, addr); i >= 0; {
		fn := &d.funcs[i]
		if !fn.known {
			f.work = workOfUnit
			if fn.name, fn.bare, err = f.nameOf(fn.entry); err != nil && !damaged(err) {
				return nil, false, err
			}
			fn.known = true
			d.cost += int64(len(fn.name))
			f.cost += int64(len(fn.name))
		}
		here.Function, here.Inlined = fn.name, fn.parent >= 0
		out = append(out, here)
		here = Frame{File: d.lines.file(uint64(fn.callFile)), Line: int(fn.callLine), Column: int(fn.callColumn)}
		i, bare = fn.parent, fn.bare
	}
	if len(out) == 0 && ok {
		out = append(out, here)
	}
	return out, bare, nil
}

// detail returns a unit, decoded.
func (f *File) detail(ctx context.Context, n int32) (*detail, error) {
	if d := f.kept[n]; d != nil {
		for i, m := range f.used {
			if m == n {
				f.used = append(append(f.used[:i:i], f.used[i+1:]...), n)
				break
			}
		}
		return d, nil
	}
	d, err := f.read(ctx, &f.units[n])
	if err != nil {
		return nil, err
	}
	f.kept[n], f.used, f.cost = d, append(f.used, n), f.cost+d.cost
	for f.cost > maxKept && len(f.used) > 1 {
		f.cost -= f.kept[f.used[0]].cost
		delete(f.kept, f.used[0])
		f.used = f.used[1:]
	}
	return d, nil
}

// damaged reports whether an error is about what the file says, not about reading it.
func damaged(err error) bool {
	return strings.HasPrefix(fault.CodeOf(err), "symbols.")
}

func errWork() error {
	return symbols.TooLarge("its parts refer to one another too often")
}
