package carry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"quipu/internal/carry"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
	"quipu/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// node is a process of a cluster, which takes down what its bus delivers.
type node struct {
	bus  *hook.Bus
	post *carry.Post

	mu   sync.Mutex
	got  []string
	hold chan struct{} // nil = subscribers return at once
}

func (n *node) note(ctx context.Context, text string) error {
	if n.hold != nil {
		select {
		case <-n.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.got = append(n.got, text)
	return nil
}

func (n *node) list() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.got)
}

// cluster are nodes that share a document store.
type cluster struct {
	dsn   string
	names []string
	mu    sync.Mutex
}

func (c *cluster) living(context.Context) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.names), nil
}

// join starts a node and lets it follow what others carry.
func (c *cluster) join(t *testing.T, name string, hold chan struct{}) *node {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: c.dsn, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	n := &node{bus: hook.NewBus(), hold: hold}
	n.post, err = carry.New(t.Context(), carry.Options{Docs: db, Bus: n.bus, Node: name, Nodes: c.living, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	hook.OnEach(n.bus, "memory", func(ctx context.Context, ev topic.AppReset) error { return n.note(ctx, "reset "+ev.App.String()) })
	hook.OnEach(n.bus, "memory", func(ctx context.Context, ev topic.UsersDeleted) error {
		return n.note(ctx, fmt.Sprint("users ", ev.UIDs))
	})
	hook.On(n.bus, "documents", func(ctx context.Context, ev topic.EventsDeleted) error { return n.note(ctx, "events") })
	hook.On(n.bus, "documents", func(ctx context.Context, ev topic.AppReset) error { return n.note(ctx, "documents") })
	var set follow.Set
	set.Add(n.post.Follower())
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { set.Run(ctx, slog.New(slog.DiscardHandler), db) })
	t.Cleanup(func() {
		stop()
		running.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	c.mu.Lock()
	c.names = append(c.names, name)
	c.mu.Unlock()
	return n
}

// until waits until a node has been delivered what is wanted.
func until(t *testing.T, n *node, want ...string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !slices.Equal(n.list(), want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("delivered %q, want %q", n.list(), want)
		}
	}
}

// TestCarry has nodes publish: subscribers of each node are called once, others where it happened alone, an awaited topic has been delivered when Emit
// returns, and who joins later is spared.
func TestCarry(t *testing.T) {
	c := &cluster{dsn: pgtest.Shared(t).Database(t)}
	app, other := model.AppID{1}, model.AppID{2}
	one, two, three := c.join(t, "one", nil), c.join(t, "two", nil), c.join(t, "three", nil)
	reset := "reset " + app.String()
	if err := hook.Emit(t.Context(), one.bus, topic.AppReset{App: app}); err != nil {
		t.Fatal(err)
	}
	for _, n := range []*node{two, three} {
		if got := n.list(); !slices.Equal(got, []string{reset}) {
			t.Errorf("when Emit returns another node has been delivered %q", got)
		}
	}
	if got := one.list(); !slices.Equal(got, []string{reset, "documents"}) {
		t.Errorf("the node that emits has been delivered %q", got)
	}
	if err := errors.Join(hook.Emit(t.Context(), two.bus, topic.UsersDeleted{App: other, UIDs: []uint32{7}}),
		hook.Emit(t.Context(), two.bus, topic.EventsDeleted{App: app, Keys: []string{"a"}}),
		hook.Emit(t.Context(), two.bus, topic.AppReset{App: other})); err != nil {
		t.Fatal(err)
	}
	again := "reset " + other.String()
	until(t, one, reset, "documents", "users []", again)
	until(t, three, reset, "users []", again)
	until(t, two, reset, "users [7]", "events", again, "documents")

	late := c.join(t, "late", nil)
	if err := hook.Emit(t.Context(), late.bus, topic.AppReset{App: app}); err != nil {
		t.Fatal(err)
	}
	until(t, late, reset, "documents")
	until(t, three, reset, "users []", again, reset)
}

// TestAwait has a node that is slow, and one that ends meanwhile: an awaited event waits for the first.
func TestAwait(t *testing.T) {
	c := &cluster{dsn: pgtest.Shared(t).Database(t)}
	hold := make(chan struct{})
	one, slow := c.join(t, "one", nil), c.join(t, "slow", hold)
	if err := hook.Emit(t.Context(), one.bus, topic.UsersDeleted{}); err != nil { // is not awaited
		t.Fatal(err)
	}
	c.mu.Lock()
	c.names = append(c.names, "gone")
	c.mu.Unlock()
	emitted := make(chan error, 1)
	go func() { emitted <- hook.Emit(t.Context(), one.bus, topic.AppReset{App: model.AppID{1}}) }()
	next := func() {
		t.Helper()
		select {
		case hold <- struct{}{}:
		case <-time.After(20 * time.Second):
			t.Fatal("nothing is delivered")
		}
	}
	next() // the first
	c.mu.Lock()
	c.names = slices.DeleteFunc(c.names, func(name string) bool { return name == "gone" })
	c.mu.Unlock()
	select {
	case err := <-emitted:
		t.Errorf("Emit returned before every node has delivered the event: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	next()
	if err := <-emitted; err != nil {
		t.Error(err)
	}
	until(t, slow, "users []", "reset "+model.AppID{1}.String())

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := hook.Emit(ctx, one.bus, topic.AppReset{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a caller that has no time: %v", err)
	}
	close(hold)
}

// TestRestart has nodes start behind events that were carried before, and one whose subscriber fails.
func TestRestart(t *testing.T) {
	c := &cluster{dsn: pgtest.Shared(t).Database(t)}
	one := c.join(t, "one", nil)
	emit := func(from *node, app byte) error {
		return hook.Emit(t.Context(), from.bus, topic.AppReset{App: model.AppID{app}})
	}
	reset := func(app byte) string { return "reset " + model.AppID{app}.String() }
	if err := emit(one, 1); err != nil {
		t.Fatal(err)
	}
	two := c.join(t, "two", nil)
	if err := emit(one, 2); err != nil {
		t.Fatal(err)
	}
	until(t, two, reset(2))
	again := c.join(t, "again", nil)
	if err := errors.Join(emit(two, 3), emit(again, 4)); err != nil {
		t.Fatal(err)
	}
	until(t, again, reset(3), reset(4), "documents")
	until(t, one, reset(1), "documents", reset(2), "documents", reset(3), reset(4))
	hook.OnEach(again.bus, "fails", func(context.Context, topic.AppReset) error { return errors.New("it fails") })
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := hook.Emit(ctx, one.bus, topic.AppReset{App: model.AppID{5}}); err == nil {
		t.Error("a node where a subscriber failed has confirmed")
	}
	if err := hook.Emit(t.Context(), one.bus, topic.UsersDeleted{}); err != nil {
		t.Fatal(err)
	}
	until(t, again, reset(3), reset(4), "documents", reset(5), "users []") // what comes behind it is delivered
}
