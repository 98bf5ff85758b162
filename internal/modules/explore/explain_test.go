package explore_test

import (
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// explained is an answer of /o/explain.
type explained struct {
	Read, Error   string
	Status, Bytes int
	Statements    []statement
	Omitted       int
}

// statement is one of those explained.
type statement struct {
	Plan, SQL string
	Args      []any
	Read      int64 `json:"rows_read"`
	Returned  int64 `json:"rows_returned"`
	Seconds   float64
	Error     string
}

// TestExplain looks at what reads do, as a global administrator and as everyone else.
func TestExplain(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	explain := func(read string) (out explained) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o/explain", "read", read), &out)
		return out
	}
	count := "/o/explore/count?" + testkit.Query("app_id", a.ID, "api_key", "secret", "events", `["buy"]`, "query", `{"sg.what":"milk"}`)
	out := explain(count)
	if out.Status != http.StatusOK || strings.Contains(out.Read, "secret") || strings.Contains(out.Read, s.Key) || len(out.Statements) != 2 {
		t.Fatalf("explained %+v", out)
	}
	i := slices.IndexFunc(out.Statements, func(st statement) bool {
		return strings.Contains(st.Plan, "milk")
	})
	if i < 0 {
		t.Fatalf("no plan has the filter: %+v", out)
	}
	st := out.Statements[i]
	if !strings.HasPrefix(st.Plan, "from events where ") || !strings.HasPrefix(st.SQL, `SELECT count(*) FROM `) || st.Returned != 1 || st.Read < 3 || st.Seconds <= 0 || st.Error != "" {
		t.Errorf("statement %+v", st)
	}
	if !slices.Contains(st.Args, any("milk")) || strings.Contains(st.SQL, "milk") {
		t.Errorf("arguments %v of %s", st.Args, st.SQL)
	}
	if out := explain("/o/explore/properties?app_id=" + a.ID); out.Status != http.StatusOK || len(out.Statements) != 1 || out.Bytes == 0 {
		t.Errorf("properties: %+v", out)
	}
	if out := explain("/o?method=users&app_id=" + a.ID); out.Status != http.StatusOK || len(out.Statements) != 0 {
		t.Errorf("what cells answer: %+v", out)
	}
	for read, want := range map[string]explained{
		"/o/explore/count?app_id=" + a.ID:                      {Status: 400, Error: "explore.bad_events"},
		"/o/nothing":                                           {Status: 400, Error: "request.invalid_path"},
		"/o/batch?requests=[]":                                 {Status: 400, Error: "request.not_readable"},
		"/o/explain?read=/o/ping":                              {Status: 400, Error: "request.not_readable"},
		"/o/explore/count?app_id=000000000000000000000000&a=b": {Status: 401},
	} {
		got := explain(read)
		if want.Status != got.Status || want.Error != "" && want.Error != got.Error || len(got.Statements) != 0 {
			t.Errorf("%s: %+v, want %+v", read, got, want)
		}
	}
	// The time is the statement's own, also where its connection did nothing for a while since the last one.
	for range 3 {
		began := time.Now()
		for time.Since(began) < 300*time.Millisecond {
			runtime.Gosched()
		}
		began = time.Now()
		for _, st := range explain(count).Statements {
			if whole := time.Since(began).Seconds(); st.Seconds > whole {
				t.Errorf("%f s in a read of %f s", st.Seconds, whole)
			}
		}
	}
	// The read after it is not measured.
	plain := s.Admin("/o/explore/count", "app_id", a.ID, "events", `["buy"]`)
	if plain != `{"count":3,"total":3}` {
		t.Errorf("after that: %s", plain)
	}
	for _, read := range []string{"", "/i/apps/create", "https://x.example/o/ping", "/o/" + strings.Repeat("x", 17<<10)} {
		if r := s.Post("/o/explain", "api_key", s.Key, "read", read); r.Status != http.StatusBadRequest || r.Header.Get("Quipu-Error") != "request.bad_read" {
			t.Errorf("%.30q: %d %s", read, r.Status, r.Body)
		}
	}
	chief := member(t, s, a, "chief", true)
	for name, key := range map[string]string{"an app's administrator": chief.Key, "nobody": "nothing"} {
		r := s.Post("/o/explain", "api_key", key, "read", count)
		if r.Status != http.StatusUnauthorized && r.Status != http.StatusForbidden || strings.Contains(r.Body, "SELECT") {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":0}}`)
	if out := explain(count); out.Status != http.StatusOK || len(out.Statements) != 2 { // never goes on as a task
		t.Errorf("with a threshold of 0: %+v", out)
	}
}
