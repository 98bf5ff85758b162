package wiretest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/intake"
	"quipu/internal/kernel"
	"quipu/internal/testkit"
)

// code is the code of the fault that an answer stands for.
func code(r testkit.Response) string { return r.Header.Get("Quipu-Error") }

// withModule adds a module that does what a test needs of a server.
func withModule(setup func(*kernel.Scope) error) testkit.Option {
	return testkit.WithModules(func(list []kernel.Module) []kernel.Module {
		return append(list, kernel.Module{Name: "trouble", Setup: kernel.Alone(setup)})
	})
}

// TestUnexpectedErrorsHaveACode asks a route whose work fails by no fault, in the forms in which callers ask.
func TestUnexpectedErrorsHaveACode(t *testing.T) {
	t.Parallel()
	s := server(t, withModule(func(sc *kernel.Scope) error {
		api.Handle(sc.Routes, "/o/trouble", api.Public(), func(context.Context, api.Caller, struct{}) (api.Result, error) {
			return api.Result{}, errors.New("the password is secret")
		})
		return nil
	}))
	r := s.Get("/o/trouble")
	if r.Status != http.StatusInternalServerError || code(r) != "server.internal" || !strings.HasPrefix(r.Body, `{"result":"Internal error, incident `) {
		t.Errorf("got %d %q %s, want 500, server.internal and a number in the log", r.Status, code(r), r.Body)
	}
	r = s.Do(http.MethodGet, "/o/trouble", nil, "Accept", "application/problem+json")
	if got := dig(t, r.Body, "code"); r.Status != http.StatusInternalServerError || code(r) != "server.internal" || got != "server.internal" || dig(t, r.Body, "incident") == nil {
		t.Errorf("as a problem: got %d %q %s, want 500, server.internal and a number in the log", r.Status, code(r), r.Body)
	}
	r = s.Get("/o/batch", "api_key", s.Key, "requests", `["/o/trouble"]`)
	if got := dig(t, r.Body, "0", "error"); got != "server.internal" {
		t.Errorf("in a batch: got %s, want server.internal", r.Body)
	}
}

// TestBusyEdgeHasACode fills the room of a client, so that the next long request is turned away before a handler hears of it.
func TestBusyEdgeHasACode(t *testing.T) {
	t.Parallel()
	full, done := make(chan struct{}), make(chan struct{})
	s := server(t, withModule(func(sc *kernel.Scope) error {
		api.Handle(sc.Routes, "/o/trouble", api.Public(), func(ctx context.Context, _ api.Caller, _ struct{}) (api.Result, error) {
			for n := int64(1 << 30); n > 1<<10; n /= 2 {
				soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
				if leave, err := intake.Hold(soon, n); err == nil {
					defer leave()
				}
				cancel()
			}
			close(full)
			<-done
			return api.Result{Result: "Success"}, nil
		})
		return nil
	}))
	held := make(chan testkit.Response, 1)
	go func() { held <- s.Get("/o/trouble") }()
	<-full
	r := s.Get("/o/ping", "long", strings.Repeat("x", 30_000))
	close(done)
	<-held
	if r.Status != http.StatusServiceUnavailable || code(r) != "server.busy" || r.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %q %s, want 503, server.busy and when to come back", r.Status, code(r), r.Body)
	}
	if got := r.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(got, "Quipu-Error") {
		t.Errorf("scripts of other origins may read %q, want the code", got)
	}
}

// TestFailedTasksHaveACode runs a task that fails, and reads it.
func TestFailedTasksHaveACode(t *testing.T) {
	t.Parallel()
	s := server(t)
	var begun struct {
		Result struct {
			ID string `json:"task_id"`
		}
	}
	testkit.Decode(t, s.Admin("/o/export/requestQuery", "path", "/o/none"), &begun)
	var task struct{ Status, Errormsg, Errorcode string }
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 1000 {
		testkit.Decode(t, s.Admin("/o/tasks/task", "task_id", begun.Result.ID), &task)
		if task.Status == "errored" {
			break
		}
		<-tick.C
	}
	if task.Status != "errored" || task.Errormsg == "" || task.Errorcode != "request.invalid_path" {
		t.Errorf("got %+v, want a failed task with a text and the code request.invalid_path", task)
	}
}
