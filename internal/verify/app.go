package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/marks"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// appRun is the comparison of one app.
type appRun struct {
	*run
	app      *model.App
	rows     events.Rows
	calendar *period.Calendar
	marks    marks.Marks
	// frozen is the first day whose rows are all there; 0 = every day's are.
	frozen period.Day

	computed rollup.Delta
	users    []tally // by number
	slots    map[string]*slotUse
	accepted map[outcome.Item]int64
	// deleted are the items whose rows are deleted with subjects.
	deleted  map[outcome.Item]bool
	byState  map[uint32]stateOf
	excess   int64 // cells that count more than rows since users were deleted
	assigned int64
	lastUID  uint32
	aliases  map[uint32]uint32
}

// tally is what the rows say of a user.
type tally struct {
	rows, requests     int64
	sessions           int64
	first, last        int64 // s, begin of sessions
	active, lastActive int64 // s, device clock
	synced, lastSynced int64 // s, server clock
	seconds            float64
	known              bool
}

func (a *appRun) differ(part, where string, stored, computed any) {
	a.run.differ(Difference{App: a.app.ID, Part: part, Where: where, Stored: fmt.Sprint(stored), Computed: fmt.Sprint(computed)})
}

func (a *appRun) load(ctx context.Context) (err error) {
	if a.marks, err = a.s.State.Marks(a.app.ID); err != nil {
		return err
	}
	// Other reads of the schema find nothing where this one finds that it cannot be read.
	if _, err := a.s.Schema.Omitted(ctx, a.app.ID); err != nil {
		return err
	}
	if a.marks.Dropped != 0 {
		a.frozen = a.calendar.DayBucket(a.marks.Dropped-1) + 1
		y, m, d := a.frozen.Date()
		a.note("app %s: rows before %d-%02d-%02d were dropped for their age, earlier cells are compared among themselves only", a.app.ID, y, m, d)
	}
	a.aliases, err = a.s.Profiles.Aliases(ctx, a.app.ID)
	return err
}

// user returns the tally of a number.
func (a *appRun) user(uid uint32) *tally {
	if int(uid) >= len(a.users) {
		a.users = append(a.users, make([]tally, int(uid)+1-len(a.users)+len(a.users)/2)...)
	}
	a.lastUID = max(a.lastUID, uid)
	return &a.users[uid]
}

// recount counts the rows again.
func (a *appRun) recount(ctx context.Context) (err error) {
	a.slots, a.accepted, a.deleted = map[string]*slotUse{}, map[outcome.Item]int64{}, map[outcome.Item]bool{outcome.Event: true}
	for _, field := range request.Fields() {
		if slices.ContainsFunc(field.Keys, a.s.Features.Deletes) {
			a.deleted[field.Item] = true
		}
	}
	a.computed, err = pipeline.Recount{
		Rows: a.rows, Schema: a.s.Schema, App: a.app.ID, Features: a.s.Features, Calendar: a.calendar, Row: a.row, Request: a.request,
	}.Run(ctx)
	return err
}

func (a *appRun) request(q *events.RequestRow) error {
	a.report.Requests++
	u := a.user(q.UID)
	u.requests++
	if q.Flags&events.RequestCounted == 0 {
		return nil
	}
	a.accepted[outcome.Request]++
	u.seconds += q.Dur
	low(&u.active, q.TS/1000)
	low(&u.synced, q.Received/1000)
	u.lastActive, u.lastSynced = max(u.lastActive, q.TS/1000), max(u.lastSynced, q.Received/1000)
	return nil
}

func (a *appRun) row(q *events.Row) error {
	a.report.Rows++
	u := a.user(q.UID)
	u.rows++
	switch q.Key {
	case cells.BeginKey:
		a.accepted[outcome.Session]++
		u.sessions++
		low(&u.first, q.TS/1000)
		u.last = max(u.last, q.TS/1000)
	case cells.SessionKey:
	case events.CustomKey:
		a.accepted[outcome.Event]++
	default:
		if field := request.FieldOf(q.Key); field != nil {
			a.accepted[field.Item]++
		} else if !a.s.Features.Records(q.Key) {
			a.accepted[outcome.Event]++
		}
	}
	a.bounded(q)
	a.slotsOf(q)
	return nil
}

// Numbers is the part of differences that are numbers of rows beyond their bounds.
const Numbers = "numbers"

// RowBounds are the bounds of the numbers of event rows.
func RowBounds() events.Bounds {
	return events.Bounds{Count: request.MaxCount, Sum: request.MaxSum, Dur: request.MaxSeconds}
}

// bounded checks the numbers of a row.
func (a *appRun) bounded(q *events.Row) {
	b := RowBounds()
	where := fmt.Sprintf("row %d/%d", q.Offset, q.Item)
	if q.Count < -b.Count || q.Count > b.Count {
		a.differ(Numbers, where+" count", q.Count, fmt.Sprintf("at most %d", b.Count))
	}
	for _, f := range [...]struct {
		name    string
		v, most float64
	}{{"sum", q.Sum, b.Sum}, {"dur", q.Dur, b.Dur}} {
		if !(math.Abs(f.v) <= f.most) { // also what is no number
			a.differ(Numbers, where+" "+f.name, f.v, fmt.Sprintf("at most %g", f.most))
		}
	}
}

// low keeps the smaller of two times, 0 being none.
func low(to *int64, v int64) {
	if *to == 0 || v < *to {
		*to = v
	}
}

// slotUse says which slots the rows of an event use, and which the schema gave it.
type slotUse struct {
	known   bool
	text    [schema.TextSlots]bool
	number  [schema.NumberSlots]bool
	json    bool
	faulted bool
	// low and high are the smallest and the largest sum of a row.
	low, high float64
}

func (a *appRun) slotsOf(q *events.Row) {
	key := q.Key
	if key == events.CustomKey {
		key = q.Name
	}
	use := a.slots[key]
	if use == nil {
		use = a.slotsFor(key)
		a.slots[key] = use
	}
	use.low, use.high = min(use.low, q.Sum), max(use.high, q.Sum)
	if use.faulted {
		return
	}
	if !use.known {
		use.faulted = true
		a.differ("schema", fmt.Sprintf("event %q", key), "unknown", "has rows")
		return
	}
	fault := func(slot string) {
		use.faulted = true
		a.differ("schema", fmt.Sprintf("event %q", key), "no property in slot "+slot, fmt.Sprintf("row %d/%d has one", q.Offset, q.Item))
	}
	for i, v := range q.Text {
		if v != nil && !use.text[i] {
			fault(fmt.Sprintf("s%d", i+1))
			return
		}
	}
	for i, v := range q.Num {
		if v != nil && !use.number[i] {
			fault(fmt.Sprintf("n%d", i+1))
			return
		}
	}
	if field := request.FieldOf(key); q.Extra != "" && !use.json && (field == nil || !field.Verbatim) {
		fault("of JSON")
	}
}

func (a *appRun) slotsFor(key string) *slotUse {
	e, ok := a.s.Schema.Event(a.app.ID, key)
	use := &slotUse{known: ok && e.Seq > 0}
	for _, s := range e.Segments {
		for _, slot := range [2]schema.Slot{s.Slot, s.Was} {
			switch slot.Kind {
			case schema.Text:
				use.text[slot.Index-1] = true
			case schema.Number:
				use.number[slot.Index-1] = true
			case schema.JSON:
				use.json = true
			case schema.NoSlot:
			}
		}
	}
	return use
}

// schema compares what the schema lists with itself and with the rows.
func (a *appRun) schema(context.Context) error {
	list := a.s.Schema.Events(a.app.ID)
	seqs := map[uint32]string{}
	for i := range list {
		e := &list[i]
		where := fmt.Sprintf("event %q", e.Key)
		if other, twice := seqs[e.Seq]; twice {
			a.differ("schema", where, fmt.Sprintf("place %d, as %q", e.Seq, other), "a place of its own")
		}
		seqs[e.Seq] = e.Key
		taken := map[schema.Slot]string{}
		for _, s := range e.Segments {
			for _, slot := range [2]schema.Slot{s.Slot, s.Was} {
				if slot.Kind != schema.Text && slot.Kind != schema.Number {
					continue
				}
				if other, twice := taken[slot]; twice {
					a.differ("schema", where, fmt.Sprintf("slot %v of %q and %q", slot, other, s.Name), "one property a slot")
				}
				taken[slot] = s.Name
			}
		}
	}
	if !slices.IsSortedFunc(list, func(x, y schema.Event) int { return int(x.Seq) - int(y.Seq) }) {
		a.differ("schema", "events", "out of order", "in order of first appearance")
	}
	return nil
}

// near reports whether two sums agree but for rounding. slack is what rounding may make
// beyond what follows from the sums themselves.
func near(x, y, slack float64) bool {
	return math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y), 1)+slack
}

// slack is what rounding may make of the sum of a cell. Where summands of both signs cancel each other
// out, the error follows from the largest of them, not from what is left.
func (a *appRun) slack(k rollup.Key, stored, computed *rollup.Cell) float64 {
	var key string
	switch k.Series.Metric {
	case rollup.Events:
		key = k.Value
	case rollup.Segments:
		key, _, _ = strings.Cut(k.Series.Dim, "\x00")
	default:
		return 0
	}
	use := a.slots[key]
	if use == nil || use.low >= 0 || use.high <= 0 {
		return 0
	}
	const ulp = 1.0 / (1 << 52)
	n := float64(max(stored.Count, computed.Count, 1))
	return ulp * max(-use.low, use.high) * n * math.Sqrt(n)
}
