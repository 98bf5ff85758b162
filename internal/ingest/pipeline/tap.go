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

// Tap follows what is recorded, for figures that are held in memory and follow from rows and profiles. Others who look at traffic are
// Watchers, which see it in the short.
type Tap interface {
	// Part looks at what a batch does in an app and returns what Committed is to get of it; nil = the app is of no interest. It is called by
	// several goroutines, each for another app, before the batch is committed, and again when a batch is done again: it must change nothing.
	// After an error nothing of the batch is committed; after a pause it is done again.
	Part(p *Part) (any, error)
	// Committed is notified of each app's part of a batch once that is durable, in the order of the journal, before anyone who waits for its
	// records goes on. One goroutine at a time calls it.
	Committed(ctx context.Context, app model.AppID, part any)
	// Removed is notified, as Committed is, after a command that took rows of an app away or has it counted again; all says that nothing
	// is left. Users who are deleted are named by topic.UsersDeleted.
	Removed(ctx context.Context, app model.AppID, all bool)
}

// Sharer is a Tap of a server that shares the work with others, who project what it does not.
type Sharer interface {
	// Began is notified before records are projected that others may have projected until now: what is held of apps is behind.
	Began()
	// Ended is notified when that has ended, for whatever reason: others may project the same records from now on, or do so already.
	Ended(ctx context.Context)
}

// Taps are those who follow what is recorded. They are added while the server is wired.
type Taps struct {
	list  []Tap
	holds func(model.AppID) bool // nil = everything is projected here
}

// Share says that other servers project records, too. holds reports whether this one projects those of an app at present. It is called before the
// server is wired.
func (t *Taps) Share(holds func(model.AppID) bool) { t.holds = holds }

// Shared reports whether other servers project records, too.
func (t *Taps) Shared() bool { return t.holds != nil }

// Holds reports whether the records of an app are projected by this server at present.
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

// Part is what a batch does in an app. It is valid during the call that got it, and not to be changed.
type Part struct {
	App model.AppID
	// Place is that of the last record.
	Place uint64
	// Users are the profiles that were written, as they are after the batch, by number.
	Users map[uint32]*model.Profile
	// Changed are the numbers of users whose properties changed, see props.State: of new ones always. A number may come more than once.
	Changed []uint32
	// Merges are in their order. Nobody has the number From any more.
	Merges []Merge

	rows  *outbox.Rows
	sch   schema.Writer
	known map[string]*known
}

// rowsAtOnce is how many rows are unpacked at a time.
const rowsAtOnce = 256

// EachRow calls fn with all rows, under the numbers that their users have after the batch. A row is valid until fn returns. Errors: rows that cannot
// be unpacked; fn has had those before them.
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

// tap shows what the shard did to those who follow it. All rows have the final numbers of their users.
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
