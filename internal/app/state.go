package app

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/memory"
	"quipu/internal/store/outbox"
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	"quipu/internal/store/profile"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/schema"
	pebbleschema "quipu/internal/store/schema/pebble"
	"quipu/internal/store/state"
	pebblestate "quipu/internal/store/state/pebble"
)

// State is what Process.State brings.
type State struct {
	Store    state.Store
	Outbox   outbox.Store
	Profiles profile.Store
	Schema   schema.Store
	Close    func() error
}

// embeddedState are the engines of the state in the data folder.
type embeddedState struct {
	profiles *pebbleprofile.Store
	schema   *pebbleschema.Store
}

// openState opens the state: in the data folder, unless the process brings another.
func (a *App) openState(ctx context.Context, proc Process, plan memory.Plan) error {
	in := a.cfg.Ingest
	limits := schema.Limits{Events: in.EventLimit, Segments: in.EventSegmentationLimit, Values: in.SegmentationValueLimit}
	if proc.State != nil {
		other, err := proc.State(ctx, a.kv, limits)
		if err != nil {
			return fmt.Errorf("open state: %w", err)
		}
		a.state, a.store, a.outbox, a.profiles, a.schema, a.closeState = other.Store, other.Store, other.Outbox, other.Profiles, other.Schema, other.Close
		return nil
	}
	committer, err := pebblestate.New(a.kv)
	if err != nil {
		return fmt.Errorf("open state: %w", err)
	}
	profiles, err := pebbleprofile.Open(a.kv, pebbleprofile.Options{CacheProfiles: int(plan.Total >> 15), PrintBytes: plan.Prints}) //nolint:contextcheck // it reads a few keys
	if err != nil {
		return fmt.Errorf("open profiles: %w", err)
	}
	known, err := pebbleschema.Open(a.kv, pebbleschema.Options{Limits: limits})
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	a.state, a.store, a.outbox, a.profiles, a.schema = committer, committer, pebbleoutbox.New(a.kv), profiles, known
	a.embedded = &embeddedState{profiles: profiles, schema: known}
	return nil
}

var errElsewhere = errors.New("the state of this server is not in its data folder")

// inFolder refuses what knows the state in the data folder alone.
func (a *App) inFolder() error {
	if a.embedded == nil {
		return errElsewhere
	}
	return nil
}
