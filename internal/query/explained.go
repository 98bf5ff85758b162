package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/store/rollup"
)

// Explained are cells whose reads a trace records, see package explain. A read without one costs a look at its context.
type Explained struct {
	rollup.Tracker
	names func(rollup.Metric) string
}

// Explaining returns the same cells, of which reads are recorded. names are those of the metrics of features; "" = there is none.
func Explaining(cells rollup.Tracker, names func(rollup.Metric) string) *Explained {
	return &Explained{cells, names}
}

// Remember is [Remember] of these cells.
func (e *Explained) Remember(memory int64) Cells { return explaining{Remember(e, memory), e.names} }

// storing returns what counts the cells that the store gives: the read of a Query that the context belongs to, or one of its own, which end ends.
// It is nil where nothing is recorded.
func (e *Explained) storing(ctx context.Context, app model.AppID, s rollup.Series, value string, sp span) (r *explain.Reading, end func(error)) {
	t := explain.Of(ctx)
	if t == nil {
		return nil, nil
	}
	if r := explain.ReadingOf(ctx); r != nil {
		r.Store(0)
		return r, func(error) {}
	}
	r = t.Begin(described(app, s, value, explain.AnswerCells, e.names, sp))
	r.Store(0)
	return r, r.EndStored
}

// Scan implements rollup.Reader.
func (e *Explained) Scan(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	r, end := e.storing(ctx, app, s, "", span{g, from, to})
	if r == nil {
		return e.Tracker.Scan(ctx, app, s, g, from, to, fn)
	}
	err := e.Tracker.Scan(ctx, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		r.Store(1)
		return fn(b, value, c)
	})
	end(err)
	return err
}

// Subscribe implements rollup.Tracker.
func (e *Explained) Subscribe(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) (rollup.Subscription, error) {
	r, end := e.storing(ctx, app, s, "", span{g, from, to})
	if r == nil {
		return e.Tracker.Subscribe(ctx, app, s, g, from, to, fn)
	}
	sub, err := e.Tracker.Subscribe(ctx, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		r.Store(1)
		return fn(b, value, c)
	})
	end(err)
	return sub, err
}

// ScanCounts implements rollup.CountScanner.
func (e *Explained) ScanCounts(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell, rollup.UserCount) error) error {
	r, end := e.storing(ctx, app, s, "", span{g, from, to})
	if r == nil {
		return rollup.ScanCounts(ctx, e.Tracker, app, s, g, from, to, fn)
	}
	err := rollup.ScanCounts(ctx, e.Tracker, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
		r.Store(1)
		return fn(b, value, c, users)
	})
	end(err)
	return err
}

// ScanValue implements rollup.ValueScanner.
func (e *Explained) ScanValue(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(rollup.Bucket, *rollup.Cell) error) error {
	r, end := e.storing(ctx, app, s, value, span{g, from, to})
	if r == nil {
		return rollup.ScanValue(ctx, e.Tracker, app, s, g, from, to, value, fn)
	}
	err := rollup.ScanValue(ctx, e.Tracker, app, s, g, from, to, value, func(b rollup.Bucket, c *rollup.Cell) error {
		r.Store(1)
		return fn(b, c)
	})
	end(err)
	return err
}

// explaining are Cells of whose reads a trace learns what they return.
type explaining struct {
	Cells
	names func(rollup.Metric) string
}

// Scan implements rollup.Reader.
func (e explaining) Scan(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	t := explain.Of(ctx)
	if t == nil {
		return e.Cells.Scan(ctx, app, s, g, from, to, fn)
	}
	r := t.Begin(described(app, s, "", explain.AnswerCells, e.names, span{g, from, to}))
	err := e.Cells.Scan(r.In(ctx), app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		r.Return(1)
		return fn(b, value, c)
	})
	r.End(err)
	return err
}

// counts implements Cells.
func (e explaining) counts(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn countFunc) error {
	t := explain.Of(ctx)
	if t == nil {
		return e.Cells.counts(ctx, app, s, g, from, to, fn)
	}
	r := t.Begin(described(app, s, "", explain.AnswerCells, e.names, span{g, from, to}))
	err := e.Cells.counts(r.In(ctx), app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell, users int64) error {
		r.Return(1)
		return fn(b, value, c, users)
	})
	r.End(err)
	return err
}

// value implements Cells.
func (e explaining) value(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(rollup.Bucket, *rollup.Cell) error) error {
	t := explain.Of(ctx)
	if t == nil {
		return e.Cells.value(ctx, app, s, g, from, to, value, fn)
	}
	r := t.Begin(described(app, s, value, explain.AnswerCells, e.names, span{g, from, to}))
	err := e.Cells.value(r.In(ctx), app, s, g, from, to, value, func(b rollup.Bucket, c *rollup.Cell) error {
		r.Return(1)
		return fn(b, c)
	})
	r.End(err)
	return err
}

// sums implements Cells.
func (e explaining) sums(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error) {
	t := explain.Of(ctx)
	if t == nil {
		return e.Cells.sums(ctx, app, s, spans, which)
	}
	r := t.Begin(described(app, s, "", explain.AnswerSums, e.names, spans...))
	ts, err := e.Cells.sums(r.In(ctx), app, s, spans, which)
	if err == nil {
		r.Return(ts.used)
	}
	r.End(err)
	return ts, err
}

// weeks implements Cells.
func (e explaining) weeks(ctx context.Context, app model.AppID, s rollup.Series, isoYear int, fn func(week int, t *sum)) error {
	t := explain.Of(ctx)
	if t == nil {
		return e.Cells.weeks(ctx, app, s, isoYear, fn)
	}
	first, last := period.WeekStart(isoYear), period.WeekStart(isoYear+1)-1
	r := t.Begin(described(app, s, "", explain.AnswerWeeks, e.names, span{rollup.Day, rollup.Bucket(max(first, 0)), rollup.Bucket(last)}))
	err := e.Cells.weeks(r.In(ctx), app, s, isoYear, func(week int, t *sum) {
		r.Return(1)
		fn(week, t)
	})
	r.End(err)
	return err
}

// described describes a read of cells.
func described(app model.AppID, s rollup.Series, value, answer string, names func(rollup.Metric) string, spans ...span) explain.Cells {
	c := explain.Cells{App: app.String(), Series: nameOf(s.Metric, names), Value: value, Answer: answer, Spans: []explain.Span{}}
	if s.Dim != "" {
		c.Of = strings.Split(s.Dim, "\x00") // see rollup.SegmentDim
	}
	for _, sp := range spans {
		c.Spans = append(c.Spans, explain.Span{Grain: grainNames[sp.grain], First: bucketText(sp.grain, sp.from), Last: bucketText(sp.grain, sp.to)})
	}
	return c
}

var grainNames = map[rollup.Grain]string{rollup.Hour: "hour", rollup.Day: "day", rollup.Month: "month"}

// nameOf is what people call a metric.
func nameOf(m rollup.Metric, names func(rollup.Metric) string) string {
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; rollup.Metric(d.Metric) == m {
			return d.Metrics[0]
		}
	}
	switch m {
	case rollup.Users:
		return "users"
	case rollup.Frequency:
		return "session frequency"
	case rollup.Durations:
		return "session durations"
	case rollup.Events:
		return "events"
	case rollup.Segments:
		return "event properties"
	case rollup.Outcomes:
		return "outcomes"
	case rollup.TimesOfDay:
		return "times of day"
	default:
		return cmp.Or(names(m), fmt.Sprint("metric ", m))
	}
}

// bucketText is a bucket as people write it, "" for one that is beyond all data.
func bucketText(g rollup.Grain, b rollup.Bucket) string {
	if b > math.MaxInt32 {
		return ""
	}
	switch g {
	case rollup.Month:
		year, month := period.Month(b).Date()
		return orEnd(year, fmt.Sprintf("%04d-%02d", year, month))
	case rollup.Hour:
		day, hour := period.Hour(b).Split()
		return orEnd(day.Year(), fmt.Sprintf("%s %02d", explain.Day(day), hour))
	default:
		return orEnd(period.Day(b).Year(), explain.Day(period.Day(b)))
	}
}

func orEnd(year int, text string) string {
	if year > 9999 {
		return ""
	}
	return text
}
