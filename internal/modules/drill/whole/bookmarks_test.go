package whole_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// mark is a bookmark as clients read it.
type mark struct {
	ID       string `json:"_id"`
	AppID    string `json:"app_id"`
	EventKey string `json:"event_key"`
	Name     string
	Global   bool
	Creator  string
	Query    string `json:"query_obj"`
	Text     string `json:"query_text"`
	By       string `json:"by_val"`
	Sign     string
	EventApp string `json:"event_app_id"`
}

// add adds a bookmark.
func add(s *testkit.Server, key string, a testkit.TestApp, pairs ...string) testkit.Response {
	return s.Post("/i/drill/add_bookmark", append([]string{
		"api_key", key, "app_id", a.ID, "event_key", "buy", "query_obj", `{"up.cc":{"$in":["US","CA"]},"up.p":"iOS"}`, "query_text", "US on iOS",
		"name", "mine", "desc", "", "global", "false", "by_val", `["up.p"]`,
	}, pairs...)...)
}

func names(t *testing.T, s *testkit.Server, key string, a testkit.TestApp, pairs ...string) (out []string) {
	t.Helper()
	var list []mark
	testkit.Decode(t, s.Get("/o", append([]string{"method", "drill_bookmarks", "api_key", key, "app_id", a.ID}, pairs...)...).Body, &list)
	for _, b := range list {
		out = append(out, b.Name)
	}
	return out
}

func TestBookmarks(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	ada, bob := member(t, s, a, "ada", "r:drill"), member(t, s, a, "bob", "r:drill")
	viewer, none := member(t, s, a, "viewer", "r:users"), member(t, s, a, "none", "r:core")
	var made struct {
		Result struct{ Status, ID, Sign string }
	}
	testkit.Decode(t, add(s, ada.Key, a).Body, &made)
	if made.Result.Status != "Success" || len(made.Result.ID) != 24 || len(made.Result.Sign) != 40 {
		t.Fatalf("made %+v", made)
	}
	own := made.Result.ID
	// The same question, otherwise written, is the same; another member's, or another view of it, is not.
	same := []string{"query_obj", `{"up.p":"iOS","up.cc":{"$in":["CA","US"]}}`, "name", "again"}
	if r := add(s, ada.Key, a, same...); r.Status != http.StatusBadRequest || r.Body != `{"result":"Duplicate entry"}` {
		t.Errorf("twice: %d %s", r.Status, r.Body)
	}
	for _, tt := range []struct {
		name  string
		key   string
		pairs []string
	}{
		{"another member's", bob.Key, []string{"name", "bob's"}},
		{"shared", bob.Key, []string{"name", "ours", "global", "true", "event_key", "sell"}},
		{"a picture", ada.Key, []string{"name", "pie", "visualization", "pie"}},
		{"a namespace", ada.Key, []string{"name", "other", "namespace", "cohorts"}},
		{"without a text", ada.Key, []string{"name", "plain", "query_text", "", "by_val", ""}},
	} {
		if r := add(s, tt.key, a, tt.pairs...); r.Status != http.StatusOK || !strings.Contains(r.Body, "Success") {
			t.Errorf("%s: %d %s", tt.name, r.Status, r.Body)
		}
	}
	for _, tt := range []struct {
		name, key string
		pairs     []string
		want      []string
	}{
		{"own, of the event", ada.Key, []string{"event_key", "buy"}, []string{"mine", "pie", "plain"}},
		{"own, of a namespace", ada.Key, []string{"event_key", "buy", "namespace", "cohorts"}, []string{"other"}},
		{"of the namespace drill", bob.Key, []string{"event_key", "buy", "namespace", "drill"}, []string{"bob's"}},
		{"shared", ada.Key, []string{"event_key", "sell"}, []string{"ours"}},
		{"of the app", ada.Key, []string{"app_level", "1"}, []string{"mine", "ours", "pie", "plain"}},
		{"of apps", ada.Key, []string{"app_level", "1", "apps", `["` + a.ID + `","` + b.ID + `","x"]`}, []string{"mine", "ours", "pie", "plain"}},
		{"who may read users", viewer.Key, []string{"app_level", "1"}, []string{"ours"}},
	} {
		got := names(t, s, tt.key, a, tt.pairs...)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if r := s.Get("/o", "method", "drill_bookmarks", "api_key", ada.Key, "app_id", a.ID, "app_level", "1", "only_count", "true"); r.Body != "4" {
		t.Errorf("counted: %s", r.Body)
	}
	if r := s.Get("/o", "method", "drill_bookmarks", "api_key", ada.Key, "app_id", a.ID, "app_level", "1", "only_count", "false"); !strings.HasPrefix(r.Body, "[") {
		t.Errorf("not counted: %s", r.Body)
	}
	if r := s.Get("/o", "method", "drill_bookmarks", "api_key", none.Key, "app_id", a.ID); r.Status != http.StatusUnauthorized {
		t.Errorf("without a right: %d %s", r.Status, r.Body)
	}
	one := func(key, id string) string {
		return s.Get("/o", "method", "drill_bookmark", "api_key", key, "app_id", a.ID, "_id", id).Body
	}
	var got mark
	testkit.Decode(t, one(ada.Key, own), &got)
	want := mark{
		ID: own, AppID: a.ID, EventKey: "buy", Name: "mine", Creator: ada.ID, Query: `{"up.cc":{"$in":["US","CA"]},"up.p":"iOS"}`, Text: "US on iOS", By: `["up.p"]`, Sign: made.Result.Sign, EventApp: got.EventApp,
	}
	if got != want || len(got.EventApp) != 32 {
		t.Errorf("read %+v, want %+v", got, want)
	}
	for name, body := range map[string]string{"somebody else's": one(bob.Key, own), "unknown": one(ada.Key, "nothing"), "none": one(ada.Key, "")} {
		if body != "null" {
			t.Errorf("%s: %s", name, body)
		}
	}
	change(t, s, a, own, ada, bob)
	remove(t, s, a, b, own, ada, bob)
}

// change edits bookmarks.
func change(t *testing.T, s *testkit.Server, a testkit.TestApp, id string, ada, bob person) {
	t.Helper()
	edit := func(key, id string, pairs ...string) testkit.Response {
		return s.Post("/i/drill/edit_bookmark", append([]string{
			"api_key", key, "app_id", a.ID, "bookmark_id", id, "event_key", "buy", "query_obj", `{"up.cc":"US"}`, "query_text", "US",
			"name", "edited", "desc", "d", "global", "true", "by_val", `["up.p"]`, "by_val_text", "",
		}, pairs...)...)
	}
	if r := edit(bob.Key, id); r.Status != http.StatusBadRequest || r.Body != `{"result":"Bookmark not found"}` {
		t.Errorf("somebody else's: %d %s", r.Status, r.Body)
	}
	if r := edit(ada.Key, "nothing"); r.Status != http.StatusBadRequest || r.Body != `{"result":"Bookmark not found"}` {
		t.Errorf("unknown: %d %s", r.Status, r.Body)
	}
	if r := edit(ada.Key, id, "query_text", "", "visualization", ""); r.Status != http.StatusBadRequest || r.Body != `{"result":"Duplicate entry"}` {
		t.Errorf("made the same as another: %d %s", r.Status, r.Body)
	}
	if r := edit(ada.Key, id); r.Status != http.StatusOK || !strings.Contains(r.Body, `"status":"Success","sign":"`) {
		t.Errorf("own: %d %s", r.Status, r.Body)
	}
	var got mark
	testkit.Decode(t, s.Get("/o", "method", "drill_bookmark", "api_key", bob.Key, "app_id", a.ID, "_id", id).Body, &got)
	if got.Name != "edited" || !got.Global || got.By != "[]" || got.Query != `{"up.cc":"US"}` {
		t.Errorf("edited: %+v", got)
	}
	for name, pairs := range map[string][]string{"no name": {"name", ""}, "no id": {"bookmark_id", ""}, "no event": {"event_key", ""}} {
		if r := edit(ada.Key, id, pairs...); r.Status != http.StatusOK || r.Body != `{"result":"Not enough args"}` {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	for name, pairs := range map[string][]string{
		"a filter that is none": {"query_obj", "{"}, "a filter that is a list": {"query_obj", "[]"}, "four properties": {"by_val", `["a","b","c","d"]`, "by_val_text", "x"},
		"a long name": {"name", strings.Repeat("x", 3000)}, "an operator that is none": {"query_obj", `{"$where":"1"}`},
	} {
		if r := edit(ada.Key, id, pairs...); r.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	if r := s.Post("/i/drill/add_bookmark", "api_key", ada.Key, "app_id", a.ID, "event_key", "buy", "name", "x"); r.Status != http.StatusOK || r.Body != `{"result":"Not enough args"}` {
		t.Errorf("too little: %d %s", r.Status, r.Body)
	}
}

// remove deletes bookmarks, their creator and their app.
func remove(t *testing.T, s *testkit.Server, a, b testkit.TestApp, shared string, ada, bob person) {
	t.Helper()
	del := func(key, app, id string) testkit.Response {
		return s.Post("/i/drill/delete_bookmark", "api_key", key, "app_id", app, "bookmark_id", id)
	}
	var list []mark
	testkit.Decode(t, s.Get("/o", "method", "drill_bookmarks", "api_key", ada.Key, "app_id", a.ID, "event_key", "buy").Body, &list)
	const refused = `{"result":"Don't have permission to delete bookmark"}`
	for _, m := range list {
		if !m.Global {
			if r := del(bob.Key, a.ID, m.ID); r.Status != http.StatusUnauthorized || r.Body != refused {
				t.Errorf("somebody else's: %d %s", r.Status, r.Body)
			}
		}
	}
	if r := del(s.Key, b.ID, shared); r.Status != http.StatusUnauthorized || r.Body != refused {
		t.Errorf("through another app: %d %s", r.Status, r.Body)
	}
	if r := del(bob.Key, a.ID, ""); r.Status != http.StatusOK || r.Body != `{"result":"Not enough args"}` {
		t.Errorf("none: %d %s", r.Status, r.Body)
	}
	if r := del(bob.Key, a.ID, shared); r.Status != http.StatusOK || r.Body != `{"result":"Success"}` {
		t.Errorf("shared: %d %s", r.Status, r.Body)
	}
	if r := del(bob.Key, a.ID, shared); r.Status != http.StatusUnauthorized || r.Body != refused {
		t.Errorf("twice: %d %s", r.Status, r.Body)
	}
	log := s.Get("/o", "method", "systemlogs", "api_key", s.Key, "app_id", a.ID, "iDisplayLength", "100").Body
	for _, action := range []string{"drill_bookmark_created", "drill_bookmark_updated", "drill_bookmark_deleted"} {
		if !strings.Contains(log, action) {
			t.Errorf("the log has no %s", action)
		}
	}
	s.Admin("/i/users/delete", "args", `{"user_ids":["`+bob.ID+`"]}`)
	if got := names(t, s, ada.Key, a, "app_level", "1"); !slices.Contains(got, "ours") || slices.Contains(got, "bob's") {
		t.Errorf("after the creator was deleted: %q", got)
	}
}
