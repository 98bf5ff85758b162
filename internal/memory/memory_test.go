package memory_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
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
		// The engines and three batches, tenfold, leave something to Go and the binary from 256 MiB on.
		fixed := p.Events + max(p.Cache, 4*p.Buffer)
		if fixed > total*3/4 {
			t.Errorf("%d MiB: engines take %d MiB", total/mib, fixed/mib)
		}
		if p.Batch*3 > total/16 || p.Bodies+p.Answers > total/3 || p.Connections*(20<<10) > int(total)/6 && total > 512*mib {
			t.Errorf("%d MiB: batches of %d, bodies of %d, answers of %d bytes, %d connections", total/mib, p.Batch, p.Bodies, p.Answers, p.Connections)
		}
	}
}

func governor(t *testing.T, total int64) (g *memory.Governor, limit *int64, released *int) {
	t.Helper()
	g = memory.New(memory.Split(total), slog.New(slog.DiscardHandler), time.Now)
	limit, released = new(int64), new(int)
	g.Fake(func(n int64) { *limit = n }, func() error { *released++; return nil })
	g.FakePercent(nil)
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

// The garbage between two collections is what is allocated in a second: twice what is alive at most, and no more than an eighth of the cap while it is at least
// half, or a quarter where less is allocated.
func TestGarbageIsBounded(t *testing.T) {
	t.Parallel()
	g, _, _ := governor(t, 1000*mib)
	var got []int
	g.FakePercent(func(n int) { got = append(got, n) })
	var allocated uint64
	look := func(live, rate int64) {
		pace := g.Look(t.Context(), memory.Usage{Resident: 700 * mib, Go: 650 * mib, Live: live * mib, Allocated: allocated})
		allocated += uint64(float64(rate*mib) * pace.Seconds())
	}
	look(10, 500)
	for _, step := range []struct{ live, rate, want int64 }{
		{10, 500, 200},
		{60, 500, 200},
		{125, 500, 100},
		{130, 500, 100},
		{200, 500, 62},
		{800, 500, 50},
		{30, 500, 200},
		{100, 0, 125},
		{100, 0, 125},
	} {
		look(step.live, step.rate)
		if now := got[len(got)-1]; int64(now) != step.want {
			t.Errorf("%d MiB are alive: grows by %d %%, want %d", step.live, now, step.want)
		}
	}
	if len(got) != 6 {
		t.Errorf("set %d times: %v, want a change in each but the steps that repeat", len(got), got)
	}
	for range 30 {
		look(100, 60)
	}
	if now := got[len(got)-1]; now < 50 || now > 75 {
		t.Errorf("100 MiB are alive and 60 are allocated a second: grows by %d %%", now)
	}
	for range 50 {
		look(100, 0)
	}
	if now := got[len(got)-1]; now < 32 || now > 36 {
		t.Errorf("100 MiB are alive and none allocated: grows by %d %%, want about 32", now)
	}
	if look(1000, 0); got[len(got)-1] != 25 {
		t.Errorf("1000 MiB are alive and none allocated: grows by %d %%, want 25", got[len(got)-1])
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
		for range 5 { // as between two batches of a load
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
	work(46 * mib) // no load, but much for one who rests
	for range 5 {
		work(0)
	}
	if *released != 3 {
		t.Errorf("released %d times, want 3: something was done at rest", *released)
	}
}

// TestRestBehindLoad goes on with a part of the work of a load: memory is given back if that part is small, and if so much is unused that it will not be needed at once.
func TestRestBehindLoad(t *testing.T) {
	t.Parallel()
	for _, step := range []struct {
		rate, unused int64 // MiB a second, MiB
		want         int
	}{{30, 10, 1}, {60, 200, 1}, {60, 30, 0}, {200, 1000, 0}} {
		g, _, released := governor(t, 4000*mib)
		var allocated uint64
		work := func(rate int64) {
			allocated += uint64(rate * mib / 10)
			g.Look(t.Context(), memory.Usage{Resident: 1500 * mib, Go: (100 + step.unused) * mib, Live: 100 * mib, Allocated: allocated})
		}
		for range 20 {
			work(300)
		}
		for range 25 {
			work(step.rate)
		}
		if *released != step.want {
			t.Errorf("%d MiB a second, %d MiB unused: given back %d times, want %d", step.rate, step.unused, *released, step.want)
		}
	}
}

// TestHolders come to rest: what holders have is given up first, by one call at a time, and unused memory only then.
func TestHolders(t *testing.T) {
	t.Parallel()
	g, _, released := governor(t, 1000*mib)
	called, finish := make(chan struct{}), make(chan struct{})
	g.AtRest(func(context.Context) error {
		called <- struct{}{}
		<-finish
		return errors.New("not now")
	})
	var allocated uint64
	work := func(n uint64) {
		allocated += n
		g.Look(t.Context(), memory.Usage{Resident: 100 * mib, Go: 50 * mib, Allocated: allocated})
	}
	rest := func() {
		work(100 * mib)
		for range 30 {
			work(0)
		}
	}
	rest()
	<-called
	rest() // meanwhile
	if *released != 0 {
		t.Errorf("given back %d times before the holder gave up what it had", *released)
	}
	finish <- struct{}{}
	for *released == 0 {
		work(0)
		time.Sleep(time.Millisecond)
	}
	rest()
	<-called
	finish <- struct{}{}
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
