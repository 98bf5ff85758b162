package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// changesOf are Changes that ask look, with nothing that is hot.
func changesOf(lag time.Duration, look func(apps []model.AppID) (map[model.AppID]found, error)) *Changes {
	return &Changes{
		now: time.Now, moment: time.Second, lag: lag,
		look:    func(_ context.Context, apps []model.AppID) (map[model.AppID]found, error) { return look(apps) },
		readHot: func(context.Context, model.AppID, *view) func(*view) { return func(*view) {} },
	}
}

// TestForgottenMerges takes everything for changed once merges are forgotten: that they are replaced in the cells may be noted later.
func TestForgottenMerges(t *testing.T) {
	now := time.Now()
	merged := found{buckets: map[grainBucket]uint64{{rollup.Day, 1}: 7}, merges: newMerges(map[uint32]uint32{5: 3, 9: 3})}
	first := (&view{whole: now}).next(merged, now, 0)
	first.number(1)
	same := first.next(merged, now, 0)
	same.number(2)
	if same.generation(rollup.Day, 0, 9) != 1 {
		t.Error("nothing has changed, and the generation has")
	}
	if _, ok := same.mergedSince(1); ok {
		t.Error("users are taken for merged again")
	}
	merged.merges = newMerges(map[uint32]uint32{9: 3})
	later := same.next(merged, now, 0)
	later.number(3)
	if later.generation(rollup.Day, 0, 9) != 3 {
		t.Error("what was made of cells with merges that are forgotten is taken for unchanged")
	}
}

// TestAppsForgottenMeanwhile reads an app while all apps are forgotten, as they are when there are too many.
func TestAppsForgottenMeanwhile(t *testing.T) {
	app := model.AppID{1}
	var c *Changes
	c = changesOf(0, func([]model.AppID) (map[model.AppID]found, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.apps, c.buckets = map[model.AppID]*known{}, 0
		return map[model.AppID]found{app: {buckets: map[grainBucket]uint64{{rollup.Day, 1}: 7}}}, nil
	})
	v, err := c.current(app)
	if err != nil || len(v.buckets) != 1 {
		t.Fatalf("%v, %v", v, err)
	}
	if c.buckets != 0 {
		t.Error("the buckets of an app that is forgotten are counted")
	}
}

// TestReadersOfAFailure has readers wait for one answer that does not come, and not one after the other.
func TestReadersOfAFailure(t *testing.T) {
	var looks atomic.Int64
	c := changesOf(3*time.Second, func([]model.AppID) (map[model.AppID]found, error) {
		looks.Add(1)
		time.Sleep(50 * time.Millisecond)
		return nil, errors.New("no answer")
	})
	c.moment = time.Minute
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			if _, err := c.current(model.AppID{1}); err == nil {
				t.Error("no error")
			}
		})
	}
	g.Wait()
	if looks.Load() != 1 {
		t.Errorf("%d readers asked", looks.Load())
	}
}

// TestLately refreshes what is read again and again before what was read once, however many these are.
func TestLately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := changesOf(3*time.Second, func(apps []model.AppID) (map[model.AppID]found, error) { return map[model.AppID]found{}, nil })
		often := model.AppID{0xff}
		for range 2 {
			c.Generation(often, rollup.Day, 1, 1)
			time.Sleep(10 * time.Second)
		}
		for i := range 600 {
			c.Generation(model.AppID{1, byte(i >> 8), byte(i)}, rollup.Day, 1, 1)
		}
		got := c.lately()
		if got[often] == nil || len(got) != 1+refreshOnce {
			t.Errorf("%d apps are refreshed; the one that is read often: %t", len(got), got[often] != nil)
		}
		time.Sleep(refreshFor)
		if got := c.lately(); len(got) != 0 {
			t.Errorf("%d apps are refreshed that nobody reads", len(got))
		}
	})
}

// TestCatchUpTogether has many callers catch up at once: all return, and most of them need not ask.
func TestCatchUpTogether(t *testing.T) {
	var looks atomic.Int64
	c := changesOf(time.Hour, func([]model.AppID) (map[model.AppID]found, error) {
		looks.Add(1)
		time.Sleep(20 * time.Millisecond)
		return map[model.AppID]found{}, nil
	})
	for i := range byte(5) {
		c.Generation(model.AppID{i}, rollup.Day, 1, 1)
	}
	looks.Store(0)
	var g sync.WaitGroup
	for range 50 {
		g.Go(func() { c.catchUp(t.Context(), nil) })
	}
	g.Wait()
	if n := looks.Load(); n < 1 || n > 40 {
		t.Errorf("ClickHouse was asked %d times", n)
	}
}

// TestEvict forgets the buckets that were read the longest ago, of whichever app, and no others.
func TestEvict(t *testing.T) {
	h, now := &hot{}, time.Now()
	v := &view{}
	for i := range 100 {
		app, k := model.AppID{byte(i % 10)}, hotKey{rollup.Series{Dim: fmt.Sprint(i)}, grainBucket{rollup.Day, 1}}
		a, _, _ := h.get(app, k, v, now.Add(time.Duration(i)*time.Millisecond))
		h.keep(app, a, map[hotKey]*hotBucket{k: {bytes: hotCellsOf}}, v)
	}
	left, oldest := 0, 100
	for _, a := range h.apps {
		left += len(a.buckets)
		for k := range a.buckets {
			var i int
			if _, err := fmt.Sscan(k.series.Dim, &i); err != nil {
				t.Fatal(err)
			}
			oldest = min(oldest, i)
		}
	}
	if left == 0 || left*hotCellsOf != h.bytes || h.bytes > hotBytes || oldest != 100-left {
		t.Errorf("%d buckets with %d bytes are left, from %d on", left, h.bytes, oldest)
	}
	h.sweep(now.Add(2 * hotTime))
	if len(h.apps) != 0 || h.bytes != 0 {
		t.Errorf("%d apps, %d bytes are left", len(h.apps), h.bytes)
	}
}
