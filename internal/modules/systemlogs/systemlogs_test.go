package systemlogs_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// row is what the tests look at of an entry.
type row struct {
	Action string         `json:"a"`
	Info   map[string]any `json:"i"`
	User   string         `json:"u"`
}

func rows(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) []row {
	t.Helper()
	var list struct {
		Rows []row `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o", append([]string{"method", "systemlogs", "app_id", a.ID}, pairs...)...), &list)
	return list.Rows
}

func TestDifferences(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	for name, c := range map[string]struct {
		data string
		want map[string]any // nil: no entry
	}{
		"changed": {
			`{"before":{"a":1,"b":{"x":1}},"update":{"a":1,"b":{"x":2},"c":5},"app_id":"A"}`,
			map[string]any{
				"before": map[string]any{"b": map[string]any{"x": 1.0}}, "after": map[string]any{"b": map[string]any{"x": 2.0}, "c": 5.0},
				"update": map[string]any{"a": 1.0, "b": map[string]any{"x": 2.0}, "c": 5.0}, "app_id": "A",
			},
		},
		"nothing changed": {`{"before":{"a":[1,{"b":2}]},"update":{"a":[1,{"b":2}]}}`, nil},
		"plain":           {`{"x":1}`, map[string]any{"x": 1.0}},
		"no object":       {`[1]`, map[string]any{}},
		"no JSON":         {`{`, map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			action := "test " + name
			if got := s.Admin("/i/systemlogs", "action", action, "data", c.data); got != `{"result":"Success"}` {
				t.Errorf("answer %s", got)
			}
			got := rows(t, s, a, "query", `{"a":"`+action+`"}`)
			if c.want == nil {
				if len(got) != 0 {
					t.Errorf("entries %v, want none", got)
				}
				return
			}
			want := []row{{Action: action, Info: c.want, User: testkit.AdminUser}}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("entries (-want +got):\n%s", d)
			}
		})
	}
}

// TestWritesAreRecorded makes management writes and finds them in the log, without secrets.
func TestWritesAreRecorded(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@example.org","password":"Very-secret-9"}`)
	s.Admin("/i/notes/save", "args", `{"app_id":"`+a.ID+`","note":"hello"}`)
	s.Admin("/o/apps/mine")
	var actions []string
	for _, r := range rows(t, s, a) {
		actions = append(actions, r.Action)
	}
	want := []string{"notes_save", "users_create", "apps_create"}
	for _, w := range want {
		if !strings.Contains(strings.Join(actions, " "), w) {
			t.Errorf("actions %v lack %s", actions, w)
		}
	}
	body := s.Admin("/o", "method", "systemlogs", "app_id", a.ID)
	for _, secret := range []string{"Very-secret-9", s.Key} {
		if strings.Contains(body, secret) {
			t.Errorf("the log shows a secret: %s", body)
		}
	}
	if r := s.Get("/i/apps/create", "api_key", "nobody"); r.Status != http.StatusUnauthorized {
		t.Fatalf("write without right: %d", r.Status)
	}
	if n := len(rows(t, s, a)); n != len(want) {
		t.Errorf("%d entries after a refused write, want %d", n, len(want))
	}
	var meta struct {
		Action []string `json:"action"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "systemlogs_meta", "app_id", a.ID), &meta)
	if d := cmp.Diff([]string{"apps_create", "notes_save", "users_create"}, meta.Action); d != "" {
		t.Errorf("actions of meta (-want +got):\n%s", d)
	}
}

// TestChangesTellBoth looks for what stood before and after in the entries of changes.
func TestChangesTellBoth(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("Old name", "UTC")
	s.Ingest(a, "d1", "events", `[{"key":"buy","count":1}]`)
	s.Flush()
	var made struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@example.org","password":"Very-secret-9"}`), &made)
	s.Admin("/i/notes/save", "args", `{"app_id":"`+a.ID+`","note":"hello"}`)
	var notes struct {
		Rows []struct {
			ID string `json:"_id"`
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/notes", "app_id", a.ID), &notes)
	s.Admin("/i/event_groups/create", "args", `{"app_id":"`+a.ID+`","name":"G","source_events":["buy"]}`)
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "get_event_groups", "app_id", a.ID), &groups)
	note, group := notes.Rows[0].ID, groups[0].ID
	type both struct{ Before, After any }
	for _, c := range []struct {
		name, path, action string
		pairs              []string
		field              []string // path to what is compared
		want               both
	}{
		{
			"an app", "/i/apps/update", "apps_update",
			[]string{"args", `{"app_id":"` + a.ID + `","name":"New name"}`},
			[]string{"name"},
			both{"Old name", "New name"},
		},
		{
			"an app's plugins", "/i/apps/update/plugins", "apps_update_plugins",
			[]string{"app_id", a.ID, "args", `{"logger":{"state":"off"}}`},
			[]string{"plugins"},
			both{nil, map[string]any{"logger": map[string]any{"state": "off"}}},
		},
		{
			"a member", "/i/users/update", "users_update",
			[]string{"args", `{"user_id":"` + made.ID + `","full_name":"C"}`},
			[]string{"full_name"},
			both{"B", "C"},
		},
		{
			"a member that goes", "/i/users/delete", "users_delete",
			[]string{"args", `{"user_ids":["` + made.ID + `"]}`},
			[]string{made.ID, "username"},
			both{"b", nil},
		},
		{
			"a note", "/i/notes/save", "notes_save",
			[]string{"args", `{"app_id":"` + a.ID + `","_id":"` + note + `","note":"bye"}`},
			[]string{"note"},
			both{"hello", "bye"},
		},
		{
			"a note that goes", "/i/notes/delete", "notes_delete",
			[]string{"app_id", a.ID, "note_id", note},
			[]string{"note"},
			both{"bye", nil},
		},
		{
			"an event's name", "/i/events/edit_map", "events_edit_map",
			[]string{"app_id", a.ID, "event_map", `{"buy":{"name":"Buys"}}`},
			[]string{"map"},
			both{nil, map[string]any{"buy": map[string]any{"name": "Buys"}}},
		},
		{
			"omitted segments", "/i/events/edit_map", "events_edit_map",
			[]string{"app_id", a.ID, "omitted_segments", `{"buy":["x"]}`},
			[]string{"omitted_segments", "buy"},
			both{nil, []any{"x"}},
		},
		{
			"an event's visibility", "/i/events/change_visibility", "events_change_visibility",
			[]string{"app_id", a.ID, "events", `["buy"]`, "set_visibility", "hide"},
			[]string{"map", "buy", "is_visible"},
			both{nil, false},
		},
		{
			"a group", "/i/event_groups/update", "event_groups_update",
			[]string{"args", `{"app_id":"` + a.ID + `","_id":"` + group + `","name":"H"}`},
			[]string{group, "name"},
			both{"G", "H"},
		},
		{
			"a group that goes", "/i/event_groups/delete", "event_groups_delete",
			[]string{"args", `{"app_id":"` + a.ID + `","_id":"` + group + `"}`},
			[]string{group, "name"},
			both{"H", nil},
		},
		{
			"an app that goes", "/i/apps/delete", "apps_delete",
			[]string{"args", `{"app_id":"` + a.ID + `"}`},
			[]string{"name"},
			both{"New name", nil},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			app := a
			if c.action == "apps_delete" {
				app = s.CreateApp("another", "UTC")
			}
			s.Clock().Set(s.Clock().Now().Add(time.Minute)) // the newest entry comes last
			s.Admin(c.path, c.pairs...)
			got := rows(t, s, app, "query", `{"a":"`+c.action+`"}`)
			if len(got) == 0 {
				t.Fatal("no entry")
			}
			info := got[len(got)-1].Info
			if d := cmp.Diff(c.want, both{at(info["before"], c.field), at(info["after"], c.field)}); d != "" {
				t.Errorf("%v of %v (-want +got):\n%s", c.field, info, d)
			}
		})
	}
	third := s.CreateApp("third", "UTC")
	var list struct {
		Rows []struct {
			TS int64 `json:"ts"`
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "systemlogs", "app_id", third.ID), &list)
	var times []int64
	for _, r := range list.Rows {
		times = append(times, r.TS)
	}
	if !slices.IsSorted(times) || times[0] == times[len(times)-1] {
		t.Errorf("entries of the times %v, want the oldest first", times)
	}
	if body := s.Admin("/o", "method", "systemlogs", "app_id", third.ID); strings.Contains(body, a.Key) {
		t.Errorf("the log shows the key of an app: %s", body)
	}
}

// at returns what stands at a path, nil for nothing.
func at(v any, path []string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// TestReports bounds what members report, and keeps it apart from what the server saw.
func TestReports(t *testing.T) {
	at := time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)
	s := testkit.New(t, testkit.At(at))
	own, other := s.CreateApp("own", "UTC"), s.CreateApp("other", "UTC")
	var bob struct {
		APIKey string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"bob","username":"bob","password":"Correct-horse-1","email":"bob@example.org",`+
		`"permission":{"_":{"a":[],"u":[["`+own.ID+`"]]}}}`), &bob)
	s.Admin("/i/apps/update/plugins", "app_id", own.ID, "args", `{"x":{"y":"z"}}`)
	s.Admin("/i/configs", "configs", `{"api":{"export_limit":5000}}`) // change_configs
	report := func(status int, action, data string) {
		t.Helper()
		if r := s.Post("/i/systemlogs", "api_key", bob.APIKey, "action", action, "data", data); r.Status != status {
			t.Errorf("%s %.80s: %d %s, want %d", action, data, r.Status, r.Body, status)
		}
	}
	rows := func(action string) string {
		t.Helper()
		return s.Admin("/o", "method", "systemlogs", "app_id", own.ID, "query", `{"a":"`+action+`"}`)
	}
	for _, forged := range []string{"users_create", "apps_delete", "token_create", "apps_update_plugins", "change_configs"} {
		report(401, forged, `{"update":{"a":1}}`)
	}
	report(413, "big", `{"a":"`+strings.Repeat("x", 4<<10)+`"}`)
	report(200, "mine", `{"app_id":"`+own.ID+`","api_key":"`+bob.APIKey+`","deep":{"Password":"pw-in-clear"}}`)
	if got := rows("mine"); !strings.Contains(got, `"reported":true`) || !strings.Contains(got, `"app_id":"`+own.ID) ||
		strings.Contains(got, bob.APIKey) || strings.Contains(got, "pw-in-clear") {
		t.Errorf("an entry of a member: %s", got)
	}
	report(200, "foreign", `{"app_id":"`+other.ID+`"}`)
	if got := rows("foreign"); strings.Count(got, other.ID) != 1 { // in i only
		t.Errorf("an entry of a member on an app that is not theirs: %s", got)
	}
	if got := rows("apps_update_plugins"); strings.Contains(got, "reported") {
		t.Errorf("what the server saw: %s", got)
	}
	for range 98 {
		report(200, "more", `{"a":1}`)
	}
	report(429, "more", `{"a":1}`)
	s.Clock().Set(at.Add(time.Hour + time.Second))
	report(200, "more", `{"a":1}`)
}
