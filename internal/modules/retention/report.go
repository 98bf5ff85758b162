package retention

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/retention"
)

type reportReq struct {
	Period    params.Value `param:"period"`
	Timezone  string       `param:"timezone"`
	Start     params.Value `param:"start"`
	Return    params.Value `param:"return"`
	StartType string       `param:"start_type"`
	Query     params.Value `param:"query"`
	Mode      string       `param:"mode"`
	Unit      string       `param:"unit"`
	Brackets  params.Value `param:"brackets"`
	Span      params.Value `param:"span"`
	Rolling   string       `param:"rolling"`
	Breakdown string       `param:"breakdown"`
	Most      params.Value `param:"breakdown_limit"`
	Value     string       `param:"value"`
	CountBy   string       `param:"count_by"`
}

// report is how many users came back.
type report struct {
	Unit     string       `json:"unit"`
	Mode     string       `json:"mode"`
	Start    string       `json:"start_type"`
	Rolling  bool         `json:"rolling"`
	Timezone string       `json:"timezone"`
	From     int64        `json:"from"` // ms, of the first cohort
	To       int64        `json:"to"`   // ms, the last one of the last cohort
	Users    int64        `json:"users"`
	Brackets []bracketRow `json:"brackets"`
	Rows     []cohortRow  `json:"rows"`
	Mean     []*figures   `json:"mean"`
	Groups   []groupRow   `json:"groups,omitempty"`
	Source   string       `json:"source"`
}

type bracketRow struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// cohortRow is a cohort; Cells is nil in brackets that have not begun.
type cohortRow struct {
	ID    string     `json:"_id"`
	Start int64      `json:"start"` // ms
	Users int64      `json:"users"`
	Cells []*figures `json:"cells"`
}

// groupRow is all cohorts of one value of a property.
type groupRow struct {
	Value any        `json:"value"` // nil = it is absent
	Other bool       `json:"other,omitempty"`
	Users int64      `json:"users"`
	Cells []*figures `json:"cells"`
}

// figures are those of a bracket.
type figures struct {
	Users   int64   `json:"users"`
	Percent float64 `json:"percent"` // two decimals; see docs/reference/retention.md for of what
	// Over is how many users there are for whom the bracket is over, Kept how many of them came back in it.
	Over  int64    `json:"over"`
	Kept  int64    `json:"kept"`
	Value *float64 `json:"value,omitempty"`
	Each  *float64 `json:"value_per_user,omitempty"`
}

// report answers every option.
func (s *service) report(ctx context.Context, c api.Caller, r reportReq) (*report, error) {
	q, p, err := s.question(ctx, c, r)
	if err != nil {
		return nil, err
	}
	most, err := count(r.Most, 10, "breakdown_limit")
	if err != nil {
		return nil, err
	}
	t, err := s.reads.Read(ctx, c.App.ID, q)
	if err != nil {
		return nil, err
	}
	out := &report{
		Unit: cmp.Or(r.Unit, "day"), Mode: cmp.Or(r.Mode, "on"), Start: cmp.Or(r.StartType, "first"), Rolling: q.Rolling > 0,
		Timezone: p.Calendar().Location().String(), From: q.Units[0], To: q.Units[q.Cohorts] - 1, Users: t.Users,
		Rows: make([]cohortRow, q.Cohorts), Source: map[bool]string{true: "cells", false: "rows"}[t.FromCells],
	}
	for _, b := range q.Brackets {
		out.Brackets = append(out.Brackets, bracketRow(b))
	}
	for i := range out.Rows {
		row := cohortRow{ID: id(p.Calendar(), q.Units[i], q.Step), Start: q.Units[i], Users: t.Sizes[i], Cells: make([]*figures, len(q.Brackets))}
		for b, cell := range t.Cells[i] {
			if q.Begun(i, b) {
				row.Cells[b] = figuresOf(cell, cell.Users, t.Sizes[i], q.Valued)
			}
		}
		out.Rows[i] = row
	}
	out.Mean = mean(q, t.Tally)
	if q.Breakdown != "" {
		out.Groups = groupRows(t, most, q.Valued)
	}
	return out, nil
}

// question reads a request.
func (s *service) question(ctx context.Context, c api.Caller, r reportReq) (*query.RetentionQuery, period.Period, error) {
	none := period.Period{}
	frame, err := s.frame(c, r.Timezone)
	if err != nil {
		return nil, none, err
	}
	p, err := frame.Parse(r.Period.String())
	if err != nil {
		return nil, none, err
	}
	step, ok := units[cmp.Or(r.Unit, "day")]
	if !ok {
		return nil, none, bad("unit")
	}
	q, err := s.ask(c, p, step, frame.Now.UnixMilli())
	if err != nil {
		return nil, none, err
	}
	if q.Mode, ok = modes[cmp.Or(r.Mode, "on")]; !ok {
		return nil, none, bad("mode")
	}
	switch r.StartType {
	case "", "first":
		q.First = true
	case "recurring":
	default:
		return nil, none, bad("start_type")
	}
	if params.On(r.Rolling) {
		q.Rolling = map[period.Step]int64{period.HourStep: 1, period.DayStep: 24, period.WeekStep: 7 * 24, period.MonthStep: 30 * 24}[step] * 3600_000
	}
	span, err := count(r.Span, s.span, "span")
	if err != nil {
		return nil, none, err
	}
	if q.Brackets, err = brackets(r.Brackets, span); err != nil {
		return nil, none, err
	}
	if q.Validate() != nil {
		return nil, none, bad("brackets")
	}
	if len(r.Breakdown) > maxPath || len(r.Value) > maxPath {
		return nil, none, bad("breakdown")
	}
	q.Breakdown, q.Value = r.Breakdown, r.Value
	if q.CountBy, err = countBy(r.CountBy); err != nil {
		return nil, none, err
	}
	return q, p, s.rows(ctx, c, r, q)
}

// rows reads which rows are starts and returns.
func (s *service) rows(ctx context.Context, c api.Caller, r reportReq, q *query.RetentionQuery) (err error) {
	if q.Chosen, err = selection(r.Query); err != nil {
		return err
	}
	paths := q.Chosen.Paths()
	if q.Start, err = s.events(ctx, c.App.ID, r.Start, "start", &paths); err != nil {
		return err
	}
	if q.Return, err = s.events(ctx, c.App.ID, r.Return, "return", &paths); err != nil {
		return err
	}
	return permitted(c, append(paths, q.Value), append(q.CountBy.Paths(), q.Breakdown)...)
}

// figuresOf writes a cell: part of whole is its percentage; whole is who may have a value, too.
func figuresOf(c retention.Cell, part, whole int64, valued bool) *figures {
	f := &figures{Users: c.Users, Over: c.Over, Kept: c.Kept}
	var each float64
	if whole > 0 {
		f.Percent = math.Round(float64(part)*10_000/float64(whole)) / 100
		each = c.Value / float64(whole)
	}
	if valued {
		f.Value, f.Each = &c.Value, &each
	}
	return f
}

// mean weighs cohorts by their users: of all for whom a bracket is over, the share of those who came back. It is nil where a bracket
// is over for nobody. Values are those of cohorts for all of which it is over.
func mean(q *query.RetentionQuery, t *retention.Tally) []*figures {
	out := make([]*figures, len(q.Brackets))
	for b := range out {
		var sum retention.Cell
		var whole int64
		for c, cells := range t.Cells {
			sum.Users += cells[b].Users
			sum.Over += cells[b].Over
			sum.Kept += cells[b].Kept
			if q.Over(c, b) {
				sum.Value += cells[b].Value
				whole += t.Sizes[c]
			}
		}
		if sum.Over == 0 {
			continue
		}
		out[b] = figuresOf(sum, sum.Kept, sum.Over, q.Valued)
		if q.Valued {
			*out[b].Each = 0
			if whole > 0 {
				*out[b].Each = sum.Value / float64(whole)
			}
		}
	}
	return out
}

// groupRows lists the largest groups, and all others as one.
func groupRows(t query.Retained, most int, valued bool) []groupRow {
	type entry struct {
		id uint32
		*retention.Group
	}
	var list []entry
	for id, g := range t.Groups {
		list = append(list, entry{id, g})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(t.Names[a.id], t.Names[b.id]))
	})
	write := func(g *retention.Group) groupRow {
		row := groupRow{Users: g.Size, Cells: make([]*figures, len(g.Cells))}
		for b, cell := range g.Cells {
			row.Cells[b] = figuresOf(cell, cell.Kept, cell.Over, valued)
			if valued {
				*row.Cells[b].Each = cell.Value / float64(max(g.Size, 1))
			}
		}
		return row
	}
	out := []groupRow{}
	for _, e := range list[:min(most, len(list))] {
		row := write(e.Group)
		if e.id > 0 {
			row.Value = t.Names[e.id]
		}
		out = append(out, row)
	}
	var other *retention.Group // a new one: t is shared
	rest := []*retention.Group{}
	if t.Other != nil {
		rest = append(rest, t.Other)
	}
	for _, e := range list[min(most, len(list)):] {
		rest = append(rest, e.Group)
	}
	for _, g := range rest {
		if other == nil {
			other = &retention.Group{Cells: make([]retention.Cell, len(g.Cells))}
		}
		other.Add(g)
	}
	if other != nil {
		row := write(other)
		row.Other = true
		out = append(out, row)
	}
	return out
}
