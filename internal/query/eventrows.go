package query

import (
	"cmp"
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// EventRow is one sub-period of an event, or one value of a segment.
type EventRow struct {
	ID      string  `json:"_id"`
	Count   int64   `json:"c"`
	Sum     float64 `json:"s"`
	Seconds float64 `json:"dur"`
}

func (r *EventRow) add(c *rollup.Cell) {
	r.Count = rollup.AddCount(r.Count, c.Count)
	r.Sum += c.Sum
	r.Seconds += c.Dur
}

// Selection is an event, or several that are read as one, under a name.
type Selection struct {
	Name string
	Keys []string
}

// EventRows returns, for each selection by name, one row for each bucket of the
// period, rows of zeros included; the step gives way to a coarser one where it makes too many (period.Fit).
func (q *Query) EventRows(ctx context.Context, app model.AppID, events []Selection, p period.Period, step period.Step) (_ map[string][]EventRow, err error) {
	defer q.enter(&ctx, &err)()
	step = p.Fit(step, len(events))
	out := make(map[string][]EventRow, len(events))
	byKey := map[string][][]EventRow{}
	buckets := slices.Collect(p.Buckets(step))
	for _, e := range events {
		if out[e.Name] != nil {
			continue
		}
		rows := make([]EventRow, len(buckets))
		for i, b := range buckets {
			rows[i].ID = b.ID(period.Dash)
		}
		out[e.Name] = rows
		for _, k := range distinct(e.Keys) {
			byKey[k] = append(byKey[k], rows)
		}
	}
	if len(buckets) == 0 {
		return out, nil
	}
	add := func(key string, row int, c *rollup.Cell) {
		for _, rows := range byKey[key] {
			rows[row].add(c)
		}
	}
	s := rollup.Series{Metric: rollup.Events}
	if step == period.DayStep || step == period.HourStep {
		grain, from, to := cellsOf(p, step)
		if len(byKey) <= fewKeys {
			for key := range byKey {
				err := q.cells.value(ctx, app, s, grain, from, to, key, func(b rollup.Bucket, c *rollup.Cell) error {
					add(key, int(b-from), c)
					return nil
				})
				if err != nil {
					return nil, err
				}
			}
			return out, nil
		}
		return out, q.cells.counts(ctx, app, s, grain, from, to, func(b rollup.Bucket, key string, c *rollup.Cell, _ int64) error {
			add(key, int(b-from), c)
			return nil
		})
	}
	for i, b := range buckets {
		if err := q.eachDay(ctx, app, s, b.First, b.Last, func(key string, c *rollup.Cell) { add(key, i, c) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fewKeys is up to how many event keys are sought one by one, rather than read
// with all others.
const fewKeys = 4

func distinct(keys []string) []string {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// SegmentRows returns the values of a segment of an event, or of several summed
// up, in the period, the most frequent first.
func (q *Query) SegmentRows(ctx context.Context, app model.AppID, keys []string, segment string, p period.Period) (_ []EventRow, err error) {
	defer q.enter(&ctx, &err)()
	ts := talliesOf(ctx)
	for _, key := range distinct(keys) {
		if e, ok := q.schema.Event(app, key); !ok || omitted(e, segment) {
			continue
		}
		s := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(key, segment)}
		err := q.eachDay(ctx, app, s, p.First, p.Last, func(v string, c *rollup.Cell) { ts.count(v, c) })
		if err != nil {
			return nil, err
		}
	}
	rows := []EventRow{}
	for _, t := range ts.byCount() {
		rows = append(rows, EventRow{ID: t.value, Count: t.t, Sum: t.s, Seconds: t.d})
	}
	return rows, nil
}

// EventTotal is the sum of one event over a period.
type EventTotal struct {
	EventRow
	Key string `json:"key"`
}

// EventTotals returns the app's own events that occurred in the period, the
// most frequent first.
func (q *Query) EventTotals(ctx context.Context, app model.AppID, p period.Period) (_ []EventTotal, err error) {
	defer q.enter(&ctx, &err)()
	out := []EventTotal{}
	ts, err := q.counts(ctx, app, rollup.Series{Metric: rollup.Events}, p.First, p.Last)
	if err != nil {
		return nil, err
	}
	for _, key := range q.Events(app) {
		if i, ok := ts.index[key]; ok && ts.all[i].t != 0 {
			t := ts.all[i]
			out = append(out, EventTotal{EventRow: EventRow{ID: key, Count: t.t, Sum: t.s, Seconds: t.d}, Key: key})
		}
	}
	slices.SortStableFunc(out, func(a, b EventTotal) int { return cmp.Compare(b.Count, a.Count) })
	return out, nil
}

// Spark is a Figure with its course over the period.
type Spark struct {
	Figure[float64]
	Sparkline []float64 `json:"sparkline"`
}

// EventOverview is count, sum and duration of an event beside the period
// before.
type EventOverview struct {
	Data struct {
		Count   Spark `json:"count"`
		Sum     Spark `json:"sum"`
		Seconds Spark `json:"dur"`
	} `json:"data"`
}

// EventOverviews returns the overview of each selection by name.
func (q *Query) EventOverviews(ctx context.Context, app model.AppID, events []Selection, p period.Period) (_ map[string]*EventOverview, err error) {
	defer q.enter(&ctx, &err)()
	rows, err := q.EventRows(ctx, app, events, p, period.AutoStep)
	if err != nil {
		return nil, err
	}
	prev := p.Prev()
	before, err := q.counts(ctx, app, rollup.Series{Metric: rollup.Events}, prev.First, prev.Last)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*EventOverview, len(events))
	for _, e := range events {
		var old tally
		for _, key := range distinct(e.Keys) {
			if i, ok := before.index[key]; ok {
				old.t = rollup.AddCount(old.t, before.all[i].t)
				old.s += before.all[i].s
				old.d += before.all[i].d
			}
		}
		o, course := &EventOverview{}, rows[e.Name]
		o.Data.Count = spark(course, float64(old.t), func(r EventRow) float64 { return float64(r.Count) })
		o.Data.Sum = spark(course, old.s, func(r EventRow) float64 { return r.Sum })
		o.Data.Seconds = spark(course, old.d, func(r EventRow) float64 { return r.Seconds })
		out[e.Name] = o
	}
	return out, nil
}

func spark(course []EventRow, before float64, of func(EventRow) float64) Spark {
	line := make([]float64, len(course))
	var sum float64
	for i, r := range course {
		line[i] = of(r)
		sum += line[i]
	}
	return Spark{Figure: figure(sum, sum, before), Sparkline: line}
}

// TopEvent is a row of the list of most frequent events.
type TopEvent struct {
	ID      string  `json:"_id"`
	Name    string  `json:"name"`
	Count   int64   `json:"count"`
	Sum     float64 `json:"sum"`
	Seconds float64 `json:"duration"`
	// Change and Trend compare the count with that of the period before.
	Change string `json:"change"`
	Trend  string `json:"trend"`
}

// TopEvents returns the most frequent of the app's own events in the period,
// at most limit.
func (q *Query) TopEvents(ctx context.Context, app model.AppID, p period.Period, limit int) (_ []TopEvent, err error) {
	defer q.enter(&ctx, &err)()
	totals, err := q.EventTotals(ctx, app, p)
	if err != nil {
		return nil, err
	}
	prev := p.Prev()
	before, err := q.counts(ctx, app, rollup.Series{Metric: rollup.Events}, prev.First, prev.Last)
	if err != nil {
		return nil, err
	}
	out := []TopEvent{}
	for _, t := range totals[:min(limit, len(totals))] {
		var old int64
		if i, ok := before.index[t.Key]; ok {
			old = before.all[i].t
		}
		f := figure(t.Count, float64(t.Count), float64(old))
		out = append(out, TopEvent{
			ID: t.Key, Name: t.Key, Count: t.Count, Sum: t.Sum, Seconds: t.Seconds, Change: f.Change, Trend: f.Trend,
		})
	}
	return out, nil
}
