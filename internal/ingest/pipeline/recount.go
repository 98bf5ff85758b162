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

// counted is what who counts rows needs of an app's schema.
type counted interface {
	Event(key string) (schema.Event, bool)
	AddValue(event, segment, value string) (bool, error)
	SeeView(name, url, domain string) (uint32, bool)
	FindView(name, url string) (schema.View, bool)
	HasView(num uint32) bool
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
	sch := &reading{ctx: ctx, r: r, values: map[[2]string]map[string]bool{}, views: map[string]schema.View{}, numbers: map[uint32]bool{}}
	views, err := r.Schema.Views(ctx, r.App)
	if err != nil {
		return nil, fmt.Errorf("read views: %w", err)
	}
	for _, v := range views {
		sch.views[v.Name], sch.numbers[v.Num] = v, true
	}
	owners, err := r.Features.owners()
	if err != nil {
		return nil, err
	}
	b := rebuilder{acc: cells.New(r.Calendar), sch: sch, events: map[string]*known{}, owners: owners}
	if err := b.scan(ctx, r.Rows, r.App, r.Row, r.Request); err != nil {
		return nil, err
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
	ctx    context.Context //nolint:containedctx // lives as long as the call that made it
	r      Recount
	values map[[2]string]map[string]bool
	// views by name; numbers are theirs.
	views   map[string]schema.View
	numbers map[uint32]bool
}

// Event returns the entry of an event key.
func (g *reading) Event(key string) (schema.Event, bool) { return g.r.Schema.Event(g.r.App, key) }

// SeeView returns the number of a view that is known.
func (g *reading) SeeView(name, _, _ string) (uint32, bool) {
	v, ok := g.views[name]
	return v.Num, ok
}

// FindView returns the view with the name.
func (g *reading) FindView(name, _ string) (schema.View, bool) {
	v, ok := g.views[name]
	return v, ok
}

// HasView reports whether a view has the number.
func (g *reading) HasView(num uint32) bool { return g.numbers[num] }

// AddValue reports whether the value is known.
func (g *reading) AddValue(event, segment, value string) (bool, error) {
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
