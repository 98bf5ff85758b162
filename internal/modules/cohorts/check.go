package cohorts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// stored says up to which record of the journal the members of live cohorts are stored.
type stored struct {
	ID      string `json:"_id"` // storedID
	Through uint64 `json:"through"`
}

const storedID = "live"

// Key returns the document's id.
func (s stored) Key() string { return s.ID }

// Validate accepts: only the service writes it.
func (stored) Validate() error { return nil }

func storedSpec() docs.Spec[stored] { return docs.Spec[stored]{Name: "cohorts.stored", Version: 1} }

// projectionEnded stores what live cohorts are when the server stops.
func (s *service) projectionEnded(ctx context.Context, _ topic.ProjectionEnded) error {
	if s.taps.Shared() {
		return nil // each share has stored its own
	}
	at, err := s.progress(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, a := range s.live.all() {
		app := s.appOf(a.id)
		if app == nil {
			continue
		}
		s.live.refresh(ctx, a)
		err := s.persist(ctx, app)
		if err == nil {
			err = storedSpec().In(s.docs, app.ID).Put(ctx, stored{storedID, at.Through})
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// projectionPaused stores the members of all cohorts as readers see them. Until the server accepts data again none becomes live, as the mark that this takes cannot be appended.
func (s *service) projectionPaused(ctx context.Context, _ topic.ProjectionPaused) error {
	var errs []error
	for _, app := range s.apps() {
		if a := s.live.held(app.ID); a != nil {
			errs = append(errs, s.storeHeld(ctx, app, a))
		}
		errs = append(errs, s.storeMerged(ctx, app))
	}
	return errors.Join(errs...)
}

// storeHeld stores what live cohorts of an app are, once those that are becoming live have their members.
func (s *service) storeHeld(ctx context.Context, app *model.App, a *liveApp) error {
	for !a.handing.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(handingWait):
		}
	}
	defer a.handing.Unlock()
	s.live.refresh(ctx, a)
	return s.persistHeld(ctx, app, a)
}

// handingWait is how long is waited until it is looked again whether cohorts are becoming live.
const handingWait = 20 * time.Millisecond

// storeMerged has the stored members of cohorts that are not live follow the merges that wait for the next calculation. They go on waiting: to follow them twice changes nothing.
func (s *service) storeMerged(ctx context.Context, app *model.App) error {
	merges := s.sets.waiting(app.ID)
	if len(merges) == 0 {
		return nil
	}
	list, err := spec().In(s.docs, app.ID).All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range list {
		if _, held := s.live.members(ctx, app.ID, d); held {
			continue
		}
		err := s.docs.Tx(ctx, func(tx docs.Handle) error { return s.followMerges(ctx, tx, app, d.ID, merges) })
		if err != nil && !docs.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *service) followMerges(ctx context.Context, tx docs.Handle, app *model.App, id string, merges []topic.UserMerged) error {
	d, err := spec().In(tx, app.ID).Get(ctx, id)
	if err != nil {
		return err
	}
	before, from, err := loadFrom(ctx, tx, app.ID, id)
	if err != nil {
		return err
	}
	after := before.Clone()
	merge(after, merges)
	if after.Equals(before) {
		return nil
	}
	if err := put(ctx, tx, app.ID, id, from, after); err != nil {
		return err
	}
	d.Rev++
	d.Result = int64(after.GetCardinality()) // numbers of users are of 32 bits
	if err := spec().In(tx, app.ID).Put(ctx, d); err != nil {
		return err
	}
	cal, _ := s.zones.Get(app.Timezone)
	left := int64(before.GetCardinality()) - d.Result
	return note(ctx, tx, app.ID, id, cal.DayBucket(s.now().UnixMilli()), day{d.Result, 0, left})
}

// checkRoom is how many bytes check holds of rows in their order.
const checkRoom = 32 << 20

// check compares the members of all live cohorts of an app with those that rows and profiles give. It is called while nothing is projected.
func (s *service) check(ctx context.Context, app *model.App, rows query.Rows, found func(where string, stored, computed any), note func(string)) error {
	list, err := spec().In(s.docs, app.ID).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("type", auto)}})
	if err != nil || len(list) == 0 {
		return err
	}
	current, err := s.isStored(ctx, app.ID)
	if err != nil {
		return err
	}
	from := query.NewFunnels(s.tables.Over(rows), checkRoom)
	behind, scheduled := 0, 0
	for _, d := range list {
		_, reason, err := s.parts(ctx, app.ID, d)
		if err != nil {
			return err
		}
		ready, _ := s.live.is(app.ID, d)
		now := s.now()
		var has *roaring.Bitmap
		switch {
		case ready:
			has, _ = s.live.members(ctx, app.ID, d)
		case reason != "" || s.live.refused(app.ID, d):
			scheduled++
			continue
		case !current || d.Calculated == 0:
			behind++
			continue
		default:
			now = time.UnixMilli(d.Calculated)
			if has, err = load(ctx, s.docs, app.ID, d.ID); err != nil {
				found("members of "+d.ID, err.Error(), "a bitmap")
				continue
			}
		}
		q, err := s.compile(ctx, app, now, d)
		if err != nil {
			return err
		}
		want, err := from.Select(ctx, app.ID, q, func(int64, int64) {})
		if err != nil {
			return err
		}
		if !has.Equals(want) {
			found(fmt.Sprintf("%s (%s)", d.ID, d.Name), differing(has, want), differing(want, has))
		}
		if !ready && d.Result != int64(has.GetCardinality()) { // numbers of users are of 32 bits
			found("size of "+d.ID, d.Result, has.GetCardinality())
		}
	}
	if scheduled > 0 {
		note(fmt.Sprintf("%d cohorts are calculated on schedule and not compared", scheduled))
	}
	if behind > 0 {
		note(fmt.Sprintf("%d cohorts are not compared: they were not stored when the server stopped, and are calculated again when it starts", behind))
	}
	return nil
}

// isStored reports whether the stored members are those of all that is projected.
func (s *service) isStored(ctx context.Context, app model.AppID) (bool, error) {
	at, err := storedSpec().In(s.docs, app).Get(ctx, storedID)
	if docs.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	now, err := s.progress(ctx)
	return now.Through == at.Through, err
}

// differing says how many users a set has, and the first that another has not.
func differing(a, b *roaring.Bitmap) string {
	more := roaring.AndNot(a, b)
	if more.IsEmpty() {
		return fmt.Sprintf("%d users", a.GetCardinality())
	}
	return fmt.Sprintf("%d users, with %d that the other has not, as %d", a.GetCardinality(), more.GetCardinality(), more.Minimum())
}
