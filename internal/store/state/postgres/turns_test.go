package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
	"quipu/internal/store/state/statetest"
)

// TestTurns has two processes ask for the same turns.
func TestTurns(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	keep := func() *postgres.Turns {
		return openWith(t, postgres.Options{DSN: dsn, Partitions: 2}).Keep(postgres.KeeperOptions{TTL: time.Second}).Turns(func(name string) bool { return name == "mine" })
	}
	a, b := keep(), keep()
	var _ jobs.Turns = a
	run, end, ok := a.Take(t.Context(), "job")
	if !ok {
		t.Fatal("a turn that nobody has is not given")
	}
	for range 2 { // longer than the lease, which is renewed
		if _, _, ok := b.Take(t.Context(), "job"); ok {
			t.Error("a turn is given twice")
		}
		time.Sleep(1500 * time.Millisecond)
	}
	if run.Err() != nil {
		t.Error("a turn that is held is lost")
	}
	if _, other, ok := b.Take(t.Context(), "other"); !ok {
		t.Error("another turn is not given")
	} else {
		other()
	}
	for _, of := range []*postgres.Turns{a, b} {
		if _, end, ok := of.Take(t.Context(), "mine"); !ok {
			t.Error("a turn of every process's own is not given")
		} else {
			end()
		}
	}
	end()
	_, end, ok = b.Take(t.Context(), "job")
	if !ok || run.Err() == nil {
		t.Fatal("a turn that was given back is not given again")
	}
	// Somebody else has taken it, as after a process that stood still.
	behind(t, dsn, "UPDATE turns SET holder = 'another', until = clock_timestamp() + interval '1 minute'")
	run, _, _ = b.Take(t.Context(), "late")
	behind(t, dsn, "UPDATE turns SET holder = 'another'")
	select {
	case <-run.Done():
	case <-time.After(10 * time.Second):
		t.Error("a turn that was lost goes on")
	}
	end()
	if _, _, ok := a.Take(t.Context(), "job"); ok {
		t.Error("the turn of another is given back by who had it before")
	}
}

// TestLeasesOfTasks has a task belong to a process for as long as its keeper lives.
func TestLeasesOfTasks(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	k := openWith(t, postgres.Options{DSN: dsn, Partitions: 2}).Keep(postgres.KeeperOptions{TTL: time.Second})
	a, b := k.Turns(nil), openWith(t, postgres.Options{DSN: dsn, Partitions: 2}).Keep(postgres.KeeperOptions{TTL: time.Second}).Turns(nil)
	var _ jobs.Leases = a
	behind(t, dsn, "INSERT INTO workers (name, until) VALUES ('"+k.Name()+"', clock_timestamp() + interval '1 minute')")
	holder, run, end := a.Hold(t.Context(), "task")
	defer end()
	if gone, err := b.Gone(t.Context(), holder); gone || err != nil {
		t.Errorf("who lives is gone: %v", err)
	}
	behind(t, dsn, "DELETE FROM workers")
	select {
	case <-run.Done():
	case <-time.After(10 * time.Second):
		t.Error("a task goes on whose process others take for gone")
	}
	if gone, err := b.Gone(t.Context(), holder); !gone || err != nil {
		t.Errorf("who is gone lives: %v", err)
	}
}

// TestProgress reads from another process how far a worker is.
func TestProgress(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	b, d := newBox(t, dsn), openWith(t, postgres.Options{DSN: dsn, Partitions: statetest.Partitions, Age: time.Hour})
	ctx := t.Context()
	app := model.AppID{}
	for i := range byte(255) {
		if app = (model.AppID{11: i}); b.d.Partition(app) == 1 {
			break
		}
	}
	name, err := d.Name(ctx)
	if other, oerr := b.d.Name(ctx); err != nil || oerr != nil || name == "" || name != other {
		t.Errorf("%q and %q, %v, %v", name, other, err, oerr)
	}
	if at, err := d.Clock(ctx); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("clock %v, %v", at, err)
	}
	if got, err := d.Profiles().Aliases(ctx, app); err != nil || len(got) != 0 {
		t.Errorf("merged: %v, %v", got, err)
	}
	c := &state.Change{Watermark: journal.Watermark{1: 5}, Rows: outbox.Batch{Partition: 1, Through: 5, Parts: []outbox.Stored{{App: app, Value: []byte("x")}}}}
	c.Apps = []state.App{{ID: app, Cells: rollup.Delta{{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: 1}: {Count: 1}}}}
	c.Profiles.Apps = append(c.Profiles.Apps, profile.AppChange{App: app, Aliases: map[uint32]uint32{1: 2}})
	if err := b.w.Commit(ctx, c); err != nil {
		t.Fatal(err)
	}
	if w, err := d.Watermark(ctx); err != nil || w[1] != 5 {
		t.Errorf("watermark %v, %v", w, err)
	}
	if got, err := d.Profiles().Aliases(ctx, app); err != nil || len(got) != 0 { // it was asked a moment ago
		t.Errorf("merged: %v, %v", got, err)
	}
	d.Stale()
	if got, err := d.Profiles().Aliases(ctx, app); err != nil || got[1] != 2 {
		t.Errorf("merged, asked again: %v, %v", got, err)
	}
	blocks, err := d.Blocks(ctx)
	if err != nil || blocks[1] != 1 {
		t.Fatalf("blocks %v, %v", blocks, err)
	}
	arrived := func(rows journal.Watermark, cells map[uint16]uint64) bool {
		t.Helper()
		yes, err := d.Arrived(ctx, rows, cells)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if arrived(nil, blocks) || arrived(journal.Watermark{1: 5}, nil) || !arrived(journal.Watermark{0: 9, 1: 4}, map[uint16]uint64{0: 3}) {
		t.Error("before anything is moved")
	}
	if err := b.w.MoveCells(b.cells).Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if !arrived(nil, blocks) || arrived(journal.Watermark{1: 5}, blocks) {
		t.Error("after cells were moved")
	}
	if err := b.w.Moved(ctx, outbox.Move{Partition: 1, From: 1, Before: 6}); err != nil {
		t.Fatal(err)
	}
	if !arrived(journal.Watermark{1: 5}, blocks) {
		t.Error("after rows were moved")
	}
}

// TestLock has two processes wait for each other.
func TestLock(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	var inside, entered atomic.Int64
	var all sync.WaitGroup
	for range 2 {
		turns := openWith(t, postgres.Options{DSN: dsn, Partitions: 2}).Keep(postgres.KeeperOptions{TTL: time.Second}).Turns(nil)
		var _ auth.Turns = turns
		all.Go(func() {
			for range 20 {
				end, err := turns.Lock(t.Context(), "somebody@example.com")
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) > 1 {
					t.Error("two processes have the turn at once")
				}
				entered.Add(1)
				time.Sleep(5 * time.Millisecond)
				inside.Add(-1)
				end()
			}
		})
	}
	all.Wait()
	if entered.Load() != 40 {
		t.Errorf("%d turns, want 40", entered.Load())
	}
	behind(t, dsn, "INSERT INTO turns SELECT 'lock:' || encode(sha256('held'), 'hex'), 'another', clock_timestamp() + interval '1 minute'")
	began := time.Now()
	_, err := openWith(t, postgres.Options{DSN: dsn, Partitions: 2}).Keep(postgres.KeeperOptions{TTL: 100 * time.Millisecond}).Turns(nil).Lock(t.Context(), "held")
	if err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("a turn that another has for a minute: %v after %v", err, time.Since(began))
	}
}
