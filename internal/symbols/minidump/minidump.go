// Package minidump reads minidumps, the files in which Breakpad, Crashpad and Windows keep a process that crashed, and walks the stacks of their threads: by
// the rules of symbol files (call frame information), by frame pointers, and by looking for what may be return addresses. Processors are
// x86, x86-64 and arm64.
//
// A dump is held in memory, and nothing is copied of it; what it says of its own sizes is checked before it is used.
package minidump

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"quipu/internal/fault"
	"quipu/internal/symbols"
)

// CodeBad is the code of the fault of what is no minidump: Invalid.
const CodeBad = symbols.CodeBadFile

// Bounds of a dump.
const (
	maxStreams = 500
	maxModules = 4000
	maxThreads = 1000 // further ones are left out
	maxRegions = 100_000
	maxName    = 1000 // bytes of a name in UTF-16
)

// Processors that stacks are walked of.
const (
	X86   = "x86"
	AMD64 = "amd64"
	ARM64 = "arm64"
)

// Systems.
const (
	Windows = "Windows"
	Mac     = "macOS"
	IOS     = "iOS"
	Linux   = "Linux"
	Android = "Android"
)

// Module is a program or a library of the process.
type Module struct {
	Name string // as the process had it, with its folder
	File string // name of the file with debugging information, without a folder
	ID   string // debug id: build id, or UUID and age; hexadecimal digits in lower case, "" unknown
	Base uint64
	Size uint64 // bytes
}

// Bare is the name without its folder.
func (m *Module) Bare() string {
	return m.Name[strings.LastIndexAny(m.Name, `/\`)+1:]
}

func (m *Module) end() uint64 { return m.Base + m.Size - 1 }

// Thread is a thread of the process.
type Thread struct {
	ID   uint32
	Name string // "" unknown
	// Skipped is the thread that wrote the dump; its stack says nothing.
	Skipped bool

	regs  *registers // nil = not known
	stack region     // may be empty
}

// region is a part of the memory of the process.
type region struct {
	base uint64
	data []byte
}

// end is the last address; a region has at least a byte.
func (r region) end() uint64 { return r.base + uint64(len(r.data)) - 1 }

// usable reports whether a region has bytes and does not wrap around.
func (r region) usable() bool { return len(r.data) > 0 && r.base <= 1<<64-1-uint64(len(r.data)) }

// read reads a number of so many bytes.
func (r region) read(addr uint64, width int) (uint64, bool) {
	off := addr - r.base
	if addr < r.base || off > uint64(len(r.data)) || uint64(len(r.data))-off < uint64(width) { // 4 or 8
		return 0, false
	}
	if width == 4 {
		return uint64(binary.LittleEndian.Uint32(r.data[off:])), true
	}
	return binary.LittleEndian.Uint64(r.data[off:]), true
}

// Exception is why the process ended.
type Exception struct {
	Thread  uint32
	Code    uint32
	Flags   uint32
	Address uint64 // of the fault where the system says it, else of the instruction
	info    []uint64
}

// Dump is a dump that was read.
type Dump struct {
	OS        string // one of the systems, else "unknown"
	Version   string // of the system
	CPU       string // one of the processors, else what the dump has for it
	Time      uint32 // seconds since 1970
	Modules   []Module
	Threads   []Thread
	Exception *Exception // nil = it was made of a process that runs
	// Crashed is the index of the thread that crashed or asked for the dump; -1 = not known.
	Crashed int

	byAddr []*Module // without those that overlap
	memory []region  // by address, without those that overlap
}

// bad is the fault of what is no minidump, with what is wrong with it.
func bad(format string, args ...any) error {
	return fault.New(fault.Invalid, CodeBad, "Minidump cannot be read: "+fmt.Sprintf(format, args...))
}

// Is reports whether bytes, at least four, begin a minidump.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte("MDMP")) }

// The streams that are read.
const (
	streamThreads     = 3
	streamModules     = 4
	streamMemory      = 5
	streamException   = 6
	streamSystem      = 7
	streamMemory64    = 9
	streamThreadNames = 24
	streamBreakpad    = 0x47670001
)

// data is the bytes of a dump, or a part of them.
type data []byte

func (d data) u16(at int) uint16 {
	if at < 0 || at+2 > len(d) {
		return 0
	}
	return binary.LittleEndian.Uint16(d[at:])
}

func (d data) u32(at int) uint32 {
	if at < 0 || at+4 > len(d) {
		return 0
	}
	return binary.LittleEndian.Uint32(d[at:])
}

func (d data) u64(at int) uint64 {
	if at < 0 || at+8 > len(d) {
		return 0
	}
	return binary.LittleEndian.Uint64(d[at:])
}

// slice returns a part; nil when it is not within the dump.
func (d data) slice(at, size uint64) data {
	if at > uint64(len(d)) || size > uint64(len(d))-at {
		return nil
	}
	return d[at : at+size : at+size]
}

// located returns what the descriptor (size, place) at an offset names.
func (d data) located(whole data, at int) data {
	return whole.slice(uint64(d.u32(at+4)), uint64(d.u32(at)))
}

// name reads a text of UTF-16 with its length in front.
func (d data) name(at uint64) string {
	text := d.slice(at, 4)
	if text == nil {
		return ""
	}
	text = d.slice(at+4, uint64(text.u32(0)))
	text = text[:min(len(text), maxName)]
	units := make([]uint16, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		units = append(units, text.u16(i))
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// list returns the entries of a stream that begins with their number; padding may stand between.
func (d data) list(entry, most int) []data {
	count := uint64(d.u32(0))
	whole := 4 + count*uint64(entry) // a size
	from := uint64(4)
	switch uint64(len(d)) {
	case whole:
	case whole + 4:
		from = 8
	default:
		return nil
	}
	return d.entries(from, entry, min(count, uint64(most))) // a bound
}

func (d data) entries(from uint64, entry int, count uint64) (out []data) {
	for range count {
		e := d.slice(from, uint64(entry)) // a size
		if e == nil {
			return out
		}
		out = append(out, e)
		from += uint64(entry) // a size
	}
	return out
}

// Parse reads a dump, which must stay as it is while the dump is used. Faults: symbols.bad_file for what is none, or has no threads.
func Parse(b []byte) (*Dump, error) {
	d := data(b)
	if len(d) < 32 || !Is(b) || d.u16(4) != 0xa793 {
		return nil, bad("it does not begin as one")
	}
	count := d.u32(8)
	if count > maxStreams {
		return nil, bad("it has %d streams", count)
	}
	streams := map[uint32]data{}
	for _, e := range d.slice(uint64(d.u32(12)), uint64(count)*12).entries(0, 12, uint64(count)) {
		if s := e.located(d, 4); s != nil && streams[e.u32(0)] == nil {
			streams[e.u32(0)] = s
		}
	}
	dump := &Dump{Time: d.u32(20), Crashed: -1}
	if streams[streamSystem] == nil {
		return nil, bad("it does not say which system it is of")
	}
	dump.system(d, streams[streamSystem])
	dump.modules(d, streams[streamModules])
	dump.regions(d, streams)
	dump.threads(d, streams)
	if len(dump.Threads) == 0 {
		return nil, bad("it has no threads")
	}
	return dump, nil
}

func (p *Dump) system(whole, s data) {
	switch n := s.u16(0); n {
	case 0, 10:
		p.CPU = X86
	case 9:
		p.CPU = AMD64
	case 12, 0x8003:
		p.CPU = ARM64
	default:
		p.CPU = map[uint16]string{1: "mips", 3: "ppc", 5: "arm", 0x8001: "sparc", 0x8002: "ppc64", 0x8004: "mips64"}[n]
		if p.CPU == "" {
			p.CPU = strconv.Itoa(int(n))
		}
	}
	switch s.u32(20) {
	case 1, 2, 3:
		p.OS = Windows
	case 0x8101:
		p.OS = Mac
	case 0x8102:
		p.OS = IOS
	case 0x8201:
		p.OS = Linux
	case 0x8203:
		p.OS = Android
	default:
		p.OS = "unknown"
	}
	p.Version = fmt.Sprintf("%d.%d", s.u32(8), s.u32(12))
	if n := s.u32(16); n != 0 {
		p.Version += "." + strconv.FormatUint(uint64(n), 10)
	}
	if p.OS == Linux || p.OS == Android {
		p.Version = "" // 0.0.0, or nothing useful
	}
}

func (p *Dump) modules(whole, s data) {
	for _, e := range s.list(108, maxModules) {
		m := Module{Base: e.u64(0), Size: uint64(e.u32(8)), Name: whole.name(uint64(e.u32(20)))}
		m.debug(e.located(whole, 76))
		p.Modules = append(p.Modules, m)
	}
	for i := range p.Modules {
		if m := &p.Modules[i]; m.Size > 0 && m.Base <= 1<<64-1-m.Size {
			p.byAddr = append(p.byAddr, m)
		}
	}
	slices.SortStableFunc(p.byAddr, func(a, b *Module) int { return cmp.Or(cmp.Compare(a.Base, b.Base), cmp.Compare(a.Size, b.Size)) })
	out := p.byAddr[:0]
	for _, m := range p.byAddr {
		if n := len(out); n > 0 && m.Base <= out[n-1].end() {
			continue
		}
		out = append(out, m)
	}
	p.byAddr = out
}

// debug reads what a module says of its debugging information.
func (m *Module) debug(cv data) {
	m.File = m.Bare()
	if len(cv) < 8 {
		return
	}
	switch string(cv[:4]) {
	case "RSDS":
		if len(cv) < 24 {
			return
		}
		id := make([]byte, 16)
		binary.BigEndian.PutUint32(id, cv.u32(4))
		binary.BigEndian.PutUint16(id[4:], cv.u16(8))
		binary.BigEndian.PutUint16(id[6:], cv.u16(10))
		copy(id[8:], cv[12:20])
		if strings.Trim(string(id), "\x00") != "" {
			m.ID = hex.EncodeToString(id) + strconv.FormatUint(uint64(cv.u32(20)), 16)
		}
		name, _, _ := strings.Cut(string(cv[24:min(len(cv), 24+maxName)]), "\x00")
		if name = name[strings.LastIndexAny(name, `/\`)+1:]; name != "" {
			m.File = name
		}
	case "LEpB":
		if id := cv[4:min(len(cv), 4+64)]; strings.Trim(string(id), "\x00") != "" {
			m.ID = hex.EncodeToString(id)
		}
	}
}

// regions reads which parts of the memory there are.
func (p *Dump) regions(whole data, streams map[uint32]data) {
	if s := streams[streamMemory64]; s != nil {
		at := s.u64(8)
		if count := s.u64(0); count <= maxRegions && uint64(len(s)) == 16+16*count {
			for _, e := range s.entries(16, 16, count) {
				r := region{base: e.u64(0), data: whole.slice(at, e.u64(8))}
				if r.data == nil {
					break
				}
				at += e.u64(8)
				p.memory = append(p.memory, r)
			}
		}
	} else {
		for _, e := range streams[streamMemory].list(16, maxRegions) {
			p.memory = append(p.memory, region{base: e.u64(0), data: e.located(whole, 8)})
		}
	}
	p.memory = slices.DeleteFunc(p.memory, func(r region) bool { return !r.usable() })
	slices.SortStableFunc(p.memory, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(len(a.data), len(b.data)))
	})
	out := p.memory[:0]
	for _, r := range p.memory {
		if n := len(out); n > 0 && r.base <= out[n-1].end() {
			continue
		}
		out = append(out, r)
	}
	p.memory = out
}

// at returns the part of the memory that an address is in; empty for none.
func (p *Dump) at(addr uint64) region {
	i, _ := slices.BinarySearchFunc(p.memory, addr, func(r region, addr uint64) int {
		if r.base <= addr {
			return -1
		}
		return 1
	})
	if i > 0 && addr <= p.memory[i-1].end() {
		return p.memory[i-1]
	}
	return region{}
}

// Module returns the module that an address is in; nil for none.
func (p *Dump) Module(addr uint64) *Module {
	i, _ := slices.BinarySearchFunc(p.byAddr, addr, func(m *Module, addr uint64) int {
		if m.Base <= addr {
			return -1
		}
		return 1
	})
	if i > 0 && addr <= p.byAddr[i-1].end() {
		return p.byAddr[i-1]
	}
	return nil
}

// threads reads the threads, and the exception with the registers that one of them had.
func (p *Dump) threads(whole data, streams map[uint32]data) {
	var crashed, writer uint32
	var known, skip bool
	var regs *registers
	if s := streams[streamBreakpad]; len(s) >= 12 {
		skip, writer = s.u32(0)&1 != 0, s.u32(4)
		known, crashed = s.u32(0)&2 != 0, s.u32(8)
	}
	if s := streams[streamException]; len(s) >= 168 {
		e := &Exception{Thread: s.u32(0), Code: s.u32(8), Flags: s.u32(12), Address: s.u64(24)}
		for i := range min(int(s.u32(32)), 15) {
			e.info = append(e.info, s.u64(40+8*i))
		}
		if p.OS == Windows && (e.Code == accessViolation || e.Code == inPageError) && len(e.info) >= 2 {
			e.Address = e.info[1]
		}
		if p.CPU == X86 {
			e.Address &= 1<<32 - 1
		}
		p.Exception, known, crashed = e, true, e.Thread
		regs = p.context(s.located(whole, 160))
	}
	names := map[uint32]string{}
	for _, e := range streams[streamThreadNames].list(12, maxThreads) {
		names[e.u32(0)] = whole.name(e.u64(4))
	}
	for _, e := range streams[streamThreads].list(48, maxThreads) {
		t := Thread{ID: e.u32(0), regs: p.context(e.located(whole, 40)), stack: region{base: e.u64(24), data: e.located(whole, 32)}}
		t.Name = names[t.ID]
		if skip && t.ID == writer {
			t.Skipped = true
		} else if known && t.ID == crashed {
			p.Crashed = len(p.Threads)
			if regs != nil {
				t.regs = regs
			}
		}
		if !t.stack.usable() {
			t.stack = p.at(t.stack.base)
		}
		if t.regs != nil {
			if _, ok := t.stack.read(t.regs.sp(), 8); !ok {
				if r := p.at(t.regs.sp()); r.usable() {
					t.stack = r
				}
			}
		}
		p.Threads = append(p.Threads, t)
	}
}
