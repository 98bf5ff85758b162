package query

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// occurring lists the event keys of the schema that have rows in the selection.
func (t *Tables) occurring(ctx context.Context, app model.AppID, where plan.Expr) ([]schema.Event, error) {
	found := map[string]bool{}
	custom := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey))
	q := &plan.Query{
		App: app, From: plan.Events, Where: where, Distinct: true,
		Select: []plan.Expr{plan.Ev("e"), plan.Do(plan.If, custom, plan.Ev("n"), plan.Is(nil))},
	}
	err := t.rows.Run(ctx, q, func(s events.Scanner) error {
		var key string
		var name *string
		if err := s.Scan(&key, &name); err != nil {
			return err
		}
		if name != nil {
			key = *name
		}
		found[key] = true
		return nil
	})
	return slices.DeleteFunc(slices.Clone(t.schema.Events(app)), func(ev schema.Event) bool {
		return !found[events.CleanText(ev.Key)]
	}), missing(err)
}

// segmentPlace is where a segment of an event is found in a row, and where it goes.
type segmentPlace struct {
	name     string
	column   int  // of the export
	own, was int  // of the selected list; -1 = none
	rest     bool // in the rest of properties
}

// eventTies name an event row.
var eventTies = []plan.Expr{plan.Ev("off"), plan.Ev("item")}

// Events selects event rows.
func (t *Tables) Events(ctx context.Context, app model.AppID, sel RowSelection) (*Export, error) {
	ctx = plan.For(ctx, plan.ExportOperator)
	bind := t.bindEvent(app)
	p := &pager{
		rows: t.rows, query: plan.Query{App: app, From: plan.Events, Where: plan.Matching(sel.Filter, bind)},
		ties: eventTies, along: true, sort: sorted(bind, sel.Sort), desc: sel.Desc,
	}
	states, err := t.stateKeys(ctx, app, sel)
	if err != nil {
		return nil, err
	}
	withDID := sel.names("did")
	found, err := t.occurring(ctx, app, p.query.Where)
	if err != nil {
		return nil, err
	}
	b := &eventExport{e: &Export{sel: sel}, p: p}
	b.fields(sel, withDID)
	b.segments(sel, found)
	b.states(states)
	b.e.scan = b.scan
	return b.e, nil
}

// stateKeys lists the properties of states that are wanted.
func (t *Tables) stateKeys(ctx context.Context, app model.AppID, sel RowSelection) ([]string, error) {
	if !slices.ContainsFunc(statePrefixes, func(p string) bool { return sel.wantsBelow(strings.TrimSuffix(p, ".")) }) {
		return nil, nil
	}
	keys, err := t.keysOf(ctx, app, plan.St("props"))
	if err != nil {
		return nil, err
	}
	keys = slices.DeleteFunc(keys, func(k string) bool { return !isState(k) || !sel.wants(k) })
	slices.SortStableFunc(keys, func(a, b string) int { return rankOf(a) - rankOf(b) })
	return keys, nil
}

func rankOf(path string) int {
	return slices.IndexFunc(statePrefixes, func(p string) bool { return strings.HasPrefix(path, p) })
}

// eventExport builds an export of event rows, and reads it.
type eventExport struct {
	e *Export
	p *pager

	fill   []func(values []any, v any) // of the plain fields, in the order of the list
	places map[string][]segmentPlace   // by event key
	key    int                         // places of e, n, the rest of properties, state and props in the list
	name   int
	rest   int
	state  int
	props  int
	at     map[string]int // of state properties: column of the export
	cache  map[int64][]stateValue
}

type stateValue struct {
	column int
	value  any
}

// add selects a column or a slot and returns its place.
func (b *eventExport) add(expr plan.Expr) int {
	if i := slices.Index(b.p.list, expr); i >= 0 {
		return i
	}
	b.p.list = append(b.p.list, expr)
	return len(b.p.list) - 1
}

func (b *eventExport) fields(sel RowSelection, withDID bool) {
	for _, f := range eventFields {
		if !sel.wants(f.path) || f.path == "did" && !withDID {
			continue
		}
		at := len(b.e.Columns)
		b.e.Columns = append(b.e.Columns, []string{f.path})
		b.p.list = append(b.p.list, f.Expr)
		b.fill = append(b.fill, func(values []any, v any) { values[at] = plainValue(v) })
	}
	b.key, b.name = b.add(plan.Ev("e")), b.add(plan.Ev("n"))
}

func (b *eventExport) segments(sel RowSelection, found []schema.Event) {
	b.places, b.rest = map[string][]segmentPlace{}, -1
	at := map[string]int{}
	for _, ev := range found {
		for _, s := range ev.Segments {
			if !sel.wants("sg."+s.Name) || ev.Key == crashKey && s.Name == crashReport {
				continue
			}
			column, ok := at[s.Name]
			if !ok {
				column = len(b.e.Columns)
				at[s.Name] = column
				b.e.Columns = append(b.e.Columns, []string{"sg", s.Name})
			}
			in := plan.PlacesOf(&s)
			place := segmentPlace{name: s.Name, column: column, own: -1, was: -1, rest: in.Rest}
			if in.Own != nil {
				place.own = b.add(in.Own)
			}
			if in.Was != nil {
				place.was = b.add(in.Was)
			}
			if in.Rest {
				b.rest = b.add(plan.Rest{})
			}
			key := events.CleanText(ev.Key)
			b.places[key] = append(b.places[key], place)
		}
	}
	// A crash keeps its report as it came, beside its segments.
	if slices.ContainsFunc(found, func(ev schema.Event) bool { return ev.Key == crashKey }) && sel.wants("crash") {
		b.rest = b.add(plan.Rest{})
		b.places[crashKey] = append(b.places[crashKey], segmentPlace{column: len(b.e.Columns), own: -1, was: -1})
		b.e.Columns = append(b.e.Columns, []string{"crash"})
	}
}

// crashKey is the key of rows that hold a crash report in their JSON column: as its member crashReport, and in older rows as all of it.
const (
	crashKey    = "[CLY]_crash"
	crashReport = "report"
)

func (b *eventExport) states(keys []string) {
	if len(keys) == 0 {
		return
	}
	b.at, b.cache = map[string]int{}, map[int64][]stateValue{}
	for _, key := range keys {
		group, name, _ := strings.Cut(key, ".")
		b.at[key] = len(b.e.Columns)
		b.e.Columns = append(b.e.Columns, []string{group, name})
	}
	b.state, b.props = b.add(plan.Ev("state")), b.add(plan.St("props"))
}

// stateCache bounds how many states are kept unfolded.
const stateCache = 2048

func (b *eventExport) scan(ctx context.Context, fn func([]any) error) error {
	values := make([]any, len(b.e.Columns))
	return b.p.each(ctx, func(row []any) error {
		clear(values)
		for i, fill := range b.fill {
			fill(values, row[i])
		}
		b.fillSegments(values, row)
		if b.at != nil {
			b.fillState(values, row)
		}
		return fn(values)
	})
}

func (b *eventExport) fillSegments(values, row []any) {
	key, _ := row[b.key].(string)
	if name, ok := row[b.name].(string); ok && key == events.CustomKey {
		key = name
	}
	var more map[string]json.RawMessage
	read := false
	for _, p := range b.places[key] {
		if p.own >= 0 {
			values[p.column] = plainValue(row[p.own])
			continue
		}
		text, _ := row[b.rest].(string)
		if !read {
			more, read = object(text), true
		}
		if p.name == "" && !p.rest {
			report, ok := more[crashReport]
			if !ok {
				report = json.RawMessage(text)
			}
			values[p.column] = jsonValue(report)
			continue
		}
		if raw, ok := more[p.name]; ok {
			values[p.column] = jsonValue(raw)
		} else if p.was >= 0 {
			values[p.column] = plainValue(row[p.was])
		}
	}
}

func (b *eventExport) fillState(values, row []any) {
	number := wholeOf(row[b.state])
	state, ok := b.cache[number]
	if !ok {
		text, _ := row[b.props].(string)
		for key, raw := range object(text) {
			if at, ok := b.at[key]; ok {
				state = append(state, stateValue{at, jsonValue(raw)})
			}
		}
		if len(b.cache) >= stateCache {
			clear(b.cache)
		}
		b.cache[number] = state
	}
	for _, v := range state {
		values[v.column] = v.value
	}
}
