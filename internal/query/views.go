package query

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// ViewSum is what a view adds up to over a period.
type ViewSum struct {
	View     uint32 // its number
	Visits   int64
	Users    int64 // as the wire counts them: by day, or of the year
	Uniques  int64 // of the whole period
	New      int64 // filled in by NewOfViews
	Starts   int64
	Exits    int64
	Bounces  int64
	Sessions int64 // that saw the view
	Seconds  float64
	Scrolled float64 // per cent, summed up
}

// ViewSegment is the value of a segment by which views are asked for; the zero value is all.
type ViewSegment struct{ Name, Value string }

func (v ViewSegment) series() rollup.Series {
	if v.Name == "" {
		return rollup.Series{Metric: rollup.Views}
	}
	return rollup.Series{Metric: rollup.ViewSegments, Dim: rollup.SegmentDim(v.Name, v.Value)}
}

// Views sums up the views that have data in the period, by number. Exits, bounces and sessions are known of
// all visits together only: with a segment they are 0.
func (q *Query) Views(ctx context.Context, app model.AppID, by ViewSegment, p period.Period) ([]ViewSum, error) {
	if p.Empty() {
		return nil, nil
	}
	sums := map[string]*ViewSum{}
	at := func(value string) *ViewSum {
		if sums[value] == nil {
			sums[value] = &ViewSum{View: rollup.SubjectNumber(value)}
		}
		return sums[value]
	}
	ts, err := q.cells.sums(ctx, app, by.series(), spansOf(p.First, p.Last), everyCell)
	if err != nil {
		return nil, err
	}
	for _, t := range ts.all[:ts.used] {
		v := at(t.value)
		v.Visits, v.Starts, v.Seconds, v.Scrolled, v.Uniques = t.t, t.n, t.d, t.s, t.cardinality()
		v.Users = v.Uniques
	}
	if p.Step != period.MonthStep && p.Days() > 1 {
		for _, v := range sums {
			v.Users = 0
		}
		err := q.cells.counts(ctx, app, by.series(), rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last), func(_ rollup.Bucket, value string, _ *rollup.Cell, users int64) error {
			at(value).Users += users
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if by.Name == "" {
		err := q.eachDay(ctx, app, rollup.Series{Metric: rollup.ViewEnds}, p.First, p.Last, func(value string, c *rollup.Cell) {
			if c.Count == 0 && c.New == 0 && c.Requests == 0 {
				return // taken back
			}
			v := at(value)
			v.Exits = rollup.AddCount(v.Exits, c.Count)
			v.Bounces = rollup.AddCount(v.Bounces, c.New)
			v.Sessions = rollup.AddCount(v.Sessions, c.Requests)
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]ViewSum, 0, len(sums))
	for _, v := range sums {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b ViewSum) int { return int(a.View) - int(b.View) })
	return out, nil
}

// NewOfViews fills in how many users of the period visited each view for the first time, by the time of their visits.
func (q *Query) NewOfViews(ctx context.Context, app model.AppID, by ViewSegment, p period.Period, views []ViewSum) error {
	if len(views) == 0 || p.Empty() {
		return nil
	}
	wanted := make(map[string]bool, len(views))
	for _, v := range views {
		wanted[rollup.SubjectValue(v.View)] = true
	}
	now, err := q.viewUsers(ctx, app, by, wanted, p.First, p.Last)
	if err != nil {
		return err
	}
	before, err := q.viewUsers(ctx, app, by, wanted, 0, p.First-1)
	if err != nil {
		return err
	}
	for i := range views {
		value := rollup.SubjectValue(views[i].View)
		users := now[value]
		if users == nil {
			continue
		}
		n := users.GetCardinality()
		if known := before[value]; known != nil {
			n -= users.AndCardinality(known)
		}
		views[i].New = int64(n) //nolint:gosec // at most 2^32
	}
	return nil
}

// viewUsers returns the users of some views on days, by value.
func (q *Query) viewUsers(ctx context.Context, app model.AppID, by ViewSegment, wanted map[string]bool, first, last period.Day) (map[string]*roaring.Bitmap, error) {
	out := map[string]*roaring.Bitmap{}
	for _, sp := range spansOf(first, last) {
		err := q.cells.Scan(ctx, app, by.series(), sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
			if c.Users == nil || !wanted[value] {
				return nil
			}
			if out[value] == nil {
				out[value] = roaring.New()
			}
			out[value].Or(c.Users)
			out[value].CloneCopyOnWriteContainers()
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AllViews sums up all views of the period: users are those who visited any, new ones those of them who
// never had before.
func (q *Query) AllViews(ctx context.Context, app model.AppID, by ViewSegment, p period.Period) (ViewSum, error) {
	var all ViewSum
	list, err := q.Views(ctx, app, by, p)
	if err != nil || len(list) == 0 {
		return all, err
	}
	for _, v := range list {
		all.Visits = rollup.AddCount(all.Visits, v.Visits)
		all.Starts = rollup.AddCount(all.Starts, v.Starts)
		all.Exits = rollup.AddCount(all.Exits, v.Exits)
		all.Bounces = rollup.AddCount(all.Bounces, v.Bounces)
		all.Sessions = rollup.AddCount(all.Sessions, v.Sessions)
		all.Seconds += v.Seconds
		all.Scrolled += v.Scrolled
	}
	users, err := rollup.UnionUsers(ctx, q.cells, app, by.series(), nil, rollup.Bucket(p.First), rollup.Bucket(p.Last))
	if err != nil {
		return all, err
	}
	all.Uniques = int64(users.GetCardinality()) //nolint:gosec // at most 2^32
	all.Users, all.New = all.Uniques, all.Uniques
	if p.First <= 0 {
		return all, nil
	}
	before, err := rollup.UnionUsers(ctx, q.cells, app, by.series(), nil, 0, rollup.Bucket(p.First-1))
	if err != nil {
		return all, err
	}
	all.New -= int64(users.AndCardinality(before)) //nolint:gosec // at most 2^32
	return all, nil
}

// ViewBucket is what a view adds up to in a bucket of a period.
type ViewBucket struct {
	period.Bucket
	ViewSum
}

// ViewRows returns the buckets of a period that have data of a view, by its number, in order. Users are
// the uniques of that very bucket. Hours are not kept: steps of hours are taken for days. Where a step
// makes too many rows a coarser one is taken (period.Fit).
func (q *Query) ViewRows(ctx context.Context, app model.AppID, by ViewSegment, views []uint32, p period.Period, step period.Step) (map[uint32][]ViewBucket, error) {
	if step == period.HourStep || step == period.AutoStep && p.Step == period.HourStep {
		step = period.DayStep
	}
	step = p.Fit(step, len(views))
	buckets := slices.Collect(p.Buckets(step))
	if len(buckets) == 0 || len(views) == 0 {
		return nil, nil
	}
	wanted := make(map[string]bool, len(views))
	for _, v := range views {
		wanted[rollup.SubjectValue(v)] = true
	}
	type place struct {
		bucket int
		value  string
	}
	sums, users := map[place]*ViewSum{}, map[place]*roaring.Bitmap{}
	collect := func(s rollup.Series, add func(v *ViewSum, at place, c *rollup.Cell)) error {
		return q.eachBucket(ctx, app, s, buckets, func(i int, value string, c *rollup.Cell) {
			if !wanted[value] {
				return
			}
			at := place{i, value}
			if sums[at] == nil {
				sums[at] = &ViewSum{View: rollup.SubjectNumber(value)}
			}
			add(sums[at], at, c)
		})
	}
	err := collect(by.series(), func(v *ViewSum, at place, c *rollup.Cell) {
		v.Visits = rollup.AddCount(v.Visits, c.Count)
		v.Starts = rollup.AddCount(v.Starts, c.New)
		v.Seconds += c.Dur
		v.Scrolled += c.Sum
		if c.Users == nil {
			return
		}
		if users[at] == nil {
			users[at] = roaring.New()
		}
		users[at].Or(c.Users)
		users[at].CloneCopyOnWriteContainers()
	})
	if err == nil && by.Name == "" {
		err = collect(rollup.Series{Metric: rollup.ViewEnds}, func(v *ViewSum, _ place, c *rollup.Cell) {
			v.Exits = rollup.AddCount(v.Exits, c.Count)
			v.Bounces = rollup.AddCount(v.Bounces, c.New)
			v.Sessions = rollup.AddCount(v.Sessions, c.Requests)
		})
	}
	if err != nil {
		return nil, err
	}
	known, err := q.viewUsers(ctx, app, by, wanted, 0, p.First-1)
	if err != nil {
		return nil, err
	}
	out := map[uint32][]ViewBucket{}
	for i, b := range buckets {
		for value := range wanted {
			v, of := sums[place{i, value}], users[place{i, value}]
			if v == nil {
				continue
			}
			if of != nil {
				if known[value] == nil {
					known[value] = roaring.New()
				}
				v.Users = int64(of.GetCardinality())                     //nolint:gosec // at most 2^32
				v.New = v.Users - int64(of.AndCardinality(known[value])) //nolint:gosec // as above
				v.Uniques = v.Users
				known[value].Or(of)
			}
			out[v.View] = append(out[v.View], ViewBucket{b, *v})
		}
	}
	return out, nil
}

// eachBucket calls fn for the cells of each bucket of days or more.
func (q *Query) eachBucket(ctx context.Context, app model.AppID, s rollup.Series, buckets []period.Bucket, fn func(i int, value string, c *rollup.Cell)) error {
	if first := buckets[0]; first.Step == period.DayStep {
		from, to := rollup.Bucket(first.First), rollup.Bucket(buckets[len(buckets)-1].Last)
		return q.cells.Scan(ctx, app, s, rollup.Day, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			fn(int(b-from), value, c)
			return nil
		})
	}
	for i, b := range buckets {
		for _, sp := range spansOf(b.First, b.Last) {
			err := q.cells.Scan(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
				fn(i, value, c)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ActionFilter selects clicks or scrolling.
type ActionFilter struct {
	View               schema.Subject // by its name or its path
	Type               string         // "click" or "scroll"
	From, To           int64          // ms, both included
	MinWidth, MaxWidth float64        // of the device; 0 = any
	Segment            string         // platform; "" = any
}

// Action is a place where users clicked, or how far they scrolled, and how often.
type Action struct {
	Count                  int64
	X, Y, Width, Height    float64
	Type, Domain, Platform string
}

// maxActions bounds the places of one answer; the most frequent are kept.
const maxActions = 10_000

// Actions counts clicks or scrolling by place, the most frequent first.
func (t *Tables) Actions(ctx context.Context, app model.AppID, f ActionFilter) ([]Action, error) {
	const key = "[CLY]_action"
	text := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, t.segmentOfKey(app, key, name)), plan.Is(""))
	}
	number := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, t.segmentOfKey(app, key, name)), plan.Is(0.0))
	}
	where := []plan.Expr{
		plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)), plan.Between(plan.Ev("ts"), f.From, f.To),
		plan.Any(plan.Do(plan.Eq, plan.Ev("n"), plan.Is(f.View.Name)), plan.OneOf(text("view"), []string{f.View.Name, f.View.Alias})),
		plan.Do(plan.Eq, text("type"), plan.Is(f.Type)),
	}
	if f.MinWidth > 0 {
		where = append(where, plan.Do(plan.Ge, number("width"), plan.Is(f.MinWidth)))
	}
	if f.MaxWidth > 0 {
		where = append(where, plan.Do(plan.Le, number("width"), plan.Is(f.MaxWidth)))
	}
	if f.Segment != "" {
		where = append(where, plan.Do(plan.Eq, text("platform"), plan.Is(f.Segment)))
	}
	q := &plan.Query{App: app, From: plan.Events, Where: plan.All(where...), Limit: maxActions, Select: []plan.Expr{
		plan.Agg{Fn: plan.Count}, number("x"), number("y"), number("width"), number("height"), text("type"), text("domain"), text("platform"),
	}}
	for _, e := range q.Select {
		q.Order = append(q.Order, plan.Order{By: e, Desc: true})
	}
	out := []Action{}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var a Action
		if err := row.Scan(&a.Count, &a.X, &a.Y, &a.Width, &a.Height, &a.Type, &a.Domain, &a.Platform); err != nil {
			return err
		}
		out = append(out, a)
		return nil
	})
	return out, missing(err)
}
