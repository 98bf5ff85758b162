package crashes

import (
	"cmp"
	"context"
	"slices"
	"time"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/settings"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// The settings of an app that say which groups are spreading: those that were reported by at least so many percent of the sessions of the last
// minutes, and by no fewer than so many sessions.
const (
	settingPercent  = "velocity_percent"
	settingMinutes  = "velocity_minutes"
	settingSessions = "velocity_sessions"
)

func declareVelocity(s *settings.Store) {
	s.Declare(feature, settingPercent, settings.Setting{Default: 1.0, Min: 0.01, Max: 100, PerApp: true})
	s.Declare(feature, settingMinutes, settings.Setting{Default: 60.0, Min: 5, Max: 24 * 60, PerApp: true})
	s.Declare(feature, settingSessions, settings.Setting{Default: 10.0, Min: 1, Max: 1_000_000, PerApp: true})
}

// maxSpreading is how many groups one answer names.
const maxSpreading = 50

// velocity is which groups are spreading. Sessions are those that began, or sent anything, in the window, Least how many of them a group takes at least.
type velocity struct {
	Minutes  int         `json:"minutes"`
	Percent  float64     `json:"percent"`
	Least    int64       `json:"least"`
	Sessions int64       `json:"sessions"`
	Groups   []spreading `json:"groups"` // the most widespread first
}

// spreading is a group with the sessions of the window that reported it. Share is of 1; First is in seconds, of the window.
type spreading struct {
	ID       string  `json:"_id"`
	Name     string  `json:"name"`
	NonFatal bool    `json:"nonfatal"`
	Sessions int64   `json:"sessions"`
	Users    int64   `json:"users"`
	Share    float64 `json:"share"`
	First    int64   `json:"first"`
}

// velocity answers with the groups that are spreading now. Hidden and resolved ones are left out.
func (s *service) velocity(ctx context.Context, c api.Caller, _ api.None) (velocity, error) {
	app := c.App.ID
	number := func(name string) float64 { return s.settings.AppNumber(c.App, feature, name) }
	out := velocity{Minutes: int(number(settingMinutes)), Percent: number(settingPercent), Groups: []spreading{}}
	within := inSession(c.Now.Add(-time.Duration(out.Minutes)*time.Minute), c.Now)
	q := &plan.Query{App: app, From: plan.Events, Where: within, Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: plan.Ev("session")}}}
	if err := s.tables.Each(ctx, q, func(r events.Scanner) error { return r.Scan(&out.Sessions) }); err != nil {
		return out, err
	}
	out.Least = max(int64(number(settingSessions)), ceil(float64(out.Sessions)*out.Percent/100))
	if out.Sessions < out.Least {
		return out, nil
	}
	hit, err := s.hitBy(ctx, app, within, out.Least)
	if err != nil {
		return out, err
	}
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return out, err
	}
	defer done()
	if hit, err = s.hitTogether(ctx, app, within, out.Least, b, hit); err != nil {
		return out, err
	}
	for _, h := range hit {
		g := b.groups[h.ID]
		if g == nil || g.isHidden() || g.isResolved() || len(out.Groups) >= maxSpreading {
			continue
		}
		h.Name, h.NonFatal, h.Share = g.name, g.nonfatal, float64(h.Sessions)/float64(out.Sessions)
		out.Groups = append(out.Groups, h)
	}
	return out, nil
}

// closedKey is the key of rows that say that a session ended, which may be long after it did anything.
const closedKey = "[CLY]_session"

// inSession selects what sessions did from a moment to another.
func inSession(from, to time.Time) plan.Expr {
	return plan.All(
		plan.Do(plan.Ge, plan.Ev("ts"), plan.Is(from.UnixMilli())), plan.Do(plan.Lt, plan.Ev("ts"), plan.Is(to.UnixMilli()+1)),
		plan.Do(plan.Gt, plan.Ev("session"), plan.Is(int64(0))), plan.Do(plan.Ne, plan.Ev("e"), plan.Is(closedKey)),
	)
}

// hitBy returns the groups that at least so many sessions reported, the most widespread first.
func (s *service) hitBy(ctx context.Context, app model.AppID, within plan.Expr, least int64) (out []spreading, err error) {
	sessions := plan.Agg{Fn: plan.Distinct, Of: plan.Ev("session")}
	name := plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is(""))
	q := &plan.Query{
		App: app, From: plan.Events, Having: plan.Do(plan.Ge, sessions, plan.Is(least)),
		Where:  plan.All(within, plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.Do(plan.Ne, name, plan.Is(""))),
		Select: []plan.Expr{name, sessions, plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}, plan.Agg{Fn: plan.Min, Of: plan.Ev("ts")}},
	}
	err = s.tables.Each(ctx, q, func(r events.Scanner) error {
		var h spreading
		err := r.Scan(&h.ID, &h.Sessions, &h.Users, &h.First)
		h.First = seconds(h.First)
		out = append(out, h)
		return err
	})
	slices.SortFunc(out, widest)
	return out, err
}

// widest is the order in which groups that spread are shown.
func widest(x, y spreading) int {
	return cmp.Or(cmp.Compare(y.Sessions, x.Sessions), cmp.Compare(x.ID, y.ID))
}

// hitTogether replaces what hit says of signatures that share a group, or have one of another name, by what is true of the groups.
func (s *service) hitTogether(ctx context.Context, app model.AppID, within plan.Expr, least int64, b *book, hit []spreading) ([]spreading, error) {
	var shared []string
	of := map[string]bool{}
	for id, g := range b.groups {
		if g.variants == nil {
			continue
		}
		for _, v := range g.variants {
			of[v] = true
		}
		of[id] = true
		shared = append(shared, g.variants...)
	}
	if len(shared) == 0 {
		return hit, nil
	}
	hit = slices.DeleteFunc(hit, func(h spreading) bool { return of[h.ID] })
	type seen struct {
		sessions, users map[int64]bool
		first           int64
	}
	groups := map[string]*seen{}
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(within, signed(shared)),
		Select: []plan.Expr{plan.Ev("n"), plan.Ev("session"), plan.Ev("uid"), plan.Agg{Fn: plan.Min, Of: plan.Ev("ts")}},
	}
	err := s.tables.Each(ctx, q, func(r events.Scanner) error {
		var name string
		var session uint64
		var user uint32
		var first int64
		if err := r.Scan(&name, &session, &user, &first); err != nil {
			return err
		}
		id := b.groupOf(name)
		g := groups[id]
		if g == nil {
			g = &seen{map[int64]bool{}, map[int64]bool{}, first}
			groups[id] = g
		}
		g.sessions[int64(session)], g.users[int64(user)], g.first = true, true, min(g.first, first) // compared for equality only
		return nil
	})
	for id, g := range groups {
		if n := int64(len(g.sessions)); n >= least {
			hit = append(hit, spreading{ID: id, Sessions: n, Users: int64(len(g.users)), First: seconds(g.first)})
		}
	}
	slices.SortFunc(hit, widest)
	return hit, err
}

// ceil is the least whole number that is not smaller; what rounding adds does not count.
func ceil(v float64) int64 {
	n := int64(v)
	if v-float64(n) > 1e-9 {
		n++
	}
	return n
}
