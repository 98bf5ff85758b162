package cms_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

func TestEntries(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	expect := func(name, want string, pairs ...string) {
		t.Helper()
		if got := s.Admin("/o/cms/entries", pairs...); got != `{"result":{"data":`+want+`},"data":`+want+`}` {
			t.Errorf("%s: %s, want %s twice", name, got, want)
		}
	}
	expect("none", `[]`, "_id", "guides")
	if got := s.Admin("/i/cms/save_entries", "app_id", a.ID, "entries", `[{"_id":"guides_1","lang":"en","n":1},{"_id":"guides_2","lang":"de"},{"_id":"other_1"}]`); got != `{"result":"Entries saved"}` {
		t.Errorf("save: %s", got)
	}
	s.Admin("/i/cms/save_entries", "app_id", a.ID, "entries", `[{"_id":"guides_1","lang":"fr"}]`)
	expect("by prefix", `[{"_id":"guides_1","lang":"fr"},{"_id":"guides_2","lang":"de"}]`, "_id", "guides_")
	expect("by fields", `[{"_id":"guides_2","lang":"de"}]`, "_id", "guides_", "query", `{"lang":"de"}`)
	expect("bad filter", `[{"_id":"other_1"}]`, "_id", "other", "query", `{`)
	expect("without id", `[]`)
	for _, bad := range []string{"", "{", `{"_id":"x"}`, `[{"no":"id"}]`, `["x"]`} {
		if r := s.Get("/i/cms/save_entries", "api_key", s.Key, "app_id", a.ID, "entries", bad); r.Status != http.StatusBadRequest || r.Body != `{"result":"Invalid entries parameter"}` {
			t.Errorf("entries=%s: %d %s", bad, r.Status, r.Body)
		}
	}
	if got := s.Admin("/i/cms/clear", "app_id", a.ID, "_id", "guides"); got != `{"result":"CMS cache cleared"}` {
		t.Errorf("clear: %s", got)
	}
	expect("cleared", `[]`, "_id", "guides")
	expect("the others stay", `[{"_id":"other_1"}]`, "_id", "other")
	s.Admin("/i/cms/clear", "app_id", a.ID)
	expect("all cleared", `[]`, "_id", "o")
}

// TestEntriesAreBounded fills the store of entries, app by app; a request that would overfill it changes nothing.
func TestEntriesAreBounded(t *testing.T) {
	s := testkit.New(t)
	save := func(a testkit.TestApp, from, n int) testkit.Response {
		var list []string
		for i := range n {
			list = append(list, `{"_id":"e`+strconv.Itoa(from+i)+`"}`)
		}
		return s.Post("/i/cms/save_entries", "api_key", s.Key, "app_id", a.ID, "entries", "["+strings.Join(list, ",")+"]")
	}
	refused := func(what string, r testkit.Response, text string) {
		t.Helper()
		if want := `{"result":"` + text + `"}`; r.Status != 409 || r.Body != want {
			t.Errorf("%s: %d %.200s, want 409 %s", what, r.Status, r.Body, want)
		}
	}
	apps := []testkit.TestApp{}
	for i := range 6 {
		apps = append(apps, s.CreateApp("shop "+strconv.Itoa(i), "UTC"))
	}
	const ofApp = "An app can have 1000 entries, clear some"
	for i, a := range apps[:5] {
		for from := 1000 * i; from < 1000*(i+1); from += 500 {
			if r := save(a, from, 500); r.Status != 200 {
				t.Fatalf("entries from %d: %d %.200s", from, r.Status, r.Body)
			}
		}
		refused("one more of the app", save(a, 9000, 1), ofApp)
		twice := s.Post("/i/cms/save_entries", "api_key", s.Key, "app_id", a.ID, "entries", `[{"_id":"e9000"},{"_id":"e9000"}]`)
		refused("one more of the app, twice", twice, ofApp)
	}
	refused("one more of another app", save(apps[5], 9000, 1), "There are too many entries, clear some")
	if got := s.Admin("/o/cms/entries", "_id", "e9000"); strings.Contains(got, "e9000") {
		t.Errorf("it was kept: %s", got)
	}
	if r := save(apps[0], 0, 10); r.Status != 200 {
		t.Errorf("entries that are there: %d %.200s", r.Status, r.Body)
	}
	if r := save(apps[5], 0, 10); r.Status != 200 {
		t.Errorf("entries that are there, of another app: %d %.200s", r.Status, r.Body)
	}
	s.Admin("/i/cms/clear", "app_id", apps[5].ID, "_id", "e0")
	for i, c := range []struct {
		app  testkit.TestApp
		text string
	}{{apps[1], ofApp}, {apps[0], ""}, {apps[0], ofApp}} {
		r := save(c.app, 9000+i, 1)
		if c.text != "" {
			refused("after clearing", r, c.text)
		} else if r.Status != 200 {
			t.Errorf("in the place of one that was cleared: %d %.200s", r.Status, r.Body)
		}
	}
}
