// Package postgres keeps documents in PostgreSQL, version 13 or later: the engine of package docs for documents that lie
// in a database of their own. docs/format/docs.md draws its tables.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/pg"
)

// Options say where the documents are.
type Options struct {
	// DSN is the address of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full, or name=value
	// pairs as libpq has them. TLS, certificates, files of passwords, several hosts and the size of the pool (pool_max_conns)
	// are set in it. It is never logged.
	DSN string
	// Schema holds the tables; "" = "quipu_docs". It is made when it is missing.
	Schema string
	Log    *slog.Logger
	// Own claims the documents for this process until it closes them: a server keeps copies of some, which would not learn of what
	// another server changes. A process that may not have them waits for lock_timeout and gets docs.busy.
	Own bool
	// Wait is how long Open tries to reach a server that does not answer yet; 0 = 15 s.
	Wait time.Duration
	// Patience is how long a read, or the begin or the end of a write, waits for a server that takes connections and does not
	// answer, before it is docs.unavailable; 0 = 30 s. It should be longer than lock_timeout.
	Patience time.Duration
	// Dial makes connections; nil = a net.Dialer.
	Dial pg.Dial
}

const (
	defaultSchema = "quipu_docs"
	defaultWait   = 15 * time.Second
	// defaultPatience is more than lock_timeout, and less than readers in front of a page have.
	defaultPatience = 30 * time.Second
	// idleLimit is how long the server waits within a write, ms. All writes take turns, so a process that is halted or cut off in the middle of one would keep
	// others from writing: they wait for it, and lock_timeout is longer.
	idleLimit = "8000"
	// leastConns are one for the write that is under way and one for reads.
	leastConns = 2
)

var schemaForm = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,40}$`)

// Store is a DB in a schema of a PostgreSQL database. Writes of all processes take turns by an advisory lock, those of
// one process before they take a connection.
type Store struct {
	pool   *pgxpool.Pool
	schema string
	lock   int64         // key of the advisory lock of writes
	write  chan struct{} // holds a token while a write of this process is under way
	secret string        // the password, which no error may hold
	log    *slog.Logger
	// patience is Options.Patience.
	patience time.Duration
	// owner writes where the documents are claimed, and its session holds the claim; nil unless Options.Own.
	owner *owner

	mu      sync.RWMutex
	ensured map[string]string // collection → signature; guarded by mu
}

var _ docs.DB = (*Store)(nil)

// Open connects to the database, and makes or migrates the tables. Faults: docs.unavailable when the server cannot be
// reached, docs.busy when another process holds the tables, docs.foreign when the schema has tables of another
// program, docs.newer_format when a newer program made them.
func Open(ctx context.Context, o Options) (_ *Store, err error) {
	cfg, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("docs options: %w", err)
	}
	d := &Store{
		schema: o.Schema, lock: lockKey(o.Schema), secret: cfg.ConnConfig.Password, log: o.Log, patience: o.Patience,
		write: make(chan struct{}, 1), ensured: map[string]string{},
	}
	if d.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, fmt.Errorf("open document store: %w", d.fault(ctx, err))
	}
	if o.Own {
		d.owner = &owner{cfg: cfg.ConnConfig.Copy(), lock: lockKey("owner of " + o.Schema)}
	}
	if err := d.reach(ctx, o); err != nil {
		d.close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("open document store: %w", err)
	}
	o.Log.DebugContext(ctx, "document store open", slog.String("host", cfg.ConnConfig.Host), slog.String("database", cfg.ConnConfig.Database), slog.String("schema", o.Schema))
	return d, nil
}

// complete fills in defaults and reports every fault.
func (o *Options) complete() (*pgxpool.Config, error) {
	if o.Schema == "" {
		o.Schema = defaultSchema
	}
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	var errs []error
	if o.Log == nil {
		errs = append(errs, errors.New("no logger"))
	}
	if !schemaForm.MatchString(o.Schema) {
		errs = append(errs, fmt.Errorf("schema %q is not of lower-case letters, digits and underscores", o.Schema))
	}
	cfg, err := pg.Configure(o.DSN, o.Schema, leastConns, o.Dial)
	const idle = "idle_in_transaction_session_timeout"
	if err == nil && !strings.Contains(o.DSN, idle) {
		cfg.ConnConfig.RuntimeParams[idle] = idleLimit
	}
	return cfg, errors.Join(append(errs, err)...)
}

// CheckDSN reports an address that cannot be read.
func CheckDSN(dsn string) error {
	_, err := pg.Configure(dsn, defaultSchema, leastConns, nil)
	return err
}

// lockKey names the advisory lock of a schema.
func lockKey(schema string) int64 { return pg.LockKey("quipu documents " + schema) }

// reach makes or migrates the tables, and tries again while the server cannot be reached.
func (d *Store) reach(ctx context.Context, o Options) error {
	unreachable := func(err error) bool { return fault.CodeOf(err) == codeUnavailable }
	return pg.Reach(ctx, o.Wait, unreachable, d.prepare, func(err error) {
		o.Log.InfoContext(ctx, "waiting for the document store", slog.Any("error", err))
	})
}

// Close waits for what runs and closes the connections.
func (d *Store) Close() error {
	d.write <- struct{}{} // after the last write
	d.close(context.Background())
	<-d.write
	return nil
}

func (d *Store) close(ctx context.Context) {
	if d.owner != nil {
		d.owner.close(ctx)
	}
	d.pool.Close()
}

// Tx runs fn in one transaction.
func (d *Store) Tx(ctx context.Context, fn func(tx docs.Handle) error) error {
	return d.tx(ctx, func(tx *writeTx) error { return fn(tx) })
}

func (d *Store) tx(ctx context.Context, fn func(tx *writeTx) error) error {
	select {
	case d.write <- struct{}{}:
		defer func() { <-d.write }()
	case <-ctx.Done():
		return ctx.Err()
	}
	raw, err := d.begin(ctx)
	if err != nil {
		return d.fault(ctx, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = raw.Rollback(ctx) // after Commit this does nothing
	}()
	tx := &writeTx{db: d, q: raw, ensured: map[string]string{}, touched: map[string]bool{}}
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.moveOn(ctx); err != nil {
		return d.fault(ctx, err)
	}
	limited, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	if err := raw.Commit(limited); err != nil {
		return d.fault(ctx, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.Copy(d.ensured, tx.ensured)
	return nil
}

// begin starts a transaction that excludes all other writes, of this and other processes. Nothing was done when it
// fails, so it is tried again when a connection turns out to be gone.
func (d *Store) begin(ctx context.Context) (tx pgx.Tx, err error) {
	begin := "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(" + strconv.FormatInt(d.lock, 10) + ")"
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	err = pg.Again(ctx, func() error {
		if d.owner != nil {
			conn, err := d.owner.connection(ctx)
			if err != nil {
				return err
			}
			tx, err = conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
			return err
		}
		tx, err = d.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
		return err
	})
	return tx, err
}

// Ensure brings a collection to the layout. A collection that is not there yet
// is left to the first write, so that reads never wait for a writer.
func (d *Store) Ensure(ctx context.Context, l *docs.Layout) error {
	if d.knows(l) {
		return nil
	}
	var version int
	var stored string
	err := d.read(ctx, func(ctx context.Context, q querier) (err error) {
		version, stored, err = storedLayout(ctx, q, l)
		return err
	})
	switch {
	case err != nil || version == 0:
		return err
	case version > l.Version:
		return docs.ErrNewerVersion(l.Name, version, l.Version)
	case stored != signature(l):
		return d.tx(ctx, func(tx *writeTx) error { return tx.Ensure(ctx, l) })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ensured[l.Name] = stored
	return nil
}

func (d *Store) knows(l *docs.Layout) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.ensured[l.Name] == signature(l)
}

// signature tells layouts apart whose stored rows differ: in entries, or in what is searched.
func signature(l *docs.Layout) string {
	if len(l.Search) == 0 {
		return l.Signature()
	}
	return l.Signature() + ";search=" + strings.Join(l.Search, ",")
}

// Get returns one record.
func (d *Store) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (r docs.Record, err error) {
	err = d.read(ctx, func(ctx context.Context, q querier) (err error) {
		r, err = getRecord(ctx, q, l, s, key)
		return err
	})
	return r, err
}

// Find yields the records that q selects.
func (d *Store) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return findRecords(ctx, d.read, l, s, q)
}

// Count counts what q selects.
func (d *Store) Count(ctx context.Context, l *docs.Layout, s docs.Scope, query docs.Query) (n int, err error) {
	err = d.read(ctx, func(ctx context.Context, q querier) (err error) {
		n, err = countRecords(ctx, q, l, s, query)
		return err
	})
	return n, err
}

// Tally counts what q selects by the values of an index.
func (d *Store) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, query docs.Query) (list []docs.Tally, err error) {
	err = d.read(ctx, func(ctx context.Context, q querier) (err error) {
		list, err = tally(ctx, q, l, s, index, query)
		return err
	})
	return list, err
}

// Generation returns the collection's write counter.
func (d *Store) Generation(ctx context.Context, l *docs.Layout) (n int64, err error) {
	err = d.read(ctx, func(ctx context.Context, q querier) (err error) {
		n, err = generationOf(ctx, q, l)
		return err
	})
	return n, err
}

// Insert stores a new record.
func (d *Store) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.tx(ctx, func(tx *writeTx) error {
		if err := tx.Ensure(ctx, l); err != nil {
			return err
		}
		return tx.Insert(ctx, l, r)
	})
}

// Upsert stores a record whether or not it is there.
func (d *Store) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.tx(ctx, func(tx *writeTx) error {
		if err := tx.Ensure(ctx, l); err != nil {
			return err
		}
		return tx.Upsert(ctx, l, r)
	})
}

// Replace stores a record if its revision has not changed.
func (d *Store) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	var done bool
	err := d.tx(ctx, func(tx *writeTx) (err error) {
		done, err = tx.Replace(ctx, l, r)
		return err
	})
	return done && err == nil, err
}

// Delete removes a record.
func (d *Store) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	return d.tx(ctx, func(tx *writeTx) error { return tx.Delete(ctx, l, s, key) })
}

// DeleteWhere removes what q selects.
func (d *Store) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	var n int
	err := d.tx(ctx, func(tx *writeTx) (err error) {
		n, err = tx.DeleteWhere(ctx, l, s, q)
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// DropApp removes every document of an app.
func (d *Store) DropApp(ctx context.Context, app model.AppID) error {
	if app.IsZero() {
		return fault.New(fault.Invalid, "docs.no_app", "No app was named")
	}
	return d.tx(ctx, func(tx *writeTx) error {
		rows, err := tx.q.Query(ctx, "WITH gone AS (DELETE FROM documents WHERE app = $1 RETURNING collection) SELECT DISTINCT collection FROM gone", app.String())
		if err != nil {
			return d.fault(ctx, err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, name := range names {
			tx.touched[name] = true
		}
		return d.fault(ctx, err)
	})
}
