package query

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// internalPrefix begins the keys of events that the server and the SDKs keep
// for themselves.
const internalPrefix = "[CLY]_"

// Events lists an app's own event keys in order of first appearance.
func (q *Query) Events(app model.AppID) []string {
	var keys []string
	for _, e := range q.schema.Events(app) {
		if !strings.HasPrefix(e.Key, internalPrefix) {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

// EventDocument returns the time document of one event, or of several summed
// up. With a segment it holds the segment's values instead of the events' own
// counters. No key, and keys the app does not know, give {}.
func (q *Query) EventDocument(ctx context.Context, app model.AppID, keys []string, segment string, p period.Period, ext Extent) (_ json.RawMessage, err error) {
	defer q.enter(&ctx, &err)()
	r := &eventReader{q: q, app: app, segment: segment}
	for _, k := range distinctInOrder(keys) {
		if e, ok := q.schema.Event(app, k); ok {
			r.events = append(r.events, e)
		}
	}
	if len(r.events) == 0 || p.Empty() {
		return render(nil, nil), nil
	}
	var sheets []*sheet
	if ext == Refresh {
		s := newSheet(ctx, p.Today.Year())
		if err := r.days(ctx, s, p.Today, p.Today); err != nil {
			return nil, err
		}
		sheets = append(sheets, s)
	} else {
		for y := p.First.Year(); y <= p.Last.Year(); y++ {
			s := newSheet(ctx, y)
			if err := r.months(ctx, s); err != nil {
				return nil, err
			}
			first, last := touched(y, p)
			if err := r.days(ctx, s, first, last); err != nil {
				return nil, err
			}
			sheets = append(sheets, s)
		}
	}
	meta, err := r.meta(ctx, p.First.Year(), p.Last.Year())
	if err != nil {
		return nil, err
	}
	return render(sheets, meta), nil
}

// distinctInOrder drops repeated keys.
func distinctInOrder(keys []string) []string {
	var out []string
	for _, k := range keys {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// eventReader makes one event document.
type eventReader struct {
	q       *Query
	app     model.AppID
	events  []schema.Event
	segment string
}

// scan calls fn for the cells of the document at a grain: of the events
// themselves with an empty name, of the segment's values with the value.
func (r *eventReader) scan(ctx context.Context, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, name string, c *rollup.Cell)) error {
	if r.segment == "" {
		for _, e := range r.events {
			s := rollup.Series{Metric: rollup.Events}
			err := r.q.cells.value(ctx, r.app, s, g, from, to, e.Key, func(b rollup.Bucket, c *rollup.Cell) error {
				if c.Count != 0 {
					fn(b, "", c)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range r.events {
		if omitted(e, r.segment) {
			continue
		}
		s := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(e.Key, r.segment)}
		err := r.q.cells.counts(ctx, r.app, s, g, from, to, func(b rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
			if c.Count != 0 {
				fn(b, v, c)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func omitted(e schema.Event, segment string) bool {
	for _, s := range e.Segments {
		if s.Name == segment {
			return s.Omitted
		}
	}
	return false
}

// put adds a cell to a level. Only several events can give a level the same
// value twice.
func (r *eventReader) put(l *level, name string, c *rollup.Cell) {
	switch {
	case r.segment == "":
		l.event.addEvent(c)
	case len(r.events) == 1:
		l.added(name).addEvent(c)
	default:
		l.val(name).addEvent(c)
	}
}

func (r *eventReader) months(ctx context.Context, s *sheet) error {
	from, to := yearOf(s.year)
	year := talliesOf(ctx)
	err := r.scan(ctx, rollup.Month, from, to, func(b rollup.Bucket, name string, c *rollup.Cell) {
		r.put(s.at(rollup.Month, b), name, c)
		year.count(name, c)
	})
	for _, t := range year.byValue() {
		v := value{name: t.value, shape: eventShape, t: t.t, s: t.s, d: t.d, flags: t.flags}
		if r.segment == "" {
			s.root.event = v
		} else {
			s.root.push(v)
		}
	}
	return err
}

// days fills the days from first to last and, for the events' own counters,
// their hours.
func (r *eventReader) days(ctx context.Context, s *sheet, first, last period.Day) error {
	from, to := rollup.Bucket(first), rollup.Bucket(last)
	put := func(g rollup.Grain) func(rollup.Bucket, string, *rollup.Cell) {
		return func(b rollup.Bucket, name string, c *rollup.Cell) { r.put(s.at(g, b), name, c) }
	}
	if err := r.scan(ctx, rollup.Day, from, to, put(rollup.Day)); err != nil || r.segment != "" {
		return err
	}
	return r.scan(ctx, rollup.Hour, from*24, to*24+23, put(rollup.Hour))
}

// meta lists the segments of the events and the values each took in the years.
func (r *eventReader) meta(ctx context.Context, firstYear, lastYear int) ([]list, error) {
	const names = "segments"
	from, _ := yearOf(firstYear)
	_, to := yearOf(lastYear)
	out := []list{{name: names}}
	values, held := map[string]seen{}, readingOf(ctx)
	for _, e := range r.events {
		for _, seg := range e.Segments {
			if !seg.Listed() {
				continue
			}
			if values[seg.Name] == nil {
				values[seg.Name] = seen{}
				out[0].vals = append(out[0].vals, seg.Name)
			}
			s := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(e.Key, seg.Name)}
			err := r.q.cells.counts(ctx, r.app, s, rollup.Month, from, to, func(_ rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
				values[seg.Name].add(held, v, c)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	for _, name := range out[0].vals {
		if name != names { // an object has a key only once
			out = append(out, list{name, values[name].values()})
		}
	}
	return out, nil
}
