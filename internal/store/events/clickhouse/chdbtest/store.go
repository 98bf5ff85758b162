package chdbtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
)

// Store runs plans on an engine that has the tables of package clickhouse.
type Store struct{ engine *Engine }

// NewStore makes the tables.
func NewStore(tb testing.TB, e *Engine) Store {
	tb.Helper()
	for _, statement := range clickhouse.Schema(ch.Place{}, false) {
		if _, err := e.Query(statement); err != nil {
			tb.Fatalf("%v: %s", err, statement)
		}
	}
	return Store{e}
}

// Clear removes all rows.
func (s Store) Clear() error {
	for _, table := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		if _, err := s.engine.Query("TRUNCATE TABLE " + clickhouse.TableName(table)); err != nil {
			return err
		}
	}
	return nil
}

// Load adds rows of an app. What a row lacks has its column's default.
func (s Store) Load(app model.AppID, tables eventstest.Tables) error {
	for table, rows := range tables {
		var b strings.Builder
		for _, row := range rows {
			row = maps.Clone(row)
			row["app"] = app.String()
			text, err := json.Marshal(row)
			if err != nil {
				return err
			}
			b.Write(text)
			b.WriteByte('\n')
		}
		if b.Len() == 0 {
			continue
		}
		if _, err := s.engine.Query("INSERT INTO " + clickhouse.TableName(table) + " FORMAT JSONEachRow " + b.String()); err != nil {
			return err
		}
	}
	return nil
}

// Run is as that of events.Reader; rows are eventstest.Row.
func (s Store) Run(_ context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	statement, args, err := clickhouse.Compile(q)
	if err != nil {
		return err
	}
	statement = bound(statement, args)
	rows, err := s.engine.Query(statement + ", output_format_json_quote_64bit_integers = 0")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, statement)
	}
	for _, row := range rows {
		if err := fn(eventstest.Row(row)); err != nil {
			return err
		}
	}
	return nil
}

// RunColumns is as that of events.Reader.
func (s Store) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return eventstest.RunColumns(ctx, s, q, fn)
}

// RunAll is as that of events.Reader.
func (s Store) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	return eventstest.RunAll(ctx, s, apps, q, fn)
}

// Ahead is as that of events.Reader.
func (s Store) Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	return eventstest.Ahead(ctx, s, app, from, n)
}

// bound puts arguments in the places of a statement's placeholders, outside of literals.
func bound(statement string, args []any) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(statement); i++ {
		switch c := statement[i]; {
		case quoted && c == '\\':
			b.WriteByte(c)
			i++
			b.WriteByte(statement[i])
		case c == '\'':
			quoted = !quoted
			b.WriteByte(c)
		case c == '?' && !quoted:
			b.WriteString(literal(args[0]))
			args = args[1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func literal(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`).Replace(v) + "'"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}
