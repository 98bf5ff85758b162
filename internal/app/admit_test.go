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
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
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
