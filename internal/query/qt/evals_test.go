package qt_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/schema"
)

// reader is what queries are asked of: rows of one engine, and cells.
type reader struct {
	tables *query.Tables
	people *query.People
	cells  *query.Query
	schema interface {
		schema.Reader
		schema.Details
	}
}

// eval runs a query. Rows that come in no order are sorted.
type eval func(ctx context.Context, r reader, a *arguments) (*result, error)

// evals are the queries of scripts.
var evals = map[string]eval{
	"actions":        evalActions,
	"clicks":         evalClicks,
	"clock":          evalClock,
	"count":          evalCount,
	"crashed":        evalCrashed,
	"events":         evalEvents,
	"facts":          evalFacts,
	"facts-users":    evalUserFacts,
	"find":           evalFind,
	"flow":           evalFlow,
	"flow-links":     evalFlowLinks,
	"funnel":         evalFunnel,
	"funnel-members": evalFunnelMembers,
	"funnel-when":    evalFunnelTrend,
	"happened":       evalHappened,
	"latest":         evalLatest,
	"loyalty":        evalLoyalty,
	"ltv":            evalLTV,
	"members":        evalMembers,
	"metric":         evalMetric,
	"own":            evalOwn,
	"people":         evalPeople,
	"people-sum":     evalPeopleSum,
	"points":         evalPoints,
	"properties":     evalProperties,
	"ranges":         evalRanges,
	"recent":         evalRecent,
	"requests-of":    evalRequests,
	"retention":      evalRetention,
	"returners":      evalReturners,
	"revenue":        evalRevenue,
	"revenue-by":     evalRevenueBy,
	"samples":        evalSamples,
	"samples-by":     evalSamplesBy,
	"series":         evalSeries,
	"sessions":       evalSessions,
	"spots":          evalSpots,
	"states-of":      evalStates,
	"sums":           evalSums,
	"timeline":       evalTimeline,
	"trend":          evalTrend,
	"trend-accounts": evalTrendAccounts,
	"trend-by":       evalTrendBy,
	"trend-users":    evalTrendUsers,
	"unite":          evalUnite,
	"unsent":         evalUnsent,
	"users":          evalUsers,
	"values":         evalValues,
	"views":          evalViews,
}

func evalNames() []string { return slices.Sorted(maps.Keys(evals)) }

// sorted puts rows that come in no order into one.
func (r *result) sorted() *result {
	slices.SortFunc(r.rows, func(a, b []any) int {
		for i := range a {
			if c := cmp.Compare(cell(a[i]), cell(b[i])); c != 0 {
				return c
			}
		}
		return 0
	})
	return r
}

// clicks reads what says which clicks are wanted.
func (a *arguments) clicks() *query.ClickQuery {
	q := &query.ClickQuery{
		Subject: schema.Subject{Name: a.text("view"), Alias: a.text("url")}, From: a.moment("from", 0), To: a.moment("to", 1<<50),
		MinWidth: a.number("min", 0), MaxWidth: a.number("max", 0), Segment: a.text("segment"), Domain: a.text("domain"),
	}
	if text := a.text("filter"); text != "" {
		var err error
		q.Filter, err = filter.Parse([]byte(text))
		a.fail("filter", err)
	}
	return q
}

func evalActions(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"count", "x", "y", "width", "height", "type", "domain", "platform"}}
	list, err := r.tables.Actions(ctx, a.app, a.text("type"), a.clicks())
	for _, x := range list {
		out.add(x.Count, x.X, x.Y, x.Width, x.Height, x.Type, x.Domain, x.Platform)
	}
	return out, err
}

// evalClicks sums the clicks of a view up, in as much memory as the word memory says.
func evalClicks(ctx context.Context, r reader, a *arguments) (*result, error) {
	m, err := query.NewFunnels(r.tables, int64(a.number("memory", 1<<20))).ClickMap(ctx, a.app, a.clicks())
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"clicks", "users", "dead", "rage", "raging", "visits", "clicked", "median", "late", "scrolls", "half", "width", "height"}}
	out.add(m.Clicks, m.Users, m.Dead, m.Rage, m.RageUsers, m.Visits, m.Clicked, m.Median, m.Late, m.Scrolls, m.Reached[query.Depths/2], m.Width, m.Height)
	return out, nil
}

// evalSpots lists the cells of a view with clicks.
func evalSpots(ctx context.Context, r reader, a *arguments) (*result, error) {
	m, err := query.NewFunnels(r.tables, 1<<20).ClickMap(ctx, a.app, a.clicks())
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"column", "row", "clicks", "dead", "rage"}}
	for _, s := range m.Spots {
		out.add(s.Column, s.Row, s.Clicks, s.Dead, s.Rage)
	}
	return out, nil
}

func evalCount(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.selected()
	if err != nil {
		return nil, err
	}
	var n int64
	if keys := a.list("events"); len(keys) > 0 {
		n, err = r.tables.CountItems(ctx, a.app, keys, f)
	} else {
		n, err = r.tables.CountEvents(ctx, a.app, f)
	}
	return &result{[]string{"count"}, [][]any{{n}}}, err
}

// export reads an export; the path of a column is written with dots.
func export(ctx context.Context, e *query.Export, err error) (*result, error) {
	if err != nil {
		return nil, err
	}
	out := &result{}
	for _, path := range e.Columns {
		out.columns = append(out.columns, strings.Join(path, "."))
	}
	err = e.Each(ctx, func(values []any) error {
		values = slices.Clone(values)
		for i, name := range out.columns {
			if ms, ok := values[i].(int64); ok && (name == "ts" || name == "cd") {
				values[i] = clock(ms)
			}
		}
		out.add(values...)
		return nil
	})
	return out, err
}

func evalEvents(ctx context.Context, r reader, a *arguments) (*result, error) {
	sel, err := a.rows()
	if err != nil {
		return nil, err
	}
	e, err := r.tables.Events(ctx, a.app, sel)
	return export(ctx, e, err)
}

func evalUsers(ctx context.Context, r reader, a *arguments) (*result, error) {
	sel, err := a.rows()
	if err != nil {
		return nil, err
	}
	e, err := r.tables.Users(ctx, a.app, sel)
	return export(ctx, e, err)
}

func evalLatest(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"ts", "uid", "begin", "end", "new", "seconds", "crash", "consent", "events"}}
	list, err := r.tables.Latest(ctx, a.app, a.moment("since", 0), a.whole("n", 100))
	for _, q := range list {
		var names []string
		for _, ev := range q.Events {
			name := fmt.Sprintf("%s*%d", ev.Key, ev.Count)
			for _, s := range ev.Segments {
				name += fmt.Sprintf(" %s=%s", s.Name, s.Value)
			}
			names = append(names, name)
		}
		out.add(clock(q.TS), q.UID, q.Begin, q.End, q.New, q.Seconds, q.Crash, q.Consent, strings.Join(names, ", "))
	}
	return out, err
}

// clock writes a moment (ms) as scripts do.
func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05Z07:00") }

func evalRecent(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"minute", "sessions", "events", "new", "users"}}
	last, n := a.moment("last", 0), a.whole("n", 3)
	minutes, users, err := r.tables.Recent(ctx, a.app, last, n, pipeline.Features{}.NoEvents())
	for i, m := range minutes {
		out.add(clock(last-int64(n-1-i)*60_000), m.Sessions, m.Events, m.NewUsers, users)
	}
	return out, err
}

func evalPoints(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"key", "quarter", "n"}}
	byTime := a.is("by-time")
	err := r.tables.DataPoints(ctx, []model.AppID{a.app}, a.moment("from", 0), a.moment("to", 1<<50), byTime, func(_ model.AppID, key string, quarter, n int64) error {
		var at any
		if byTime {
			at = clock(quarter)
		}
		out.add(key, at, n)
		return nil
	})
	return out.sorted(), err
}

func evalOwn(ctx context.Context, r reader, a *arguments) (*result, error) {
	list, err := r.tables.OwnValues(ctx, a.app, a.users())
	return valuesOf(list), err
}

func valuesOf(list []query.SegmentValues) *result {
	out := &result{columns: []string{"event", "segment", "value"}}
	for _, v := range list {
		for _, text := range v.Values {
			out.add(v.Event, v.Segment, text)
		}
	}
	return out
}

func evalUnsent(ctx context.Context, r reader, a *arguments) (*result, error) {
	list, err := r.tables.Unsent(ctx, a.app, []query.SegmentValues{{Event: a.text("event"), Segment: a.text("name"), Values: a.list("values")}})
	return valuesOf(list), err
}

func evalTimeline(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"ts", "e", "n", "sg", "custom", "up"}}
	err := r.tables.OfUsers(ctx, a.app, a.users(), func(doc map[string]any) error {
		ts, ok := doc["ts"].(int64)
		if !ok {
			return errors.New("a row without a time")
		}
		row := []any{clock(ts), doc["e"], doc["n"]}
		for _, group := range []string{"sg", "custom", "up"} {
			if doc[group] == nil {
				row = append(row, nil)
				continue
			}
			row = append(row, json.RawMessage(quote(doc[group])))
		}
		out.add(row...)
		return nil
	})
	return out, err
}

func evalStates(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"uid", "state", "props"}}
	err := r.tables.StatesOf(ctx, a.app, a.users(), func(v any) error {
		s, ok := v.(query.StateRow)
		if !ok {
			return fmt.Errorf("a %T", v)
		}
		out.add(json.RawMessage(s.UID), s.State, s.Props)
		return nil
	})
	return out, err
}

func evalRequests(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"uid", "ts", "begin", "end", "seconds"}}
	err := r.tables.RequestsOf(ctx, a.app, a.users(), func(v any) error {
		q, ok := v.(query.RequestOf)
		if !ok {
			return fmt.Errorf("a %T", v)
		}
		out.add(json.RawMessage(q.UID), clock(q.TS), q.Begin, q.End, q.Seconds)
		return nil
	})
	return out, err
}

func numbersOf(uids []uint32) *result {
	out := &result{columns: []string{"uid"}}
	for _, uid := range uids {
		out.add(uid)
	}
	return out
}

func evalPeople(ctx context.Context, r reader, a *arguments) (*result, error) {
	page, err := a.page()
	if err != nil {
		return nil, err
	}
	uids, _, err := r.people.List(ctx, a.app, page)
	return numbersOf(uids), err
}

func evalPeopleSum(ctx context.Context, r reader, a *arguments) (*result, error) {
	page, err := a.page()
	if err != nil {
		return nil, err
	}
	_, n, err := r.people.List(ctx, a.app, page)
	return &result{[]string{"count"}, [][]any{{n}}}, err
}

func evalFind(ctx context.Context, r reader, a *arguments) (*result, error) {
	by, text := a.text("by"), a.text("text")
	page, err := a.page()
	if err != nil {
		return nil, err
	}
	page.Search = text
	uids, _, err := r.people.Find(ctx, a.app, by, page)
	return numbersOf(uids), err
}

func evalLoyalty(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.selected()
	if err != nil {
		return nil, err
	}
	var since time.Time
	if ms := a.moment("since", 0); ms > 0 {
		since = time.UnixMilli(ms)
	}
	out := &result{columns: []string{"range", "users"}}
	list, err := r.people.Loyalty(ctx, a.app, f, since)
	for _, l := range list {
		out.add(l.Label, l.Count)
	}
	return out, err
}

func evalProperties(ctx context.Context, r reader, a *arguments) (*result, error) {
	out := &result{columns: []string{"name", "kind", "users"}}
	list, err := r.people.Properties(ctx, a.app, a.whole("users", 100), a.whole("limit", 100))
	for _, p := range list {
		out.add(p.Name, p.Kind, p.Users)
	}
	return out, err
}

// factsOf shows where properties were met.
func factsOf(names []string, list []query.PropertyFacts) *result {
	out := &result{columns: []string{"name", "rows", "first", "last"}}
	at := func(ms int64) any {
		if ms == 0 {
			return nil
		}
		return clock(ms)
	}
	for i, f := range list {
		out.add(names[i], f.Rows, at(f.First), at(f.Last))
	}
	return out
}

func evalFacts(ctx context.Context, r reader, a *arguments) (*result, error) {
	key, names := a.text("event"), a.list("names")
	list, err := r.tables.PropertyFacts(ctx, a.app, key, names)
	return factsOf(names, list), err
}

func evalUserFacts(ctx context.Context, r reader, a *arguments) (*result, error) {
	names := a.list("names")
	list, err := r.people.PropertyFacts(ctx, a.app, names)
	return factsOf(names, list), err
}

func evalSessions(ctx context.Context, r reader, a *arguments) (*result, error) {
	p, by, err := a.period()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"bucket", "sessions", "new", "users", "seconds", "requests"}}
	all := a.is("all")
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.SessionRows(ctx, a.app, p, by)
		for _, s := range list {
			if !all && s == (query.SessionRow{ID: s.ID}) {
				continue
			}
			out.add(s.ID, s.Sessions, s.New, s.Users, s.Seconds, s.Requests)
		}
		return err
	})
}

func evalMetric(ctx context.Context, r reader, a *arguments) (*result, error) {
	m, ok := query.MetricOf(a.text("name"))
	p, _, err := a.period()
	if err != nil || !ok {
		return nil, cmp.Or(err, errors.New("no such metric"))
	}
	out := &result{columns: []string{"value", "sessions", "new", "users"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.MetricRows(ctx, a.app, m, p)
		for _, s := range list {
			out.add(s.ID, s.Sessions, s.New, s.Users)
		}
		return err
	})
}

func evalSeries(ctx context.Context, r reader, a *arguments) (*result, error) {
	key := a.text("event")
	p, by, err := a.period()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"bucket", "count", "sum", "dur"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.EventRows(ctx, a.app, []query.Selection{{Name: key, Keys: []string{key}}}, p, by)
		for _, s := range list[key] {
			if s != (query.EventRow{ID: s.ID}) {
				out.add(s.ID, s.Count, s.Sum, s.Seconds)
			}
		}
		return err
	})
}
