package query

import (
	"context"
	"math/big"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// MeasureFn is what a Measure computes.
type MeasureFn uint8

// The functions of measures.
const (
	MeasureUsers      MeasureFn = iota + 1 // as Figures.Users
	MeasureCount                           // as Figures.Count
	MeasureSessions                        // sessions in which it was done
	MeasureSum                             // of Of
	MeasureAverage                         // of s and dur: the sum by count; of properties: of the rows that have a number
	MeasurePerUser                         // the sum of Of by users; without Of, the count by users
	MeasureMin                             // the smallest Of
	MeasureMax                             // the largest Of
	MeasurePercentile                      // the smallest Of such that Share of all are not larger
)

// Measure is a figure of a trend beside the usual ones.
type Measure struct {
	Fn MeasureFn
	// Of is the path of numbers: s, dur or a property, whose texts count as the numbers that they show; "" for functions that need none.
	Of string
	// Share is that of MeasurePercentile, in hundredths of a percent, 1 to 10,000.
	Share int
}

// Uses are the usual figures that a measure is computed from.
func (m Measure) Uses() (u UsualFigures) {
	switch m.Fn {
	case MeasureUsers:
		return UsualUsers
	case MeasureCount:
		return UsualCount
	case MeasurePerUser:
		u = UsualUsers
	case MeasureAverage:
	case MeasureSum:
	case MeasureSessions, MeasureMin, MeasureMax, MeasurePercentile:
		return 0
	}
	switch m.Of {
	case sumPath:
		u |= UsualSum
	case durPath:
		u |= UsualDur
	case "":
		return u | UsualCount
	default:
		return u
	}
	if m.Fn == MeasureAverage {
		u |= UsualCount
	}
	return u
}

// boundMeasure is a Measure that is bound to an app: what it selects, and what it makes of the usual figures and of what was
// found; nil = nothing to measure.
type boundMeasure struct {
	selects []plan.Expr
	value   func(f *Figures, found []any) *float64
	order   plan.Expr // the value as the store computes it, which groups are ordered by; nil = there is none in any row
}

// Columns of rows that hold numbers of events.
const (
	sumPath = "s"
	durPath = "dur"
)

// measure binds a measure.
func (b *trendPlan) measure(m Measure, bind binder) boundMeasure {
	switch m.Fn {
	case MeasureUsers:
		return ofFigures(b.users(), func(f *Figures) *float64 { return number(f.Users) })
	case MeasureCount:
		return ofFigures(b.count(), func(f *Figures) *float64 { return number(f.Count) })
	case MeasureSessions:
		return ofRows(plan.Agg{Fn: plan.Distinct, Of: plan.Do(plan.NullIf, plan.Ev("session"), plan.Is(0)), When: b.visit})
	case MeasureSum, MeasureAverage, MeasurePerUser:
		return b.addedUp(m, bind)
	case MeasureMin, MeasureMax, MeasurePercentile:
	}
	of := numbersAt(m.Of, bind)
	if of == nil {
		return ofFigures(nil, func(*Figures) *float64 { return nil })
	}
	fn := map[MeasureFn]plan.AggFn{MeasureMin: plan.Min, MeasureMax: plan.Max, MeasurePercentile: plan.Rank}[m.Fn]
	return ofRows(plan.Agg{Fn: fn, Of: of, Share: m.Share})
}

// Nothing are the values of measures where there are no rows: nil for no measures.
func Nothing(measures []Measure) []*float64 {
	var out []*float64
	for _, m := range measures {
		var v *float64
		switch m.Fn {
		case MeasureUsers, MeasureCount, MeasureSessions, MeasureSum:
			v = new(float64)
		case MeasureAverage, MeasurePerUser, MeasureMin, MeasureMax, MeasurePercentile:
		}
		out = append(out, v)
	}
	return out
}

// ofFigures is a measure that needs the usual figures only.
func ofFigures(order plan.Expr, value func(*Figures) *float64) boundMeasure {
	return boundMeasure{value: func(f *Figures, _ []any) *float64 { return value(f) }, order: order}
}

// ofRows is a measure that is one aggregate.
func ofRows(of plan.Agg) boundMeasure {
	return boundMeasure{[]plan.Expr{of}, func(_ *Figures, found []any) *float64 { return numberIn(found[0]) }, of}
}

// addedUp binds a measure of a sum.
func (b *trendPlan) addedUp(m Measure, bind binder) boundMeasure {
	order := func(sum, rows plan.Expr) plan.Expr {
		if m.Fn == MeasureSum {
			return sum
		}
		if m.Fn == MeasurePerUser {
			rows = b.users()
		}
		return plan.Do(plan.Per, sum, rows)
	}
	by := func(f *Figures, sum, rows *float64) *float64 {
		if m.Fn == MeasureSum {
			return sum
		}
		if m.Fn == MeasurePerUser {
			return Quotient(sum, number(f.Users))
		}
		return Quotient(sum, rows)
	}
	switch m.Of {
	case sumPath:
		return ofFigures(order(plan.Agg{Fn: plan.Sum, Of: plan.Ev("s")}, b.count()), func(f *Figures) *float64 { sum := f.Sum; return by(f, &sum, number(f.Count)) })
	case durPath:
		return ofFigures(order(plan.Agg{Fn: plan.Sum, Of: plan.Ev("dur")}, b.count()), func(f *Figures) *float64 { sum := f.Dur; return by(f, &sum, number(f.Count)) })
	case "":
		return ofFigures(order(b.count(), nil), func(f *Figures) *float64 { return by(f, number(f.Count), nil) })
	}
	of := numbersAt(m.Of, bind)
	if of == nil {
		return ofFigures(nil, func(f *Figures) *float64 { return by(f, new(float64), nil) })
	}
	selects := []plan.Expr{plan.Agg{Fn: plan.Sum, Of: of}, plan.Agg{Fn: plan.Count, When: plan.Do(plan.Not, plan.Do(plan.IsNull, of))}}
	return boundMeasure{selects, func(f *Figures, found []any) *float64 { return by(f, numberIn(found[0]), numberIn(found[1])) }, order(selects[0], selects[1])}
}

// Quotient is one measure divided by another; nil where one of them is missing, the latter is 0, or it would be no finite number.
func Quotient(a, b *float64) *float64 {
	if a == nil || b == nil || *b == 0 {
		return nil
	}
	if q := *a / *b; events.Finite(q) {
		return &q
	}
	return nil
}

// numbersAt are the numbers at a path; nil where no row has any.
func numbersAt(path string, bind binder) plan.Expr {
	switch path {
	case sumPath, durPath:
		return plan.Ev(path)
	}
	typed, ok := bind(path)
	if !ok || typed.Type == filter.Bool {
		return nil
	}
	return plan.Do(plan.Number, typed)
}

func number(n int64) *float64 {
	f := float64(n)
	return &f
}

// numberIn is a number of a result; nil for what is absent.
func numberIn(v any) *float64 {
	switch v := v.(type) {
	case int64:
		return number(v)
	case int32:
		return number(int64(v))
	case uint32:
		return number(int64(v))
	case uint64:
		return number(int64(v)) // counts are far below
	case float64:
		return &v
	case *big.Int: // the sum of what no row has is a wide whole number
		f, _ := new(big.Float).SetInt(v).Float64()
		return &f
	}
	return nil
}

// TrendRows returns how many rows a trend looks at.
func (t *Tables) TrendRows(ctx context.Context, app model.AppID, q Trend) (n int64, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	b, err := t.trend(ctx, app, q)
	if err != nil {
		return 0, err
	}
	return t.countRows(ctx, app, b.where)
}

// countRows counts the rows that meet a condition.
func (t *Tables) countRows(ctx context.Context, app model.AppID, where plan.Expr) (n int64, err error) {
	p := &plan.Query{App: app, From: plan.Events, Where: where, Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	err = t.asked.Run(ctx, p, func(row events.Scanner) error { return row.Scan(&n) })
	return n, missing(err)
}
