package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/profile"
)

// stateOf is what the row of a profile's user state must be.
type stateOf struct {
	uid  uint32
	hash uint64 // of its JSON as it is stored
}

// profiles compares every profile with the rows of its user.
func (a *appRun) profiles(ctx context.Context) error {
	a.byState = map[uint32]stateOf{}
	open := map[model.ProfileID]profile.OpenSession{}
	list, err := a.openSessions(ctx)
	if err != nil {
		return err
	}
	for _, o := range list {
		open[o.ID] = o
	}
	err = a.s.Profiles.Scan(ctx, a.app.ID, func(p *model.Profile) error {
		a.report.Profiles++
		u := a.user(p.UID)
		if u.known {
			a.differ("profile", name(p), "another with its number", "one")
		}
		u.known = true
		if p.Assigned {
			a.assigned++
		}
		for _, c := range a.counters(p, u) {
			a.differ("profile", name(p)+" "+c.field, c.stored, c.computed)
		}
		a.numbered(ctx, p)
		a.open(p, open)
		a.state(p)
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range open {
		a.differ("open sessions", fmt.Sprintf("user %d", o.UID), "open", "no profile, or none open")
	}
	for uid := range a.users {
		if u := &a.users[uid]; !u.known && u.rows+u.requests > 0 {
			a.differ("rows", fmt.Sprintf("user %d", uid), fmt.Sprintf("%d rows, %d requests", u.rows, u.requests), "no profile")
		}
	}
	if a.assigned > 0 {
		a.note("app %s: a management call set counters of %d profiles, which are not compared", a.app.ID, a.assigned)
	}
	return nil
}

// openSessions lists the open sessions of the app.
func (a *appRun) openSessions(ctx context.Context) ([]profile.OpenSession, error) {
	if a.opened == nil {
		list, err := a.s.Profiles.ExpiredSessions(ctx, math.MaxInt64, math.MaxInt)
		if err != nil {
			return nil, err
		}
		a.opened = map[model.AppID][]profile.OpenSession{}
		for _, o := range list {
			a.opened[o.App] = append(a.opened[o.App], o)
		}
	}
	return a.opened[a.app.ID], nil
}

func name(p *model.Profile) string { return fmt.Sprintf("user %d", p.UID) }

// counter is a figure of a profile that rows tell as well.
type counter struct {
	field            string
	stored, computed any
	agrees           bool
	repair           func() // sets the profile's to what the rows tell
}

// counters returns sc, tsd, fs, ls, fac, lac and both times of the server as far as they
// differ from the rows. A user who was there before rows were dropped has at least what is left.
// What a management call has set is not compared.
func (a *appRun) counters(p *model.Profile, u *tally) []counter {
	if p.Assigned {
		return nil
	}
	whole := a.marks.Dropped == 0 || p.FirstActivity*1000 >= a.marks.Dropped
	most := func(field string, stored *int64, computed int64) counter {
		return counter{field, *stored, computed, *stored == computed || !whole && *stored > computed, func() { *stored = computed }}
	}
	least := func(field string, stored *int64, computed int64) counter {
		agrees := *stored == computed || !whole && (computed == 0 || *stored != 0 && *stored < computed)
		return counter{field, *stored, computed, agrees, func() { *stored = computed }}
	}
	list := []counter{
		most("sc", &p.Sessions, u.sessions),
		{
			"tsd", p.TotalDuration, u.seconds, near(p.TotalDuration, u.seconds, 0) || !whole && p.TotalDuration > u.seconds,
			func() { p.TotalDuration = u.seconds },
		},
		least("fs", &p.FirstSession, u.first),
		most("ls", &p.LastSession, u.last),
		least("fac", &p.FirstActivity, u.active),
		most("lac", &p.LastActivity, u.lastActive),
		// A profile that a management call made is synced before its first request.
		{"first_sync", p.FirstSync, u.synced, u.synced == 0 || p.FirstSync <= u.synced, func() { p.FirstSync = u.synced }},
		{"last_sync", p.LastSync, u.lastSynced, p.LastSync >= u.lastSynced, func() { p.LastSync = u.lastSynced }},
	}
	return slices.DeleteFunc(list, func(c counter) bool { return c.agrees })
}

// Counters calls fn with every profile of an app whose counters differ from the
// rows, with the counters that the rows give. The profile is fn's to keep. Nothing may be written to the event
// store meanwhile; what fn writes to profiles is not looked at again.
func Counters(ctx context.Context, s Stores, app *model.App, fn func(*model.Profile) error) error {
	r := &run{s: s, report: &Report{}}
	a, err := r.open(app, s.Events)
	if err != nil {
		return err
	}
	if err := a.load(ctx); err != nil {
		return err
	}
	if err := a.recount(ctx); err != nil {
		return err
	}
	return s.Profiles.Scan(ctx, app.ID, func(p *model.Profile) error {
		wrong := a.counters(p, a.user(p.UID))
		for _, c := range wrong {
			c.repair()
		}
		if len(wrong) == 0 {
			return nil
		}
		return fn(p)
	})
}

// numbered checks the index of numbers.
func (a *appRun) numbered(ctx context.Context, p *model.Profile) {
	got, err := a.s.Profiles.ByUID(ctx, a.app.ID, p.UID)
	switch {
	case errors.Is(err, profile.ErrNotFound):
		a.differ("numbers", name(p), "leads nowhere", p.ID)
	case err != nil:
		a.differ("numbers", name(p), err, p.ID)
	case got.ID != p.ID:
		a.differ("numbers", name(p), got.ID, p.ID)
	}
}

// open checks the index of open sessions.
func (a *appRun) open(p *model.Profile, index map[model.ProfileID]profile.OpenSession) {
	o, listed := index[p.ID]
	delete(index, p.ID)
	switch {
	case listed != (p.Open.ID != 0):
		a.differ("open sessions", name(p), fmt.Sprintf("listed: %v", listed), fmt.Sprintf("session %d", p.Open.ID))
	case listed && (o.UID != p.UID || o.Seen != p.Open.Seen):
		a.differ("open sessions", name(p), fmt.Sprintf("user %d, seen %d", o.UID, o.Seen), fmt.Sprintf("seen %d", p.Open.Seen))
	}
}

// state notes what the user's state must be.
func (a *appRun) state(p *model.Profile) {
	json, hash := props.State(p, a.s.Features.States()...)
	switch {
	case p.State == 0 && p.StateHash == 0:
		return // made by a management call that set nothing
	case p.StateHash != hash:
		a.differ("profile", name(p)+" state", "the hash of other properties", "the hash of its own")
	}
	if other, twice := a.byState[p.State]; twice {
		a.differ("states", fmt.Sprintf("state %d", p.State), fmt.Sprintf("users %d and %d", other.uid, p.UID), "one user")
	}
	a.byState[p.State] = stateOf{uid: p.UID, hash: xxhash.Sum64String(events.CleanJSON(string(json)))}
}

// states compares the rows of user states with the profiles that are in them.
func (a *appRun) states(ctx context.Context) error {
	err := a.rows.ScanStates(ctx, a.app.ID, 0, func(s *events.State) error {
		a.report.States++
		where := fmt.Sprintf("state %d", s.Number)
		if int(s.UID) >= len(a.users) || !a.users[s.UID].known {
			a.differ("states", where, fmt.Sprintf("of user %d", s.UID), "no profile")
		}
		want, ok := a.byState[s.Number]
		if !ok {
			return nil
		}
		delete(a.byState, s.Number)
		if want.uid != s.UID {
			a.differ("states", where, fmt.Sprintf("of user %d", s.UID), fmt.Sprintf("of user %d", want.uid))
		}
		if xxhash.Sum64String(s.JSON) != want.hash {
			a.differ("states", where, s.JSON, fmt.Sprintf("the properties of user %d", s.UID))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for number, of := range a.byState {
		a.differ("states", fmt.Sprintf("state %d", number), "no row", fmt.Sprintf("user %d is in it", of.uid))
	}
	return nil
}

// mirror compares the users table with the profiles.
func (a *appRun) mirror(ctx context.Context) error {
	seen := make([]bool, len(a.users))
	err := a.rows.ScanUsers(ctx, a.app.ID, func(r events.UserRow) error {
		uid := r.UID()
		where := fmt.Sprintf("user %d", uid)
		if int(uid) >= len(seen) || !a.users[uid].known {
			a.differ("mirror", where, "a row", "no profile")
			return nil
		}
		if seen[uid] {
			a.differ("mirror", where, "another row", "one")
		}
		seen[uid] = true
		p, err := a.s.Profiles.ByUID(ctx, a.app.ID, uid)
		if err != nil {
			return fmt.Errorf("read user %d: %w", uid, err)
		}
		for _, column := range r.Differs(p) {
			a.differ("mirror", where+" "+column, "another value", "that of the profile")
		}
		return nil
	})
	if err != nil {
		return err
	}
	for uid := range seen {
		if a.users[uid].known && !seen[uid] {
			a.differ("mirror", fmt.Sprintf("user %d", uid), "no row", "a profile")
		}
	}
	return nil
}

// sequences compares the sequences of an app with the numbers in use.
func (a *appRun) sequences(ctx context.Context) error {
	s, err := a.s.Profiles.Sequence(ctx, a.app.ID)
	if err != nil {
		return err
	}
	var users int64
	for i := range a.users {
		if a.users[i].known {
			users++
		}
	}
	if s.Users != users {
		a.differ("sequence", "users", s.Users, users)
	}
	if a.lastUID > s.UID {
		a.differ("sequence", "last user number", s.UID, fmt.Sprintf("%d is in use", a.lastUID))
	}
	given := uint64(users) + uint64(len(a.aliases)) + a.marks.Deleted + a.marks.Merged // a count
	if uint64(s.UID) != given {
		a.differ("sequence", "last user number", s.UID,
			fmt.Sprintf("%d users, %d merged, %d merged and rewritten, %d deleted", users, len(a.aliases), a.marks.Merged, a.marks.Deleted))
	}
	return nil
}
