package memory_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/memory"
)

const mib = 1 << 20

func TestSplitFits(t *testing.T) {
	t.Parallel()
	for _, total := range []int64{128 * mib, 512 * mib, 1 << 30, 16 << 30} {
		p := memory.Split(total)
		// The engines and three ticks, tenfold, leave something to Go and the binary from 256 MiB on.
		fixed := p.Events + max(p.Cache, 4*p.Buffer)
		if fixed > total*3/4 {
			t.Errorf("%d MiB: engines take %d MiB", total/mib, fixed/mib)
		}
		if p.Tick*3 > total/16 || p.Requests > total/4 {
			t.Errorf("%d MiB: ticks of %d, requests of %d bytes", total/mib, p.Tick, p.Requests)
		}
	}
}

func governor(t *testing.T, total int64) (g *memory.Governor, limit *int64, released *int) {
	t.Helper()
	g = memory.New(memory.Split(total), slog.New(slog.DiscardHandler))
	limit, released = new(int64), new(int)
	g.Fake(func(n int64) { *limit = n }, func() error { *released++; return nil })
	return g, limit, released
}

func TestGoGetsWhatOthersLeave(t *testing.T) {
	t.Parallel()
	g, limit, _ := governor(t, 1000*mib)
	ctx := t.Context()
	look := func(resident, goes int64) int64 {
		g.Look(ctx, memory.Usage{Resident: resident * mib, Go: goes * mib})
		return *limit / mib
	}
	if got := look(200, 100); got != 775 {
		t.Errorf("others take 100: limit %d, want 775", got)
	}
	if got := look(700, 100); got != 275 {
		t.Errorf("others leap to 600: limit %d, want 275", got)
	}
	if got := look(200, 100); got > 290 {
		t.Errorf("others fell at once: limit %d, want near 275", got)
	}
	var got int64
	for range 2000 {
		got = look(200, 100)
	}
	if got < 755 {
		t.Errorf("others fell long ago: limit %d, want near 775", got)
	}
	if got := look(1200, 100); got != 100 {
		t.Errorf("others take all: limit %d, want a tenth", got)
	}
}

func TestStrain(t *testing.T) {
	t.Parallel()
	g, _, _ := governor(t, 1000*mib)
	released := 0
	g.Fake(func(int64) {}, func() error { released++; return nil })
	for _, step := range []struct {
		resident int64
		want     bool
	}{{900, false}, {925, false}, {940, true}, {910, true}, {890, false}, {925, false}} {
		g.Look(t.Context(), memory.Usage{Resident: step.resident * mib, Go: 100 * mib})
		if g.Strained() != step.want {
			t.Errorf("at %d of 1000: strained %v, want %v", step.resident, g.Strained(), step.want)
		}
	}
	if released != 1 {
		t.Errorf("memory was given back %d times in a strain, want 1", released)
	}
	if near, far := g.Look(t.Context(), memory.Usage{Resident: 850 * mib}), g.Look(t.Context(), memory.Usage{Resident: 500 * mib}); near >= far {
		t.Errorf("looks every %v near the cap, every %v elsewhere", near, far)
	}
}

func TestEase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, _, _ := governor(t, 1000*mib)
		ease := func() time.Duration {
			began := time.Now()
			g.Ease(t.Context())
			return time.Since(began)
		}
		look := func(resident int64) { g.Look(t.Context(), memory.Usage{Resident: resident * mib}) }
		look(890)
		if took := ease(); took > 0 {
			t.Errorf("waited %v with memory left", took)
		}
		look(960)
		if took := ease(); took <= 0 || took > time.Second {
			t.Errorf("waited %v for memory that does not come, want a moment", took)
		}
		long := ease()
		go func() {
			time.Sleep(long / 2)
			look(890)
		}()
		if took := ease(); took <= 0 || took > long {
			t.Errorf("waited %v for memory that comes, at most %v are right", took, long)
		}
	})
}

func TestRest(t *testing.T) {
	t.Parallel()
	g, _, released := governor(t, 1000*mib)
	ctx := t.Context()
	var allocated uint64
	work := func(n uint64) time.Duration {
		allocated += n
		return g.Look(ctx, memory.Usage{Resident: 100 * mib, Go: 50 * mib, Allocated: allocated})
	}
	busy := work(100 * mib)
	for range 3 {
		for range 5 { // as between two ticks of a load
			work(0)
		}
		work(100 * mib)
	}
	if *released != 0 {
		t.Errorf("released %d times in breaks of half a second, want 0", *released)
	}
	for range 15 {
		work(0)
	}
	if *released != 1 {
		t.Errorf("released %d times in one rest, want 1", *released)
	}
	if rest := work(0); rest <= busy {
		t.Errorf("looks every %v at rest, %v at work", rest, busy)
	}
	work(100 * mib)
	for range 15 {
		work(1)
	}
	if *released != 2 {
		t.Errorf("released %d times in two rests, want 2", *released)
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, _, _ := governor(t, 1000*mib)
		gate := g.NewGate(10, 0, time.Second)
		ctx := t.Context()
		whole, err := gate.Enter(ctx, 25) // more than there is takes all
		if err != nil || whole != 10 {
			t.Fatalf("entered with %d, %v", whole, err)
		}
		if _, err := gate.Enter(ctx, 1); !errors.Is(err, memory.ErrBusy) || gate.Refused() != 1 {
			t.Errorf("full gate: %v, %d refused", err, gate.Refused())
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := gate.Enter(gone, 1); !errors.Is(err, context.Canceled) || gate.Refused() != 1 {
			t.Errorf("client gone: %v, %d refused", err, gate.Refused())
		}
		var in atomic.Bool
		go func() {
			n, err := gate.Enter(ctx, 4)
			in.Store(err == nil && n == 4)
			gate.Leave(n)
		}()
		synctest.Wait()
		if in.Load() || gate.Waiting() != 1 {
			t.Errorf("entered a full gate: %v; %d wait", in.Load(), gate.Waiting())
		}
		gate.Leave(whole)
		synctest.Wait()
		if !in.Load() || gate.Waiting() != 0 {
			t.Errorf("did not enter when there was room; %d wait", gate.Waiting())
		}
	})
}

func TestGateWaitsWhileStrained(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, _, _ := governor(t, 1000*mib)
		gate := g.NewGate(100, 5, 10*time.Second)
		ctx := t.Context()
		g.Look(ctx, memory.Usage{Resident: 999 * mib})
		n, err := gate.Enter(ctx, 5)
		if err != nil {
			t.Fatalf("small work: %v", err)
		}
		gate.Leave(n)
		if _, err := gate.Enter(ctx, 6); !errors.Is(err, memory.ErrBusy) {
			t.Fatalf("large work: %v, want ErrBusy", err)
		}
		began := time.Now()
		time.AfterFunc(3*time.Second, func() { g.Look(ctx, memory.Usage{Resident: 500 * mib}) })
		if n, err = gate.Enter(ctx, 100); err != nil {
			t.Fatalf("large work after the strain: %v", err)
		}
		if waited := time.Since(began); waited < 3*time.Second || waited > 4*time.Second {
			t.Errorf("waited %v", waited)
		}
		gate.Leave(n)
	})
}

// TestDropFilePages drops the binary's pages and goes on.
func TestDropFilePages(t *testing.T) {
	if runtime.GOOS != "linux" {
		if err := memory.DropFilePages(); err != nil {
			t.Error(err)
		}
		return
	}
	_, before, err := memory.Resident()
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.DropFilePages(); err != nil {
		t.Fatal(err)
	}
	_, after, err := memory.Resident()
	if err != nil || after >= before {
		t.Errorf("pages of files: %d before, %d after, %v", before, after, err)
	}
	runtime.GC() // uses code and data of all kinds
}
