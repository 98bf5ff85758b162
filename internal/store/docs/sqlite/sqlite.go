// Package sqlite keeps documents in one SQLite file: the embedded engine of package docs. docs/format/docs.md draws its tables.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// The file's identity, see docs/format/docs.md.
const (
	applicationID = 0x51505544 // "QPUD"
	FormatVersion = 2
)

const schema = `
CREATE TABLE collections (
	name       TEXT    NOT NULL PRIMARY KEY,
	version    INTEGER NOT NULL,
	signature  TEXT    NOT NULL,
	generation INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	collection TEXT    NOT NULL,
	app        TEXT    NOT NULL,
	key        TEXT    NOT NULL,
	version    INTEGER NOT NULL,
	rev        INTEGER NOT NULL,
	body       TEXT    NOT NULL,
	sum        INTEGER,
	indexed    INTEGER,
	UNIQUE (collection, app, key)
) STRICT;
CREATE INDEX documents_app ON documents (app);
CREATE TABLE entries (
	collection TEXT    NOT NULL,
	app        TEXT    NOT NULL,
	name       TEXT    NOT NULL,
	value      BLOB    NOT NULL,
	document   INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	uniq       INTEGER NOT NULL,
	PRIMARY KEY (collection, app, name, value, document)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entries_unique ON entries (collection, app, name, value) WHERE uniq = 1;
CREATE INDEX entries_document ON entries (document, name, value);
`

// Options say how the store is opened.
type Options struct {
	// Path of the database file. It is made, readable by its owner only, when
	// it is missing; its folder must exist.
	Path string
	Log  *slog.Logger
	// Salvage opens a file whose log is damaged, with what stands before the damage.
	Salvage bool
	// BusyTimeout is how long an operation waits for another process's
	// write; 0 means five seconds.
	BusyTimeout time.Duration
}

// Store is the embedded DB: one file in WAL mode with full synchronisation,
// one connection that writes and a pool that reads.
type Store struct {
	path   string
	writer *sql.DB
	reader *sql.DB

	mu      sync.RWMutex
	ensured map[string]string // collection → signature; guarded by mu
}

// Open opens the store, and makes it when it is missing. Faults:
// docs.busy when another process holds the file, docs.corrupt when it is
// damaged or no database, docs.corrupt_log when its log is damaged, docs.foreign when it is someone else's database,
// docs.newer_format when a newer program wrote it.
func Open(ctx context.Context, o Options) (*Store, error) {
	var errs []error
	if o.Path == "" {
		errs = append(errs, errors.New("no path"))
	}
	if o.Log == nil {
		errs = append(errs, errors.New("no logger"))
	}
	if o.BusyTimeout < 0 {
		errs = append(errs, errors.New("negative busy timeout"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("docs options: %w", err)
	}
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 5 * time.Second
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("locate %s: %w", o.Path, err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open document store: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("open document store: %w", err)
	}
	left, err := checkLog(path)
	if err != nil && !o.Salvage {
		return nil, fmt.Errorf("open document store %s: %w", path, err)
	}
	d := &Store{path: path, ensured: map[string]string{}}
	d.writer = sql.OpenDB(newConnector(path, o.BusyTimeout, "_txlock=immediate"))
	d.writer.SetMaxOpenConns(1)
	if err := d.initialise(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open document store %s: %w", path, err), d.writer.Close())
	}
	if left { // what a crash cut short must not stay behind what is written next, see checkLog
		if err := d.truncateLog(ctx); err != nil && !isReading(err) {
			return nil, errors.Join(fmt.Errorf("open document store %s: %w", path, err), d.writer.Close())
		}
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	d.reader = sql.OpenDB(newConnector(path, o.BusyTimeout, "_query_only=1"))
	d.reader.SetMaxOpenConns(readers)
	d.reader.SetMaxIdleConns(readers)
	o.Log.DebugContext(ctx, "document store open", slog.String("path", path))
	return d, nil
}

// connector opens connections with the functions that the queries use.
type connector struct {
	driver *sqlite3.SQLiteDriver
	dsn    string
}

func newConnector(path string, busy time.Duration, extra string) *connector {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	u.RawQuery = "_busy_timeout=" + strconv.FormatInt(busy.Milliseconds(), 10) +
		"&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_secure_delete=true&" + extra
	return &connector{dsn: u.String(), driver: &sqlite3.SQLiteDriver{
		ConnectHook: func(c *sqlite3.SQLiteConn) error {
			if err := c.RegisterFunc("quipu_search", searches, true); err != nil {
				return err
			}
			return errors.Join(
				c.RegisterFunc("quipu_match", matcher(), true),
				c.RegisterFunc("quipu_sum", sqlSum, true),
				c.RegisterFunc("quipu_entry", sqlEntry, true),
			)
		},
	}}
}

// searches reports whether a text, in the form of SearchText, stands in one of the
// values; what is no text has none.
func searches(needle string, values ...any) bool {
	return slices.ContainsFunc(values, func(v any) bool {
		s, ok := v.(string)
		return ok && strings.Contains(docs.SearchText(s), needle)
	})
}

// matcher returns the function that decides whether a document passes a filter. It
// keeps the filter that it was asked for last, so each connection has its own.
func matcher() func(body, text string) (bool, error) {
	var last string
	var parsed filter.Expr
	return func(body, text string) (bool, error) {
		if text != last {
			f, err := filter.Parse(text)
			if err != nil {
				return false, err
			}
			parsed, last = f, text
		}
		var doc filter.MapDoc
		if err := json.Unmarshal([]byte(body), &doc); err != nil {
			return false, err
		}
		return parsed.Match(doc), nil
	}
}

// Connect opens a connection.
func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }

// Driver returns the driver, as database/sql asks for it.
func (c *connector) Driver() driver.Driver { return c.driver }

func (d *Store) initialise(ctx context.Context) error {
	tx, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return storeError(err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit this does nothing
	var id, version, tables int64
	for query, dst := range map[string]*int64{
		"PRAGMA application_id":              &id,
		"PRAGMA user_version":                &version,
		"SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := tx.QueryRowContext(ctx, query).Scan(dst); err != nil {
			return storeError(err)
		}
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		make := fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", schema, applicationID, FormatVersion)
		if _, err := tx.ExecContext(ctx, make); err != nil {
			return fmt.Errorf("make tables: %w", storeError(err))
		}
	case id != applicationID:
		return fault.New(fault.Internal, "docs.foreign", "The file is a database of another program")
	case version > FormatVersion:
		return fault.Newf(fault.Internal, "docs.newer_format",
			"The file has format %d, this version supports up to %d: it was written by a newer version", version, FormatVersion)
	case version < FormatVersion:
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", sums, FormatVersion)); err != nil {
			return fmt.Errorf("add checksums: %w", storeError(err))
		}
	}
	return storeError(tx.Commit())
}

// Check reads the whole file and reports any damage as docs.corrupt: of structures, documents and indexes.
func (d *Store) Check(ctx context.Context) error {
	var verdict string
	if err := d.reader.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return storeError(err)
	}
	if verdict != "ok" {
		return docs.ErrCorrupt(errors.New(verdict))
	}
	var broken int64
	var first sql.NullString
	row := d.reader.QueryRowContext(ctx, "SELECT count(*), min(collection || ' ' || app || ' ' || key) FROM documents WHERE NOT json_valid(body)")
	if err := row.Scan(&broken, &first); err != nil {
		return storeError(err)
	}
	if broken > 0 {
		return docs.ErrCorrupt(fmt.Errorf("%d documents are no JSON, one of them %q", broken, first.String))
	}
	return d.checkSums(ctx)
}

// Close waits for what runs and closes the file.
func (d *Store) Close() error {
	if err := errors.Join(d.reader.Close(), d.writer.Close()); err != nil {
		return fmt.Errorf("close document store: %w", err)
	}
	return nil
}

// Tx runs fn in one transaction.
func (d *Store) Tx(ctx context.Context, fn func(tx docs.Handle) error) error {
	return d.tx(ctx, func(tx *sqliteTx) error { return fn(tx) })
}

func (d *Store) tx(ctx context.Context, fn func(tx *sqliteTx) error) error {
	raw, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return storeError(err)
	}
	defer func() { _ = raw.Rollback() }() // after Commit this does nothing
	tx := &sqliteTx{db: d, q: raw, ensured: map[string]string{}, touched: map[string]bool{}}
	if err := fn(tx); err != nil {
		return err
	}
	for name := range tx.touched {
		if _, err := raw.ExecContext(ctx, "UPDATE collections SET generation = generation + 1 WHERE name = ?", name); err != nil {
			return storeError(err)
		}
	}
	if err := raw.Commit(); err != nil {
		return storeError(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.Copy(d.ensured, tx.ensured)
	return nil
}

// Ensure brings a collection to the layout. A collection that is not there yet
// is left to the first write, so that reads never wait for a writer.
func (d *Store) Ensure(ctx context.Context, l *docs.Layout) error {
	if d.knows(l) {
		return nil
	}
	version, signature, err := storedLayout(ctx, d.reader, l)
	switch {
	case err != nil || version == 0:
		return err
	case version > l.Version:
		return docs.ErrNewerVersion(l.Name, version, l.Version)
	case signature != l.Signature():
		return d.tx(ctx, func(tx *sqliteTx) error { return tx.Ensure(ctx, l) })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ensured[l.Name] = signature
	return nil
}

func (d *Store) knows(l *docs.Layout) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.ensured[l.Name] == l.Signature()
}

// Get returns one record.
func (d *Store) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	return getRecord(ctx, d.reader, l, s, key)
}

// Find yields the records that q selects.
func (d *Store) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return findRecords(ctx, d.reader, l, s, q)
}

// Count counts what q selects.
func (d *Store) Count(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	return countRecords(ctx, d.reader, l, s, q)
}

// Tally counts what q selects by the values of an index.
func (d *Store) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, q docs.Query) ([]docs.Tally, error) {
	return tally(ctx, d.reader, l, s, index, q)
}

// Generation returns the collection's write counter.
func (d *Store) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	return generationOf(ctx, d.reader, l)
}

// Insert stores a new record.
func (d *Store) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.tx(ctx, func(tx *sqliteTx) error {
		if err := tx.Ensure(ctx, l); err != nil {
			return err
		}
		return tx.Insert(ctx, l, r)
	})
}

// Upsert stores a record whether or not it is there.
func (d *Store) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.tx(ctx, func(tx *sqliteTx) error {
		if err := tx.Ensure(ctx, l); err != nil {
			return err
		}
		return tx.Upsert(ctx, l, r)
	})
}

// Replace stores a record if its revision has not changed.
func (d *Store) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	var done bool
	err := d.tx(ctx, func(tx *sqliteTx) (err error) {
		done, err = tx.Replace(ctx, l, r)
		return err
	})
	return done && err == nil, err
}

// Delete removes a record.
func (d *Store) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	return d.tx(ctx, func(tx *sqliteTx) error { return tx.Delete(ctx, l, s, key) })
}

// DeleteWhere removes what q selects.
func (d *Store) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	var n int
	err := d.tx(ctx, func(tx *sqliteTx) (err error) {
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
	return d.tx(ctx, func(tx *sqliteTx) error {
		names, err := column[string](ctx, tx.q, "SELECT DISTINCT collection FROM documents WHERE app = ?", app.String())
		if err != nil {
			return err
		}
		for _, name := range names {
			tx.touched[name] = true
		}
		_, err = tx.q.ExecContext(ctx, "DELETE FROM documents WHERE app = ?", app.String())
		return storeError(err)
	})
}

// storeError gives SQLite's errors the faults that callers know.
func storeError(err error) error {
	se, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return err
	}
	switch se.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fault.Wrap(err, fault.Unavailable, "docs.busy", "The document store is in use by another process")
	case sqlite3.ErrFull:
		return fault.Wrap(err, fault.Unavailable, "docs.full", "The disk of the server is full")
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return docs.ErrCorrupt(err)
	}
	return err
}
