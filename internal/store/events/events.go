// Package events keeps the immutable event rows, the request rows, the user
// states and the users table of every app: the record from which everything
// else can be rebuilt.
package events

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// Row is one event of one user. Times are ms since 1970 UTC.
type Row struct {
	// Offset is the place of the request in the journal (journal.Position.Place), Item its place in the request:
	// together the row's id.
	Offset   uint64
	Item     uint32
	TS       int64  // of the event, device clock after clamping
	Received int64  // by the server's clock
	Key      string // e: the event key; custom events "[CLY]_custom"
	Name     string // n: the custom event's key, a view's name, a crash group …; "" = none
	UID      uint32
	Session  uint64 // SessionState.ID the event fell into, 0 = none
	State    uint32 // number of the user-state row
	Count    int64
	Sum      float64
	Dur      float64 // s
	Hour     int8    // by the device's clock, -1 = unknown
	Dow      int8    // Sunday = 0, -1 = unknown
	// Text and Num are the slots; a nil element is NULL. Extra is JSON text, "" = NULL.
	Text  [schema.TextSlots]*string
	Num   [schema.NumberSlots]*float64
	Extra string
}

// RequestRow records one accepted request, so that the counters of requests
// and seconds can be rebuilt.
type RequestRow struct {
	Offset   uint64
	Item     uint32 // place in a bulk record
	TS       int64
	Received int64
	UID      uint32
	Flags    uint16  // RequestBegin …
	Dur      float64 // session_duration after the cap, s
}

// Flags of a RequestRow.
const (
	RequestBegin    uint16 = 1 << iota // a session began
	RequestEnd                         // end_session
	RequestDuration                    // a session_duration was given
	RequestCounted                     // it counted in e
)

// State is a user's properties as they were from some moment on.
type State struct {
	Number uint32
	Offset uint64
	UID    uint32
	// JSON is an object with the keys up.*, custom.*, cmp.* flattened:
	// {"up.av":"3:4:1","custom.plan":"pro"}.
	JSON string
}

// Slots tells which slots rows use: bit i of Text and Num stands for slot i+1, Extra for other properties.
type Slots struct {
	Text, Num uint32
	Extra     bool
}

// Note adds the slots of a row.
func (s *Slots) Note(r *Row) {
	for i, t := range r.Text {
		if t != nil {
			s.Text |= 1 << i
		}
	}
	for i, n := range r.Num {
		if n != nil {
			s.Num |= 1 << i
		}
	}
	s.Extra = s.Extra || r.Extra != ""
}

// Or returns the slots of both.
func (s Slots) Or(o Slots) Slots { return Slots{s.Text | o.Text, s.Num | o.Num, s.Extra || o.Extra} }

// Without returns the slots that are not among those of o.
func (s Slots) Without(o Slots) Slots {
	return Slots{s.Text &^ o.Text, s.Num &^ o.Num, s.Extra && !o.Extra}
}

// Pieces are rows that are brought into memory some at a time.
type Pieces interface {
	// Len is the number of rows.
	Len() int
	// Slots returns the slots that the rows use.
	Slots() Slots
	// Each calls fn with the rows in order, at most n at a time. It may be called again and gives
	// the same rows. They, and what their slots point to, are valid until fn returns. Errors: fn's, and those of reading.
	Each(n int, fn func([]Row) error) error
}

// AppBatch is what a batch adds to one app.
type AppBatch struct {
	Rows []Row
	// Stored are more rows, behind Rows; nil = none.
	Stored   Pieces
	Requests []RequestRow
	States   []State
	// Users are mirrored into the users table (upsert by UID).
	Users []*model.Profile
	// Gone are the numbers of profiles that no longer exist (deleted, merged away).
	Gone []uint32
	// Rewrites are the uid rewrites of merged users: rows of the old number get the new one.
	Rewrites map[uint32]uint32
}

// CountRows is the number of event rows, stored ones included.
func (b *AppBatch) CountRows() int {
	if b.Stored == nil {
		return len(b.Rows)
	}
	return len(b.Rows) + b.Stored.Len()
}

// RowSlots returns the slots that the event rows use.
func (b *AppBatch) RowSlots() (used Slots) {
	for i := range b.Rows {
		used.Note(&b.Rows[i])
	}
	if b.Stored != nil {
		used = used.Or(b.Stored.Slots())
	}
	return used
}

// EachRows calls fn with the event rows, at most n at a time. They are valid until fn returns. Errors: fn's, and
// those of reading stored rows.
func (b *AppBatch) EachRows(n int, fn func([]Row) error) error {
	for part := range slices.Chunk(b.Rows, n) {
		if err := fn(part); err != nil {
			return err
		}
	}
	if b.Stored == nil {
		return nil
	}
	return b.Stored.Each(n, fn)
}

// Batch is what one commit adds. Rows, requests and states whose offset the store's own
// watermark already covers are skipped, users are upserted in any case: so a
// replay after a crash changes nothing.
type Batch struct {
	Partition uint16
	Watermark journal.Watermark // after this batch
	Apps      map[model.AppID]*AppBatch
}

// Writer commits batches and removals. It is used by one goroutine.
type Writer interface {
	// Commit stores the batch and its watermark in one transaction.
	Commit(ctx context.Context, b *Batch) error
	// Watermark returns what the store has committed.
	Watermark(ctx context.Context) (journal.Watermark, error)

	// The removals below also move the watermark in the same transaction, so
	// that a replayed removal never deletes what came after it.

	// DropApp removes all tables of an app.
	DropApp(ctx context.Context, app model.AppID, w journal.Watermark) error
	// DeleteEvents removes the rows of custom event keys.
	DeleteEvents(ctx context.Context, app model.AppID, keys []string, w journal.Watermark) error
	// DeleteNamed removes the rows of internal event keys that have one of the names.
	DeleteNamed(ctx context.Context, app model.AppID, keys, names []string, w journal.Watermark) error
	// ClearProperty sets a property of an event to NULL in all rows.
	ClearProperty(ctx context.Context, app model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error
	// DeleteUsers removes all rows of users.
	DeleteUsers(ctx context.Context, app model.AppID, uids []uint32, w journal.Watermark) error
	// DropRows removes event rows and requests whose time lies before an instant
	// (ms), and the user states that nothing refers to any more.
	DropRows(ctx context.Context, app model.AppID, before int64, w journal.Watermark) error
}

// Resumer is a Writer whose commits, when they fail in the middle, have to be finished by one that ends where they would have.
type Resumer interface {
	// Resumes returns where the next commit of a partition has to end; 0 = anywhere.
	Resumes(ctx context.Context, partition uint16) (through uint64, err error)
}

// Sending is what is on its way to an event store that others share: the rows of a partition behind one offset, up to another. The zero value is none.
type Sending struct {
	Partition      uint16
	After, Through uint64
	// Try counts the times that it was begun again, under other names, because the store had other rows than were sent.
	Try uint32
}
