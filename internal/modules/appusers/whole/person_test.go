package whole_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// noon is a Wednesday.
var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

// before is a moment some hours before noon, as the parameter timestamp.
func before(hours int) string {
	return fmt.Sprint(noon.Add(-time.Duration(hours) * time.Hour).UnixMilli())
}

// oneLife is an app with a user of two sessions and a change of plan, and another user.
func oneLife(t *testing.T) (*testkit.Server, testkit.TestApp) {
	t.Helper()
	s := testkit.New(t, testkit.At(noon))
	a := s.CreateApp("a", "Europe/Berlin")
	s.Ingest(a, "anna", "timestamp", before(50), "begin_session", "1", "metrics", `{"_os":"iOS","_os_version":"17.2","_app_version":"1.0"}`, "country_code", "DE",
		"user_details", `{"name":"Anna","email":"anna@example.org","custom":{"plan":"free"}}`)
	s.Ingest(a, "anna", "timestamp", before(49), "session_duration", "60", "end_session", "1",
		"events", `[{"key":"buy","count":2,"sum":5,"segmentation":{"what":"Green Tea","price":3}},{"key":"[CLY]_view","segmentation":{"name":"shop","visit":1}}]`)
	s.Ingest(a, "anna", "timestamp", before(3), "begin_session", "1", "metrics", `{"_os":"iOS","_os_version":"17.4","_app_version":"1.1"}`, "country_code", "DE",
		"user_details", `{"custom":{"plan":"pro"}}`, "events", `[{"key":"sell","timestamp":`+before(30)+`}]`)
	s.Ingest(a, "anna", "timestamp", before(2), "session_duration", "30")
	s.Ingest(a, "bert", "timestamp", before(1), "begin_session", "1", "metrics", `{"_os":"Android"}`, "user_details", `{"custom":{"plan":"free"}}`)
	s.Flush()
	return s, a
}

func of(s *testkit.Server, a testkit.TestApp, did, what string, pairs ...string) string {
	return s.Admin("/o", append([]string{"method", "user_details", "app_id", a.ID, "did", did, "calculate", what}, pairs...)...)
}

func TestSessionsOfOne(t *testing.T) {
	s, a := oneLife(t)
	testkit.GoldenJSON(t, "sessions", of(s, a, "anna", "sessions", "comparisonMode", "true", "period", "1days"))
	var list struct {
		Total int `json:"iTotalRecords"`
		Rows  []struct {
			Start int64   `json:"ts"`
			Dur   float64 `json:"dur"`
			Open  bool    `json:"open"`
		} `json:"aaData"`
	}
	testkit.Decode(t, of(s, a, "anna", "sessions", "iSortCol_0", "1", "sSortDir_0", "desc"), &list)
	if list.Total != 2 || list.Rows[0].Dur != 60 || list.Rows[0].Open || list.Rows[1].Dur != 30 || !list.Rows[1].Open {
		t.Errorf("sessions by length: %+v", list)
	}
	testkit.Decode(t, of(s, a, "anna", "sessions", "sSearch", "17.2"), &list)
	if len(list.Rows) != 1 || list.Rows[0].Dur != 60 || list.Total != 2 {
		t.Errorf("those of a version: %+v", list)
	}
	testkit.Decode(t, of(s, a, "anna", "sessions", "iDisplayLength", "1", "iDisplayStart", "1"), &list)
	if len(list.Rows) != 1 || list.Rows[0].Dur != 60 {
		t.Errorf("the second of them: %+v", list)
	}
}

func TestGraphOfOne(t *testing.T) {
	s, a := oneLife(t)
	testkit.GoldenJSON(t, "graph", of(s, a, "anna", "graph", "period", "3days", "comparisonMode", "true"))
	for bucket, want := range map[string]int{"hourly": 72, "daily": 3, "weekly": 1, "monthly": 1} {
		var g struct {
			Buckets []string                        `json:"buckets"`
			Graph   map[string]struct{ S, E int64 } `json:"graph"`
			Totals  struct{ S, E, D, DS, V int64 }  `json:"totals"`
		}
		testkit.Decode(t, of(s, a, "anna", "graph", "period", "3days", "bucket", bucket), &g)
		sum := int64(0)
		for _, b := range g.Graph {
			sum += b.E
		}
		if len(g.Buckets) != want || len(g.Graph) != want || sum != 3 || g.Totals.E != 3 || g.Totals.S != 2 || g.Totals.D != 3 || g.Totals.DS != 2 || g.Totals.V != 1 {
			t.Errorf("%s: %d buckets, %d events, totals %+v", bucket, len(g.Buckets), sum, g.Totals)
		}
	}
}

func TestHistoryOfOne(t *testing.T) {
	s, a := oneLife(t)
	testkit.GoldenJSON(t, "history", of(s, a, "anna", "history"), testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{40}"`), With: `"<hash>"`})
	type changed struct {
		TS       int64
		Exact    bool
		Property string
		From, To any
	}
	var h struct {
		History struct{ Custom map[string]map[string]bool }
		Changes []changed
		Total   int
	}
	testkit.Decode(t, of(s, a, "anna", "history", "sSearch", "PLAN"), &h)
	want := []changed{{noon.Add(-3 * time.Hour).UnixMilli(), true, "custom.plan", "free", "pro"}}
	if d := cmp.Diff(want, h.Changes); d != "" || h.Total != 1 {
		t.Errorf("changes of the plan (-want +got):\n%s", d)
	}
	s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"did":"anna"}`, "update", `{"custom.plan":"team"}`)
	testkit.Decode(t, of(s, a, "anna", "history", "sSearch", "plan"), &h)
	if len(h.Changes) != 2 || h.Changes[0].To != "team" || h.Changes[0].Exact || h.Changes[0].TS < want[0].TS {
		t.Errorf("after an edit: %+v", h.Changes)
	}
	testkit.Decode(t, of(s, a, "anna", "history", "period", fmt.Sprintf("[%s,%s]", before(50), before(50))), &h)
	if d := cmp.Diff(map[string]map[string]bool{"plan": {"free": true}}, h.History.Custom); d != "" || h.Total != 0 {
		t.Errorf("two days before (-want +got):\n%s", d)
	}
}

// table is an answer of eventsTable.
type table struct {
	Total  int    `json:"iTotalRecords"`
	Cursor string `json:"cursor"`
	More   bool   `json:"hasNextPage"`
	Rows   []struct {
		ID      string `json:"_id"`
		TS      int64  `json:"ts"`
		E, N    string
		Session string `json:"lsid"`
	} `json:"aaData"`
}

func (a table) keys() string {
	var out []string
	for _, r := range a.Rows {
		if r.N != "" {
			r.E = r.N
		}
		out = append(out, strings.TrimPrefix(r.E, "[CLY]_"))
	}
	return strings.Join(out, " ")
}

func TestEventsOfOne(t *testing.T) {
	s, a := oneLife(t)
	testkit.GoldenJSON(t, "events", of(s, a, "anna", "eventsTable", "sEcho", "7"))
	read := func(pairs ...string) table {
		var out table
		testkit.Decode(t, of(s, a, "anna", "eventsTable", pairs...), &out)
		return out
	}
	all := read()
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"all", []string{"event", "all"}, "session_begin sell shop buy session session_begin"},
		{"custom events", []string{"event", "custom-events"}, "sell buy"},
		{"one event", []string{"event", "buy"}, "buy"},
		{"views", []string{"event", "[CLY]_view"}, "shop"},
		{"an unknown event", []string{"event", "' OR 1=1"}, ""},
		{"a value", []string{"sSearch", "green TEA"}, "buy"},
		{"a name", []string{"sSearch", "sho"}, "shop"},
		{"signs of patterns", []string{"sSearch", "%"}, ""},
		{"yesterday", []string{"period", "yesterday"}, "sell"},
		{"a session", []string{"session", all.Rows[5].Session}, "shop buy session session_begin"},
		{"a session as an object", []string{"session", `{"_id":"` + all.Rows[0].Session + `"}`}, "session_begin sell"},
		{"a page", []string{"iDisplayStart", "1", "iDisplayLength", "2"}, "sell shop"},
		{"limit and skip", []string{"skip", "3", "limit", "1"}, "buy"},
		{"behind the end", []string{"skip", "99"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(tt.pairs...).keys(); got != tt.want {
				t.Errorf("events %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSnapshot has an event arrive, among those that are still to be read, while pages are read.
func TestSnapshot(t *testing.T) {
	for mode, want := range map[string]string{"snapshot": "session_begin sell|shop buy|session session_begin", "live": "session_begin sell|shop buy|session late|session_begin"} {
		t.Run(mode, func(t *testing.T) {
			s, a := oneLife(t)
			var got []string
			page := table{More: true}
			for page.More {
				var next table
				testkit.Decode(t, of(s, a, "anna", "eventsTable", "limit", "2", "paginationMode", mode, "cursor", page.Cursor), &next)
				if page = next; len(got) == 1 {
					s.Ingest(a, "anna", "timestamp", before(1), "events", `[{"key":"late","timestamp":`+before(50)+`}]`)
					s.Flush()
				}
				got = append(got, page.keys())
			}
			if text := strings.Join(got, "|"); text != want {
				t.Errorf("pages %q, want %q", text, want)
			}
		})
	}
}

func TestListForms(t *testing.T) {
	s, a := people(t)
	list := func(pairs ...string) string {
		return s.Admin("/o", append([]string{"method", "user_details", "app_id", a.ID}, pairs...)...)
	}
	for name, c := range map[string]struct {
		pairs []string
		want  []string
	}{
		"a usual column":   {[]string{"iSortCol_0", "4", "sSortDir_0", "desc"}, []string{"d2", "d1", "d0", "d3"}},
		"a visible column": {[]string{"visibleColumns", `["did","sc"]`, "iSortCol_0", "1", "sSortDir_0", "desc"}, []string{"d2", "d1", "d0", "d3"}},
		"no such column":   {[]string{"iSortCol_0", "99", "sSortDir_0", "desc"}, []string{"d0", "d1", "d2", "d3"}},
		"a number":         {[]string{"sSearch", "2"}, []string{"d1", "d2"}}, // uid 2 is d1
		"columns no list":  {[]string{"visibleColumns", `{"a":`}, []string{"d0", "d1", "d2", "d3"}},
	} {
		if got := dids(t, list(c.pairs...)); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	var narrow struct {
		Rows []map[string]any `json:"aaData"`
	}
	testkit.Decode(t, list("visibleColumns", `["sc","custom.plan"]`, "fetchOnlyVisibleColumns", "true", "iDisplayLength", "1"), &narrow)
	delete(narrow.Rows[0], "_id")
	if d := cmp.Diff([]map[string]any{{"uid": "1", "did": "d0", "sc": 1.0, "custom": map[string]any{"plan": "pro"}}}, narrow.Rows); d != "" {
		t.Errorf("narrow rows (-want +got):\n%s", d)
	}
	for projection, want := range map[string]string{
		`["custom.plan"]`:    `{"breakDownData":[{"_id":"free","sum":1},{"_id":"none","sum":1},{"_id":"pro","sum":1},{"_id":null,"sum":1}],"projectionKey":["custom.plan"],"total":4}`,
		`["hasInfo","more"]`: `{"breakDownData":[{"_id":"true","sum":4}],"projectionKey":["hasInfo","more"],"total":1}`,
	} {
		if got := list("projectionKey", projection); got != want {
			t.Errorf("by %s: %s, want %s", projection, got, want)
		}
	}
	if got, want := list("projectionKey", `["sc"]`, "query", `{"sc":{"$gte":2}}`, "iDisplayLength", "1"), `{"breakDownData":[{"_id":"2","sum":1}],"projectionKey":["sc"],"total":2}`; got != want {
		t.Errorf("of some: %s, want %s", got, want)
	}
}

func TestListFile(t *testing.T) {
	s, a := people(t)
	var queued struct {
		TaskID string `json:"task_id"`
	}
	body := s.Admin("/o", "method", "user_details", "app_id", a.ID, "exportToFile", "true", "type", "csv", "filename", "../people", "visibleColumns", `["name","sc"]`,
		"sSearch", "person D", "query", `{"sc":{"$gte":1}}`, "sort", `{"sc":-1}`)
	testkit.Decode(t, body, &queued)
	task(t, s, a, queued.TaskID)
	file := s.Get("/o/export/download/"+queued.TaskID, "api_key", s.Key, "app_id", a.ID)
	rows := strings.Split(strings.TrimSpace(file.Body), "\n")
	if file.Status != http.StatusOK || len(rows) != 4 || !strings.Contains(rows[1], "Person d2") || strings.Contains(file.Body, "plan") || strings.Contains(file.Header.Get("Content-Disposition"), "/") {
		t.Errorf("file of %s: %d %v %s", body, file.Status, file.Header, file.Body)
	}
}

// TestHostileReads asks for what makes no sense, of nobody, and of a user of another app.
func TestHostileReads(t *testing.T) {
	s, a := oneLife(t)
	other := s.CreateApp("other", "UTC")
	deep := strings.Repeat(`{"a":`, 5000)
	for _, tt := range []struct {
		pairs []string
		want  int
		code  string
	}{
		{[]string{"calculate", "history"}, 400, "app_users.which_user"},
		{[]string{"calculate", "nonsense", "did", "anna"}, 400, "app_users.bad_calculate"},
		{[]string{"calculate", "sessions", "did", "nobody"}, 400, "app_users.no_user"},
		{[]string{"calculate", "graph", "uid", "99999999999999999999"}, 400, "app_users.no_user"},
		{[]string{"calculate", "graph", "did", "anna", "bucket", "yearly"}, 400, "request.bad_parameter"},
		{[]string{"calculate", "graph", "did", "anna", "bucket", "hourly", "period", "0days"}, 200, ""},
		{[]string{"calculate", "graph", "did", "anna", "period", "[1,2"}, 200, ""},
		{[]string{"calculate", "sessions", "did", "anna", "iSortCol_0", "-1", "iDisplayStart", "-5", "iDisplayLength", "99999999999999999999"}, 200, ""},
		{[]string{"calculate", "sessions", "did", "anna", "period", "[1,2]", "comparisonMode", "true"}, 200, ""},
		{[]string{"calculate", "eventsTable", "did", "anna", "cursor", "!"}, 400, "app_users.bad_cursor"},
		{[]string{"calculate", "eventsTable", "did", "anna", "cursor", "eyJvIjoxODQ0Njc0NDA3MzcwOTU1MTYxNX0"}, 400, "app_users.bad_cursor"},
		{[]string{"calculate", "eventsTable", "did", "anna", "cursor", "e30"}, 200, ""},
		{[]string{"calculate", "eventsTable", "did", "anna", "paginationMode", "x"}, 400, "request.bad_parameter"},
		{[]string{"calculate", "eventsTable", "did", "anna", "session", `{"_id":{}}`}, 400, "app_users.bad_session"},
		{[]string{"calculate", "eventsTable", "did", "anna", "session", deep}, 400, "request.too_deep"},
		{[]string{"calculate", "eventsTable", "did", "anna", "session", "18446744073709551615"}, 400, "app_users.bad_session"},
		{[]string{"calculate", "eventsTable", "did", "anna", "event", strings.Repeat("x", 10000), "sSearch", "\x00\xff'"}, 200, ""},
		{[]string{"projectionKey", `["chr"]`}, 400, "app_users.bad_projection"},
		{[]string{"projectionKey", `["nothing"]`}, 400, "app_users.bad_projection"},
		{[]string{"projectionKey", `[]`}, 400, "app_users.bad_projection"},
		{[]string{"projectionKey", deep}, 400, "request.too_deep"},
		{[]string{"projectionKey", `["custom."]`}, 400, "app_users.bad_projection"},
		{[]string{"projectionKey", `["custom.a'b\"c\u0000"]`}, 200, ""},
		{[]string{"visibleColumns", deep, "fetchOnlyVisibleColumns", "true"}, 400, "request.too_deep"},
	} {
		res := s.Post("/o", append([]string{"method", "user_details", "app_id", a.ID, "api_key", s.Key}, tt.pairs...)...)
		if res.Status != tt.want || res.Header.Get("Quipu-Error") != tt.code {
			t.Errorf("%.200q: %d %s, want %d %s; %.200s", tt.pairs, res.Status, res.Header.Get("Quipu-Error"), tt.want, tt.code, res.Body)
		}
	}
	for _, what := range []string{"eventsTable", "graph", "history", "sessions"} {
		for _, whose := range [][]string{{"uid", "1"}, {"did", "anna"}} {
			res := s.Post("/o", append(whose, "method", "user_details", "app_id", other.ID, "api_key", s.Key, "calculate", what)...)
			if res.Status != http.StatusBadRequest || res.Header.Get("Quipu-Error") != "app_users.no_user" {
				t.Errorf("%s of a user of another app: %d %s", what, res.Status, res.Body)
			}
		}
	}
}
