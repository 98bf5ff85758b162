package dwarf_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// large links a library of about 200 MB out of copies of one object file.
func large(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	must := func(tool string, args ...string) {
		if !tryRun(dir, tool, args...) {
			need.Missing(tb, "%s %v does not work here", tool, args)
		}
	}
	for name, text := range map[string]string{"inc/shop.h": headerCC, "cart.cc": cartCC} {
		if err := os.MkdirAll(filepath.Join(dir, "inc"), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	must("g++", "-g", "-O2", "-fPIC", "-c", "-o", "one.o", "cart.cc")
	st, err := os.Stat(filepath.Join(dir, "one.o"))
	if err != nil {
		tb.Fatal(err)
	}
	args := []string{"-shared", "-nostdlib", "-Wl,-z,undefs", "-Wl,--build-id", "-o", "large.so"}
	for i := range (620 << 20) / st.Size() {
		name := fmt.Sprintf("n%d.o", i)
		must("objcopy", fmt.Sprintf("--prefix-symbols=p%d_", i), "one.o", name)
		args = append(args, name)
	}
	must("g++", args...)
	return filepath.Join(dir, "large.so")
}

// BenchmarkLarge looks up traces of 50 frames in a file of about 200 MB, first all over it, then again and again in one place.
func BenchmarkLarge(b *testing.B) {
	name := large(b)
	st, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	began := time.Now()
	f := openFile(b, name)
	b.Logf("%d MB opened in %v", st.Size()>>20, time.Since(began))
	var most uint64
	sample := func() {
		runtime.ReadMemStats(&m1)
		most = max(most, m1.HeapInuse-min(m0.HeapInuse, m1.HeapInuse))
	}
	sample()
	addrs := codeOf(b, name, 200_000)
	rnd := rand.New(rand.NewPCG(1, 2))
	trace := func(from, to int) (out []uint64) {
		for range 50 {
			out = append(out, addrs[from+rnd.IntN(to-from)])
		}
		return out
	}
	look := func(list []uint64) (n int) {
		for _, a := range list {
			got, err := f.Find(context.Background(), a)
			if err != nil {
				b.Fatal(err)
			}
			n += len(got)
		}
		return n
	}
	began = time.Now()
	for range 5 {
		look(trace(0, len(addrs)))
		sample()
	}
	b.Logf("cold: %v a trace, heap at most %d MB, kept %d MB", time.Since(began)/5, most>>20, f.Cost()>>20)
	list := trace(0, len(addrs)/30)
	n := look(list)
	b.ResetTimer()
	for range b.N {
		look(list)
	}
	b.ReportMetric(float64(n), "frames")
}
