package pipeline

import (
	"context"
	"fmt"
	"slices"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// countedBy is what is needed of an app's schema to count rows.
type countedBy interface {
	numbering
	Event(key string) (schema.Event, bool)
	AddValue(of schema.Values, event, segment, value string) (bool, error)
}

// Recount says whose rows are to be counted again, for comparison.
type Recount struct {
	Rows   RowReader
	Schema interface {
		schema.Reader
		schema.Details
	}
	App model.AppID
	// Features are those of the pipeline.
	Features Features
	Calendar *period.Calendar
	// Row and Request see every row before it is counted; nil = nobody looks. What
	// they get is valid only during the call.
	Row     func(*events.Row) error
	Request func(*events.RequestRow) error
}

// Run counts the rows as RebuildCells does and returns the cells they give.
// It changes nothing: a segment's value counts when the schema knows it.
func (r Recount) Run(ctx context.Context) (rollup.Delta, error) {
	sch := &reading{subjectsOf: subjectsOf{ctx: ctx, app: r.App, known: r.Schema}, r: r, values: map[[2]string]map[string]bool{}}
	owners, err := r.Features.owners()
	if err != nil {
		return nil, err
	}
	b := rebuilder{acc: cells.New(r.Calendar), sch: sch, events: map[string]*known{}, features: r.Features, owners: owners}
	if err := b.scan(ctx, r.Rows, r.App, r.Row, r.Request); err != nil {
		return nil, err
	}
	if sch.err != nil {
		return nil, sch.err
	}
	return b.acc.Delta(), nil
}

// scan counts all rows of an app.
func (r *rebuilder) scan(ctx context.Context, rows RowReader, app model.AppID, row func(*events.Row) error, request func(*events.RequestRow) error) error {
	err := rows.ScanRequests(ctx, app, events.Place{}, func(q *events.RequestRow) error {
		if request != nil {
			if err := request(q); err != nil {
				return err
			}
		}
		if q.Flags&events.RequestCounted != 0 {
			r.acc.Request(q.Offset, q.TS, q.Dur)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read requests: %w", err)
	}
	err = rows.ScanRows(ctx, app, events.Place{}, func(q *events.Row) error {
		if row != nil {
			if err := row(q); err != nil {
				return err
			}
		}
		return r.row(q)
	})
	if err != nil {
		return fmt.Errorf("read rows: %w", err)
	}
	return nil
}

// reading is a schema that nobody adds to.
type reading struct {
	subjectsOf
	r      Recount
	values map[[2]string]map[string]bool
}

// Event returns the entry of an event key.
func (g *reading) Event(key string) (schema.Event, bool) { return g.r.Schema.Event(g.r.App, key) }

// AddValue reports whether the value is known.
func (g *reading) AddValue(_ schema.Values, event, segment, value string) (bool, error) {
	k := [2]string{event, segment}
	known, ok := g.values[k]
	if !ok {
		list, err := g.r.Schema.Values(g.ctx, g.r.App, event, segment)
		if err != nil {
			return false, fmt.Errorf("read values of segment: %w", err)
		}
		known = make(map[string]bool, len(list))
		for v := range slices.Values(list) {
			known[v] = true
		}
		g.values[k] = known
	}
	return known[value], nil
}
