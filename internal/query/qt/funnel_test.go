package qt_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
)

// funnelEvent is an event of a script: its key, or an object.
type funnelEvent struct {
	Event string      `json:"event"`
	Name  string      `json:"name"`
	Query filter.Expr `json:"query"`
	From  int         `json:"from"`
	To    int         `json:"to"`
}

// UnmarshalJSON reads both forms.
func (e *funnelEvent) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &e.Event) == nil {
		return nil
	}
	type object funnelEvent
	return json.Unmarshal(b, (*object)(e))
}

func (e funnelEvent) event() query.FunnelEvent {
	return query.FunnelEvent{Key: e.Event, Name: e.Name, Filter: e.Query}
}

// json reads an argument that is JSON.
func (a *arguments) json(name string, dst any) {
	if text, ok := a.take(name); ok {
		a.fail(name, json.Unmarshal([]byte(text), dst))
	}
}

// funnel returns the funnel and the rows that it asks for.
func (a *arguments) funnel() (funnel.Funnel, *query.FunnelQuery, error) {
	f, err := a.selected()
	q := &query.FunnelQuery{
		Filter: f, From: a.moment("from", 0), To: a.moment("to", 1<<50), SameSession: a.is("session"), Hold: a.list("hold"), Breakdown: a.text("breakdown"), UIDs: a.users(), CountBy: a.countBy(),
	}
	def := funnel.Funnel{
		Order:  map[string]funnel.Order{"strict": funnel.Strict, "any": funnel.AnyOrder, "anchored": funnel.Anchored}[a.text("order")],
		Window: int64(a.number("window", 0) * 1000), Keyed: q.SameSession || len(q.Hold) > 0, Repeat: a.is("repeat"),
	}
	q.Others = def.Order == funnel.Strict
	var steps []json.RawMessage
	a.json("steps", &steps)
	for _, raw := range steps {
		var list []funnelEvent
		if json.Unmarshal(raw, &list) != nil {
			var one funnelEvent
			a.fail("steps", json.Unmarshal(raw, &one))
			list = append(list, one)
		}
		var step []query.FunnelEvent
		for _, e := range list {
			step = append(step, e.event())
		}
		q.Steps = append(q.Steps, step)
	}
	def.Optional = make([]bool, len(steps))
	for _, text := range a.list("optional") {
		n, err := strconv.Atoi(text)
		a.fail("optional", err)
		def.Optional[n-1] = true
	}
	for _, text := range a.list("anchors") {
		n, err := strconv.Atoi(text)
		a.fail("anchors", err)
		def.Anchors = append(def.Anchors, n-1)
	}
	var not []funnelEvent
	a.json("not", &not)
	for _, e := range not {
		q.Exclusions = append(q.Exclusions, e.event())
		def.Exclusions = append(def.Exclusions, funnel.Exclusion{From: e.From - 1, To: e.To - 1})
	}
	return def, q, err
}

// evalFunnel has a row for each attempt.
func evalFunnel(ctx context.Context, r reader, a *arguments) (*result, error) {
	def, q, err := a.funnel()
	if err != nil {
		return nil, err
	}
	m, err := funnel.New(def)
	if err != nil {
		return nil, err
	}
	by := map[string]func([]funnel.Row, *funnel.Attempt) uint32{"": funnel.First, "first": funnel.First, "last": funnel.Last}[a.text("at")]
	if by == nil {
		by = funnel.At(a.whole("at", 1) - 1)
	}
	out := &result{columns: []string{"uid", "depth", "steps", "group"}}
	var groups []uint32
	names, err := query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))).Each(ctx, a.app, q, func(uid uint32, rows []funnel.Row) {
		m.User(rows, func(at *funnel.Attempt) {
			var steps []string
			for step := range at.Depth {
				text := "·"
				if at.Done(step) {
					text = strings.TrimPrefix(clock(rows[at.Rows[step]].TS), "2031-05-")
				}
				steps = append(steps, strings.TrimSuffix(text, ":00Z"))
			}
			groups = append(groups, by(rows, at))
			if q.CountBy != query.CountUsers { // they come in no order
				uid = 0
			}
			out.add(uid, at.Depth, strings.Join(steps, " "), nil)
		})
	})
	for i, g := range groups {
		if g > 0 {
			out.rows[i][3] = names[g]
		}
	}
	if q.CountBy != query.CountUsers {
		return out.sorted(), err
	}
	slices.SortStableFunc(out.rows, func(a, b []any) int { return cmp.Compare(a[0].(uint32), b[0].(uint32)) })
	return out, err
}

// evalFunnelMembers has the users, sessions or accounts that reach a step.
func evalFunnelMembers(ctx context.Context, r reader, a *arguments) (*result, error) {
	def, q, err := a.funnel()
	if err != nil {
		return nil, err
	}
	m, err := funnel.New(def)
	if err != nil {
		return nil, err
	}
	step := a.whole("reach", 1)
	out := &result{columns: []string{"member"}}
	list, err := query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))).Members(ctx, a.app, q, func(rows []funnel.Row) (in bool) {
		m.User(rows, func(at *funnel.Attempt) { in = in || at.Depth >= step })
		return in
	})
	for _, name := range list {
		out.add(name)
	}
	return out, err
}

// evalFunnelTrend has a row for each hour in which an attempt begins.
func evalFunnelTrend(ctx context.Context, r reader, a *arguments) (*result, error) {
	def, q, err := a.funnel()
	if err != nil {
		return nil, err
	}
	m, err := funnel.New(def)
	if err != nil {
		return nil, err
	}
	const hour = 3600_000
	tally := funnel.NewTally(len(q.Steps), nil)
	tally.Over(func(ts int64) int { return int(ts / hour) })
	_, err = query.NewFunnels(r.tables, 1<<20).Each(ctx, a.app, q, func(_ uint32, rows []funnel.Row) { tally.Add(m, rows) })
	out := &result{columns: []string{"begins", "users"}}
	for _, at := range slices.Sorted(maps.Keys(tally.Course)) {
		out.add(strings.TrimSuffix(strings.TrimPrefix(clock(int64(at)*hour), "2031-05-"), ":00:00Z")+"h", strings.Trim(fmt.Sprint(tally.Course[at]), "[]"))
	}
	return out, err
}

// evalHappened has a row for each user who did something.
func evalHappened(ctx context.Context, r reader, a *arguments) (*result, error) {
	q := query.HappenedQuery{Kinds: query.AllKinds(), But: a.funnelEvents("but")}
	for _, uid := range a.users() {
		q.Users = append(q.Users, query.Stretch{UID: uid, From: a.moment("from", 0), To: a.moment("to", 1<<50)})
	}
	out := &result{columns: []string{"uid", "did"}}
	var ids [][]uint32
	names, err := query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))).Happened(ctx, a.app, &q, func(at int, did []uint32) {
		ids = append(ids, slices.Clone(did))
		out.add(q.Users[at].UID, nil)
	})
	for i, list := range ids {
		var did []string
		for _, id := range list {
			did = append(did, strings.TrimSuffix(names[id].Event+":"+names[id].Name, ":"))
		}
		out.rows[i][1] = strings.Join(did, " ")
	}
	return out, err
}
