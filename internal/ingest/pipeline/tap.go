package pipeline

import (
	"context"
	"encoding/json"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/outbox"
	"quipu/internal/store/schema"
)

// Tap follows every batch, to keep figures in memory that are computed from rows and profiles. A Watcher, by contrast, sees only samples of the
// traffic.
type Tap interface {
	// Part reads what a batch does in an app and returns the value that Committed gets; nil = the tap does not follow the app. Several goroutines
	// call it, each for another app, before the batch is committed. It is called again when a batch is repeated, so it must change nothing.
	// After an error nothing of the batch is committed, and the batch is repeated after a pause.
	Part(p *Part) (any, error)
	// Committed is notified of each app's part of a batch once the batch is durable, in the order of the journal, and before callers that wait for
	// its records continue. One goroutine at a time calls it.
	Committed(ctx context.Context, app model.AppID, part any)
	// Removed is notified, as Committed is, after a command that removed rows of an app or recounts it; all says that no rows are
	// left. Deleted users are named by topic.UsersDeleted.
	Removed(ctx context.Context, app model.AppID, all bool)
}

// Sharer is a Tap of a node of a cluster, where other nodes project some of the records.
type Sharer interface {
	// Began is notified before this node projects records that other nodes may have projected until now: figures in memory are behind.
	Began()
	// Ended is notified when this node no longer projects them, for whatever reason: other nodes may do so from now on, or already do.
	Ended(ctx context.Context)
}

// Taps are the taps of a server. They are added while the server is wired.
type Taps struct {
	list  []Tap
	holds func(model.AppID) bool // nil = everything is projected here
}

// Share says that other nodes project records, too. holds reports whether this node projects the records of an app at present. Share is called
// before the server is wired.
func (t *Taps) Share(holds func(model.AppID) bool) { t.holds = holds }

// Shared reports whether other nodes project records, too.
func (t *Taps) Shared() bool { return t.holds != nil }

// Holds reports whether this node projects the records of an app at present.
func (t *Taps) Holds(app model.AppID) bool { return t.holds == nil || t.holds(app) }

// Began notifies every Sharer.
func (t *Taps) Began() {
	for _, one := range t.list {
		if s, ok := one.(Sharer); ok {
			s.Began()
		}
	}
}

// Ended notifies every Sharer.
func (t *Taps) Ended(ctx context.Context) {
	for _, one := range t.list {
		if s, ok := one.(Sharer); ok {
			s.Ended(ctx)
		}
	}
}

// Add adds a tap.
func (t *Taps) Add(one Tap) { t.list = append(t.list, one) }

// parts asks every tap about an app's part of a batch; nil when none is interested.
func (t *Taps) parts(p *Part) ([]any, error) {
	var out []any
	for i, one := range t.list {
		part, err := one.Part(p)
		if err != nil {
			return nil, err
		}
		if part != nil {
			if out == nil {
				out = make([]any, len(t.list))
			}
			out[i] = part
		}
	}
	return out, nil
}

func (t *Taps) committed(ctx context.Context, app model.AppID, parts []any) {
	for i, part := range parts {
		if part != nil {
			t.list[i].Committed(ctx, app, part)
		}
	}
}

// removed notifies of a command that was committed.
func (t *Taps) removed(ctx context.Context, d *decoded) {
	if t == nil || d == nil || !d.recounts() {
		return
	}
	for _, one := range t.list {
		one.Removed(ctx, d.app, d.kind == request.ResetApp || d.kind == request.DeleteApp)
	}
}

// Part is what a batch does in an app. It is valid during the call that got it and must not be changed.
type Part struct {
	App model.AppID
	// Place is that of the last record.
	Place uint64
	// Users are the profiles that were written, by number, with their values after the batch.
	Users map[uint32]*model.Profile
	// Changed are the numbers of users whose properties changed, see props.State, and of all new users. A number may occur more than once.
	Changed []uint32
	// Merges are in the order in which they happened. No user has the number From any more.
	Merges []Merge

	rows  *outbox.Rows
	sch   schema.Writer
	known map[string]*known
}

// rowsAtOnce is how many rows are unpacked at a time.
const rowsAtOnce = 256

// EachRow calls fn with each row, with the number that its user has after the batch. A row is valid until fn returns. An error says that a row cannot
// be decoded; fn was called with some of the rows before it.
func (p *Part) EachRow(fn func(row *events.Row)) error {
	return p.rows.Each(rowsAtOnce, func(rows []events.Row) error {
		for i := range rows {
			fn(&rows[i])
		}
		return nil
	})
}

// Merge says that a user went into another.
type Merge struct{ From, To uint32 }

// Segment returns the value of a property of a row as it is stored: string, float64, bool, list or object as of JSON; nil when there is none.
func (p *Part) Segment(row *events.Row, name string) any {
	key := row.Key
	if key == events.CustomKey {
		key = row.Name
	}
	k := p.known[key]
	if k == nil {
		event, _ := p.sch.Event(key)
		k = knownOf(event)
		p.known[key] = k
	}
	s := k.byName[name]
	if s == nil {
		return nil
	}
	for _, slot := range [2]schema.Slot{s.Slot, s.Was} {
		switch slot.Kind {
		case schema.Text:
			if v := row.Text[slot.Index-1]; v != nil {
				return events.CleanText(*v)
			}
		case schema.Number:
			if v := row.Num[slot.Index-1]; v != nil && events.Finite(*v) {
				return *v
			}
		case schema.JSON:
			if v := memberOf(row.Extra, name); v != nil {
				return v
			}
		case schema.NoSlot:
		}
	}
	return nil
}

// memberOf returns a member of an object given as JSON.
func memberOf(object, name string) any {
	if object == "" {
		return nil
	}
	var all map[string]any
	if json.Unmarshal([]byte(object), &all) != nil {
		return nil
	}
	return all[name]
}

// tap shows the taps what the shard did. All rows have the final numbers of their users.
func (l *shard) tap() ([]any, error) {
	taps := l.p.o.Taps
	if taps == nil || len(taps.list) == 0 {
		return nil, nil
	}
	p := Part{App: l.id, Place: l.at.Place(), rows: &l.out.Rows, Users: l.users, Merges: l.merges, sch: l.schema, known: map[string]*known{}}
	for i := range l.out.States {
		p.Changed = append(p.Changed, l.out.States[i].UID)
	}
	return taps.parts(&p)
}
