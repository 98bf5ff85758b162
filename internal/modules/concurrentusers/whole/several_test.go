package whole_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// answer is what the wire says of several apps.
type answer struct {
	Now    struct{ O, N int64 }
	M      struct{ Lv map[string]int64 }
	Shared int64
	Apps   []struct{ ID, Name string }
	Most   struct {
		O     int64
		Bound bool
	}
	Minutes, Hours []struct {
		O     int64
		Bound bool
	}
}

// TestSeveralApps reads several apps over the wire: who may, and who may not.
func TestSeveralApps(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b, foreign := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "UTC"), s.CreateApp("c", "UTC")
	for _, who := range []string{"one", "two"} {
		begin(s, a, who)
	}
	for _, who := range []string{"two", "three"} {
		begin(s, b, who)
	}
	begin(s, foreign, "four")
	s.Flush()
	list := func(ids ...string) string {
		text, _ := json.Marshal(ids)
		return string(text)
	}
	read := func(apps string) (out answer) {
		t.Helper()
		if err := json.Unmarshal([]byte(s.Admin("/o/concurrent_users", "app_id", a.ID, "apps", apps)), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := read(list(a.ID, b.ID, a.ID)); got.Now.O != 3 || got.Now.N != 3 || got.Shared != 1 || got.M.Lv["iOS"] != 3 || len(got.Apps) != 2 || got.Apps[1].Name != "b" ||
		got.Minutes[59].O != 4 || got.Hours[23].O != 4 || got.Hours[23].Bound || got.Most.O != 4 || !got.Most.Bound {
		t.Errorf("%+v", got)
	}
	if got := read(list(b.ID)); got.Now.O != 2 || len(got.Apps) != 1 || got.Most.Bound {
		t.Errorf("another app alone: %+v", got)
	}
	if got := read(list(a.ID)); got.Now.O != 2 || got.Apps != nil {
		t.Errorf("the app itself: %+v", got)
	}
	nobody := strings.Repeat("5", 24)
	for _, apps := range []string{"x", "[]", "{}", "[1]", `["x"]`, list(a.ID + "\x00"), list(make([]string, 21)...), strings.Repeat("[", 5000)} {
		if res := s.Post("/o/concurrent_users", "app_id", a.ID, "api_key", s.Key, "apps", apps); res.Status != http.StatusBadRequest {
			t.Errorf("%.40q: %d %s", apps, res.Status, res.Body)
		}
	}
	unknown := s.Post("/o/concurrent_users", "app_id", a.ID, "api_key", s.Key, "apps", list(a.ID, nobody))
	if unknown.Status != http.StatusForbidden {
		t.Errorf("an app that is not there: %d %s", unknown.Status, unknown.Body)
	}
	rights := func(apps ...string) map[string]any {
		out := map[string]any{}
		for _, id := range apps {
			out[id] = map[string]any{"all": false, "allowed": map[string]bool{"concurrent_users": true}}
		}
		return out
	}
	member, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID, b.ID}}}, "c": rights(), "r": rights(a.ID, b.ID), "u": rights(), "d": rights()},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal([]byte(s.Admin("/i/users/create", "args", string(member))), &p); err != nil || p.Key == "" {
		t.Fatal(err)
	}
	for _, apps := range []string{list(a.ID, foreign.ID), list(foreign.ID)} {
		if res := s.Get("/o/concurrent_users", "app_id", a.ID, "api_key", p.Key, "apps", apps); res.Status != unknown.Status || res.Body != unknown.Body {
			t.Errorf("a foreign app: %d %s", res.Status, res.Body)
		}
	}
	if res := s.Get("/o/concurrent_users", "app_id", a.ID, "api_key", p.Key, "apps", list(a.ID, b.ID)); res.Status != http.StatusOK {
		t.Errorf("own apps: %d %s", res.Status, res.Body)
	}
}
