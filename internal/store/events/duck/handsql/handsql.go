// Package handsql asks questions of the benchmark in SQL that was written by hand for the tables of the event store: the best that was found for the
// same answer. "quipu bench queries" puts their times beside those of the server's own operators. Nothing else uses it.
package handsql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/model"
)

// DB is the file of an event store whose server has ended.
type DB struct {
	connector *duckdb.Connector
	db        *sql.DB
}

// Open opens the file at path for reading. DuckDB takes memory bytes and runs on threads.
func Open(path string, memory int64, threads int) (*DB, error) {
	values := url.Values{
		"access_mode": {"read_only"}, "memory_limit": {strconv.FormatInt(memory>>20, 10) + "MiB"}, "threads": {strconv.Itoa(threads)},
		"autoload_known_extensions": {"false"}, "autoinstall_known_extensions": {"false"},
	}
	c, err := duckdb.NewConnector(path+"?"+values.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("open event store: %w", err)
	}
	return &DB{connector: c, db: sql.OpenDB(c)}, nil
}

// Close closes the file.
func (d *DB) Close() error {
	if err := errors.Join(d.db.Close(), d.connector.Close()); err != nil {
		return fmt.Errorf("close event store: %w", err)
	}
	return nil
}

// Has reports whether an app has tables of its own, which the statements are for.
func (d *DB) Has(ctx context.Context, app model.AppID) (ok bool, err error) {
	err = d.db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM duckdb_tables() WHERE table_name = ?", "e_"+app.String()).Scan(&ok)
	if err != nil {
		return false, fmt.Errorf("look for tables: %w", err)
	}
	return ok, nil
}

// Ask asks a question about events of an app, which has tables of its own, between two moments (ms since 1970, from included, to not), when the day that ends
// at known is under way. The figure sums up
// the answer, as the statement of the question says, so that it can be compared with another one.
func (d *DB) Ask(ctx context.Context, question string, app model.AppID, from, to, known int64) (figure float64, err error) {
	text, ok := statements[question]
	if !ok {
		return 0, fmt.Errorf("no statement for %q", question)
	}
	text = strings.NewReplacer(
		"{events}", "rows_"+app.String(), "{requests}", "r_"+app.String(), "{states}", "st_"+app.String(),
		"{from}", strconv.FormatInt(from, 10), "{to}", strconv.FormatInt(to, 10), "{known}", strconv.FormatInt(known, 10),
	).Replace(text)
	rows, err := d.db.QueryContext(ctx, text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", question, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", question, err)
	}
	values := make([]sql.NullFloat64, len(columns))
	into := make([]any, len(columns))
	for i, name := range columns {
		into[i] = new(any)
		if strings.HasPrefix(name, "f") {
			into[i] = &values[i]
		}
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return 0, fmt.Errorf("%s: %w", question, err)
		}
		for _, v := range values {
			figure += v.Float64
		}
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", question, err)
	}
	return figure, nil
}
