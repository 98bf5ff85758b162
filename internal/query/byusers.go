package query

import (
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/peruser"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Rewriting are Versions that also say what happened to rows that were there already.
type Rewriting interface {
	Versions
	// Rewrites returns what happened to the rows of an app since a moment, apart from rows that were added: how users were renumbered, in order, and the moment up
	// to which that is so. ok is false where rows have to be read again. A change is known when Version has grown for it.
	Rewrites(app model.AppID, since uint64) (list []map[uint32]uint32, now uint64, ok bool)
}

// heldRows are the rows of series by user, of all apps: figures of cohorts are made of them without reading rows again. They follow what is added
// to the rows and who is merged, and are read anew when rows were removed.
type heldRows struct {
	versions Rewriting
	limit    int64 // bytes, estimated

	mu    sync.Mutex
	lru   *simplelru.LRU[heldKey, *heldSeries]
	bytes int64
}

// heldKey names a series whose rows are held. Days and hours are those of a zone.
type heldKey struct {
	app   model.AppID
	of    seriesKey
	zone  string
	views schema.Kind
}

// heldSeries are the rows of a series on days that follow each other, up to a place in the journal.
type heldSeries struct {
	turn        chan struct{} // who holds it may use what follows
	rows        *peruser.Series
	first, last period.Day
	through     map[plan.Table]uint64 // of each table: the place up to which rows were read
	version     uint64                // of the app, from before they were
	moment      uint64                // up to which rewrites are known
	known       []string              // the values that count
	plans       []plan.Key            // what was asked of the rows
	skipped     bool                  // rows with other values were seen
	tooLong     int64                 // days that do not fit; 0 = not known
	sized       int                   // rows when the series was measured

	bytes int64 // as counted by heldRows
}

const heldEntries = 4096

func newHeldRows(versions Rewriting, limit int64) *heldRows {
	h := &heldRows{versions: versions, limit: limit}
	h.lru, _ = simplelru.NewLRU(heldEntries, func(_ heldKey, s *heldSeries) { h.bytes -= s.bytes }) // fails for a size of 0 only
	return h
}

// of returns what is held under a key, nothing at first.
func (h *heldRows) of(k heldKey) *heldSeries {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.lru.Get(k)
	if !ok {
		s = &heldSeries{turn: make(chan struct{}, 1)}
		s.clear()
		h.lru.Add(k, s)
	}
	return s
}

// resize counts what a series takes by now. What was not used for longest goes.
func (h *heldRows) resize(k heldKey, s *heldSeries, bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if kept, _ := h.lru.Peek(k); kept != s {
		return
	}
	h.bytes += bytes - s.bytes
	s.bytes = bytes
	for h.bytes > h.limit && h.lru.Len() > 1 {
		h.lru.RemoveOldest()
	}
}

func (h *heldRows) forget(app model.AppID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.lru.Keys() {
		if k.app == app {
			h.lru.Remove(k)
		}
	}
}

func (s *heldSeries) clear() {
	s.rows, s.first, s.last, s.through, s.version, s.known, s.plans, s.skipped, s.sized = nil, 1, 0, map[plan.Table]uint64{}, 0, nil, nil, false, 0
}

// Bounds of rows that are held.
const (
	heldRowBytes  = 8         // of a row, about, before it is read
	rowsAtOnce    = 1_000_000 // of rows that are read by one statement, about
	heldShare     = 2         // a series that takes more than such a part of the room is not held
	maxHeldTries  = 3
	maxCohortSets = 6
)

// usersOf returns who a filter selects if it looks at cohorts alone, as they are now; ok is false for other filters and those of too many cohorts.
func (t *Tables) usersOf(ctx context.Context, app model.AppID, f filter.Expr) (users *selected, ok bool, err error) {
	paths := f.Paths()
	if len(paths) == 0 {
		return nil, false, nil
	}
	lists := map[string]plan.Lists{}
	var asked askedCohorts
	for _, path := range paths {
		typed, ok := bindCohorts(path, plan.Ev("uid"))
		if !CohortPath(path) || !ok {
			return nil, false, nil
		}
		l, _ := typed.Expr.(plan.Lists)
		if l.ID != "" {
			asked.add(l.ID)
		} else {
			ids, others := f.Asked(path)
			if others {
				return nil, false, nil
			}
			for _, id := range ids {
				asked.add(id)
			}
		}
		lists[path] = l
	}
	if len(asked.ids) > maxCohortSets {
		return nil, false, nil
	}
	members, err := t.lookups.Cohorts.Members(ctx, app, asked.ids, false)
	if err != nil {
		return nil, false, err
	}
	out := &selected{}
	for _, id := range asked.ids {
		if s := members[id]; s != nil {
			out.ids, out.sets = append(out.ids, id), append(out.sets, s)
		}
	}
	for of := range uint(1) << len(out.ids) {
		if f.Match(inCohorts{lists, out.ids, of}) {
			out.members = append(out.members, of)
		}
	}
	return out, true, nil
}

// selected is who is in some of several sets: those of ids, as bits of a number.
type selected struct {
	ids     []string
	sets    []*plan.Set
	members []uint // the combinations of sets that are selected
}

// inCohorts is a user who is in some of several cohorts, as filters look at them.
type inCohorts struct {
	lists map[string]plan.Lists
	ids   []string
	of    uint
}

// Lookup implements filter.Doc.
func (d inCohorts) Lookup(path string) (any, bool) {
	var list []any
	for i, id := range d.ids {
		l := d.lists[path]
		switch {
		case d.of>>i&1 == 0:
		case l.ID == "":
			list = append(list, id)
		case l.ID == id:
			list = append(list, true, "true")
		}
	}
	return list, list != nil
}

// words returns the users with numbers below 64 times n as bits.
func (s *selected) words(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		for _, of := range s.members {
			bits := ^uint64(0)
			for j, set := range s.sets {
				w := set.Word(i)
				if of>>j&1 == 0 {
					w = ^w
				}
				bits &= w
			}
			out[i] |= bits
		}
	}
	return out
}

// fromUsers is scan of rows that are held by user; ok is false where they cannot be.
func (r *rowCells) fromUsers(ctx context.Context, k seriesKey, g rollup.Grain, from, to rollup.Bucket) (cells []peruser.Cells, ok bool, err error) {
	held := r.t.held
	if held == nil || r.users == nil {
		return nil, false, nil
	}
	rows, ok, err := r.heldOf(ctx, k)
	if err != nil || !ok {
		return nil, false, err
	}
	if g < rows.finest {
		return nil, true, nil
	}
	key := heldKey{r.App, k, r.Calendar.Location().String(), r.Views}
	key.of.users = false
	s := held.of(key)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	first, last := firstDay(g, from), lastDay(g, to)
	ok, err = r.follow(ctx, s, rows, first, last)
	if err != nil {
		s.clear()
	}
	if s.rows == nil {
		held.resize(key, s, 0)
	} else if s.rows.Rows() != s.sized {
		s.sized = s.rows.Rows()
		held.resize(key, s, s.rows.Bytes())
	}
	if err != nil || !ok {
		return nil, false, err
	}
	wanted := k.Metric != rollup.Events || k.users && g != rollup.Hour
	if cells, ok = s.rows.Select(g, first, last, r.users.words(s.rows.Words()), wanted, r.left); !ok {
		return nil, false, nil
	}
	return slices.DeleteFunc(cells, func(c peruser.Cells) bool { // of hours, those of whole days were made
		return c.Bucket < from || c.Bucket > to || rows.keep != nil && !rows.keep(c.Value)
	}), true, nil
}

// follow brings the rows of a series up to date, the days from first to last among them; ok is false where they do not fit.
func (r *rowCells) follow(ctx context.Context, s *heldSeries, rows *rowsByUser, first, last period.Day) (ok bool, err error) {
	versions := r.t.held.versions
	plans := make([]plan.Key, len(rows.parts))
	for i := range rows.parts {
		part := &rows.parts[i]
		part.number = uint8(i) //nolint:gosec // few
		q := plan.Query{App: r.App, From: part.from, Where: part.where, Select: part.columns}
		if part.at != nil {
			q.Where = plan.All(part.where, isThere(part.at))
		}
		plans[i] = q.Key()
	}
	for range maxHeldTries {
		version := versions.Version(r.App)
		list, now, ok := versions.Rewrites(r.App, s.moment)
		if !ok || s.rows == nil || !s.suits(rows, plans) {
			s.clear()
			s.rows, list = peruser.New(rows.options), nil
		}
		s.known, s.plans, s.moment = rows.known, plans, now
		for _, users := range list {
			s.rows.Rewrite(users)
		}
		if fits, err := r.readHeld(ctx, s, rows, version, first, last); err != nil || !fits {
			return false, err
		}
		// What happened meanwhile concerns a part of what was read.
		list, now, ok = versions.Rewrites(r.App, s.moment)
		if !ok {
			continue
		}
		s.moment, s.version = now, version
		for _, users := range list {
			s.rows.Rewrite(users)
		}
		return true, nil
	}
	s.clear()
	return false, nil
}

// suits reports whether the rows of a series are those that would be read now: the schema may have moved properties, and values may be new. Values
// that came later are in no row that was read, unless one was skipped.
func (s *heldSeries) suits(rows *rowsByUser, plans []plan.Key) bool {
	n := len(s.known)
	return slices.Equal(s.plans, plans) && n <= len(rows.known) && slices.Equal(s.known, rows.known[:n]) && (n == len(rows.known) || !s.skipped)
}

// readHeld reads what is missing of a series: what was added since, then days that were not asked for yet.
func (r *rowCells) readHeld(ctx context.Context, s *heldSeries, rows *rowsByUser, version uint64, first, last period.Day) (ok bool, err error) {
	empty := s.first > s.last
	if empty || s.version != version {
		before := s.through
		s.through = map[plan.Table]uint64{}
		for _, part := range rows.parts {
			if _, known := s.through[part.from]; known {
				continue
			}
			if s.through[part.from], err = r.lastPlace(ctx, part.from, before[part.from]); err != nil {
				return false, err
			}
		}
		if !empty {
			for i := range rows.parts {
				part := &rows.parts[i]
				if err := r.readPart(ctx, s, part, s.first, s.last, before[part.from]+1); err != nil {
					return false, err
				}
			}
		}
	}
	if empty {
		s.first, s.last = first, first-1
	}
	days := int64(max(last, s.last)) - int64(min(first, s.first)) + 1
	if s.tooLong > 0 && days >= s.tooLong {
		if empty {
			s.clear()
		}
		return false, nil
	}
	for _, gap := range [][2]period.Day{{first, s.first - 1}, {s.last + 1, last}} {
		if gap[0] > gap[1] {
			continue
		}
		for i := range rows.parts {
			fits, err := r.readGap(ctx, s, &rows.parts[i], gap[0], gap[1])
			if err != nil {
				return false, err
			}
			if !fits {
				s.clear()
				s.tooLong = days
				return false, nil
			}
		}
		s.first, s.last = min(s.first, gap[0]), max(s.last, gap[1])
		s.rows.Compact()
	}
	return true, nil
}

// lastPlace returns the largest place of a row of a table, at least after. An app is in one partition of the journal, so that places only grow.
func (r *rowCells) lastPlace(ctx context.Context, table plan.Table, after uint64) (uint64, error) {
	off := plan.Column{Of: table, Name: "off"}
	q := &plan.Query{App: r.App, From: table, Where: plan.Do(plan.Gt, off, plan.Is(int64(after))), Select: []plan.Expr{plan.Agg{Fn: plan.Max, Of: off}}} //nolint:gosec // places are far below 2^63
	err := r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var last any
		err := row.Scan(&last)
		after = max(after, place(wholeOf(last)))
		return err
	})
	return after, missing(err)
}

// readGap reads rows of some days, so many at a time; ok is false where they do not fit.
func (r *rowCells) readGap(ctx context.Context, s *heldSeries, part *userPart, first, last period.Day) (ok bool, err error) {
	from, to := r.Calendar.DayStart(first), r.Calendar.DayEnd(last)
	at := plan.Column{Of: part.from, Name: "ts"}
	q := &plan.Query{
		App: r.App, From: part.from, Where: plan.All(part.where, plan.Between(at, from, to)),
		Select: []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Min, Of: at}, plan.Agg{Fn: plan.Max, Of: at}},
	}
	var n int64
	err = r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var low, high any
		err := row.Scan(&n, &low, &high)
		if n > 0 {
			from, to = wholeOf(low), wholeOf(high)
		}
		return err
	})
	if err := missing(err); err != nil {
		return false, err
	}
	if (n+int64(s.rows.Rows()))*heldRowBytes > r.t.held.limit/heldShare {
		return false, nil
	}
	if part.at != nil { // not by the time of the row
		return true, r.readPart(ctx, s, part, first, last, 0)
	}
	if n == 0 {
		return true, nil
	}
	days := max(1, (r.Calendar.DayBucket(to)-r.Calendar.DayBucket(from)+1)/period.Day(1+n/rowsAtOnce)) //nolint:gosec // few
	for day := r.Calendar.DayBucket(from); day <= r.Calendar.DayBucket(to); day += days {
		if err := r.readPart(ctx, s, part, max(day, first), min(day+days-1, last), 0); err != nil {
			return false, err
		}
		if s.rows.Bytes() > r.t.held.limit/heldShare {
			return false, nil
		}
	}
	return true, nil
}

// readPart adds the rows of some days from a place on, up to the one up to which rows are held.
func (r *rowCells) readPart(ctx context.Context, s *heldSeries, part *userPart, first, last period.Day, after uint64) error {
	if after > s.through[part.from] {
		return nil
	}
	column := func(name string) plan.Column { return plan.Column{Of: part.from, Name: name} }
	from, to := r.Calendar.DayStart(first), r.Calendar.DayEnd(last)
	when := plan.Between(column("ts"), from, to)
	at := plan.Expr(column("ts"))
	if part.at != nil {
		at = part.at
		when = plan.All(plan.Do(plan.Ge, at, plan.Is(float64(from))), plan.Do(plan.Le, at, plan.Is(float64(to))))
	}
	q := &plan.Query{
		App: r.App, From: part.from,
		Where:  plan.All(part.where, when, plan.Between(column("off"), int64(after), int64(s.through[part.from]))), //nolint:gosec // as in lastPlace
		Select: append([]plan.Expr{at, column("uid"), column("off")}, part.columns...),
	}
	return missing(r.t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			var row peruser.Row
			var day period.Day
			var hour int
			if part.at != nil {
				day, hour = r.Calendar.HourBucket(int64(c.List[0].Number[i])).Split()
			} else {
				day, hour = r.Calendar.HourBucket(c.List[0].Whole[i]).Split()
			}
			if day < first || day > last {
				continue
			}
			row.Part, row.Day, row.UID, row.First = part.number, day, uint32(c.List[1].Whole[i]), place(c.List[2].Whole[i]) //nolint:gosec // users
			if part.hours {
				row.Hour = uint8(hour) //nolint:gosec // below 24
			}
			s.skipped = !part.add(&row, c.List[3:], i, s.rows.Add) || s.skipped
		}
		return nil
	}))
}
