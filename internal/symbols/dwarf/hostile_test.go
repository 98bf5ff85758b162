package dwarf_test

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/dwarf"
)

// lookups opens bytes and looks up addresses; how it ends is all one, as long as it does within bounds.
func lookups(tb testing.TB, data []byte, addrs []uint64) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	list, err := dwarf.Open(ctx, bytes.NewReader(data), int64(len(data)), dwarf.Options{
		Scratch: func() (*os.File, error) { return os.CreateTemp(tb.TempDir(), "scratch") }, MaxUnpacked: 16 << 20,
	})
	if err != nil {
		if fault.CodeOf(err) == "" {
			tb.Fatalf("open: %v", err)
		}
		return
	}
	for _, f := range list {
		for _, a := range addrs {
			if _, err := f.Find(ctx, a); err != nil {
				tb.Fatalf("find %#x: %v", a, err)
			}
			if _, err := f.Find(ctx, f.Base()+a); err != nil {
				tb.Fatalf("find %#x: %v", a, err)
			}
			for _, w := range []dwarf.Walker{stranger{}, caller{}} {
				if _, err := f.Unwind(ctx, a, w); err != nil {
					tb.Fatalf("unwind %#x: %v", a, err)
				}
			}
		}
		f.Close()
	}
}

// stranger is a frame in which all registers and all memory have some value.
type stranger struct{}

func (stranger) Callee(name string) (uint64, bool) { return uint64(len(name)) << 20, name != "" }
func (stranger) Memory(addr uint64) (uint64, bool) { return addr * 3, addr%5 != 0 }
func (stranger) Set(string, uint64) bool           { return true }
func (stranger) Clear(string)                      {}
func (stranger) SetStack(uint64) bool              { return true }
func (stranger) SetReturn(uint64) bool             { return true }
func (stranger) Stopped() bool                     { return true }
func (stranger) Code(addr uint64) bool             { return addr%2 == 0 }

// caller is a stranger that called another.
type caller struct{ stranger }

func (caller) Stopped() bool { return false }

func someAddrs() (out []uint64) {
	for a := uint64(0x1000); a < 0x4000; a += 0x55 {
		out = append(out, a)
	}
	return append(out, 0, 1, ^uint64(0), ^uint64(0)-1, 0x401136, 0x1139)
}

const smallC = `static inline int twice(int a) { volatile int b = a; return b * 2; }
int main(int argc, char **argv) { return twice(argc) + twice(argc + 1); }
`

// FuzzOpen opens what real files become when bytes of them change.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.c"), []byte(smallC), 0o600); err != nil {
		f.Fatal(err)
	}
	for i, data := range programs(f, dir) {
		f.Add(data, uint64(i))
	}
	for i := range 2 {
		f.Add(unpacked(f, fmt.Sprintf("testdata/compact/arm64-%d.gz", i)), uint64(0x3c0+0x100*i))
	}
	f.Fuzz(func(t *testing.T, data []byte, addr uint64) {
		lookups(t, data, []uint64{0x1139, 0x401136, 0x1150, addr})
	})
}

// programs compiles a small program in several ways.
func programs(tb testing.TB, dir string) (out [][]byte) {
	tb.Helper()
	for i, flags := range []string{"gcc -gdwarf-2", "gcc -gdwarf-5 -gz", "clang -gdwarf-4", "clang -gdwarf-5"} {
		words := strings.Fields(flags)
		name := fmt.Sprint("prog", i)
		if !tryRun(dir, words[0], append(words[1:], "-O1", "-o", name, "a.c")...) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

// TestDamaged opens programs of which the debugging sections are damaged at random: numbers become other numbers, or very large.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.c", smallC)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for _, data := range programs(t, dir) {
		e, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var places []*elf.Section
		for _, s := range e.Sections {
			if strings.HasPrefix(s.Name, ".debug_") || s.Name == ".eh_frame" || s.Type == elf.SHT_SYMTAB {
				places = append(places, s)
			}
		}
		for range 1500 {
			bad := bytes.Clone(data)
			for range 1 + rnd.IntN(6) {
				s := places[rnd.IntN(len(places))]
				at := s.Offset + rnd.Uint64N(s.FileSize)
				switch rnd.IntN(3) {
				case 0:
					bad[at] = byte(rnd.Uint32())
				case 1:
					bad[at] = 0xff
				case 2:
					copy(bad[at:s.Offset+s.FileSize], "\xff\xff\xff\xff\xff\xff\xff\x7f")
				}
			}
			if rnd.IntN(10) == 0 { // headers, too
				bad[rnd.IntN(64)] = byte(rnd.Uint32())
			}
			lookups(t, bad, someAddrs())
		}
	}
}

// lie is a file that says of itself what is not so.
type lie struct {
	name                         string
	info, abbrev, line, rnglists []byte
}

// file writes an ELF file with these sections, and a megabyte of code at 0x1000.
func (l lie) file() []byte {
	var b bytes.Buffer
	names := "\x00.debug_info\x00.debug_abbrev\x00.debug_line\x00.debug_rnglists\x00.shstrtab\x00"
	bodies := [][]byte{l.info, l.abbrev, l.line, l.rnglists, []byte(names)}
	at := uint64(64 + 56)
	head := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64,
		Phentsize: 56, Phnum: 1, Shentsize: 64, Shnum: uint16(len(bodies) + 1), Shstrndx: uint16(len(bodies)), // few
	}
	sections := []elf.Section64{{}}
	for i, body := range bodies {
		name := []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists", ".shstrtab"}[i]
		kind := elf.SHT_PROGBITS
		if i == len(bodies)-1 {
			kind = elf.SHT_STRTAB
		}
		sections = append(sections, elf.Section64{Name: uint32(strings.Index(names, "\x00"+name) + 1), Type: uint32(kind), Off: at, Size: uint64(len(body))}) // small
		at += uint64(len(body))
	}
	head.Shoff = at
	_ = binary.Write(&b, binary.LittleEndian, head)
	_ = binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_X | elf.PF_R), Vaddr: 0, Memsz: 1 << 40, Align: 1})
	for _, body := range bodies {
		b.Write(body)
	}
	_ = binary.Write(&b, binary.LittleEndian, sections)
	return b.Bytes()
}

// unitOf is a unit of DWARF 5 with entries.
func unitOf(entries []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(entries)+8)) // small
	b = append(b, 5, 0, 1, 8, 0, 0, 0, 0)
	return append(b, entries...)
}

// abbrevsOf: 1 = a unit with low, high and lines; 2 = a function with children and ranges; 3 = a function that has another as its origin.
var abbrevsOf = []byte{
	1, 0x11, 1, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0, 0,
	2, 0x1d, 1, 0x55, 0x17, 0, 0,
	3, 0x2e, 1, 0x11, 0x01, 0x12, 0x07, 0x31, 0x10, 0, 0,
	0,
}

func root(lines uint32) []byte {
	b := append([]byte{1}, binary.LittleEndian.AppendUint64(nil, 0x1000)...)
	b = append(b, binary.LittleEndian.AppendUint64(nil, 1<<30)...)
	return binary.LittleEndian.AppendUint32(b, lines)
}

// line5 is a line program of version 5 with a table of folders of no columns that says that it has n entries.
func line5(columns byte, n uint64, program []byte) []byte {
	head := []byte{1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, columns}
	for range columns {
		head = append(head, 1, 0x19) // a path that is a flag, which takes no byte
	}
	head = append(head, uleb(n)...)
	head = append(head, 0, 0)
	body := append([]byte{5, 0, 8, 0}, binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...) // small
	body = append(append(body, head...), program...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...) // small
}

func uleb(n uint64) (b []byte) {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

// lies are files that want more memory or time than their size is worth.
func lies() []lie {
	list := bytes.Repeat([]byte{7, 0, 0x10, 0, 0, 0, 0, 0, 0, 0x10}, 50_000) // ranges at 0x1000
	list = append(list, 0)
	nested := root(0)
	deep := root(0)
	for range 200_000 {
		nested = append(nested, 2, 0, 0, 0, 0, 0) // ends its children at once
		deep = append(deep, 2, 0, 0, 0, 0)
	}
	self := root(0)
	for range 1000 {
		self = append(self, 3)
		self = binary.LittleEndian.AppendUint64(self, 0x1000)
		self = binary.LittleEndian.AppendUint64(self, 0x1000)
		self = binary.LittleEndian.AppendUint32(self, uint32(len(self)+12-17)) // itself
		self = append(self, 0)
	}
	units := bytes.Repeat(unitOf(root(0)), 100_000)
	big := bytes.Repeat([]byte{0x0d}, 30<<20) // a row each
	return []lie{
		{name: "table of nothing", info: unitOf(root(0)), line: line5(0, 1<<60, nil)},
		{name: "table of flags", info: unitOf(root(0)), line: line5(1, 1<<60, nil)},
		{name: "one list of ranges for all", info: unitOf(nested), rnglists: list},
		{name: "deep entries", info: unitOf(deep), rnglists: list},
		{name: "its own origin", info: unitOf(self)},
		{name: "many units, one program", info: units, line: line5(0, 0, append([]byte{0, 9, 2, 0, 0x10, 0, 0, 0, 0, 0, 0}, big...))},
	}
}

// TestLies opens files that lie of their lengths, and of what belongs to what.
func TestLies(t *testing.T) {
	for _, l := range lies() {
		t.Run(l.name, func(t *testing.T) {
			l.abbrev = abbrevsOf
			data := l.file()
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			lookups(t, data, []uint64{0x1000, 0x1008, 0x2000})
			runtime.ReadMemStats(&after)
			took, used := time.Since(began), after.TotalAlloc-before.TotalAlloc
			t.Logf("%v, %d MB, of %d kB", took, used>>20, len(data)>>10)
			if took > time.Minute || used > 1<<30 {
				t.Errorf("took %v and allocated %d bytes", took, used)
			}
		})
	}
}

// tables is a Mach-O file in which so many sections are the same table for unwinding.
func tables(sections int) []byte {
	const entries = 2000
	table := []byte{20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 3, 0x0c, 7, 8, 0x90, 1, 0, 0}
	for i := range uint32(entries) {
		table = binary.LittleEndian.AppendUint32(table, 16)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(table))) // small
		table = binary.LittleEndian.AppendUint32(table, 0x1000+i)
		table = append(table, 1, 0, 0, 0, 0, 0, 0, 0)
	}
	name := func(s string) []byte { return append([]byte(s), make([]byte, 16-len(s))...) }
	length := 72 + 80*sections
	at := uint32(32 + length) // small
	b := binary.LittleEndian.AppendUint32(nil, 0xfeedfacf)
	for _, v := range []uint32{0x01000007, 3, 6, 1, uint32(length), 0, 0, 0x19, uint32(length)} { // small
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = append(append(b, name("__TEXT")...), make([]byte, 40)...)
	b = binary.LittleEndian.AppendUint32(b, uint32(sections)) // small
	b = append(b, 0, 0, 0, 0)
	for range sections {
		b = append(append(b, name("__eh_frame")...), name("__TEXT")...)
		b = binary.LittleEndian.AppendUint64(b, 0x10000)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(table)))
		b = binary.LittleEndian.AppendUint32(b, at)
		b = append(b, make([]byte, 28)...)
	}
	return append(b, table...)
}

// TestManyTables opens a file that names its table for unwinding many times: it is read once.
func TestManyTables(t *testing.T) {
	t.Parallel()
	var cost [2]int64
	for i, sections := range []int{1, 3000} {
		list, err := dwarf.Open(t.Context(), bytes.NewReader(tables(sections)), int64(len(tables(sections))), dwarf.Options{})
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		cost[i] = list[0].Cost()
		if ok, err := list[0].Unwind(t.Context(), 0x1001, caller{}); !ok || err != nil {
			t.Errorf("%d sections: %v %v", sections, ok, err)
		}
		list[0].Close()
	}
	if cost[0] != cost[1] {
		t.Errorf("kept: %d bytes of one table, %d of the same many times", cost[0], cost[1])
	}
}

// TestRefused names what is not read.
func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.c", smallC)
	run(t, dir, "gcc", "-g", "-c", "-o", "a.o", "a.c")
	run(t, dir, "gcc", "-s", "-o", "stripped", "a.c")
	object, err := os.ReadFile(filepath.Join(dir, "a.o"))
	if err != nil {
		t.Fatal(err)
	}
	class := append([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x41"), bytes.Repeat([]byte{1}, 100)...)
	for name, data := range map[string][]byte{"text": []byte("MODULE Linux"), "empty": nil, "object": object, "class": class, "short": []byte("\x7fELF"), "macho": []byte("\xcf\xfa\xed\xfe")} {
		if _, err := dwarf.Open(t.Context(), bytes.NewReader(data), int64(len(data)), dwarf.Options{}); fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data, err := os.ReadFile(filepath.Join(dir, "stripped"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dwarf.Open(ctx, bytes.NewReader(data), int64(len(data)), dwarf.Options{}); err == nil {
		t.Error("a cancelled context opens")
	}
}
