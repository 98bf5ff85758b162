package revenue

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/ltv"
)

// units are the steps of cohorts and ages by their names, with how many ages are answered where a request does not say.
var units = map[string]struct {
	step period.Step
	ages int
}{"day": {period.DayStep, 31}, "week": {period.WeekStep, 27}, "month": {period.MonthStep, 13}}

type lifetimeReq struct {
	Period    params.Value `param:"period"`
	Timezone  string       `param:"timezone"`
	Events    params.Value `param:"events"`
	Filter    params.Value `param:"filter"`
	Unit      string       `param:"unit"`
	Ages      params.Value `param:"ages"`
	Breakdown string       `param:"breakdown"`
	Limit     params.Value `param:"breakdown_limit"`
}

// lifetimes are what users spent by age.
type lifetimes struct {
	Events     []string      `json:"events"`
	Configured []string      `json:"configured"`
	Unit       string        `json:"unit"`
	Timezone   string        `json:"timezone"`
	From       int64         `json:"from"` // ms, of the first cohort
	To         int64         `json:"to"`   // ms, the last one of the last cohort
	Users      int64         `json:"users"`
	Ages       int           `json:"ages"`
	Curve      []*agePoint   `json:"curve"`
	Rows       []lifetimeRow `json:"rows"`
	Groups     []lifetimeOf  `json:"groups,omitempty"`
}

// agePoint is what a user has spent up to the end of an age.
type agePoint struct {
	Users   int64   `json:"users"`   // of the cohorts for which the age is over
	Revenue float64 `json:"revenue"` // of this age alone, and of these cohorts
	LTV     float64 `json:"ltv"`
	Payers  float64 `json:"paying_percent"`
}

// lifetimeRow is a cohort.
type lifetimeRow struct {
	ID    string     `json:"_id"`
	Start int64      `json:"start"` // ms
	Users int64      `json:"users"`
	Cells []*ageCell `json:"cells"` // nil = no part of the age has begun
}

// ageCell is what a cohort has spent up to the end of an age.
type ageCell struct {
	Revenue float64  `json:"revenue"`
	Paying  int64    `json:"paying"`
	LTV     *float64 `json:"ltv"` // nil = the cohort is empty
	Over    bool     `json:"over"`
}

// lifetimeOf are the users of one value of a property.
type lifetimeOf struct {
	Value any         `json:"value"` // nil = absent
	Other bool        `json:"other,omitempty"`
	Users int64       `json:"users"`
	Curve []*agePoint `json:"curve"`
}

// lifetime answers what users spend, by age.
func (s *service) lifetime(ctx context.Context, c api.Caller, r lifetimeReq) (*lifetimes, error) {
	frame, err := s.frame(c, r.Timezone)
	if err != nil {
		return nil, err
	}
	p, err := frame.Parse(r.Period.String())
	if err != nil {
		return nil, err
	}
	unit, ok := units[cmp.Or(r.Unit, "day")]
	if !ok {
		return nil, bad("unit")
	}
	given, err := bought(c, r.Events)
	if err != nil {
		return nil, err
	}
	q := query.LTVQuery{Breakdown: r.Breakdown}
	if q.Events, err = s.keys(ctx, c.App.ID, given); err != nil {
		return nil, err
	}
	if q.Filter, err = selection(r.Filter); err != nil {
		return nil, err
	}
	if len(r.Breakdown) > maxPath || query.OfPurchase(r.Breakdown) {
		return nil, bad("breakdown")
	}
	if err := permitted(c, q.Filter.Paths(), []string{r.Breakdown}); err != nil {
		return nil, err
	}
	if q.Ages, err = whole(r.Ages, unit.ages, 1, ltv.MaxUnits, "ages"); err != nil {
		return nil, err
	}
	most, err := whole(r.Limit, usualGroups, 1, maxGroups, "breakdown_limit")
	if err != nil {
		return nil, err
	}
	if p.Empty() {
		return nil, bad("period")
	}
	if p.Days() > 31*ltv.MaxUnits {
		return nil, errTooMany
	}
	// Units are days and longer, so the question stays the same all day: today is looked at as a whole, as in reports, and is not over.
	today := frame.Calendar.DayBucket(frame.Now.UnixMilli())
	q.End, q.Until = frame.Calendar.DayStart(today), frame.Calendar.DayStart(today+1)
	if q.Units, _, q.Cohorts = query.Units(p, unit.step, q.Until); q.Cohorts > ltv.MaxUnits {
		return nil, errTooMany
	}
	t, err := s.sequences.Lifetimes(ctx, c.App.ID, q)
	if err != nil {
		return nil, err
	}
	out := &lifetimes{
		Events: given, Configured: configured(c.App), Unit: cmp.Or(r.Unit, "day"), Timezone: p.Calendar().Location().String(),
		From: q.Units[0], To: q.Units[q.Cohorts] - 1, Ages: q.Ages, Rows: make([]lifetimeRow, q.Cohorts),
	}
	all := t.All()
	out.Users, out.Curve = all.Users, curve(all)
	for i := range out.Rows {
		out.Rows[i] = cohort(p.Calendar(), &q, t.Tally, i, unit.step)
	}
	if q.Breakdown != "" {
		out.Groups = groupsOf(t, most, q.Ages)
	}
	return out, nil
}

// curve adds up ages: what a user spends in each of them, as the users for whom it is over did. It ends where an age is over for nobody.
func curve(g *ltv.Group) []*agePoint {
	out := make([]*agePoint, len(g.Points))
	var worth, share float64
	for age, p := range g.Points {
		if p.Users == 0 {
			break
		}
		worth += p.Revenue / float64(p.Users)
		share += 100 * float64(p.Payers) / float64(p.Users)
		out[age] = &agePoint{Users: p.Users, Revenue: rounded(p.Revenue), LTV: rounded(worth), Payers: rounded(min(share, 100))}
	}
	return out
}

// cohort writes the row of a cohort.
func cohort(cal *period.Calendar, q *query.LTVQuery, t *ltv.Tally, i int, step period.Step) lifetimeRow {
	row := lifetimeRow{ID: unitID(cal.DayBucket(q.Units[i]), step), Start: q.Units[i], Users: t.Sizes[i], Cells: make([]*ageCell, q.Ages)}
	var revenue float64
	var paying int64
	for age, cell := range t.Cells[i] {
		if !q.Begun(i, age) {
			break
		}
		revenue += cell.Revenue
		paying += cell.Payers
		row.Cells[age] = &ageCell{Revenue: rounded(revenue), Paying: paying, LTV: quotient(revenue, t.Sizes[i]), Over: q.Over(i, age)}
	}
	return row
}

// unitID names a unit by its first day.
func unitID(d period.Day, step period.Step) string {
	year, month, day := d.Date()
	if step == period.MonthStep {
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// groupsOf lists the largest groups, and all others as one.
func groupsOf(t query.Lifetimes, most, ages int) []lifetimeOf {
	type entry struct {
		id uint32
		*ltv.Group
	}
	var list []entry
	for id, g := range t.Groups {
		list = append(list, entry{id, g})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.Users, a.Users), cmp.Compare(t.Names[a.id], t.Names[b.id]))
	})
	out := []lifetimeOf{}
	other := &ltv.Group{Points: make([]ltv.Point, ages)} // a new one: t is shared
	if t.Other != nil {
		other.Add(t.Other)
	}
	for i, e := range list {
		if i >= most {
			other.Add(e.Group)
			continue
		}
		row := lifetimeOf{Users: e.Users, Curve: curve(e.Group)}
		if e.id > 0 {
			row.Value = t.Names[e.id]
		}
		out = append(out, row)
	}
	if other.Users > 0 {
		out = append(out, lifetimeOf{Other: true, Users: other.Users, Curve: curve(other)})
	}
	return out
}
