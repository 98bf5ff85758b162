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

// TestEntriesOfOtherApps lets members and tokens of one app at the entries of another one.
func TestEntriesOfOtherApps(t *testing.T) {
	s := testkit.New(t)
	own, other := s.CreateApp("own", "UTC"), s.CreateApp("other", "UTC")
	s.Admin("/i/cms/save_entries", "app_id", other.ID, "entries", `[{"_id":"guide_1","v":"theirs"}]`)
	s.Admin("/i/users/create", "args", `{"full_name":"M","username":"m","password":"long enough 1","email":"m@example.test","permission":{"_":{"a":["`+own.ID+`"],"u":[]}}}`)
	token := strings.TrimSuffix(strings.TrimPrefix(s.Admin("/i/token/create", "apps", own.ID), `{"result":"`), `"}`)
	const theirs = `[{"_id":"guide_1","v":"theirs"}]`
	for _, caller := range []struct{ name, param, value string }{
		{"member", "api_key", s.APIKey("m", "long enough 1")}, {"token", "auth_token", token},
	} {
		t.Run(caller.name, func(t *testing.T) {
			get := func(path string, pairs ...string) testkit.Response {
				return s.Get(path, append(pairs, caller.param, caller.value, "app_id", own.ID)...)
			}
			expect := func(what, id, want string) {
				t.Helper()
				if got := s.Admin("/o/cms/entries", "_id", id); got != `{"result":{"data":`+want+`},"data":`+want+`}` {
					t.Errorf("%s: %s, want %s", what, got, want)
				}
			}
			r := get("/i/cms/save_entries", "entries", `[{"_id":"mine_1"},{"_id":"guide_1","v":"replaced"}]`)
			if r.Status != http.StatusConflict || r.Body != `{"result":"An entry was saved under another app"}` {
				t.Errorf("replace: %d %s", r.Status, r.Body)
			}
			expect("after replacing", "guide", theirs)
			expect("nothing of the request is kept", "mine", `[]`)
			for range 2 {
				if r := get("/i/cms/save_entries", "entries", `[{"_id":"guide_2"},{"_id":"mine_1"}]`); r.Status != http.StatusOK {
					t.Fatalf("save own: %d %s", r.Status, r.Body)
				}
			}
			if r := get("/i/cms/clear", "_id", "guide"); r.Status != http.StatusOK {
				t.Errorf("clear: %d %s", r.Status, r.Body)
			}
			expect("after clearing by prefix", "guide", theirs)
			expect("own, of another prefix", "mine", `[{"_id":"mine_1"}]`)
			get("/i/cms/clear")
			expect("after clearing all", "guide", theirs)
			expect("own are gone", "mine", `[]`)
		})
	}
}
