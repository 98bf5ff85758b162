package query

import (
	"context"
	"slices"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// sampleShares are the percentiles of a Spread, in hundredths of a percent.
var sampleShares = [...]int{5000, 7500, 9000, 9500, 9900}

// Samples selects numbers that event rows hold, whose spread is wanted. docs/reference/performance.md defines the figures.
type Samples struct {
	// Event is the key of the rows.
	Event string
	// Names are the names of the rows; nil = any. Other are names that they do not have.
	Names, Other []string
	// Of is the path of the number. Rows without one count nowhere.
	Of string
	// Rating tells good numbers from poor ones.
	Rating Rating
	Filter filter.Expr
	// Period is cut into days of its own calendar.
	Period period.Period
	// By is the path of the property that rows are grouped by, "n" for their names.
	By string
}

// Rating tells good numbers from poor ones. The zero value rates nothing.
type Rating struct {
	// Good is the largest number that is good, Poor the largest that is not poor.
	Good, Poor float64
	// Codes says that numbers are status codes of HTTP: from 100 to 399 they are good, all others are poor, and they may be negative.
	Codes bool
}

// The ratings of numbers.
const (
	RatedNone  = iota // there is nothing to rate by
	RatedGood         //
	RatedFair         // neither good nor poor
	RatedPoor         //
	RatedCount        // how many ratings there are
)

// Of rates a number; ok is false for one that is no sample: a negative number that is no code.
func (r Rating) Of(v float64) (rated int, ok bool) {
	switch {
	case r.Codes && v >= firstCode && v < firstFailure:
		return RatedGood, true
	case r.Codes:
		return RatedPoor, true
	case v < 0:
		return RatedNone, false
	case r.Poor == 0:
		return RatedNone, true
	case v <= r.Good:
		return RatedGood, true
	case v <= r.Poor:
		return RatedFair, true
	}
	return RatedPoor, true
}

// Status codes: those from firstCode on say that there was an answer, those from firstFailure on that it is a failure.
const (
	firstCode    = 100
	firstFailure = 400
)

// Spread is how numbers are spread.
type Spread struct {
	Count int64 `json:"n"`
	Users int64 `json:"u"` // unique
	// Average and the percentiles, by nearest rank; nil where there are no numbers.
	Average *float64 `json:"avg"`
	P50     *float64 `json:"p50"`
	P75     *float64 `json:"p75"`
	P90     *float64 `json:"p90"`
	P95     *float64 `json:"p95"`
	P99     *float64 `json:"p99"`
	// Good and Poor are how many numbers are; PoorUsers had a poor one.
	Good      int64 `json:"good"`
	Poor      int64 `json:"poor"`
	PoorUsers int64 `json:"poor_u"`
}

// percentiles are the places of the percentiles, in the order of sampleShares.
func (s *Spread) percentiles() [len(sampleShares)]**float64 {
	return [...]**float64{&s.P50, &s.P75, &s.P90, &s.P95, &s.P99}
}

// SampleGroup is the spread of the rows with a value; nil where rows lack it.
type SampleGroup struct {
	Value *string `json:"value"`
	Spread
}

// sampleOrders are the figures by which groups are ordered, at the places where samplePlan has them.
var sampleOrders = []string{"n", "u", "", "p50", "p75", "p90", "p95", "p99", "good", "poor", "poor_u"}

// SampleOrderable reports whether groups can be ordered by a name: one of their figures but the average, or value.
func SampleOrderable(name string) bool {
	return name == "value" || name != "" && slices.Contains(sampleOrders, name)
}

// samplePlan is Samples bound to an app.
type samplePlan struct {
	where  plan.Expr
	figure []plan.Expr // in the order of sampleOrders; nil = no row can have a number
	bind   binder
}

func (t *Tables) samples(app model.AppID, q Samples) samplePlan {
	bind := t.bindTrend(app)
	of := numbersAt(q.Of, bind)
	if of == nil {
		return samplePlan{}
	}
	conditions := []plan.Expr{rowsOf(q.Event), plan.Between(plan.Ev("ts"), q.Period.Start, q.Period.End), plan.Matching(q.Filter, bind)}
	if q.Rating.Codes {
		conditions = append(conditions, plan.Do(plan.Not, plan.Do(plan.IsNull, of)))
	} else {
		conditions = append(conditions, plan.Do(plan.Ge, of, plan.Is(0.0)))
	}
	if q.Names != nil {
		conditions = append(conditions, plan.OneOf(plan.Ev("n"), q.Names))
	}
	if len(q.Other) > 0 {
		conditions = append(conditions, plan.Do(plan.Not, plan.OneOf(plan.Ev("n"), q.Other)))
	}
	good, poor := q.Rating.conditions(of)
	b := samplePlan{where: plan.All(conditions...), bind: bind}
	b.figure = []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}, plan.Agg{Fn: plan.Sum, Of: of}}
	for _, share := range sampleShares {
		b.figure = append(b.figure, plan.Agg{Fn: plan.Rank, Of: of, Share: share})
	}
	b.figure = append(b.figure, plan.Agg{Fn: plan.Count, When: good}, plan.Agg{Fn: plan.Count, When: poor}, plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid"), When: poor})
	return b
}

// conditions are those under which a number is good, and poor.
func (r Rating) conditions(of plan.Expr) (good, poor plan.Expr) {
	switch {
	case r.Codes:
		good = plan.All(plan.Do(plan.Ge, of, plan.Is(float64(firstCode))), plan.Do(plan.Lt, of, plan.Is(float64(firstFailure))))
		return good, plan.Do(plan.Not, good)
	case r.Poor == 0:
		return plan.Any(), plan.Any()
	}
	return plan.Do(plan.Le, of, plan.Is(r.Good)), plan.Do(plan.Gt, of, plan.Is(r.Poor))
}

// scan reads the figures of a row, and more behind them.
func (b *samplePlan) scan(row events.Scanner, more ...any) (s Spread, err error) {
	var sum any
	var found [len(sampleShares)]any
	dest := append([]any{&s.Count, &s.Users, &sum}, places(found[:])...)
	if err := row.Scan(append(append(dest, &s.Good, &s.Poor, &s.PoorUsers), more...)...); err != nil {
		return s, err
	}
	for i, p := range s.percentiles() {
		*p = numberIn(found[i])
	}
	s.Average = Quotient(numberIn(sum), number(s.Count))
	return s, nil
}

// SampleSpread returns the spread of all numbers.
func (t *Tables) SampleSpread(ctx context.Context, app model.AppID, q Samples) (s Spread, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b := t.samples(app, q)
	if b.figure == nil {
		return s, nil
	}
	p := &plan.Query{App: app, From: plan.Events, Where: b.where, Select: b.figure}
	err = t.asked.Run(ctx, p, func(row events.Scanner) error { s, err = b.scan(row); return err })
	return s, missing(err)
}

// SampleBuckets calls fn with the spread of each bucket that has numbers, in order of time.
func (t *Tables) SampleBuckets(ctx context.Context, app model.AppID, q Samples, step period.Step, fn func(period.Bucket, Spread) error) error {
	ctx = plan.For(ctx, plan.DrillOperator)
	b := t.samples(app, q)
	if b.figure == nil {
		return nil
	}
	cut := bucketsOf(q.Period, step)
	p := &plan.Query{
		App: app, From: plan.Events, Where: b.where, Select: append(slices.Clone(b.figure), cut.number), Order: []plan.Order{{By: cut.number}},
		Having: plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0)),
	}
	return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
		var n int64
		s, err := b.scan(row, &n)
		if err != nil {
			return err
		}
		return fn(cut.bucket(n), s)
	}))
}

// SampleOrder says which groups come first: by a name that is SampleOrderable. Ties are in the order of values.
type SampleOrder struct {
	By   string
	Desc bool
}

// SampleGroups returns a page of the groups of q.By, those whose value contains some text, and how many there are in all. limit is at least 1.
func (t *Tables) SampleGroups(ctx context.Context, app model.AppID, q Samples, search string, order SampleOrder, skip, limit int) (groups []SampleGroup, total int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b := t.samples(app, q)
	if b.figure == nil {
		return nil, 0, nil
	}
	by := plan.Expr(plan.Is(nil))
	known := true
	if q.By == "n" {
		by = plan.Ev("n")
	} else if typed, ok := b.bind(q.By); ok {
		by = plan.Do(plan.Text, typed)
	} else {
		known = false
	}
	where := b.where
	if search != "" {
		if !known {
			return nil, 0, nil
		}
		where = plan.All(where, plan.Do(plan.HasPart, plan.Do(plan.Lower, by), plan.Do(plan.Lower, plan.Is(search))))
	}
	p := &plan.Query{
		App: app, From: plan.Events, Where: where, Select: append(slices.Clone(b.figure), plan.Agg{Fn: plan.Groups}),
		Having: plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(0)), Limit: limit, Offset: skip,
	}
	switch i := slices.Index(sampleOrders, order.By); {
	case i >= 0 && order.By != "":
		p.Order = append(p.Order, plan.Order{By: b.figure[i], Desc: order.Desc})
	case known:
		p.Order = append(p.Order, plan.Order{By: by, Desc: order.Desc})
	}
	if known {
		p.Select = append(p.Select, by)
		p.Order = append(p.Order, plan.Order{By: by})
	}
	read := func() error {
		return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
			var g SampleGroup
			var value any
			more := []any{&total}
			if known {
				more = append(more, &value)
			}
			var err error
			if g.Spread, err = b.scan(row, more...); err != nil {
				return err
			}
			if text, ok := value.(string); ok {
				g.Value = &text
			}
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
