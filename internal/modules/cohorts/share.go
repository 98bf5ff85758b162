package cohorts

import (
	"context"
	"errors"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Where several servers share the work, a cohort is live on the one that projects its app, which stores what changes; the others read that. A server that
// is succeeded stores nothing any more once its successor has, see members.From.

// retryAfter is how many turns of the job pass until what failed is tried again.
const retryAfter = 15

// renewAll makes live what can be and is not, of all apps that are projected here, see renew.
func (s *service) renewAll(ctx context.Context, thorough bool) error {
	list, err := s.everyLive(ctx)
	if err != nil {
		s.due.Store(true)
		return err
	}
	var errs []error
	for _, app := range s.apps() {
		switch {
		case !s.taps.Holds(app.ID):
		case s.taps.Shared():
			errs = append(errs, s.renew(ctx, app, list[app.ID], thorough))
		case len(list[app.ID]) > 0:
			errs = append(errs, s.become(ctx, app, list[app.ID]))
		}
	}
	if ctx.Err() != nil { // what failed otherwise is tried again on schedule
		s.due.Store(true)
	}
	return errors.Join(errs...)
}

// renew has what is held of an app follow its definitions: what has gone is dropped, and what is new or different becomes live. With thorough,
// what a definition stands for is looked at, too, where that is live already.
func (s *service) renew(ctx context.Context, app *model.App, list []Cohort, thorough bool) error {
	if a := s.live.held(app.ID); a != nil {
		for _, id := range a.ids() {
			if !slices.ContainsFunc(list, func(d Cohort) bool { return d.ID == id }) {
				a.leave(id, true)
			}
		}
	}
	var next []Cohort
	var errs []error
	for _, d := range list {
		if ready, _ := s.live.is(app.ID, d); ready && !thorough || s.live.refused(app.ID, d) {
			continue
		}
		_, reason, err := s.parts(ctx, app.ID, d)
		switch {
		case err != nil:
			errs = append(errs, err)
		case reason != "":
			s.live.leave(app.ID, d.ID)
		default:
			next = append(next, d)
		}
	}
	if len(next) > 0 {
		errs = append(errs, s.become(ctx, app, next), s.persist(ctx, app))
	}
	for _, d := range list {
		if s.live.refused(app.ID, d) && d.Scheduled != ofMemory {
			errs = append(errs, s.schedule(ctx, app.ID, d))
		}
	}
	return errors.Join(errs...)
}

// schedule notes that a cohort takes too much memory to be live, so that any server calculates it on schedule.
func (s *service) schedule(ctx context.Context, app model.AppID, was Cohort) error {
	_, err := spec().In(s.docs, app).Update(ctx, was.ID, func(d *Cohort) error {
		if d.Hash == was.Hash {
			d.Scheduled = ofMemory
		}
		return nil
	})
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// ids are those of the cohorts that are held.
func (a *liveApp) ids() (out []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id := range a.cohorts {
		out = append(out, id)
	}
	return out
}

// passOn stores what changed in cohorts of apps that are no longer projected here.
func (s *service) passOn(ctx context.Context) {
	for _, a := range s.live.all() {
		if app := s.appOf(a.id); app != nil {
			s.live.refresh(ctx, a)
			_ = s.persistHeld(ctx, app, a) // the server that projects the app now finds out by itself
		}
	}
}
