package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// population is the naive model of an app whose users are merged.
type population struct {
	app    model.AppID
	at     journal.Position // of the last record
	alive  []uint32
	uids   uint32 // numbers given out
	states uint32
	eventstest.Contents
}

func (p *population) eachUID(fn func(*uint32)) {
	for i := range p.Rows {
		fn(&p.Rows[i].UID)
	}
	for i := range p.Requests {
		fn(&p.Requests[i].UID)
	}
	for i := range p.States {
		fn(&p.States[i].UID)
	}
}

// batch projects some records of the app on a node: users who come, do something, and are merged into others.
func (p *population) batch(t *testing.T, n *node, r *rand.Rand) {
	t.Helper()
	part := &outbox.Part{Rewrites: map[uint32]uint32{}}
	first := len(p.Rows)
	firstRequest, firstState := len(p.Requests), len(p.States)
	for range 1 + r.IntN(3) {
		p.at.Offset++
		if len(p.alive) < 3 || r.IntN(3) == 0 {
			p.uids++
			p.alive = append(p.alive, p.uids)
			u := &model.Profile{ID: profileOf(p.uids), UID: p.uids}
			if err := n.w.Profiles().Put(p.app, u); err != nil {
				t.Fatal(err)
			}
			part.Users = append(part.Users, u.ID)
		}
		for item := range uint32(1 + r.IntN(4)) { // few
			uid := p.alive[r.IntN(len(p.alive))]
			p.Rows = append(p.Rows, events.Row{
				Offset: p.at.Place(), Item: item, TS: 86_400_000 * r.Int64N(3), Key: events.CustomKey, Name: fmt.Sprint("load", r.IntN(2)), UID: uid, Count: 1,
			})
			p.Requests = append(p.Requests, events.RequestRow{Offset: p.at.Place(), Item: item, UID: uid})
		}
		if r.IntN(2) == 0 {
			p.states++
			p.States = append(p.States, events.State{Number: p.states, Offset: p.at.Place(), UID: p.alive[r.IntN(len(p.alive))]})
		}
		if r.IntN(2) == 0 && len(p.alive) > 1 {
			p.merge(t, n, r, part)
		}
	}
	part.Rows, part.Requests, part.States = outbox.Pack(p.Rows[first:]...), p.Requests[firstRequest:], p.States[firstState:]
	c := &state.Change{Watermark: p.at.Watermark()}
	var queued, flushed func(bool)
	c.Rows, queued = n.o.Put(p.at, map[model.AppID]*outbox.Part{p.app: part})
	var err error
	if c.Profiles, flushed, err = n.w.Profiles().Flush(); err != nil {
		t.Fatal(err)
	}
	c.OnEnd(queued)
	c.OnEnd(flushed)
	if err := n.w.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// merge merges a user into another.
func (p *population) merge(t *testing.T, n *node, r *rand.Rand, part *outbox.Part) {
	t.Helper()
	r.Shuffle(len(p.alive), func(i, j int) { p.alive[i], p.alive[j] = p.alive[j], p.alive[i] })
	last := len(p.alive) - 1
	old, to := p.alive[last], p.alive[0]
	p.alive = p.alive[:last]
	if err := n.w.Profiles().Delete(p.app, profileOf(old)); err != nil {
		t.Fatal(err)
	}
	for from, at := range part.Rewrites {
		if at == old {
			part.Rewrites[from] = to
		}
	}
	part.Rewrites[old], part.Gone = to, append(part.Gone, old)
	p.eachUID(func(uid *uint32) {
		if *uid == old {
			*uid = to
		}
	})
}

func profileOf(uid uint32) model.ProfileID {
	return model.ProfileID{byte(uid >> 8), byte(uid), 7}
}

// figures are the users of events by name and day, as a plan counts them.
type figures map[string]int64

func (p *population) figures() figures {
	seen := map[string]map[uint32]bool{}
	for i := range p.Rows {
		key := fmt.Sprint(p.Rows[i].Name, " ", p.Rows[i].TS)
		if seen[key] == nil {
			seen[key] = map[uint32]bool{}
		}
		seen[key][p.Rows[i].UID] = true
	}
	out := figures{}
	for key, users := range seen {
		out[key] = int64(len(users))
	}
	return out
}

func countUsers(t *testing.T, s *clickhouse.Store, app model.AppID) figures {
	t.Helper()
	out := figures{}
	q := &plan.Query{App: app, From: plan.Events, Select: []plan.Expr{plan.Ev("n"), plan.Ev("ts"), plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}}}
	err := s.Run(t.Context(), q, func(row events.Scanner) error {
		var name string
		var ts, n int64
		err := row.Scan(&name, &ts, &n)
		out[fmt.Sprint(name, " ", ts)] = n
		return err
	})
	if err != nil && !errors.Is(err, events.ErrNoApp) {
		t.Fatal(err)
	}
	return out
}

// TestMergedUsersTravel merges users, in chains too, while their rows are on the way, with few merges to a rewrite of rows: requests are cut, answers are lost, partitions
// change hands between any two steps, nodes that lost theirs go on, rows of sendings get lost, and users are deleted. Users by event and day are those of the naive model, and
// those who were merged are gone.
func TestMergedUsersTravel(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	pg := pgtest.Shared(t)
	for _, seed := range []uint64{15643388847175689917, rand.Uint64()} { // the first found merges lost
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { mergedUsersTravel(t, seed, server, pg.Database(t)) }) {
			break
		}
	}
}

func mergedUsersTravel(t *testing.T, seed uint64, server *chtest.Server, dsn string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0)) // not for secrets
	d, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Partitions: 2, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	c := server.Client(t)
	apps := []*population{}
	for i := byte(0); len(apps) < 2; i++ { // one of each partition
		if id := (model.AppID{0: 9, 11: i}); int(d.Partition(id)) == len(apps) {
			apps = append(apps, &population{app: id, at: journal.Position{Partition: d.Partition(id)}})
		}
	}
	few := func(o *clickhouse.Options) { o.Merged = 1 + r.IntN(6) }
	now, old, happened := take(t, d, c, nil, few), []*node{}, map[string]int{}
	chance, cuts, losses := rand.New(rand.NewPCG(seed, 1)), 0, 0
	faults := func(chtest.Request) chtest.Fault { // one call at a time
		switch chance.IntN(12) {
		case 0:
			cuts++
			return chtest.Cut
		case 1:
			losses++
			return chtest.Lost
		}
		return chtest.None
	}
	allowed := func(err error) {
		t.Helper()
		code := fault.CodeOf(err)
		if err != nil && !errors.Is(err, state.ErrLost) && code != "clickhouse.unreachable" && code != "clickhouse.unfinished" {
			t.Fatal(err)
		}
	}
	hand := func() { // to another node; the one before goes on
		server.Faults(nil)
		old = append(old, now)
		now = take(t, d, c, now, few)
		server.Faults(faults)
	}
	server.Faults(faults)
	defer server.Faults(nil)
	for range 100 {
		p := apps[r.IntN(2)]
		switch r.IntN(12) {
		case 0:
			hand()
		case 1, 2:
			if len(old) > 0 {
				allowed(old[r.IntN(len(old))].o.DrainAll(t.Context()))
			}
		case 3, 4, 5:
			allowed(now.o.DrainAll(t.Context()))
		case 6: // a power cut takes rows of what is on its way
			server.Faults(nil)
			noted, err := now.w.Ledger().Noted(t.Context(), p.at.Partition)
			if err == nil && noted.Through > 0 {
				happened["rows lost"]++
				after := journal.Position{Partition: noted.Partition, Offset: noted.After}.Place()
				through := journal.Position{Partition: noted.Partition, Offset: noted.Through}.Place()
				err = c.Change(t.Context(), ch.Change{Table: "events", Do: "DELETE", Where: "off > ? AND off <= ? AND item = 0", Args: []any{after, through}})
			}
			if err != nil {
				t.Fatal(err)
			}
			server.Faults(faults)
		case 7:
			if r.IntN(4) > 0 || len(p.alive) < 2 {
				continue
			}
			happened["users deleted"]++
			p.at.Offset++
			gone := p.alive[0]
			p.alive = p.alive[1:]
			for done := false; !done; {
				err := now.o.Exclusive(t.Context(), func(ctx context.Context, to events.Writer) error {
					return to.DeleteUsers(ctx, p.app, []uint32{gone}, p.at.Watermark())
				})
				allowed(err)
				if done = err == nil; !done && r.IntN(3) == 0 {
					hand()
				}
			}
			if err := now.w.Profiles().Delete(p.app, profileOf(gone)); err != nil {
				t.Fatal(err)
			}
			change := &state.Change{Watermark: p.at.Watermark()}
			var flushed func(bool)
			if change.Profiles, flushed, err = now.w.Profiles().Flush(); err != nil {
				t.Fatal(err)
			}
			change.OnEnd(flushed)
			if err := now.w.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			p.Rows = slices.DeleteFunc(p.Rows, func(r events.Row) bool { return r.UID == gone })
			p.Requests = slices.DeleteFunc(p.Requests, func(r events.RequestRow) bool { return r.UID == gone })
			p.States = slices.DeleteFunc(p.States, func(s events.State) bool { return s.UID == gone })
		default:
			p.batch(t, now, r)
		}
	}
	server.Faults(nil)
	for _, n := range append(old, now) {
		err := n.o.DrainAll(t.Context())
		if allowed(err); n == now && err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, c, now.w.Ledger())
	for i, p := range apps {
		p.Users = slices.Sorted(slices.Values(p.alive))
		if diff := cmp.Diff(p.figures(), countUsers(t, s, p.app), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("app %d, users by event and day (-want +got):\n%s", i, diff)
		}
		if diff := cmp.Diff(p.Contents, eventstest.Dump(t, s, p.app), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("app %d (-want +got):\n%s", i, diff)
		}
	}
	if cuts == 0 || losses == 0 || len(old) == 0 {
		t.Errorf("%d requests cut, %d answers lost, %d nodes", cuts, losses, len(old))
	}
	t.Logf("%d requests cut, %d answers lost, %d nodes, %v", cuts, losses, len(old), happened)
}
