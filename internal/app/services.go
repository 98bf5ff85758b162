package app

import (
	"context"
	"fmt"

	"quipu/internal/apps"
	"quipu/internal/auth"
)

// openServices opens what stands on the document store.
func (a *App) openServices(ctx context.Context, first NewAdmin) (err error) {
	if err := a.openSettings(ctx); err != nil {
		return err
	}
	a.auth, err = auth.Open(ctx, auth.Options{DB: a.docs, Log: a.log, Now: a.now, Config: a.cfg.authConfig(), Rules: a.passwordRules})
	if err != nil {
		return fmt.Errorf("open members: %w", err)
	}
	if a.apps, err = apps.Open(ctx, a.docs, a.bus); err != nil {
		return err
	}
	if err := a.owned(ctx); err != nil {
		return err
	}
	return createFirst(ctx, a.auth, first)
}
