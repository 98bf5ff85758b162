package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// behind runs a statement behind the back of all workers.
func behind(tb testing.TB, dsn, sql string) {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), dsn)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = conn.Exec(tb.Context(), "SET search_path = quipu_state; "+sql)
	if err := errors.Join(err, conn.Close(tb.Context())); err != nil {
		tb.Fatal(err)
	}
}

// runOut lets all leases run out.
const runOut = "UPDATE partitions SET until = '-infinity'"

// The apps and users of these tests: one of each partition.
func appIn(d *postgres.DB, partition uint16) model.AppID {
	for i := range 255 {
		if id := (model.AppID{0: 7, 11: byte(i)}); d.Partition(id) == partition {
			return id
		}
	}
	panic("no app of the partition")
}

var somebody = model.ProfileID{1}

// step projects the next record of a partition: one more session of its user, a row, a cell.
func step(ctx context.Context, d *postgres.DB, w *postgres.Worker, partition uint16, at uint64) (*state.Change, error) {
	app := appIn(d, partition)
	p, err := w.Profiles().Load(app, somebody)
	if errors.Is(err, profile.ErrNotFound) {
		p = &model.Profile{ID: somebody, UID: 1}
	} else if err != nil {
		return nil, err
	}
	p.Sessions++
	if err := w.Profiles().Put(app, p); err != nil {
		return nil, err
	}
	c := &state.Change{
		Apps: []state.App{{ID: app, Cells: rollup.Delta{{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: 1}: {Count: 1}}}},
		Rows: outbox.Batch{Partition: partition, Through: at, Parts: []outbox.Stored{{App: app, Value: []byte("row")}}}, Watermark: journal.Watermark{partition: at},
	}
	var end func(bool)
	if c.Profiles, end, err = w.Profiles().Flush(); err != nil {
		return nil, err
	}
	c.OnEnd(end)
	return c, ctx.Err()
}

// once requires that the records up to an offset are in the state, once each.
func once(tb testing.TB, d *postgres.DB, dsn string, partition uint16, want uint64) {
	tb.Helper()
	app := appIn(d, partition)
	sessions := int64(0)
	if p, err := d.Profiles().Get(tb.Context(), app, somebody); err == nil {
		sessions = p.Sessions
	} else if want > 0 {
		tb.Fatal(err)
	}
	conn, err := pgx.Connect(tb.Context(), dsn)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var rows, cells, mark uint64
	err = conn.QueryRow(tb.Context(), `SELECT (SELECT count(*) FROM quipu_state.outbox WHERE partition = $1), (SELECT count(*) FROM quipu_state.cells WHERE partition = $1),
		(SELECT watermark FROM quipu_state.partitions WHERE partition = $1)`, int32(partition)).Scan(&rows, &cells, &mark)
	if err != nil {
		tb.Fatal(err)
	}
	if got := [4]uint64{uint64(sessions), rows, cells, mark}; got != [4]uint64{want, want, want, want} { // never negative
		tb.Fatalf("partition %d: sessions, rows, blocks of cells, watermark are %v, want %d of each", partition, got, want)
	}
}

// TestTwoHolders lets two workers believe that they hold a partition. The first still commits, moves and reads when the second has it.
func TestTwoHolders(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	d := open(t, dsn)
	ctx := t.Context()
	first := worker(t, d, postgres.WorkerOptions{})
	commit := func(w *postgres.Worker, at uint64) error {
		t.Helper()
		c, err := step(ctx, d, w, 0, at)
		if err != nil {
			t.Fatal(err)
		}
		return w.Commit(ctx, c)
	}
	if err := commit(first, 1); err != nil {
		t.Fatal(err)
	}
	if list := claim(t, d, "second"); len(list) != 0 {
		t.Fatalf("a partition that is held was claimed: %v", list)
	}
	behind(t, dsn, runOut)
	if err := commit(first, 2); err != nil { // nobody has it yet
		t.Fatalf("a lease that has run out and that nobody took: %v", err)
	}
	if list := claim(t, d, "second"); len(list) != 0 {
		t.Fatalf("a partition was claimed whose holder has just committed: %v", list)
	}
	behind(t, dsn, runOut)
	second, err := d.Worker(ctx, claim(t, d, "second"), postgres.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := step(ctx, d, first, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	told := true
	prepared.OnEnd(func(committed bool) { told = committed })
	if err := commit(second, 3); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what string
		do   func() error
	}{
		{"commit", func() error { return first.Commit(ctx, prepared) }},
		{"moved", func() error { return first.Moved(ctx, outbox.Move{Before: 9}) }},
		{"forget users", func() error { return first.ForgetUsers(ctx, 0, 9) }},
		{"watermark", func() error { _, err := first.Watermark(ctx); return err }},
		{"replace", func() error { return first.ReplaceUsers(ctx, appIn(d, 0), map[uint32]uint32{1: 2}) }},
		{"failed", first.Failed},
		{"a new worker of the old lease", func() error {
			_, err := d.Worker(ctx, first.Leases(), postgres.WorkerOptions{})
			return err
		}},
	} {
		if err := tt.do(); !errors.Is(err, state.ErrLost) {
			t.Errorf("%s of the first: %v, want state.ErrLost", tt.what, err)
		}
	}
	if told {
		t.Error("the change of the first was told that it is committed")
	}
	once(t, d, dsn, 0, 3)
	if left, err := d.Renew(ctx, first.Leases(), ttl); err != nil || len(left) != 0 {
		t.Errorf("the first renewed %v, %v", left, err)
	}
	if err := d.Release(ctx, first.Leases()); err != nil {
		t.Error(err)
	}
	if left, err := d.Renew(ctx, second.Leases(), ttl); err != nil || len(left) != 1 {
		t.Errorf("the second renewed %v, %v", left, err)
	}
	if err := commit(second, 4); err != nil {
		t.Error(err)
	}
	once(t, d, dsn, 0, 4)
}

// TestClaimWaitsForCommit takes a partition over while a commit of its holder is under way in the server.
func TestClaimWaitsForCommit(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	d := open(t, dsn)
	ctx := t.Context()
	first := worker(t, d, postgres.WorkerOptions{})
	c, err := step(ctx, d, first, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Commit(ctx, c); err != nil {
		t.Fatal(err)
	}
	blocker, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = blocker.Close(context.Background()) }()
	if _, err := blocker.Exec(ctx, "BEGIN; SELECT 1 FROM quipu_state.profiles FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	if c, err = step(ctx, d, first, 0, 2); err != nil {
		t.Fatal(err)
	}
	ended, err := first.Begin(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	for waiting := 0; waiting == 0; { // until the commit waits for the profile
		if err := blocker.QueryRow(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := d.Claim(ctx, "second", 1, ttl); err != nil || len(list) != 0 {
		t.Errorf("claimed %v, %v, while a commit is under way", list, err)
	}
	if _, err := blocker.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	behind(t, dsn, runOut)
	second, err := d.Worker(ctx, claim(t, d, "second"), postgres.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w, err := second.Watermark(ctx); err != nil || w[0] != 2 {
		t.Errorf("the second begins at %v, %v", w, err)
	}
	once(t, d, dsn, 0, 2)
}

// TestManyHolders lets workers, whose clocks are an hour apart, take partitions from one another at any time; each goes on until it is
// refused. Every record is in the state once. There are more records for as long as nobody was refused: on a busy machine one worker may be
// done before another begins.
func TestManyHolders(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dsn := pgtest.Shared(t).Database(t)
	const partitions, records = 3, 60
	var wg sync.WaitGroup
	var goal atomic.Uint64
	goal.Store(records)
	var lost atomic.Bool
	for n := range 3 {
		d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions, Now: func() time.Time { return time.Now().Add(time.Duration(n-1) * time.Hour) }})
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		wg.Go(func() {
			for ctx := t.Context(); ctx.Err() == nil; {
				if r.IntN(2) == 0 {
					behind(t, dsn, "UPDATE partitions SET holder = ''") // which no commit of the holder repairs
				}
				leases, err := d.Claim(ctx, fmt.Sprint(n), 1+r.IntN(partitions), ttl)
				if err != nil {
					t.Error(err)
					return
				}
				if len(leases) == 0 {
					time.Sleep(time.Millisecond)
					continue
				}
				to := goal.Load()
				done, err := project(ctx, d, leases, to)
				switch {
				case errors.Is(err, state.ErrLost):
					lost.Store(true)
				case err != nil:
					t.Error(err)
					return
				case done && finished(t, dsn, to):
					if lost.Load() || to >= 20*records {
						return
					}
					goal.CompareAndSwap(to, to+records)
				}
				if err := d.Release(ctx, leases); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
	for p := range uint16(partitions) {
		once(t, d, dsn, p, goal.Load())
	}
	if !lost.Load() {
		t.Error("nobody lost a partition")
	}
}

// finished reports whether all partitions are at the end.
func finished(t *testing.T, dsn string, records uint64) (done bool) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Error(err)
		return true
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(t.Context(), "SELECT min(watermark) >= $1 FROM quipu_state.partitions", int64(records)).Scan(&done); err != nil {
		t.Error(err)
	}
	return done
}

// project projects the records of partitions from their watermarks on, one a batch, as a pipeline does: after an error it reads the
// watermark again.
func project(ctx context.Context, d *postgres.DB, leases []postgres.Lease, records uint64) (done bool, err error) {
	w, err := d.Worker(ctx, leases, postgres.WorkerOptions{CacheProfiles: 1})
	if err != nil {
		return false, err
	}
	for attempts := 0; ; attempts++ {
		mark, err := w.Watermark(ctx)
		if err == nil {
			err = projectFrom(ctx, d, w, mark, records)
		}
		if err == nil {
			return true, nil
		}
		w.Profiles().Abandon()
		if w.Failed() != nil {
			return false, w.Failed()
		}
		if attempts > 200 {
			return false, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func projectFrom(ctx context.Context, d *postgres.DB, w *postgres.Worker, mark journal.Watermark, records uint64) error {
	for _, l := range w.Leases() {
		for at := mark[l.Partition] + 1; at <= records; at++ {
			c, err := step(ctx, d, w, l.Partition, at)
			if err != nil {
				return err
			}
			if err := w.Commit(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestCutBetweenMessages cuts the connection before every message of a batch, as the end of a process does wherever it comes, and lets the
// next worker go on.
func TestCutBetweenMessages(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	relay := pgtest.NewRelay(t, dsn)
	d := openWith(t, postgres.Options{DSN: relay.Through(t, dsn), Patience: 5 * time.Second})
	watch := open(t, dsn)
	ctx := t.Context()
	at, whole := uint64(0), 0
	for cut := 0; whole < 3; cut++ {
		w := worker(t, d, postgres.WorkerOptions{})
		if _, err := w.Profiles().Load(appIn(d, 0), somebody); err != nil && !errors.Is(err, profile.ErrNotFound) {
			t.Fatal(err)
		}
		c, err := step(ctx, d, w, 0, at+1)
		if err != nil {
			t.Fatal(err)
		}
		relay.Cut(cut)
		err = w.Commit(ctx, c)
		relay.Mend()
		if err == nil {
			at++
			whole++
		} else if fault.CodeOf(err) != "state.unavailable" {
			t.Fatalf("cut after %d messages: %v", cut, err)
		}
		once(t, watch, dsn, 0, at)
		if err != nil { // the same worker goes on
			if err := w.Commit(ctx, &state.Change{Watermark: journal.Watermark{0: at + 1}}); err == nil {
				t.Fatal("a commit after one that failed, before the watermark was read")
			}
			w.Profiles().Abandon()
			mark, err := w.Watermark(ctx)
			if err != nil || mark[0] != at {
				t.Fatalf("cut after %d messages: watermark %v, %v; want %d", cut, mark, err, at)
			}
			if c, err = step(ctx, d, w, 0, at+1); err == nil {
				err = w.Commit(ctx, c)
			}
			if err != nil {
				t.Fatal(err)
			}
			at++
			once(t, watch, dsn, 0, at)
		}
		if err := d.Release(ctx, w.Leases()); err != nil {
			t.Fatal(err)
		}
		if cut > 200 {
			t.Fatal("a batch has too many messages")
		}
	}
	t.Logf("%d batches", at)
}

// TestLostAnswer lets the server commit and its answer be lost: the worker does not know, reads the watermark, and goes on from there.
func TestLostAnswer(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	relay := pgtest.NewRelay(t, dsn)
	d := openWith(t, postgres.Options{DSN: relay.Through(t, dsn), Patience: 300 * time.Millisecond})
	watch := open(t, dsn)
	ctx := t.Context()
	w := worker(t, d, postgres.WorkerOptions{})
	at, done := uint64(0), 0
	for range 5 {
		c, err := step(ctx, d, w, 0, at+1)
		if err == nil {
			err = w.Commit(ctx, c) // so that the connection has its statements prepared
		}
		if err != nil {
			t.Fatal(err)
		}
		at++
		if c, err = step(ctx, d, w, 0, at+1); err != nil {
			t.Fatal(err)
		}
		told := true
		c.OnEnd(func(ok bool) { told = ok })
		relay.Mute()
		err = w.Commit(ctx, c)
		relay.Mend()
		if err == nil || told {
			t.Fatalf("a commit without an answer: %v, told %v", err, told)
		}
		if c, err = step(ctx, d, w, 0, at+1); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(ctx, c); err == nil {
			t.Fatal("a batch was committed before the watermark was read")
		}
		w.Profiles().Abandon()
		mark, err := w.Watermark(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if mark[0] == at+1 {
			at++
			done++
		}
		if mark[0] != at {
			t.Fatalf("the watermark is %d after %d", mark[0], at)
		}
		once(t, watch, dsn, 0, at)
	}
	if done == 0 {
		t.Error("the server did none of the commits whose answers were lost")
	}
	t.Logf("the server did %d of 5 commits whose answers were lost", done)
}

// TestServerCrash restarts the server under workers.
func TestServerCrash(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: 2})
	const records = 400
	var wg sync.WaitGroup
	for n := range 2 {
		leases, err := d.Claim(t.Context(), fmt.Sprint(n), 1, ttl)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if _, err := project(t.Context(), d, leases, records); err != nil {
				t.Error(err)
			}
		})
	}
	for range 2 {
		server.Restart(t)
	}
	wg.Wait()
	for p := range uint16(2) {
		once(t, d, dsn, p, records)
	}
}

// query reads one value.
func query(tb testing.TB, dsn string, into any, sql string, args ...any) error {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), dsn)
	if err != nil {
		return err
	}
	return errors.Join(conn.QueryRow(tb.Context(), sql, args...).Scan(into), conn.Close(tb.Context()))
}
