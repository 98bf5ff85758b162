package minidump_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/minidump"
	"quipu/internal/testkit/need"
)

// crashing is a program that crashes in a library function's callback, with a second thread; its handler says so and waits, as a client that writes dumps does.
const crashing = `#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <csignal>
#include <pthread.h>
#include <unistd.h>
#include <sys/prctl.h>
volatile int *nowhere, sink;
struct Big { volatile char b[300]; };
__attribute__((noinline)) int compare(const void *a, const void *b) { Big x; x.b[7] = 1; if (*(int *)a == 4) *nowhere = x.b[7]; return *(int *)a - *(int *)b + (sink = 0); }
__attribute__((noinline)) int sorted(int n) { int list[] = {3, 1, 4, 1, 5, n}; volatile char *room = (volatile char *)__builtin_alloca(n * 16); room[3] = 1; qsort(list, 6, sizeof(int), compare); sink = list[2]; return sink + room[3]; }
__attribute__((noinline)) int deep(int n, long a, long b, long c, long d, long e, long f, long g) { if (n == 0) return sorted(9) + 1; int r = deep(n - 1, b, c, d, e, f, g, a); sink = r; return r + (int)(a ^ g); }
__attribute__((noinline)) void *other(void *) { Big x; x.b[3] = 2; pause(); sink = x.b[3]; return 0; }
void handler(int) {
	void *list[100];
	int n = backtrace(list, 100);
	for (int i = 0; i < n; i++) printf("%p ", list[i]);
	puts("");
	fflush(stdout);
	for (;;) pause();
}
int main() {
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	struct sigaction a = {};
	a.sa_handler = handler;
	sigaction(SIGSEGV, &a, 0);
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	usleep(50000);
	return deep(6, 1, 2, 3, 4, 5, 6, 7);
}
`

// dumpOf compiles a program, lets it crash and returns the dump that is written of it, and the stack that the program itself found.
func dumpOf(t *testing.T, flags ...string) (path, program string, stack []string) {
	t.Helper()
	writer := need.File(t, "../../../bin/tools/dumper", fetch)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cc"), []byte(crashing), 0o600); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "shop")
	args := append(flags[1:], "-g", "-pthread", "-Wl,--build-id", "-o", program, filepath.Join(dir, "a.cc"))
	if out, err := exec.Command(flags[0], args...).CombinedOutput(); err != nil {
		need.Missing(t, "%v does not work here: %v: %s", flags, err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	text, err := bufio.NewReader(out).ReadString('\n')
	// Without tables in memory the program finds nothing; there are those of its debugging information.
	if stack = strings.Fields(text); len(stack) < 12 && !slices.Contains(flags, "-fno-asynchronous-unwind-tables") {
		t.Fatalf("%q %v", text, err)
	}
	path = filepath.Join(dir, "a.dmp")
	id := strconv.Itoa(cmd.Process.Pid)
	if out, err := limited(ctx, writer, id, id, path).CombinedOutput(); err != nil {
		t.Skipf("no dump can be written here: %v: %s", err, out)
	}
	return path, program, stack
}

// own are the tables that the programs of a dump have themselves.
type own struct{ *dwarf.File }

func (o own) Function(ctx context.Context, addr uint64) ([]dwarf.Frame, uint32, error) {
	list, err := o.Find(ctx, addr+o.Base())
	return list, 0, err
}

func (o own) Named(ctx context.Context, addr uint64) (bool, error) {
	list, err := o.Find(ctx, addr+o.Base())
	return len(list) > 0, err
}

func (o own) Unwind(ctx context.Context, addr uint64, w breakpad.Walker) (bool, error) {
	return o.File.Unwind(ctx, addr+o.Base(), w)
}

// TestPrograms walks the stacks of programs that crashed, which were compiled without frame pointers, by their own tables, as the programs themselves do
// (backtrace of glibc), and as minidump-processor does with framehop.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{
		"g++ -O2 -fomit-frame-pointer", "g++ -O0 -fomit-frame-pointer", "clang++ -O2 -fomit-frame-pointer", "g++ -O2 -fno-asynchronous-unwind-tables -fno-exceptions",
		"g++ -O1 -fno-omit-frame-pointer -static-pie",
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			path, program, stack := dumpOf(t, strings.Fields(flags)...)
			dump, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			known := map[string]minidump.Symbols{}
			got, addrs := walked(t, dump, func(m *minidump.Module) (minidump.Symbols, error) {
				if s, ok := known[m.Name]; ok {
					return s, nil
				}
				known[m.Name] = nil
				f, err := os.Open(m.Name)
				if err != nil {
					return nil, nil //nolint:nilerr // what is no file
				}
				t.Cleanup(func() { _ = f.Close() })
				st, err := f.Stat()
				if err != nil {
					return nil, err
				}
				list, err := dwarf.Open(t.Context(), f, st.Size(), dwarf.Options{Scratch: func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "s") }, MaxUnpacked: 1 << 30})
				if err != nil || len(list) != 1 {
					return nil, nil //nolint:nilerr // what is no program
				}
				t.Cleanup(list[0].Close)
				known[m.Name] = own{list[0]}
				return known[m.Name], nil
			})
			text := strings.Join(got, "\n")
			if n := strings.Count(text, "deep("); n != 7 || !strings.Contains(text, "main") || !strings.Contains(text, "sorted(int)") || !strings.Contains(text, "compare(") || !strings.Contains(text, "other(") {
				t.Errorf("%d times deep in\n%s", n, text)
			}
			// What the program found begins with the handler; the frame behind the signal is an instruction, all others are calls.
			at := slices.IndexFunc(got, func(l string) bool { return strings.Contains(l, "handler(") })
			for i, want := range stack[1:] {
				back := uint64(1)
				if i == 1 {
					back = 0
				}
				if n := at + i + 1; n >= len(addrs) || hex(want) != addrs[n]+back {
					t.Fatalf("frame %d is not at %s in\n%s", n, want, text)
				}
			}
			if strings.Contains(flags, "-fno-asynchronous-unwind-tables") { // framehop does not read .debug_frame
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			out, err := limited(ctx, need.File(t, stackwalk, fetch), "--programs", filepath.Dir(program), path).Output()
			if err != nil {
				t.Fatalf("stackwalk: %v", err)
			}
			// The other thread: framehop does not find the way through a signal.
			var want, have []string
			for _, l := range parsed(t, out)[1:] {
				if strings.HasPrefix(l, "1.") {
					want = append(want, bare(l))
				}
			}
			for _, l := range got {
				if strings.HasPrefix(l, "1.") {
					have = append(have, bare(l))
				}
			}
			if len(want) < 3 {
				t.Errorf("stackwalk has %d frames", len(want))
			}
			if d := cmp.Diff(want, have); d != "" {
				t.Errorf("-framehop +ours:\n%s\n%s", d, text)
			}
		})
	}
}

// bare is a line without the functions: thread, frame, module and offset.
func bare(l string) string {
	l, _, _ = strings.Cut(l, " | ")
	f := strings.Fields(l)
	if len(f) < 4 {
		return l
	}
	return strings.Join([]string{f[0], f[2], f[3]}, " ")
}

func walked(t *testing.T, dump []byte, of func(*minidump.Module) (minidump.Symbols, error)) (out []string, addrs []uint64) {
	t.Helper()
	p, err := minidump.Parse(dump)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Threads {
		frames, err := p.Walk(t.Context(), &p.Threads[i], of)
		if err != nil {
			t.Fatal(err)
		}
		for n, f := range frames {
			module, addr := "-", f.Addr
			if f.Module != nil {
				module, addr = f.Module.Bare(), addr-f.Module.Base
			}
			out = append(out, line(i, n, f.How, module, addr, f.Calls))
			if i == 0 {
				addrs = append(addrs, f.Addr)
			}
		}
	}
	return out, addrs
}
