package cohorts

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// work is what a task calculates.
type work struct {
	App    string `json:"app_id"`
	Cohort string `json:"cohort"`
}

// submit queues the task that calculates a cohort; a manual one has nothing to calculate.
func (s *service) submit(ctx context.Context, c api.Caller, d Cohort) error {
	if d.Type == manual {
		return nil
	}
	_, err := s.queue(ctx, c.App.ID, c.Member.ID, d)
	return err
}

// queue is submit for a member. existing says that such a task waits or runs: it may have read the cohort before it was what it is.
func (s *service) queue(ctx context.Context, app model.AppID, creator model.MemberID, d Cohort) (existing bool, err error) {
	_, existing, err = s.tasks.Submit(ctx, jobs.Spec{
		Kind: taskKind, Type: feature, App: app, Creator: creator, Params: work{app.String(), d.ID}, ReportName: d.Name,
	})
	return existing, err
}

// run does a task.
func (s *service) run(ctx context.Context, r *jobs.Run) error {
	var w work
	if err := r.Params(&w); err != nil {
		return err
	}
	at := slices.IndexFunc(s.apps(), func(a *model.App) bool { return a.ID.String() == w.App })
	if at < 0 {
		return errGone
	}
	if err := s.calculate(ctx, s.apps()[at], w.Cohort, r.Progress); err != nil {
		return err
	}
	return r.SetData(map[string]string{"_id": w.Cohort})
}

// calculateAll calculates every cohort of all apps, one after another. One that fails does not keep the others from it.
func (s *service) calculateAll(ctx context.Context) error {
	var errs []error
	for _, app := range s.apps() {
		merges := s.sets.pending(app.ID)
		failed := len(errs)
		list, err := spec().In(s.docs, app.ID).All(ctx, docs.Query{})
		errs = append(errs, err)
		for _, d := range list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err := s.calculate(ctx, app, d.ID, func(int64, int64) {})
			if err != nil && !docs.IsNotFound(err) {
				errs = append(errs, fmt.Errorf("calculate cohort %s: %w", d.ID, err))
			}
		}
		if len(errs) == failed || errors.Join(errs[failed:]...) == nil {
			s.sets.settled(app.ID, merges)
		}
	}
	return errors.Join(errs...)
}

// calculate makes the members of a cohort what its definition selects now; those of a manual one follow merges and deletions.
func (s *service) calculate(ctx context.Context, app *model.App, id string, progress func(done, total int64)) error {
	d, err := spec().In(s.docs, app.ID).Get(ctx, id)
	if err != nil {
		return err
	}
	if d.Type == manual {
		return s.settle(ctx, app, d)
	}
	var unless func(Cohort) bool
	was := d.Scheduled
	d.Scheduled, err = s.follow(ctx, app, d, progress)
	switch {
	case err != nil:
		return err
	case d.Scheduled == "" && s.taps.Holds(app.ID):
		return nil
	case d.Scheduled == "" && was == ofMemory:
		d.Scheduled = ofMemory // by the server that projects the app
	case d.Scheduled == "":
		// The server that projects the app follows the cohort and stores it. Until it has for the first time there are members by what is stored.
		unless = func(d Cohort) bool { return d.Calculated != 0 }
		if unless(d) {
			return nil
		}
	}
	now := s.now()
	q, err := s.compile(ctx, app, now, d)
	if err != nil {
		return err
	}
	users, err := s.rows.Select(ctx, app.ID, q, progress)
	if err != nil {
		return errors.Join(err, s.failed(context.WithoutCancel(ctx), app.ID, d))
	}
	if err := s.keepUnless(ctx, app, d, unless, func(*roaring.Bitmap) *roaring.Bitmap { return users }); err != nil {
		return err
	}
	after, err := spec().In(s.docs, app.ID).Get(ctx, id)
	switch {
	case docs.IsNotFound(err): // it was deleted meanwhile
		return nil
	case err != nil || after.Hash == d.Hash:
		return err
	}
	// It was edited meanwhile, so these members were not stored. The edit started no task of its own, because this one was running.
	return s.calculate(ctx, app, id, progress)
}

// follow makes a cohort live, or returns why it is calculated on schedule. One of an app that another server projects it leaves to that.
func (s *service) follow(ctx context.Context, app *model.App, d Cohort, progress func(done, total int64)) (reason string, err error) {
	_, reason, err = s.parts(ctx, app.ID, d)
	switch {
	case err != nil:
		return "", err
	case reason != "":
		s.live.leave(app.ID, d.ID)
		return reason, nil
	case s.live.refused(app.ID, d):
		return ofMemory, nil
	case !s.taps.Holds(app.ID):
		return "", nil
	}
	err = s.handOver(ctx, app, []Cohort{d}, progress)
	if errors.Is(err, errMemory) {
		s.live.refuse(app.ID, d)
		return ofMemory, nil
	}
	if err != nil {
		return "", errors.Join(err, s.failed(context.WithoutCancel(ctx), app.ID, d))
	}
	return "", s.persist(ctx, app)
}

// failed notes that a cohort could not be calculated.
func (s *service) failed(ctx context.Context, app model.AppID, was Cohort) error {
	_, err := spec().In(s.docs, app).Update(ctx, was.ID, func(d *Cohort) error {
		if d.Hash == was.Hash {
			d.State = stateError
		}
		return nil
	})
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// settle replaces merged users of a manual cohort by those they were merged into, and takes out those who are no more.
func (s *service) settle(ctx context.Context, app *model.App, d Cohort) error {
	before, err := load(ctx, s.docs, app.ID, d.ID)
	if err != nil {
		return err
	}
	there, err := s.tables.Members(ctx, app.ID, query.Membership{}, func(int64, int64) {})
	if err != nil {
		return err
	}
	into := map[uint32]uint32{}
	missing := roaring.AndNot(before, there)
	for at := missing.Iterator(); at.HasNext(); {
		uid := at.Next()
		p, err := s.profiles.ByUID(ctx, app.ID, uid)
		if err != nil && !errors.Is(err, profile.ErrNotFound) {
			return err
		}
		if err == nil {
			into[uid] = p.UID
		}
	}
	return s.keep(ctx, app, d, func(now *roaring.Bitmap) *roaring.Bitmap {
		out := roaring.AndNot(now, missing)
		for from, to := range into {
			if now.Contains(from) {
				out.Add(to)
			}
		}
		return out
	})
}

// members returns the members of a cohort as they are now, the caller's own.
func (s *service) members(ctx context.Context, app model.AppID, d Cohort) (*roaring.Bitmap, error) {
	if of, held := s.live.members(ctx, app, d); held {
		return of, nil
	}
	return load(ctx, s.docs, app, d.ID)
}

// load reads the members of a cohort; none when it has not been calculated.
func load(ctx context.Context, h docs.Handle, app model.AppID, id string) (*roaring.Bitmap, error) {
	out, _, err := loadFrom(ctx, h, app, id)
	return out, err
}

// loadFrom is load, with members.From.
func loadFrom(ctx context.Context, h docs.Handle, app model.AppID, id string) (out *roaring.Bitmap, from uint64, err error) {
	out = roaring.New()
	m, err := membersSpec().In(h, app).Get(ctx, id)
	if docs.IsNotFound(err) {
		return out, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	bits, err := base64.StdEncoding.DecodeString(m.Bits)
	if err != nil {
		return nil, 0, fmt.Errorf("members of cohort %s: %w", id, err)
	}
	if err := out.UnmarshalBinary(bits); err != nil {
		return nil, 0, fmt.Errorf("members of cohort %s: %w", id, err)
	}
	return out, m.From, nil
}

// put stores the members of a cohort.
func put(ctx context.Context, tx docs.Handle, app model.AppID, id string, from uint64, after *roaring.Bitmap) error {
	bits, err := after.ToBytes()
	if err != nil {
		return err
	}
	return membersSpec().In(tx, app).Put(ctx, members{id, base64.StdEncoding.EncodeToString(bits), from})
}

// keep stores the members of a cohort that fn makes of those it has, which it does not change, with its size and history, unless the cohort
// was given other conditions, or deleted, since was was read.
func (s *service) keep(ctx context.Context, app *model.App, was Cohort, fn func(*roaring.Bitmap) *roaring.Bitmap) error {
	return s.keepUnless(ctx, app, was, nil, fn)
}

// keepUnless is keep, and stores nothing where unless, which may be nil, says so of the cohort as it is.
func (s *service) keepUnless(ctx context.Context, app *model.App, was Cohort, unless func(Cohort) bool, fn func(*roaring.Bitmap) *roaring.Bitmap) error {
	cal, _ := s.zones.Get(app.Timezone)
	now := s.now().UnixMilli()
	today := cal.DayBucket(now)
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		d, err := spec().In(tx, app.ID).Get(ctx, was.ID)
		if err != nil {
			return err
		}
		if d.Hash != was.Hash || unless != nil && unless(d) {
			return nil
		}
		before, from, err := loadFrom(ctx, tx, app.ID, was.ID)
		if err != nil {
			return err
		}
		after := fn(before)
		if !after.Equals(before) {
			if err := put(ctx, tx, app.ID, was.ID, from, after); err != nil {
				return err
			}
			d.Rev++
		}
		d.Scheduled = was.Scheduled
		d.State, d.Calculated, d.Result = stateCompleted, now, int64(after.GetCardinality()) // numbers of users are of 32 bits
		if err := spec().In(tx, app.ID).Put(ctx, d); err != nil {
			return err
		}
		in, out := roaring.AndNot(after, before).GetCardinality(), roaring.AndNot(before, after).GetCardinality()
		return note(ctx, tx, app.ID, was.ID, today, day{d.Result, int64(in), int64(out)})
	})
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// note adds what changed to the history of a cohort.
func note(ctx context.Context, tx docs.Handle, app model.AppID, id string, on period.Day, change day) error {
	year, month, date := on.Date()
	key := fmt.Sprintf("%d:%d", year, month)
	col := historySpec().In(tx, app)
	h, err := col.Get(ctx, id+"_"+key)
	if docs.IsNotFound(err) {
		h, err = history{ID: id + "_" + key, Cohort: id, Month: key, Days: map[int]day{}}, nil
	}
	if err != nil {
		return err
	}
	change.Entered += h.Days[date].Entered
	change.Left += h.Days[date].Left
	h.Days[date] = change
	return col.Put(ctx, h)
}

// without takes users out of all cohorts of an app.
func (s *service) without(ctx context.Context, id model.AppID, uids []uint32) error {
	s.live.forget(id, uids)
	at := slices.IndexFunc(s.apps(), func(a *model.App) bool { return a.ID == id })
	if at < 0 {
		return nil
	}
	app, gone := s.apps()[at], roaring.BitmapOf(uids...)
	list, err := spec().In(s.docs, id).All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	for _, d := range list {
		has, err := load(ctx, s.docs, id, d.ID)
		if err != nil {
			return err
		}
		if _, held := s.live.members(ctx, id, d); held || !has.Intersects(gone) {
			continue
		}
		err = s.keep(ctx, app, d, func(now *roaring.Bitmap) *roaring.Bitmap { return roaring.AndNot(now, gone) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *service) usersDeleted(ctx context.Context, ev topic.UsersDeleted) error {
	return s.without(ctx, ev.App, ev.UIDs)
}

func (s *service) usersErased(ctx context.Context, ev topic.UsersErased) error {
	err := s.without(ctx, ev.App, ev.UIDs)
	if app := s.appOf(ev.App); app != nil {
		err = errors.Join(err, s.persist(ctx, app))
	}
	return err
}

// held is that users belong to a cohort.
type held struct {
	Cohort string   `json:"cohort"`
	Name   string   `json:"name"`
	UIDs   []uint32 `json:"uids"`
}

// ofUsers calls fn for each cohort that one of the users belongs to.
func (s *service) ofUsers(ctx context.Context, app model.AppID, uids []uint32, fn func(doc any) error) error {
	list, err := spec().In(s.docs, app).All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	for _, d := range list {
		has, err := s.members(ctx, app, d)
		if err != nil {
			return err
		}
		these := roaring.And(has, roaring.BitmapOf(uids...))
		if these.IsEmpty() {
			continue
		}
		if err := fn(held{d.ID, d.Name, these.ToArray()}); err != nil {
			return err
		}
	}
	return nil
}

// appDeleted removes the cohorts of an app that is no more.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	if err != nil {
		return err
	}
	s.live.drop(ev.App)
	return s.emptied(ctx, ev.App)
}

func (s *service) emptied(ctx context.Context, app model.AppID) error {
	if _, err := membersSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := historySpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	return err
}

// appReset takes the members and the history from all cohorts of an app whose data are no more; the definitions stay.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	list, err := spec().In(s.docs, ev.App).All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	for _, d := range list {
		_, err := spec().In(s.docs, ev.App).Update(ctx, d.ID, func(d *Cohort) error {
			d.Result, d.Rev = 0, d.Rev+1
			return nil
		})
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	defer s.live.rebase(ev.App)
	return s.emptied(ctx, ev.App)
}

// memberDeleted deletes the cohorts that nobody sees any more.
func (s *service) memberDeleted(ctx context.Context, ev topic.MemberDeleted) error {
	q := docs.Query{Where: []docs.Cond{docs.Eq("creator", ev.Member.String()), docs.Eq(".visibility", private)}}
	var own []docs.Found[Cohort]
	for f, err := range spec().AcrossApps(s.docs, "a member's own cohorts lie in every app they used").List(ctx, q) {
		if err != nil {
			return err
		}
		if len(f.Doc.Shared) == 0 {
			own = append(own, f)
		}
	}
	for _, f := range own {
		err := s.docs.Tx(ctx, func(tx docs.Handle) error {
			if err := forget(ctx, tx, f.App, f.Doc.ID); err != nil {
				return err
			}
			return spec().In(tx, f.App).Delete(ctx, f.Doc.ID)
		})
		s.live.leave(f.App, f.Doc.ID)
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}
