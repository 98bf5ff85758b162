package qt_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/modules/views"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// figures calls fn with what answers of figures: cells, or the rows of an engine that a filter selects.
func figures(ctx context.Context, r reader, a *arguments, fn func(*query.Query) error) error {
	memory := a.whole("memory", 1<<20)
	f, err := a.selected()
	switch {
	case err != nil:
		return err
	case f.IsZero():
		return fn(r.cells)
	}
	chosen := query.Chosen{App: a.app, Filter: f, Calendar: period.NewCalendar(a.zone), Known: r.schema}
	return query.NewFunnels(r.tables.Counting(pipeline.Features{views.Module().Ingest}.Counted), int64(memory)).Filtered(ctx, chosen, fn)
}

// evalSums sums up a period, of sessions and of all events.
func evalSums(ctx context.Context, r reader, a *arguments) (*result, error) {
	p, _, err := a.period()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"of", "sessions", "new", "users", "seconds", "requests", "sum"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		t, err := q.Totals(ctx, a.app, p.First, p.Last)
		if err != nil {
			return err
		}
		out.add("all", t.Sessions, t.New, t.Users, t.Seconds, t.Requests, nil)
		list, err := q.EventTotalsOf(ctx, a.app, query.Part{First: p.First, Last: p.Last, Until: query.WholeDay})
		for _, key := range q.Events(a.app) {
			if e, ok := list[key]; ok {
				out.add(key, e.Count, nil, *e.Users, e.Seconds, nil, e.Sum)
			}
		}
		return err
	})
}

// evalRanges counts sessions by the time since the one before, or by length.
func evalRanges(ctx context.Context, r reader, a *arguments) (*result, error) {
	m, ok := map[string]rollup.Metric{"frequency": rollup.Frequency, "length": rollup.Durations}[a.text("of")]
	p, _, err := a.period()
	if err != nil || !ok {
		return nil, cmp.Or(err, errors.New("of is frequency or length"))
	}
	out := &result{columns: []string{"range", "sessions"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.Ranges(ctx, a.app, m, p)
		for _, s := range list {
			out.add(s.Index, s.Sessions)
		}
		return err
	})
}

// evalValues sums up an event by the values of a segment.
func evalValues(ctx context.Context, r reader, a *arguments) (*result, error) {
	key, segment := a.text("event"), a.text("segment")
	p, _, err := a.period()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"value", "count", "sum", "dur"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.SegmentRows(ctx, a.app, []string{key}, segment, p)
		for _, s := range list {
			out.add(s.ID, s.Count, s.Sum, s.Seconds)
		}
		return err
	})
}

// evalClock counts by weekday and hour of devices.
func evalClock(ctx context.Context, r reader, a *arguments) (*result, error) {
	key := a.text("event")
	out := &result{columns: []string{"day", "hour", "count"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		week, err := q.TimesOfDay(ctx, a.app, key, nil)
		for day := range week {
			for hour, n := range week[day] {
				if n != 0 {
					out.add(fmt.Sprint(day), fmt.Sprint(hour), n)
				}
			}
		}
		return err
	})
}

// evalViews sums up views by number.
func evalViews(ctx context.Context, r reader, a *arguments) (*result, error) {
	p, _, err := a.period()
	if err != nil {
		return nil, err
	}
	of := query.SubjectSeries{Of: rollup.Series{Metric: rollup.Views}, Ends: rollup.Series{Metric: rollup.ViewEnds}}
	if segment := a.text("segment"); segment != "" {
		of = query.SubjectSeries{Of: rollup.Series{Metric: rollup.ViewSegments, Dim: rollup.SegmentDim(segment, a.text("value"))}}
	}
	out := &result{columns: []string{"view", "visits", "users", "new", "starts", "seconds", "scrolled", "exits", "bounces", "sessions"}}
	return out, figures(ctx, r, a, func(q *query.Query) error {
		list, err := q.Subjects(ctx, a.app, of, p)
		if err == nil {
			err = q.NewOfSubjects(ctx, a.app, of, p, list)
		}
		for _, s := range list {
			out.add(s.Subject, s.Of.Count, s.Uniques, s.New, s.Of.New, s.Of.Dur, s.Of.Sum, s.Ends.Count, s.Ends.New, s.Ends.Requests)
		}
		return err
	})
}
