package pipeline_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/store/outbox"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block/blocktest"
	statestore "quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// stateVariable, where it is "postgres", has every test keep the state in PostgreSQL, as those of onPostgres do anyway. It is no flag, because go test
// caches no result of a run with flags of a package's own; and it is read in a test, because what is read before is not part of the cache's key.
const stateVariable = "QUIPU_TEST_STATE"

func TestMain(m *testing.M) { pgtest.Main(m) }

// databases are the addresses of the databases that hold the state of disks.
var databases sync.Map // vfs.FS → string

// onPostgres has worlds on a disk keep their state in a database.
func onPostgres(tb testing.TB, fs *vfs.MemFS) *vfs.MemFS {
	tb.Helper()
	databases.Store(vfs.FS(fs), pgtest.Shared(tb).Database(tb))
	return fs
}

// databaseOf returns the address of the database that holds the state of a disk; false = the state is on it.
func databaseOf(tb testing.TB, fs vfs.FS) (string, bool) {
	tb.Helper()
	dsn, ok := databases.Load(fs)
	if !ok && os.Getenv(stateVariable) != "postgres" {
		return "", false
	}
	if !ok {
		dsn, _ = databases.LoadOrStore(fs, pgtest.Shared(tb).Database(tb))
	}
	return dsn.(string), true // nothing else is stored
}

// sameDatabase has worlds on a disk find the state of those on another.
func sameDatabase(fs, other vfs.FS) {
	if dsn, ok := databases.Load(other); ok {
		databases.Store(fs, dsn)
	}
}

// crashClone returns a disk as it is after a crash at this moment. Where the state is in a database, whose server does not crash, the worlds
// that hold partitions lose them: what they still send is refused.
func crashClone(fs *vfs.MemFS) *vfs.MemFS {
	if dsn, ok := databases.Load(vfs.FS(fs)); ok {
		if err := takeOver(context.Background(), dsn.(string)); err != nil { // nothing else is stored
			panic(err)
		}
	}
	clone := fs.CrashClone(vfs.CrashCloneCfg{})
	sameDatabase(clone, fs)
	return clone
}

// takeOver takes all partitions from their holders.
func takeOver(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "UPDATE quipu_state.partitions SET epoch = epoch + 1, holder = '', until = '-infinity'")
	return errors.Join(err, conn.Close(ctx))
}

// TestModelOnPostgreSQL is TestModel with the state in PostgreSQL.
func TestModelOnPostgreSQL(t *testing.T) {
	t.Parallel()
	testModel(t, onPostgres(t, vfs.NewMem()))
}

// TestModelOfPartitionsOnPostgreSQL is TestModelOfPartitions with the state in PostgreSQL.
func TestModelOfPartitionsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	testModelOfPartitions(t, onPostgres(t, vfs.NewMem()))
}

// TestCrashOnPostgreSQL is TestCrash with the state in PostgreSQL: a world that crashes loses its partitions.
func TestCrashOnPostgreSQL(t *testing.T) {
	t.Parallel()
	testCrash(t, func(t *testing.T, fs *vfs.MemFS) *vfs.MemFS { t.Helper(); return onPostgres(t, fs) })
}

// TestSameOnPostgreSQL compares all that random traffic leaves in both engines: profiles, numbers, merges, schema, cells, rows.
func TestSameOnPostgreSQL(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	records := traffic(rand.New(rand.NewPCG(seed, 9)), 300, true)
	want := project(t, records, 20_000)
	for _, n := range []int{3, 20_000} {
		got := projectOn(t, onPostgres(t, vfs.NewMem()), records, func(o *pipeline.Options) { o.BatchRecords = n })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("batches of %d records (-Pebble +PostgreSQL):\n%s", n, diff)
		}
	}
}

// partitionsOf returns how many partitions the journal has that a test puts into the options.
func partitionsOf(change func(*pipeline.Options)) int {
	var o pipeline.Options
	if change != nil {
		change(&o)
	}
	if j, ok := o.Journal.(interface{ Partitions() int }); ok {
		return j.Partitions()
	}
	return 1
}

// clustered is a worker with its outbox.
type clustered struct{ *postgres.Worker }

func (c clustered) Outbox() outbox.Store { return c.Worker }

// openPostgres takes all partitions of a database.
func (w *world) openPostgres(tb testing.TB, dsn string, partitions int) {
	tb.Helper()
	ctx := tb.Context()
	db, err := postgres.Open(ctx, postgres.Options{DSN: dsn, Partitions: partitions, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		tb.Fatal(err)
	}
	if err := takeOver(ctx, dsn); err != nil {
		tb.Fatal(err)
	}
	leases, err := db.Claim(ctx, "world", partitions, time.Hour)
	if err != nil {
		tb.Fatal(err)
	}
	worker, err := db.Worker(ctx, leases, postgres.WorkerOptions{CacheProfiles: 20})
	if err != nil {
		tb.Fatal(err)
	}
	cells, err := blocktest.New(w.db)
	if err != nil {
		tb.Fatal(err)
	}
	w.moving = &mover{db: db, cells: worker.MoveCells(cells)}
	w.profiles, w.schema, w.store = worker.Profiles(), worker.Schema(), clustered{worker}
	w.aliases = moved{w.profiles, w.moving}
}

// embeddedOnly skips a test that reaches into the embedded engine.
func (w *world) embeddedOnly(t *testing.T) {
	t.Helper()
	if w.moving != nil {
		w.close(t)
		t.Skip("this test is of the embedded engine")
	}
}

// mover moves cells all the time. A nil mover does nothing.
type mover struct {
	db    *postgres.DB
	cells *postgres.CellMover
	wait  sync.WaitGroup
	stop  context.CancelFunc
}

func (m *mover) start(ctx context.Context) {
	if m == nil {
		return
	}
	ctx, m.stop = context.WithCancel(ctx)
	m.wait.Go(func() {
		for err := error(nil); !errors.Is(err, statestore.ErrLost); err = m.cells.Drain(ctx) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	})
}

func (m *mover) drain(tb testing.TB) {
	tb.Helper()
	if m == nil {
		return
	}
	if err := m.cells.Drain(tb.Context()); err != nil {
		tb.Fatal(err)
	}
}

func (m *mover) close(tb testing.TB) {
	tb.Helper()
	if m == nil {
		return
	}
	if m.stop != nil {
		m.stop()
		m.wait.Wait()
	}
	if err := m.db.Close(); err != nil {
		tb.Error(err)
	}
}

// moved are merges for readers of cells: what was committed before they were read is in the cells when they are.
type moved struct {
	rollup.AliasSource
	mover *mover
}

func (m moved) Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error) {
	aliases, err := m.AliasSource.Aliases(ctx, app)
	if err != nil {
		return nil, err
	}
	return aliases, m.mover.cells.Drain(ctx)
}
