package eventstest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// naive is the model: what a store must hold, kept in the plainest way.
type naive struct {
	off  uint64
	apps map[model.AppID]*naiveApp
}

type naiveApp struct {
	rows     []events.Row
	requests []events.RequestRow
	states   []events.State
	users    map[uint32]bool
	uids     uint32 // numbers given out
	number   uint32 // states given out
}

func (n *naive) app(id model.AppID) *naiveApp {
	a := n.apps[id]
	if a == nil {
		a = &naiveApp{users: map[uint32]bool{}}
		n.apps[id] = a
	}
	return a
}

func (a *naiveApp) contents() Contents {
	c := Contents{Rows: a.rows, Requests: a.requests, States: a.states, Users: slices.Sorted(maps.Keys(a.users))}
	if len(c.States) == 0 { // a user may be without one
		c.States = nil
	}
	return c
}

func (a *naiveApp) eachUID(fn func(uid *uint32)) {
	for i := range a.rows {
		fn(&a.rows[i].UID)
	}
	for i := range a.requests {
		fn(&a.requests[i].UID)
	}
	for i := range a.states {
		fn(&a.states[i].UID)
	}
}

// generator makes random batches and removals.
type generator struct {
	r *rand.Rand
	n *naive
}

// batch makes a batch over some apps and applies it to the model.
func (g *generator) batch(ids []model.AppID) *events.Batch {
	b := &events.Batch{Apps: map[model.AppID]*events.AppBatch{}}
	for range g.r.IntN(12) {
		g.n.off++
		id := ids[g.r.IntN(len(ids))]
		a, ab := g.n.app(id), b.Apps[id]
		if ab == nil {
			ab = &events.AppBatch{Rewrites: map[uint32]uint32{}}
			b.Apps[id] = ab
		}
		g.record(a, ab)
	}
	b.Watermark = At(g.n.off)
	return b
}

// record adds what one journal record gives.
func (g *generator) record(a *naiveApp, b *events.AppBatch) {
	r, off := g.r, g.n.off
	live := slices.Sorted(maps.Keys(a.users))
	uid := a.uids + 1
	if len(live) > 0 && r.IntN(3) > 0 {
		uid = live[r.IntN(len(live))]
	} else {
		a.uids++
	}
	a.users[uid] = true
	b.Users = append(b.Users, &model.Profile{UID: uid, DID: fmt.Sprint(off)})
	for item := range uint32(r.IntN(4)) {
		row := events.Row{
			Offset: off, Item: item, TS: r.Int64(), Key: []string{events.CustomKey, "[CLY]_view"}[r.IntN(2)], Name: fmt.Sprint("e", r.IntN(3)),
			UID: uid, Session: r.Uint64(), Count: r.Int64(), Sum: r.NormFloat64(),
		}
		for i := range row.Text {
			if r.IntN(8) == 0 {
				row.Text[i] = new(fmt.Sprint("v", r.IntN(9)))
			}
		}
		if r.IntN(2) == 0 {
			row.Num[r.IntN(len(row.Num))] = new(r.NormFloat64())
		}
		if r.IntN(4) == 0 {
			row.Extra = `{"x":1}`
		}
		b.Rows, a.rows = append(b.Rows, row), append(a.rows, row)
	}
	req := events.RequestRow{Offset: off, UID: uid, Dur: r.Float64()}
	b.Requests, a.requests = append(b.Requests, req), append(a.requests, req)
	if r.IntN(2) == 0 {
		a.number++
		st := events.State{Number: a.number, Offset: off, UID: uid, JSON: `{"up.p":"x"}`}
		b.States, a.states = append(b.States, st), append(a.states, st)
	}
	if len(live) > 1 && r.IntN(4) == 0 { // a merge
		from, to := live[r.IntN(len(live))], uid
		if from != to {
			b.Rewrites[from] = to
			b.Gone = append(b.Gone, from)
			delete(a.users, from)
			a.eachUID(func(u *uint32) {
				if *u == from {
					*u = to
				}
			})
		}
	}
}

// removal makes a random removal, applied to the model; run repeats it on a store.
func (g *generator) removal(id model.AppID) (name string, run func(context.Context, Store) error) {
	g.n.off++
	a, w := g.n.app(id), At(g.n.off)
	switch g.r.IntN(4) {
	case 0:
		*a = naiveApp{users: map[uint32]bool{}, uids: a.uids, number: a.number}
		return "drop", func(ctx context.Context, s Store) error { return s.DropApp(ctx, id, w) }
	case 1:
		key := fmt.Sprint("e", g.r.IntN(3))
		a.rows = slices.DeleteFunc(a.rows, func(r events.Row) bool { return r.Key == events.CustomKey && r.Name == key })
		return "delete event " + key, func(ctx context.Context, s Store) error { return s.DeleteEvents(ctx, id, []string{key}, w) }
	case 2:
		slots := []schema.Slot{{Kind: schema.Text, Index: 3}, {Kind: schema.JSON}}
		for i := range a.rows {
			if r := &a.rows[i]; r.Key == "[CLY]_view" {
				r.Text[2], r.Extra = nil, ""
			}
		}
		return "clear", func(ctx context.Context, s Store) error { return s.ClearProperty(ctx, id, "[CLY]_view", slots, "x", w) }
	default:
		uid := 1 + g.r.Uint32N(a.uids+1)
		gone := func(u uint32) bool { return u == uid }
		a.rows = slices.DeleteFunc(a.rows, func(r events.Row) bool { return gone(r.UID) })
		a.requests = slices.DeleteFunc(a.requests, func(r events.RequestRow) bool { return gone(r.UID) })
		a.states = slices.DeleteFunc(a.states, func(r events.State) bool { return gone(r.UID) })
		delete(a.users, uid)
		return fmt.Sprint("delete user ", uid), func(ctx context.Context, s Store) error { return s.DeleteUsers(ctx, id, []uint32{uid}, w) }
	}
}

func random(t *testing.T, open Opener) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	ctx := context.Background()
	ids := []model.AppID{appA, appB, {0xcc, 3}}
	for i := range byte(9) { // ids that differ in one bit only, none of them and all
		ids = append(ids, model.AppID{11: 1 << i})
	}
	ids = append(ids, model.AppID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	g := &generator{r: rand.New(rand.NewPCG(seed, 0)), n: &naive{apps: map[model.AppID]*naiveApp{}}}
	s, reopen := open(t)
	for step := range 120 {
		var (
			name string
			run  func(context.Context, Store) error
		)
		if g.r.IntN(6) == 0 {
			name, run = g.removal(ids[g.r.IntN(len(ids))])
		} else {
			b := g.batch(ids)
			name, run = "batch", func(ctx context.Context, s Store) error { return s.Commit(ctx, b) }
		}
		must(t, run(ctx, s))
		if g.r.IntN(3) == 0 {
			must(t, run(ctx, s)) // as after a crash between the two commits of a batch
		}
		if g.r.IntN(20) == 0 {
			s = reopen()
		}
		if step%10 == 0 || step == 119 {
			t.Logf("step %d: %s", step, name)
			for _, id := range ids {
				equal(t, s, id, g.n.app(id).contents())
			}
			watermark(t, s, g.n.off)
		}
	}
}
