package app

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/apps"
	"quipu/internal/auth"
)

// openServices opens what stands on the document store.
func (a *App) openServices(ctx context.Context, first NewAdmin, hash auth.HashParams) (err error) {
	if err := a.openSettings(ctx); err != nil {
		return err
	}
	keys, err := a.cfg.secretKeys(ctx, a.docs)
	if err != nil && (!a.keyless || !errors.Is(err, ErrNoSecretKey)) {
		return err
	}
	if keys != nil {
		a.sign = func(text string) string { return keys.Digest("cursor", text) }
	}
	a.keys = keys
	var attempts auth.Turns
	if a.cluster != nil {
		attempts = a.cluster.keeper.Turns(nil)
	}
	cfg := a.cfg.authConfig()
	if hash != (auth.HashParams{}) {
		cfg.Hash = hash
	}
	a.auth, err = auth.Open(ctx, auth.Options{
		DB: a.docs, Log: a.log, Now: a.now, Config: cfg, Rules: a.passwordRules, Keys: keys, Purge: a.docs.Scrub,
		Attempted: a.signedIn, Turns: attempts,
	})
	if err != nil {
		return a.cfg.otherKey(fmt.Errorf("open members: %w", err))
	}
	if a.apps, err = apps.Open(ctx, a.docs, a.bus); err != nil {
		return err
	}
	if err := a.owned(ctx); err != nil {
		return err
	}
	return createFirst(ctx, a.auth, first)
}
