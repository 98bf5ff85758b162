// Package duck is the event store in one DuckDB file, for a server without a
// cluster. docs/format/events.md describes its tables and why they are so.
//
// One connection writes, a few others read. Batches, removals and checkpoints
// take turns; reads run beside all of them, each on the state between two
// batches. DuckDB's own automatic checkpoint is off: the store starts one behind
// a commit when the write-ahead log has grown, so that the commit
// itself does not wait for it.
package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/sqlplan"
	"quipu/internal/store/journal"
)

// Errors of Open and of all other calls, to be found with errors.Is.
var (
	// ErrLocked says that another process has the file open.
	ErrLocked = errors.New("events: the file is in use by another process")
	// ErrCorrupt says that the file or its log is damaged or no DuckDB database.
	ErrCorrupt = errors.New("events: the file is damaged")
	// ErrFormat says that a newer version of the server wrote the file.
	ErrFormat = errors.New("the event store was written by a newer version of quipu")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("events: store is closed")
)

// Options of Open.
type Options struct {
	// Path of the database file; the log lies beside it with the suffix ".wal", what
	// does not fit into memory in a folder with the suffix ".tmp".
	Path string
	// MemoryLimit bounds what DuckDB takes, bytes; 0 = 512 MiB, at least 64 MiB.
	MemoryLimit int64
	// SpillBytes bounds what does not fit into memory and is written to the disk meanwhile, bytes: a read that needs more is events.ErrMemory.
	// 0 = DuckDB's default, nine tenths of the free disk.
	SpillBytes int64
	// Threads is the number of DuckDB's threads for all calls together; 0 = half the number of processors.
	Threads int
	// CheckpointBytes is the size of the log that starts a checkpoint; 0 = 32 MiB.
	CheckpointBytes int64
	// Readers is the number of reads at a time, others wait; 0 = 4.
	Readers int
	// ReadTimeout is the time budget of one statement of a read; 0 = events.ReadTimeout.
	ReadTimeout time.Duration
	// OwnRows is the number of rows of one kind with which an app gets tables of its own; 0 = 32,768.
	OwnRows int64
	// Held is the watermark up to which the state counts on the event store; nobody
	// else has these rows. With it, a log that is damaged
	// behind that point, as a power cut leaves it, is cut off there. Without it any damage
	// is ErrCorrupt.
	Held journal.Watermark
	// Logger is notified of checkpoints that fail and the like; nil = nobody.
	Logger *slog.Logger
}

func (o *Options) check() error {
	var errs []error
	if o.Path == "" {
		errs = append(errs, errors.New("path is missing"))
	}
	if strings.ContainsAny(o.Path, "?%#") {
		errs = append(errs, fmt.Errorf("path %q contains ?, %% or #, which the driver does not support", o.Path))
	}
	if o.MemoryLimit != 0 && o.MemoryLimit < 64<<20 {
		errs = append(errs, fmt.Errorf("memory limit of %d bytes is below 64 MiB", o.MemoryLimit))
	}
	if o.Threads < 0 || o.SpillBytes < 0 || o.CheckpointBytes < 0 || o.Readers < 0 || o.ReadTimeout < 0 || o.OwnRows < 0 {
		errs = append(errs, errors.New("threads, spill bytes, checkpoint bytes, readers, read timeout and own rows must not be negative"))
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = 512 << 20
	}
	if o.Threads == 0 {
		o.Threads = max(1, runtime.GOMAXPROCS(0)/2) // who waits for another thread of DuckDB does so without rest
	}
	if o.CheckpointBytes == 0 {
		o.CheckpointBytes = 32 << 20
	}
	if o.Readers == 0 {
		o.Readers = 4
	}
	if o.OwnRows == 0 {
		o.OwnRows = 32_768
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = events.ReadTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("event store options: %w", err)
	}
	return nil
}

// dsn names the file and the settings that hold from the first moment.
func (o *Options) dsn() string {
	v := url.Values{}
	v.Set("default_block_size", strconv.Itoa(blockSize))
	v.Set("storage_compatibility_version", storageVersion)
	v.Set("memory_limit", strconv.FormatInt(o.MemoryLimit, 10)+"B")
	v.Set("allocator_flush_threshold", "8MiB")
	v.Set("allocator_bulk_deallocation_flush_threshold", "16MiB")
	v.Set("allocator_background_threads", "true") // free memory goes back without waiting for the next statement
	v.Set("checkpoint_threshold", "1TB")          // never by itself, see maybeCheckpoint
	v.Set("autoinstall_known_extensions", "false")
	v.Set("autoload_known_extensions", "false")
	v.Set("threads", strconv.Itoa(o.Threads))
	return o.Path + "?" + v.Encode()
}

// Properties of a new file; docs/format/events.md has the measurements.
const (
	blockSize      = 64 << 10
	storageVersion = "v1.5.0"
)

// Store is the event store. It implements events.Writer, whose calls take
// turns, and events.Reader.
type Store struct {
	opt Options
	log *slog.Logger

	// turn is held by anyone who writes or checkpoints. It is taken before life.
	turn sync.Mutex
	// own is the committed watermark, floors what was committed of a batch that was
	// split, lastUID the largest number that may stand in the users table of an app that has its own. extents are
	// those of the other apps by their numbers, nil = not yet measured; lastNumber is the last one given, and
	// retired says that shared tables hold rows of apps that have left them. All are
	// read again from the file when stale is set. Guarded by turn.
	own        journal.Watermark
	floors     map[model.AppID]journal.Watermark
	lastUID    map[model.AppID]uint32
	extents    map[uint32]extent
	lastNumber uint32
	retired    bool
	stale      bool
	held       int // copies that are being made, see Hold
	// named says that the name of the log is durable; a checkpoint removes the log. Guarded by turn.
	named bool
	// touched are the tables that got rows since the last checkpoint, with what they
	// take of DuckDB's memory. Guarded by turn.
	touched map[string]int64

	// runs has reads take turns when memory is short. isAlone is set while a write runs alone in it; guarded by turn.
	runs    runs
	isAlone bool

	// apps are the apps with tables or a number in shared ones; it is replaced, never changed. Readers load
	// it with life held.
	apps atomic.Pointer[places]

	// life is held for reading by every read, and for writing while the database
	// is opened or closed.
	life sync.RWMutex
	db   *database // nil when closed

	checkpoints   sync.WaitGroup
	checkpointing atomic.Bool
	// unwell is set while checkpoints fail, so that it is logged once.
	unwell atomic.Bool

	// fault, set by tests only, is asked at the named points of a commit.
	fault func(point string) error
}

var (
	_ events.Writer = (*Store)(nil)
	_ events.Reader = (*Store)(nil)
)

// database is an open file.
type database struct {
	connector *duckdb.Connector
	readers   *sql.DB
	writers   *sql.DB // its only connection is writer
	writer    *sql.Conn
	watcher   *sql.DB // looks at the memory
}

// shared lets two pools use one connector, which neither closes.
type shared struct{ driver.Connector }

// Open opens the store, making the file when there is none. Errors: ErrLocked,
// ErrCorrupt, ErrFormat.
func Open(ctx context.Context, opt Options) (*Store, error) {
	s, err := newStore(opt)
	if err != nil {
		return nil, err
	}
	err = s.load(ctx)
	if errors.Is(err, ErrCorrupt) && opt.Held != nil {
		err = s.cutLog(ctx, err)
	}
	if err == nil {
		if err = s.arrange(ctx); err != nil {
			err = errors.Join(err, s.db.close())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open event store: %w", err)
	}
	return s, nil
}

// arrange brings what older versions wrote, or what has become small since, into the present form. The caller is alone.
func (s *Store) arrange(ctx context.Context) error {
	if err := s.addWide(ctx); err != nil {
		return classify(err)
	}
	return s.gather(ctx)
}

func newStore(opt Options) (*Store, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	s := &Store{opt: opt, log: opt.Logger, stale: true, touched: map[string]int64{}}
	s.apps.Store(&places{})
	return s, nil
}

// load opens the file and reads what the store keeps in memory. The caller
// is alone.
func (s *Store) load(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		return err
	}
	err := s.refresh(ctx)
	if err == nil {
		err = s.addColumns(ctx)
	}
	if err := classify(err); err != nil {
		err = errors.Join(err, s.db.close())
		s.db = nil
		return err
	}
	return nil
}

// addColumns adds the columns that files of older versions lack: dimensions that came since. Users have NULL there until
// they are written again; states are written again with what their JSON holds. The caller is alone.
func (s *Store) addColumns(ctx context.Context) error {
	has := map[string]map[string]bool{}
	var table, name string
	const statement = "SELECT table_name, column_name FROM duckdb_columns() WHERE table_name IN ('users', 'states') OR starts_with(table_name, 'u_') OR starts_with(table_name, 'st_')"
	err := each(ctx, s.db.writer, statement, nil, func(r events.Scanner) error {
		if err := r.Scan(&table, &name); err != nil {
			return err
		}
		if has[table] == nil {
			has[table] = map[string]bool{}
		}
		has[table][name] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("list columns of users and states: %w", err)
	}
	added := false
	for table, columns := range has {
		add := s.addUserColumns
		if table == sharedTables.states || strings.HasPrefix(table, "st_") {
			add = s.addStateColumns
		}
		some, err := add(ctx, table, columns)
		if err != nil {
			return err
		}
		added = added || some
	}
	if !added {
		return nil
	}
	return s.checkpoint(ctx)
}

// addUserColumns adds the columns that a table of users lacks; false = none.
func (s *Store) addUserColumns(ctx context.Context, table string, has map[string]bool) (added bool, err error) {
	for _, c := range userColumns {
		if has[c.name] {
			continue
		}
		if err := s.db.exec(ctx, "ALTER TABLE "+table+" ADD COLUMN IF NOT EXISTS "+quote(c.name)+" "+c.typ); err != nil {
			return added, fmt.Errorf("add column %s to %s: %w", c.name, table, err)
		}
		added = true
	}
	return added, nil
}

// addStateColumns writes a table of states again with the columns that it lacks; false = none. It happens as a whole or not at all.
func (s *Store) addStateColumns(ctx context.Context, table string, has map[string]bool) (added bool, err error) {
	columns := []string{"*"}
	for _, c := range storedStateColumns {
		if !has[c.name] {
			value := "json_extract(props, '/" + upPrefix + c.name + "')"
			columns = append(columns, "CASE WHEN json_type("+value+") = 'VARCHAR' THEN "+value+" ->> '$' END AS "+quote(c.name))
		}
	}
	if len(columns) == 1 {
		return false, nil
	}
	s.log.InfoContext(ctx, "event store gives user states columns for dimensions", "table", table, "columns", len(columns)-1)
	statements := []string{
		"BEGIN", "CREATE TABLE widened AS SELECT " + strings.Join(columns, ", ") + " FROM " + table, "DROP TABLE " + table, "ALTER TABLE widened RENAME TO " + table, "COMMIT",
	}
	for _, statement := range statements {
		if err := s.db.exec(ctx, statement); err != nil {
			return false, errors.Join(fmt.Errorf("add columns to %s: %w", table, err), s.db.exec(context.WithoutCancel(ctx), "ROLLBACK"))
		}
	}
	return true, nil
}

// open sets db. The caller holds turn and life, or is alone.
func (s *Store) open(ctx context.Context) error {
	if err := s.cutTorn(ctx); err != nil {
		return err
	}
	connector, err := duckdb.NewConnector(s.opt.dsn(), nil)
	if err != nil {
		return classify(err)
	}
	db := &database{connector: connector}
	db.readers = sql.OpenDB(shared{connector})
	db.readers.SetMaxOpenConns(s.opt.Readers)
	db.readers.SetMaxIdleConns(s.opt.Readers)
	db.writers = sql.OpenDB(shared{connector})
	db.writers.SetMaxOpenConns(1)
	db.watcher = sql.OpenDB(shared{connector})
	db.watcher.SetMaxOpenConns(1)
	err = db.prepare(ctx)
	if err == nil && s.opt.SpillBytes > 0 { // among the options of opening it has no effect
		err = db.exec(ctx, fmt.Sprintf("SET GLOBAL max_temp_directory_size='%dB'", s.opt.SpillBytes))
	}
	if err != nil {
		return errors.Join(classify(err), db.close())
	}
	s.db = db
	return nil
}

// prepare checks the format and makes the global tables.
func (db *database) prepare(ctx context.Context) (err error) {
	if db.writer, err = db.writers.Conn(ctx); err != nil {
		return err
	}
	if err := db.exec(ctx, globalTables); err != nil {
		return err
	}
	var version, last sql.NullInt64
	if err := db.writer.QueryRowContext(ctx, "SELECT (SELECT max(version) FROM format), (SELECT max(last) FROM numbers)").Scan(&version, &last); err != nil {
		return err
	}
	if version.Valid && (version.Int64 < 1 || version.Int64 > FormatVersion) {
		return fmt.Errorf("%w: %d, want %d", ErrFormat, version.Int64, FormatVersion)
	}
	if !last.Valid {
		if err := db.exec(ctx, "INSERT INTO numbers VALUES (0)"); err != nil {
			return err
		}
	}
	switch {
	case !version.Valid:
		err = db.exec(ctx, "INSERT INTO format VALUES (?)", FormatVersion)
	case version.Int64 < FormatVersion: // the tables that it did not have are there now
		err = db.exec(ctx, "UPDATE format SET version = ?", FormatVersion)
	}
	if err != nil {
		return err
	}
	// What a commit left behind that failed must not reach the file: Close writes the last checkpoint.
	if err := db.exec(ctx, "PRAGMA disable_checkpoint_on_shutdown"); err != nil {
		return err
	}
	// It orders row groups for a LIMIT by what they held before a checkpoint that goes on beside, and then finds fewer rows, or none.
	if err := db.exec(ctx, "SET GLOBAL disabled_optimizers='row_group_pruner'"); err != nil {
		return err
	}
	// No statement may read or write other files from here on.
	return db.exec(ctx, "SET GLOBAL enable_external_access=false")
}

// exec runs a statement of the writer.
func (db *database) exec(ctx context.Context, statement string, args ...any) error {
	_, err := db.writer.ExecContext(ctx, statement, args...)
	return err
}

func (db *database) close() error {
	var errs []error
	if db.writer != nil {
		errs = append(errs, db.writer.Close())
	}
	errs = append(errs, db.writers.Close(), db.readers.Close(), db.watcher.Close(), db.connector.Close())
	return errors.Join(errs...)
}

// refresh reads what the store keeps in memory. The caller holds turn.
func (s *Store) refresh(ctx context.Context) error {
	if !s.stale {
		return nil
	}
	own, floors, apps := journal.Watermark{}, map[model.AppID]journal.Watermark{}, places{}
	var (
		part uint16
		off  uint64
		name string
	)
	err := each(ctx, s.db.writer, "SELECT part, off FROM watermark", nil, func(r events.Scanner) error {
		if err := r.Scan(&part, &off); err != nil {
			return err
		}
		own[part] = max(own[part], off)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read watermark: %w", err)
	}
	err = each(ctx, s.db.writer, "SELECT app, part, off FROM progress", nil, func(r events.Scanner) error {
		if err := r.Scan(&name, &part, &off); err != nil {
			return err
		}
		id, err := model.ParseID(name)
		if err != nil {
			return err
		}
		if floors[id] == nil {
			floors[id] = journal.Watermark{}
		}
		floors[id][part] = max(floors[id][part], off)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read progress: %w", err)
	}
	if err := s.findApps(ctx, apps); err != nil {
		return err
	}
	var last, retired int64
	err = s.db.writer.QueryRowContext(ctx, "SELECT (SELECT max(last) FROM numbers), (SELECT count(*) FROM retired)").Scan(&last, &retired)
	if err != nil {
		return fmt.Errorf("read numbers of apps: %w", err)
	}
	s.own, s.floors, s.lastUID, s.extents = own, floors, map[model.AppID]uint32{}, nil
	s.lastNumber, s.retired = uint32(last), retired > 0 // the column's type
	s.apps.Store(&apps)
	s.stale = false
	return nil
}

// findApps lists the apps that have tables, and those that share some.
func (s *Store) findApps(ctx context.Context, apps places) error {
	statement := "SELECT app, number, '', FALSE FROM apps UNION ALL SELECT table_name[3:], 0, column_name, starts_with(table_name, '" + widePrefix +
		"') FROM duckdb_columns() WHERE starts_with(table_name, '" + eventsPrefix + "') OR starts_with(table_name, '" + widePrefix + "')"
	err := each(ctx, s.db.writer, statement, nil, func(r events.Scanner) error {
		var (
			name, column string
			number       uint32
			wide         bool
		)
		if err := r.Scan(&name, &number, &column, &wide); err != nil {
			return err
		}
		id, err := model.ParseID(name)
		if err != nil {
			return fmt.Errorf("app %q: %w", name, err)
		}
		slots := columnsFor{narrow: slotsByColumn[column]}
		if wide {
			slots = columnsFor{wide: slotsByColumn[column]}
		}
		apps[id] = home{number: number, slots: apps[id].slots.or(slots)}
		return nil
	})
	if err != nil {
		return fmt.Errorf("list apps: %w", err)
	}
	return nil
}

// How often Close tries a checkpoint that a transaction keeps it from, and the pause before the next try.
const (
	closeTries = 100
	closePause = 20 * time.Millisecond
)

// How often a checkpoint that runs alone is tried again when a transaction keeps it back, as that of a read that is just being given up,
// and the pause before each.
const (
	checkpointTries = 20
	checkpointPause = 5 * time.Millisecond
)

// Close waits for reads, writes a checkpoint and closes the file. When a transaction keeps it from the checkpoint for more
// than 2 s, it closes without one: what is in the log is there again after the next Open. Calls that come later give
// ErrClosed.
func (s *Store) Close() error {
	defer s.checkpoints.Wait() // one that comes late finds the store closed
	s.turn.Lock()
	defer s.turn.Unlock()
	s.life.Lock()
	defer s.life.Unlock()
	if s.db == nil {
		return nil
	}
	err := errors.Join(s.lastCheckpoint(), s.db.close())
	s.db = nil
	if err != nil {
		return fmt.Errorf("close event store: %w", err)
	}
	return nil
}

// lastCheckpoint writes the checkpoint of Close. With the readers' connections it ends what is still open on them; the
// file stays as it is when it gives up. The caller holds turn and life.
func (s *Store) lastCheckpoint() error {
	err := s.db.readers.Close()
	pause := time.NewTicker(closePause)
	defer pause.Stop()
	for n := 1; ; n++ {
		failed := s.db.exec(context.Background(), "CHECKPOINT")
		if !inTransaction(failed) {
			return errors.Join(err, classify(failed))
		}
		if n == closeTries {
			s.log.Debug("event store is closed without a checkpoint", "error", failed)
			return err
		}
		<-pause.C
	}
}

// Checkpoint moves what is in the log to the file, compressed, and frees the
// memory it took. Batches wait meanwhile.
func (s *Store) Checkpoint(ctx context.Context) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	return s.checkpoint(ctx)
}

// restLog is how long the log may be at rest, bytes.
const restLog = 1 << 20

// Rest is Checkpoint for a store that is hardly written to: it does nothing while the log is short, and leaves a file alone that is being copied.
func (s *Store) Rest(ctx context.Context) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	switch {
	case s.db == nil:
		return ErrClosed
	case s.held > 0 || s.logSize() < restLog:
		return nil
	}
	return s.checkpoint(ctx)
}

// checkpoint does the work of Checkpoint, with a reserve of memory that reads leave it. A database that it takes out of
// service all the same is opened again, and it runs again alone. The caller holds turn, but not life.
func (s *Store) checkpoint(ctx context.Context) error {
	run := func() error {
		err := s.guarded(ctx, s.opt.reserve(), func() error { return s.checkpointNow(ctx) })
		for n := 0; s.isAlone && inTransaction(err) && n < checkpointTries; n++ {
			<-time.After(checkpointPause)
			err = s.checkpointNow(ctx)
		}
		if outOfService(err) {
			return errors.Join(err, s.reopen(context.WithoutCancel(ctx), err))
		}
		return err
	}
	failed := run()
	if outOfService(failed) || errors.Is(failed, events.ErrMemory) {
		return s.writeAlone(ctx, run)
	}
	return failed
}

// checkpointNow writes a checkpoint beside whatever runs. The caller holds turn.
func (s *Store) checkpointNow(ctx context.Context) error {
	if s.held > 0 {
		return ErrHeld
	}
	if err := s.at("checkpoint"); err != nil {
		return err
	}
	s.named = false
	if err := classify(s.db.exec(ctx, "CHECKPOINT")); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	clear(s.touched)
	return nil
}

// fills returns the tables that a batch adds rows to, with what each takes of
// DuckDB's memory from its first row until the next checkpoint: for each column a
// block of values and one that tells NULLs.
func fills(names tables, b *events.AppBatch) map[string]int64 {
	out := make(map[string]int64, 4)
	fill := func(table string, rows, columns int) {
		if rows > 0 {
			out[table] = int64(columns+1) * 2 * blockSize
		}
	}
	for _, table := range names.ofEvents() {
		fill(table, b.CountRows(), len(eventColumns))
	}
	fill(names.requests, len(b.Requests), len(requestColumns))
	fill(names.states, len(b.States), len(storedStateColumns))
	fill(names.users, len(b.Users), len(userColumns))
	return out
}

// fit returns how many of the apps fit into half of the memory, beside what is
// there since the last checkpoint. The other half is for reads and for the transaction. One
// app alone always fits.
func (s *Store) fit(ids []model.AppID, b placed) int {
	var held int64
	for _, bytes := range s.touched {
		held += bytes
	}
	seen := map[string]bool{}
	for i, id := range ids {
		for table, bytes := range fills(b.tables(id), b.Apps[id]) {
			if _, ok := s.touched[table]; !ok && !seen[table] {
				seen[table] = true
				held += bytes
			}
		}
		if held > s.opt.MemoryLimit/2 && (i > 0 || len(s.touched) > 0) {
			return i
		}
	}
	return len(ids)
}

// logSize returns the size of the log, bytes; 0 = there is none.
func (s *Store) logSize() int64 {
	st, err := os.Stat(s.opt.Path + ".wal")
	if err != nil {
		return 0
	}
	return st.Size()
}

// maybeCheckpoint starts a checkpoint when the log is long. The caller holds
// turn; the checkpoint begins when it lets go.
func (s *Store) maybeCheckpoint(ctx context.Context) {
	if size := s.logSize(); size == 0 || size < s.opt.CheckpointBytes || !s.checkpointing.CompareAndSwap(false, true) {
		return // without a log there is nothing to do
	}
	ctx = context.WithoutCancel(ctx)
	s.checkpoints.Go(func() {
		defer s.checkpointing.Store(false)
		err := s.Checkpoint(ctx)
		switch {
		case err == nil:
			s.unwell.Store(false)
		case errors.Is(err, ErrClosed), errors.Is(err, ErrHeld):
		case s.unwell.CompareAndSwap(false, true):
			s.log.WarnContext(ctx, "event store checkpoint does not succeed, will be tried again", "error", err)
		}
	})
}

// classify makes an error of DuckDB one of this package's.
func classify(err error) error {
	if err == nil {
		return nil
	}
	var sentinel error
	msg := err.Error()
	switch {
	case strings.Contains(msg, sqlplan.TooMany):
		sentinel = events.ErrTooMany
	case strings.Contains(msg, "Could not set lock on file"):
		sentinel = ErrLocked
	case strings.Contains(msg, "not a valid DuckDB database file"),
		strings.Contains(msg, "Corrupt "),
		strings.Contains(msg, "corrupt WAL"),
		strings.Contains(msg, "Failure while replaying WAL"):
		sentinel = ErrCorrupt
	case strings.Contains(msg, "Out of Memory Error"),
		strings.Contains(msg, "could not allocate block"),
		strings.Contains(msg, "failed to allocate data"),
		strings.Contains(msg, "failed to pin block"):
		sentinel = events.ErrMemory
	default:
		return err
	}
	return fmt.Errorf("%w: %w", sentinel, err)
}

// because puts the error of a context that is done before what DuckDB made of
// it.
func because(ctx context.Context, err error) error {
	cause := ctx.Err()
	if err == nil || cause == nil || errors.Is(err, cause) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// invalidated reports whether the database must be opened again after an error of the writer: DuckDB takes
// itself out of service after an error that it cannot undo.
func invalidated(err error) bool {
	var de *duckdb.Error
	return outOfService(err) || errors.As(err, &de) && de.Type == duckdb.ErrorTypeInternal
}

// outOfService reports whether an error says that DuckDB took the database out of service.
func outOfService(err error) bool {
	var de *duckdb.Error
	return errors.As(err, &de) && de.Type == duckdb.ErrorTypeFatal || err != nil && strings.Contains(err.Error(), "database has been invalidated")
}
