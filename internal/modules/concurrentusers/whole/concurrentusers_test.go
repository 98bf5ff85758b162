// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// begin opens a session now.
func begin(s *testkit.Server, a testkit.TestApp, device string) {
	s.Ingest(a, device, "timestamp", fmt.Sprint(s.Clock().Now().UnixMilli()), "begin_session", "1", "country_code", "DE", "metrics", `{"_os":"iOS"}`)
}

// TestFigures has the answers of the wire, before and after the first sample.
func TestFigures(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "UTC")
	o := func(method string, pairs ...string) string {
		return s.Admin("/o", append([]string{"method", method}, pairs...)...)
	}
	if got := o("live", "app_id", a.ID); got != `{"o":0,"n":0,"om":0,"nm":0}` {
		t.Errorf("nobody: %s", got)
	}
	s.Ingest(a, "back", "timestamp", fmt.Sprint(start.Add(-48*time.Hour).UnixMilli()), "begin_session", "1")
	s.Ingest(a, "back", "timestamp", fmt.Sprint(start.Add(-47*time.Hour).UnixMilli()), "end_session", "1")
	s.Flush()
	s.Clock().Set(start.Add(time.Hour))
	begin(s, a, "back")
	begin(s, a, "new")
	s.Flush()
	if got := o("live", "app_id", a.ID); got != `{"o":2,"n":1,"om":2,"nm":1}` {
		t.Errorf("two: %s", got)
	}
	for name, tt := range map[string]struct{ pairs, want string }{
		"now":          {"mode=0 app_id=" + a.ID, `{"ns_o":{"` + a.ID + `":{"o":2,"m":{"cc":{"DE":2},"lv":{"iOS":2},"src":{"iOS":2}}}}}`},
		"no mode":      {"mode=x app_id=" + a.ID, `{"ns_o":{"` + a.ID + `":{"o":2,"m":{"cc":{"DE":2},"lv":{"iOS":2},"src":{"iOS":2}}}}}`},
		"parts, new":   {"mode=1 add_new=true app_id=" + a.ID, `"ns_n":{"` + a.ID + `":{"o":1,"m":{"cc":{"DE":1},"lv":{"iOS":1},"src":{"iOS":1}}}}}`},
		"several":      {`mode=0 r_apps=["` + a.ID + `","` + other.ID + `"]`, `"` + other.ID + `":{"o":0,"m":{"cc":{},"lv":{},"src":{}}}`},
		"app_id aside": {`mode=5 r_apps=x app_id=` + other.ID, `{"ns_o":{"` + other.ID + `":{"mx":0}}}`},
	} {
		var pairs []string
		for pair := range strings.FieldsSeq(tt.pairs) {
			k, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, k, v)
		}
		if got := o("concurrent", pairs...); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	for mode, n := range map[string]int{"2": 60, "3": 24, "4": 30} {
		if got := o("concurrent", "mode", mode, "app_id", a.ID); strings.Count(got, `"data"`) != n || strings.Contains(got, "ns_n") {
			t.Errorf("mode %s: %s", mode, got)
		}
	}
	var all struct {
		Now     struct{ O, N int64 }
		Window  int64
		Whole   bool
		Minutes []struct{ T, O, N int64 }
		Most    struct{ O, N int64 }
	}
	if err := json.Unmarshal([]byte(s.Admin("/o/concurrent_users", "app_id", a.ID)), &all); err != nil || all.Now.O != 2 || all.Minutes[59].O != 2 || all.Most.N != 1 || all.Window != 180 || !all.Whole {
		t.Errorf("%+v %v", all, err)
	}
	s.Clock().Set(start.Add(time.Hour + 4*time.Minute))
	if got := o("live", "app_id", a.ID); !strings.HasPrefix(got, `{"o":0,"n":0,`) {
		t.Errorf("three minutes after: %s", got)
	}
}

// TestDurable samples, restarts, and resets.
func TestDurable(t *testing.T) {
	s := testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"concurrentusers": map[string]any{"interval": "1s"}}
	}))
	a := s.CreateApp("a", "UTC")
	live := func() string { return s.Admin("/o", "method", "live", "app_id", a.ID) }
	begin(s, a, "one")
	begin(s, a, "two")
	s.Flush()
	wait(t, func() bool { // an hour later nobody is online, so that only a sample can tell
		s.Clock().Set(start.Add(time.Hour))
		sampled := strings.Contains(s.Admin("/o", "method", "concurrent", "mode", "5", "app_id", a.ID), `"mx":2`)
		if !sampled {
			s.Clock().Set(start)
		}
		return sampled
	})
	s.Stop()
	s.Start()
	if got := live(); got != `{"o":0,"n":0,"om":2,"nm":2}` {
		t.Errorf("after a restart: %s", got)
	}
	if got := s.Admin("/o", "method", "concurrent", "mode", "3", "app_id", a.ID); !strings.Contains(got, `{"data":2,"time":`+fmt.Sprint(start.Truncate(time.Hour).UnixMilli())+`}`) {
		t.Errorf("hours: %s", got)
	}
	if got := s.Admin("/i/concurrent_users_max/reset", "app_id", a.ID); got != `{"result":"Success"}` {
		t.Error(got)
	}
	if got := live(); got != `{"o":0,"n":0,"om":0,"nm":0}` {
		t.Errorf("after the reset: %s", got)
	}
}

// wait polls for a state that a job brings about.
func wait(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !done(); {
		if time.Now().After(end) {
			t.Fatal("it does not come")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestAlertsOfTheWire(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	save := func(app testkit.TestApp, alert string) testkit.Response {
		return s.Post("/i/concurrent_alert/save", "api_key", s.Key, "app_id", app.ID, "alert", alert)
	}
	good := `{"name":"Peak","condition_title":"more than 5","type":"t","enabled":true,"def":"max","users":5,"minutes":5,"email":["a@example.org"]}`
	made := save(a, good)
	id := strings.Trim(made.Body, `"`)
	if made.Status != 200 || len(id) != 24 {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	with := func(field, value string) string {
		var m map[string]any
		if err := json.Unmarshal([]byte(good), &m); err != nil {
			t.Fatal(err)
		}
		if value == "" {
			delete(m, field)
		} else {
			m[field] = json.RawMessage(value)
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, tt := range []struct {
		alert  string
		status int
		text   string
	}{
		{"", 200, "Not enough args"},
		{"x", 200, "Not enough args"},
		{"[]", 200, "Not enough args"},
		{`{"name":1}`, 200, "Not enough args"},
		{strings.Repeat(`{"a":`, 500), 400, "nested too deeply"},
		{with("name", ""), 200, "Not enough args"},
		{with("type", ""), 200, "Not enough args"},
		{with("enabled", ""), 200, "Not enough args"},
		{with("condition_title", ""), 200, "Not enough args"},
		{with("def", ""), 200, "Not enough args"},
		{with("def", `"x"`), 200, "Not enough args"},
		{with("name", `"a\u0000b"`), 200, "Not enough args"},
		{with("name", `"a\nb"`), 200, "Not enough args"},
		{with("name", `"`+strings.Repeat("a", 201)+`"`), 200, "Not enough args"},
		{with("users", "-1"), 200, "Invalid users value (at least 0)"},
		{with("users", "1.5"), 200, "Invalid users"},
		{with("users", "1e99"), 200, "Invalid users"},
		{with("minutes", "2"), 200, "Invalid minutes value (must be between 3 and 63)"},
		{with("minutes", "64"), 200, "between 3 and 63"},
		{with("minutes", "3.5"), 200, "between 3 and 63"},
		{with("type", `"m"`), 400, "Invalid type"},
		{with("email", `["x"]`), 400, "Invalid e-mail"},
		{with("email", `["a@example.org\r\nBcc: b@example.org"]`), 400, "Invalid e-mail"},
		{with("email", `["a@b.c"`+strings.Repeat(`,"a@b.c"`, 20)+`]`), 400, "Invalid e-mail"},
		{`{"_id":"` + id + `","type":"o"}`, 400, "Invalid type"},
		{`{"_id":"\u0000","name":"x"}`, 404, "Failed to save the alert"},
		{`{"_id":"none"}`, 404, "Failed to save"},
	} {
		if res := save(a, tt.alert); res.Status != tt.status || !strings.Contains(res.Body, tt.text) {
			t.Errorf("%.90s: %d %s, want %d %s", tt.alert, res.Status, res.Body, tt.status, tt.text)
		}
	}
	if res := save(other, `{"_id":"`+id+`","name":"stolen"}`); res.Status != http.StatusNotFound {
		t.Errorf("another app's alert: %d %s", res.Status, res.Body)
	}
	if res := save(a, `{"_id":"`+id+`","users":9,"reset":true}`); res.Status != 200 || !strings.Contains(res.Body, `"users":9`) || !strings.Contains(res.Body, `"name":"Peak"`) || strings.Contains(res.Body, "since") {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	if res := save(a, `{"name":"Silence","condition_title":"nobody","type":"o","enabled":true,"minutes":1}`); res.Status != 200 {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	list := s.Admin("/o", "method", "concurrent_alerts", "app_id", a.ID)
	if !strings.Contains(list, `"createdByUser":"`) || !strings.Contains(list, `"minutes":30`) || strings.Count(list, `"_id"`) != 2 || !strings.Contains(list, `"status":"ready"`) {
		t.Errorf("list %s", list)
	}
	switched := func(app testkit.TestApp, status string) testkit.Response {
		return s.Post("/i/concurrent_alert/status", "api_key", s.Key, "app_id", app.ID, "status", status)
	}
	if res := switched(a, `{"`+id+`":false,"none":true,"\u0000":true}`); res.Body != "true" {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	if res := switched(other, `{"`+id+`":true}`); res.Body != "true" {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	if list := s.Admin("/o", "method", "concurrent_alerts", "app_id", a.ID); strings.Count(list, `"enabled":false`) != 1 {
		t.Errorf("another app switched it: %s", list)
	}
	for _, bad := range []string{"", "x", "[]", `{"a":1}`} {
		if res := switched(a, bad); res.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", bad, res.Status, res.Body)
		}
	}
	remove := func(app testkit.TestApp, id string) string {
		return s.Post("/i/concurrent_alert/delete", "api_key", s.Key, "app_id", app.ID, "alertId", id).Body
	}
	if got := remove(other, id); !strings.Contains(got, "Failed") {
		t.Error(got)
	}
	if got := remove(a, id); got != `{"result":"Deleted an alert"}` {
		t.Error(got)
	}
	if got := remove(a, "\x00"); !strings.Contains(got, "Failed") {
		t.Error(got)
	}
}

// TestRights has a member who may read the online users of one app and create alerts there.
func TestRights(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	rights := func(features ...string) map[string]any {
		allowed := map[string]bool{}
		for _, f := range features {
			allowed[f] = true
		}
		return map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}, other.ID: map[string]any{"all": false, "allowed": map[string]bool{"core": true}}}
	}
	member, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID, other.ID}}}, "c": rights("alerts"), "r": rights("concurrent_users"), "u": rights(), "d": rights()},
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
	good := `{"name":"Peak","condition_title":"more than 5","type":"t","enabled":true,"def":"max","users":5,"minutes":5}`
	foreign := s.Post("/i/concurrent_alert/save", "api_key", s.Key, "app_id", other.ID, "alert", good)
	if foreign.Status != 200 {
		t.Fatal(foreign.Body)
	}
	for _, tt := range []struct {
		path   string
		pairs  []string
		status int
		not    string
	}{
		{"/o", []string{"method", "live", "app_id", a.ID}, 200, ""},
		{"/o", []string{"method", "live", "app_id", other.ID}, 401, ""},
		{"/o", []string{"method", "concurrent", "app_id", a.ID}, 200, ""},
		{"/o", []string{"method", "concurrent", "app_id", other.ID}, 400, ""},
		{"/o", []string{"method", "concurrent", "r_apps", `["` + a.ID + `","` + other.ID + `"]`}, 200, other.ID},
		{"/o", []string{"method", "concurrent", "r_apps", `["` + other.ID + `"]`, "app_id", a.ID}, 400, ""},
		{"/o", []string{"method", "concurrent"}, 400, ""},
		{"/o", []string{"method", "concurrent", "r_apps", "[" + strings.Repeat(`"`+a.ID+`",`, 100) + `"` + a.ID + `"]`}, 400, ""},
		{"/o", []string{"method", "concurrent_alerts", "app_id", a.ID}, 200, other.ID},
		{"/o/concurrent_users", []string{"app_id", other.ID}, 401, ""},
		{"/i/concurrent_alert/save", []string{"app_id", a.ID, "alert", good}, 200, ""},
		{"/i/concurrent_alert/save", []string{"app_id", a.ID, "alert", `{"_id":"x","name":"y"}`}, 401, ""},
		{"/i/concurrent_alert/save", []string{"app_id", other.ID, "alert", good}, 401, ""},
		{"/i/concurrent_alert/delete", []string{"app_id", a.ID, "alertId", "x"}, 401, ""},
		{"/i/concurrent_alert/status", []string{"app_id", a.ID, "status", "{}"}, 401, ""},
		{"/i/concurrent_users_max/reset", []string{"app_id", a.ID}, 401, ""},
	} {
		if res := s.Get(tt.path, append(tt.pairs, "api_key", p.Key)...); res.Status != tt.status || tt.not != "" && strings.Contains(res.Body, tt.not) {
			t.Errorf("%s %v: %d %s, want %d without %q", tt.path, tt.pairs, res.Status, res.Body, tt.status, tt.not)
		}
	}
}
