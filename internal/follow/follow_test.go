package follow_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/apps"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// node is a process that follows apps.
type node struct {
	apps *apps.Store
	docs *postgres.Store
}

func newNode(t *testing.T, dsn string, notified bool) *node {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Log: log, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	n := &node{docs: db}
	if n.apps, err = apps.Open(t.Context(), db, hook.NewBus()); err != nil {
		t.Fatal(err)
	}
	var set follow.Set
	set.Add(follow.Follower{Name: "apps", Collections: []string{n.apps.Collection()}, Refresh: n.apps.Refresh})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		var from follow.Notifier
		if notified {
			from = db
		}
		set.Run(ctx, log, from)
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// sees waits until a node knows an app, and returns how long that took.
func (n *node) sees(t *testing.T, id model.AppID) time.Duration {
	t.Helper()
	began := time.Now()
	for n.apps.ByID(id) == nil {
		if time.Since(began) > 30*time.Second {
			t.Fatal("an app that another node made is not seen")
		}
		time.Sleep(200 * time.Microsecond)
	}
	return time.Since(began)
}

func (n *node) create(t *testing.T, name string) model.AppID {
	t.Helper()
	a, err := n.apps.Create(t.Context(), model.App{Name: name, Timezone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// TestNotified makes apps on one node: another sees them well before it would look by itself, and all of many in a row. While its connections
// carry nothing, and when they are cut, it sees them by looking.
func TestNotified(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	relay := pgtest.NewRelay(t, dsn)
	one, two := newNode(t, dsn, true), newNode(t, relay.Through(t, dsn), true)
	two.sees(t, one.create(t, "first"))
	var took []time.Duration
	for range 15 {
		time.Sleep(110 * time.Millisecond) // looks are apart from each other
		took = append(took, two.sees(t, one.create(t, "app")))
	}
	slices.Sort(took)
	median := took[len(took)/2]
	t.Logf("a change is seen after %v (median), %v at most", median, took[len(took)-1])
	if median > follow.Every/4 {
		t.Errorf("a change is seen after %v, which is no sooner than by looking", median)
	}
	var last model.AppID
	for range 50 {
		last = one.create(t, "many")
	}
	two.sees(t, last)

	relay.Mute()
	id := one.create(t, "muted")
	time.Sleep(300 * time.Millisecond)
	if two.apps.ByID(id) != nil {
		t.Error("an app is seen through a connection that carries nothing")
	}
	relay.Mend()
	t.Logf("after a stall a change is seen after %v", two.sees(t, id))
	for range 5 {
		relay.Cut(0)
		id := one.create(t, "cut")
		relay.Mend()
		two.sees(t, id)
	}
}

// TestPoll follows without a notifier.
func TestPoll(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	one, two := newNode(t, dsn, false), newNode(t, dsn, false)
	if took := two.sees(t, one.create(t, "app")); took > 5*follow.Every {
		t.Errorf("a change is seen after %v", took)
	}
}

// TestOnChange counts changes by a generation that moves, and by one that cannot be read.
func TestOnChange(t *testing.T) {
	generation, fails, refused, changes := int64(7), error(nil), error(nil), 0
	refresh := follow.OnChange(
		func(context.Context) (int64, error) { return generation, fails },
		func(context.Context) error { changes++; return refused },
	)
	for i, step := range []struct {
		generation int64
		fails      error
		refused    error
		want       int
	}{{7, nil, nil, 0}, {7, nil, nil, 0}, {8, nil, nil, 1}, {8, nil, nil, 1}, {9, errors.New("away"), nil, 1}, {9, nil, errors.New("refused"), 2}, {9, nil, nil, 3}, {9, nil, nil, 3}} {
		generation, fails, refused = step.generation, step.fails, step.refused
		err := refresh(t.Context())
		if changes != step.want || (err != nil) != (step.fails != nil || step.refused != nil) {
			t.Errorf("step %d: %d changes, %v", i, changes, err)
		}
	}
}

// TestFailing says once an outage that changes are not seen.
func TestFailing(t *testing.T) {
	var text strings.Builder
	var set follow.Set
	ctx, stop := context.WithCancel(t.Context())
	calls := 0
	set.Add(follow.Follower{Name: "these", Refresh: func(context.Context) error {
		if calls++; calls == 4 {
			stop()
		}
		return errors.New("away")
	}})
	set.Run(ctx, slog.New(slog.NewTextHandler(&text, nil)), busy{})
	if n := strings.Count(text.String(), "what=these"); n != 1 {
		t.Errorf("%d lines:\n%s", n, text.String())
	}
}

// busy notifies all the time.
type busy struct{}

// Listen implements follow.Notifier.
func (busy) Listen(ctx context.Context, heard func([]string)) {
	for ctx.Err() == nil {
		heard(nil)
		time.Sleep(time.Millisecond)
	}
}
