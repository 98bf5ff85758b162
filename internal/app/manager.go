package app

import (
	"context"
	"log/slog"
	"time"
)

// notified logs that the service manager could not be notified.
func (a *App) notified(ctx context.Context, err error) {
	if err != nil {
		a.log.WarnContext(ctx, "the service manager was not notified", slog.Any("error", err))
	}
}

// serving tells the service manager that the server works.
func (a *App) serving(ctx context.Context) {
	a.notified(ctx, a.manager.Ready(ctx, a.status))
}

// signs sends the service manager a sign of life, twice in the time that it waits, until ctx is done. A server whose stores answer nobody
// sends none, and is started again.
func (a *App) signs(ctx context.Context) {
	every := a.manager.Watchdog() / 2
	if every <= 0 {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	answers := make(chan struct{}, 1)
	answers <- struct{}{} // nothing is asked yet
	defer func() {        // the stores are closed next
		select {
		case <-answers:
		case <-time.After(time.Second):
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		select {
		case <-answers:
		default:
			a.log.ErrorContext(ctx, "the stores do not answer; the service manager gets no sign of life")
			continue
		}
		a.notified(ctx, a.manager.Alive(ctx))
		go func() {
			a.refuses(ctx) // asks the state, the journal and the pipeline
			answers <- struct{}{}
		}()
	}
}
