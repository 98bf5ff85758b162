package pg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// leastServer is the oldest server that the statements run on.
const leastServer = 130000

// Step makes a version of tables of the one before; the first makes them of nothing.
type Step struct {
	// Number is its place, from 1; Plan says it.
	Number int
	// What it does, for people.
	What string
	SQL  string
}

// Tables are those of a program in a schema of a database. Their version is in the table format, and is how many steps they have seen.
type Tables struct {
	// Schema is of a form that needs no quotes.
	Schema string
	Steps  []Step
}

// ErrForeign says that the schema has tables of another program.
var ErrForeign = errors.New("the schema has tables of another program")

// NewerError says that a newer program made the tables.
type NewerError struct{ Have, Know int }

// Error implements error.
func (e NewerError) Error() string {
	return fmt.Sprintf("the tables have format %d, this version supports up to %d: they were created by a newer version", e.Have, e.Know)
}

// querier reads rows.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Plan returns the steps that the tables lack. Errors: ErrForeign, NewerError, what keeps the server from being used, and its own.
func (t *Tables) Plan(ctx context.Context, q querier) ([]Step, error) {
	version, _, err := t.version(ctx, q)
	if err != nil {
		return nil, err
	}
	missing := slices.Clone(t.Steps[version:])
	for i := range missing {
		missing[i].Number = version + i + 1
	}
	return missing, nil
}

// Migrate does the steps that the tables lack, in a transaction that excludes all others who do so. Errors: those of Plan.
func (t *Tables) Migrate(ctx context.Context, tx pgx.Tx) error {
	version, exists, err := t.version(ctx, tx)
	if err != nil || version == len(t.Steps) {
		return err
	}
	if !exists {
		if _, err := tx.Exec(ctx, "CREATE SCHEMA "+t.Schema); err != nil {
			return fmt.Errorf("make schema %s: %w", t.Schema, err)
		}
	}
	note := "UPDATE format SET version = " + strconv.Itoa(len(t.Steps))
	if version == 0 {
		note = "CREATE TABLE format (version integer NOT NULL); INSERT INTO format (version) VALUES (" + strconv.Itoa(len(t.Steps)) + ")"
	}
	if _, err := tx.Exec(ctx, note); err != nil {
		return fmt.Errorf("note the version of tables: %w", err)
	}
	for _, s := range t.Steps[version:] {
		if _, err := tx.Exec(ctx, s.SQL); err != nil {
			return fmt.Errorf("%s: %w", s.What, err)
		}
	}
	return nil
}

// version returns how many steps the tables have seen, and whether the schema exists.
func (t *Tables) version(ctx context.Context, q querier) (version int, exists bool, err error) {
	var server, count int
	var encoding string
	var ours bool
	err = q.QueryRow(ctx, `SELECT current_setting('server_version_num')::integer, current_setting('server_encoding'),
		EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1::text), to_regclass($1::text || '.format') IS NOT NULL,
		(SELECT count(*)::integer FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text)`, t.Schema).
		Scan(&server, &encoding, &exists, &ours, &count)
	switch {
	case err != nil:
		return 0, false, err
	case server < leastServer:
		return 0, false, fmt.Errorf("the server is PostgreSQL %d, at least %d is needed", server/10000, leastServer/10000)
	case encoding != "UTF8":
		return 0, false, fmt.Errorf("the database has encoding %s, it must be UTF8", encoding)
	case !ours && count > 0:
		return 0, false, ErrForeign
	case !ours:
		return 0, exists, nil
	}
	if err := q.QueryRow(ctx, "SELECT version FROM "+t.Schema+".format").Scan(&version); err != nil { // of a form that needs no quotes
		return 0, false, err
	}
	if version > len(t.Steps) {
		return 0, false, NewerError{Have: version, Know: len(t.Steps)}
	}
	return version, true, nil
}
