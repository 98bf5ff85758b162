// Package state commits what the pipeline makes. All that a batch or a command changes is one value, a Change, and an
// engine stores it whole or not at all: profiles, what is known of apps, cells, rows on their way to the event store,
// marks, settings and the watermark. The embedded engine is package pebble below this one.
package state

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// ErrLost says that a partition now belongs to another worker: nothing of a change of it is committed. Callers must stop.
var ErrLost = errors.New("state: a partition is held by another worker")

// Change is what is committed together. The zero value changes nothing. It belongs to one goroutine, and is good
// for one commit.
type Change struct {
	// Apps are applied in order; an app may come more than once.
	Apps     []App
	Profiles profile.Change
	Schema   schema.Change
	// Rows are parts of apps on their way to the event store.
	Rows outbox.Batch
	// Watermark is what is projected once the change is committed. Partitions that it does not name keep theirs.
	Watermark journal.Watermark
	// RowsMark is what the event store has committed already; nil = no more than the state knows of.
	RowsMark journal.Watermark

	ends []func(committed bool)
}

// App is what a change holds of one app, beside profiles, schema and rows.
type App struct {
	ID model.AppID
	// Remove names cells that go before Cells are added.
	Remove []rollup.Removal
	Cells  rollup.Delta
	// Marks replace those of the app; nil = they stay.
	Marks *marks.Marks
	// Settings replace those of the app, a JSON object; nil = they stay.
	Settings []byte
	// ForgetMarks and ForgetSettings remove them.
	ForgetMarks, ForgetSettings bool
}

// OnEnd registers fn to run once the change has ended: with true after it is durable, with false when it was not
// committed. Functions run in the order of registration, on the goroutine that commits.
func (c *Change) OnEnd(fn func(committed bool)) { c.ends = append(c.ends, fn) }

// End is for engines: it calls the functions of OnEnd, once.
func (c *Change) End(committed bool) {
	ends := c.ends
	c.ends = nil
	for _, fn := range ends {
		fn(committed)
	}
}

// Store commits changes. Commit and Begin are for one goroutine at a time; the rest is safe for concurrent use.
type Store interface {
	marks.Reader
	// Commit stores a change and returns once it is durable. On an error the change may or may not be found after
	// the store is opened again, but always as a whole.
	Commit(ctx context.Context, c *Change) error
	// Begin takes a change in and commits it in the background: what it refers to may change as soon as Begin returns.
	// The channel receives the outcome once, after the functions of OnEnd. After an error of Begin nothing is committed, and
	// they were called. No other change may be under way.
	Begin(ctx context.Context, c *Change) (ended <-chan error, err error)
	// ReplaceUsers replaces the numbers of merged users, old → new, in all cells of an app. Cut short, it may have
	// replaced some; done again it gives the same. What it did is durable no later than the next change.
	ReplaceUsers(ctx context.Context, app model.AppID, aliases map[uint32]uint32) error
	// Watermark returns the watermark that was committed last; it is empty in a new store.
	Watermark(ctx context.Context) (journal.Watermark, error)
	// Failed returns nil while the store works, and why it has to be opened again when it does not.
	Failed() error
}
