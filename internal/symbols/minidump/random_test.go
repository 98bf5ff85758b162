package minidump_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/minidump"
	"quipu/internal/testkit/need"
)

// dumper writes a minidump.
type dumper struct {
	b       []byte
	streams [][3]uint32
}

func newDumper() *dumper { return &dumper{b: make([]byte, 32)} }

func (d *dumper) blob(b []byte) (size, at uint32) {
	for len(d.b)%8 != 0 {
		d.b = append(d.b, 0)
	}
	at = uint32(len(d.b))
	d.b = append(d.b, b...)
	return uint32(len(b)), at
}

func (d *dumper) stream(kind uint32, b []byte) {
	size, at := d.blob(b)
	d.streams = append(d.streams, [3]uint32{kind, size, at})
}

func (d *dumper) text(s string) uint32 {
	var b []byte
	units := utf16.Encode([]rune(s))
	b = le32(b, uint32(2*len(units)))
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	_, at := d.blob(append(b, 0, 0))
	return at
}

func (d *dumper) done() []byte {
	var dir []byte
	for _, s := range d.streams {
		dir = le32(dir, s[0], s[1], s[2])
	}
	_, at := d.blob(dir)
	copy(d.b, "MDMP\x93\xa7\x00\x00")
	binary.LittleEndian.PutUint32(d.b[8:], uint32(len(d.streams)))
	binary.LittleEndian.PutUint32(d.b[12:], at)
	return d.b
}

func le32(b []byte, list ...uint32) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func le64(b []byte, list ...uint64) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// machine is a processor as dumps have it.
type machine struct {
	name               string
	arch               uint16
	width, context     int
	flags              int // where the flags of a context are
	flag               uint32
	ip, sp, fp         int
	others             []int
	saved              []string
	stackReg, frameReg string
	prefix             string
}

func machines() []machine {
	arm := machine{name: "arm64", arch: 12, width: 8, context: 912, flag: 0x400007, ip: 264, sp: 256, fp: 8 + 29*8, stackReg: "sp", frameReg: "fp"} // minidump-stackwalk does not forget x29 where its rule fails
	for i := range 31 {
		if i != 29 {
			arm.others = append(arm.others, 8+8*i)
		}
		if i >= 19 && i < 29 {
			arm.saved = append(arm.saved, fmt.Sprintf("x%d", i))
		}
	}
	arm.saved = append(arm.saved, "lr")
	return []machine{
		{
			name: "x86", width: 4, context: 716, flag: 0x10007, ip: 184, sp: 196, fp: 180, others: []int{164, 160, 156, 176, 172, 168},
			saved: []string{"ebx", "esi", "edi"}, stackReg: "esp", frameReg: "ebp", prefix: "$",
		},
		{
			name: "amd64", arch: 9, width: 8, context: 1232, flags: 48, flag: 0x100007, ip: 248, sp: 152, fp: 160, others: []int{144, 216, 224, 232, 240, 120, 136},
			saved: []string{"rbx", "r12", "r13", "r14", "r15"}, stackReg: "rsp", frameReg: "rbp", prefix: "$",
		},
		arm,
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// symbolsOf writes a symbol file with functions of all kinds.
func symbolsOf(r *rand.Rand, m machine, os, id, name string, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "MODULE %s %s %s %s\nINFO CODE_ID 1234\n", os, m.name, id, name)
	for i := range 4 {
		fmt.Fprintf(&b, "FILE %d /src/%s/file %d.cc\n", i, name, i)
	}
	for i := range 3 {
		fmt.Fprintf(&b, "INLINE_ORIGIN %d inlined%d(int, char const*)\n", i, i)
	}
	var rules strings.Builder
	for at := 0x10 * r.IntN(4); at < size-0x80; {
		n := 0x10 + r.IntN(0x200)
		switch r.IntN(8) {
		case 0:
		case 1:
			fmt.Fprintf(&b, "PUBLIC %s%x %x public_%x\n", pick(r, []string{"", "m "}), at, 4*r.IntN(3), at)
		default:
			fmt.Fprintf(&b, "FUNC %s%x %x %x ns::function_%x(int)\n", pick(r, []string{"", "m "}), at, n, 4*r.IntN(4), at)
			if r.IntN(2) == 0 {
				a := at + r.IntN(n)
				fmt.Fprintf(&b, "INLINE 0 %d %d %d %x %x", r.IntN(100)+1, r.IntN(4), r.IntN(3), a, 1+r.IntN(at+n-a))
				if r.IntN(2) == 0 && a > at {
					fmt.Fprintf(&b, " %x %x", at, max(1, (a-at)/2))
				}
				fmt.Fprintf(&b, "\n")
				if r.IntN(2) == 0 {
					fmt.Fprintf(&b, "INLINE 1 %d %d %d %x %x\n", r.IntN(100)+1, r.IntN(4), r.IntN(3), a, 1+r.IntN(at+n-a))
				}
			}
			for a := at; a < at+n; {
				k := 1 + r.IntN(0x20)
				if r.IntN(6) > 0 {
					fmt.Fprintf(&b, "%x %x %d %d\n", a, k+pick(r, []int{0, 0, 0, 3}), r.IntN(500), r.IntN(5))
				}
				a += k
			}
		}
		if r.IntN(3) > 0 {
			ruleOf(r, m, os, &rules, at, n)
		}
		at += n + pick(r, []int{0, 0, 0x10, -4})
	}
	return b.String() + rules.String()
}

func ruleOf(r *rand.Rand, m machine, os string, b *strings.Builder, at, n int) {
	reg := func(name string) string { return m.prefix + name }
	slot := func(k int) string { return fmt.Sprintf(".cfa -%d + ^", k*m.width) }
	if os == "windows" && m.name == "x86" && r.IntN(3) > 0 {
		locals, saved, params := 4*r.IntN(6), 4*r.IntN(4), 4*r.IntN(3)
		programs := []string{
			"$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =",
			"$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =",
			"$T0 .raSearchStart = $eip $T0 ^ = $esp $T0 4 + = $ebx $T0 .cbSavedRegs - .cbLocals - ^ =",
			"$T1 .raSearch = $T0 $T1 4 - 8 @ = $ebp $T1 4 - ^ = $eip $T1 ^ = $esp $T1 4 + =",
			"$eip .raSearch ^ = $esp .raSearch 4 + = $ebp .undef = $L $ebp 2 * =",
			"$T0 $ebx = $eip $T0 4 + ^ = $ebx $T0 ^ = $esp $T0 8 + =",
			"$T2 7 0 / =",
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(b, "STACK WIN 0 %x %x 0 0 %x %x %x 0 0 %d\n", at, n, params, saved, locals, r.IntN(2))
		} else {
			fmt.Fprintf(b, "STACK WIN 4 %x %x 3 0 %x %x %x 0 1 %s\n", at, n, params, saved, locals, pick(r, programs))
		}
		return
	}
	ra := slot(1)
	if m.name == "arm64" && r.IntN(3) == 0 {
		ra = "x30"
	}
	if m.name == "arm64" { // minidump-stackwalk loses fp where no rule has it behind a frame that the frame pointer led to
		ra += " fp: " + slot(2)
	}
	fmt.Fprintf(b, "STACK CFI INIT %x %x .cfa: %s %d + .ra: %s\n", at, n, reg(m.stackReg), m.width*r.IntN(3), ra)
	for i, a := 1, at; i < 5; i++ {
		if a += r.IntN(n/4 + 1); r.IntN(2) == 0 {
			continue
		}
		fmt.Fprintf(b, "STACK CFI %x", a)
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(b, " .cfa: %s %d +", reg(m.stackReg), m.width*(2+r.IntN(8)))
		case 1:
			fmt.Fprintf(b, " .cfa: %s %d +", reg(m.frameReg), m.width*2)
		case 2:
			fmt.Fprintf(b, " .ra: %s", slot(1+r.IntN(3)))
		}
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(b, " %s: %s", reg(m.frameReg), slot(2))
		case 1:
			fmt.Fprintf(b, " %s: %s %s: .undef", reg(pick(r, m.saved)), slot(3), reg(pick(r, m.saved)))
		default:
			fmt.Fprintf(b, " %s: %s 16 @ 3 %% %d * 2 / %d -", reg(pick(r, m.saved)), reg(pick(r, m.saved)), r.IntN(100), r.IntN(9))
		}
		b.WriteByte('\n')
	}
}

// randomDump is a process with stacks that hold return addresses, frame pointers and all else.
func randomDump(t *testing.T, r *rand.Rand) ([]byte, *store, string) {
	t.Helper()
	m := pick(r, machines())
	system, platform := "Linux", uint32(0x8201)
	if r.IntN(2) == 0 {
		system, platform = "windows", 2
	}
	d, s := newDumper(), newStore(t)
	bases := []uint64{0x400000, 0x10000000, 0x70000000}
	stack := uint64(0x7ff00000)
	if m.width == 8 {
		bases, stack = []uint64{0x400000, 0x7f1200000000, 0x7f5600000000}, 0x7ffd00000000
	}
	const size = 0x4000
	var modules []byte
	modules = le32(modules, uint32(len(bases)))
	for i, base := range bases {
		name := fmt.Sprintf("lib%d.so", i)
		id := make([]byte, 20)
		for k := range id {
			id[k] = byte(r.IntN(256))
		}
		cv := append([]byte("LEpB"), id...)
		if system == "windows" {
			name = fmt.Sprintf("lib%d.dll", i)
			cv = append(append([]byte("RSDS"), id[:16]...), 1, 0, 0, 0)
			cv = append(cv, strings.TrimSuffix(name, ".dll")+".pdb\x00"...)
		}
		size32, at := d.blob(cv)
		modules = le32(le64(modules, base), size, 0, 0x5f000000, d.text("/lib/"+name))
		modules = append(modules, make([]byte, 52)...)
		modules = append(le32(modules, size32, at, 0, 0), make([]byte, 16)...)
		if r.IntN(4) > 0 {
			breakpadID := strings.ToUpper(guid(fmt.Sprintf("%x", id))) + "0"
			if system == "windows" {
				breakpadID, name = breakpadID[:32]+"1", strings.TrimSuffix(name, ".dll")+".pdb"
			}
			s.add(t, []byte(symbolsOf(r, m, system, breakpadID, name, size)))
		}
	}
	sys := binary.LittleEndian.AppendUint16(nil, m.arch)
	sys = append(sys, make([]byte, 6)...)
	sys = append(le32(sys, 5, 1, 0, platform, 0, 0), make([]byte, 24)...)
	d.stream(7, sys)
	d.stream(4, modules)
	var threads, memory []byte
	count := 1 + r.IntN(3)
	threads, memory = le32(threads, uint32(count)), le32(memory, uint32(count))
	value := func(stack uint64) uint64 {
		switch r.IntN(6) {
		case 0, 1:
			return pick(r, bases) + uint64(r.IntN(size))
		case 2, 3:
			return stack + uint64(r.IntN(0x800))&^7
		case 4:
			return uint64(r.IntN(0x2000))
		}
		v := r.Uint64()
		if m.width == 4 {
			v &= 1<<32 - 1
		}
		return v
	}
	for i := range count {
		var content []byte
		for range 0x800 / m.width {
			if v := value(stack); m.width == 4 {
				content = le32(content, uint32(v))
			} else {
				content = le64(content, v)
			}
		}
		regs := make([]byte, m.context)
		binary.LittleEndian.PutUint32(regs[m.flags:], m.flag)
		put := func(at int, v uint64) {
			if m.width == 4 {
				binary.LittleEndian.PutUint32(regs[at:], uint32(v))
			} else {
				binary.LittleEndian.PutUint64(regs[at:], v)
			}
		}
		for _, at := range m.others {
			put(at, value(stack))
		}
		put(m.ip, pick(r, bases)+uint64(r.IntN(size)))
		put(m.sp, stack+uint64(r.IntN(0x100))&^7)
		put(m.fp, stack+uint64(r.IntN(0x400))&^7)
		stackSize, stackAt := d.blob(content)
		regsSize, regsAt := d.blob(regs)
		threads = le32(threads, uint32(100+i), 0, 0, 0, 0, 0)
		if r.IntN(5) == 0 { // it is in the list of memory only
			threads = le32(le64(threads, stack), 0, 0)
		} else {
			threads = le32(le64(threads, stack), stackSize, stackAt)
		}
		threads = le32(threads, regsSize, regsAt)
		memory = le32(le64(memory, stack), stackSize, stackAt)
		if i == 0 && r.IntN(2) == 0 {
			e := le32(nil, 100, 0, 11, 1)
			e = le32(le64(e, 0, 0x1234), 0, 0)
			e = append(e, make([]byte, 15*8)...)
			d.stream(6, le32(e, regsSize, regsAt))
		}
		stack += 0x10000
	}
	d.stream(3, threads)
	d.stream(5, memory)
	return d.done(), s, m.name + " " + system
}

// TestRandom walks stacks that no compiler makes, of each processor, by rules of all kinds, as minidump-stackwalk does.
func TestRandom(t *testing.T) {
	t.Parallel()
	need.File(t, stackwalk, fetch)
	seeds := 60
	if testing.Short() {
		seeds = 10
	}
	seen := map[string]int{}
	start := rand.Uint64()
	if *seed != 0 {
		start, seeds = *seed, 1
	}
	for i := range seeds {
		n := start + uint64(i)
		dump, s, kind := randomDump(t, rand.New(rand.NewPCG(n, 0)))
		file := filepath.Join(t.TempDir(), "a.dmp")
		if err := os.WriteFile(file, dump, 0o600); err != nil {
			t.Fatal(err)
		}
		got, want := ours(t, dump, s), theirs(t, file, s.dir)
		if want == nil {
			t.Logf("minidump-stackwalk does not end with -seed=%d", n)
			continue
		}
		for _, l := range want[1:] {
			if f := strings.Fields(l); len(f) > 1 {
				seen[kind+" "+f[1]]++
			}
		}
		if d := cmp.Diff(want[1:], got[1:]); d != "" {
			if *seed != 0 {
				_ = os.CopyFS(t.Name()+".out", os.DirFS(s.dir))
			}
			t.Fatalf("%s, -seed=%d: -minidump-stackwalk +ours:\n%s", kind, n, d)
		}
	}
	t.Log(seen)
}

// FuzzParse reads dumps of strangers, with symbols of strangers.
func FuzzParse(f *testing.F) {
	f.Add(unpacked(f, "test.dmp.gz"), unpacked(f, "test_app.sym.gz")[:20_000])
	f.Add(unpacked(f, "linux-mini.dmp.gz"), []byte("MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 crash\nFUNC 0 20000 0 f\nSTACK CFI INIT 0 20000 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"))
	f.Fuzz(func(t *testing.T, dump, text []byte) {
		p, err := minidump.Parse(dump)
		if err != nil {
			return
		}
		know, unread := breakpad.Open(t.Context(), bytes.NewReader(text), int64(len(text)))
		r, err := p.Read(t.Context(), func(*minidump.Module) (minidump.Symbols, error) {
			if unread != nil {
				return nil, nil //nolint:nilerr // a module without symbols
			}
			return know, nil
		})
		if err != nil || r.Text == "" {
			t.Errorf("%v %q", err, r.Text)
		}
	})
}
