package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/app"
	"quipu/internal/fault"
	"quipu/internal/memory"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
)

func testGates() *app.Gates {
	return app.NewGates(memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler)))
}

// TestAdmission fills the server with reads that do not end: further ones get
// 503, ingestion and the rest of the API go on; and the other way round.
func TestAdmission(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, full, body string
		times            int
		refused, free    []string
	}{
		{"reads", "/o", "", 32, []string{"/o", "/o/analytics/dashboard"}, []string{"/i", "/i/bulk", "/i/apps/create", "/dashboard", "/o/export/download/1", "/o/live/feed"}},
		{"bodies", "/i/bulk", strings.Repeat("x", 8<<20), 2, []string{"/i", "/i/bulk", "/pixel.png/"}, []string{"/o", "/i/apps/create"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				over := make(chan struct{})
				h := testGates().Admitted(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Stay") != "" {
						<-over
					}
				}))
				ask := func(path, body, stay string) *httptest.ResponseRecorder {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
					r.Header.Set("Stay", stay)
					w := httptest.NewRecorder()
					h.ServeHTTP(w, r)
					return w
				}
				for range tt.times {
					go ask(tt.full, tt.body, "yes")
				}
				synctest.Wait()
				for _, path := range tt.refused {
					w := ask(path, tt.body, "")
					if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "5" {
						t.Errorf("%s: %d, Retry-After %q", path, w.Code, w.Header().Get("Retry-After"))
					}
				}
				for _, path := range tt.free {
					if w := ask(path, "", ""); w.Code != http.StatusOK {
						t.Errorf("%s: %d", path, w.Code)
					}
				}
				close(over)
				synctest.Wait()
				for _, path := range tt.refused {
					if w := ask(path, tt.body, ""); w.Code != http.StatusOK {
						t.Errorf("%s afterwards: %d", path, w.Code)
					}
				}
			})
		})
	}
}

// slow is an event store whose reads end with an error, when told so.
type slow struct {
	events.Reader
	over <-chan struct{}
	err  error
}

func (s slow) Query(context.Context, string, []any, func(events.Scanner) error) error {
	<-s.over
	return s.err
}

// TestReadsQueue has four requests read, and a fifth, which is turned away; a
// task waits for longer.
func TestReadsQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		g := testGates()
		q := g.Queued(slow{over: over, err: fmt.Errorf("sort: %w", duck.ErrMemory)})
		codes := make(chan string, 6)
		read := func(ctx context.Context) error { return q.Query(ctx, "", nil, nil) }
		h := g.Admitted(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			codes <- fault.CodeOf(read(r.Context()))
		}))
		for range 5 {
			go func() {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/o/export/db", nil)
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
