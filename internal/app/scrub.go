package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/kv"
)

// scrubAgain is how long a scrub waits for a copy of the stores that is being made.
const scrubAgain = time.Second

// Scrub takes what was deleted from an app off the disk: what the stores leave in their files until
// they need the room. Of the journal goes what is projected, of all apps. It may be repeated at any time.
func (a *App) Scrub(ctx context.Context, app model.AppID) error {
	if a.own == nil {
		return nil // other machines have the stores, and their own way to give back what is deleted
	}
	w, err := a.state.Watermark(ctx)
	if err == nil {
		err = a.own.Purge(ctx, a.gated.kept(w))
	}
	if err == nil {
		err = a.kv.Scrub(ctx, scrubbed(app)...)
	}
	if err == nil {
		err = a.scrubRows(ctx, app)
	}
	if err == nil {
		err = a.docs.Scrub(ctx)
	}
	if err != nil {
		return fmt.Errorf("scrub app %s: %w", app, err)
	}
	return nil
}

// scrubbed lists the keys of the state with data about an app's users.
func scrubbed(app model.AppID) []kv.Span {
	spans := []kv.Span{kv.Prefix([]byte{kv.PrefixJournal}), kv.Prefix([]byte{kv.PrefixOutbox}), kv.Prefix([]byte{kv.PrefixMirror})}
	for _, prefix := range []byte{kv.PrefixProfile, kv.PrefixUID, kv.PrefixAlias, kv.PrefixOpenSession, kv.PrefixSchema, kv.PrefixRollup} {
		spans = append(spans, kv.Prefix(kv.AppKey(prefix, app, 0)))
	}
	return spans
}

// scrubRows waits while the event store is being copied.
func (a *App) scrubRows(ctx context.Context, app model.AppID) error {
	t := time.NewTicker(scrubAgain)
	defer t.Stop()
	for {
		err := a.duck.Scrub(ctx, app)
		if !errors.Is(err, duck.ErrHeld) {
			return err
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}
