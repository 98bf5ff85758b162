package datepresets_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

func TestPresets(t *testing.T) {
	s := testkit.New(t, testkit.At(time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)))
	a := s.CreateApp("a", "UTC")
	member := func(name string) string {
		t.Helper()
		s.Admin("/i/users/create", "args", `{"full_name":"`+name+`","username":"`+name+`","email":"`+name+`@example.org","password":"Very-secret-9","permission":{"_":{"a":["`+a.ID+`"],"u":[]}}}`)
		return s.APIKey(name, "Very-secret-9")
	}
	ann, bob, eve := member("ann"), member("bob"), member("eve")
	call := func(key, path string, pairs ...string) testkit.Response {
		t.Helper()
		return s.Post(path, append([]string{"api_key", key, "app_id", a.ID}, pairs...)...)
	}
	refused := func(name string, r testkit.Response, status int, text string) {
		t.Helper()
		if r.Status != status || r.Body != `{"result":"`+text+`"}` {
			t.Errorf("%s: %d %s, want %d %s", name, r.Status, r.Body, status, text)
		}
	}
	create := func(key, name string, pairs ...string) string {
		t.Helper()
		r := call(key, "/i/date_presets/create", append([]string{"name", name, "range", "[1,2]", "share_with", "none"}, pairs...)...)
		var made struct {
			ID    string `json:"_id"`
			Order *int   `json:"sort_order"`
		}
		testkit.Decode(t, r.Body, &made)
		if r.Status != http.StatusOK || made.Order == nil || *made.Order != 0 {
			t.Fatalf("create %s: %d %s", name, r.Status, r.Body)
		}
		return made.ID
	}
	list := func(key string) string {
		t.Helper()
		r := call(key, "/o/date_presets/getAll")
		if r.Status != http.StatusOK {
			return r.Body
		}
		var rows []struct {
			Name string `json:"name"`
			Fav  bool   `json:"fav"`
		}
		testkit.Decode(t, r.Body, &rows)
		var names []string
		for _, row := range rows {
			if row.Fav {
				row.Name += "*"
			}
			names = append(names, row.Name)
		}
		return strings.Join(names, " ")
	}
	expect := func(when, key, want string) {
		t.Helper()
		if got := list(key); got != want {
			t.Errorf("%s: presets %q, want %q", when, got, want)
		}
	}
	refused("none", call(ann, "/o/date_presets/getAll"), 500, "Error getting presets")
	one := create(ann, "one")
	two := create(ann, "two", "share_with", "selected-users", "shared_email_view", `["bob@example.org"]`, "fav", "true", "range", `{"since":5}`)
	create(ann, "three", "share_with", "all-users", "exclude_current_day", "true")
	expect("the newest first", ann, "three two* one")
	expect("a member it is shared with", bob, "three two")
	expect("everybody", eve, "three")
	testkit.GoldenJSON(t, "shared", call(bob, "/o/date_presets/getAll").Body, testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{24}"`), With: `"ID"`})
	testkit.GoldenJSON(t, "own", call(ann, "/o/date_presets/getById", "preset_id", two).Body, testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{24}"`), With: `"ID"`})

	if r := call(ann, "/i/date_presets/update", "preset_id", one, "name", "uno", "sort_order", "1"); r.Body != `{"result":"Preset updated"}` {
		t.Errorf("update: %d %s", r.Status, r.Body)
	}
	expect("moved", ann, "three uno two*")
	call(bob, "/i/date_presets/update", "preset_id", two, "name", "stolen", "fav", "true")
	expect("who may only see it has it as a favourite", bob, "three two*")
	call(ann, "/i/date_presets/update", "preset_id", two, "shared_email_edit", `["bob@example.org"]`, "fav", "false")
	call(bob, "/i/date_presets/update", "preset_id", two, "name", "zwei")
	expect("who may edit it has renamed it", ann, "three uno zwei")

	for field, value := range map[string]string{
		"range": "5", "shared_email_edit": "{", "shared_email_view": "x", "shared_user_groups_edit": "[", "shared_user_groups_view": "5",
		"exclude_current_day": "perhaps", "fav": "x", "sort_order": "first", "share_with": "enemies",
	} {
		refused(field, call(ann, "/i/date_presets/update", "preset_id", one, field, value), 400, "Invalid "+field)
	}
	for _, missing := range []string{"name", "range", "share_with"} {
		pairs := []string{}
		for k, v := range map[string]string{"name": "n", "range": "[1,2]", "share_with": "none"} {
			if k != missing {
				pairs = append(pairs, k, v)
			}
		}
		refused("create without "+missing, call(ann, "/i/date_presets/create", pairs...), 400, "Not enough args")
	}
	for _, path := range []string{"/i/date_presets/update", "/i/date_presets/delete", "/o/date_presets/getById"} {
		refused(path+" without id", call(ann, path), 400, "Not enough args")
		refused(path+" of nothing", call(ann, path, "preset_id", "x"), 500, "Could not find preset")
		refused(path+" of another's", call(eve, path, "preset_id", one), 500, "Could not find preset")
	}
	refused("delete one that is shared", call(bob, "/i/date_presets/delete", "preset_id", two), 401, "Not authorized")
	for i, id := range []string{one, two} {
		key := []string{ann, s.Key}[i]
		if r := call(key, "/i/date_presets/delete", "preset_id", id); r.Body != `{"acknowledged":true,"deletedCount":1}` {
			t.Errorf("delete %d: %d %s", i, r.Status, r.Body)
		}
	}
	expect("deleted", ann, "three")
}
