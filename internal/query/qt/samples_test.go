package qt_test

import (
	"context"

	"quipu/internal/period"
	"quipu/internal/query"
)

// samples reads which numbers are meant, and the step of their buckets.
func (a *arguments) samples() (query.Samples, period.Step, error) {
	f, err := a.selected()
	if err != nil {
		return query.Samples{}, 0, err
	}
	p, step, err := a.period()
	return query.Samples{
		Event: a.text("event"), Names: a.list("names"), Other: a.list("other"), Of: a.text("of"), Filter: f, Period: p, By: a.text("property"),
		Rating: query.Rating{Good: a.number("good", 0), Poor: a.number("poor", 0), Codes: a.is("codes")},
	}, step, err
}

var spreadColumns = []string{"n", "u", "avg", "p50", "p75", "p90", "p95", "p99", "good", "poor", "poor_u"}

func spreadCells(s query.Spread) []any {
	out := []any{s.Count, s.Users}
	for _, p := range []*float64{s.Average, s.P50, s.P75, s.P90, s.P95, s.P99} {
		if p == nil {
			out = append(out, nil)
		} else {
			out = append(out, *p)
		}
	}
	return append(out, s.Good, s.Poor, s.PoorUsers)
}

func evalSamples(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, step, err := a.samples()
	if err != nil {
		return nil, err
	}
	out := &result{columns: append([]string{"bucket"}, spreadColumns...)}
	s, err := r.tables.SampleSpread(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	out.add(append([]any{"total"}, spreadCells(s)...)...)
	return out, r.tables.SampleBuckets(ctx, a.app, q, step, func(b period.Bucket, s query.Spread) error {
		out.add(append([]any{b.ID(period.Dot)}, spreadCells(s)...)...)
		return nil
	})
}

func evalSamplesBy(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, _, err := a.samples()
	if err != nil {
		return nil, err
	}
	out := &result{columns: append([]string{"value", "of"}, spreadColumns...)}
	order := query.SampleOrder{By: a.text("sort"), Desc: a.is("desc")}
	groups, total, err := r.tables.SampleGroups(ctx, a.app, q, a.text("search"), order, a.whole("skip", 0), a.whole("limit", 100))
	for _, g := range groups {
		var value any
		if g.Value != nil {
			value = *g.Value
		}
		out.add(append([]any{value, total}, spreadCells(g.Spread)...)...)
	}
	if len(groups) == 0 && err == nil {
		out.columns = []string{"of"}
		out.add(total)
	}
	return out, err
}
