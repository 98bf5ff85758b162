package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Trend selects event rows whose figures are wanted: over a period, by buckets of time, or by the values of
// properties. docs/reference/drill.md defines the figures.
type Trend struct {
	Events []string // keys, also of defined events: any of them
	Filter filter.Expr
	// Did are conditions on users: each has to hold of the user of a row.
	Did []Did
	// Period is cut into days of its own calendar, which may be that of another zone than the app's.
	Period period.Period
	// OwnClock takes the day and the hour of each row from the clock of its device, where that is known. The period then holds the rows whose own time
	// lies in it. Minutes of such times are not known.
	OwnClock bool
	// By are the paths of up to three properties that rows are grouped by. "chr", once at most, are Cohorts: a row is in the group of each
	// that its user is in, or of none of them.
	By      []string
	Cohorts []string // ids
	// Bins are the edges, ascending, of the ranges into which the numbers of properties of By are cut.
	Bins map[string][]float64
	// CountBy is what Figures.Users counts, in place of users.
	CountBy CountBy
	// Usual are those of the usual figures that are wanted, the others are 0; 0 = all.
	Usual UsualFigures
	// Measures are what Figures.More has.
	Measures []Measure
	// Ranked is of how many rows percentiles may be computed, see Ranks; 0 = any number.
	Ranked int64
	// At is a bucket of the period that rows lie in; nil = any.
	At *period.Bucket
	// Only are groups of By that rows are of one of; nil = any group. Except are those that they are not of.
	Only, Except []TrendGroup

	part *cohortPart // the one of Cohorts that rows are of; nil = any
}

// Did is a condition on what a user did from one moment to another (ms, both included).
type Did struct {
	Not      bool // the condition does not hold
	Events   []string
	Filter   filter.Expr
	From, To int64
	// Least and Most bound how often, by count; Most 0 = any number. Least is at least 1.
	Least, Most int64
}

// Figures are what a trend counts.
type Figures struct {
	Users int64   `json:"u"`   // unique; see Trend.CountBy
	Count int64   `json:"t"`   // sum of counts
	Sum   float64 `json:"s"`   // of the events' sums
	Dur   float64 `json:"dur"` // seconds
	// More are the measures of the trend, in their order; nil = nothing to measure.
	More []*float64 `json:"m,omitempty"`
}

// UsualFigures is a set of those that every trend has.
type UsualFigures uint8

// The usual figures.
const (
	UsualUsers UsualFigures = 1 << iota
	UsualCount
	UsualSum
	UsualDur
)

// has reports whether figures are wanted, by their place.
func (u UsualFigures) has(place int) bool { return u == 0 || u&(1<<place) != 0 }

// dest is where those of the figures go that are wanted.
func (f *Figures) dest(u UsualFigures) (out []any) {
	for i, d := range []any{&f.Users, &f.Count, &f.Sum, &f.Dur} {
		if u.has(i) {
			out = append(out, d)
		}
	}
	return out
}

// TrendGroup is a combination of values, one for each property of Trend.By: text, or nil where rows lack
// it. Numbers are as people write them, lists and objects as JSON.
type TrendGroup struct {
	Values []any
	Figures
}

// TrendOrder says which groups come first. By is u, t, s, dur, s0, s1, s2 for the value of a property, m0, m1 … for a measure, or m0/m1 for one divided by
// another. Groups for which there is nothing to measure come last, ties are in the order of values.
type TrendOrder struct {
	By   string
	Desc bool
}

// ordering is a TrendOrder that was read; what it is not by is -1.
type ordering struct{ figure, property, measure, by int }

func (t *Trend) orderable(name string) (o ordering, ok bool) {
	o = ordering{-1, -1, -1, -1}
	numbered := func(text, letter string, most int) int {
		for i := range most {
			if text == fmt.Sprintf("%s%d", letter, i) {
				return i
			}
		}
		return -1
	}
	of, by, quotient := strings.Cut(name, "/")
	if o.measure = numbered(of, "m", len(t.Measures)); quotient {
		o.by = numbered(by, "m", len(t.Measures))
		return o, o.measure >= 0 && o.by >= 0
	}
	o.figure, o.property = slices.Index([]string{"u", "t", "s", "dur"}, name), numbered(name, "s", len(t.By))
	return o, max(o.figure, o.property, o.measure) >= 0
}

// value is what groups are in the order of; nil where there is nothing to measure.
func (o ordering) value(g *TrendGroup) *float64 {
	switch {
	case o.figure >= 0:
		return new([]float64{float64(g.Users), float64(g.Count), g.Sum, g.Dur}[o.figure])
	case o.by >= 0:
		return Quotient(g.More[o.measure], g.More[o.by])
	}
	return g.More[o.measure]
}

// Orderable reports whether groups can be ordered by a name.
func (t *Trend) Orderable(name string) bool {
	_, ok := t.orderable(name)
	return ok
}

// TrendTotals returns the figures of all rows.
func (t *Tables) TrendTotals(ctx context.Context, app model.AppID, q Trend) (f Figures, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return f, err
	}
	err = t.asked.Run(ctx, b.plan(), func(row events.Scanner) error { f, err = b.scan(row); return err })
	if err = missing(err); err == nil && f.More == nil { // there are no rows
		f.More = Nothing(q.Measures)
	}
	return f, err
}

// TrendBuckets calls fn with the figures of each bucket that has rows, in order of time.
func (t *Tables) TrendBuckets(ctx context.Context, app model.AppID, q Trend, step period.Step, fn func(period.Bucket, Figures) error) error {
	ctx = plan.For(ctx, plan.DrillOperator)
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return err
	}
	cut := q.buckets(step)
	return b.each(ctx, t, cut.number, nil, func(n int64, _ []any, f Figures) error { return fn(cut.bucket(n), f) })
}

// TrendSeries is TrendTotals and TrendBuckets in one pass over the rows.
func (t *Tables) TrendSeries(ctx context.Context, app model.AppID, q Trend, step period.Step, fn func(period.Bucket, Figures) error) (total Figures, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return total, err
	}
	total.More = Nothing(q.Measures)
	cut := q.buckets(step)
	if _, one := cut.number.(plan.Literal); one {
		err := b.each(ctx, t, cut.number, nil, func(n int64, _ []any, f Figures) error {
			total = f
			return fn(cut.bucket(n), f)
		})
		return total, err
	}
	p := b.plan()
	p.Select, p.Order, p.Whole = append(p.Select, cut.number), []plan.Order{{By: cut.number}}, true
	p.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0))
	err = t.asked.Run(ctx, p, func(row events.Scanner) error {
		var at any
		f, err := b.scan(row, &at)
		if err != nil {
			return err
		}
		switch n := at.(type) { // few buckets have small numbers
		case int64:
			return fn(cut.bucket(n), f)
		case int32:
			return fn(cut.bucket(int64(n)), f)
		}
		total = f // all rows
		return nil
	})
	return total, missing(err)
}

// TrendGroups returns a page of the groups of q.By, and how many there are in all. limit is at least 1.
func (t *Tables) TrendGroups(ctx context.Context, app model.AppID, q Trend, order TrendOrder, skip, limit int) (groups []TrendGroup, total int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	if q.cohortAt() >= 0 && q.part == nil {
		return t.groupsOfCohorts(ctx, app, q, order, skip, limit)
	}
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return nil, 0, err
	}
	p, keys := b.groupsPlan(q, order, skip, limit), b.keys()
	read := func() error {
		return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
			g := TrendGroup{Values: make([]any, len(q.By))}
			found := make([]any, len(keys))
			var err error
			if g.Figures, err = b.scan(row, append([]any{&total}, places(found)...)...); err != nil {
				return err
			}
			b.spread(g.Values, found)
			groups = append(groups, g)
			return nil
		}))
	}
	if err = read(); err != nil || len(groups) > 0 || skip == 0 {
		return groups, total, err
	}
	p.Limit, p.Offset = 1, 0 // beyond the last: only their number is wanted
	err = read()
	return nil, total, err
}

// order is what groups are in the order of; nil = of their values alone.
func (b *trendPlan) order(q Trend, name string) plan.Expr {
	o, _ := q.orderable(name)
	switch {
	case o.figure >= 0:
		return b.usual()[o.figure]
	case o.property >= 0:
		return b.by[o.property]
	case o.measure < 0:
		return nil
	}
	of := b.measures[o.measure].order
	if o.by < 0 || of == nil {
		return of
	}
	if by := b.measures[o.by].order; by != nil {
		return plan.Do(plan.Per, of, by)
	}
	return nil
}

// TrendGroupBuckets calls fn with the figures of each bucket and group that has rows, in order of time; only groups that
// are listed. group is the place in the list. Of a breakdown by cohorts, one comes after another.
func (t *Tables) TrendGroupBuckets(ctx context.Context, app model.AppID, q Trend, step period.Step, groups []TrendGroup, fn func(b period.Bucket, group int, f Figures) error) error {
	ctx = plan.For(ctx, plan.DrillOperator)
	if len(groups) == 0 {
		return nil
	}
	if q.cohortAt() >= 0 && q.part == nil {
		return t.bucketsOfCohorts(ctx, app, q, step, groups, fn)
	}
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return err
	}
	cut := q.buckets(step)
	return b.eachOf(ctx, t, cut.number, groups, func(n int64, group int, f Figures) error { return fn(cut.bucket(n), group, f) })
}

// TrendOfGroups calls fn with the figures of each of some groups that has rows. group is its place among them.
func (t *Tables) TrendOfGroups(ctx context.Context, app model.AppID, q Trend, groups []TrendGroup, fn func(group int, f Figures) error) error {
	ctx = plan.For(ctx, plan.DrillOperator)
	if len(groups) == 0 {
		return nil
	}
	if q.cohortAt() >= 0 && q.part == nil {
		return t.ofCohorts(ctx, app, q, groups, fn)
	}
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return err
	}
	return b.eachOf(ctx, t, plan.Is(0), groups, func(_ int64, group int, f Figures) error { return fn(group, f) })
}

// eachOf is each by the properties of the trend, for some groups only.
func (b *trendPlan) eachOf(ctx context.Context, t *Tables, at plan.Expr, groups []TrendGroup, fn func(n int64, group int, f Figures) error) error {
	where := map[string]int{}
	for i, g := range groups {
		where[groupKey(g.Values)] = i
	}
	b.where = plan.All(b.where, b.among(groups))
	values := make([]any, len(b.by))
	return b.each(ctx, t, at, b.keys(), func(n int64, found []any, f Figures) error {
		b.spread(values, found)
		i, ok := where[groupKey(values)]
		if !ok {
			return nil
		}
		return fn(n, i, f)
	})
}

// groupKey tells combinations of values apart.
func groupKey(values []any) string { return fmt.Sprintf("%q", values) }

// trendPlan is a Trend that is bound to an app.
type trendPlan struct {
	app      model.AppID
	where    plan.Expr
	rows     plan.Expr    // where, but for the period; of a trend without groups
	wanted   UsualFigures // of Figures
	visit    plan.Expr    // what rows count by; nil = all
	unit     plan.Expr    // what is counted each once; nil = no row has any
	by       []plan.Expr  // text of each property, or the number of its range; nil where no row has it
	bins     [][]string   // names of the ranges of each property; nil = it is not cut
	measures []boundMeasure
	ranked   int64       // of how many rows percentiles may be computed, if there are any; 0 = any number
	chr      int         // the place of cohorts among the properties, counted from 1; 0 = they are not
	cohorts  []string    // ids of those
	part     *cohortPart // the one that rows are of; nil = any
}

func (t *Tables) trend(ctx context.Context, app model.AppID, q Trend) (*trendPlan, error) {
	asks(ctx, func() explain.Question { return q.question(app) })
	bind := t.bindTrend(app)
	b := &trendPlan{app: app, wanted: q.Usual, unit: t.unit(app, q.CountBy), chr: q.cohortAt() + 1, cohorts: q.Cohorts, part: q.part}
	of, visit, err := t.selection(ctx, app, q.Events)
	if err != nil {
		return nil, err
	}
	b.visit = visit
	conditions := []plan.Expr{of, plan.Matching(q.Filter, bind)}
	for _, d := range q.Did {
		did, err := t.did(ctx, app, d, bind)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, did)
	}
	b.rows = plan.All(conditions...)
	b.where = plan.All(slices.Concat(conditions[:1], []plan.Expr{q.within()}, conditions[1:])...)
	for _, path := range q.By {
		b.groupBy(path, q.Bins[path], bind)
	}
	if q.part != nil {
		b.where = plan.All(b.where, b.inPart(q.part.id))
	}
	if q.Only != nil {
		b.where = plan.All(b.where, b.exactly(q.Only))
	}
	if len(q.Except) > 0 {
		b.where = plan.All(b.where, plan.Do(plan.Not, b.exactly(q.Except)))
	}
	if q.At != nil {
		b.where = plan.All(b.where, q.buckets(q.At.Step).in(*q.At))
	}
	for _, m := range q.Measures {
		b.measures = append(b.measures, b.measure(m, bind))
		if m.Fn == MeasurePercentile {
			b.ranked = q.Ranked
		}
	}
	return b, nil
}

// did is the condition on the user of a row.
func (t *Tables) did(ctx context.Context, app model.AppID, d Did, bind binder) (plan.Expr, error) {
	q, err := t.doers(ctx, app, d, bind)
	if err != nil {
		return nil, err
	}
	e := plan.Expr(plan.Among{Of: plan.Ev("uid"), Query: q})
	if d.Not {
		e = plan.Do(plan.Not, e)
	}
	return e, nil
}

// doers selects the numbers of the users who did what d describes, each once, whether it is negated or not.
func (t *Tables) doers(ctx context.Context, app model.AppID, d Did, bind binder) (*plan.Query, error) {
	of, _, err := t.selection(ctx, app, d.Events)
	if err != nil {
		return nil, err
	}
	q := &plan.Query{
		App: app, From: plan.Events, Select: []plan.Expr{plan.Ev("uid")}, Distinct: true,
		Where: plan.All(of, plan.Between(plan.Ev("ts"), d.From, d.To), plan.Matching(d.Filter, bind)),
	}
	if d.Least > 1 || d.Most > 0 {
		times := plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")}
		q.Distinct = false
		q.Having = plan.Do(plan.Ge, times, plan.Is(max(d.Least, 1)))
		if d.Most > 0 {
			q.Having = plan.All(q.Having, plan.Do(plan.Le, times, plan.Is(d.Most)))
		}
	}
	return q, nil
}

// bindTrend is bindEvent with the properties of users that states do not hold, as they are now, and with the
// names that clients use beside those of rows.
func (t *Tables) bindTrend(app model.AppID) binder {
	of := t.bindEvent(app)
	return func(path string) (plan.Typed, bool) {
		for _, group := range []string{"custom.", "cmp."} {
			if strings.HasPrefix(path, "up."+group) {
				path = strings.TrimPrefix(path, "up.")
			}
		}
		if key, ok := strings.CutPrefix(path, "up."); ok && currentOnly(key) {
			return bindUser(key)
		}
		return of(path)
	}
}

// currentOnly reports whether a property of users is known as it is now only.
func currentOnly(key string) bool {
	switch key {
	case "fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "sd", "tsd", "lat", "lng", "hasInfo", "did", "uid", "_id":
		return true
	}
	return strings.HasPrefix(key, "consent.")
}

// users and count are the figures of their names.
func (b *trendPlan) users() plan.Expr { return units(b.unit, b.visit) }

func (b *trendPlan) count() plan.Expr { return plan.Agg{Fn: plan.Sum, Of: plan.Ev("c"), When: b.visit} }

// usual are the figures that every trend has.
func (b *trendPlan) usual() []plan.Expr {
	return []plan.Expr{b.users(), b.count(), plan.Agg{Fn: plan.Sum, Of: plan.Ev("s")}, plan.Agg{Fn: plan.Sum, Of: plan.Ev("dur")}}
}

// plan selects the figures of all rows.
func (b *trendPlan) plan() *plan.Query {
	q := &plan.Query{App: b.app, From: plan.Events, Where: b.where}
	for i, e := range b.usual() {
		if b.wanted.has(i) {
			q.Select = append(q.Select, e)
		}
	}
	for _, m := range b.measures {
		q.Select = append(q.Select, m.selects...)
	}
	if b.ranked > 0 {
		q.Most = &plan.Most{Rows: b.ranked}
	}
	return q
}

// scan reads the figures of a row, and more behind them.
func (b *trendPlan) scan(row events.Scanner, more ...any) (f Figures, err error) {
	n := 0
	for _, m := range b.measures {
		n += len(m.selects)
	}
	found := make([]any, n)
	if err := row.Scan(slices.Concat(f.dest(b.wanted), places(found), more)...); err != nil {
		return f, err
	}
	f.More = b.more(&f, found)
	return f, nil
}

// more are the measures of figures and of what was found for them.
func (b *trendPlan) more(f *Figures, found []any) []*float64 {
	if len(b.measures) == 0 {
		return nil
	}
	out := make([]*float64, len(b.measures))
	for i, m := range b.measures {
		out[i] = m.value(f, found[:len(m.selects)])
		found = found[len(m.selects):]
	}
	return out
}

// places are where the values of a row go.
func places(values []any) []any {
	out := make([]any, len(values))
	for i := range values {
		out[i] = &values[i]
	}
	return out
}

// keys are the properties that some row may have.
func (b *trendPlan) keys() []plan.Expr {
	var out []plan.Expr
	for _, e := range b.by {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// spread puts the values that were read of keys where their properties stand.
func (b *trendPlan) spread(values, found []any) {
	n := 0
	for i, e := range b.by {
		values[i] = nil
		if i+1 == b.chr && b.part != nil {
			values[i] = b.part.id
		}
		if e != nil {
			values[i] = b.shown(i, found[n])
			n++
		}
	}
}

// among is a condition that the rows of the groups meet; others may, too.
func (b *trendPlan) among(groups []TrendGroup) plan.Expr {
	var all []plan.Expr
	for j, e := range b.by {
		if e == nil {
			continue
		}
		var texts []string
		var absent plan.Expr
		for _, g := range groups {
			if text, ok := b.stored(j, g.Values[j]); ok {
				texts = append(texts, text)
			} else {
				absent = plan.Do(plan.IsNull, e)
			}
		}
		slices.Sort(texts)
		all = append(all, plan.Any(plan.OneOf(e, slices.Compact(texts)), absent))
	}
	return plan.All(all...)
}

// each runs a plan by a number, that of a bucket as a rule, and by more keys.
func (b *trendPlan) each(ctx context.Context, t *Tables, at plan.Expr, keys []plan.Expr, fn func(n int64, found []any, f Figures) error) error {
	p := b.plan()
	p.Select = append(append(p.Select, at), keys...)
	p.Order = []plan.Order{{By: at}}
	p.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0))
	return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
		var n int64
		found := make([]any, len(keys))
		f, err := b.scan(row, append([]any{&n}, places(found)...)...)
		if err != nil {
			return err
		}
		return fn(n, found, f)
	}))
}
