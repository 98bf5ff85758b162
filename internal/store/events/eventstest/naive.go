package eventstest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// Tables are the rows of an app by table, each by its columns, s1…s16 and n1…n8 included. Values are nil, bool, int64,
// float64 and string.
type Tables map[plan.Table][]map[string]any

// Runner runs plans, as events.Reader does.
type Runner interface {
	Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error
}

// ReadTables reads all rows of an app; an app without tables has none.
func ReadTables(ctx context.Context, from Runner, app model.AppID) (Tables, error) {
	out := Tables{}
	for _, table := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		names, list := columnsIn(table)
		err := from.Run(ctx, &plan.Query{App: app, From: table, Select: list}, func(row events.Scanner) error {
			values, err := scanned(row, len(list))
			if err != nil {
				return err
			}
			columns := map[string]any{}
			for i, name := range names {
				columns[name] = values[i]
			}
			out[table] = append(out[table], columns)
			return nil
		})
		if err != nil && !errors.Is(err, events.ErrNoApp) {
			return nil, err
		}
	}
	return out, nil
}

// columnsIn returns the names of a table's columns, and what selects them.
func columnsIn(table plan.Table) (names []string, list []plan.Expr) {
	for _, c := range plan.Columns(table) {
		names, list = append(names, c.Name), append(list, plan.Column{Of: table, Name: c.Name})
	}
	if table != plan.Events {
		return names, list
	}
	for i := range uint8(schema.TextSlots) {
		names, list = append(names, fmt.Sprintf("s%d", i+1)), append(list, plan.Slot{Slot: schema.Slot{Kind: schema.Text, Index: i + 1}})
	}
	for i := range uint8(schema.NumberSlots) {
		names, list = append(names, fmt.Sprintf("n%d", i+1)), append(list, plan.Slot{Slot: schema.Slot{Kind: schema.Number, Index: i + 1}})
	}
	return names, list
}

// scanned returns the n columns of a row. Whole numbers of all sizes are int64.
func scanned(row events.Scanner, n int) ([]any, error) {
	values, dest := make([]any, n), make([]any, n)
	for i := range values {
		dest[i] = &values[i]
	}
	if err := row.Scan(dest...); err != nil {
		return nil, err
	}
	for i, v := range values {
		switch v := v.(type) {
		case int8:
			values[i] = int64(v)
		case int32:
			values[i] = int64(v)
		case uint16:
			values[i] = int64(v)
		case uint32:
			values[i] = int64(v)
		case uint64:
			values[i] = int64(v) // small
		}
	}
	return values, nil
}

// Naive is an engine that looks at one row after another: what every engine has to answer.
type Naive struct{ apps map[model.AppID]*engine }

// NewNaive returns an engine that holds the rows of apps.
func NewNaive(apps map[model.AppID]Tables) *Naive {
	n := &Naive{apps: map[model.AppID]*engine{}}
	for app, tables := range apps {
		own := map[plan.Table][]values{}
		for table, rows := range tables {
			for _, row := range rows {
				own[table] = append(own[table], row)
			}
		}
		n.apps[app] = engineOf(own)
	}
	return n
}

// Run is as that of events.Reader. Errors: events.ErrNoApp.
func (n *Naive) Run(_ context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	e := n.apps[q.App]
	if e == nil {
		return events.ErrNoApp
	}
	if m := q.Most; m != nil {
		n := int64(0)
		for _, row := range e.found(q) {
			if m.When == nil || e.holds(q, row, m.When) {
				n++
			}
		}
		if n > m.Rows {
			return events.ErrTooMany
		}
	}
	for _, row := range e.Run(q) {
		if err := fn(Row(row)); err != nil {
			return err
		}
	}
	return nil
}

// RunColumns is as that of events.Reader.
func (n *Naive) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return RunColumns(ctx, n, q, fn)
}

// RunColumns is events.Reader.RunColumns by means of Run, three rows at a time.
func RunColumns(ctx context.Context, r Runner, q *plan.Query, fn func(*events.Columns) error) error {
	const some = 3
	cols := &events.Columns{List: make([]events.Column, len(q.Select))}
	give := func() error {
		if cols.Len == 0 {
			return nil
		}
		err := fn(cols)
		*cols = events.Columns{List: make([]events.Column, len(q.Select))}
		return err
	}
	err := r.Run(ctx, q, func(row events.Scanner) error {
		values, err := scanned(row, len(q.Select))
		if err != nil {
			return err
		}
		for i, v := range values {
			c := &cols.List[i]
			text, _ := v.(string)
			whole, _ := v.(int64)
			if v == true {
				whole = 1
			}
			number, ok := v.(float64)
			if ok {
				whole = int64(number)
			}
			c.Whole, c.Number, c.Text, c.Null = append(c.Whole, whole), append(c.Number, number), append(c.Text, text), append(c.Null, v == nil)
		}
		if cols.Len++; cols.Len == some {
			return give()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return give()
}

// RunAll is as that of events.Reader.
func (n *Naive) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	return RunAll(ctx, n, apps, q, fn)
}

// RunAll is events.Reader.RunAll by means of a plan for each app.
func RunAll(ctx context.Context, r Runner, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	for _, app := range apps {
		one := *q
		one.App = app
		err := r.Run(ctx, &one, func(row events.Scanner) error { return fn(app, row) })
		if err != nil && !errors.Is(err, events.ErrNoApp) {
			return err
		}
	}
	return nil
}

// Ahead is as that of events.Reader.
func (n *Naive) Ahead(ctx context.Context, app model.AppID, from uint64, some int) (to uint64, found int, err error) {
	return Ahead(ctx, n, app, from, some)
}

// Ahead is events.Reader.Ahead by means of a plan.
func Ahead(ctx context.Context, r Runner, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	off := plan.Ev("off")
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.Do(plan.Ge, off, plan.Is(int64(from))), // small
		Select: []plan.Expr{off}, Order: []plan.Order{{By: off}}, Limit: n,
	}
	to = from
	err = r.Run(ctx, q, func(row events.Scanner) error {
		found++
		return row.Scan(&to)
	})
	if errors.Is(err, events.ErrNoApp) {
		return from, 0, nil
	}
	return to, found, err
}

// Row is a row of a result: nil, bool, int64, float64 or string for each column.
type Row []any

// Scan implements events.Scanner, with the conversions of database/sql.
func (r Row) Scan(dest ...any) error {
	if len(dest) != len(r) {
		return fmt.Errorf("scan %d columns into %d places", len(r), len(dest))
	}
	for i, v := range r {
		if p, ok := dest[i].(*any); ok {
			*p = v
			continue
		}
		if err := convert(dest[i], v); err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

// convert stores a value in a place of one of the types that readers of rows have.
func convert(dest, v any) error {
	var err error
	switch p := dest.(type) {
	case *int:
		err = to(p, v)
	case *int64:
		err = to(p, v)
	case *uint64:
		err = to(p, v)
	case *uint32:
		err = to(p, v)
	case *uint16:
		err = to(p, v)
	case *float64:
		err = to(p, v)
	case *string:
		err = to(p, v)
	case **string:
		err = to(p, v)
	default:
		err = fmt.Errorf("no place of type %T", dest)
	}
	return err
}

func to[T any](dest *T, v any) error {
	var n sql.Null[T]
	if err := n.Scan(v); err != nil {
		return err
	}
	if _, pointer := any(*dest).(*string); !n.Valid && !pointer {
		return fmt.Errorf("nothing for a %T", *dest)
	}
	*dest = n.V
	return nil
}
