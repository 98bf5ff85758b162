package cohorts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// The reasons why a cohort is calculated on schedule rather than live.
const (
	ofCohorts    = "cohorts"         // it names other cohorts
	ofProperties = "user_properties" // a filter on events looks at the user, as of the event
	ofDefined    = "defined_events"  // it names a defined event
	ofMemory     = "memory"          // what would have to be held is too much
)

// errMemory says that what a cohort needs is more than may be held.
var errMemory = errors.New("cohorts: not enough memory to be live")

// part is a step as it is followed live.
type part struct {
	key  string
	rule rule
	not  bool
	or   bool
}

// parts are the steps of a cohort as they are followed live, or the reason why they cannot be.
func (s *service) parts(ctx context.Context, app model.AppID, d Cohort) (list []part, reason string, err error) {
	if slices.ContainsFunc(d.paths(), query.CohortPath) {
		return nil, ofCohorts, nil
	}
	for _, chain := range d.chains() {
		st := chain[len(chain)-1]
		r := rule{filter: st.Query, firstTime: st.Type == "first", period: strings.Trim(st.Period, `"`)}
		var named []any
		for _, of := range chain {
			if slices.ContainsFunc(of.Query.Paths(), func(p string) bool { return !rowPath(p) }) {
				return nil, ofProperties, nil
			}
			if r.keys, err = s.groups.Keys(ctx, app, of.Event); err != nil {
				return nil, "", err
			}
			plain, err := s.tables.Plain(ctx, app, r.keys)
			if err != nil {
				return nil, "", err
			}
			if !plain {
				return nil, ofDefined, nil
			}
			if len(chain) > 1 {
				r.stages = append(r.stages, stage{r.keys, of.Query, of.Within * 1000})
				named = append(named, r.keys, of.Query.String(), of.Within)
			}
		}
		if r.least, r.most, err = st.times(); err != nil {
			return nil, "", err
		}
		key, err := json.Marshal([]any{r.keys, r.filter.String(), r.firstTime, r.least, r.most, r.period, named})
		if err != nil {
			return nil, "", fmt.Errorf("name a step: %w", err)
		}
		list = append(list, part{string(key), r, st.Type == "didnt", chain[0].Conj == "or"})
	}
	return list, "", nil
}

// handover is how cohorts of an app become live.
type handover struct {
	s     *service
	app   *model.App
	a     *liveApp
	epoch uint64
	cal   *period.Calendar
	// what is new, and who it was when it began.
	ledgers    map[string]*ledger
	selections map[string]*selection
	windows    map[string]window
	through    uint64
}

// errOver says that what was begun is of no use any more, and is to begin again.
var errOver = errors.New("cohorts: the data of the app changed meanwhile")

// handOver makes cohorts of an app live. It first has batches looked through for what is new, then has a mark in the journal projected: all
// batches behind it were looked through. Everything up to the mark is read from rows, everything after it comes from the batches.
func (s *service) handOver(ctx context.Context, app *model.App, list []Cohort, progress func(done, total int64)) error {
	for try := 0; ; try++ {
		if !s.taps.Holds(app.ID) { // the server that holds it makes them live
			return nil
		}
		err := s.tryHandOver(ctx, app, s.live.app(app.ID), list, progress)
		if !errors.Is(err, errOver) || try == 4 {
			return err
		}
	}
}

func (s *service) tryHandOver(ctx context.Context, app *model.App, a *liveApp, list []Cohort, progress func(done, total int64)) (err error) {
	a.handing.Lock()
	defer a.handing.Unlock()
	h := &handover{s: s, app: app, a: a, ledgers: map[string]*ledger{}, selections: map[string]*selection{}, windows: map[string]window{}}
	h.cal, _ = s.zones.Get(app.Timezone)
	wanted, err := h.begin(ctx, list)
	if err != nil || len(wanted) == 0 {
		return err
	}
	defer func() { h.end(ctx, err) }()
	if err := s.submitMark(ctx, app.ID); err != nil { // also where nothing is new: a server that is paused makes no cohort live, see projectionPaused
		return err
	}
	if s.live.held(app.ID) != a { // another server projects the app, or did meanwhile
		return errOver
	}
	if err := h.start(); err != nil {
		return err
	}
	total, done := int64(len(h.ledgers)+len(h.selections))+1, int64(0)
	for _, sel := range h.selections {
		if err := h.choose(ctx, sel); err != nil {
			return err
		}
		done++
		progress(done, total)
	}
	for key, l := range h.ledgers {
		if err := h.fill(ctx, key, l); err != nil {
			return err
		}
		done++
		progress(done, total)
	}
	return h.ready(wanted)
}

// submitMark has a command that does nothing projected.
func (s *service) submitMark(ctx context.Context, app model.AppID) error {
	return s.submitted(ctx, pipeline.FeatureDecision(app, feature, []byte(`{}`)))
}

// begin notes what is new, has batches looked through for it, and returns the cohorts that are not live yet.
func (h *handover) begin(ctx context.Context, list []Cohort) ([]*liveCohort, error) {
	type next struct {
		Cohort
		parts  []part
		stored *roaring.Bitmap
	}
	var all []next
	for _, d := range list {
		parts, reason, err := h.s.parts(ctx, h.app.ID, d)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			continue
		}
		n := next{Cohort: d, parts: parts}
		if n.stored, err = load(ctx, h.s.docs, h.app.ID, d.ID); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	now := h.s.now()
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	if h.a.cal != nil && h.a.cal.Location().String() != h.cal.Location().String() {
		h.a.restart()
	}
	if h.a.cal == nil || !h.a.anyReady() {
		h.a.cal, h.a.today = h.cal, h.cal.DayBucket(now.UnixMilli())
	}
	h.s.live.roll(h.a)
	h.epoch, h.a.behind = h.a.epoch, false
	var wanted []*liveCohort
	for _, n := range all {
		c := h.a.cohorts[n.ID]
		if c != nil && c.hash == n.Hash && c.ready && slices.EqualFunc(c.steps, n.parts, func(s liveStep, p part) bool { return s.key == p.key }) {
			continue
		}
		if c == nil || c.hash != n.Hash {
			c = &liveCohort{id: n.ID, hash: n.Hash, members: n.stored, fresh: n.Calculated == 0}
			h.a.cohorts[n.ID] = c
		}
		c.ready, c.steps = false, nil
		c.who = h.selection(n.Users.String(), n.Cohort)
		for _, p := range n.parts {
			l, err := h.ledger(p)
			if err != nil {
				return nil, err
			}
			c.steps = append(c.steps, liveStep{p.key, l, p.not, p.or})
		}
		wanted = append(wanted, c)
	}
	h.a.sweep()
	return wanted, nil
}

// anyReady reports whether there is a cohort that is live.
func (a *liveApp) anyReady() bool {
	for _, c := range a.cohorts {
		if c.ready {
			return true
		}
	}
	return false
}

func (h *handover) selection(key string, d Cohort) *selection {
	sel := h.a.selections[key]
	if sel == nil {
		sel = newSelection(d.Users)
		h.a.selections[key], h.selections[key] = sel, sel
	}
	return sel
}

func (h *handover) ledger(p part) (*ledger, error) {
	l := h.a.ledgers[p.key]
	if l == nil {
		w, err := windowOf(p.rule.period, h.s.now(), h.cal, &h.s.zones)
		if err != nil {
			return nil, err
		}
		l = newLedger(p.rule, w, h.cal)
		h.a.ledgers[p.key], h.ledgers[p.key] = l, l
	}
	return l, nil
}

// sweep forgets what no cohort needs, and has batches looked through for the rest.
func (a *liveApp) sweep() {
	used := map[any]bool{}
	for _, c := range a.cohorts {
		if c.who != nil {
			used[c.who] = true
		}
		for _, s := range c.steps {
			used[s.ledger] = true
		}
	}
	for key, l := range a.ledgers {
		if !used[l] {
			delete(a.ledgers, key)
		}
	}
	for key, s := range a.selections {
		if !used[s] {
			delete(a.selections, key)
		}
	}
	a.replan()
}

// start adds what comes from batches behind the last one. All of these were looked through for what is new.
func (h *handover) start() error {
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	if h.a.epoch != h.epoch {
		return errOver
	}
	h.through = h.a.through
	h.a.logging, h.a.log = true, nil
	for key, l := range h.ledgers {
		l.started, l.from = true, h.through
		h.windows[key] = l.window
	}
	for _, sel := range h.selections {
		sel.started, sel.from = true, h.through
	}
	return nil
}

// choose finds out whom a filter selected.
func (h *handover) choose(ctx context.Context, sel *selection) error {
	users, err := h.s.tables.Members(ctx, h.app.ID, query.Membership{Filter: sel.filter}, func(int64, int64) {})
	if err != nil {
		return err
	}
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	if h.a.epoch != h.epoch {
		return errOver
	}
	users.AndNot(sel.out)
	sel.users.Or(users)
	sel.ready, sel.out, sel.changed = true, roaring.New(), roaring.New()
	return nil
}

// fill reads who did what up to the mark.
func (h *handover) fill(ctx context.Context, key string, l *ledger) error {
	w := h.windows[key]
	b := newLedger(l.rule, w, h.cal)
	spare := h.s.spare()
	n := 0
	add := func(uid uint32, d period.Day, count int64) error {
		b.add(uid, d, count)
		if n++; n%100_000 == 0 && b.bytes() > spare {
			return errMemory
		}
		return nil
	}
	q := query.DidDays{
		Did:  query.Did{Events: l.keys, Filter: l.filter, From: h.cal.DayStart(w.first), To: h.cal.DayEnd(max(w.last, h.cal.DayBucket(h.s.now().UnixMilli())+farDays))},
		Days: h.cal, Through: h.through, Counted: l.counts(),
	}
	if w.anchored {
		q.Split = h.cal.DayStart(w.last + 1)
	}
	if w.first < 0 || q.From < 0 {
		q.From = 0
	}
	if l.stages != nil {
		return h.order(ctx, l, b, q, spare)
	}
	err := h.s.tables.EachDay(ctx, h.app.ID, q, func(uid uint32, d period.Day, count int64) error {
		if d < 0 {
			d = w.last
		}
		return add(uid, d, count)
	})
	if err == nil && l.firstTime && q.From > 0 {
		q.From, q.To, q.Split, q.Counted = 0, q.From-1, q.From, false
		err = h.s.tables.EachDay(ctx, h.app.ID, q, func(uid uint32, _ period.Day, _ int64) error { return add(uid, w.first-1, 1) })
	}
	if err != nil {
		return err
	}
	return h.take(l, b, spare)
}

// order reads who did up to the mark what a rule with stages asks for.
func (h *handover) order(ctx context.Context, l, b *ledger, q query.DidDays, spare int64) error {
	n := 0
	q.From = b.sequence.horizon
	for i, st := range l.stages {
		q.Events, q.Filter = st.keys, st.filter
		err := h.s.tables.EachMoment(ctx, h.app.ID, q, func(uid uint32, at query.Moment) error {
			fits := b.sequence.gather(uid, moment{at, 1 << i})
			if n++; !fits || n%100_000 == 0 && b.bytes() > spare {
				return errMemory
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !b.sequence.settle(b.met) {
		return errMemory
	}
	return h.take(l, b, spare)
}

// take joins what was read up to the mark with what came behind it.
func (h *handover) take(l, b *ledger, spare int64) error {
	if b.bytes() > spare {
		return errMemory
	}
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	if h.a.epoch != h.epoch {
		return errOver
	}
	for _, g := range h.a.log {
		if g.into != 0 {
			b.merge(g.uid, g.into)
		} else {
			b.forget(g.uid)
		}
	}
	b.move(l.window)
	b.join(l)
	l.lately = nil
	l.days, l.base, l.before, l.known, l.in, l.total, l.holds = b.days, b.base, b.before, b.known, b.in, b.total, b.holds
	l.ready, l.changed, l.sequence = true, roaring.New(), b.sequence
	h.s.held.Add(l.bytes())
	return nil
}

// farDays is how far ahead of the server's clock a row may be: devices may be so by a setting of the app, and the clock may be set back.
const farDays = 400

// ready makes cohorts live.
func (h *handover) ready(wanted []*liveCohort) error {
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	if h.a.epoch != h.epoch {
		return errOver
	}
	h.s.live.roll(h.a)
	h.a.settle(h.s.now())
	if h.a.epoch != h.epoch {
		return errOver
	}
	for _, c := range wanted {
		if h.a.cohorts[c.id] != c || c.who == nil {
			continue // deleted, given other conditions, or refused meanwhile
		}
		is := c.among(c.who.users)
		told := len(h.a.told)
		c.change(h.a, h.s.now(), is, c.members.Clone())
		if c.fresh {
			h.a.told, c.fresh = h.a.told[:told], false
		}
		c.note(h.a.today, 0, 0)
		c.ready, c.from = true, h.through
	}
	return nil
}

// end forgets what did not become ready, and what is logged.
func (h *handover) end(ctx context.Context, err error) {
	h.a.mu.Lock()
	if h.a.epoch == h.epoch {
		h.a.logging, h.a.log = false, nil
		if err != nil {
			for _, c := range h.a.cohorts {
				if !c.ready {
					c.who, c.steps = nil, nil
				}
			}
			h.a.sweep()
		}
	}
	h.a.mu.Unlock()
	h.s.live.tell(ctx, h.a)
}

// leave has a cohort live no more; its members stay what they are until they are stored or it is live again.
func (a *liveApp) leave(id string, forget bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cohorts[id]
	if c == nil {
		return
	}
	c.ready, c.who, c.steps = false, nil, nil
	if forget {
		delete(a.cohorts, id)
	}
	a.sweep()
}

// startOver is leave, and has tend look whether the cohort became what it is to be: a calculation that was under way may have begun before.
func (a *liveApp) startOver(id string, forget bool) {
	a.leave(id, forget)
	a.mu.Lock()
	a.again = true
	a.mu.Unlock()
}

// restart makes cohorts of an app live that have to start over, and has those calculated that are to be and are not.
func (s *service) restart(ctx context.Context, app *model.App, a *liveApp) error {
	a.mu.Lock()
	behind, again := a.behind, a.again
	a.again = false
	a.mu.Unlock()
	if !behind && !again {
		return nil
	}
	later := func() {
		a.mu.Lock()
		a.again = true
		a.mu.Unlock()
	}
	if !behind {
		if !a.handing.TryLock() { // they are becoming live
			later()
			return nil
		}
		a.handing.Unlock()
	}
	list, err := spec().In(s.docs, app.ID).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("type", auto)}})
	if err != nil {
		if again {
			later()
		}
		return err
	}
	list = slices.DeleteFunc(list, func(d Cohort) bool {
		ready, _ := s.live.is(app.ID, d)
		return ready && !behind || s.live.refused(app.ID, d)
	})
	errs := []error{s.become(ctx, app, list)}
	for _, d := range list {
		if ready, _ := s.live.is(app.ID, d); !again || ready || d.State != stateCalculating {
			continue
		}
		existing, err := s.queue(ctx, app.ID, d.Creator, d)
		if errs = append(errs, err); existing || err != nil {
			later()
		}
	}
	return errors.Join(errs...)
}

// tend makes live what can be and is not, drops what is too much, and stores what changed.
func (s *service) tend(ctx context.Context) error {
	var errs []error
	s.turn++
	thorough := s.taps.Shared() && s.turn%s.thorough == 0
	if s.due.Swap(false) || thorough || s.turn == s.again {
		err := s.renewAll(ctx, thorough)
		if err != nil && s.taps.Shared() {
			s.again = s.turn + retryAfter
		}
		errs = append(errs, err)
	}
	store := s.turn%storeEvery == 0
	if store {
		s.relieve()
	}
	for _, a := range s.live.all() {
		app := s.appOf(a.id)
		if app == nil || !s.taps.Holds(a.id) {
			s.live.drop(a.id)
			continue
		}
		errs = append(errs, s.restart(ctx, app, a))
		s.live.refresh(ctx, a)
		if store {
			errs = append(errs, s.persist(ctx, app))
		}
	}
	return errors.Join(errs...)
}

// become makes cohorts of an app live, one after the other where not all can be at once.
func (s *service) become(ctx context.Context, app *model.App, list []Cohort) error {
	quiet := func(int64, int64) {}
	err := s.handOver(ctx, app, list, quiet)
	if err == nil || ctx.Err() != nil {
		return err
	}
	var errs []error
	for _, d := range list {
		err := s.handOver(ctx, app, []Cohort{d}, quiet)
		switch {
		case err == nil:
		case errors.Is(err, errMemory):
			if s.taps.Shared() { // it may be calculated elsewhere
				s.live.refuse(app.ID, d)
			}
		default:
			errs = append(errs, fmt.Errorf("make cohort %s live: %w", d.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *service) everyLive(ctx context.Context) (map[model.AppID][]Cohort, error) {
	out := map[model.AppID][]Cohort{}
	q := docs.Query{Where: []docs.Cond{docs.Eq("type", auto)}}
	for f, err := range spec().AcrossApps(s.docs, "cohorts of all apps are followed live").List(ctx, q) {
		if err != nil {
			return nil, err
		}
		out[f.App] = append(out[f.App], f.Doc)
	}
	return out, nil
}

func (s *service) appOf(id model.AppID) *model.App {
	at := slices.IndexFunc(s.apps(), func(a *model.App) bool { return a.ID == id })
	if at < 0 {
		return nil
	}
	return s.apps()[at]
}

// spare is how many bytes may still be held.
func (s *service) spare() int64 { return s.most - s.held.Load() }

// relieve measures what is held, and has the cohort with the largest part live no more while that is too much.
func (s *service) relieve() {
	for {
		var sum, most int64
		var largest *ledger
		var of *liveApp
		for _, a := range s.live.all() {
			a.mu.Lock()
			for _, l := range a.ledgers {
				n := l.bytes()
				if sum += n; n > most {
					most, largest, of = n, l, a
				}
			}
			for _, sel := range a.selections {
				sum += int64(sel.users.GetSizeInBytes()) // far less
			}
			for _, c := range a.cohorts {
				sum += int64(c.members.GetSizeInBytes()) // far less
			}
			a.mu.Unlock()
		}
		s.held.Store(sum)
		if sum <= s.most || largest == nil {
			return
		}
		of.mu.Lock()
		of.refuse(largest)
		of.mu.Unlock()
		s.live.due()
	}
}

// refuse ends the live state of cohorts that need a ledger, as it takes too much memory. The caller holds the lock.
func (a *liveApp) refuse(l *ledger) {
	for _, c := range a.cohorts {
		if slices.ContainsFunc(c.steps, func(st liveStep) bool { return st.ledger == l }) {
			c.ready, c.who, c.steps, c.refused, c.dirty, c.days = false, nil, nil, true, false, nil
		}
	}
	a.sweep()
}

// persist stores the members of live cohorts that changed, with their history.
func (s *service) persist(ctx context.Context, app *model.App) error {
	a := s.live.held(app.ID)
	if a == nil {
		return nil
	}
	return s.persistHeld(ctx, app, a)
}

func (s *service) persistHeld(ctx context.Context, app *model.App, a *liveApp) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	type saved struct {
		id, hash string
		live     bool
		from     uint64
		members  *roaring.Bitmap
		days     map[period.Day]*day
	}
	var list []saved
	a.mu.Lock()
	for _, c := range a.cohorts {
		if c.dirty {
			list = append(list, saved{c.id, c.hash, c.ready, c.from, c.members.Clone(), c.days})
			c.dirty, c.days = false, nil
		}
	}
	a.mu.Unlock()
	var errs []error
	for _, c := range list {
		err := s.keepLive(ctx, app.ID, c.id, c.hash, c.live, c.from, c.members, c.days)
		switch {
		case docs.IsNotFound(err):
			a.leave(c.id, true)
		case err != nil:
			errs = append(errs, err)
			a.mu.Lock()
			if now := a.cohorts[c.id]; now != nil && now.hash == c.hash {
				for d, change := range c.days {
					now.note(d, change.Entered, change.Left)
				}
			}
			a.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

// keepLive stores the members of a live cohort, its size and what changed by day, unless it was given other conditions meanwhile, or another server
// has stored it since, where it became live later.
func (s *service) keepLive(ctx context.Context, app model.AppID, id, hash string, isLive bool, from uint64, after *roaring.Bitmap, days map[period.Day]*day) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		d, err := spec().In(tx, app).Get(ctx, id)
		if err != nil || d.Hash != hash {
			return err
		}
		before, last, err := loadFrom(ctx, tx, app, id)
		switch {
		case err != nil:
			return err
		case !s.taps.Shared():
			from = 0
		case last > from:
			return nil
		}
		if !after.Equals(before) || from != last {
			if err := put(ctx, tx, app, id, from, after); err != nil {
				return err
			}
		}
		if !after.Equals(before) {
			d.Rev++
		}
		d.Result = int64(after.GetCardinality()) // numbers of users are of 32 bits
		if isLive {
			d.State, d.Calculated, d.Scheduled = stateCompleted, s.now().UnixMilli(), ""
		}
		if err := spec().In(tx, app).Put(ctx, d); err != nil {
			return err
		}
		for on, change := range days {
			if err := note(ctx, tx, app, id, on, *change); err != nil {
				return err
			}
		}
		return nil
	})
}
