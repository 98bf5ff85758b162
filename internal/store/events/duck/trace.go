package duck

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// DuckDB's names of the number of rows that the scans of a statement read, and of the time that it took, s.
const (
	scanned = "CUMULATIVE_ROWS_SCANNED"
	latency = "LATENCY"
)

// traced is each with a statement that is measured and recorded.
func traced(ctx context.Context, conn *sql.Conn, t *plan.Trace, q *plan.Query, statement string, args []any, fn func(events.Scanner) error) error {
	record := plan.Statement{SQL: statement, Args: args}
	if q != nil {
		record.Plan = q.String()
	}
	return tracing(ctx, conn, t, record, func(returned *int64) error {
		return each(ctx, conn, statement, args, func(row events.Scanner) error {
			*returned++
			return fn(row)
		})
	})
}

// tracing measures and records a statement that read runs, which counts the rows returned.
func tracing(ctx context.Context, conn *sql.Conn, t *plan.Trace, record plan.Statement, read func(returned *int64) error) error {
	record.Read = -1
	// The clock of DuckDB's profiler runs on from the end of the last trace of the connection; a statement that is not looked at stops it.
	for _, statement := range []string{"PRAGMA enable_profiling = 'no_output'", "SELECT 1"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	err := read(&record.Returned)
	if err != nil {
		record.Error = err.Error()
	} else {
		measured(&record, conn)
	}
	t.Add(record)
	_, stop := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA disable_profiling")
	return errors.Join(err, stop)
}

// measured fills in what DuckDB measured of the last statement of a connection.
func measured(record *plan.Statement, conn *sql.Conn) {
	info, err := duckdb.GetProfilingInfo(conn)
	if err != nil {
		return
	}
	if n, err := strconv.ParseInt(info.Metrics[scanned], 10, 64); err == nil {
		record.Read = n
	}
	if seconds, err := strconv.ParseFloat(info.Metrics[latency], 64); err == nil {
		record.Seconds = seconds
	}
}
