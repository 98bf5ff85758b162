package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
)

const (
	// retainEvery is how often rows are looked at for their age.
	retainEvery = time.Hour
	// rewriteEvery is how often apps are looked at for merged users, and fewAliases the
	// number of them up to which reads correct bitmaps themselves.
	rewriteEvery = 10 * time.Minute
	fewAliases   = 300
)

// wireHousekeeping declares the jobs that keep the stores small.
func (a *App) wireHousekeeping() {
	a.jobs.For("ingest").Every("retention", retainEvery, a.Retain)
	a.jobs.For("ingest").Every("rewrite-users", rewriteEvery, a.RewriteUsers)
}

// Retain drops the rows of every app that are older than its setting allows:
// those before the midnight, in the app's time zone, that many days ago. A snapshot from before an upgrade goes when it is old, too.
func (a *App) Retain(ctx context.Context) error {
	errs := []error{a.dropRollback(ctx)}
	for _, app := range a.apps.All() {
		if err := a.retain(ctx, app); err != nil {
			errs = append(errs, fmt.Errorf("drop old rows of app %s: %w", app.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (a *App) retain(ctx context.Context, app *model.App) error {
	days := int(a.config.AppNumber(app, "api", "event_retention_days"))
	if days <= 0 || !a.events.HasApp(app.ID) {
		return nil
	}
	calendar := period.NewCalendar(app.Location())
	first := calendar.DayBucket(a.now().UnixMilli()) - period.Day(days) // the setting is bounded
	before := calendar.DayStart(first)
	mark, err := a.state.Marks(app.ID)
	if err != nil || before <= mark.Dropped {
		return err
	}
	a.log.InfoContext(ctx, "old event rows are dropped", "app", app.ID.String(), "days_kept", days)
	return a.work.Submit(ctx, pipeline.DropRowsBefore(app.ID, before))
}

// RewriteUsers replaces the numbers of merged users in the cells of apps that
// have many of them.
func (a *App) RewriteUsers(ctx context.Context) error {
	var errs []error
	for _, app := range a.apps.All() {
		aliases, err := a.profiles.Aliases(ctx, app.ID)
		if err == nil && len(aliases) > fewAliases {
			err = a.work.Submit(ctx, request.Record{Kind: request.RewriteUsers, App: app.ID})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("rewrite merged users of app %s: %w", app.ID, err))
		}
	}
	return errors.Join(errs...)
}
