package query

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// part is a series of a document and the meta list of its values.
type part struct {
	metric rollup.Metric
	list   string
}

// partsOf returns the parts of a document.
func partsOf(document string) []part {
	var out []part
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; slices.Contains(d.Documents, document) {
			out = append(out, part{rollup.Metric(d.Metric), d.List})
		}
	}
	return out
}

// metricReader makes one metric document.
type metricReader struct {
	q     *Query
	app   model.AppID
	parts []part
	// seen are the values of each part, in the years of the document.
	seen []seen
	// shared are names that several values of the document have, those that occur in more than one part and
	// Other; their entries are united. unite says which parts have such names.
	shared map[string]bool
	unite  []bool
	// shown are the values of each part that have entries of their own; nil = all.
	shown []map[string]bool
}

// MaxValues is how many values of a metric a document or a list holds: those with most sessions. The
// others are one more, rollup.Other.
const MaxValues = 1000

// MetricDocument returns the time document of metric values that model.Dimensions name so, {} when none occurs
// in the years of the period. Its years, months and days are those of
// UsersDocument.
func (q *Query) MetricDocument(ctx context.Context, app model.AppID, document string, p period.Period, ext Extent) (_ json.RawMessage, err error) {
	defer q.enter(&ctx, &err)()
	r := &metricReader{q: q, app: app, parts: partsOf(document)}
	if p.Empty() {
		return render(nil, nil), nil
	}
	if err := r.look(ctx, p.First.Year(), p.Last.Year()); err != nil {
		return nil, err
	}
	var meta []list
	for i, part := range r.parts {
		if len(r.seen[i]) > 0 {
			meta = append(meta, list{part.list, r.seen[i].values()})
		}
	}
	if len(meta) == 0 {
		return render(nil, nil), nil
	}
	if ext == Refresh {
		s := newSheet(ctx, p.Today.Year())
		if err := r.days(ctx, s, p.Today, p.Today); err != nil {
			return nil, err
		}
		return render([]*sheet{s}, meta), nil
	}
	var sheets []*sheet
	for y := p.First.Year(); y <= p.Last.Year(); y++ {
		s := newSheet(ctx, y)
		if err := r.months(ctx, s); err != nil {
			return nil, err
		}
		if !s.root.empty() {
			first, last := touched(y, p)
			if err := r.days(ctx, s, first, last); err != nil {
				return nil, err
			}
		}
		// A week stands under the year that ISO 8601 gives it, also when none of its days is of that year.
		if err := r.weeks(ctx, s); err != nil {
			return nil, err
		}
		if !s.root.empty() {
			sheets = append(sheets, s)
		}
	}
	return render(sheets, meta), nil
}

// look notes which values occur in the years or in their weeks.
func (r *metricReader) look(ctx context.Context, firstYear, lastYear int) error {
	from, _ := yearOf(firstYear)
	_, to := yearOf(lastYear)
	r.seen, r.shown, r.unite = make([]seen, len(r.parts)), make([]map[string]bool, len(r.parts)), make([]bool, len(r.parts))
	r.shared = map[string]bool{}
	held := readingOf(ctx)
	for i, part := range r.parts {
		r.seen[i] = seen{}
		counts := map[string]int64{}
		for _, sp := range []span{
			{rollup.Month, from, to},
			{rollup.Day, rollup.Bucket(max(period.WeekStart(firstYear), 0)), rollup.Bucket(max(period.DayOf(firstYear, 1, 1), 1)) - 1},
			{rollup.Day, rollup.Bucket(period.DayOf(lastYear+1, 1, 1)), rollup.Bucket(period.WeekStart(lastYear+1)) - 1},
		} {
			if sp.to < sp.from {
				continue
			}
			err := r.q.cells.counts(ctx, r.app, rollup.Series{Metric: part.metric}, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, v string, c *rollup.Cell, _ int64) error {
				if c.Count > 0 {
					r.seen[i].add(held, v, c)
					counts[v] = rollup.AddCount(counts[v], c.Count)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if r.shown[i] = mostFrequent(counts); r.shown[i] != nil {
			r.shared[rollup.Other], r.unite[i] = true, true
			r.seen[i] = r.seen[i].folded(r.shown[i])
		}
		for v := range r.seen[i] {
			for j := range i {
				if _, twice := r.seen[j][v]; twice {
					r.shared[v], r.unite[i], r.unite[j] = true, true, true
				}
			}
		}
	}
	return nil
}

// mostFrequent returns the values with the highest counts, then the first by name; nil when there
// are no more than MaxValues, Other aside.
func mostFrequent(counts map[string]int64) map[string]bool {
	if len(counts) <= MaxValues {
		return nil
	}
	list := make([]string, 0, len(counts))
	for v := range counts {
		if v != rollup.Other {
			list = append(list, v)
		}
	}
	if len(list) <= MaxValues {
		return nil
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	shown := make(map[string]bool, MaxValues)
	for _, v := range list[:MaxValues] {
		shown[v] = true
	}
	return shown
}

// name returns the name of the entry of a value of part i.
func (r *metricReader) name(i int, value string) string {
	if shown := r.shown[i]; shown != nil && !shown[value] {
		return rollup.Other
	}
	return value
}

// scan calls fn for the cells of part i that count something, with the names of their entries. They come
// with their users only when entries have to be united.
func (r *metricReader) scan(ctx context.Context, i int, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, name string, c *rollup.Cell, users int64)) error {
	s := rollup.Series{Metric: r.parts[i].metric}
	counted := func(b rollup.Bucket, v string, c *rollup.Cell, users int64) error {
		if c.Count > 0 {
			fn(b, r.name(i, v), c, users)
		}
		return nil
	}
	if !r.unite[i] {
		return r.q.cells.counts(ctx, r.app, s, g, from, to, counted)
	}
	return r.q.cells.Scan(ctx, r.app, s, g, from, to, func(b rollup.Bucket, v string, c *rollup.Cell) error {
		return counted(b, v, c, int64(c.Uniques())) // at most 2^32
	})
}

func (r *metricReader) months(ctx context.Context, s *sheet) error {
	from, to := yearOf(s.year)
	year := talliesOf(ctx)
	for i, part := range r.parts {
		until := from // the last month with a cell
		err := r.scan(ctx, i, rollup.Month, from, to, func(b rollup.Bucket, v string, c *rollup.Cell, users int64) {
			r.put(s.at(rollup.Month, b), v, c, users)
			until = b
		})
		if err != nil {
			return err
		}
		sums, err := r.q.cells.sums(ctx, r.app, rollup.Series{Metric: part.metric}, []span{{rollup.Month, from, until}}, countedCells)
		if err != nil {
			return err
		}
		for _, t := range sums.all[:sums.used] {
			year.unite(r.name(i, t.value), t)
		}
	}
	s.root.vals = year.sessionValues()
	return nil
}

// unite adds a tally under a name. t must not be used afterwards.
func (ts *tallies) unite(name string, t *tally) {
	if _, twice := ts.index[name]; !twice {
		own := ts.of(name)
		*own = *t
		own.value = name
		return
	}
	own := ts.of(name)
	own.t = rollup.AddCount(own.t, t.t)
	own.n = rollup.AddCount(own.n, t.n)
	users := own.set()
	users.Or(t.set())
	own.users = union{dense: users, held: ts.held, bytes: own.users.bytes}
}

func (r *metricReader) days(ctx context.Context, s *sheet, first, last period.Day) error {
	for i := range r.parts {
		err := r.scan(ctx, i, rollup.Day, rollup.Bucket(first), rollup.Bucket(last), func(b rollup.Bucket, v string, c *rollup.Cell, users int64) {
			r.put(s.at(rollup.Day, b), v, c, users)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// weeks fills the weeks, see usersReader.weeks.
func (r *metricReader) weeks(ctx context.Context, s *sheet) error {
	for i, part := range r.parts {
		series := rollup.Series{Metric: part.metric}
		if !r.unite[i] {
			err := r.q.cells.weeks(ctx, r.app, series, s.year, func(week int, t *sum) {
				if t.u > 0 {
					l := s.week(week)
					l.push(value{name: t.value, shape: weekShape, u: t.u})
				}
			})
			if err != nil {
				return err
			}
			continue
		}
		err := eachWeek(ctx, r.q.cells, r.app, series, s.year, 1, weeksOf(s.year), func(week int, t *tally) {
			u := t.cardinality()
			if u == 0 {
				return
			}
			l, name := s.week(week), r.name(i, t.value)
			if !r.shared[name] {
				l.push(value{name: name, shape: weekShape, u: u})
				return
			}
			v := l.val(name)
			v.shape = weekShape
			v.unite(l.held, &rollup.Cell{Users: t.set()})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// put adds a cell to a level.
func (r *metricReader) put(l *level, name string, c *rollup.Cell, users int64) {
	if !r.shared[name] {
		l.push(sessionValue(name, c, users))
		return
	}
	v := l.val(name)
	v.shape = sessionShape
	v.t = rollup.AddCount(v.t, c.Count)
	v.n = rollup.AddCount(v.n, c.New)
	v.unite(l.held, c)
}

// unite adds a cell's users to those the entry keeps.
func (v *value) unite(held *reading, c *rollup.Cell) {
	if v.users == nil {
		v.users = &union{held: held}
	}
	v.users.add(c)
}
