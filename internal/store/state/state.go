// Package state commits what the pipeline makes. Everything that a batch or a command changes is one value, a Change:
// profiles, the schema of apps, cells, rows for the outbox, retention marks, settings and the watermark. An engine commits
// a Change as a whole or not at all. The embedded engine is package pebble below this one.
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

// ErrLost says that a partition now belongs to another worker. Nothing of the change is committed, and the caller must stop.
var ErrLost = errors.New("state: a partition is held by another worker")

// Change is what is committed together. The zero value changes nothing. A Change belongs to one goroutine and is
// committed once.
type Change struct {
	// Apps are applied in order; an app may come more than once.
	Apps     []App
	Profiles profile.Change
	Schema   schema.Change
	// Rows are for the outbox, from where they are moved to the event store.
	Rows outbox.Batch
	// Watermark is up to where partitions are projected once the change is committed. Partitions that it does not name keep theirs.
	Watermark journal.Watermark
	// RowsMark is up to where the event store has rows; nil = no further than the state knows.
	RowsMark journal.Watermark

	ends []func(committed bool)
}

// App is the part of a change that concerns one app, apart from profiles, schema and rows.
type App struct {
	ID model.AppID
	// Remove names cells that are removed before Cells are added.
	Remove []rollup.Removal
	Cells  rollup.Delta
	// Marks replace the retention marks of the app; nil = they stay.
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
	// Commit stores a change and returns once it is durable. After an error the change may or may not be there when
	// the store is opened again, but never a part of it.
	Commit(ctx context.Context, c *Change) error
	// Begin commits a change in the background. The caller may modify what the change refers to as soon as Begin returns.
	// The channel receives the outcome once, after the functions of OnEnd were called. When Begin returns an error, these were
	// called, too, and nothing is committed. No other change may be under way.
	Begin(ctx context.Context, c *Change) (ended <-chan error, err error)
	// ReplaceUsers replaces the numbers of merged users, old → new, in all cells of an app. If it is interrupted, some may
	// be replaced; it can be repeated, with the same result. The replacements are durable no later than the next change.
	ReplaceUsers(ctx context.Context, app model.AppID, aliases map[uint32]uint32) error
	// Watermark returns the last committed watermark; it is empty in a new store.
	Watermark(ctx context.Context) (journal.Watermark, error)
	// Failed returns nil while the store works, else the reason why it has to be opened again.
	Failed() error
}
