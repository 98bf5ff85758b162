package cohorts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/topic"
)

// live holds the members of cohorts as they are now: rows and profiles of each batch go in as the batch is committed, and nothing is read for
// it. docs/adr/0014-live-cohorts.md says how it begins and why it is exact. It implements pipeline.Tap.
type live struct {
	now   func() time.Time
	zones *period.Zones
	// emit publishes what changed.
	emit func(context.Context, topic.CohortChanged)
	// due has all cohorts looked at soon, and ended is called when the server has ended to project records of apps; where several share the work.
	due   func()
	ended func(context.Context)

	mu   sync.RWMutex
	apps map[model.AppID]*liveApp
}

// app returns what is held of an app.
func (e *live) app(id model.AppID) *liveApp {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.apps[id]
	if a == nil {
		a = &liveApp{id: id, ledgers: map[string]*ledger{}, selections: map[string]*selection{}, cohorts: map[string]*liveCohort{}}
		if e.apps == nil {
			e.apps = map[model.AppID]*liveApp{}
		}
		e.apps[id] = a
	}
	return a
}

// held is app, or nil when nothing is held of it.
func (e *live) held(id model.AppID) *liveApp {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.apps[id]
}

func (e *live) all() []*liveApp {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return slices.Collect(maps.Values(e.apps))
}

// Began implements pipeline.Sharer: what is held did not follow what others projected.
func (e *live) Began() {
	e.mu.Lock()
	e.apps = nil
	e.mu.Unlock()
	e.due()
}

// Ended implements pipeline.Sharer.
func (e *live) Ended(ctx context.Context) {
	e.ended(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.apps = nil
}

func (e *live) drop(id model.AppID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.apps, id)
}

// liveApp is what is held of an app.
type liveApp struct {
	id   model.AppID
	plan atomic.Pointer[livePlan] // nil = nothing is followed

	handing sync.Mutex // held while ledgers begin; before mu

	mu sync.Mutex
	// epoch grows when all that is held is of no use any more.
	epoch uint64
	// through is the place of the last batch.
	through    uint64
	cal        *period.Calendar
	today      period.Day
	ledgers    map[string]*ledger
	selections map[string]*selection
	cohorts    map[string]*liveCohort
	// behind says that cohorts have to start over, again that some were left that are to be calculated.
	behind, again bool
	// log has who went since ledgers began that do not know yet what was before; nil = there are none.
	log     []gone
	logging bool
	// told are what subscribers are to be notified of, in order; telling is held by who does.
	told    []topic.CohortChanged
	telling sync.Mutex
}

// gone is a user who is no more, or, with into, was merged.
type gone struct{ uid, into uint32 }

// liveCohort is a cohort whose members are held.
type liveCohort struct {
	id, hash string
	who      *selection
	steps    []liveStep
	// ready says that members are those of now; those of one that starts over are as they were.
	ready bool
	// from is the place in the journal up to which members were read when the cohort became live.
	from uint64
	// fresh says that it was never calculated; refused, that it takes too much memory to be live.
	fresh, refused bool
	members        *roaring.Bitmap
	set            *plan.Set // of members; nil = not made yet
	// days are the changes since the cohort was stored.
	days  map[period.Day]*day
	dirty bool
}

type liveStep struct {
	key string
	*ledger
	not, or bool
}

// livePlan is what batches are looked through for. It does not change.
type livePlan struct {
	cal        *period.Calendar
	ledgers    []*ledger
	selections []*selection
	// names and keys lead from n of custom events, and from e of others, to what may hold for their rows.
	names, keys map[string][]probe
}

// probe is a filter of rows, and what it belongs to.
type probe struct {
	filter filter.Expr
	of     []target
}

// target is a ledger, by its place in the plan, and the stage of it; 0 where it has none.
type target struct{ ledger, stage int }

// hit is that a user did n times on a day what a ledger asks for.
type hit struct {
	uid uint32
	day period.Day
	n   int64
}

// passing is that a user did what stages of a ledger ask for.
type passing struct {
	uid uint32
	moment
}

// delta is what a batch does to the ledgers and selections of a plan, by their places in it.
type delta struct {
	plan    *livePlan
	place   uint64
	hits    [][]hit
	passed  [][]passing
	on, off [][]uint32
	merges  []pipeline.Merge
}

// replan makes the plan of an app. The caller holds the lock.
func (a *liveApp) replan() {
	if len(a.selections) == 0 {
		a.plan.Store(nil)
		return
	}
	p := &livePlan{cal: a.cal, names: map[string][]probe{}, keys: map[string][]probe{}}
	for _, key := range slices.Sorted(maps.Keys(a.selections)) {
		p.selections = append(p.selections, a.selections[key])
	}
	for i, key := range slices.Sorted(maps.Keys(a.ledgers)) {
		c := a.ledgers[key]
		p.ledgers = append(p.ledgers, c)
		if c.stages == nil {
			p.probe(c.keys, c.filter, target{ledger: i})
		}
		for j, st := range c.stages {
			p.probe(st.keys, st.filter, target{i, j})
		}
	}
	a.plan.Store(p)
}

// probe has rows of events that a filter selects looked for.
func (p *livePlan) probe(events []string, f filter.Expr, of target) {
	for _, event := range events {
		e, n := evstore.Selector(event)
		to, at := p.keys, e
		if n != "" {
			to, at = p.names, n
		}
		j := slices.IndexFunc(to[at], func(b probe) bool { return b.filter.String() == f.String() })
		if j < 0 {
			to[at] = append(to[at], probe{filter: f})
			j = len(to[at]) - 1
		}
		to[at][j].of = append(to[at][j].of, of)
	}
}

// Part implements pipeline.Tap.
func (e *live) Part(p *pipeline.Part) (any, error) {
	a := e.held(p.App)
	if a == nil {
		return nil, nil
	}
	plan := a.plan.Load()
	if plan == nil {
		return nil, nil
	}
	d := &delta{
		plan: plan, place: p.Place, hits: make([][]hit, len(plan.ledgers)), passed: make([][]passing, len(plan.ledgers)),
		on: make([][]uint32, len(plan.selections)), off: make([][]uint32, len(plan.selections)), merges: p.Merges,
	}
	doc := &record{part: p}
	err := p.EachRow(func(row *evstore.Row) {
		probes := plan.keys[row.Key]
		if row.Key == evstore.CustomKey {
			probes = plan.names[row.Name]
		}
		if len(probes) == 0 {
			return
		}
		doc.row = row
		on := plan.cal.DayBucket(row.TS)
		for _, b := range probes {
			if !b.filter.IsZero() && !b.filter.Match(doc) {
				continue
			}
			for _, of := range b.of {
				if at := of.ledger; plan.ledgers[at].stages == nil {
					d.hits[at] = noted(d.hits[at], hit{row.UID, on, row.Count})
				} else {
					m := moment{query.Moment{TS: row.TS, Off: row.Offset, Item: row.Item}, 1 << of.stage}
					d.passed[at] = append(d.passed[at], passing{row.UID, m})
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, list := range d.passed {
		slices.SortStableFunc(list, func(a, b passing) int { return cmp.Or(cmp.Compare(a.uid, b.uid), compareMoments(a.moment, b.moment)) })
	}
	for at, s := range plan.selections {
		if s.busy {
			for uid, user := range p.Users {
				d.decide(at, s, uid, user)
			}
			continue
		}
		for _, uid := range p.Changed {
			if user := p.Users[uid]; user != nil {
				d.decide(at, s, uid, user)
			}
		}
	}
	return d, nil
}

// noted adds a hit to those of a ledger; one like the last is that one, more often.
func noted(hits []hit, h hit) []hit {
	if n := len(hits); n > 0 && hits[n-1].uid == h.uid && hits[n-1].day == h.day {
		hits[n-1].n += h.n
		return hits
	}
	return append(hits, h)
}

func (d *delta) decide(at int, s *selection, uid uint32, user *model.Profile) {
	if s.filter.IsZero() || s.filter.Match(person{user}) {
		d.on[at] = append(d.on[at], uid)
	} else {
		d.off[at] = append(d.off[at], uid)
	}
}

// Committed implements pipeline.Tap.
func (e *live) Committed(ctx context.Context, app model.AppID, part any) {
	a := e.held(app)
	d, ok := part.(*delta)
	if a == nil || !ok {
		return
	}
	a.mu.Lock()
	a.through = d.place
	e.roll(a)
	for _, m := range d.merges {
		a.merge(m.From, m.To)
	}
	for at, s := range d.plan.selections {
		if !s.started || d.place <= s.from {
			continue
		}
		for _, uid := range d.on[at] {
			s.set(uid, true)
		}
		for _, uid := range d.off[at] {
			s.set(uid, false)
		}
	}
	var tooMuch []*ledger
	for at, c := range d.plan.ledgers {
		if !c.started || d.place <= c.from {
			continue
		}
		for _, h := range d.hits[at] {
			c.add(h.uid, h.day, h.n)
		}
		if !c.pass(d.passed[at]) {
			tooMuch = append(tooMuch, c)
		}
	}
	a.settle(e.now())
	for _, c := range tooMuch {
		a.refuse(c)
	}
	a.mu.Unlock()
	if len(tooMuch) > 0 {
		e.due()
	}
	e.tell(ctx, a)
}

// Removed implements pipeline.Tap.
func (e *live) Removed(_ context.Context, app model.AppID, all bool) {
	a := e.held(app)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restart()
	if !all {
		return
	}
	for _, c := range a.cohorts {
		c.members, c.set, c.days, c.dirty = roaring.New(), nil, nil, false
	}
}

// restart forgets all ledgers; cohorts keep their members as they are until they have started over.
func (a *liveApp) restart() {
	a.epoch++
	a.ledgers, a.selections = map[string]*ledger{}, map[string]*selection{}
	a.log, a.logging, a.behind = nil, false, true
	for _, c := range a.cohorts {
		c.ready = false
	}
	a.plan.Store(nil)
}

// merge follows a merge of users.
func (a *liveApp) merge(from, to uint32) {
	if a.logging {
		a.log = append(a.log, gone{from, to})
	}
	for _, c := range a.cohorts {
		if c.members == nil || !c.members.CheckedRemove(from) {
			continue
		}
		c.set, c.dirty = nil, true
		if c.members.Contains(to) {
			c.note(a.today, 0, 1) // one of two goes
		} else {
			c.members.Add(to) // takes the other's place
		}
		c.recheck(to)
	}
	for _, c := range a.ledgers {
		c.merge(from, to)
	}
	for _, s := range a.selections {
		s.forget(from)
	}
}

// recheck has a user looked at again by the next settle.
func (c *liveCohort) recheck(uid uint32) {
	if c.who != nil {
		c.who.changed.Add(uid)
	}
}

// forget takes users out, who are no more.
func (e *live) forget(app model.AppID, uids []uint32) {
	a := e.held(app)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, uid := range uids {
		if a.logging {
			a.log = append(a.log, gone{uid: uid})
		}
		for _, c := range a.ledgers {
			c.forget(uid)
		}
		for _, s := range a.selections {
			s.forget(uid)
		}
		for _, c := range a.cohorts {
			if c.members != nil && c.members.CheckedRemove(uid) {
				c.set = nil
				c.note(a.today, 0, 1)
			}
		}
	}
}

// roll lets all ledgers look at the days of now.
func (e *live) roll(a *liveApp) {
	if a.cal == nil {
		return
	}
	now := e.now()
	today := a.cal.DayBucket(now.UnixMilli())
	switch {
	case today == a.today:
		return
	case today < a.today: // the clock was set back: days that went are needed again
		a.today = today
		a.restart()
		return
	}
	a.today = today
	for _, c := range a.ledgers {
		if w, err := windowOf(c.period, now, a.cal, e.zones); err == nil {
			c.move(w)
		}
	}
	for _, c := range a.cohorts {
		if c.ready {
			c.note(today, 0, 0)
		}
	}
}

// windowOf is the window of a period at a moment.
func windowOf(text string, now time.Time, cal *period.Calendar, zones *period.Zones) (window, error) {
	p, err := period.NewFrame(now, cal, zones, period.Overrides{}).Parse(text)
	if err != nil {
		return window{}, errPeriod
	}
	later, err := period.NewFrame(now.AddDate(2, 1, 1), cal, zones, period.Overrides{}).Parse(text)
	return window{p.First, p.Last, err == nil && later.First == p.First}, nil
}

// settle finds out who came and left by what changed.
func (a *liveApp) settle(now time.Time) {
	for _, c := range a.cohorts {
		if !c.ready {
			continue
		}
		touched := c.who.changed
		shared := true
		for _, s := range c.steps {
			if s.changed.IsEmpty() {
				continue
			}
			if shared {
				touched, shared = touched.Clone(), false
			}
			touched.Or(s.changed)
		}
		if touched.IsEmpty() {
			continue
		}
		is, was := c.among(touched), roaring.And(c.members, touched)
		c.change(a, now, is, was)
	}
	for _, c := range a.ledgers {
		clearBits(&c.changed)
	}
	for _, s := range a.selections {
		clearBits(&s.changed)
	}
}

func clearBits(b **roaring.Bitmap) {
	if !(*b).IsEmpty() {
		*b = roaring.New()
	}
}

// change makes users members that are, and others not that were.
func (c *liveCohort) change(a *liveApp, now time.Time, is, was *roaring.Bitmap) {
	entered, left := roaring.AndNot(is, was), roaring.AndNot(was, is)
	if entered.IsEmpty() && left.IsEmpty() {
		return
	}
	c.members.Or(entered)
	c.members.AndNot(left)
	c.set = nil
	c.note(a.today, int64(entered.GetCardinality()), int64(left.GetCardinality())) // numbers of users are of 32 bits
	a.told = append(a.told, topic.CohortChanged{App: a.id, Cohort: c.id, At: now, Entered: entered.ToArray(), Left: left.ToArray()})
}

// note adds to what changed on a day.
func (c *liveCohort) note(on period.Day, entered, left int64) {
	if c.days == nil {
		c.days = map[period.Day]*day{}
	}
	d := c.days[on]
	if d == nil {
		d = &day{}
		c.days[on] = d
	}
	d.Size = int64(c.members.GetCardinality()) // numbers of users are of 32 bits
	d.Entered += entered
	d.Left += left
	c.dirty = true
}

// refresh looks at the days of now.
func (e *live) refresh(ctx context.Context, a *liveApp) {
	a.mu.Lock()
	e.roll(a)
	a.settle(e.now())
	told := len(a.told) > 0
	a.mu.Unlock()
	if told {
		e.tell(ctx, a)
	}
}

// cohort returns the held state of a cohort; nil when the cohort has changed since. The caller holds the lock.
func (a *liveApp) cohort(d Cohort) *liveCohort {
	c := a.cohorts[d.ID]
	if c == nil || c.hash != d.Hash || c.refused || c.members == nil {
		return nil
	}
	return c
}

// members returns the members of a cohort, the caller's own, and whether they are held.
func (e *live) members(ctx context.Context, app model.AppID, d Cohort) (*roaring.Bitmap, bool) {
	a := e.held(app)
	if a == nil || d.Type == manual {
		return nil, false
	}
	e.refresh(ctx, a)
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cohort(d)
	if c == nil {
		return nil, false
	}
	return c.members.Clone(), true
}

// membersSet returns the members of a cohort as readers of rows take them; nil when they are not held.
func (e *live) membersSet(ctx context.Context, app model.AppID, d Cohort) *plan.Set {
	a := e.held(app)
	if a == nil || d.Type == manual {
		return nil
	}
	e.refresh(ctx, a)
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cohort(d)
	if c == nil {
		return nil
	}
	if c.set == nil {
		c.set = plan.NewSet(c.members)
	}
	return c.set
}

// leave has a cohort that is no more, or has other conditions, live no more.
func (e *live) leave(app model.AppID, id string) {
	if a := e.held(app); a != nil {
		a.leave(id, true)
	}
}

// refuse notes that a cohort takes too much memory to be live, until it has other conditions or the server starts again.
func (e *live) refuse(app model.AppID, d Cohort) {
	a := e.app(app)
	a.leave(d.ID, true)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cohorts[d.ID] = &liveCohort{id: d.ID, hash: d.Hash, members: roaring.New(), refused: true}
}

func (e *live) refused(app model.AppID, d Cohort) bool {
	a := e.held(app)
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cohorts[d.ID]
	return c != nil && c.hash == d.Hash && c.refused
}

// is reports whether a cohort is live, and how many members it has.
func (e *live) is(app model.AppID, d Cohort) (ready bool, size int64) {
	a := e.held(app)
	if a == nil {
		return false, 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cohort(d)
	if c == nil || !c.ready {
		return false, 0
	}
	return true, int64(c.members.GetCardinality()) // numbers of users are of 32 bits
}

// rebase has the history of cohorts begin again.
func (e *live) rebase(app model.AppID) {
	a := e.held(app)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.cohorts {
		if c.ready {
			c.days = nil
			c.note(a.today, int64(c.members.GetCardinality()), 0)
		}
	}
}

// among selects members among users by the definition, as query.Tables.Members does among all. The result is the caller's own.
func (c *liveCohort) among(these *roaring.Bitmap) *roaring.Bitmap {
	all := roaring.And(these, c.who.users)
	out := all
	for i, s := range c.steps {
		hold := roaring.And(all, s.holds)
		if s.not {
			hold = roaring.AndNot(all, s.holds)
		}
		switch {
		case i == 0:
			out = hold
		case s.or:
			out.Or(hold)
		default:
			out.And(hold)
		}
	}
	return out
}

// tell notifies subscribers of what changed, in order.
func (e *live) tell(ctx context.Context, a *liveApp) {
	a.telling.Lock()
	defer a.telling.Unlock()
	a.mu.Lock()
	told := a.told
	a.told = nil
	a.mu.Unlock()
	for _, ev := range told {
		e.emit(ctx, ev)
	}
}
