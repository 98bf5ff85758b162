package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/pgtest"
	"quipu/internal/store/state/postgres"
)

// workerOf is the variable that makes the program of the tests a worker on the database with this address, until it is killed.
const workerOf = "QUIPU_TEST_WORKER_OF"

func TestMain(m *testing.M) {
	if dsn := os.Getenv(workerOf); dsn != "" {
		if err := endless(context.Background(), dsn); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

const killPartitions = 8

// endless projects records for as long as it lives. It says when it holds partitions.
func endless(ctx context.Context, dsn string) error {
	d, err := postgres.Open(ctx, postgres.Options{DSN: dsn, Partitions: killPartitions, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		return err
	}
	return d.Keep(postgres.KeeperOptions{}).Run(ctx, func(ctx context.Context, w *postgres.Worker) error {
		fmt.Fprintln(os.Stdout, "holds", len(w.Leases()))
		return forever(ctx, d, w)
	})
}

// forever projects one record after the other in turn, a few hundred a second.
func forever(ctx context.Context, d *postgres.DB, w *postgres.Worker) error {
	mark, err := w.Watermark(ctx)
	for err == nil && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
		for _, l := range w.Leases() {
			mark[l.Partition]++
			c, serr := step(context.WithoutCancel(ctx), d, w, l.Partition, mark[l.Partition])
			if err = serr; err == nil {
				err = w.Commit(ctx, c)
			}
			if err != nil {
				break
			}
		}
	}
	return err
}

// holders returns who holds how many partitions.
func holders(t *testing.T, conn *pgx.Conn) map[string]int {
	t.Helper()
	rows, err := conn.Query(t.Context(), "SELECT holder, count(*) FROM quipu_state.partitions WHERE until >= clock_timestamp() GROUP BY holder")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	var holder string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&holder, &n}, func() error { out[holder] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// connect opens a connection that is closed when the test ends.
func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// until waits for a state of the database.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// TestKeepers lets keepers come and go: partitions are shared evenly, and none is projected twice.
func TestKeepers(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	conn := connect(t, dsn)
	const partitions = 9
	o := postgres.KeeperOptions{TTL: 2 * time.Second, Every: 20 * time.Millisecond}
	var wg sync.WaitGroup
	start := func() (stop func()) {
		d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		wg.Go(func() {
			defer close(ended)
			err := d.Keep(o).Run(ctx, func(ctx context.Context, w *postgres.Worker) error { return forever(ctx, d, w) })
			if err != nil {
				t.Error(err)
			}
		})
		return func() { cancel(); <-ended }
	}
	even := func(keepers, most int) func() bool {
		return func() bool {
			sum, list := 0, holders(t, conn)
			for _, n := range list {
				if sum += n; n > most {
					return false
				}
			}
			return sum == partitions && len(list) == keepers
		}
	}
	first := start()
	until(t, "one keeper", even(1, 9))
	second := start()
	until(t, "two keepers", even(2, 5))
	third := start()
	until(t, "three keepers", even(3, 3))
	second()
	until(t, "two keepers again", even(2, 5))
	first()
	until(t, "the last keeper", even(1, 9))
	third()
	wg.Wait()
	if left := holders(t, conn); len(left) != 0 {
		t.Errorf("partitions are held by %v", left)
	}
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
	exact(t, d, dsn, partitions)
}

// exact requires that all that was projected is there once.
func exact(t *testing.T, d *postgres.DB, dsn string, partitions uint16) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	total := uint64(0)
	for p := range partitions {
		var mark uint64
		if err := conn.QueryRow(t.Context(), "SELECT watermark FROM quipu_state.partitions WHERE partition = $1", int32(p)).Scan(&mark); err != nil {
			t.Fatal(err)
		}
		once(t, d, dsn, p, mark)
		total += mark
	}
	t.Logf("%d batches", total)
	if total < uint64(partitions) {
		t.Error("hardly anything was projected")
	}
}

// TestKilled kills one of two processes, and stops one for a while, wherever they are at that moment. The other holds all partitions within
// 10 s; the one that goes on finds that it has lost its own.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it waits for leases to run out")
	}
	dsn := pgtest.Shared(t).Database(t)
	conn := connect(t, dsn)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Two processes share the partitions; the one that is left has to take those of the other.
	begin := func() (end func(os.Signal), says *bufio.Scanner) {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), workerOf+"="+dsn)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		return func(signal os.Signal) {
			if err := cmd.Process.Signal(signal); err != nil {
				t.Error(err)
			}
			if signal == os.Kill {
				_ = cmd.Wait() // it was killed
			}
		}, bufio.NewScanner(out)
	}
	share := func(held map[string]int, most int) bool {
		sum := 0
		for _, n := range held {
			if sum += n; n > most {
				return false
			}
		}
		return sum == killPartitions
	}
	first, says := begin()
	if !says.Scan() {
		t.Fatal("the first process holds nothing")
	}
	for _, signal := range []os.Signal{syscall.SIGSTOP, os.Kill} {
		second, says := begin()
		if !says.Scan() {
			t.Fatal("the second process holds nothing")
		}
		until(t, "both hold half", func() bool { return share(holders(t, conn), killPartitions/2) })
		first(signal)
		at := time.Now()
		until(t, "all partitions", func() bool {
			list := holders(t, conn)
			return len(list) == 1 && share(list, killPartitions)
		})
		took := time.Since(at)
		t.Logf("all partitions are held again after %v", took)
		if took > 10*time.Second {
			t.Errorf("partitions were without a worker for %v", took)
		}
		if signal == syscall.SIGSTOP {
			first(syscall.SIGCONT)
			until(t, "both hold half again", func() bool { return share(holders(t, conn), killPartitions/2) })
			first(os.Kill)
		}
		first = second
	}
	first(os.Kill)
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: killPartitions})
	exact(t, d, dsn, killPartitions)
}

// TestIdleKeeper has a keeper live that takes no partitions: others share them as if it were not there, and it is known to live until it ends.
func TestIdleKeeper(t *testing.T) {
	const partitions = 4
	dsn := pgtest.Shared(t).Database(t)
	db := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
	if n, err := postgres.Live(t.Context(), postgres.Options{DSN: dsn, Partitions: partitions, Log: slog.New(slog.DiscardHandler), Now: time.Now}); n != 0 || err != nil {
		t.Errorf("%d processes live before any does, %v", n, err)
	}
	idle := db.Keep(postgres.KeeperOptions{TTL: time.Second, Every: 50 * time.Millisecond, Idle: true})
	busy := db.Keep(postgres.KeeperOptions{TTL: time.Second, Every: 50 * time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	lives := make(chan struct{})
	go func() { defer close(lives); idle.Live(ctx) }()
	lived := func(want bool) func() bool {
		return func() bool {
			got, err := db.Lives(t.Context(), idle.Name())
			n, lerr := postgres.Live(t.Context(), postgres.Options{DSN: dsn, Partitions: partitions, Log: slog.New(slog.DiscardHandler), Now: time.Now})
			return err == nil && lerr == nil && got == want && (n > 0 || !want)
		}
	}
	until(t, "the idle keeper lives", lived(true))
	var held atomic.Int64
	working, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	go func() {
		ended <- busy.Run(working, func(ctx context.Context, w *postgres.Worker) error {
			held.Store(int64(len(w.Leases())))
			<-ctx.Done()
			return nil
		})
	}()
	until(t, "the other keeper holds everything", func() bool { return held.Load() == partitions })
	time.Sleep(500 * time.Millisecond) // it keeps it
	if held.Load() != partitions {
		t.Errorf("%d partitions are held", held.Load())
	}
	stop()
	<-lives
	until(t, "the idle keeper has ended", lived(false))
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestAlone has a keeper come that holds all partitions, among others with work: they hold none for as long as it lives, and project nothing. It ends, and another
// one dies.
func TestAlone(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	conn := connect(t, dsn)
	const partitions = 9
	var wg sync.WaitGroup
	start := func(alone, works bool) (name string, stop, kill func()) {
		d := openWith(t, postgres.Options{DSN: dsn, Partitions: partitions})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		k := d.Keep(postgres.KeeperOptions{TTL: 2 * time.Second, Every: 20 * time.Millisecond, Alone: alone})
		wg.Go(func() {
			defer close(ended)
			err := k.Run(ctx, func(ctx context.Context, w *postgres.Worker) error {
				if works {
					return forever(ctx, d, w)
				}
				<-ctx.Done()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		stop = func() { cancel(); <-ended }
		kill = func() { // it has no database any more, so that it can tell nobody
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			stop()
		}
		return k.Name(), stop, kill
	}
	has := func(names ...string) func() bool {
		return func() bool {
			sum, list := 0, holders(t, conn)
			for _, name := range names {
				sum += list[name]
			}
			return sum == partitions && len(list) == len(names)
		}
	}
	total := func() (n int64) {
		t.Helper()
		if err := query(t, dsn, &n, "SELECT sum(watermark)::bigint FROM quipu_state.partitions"); err != nil {
			t.Fatal(err)
		}
		return n
	}
	stays := func(what string, name string) {
		t.Helper()
		until(t, what, has(name))
		before := total()
		for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if !has(name)() {
				t.Fatalf("%s: partitions are held by %v", what, holders(t, conn))
			}
		}
		if after := total(); after != before {
			t.Errorf("%s: %d records were projected", what, after-before)
		}
	}
	goesOn := func(what string) {
		t.Helper()
		before := total()
		until(t, what, func() bool { return total() > before })
	}
	first, stopFirst, _ := start(false, true)
	second, stopSecond, _ := start(false, true)
	until(t, "two keepers", has(first, second))
	goesOn("two keepers")

	alone, stopAlone, _ := start(true, false)
	stays("all are held by one", alone)
	again, _, killAgain := start(true, false)
	stays("all are held by the first of two", alone)
	third, stopThird, _ := start(false, true)
	stays("a keeper that came later", alone)
	stopAlone()
	stays("all are held by the second, when the first has ended", again)
	at := time.Now()
	killAgain()
	until(t, "the others hold them, when the second is dead", has(first, second, third))
	if took := time.Since(at); took < time.Second {
		t.Errorf("the keeper was not dead, but has ended: %v", took)
	}
	goesOn("three keepers")

	last, stopLast, _ := start(true, false)
	stays("all are held by the last", last)
	at = time.Now()
	stopLast()
	until(t, "the others hold them at once", has(first, second, third))
	if took := time.Since(at); took > 1500*time.Millisecond {
		t.Errorf("partitions of a keeper that has ended were without a worker for %v", took)
	}
	for _, stop := range []func(){stopFirst, stopSecond, stopThird} {
		stop()
	}
	wg.Wait()
	exact(t, openWith(t, postgres.Options{DSN: dsn, Partitions: partitions}), dsn, partitions)
}
