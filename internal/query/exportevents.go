package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// eventsTable and statesTable are the names of an app's tables in the embedded event store.
func eventsTable(app model.AppID) string { return `"e_` + app.String() + `"` }
func statesTable(app model.AppID) string { return `"st_` + app.String() + `"` }

// eventField is a plain field of an event row.
type eventField struct {
	path string
	expr string
	typ  filter.Type
	// value makes the driver's value that of the wire; nil = as it is.
	value func(any) any
}

func asText(v any) any {
	if v == nil {
		return nil
	}
	return fmt.Sprint(v)
}

// eventFields are the plain fields in the order of exports: ev is the row, u its user.
var eventFields = []eventField{
	{"_id", `concat(ev.off, '.', ev.item)`, filter.Text, nil},
	{"ts", "ev.ts", filter.Integer, nil},
	{"cd", "ev.received", filter.Integer, nil},
	{"e", "ev.e", filter.Text, nil},
	{"n", "ev.n", filter.Text, nil},
	{"uid", "CAST(ev.uid AS VARCHAR)", filter.Text, asText},
	{"did", "u.did", filter.Text, nil},
	{"lsid", "nullif(ev.session, 0)", filter.Integer, nil},
	{"c", "ev.c", filter.Integer, nil},
	{"s", "ev.s", filter.Number, nil},
	{"dur", "ev.dur", filter.Number, nil},
	{"hour", "nullif(ev.hour, -1)", filter.Integer, nil},
	{"dow", "nullif(ev.dow, -1)", filter.Integer, nil},
}

// statePrefixes begin the paths of a user's properties as they were at the event.
var statePrefixes = []string{"up.", "custom.", "cmp."}

func isState(path string) bool {
	return slices.ContainsFunc(statePrefixes, func(p string) bool { return strings.HasPrefix(path, p) })
}

// eventColumn returns the columns of an app's event rows, by what the registry knows.
func (t *Tables) eventColumn(app model.AppID) filter.Columns {
	known := t.registry.Events(app)
	return func(path string) (filter.Column, bool) {
		for _, f := range eventFields {
			if f.path == path {
				return filter.Column{Expr: f.expr, Type: f.typ}, true
			}
		}
		if path == "a" {
			return filter.Column{Expr: "'" + app.String() + "'", Type: filter.Text}, true
		}
		if name, ok := strings.CutPrefix(path, "sg."); ok {
			return segmentColumn(known, name)
		}
		if isState(path) {
			expr, ok := member("st.props", path)
			return filter.Column{Expr: expr, Type: filter.JSON}, ok
		}
		return filter.Column{}, false
	}
}

// slotName is the column of a slot; "" for the JSON column.
func slotName(s registry.Slot) string {
	switch s.Kind {
	case registry.Text:
		return fmt.Sprintf("ev.s%d", s.Index)
	case registry.Number:
		return fmt.Sprintf("ev.n%d", s.Index)
	case registry.JSON, registry.NoSlot:
	}
	return ""
}

// rowsOf is the condition that a row is of an event key.
func rowsOf(event string) (string, bool) {
	key, name := events.Selector(event)
	k, ok := literal(events.CleanText(key))
	if name == "" || !ok {
		return "ev.e = " + k, ok
	}
	n, ok := literal(events.CleanText(name))
	return "ev.e = " + k + " AND ev.n = " + n, ok
}

// segmentColumn finds a segment in the slots of all events that have it: a
// column of one type when they agree, of any type otherwise.
func segmentColumn(known []registry.Event, name string) (filter.Column, bool) {
	type branch struct {
		when string
		slot registry.Slot
		was  registry.Slot
	}
	var branches []branch
	kinds := map[registry.SlotKind]bool{}
	for _, ev := range known {
		for _, s := range ev.Segments {
			if s.Name != name {
				continue
			}
			if when, ok := rowsOf(ev.Key); ok {
				branches = append(branches, branch{when, s.Slot, s.Was})
				kinds[s.Slot.Kind] = true
			}
		}
	}
	typ := filter.JSON
	switch {
	case len(branches) == 0:
		return filter.Column{}, false
	case len(kinds) == 1 && kinds[registry.Text]:
		typ = filter.Text
	case len(kinds) == 1 && kinds[registry.Number]:
		typ = filter.Number
	}
	extra, ok := member("ev.extra", name)
	if !ok && typ == filter.JSON {
		return filter.Column{}, false
	}
	var b strings.Builder
	b.WriteString("CASE")
	for _, br := range branches {
		value := slotName(br.slot)
		switch {
		case typ != filter.JSON:
		case value != "":
			value = "to_json(" + value + ")"
		case slotName(br.was) != "":
			value = "coalesce(" + extra + ", to_json(" + slotName(br.was) + "))"
		default:
			value = extra
		}
		b.WriteString(" WHEN " + br.when + " THEN " + value)
	}
	b.WriteString(" END")
	return filter.Column{Expr: b.String(), Type: typ}, true
}

// occurring lists the event keys of the registry that have rows in the selection.
func (t *Tables) occurring(ctx context.Context, app model.AppID, from, where string, args []any) ([]registry.Event, error) {
	found := map[string]bool{}
	err := t.rows.Query(ctx, "SELECT DISTINCT ev.e, CASE WHEN ev.e = '"+events.CustomKey+"' THEN ev.n END FROM "+from+" WHERE "+where, args, func(s events.Scanner) error {
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
	if errors.Is(err, events.ErrNoApp) {
		return nil, nil
	}
	return slices.DeleteFunc(slices.Clone(t.registry.Events(app)), func(ev registry.Event) bool {
		return !found[events.CleanText(ev.Key)]
	}), err
}

// segmentPlace is where a segment of an event is found in a row, and where it goes.
type segmentPlace struct {
	name      string
	column    int // of the export
	slot, was int // of the selected list; -1 = none
	json      bool
}

// Events selects event rows.
func (t *Tables) Events(ctx context.Context, app model.AppID, sel RowSelection) (*Export, error) {
	columns := t.eventColumn(app)
	p := &pager{rows: t.rows, table: eventsTable(app), ties: []string{"ev.off", "ev.item"}, sort: sorted(columns, sel.Sort), desc: sel.Desc}
	p.where, p.args = sel.Filter.SQL(filter.DuckDB{}, columns)

	states, err := t.stateKeys(ctx, app, sel)
	if err != nil {
		return nil, err
	}
	joins := ""
	if len(states) > 0 || slices.ContainsFunc(append(sel.Filter.Paths(), sel.Sort), isState) {
		joins += " LEFT JOIN " + statesTable(app) + " st ON st.state = ev.state"
	}
	withDID := sel.names("did")
	if withDID || sel.Sort == "did" || slices.Contains(sel.Filter.Paths(), "did") {
		joins += " LEFT JOIN " + usersTable(app) + " u ON u.uid = ev.uid"
	}
	p.from = p.table + " ev" + joins
	p.window = func(low, high uint64) string {
		return fmt.Sprintf("(SELECT * FROM %s WHERE off >= %d AND off <= %d) ev", p.table, low, high) + joins
	}
	found, err := t.occurring(ctx, app, p.from, p.where, p.args)
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
	keys, err := t.keysOf(ctx, "props", statesTable(app))
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
	key    int                         // places of e, n, extra, state and props in the list
	name   int
	extra  int
	state  int
	props  int
	at     map[string]int // of state properties: column of the export
	cache  map[uint32][]stateValue
}

type stateValue struct {
	column int
	value  any
}

// add selects an expression and returns its place.
func (b *eventExport) add(expr string) int {
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
		at, value := len(b.e.Columns), f.value
		if value == nil {
			value = plainValue
		}
		b.e.Columns = append(b.e.Columns, []string{f.path})
		b.p.list = append(b.p.list, f.expr)
		b.fill = append(b.fill, func(values []any, v any) { values[at] = value(v) })
	}
	b.key, b.name = b.add("ev.e"), b.add("ev.n")
}

func (b *eventExport) segments(sel RowSelection, found []registry.Event) {
	b.places, b.extra = map[string][]segmentPlace{}, -1
	at := map[string]int{}
	for _, ev := range found {
		for _, s := range ev.Segments {
			if !sel.wants("sg." + s.Name) {
				continue
			}
			column, ok := at[s.Name]
			if !ok {
				column = len(b.e.Columns)
				at[s.Name] = column
				b.e.Columns = append(b.e.Columns, []string{"sg", s.Name})
			}
			place := segmentPlace{name: s.Name, column: column, slot: -1, was: -1, json: s.Slot.Kind == registry.JSON}
			if c := slotName(s.Slot); c != "" {
				place.slot = b.add(c)
			}
			if c := slotName(s.Was); c != "" {
				place.was = b.add(c)
			}
			if place.json {
				b.extra = b.add("ev.extra")
			}
			key := events.CleanText(ev.Key)
			b.places[key] = append(b.places[key], place)
		}
	}
	// A crash keeps its report as it came: it has no segments, but an object.
	if slices.ContainsFunc(found, func(ev registry.Event) bool { return ev.Key == crashKey }) && sel.wants("crash") {
		b.extra = b.add("ev.extra")
		b.places[crashKey] = append(b.places[crashKey], segmentPlace{column: len(b.e.Columns), slot: -1, was: -1})
		b.e.Columns = append(b.e.Columns, []string{"crash"})
	}
}

// crashKey is the key of rows that hold a crash report in their JSON column.
const crashKey = "[CLY]_crash"

func (b *eventExport) states(keys []string) {
	if len(keys) == 0 {
		return
	}
	b.at, b.cache = map[string]int{}, map[uint32][]stateValue{}
	for _, key := range keys {
		group, name, _ := strings.Cut(key, ".")
		b.at[key] = len(b.e.Columns)
		b.e.Columns = append(b.e.Columns, []string{group, name})
	}
	b.state, b.props = b.add("ev.state"), b.add("st.props")
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
		if p.slot >= 0 {
			values[p.column] = plainValue(row[p.slot])
			continue
		}
		text, _ := row[b.extra].(string)
		if p.name == "" && !p.json {
			values[p.column] = jsonValue(json.RawMessage(text))
			continue
		}
		if !read {
			more, read = object(text), true
		}
		if raw, ok := more[p.name]; ok {
			values[p.column] = jsonValue(raw)
		} else if p.was >= 0 {
			values[p.column] = plainValue(row[p.was])
		}
	}
}

func (b *eventExport) fillState(values, row []any) {
	number, _ := row[b.state].(uint32)
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
