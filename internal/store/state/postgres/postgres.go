// Package postgres keeps the state in PostgreSQL, version 13 or later: the engine of packages state, profile, schema, marks and outbox
// for clusters. A batch is one transaction that commits only while the worker holds the partition under the epoch in which it
// began; ADR 15 says why, docs/format/state-postgres.md draws the tables.
//
// A DB is a process's way to the database. Everybody reads through it; a Worker, made of leases of partitions, writes.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/fault"
	"quipu/internal/store/pg"
	schemastored "quipu/internal/store/schema/stored"
	"quipu/internal/store/state"
)

// Options say where the state is.
type Options struct {
	// DSN is the address of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full, or name=value
	// pairs as libpq has them. It is never logged.
	DSN string
	// Schema holds the tables; "" = "quipu_state". It is made when it is missing.
	Schema string
	// Partitions is how many the journal has. It is fixed when the tables are made.
	Partitions int
	Log        *slog.Logger
	Now        func() time.Time
	// Wait is how long Open tries to reach a server that does not answer yet; 0 = 15 s.
	Wait time.Duration
	// Patience is how long a read or a commit waits for a server that takes connections and does not answer; 0 = 30 s.
	Patience time.Duration
	// Age is how old the merges and the schema that readers see may be, beside what this process committed itself; 0 = 250 ms,
	// negative = readers ask each time.
	Age time.Duration
	// Dial makes connections; nil = a net.Dialer.
	Dial pg.Dial
}

const (
	defaultSchema   = "quipu_state"
	defaultWait     = 15 * time.Second
	defaultPatience = 30 * time.Second
	defaultAge      = 250 * time.Millisecond
	// clearing is how many times longer than others a commit may take that removes all of an app.
	clearing = 40
	// leastConns are one for a commit, one for leases, and some for reads.
	leastConns = 6
)

var schemaForm = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,40}$`)

// DB is a process's way to the state. It is safe for concurrent use.
type DB struct {
	o      Options
	pool   *pgxpool.Pool
	secret string // the password, which no error may hold
	codec  *schemastored.Codec

	profiles *Profiles
	schema   *Schema
	versions *versions

	closing context.Context // done when Close begins
	close   context.CancelFunc
	behind  sync.WaitGroup // what removes forgotten fingerprints
}

// Open connects to the database, and makes or migrates the tables, one process at a time. Faults: state.unavailable when the
// server cannot be reached, state.foreign when the schema has tables of another program, state.newer_format when a newer program made
// them, state.partitions when the journal has another number of partitions.
func Open(ctx context.Context, o Options) (_ *DB, err error) {
	cfg, err := o.check()
	if err != nil {
		return nil, fmt.Errorf("state options: %w", err)
	}
	d := &DB{o: o, secret: cfg.ConnConfig.Password}
	d.closing, d.close = context.WithCancel(context.WithoutCancel(ctx))
	if d.codec, err = schemastored.NewCodec(); err != nil {
		return nil, err
	}
	if d.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, fmt.Errorf("open state: %w", d.fault(ctx, err))
	}
	unreachable := func(err error) bool { return fault.CodeOf(err) == stateUnavailable }
	err = pg.Reach(ctx, o.Wait, unreachable, d.prepare, func(err error) {
		o.Log.InfoContext(ctx, "waiting for the state's database", slog.Any("error", err))
	})
	if err == nil {
		d.versions = &versions{db: d}
		if d.profiles, err = d.newProfiles(ctx, nil, 0, 1); err == nil {
			d.schema, err = d.newSchema(WorkerOptions{})
		}
	}
	if err != nil {
		d.pool.Close()
		return nil, fmt.Errorf("open state: %w", err)
	}
	d.profiles.fresh, d.schema.fresh = d.versions.look, d.versions.look
	o.Log.DebugContext(ctx, "state open", slog.String("host", cfg.ConnConfig.Host), slog.String("database", cfg.ConnConfig.Database), slog.String("schema", o.Schema))
	return d, nil
}

// check fills in defaults and reports every fault at once.
func (o *Options) check() (*pgxpool.Config, error) {
	if o.Schema == "" {
		o.Schema = defaultSchema
	}
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if o.Age == 0 {
		o.Age = defaultAge
	}
	var errs []error
	if o.Log == nil || o.Now == nil {
		errs = append(errs, errors.New("no logger or no clock"))
	}
	if o.Partitions < 1 || o.Partitions > 1<<16 {
		errs = append(errs, fmt.Errorf("%d partitions", o.Partitions))
	}
	if !schemaForm.MatchString(o.Schema) {
		errs = append(errs, fmt.Errorf("schema %q is not of lower-case letters, digits and underscores", o.Schema))
	}
	cfg, err := pg.Configure(o.DSN, o.Schema, leastConns, o.Dial)
	return cfg, errors.Join(append(errs, err)...)
}

// Close waits for what runs and closes the connections.
func (d *DB) Close() error {
	d.close()
	d.behind.Wait()
	d.pool.Close()
	return nil
}

// tables are those of the state.
func (d *DB) tables() *pg.Tables { return &pg.Tables{Schema: d.o.Schema, Steps: steps()} }

// Plan lists the steps that Open would do on the tables of a database, and does none.
func Plan(ctx context.Context, o Options) ([]pg.Step, error) {
	cfg, err := o.check()
	if err != nil {
		return nil, fmt.Errorf("state options: %w", err)
	}
	d := &DB{o: o, secret: cfg.ConnConfig.Password}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return nil, d.fault(ctx, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it has read only
	missing, err := d.tables().Plan(ctx, conn)
	if err != nil {
		return nil, d.fault(ctx, d.named(err))
	}
	return missing, nil
}

// Live returns how many processes live that have the state open as nodes, those without partitions included. Nothing is made or changed.
func Live(ctx context.Context, o Options) (n int, err error) {
	cfg, err := o.check()
	if err != nil {
		return 0, fmt.Errorf("state options: %w", err)
	}
	d := &DB{o: o, secret: cfg.ConnConfig.Password}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return 0, d.fault(ctx, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it has read only
	err = conn.QueryRow(ctx, "SELECT count(*) FROM workers WHERE until >= clock_timestamp()").Scan(&n)
	return n, d.fault(ctx, err)
}

// prepare makes or migrates the tables, one process at a time.
func (d *DB) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	lock := strconv.FormatInt(pg.LockKey("quipu state "+d.o.Schema), 10)
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(" + lock + ")"})
	if err != nil {
		return d.fault(ctx, err)
	}
	defer d.rollback(ctx, tx)
	if err := d.tables().Migrate(ctx, tx); err != nil {
		return d.fault(ctx, d.named(err))
	}
	if err := d.makePartitions(ctx, tx); err != nil {
		return d.fault(ctx, err)
	}
	return d.fault(ctx, tx.Commit(ctx))
}

// makePartitions makes the rows of the partitions, once.
func (d *DB) makePartitions(ctx context.Context, tx pgx.Tx) error {
	var n int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM partitions").Scan(&n); err != nil {
		return err
	}
	switch n {
	case d.o.Partitions:
		return nil
	case 0:
		_, err := tx.Exec(ctx, "INSERT INTO partitions (partition) SELECT generate_series(0, $1::integer - 1)", d.o.Partitions)
		return err
	}
	return fault.Newf(fault.Internal, "state.partitions", "The state has %d partitions, the journal has %d", n, d.o.Partitions)
}

func (d *DB) rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
	defer cancel()
	_ = tx.Rollback(ctx) // after Commit this does nothing
}

const stateUnavailable = "state.unavailable"

// named gives faults of the tables their codes.
func (d *DB) named(err error) error {
	newer, isNewer := errors.AsType[pg.NewerError](err)
	switch {
	case errors.Is(err, pg.ErrForeign):
		return fault.Newf(fault.Internal, "state.foreign", "The schema %s has tables of another program", d.o.Schema)
	case isNewer:
		return fault.Newf(fault.Internal, "state.newer_format",
			"The tables of the state have format %d, this version supports up to %d: they were created by a newer version", newer.Have, newer.Know)
	}
	return err
}

// fault gives errors of the server and of its connections the faults that callers know. nil and faults pass.
func (d *DB) fault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok && pe.Code == codeLost {
		return fmt.Errorf("%w: %w", state.ErrLost, err)
	}
	if cause := ctx.Err(); cause != nil && !errors.Is(err, cause) {
		err = errors.Join(cause, err)
	}
	err = pg.Redact(err, d.secret)
	switch pg.TroubleOf(err) {
	case pg.Unreachable:
		return fault.Wrap(err, fault.Unavailable, stateUnavailable, "The database of the state cannot be reached")
	case pg.Unusable:
		return fault.Wrap(err, fault.Unavailable, stateUnavailable, "The database of the state cannot be used at present")
	case pg.Full:
		return fault.Wrap(err, fault.Unavailable, "state.full", "The disk of the state's database is full")
	case pg.Busy:
		return fault.Wrap(err, fault.Unavailable, "state.busy", "The database of the state is in use")
	case pg.Corrupt:
		return fault.Wrap(err, fault.Internal, "state.corrupt", "The database of the state is damaged")
	case pg.Other:
	}
	return err
}

// read calls fn with what reads, and again when a connection turns out to be gone, for as long as a read may take.
func (d *DB) read(ctx context.Context, fn func(context.Context, *pgxpool.Pool) error) error {
	limited, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	err := pg.Again(limited, func() error { return fn(limited, d.pool) })
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(pg.Redact(err, d.secret), fault.Unavailable, stateUnavailable, "The database of the state does not answer")
	}
	return d.fault(ctx, err)
}

// each reads rows and calls fn for each. It is not tried again once fn was called.
func (d *DB) each(ctx context.Context, fn func(pgx.CollectableRow) error, sql string, args ...any) error {
	called := false
	var stop error
	err := d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		if called {
			return stop
		}
		rows, err := q.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			called = true
			if stop = fn(rows); stop != nil {
				return nil // the error is not the database's
			}
		}
		if stop = rows.Err(); called {
			return nil // handled below, without another attempt
		}
		return stop
	})
	if err != nil {
		return err
	}
	return d.fault(ctx, stop)
}
