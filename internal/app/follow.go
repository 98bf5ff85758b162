package app

import (
	"context"
	"log/slog"
	"time"
)

// followEvery is how soon apps and settings that another process changed in the document store are in force here.
const followEvery = time.Second

// follow brings what other processes write to the document store into the copies in memory, until ctx is done. Members follow by
// themselves, see package auth. Settings that a change makes due in the journal are appended by the job for it.
func (a *App) follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	failing := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for name, refresh := range map[string]func(context.Context) error{"apps": a.apps.Refresh, "settings": a.config.Refresh} {
			err := refresh(ctx)
			if err != nil && ctx.Err() == nil && !failing[name] { // once an outage
				a.log.WarnContext(ctx, "changes of other processes are not seen", slog.String("what", name), slog.Any("error", err))
			}
			failing[name] = err != nil
		}
	}
}
