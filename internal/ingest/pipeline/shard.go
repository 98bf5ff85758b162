package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/turn"
)

type fingerprint struct {
	hash profile.Fingerprint
	ok   bool
	// named says that the request names itself, so that it counts once whatever the settings say.
	named bool
}

// shard applies the records of one app in a batch. It belongs to one goroutine.
type shard struct {
	p        *Pipeline
	id       model.AppID
	app      *model.App
	settings Settings
	renewed  bool // the batch has to store settings
	schema   schema.Writer
	acc      *cells.Accumulator
	item     Item
	// What item refers to, so that making it ready for a request need not clear them.
	saved   model.Profile
	begun   events.Row
	dims    model.Dims
	numbers []float64 // that rows of the request point to
	days    [1 + 2*fingerprintDays]uint16
	counter Counter

	out      outbox.Part
	users    map[uint32]*model.Profile // touched by the batch
	gone     map[uint32]bool
	rewrites map[uint32]uint32
	merges   []Merge
	outcomes map[tally]*tallied
	at       journal.Position // of the record being applied
	placeBuf []place
	receipts []receipt
	seen     *Recorded // for watchers; nil = nobody looks
}

// tally names a count of outcomes.
type tally struct {
	item   outcome.Item
	reason outcome.Reason
	// clamped items are counted beside those that were accepted, among which they are.
	clamped bool
	quarter int64 // when the quarter of an hour began, ms
}

// tallied is a count and the record it began with.
type tallied struct {
	n     int64
	first uint64
}

// result is what a shard made of its part of a batch.
type result struct {
	app    model.AppID
	part   *outbox.Part
	rows   int // of part, which has them until it is put into the outbox
	delta  rollup.Delta
	merges []Merge
	// settings are to be stored; nil = they are already.
	settings *Settings
	// outcomes is what became of what the shard got.
	outcomes map[tally]*tallied
	receipts []receipt
	seen     *Recorded // for watchers; nil = nobody looks
	taps     []any     // for taps; nil = none is interested
}

// app returns an app, or nil when there is none (any more). One that is not known here may have been made by another process a moment ago.
func (p *Pipeline) app(ctx context.Context, id model.AppID) (*model.App, error) {
	if app := p.o.Apps.ByID(id); app != nil || p.o.Find == nil {
		return app, nil
	}
	return p.o.Find(ctx, id)
}

// newShard opens the shard of an app; nil when there is no such app (any more),
// whose records are then of no use to anyone.
func (p *Pipeline) newShard(ctx context.Context, id model.AppID, size int) (*shard, error) {
	app, err := p.app(ctx, id)
	if app == nil {
		return nil, err
	}
	sch, err := p.o.Schema.App(id)
	if err != nil {
		return nil, fmt.Errorf("open schema: %w", err)
	}
	settings, kept, err := p.settings(app)
	if err != nil {
		return nil, err
	}
	l := &shard{
		p: p, id: id, app: app, renewed: !kept, schema: sch, acc: cells.New(nil),
		users: map[uint32]*model.Profile{}, gone: map[uint32]bool{}, rewrites: map[uint32]uint32{}, outcomes: map[tally]*tallied{},
	}
	l.use(settings)
	l.out.Rows = p.rows.take(size)
	if p.o.Watch.wanted(id) {
		l.seen = &Recorded{App: id}
	}
	return l, nil
}

// apply runs the records in order and returns what they made.
func (l *shard) apply(ctx context.Context, records []*decoded) (*result, error) {
	wanted := func() ([]model.ProfileID, []profile.Print) { return l.wanted(records) }
	if err := l.p.o.Profiles.Ahead(ctx, l.id, wanted); err != nil {
		return nil, err
	}
	var work turn.Counter
	for _, d := range records {
		work.Spend(time.Duration(d.size) * applyByte)
		l.at = d.at
		var err error
		switch {
		case d.broken:
			l.count(d.received, outcome.Request, outcome.Internal, 1)
			l.receipt(d, outcome.Internal)
		case d.kind == request.Client && d.req == nil:
			l.count(d.received, outcome.Request, outcome.Malformed, 1)
			l.receipt(d, outcome.Malformed)
		case d.kind == request.Client:
			err = l.request(ctx, d)
		default:
			err = l.command(ctx, d)
		}
		if err != nil {
			return nil, fmt.Errorf("apply record %d: %w", d.at.Offset, err)
		}
	}
	return l.result()
}

// wanted lists the profiles and fingerprints that records will ask for, as far as they show it.
func (l *shard) wanted(records []*decoded) (ids []model.ProfileID, prints []profile.Print) {
	for _, d := range records {
		switch {
		case d.broken:
		case d.req != nil:
			ids = append(ids, model.NewProfileID(l.app.IDKey, d.req.DeviceID))
			if d.req.OldDeviceID != "" {
				ids = append(ids, model.NewProfileID(l.app.IDKey, d.req.OldDeviceID))
			}
			if d.finger.ok {
				for _, day := range duplicateDays(d.received) {
					prints = append(prints, profile.Print{Day: day, Hash: d.finger.hash})
				}
			}
		case d.rec != nil && d.kind == request.SessionTimeout:
			ids = append(ids, d.rec.Profile)
		}
	}
	return ids, prints
}

// request runs one request through the steps and settles it.
func (l *shard) request(ctx context.Context, d *decoded) error {
	it := &l.item
	it.reset(l, d)
	err := l.steps(ctx, it)
	if err != nil {
		return err
	}
	if reason, dropped := it.Dropped(); dropped {
		if it.Profile != nil && !it.Created {
			*it.Profile = *it.saved
		}
		l.refuse(it, reason)
		l.receipt(d, reason)
		return nil
	}
	l.receipt(d, outcome.Accepted)
	return l.settle(it)
}

// steps runs the steps; a panic drops the request.
func (l *shard) steps(ctx context.Context, it *Item) (err error) {
	name := ""
	defer func() {
		if r := recover(); r != nil {
			l.p.o.Log.ErrorContext(ctx, "ingestion step panicked", "step", name, "app", l.id.String(),
				"offset", it.Offset, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			it.Drop(outcome.Internal)
			err = nil
		}
	}()
	for i := range l.p.steps {
		name = l.p.steps[i].Name
		if err := l.p.steps[i].Apply(it); err != nil {
			return fmt.Errorf("step %s: %w", name, err)
		}
		if it.drop != outcome.Accepted {
			return nil
		}
	}
	return nil
}

// refuse counts the outcomes of a request that was dropped.
func (l *shard) refuse(it *Item, reason outcome.Reason) {
	l.count(it.Received, outcome.Request, reason, 1)
	if it.Request.Begin {
		l.count(it.Received, outcome.Session, reason, 1)
	}
	if it.Request.Crash != nil {
		l.count(it.Received, outcome.Crash, reason, 1)
	}
	if it.Request.Trace != nil {
		l.count(it.Received, outcome.Trace, reason, 1)
	}
	if it.Request.Picture != "" {
		l.count(it.Received, outcome.Picture, reason, 1)
	}
	l.count(it.Received, outcome.Event, reason, int64(len(it.Request.Events)))
	for _, d := range it.Request.Drops {
		l.count(it.Received, d.Item, d.Reason, d.N)
	}
}

// settle makes what the request did part of the batch.
func (l *shard) settle(it *Item) error {
	p := it.Profile
	for _, m := range it.merged {
		if err := l.moved(m, p.UID); err != nil {
			return err
		}
	}
	if err := l.put(p); err != nil {
		return err
	}
	if it.state != nil {
		l.out.States = append(l.out.States, *it.state)
	}
	l.pack(it.Rows)
	l.out.Requests = append(l.out.Requests, it.requestRow())
	it.countInto(l.acc)
	if l.seen != nil {
		l.watch(it)
	}
	l.count(it.Received, outcome.Request, outcome.Accepted, 1)
	if it.Request.Clamped {
		l.clamped(it.Received, outcome.Request)
	}
	switch {
	case it.Began != nil:
		l.count(it.Received, outcome.Session, outcome.Accepted, 1)
	case it.Request.Begin:
		l.count(it.Received, outcome.Session, outcome.SessionCooldown, 1)
	}
	if it.Request.Crash != nil {
		l.count(it.Received, outcome.Crash, outcome.Accepted, 1)
	}
	if it.Request.Trace != nil {
		l.count(it.Received, outcome.Trace, outcome.Accepted, 1)
	}
	if it.Request.Picture != "" {
		l.count(it.Received, outcome.Picture, outcome.Accepted, 1)
	}
	var accepted int64
	for i := range it.Events {
		e := &it.Events[i]
		if e.Dropped != outcome.Accepted {
			l.count(it.Received, outcome.Event, e.Dropped, 1)
			continue
		}
		accepted++
		if e.clamped {
			l.clamped(it.Received, outcome.Event)
		}
	}
	l.count(it.Received, outcome.Event, outcome.Accepted, accepted)
	for _, d := range it.drops {
		l.count(it.Received, d.Item, d.Reason, d.N)
	}
	return nil
}

// pack makes rows part of the batch. What they point to may be used again.
func (l *shard) pack(rows []events.Row) {
	for i := range rows {
		l.out.Rows.Append(&rows[i])
	}
}

// moved records that the user numbered m.uid went into the one numbered to.
func (l *shard) moved(m merged, to uint32) error {
	if err := l.p.o.Profiles.Delete(l.id, m.id); err != nil {
		return fmt.Errorf("delete merged profile: %w", err)
	}
	if err := l.p.o.Profiles.PutAlias(l.id, m.uid, to); err != nil {
		return fmt.Errorf("put alias: %w", err)
	}
	for old, at := range l.rewrites {
		if at == m.uid {
			l.rewrites[old] = to
		}
	}
	l.rewrites[m.uid] = to
	l.remove(m.uid)
	l.merges = append(l.merges, Merge{From: m.uid, To: to})
	return nil
}

// remove forgets a user who is no more.
func (l *shard) remove(uid uint32) {
	delete(l.users, uid)
	l.gone[uid] = true
}

// put stores a profile and has it mirrored.
func (l *shard) put(p *model.Profile) error {
	if err := l.p.o.Profiles.Put(l.id, p); err != nil {
		return fmt.Errorf("put profile: %w", err)
	}
	l.users[p.UID] = p
	return nil
}

// load returns a profile; nil when there is none.
func (l *shard) load(id model.ProfileID) (*model.Profile, error) {
	return found(l.p.o.Profiles.Load(l.id, id))
}

func (l *shard) loadUID(uid uint32) (*model.Profile, error) {
	return found(l.p.o.Profiles.LoadUID(l.id, uid))
}

// state gives the profile a new user state when its properties changed, and
// returns the state's row; nil when they did not.
func (l *shard) state(p *model.Profile, offset uint64) (*events.State, error) {
	json, hash := props.State(p, l.p.states...)
	if p.State != 0 && p.StateHash == hash {
		return nil, nil
	}
	n, err := l.p.o.Profiles.NextState(l.id)
	if err != nil {
		return nil, fmt.Errorf("number user state: %w", err)
	}
	p.State, p.StateHash = n, hash
	return &events.State{Number: n, Offset: offset, UID: p.UID, JSON: string(json)}, nil
}

// count adds n outcomes at received (ms).
func (l *shard) count(received int64, item outcome.Item, reason outcome.Reason, n int64) {
	if n <= 0 {
		return
	}
	l.tally(tally{item: item, reason: reason, quarter: outcome.Instant(outcome.Place(received))}, n)
}

// clamped counts an accepted item with a number beyond its bound at received (ms).
func (l *shard) clamped(received int64, item outcome.Item) {
	l.tally(tally{item: item, clamped: true, quarter: outcome.Instant(outcome.Place(received))}, 1)
}

func (l *shard) tally(k tally, n int64) {
	t := l.outcomes[k]
	if t == nil {
		t = &tallied{first: l.at.Place()}
		l.outcomes[k] = t
	}
	t.n += n
}

// result gathers what the shard made.
func (l *shard) result() (*result, error) {
	for k, t := range l.outcomes {
		if k.clamped {
			l.acc.Clamped(t.first, k.quarter, k.item, t.n)
			continue
		}
		l.acc.Outcome(t.first, k.quarter, k.item, k.reason, t.n)
	}
	b := &l.out
	if len(l.rewrites) > 0 {
		b.Rewrites = l.rewrites
		l.rewrite()
	}
	uids := make([]uint32, 0, len(l.users))
	for uid := range l.users {
		uids = append(uids, uid)
	}
	slices.Sort(uids)
	for _, uid := range uids {
		b.Users = append(b.Users, l.users[uid].ID)
	}
	for uid := range l.gone {
		b.Gone = append(b.Gone, uid)
	}
	slices.Sort(b.Gone)
	taps, err := l.tap()
	if err != nil {
		return nil, fmt.Errorf("follow the batch in app %s: %w", l.id, err)
	}
	r := &result{app: l.id, part: b, rows: b.Rows.Len(), delta: l.acc.Delta(), merges: l.merges, outcomes: l.outcomes, receipts: l.receipts, seen: l.seen, taps: taps}
	if l.renewed {
		r.settings = &l.settings
	}
	l.p.force.put(l.id, l.settings)
	return r, nil
}

// rewrite makes rows of this batch point to the users their users went into.
func (l *shard) rewrite() {
	l.out.Rows.Rewrite(l.rewrites)
	for i := range l.out.Requests {
		if to, ok := l.rewrites[l.out.Requests[i].UID]; ok {
			l.out.Requests[i].UID = to
		}
	}
	for i := range l.out.States {
		if to, ok := l.rewrites[l.out.States[i].UID]; ok {
			l.out.States[i].UID = to
		}
	}
}
