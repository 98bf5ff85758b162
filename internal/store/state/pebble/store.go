// Package pebble is the embedded engine of package state: each change is one synced batch of the state database.
package pebble

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	pebblemarks "quipu/internal/store/marks/pebble"
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	pebbleprofile "quipu/internal/store/profile/pebble"
	pebblerollup "quipu/internal/store/rollup/pebble"
	pebbleschema "quipu/internal/store/schema/pebble"
	"quipu/internal/store/state"
)

// Store implements state.Store.
type Store struct {
	pebblemarks.Store
	db       *kv.DB
	profiles *pebbleprofile.Writer
	schema   *pebbleschema.Writer
}

var _ state.Store = (*Store)(nil)

// New returns a store over the database, which was opened with the merger of cells.
func New(db *kv.DB) (*Store, error) {
	schema, err := pebbleschema.NewWriter()
	if err != nil {
		return nil, err
	}
	return &Store{Store: pebblemarks.New(db), db: db, profiles: pebbleprofile.NewWriter(db), schema: schema}, nil
}

// Commit implements state.Store.
func (s *Store) Commit(ctx context.Context, c *state.Change) error {
	b, err := s.batch(ctx, c)
	if err != nil {
		return err
	}
	return s.db.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// Begin implements state.Store.
func (s *Store) Begin(ctx context.Context, c *state.Change) (<-chan error, error) {
	b, err := s.batch(ctx, c)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.db.Commit(b) }() //nolint:contextcheck // a commit cannot be given up half-way
	return ended, nil
}

// batch returns a batch that does all that a change says. It ends the change when it ends.
func (s *Store) batch(ctx context.Context, c *state.Change) (*kv.Batch, error) {
	b := s.db.NewBatch()
	b.OnEnd(c.End)
	if err := s.fill(ctx, b, c); err != nil {
		b.Discard()
		return nil, err
	}
	return b, nil
}

func (s *Store) fill(ctx context.Context, b *kv.Batch, c *state.Change) error {
	if err := pebbleoutbox.Put(b, &c.Rows); err != nil {
		return err
	}
	for i := range c.Apps {
		if err := s.app(ctx, b, &c.Apps[i]); err != nil {
			return fmt.Errorf("app %s: %w", c.Apps[i].ID, err)
		}
	}
	if err := s.profiles.Write(b, &c.Profiles); err != nil {
		return err
	}
	if err := s.schema.Write(b, &c.Schema); err != nil {
		return err
	}
	if err := pebblejournal.PutRowsMark(b, c.RowsMark); err != nil {
		return err
	}
	return pebblejournal.PutWatermark(b, c.Watermark)
}

func (s *Store) app(ctx context.Context, b *kv.Batch, c *state.App) error {
	for _, r := range c.Remove {
		if err := pebblerollup.Remove(ctx, s.db.Reader(), b.Pebble(), c.ID, r); err != nil {
			return fmt.Errorf("remove cells: %w", err)
		}
	}
	if err := pebblerollup.Write(b.Pebble(), c.ID, c.Cells); err != nil {
		return fmt.Errorf("write cells: %w", err)
	}
	if c.ForgetSettings {
		if err := pebblemarks.DeleteSettings(b, c.ID); err != nil {
			return err
		}
	}
	if c.Settings != nil {
		if err := pebblemarks.PutSettings(b, c.ID, c.Settings); err != nil {
			return err
		}
	}
	if c.ForgetMarks {
		if err := pebblemarks.Delete(b, c.ID); err != nil {
			return err
		}
	}
	if c.Marks != nil {
		return pebblemarks.Put(b, c.ID, *c.Marks)
	}
	return nil
}

// replaceCells is how many cells ReplaceUsers looks at for one batch.
const replaceCells = 10_000

// ReplaceUsers implements state.Store.
func (s *Store) ReplaceUsers(ctx context.Context, app model.AppID, aliases map[uint32]uint32) error {
	for cursor, first := []byte(nil), true; first || cursor != nil; first = false {
		var err error
		if cursor, err = s.replacePart(ctx, app, aliases, cursor); err != nil {
			return fmt.Errorf("rewrite users: %w", err)
		}
	}
	return nil
}

func (s *Store) replacePart(ctx context.Context, app model.AppID, aliases map[uint32]uint32, cursor []byte) ([]byte, error) {
	b := s.db.NewBatch()
	defer b.Discard()
	next, err := pebblerollup.Rewrite(ctx, s.db.Reader(), b.Pebble(), app, aliases, cursor, replaceCells)
	if err != nil || b.Count() == 0 {
		return next, err
	}
	// The aliases go in a later, synced batch: what is lost before it is done again.
	return next, s.db.CommitNoSync(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// Watermark implements state.Store.
func (s *Store) Watermark(ctx context.Context) (journal.Watermark, error) {
	return pebblejournal.LoadWatermark(ctx, s.db)
}

// Failed implements state.Store.
func (s *Store) Failed() error { return s.db.Gone() }
