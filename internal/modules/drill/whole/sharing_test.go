package whole_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// sharedMark is a bookmark with who sees it.
type sharedMark struct {
	mark
	Visibility string
	View       []string `json:"shared_email_view"`
	Edit       []string `json:"shared_email_edit"`
	Editable   bool
}

// TestSharing asks who sees, changes and deletes bookmarks of each visibility.
func TestSharing(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	people := map[string]person{}
	for _, name := range []string{"ada", "view", "edit", "other"} {
		people[name] = member(t, s, a, name, "r:drill")
	}
	stranger := member(t, s, b, "stranger", "r:drill") // named, but of another app
	people["none"] = member(t, s, a, "none", "r:core") // named, but without the right
	lists := []string{
		"shared_email_view", `[" VIEW@example.org ","stranger@example.org","none@example.org"]`, "shared_email_edit", `["edit@example.org"]`,
	}
	kinds := map[string][]string{
		"private": append([]string{"visibility", "private"}, lists...), "shared": append([]string{"visibility", "shared"}, lists...), "global": append([]string{"visibility", "global"}, lists...),
		"old": {"global", "false"}, "oldglobal": {"global", "true"},
	}
	ids := map[string]string{}
	make1 := func(kind string) {
		t.Helper()
		var made struct{ Result struct{ ID string } }
		r := add(s, people["ada"].Key, a, append([]string{"name", kind, "event_key", "of " + kind}, kinds[kind]...)...)
		testkit.Decode(t, r.Body, &made)
		ids[kind] = made.Result.ID
	}
	for kind := range kinds {
		make1(kind)
	}
	everyone := []string{"ada", "edit", "other", "view"}
	sees := map[string][]string{"private": {"ada"}, "shared": {"ada", "edit", "view"}, "global": everyone, "old": {"ada"}, "oldglobal": everyone}
	edits := map[string][]string{"private": {"ada"}, "shared": {"ada", "edit"}, "global": {"ada"}, "old": {"ada"}, "oldglobal": {"ada"}}
	deletes := map[string][]string{"private": {"ada"}, "shared": {"ada", "edit"}, "global": everyone, "old": {"ada"}, "oldglobal": everyone}
	one := func(key, id string) (m sharedMark, ok bool) {
		r := s.Get("/o", "method", "drill_bookmark", "api_key", key, "app_id", a.ID, "_id", id)
		if r.Status != http.StatusOK || r.Body == "null" {
			return m, false
		}
		testkit.Decode(t, r.Body, &m)
		return m, true
	}
	edit := func(key, kind string, pairs ...string) testkit.Response {
		return s.Post("/i/drill/edit_bookmark", append([]string{
			"api_key", key, "app_id", a.ID, "bookmark_id", ids[kind], "event_key", "of " + kind, "query_obj", `{"up.cc":"US"}`, "query_text", "US", "name", kind, "desc", "", "global", fmt.Sprint(strings.HasSuffix(kind, "global")), "by_val", "", "by_val_text", "",
		}, pairs...)...)
	}
	for kind := range kinds {
		for who, p := range people {
			m, seen := one(p.Key, ids[kind])
			listed := who != "none" && slices.Contains(names(t, s, p.Key, a, "app_level", "1"), kind) // none is refused, see TestBookmarks
			if want := slices.Contains(sees[kind], who); seen != want || listed != want {
				t.Errorf("%s sees %s: %v, listed %v, want %v", who, kind, seen, listed, want)
			}
			if !seen {
				continue
			}
			if want := slices.Contains(edits[kind], who); m.Editable != want {
				t.Errorf("%s may change %s: %v", who, kind, m.Editable)
			}
			knows := who == "ada" && kind == "shared"
			if (len(m.View) == 3 && m.View[0] == "VIEW@example.org" && len(m.Edit) == 1) != knows || !knows && len(m.View)+len(m.Edit) > 0 {
				t.Errorf("%s sees that %s is shared with %q and %q", who, kind, m.View, m.Edit)
			}
			if want := map[string]string{"old": "private", "oldglobal": "global"}[kind]; m.Visibility != want && m.Visibility != kind {
				t.Errorf("%s is %s", kind, m.Visibility)
			}
		}
		if m, seen := one(stranger.Key, ids[kind]); seen {
			t.Errorf("a stranger sees %+v", m)
		}
		for who, p := range people {
			r := edit(p.Key, kind, "visibility", "", "query_text", fmt.Sprint("by ", who))
			if want := slices.Contains(edits[kind], who); (r.Status == http.StatusOK) != want {
				t.Errorf("%s changes %s: %d %s", who, kind, r.Status, r.Body)
			}
		}
	}
	// A member who may change a bookmark does not decide who sees it, and a client that does not know of sharing leaves it.
	for who, key := range map[string]string{"an editor": people["edit"].Key, "an old client": people["ada"].Key} {
		pairs := []string{"visibility", "global", "shared_email_edit", `[]`}
		if who == "an old client" {
			pairs = nil
		}
		if r := edit(key, "shared", pairs...); r.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", who, r.Status, r.Body)
		}
		if m, _ := one(people["ada"].Key, ids["shared"]); m.Visibility != "shared" || len(m.View) != 3 || len(m.Edit) != 1 || m.Global || m.Creator != people["ada"].ID {
			t.Errorf("after %s: %+v", who, m)
		}
	}
	for name, pairs := range map[string][]string{
		"an unknown visibility": {"visibility", "friends"}, "no list": {"visibility", "shared", "shared_email_view", `{"a":1}`}, "numbers": {"visibility", "shared", "shared_email_edit", `[1]`},
		"an empty address": {"visibility", "shared", "shared_email_view", `[" "]`}, "a long address": {"visibility", "shared", "shared_email_view", `["` + strings.Repeat("x", 400) + `"]`},
		"too many": {"visibility", "shared", "shared_email_view", manyAddresses()},
	} {
		if r := edit(people["ada"].Key, "shared", pairs...); r.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	for kind := range kinds {
		for _, who := range []string{"other", "none", "view", "edit", "ada"} {
			r := s.Post("/i/drill/delete_bookmark", "api_key", people[who].Key, "app_id", a.ID, "bookmark_id", ids[kind])
			if want := slices.Contains(deletes[kind], who); (r.Status == http.StatusOK) != want {
				t.Errorf("%s deletes %s: %d %s", who, kind, r.Status, r.Body)
			}
			if r.Status == http.StatusOK {
				make1(kind)
			}
		}
	}
	// What was shared is taken back; what others may change outlives its creator.
	if r := edit(people["ada"].Key, "shared", "shared_email_view", `[]`); r.Status != http.StatusOK {
		t.Errorf("taken back: %d %s", r.Status, r.Body)
	}
	if _, seen := one(people["view"].Key, ids["shared"]); seen {
		t.Error("seen after it was taken back")
	}
	s.Admin("/i/users/delete", "args", `{"user_ids":["`+people["ada"].ID+`"]}`)
	if got := names(t, s, people["edit"].Key, a, "app_level", "1"); !slices.Contains(got, "shared") || !slices.Contains(got, "global") || slices.Contains(got, "private") || slices.Contains(got, "old") {
		t.Errorf("after the creator was deleted: %q", got)
	}
}

// manyAddresses is a list of more addresses than there may be.
func manyAddresses() string {
	var list []string
	for i := range 101 {
		list = append(list, fmt.Sprintf("%q", fmt.Sprint(i, "@example.org")))
	}
	return "[" + strings.Join(list, ",") + "]"
}
