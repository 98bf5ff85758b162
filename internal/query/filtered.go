package query

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/peruser"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Chosen says which rows the figures of a read are made of.
type Chosen struct {
	App model.AppID
	// Filter selects rows. Its paths are properties of users (up, custom, cmp), which are those at the time of the row, and properties
	// of events (sg), which figures of sessions do not have; cohorts (chr) are those that the user of the row is in now.
	Filter   filter.Expr
	Calendar *period.Calendar // of the app
	Known    schema.Details   // which values of segments and which subjects are counted
}

// Faults of filtered reads.
var (
	errUnfiltered = fault.New(fault.Invalid, "figures.unfiltered", "These figures cannot be filtered")
	errTooMuch    = fault.New(fault.Invalid, "figures.too_many", "The filter selects too many values and users for one read, choose a shorter period")
)

// Filtered calls fn with a Query whose answers are made of the rows that a filter selects, in place of cells: the same documents and
// rows under the same definitions. It holds what it reads until fn returns, in the memory of f, so one at a time is under way; what a filter by cohorts alone selects is added up of rows that are held by user, where
// rows come from Recall and fit into its room.
// docs/reference/filters.md defines what each figure counts. Errors: figures.unfiltered, figures.too_many (Invalid).
func (f *Funnels) Filtered(ctx context.Context, c Chosen, fn func(*Query) error) error {
	if err := c.check(); err != nil {
		return err
	}
	r := &rowCells{Chosen: c, t: f.tables, held: map[seriesKey]*rowSeries{}, left: f.limit}
	var err error
	if r.users, _, err = f.tables.usersOf(ctx, c.App, c.Filter); err != nil {
		return err
	}
	defer func() {
		r.end()
		if r.done != nil {
			r.done()
		}
	}()
	r.take = f.take
	return fn(&Query{cells: fromRows{plain{r}, r}, schema: f.tables.schema})
}

// check refuses paths that rows do not keep as of their time.
func (c *Chosen) check() error {
	for _, path := range c.Filter.Paths() {
		key, up := strings.CutPrefix(path, "up.")
		if !isState(path) && !CohortPath(path) && !strings.HasPrefix(path, segmentPath) || up && currentOnly(key) {
			return fault.Newf(fault.Invalid, "figures.unfiltered", "Figures cannot be filtered by %s", path)
		}
	}
	return nil
}

// segmentPath begins the paths of properties of events.
const segmentPath = "sg."

// ofEventsOnly returns the first path of a property of events.
func (c *Chosen) ofEventsOnly() (path string, ok bool) {
	for _, path := range c.Filter.Paths() {
		if strings.HasPrefix(path, segmentPath) {
			return path, true
		}
	}
	return "", false
}

// fromRows are the Cells of a filtered Query.
type fromRows struct {
	plain
	rows *rowCells
}

// rowCells makes cells of rows. It belongs to one read.
type rowCells struct {
	Chosen
	t    *Tables
	held map[seriesKey]*rowSeries
	left int64 // bytes of cells that may still be made
	// users are those whom the filter selects, if it looks at nothing else; nil = it does.
	users *selected
	// misses are the series whose rows were missed among those that are held by user.
	misses map[heldKey]bool
	// byUser is what the read has of series whose rows are held by user, and lent what it was lent for that, bytes.
	byUser map[heldKey]*heldRead
	lent   int64
	chosen *peruser.Users // users, as far as their numbers were needed
	// take waits for the turn to hold rows, done ends it; nil = it is not held.
	take func(context.Context) (done func(), err error)
	done func()
	// times are the first and the last time (ms) of rows; nil = not looked for.
	times *[2]int64
}

// seriesKey names cells that are read together.
type seriesKey struct {
	rollup.Series
	only  string // of rollup.Events: the one value; "" = all
	users bool   // of rollup.Events: with the users of days and months
}

// rowSeries are the cells of a series on days that follow each other.
type rowSeries struct {
	first, last period.Day
	cells       map[cellKey]*rollup.Cell
	order       []cellKey // of cells; nil = not known
}

type cellKey struct {
	grain  rollup.Grain
	bucket rollup.Bucket
	value  string
}

func compareCells(a, b cellKey) int {
	return cmp.Or(cmp.Compare(a.grain, b.grain), cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.value, b.value))
}

// Scan implements rollup.Reader.
func (r *rowCells) Scan(ctx context.Context, _ model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) error {
	return r.scan(ctx, seriesKey{Series: s, users: s.Metric == rollup.Events}, g, from, to, peruser.Set, func(b rollup.Bucket, value string, c *rollup.Cell, _ int64) error {
		return fn(b, value, c)
	})
}

// scan calls fn for cells, with how many users they have, and with the users if they are wanted.
func (r *rowCells) scan(ctx context.Context, k seriesKey, g rollup.Grain, from, to rollup.Bucket, want peruser.Want, fn countFunc) error {
	if from > to {
		return nil
	}
	cells, ok, err := r.fromUsers(ctx, k, peruser.Grain(g), firstDay(g, from), lastDay(g, to), want)
	if err != nil {
		return err
	}
	if ok {
		for _, c := range cells {
			if c.Bucket < from || c.Bucket > to { // of hours, those of whole days were made
				continue
			}
			if err := fn(c.Bucket, c.Value, c.Cell, c.Users); err != nil {
				return err
			}
		}
		return nil
	}
	if r.done == nil {
		if r.done, err = r.take(ctx); err != nil {
			return err
		}
	}
	own, err := r.loaded(ctx, k, firstDay(g, from), lastDay(g, to))
	if err != nil {
		return err
	}
	if own.order == nil {
		own.order = make([]cellKey, 0, len(own.cells))
		for at := range own.cells {
			own.order = append(own.order, at)
		}
		slices.SortFunc(own.order, compareCells)
	}
	i, _ := slices.BinarySearchFunc(own.order, cellKey{grain: g, bucket: from}, compareCells)
	for ; i < len(own.order) && own.order[i].grain == g && own.order[i].bucket <= to; i++ {
		at := own.order[i]
		if c := own.cells[at]; !c.IsZero() {
			if err := fn(at.bucket, at.value, c, int64(c.Uniques())); err != nil { // at most 2^32
				return err
			}
		}
	}
	return nil
}

// firstDay and lastDay are the days at the ends of buckets.
func firstDay(g rollup.Grain, b rollup.Bucket) period.Day {
	day := period.Day(min(b, rollup.Bucket(period.MaxDay))) // below MaxDay
	switch g {
	case rollup.Hour:
		day, _ = period.Hour(b).Split()
	case rollup.Month:
		day = period.Month(b).First()
	case rollup.Day:
	}
	return day
}

func lastDay(g rollup.Grain, b rollup.Bucket) period.Day {
	if g == rollup.Month {
		return period.Month(b).Last()
	}
	return firstDay(g, b)
}

// loaded returns the cells of a series, those of the days from first to last among them.
func (r *rowCells) loaded(ctx context.Context, k seriesKey, first, last period.Day) (*rowSeries, error) {
	own := r.held[k]
	if own == nil {
		own = &rowSeries{first: first, last: first - 1, cells: map[cellKey]*rollup.Cell{}}
		r.held[k] = own
	}
	for _, gap := range [][2]period.Day{{first, own.first - 1}, {own.last + 1, last}} {
		if gap[0] > gap[1] {
			continue
		}
		own.order = nil
		w := &cellWriter{r: r, own: own, first: gap[0], last: gap[1], from: r.Calendar.DayStart(gap[0]), to: r.Calendar.DayEnd(gap[1])}
		if gap[1]-gap[0] > longGap {
			if err := r.clip(ctx, w); err != nil {
				return nil, err
			}
		}
		if w.from > w.to {
			continue
		}
		if err := missing(r.read(ctx, k, w)); err != nil {
			return nil, err
		}
	}
	own.first, own.last = min(own.first, first), max(own.last, last)
	return own, nil
}

// longGap is how many days a read may span without looking for the times that rows have. Clocks change twice a year, and a plan
// names each change.
const longGap = 5 * 366

// clip shortens what w reads to the times that rows of the app have.
func (r *rowCells) clip(ctx context.Context, w *cellWriter) error {
	if r.times == nil {
		low, high := int64(math.MaxInt64), int64(math.MinInt64)
		for _, table := range []plan.Table{plan.Events, plan.Requests} {
			ts := plan.Column{Of: table, Name: "ts"}
			q := &plan.Query{App: r.App, From: table, Select: []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Min, Of: ts}, plan.Agg{Fn: plan.Max, Of: ts}}}
			err := r.t.rows.Run(ctx, q, func(row events.Scanner) error {
				var n int64
				var first, last any
				err := row.Scan(&n, &first, &last)
				if n > 0 {
					low, high = min(low, wholeOf(first)), max(high, wholeOf(last))
				}
				return err
			})
			if err := missing(err); err != nil {
				return err
			}
		}
		r.times = &[2]int64{low, high}
	}
	w.from, w.to = max(w.from, r.times[0]), min(w.to, r.times[1])
	return nil
}

// cellWriter adds what rows of some days say to cells.
type cellWriter struct {
	r           *rowCells
	own         *rowSeries
	first, last period.Day
	from, to    int64 // ms: their bounds
	full        bool  // there is no memory left
	recent      [3]*rollup.Cell
	at          cellKey // of recent, in the finest grain
}

// Bytes that a cell and a user in one take, about.
const (
	cellBytes = 256
	userBytes = 4
)

// cells returns the cells of a value from the finest grain, a bucket of hours or days, up to months; none when memory ran out.
func (w *cellWriter) cells(g rollup.Grain, b rollup.Bucket, value string) []*rollup.Cell {
	at := cellKey{g, b, value}
	n := int(rollup.Month-g) + 1
	if w.at == at && w.recent[0] != nil {
		return w.recent[:n]
	}
	w.at = at
	day := firstDay(g, b)
	for i := range n {
		k := cellKey{g + rollup.Grain(i), b, value} // at most 2
		switch k.grain {
		case rollup.Day:
			k.bucket = rollup.Bucket(day)
		case rollup.Month:
			k.bucket = rollup.Bucket(day.Month())
		case rollup.Hour:
		}
		c := w.own.cells[k]
		if c == nil {
			if w.r.left -= cellBytes + int64(len(value)); w.r.left < 0 {
				w.full, w.recent[0] = true, nil
				return nil
			}
			c = &rollup.Cell{}
			w.own.cells[k] = c
		}
		w.recent[i] = c
	}
	return w.recent[:n]
}

// add adds counters to the cells of a value.
func (w *cellWriter) add(g rollup.Grain, b rollup.Bucket, value string, c *rollup.Cell) {
	for _, to := range w.cells(g, b, value) {
		to.MergeCounters(c)
	}
}

// user is add with a user.
func (w *cellWriter) user(g rollup.Grain, b rollup.Bucket, value string, c *rollup.Cell, uid uint32) {
	for _, to := range w.cells(g, b, value) {
		to.MergeCounters(c)
		if w.r.left -= userBytes; w.r.left < 0 {
			w.full = true
			return
		}
		to.AddUser(uid)
	}
}

// within reports whether a day is one of those that are read.
func (w *cellWriter) within(day period.Day) bool { return day >= w.first && day <= w.last }
