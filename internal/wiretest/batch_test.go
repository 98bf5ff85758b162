package wiretest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// batched makes a read as the only one of a batch; ok is false when the batch is refused, whose answer r is then.
func batched(t *testing.T, s *testkit.Server, address string, params, header []string) (r testkit.Response, ok bool) {
	t.Helper()
	asked := append([]string{"requests", text(t, []string{address})}, params...)
	r = s.Do(http.MethodGet, "/o/batch?"+testkit.Query(asked...), nil, header...)
	if r.Status != http.StatusOK {
		return r, false
	}
	var answers []struct {
		Status int
		Body   json.RawMessage
	}
	testkit.Decode(t, r.Body, &answers)
	if len(answers) != 1 {
		t.Fatalf("%s: %s, want one answer", address, r.Body)
	}
	return testkit.Response{Status: answers[0].Status, Body: string(answers[0].Body)}, true
}

var refusedInBatch = refusal{400, "This path cannot be read"}

// TestWalkBatchAccess walks every route in a batch with every kind of caller whose batch is admitted.
func TestWalkBatchAccess(t *testing.T) { //nolint:tparallel // the subtests share one server, in order
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	list := routes(t)
	walked := 0
	for _, c := range callers(t, s, list, a, b) {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range list {
				if r.changes() && r.method != "" || !strings.HasPrefix(r.path, "/o") {
					continue // refused after the checks of all writes, or no address that a batch takes
				}
				params, header := c.ask(r)
				got, ok := batched(t, s, at(r)+"?"+testkit.Query(naming(t, r, a.ID)...), params, header)
				if !ok {
					if c.credential == key && !c.locked || c.credential == page {
						t.Errorf("%s: batch refused: %d %s", r.name(), got.Status, got.Body)
					}
					if got.Status < 400 {
						t.Errorf("%s: batch refused with %d", r.name(), got.Status)
					}
					continue
				}
				switch {
				case r.changes() || r.path == "/o/batch":
					check(t, r.name(), got, refusedInBatch)
				case c.credential == goodToken && got.Body == wrong(refusedToken.result): // the batch was its one use
				case got.Body != wrong(refusedInBatch.result): // neither stream nor file
					walked++
					check(t, r.name(), got, expected(r, c))
				}
			}
		})
	}
	if walked < 2000 {
		t.Errorf("%d reads answered in batches, want every read of every caller", walked)
	}
}

// TestWalkBatchTokens reads every route in a batch, and alone, with tokens that are limited: a batch gives them nothing.
func TestWalkBatchTokens(t *testing.T) { //nolint:tparallel // the subtests share one server
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	for name, c := range map[string]struct {
		pairs []string
		app   string
	}{
		"of the batch alone":             {[]string{"endpoint", "^/o/batch$"}, a.ID},
		"of the batch and a read":        {[]string{"endpoint", "^/o/batch$,^/o/apps/mine$"}, a.ID},
		"of the batch and one method":    {[]string{"endpointquery", `[{"endpoint":"^/o/batch$"},{"endpoint":"^/o$","params":{"method":"users"}}]`}, a.ID},
		"of an app, and of its app":      {[]string{"apps", a.ID}, a.ID},
		"of an app, and of another":      {[]string{"apps", a.ID}, b.ID},
		"of an app and a method of /o":   {[]string{"apps", a.ID, "endpoint", "^/o$,^/o/batch$"}, b.ID},
		"of the method that names batch": {[]string{"endpointquery", `[{"endpoint":"^/o/batch$","params":{"method":"users"}}]`}, a.ID},
	} {
		t.Run(name, func(t *testing.T) {
			token := createToken(t, s, s.Key, c.pairs...)
			for _, r := range routes(t) {
				if r.level == "public" || r.changes() || r.path == "/o/batch" || !strings.HasPrefix(r.path, "/o") {
					continue
				}
				pairs := naming(t, r, c.app)
				alone := s.Get(at(r), append(pairs, "auth_token", token)...)
				got, ok := batched(t, s, at(r)+"?"+testkit.Query(pairs...), []string{"auth_token", token}, nil)
				refused := alone.Body == wrong(refusedToken.result)
				switch {
				case !ok, got.Body == wrong(refusedInBatch.result):
				case refused != (got.Body == wrong(refusedToken.result)), refused && got.Status != alone.Status:
					t.Errorf("%s in a batch: %d %s, alone %d %s", r.name(), got.Status, got.Body, alone.Status, alone.Body)
				}
			}
		})
	}
	// Credentials are those of the batch; a token for one use is used up by it.
	limited, once := createToken(t, s, s.Key, "apps", a.ID), createToken(t, s, s.Key, "multi", "false")
	for name, c := range map[string]struct{ address, token string }{
		"a key in the address":    {"/o/users/all?api_key=" + s.Key, limited},
		"a key twice":             {"/o/users/all?api_key=" + s.Key + "&api_key=x", limited},
		"a token in the address":  {"/o/users/all?auth_token=" + createToken(t, s, s.Key), limited},
		"a token for one use":     {"/o/users/all", once},
		"a batch for another app": {"/o/analytics/dashboard?app_id=" + b.ID, limited},
	} {
		got, ok := batched(t, s, c.address, []string{"auth_token", c.token}, nil)
		if !ok {
			t.Errorf("%s: batch refused: %d %s", name, got.Status, got.Body)
			continue
		}
		check(t, name, got, refusedToken)
	}
}
