package activeusers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/active"
)

// Bounds of reads.
const (
	maxDays     = 1100
	maxEvents   = 50
	maxKey      = 2048 // bytes
	maxPath     = 512  // bytes
	usualGroups = 10
	maxGroups   = 200
)

// session is what makes users active where nothing else is said.
const session = "[CLY]_session"

var (
	errUsers   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	errTooMany = fault.Newf(fault.Invalid, "active_users.too_many", "At most %d days: choose a shorter period", maxDays)
)

func bad(name string) error {
	return fault.Newf(fault.Invalid, "active_users.bad_parameter", "Bad request parameter: %s", name)
}

// ask makes the question about the days of a period.
func (s *service) ask(c api.Caller, p period.Period) (*query.ActiveQuery, error) {
	if p.Days() > maxDays {
		return nil, errTooMany
	}
	return &query.ActiveQuery{
		Question: active.Question{First: p.First, Last: p.Last, Known: p.Today}, Calendar: p.Calendar(),
		AppDays: p.Calendar().Location().String() == c.App.Timezone, Of: []query.FunnelEvent{{Key: session}},
	}, nil
}

// triple are the users of a day, of 7 and of 30 days.
type triple struct {
	Day   int64 `json:"d"`
	Week  int64 `json:"w"`
	Month int64 `json:"m"`
}

// entry is a row of the wire's object.
type entry struct {
	id string
	triple
}

// entries are written as an object in their order.
type entries []entry

// MarshalJSON implements json.Marshaler.
func (e entries) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, each := range e {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(each.id))
		b.WriteByte(':')
		text, err := json.Marshal(each.triple)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// table is the answer of the wire. Calculating is always false: answers are those of the present.
type table struct {
	Calculating bool    `json:"calculating"`
	Data        entries `json:"data"`
}

type tableReq struct {
	api.Window

	// Apps are the ids of several apps whose people are counted, a JSON list.
	Apps   params.Value `param:"apps"`
	Filter params.Value `param:"filter"`
}

// table answers in the wire's form: days, or for the period month the averages of months.
func (s *service) table(ctx context.Context, c api.Caller, r tableReq) (*table, error) {
	f, err := api.ReadFilter(c, r.Filter)
	if err != nil {
		return nil, err
	}
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	out := &table{Data: entries{}}
	if p.Empty() {
		return out, nil
	}
	q, err := s.ask(c, p)
	if err != nil {
		return nil, err
	}
	q.Filter = f
	several, err := s.several(c, r.Apps)
	if err != nil {
		return nil, err
	}
	t, err := s.read(ctx, c, q, several)
	if err != nil {
		return nil, err
	}
	step := period.DayStep
	if p.Text == "month" || p.Text == "year" {
		step = period.MonthStep
	}
	for b := range p.Buckets(step) {
		if days := within(t.Days, p.First, b.First, b.Last); len(days) > 0 {
			d, w, m := means(days)
			out.Data = append(out.Data, entry{b.ID(period.Dot), triple{round(d), round(w), round(m)}})
		}
	}
	return out, nil
}

// within are the figures of the days from one to another of those that begin with first, as far as there are any.
func within(days []active.Figures, first, from, to period.Day) []active.Figures {
	lo, hi := min(int(from-first), len(days)), min(int(to-first)+1, len(days))
	return days[max(0, lo):max(0, lo, hi)]
}

// means are the averages of days; zeros for none.
func means(days []active.Figures) (d, w, m float64) {
	if len(days) == 0 {
		return 0, 0, 0
	}
	for _, each := range days {
		d += float64(each.Day)
		w += float64(each.Week)
		m += float64(each.Month)
	}
	n := float64(len(days))
	return d / n, w / n, m / n
}

func round(n float64) int64 { return int64(math.Round(n)) }

type reportReq struct {
	api.Window

	// Apps are the ids of several apps whose people are counted, a JSON list.
	Apps      params.Value `param:"apps"`
	Events    params.Value `param:"events"`
	Filter    params.Value `param:"filter"`
	Breakdown string       `param:"breakdown"`
	Most      params.Value `param:"breakdown_limit"`
}

// report is how many users are active.
type report struct {
	Timezone string `json:"timezone"`
	// Today is the day (2031-5-14) that is not over; "" when the period has none.
	Today  string     `json:"today"`
	Users  int64      `json:"users"` // of the whole period
	Mean   figures    `json:"mean"`
	Days   []dayRow   `json:"days"`
	Weeks  []unitRow  `json:"weeks"`
	Months []unitRow  `json:"months"`
	Groups []groupRow `json:"groups,omitempty"`
	Of     int        `json:"groups_total,omitempty"`
	Source string     `json:"source"`
	MeanOf int        `json:"mean_days"` // days that Mean is of
	// Apps are those whose people are counted, where several were asked for.
	Apps []appRow `json:"apps,omitempty"`
}

type appRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// figures are averages over days. Stickiness is in per cent, with two decimals: users of a day of those of 30 days, and of 7 days.
type figures struct {
	Day            float64 `json:"d"`
	Week           float64 `json:"w"`
	Month          float64 `json:"m"`
	Stickiness     float64 `json:"dm"`
	WeekStickiness float64 `json:"dw"`
}

// dayRow is a day.
type dayRow struct {
	ID string `json:"_id"`
	triple

	Stickiness float64 `json:"dm"` // as in figures
}

// unitRow is a calendar week or month.
type unitRow struct {
	ID    string `json:"_id"`
	First string `json:"first"` // its first day
	Users int64  `json:"u"`
	Over  bool   `json:"over"`
}

// groupRow is a value of the property that is broken down by.
type groupRow struct {
	Value any      `json:"value"` // nil = it is absent
	Other bool     `json:"other,omitempty"`
	Users int64    `json:"users"`
	Mean  figures  `json:"mean"`
	Days  []triple `json:"days"`
}

// report answers every option.
func (s *service) report(ctx context.Context, c api.Caller, r reportReq) (*report, error) {
	q, p, err := s.question(ctx, c, r)
	if err != nil {
		return nil, err
	}
	most, err := groupsOf(r.Most)
	if err != nil {
		return nil, err
	}
	several, err := s.several(c, r.Apps)
	if err != nil {
		return nil, err
	}
	t, err := s.read(ctx, c, q, several)
	if err != nil {
		return nil, err
	}
	over := len(t.Days)
	out := &report{
		Timezone: p.Calendar().Location().String(), Users: t.Users, Days: make([]dayRow, len(t.Days)),
		Source: map[bool]string{true: "cells", false: "rows"}[t.FromCells],
	}
	if p.ContainsToday() && over > 0 {
		out.Today = p.Today.ID(period.Dash)
		if over > 1 {
			over--
		}
	}
	for _, app := range several {
		out.Apps = append(out.Apps, appRow{app.ID.String(), app.Name})
	}
	out.Mean, out.MeanOf = meanOf(t.Days[:over]), over
	for i, d := range t.Days {
		out.Days[i] = dayRow{(p.First + period.Day(i)).ID(period.Dash), triple(d), share(float64(d.Day), float64(d.Month))}
	}
	out.Weeks, out.Months = units(t.Weeks, period.WeekStep, p.Today), units(t.Months, period.MonthStep, p.Today)
	if q.Breakdown != "" {
		out.Groups, out.Of = groupRows(t, most, over), len(t.Groups)
	}
	return out, nil
}

// question reads a request.
func (s *service) question(ctx context.Context, c api.Caller, r reportReq) (*query.ActiveQuery, period.Period, error) {
	cal, _ := s.zones.Get(c.App.Timezone)
	if r.Timezone != "" {
		var known bool
		if cal, known = s.zones.Read(r.Timezone); !known {
			return nil, period.Period{}, bad("timezone")
		}
	}
	p, err := period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}.Parse(r.Period)
	if err != nil {
		return nil, p, err
	}
	if p.Empty() {
		return nil, p, bad("period")
	}
	q, err := s.ask(c, p)
	if err != nil {
		return nil, p, err
	}
	if q.Filter, err = api.ReadFilter(c, r.Filter); err != nil {
		return nil, p, err
	}
	if q.Of, err = s.events(ctx, c, r.Events); err != nil {
		return nil, p, err
	}
	if len(r.Breakdown) > maxPath {
		return nil, p, bad("breakdown")
	}
	q.Breakdown = r.Breakdown
	if !auth.MayAskBy(c.Member, c.App.ID, q.Filter.Paths(), []string{q.Breakdown}) {
		return nil, p, errUsers
	}
	return q, p, nil
}

// events reads what makes users active: a key, or a JSON list of keys; sessions by default.
func (s *service) events(ctx context.Context, c api.Caller, v params.Value) ([]query.FunnelEvent, error) {
	keys := []string{cmp.Or(v.String(), session)}
	if raw := v.Raw(); strings.HasPrefix(strings.TrimSpace(string(raw)), "[") && json.Valid(raw) {
		keys = nil
		if json.Unmarshal(raw, &keys) != nil {
			return nil, bad("events")
		}
	}
	var out []query.FunnelEvent
	for _, key := range keys {
		if key == "" || len(key) > maxKey {
			return nil, bad("events")
		}
		of, err := s.groups.Keys(ctx, c.App.ID, key)
		if err != nil {
			return nil, err
		}
		for _, k := range of {
			out = append(out, query.FunnelEvent{Key: k, Filter: filter.Expr{}})
		}
		if len(out) > maxEvents {
			return nil, bad("events")
		}
	}
	if len(out) == 0 {
		return nil, bad("events")
	}
	return out, nil
}

// groupsOf reads how many groups are wanted.
func groupsOf(v params.Value) (int, error) {
	if v.String() == "" {
		return usualGroups, nil
	}
	n, err := strconv.Atoi(v.String())
	if err != nil || n < 1 || n > maxGroups {
		return 0, bad("breakdown_limit")
	}
	return n, nil
}

// share is a part in per cent, with two decimals; 0 of nothing.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(part*10_000/whole) / 100
}

// meanOf are the averages of days, with two decimals.
func meanOf(days []active.Figures) figures {
	d, w, m := means(days)
	two := func(n float64) float64 { return math.Round(n*100) / 100 }
	return figures{Day: two(d), Week: two(w), Month: two(m), Stickiness: share(d, m), WeekStickiness: share(d, w)}
}

// units writes calendar units.
func units(list []active.Unit, step period.Step, today period.Day) []unitRow {
	out := make([]unitRow, len(list))
	for i, u := range list {
		b := period.Bucket{Step: step, First: u.First, Last: u.Last}
		out[i] = unitRow{ID: b.ID(period.Dash), First: u.First.ID(period.Dash), Users: u.Users, Over: u.Last < today}
	}
	return out
}

// groupRows lists the groups with most users of the period, and those that came after the first ones as one.
func groupRows(t query.ActiveUsers, most, over int) []groupRow {
	ids := make([]uint32, 0, len(t.Groups))
	for id := range t.Groups {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		x, y := t.Groups[a], t.Groups[b]
		return cmp.Or(boolOrder(a == active.Other, b == active.Other), cmp.Compare(y.Users, x.Users), strings.Compare(nameOf(t, a), nameOf(t, b)))
	})
	out := []groupRow{}
	for i, id := range ids {
		if i >= most && id != active.Other {
			continue
		}
		g := t.Groups[id]
		row := groupRow{Users: g.Users, Mean: meanOf(g.Days[:over]), Days: make([]triple, len(g.Days)), Other: id == active.Other}
		if !row.Other && id > 0 {
			row.Value = nameOf(t, id)
		}
		for i, d := range g.Days {
			row.Days[i] = triple(d)
		}
		out = append(out, row)
	}
	return out
}

func nameOf(t query.ActiveUsers, id uint32) string {
	if int64(id) >= int64(len(t.Names)) {
		return ""
	}
	return t.Names[id]
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
