package query

import (
	"context"
	"encoding/json"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// usersReader makes one users document.
type usersReader struct {
	q                              *Query
	app                            model.AppID
	countries, freqRanges, lengths seen
}

// UsersDocument returns the time document of sessions and users, {} when the
// years of the period have no session. Each of these years comes whole, with
// its weeks; days and hours come for the months that the period touches. A
// year or month without a session is left out with all its requests.
func (q *Query) UsersDocument(ctx context.Context, app model.AppID, p period.Period, ext Extent) (_ json.RawMessage, err error) {
	defer q.enter(&ctx, &err)()
	r := &usersReader{q: q, app: app, countries: seen{}, freqRanges: seen{}, lengths: seen{}}
	var sheets []*sheet
	if !p.Empty() {
		for y := p.First.Year(); y <= p.Last.Year(); y++ {
			s := newSheet(ctx, y)
			ok, err := r.months(ctx, s, ext)
			if err != nil {
				return nil, err
			}
			if !ok || ext == Refresh {
				continue
			}
			first, last := touched(y, p)
			if err := r.days(ctx, s, first, last); err != nil {
				return nil, err
			}
			if err := r.weeks(ctx, s); err != nil {
				return nil, err
			}
			sheets = append(sheets, s)
		}
	}
	if ext == Refresh && len(r.freqRanges) > 0 {
		s := newSheet(ctx, p.Today.Year())
		if err := r.days(ctx, s, p.Today, p.Today); err != nil {
			return nil, err
		}
		sheets = append(sheets, s)
	}
	var meta []list
	if len(r.freqRanges) > 0 {
		meta = append(meta, list{"countries", r.countries.values()}, list{"f-ranges", r.freqRanges.indices()})
		if len(r.lengths) > 0 {
			meta = append(meta, list{"d-ranges", r.lengths.indices()})
		}
	}
	return render(sheets, meta), nil
}

// touched returns the first day of the first and the last day of the last month
// of a year that the period touches.
func touched(year int, p period.Period) (first, last period.Day) {
	first = max(p.First, period.DayOf(year, 1, 1)).Month().First()
	last = min(p.Last, period.DayOf(year, 12, 31)).Month().Last()
	return first, last
}

// yearOf returns the month buckets of a year.
func yearOf(year int) (first, last rollup.Bucket) {
	return rollup.Bucket(period.MonthOf(year, 1)), rollup.Bucket(period.MonthOf(year, 12))
}

// months fills the levels of a year and its months and notes the values met.
// It reports whether the year has a session. Only the whole document has use for the
// year's own users.
func (r *usersReader) months(ctx context.Context, s *sheet, ext Extent) (bool, error) {
	first, last := yearOf(s.year)
	var (
		total rollup.Cell
		shown = map[rollup.Bucket]bool{}
		until rollup.Bucket // the last month with a cell
	)
	series := rollup.Series{Metric: rollup.Users}
	err := r.q.cells.counts(ctx, r.app, series, rollup.Month, first, last, func(b rollup.Bucket, _ string, c *rollup.Cell, users int64) error {
		total.Count = rollup.AddCount(total.Count, c.Count)
		total.New = rollup.AddCount(total.New, c.New)
		total.Requests = rollup.AddCount(total.Requests, c.Requests)
		total.Dur += c.Dur
		total.Flags |= c.Flags
		until = b
		if c.Count > 0 {
			shown[b] = true
			s.at(rollup.Month, b).own = counters(c, users)
		}
		return nil
	})
	if err != nil || total.Count == 0 {
		return false, err
	}
	if ext != Refresh {
		users, err := r.q.numbers(ctx, r.app, series, []span{{rollup.Month, first, until}}, everyCell)
		if err != nil {
			return false, err
		}
		s.root.own = counters(&total, users.of("").cardinality())
	}

	for _, h := range r.histograms() {
		var sums []pair
		err := r.q.cells.counts(ctx, r.app, h.series, rollup.Month, first, last, func(b rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
			if c.Count == 0 {
				return nil
			}
			h.seen.add(s.root.held, v, c)
			sums = addPair(sums, v, c.Count)
			if shown[b] {
				dst := h.of(s.at(rollup.Month, b))
				*dst = append(*dst, pair{v, float64(c.Count)})
			}
			return nil
		})
		if err != nil {
			return false, err
		}
		*h.of(s.root) = sums
	}

	series = rollup.Series{Metric: rollup.Countries}
	err = r.q.cells.counts(ctx, r.app, series, rollup.Month, first, last, func(b rollup.Bucket, v string, c *rollup.Cell, users int64) error {
		if c.Count == 0 {
			return nil
		}
		r.countries.add(s.root.held, v, c)
		if shown[b] {
			l := s.at(rollup.Month, b)
			l.push(sessionValue(v, c, users))
		}
		return nil
	})
	if err != nil || ext == Refresh {
		return err == nil, err
	}
	countries, err := r.q.numbers(ctx, r.app, series, []span{{rollup.Month, first, until}}, countedCells)
	if err != nil {
		return false, err
	}
	s.root.vals = countries.sessionValues()
	return true, nil
}

// histogram ties a series of ranges to its place in a level.
type histogram struct {
	series rollup.Series
	seen   seen
	of     func(*level) *[]pair
}

func (r *usersReader) histograms() [2]histogram {
	return [2]histogram{
		{rollup.Series{Metric: rollup.Frequency}, r.freqRanges, func(l *level) *[]pair { return &l.freq }},
		{rollup.Series{Metric: rollup.Durations}, r.lengths, func(l *level) *[]pair { return &l.lengths }},
	}
}

// days fills the levels of the days from first to last, and of their hours,
// leaving out months without a session.
func (r *usersReader) days(ctx context.Context, s *sheet, first, last period.Day) error {
	shown, err := r.q.monthsWithSessions(ctx, r.app, first.Month(), last.Month())
	if err != nil {
		return err
	}
	from, to := rollup.Bucket(first), rollup.Bucket(last)
	hidden := func(b rollup.Bucket) bool { return !shown[period.Day(b).Month()] }

	err = r.q.cells.counts(ctx, r.app, rollup.Series{Metric: rollup.Users}, rollup.Day, from, to, func(b rollup.Bucket, _ string, c *rollup.Cell, users int64) error {
		if own := counters(c, users); len(own) > 0 && !hidden(b) {
			s.at(rollup.Day, b).own = own
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = r.q.cells.counts(ctx, r.app, rollup.Series{Metric: rollup.Users}, rollup.Hour, from*24, to*24+23, func(b rollup.Bucket, _ string, c *rollup.Cell, users int64) error {
		if own := counters(c, users); len(own) > 0 && !hidden(b/24) {
			s.at(rollup.Hour, b).own = own
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, h := range r.histograms() {
		err := r.q.cells.counts(ctx, r.app, h.series, rollup.Day, from, to, func(b rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
			if c.Count != 0 && !hidden(b) {
				dst := h.of(s.at(rollup.Day, b))
				*dst = append(*dst, pair{v, float64(c.Count)})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.q.cells.counts(ctx, r.app, rollup.Series{Metric: rollup.Countries}, rollup.Day, from, to, func(b rollup.Bucket, v string, c *rollup.Cell, users int64) error {
		if c.Count != 0 && !hidden(b) {
			l := s.at(rollup.Day, b)
			l.push(sessionValue(v, c, users))
		}
		return nil
	})
}

// monthsWithSessions tells which months from first to last have a session.
func (q *Query) monthsWithSessions(ctx context.Context, app model.AppID, first, last period.Month) (map[period.Month]bool, error) {
	shown := map[period.Month]bool{}
	err := q.cells.counts(ctx, app, rollup.Series{Metric: rollup.Users}, rollup.Month, rollup.Bucket(first), rollup.Bucket(last), func(b rollup.Bucket, _ string, c *rollup.Cell, _ int64) error {
		shown[period.Month(b)] = c.Count > 0
		return nil
	})
	return shown, err
}

// weeks fills the weeks of the ISO year that has the sheet's number. A week
// comes whole, with its days in a neighbouring calendar year, under the year
// that ISO 8601 gives it.
func (r *usersReader) weeks(ctx context.Context, s *sheet) error {
	err := r.q.cells.weeks(ctx, r.app, rollup.Series{Metric: rollup.Users}, s.year, func(week int, t *sum) {
		if t.u > 0 {
			s.week(week).own = []pair{{"u", float64(t.u)}}
		}
	})
	if err != nil {
		return err
	}
	for _, h := range r.histograms() {
		err := r.q.cells.weeks(ctx, r.app, h.series, s.year, func(week int, t *sum) {
			if t.t > 0 {
				dst := h.of(s.week(week))
				*dst = append(*dst, pair{t.value, float64(t.t)})
			}
		})
		if err != nil {
			return err
		}
	}
	return r.q.cells.weeks(ctx, r.app, rollup.Series{Metric: rollup.Countries}, s.year, func(week int, t *sum) {
		if t.u > 0 {
			l := s.week(week)
			l.push(value{name: t.value, shape: weekShape, u: t.u})
		}
	})
}

// counters are the counters of a level of the users document; those that are
// zero stay off the wire, and d until a duration was sent.
func counters(c *rollup.Cell, users int64) []pair {
	own := make([]pair, 0, 5)
	for _, p := range [...]pair{
		{"e", float64(c.Requests)}, {"t", float64(c.Count)}, {"n", float64(c.New)}, {"u", float64(users)},
	} {
		if p.num != 0 {
			own = append(own, p)
		}
	}
	if c.Flags&rollup.HasDur != 0 {
		own = append(own, pair{"d", c.Dur})
	}
	return own
}

func sessionValue(name string, c *rollup.Cell, users int64) value {
	return value{name: name, shape: sessionShape, t: c.Count, n: c.New, u: users}
}

// addPair adds n to the pair of a key, appending it when it is new.
func addPair(h []pair, key string, n int64) []pair {
	for i := range h {
		if h[i].key == key {
			h[i].num += float64(n)
			return h
		}
	}
	return append(h, pair{key, float64(n)})
}
