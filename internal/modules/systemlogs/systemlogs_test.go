package systemlogs_test

import (
	"net/http"
	"strings"
	"testing"

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
