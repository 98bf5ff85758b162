package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/state"
	"quipu/internal/verify"
)

// discard keeps no logs.
type discard struct{ slog.Handler }

// Enabled implements slog.Handler.
func (discard) Enabled(context.Context, slog.Level) bool { return false }

// figures makes what is derived from stores that can be opened: the mirror of users from
// profiles, and cells from event rows where none of these are lost.
func (r *repair) figures(ctx context.Context) error {
	return Offline(ctx, r.cfg, r.proc, func(ctx context.Context, a *App) error {
		before, err := a.Verify(ctx, verify.Options{Limit: 1 << 20})
		if err != nil {
			return err
		}
		done := Repaired{Store: "figures"}
		if before.OK() {
			r.report.Stores = append(r.report.Stores, done)
			return nil
		}
		done.Found = fmt.Sprintf("%d differences from what the rows give", before.Total)
		cells, mirrors, profiles := map[model.AppID]bool{}, map[model.AppID]bool{}, map[model.AppID]bool{}
		numbers := map[model.AppID]bool{}
		for _, d := range before.Differences {
			switch {
			case strings.HasPrefix(d.Part, "cells"):
				cells[d.App] = true
			case d.Part == "profile":
				profiles[d.App] = true
			case strings.Contains(d.Part, "mirror"):
				mirrors[d.App] = true
			case d.Part == verify.Numbers:
				numbers[d.App], cells[d.App], profiles[d.App] = true, true, true
			}
		}
		if before.Total > int64(len(before.Differences)) { // not all are listed
			for _, app := range a.apps.All() {
				cells[app.ID], mirrors[app.ID], profiles[app.ID], numbers[app.ID] = true, true, true, true
			}
		}
		var did []string
		repaired := 0
		for _, app := range a.apps.All() {
			if numbers[app.ID] {
				if err := a.pipeline.Between(ctx, func(ctx context.Context) error { return a.duck.Bound(ctx, app.ID, verify.RowBounds()) }); err != nil {
					return fmt.Errorf("numbers of app %s: %w", app.ID, err)
				}
			}
			if profiles[app.ID] && !r.holes {
				err := a.pipeline.Between(ctx, func(ctx context.Context) error {
					n, err := a.counters(ctx, app)
					if n > 0 {
						repaired += n
						mirrors[app.ID] = true
					}
					return err
				})
				if err != nil {
					return fmt.Errorf("counters of profiles of app %s: %w", app.ID, err)
				}
			}
			if mirrors[app.ID] {
				if err := a.pipeline.Between(ctx, func(ctx context.Context) error { return a.mirrorAnew(ctx, app.ID) }); err != nil {
					return fmt.Errorf("mirror users of app %s: %w", app.ID, err)
				}
			}
			if cells[app.ID] && !r.holes {
				if err := a.work.Submit(ctx, request.Record{Kind: request.RebuildCells, App: app.ID}); err != nil {
					return fmt.Errorf("count cells of app %s: %w", app.ID, err)
				}
			}
		}
		if len(numbers) > 0 {
			did = append(did, fmt.Sprintf("set numbers beyond their bounds to the bounds in the rows of %d apps", len(numbers)))
		}
		if repaired > 0 {
			did = append(did, fmt.Sprintf("set counters of %d profiles to what the rows give", repaired))
		}
		if len(profiles) > 0 && r.holes {
			did = append(did, "kept the counters of profiles")
		}
		if len(mirrors) > 0 {
			did = append(did, fmt.Sprintf("rewrote the list of users of %d apps", len(mirrors)))
		}
		switch {
		case len(cells) > 0 && r.holes:
			did = append(did, "kept the aggregated figures, which know of more than the rows that are left")
		case len(cells) > 0:
			did = append(did, fmt.Sprintf("recounted the figures of %d apps from the rows", len(cells)))
		}
		after, err := a.Verify(ctx, verify.Options{})
		if err != nil {
			return err
		}
		done.Done = strings.Join(did, ", ")
		if !after.OK() {
			done.Lost = fmt.Sprintf("%d differences remain; quipu verify lists them", after.Total)
		}
		r.report.Stores = append(r.report.Stores, done)
		return nil
	})
}

// mirrorAnew writes all profiles of an app to the event store's list of users
// and removes those that are no more. Nothing may be projected meanwhile.
func (a *App) mirrorAnew(ctx context.Context, app model.AppID) error {
	const chunk = 5_000
	w, err := a.duck.Watermark(ctx)
	if err != nil {
		return err
	}
	known := map[uint32]bool{}
	part := &evstore.AppBatch{}
	flush := func() error {
		err := a.duck.Commit(ctx, &evstore.Batch{Watermark: w, Apps: map[model.AppID]*evstore.AppBatch{app: part}})
		part = &evstore.AppBatch{}
		return err
	}
	err = a.profiles.Scan(ctx, app, func(p *model.Profile) error {
		known[p.UID] = true
		if part.Users = append(part.Users, p); len(part.Users) < chunk {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = a.duck.ScanUsers(ctx, app, func(u evstore.UserRow) error {
			if uid := u.UID(); !known[uid] {
				part.Gone = append(part.Gone, uid)
			}
			return nil
		})
	}
	return errors.Join(err, flush())
}

// counters sets the counters of an app's profiles to what the rows give, and returns of how many.
// Nothing may be projected meanwhile.
func (a *App) counters(ctx context.Context, app *model.App) (repaired int, err error) {
	const chunk = 5_000
	waiting := 0
	err = verify.Counters(ctx, a.verified(), app, func(p *model.Profile) error {
		if err := a.profiles.Put(app.ID, p); err != nil {
			return err
		}
		repaired++
		if waiting++; waiting < chunk {
			return nil
		}
		waiting = 0
		return a.storeProfiles(ctx)
	})
	return repaired, errors.Join(err, a.storeProfiles(ctx))
}

// storeProfiles commits the profiles that were put.
func (a *App) storeProfiles(ctx context.Context) error {
	profiles, end, err := a.profiles.Flush()
	if err != nil {
		return err
	}
	c := state.Change{Profiles: profiles}
	c.OnEnd(end)
	return a.store.Commit(ctx, &c)
}
