package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
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
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/profile"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// node is a worker of a state in PostgreSQL whose outbox is moved to ClickHouse.
type node struct {
	w *postgres.Worker
	o *outbox.Outbox
}

// take makes a node that has all partitions, which others may have held.
func take(t *testing.T, d *postgres.DB, c *ch.Client, before *node, change ...func(*clickhouse.Options)) *node {
	t.Helper()
	if before != nil {
		if err := d.Release(t.Context(), before.w.Leases()); err != nil {
			t.Fatal(err)
		}
	}
	leases, err := d.Claim(t.Context(), "test", 16, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	n := &node{}
	if n.w, err = d.Worker(t.Context(), leases, postgres.WorkerOptions{}); err != nil {
		t.Fatal(err)
	}
	n.o, err = outbox.New(outbox.Options{
		Store: n.w, Events: open(t, c, n.w.Ledger(), change...), Profiles: n.w.Profiles(), Log: slog.New(slog.DiscardHandler), Now: time.Now, MoveRows: 20,
	})
	if err == nil {
		err = n.o.Load(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// record projects one record of a partition: rows of an app, and one more session of its user.
func (n *node) record(t *testing.T, app model.AppID, at journal.Position, rows int) (added eventstest.Contents) {
	t.Helper()
	id := model.ProfileID{1}
	p, err := n.w.Profiles().Load(app, id)
	if errors.Is(err, profile.ErrNotFound) {
		p, err = &model.Profile{ID: id, UID: 1}, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Sessions++
	if err := n.w.Profiles().Put(app, p); err != nil {
		t.Fatal(err)
	}
	for item := range uint32(rows) { // few
		added.Rows = append(added.Rows, events.Row{Offset: at.Place(), Item: item, Key: events.CustomKey, Name: fmt.Sprint("e", at.Offset), UID: 1})
	}
	added.Requests = []events.RequestRow{{Offset: at.Place(), UID: 1}}
	added.States = []events.State{{Number: uint32(at.Offset), Offset: at.Place(), UID: 1}} // few
	c := &state.Change{Watermark: at.Watermark()}
	var queued, flushed func(bool)
	c.Rows, queued = n.o.Put(at, map[model.AppID]*outbox.Part{app: {Rows: outbox.Pack(added.Rows...), Requests: added.Requests, States: added.States, Users: []model.ProfileID{id}}})
	if c.Profiles, flushed, err = n.w.Profiles().Flush(); err != nil {
		t.Fatal(err)
	}
	c.OnEnd(queued)
	c.OnEnd(flushed)
	if err := n.w.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return added
}

// TestRowsTravelOnce moves the outbox of a state in PostgreSQL to ClickHouse while requests are cut, answers are lost and partitions change hands between any two
// steps, with nodes that lost theirs and go on all the same: every row is there once, every user is as he was last, and what was removed is gone.
func TestRowsTravelOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0)) // not for secrets
	d, err := postgres.Open(t.Context(), postgres.Options{DSN: pgtest.Shared(t).Database(t), Partitions: 2, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	apps := []model.AppID{}
	for i := byte(0); len(apps) < 2; i++ { // one of each partition
		if id := (model.AppID{0: 9, 11: i}); int(d.Partition(id)) == len(apps) {
			apps = append(apps, id)
		}
	}
	now, old, faults := take(t, d, c, nil), []*node{}, 0
	chance := rand.New(rand.NewPCG(seed, 1))
	plan := func(chtest.Request) chtest.Fault { // one call at a time
		switch chance.IntN(12) {
		case 0:
			faults++
			return chtest.Cut
		case 1:
			faults++
			return chtest.Lost
		}
		return chtest.None
	}
	server.Faults(plan)
	allowed := func(err error) {
		t.Helper()
		code := fault.CodeOf(err)
		if err != nil && !errors.Is(err, state.ErrLost) && code != "clickhouse.unreachable" && code != "clickhouse.unfinished" {
			t.Fatal(err)
		}
	}
	want, at := make([]eventstest.Contents, 2), []uint64{0, 0}
	hand := func() { // to another node; the one before goes on
		server.Faults(nil)
		old = append(old, now)
		now = take(t, d, c, now)
		server.Faults(plan)
	}
	for range 80 {
		n := r.IntN(2)
		switch r.IntN(10) {
		case 0:
			hand()
		case 1, 2:
			if len(old) > 0 {
				allowed(old[r.IntN(len(old))].o.DrainAll(t.Context()))
			}
		case 3, 4:
			allowed(now.o.DrainAll(t.Context()))
		case 5:
			if r.IntN(3) > 0 {
				continue
			}
			at[n]++
			w := journal.Watermark{uint16(n): at[n]} // two
			for done := false; !done; {
				err := now.o.Exclusive(t.Context(), func(ctx context.Context, to events.Writer) error { return to.DropApp(ctx, apps[n], w) })
				allowed(err)
				if done = err == nil; !done && r.IntN(3) == 0 {
					hand()
				}
			}
			if err := now.w.Commit(t.Context(), &state.Change{Watermark: w}); err != nil {
				t.Fatal(err)
			}
			want[n] = eventstest.Contents{}
		default:
			at[n]++
			added := now.record(t, apps[n], journal.Position{Partition: uint16(n), Offset: at[n]}, r.IntN(15)) // two
			want[n].Rows = append(want[n].Rows, added.Rows...)
			want[n].Requests = append(want[n].Requests, added.Requests...)
			want[n].States = append(want[n].States, added.States...)
			want[n].Users = []uint32{1}
		}
	}
	server.Faults(nil)
	for _, o := range append(old, now) {
		err := o.o.DrainAll(t.Context())
		if allowed(err); o == now && err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, c, now.w.Ledger())
	for n, app := range apps {
		if diff := cmp.Diff(want[n], eventstest.Dump(t, s, app), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("app %d (-want +got):\n%s", n, diff)
		}
		if len(want[n].Users) == 0 {
			continue
		}
		p, err := now.w.Profiles().Get(t.Context(), app, model.ProfileID{1})
		if err != nil {
			t.Fatal(err)
		}
		if got := count(t, c, app); got != p.Sessions {
			t.Errorf("app %d: the user has %d sessions in the users table, %d in the profile", n, got, p.Sessions)
		}
	}
	if faults == 0 || len(old) == 0 {
		t.Errorf("%d faults, %d nodes", faults, len(old))
	}
}

// count returns the sessions of the app's user.
func count(t *testing.T, c *ch.Client, app model.AppID) (n int64) {
	t.Helper()
	st := ch.Statement{SQL: "SELECT sc FROM users WHERE app = ?", Args: []any{app.String()}, Settings: map[string]string{"final": "1"}}
	if err := c.Each(t.Context(), st, func(b *ch.Block, row int) error { n += b.Columns[0].Whole[row]; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}
