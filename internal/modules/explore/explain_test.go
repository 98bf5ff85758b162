package explore_test

import (
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/filter"
	"quipu/internal/query/explain"
	"quipu/internal/testkit"
)

// explained is an answer of /o/explain.
type explained struct {
	Read, Error   string
	Status, Bytes int
	Query         explain.Query
	Cells         []explain.Cells
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
	run := func(read string) (out explained) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o/explain", "read", read), &out)
		return out
	}
	count := "/o/explore/count?" + testkit.Query("app_id", a.ID, "api_key", "secret", "events", `["buy"]`, "query", `{"sg.what":"milk"}`)
	out := run(count)
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
	if out := run("/o/explore/properties?app_id=" + a.ID); out.Status != http.StatusOK || len(out.Statements) != 1 || out.Bytes == 0 {
		t.Errorf("properties: %+v", out)
	}
	if out := run("/o?method=users&app_id=" + a.ID); out.Status != http.StatusOK || len(out.Statements) != 0 || len(out.Cells) == 0 {
		t.Errorf("what cells answer: %+v", out)
	}
	for read, want := range map[string]explained{
		"/o/explore/count?app_id=" + a.ID:                      {Status: 400, Error: "explore.bad_events"},
		"/o/nothing":                                           {Status: 400, Error: "request.invalid_path"},
		"/o/batch?requests=[]":                                 {Status: 400, Error: "request.not_readable"},
		"/o/explain?read=/o/ping":                              {Status: 400, Error: "request.not_readable"},
		"/o/explore/count?app_id=000000000000000000000000&a=b": {Status: 401},
	} {
		got := run(read)
		if want.Status != got.Status || want.Error != "" && want.Error != got.Error || len(got.Statements) != 0 || len(got.Cells) != 0 {
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
		for _, st := range run(count).Statements {
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
	if out := run(count); out.Status != http.StatusOK || len(out.Statements) != 2 { // never goes on as a task
		t.Errorf("with a threshold of 0: %+v", out)
	}
}

// TestExplainQuery looks at the effective query of reads: what is asked, for which days of which zone, where the answer is and why.
func TestExplainQuery(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	week := []explain.Period{{From: "2031-05-08", To: "2031-05-14", Zone: "Europe/Berlin"}}
	before := explain.Period{From: "2031-04-09", To: "2031-05-14", Zone: "Europe/Berlin"} // with the days before the first that its users may have been active on
	moments := explain.Period{From: "2031-05-07T22:00:00.000Z", To: "2031-05-14T21:59:59.999Z", Zone: "UTC"}
	sessions := []explain.Event{{Key: "[CLY]_session"}}
	of := func(text string) filter.Expr {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const selected = "a filter selects rows"
	for read, want := range map[string]explain.Query{
		"/o?method=users&period=7days": {Periods: week, Questions: []explain.Question{{Asks: "figures", Source: "cells"}}},
		`/o?method=users&period=7days&filter={"up.p":"iOS"}`: {
			Periods: week, Questions: []explain.Question{{Asks: "figures", Source: "rows", Reason: selected, Filter: of(`{"up.p":"iOS"}`)}},
		},
		`/o?method=users&period=7days&filter={"chr":"nobody"}`: {
			Periods: week, Questions: []explain.Question{{Asks: "figures", Source: "rows", Reason: selected, Filter: of(`{"chr":"nobody"}`)}},
			Cohorts: []explain.Cohort{{App: a.ID, ID: "nobody", Unknown: true}},
		},
		"/o/active_users/report?period=7days": {
			Periods: week, Questions: []explain.Question{{Asks: "active users", Source: "cells", Period: before, Steps: [][]explain.Event{sessions}}},
		},
		"/o/retention?period=7days": {
			Periods: week, Questions: []explain.Question{{Asks: "retention", Source: "cells", Period: moments, Steps: [][]explain.Event{sessions, sessions}}},
		},
		`/o/retention?period=7days&return=[{"event":"buy"}]`: {
			Periods: week, Questions: []explain.Question{
				{Asks: "retention", Source: "rows", Reason: "there are no cells of these events", Period: moments, Steps: [][]explain.Event{sessions, {{Key: "buy"}}}},
				{Asks: "rows of users in their order", Source: "rows", Period: moments, Steps: [][]explain.Event{sessions, sessions, {{Key: "buy"}}}},
			},
		},
		`/o/explore/count?events=["buy"]&query={"sg.what":"milk"}`: {Questions: []explain.Question{
			{Asks: "number of items", Source: "rows", Steps: [][]explain.Event{{{Key: "buy"}}}},
			{Asks: "number of items", Source: "rows", Steps: [][]explain.Event{{{Key: "buy"}}}, Filter: of(`{"sg.what":"milk"}`)},
		}},
		`/o?method=user_details&query={"custom.plan":"pro"}&sSearch=d`: {
			Questions: []explain.Question{{Asks: "users", Source: "users", Filter: of(`{"custom.plan":"pro"}`), Search: "d"}},
		},
		`/o?method=segmentation&event=buy&period=7days&bucket=daily&queryObject={"sg.what":{"$in":["milk"]}}&projectionKey=["sg.what"]`: {
			Periods: week, Questions: []explain.Question{{
				Asks: "trend", Source: "rows", Period: week[0], Steps: [][]explain.Event{{{Key: "buy"}}}, Filter: of(`{"sg.what":{"$in":["milk"]}}`), By: []string{"sg.what"},
			}},
		},
	} {
		var out explained
		testkit.Decode(t, s.Admin("/o/explain", "read", read+"&app_id="+a.ID), &out)
		for i := range want.Questions {
			want.Questions[i].App = a.ID
		}
		if diff := cmp.Diff(want, out.Query, cmpopts.EquateEmpty(), cmp.Transformer("text", filter.Expr.String)); diff != "" || out.Status != http.StatusOK {
			t.Errorf("%s: %d %s (-want +got):\n%s", read, out.Status, out.Error, diff)
		}
	}
}

// TestExplainCells looks at the cells that reads take: from the store, and what did not change, the second time, from memory.
func TestExplainCells(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	year, may := explain.Span{Grain: "month", First: "2031-01", Last: "2031-12"}, explain.Span{Grain: "day", First: "2031-05-01", Last: "2031-05-31"}
	for read, want := range map[string]explain.Cells{
		"/o?method=users&period=7days":                                   {Series: "countries", Spans: []explain.Span{year}, Returned: 1},
		`/o?method=events&events=["buy"]&segmentation=what&period=7days`: {Series: "event properties", Of: []string{"buy", "what"}, Spans: []explain.Span{may}, Returned: 2},
		"/o?method=views&action=getTotals&period=7days":                  {Series: "views", Spans: []explain.Span{{Grain: "day", First: "2031-05-08", Last: "2031-05-14"}}},
	} {
		want.App, want.Answer = a.ID, explain.AnswerCells
		for i := range 2 {
			want.Read, want.Remembered = want.Returned, false
			if i > 0 {
				want.Read, want.Remembered = 0, true
			}
			var out explained
			testkit.Decode(t, s.Admin("/o/explain", "read", read+"&app_id="+a.ID), &out)
			if !slices.ContainsFunc(out.Cells, func(c explain.Cells) bool { return cmp.Equal(c, want) }) || len(out.Statements) != 0 {
				t.Errorf("%s, read %d: %d %s\n%+v\nlack %+v", read, i+1, out.Status, out.Error, out.Cells, want)
			}
		}
	}
}
