package compliancehub_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type table struct {
	Echo    any              `json:"sEcho"`
	Total   int              `json:"iTotalRecords"`
	Display int              `json:"iTotalDisplayRecords"`
	Rows    []map[string]any `json:"aaData"`
	More    bool             `json:"hasNextPage"`
	Next    string           `json:"nextCursor"`
}

func read(t *testing.T, s *testkit.Server, path string, pairs ...string) table {
	t.Helper()
	var out table
	testkit.Decode(t, s.Admin(path, pairs...), &out)
	if out.Rows == nil {
		t.Errorf("%s %q has no rows, not even none", path, pairs)
	}
	return out
}

func TestConsent(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	for _, path := range []string{"/o/consent/search", "/o/consent/searchOld", "/o/app_users/consents"} {
		if got := read(t, s, path, "app_id", a.ID); len(got.Rows) != 0 || got.Total != 0 {
			t.Errorf("%s of an empty app: %+v", path, got)
		}
		if r := s.Get(path, "api_key", s.Key); r.Status != http.StatusBadRequest || r.Body != `{"result":"Missing parameter \"app_id\""}` {
			t.Errorf("%s without app: %d %s", path, r.Status, r.Body)
		}
	}
	current := func(query string) string {
		t.Helper()
		return s.Admin("/o/consent/current", "app_id", a.ID, "query", query)
	}
	if got := current(""); got != `{}` {
		t.Errorf("consent of nobody: %s", got)
	}
	if got := s.Admin("/o", "method", "consents", "app_id", a.ID); got != `{}` {
		t.Errorf("document of nothing: %s", got)
	}
	at := func(minutes int) string {
		return fmt.Sprint(start.Add(time.Duration(minutes) * time.Minute).UnixMilli())
	}
	s.Ingest(a, "d1", "consent", `{"sessions":true,"events":true}`, "timestamp", at(0))
	s.Ingest(a, "d1", "consent", `{"sessions":true}`, "timestamp", at(1))
	s.Ingest(a, "d1", "consent", `{"sessions":false,"crashes":true}`, "timestamp", at(2))
	s.Ingest(a, "d2", "consent", `{"sessions":false}`, "timestamp", at(3))
	s.Flush()

	got := read(t, s, "/o/consent/search", "app_id", a.ID, "sEcho", "7")
	for _, r := range got.Rows {
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(r["cd"])); err != nil {
			t.Errorf("cd: %v", err)
		}
		delete(r, "cd")
		delete(r, "_id")
	}
	ms := func(minutes int) float64 { return float64(start.Add(time.Duration(minutes) * time.Minute).UnixMilli()) }
	want := table{Echo: "7", Total: 3, Display: 3, Rows: []map[string]any{
		{"device_id": "d2", "uid": "2", "ts": ms(3), "type": "o", "change": map[string]any{"sessions": false}, "a": a.ID},
		{"device_id": "d1", "uid": "1", "ts": ms(2), "type": []any{"i", "o"}, "change": map[string]any{"sessions": false, "crashes": true}, "a": a.ID},
		{"device_id": "d1", "uid": "1", "ts": ms(0), "type": "i", "change": map[string]any{"sessions": true, "events": true}, "a": a.ID},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("history (-want +got):\n%s", d)
	}
	for name, c := range map[string]struct {
		pairs []string
		total int
		first string // device of the first row
		rows  int
	}{
		"limit":           {[]string{"limit", "1"}, 3, "d2", 1},
		"table limits":    {[]string{"iDisplayLength", "1", "iDisplayStart", "1"}, 3, "d1", 1},
		"cursor":          {[]string{"limit", "2", "cursor", "2"}, 3, "d1", 1},
		"by device":       {[]string{"query", `{"device_id":"d2"}`}, 1, "d2", 1},
		"by feature":      {[]string{"query", `{"change.sessions":true}`}, 1, "d1", 1},
		"by type":         {[]string{"filter", `{"type":"o"}`}, 2, "d2", 2},
		"search":          {[]string{"sSearch", "D1"}, 2, "d1", 2},
		"oldest first":    {[]string{"sort", `{"ts":1}`}, 3, "d1", 3},
		"bad JSON":        {[]string{"query", `{`, "sort", "{", "project", "["}, 3, "d2", 3},
		"period":          {[]string{"period", "today"}, 3, "d2", 3},
		"another period":  {[]string{"period", "yesterday"}, 0, "", 0},
		"nobody":          {[]string{"query", `{"uid":"77"}`}, 0, "", 0},
		"by its old form": {[]string{"query", `{"uid":{"$in":["1"]}}`}, 2, "d1", 2},
	} {
		for _, path := range []string{"/o/consent/search", "/o/consent/searchOld"} {
			if path == "/o/consent/searchOld" && name == "cursor" {
				continue
			}
			got := read(t, s, path, append(c.pairs, "app_id", a.ID)...)
			first := ""
			if len(got.Rows) > 0 {
				first = fmt.Sprint(got.Rows[0]["device_id"])
			}
			if got.Total != c.total || len(got.Rows) != c.rows || first != c.first {
				t.Errorf("%s, %s: %d of %d rows, the first of %s; want %d of %d, %s", path, name, len(got.Rows), got.Total, first, c.rows, c.total, c.first)
			}
		}
	}
	page := read(t, s, "/o/consent/search", "app_id", a.ID, "limit", "2")
	if !page.More || page.Next != "2" {
		t.Errorf("first page says next %v %q", page.More, page.Next)
	}
	if page = read(t, s, "/o/consent/search", "app_id", a.ID, "limit", "2", "cursor", page.Next); page.More || page.Next != "" || len(page.Rows) != 1 {
		t.Errorf("last page says next %v %q, %d rows", page.More, page.Next, len(page.Rows))
	}

	for query, want := range map[string]string{
		`{"did":"d1"}`: `{"crashes":true,"events":true,"sessions":false}`, `{"did":"d2"}`: `{"sessions":false}`, `{"did":"none"}`: `{}`,
	} {
		if got := current(query); got != want {
			t.Errorf("consent of %s: %s, want %s", query, got, want)
		}
	}
	users := read(t, s, "/o/app_users/consents", "app_id", a.ID, "sSearch", "d2", "project", `{"did":1,"consent":1}`, "sEcho", "1")
	for _, r := range users.Rows {
		delete(r, "_id")
	}
	if d := cmp.Diff([]map[string]any{{"did": "d2", "consent": map[string]any{"sessions": false}}}, users.Rows); d != "" || users.Total != 1 {
		t.Errorf("users, %d in all (-want +got):\n%s", users.Total, d)
	}
	if got := read(t, s, "/o/app_users/consents", "app_id", a.ID, "query", `{"consent.events":true}`); got.Total != 1 {
		t.Errorf("%d users consent to events, want 1", got.Total)
	}
	wantDoc := `{"2031":{"5":{"14":{"11":{"e":3,"p":2},"e":3,"p":2},"e":3,"p":2},"e":3,"p":2}}`
	if got := s.Admin("/o", "method", "consents", "app_id", a.ID); got != wantDoc {
		t.Errorf("document %s, want %s", got, wantDoc)
	}

	s.Ingest(a, "d2", "old_device_id", "d1")
	s.Flush()
	for _, r := range read(t, s, "/o/consent/search", "app_id", a.ID).Rows {
		if r["device_id"] != "d2" || r["uid"] != "2" {
			t.Errorf("after a merge a row is of %v, %v", r["device_id"], r["uid"])
		}
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if got := read(t, s, "/o/consent/search", "app_id", a.ID); got.Total != 0 {
		t.Errorf("%d rows after a reset", got.Total)
	}
}
