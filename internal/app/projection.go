package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/topic"
)

// projection knows which settings of each app the journal carries last. A
// change is appended behind all that was acknowledged before it, see pipeline.Settings.
type projection struct {
	mu   sync.Mutex
	last map[model.AppID]pipeline.Settings // nil = not looked up yet
}

const (
	// settingsEvery is how often settings are appended that could not be when they changed.
	settingsEvery = time.Minute
	// manySettings is how many apps are notified of a change of the server's settings at a time.
	manySettings = 64
)

// wireProjection keeps the journal in step with the settings of apps.
func (a *App) wireProjection() {
	const owner = "projection"
	hook.On(a.bus, owner, func(ctx context.Context, _ topic.SettingsChanged) error {
		return a.project(ctx, a.ids()...)
	})
	hook.On(a.bus, owner, func(ctx context.Context, ev topic.AppUpdated) error { return a.project(ctx, ev.After.ID) })
	hook.On(a.bus, owner, func(ctx context.Context, ev topic.AppCreated) error {
		// An app without the command takes the settings that it has when its first record is projected.
		if _, err := a.appendSettings(ctx, ev.App.ID); err != nil {
			a.log.WarnContext(ctx, "settings of a new app are not in the journal yet", slog.String("app", ev.App.ID.String()), slog.Any("error", err))
		}
		return nil
	})
	hook.On(a.bus, owner, func(_ context.Context, ev topic.AppDeleted) error {
		a.projection.mu.Lock()
		defer a.projection.mu.Unlock()
		delete(a.projection.last, ev.App)
		return nil
	})
	a.jobs.For("ingest").Every("settings", settingsEvery, func(ctx context.Context) error {
		_, err := a.appendSettings(ctx, a.ids()...)
		return err
	})
}

func (a *App) ids() []model.AppID {
	var ids []model.AppID
	for _, app := range a.apps.All() {
		ids = append(ids, app.ID)
	}
	return ids
}

// project appends the settings of apps and waits until they are in force.
func (a *App) project(ctx context.Context, ids ...model.AppID) error {
	last, err := a.appendSettings(ctx, ids...)
	if err != nil || len(last) == 0 {
		return err
	}
	return a.work.Await(ctx, last)
}

// appendSettings appends the settings of apps for which the journal has others, and the
// command to recount their cells where the time zone is another. It returns where the last of them are;
// empty = nothing was to be appended.
func (a *App) appendSettings(ctx context.Context, ids ...model.AppID) (last journal.Watermark, err error) {
	p := &a.projection
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == nil {
		if p.last, err = a.work.LastSettings(ctx, a.apps.All()); err != nil {
			return nil, err
		}
	}
	last = journal.Watermark{}
	due := map[model.AppID][]request.Record{}
	wanted := map[model.AppID]pipeline.Settings{}
	for _, id := range ids {
		app := a.apps.ByID(id)
		if app == nil {
			continue
		}
		want := a.settings(app)
		before, known := p.last[id]
		if known && before == want {
			continue
		}
		wanted[id], due[id] = want, []request.Record{pipeline.SetSettings(id, want)}
		if known && before.Timezone != want.Timezone {
			due[id] = append(due[id], request.Record{Kind: request.RebuildCells, App: id})
		}
	}
	var (
		g    errgroup.Group
		ends sync.Mutex
		errs []error
	)
	g.SetLimit(manySettings)
	for id, commands := range due {
		g.Go(func() error {
			at, err := a.work.Append(ctx, commands...)
			ends.Lock()
			defer ends.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("settings of app %s: %w", id, err))
				return nil
			}
			p.last[id], last[at.Partition] = wanted[id], max(last[at.Partition], at.Offset)
			return nil
		})
	}
	_ = g.Wait() // errs has the errors
	return last, errors.Join(errs...)
}

// settings are those under which an app's records are to be projected.
func (a *App) settings(app *model.App) pipeline.Settings {
	seconds := func(name string) time.Duration {
		return time.Duration(a.config.AppNumber(app, "api", name) * float64(time.Second))
	}
	limit := func(name string) int { return int(a.config.Number("api", name)) }
	s := pipeline.DefaultSettings()
	s.Timezone = app.Timezone
	s.SessionTimeout = a.cfg.Ingest.SessionTimeout
	s.Cooldown, s.MaxDuration = seconds("session_cooldown_period"), seconds("session_duration_limit")
	s.AllowDuplicates = !a.config.AppBool(app, "api", "prevent_duplicate_requests")
	s.Limits = a.schema.Limits()
	s.Limits.Events, s.Limits.Segments = limit("event_limit"), limit("event_segmentation_limit")
	s.Limits.Values, s.Limits.MetricValues = limit("event_segmentation_value_limit"), limit("metric_value_limit")
	return s.Normal()
}
