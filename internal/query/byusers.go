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
)

// Rewriting are Versions that also say what happened to rows that were there already.
type Rewriting interface {
	Versions
	// Rewrites returns what happened to the rows of an app since a moment, apart from rows that were added: how users were renumbered, in order, and the moment up
	// to which that is so. ok is false where rows have to be read again. A change is known when Version has grown for it.
	Rewrites(app model.AppID, since uint64) (list []map[uint32]uint32, now uint64, ok bool)
}

// heldRows are the rows of series by user, of all apps: figures of cohorts are made of them without reading rows again. They follow what is added
// to the rows and who is merged, and are given up when rows were removed. Reads do not make them: they say what they missed, and Recalling.Hold reads it meanwhile.
type heldRows struct {
	versions Rewriting
	limit    int64       // bytes, estimated
	short    func() bool // memory is short, and nothing more is to be held

	mu     sync.Mutex
	lru    simplelru.LRUCache[heldKey, *heldEntry]
	bytes  int64 // of what is held, and of what is being read
	missed chan heldKey
	// forReads is what reads may take for rows that they pick, lent what they have of it.
	forReads, lent int64
}

// heldKey names a series whose rows are held. Days and hours are those of a zone.
type heldKey struct {
	app  model.AppID
	of   seriesKey
	zone string
}

// heldEntry is what is known of a series. All of it is guarded by heldRows.mu.
type heldEntry struct {
	series  *heldSeries // nil = its rows are not held
	hits    int         // reads that found what they needed, since series is what it is
	misses  int         // reads that did not
	need    int         // so many misses let it be read
	first   period.Day  // of what was missed; first after last = nothing was
	last    period.Day
	queued  bool     // it is read, or waits for it
	tooLong int64    // so many days do not fit; 0 = not known
	ask     rowCells // what reads its rows
	bytes   int64
}

// heldSeries are the rows of a series on days that follow each other, up to a place in the journal.
type heldSeries struct {
	turn        chan struct{}         // who holds it may use what follows
	rows        *peruser.Series       // nil = it was given up
	first, last period.Day            // never changed
	through     map[plan.Table]uint64 // of each table: the place up to which rows were read
	version     uint64                // of the app, from before they were
	moment      uint64                // up to which rewrites are known
	known       []string              // the values that count
	plans       []plan.Key            // what was asked of the rows
	skipped     bool                  // rows with other values were seen
}

// Bounds of what is held.
const (
	heldEntries = 4096
	heldQueue   = 64
	// heldMisses is how many reads miss a series until its rows are held: those of a filter that is tried once are not.
	heldMisses    = 2
	maxHeldMisses = 64
)

func newHeldRows(versions Rewriting, limit int64, short func() bool) *heldRows {
	h := &heldRows{versions: versions, limit: limit - limit/lentShare, forReads: limit / lentShare, short: short, missed: make(chan heldKey, heldQueue)}
	h.lru, _ = simplelru.NewLRU(heldEntries, func(_ heldKey, e *heldEntry) { h.bytes -= e.bytes }) // fails for a size of 0 only
	return h
}

// of returns the rows of a series; nil = they are not held.
func (h *heldRows) of(k heldKey) *heldSeries {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.lru.Get(k)
	if !ok {
		return nil
	}
	return e.series
}

// miss notes that a read needed rows of some days that are not held. They are read in the background once several reads that count did.
func (h *heldRows) miss(k heldKey, ask rowCells, first, last period.Day, counts bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.lru.Get(k)
	if !ok {
		e = &heldEntry{first: 1, last: 0, need: heldMisses}
		h.lru.Add(k, e)
	}
	if days := daysOf(first, last); e.tooLong > 0 && days >= e.tooLong {
		return
	}
	if counts {
		e.misses++
	}
	if e.first > e.last {
		e.first, e.last = first, last
	}
	if e.first, e.last = min(e.first, first), max(e.last, last); e.tooLong > 0 && daysOf(e.first, e.last) >= e.tooLong {
		e.first, e.last = first, last
	}
	if e.misses < e.need || e.queued {
		return
	}
	e.ask = ask
	select {
	case h.missed <- k:
		e.queued = true
	default: // a later read misses it, too
	}
}

func daysOf(first, last period.Day) int64 { return int64(last) - int64(first) + 1 }

// next returns what is to be read for a series: what was missed, with the days that are held unless these make it more than twice as long, as they do
// when periods moved on. ok is false if nothing is.
func (h *heldRows) next(k heldKey) (ask *rowCells, first, last period.Day, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.lru.Peek(k)
	if !ok || !e.queued {
		return nil, 0, 0, false
	}
	first, last = e.first, e.last
	e.first, e.last = 1, 0
	if s := e.series; s != nil {
		from, to := min(first, s.first), max(last, s.last)
		if n := daysOf(from, to); n <= 2*daysOf(first, last) && (e.tooLong == 0 || n < e.tooLong) {
			first, last = from, to
		}
	}
	return &e.ask, first, last, true
}

// settle ends the reading of a series that next began: s are its rows, nil if they could not be read. tooLong is how many days do not fit, 0 if others do.
func (h *heldRows) settle(k heldKey, s *heldSeries, tooLong int64, bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bytes -= bytes // of what was being read
	e, ok := h.lru.Peek(k)
	if !ok { // forgotten meanwhile
		return
	}
	e.queued, e.misses, e.ask = false, 0, rowCells{}
	if tooLong > 0 {
		e.tooLong = tooLong
	}
	if s != nil {
		e.series, e.hits = s, 0
		h.bytes += bytes - e.bytes
		e.bytes = bytes
		h.evict(k)
	}
}

// setBack lets a series be read only once it was missed as often as is ever asked for.
func (h *heldRows) setBack(k heldKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e, _ := h.lru.Peek(k); e != nil {
		e.need = maxHeldMisses
	}
}

// grow counts what is being read takes more. What was not used for longest goes.
func (h *heldRows) grow(k heldKey, more int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bytes += more
	h.evict(k)
}

// hit notes that a read found what it needed.
func (h *heldRows) hit(k heldKey, s *heldSeries) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e, _ := h.lru.Peek(k); e != nil && e.series == s {
		e.hits++
	}
}

// resize counts what a series takes by now.
func (h *heldRows) resize(k heldKey, s *heldSeries, bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, _ := h.lru.Peek(k)
	if e == nil || e.series != s {
		return
	}
	h.bytes += bytes - e.bytes
	e.bytes = bytes
	h.evict(k)
}

// giveUp ends that a series is held.
func (h *heldRows) giveUp(k heldKey, s *heldSeries) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e, _ := h.lru.Peek(k); e != nil && e.series == s {
		h.drop(e)
	}
}

// evict gives up what was not used for longest, as long as there is too much, but not the series of a key. The caller holds mu.
func (h *heldRows) evict(but heldKey) {
	if h.bytes <= h.limit {
		return
	}
	for _, k := range h.lru.Keys() { // from the oldest on
		if e, _ := h.lru.Peek(k); k != but && e.series != nil {
			h.drop(e)
		}
		if h.bytes <= h.limit {
			return
		}
	}
}

// drop ends that a series is held. One that was of little use is held again only after it was missed more often. The caller holds mu.
func (h *heldRows) drop(e *heldEntry) {
	e.need = max(heldMisses, min(2*e.need, maxHeldMisses))
	if e.hits >= e.need {
		e.need = heldMisses
	}
	h.bytes -= e.bytes
	e.series, e.bytes, e.misses, e.hits = nil, 0, 0, 0
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

// Bounds of filters that select users of cohorts.
const maxCohortSets = 6

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

// missed says that rows of some days are not held. A read counts once for a series.
func (r *rowCells) missed(key heldKey, first, last period.Day) {
	if r.misses == nil {
		r.misses = map[heldKey]bool{}
	}
	again := r.misses[key]
	r.misses[key] = true
	r.t.held.miss(key, rowCells{Chosen: r.Chosen, t: r.t}, first, last, !again)
}

// count returns how many rows are held; -1 if the series was given up.
func (s *heldSeries) count() int {
	if s.rows == nil {
		return -1
	}
	return s.rows.Rows()
}

// The states of a series that is held.
type heldState int

const (
	upToDate  heldState = iota
	elsewhere           // it has other days
	outdated            // its rows have to be read again
)

// follow brings the rows of a series up to date.
func (r *rowCells) follow(ctx context.Context, s *heldSeries, rows *rowsByUser, first, last period.Day) (heldState, error) {
	if s.rows == nil {
		return outdated, nil
	}
	if first < s.first || last > s.last {
		return elsewhere, nil
	}
	versions := r.t.held.versions
	version := versions.Version(r.App)
	if !s.rewrite(versions, r.App) || !s.suits(rows, r.plansOf(rows)) {
		return outdated, nil
	}
	s.known = rows.known
	if s.version == version {
		return upToDate, nil
	}
	before := s.through
	if err := r.places(ctx, s, rows); err != nil {
		return outdated, err
	}
	for i := range rows.parts {
		part := &rows.parts[i]
		if err := r.readPart(ctx, s, part, s.first, s.last, before[part.from]+1); err != nil {
			return outdated, err
		}
	}
	if !s.rewrite(versions, r.App) { // what happened meanwhile concerns a part of what was read
		return outdated, nil
	}
	s.version = version
	return upToDate, nil
}

// rewrite renumbers the users who were merged since; ok is false where rows were removed.
func (s *heldSeries) rewrite(versions Rewriting, app model.AppID) (ok bool) {
	list, now, ok := versions.Rewrites(app, s.moment)
	if !ok {
		return false
	}
	s.moment = now
	for _, users := range list {
		s.rows.Rewrite(users)
	}
	return true
}

// plansOf returns what is asked of the rows of a series, and numbers its parts.
func (r *rowCells) plansOf(rows *rowsByUser) []plan.Key {
	plans := make([]plan.Key, len(rows.parts))
	for i := range rows.parts {
		part := &rows.parts[i]
		part.number = uint8(i) // few
		q := plan.Query{App: r.App, From: part.from, Where: part.where, Select: part.columns}
		if part.at != nil {
			q.Where = plan.All(part.where, isThere(part.at))
		}
		plans[i] = q.Key()
	}
	return plans
}

// places notes up to which places there are rows.
func (r *rowCells) places(ctx context.Context, s *heldSeries, rows *rowsByUser) (err error) {
	before := s.through
	s.through = map[plan.Table]uint64{}
	for i := range rows.parts {
		from := rows.parts[i].from
		if _, known := s.through[from]; known {
			continue
		}
		if s.through[from], err = r.lastPlace(ctx, from, before[from]); err != nil {
			return err
		}
	}
	return nil
}

// suits reports whether the rows of a series are those that would be read now: the schema may have moved properties, and values may be new. Values
// that came later are in no row that was read, unless one was skipped.
func (s *heldSeries) suits(rows *rowsByUser, plans []plan.Key) bool {
	n := len(s.known)
	return slices.Equal(s.plans, plans) && n <= len(rows.known) && slices.Equal(s.known, rows.known[:n]) && (n == len(rows.known) || !s.skipped)
}

// lastPlace returns the largest place of a row of a table, at least after. An app is in one partition of the journal, so that places only grow.
func (r *rowCells) lastPlace(ctx context.Context, table plan.Table, after uint64) (uint64, error) {
	off := plan.Column{Of: table, Name: "off"}
	q := &plan.Query{App: r.App, From: table, Where: plan.Do(plan.Gt, off, plan.Is(int64(after))), Select: []plan.Expr{plan.Agg{Fn: plan.Max, Of: off}}} // places are far below 2^63
	err := r.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var last any
		err := row.Scan(&last)
		after = max(after, place(wholeOf(last)))
		return err
	})
	return after, missing(err)
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
		Where:  plan.All(part.where, when, plan.Between(column("off"), int64(after), int64(s.through[part.from]))), // as in lastPlace
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
			row.Part, row.Day, row.UID, row.First = part.number, day, uint32(c.List[1].Whole[i]), place(c.List[2].Whole[i]) // users
			if part.hours {
				row.Hour = uint8(hour) // below 24
			}
			s.skipped = !part.add(&row, c.List[3:], i, s.rows.Add) || s.skipped
		}
		return nil
	}))
}
