package duck

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/store/events"
)

// Lost tells what of a table could not be read.
type Lost struct {
	Table string
	// Rows is how many rows were lost of how many; -1 = unknown.
	Rows, Of int64
}

// rowGroup is how many rows DuckDB stores together; what is damaged is lost
// with its group.
const rowGroup = 122_880

// Check reads all values of all tables, which verifies the checksum of every
// block. Errors: ErrCorrupt, events.ErrMemory, ErrClosed.
func (s *Store) Check(ctx context.Context) error {
	var tables []string
	err := s.ask(ctx, tableNames, func(row events.Scanner) error {
		var name string
		err := row.Scan(&name)
		tables = append(tables, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	for _, name := range tables {
		if err := s.ask(ctx, wholeTable(name), func(events.Scanner) error { return nil }); err != nil {
			return fmt.Errorf("read table %s: %w", name, damaged(err))
		}
	}
	return nil
}

const tableNames = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_name"

// wholeTable is a statement that looks at each value of a table.
func wholeTable(name string) string {
	return `SELECT sum(hash(t)) FROM "` + name + `" AS t`
}

// damaged calls what a checksum or a reader of blocks says ErrCorrupt.
func damaged(err error) error {
	var de *duckdb.Error
	if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, events.ErrMemory) && errors.As(err, &de) &&
		(de.Type == duckdb.ErrorTypeIO || de.Type == duckdb.ErrorTypeFatal || de.Type == duckdb.ErrorTypeInternal || de.Type == duckdb.ErrorTypeSerialization) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// Salvage copies what can be read of a damaged file, and of its log if that is
// there, into a new file, in groups of rows. An error means that nothing could be read or that the
// new file could not be written.
func Salvage(ctx context.Context, from, to string, memory int64) (lost []Lost, err error) {
	if _, err := os.Stat(to); err == nil {
		return nil, fmt.Errorf("file %s exists", to)
	}
	o := Options{Path: to, MemoryLimit: memory}
	if err := o.check(); err != nil {
		return nil, err
	}
	connector, err := duckdb.NewConnector(o.dsn(), nil)
	if err != nil {
		return nil, fmt.Errorf("make new event store: %w", classify(err))
	}
	db := sql.OpenDB(shared{connector})
	defer func() { err = errors.Join(err, db.Close(), connector.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("make new event store: %w", classify(err))
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("ATTACH '%s' AS old (READ_ONLY)", strings.ReplaceAll(from, "'", "''"))); err != nil {
		return nil, fmt.Errorf("open damaged event store: %w", classify(err))
	}
	type table struct {
		name, ddl string
		rows      int64
	}
	var tables []table
	err = each(ctx, conn, "SELECT table_name, sql FROM duckdb_tables() WHERE database_name = 'old' ORDER BY table_name", nil, func(row events.Scanner) error {
		var t table
		err := row.Scan(&t.name, &t.ddl)
		tables = append(tables, t)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read damaged event store: %w", err)
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("%w: it has no tables", ErrCorrupt)
	}
	for i := range tables {
		t := &tables[i]
		if err := conn.QueryRowContext(ctx, `SELECT coalesce(max(rowid) + 1, 0) FROM old.main."`+t.name+`"`).Scan(&t.rows); err != nil {
			t.rows = -1
		}
	}
	for _, t := range tables {
		if _, err := conn.ExecContext(ctx, t.ddl); err != nil {
			return nil, fmt.Errorf("make table %s: %w", t.name, err)
		}
		source := `old.main."` + t.name + `"`
		l := Lost{Table: t.name, Of: t.rows}
		for at := int64(0); at < t.rows; at += rowGroup {
			_, err := conn.ExecContext(ctx, `INSERT INTO "`+t.name+`" SELECT * FROM `+source+" WHERE rowid >= ? AND rowid < ?", at, at+rowGroup)
			switch {
			case err == nil:
				continue
			case ctx.Err() != nil, !errors.Is(damaged(err), ErrCorrupt), invalidated(err):
				return nil, fmt.Errorf("copy table %s: %w", t.name, err)
			}
			l.Rows += min(rowGroup, t.rows-at)
		}
		if t.rows < 0 {
			l.Rows = -1
		}
		if l.Rows != 0 {
			lost = append(lost, l)
		}
	}
	if _, err := conn.ExecContext(ctx, "CHECKPOINT"); err != nil {
		return nil, fmt.Errorf("write new event store: %w", err)
	}
	return lost, nil
}
