package dwarf_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/dwarf"
	"quipu/internal/testkit/need"
)

func tryRun(dir, tool string, args ...string) bool {
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	return cmd.Run() == nil
}

func run(t *testing.T, dir, tool string, args ...string) {
	t.Helper()
	cmd := exec.Command(need.Program(t, tool), args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", tool, args, err, out)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openFile opens a file of one architecture.
func openFile(tb testing.TB, name string) *dwarf.File {
	tb.Helper()
	list := openAll(tb, name)
	if len(list) != 1 {
		tb.Fatalf("%s has %d architectures", name, len(list))
	}
	return list[0]
}

func openAll(tb testing.TB, name string) []*dwarf.File {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	st, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	list, err := dwarf.Open(tb.Context(), f, st.Size(), dwarf.Options{
		Scratch: func() (*os.File, error) { return os.CreateTemp(tb.TempDir(), "scratch") }, MaxUnpacked: 1 << 30,
	})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	tb.Cleanup(func() {
		for _, d := range list {
			d.Close()
		}
		_ = f.Close()
	})
	return list
}

// frame is a frame as the tools print it.
type frame struct {
	FunctionName string
	FileName     string
	Line, Column int
}

// clone is what the optimiser adds to the names of the parts and copies that it makes of functions. Symbols have it, entries do not.
var clone = regexp.MustCompile(`\.(cold|part|isra|constprop|lto_priv)(\.[0-9]+)*`)

func (f frame) normal() string {
	file := f.FileName
	if file != "" {
		file = filepath.Clean(file)
	}
	if f.Line == 0 && !strings.Contains(file, "/") {
		file = "" // that of the symbol table says little
	}
	return fmt.Sprintf("%s %s:%d:%d", readable(f.FunctionName), file, f.Line, f.Column)
}

// demangled are the names that readable returned, by what they were. Tools repeat few names at thousands of addresses.
var demangled sync.Map

// readable is a name of a symbol as frames have it.
func readable(name string) string {
	if have, ok := demangled.Load(name); ok {
		return have.(string)
	}
	out := dwarf.Demangle(clone.ReplaceAllString(name, ""))
	demangled.Store(name, out)
	return out
}

// llvm asks llvm-symbolizer for the frames of addresses.
func llvm(t *testing.T, file, arch string, addrs []uint64) [][]frame {
	t.Helper()
	var in bytes.Buffer
	for _, a := range addrs {
		fmt.Fprintf(&in, "0x%x\n", a)
	}
	args := []string{"--obj=" + file, "--inlines", "--output-style=JSON", "--no-demangle"}
	if arch != "" {
		args = append(args, "--default-arch="+arch)
	}
	cmd := exec.Command(need.Program(t, "llvm-symbolizer"), args...)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("llvm-symbolizer: %v", err)
	}
	var list [][]frame
	for line := range bytes.Lines(out) {
		var got struct{ Symbol []frame }
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, got.Symbol)
	}
	if len(list) != len(addrs) {
		t.Fatalf("llvm-symbolizer has %d answers for %d addresses", len(list), len(addrs))
	}
	return list
}

// code returns addresses of the code of a file, at most n.
func code(t *testing.T, file string, n int) []uint64 {
	t.Helper()
	return codeOf(t, file, n)
}

func codeOf(tb testing.TB, file string, n int) []uint64 {
	tb.Helper()
	e, err := elf.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = e.Close() }() // it was read only
	s := e.Section(".text")
	step := max(1, s.Size/uint64(n))
	var out []uint64
	for a := s.Addr; a < s.Addr+s.Size; a += step {
		out = append(out, a)
	}
	return out
}

// compare holds what is found for addresses to what a tool says.
func compare(t *testing.T, f *dwarf.File, addrs []uint64, want [][]frame) {
	t.Helper()
	bad, inlined, lines := 0, 0, 0
	for i, a := range addrs {
		got, err := f.Find(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		var have, ref []string
		for _, g := range got {
			have = append(have, frame{g.Function, g.File, g.Line, g.Column}.normal())
			if g.Inlined {
				inlined++
			}
			if g.Line > 0 {
				lines++
			}
		}
		for _, w := range want[i] {
			if w.FunctionName != "" || w.FileName != "" {
				ref = append(ref, w.normal())
			}
		}
		if d := cmp.Diff(ref, have); d != "" {
			if bad++; bad <= 3 {
				t.Errorf("%#x: %d frames, want %d, (-want +got):\n%s", a, len(have), len(ref), d)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d addresses differ", bad, len(addrs))
	}
	t.Logf("%d addresses, %d inlined frames, %d with lines", len(addrs), inlined, lines)
}

const headerCC = `#pragma once
#include <string>
#include <vector>
#include <map>
namespace shop {
struct Item { std::string name; int price; };
template <typename T, int N> inline T twice(T v) { volatile T x = v; return x * N; }
static inline int price(const Item &i) { volatile int p = i.price; return twice<int, 2>(p) + twice<int, 3>(p); }
class Cart {
public:
	explicit Cart(int n);
	virtual ~Cart();
	int total() const;
	virtual int pay(std::map<std::string, std::vector<Item>> &by, const char *who, unsigned long n) const;
	inline int first() const { return items.empty() ? -1 : price(items.front()); }
private:
	std::vector<Item> items;
};
}
`

const cartCC = `#include "inc/shop.h"
namespace shop {
namespace { int hidden(int a) { volatile int r = 0; for (int i = 0; i < a; i++) r = r + twice<int, 7>(i); return r; } }
Cart::Cart(int n) { for (int i = 0; i < n; i++) items.push_back({std::to_string(i), i}); }
Cart::~Cart() { volatile int x = hidden(3); (void)x; }
int Cart::total() const {
	int sum = 0;
	for (auto &i : items) sum += price(i);
	auto f = [&](int k) { volatile int q = k; return q + sum; };
	struct Local { int run(int z) { volatile int y = z; return y * twice<long, 5>(z); } } local;
	return f(hidden(sum)) + local.run(sum);
}
int Cart::pay(std::map<std::string, std::vector<Item>> &by, const char *who, unsigned long n) const {
	return by[who].size() + n + first();
}
}
`

const mainCC = `#include "inc/shop.h"
#include <cstdio>
extern "C" int plain(int a);
int plain(int a) { volatile int b = a; return shop::twice<int, 11>(b); }
int main(int argc, char **argv) {
	shop::Cart c(argc + 3);
	std::map<std::string, std::vector<shop::Item>> by;
	std::printf("%d %d %d\n", c.total(), c.pay(by, argv[0], 3), plain(argc));
}
`

func sources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "inc/shop.h", headerCC)
	write(t, dir, "cart.cc", cartCC)
	write(t, dir, "main.cc", mainCC)
	return dir
}

// TestCXX holds frames to llvm-symbolizer, for what compilers and versions of DWARF make of a program.
func TestCXX(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{
		"g++ -gdwarf-2", "g++ -gdwarf-4", "g++ -gdwarf-5", "g++ -gdwarf-5 -O0", "g++ -gdwarf-5 -gz=zlib", "g++ -gdwarf-5 -shared -fPIC",
		"g++ -gdwarf-4 -no-pie -flto", "g++ -gdwarf-5 -ffunction-sections -Wl,--gc-sections",
		"clang++ -gdwarf-4", "clang++ -gdwarf-5", "clang++ -gdwarf-5 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections,--icf=all", "clang++ -gline-tables-only",
		"clang++ -gdwarf-5 -gdwarf64 -shared -fPIC",
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			dir := sources(t)
			words := strings.Fields(flags)
			if !strings.Contains(flags, "-O0") {
				words = append(words, "-O2")
			}
			run(t, dir, words[0], append(words[1:], "-Wl,--build-id", "-o", "prog", "main.cc", "cart.cc")...)
			prog := filepath.Join(dir, "prog")
			addrs := code(t, prog, 3000)
			want := llvm(t, prog, "", addrs)
			compare(t, openFile(t, prog), addrs, want)

			run(t, dir, "objcopy", "--only-keep-debug", "prog", "prog.debug")
			f := openFile(t, prog+".debug")
			compare(t, f, addrs, want)
			if whole := openFile(t, prog); f.ID() == "" || f.ID() != whole.ID() || f.Base() != whole.Base() {
				t.Errorf("build id is %q and %q, base %#x and %#x", f.ID(), whole.ID(), f.Base(), whole.Base())
			}
		})
	}
}

const mainRS = `use std::collections::BTreeMap;
trait Priced { fn price(&self) -> u64; }
struct Item { name: String, cents: u64 }
impl Priced for Item {
    #[inline(always)]
    fn price(&self) -> u64 { std::hint::black_box(self.cents) * 2 }
}
#[inline(never)]
fn total<T: Priced>(items: &[T]) -> u64 { items.iter().map(|i| i.price()).filter(|p| p % 2 == 0).sum() }
fn main() {
    let n = std::env::args().count() as u64;
    let items: Vec<Item> = (0..n + 3).map(|i| Item { name: format!("n{i}"), cents: i }).collect();
    let mut by: BTreeMap<&str, u64> = BTreeMap::new();
    for i in &items { *by.entry(&i.name).or_default() += i.price(); }
    println!("{} {:?}", total(&items), by);
}
`

// TestRust holds frames of programs of Rust, which bring those of its library, to llvm-symbolizer.
func TestRust(t *testing.T) {
	t.Parallel()
	for _, mangling := range []string{"legacy", "v0"} {
		t.Run(mangling, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "main.rs", mainRS)
			run(t, dir, "env", "RUSTC_BOOTSTRAP=1", need.Program(t, "rustc"), "-g", "-O", "-Zunstable-options", "-Csymbol-mangling-version="+mangling, "main.rs")
			prog := filepath.Join(dir, "main")
			addrs := code(t, prog, 4000)
			want := llvm(t, prog, "", addrs)
			unfold(t, openFile(t, prog), addrs, want)
			compare(t, openFile(t, prog), addrs, want)
		})
	}
}

// unfold gives functions that the compiler found to be equal, and made one, the name that is found, where the tool has another of its names.
func unfold(t *testing.T, f *dwarf.File, addrs []uint64, want [][]frame) {
	t.Helper()
	n := 0
	for i, a := range addrs {
		got, err := f.Find(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 || len(got) != len(want[i]) {
			continue
		}
		if w, g := &want[i][len(got)-1], got[len(got)-1].Function; w.FunctionName != "" && dwarf.Demangle(w.FunctionName) != g {
			w.FunctionName = g
			n++
		}
	}
	if n*100 > len(addrs) {
		t.Errorf("%d of %d functions have another name", n, len(addrs))
	}
}

// TestAddr2line holds files and lines of functions and of those inlined into them to addr2line.
func TestAddr2line(t *testing.T) {
	t.Parallel()
	dir := sources(t)
	run(t, dir, "g++", "-O2", "-g", "-o", "prog", "main.cc", "cart.cc")
	prog := filepath.Join(dir, "prog")
	f := openFile(t, prog)
	addrs := code(t, prog, 2000)
	args := []string{"-a", "-i", "-f", "-e", prog}
	for _, a := range addrs {
		args = append(args, fmt.Sprintf("%#x", a))
	}
	out, err := exec.Command(need.Program(t, "addr2line"), args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	same, known := 0, 0
	for i, answer := range strings.Split(string(out), "0x0")[1:] {
		var want, have []string
		words := strings.Split(strings.TrimSpace(answer), "\n")[1:]
		for j := 0; j+1 < len(words); j += 2 {
			place, _, _ := strings.Cut(words[j+1], " (")
			if strings.HasSuffix(place, ":?") || strings.HasPrefix(place, "?") {
				continue
			}
			want = append(want, readable(words[j])+" "+filepath.Clean(place))
		}
		if len(want) == 0 {
			continue
		}
		known++
		got, err := f.Find(t.Context(), addrs[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range got {
			have = append(have, fmt.Sprintf("%s %s:%d", g.Function, g.File, g.Line))
		}
		if d := cmp.Diff(want, have); d == "" {
			same++
		}
	}
	// binutils have some functions at the edges of others, and files of one table with the numbers of another; TestCXX holds these to llvm-symbolizer.
	if known < 1000 || same*100 < known*97 {
		t.Errorf("%d of %d addresses have the frames of addr2line", same, known)
	}
}

const library = `--- !tapi-tbd
tbd-version:     4
targets:         [ x86_64-macos, arm64-macos ]
install-name:    '/usr/lib/libSystem.B.dylib'
exports:
  - targets:         [ x86_64-macos, arm64-macos ]
    symbols:         [ _printf, dyld_stub_binder ]
...
`

const machoCC = `extern "C" int printf(const char *, ...);
namespace app {
template <typename T> inline T half(T v) { volatile T x = v; return x / 2; }
struct Screen {
	int width;
	__attribute__((noinline)) int draw(int by) const { volatile int w = width; return half<int>(w) + half<long>(by); }
};
static __attribute__((noinline)) int show(const Screen &s, int n) { int r = 0; for (int i = 0; i < n; i++) r += s.draw(i); return r; }
}
int main(int argc, char **argv) { app::Screen s{argc}; return printf("%d", app::show(s, argc + 2)); }
`

// TestMachO holds frames of dSYM, alone and of several architectures in one file, to llvm-symbolizer.
func TestMachO(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"clang++", "ld64.lld", "dsymutil", "llvm-symbolizer", "llvm-dwarfdump"} {
		need.Program(t, tool)
	}
	dir := t.TempDir()
	write(t, dir, "main.cc", machoCC)
	write(t, dir, "libSystem.tbd", library)
	for _, arch := range []string{"x86_64", "arm64"} {
		run(t, dir, "clang++", "-target", arch+"-apple-macos11", "-g", "-O1", "-fno-exceptions", "-c", "main.cc", "-o", arch+".o")
		run(t, dir, "ld64.lld", "-arch", arch, "-platform_version", "macos", "11.0", "11.0", "-o", "prog-"+arch, arch+".o", "libSystem.tbd")
		run(t, dir, "dsymutil", "prog-"+arch)
		sym := filepath.Join(dir, "prog-"+arch+".dSYM/Contents/Resources/DWARF/prog-"+arch)
		f := openFile(t, sym)
		if f.Base() != 0x100000000 || !f.Lines() {
			t.Errorf("%s: base is %#x", arch, f.Base())
		}
		out, err := exec.Command(need.Program(t, "llvm-dwarfdump"), "--uuid", sym).Output()
		if id := strings.ToLower(strings.ReplaceAll(strings.Fields(string(out))[1], "-", "")); err != nil || f.ID() != id {
			t.Errorf("%s: id is %q, want %s", arch, f.ID(), id)
		}
		main, ok := f.Symbol("_main")
		if !ok {
			t.Fatalf("%s: no main", arch)
		}
		var addrs []uint64
		for a := main; a < main+0x180; a++ {
			addrs = append(addrs, a)
		}
		compare(t, f, addrs, llvm(t, sym, "", addrs))
	}
	run(t, dir, "llvm-lipo", "-create", "prog-x86_64.dSYM/Contents/Resources/DWARF/prog-x86_64", "prog-arm64.dSYM/Contents/Resources/DWARF/prog-arm64", "-output", "fat")
	list := openAll(t, filepath.Join(dir, "fat"))
	if len(list) != 2 || list[0].Arch() != "amd64" || list[1].Arch() != "arm64" || list[0].ID() == list[1].ID() {
		t.Errorf("fat file has %d architectures", len(list))
	}
}
