package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/app"
	"quipu/internal/fault"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
	"quipu/internal/testkit/clustered"
)

func TestIngests(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/i": true, "/i/": true, "/i/bulk": true, "/pixel.png/": true, "/i/apps/create": false, "/o": false, "/i/bulk/x": false,
	} {
		if got := app.Ingests(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// slow is an event store whose reads end with an error, when the test says so.
type slow struct {
	events.Reader
	over <-chan struct{}
	err  error
}

func (s slow) Run(context.Context, *plan.Query, func(events.Scanner) error) error {
	<-s.over
	return s.err
}

// TestReadsFail shows what callers are answered when the event store cannot read at the moment.
func TestReadsFail(t *testing.T) {
	t.Parallel()
	for want, cause := range map[string]error{
		"events.memory": events.ErrMemory, "events.reopened": fmt.Errorf("%w: %w", events.ErrReopened, events.ErrMemory), "events.behind": outbox.ErrBehind,
	} {
		over := make(chan struct{})
		close(over)
		g := memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now)
		err := app.Queued(g, slow{over: over, err: fmt.Errorf("sort: %w", cause)}).Run(t.Context(), &plan.Query{}, nil)
		fe, ok := errors.AsType[*fault.Error](err)
		if !ok || fe.Code != want || fe.Kind != fault.Unavailable || fe.RetryAfter == 0 {
			t.Errorf("%v: got %v, want %s", cause, err, want)
		}
	}
}

// TestReadsTooSlow tells the time limit of a read, which a shorter period may meet, from that of a caller.
func TestReadsTooSlow(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	close(over)
	g := memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now)
	read := func(ctx context.Context) error {
		return app.Queued(g, slow{over: over, err: fmt.Errorf("scan: %w", context.DeadlineExceeded)}).Run(ctx, &plan.Query{}, nil)
	}
	if err := read(t.Context()); fault.CodeOf(err) != "read.too_slow" || fault.KindOf(err) != fault.Invalid {
		t.Errorf("got %v, want read.too_slow", err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		unblock := make(chan struct{})
		q := app.Queued(g, slow{over: unblock, err: context.DeadlineExceeded})
		time.AfterFunc(2*time.Second, func() { close(unblock) })
		if err := q.Run(ctx, &plan.Query{}, nil); !errors.Is(err, context.DeadlineExceeded) || fault.CodeOf(err) != "" {
			t.Errorf("the caller's time is over: %v", err)
		}
	})
}

// TestCellsShare has reads of cells of two clients: what one holds is bounded, what both hold, too, and a read that holds something does not wait for more.
func TestCellsShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now)
		limits, gate := app.CellLimits(g)
		if gate.Size != 64<<20 || limits.Most != 32<<20 || limits.Timeout != 30*time.Second {
			t.Errorf("all hold %d bytes, one %d for %v", gate.Size, limits.Most, limits.Timeout)
		}
		in := intake.New(intake.Options{Governor: g, Now: time.Now, Client: func(r *http.Request) netip.Addr {
			return netip.MustParseAddrPort(r.RemoteAddr).Addr()
		}})
		as := func(from string, do func(ctx context.Context)) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/o", nil)
			r.RemoteAddr = from
			in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { do(r.Context()) }), app.Ingests).ServeHTTP(httptest.NewRecorder(), r)
		}
		took := func(want string, err error) {
			t.Helper()
			if got := fault.CodeOf(err); got != want || err == nil && want != "" {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		as("192.0.2.1:1", func(ctx context.Context) {
			one, err := limits.Enter(ctx, 1<<20)
			took("", err)
			took("", one.Grow(31<<20))
			two, err := limits.Enter(ctx, 1<<20)
			took("", err)
			began := time.Now()
			took("events.busy", two.Grow(20<<20)) // three quarters of all
			if waited := time.Since(began); waited != 0 {
				t.Errorf("a read that holds something waits for %v", waited)
			}
			as("192.0.2.2:1", func(ctx context.Context) {
				other, err := limits.Enter(ctx, 1<<20)
				took("", err)
				took("", other.Grow(20<<20))
				began := time.Now()
				_, err = limits.Enter(ctx, 20<<20)
				took("events.busy", err)
				if waited := time.Since(began); waited != 10*time.Second {
					t.Errorf("a read that holds nothing waits for %v", waited)
				}
				other.Leave()
			})
			one.Leave()
			took("", two.Grow(20<<20))
			two.Leave()
		})
		if used := gate.Used(); used != 0 {
			t.Errorf("afterwards %d bytes are held", used)
		}
	})
}

// TestCellsHaveLimits has reads of cells wait for room, on a server with stores of its own and on a node of a cluster.
func TestCellsHaveLimits(t *testing.T) {
	for name, cluster := range map[string]func() string{
		"own stores": func() string { return "" }, "cluster": func() string { return clustered.NewStores(t).File },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := app.DefaultConfig()
			cfg.Cluster, cfg.Data = cluster(), t.TempDir()
			a, err := app.Open(t.Context(), cfg, app.Process{Shared: true})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			}()
			q, gate := a.Data().Query, app.CellGate(a)
			held := gate.Claim(memory.Who{})
			if !held.Try(gate.Size) {
				t.Fatal("something is held")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := q.Totals(ctx, model.NewID(), 0, 1)
				done <- err
			}()
			for gate.Waiting() == 0 {
				select {
				case err := <-done:
					t.Fatalf("without room: %v", err)
				case <-time.After(time.Millisecond):
				}
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("a client who is gone: %v", err)
			}
			held.Leave()
			if _, err := q.Totals(t.Context(), model.NewID(), 0, 1); err != nil {
				t.Errorf("with room: %v", err)
			}
		})
	}
}

// TestReadsQueue has three requests of one client read, which is its share, and a fourth, which is turned
// away; another client reads, and a task waits for longer.
func TestReadsQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		g := memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now)
		q := app.Queued(g, slow{over: over, err: fmt.Errorf("sort: %w", events.ErrMemory)})
		in := intake.New(intake.Options{Governor: g, Now: time.Now, Client: func(r *http.Request) netip.Addr {
			return netip.MustParseAddrPort(r.RemoteAddr).Addr()
		}})
		codes := make(chan string, 6)
		read := func(ctx context.Context) error { return q.Run(ctx, &plan.Query{}, nil) }
		h := in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			codes <- fault.CodeOf(read(r.Context()))
		}), app.Ingests)
		for _, from := range []string{"192.0.2.1:1", "192.0.2.1:2", "192.0.2.1:3", "192.0.2.1:4", "192.0.2.2:1"} {
			synctest.Wait() // in this order
			go func() {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/o/export/db", nil)
				r.RemoteAddr = from
				h.ServeHTTP(httptest.NewRecorder(), r)
			}()
		}
		synctest.Wait() // four are in, one waits
		began := time.Now()
		go func() { // a task
			err := read(t.Context())
			if fault.KindOf(err) != fault.Unavailable {
				t.Errorf("got %v, want Unavailable", err)
			}
			codes <- fault.CodeOf(err)
		}()
		if got := <-codes; got != "events.busy" { // one too many, turned away after a while
			t.Errorf("got %s, want events.busy", got)
		}
		if waited := time.Since(began); waited != 10*time.Second {
			t.Errorf("turned away after %v", waited)
		}
		time.Sleep(time.Minute)
		close(over)
		for range 5 {
			if got := <-codes; got != "events.memory" {
				t.Errorf("got %s, want events.memory", got)
			}
		}
	})
}
