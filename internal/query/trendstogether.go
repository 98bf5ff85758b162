package query

import (
	"context"
	"reflect"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// TrendsTogether calls fn with the figures of each bucket in which a trend of a list has rows, by the place of the trend, in order of time; with step nil there is
// one bucket, the zero one. It looks at rows once, whichever trends they are of. All trends have the period of the first and no groups.
func (t *Tables) TrendsTogether(ctx context.Context, app model.AppID, list []Trend, step *period.Step, fn func(trend int, b period.Bucket, f Figures) error) error {
	ctx = plan.For(ctx, plan.DrillOperator)
	if len(list) == 0 {
		return nil
	}
	p := &plan.Query{App: app, From: plan.Events}
	bound := make([]*trendPlan, len(list))
	conditions := make([]plan.Expr, len(list))
	for i, q := range list {
		b, err := t.trend(ctx, app, q)
		if err != nil {
			return err
		}
		bound[i], conditions[i] = b, b.rows
	}
	var common plan.Expr
	if len(list) > 1 {
		common, conditions = factored(conditions)
	} else {
		common, conditions[0] = conditions[0], nil
	}
	p.Where = plan.All(list[0].within(), common, either(conditions))
	var ranked []plan.Expr // the conditions of trends with percentiles
	for i, b := range bound {
		if b.ranked > 0 {
			p.Most, ranked = &plan.Most{Rows: b.ranked}, append(ranked, conditions[i])
		}
	}
	if p.Most != nil {
		p.Most.When = either(ranked)
	}
	for i, b := range bound {
		p.Select = append(p.Select, plan.Agg{Fn: plan.Count, When: conditions[i]})
		for _, e := range b.plan().Select {
			p.Select = append(p.Select, of(e, conditions[i]))
		}
	}
	var cut bucketing
	if step != nil {
		cut = list[0].buckets(*step)
		p.Select, p.Order = append(p.Select, cut.number), []plan.Order{{By: cut.number}}
	}
	return missing(t.asked.Run(ctx, p, func(row events.Scanner) error {
		values := make([]any, len(p.Select))
		if err := row.Scan(places(values)...); err != nil {
			return err
		}
		var at period.Bucket
		if step != nil {
			at = cut.bucket(wholeIn(values[len(values)-1]))
		}
		for i, b := range bound {
			n := 1 + len(b.plan().Select)
			one := keptValues(values[:n])
			values = values[n:]
			if rows := numberIn(one[0]); rows == nil || *rows == 0 {
				continue
			}
			f, err := b.scan(one[1:])
			if err != nil {
				return err
			}
			if err := fn(i, at, f); err != nil {
				return err
			}
		}
		return nil
	}))
}

// factored returns what all conditions have in common, nil for nothing, and what each has beside it, nil for nothing.
func factored(conditions []plan.Expr) (common plan.Expr, rest []plan.Expr) {
	parts := make([][]plan.Expr, len(conditions))
	for i, c := range conditions {
		parts[i] = conjuncts(c)
	}
	var shared []plan.Expr
	for _, c := range parts[0] {
		same := func(e plan.Expr) bool { return reflect.DeepEqual(e, c) }
		if !slices.ContainsFunc(parts[1:], func(list []plan.Expr) bool { return !slices.ContainsFunc(list, same) }) {
			shared = append(shared, c)
		}
	}
	rest = make([]plan.Expr, len(conditions))
	for i, list := range parts {
		var left []plan.Expr
		for _, c := range list {
			if !slices.ContainsFunc(shared, func(e plan.Expr) bool { return reflect.DeepEqual(e, c) }) {
				left = append(left, c)
			}
		}
		if len(left) > 0 {
			rest[i] = plan.All(left...)
		}
	}
	if len(shared) > 0 {
		common = plan.All(shared...)
	}
	return common, rest
}

// conjuncts are the conditions that all have to hold.
func conjuncts(e plan.Expr) []plan.Expr {
	c, ok := e.(plan.Call)
	switch {
	case e == nil:
		return nil
	case !ok || c.Fn != plan.And:
		return []plan.Expr{e}
	}
	var out []plan.Expr
	for _, a := range c.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// either is the condition that one of the conditions holds; nil, which always holds, makes it nil. Columns that equal one of several texts are said to be among
// them, which an event store may tell from fewer comparisons.
func either(conditions []plan.Expr) plan.Expr {
	if slices.ContainsFunc(conditions, func(c plan.Expr) bool { return c == nil }) {
		return nil
	}
	var of plan.Expr
	var texts []string
	for _, c := range conditions {
		call, ok := c.(plan.Call)
		if !ok || call.Fn != plan.Eq || of != nil && !reflect.DeepEqual(of, call.Args[0]) {
			return plan.Any(conditions...)
		}
		l, _ := call.Args[1].(plan.Literal)
		text, ok := l.Value.(string)
		if !ok {
			return plan.Any(conditions...)
		}
		of, texts = call.Args[0], append(texts, text)
	}
	slices.Sort(texts)
	return plan.OneOf(of, slices.Compact(texts))
}

// of is an expression whose aggregates are of the rows that meet a condition, too; nil = all.
func of(e, condition plan.Expr) plan.Expr {
	switch x := e.(type) {
	case plan.Agg:
		if condition != nil {
			x.When = plan.All(condition, x.When)
		}
		return x
	case plan.Call:
		args := make([]plan.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = of(a, condition)
		}
		return plan.Call{Fn: x.Fn, Args: args}
	default:
		return e
	}
}
