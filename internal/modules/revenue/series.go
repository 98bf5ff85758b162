package revenue

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

type seriesReq struct {
	api.Window
	Events params.Value `param:"events"`
}

// texts reads a text, or a JSON list of texts; ok is false for anything else.
func texts(v params.Value) (list []string, ok bool) {
	raw := strings.TrimSpace(string(v.Raw()))
	switch {
	case raw == "":
		return nil, true
	case raw[0] == '[':
		if json.Unmarshal([]byte(raw), &list) != nil {
			return nil, false
		}
	case raw[0] == '{':
		return nil, false
	default:
		list = []string{v.String()}
	}
	return list, true
}

// bucketDoc is a year, month, day or hour of the wire's document.
type bucketDoc map[string]any

// child returns a part, which it makes if need be.
func (d bucketDoc) child(name string) bucketDoc {
	c, ok := d[name].(bucketDoc)
	if !ok {
		c = bucketDoc{}
		d[name] = c
	}
	return c
}

// at returns the part of a bucket: year, month, day and hour.
func (d bucketDoc) at(b period.Bucket) bucketDoc {
	for part := range strings.SplitSeq(b.ID(period.Dot), ".") {
		d = d.child(part)
	}
	return d
}

// eventDoc are the figures of an event in a bucket.
type eventDoc struct {
	Count int64   `json:"c"`
	Sum   float64 `json:"s"`
}

// series answers sessions and events by day, in a period of one day by hour, and paying users by year, month and day too, in the wire's form.
func (s *service) series(ctx context.Context, c api.Caller, r seriesReq) (bucketDoc, error) {
	asked, ok := texts(r.Events)
	if !ok || len(asked) > maxEvents {
		return nil, bad("events")
	}
	bought := configured(c.App)
	if len(asked) == 0 {
		asked = bought
	}
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	out := bucketDoc{"lu": c.Now.Unix()}
	if p.Empty() {
		return out, nil
	}
	steps := []period.Step{period.DayStep}
	if p.First == p.Last {
		steps = append(steps, period.HourStep)
	}
	for _, step := range steps {
		if err := s.fill(ctx, c, out, p, step, usable(asked)); err != nil {
			return nil, err
		}
	}
	if len(bought) == 0 {
		return out, nil
	}
	keys, err := s.keys(ctx, c.App.ID, bought)
	if err != nil {
		return nil, err
	}
	q := query.RevenueQuery{Events: keys, Period: p}
	for _, step := range append(slices.Clone(steps), period.MonthStep, period.YearStep) {
		err := s.tables.RevenueBuckets(ctx, c.App.ID, q, step, func(b period.Bucket, f query.Revenue) error {
			if f.Payers > 0 {
				out.at(b)["p"] = f.Payers
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fill adds sessions and events by buckets; days without any have zeros.
func (s *service) fill(ctx context.Context, c api.Caller, out bucketDoc, p period.Period, step period.Step, events []string) error {
	for b := range p.Buckets(step) {
		if b.First > p.Today {
			break
		}
		at := out.at(b)
		at["p"] = 0
		at["u"] = bucketDoc{"s": 0}
	}
	if step == period.DayStep {
		for _, wide := range []period.Step{period.MonthStep, period.YearStep} {
			for b := range p.Buckets(wide) {
				if b.First <= p.Today {
					out.at(b)["p"] = 0
				}
			}
		}
	}
	add := func(keys []string, fn func(u bucketDoc, f query.Figures)) error {
		return s.tables.TrendBuckets(ctx, c.App.ID, query.Trend{Events: keys, Period: p}, step, func(b period.Bucket, f query.Figures) error {
			fn(out.at(b).child("u"), f)
			return nil
		})
	}
	if err := add([]string{query.SessionKey}, func(u bucketDoc, f query.Figures) { u["s"] = f.Count }); err != nil {
		return err
	}
	for _, event := range events {
		keys, err := s.keys(ctx, c.App.ID, []string{event})
		if err != nil {
			return err
		}
		if err := add(keys, func(u bucketDoc, f query.Figures) { u.child("e")[event] = eventDoc{f.Count, rounded(f.Sum)} }); err != nil {
			return err
		}
	}
	return nil
}

// rounded is an amount without the noise that adding fractions makes: six decimals.
func rounded(f float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 6, 64), 64)
	if err != nil || v == 0 {
		return 0 // not -0
	}
	return v
}
