package plugins_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

func TestList(t *testing.T) {
	s := testkit.New(t)
	var rows []map[string]any
	testkit.Decode(t, s.Admin("/o/plugins"), &rows)
	codes := map[string]any{}
	for _, r := range rows {
		for _, field := range []string{"name", "title", "description", "author", "code", "version"} {
			if text, _ := r[field].(string); text == "" {
				t.Errorf("%v has no %s", r["code"], field)
			}
		}
		codes[r["code"].(string)] = r["enabled"]
	}
	var names []string
	testkit.Decode(t, s.Admin("/o/system/plugins"), &names)
	for _, code := range []string{"plugins", "systemlogs", "server-stats", "users", "sdk", "sources", "browser", "density", "times-of-day"} {
		if codes[code] != true || !slices.Contains(names, code) {
			t.Errorf("features %v, names %v; want %s in both, on", codes, names, code)
		}
	}
	listed := map[string]string{}
	for _, name := range names {
		plain := strings.ReplaceAll(name, "-", "")
		if other, twice := listed[plain]; twice {
			t.Errorf("names have both %s and %s, want one of them", other, name)
		}
		listed[plain] = name
	}
	if slices.Contains(names, "slipping") {
		t.Errorf("names %v, want slipping under the code slipping-away-users only", names)
	}
	s.Admin("/i/plugins", "plugin", `{"server-stats":false}`)
	testkit.Decode(t, s.Admin("/o/system/plugins"), &names)
	if slices.Contains(names, "server-stats") || slices.Contains(names, "serverstats") || !slices.Contains(names, "browser") {
		t.Errorf("names %v, want browser, and not server-stats, which is off", names)
	}
	if got, want := s.Admin("/o/plugins-check"), `{"result":"completed"}`; got != want {
		t.Errorf("check %s, want %s", got, want)
	}
	if got, want := s.Admin("/o/themes"), `["","light","dark"]`; got != want {
		t.Errorf("themes %s, want %s", got, want)
	}
	if got := s.Admin("/o/internal-events"); !strings.Contains(got, `"[CLY]_session"`) {
		t.Errorf("internal events %s lack sessions", got)
	}
}

// TestSwitch switches a feature off: its routes are as if they were not there, its data stays.
func TestSwitch(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/systemlogs", "action", "before", "data", `{"x":1}`)
	logs := func() testkit.Response {
		return s.Get("/o", "method", "systemlogs", "app_id", a.ID, "api_key", s.Key)
	}
	for _, c := range []struct{ plugin, want string }{
		{"", `"Not enough parameters"`},
		{"{", `"Not enough parameters"`},
		{`{"systemlogs":false}`, `{"result":"started"}`},
	} {
		r := s.Get("/i/plugins", "api_key", s.Key, "plugin", c.plugin)
		if r.Status != http.StatusOK || r.Body != c.want {
			t.Errorf("plugin=%s: %d %s, want 200 %s", c.plugin, r.Status, r.Body, c.want)
		}
	}
	check := func(when string) {
		t.Helper()
		if r := logs(); r.Status != http.StatusBadRequest || r.Body != `{"result":"Invalid method"}` {
			t.Errorf("%s: read %d %s, want 400 Invalid method", when, r.Status, r.Body)
		}
		if r := s.Get("/i/systemlogs", "action", "x", "api_key", s.Key); r.Status != http.StatusBadRequest || r.Body != `{"result":"Invalid path"}` {
			t.Errorf("%s: write %d %s, want 400 Invalid path", when, r.Status, r.Body)
		}
	}
	check("off")
	s.Stop()
	s.Start()
	check("off after a restart")
	s.Admin("/i/plugins", "plugin", `{"systemlogs":true}`)
	if r := logs(); r.Status != http.StatusOK || !strings.Contains(r.Body, `"a":"before"`) {
		t.Errorf("on again: %d %s, want the entry from before", r.Status, r.Body)
	}
	for _, code := range []string{"plugins", "nonsense", "users", "browser"} {
		r := s.Get("/i/plugins", "api_key", s.Key, "plugin", `{"`+code+`":false}`)
		if r.Status != http.StatusBadRequest || r.Body != `{"result":"Cannot be switched: `+code+`"}` {
			t.Errorf("switch %s: %d %s", code, r.Status, r.Body)
		}
	}
}

// configs are the settings that the tests look at.
func configs(t *testing.T, body string) map[string]map[string]any {
	t.Helper()
	var m map[string]map[string]any
	testkit.Decode(t, body, &m)
	return m
}

func TestConfigs(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	read := func() map[string]map[string]any { return configs(t, s.Admin("/o/configs", "app_id", a.ID)) }
	want := map[string]any{
		"city_data": true, "country_data": true, "event_limit": 500.0, "event_segmentation_limit": 100.0, "event_segmentation_value_limit": 1000.0,
		"prevent_duplicate_requests": true, "session_cooldown_period": 15.0, "session_duration_limit": 120.0,
	}
	// ours are the settings of want: others may be declared beside them.
	ours := func(got map[string]any) map[string]any {
		out := map[string]any{}
		for name := range want {
			out[name] = got[name]
		}
		return out
	}
	if d := cmp.Diff(want, ours(read()["api"])); d != "" {
		t.Errorf("fresh (-want +got):\n%s", d)
	}
	for _, c := range []struct {
		name, change string
		expect       map[string]any
	}{
		{"number stays a number", `{"api":{"session_cooldown_period":"20"}}`, map[string]any{"session_cooldown_period": 20.0}},
		{"no countries, no cities", `{"api":{"country_data":false}}`, map[string]any{"country_data": false, "city_data": false}},
		{"cities need countries", `{"api":{"city_data":true}}`, map[string]any{"country_data": true, "city_data": true}},
		{"countries alone", `{"api":{"city_data":false}}`, map[string]any{"country_data": true, "city_data": false}},
		{"what is not ours is kept", `{"api":{"mine":[1]},"other":{"x":"y"}}`, map[string]any{"mine": []any{1.0}}},
	} {
		answer := configs(t, s.Admin("/i/configs", "configs", c.change))
		maps.Copy(want, c.expect)
		if d := cmp.Diff(want, ours(answer["api"])); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(answer, read()); d != "" {
			t.Errorf("%s: read after write (-want +got):\n%s", c.name, d)
		}
	}
	s.Stop()
	s.Start()
	if d := cmp.Diff(want, ours(read()["api"])); d != "" {
		t.Errorf("after a restart (-want +got):\n%s", d)
	}
	for change, text := range map[string]string{
		"":  "Error updating configs",
		"[": "Error updating configs",
		`{"api":{"event_limit":0,"country_data":"perhaps"}}`: "Error updating configs: api.country_data must be true or false, api.event_limit must be a number from 1 to 1e+06",
		`{"frontend":{"theme":"pink"}}`:                      `Error updating configs: frontend.theme must be one of [\"\" \"light\" \"dark\"]`,
	} {
		r := s.Get("/i/configs", "api_key", s.Key, "configs", change)
		if r.Status != http.StatusBadRequest || r.Body != `{"result":"`+text+`"}` {
			t.Errorf("configs=%s: %d %s, want 400 %s", change, r.Status, r.Body, text)
		}
	}
	if r := s.Get("/o/configs", "api_key", s.Key); r.Status != http.StatusBadRequest || r.Body != `{"result":"No app_id provided"}` {
		t.Errorf("without app: %d %s", r.Status, r.Body)
	}
}

// TestUserConfigs shows that a member's own settings are its own, and only those that may be.
func TestUserConfigs(t *testing.T) {
	s := testkit.New(t)
	s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@example.org","password":"Very-secret-9","global_admin":true}`)
	other := s.APIKey("b", "Very-secret-9")
	if got, want := s.Admin("/o/userconfigs"), `{"frontend":{"theme":""}}`; got != want {
		t.Errorf("fresh %s, want %s", got, want)
	}
	if got, want := s.Admin("/i/userconfigs", "configs", `{"frontend":{"theme":"dark"},"api":{"event_limit":1}}`), `{"frontend":{"theme":"dark"}}`; got != want {
		t.Errorf("write %s, want %s", got, want)
	}
	if got, want := s.Admin("/o/userconfigs"), `{"frontend":{"theme":"dark"}}`; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	s.Admin("/i/configs", "configs", `{"frontend":{"theme":"light"}}`)
	if r := s.Get("/o/userconfigs", "api_key", other); r.Body != `{"frontend":{"theme":"light"}}` {
		t.Errorf("another member's %s, want the server's", r.Body)
	}
}

// TestEffect shows that settings do what they say, for the server and for an app.
func TestEffect(t *testing.T) {
	start := time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)
	s := testkit.New(t, testkit.At(start))
	sessions := func(name string, before func(a testkit.TestApp)) string {
		t.Helper()
		a := s.CreateApp(name, "UTC")
		before(a)
		at := start.Unix()
		for i, step := range []string{"begin_session", "end_session", "begin_session"} {
			s.Ingest(a, "d", step, "1", "timestamp", fmt.Sprint(at+int64(i)))
		}
		s.Flush()
		var rows []struct {
			T int `json:"t"`
		}
		testkit.Decode(t, s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", "today", "bucket", "daily"), &rows)
		return fmt.Sprint(rows[0].T)
	}
	if got := sessions("cooldown", func(testkit.TestApp) {}); got != "1" {
		t.Errorf("%s sessions within the cooldown, want 1", got)
	}
	if got := sessions("own", func(a testkit.TestApp) {
		s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"api":{"session_cooldown_period":0}}`)
	}); got != "2" {
		t.Errorf("%s sessions without cooldown in the app, want 2", got)
	}
	s.Admin("/i/configs", "configs", `{"api":{"session_cooldown_period":0,"event_limit":1,"country_data":false}}`)
	if got := sessions("none", func(testkit.TestApp) {}); got != "2" {
		t.Errorf("%s sessions without cooldown, want 2", got)
	}
	a := s.CreateApp("limits", "UTC")
	s.Ingest(a, "d", "begin_session", "1", "events", `[{"key":"one"},{"key":"two"}]`)
	s.Flush()
	want := `{"list":["one"],"limits":{"event_limit":1,"event_segmentation_limit":100,"event_segmentation_value_limit":1000}}`
	if got := s.Admin("/o", "method", "get_events", "app_id", a.ID); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	for _, method := range []string{"countries", "cities"} {
		if got := s.Admin("/o", "method", method, "app_id", a.ID); got != `{}` {
			t.Errorf("%s switched off: %s, want {}", method, got)
		}
	}
}

// TestSchema looks at what forms know of a setting.
func TestSchema(t *testing.T) {
	s := testkit.New(t)
	s.Admin("/i/configs", "configs", `{"api":{"session_cooldown_period":20}}`)
	var made struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@example.org","password":"Very-secret-9"}`), &made)
	of := func(body, namespace, name string) map[string]any {
		var all map[string]map[string]map[string]any
		testkit.Decode(t, body, &all)
		return all[namespace][name]
	}
	admin, member := s.Admin("/o/configs/schema"), s.Get("/o/configs/schema", "api_key", made.Key).Body
	want := map[string]any{
		"type": "number", "default": 15.0, "value": 20.0, "min": 0.0, "max": 86400.0, "per_app": true, "per_member": false,
	}
	if d := cmp.Diff(want, of(admin, "api", "session_cooldown_period")); d != "" {
		t.Errorf("a number, for an administrator (-want +got):\n%s", d)
	}
	delete(want, "value")
	if d := cmp.Diff(want, of(member, "api", "session_cooldown_period")); d != "" {
		t.Errorf("a number, for a member (-want +got):\n%s", d)
	}
	want = map[string]any{
		"type": "text", "default": "automatic", "one_of": []any{"on", "off", "automatic"}, "min": 0.0, "max": 0.0, "per_app": true, "per_member": false,
	}
	if d := cmp.Diff(want, of(member, "logger", "state")); d != "" {
		t.Errorf("a choice (-want +got):\n%s", d)
	}
}
