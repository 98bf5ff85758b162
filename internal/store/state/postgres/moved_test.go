package postgres_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// TestMoveOut notes that the data has left: nobody holds a partition any more, nor gets one, however it tries.
func TestMoveOut(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	const partitions = 4
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
	ctx := t.Context()
	w := worker(t, d, postgres.WorkerOptions{})
	leases := w.Leases()
	c, err := step(ctx, d, w, 2, 1)
	if err == nil {
		err = w.Commit(ctx, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	noted := func(want string) {
		t.Helper()
		if body, err := d.Moved(ctx); string(body) != want || err != nil {
			t.Fatalf("noted is %q, %v; want %q", body, err, want)
		}
	}
	refused := func(what string, leases []postgres.Lease) {
		t.Helper()
		if err := d.MoveOut(ctx, leases, []byte("left")); !errors.Is(err, state.ErrLost) {
			t.Errorf("%s: %v, want state.ErrLost", what, err)
		}
		noted("in")
		if left, err := d.Renew(ctx, w.Leases(), ttl); len(left) != partitions || err != nil {
			t.Errorf("%s: the holder has renewed %v, %v", what, left, err)
		}
	}
	if err := d.NoteMoved(ctx, []byte("in")); err != nil {
		t.Fatal(err)
	}
	refused("none", nil)
	refused("all but one", leases[1:])
	refused("one twice", append(slices.Clone(leases[1:]), leases[1]))
	other := slices.Clone(leases)
	other[3].Epoch++
	refused("a later epoch", other)
	other[3].Epoch -= 2
	refused("an earlier epoch", other)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := d.MoveOut(gone, leases, []byte("left")); !errors.Is(err, context.Canceled) {
		t.Errorf("without anybody who waits for it: %v", err)
	}
	noted("in")
	if err := d.Release(ctx, leases[:1]); err != nil {
		t.Fatal(err)
	}
	if err := d.MoveOut(ctx, leases, []byte("left")); !errors.Is(err, state.ErrLost) {
		t.Errorf("with a lease that was given back: %v, want state.ErrLost", err)
	}
	if leases[0] = claim(t, d, "test")[0]; leases[0].Partition != 0 {
		t.Fatalf("claimed %v", leases[0])
	}

	if w, err = d.Worker(ctx, leases, postgres.WorkerOptions{}); err == nil {
		c, err = step(ctx, d, w, 2, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(leases)
	for range 2 { // the second does nothing
		if err := d.MoveOut(ctx, leases, []byte("left")); err != nil {
			t.Fatal(err)
		}
		noted("left")
	}
	if err := d.MoveOut(ctx, leases, []byte("elsewhere")); !errors.Is(err, state.ErrLost) {
		t.Errorf("to other stores: %v, want state.ErrLost", err)
	}
	noted("left")
	if err := w.Commit(ctx, c); !errors.Is(err, state.ErrLost) {
		t.Errorf("a commit: %v, want state.ErrLost", err)
	}
	if left, err := d.Renew(ctx, leases, ttl); len(left) != 0 || err != nil {
		t.Errorf("renewed %v, %v", left, err)
	}
	if err := d.Release(ctx, leases); err != nil {
		t.Error(err)
	}
	if list := claim(t, d, "other"); len(list) != 0 {
		t.Errorf("claimed %v", list)
	}
	later := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions}) // opens as before
	for _, alone := range []bool{false, true} {
		ctx, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		err := later.Keep(postgres.KeeperOptions{Every: 10 * time.Millisecond, Alone: alone}).Run(ctx, func(_ context.Context, w *postgres.Worker) error {
			t.Errorf("alone %t: holds %v", alone, w.Leases())
			return nil
		})
		stop()
		if err != nil {
			t.Error(err)
		}
	}
	for n, l := range leases { // those of the note would be the next
		leases[n].Epoch = l.Epoch + 1
	}
	if err := d.MoveOut(ctx, leases, []byte("left")); !errors.Is(err, state.ErrLost) {
		t.Errorf("by leases that nobody was given: %v, want state.ErrLost", err)
	}
	once(t, d, dsn, 2, 1)
	if at, err := d.Watermark(ctx); at[2] != 1 || err != nil {
		t.Errorf("the watermark is %v, %v", at, err)
	}
}

// TestMoveOutCut cuts the connection before every message, or loses the last answer: both the note and the partitions are changed, or neither, and the same call again does it if it was not done.
func TestMoveOutCut(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	relay := pgtest.NewRelay(t, dsn)
	d := openWith(t, postgres.Options{DSN: relay.Through(t, dsn), Partitions: 3, Patience: 500 * time.Millisecond})
	watch := openWith(t, postgres.Options{DSN: dsn, Partitions: 3})
	ctx := t.Context()
	const reset = "DELETE FROM moved; UPDATE partitions SET holder = '', until = '-infinity'"
	for cut, whole := 0, false; !whole; cut++ {
		behind(t, dsn, reset)
		leases := claim(t, d, "test")
		if len(leases) != 3 {
			t.Fatalf("claimed %v", leases)
		}
		relay.Cut(cut)
		err := d.MoveOut(ctx, leases, []byte("left"))
		relay.Mend()
		switch {
		case err == nil: // as many messages as it has: now the answer to the last is lost
			whole = true
			behind(t, dsn, reset)
			leases = claim(t, d, "test")
			behind(t, dsn, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END';
				CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON moved DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`)
			ended := make(chan error, 1)
			go func() { ended <- d.MoveOut(ctx, leases, []byte("left")) }()
			until(t, "the commit is under way", func() bool {
				var n int
				err := query(t, dsn, &n, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'")
				return err == nil && n == 1
			})
			relay.Mute()
			if err := <-ended; fault.CodeOf(err) != "state.unavailable" {
				t.Fatalf("without the last answer: %v", err)
			}
			relay.Mend()
			if body, err := watch.Moved(ctx); string(body) != "left" || err != nil {
				t.Fatalf("without the last answer: noted is %q, %v", body, err)
			}
		case fault.CodeOf(err) != "state.unavailable":
			t.Fatalf("cut after %d messages: %v", cut, err)
		default:
			if body, err := watch.Moved(ctx); body != nil || err != nil {
				t.Fatalf("cut after %d messages: noted is %q, %v", cut, body, err)
			}
		}
		until(t, "the same call again, which a busy machine may not answer in time", func() bool {
			err = d.MoveOut(ctx, leases, []byte("left"))
			return fault.CodeOf(err) != "state.unavailable"
		})
		if err != nil {
			t.Fatalf("the same call again: %v", err)
		}
		if body, err := watch.Moved(ctx); string(body) != "left" || err != nil {
			t.Fatalf("cut after %d messages: noted is %q, %v", cut, body, err)
		}
		var moved int
		for _, l := range leases {
			var n int
			if err := query(t, dsn, &n, "SELECT count(*) FROM quipu_state.partitions WHERE partition = $1 AND epoch = $2 AND holder = 'moved' AND until = 'infinity'", l.Partition, l.Epoch+1); err != nil {
				t.Fatal(err)
			}
			moved += n
		}
		if moved != 3 {
			t.Fatalf("cut after %d messages: %d partitions have moved", cut, moved)
		}
		if cut > 200 {
			t.Fatal("it has too many messages")
		}
	}
}
