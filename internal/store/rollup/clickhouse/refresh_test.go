package clickhouse_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/clickhouse"
)

// refreshed opens two stores of the same cells, the second of which is refreshed while its clock stands at now, as often as once is called.
func refreshed(t *testing.T) (server *chtest.Server, w *backend, r *clickhouse.Store, now *atomic.Int64) {
	t.Helper()
	server = chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	w = &backend{Store: open(t, c), c: c, aliases: map[model.AppID]map[uint32]uint32{}}
	now = &atomic.Int64{}
	now.Store(time.Now().UnixNano())
	r = open(t, c, func(o *clickhouse.Options) {
		o.State, o.Lag, o.Now = nil, 3*time.Second, func() time.Time { return time.Unix(0, now.Load()) }
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Refresh(ctx); close(ended) }()
	t.Cleanup(func() { stop(); <-ended })
	return server, w, r, now
}

// TestRefresh reads what changes without asking ClickHouse, which may be away.
func TestRefresh(t *testing.T) {
	server, w, r, now := refreshed(t)
	ctx := t.Context()
	count := func() (n int64, users uint64) {
		t.Helper()
		err := r.Scan(ctx, changedApp, changedSeries, rollup.Day, 100, 100, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
			n, users = c.Count, c.Uniques()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n, users
	}
	put := func(aliases []rollup.Alias, user uint32) {
		t.Helper()
		if err := w.Write(ctx, changedApp, aliases, delta(rollup.Day, 100, user)); err != nil {
			t.Fatal(err)
		}
	}
	day := func() uint64 { return r.Changes().Generation(changedApp, rollup.Day, 100, 100) }
	await := func(had uint64) { // the clock stands still: nothing but refreshing brings it
		t.Helper()
		for began := time.Now(); day() == had; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 30*time.Second {
				t.Fatal("a day has changed and has its generation still")
			}
		}
	}
	expect := func(count1 int64, users1 uint64) {
		t.Helper()
		if n, users := count(); n != count1 || users != users1 {
			t.Errorf("%d events of %d users are read, not %d of %d", n, users, count1, users1)
		}
	}
	put(nil, 1)
	expect(1, 1)
	had := day()
	put(nil, 2)
	await(had)
	expect(2, 2)
	had, moment := day(), r.Changes().Moment()
	put([]rollup.Alias{{Old: 2, New: 1}}, 1)
	await(had)
	expect(3, 1)
	if old, ok := r.Changes().MergedSince(changedApp, moment); !ok || old != 2 {
		t.Errorf("merged since: %d, %t, want 2", old, ok)
	}

	server.Stop()
	defer server.Resume(t)
	for range 3 {
		expect(3, 1)
	}
	now.Add(int64(4 * time.Second))
	err := r.Scan(ctx, changedApp, changedSeries, rollup.Day, 100, 100, func(rollup.Bucket, string, *rollup.Cell) error { return nil })
	if err == nil {
		t.Error("what is known is older than it may be, and is read")
	}
}

// TestCatchUp sees what was put at once where it is asked for, however lately that was done.
func TestCatchUp(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	s := open(t, c, func(o *clickhouse.Options) { o.Lag = time.Hour })
	w := &backend{Store: s, c: c, aliases: map[model.AppID]map[uint32]uint32{}}
	for n := range uint32(4) {
		if err := w.Write(t.Context(), changedApp, nil, delta(rollup.Day, 100, n+1)); err != nil {
			t.Fatal(err)
		}
		had := s.Changes().Generation(changedApp, rollup.Day, 100, 100)
		s.CatchUp(t.Context(), changedApp)
		if n > 0 && s.Changes().Generation(changedApp, rollup.Day, 100, 100) == had {
			t.Error("a change was not noticed")
		}
		var users uint64
		err := s.Scan(t.Context(), changedApp, changedSeries, rollup.Day, 100, 100, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
			users = c.Uniques()
			return nil
		})
		if err != nil || users != uint64(n+1) {
			t.Errorf("%d users, %v; want %d", users, err, n+1)
		}
	}
}

// TestRefreshedWhileWritten remembers days under their generation while another store writes and readers are refreshed: in the end what is remembered is what is there.
func TestRefreshedWhileWritten(t *testing.T) {
	_, w, r, now := refreshed(t)
	writes, memory := &randomWrites{w: w, rnd: rand.New(rand.NewPCG(3, 4)), merged: map[uint32]bool{}}, &memory{r: r} // a repeatable test
	for range 4 {
		written := make(chan struct{})
		go func() {
			defer close(written)
			for range 40 {
				writes.one(t)
			}
		}()
		for done := false; !done; {
			select {
			case <-written:
				done = true
			default:
				memory.read(t)
				now.Add(int64(5 * time.Millisecond))
			}
		}
		r.CatchUp(t.Context())
		memory.read(t)
		memory.check(t, w)
	}
	if memory.held < 100 || memory.asked < 20 {
		t.Errorf("%d days were remembered and %d read: the test says little", memory.held, memory.asked)
	}
}
