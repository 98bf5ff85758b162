package breakpad_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
)

const head = "MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF1 my app.so\n"

func open(tb testing.TB, text string) *breakpad.File {
	tb.Helper()
	f, err := breakpad.Open(tb.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// found is what is found at an address, a line each.
func found(tb testing.TB, f *breakpad.File, addr uint64) string {
	tb.Helper()
	list, params, err := f.Function(tb.Context(), addr)
	if err != nil {
		tb.Fatal(err)
	}
	return shown(list, params)
}

func shown(list []dwarf.Frame, params uint32) string {
	var out []string
	for _, g := range list {
		text := fmt.Sprintf("%s %s:%d", g.Function, g.File, g.Line)
		if g.Inlined {
			text += " inlined"
		}
		out = append(out, text)
	}
	if params > 0 {
		out = append(out, fmt.Sprint("params ", params))
	}
	return strings.Join(out, "\n")
}

// TestFunctions looks up addresses in records of each kind.
func TestFunctions(t *testing.T) {
	t.Parallel()
	const text = head + `INFO CODE_ID 0123
FILE 0 /src/a.c
FILE 1 /src/with space.h
FILE 2 /src/old.c
FILE 2 /src/new.c
INLINE_ORIGIN 0 half
INLINE_ORIGIN 1 _ZN4shop5priceEi
FUNC m 1000 40 0 _ZN4shop4CartC1Ei
INLINE 0 7 0 1 1008 10 1030 8
INLINE 1 9 1 0 100c 4
1000 8 5 0
1008 10 3 1
1018 18 6 2
1030 8 4 1
1038 8 11 9
FUNC 2000 10 c f(int, int)
2000 8 1 0
2004 8 2 0
200c 4 3 0
FUNC 2008 20 0 within another
FUNC 3000 0 0 empty
FUNC 4000 10 0
4000 10 8 0
PUBLIC 5000 8 _ZN4shop5aheadEv
PUBLIC m 5800 0 last
FUNC zz 1 0 broken
FUNC 6000
PUBLIC
`
	f := open(t, text)
	if f.ID() != "0123456789abcdef0123456789abcdef1" || f.Arch() != "x86_64" || f.Name() != "my app.so" || f.Base() != 0 || f.Cost() <= 0 {
		t.Errorf("%q %q %q %d %d", f.ID(), f.Arch(), f.Name(), f.Base(), f.Cost())
	}
	for _, tt := range []struct {
		addr uint64
		want string
	}{
		{0xfff, ""},
		{0x1000, "shop::Cart::Cart(int) /src/a.c:5"},
		{0x1008, "shop::price(int) /src/with space.h:3 inlined\nshop::Cart::Cart(int) /src/a.c:7"},
		{0x100c, "half /src/with space.h:3 inlined\nshop::price(int) /src/with space.h:9 inlined\nshop::Cart::Cart(int) /src/a.c:7"},
		{0x1010, "shop::price(int) /src/with space.h:3 inlined\nshop::Cart::Cart(int) /src/a.c:7"},
		{0x1018, "shop::Cart::Cart(int) /src/new.c:6"},
		{0x1034, "shop::price(int) /src/with space.h:4 inlined\nshop::Cart::Cart(int) /src/a.c:7"},
		{0x1038, "shop::Cart::Cart(int) :11"},
		{0x1040, ""},
		{0x2005, "f(int, int) /src/a.c:1\nparams 12"},
		{0x2009, "f(int, int) :0\nparams 12"}, // the second line begins within the first
		{0x200c, "f(int, int) /src/a.c:3\nparams 12"},
		{0x2010, ""},
		{0x3000, ""},
		{0x4001, " /src/a.c:8"},
		{0x4010, ""},
		{0x57ff, "shop::ahead() :0\nparams 8"},
		{0x5800, "last :0"},
		{1<<64 - 1, "last :0"},
	} {
		for range 2 { // read, and held
			if d := cmp.Diff(tt.want, found(t, f, tt.addr)); d != "" {
				t.Errorf("%#x: -want +got\n%s", tt.addr, d)
			}
		}
		named, err := f.Named(t.Context(), tt.addr)
		if want := tt.want != "" && tt.want[0] != ' '; err != nil || named != want {
			t.Errorf("%#x is named: %v %v", tt.addr, named, err)
		}
	}
	for name, want := range map[string]uint64{"_ZN4shop4CartC1Ei": 0x1000, "last": 0x5800, "f(int, int)": 0x2000, "none": 0} {
		if got, ok := f.Symbol(name); got != want || ok != (want != 0) {
			t.Errorf("%s is at %#x", name, got)
		}
	}
}

// frame is a frame whose registers and memory are known.
type frame struct {
	regs   map[string]uint64
	memory map[uint64]uint64
	params uint32
	inner  bool
	wide   bool // registers of 64 bits
	caller map[string]uint64
}

func (f *frame) Callee(name string) (uint64, bool) { v, ok := f.regs[name]; return v, ok }
func (f *frame) Memory(addr uint64) (uint64, bool) { v, ok := f.memory[addr]; return v, ok }
func (f *frame) Params() (n uint32, inner bool)    { return f.params, f.inner }
func (*frame) Rules(uint64)                        {}
func (f *frame) Clear(name string)                 { delete(f.caller, name) }
func (f *frame) SetStack(v uint64) bool            { return f.Set("stack", v) }
func (f *frame) SetReturn(v uint64) bool           { return f.Set("return", v) }
func (f *frame) Set(name string, v uint64) bool {
	if !f.wide && v >= 1<<32 {
		return false
	}
	f.caller[name] = v
	return true
}

// TestUnwind finds callers by rules of each kind.
func TestUnwind(t *testing.T) {
	t.Parallel()
	const text = head + `STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^
STACK CFI 1004 .cfa: $rbp 16 +
STACK CFI 1050 $rbx: .undef $r12: 7 2 - 3 * 15 % 2 / 100 + 16 @
STACK CFI 1060 .cfa: $rsp 1 0 /
STACK CFI INIT 2000 10 .cfa: $rsp 8 +
STACK CFI INIT 2010 10 .ra: .cfa 8 +
STACK CFI INIT 2020 10 .cfa: .cfa 8 + .ra: 1
STACK CFI INIT 2030 10 .cfa: 1 + .ra: 1
STACK CFI INIT 2040 10 .cfa: $rsp 3 @ .ra: 1
STACK CFI INIT 2050 10 .cfa: $rsp .ra: 1 2
STACK CFI INIT 2060 10 .cfa: $none .ra: 1
STACK CFI INIT 2070 10 .cfa: $rsp .ra: $rsp ^
STACK CFI INIT 2080 10 $rsp 8 .cfa: 1 .ra: 1
STACK CFI INIT 2090 10 .cfa: .ra: 1
STACK CFI INIT 20a0 10
STACK CFI INIT 20b0 10 .cfa: sp .ra: lr
STACK WIN 4 3000 20 0 0 8 4 10 0 1 $T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =
STACK WIN 4 3020 20 0 0 0 4 8 0 1 $eip .raSearch ^ = $esp .raSearch 4 + = $ebx .cbSavedRegs .cbLocals * =
STACK WIN 4 3040 10 0 0 0 0 0 0 1 $eip 1 0 / =
STACK WIN 4 3050 10 0 0 0 0 0 0 1 $eip
STACK WIN 4 3060 10 0 0 0 0 0 0 1 = = =
STACK WIN 4 3070 10 0 0 0 0 0 0 1 $eip $none = 
STACK WIN 0 4000 20 0 0 0 4 8 0 0 0
STACK WIN 0 4020 20 0 0 0 8 0 0 0 1
STACK WIN 9 5000 20 0 0 0 8 0 0 0 1
`
	f := open(t, text)
	regs := map[string]uint64{"rsp": 0x100, "rbp": 0x200, "sp": 0x300, "lr": 0x77, "esp": 0x1000, "ebp": 0x2000, "eip": 0x55}
	memory := map[uint64]uint64{
		0x100: 0xa0, 0x108: 0xa8, 0x200: 0xb0, 0x208: 0xb8, 0x1000: 0xc0, 0x100c: 0xcc, 0x1008: 0x55, 0x2000: 0xd0, 0x2004: 0xd4, 0x1010: 0xe0, 0x101c: 0xf0,
	}
	for _, tt := range []struct {
		addr uint64
		want string
	}{
		{0xfff, "false"},
		{0x1000, "map[return:160 stack:264]"},
		{0x1001, "map[rbp:160 return:168 stack:272]"},
		{0x1004, "map[rbp:176 return:184 stack:528]"},
		{0x1050, "map[r12:96 rbp:176 return:184 stack:528]"},
		{0x1060, "false"},
		{0x1100, "false"},
		{0x2000, "false"},
		{0x2010, "false"},
		{0x2020, "false"},
		{0x2030, "false"},
		{0x2040, "false"},
		{0x2050, "false"},
		{0x2060, "false"},
		{0x2070, "map[return:160 stack:256]"},
		{0x2080, "false"},
		{0x2090, "false"},
		{0x20a0, "false"},
		{0x20b0, "map[return:119 stack:768]"},
		{0x3000, "map[ebp:208 eip:212 esp:8200]"},
		{0x3020, "map[ebp:8192 ebx:32 eip:204 esp:4112]"},
		{0x3040, "false"},
		{0x3060, "false"},
		{0x3070, "false"},
		{0x4000, "map[ebp:8192 eip:204 esp:4112]"},
		{0x4020, "map[ebp:192 eip:204 esp:4112]"}, // what stands first leads to the frame itself
		{0x5000, "false"},
	} {
		for range 2 {
			w := &frame{regs: regs, memory: memory, caller: map[string]uint64{}, wide: tt.addr < 0x3000}
			ok, err := f.Unwind(t.Context(), tt.addr, w)
			if err != nil {
				t.Fatal(err)
			}
			got := "false"
			if ok {
				got = fmt.Sprint(w.caller)
			}
			if got != tt.want {
				t.Errorf("%#x: %s, want %s", tt.addr, got, tt.want)
			}
		}
	}
	if got := found(t, open(t, head+"FUNC 3000 20 4 f\nSTACK WIN 4 3000 20 0 0 8 4 10 0 1 $eip 1 =\n"), 0x3000); got != "f :0\nparams 8" {
		t.Errorf("parameters of STACK WIN: %s", got)
	}
}

// model is a file as a person would read it: all records, each time.
type model struct {
	funcs []function
}

type function struct {
	addr, size uint64
	name       string
	rows       [][4]uint64 // address, size, line, file
	calls      [][6]uint64 // depth, line, file, origin, address, size
}

func (m model) text() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 5 {
		fmt.Fprintf(&b, "FILE %d f%d\nINLINE_ORIGIN %d o%d\n", i, i, i, i)
	}
	for _, fn := range m.funcs {
		fmt.Fprintf(&b, "FUNC %x %x 0 %s\n", fn.addr, fn.size, fn.name)
		for _, c := range fn.calls {
			fmt.Fprintf(&b, "INLINE %d %d %d %d %x %x\n", c[0], c[1], c[2], c[3], c[4], c[5])
		}
		for _, r := range fn.rows {
			fmt.Fprintf(&b, "%x %x %d %d\n", r[0], r[1], r[2], r[3])
		}
	}
	return b.String()
}

// find returns what is at an address: functions do not overlap here.
func (m model) find(addr uint64) string {
	for _, fn := range m.funcs {
		if addr < fn.addr || addr-fn.addr >= fn.size {
			continue
		}
		var list []dwarf.Frame
		here := dwarf.Frame{Function: fn.name}
		for depth := uint64(0); ; depth++ {
			var best *[6]uint64
			for i, c := range fn.calls {
				if c[0] == depth && c[4] <= addr && (best == nil || best[4] <= c[4]) {
					best = &fn.calls[i]
				}
			}
			if best == nil || addr-best[4] >= best[5] {
				break
			}
			here.File, here.Line = fmt.Sprint("f", best[2]), int(best[1])
			list = append([]dwarf.Frame{here}, list...)
			here = dwarf.Frame{Function: fmt.Sprint("o", best[3]), Inlined: true}
		}
		// Rows are taken by address, the shorter first; one that begins within a taken one does not count.
		taken := map[int]bool{}
		for end := uint64(0); ; {
			next := -1
			for i, r := range fn.rows {
				if !taken[i] && r[1] > 0 && r[0] >= end && (next < 0 || r[0] < fn.rows[next][0] || r[0] == fn.rows[next][0] && r[1] < fn.rows[next][1]) {
					next = i
				}
			}
			if next < 0 {
				break
			}
			r := fn.rows[next]
			taken[next], end = true, r[0]+r[1]
			if addr >= r[0] && addr < end {
				here.File, here.Line = fmt.Sprint("f", r[3]), int(r[2])
			}
		}
		return shown(append([]dwarf.Frame{here}, list...), 0)
	}
	return ""
}

// TestRandomFunctions holds what is found at every address of random files to what a person would find.
func TestRandomFunctions(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	n := func(most int) uint64 { return uint64(r.IntN(most)) }
	for range 30 {
		var m model
		at := 0x1000 + n(10)
		for i := range 1 + r.IntN(8) {
			fn := function{addr: at, size: 1 + n(60), name: fmt.Sprint("fn", i)}
			for range r.IntN(12) {
				fn.rows = append(fn.rows, [4]uint64{at + n(70) - 2, n(20), n(100) + 1, n(5)})
			}
			for range r.IntN(8) {
				fn.calls = append(fn.calls, [6]uint64{n(4), n(100) + 1, n(5), n(5), at + n(60), n(30)})
			}
			m.funcs = append(m.funcs, fn)
			at += fn.size + n(4)
		}
		r.Shuffle(len(m.funcs), func(i, j int) { m.funcs[i], m.funcs[j] = m.funcs[j], m.funcs[i] })
		f := open(t, m.text())
		for addr := uint64(0xff0); addr < at+10; addr++ {
			if want, got := m.find(addr), found(t, f, addr); got != want {
				t.Fatalf("%#x: got\n%s\nwant\n%s\nin\n%s", addr, got, want, m.text())
			}
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.n += int64(n)
	return n, err
}

// TestLargeFunction looks up a thousand addresses of one function of 400,000 lines: it is read once.
func TestLargeFunction(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(head + "FILE 0 a.c\nFUNC 1000 1000000 0 large\n")
	const rows = 400_000
	for i := range rows {
		fmt.Fprintf(&b, "%x 4 %d 0\n", 0x1000+4*i, i+1)
	}
	b.WriteString("STACK CFI INIT 1000 1000000 .cfa: $rsp 8 + .ra: 1\n")
	for i := range 9000 {
		fmt.Fprintf(&b, "STACK CFI %x .cfa: $rsp %d +\n", 0x1000+4*i, 8*i)
	}
	text := b.String()
	in := &counted{ReaderAt: strings.NewReader(text)}
	f, err := breakpad.Open(t.Context(), in, int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	in.n = 0
	for i := range 1000 {
		at := uint64(0x1000 + 4*(i*397%rows))
		if want, got := fmt.Sprintf("large a.c:%d", (at-0x1000)/4+1), found(t, f, at); got != want {
			t.Fatalf("%#x: %s, want %s", at, got, want)
		}
		if i%20 == 0 {
			w := &frame{regs: map[string]uint64{"rsp": 1}, caller: map[string]uint64{}, wide: true}
			if ok, err := f.Unwind(t.Context(), at, w); err != nil || !ok {
				t.Fatal(ok, err)
			}
		}
	}
	if most := int64(len(text)) + 10<<20; in.n > most {
		t.Errorf("%d bytes were read, of %d", in.n, len(text))
	}
}

// TestHostile opens files that lie or want more than they are worth.
func TestHostile(t *testing.T) {
	t.Parallel()
	many := func(n int, line string) string { return head + strings.Repeat(line, n) }
	for _, tt := range []struct{ name, text, code string }{
		{"empty", "", symbols.CodeBadFile},
		{"no module", "FUNC 1 1 0 f\n", symbols.CodeBadFile},
		{"short id", "MODULE Linux x86_64 0123 app\nFUNC 1 1 0 f\n", symbols.CodeBadFile},
		{"no id", "MODULE Linux x86_64 " + strings.Repeat("z", 33) + " app\nFUNC 1 1 0 f\n", symbols.CodeBadFile},
		{"no functions", head + "FILE 0 a\n", symbols.CodeBadFile},
		{"broken records", head + "FUNC\nFUNC 1\nFUNC x y z\nPUBLIC 1\nSTACK\nSTACK CFI INIT 1\nSTACK WIN 4 1 1\nSTACK WIN\nFUNC 1 fffffffff 0 f\n", symbols.CodeBadFile},
		{"too many", many(2_000_001, "FUNC 1 1 0 f\n"), symbols.CodeTooLarge},
		{"a line of megabytes", "MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF1 a\nFUNC 1000 10 0 " + strings.Repeat("f", 5<<20) + "\nFUNC 1010 10 0 g\n1010 8 1 0\n", ""},
		{"NUL", head + "FUNC 1000 10 0 f\x00g\n1000 10 1 0\n\x00\x00\nFUNC 2000 10 0 \x00\n", ""},
		{"around the end", head + "FUNC fffffffffffffff0 10 0 f\nFUNC fffffffffffffff0 f 0 f\nfffffffffffffff0 ffffffff 1 0\nINLINE 0 1 0 0 fffffffffffffff0 ffffffff\nPUBLIC ffffffffffffffff 0 p\n", ""},
		{"all of one address", many(300_000, "FUNC 1000 10 0 f\n1000 10 1 0\n"), ""},
		{"ranges of calls", head + "FUNC 1000 10 0 f\n" + strings.Repeat("INLINE 0 1 0 0"+strings.Repeat(" 1000 1", 500)+"\n", 2000), ""},
		{"deep calls", head + "FUNC 1000 10 0 f\n" + func() (s string) {
			for i := range 2000 {
				s += fmt.Sprintf("INLINE %d 1 0 0 1000 10\n", i)
			}
			return s
		}(), ""},
		{"changes of rules", head + "STACK CFI INIT 1000 10 .cfa: 1 .ra: 1\n" + strings.Repeat("STACK CFI 1000 "+strings.Repeat("r: 1 ", 700)+"\n", 20_000), ""},
		{"ranges within one another", many(200_000, "STACK WIN 4 1000 100 0 0 0 0 0 0 1 $eip $eip =\nSTACK WIN 4 1001 100 0 0 0 0 0 0 1 $eip\n"), ""},
		{"names of names", head + "FILE 0\nFILE\nFILE 99999999999 a\nINLINE_ORIGIN 0\nFUNC 1000 10 0 f\nINLINE 0 1 0 0 1000 10\n1000 10 1 0\n", ""},
		{"no end of line", head + "FUNC 1000 10 0 f\n1000 10 1 0", ""},
		{"carriage returns", strings.ReplaceAll(head+"FUNC 1000 10 0 f\n1000 10 1 0\n", "\n", "\r\n"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			f, err := breakpad.Open(ctx, strings.NewReader(tt.text), int64(len(tt.text)))
			if fault.CodeOf(err) != tt.code || tt.code == "" && err != nil {
				t.Fatalf("%v, want %s", err, tt.code)
			}
			if err == nil {
				lookups(ctx, t, f, 0, 0x1000, 0x1001, 0x100f, 0x2000, 1<<64-1, 1<<64-16)
			}
		})
	}
	if _, err := breakpad.Open(t.Context(), broken{}, 1000); err == nil || fault.CodeOf(err) != "" {
		t.Errorf("a file that cannot be read: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := breakpad.Open(ctx, strings.NewReader(head), int64(len(head))); err == nil {
		t.Error("a cancelled context opens")
	}
}

type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// lookups asks everything at addresses: what is found is the same each time, and functions have a name where they are said to have one.
func lookups(ctx context.Context, tb testing.TB, f *breakpad.File, addrs ...uint64) {
	tb.Helper()
	for _, a := range addrs {
		var before string
		for n := range 2 {
			list, params, err := f.Function(ctx, a)
			if err != nil {
				tb.Fatalf("%#x: %v", a, err)
			}
			if now := shown(list, params); n == 1 && now != before {
				tb.Fatalf("%#x: first %s, then %s", a, before, now)
			} else {
				before = now
			}
			named, err := f.Named(ctx, a)
			if err != nil || named && len(list) == 0 {
				tb.Fatalf("%#x: a function with a name is not found: %v", a, err)
			}
			for i, g := range list {
				if g.Inlined != (i < len(list)-1) || g.Line < 0 {
					tb.Fatalf("%#x: %+v", a, list)
				}
			}
		}
		for _, wide := range []bool{false, true} {
			w := &frame{regs: map[string]uint64{"esp": 16, "ebp": 64, "eip": 4, "rsp": 16, "sp": 16}, memory: map[uint64]uint64{16: 1, 20: 2, 24: 3}, caller: map[string]uint64{}, wide: wide}
			if _, err := f.Unwind(ctx, a, w); err != nil {
				tb.Fatalf("%#x: %v", a, err)
			}
		}
	}
	f.Symbol("f") //nolint:contextcheck // it has none
}

// FuzzOpen opens files of strangers.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(head+"FILE 0 a.c\nINLINE_ORIGIN 0 o\nFUNC 1000 40 0 _ZN4shop4CartC1Ei\nINLINE 0 7 0 0 1008 10 1030 8\n1000 8 5 0\n1008 10 3 0\nPUBLIC 5000 8 p\n"), uint64(0x1008))
	f.Add([]byte(head+"STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^\n"), uint64(0x1001))
	f.Add([]byte(head+"STACK WIN 4 3000 20 0 0 8 4 10 0 1 $T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =\nSTACK WIN 0 4000 20 0 0 0 4 8 0 0 1\n"), uint64(0x3000))
	f.Fuzz(func(t *testing.T, text []byte, addr uint64) {
		s, err := breakpad.Open(t.Context(), bytes.NewReader(text), int64(len(text)))
		if err != nil {
			if code := fault.CodeOf(err); code != symbols.CodeBadFile && code != symbols.CodeTooLarge {
				t.Fatal(err)
			}
			return
		}
		lookups(t.Context(), t, s, addr, addr+1, addr-1, 0x1000, 0x3000, 0x4000)
	})
}
