package dwarf_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/symbols/dwarf"
	"quipu/internal/testkit/need"
)

// machoFrames are functions with frames of all kinds, which need nothing of a system.
const machoFrames = `
#define KEEP __attribute__((noinline))
static volatile long sink;
KEEP static long leaf(long n) { return n * 3 + sink; }
KEEP static long small(long n) { volatile long b[4]; b[n & 3] = leaf(n); return b[1] + leaf(n + 1); }
KEEP static long large(long n) { volatile char b[70000]; b[(n + sink) & 65535] = (char)n; long r = small(n) + b[sink & 65535]; return r + small(r & 3) * n; }
KEEP static long many(long a, long b, long c, long d, long e) { long x = small(a), y = small(b), z = small(c), w = small(d), v = small(e); return a + b * x + c * y + d * z + e * w + v; }
KEEP static long some(long a, long b) { long x = small(a); return small(b) + x * a; }
KEEP static long dynamic(long n) { volatile char *b = __builtin_alloca(n); b[n - 1] = 3; return leaf(b[n - 1]) + many(n, 2, 3, 4, 5); }
KEEP static long again(long n) { if (n == 0) return large(7) + some(1, 2); long r = again(n - 1); return r + n; }
KEEP static long wide(long n) { volatile long b[40]; for (int i = 0; i < 40; i++) b[i] = n + i; long x = many(b[1], b[2], b[3], b[4], b[5]); return x + dynamic(40 + n); }
KEEP static double real(double a, double b) { volatile double c = a * b; return c + (double)small((long)a) * b; }
long run(void) { long a = again(3); sink = a & 7; long b = wide(5); double c = real(2.5, 1.5); return a + b + (long)c + leaf(9); }
`

// machoLoader maps a Mach-O program into its memory, says where, and calls it at an address.
const machoLoader = `
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char file[1 << 20];
int main(int argc, char **argv) {
	FILE *f = fopen(argv[1], "rb");
	if (!f || !fread(file, 1, sizeof file, f)) return 1;
	uint64_t base = strtoull(argv[2], 0, 16), run = strtoull(argv[3], 0, 16);
	char *at = mmap(0, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) return 2;
	uint32_t n = *(uint32_t *)(file + 16);
	char *c = file + 32;
	for (uint32_t i = 0; i < n; i++, c += *(uint32_t *)(c + 4)) {
		if (*(uint32_t *)c != 0x19 || !strcmp(c + 8, "__PAGEZERO")) continue;
		uint64_t addr = *(uint64_t *)(c + 24), off = *(uint64_t *)(c + 40), size = *(uint64_t *)(c + 48);
		memcpy(at + (addr - base), file + off, size);
	}
	printf("%p\n", (void *)at);
	fflush(stdout);
	kill(getpid(), SIGUSR1);
	long r = ((long (*)(void))(at + (run - base)))();
	kill(getpid(), SIGUSR2);
	return (int)(r & 1);
}
`

// walking is what a test knows of a frame, and the walker for its caller.
type walking struct {
	regs   map[string]uint64
	pc     uint64
	entry  bool
	memory func(addr uint64) (uint64, bool)
	caller map[string]uint64
	stack  uint64
	base   uint64
	ret    uint64
}

func (f *walking) Callee(name string) (uint64, bool) { v, ok := f.regs[name]; return v, ok }
func (f *walking) Memory(addr uint64) (uint64, bool) { return f.memory(addr) }
func (f *walking) Set(name string, v uint64) bool    { f.caller[name] = v; return true }
func (f *walking) Clear(name string)                 { delete(f.caller, name) }
func (f *walking) SetStack(v uint64) bool            { f.stack = v; return true }
func (f *walking) SetReturn(v uint64) bool           { f.ret = v; return true }
func (f *walking) Code(addr uint64) bool             { return addr-f.base < 1<<20 || !f.entry }
func (f *walking) Stopped() bool                     { return f.entry }
func (f *walking) step(sp string, saved []string) (*walking, uint64) {
	next := &walking{regs: map[string]uint64{sp: f.stack}, pc: f.ret, memory: f.memory}
	for _, name := range saved {
		if v, ok := f.caller[name]; ok {
			next.regs[name] = v
		}
	}
	return next, f.ret
}

// call is a call under way: where it returns to, and what registers and stack pointer are then.
type call struct {
	ret, sp uint64
	saved   []uint64
}

// unwound walks from a frame through all calls, the latest last, and says where that goes wrong; "" for nowhere.
func unwound(t *testing.T, f *dwarf.File, fr *walking, slide uint64, calls []call, sp string, saved []string) string {
	t.Helper()
	fr.entry = true
	back := uint64(0)
	for i, want := range slices.Backward(calls) {
		fr.caller = map[string]uint64{}
		for _, name := range saved {
			if v, ok := fr.regs[name]; ok {
				fr.caller[name] = v
			}
		}
		ok, err := f.Unwind(t.Context(), fr.pc-slide-back, fr)
		if err != nil || !ok {
			return fmt.Sprintf("%d of %d calls: none for %#x: %v", len(calls)-i, len(calls), fr.pc-slide, err)
		}
		next, _ := fr.step(sp, saved)
		if next.pc != want.ret || fr.stack != want.sp {
			return fmt.Sprintf("%d of %d calls: at %#x: returns to %#x with the stack %#x, want %#x, %#x", len(calls)-i, len(calls), fr.pc-slide, next.pc-slide, fr.stack, want.ret-slide, want.sp)
		}
		for k, name := range saved {
			if next.regs[name] != want.saved[k] {
				return fmt.Sprintf("%d of %d calls: at %#x: %s is %#x, want %#x", len(calls)-i, len(calls), fr.pc-slide, name, next.regs[name], want.saved[k])
			}
		}
		fr, back = next, 1
	}
	return ""
}

// TestCompactUnwind runs programs of macOS instruction by instruction, and walks the stack by their tables at each: in bodies, prologues and epilogues.
func TestCompactUnwind(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		need.Missing(t, "programs are run on Linux, x86-64: this is %s, %s", runtime.GOOS, runtime.GOARCH)
	}
	for _, tool := range []string{"clang", "ld64.lld", "cc"} {
		need.Program(t, tool)
	}
	dir := t.TempDir()
	write(t, dir, "frames.c", machoFrames)
	write(t, dir, "loader.c", machoLoader)
	run(t, dir, "cc", "-O1", "-o", "loader", "loader.c")
	for i, flags := range []string{"-O2 -fomit-frame-pointer", "-O1 -fno-omit-frame-pointer", "-O0 -fomit-frame-pointer", "-Os -fomit-frame-pointer -mno-red-zone", "-O2 -fomit-frame-pointer -target x86_64-apple-macos10.5"} {
		prog := fmt.Sprintf("x86-%d", i)
		run(t, dir, "clang", append([]string{"-target", "x86_64-apple-macos11"}, append(strings.Fields(flags), "-fno-stack-protector", "-fno-builtin", "-c", "frames.c", "-o", prog+".o")...)...)
		run(t, dir, "ld64.lld", "-arch", "x86_64", "-dylib", "-platform_version", "macos", "11.0", "11.0", "-o", prog, prog+".o")
		f := openFile(t, filepath.Join(dir, prog))
		run, ok := f.Symbol("_run")
		if !ok {
			t.Fatal("no function")
		}
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			stepped(t, f, exec.Command(filepath.Join(dir, "loader"), filepath.Join(dir, prog), fmt.Sprintf("%x", f.Base()), fmt.Sprintf("%x", run)), run)
		})
	}
}

// stepped runs a program step by step under ptrace.
func stepped(t *testing.T, f *dwarf.File, cmd *exec.Cmd, run uint64) {
	t.Helper()
	runtime.LockOSThread() // it traces; it ends with the goroutine
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		need.Missing(t, "programs cannot be traced here: %v", err)
	}
	pid := cmd.Process.Pid
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	wait := func() syscall.WaitStatus {
		var st syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &st, 0, nil); err != nil {
			t.Fatal(err)
		}
		return st
	}
	st := wait()
	for st.Stopped() && st.StopSignal() != syscall.SIGUSR1 {
		if err := syscall.PtraceCont(pid, 0); err != nil {
			t.Fatal(err)
		}
		st = wait()
	}
	if !st.Stopped() {
		t.Fatalf("%v", st)
	}
	var base uint64
	if _, err := fmt.Fscanf(out, "0x%x\n", &base); err != nil {
		t.Fatal(err)
	}
	slide := base - f.Base()
	peek := func(addr uint64, n int) []byte {
		b := make([]byte, n)
		if got, err := syscall.PtracePeekData(pid, uintptr(addr), b); err != nil || got < n {
			return nil
		}
		return b
	}
	memory := func(addr uint64) (uint64, bool) {
		b := peek(addr, 8)
		if b == nil {
			return 0, false
		}
		return binary.LittleEndian.Uint64(b), true
	}
	saved := []string{"rbx", "rbp", "r12", "r13", "r14", "r15"}
	var regs syscall.PtraceRegs
	values := func() []uint64 { return []uint64{regs.Rbx, regs.Rbp, regs.R12, regs.R13, regs.R14, regs.R15} }
	var calls []call
	inside, steps, wrong := false, 0, 0
	for steps < 200_000 && wrong < 10 {
		if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
			t.Fatal(err)
		}
		pc := regs.Rip
		within := pc-base < 1<<20
		if within && !inside {
			if pc-slide != run {
				t.Fatalf("entered at %#x", pc-slide)
			}
			ret, _ := memory(regs.Rsp)
			calls = []call{{ret, regs.Rsp + 8, values()}}
		}
		if inside && !within {
			break // it returned
		}
		inside = within
		var next call
		op := peek(pc, 2)
		if within {
			steps++
			fr := &walking{regs: map[string]uint64{"rsp": regs.Rsp}, pc: pc, memory: memory, base: base}
			for i, name := range saved {
				fr.regs[name] = values()[i]
			}
			if problem := unwound(t, f, fr, slide, calls, "rsp", saved); problem != "" {
				t.Errorf("at %#x (% x): %s", pc-slide, peek(pc, 8), problem)
				wrong++
			}
			next = call{sp: regs.Rsp, saved: values()}
		}
		if err := syscall.PtraceSingleStep(pid); err != nil {
			t.Fatal(err)
		}
		if st := wait(); !st.Stopped() {
			t.Fatalf("%v", st)
		}
		if !within {
			continue
		}
		if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
			t.Fatal(err)
		}
		switch {
		case op[0] == 0xe8 || op[0] == 0xff && op[1]>>3&7 == 2: // call
			next.ret, _ = memory(regs.Rsp)
			calls = append(calls, next)
		case op[0] == 0xc3:
			calls = calls[:len(calls)-1]
		}
	}
	if steps < 300 {
		t.Errorf("%d steps", steps)
	}
	t.Logf("%d steps", steps)
}

// TestCompactUnwindARM is TestCompactUnwind for arm64, by records of runs: testdata/compact/record.py makes them, of machoFrames compiled by clang 14 with
// -O2, -O1 -fomit-frame-pointer, -O0 -fomit-frame-pointer, and -Os -mbranch-protection=standard.
func TestCompactUnwindARM(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			program := unpacked(t, fmt.Sprintf("testdata/compact/arm64-%d.gz", i))
			list, err := dwarf.Open(t.Context(), bytes.NewReader(program), int64(len(program)), dwarf.Options{})
			if err != nil || len(list) != 1 {
				t.Fatal(err)
			}
			replayed(t, list[0], program, string(unpacked(t, fmt.Sprintf("testdata/compact/arm64-%d.trace.gz", i))))
		})
	}
}

func unpacked(tb testing.TB, path string) []byte {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was read only
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// replayed walks the stack at each instruction of a record.
func replayed(t *testing.T, f *dwarf.File, program []byte, trace string) {
	t.Helper()
	const base = 0x200000000
	slide := base - f.Base()
	names := []string{"sp", "fp", "lr"}
	saved := []string{"fp"}
	for i := 19; i <= 28; i++ {
		names, saved = append(names, fmt.Sprintf("x%d", i)), append(saved, fmt.Sprintf("x%d", i))
	}
	stack := map[uint64]uint64{}
	memory := func(addr uint64) (uint64, bool) { v, ok := stack[addr]; return v, ok }
	var calls []call
	wrong := 0
	lines := strings.Split(strings.TrimSpace(trace), "\n")
	for n, l := range lines {
		words := strings.Fields(l)
		var v []uint64
		for _, w := range words[:14] {
			x, err := strconv.ParseUint(w, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		for _, w := range words[14:] {
			var at, x uint64
			if _, err := fmt.Sscanf(w, "%x=%x", &at, &x); err != nil {
				t.Fatal(err)
			}
			stack[at] = x
		}
		pc, regs := v[0], map[string]uint64{}
		for i, name := range names {
			regs[name] = v[1+i]
		}
		state := func() (out []uint64) {
			for _, name := range saved {
				out = append(out, regs[name])
			}
			return out
		}
		if n == 0 {
			calls = []call{{regs["lr"], regs["sp"], state()}}
		}
		fr := &walking{regs: regs, pc: pc, memory: memory, base: base}
		if problem := unwound(t, f, fr, slide, calls, "sp", saved); problem != "" && wrong < 10 {
			t.Errorf("line %d, at %#x: %s", n+1, pc-slide, problem)
			wrong++
		}
		switch op := binary.LittleEndian.Uint32(program[pc-base:]); {
		case op&0xfc000000 == 0x94000000, op&0xfffffc1f == 0xd63f0000:
			calls = append(calls, call{pc + 4, regs["sp"], state()})
		case op == 0xd65f03c0, op == 0xd65f0bff: // ret, retaa
			calls = calls[:len(calls)-1]
		}
	}
	if len(lines) < 500 || len(calls) != 0 {
		t.Errorf("%d steps, %d calls are left", len(lines), len(calls))
	}
}

// TestDamagedCompact walks by tables of which bytes changed: in __unwind_info, __eh_frame, the begins of functions and the instructions.
func TestDamagedCompact(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	var addrs []uint64
	for a := uint64(0x360); a < 0x800; a += 12 {
		addrs = append(addrs, a)
	}
	for i := range 4 {
		program := unpacked(t, fmt.Sprintf("testdata/compact/arm64-%d.gz", i))
		lookups(t, program, addrs)
		for range 150 {
			data := bytes.Clone(program)
			for range 1 + rnd.IntN(8) {
				at := 32 + rnd.IntN(0x2000)
				if rnd.IntN(3) == 0 {
					copy(data[at:], "\xff\xff\xff\x7f")
				} else {
					data[at] = byte(rnd.IntN(256))
				}
			}
			lookups(t, data, addrs)
		}
	}
}
