package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func volatile() []testkit.Volatile {
	return []testkit.Volatile{
		{Pattern: regexp.MustCompile(`\b[0-9a-f]{40}\b`), With: "<hash>"},
		{Pattern: regexp.MustCompile(`\b[0-9a-f]{24}\b`), With: "<id>"},
		{Pattern: regexp.MustCompile(`"[0-9]+\.[0-9]+"`), With: `"<row>"`},
		{Pattern: regexp.MustCompile(`"lsid": ?[0-9]+`), With: `"lsid":0`},
	}
}

const password = "Correct-horse-1"

// member makes a member who may read some features of an app, and returns the key.
func member(t *testing.T, s *testkit.Server, name string, a testkit.TestApp, features ...string) string {
	t.Helper()
	allowed := map[string]bool{}
	for _, f := range features {
		allowed[f] = true
	}
	args, err := json.Marshal(map[string]any{
		"full_name": name, "username": name, "password": password, "email": name + "@example.org",
		"permission": map[string]any{
			"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}},
			"r": map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}},
			"c": map[string]any{}, "u": map[string]any{a.ID: map[string]any{"all": true}}, "d": map[string]any{a.ID: map[string]any{"all": true}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &m)
	return m.Key
}

// shop makes an app with three users and a few events.
func shop(t *testing.T, s *testkit.Server) testkit.TestApp {
	t.Helper()
	a := s.CreateApp("shop", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "metrics", `{"_os":"Android","_app_version":"3.4.1"}`,
		"user_details", `{"name":"=cmd|' /C calc'!A0","custom":{"plan":"pro","a.b":7}}`)
	s.Ingest(a, "d2", "begin_session", "1", "metrics", `{"_os":"iOS"}`)
	s.Ingest(a, "d1", "events", `[{"key":"Buy","count":2,"sum":9.5,"segmentation":{"item":"+hat","price":4.75,"tags":["x","y"]}},
		{"key":"Look","count":1,"segmentation":{"item":"a,\"b\"\nc"}}]`)
	s.Ingest(a, "d2", "events", `[{"key":"Buy","count":1,"sum":3,"segmentation":{"item":"shoe","price":3}}]`)
	s.Ingest(a, "d3", "begin_session", "1", "consent", `{"events":true}`)
	s.Flush()
	return a
}

func TestDB(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := shop(t, s)
	for name, params := range map[string][]string{
		"users":        {"collection", "app_users" + a.ID, "projection", `{"did":1,"name":1,"p":1,"custom":1,"sc":1}`},
		"users_filter": {"collection", "app_users" + a.ID, "query", `{"p":{"$in":["iOS"]}}`, "projection", `{"did":1}`},
		"users_sorted": {"collection", "app_users" + a.ID, "sort", `{"did":-1}`, "skip", "1", "limit", "1", "project", `{"did":1}`},
		"events":       {"collection", "drill_events", "db", "countly_drill", "query", `{"a":"` + a.ID + `","n":"Buy"}`},
		"events_segment": {
			"collection", "drill_events", "app_id", a.ID, "filter", `{"sg.item":{"$regex":"hat"},"up.p":"Android"}`,
			"projection", `{"n":1,"sg":1,"did":1,"custom.plan":1}`,
		},
		"apps":    {"collection", "apps", "filter", "{}"},
		"members": {"collection", "members", "projection", `{"username":1,"global_admin":1}`},
		"meta":    {"collection", "events"},
		"indexes": {"collection", "notes", "get_index", "true"},
		"format": {
			"collection", "app_users" + a.ID, "query", `{"did":"d1"}`, "projection", `{"did":1,"fs":1,"sc":1,"copy":1}`,
			"formatFields", `{"tz":"Europe/Riga","fields":{"fs":{"to":"time","format":"YYYY-MM-DD HH:mm"},"sc":{"type":"second"},"copy":{"formula":{"$eq":"did"}}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := s.Admin("/o/export/db", append([]string{"type", "json"}, params...)...)
			testkit.GoldenJSON(t, name, body, volatile()...)
		})
	}
	r := s.Get("/o/export/db", "api_key", s.Key, "collection", "drill_events", "app_id", a.ID, "type", "csv", "filename", "../my \"file\"\r\nX: y",
		"filter", `{"n":{"$in":["Buy","Look"]}}`, "projection", `{"n":1,"c":1,"s":1,"sg":1,"up.name":1}`, "columnNames", `{"n":"Event"}`)
	if r.Status != 200 || r.Header.Get("Content-Type") != "text/csv; charset=utf-8" || r.Header.Get("Content-Disposition") != `attachment; filename="_my _file_X_ y.csv"` {
		t.Errorf("CSV: %d %q %q", r.Status, r.Header.Get("Content-Type"), r.Header.Get("Content-Disposition"))
	}
	visible := strings.ReplaceAll(r.Body, "\r\n", "<CRLF>\n") // which git leaves alone
	testkit.Golden(t, "events.csv", regexp.MustCompile(`(?m)^\d+\.\d+,`).ReplaceAll([]byte(visible), []byte("<row>,")))
	if _, err := csv.NewReader(strings.NewReader(r.Body)).ReadAll(); err != nil {
		t.Error(err)
	}
	r = s.Get("/o/export/db", "api_key", s.Key, "collection", "app_users"+a.ID, "type", "xlsx", "projection", `{"did":1,"name":1}`)
	f, err := excelize.OpenReader(strings.NewReader(r.Body))
	if err != nil {
		t.Fatalf("XLSX: %v, %d %s", err, r.Status, r.Header.Get("Content-Type"))
	}
	rows, err := f.GetRows("Sheet1")
	if err != nil || len(rows) != 4 || rows[0][1] != "did" || rows[1][2] != "=cmd|' /C calc'!A0" {
		t.Errorf("XLSX rows %v, %v", rows, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestAnswers goes through statuses and texts, and who may have what.
func TestAnswers(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := shop(t, s), s.CreateApp("other", "UTC")
	s.Ingest(other, "secret", "begin_session", "1")
	s.Flush()
	reader := member(t, s, "reader", a, "core", "users")
	core := member(t, s, "core", a, "core")
	const (
		noKey = `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`
		no    = `{"result":"User does not have access right for this collection"}`
		right = `{"result":"User does not have right"}`
	)
	for _, test := range []struct {
		name, key, path string
		params          []string
		status          int
		body            string // "" = any
	}{
		{"no key", "", "/o/export/db", []string{"collection", "apps"}, 400, noKey},
		{"no collection", s.Key, "/o/export/db", nil, 400, `{"result":"Missing parameter \"collection\""}`},
		{"system", s.Key, "/o/export/db", []string{"collection", "system.users"}, 401, no},
		{"unknown", s.Key, "/o/export/db", []string{"collection", "sessions_"}, 401, no},
		{"internal", s.Key, "/o/export/db", []string{"collection", "auth.tokens"}, 401, no},
		{"unknown db", s.Key, "/o/export/db", []string{"collection", "apps", "db", "admin"}, 401, no},
		{"not an app", s.Key, "/o/export/db", []string{"collection", "app_users1"}, 401, no},
		{"unknown app", s.Key, "/o/export/db", []string{"collection", "app_users" + strings.Repeat("0", 24)}, 401, no},
		{"bad query", s.Key, "/o/export/db", []string{"collection", "apps", "query", `{"a":`}, 400, ""},
		{"hostile operator", s.Key, "/o/export/db", []string{"collection", "apps", "query", `{"$where":"sleep(1)"}`}, 400, ""},
		{"hostile path", s.Key, "/o/export/db", []string{"collection", "app_users" + a.ID, "query", `{"custom.x') OR 1=1 --":"1"}`}, 200, "[]"},
		{"hostile field", s.Key, "/o/export/db", []string{"collection", "drill_events", "app_id", a.ID, "query", `{"sg.x\" OR 1=1; DROP TABLE x; --":{"$exists":true}}`}, 200, "[]"},
		{"hostile state", s.Key, "/o/export/db", []string{"collection", "drill_events", "app_id", a.ID, "query", `{"up.x' || (SELECT 1) || '":{"$exists":true}}`}, 200, "[]"},
		{"hostile sort", s.Key, "/o/export/db", []string{"collection", "app_users" + a.ID, "sort", `{"(SELECT 1)":1}`, "limit", "1", "projection", `{"did":1}`}, 200, ""},
		{"bad sort and projection", s.Key, "/o/export/db", []string{"collection", "apps", "sort", "x", "projection", "y", "formatFields", "z", "get_index", "w"}, 200, ""},
		{"no such rows", s.Key, "/o/export/db", []string{"collection", "apps", "query", `{"name":"none"}`}, 200, "[]"},
		{"empty CSV", s.Key, "/o/export/db", []string{"collection", "apps", "query", `{"name":"none"}`, "type", "csv"}, 200, "\r\n"},
		{"events without an app", s.Key, "/o/export/db", []string{"collection", "drill_events"}, 400, `{"result":"Missing parameter \"app_id\""}`},
		{"events of a bad app", s.Key, "/o/export/db", []string{"collection", "drill_events", "app_id", "x"}, 401, no},

		{"members for a member", reader, "/o/export/db", []string{"collection", "members"}, 401, no},
		{"users of another app", reader, "/o/export/db", []string{"collection", "app_users" + other.ID}, 401, no},
		{"events of another app", reader, "/o/export/db", []string{"collection", "drill_events", "app_id", other.ID}, 401, no},
		{"events of another app by filter", reader, "/o/export/db", []string{"collection", "drill_events", "app_id", a.ID, "query", `{"a":"` + other.ID + `"}`}, 401, no},
		{"events of two apps by filter", reader, "/o/export/db", []string{"collection", "drill_events", "app_id", a.ID, "query", `{"a":{"$in":["` + other.ID + `"]}}`}, 200, "[]"},
		{"users without the right", core, "/o/export/db", []string{"collection", "app_users" + a.ID}, 401, no},
		{"events without the right", core, "/o/export/db", []string{"collection", "drill_events", "app_id", a.ID}, 401, no},
		{"users with the right", reader, "/o/export/db", []string{"collection", "app_users" + a.ID, "query", `{"did":"d2"}`, "projection", `{"did":1,"_id":0}`}, 200, ""},

		{"no path", s.Key, "/o/export/request", nil, 400, `{"result":"Missing parameter \"path\""}`},
		{"a write", s.Key, "/o/export/request", []string{"path", "/i/apps/delete"}, 400, `{"result":"This path cannot be read"}`},
		{"another host", s.Key, "/o/export/request", []string{"path", "http://127.0.0.1/o/apps/all"}, 400, `{"result":"This path cannot be read"}`},
		{"a path upwards", s.Key, "/o/export/request", []string{"path", "/o/../i/apps/delete"}, 400, ""},
		{"a file", s.Key, "/o/export/request", []string{"path", "/o/export/db", "data", `{"collection":"apps"}`}, 400, `{"result":"This path cannot be read"}`},
		{"an export", s.Key, "/o/export/request", []string{"path", "/o/export/requestQuery", "data", `{"path":"/o/apps/all"}`}, 400, `{"result":"This path cannot be read"}`},
		{"unknown path", s.Key, "/o/export/request", []string{"path", "/o/none"}, 400, `{"result":"Invalid path"}`},
		{"without the right", reader, "/o/export/request", []string{"path", "/o/users/all"}, 401, right},
		{"of another app", reader, "/o/export/request", []string{"path", "/o/analytics/sessions", "data", `{"app_id":"` + other.ID + `"}`}, 401, right},
		{"as another", reader, "/o/export/request", []string{"path", "/o/users/all?api_key=" + s.Key, "data", `{"api_key":"` + s.Key + `"}`}, 401, right},
		{"unknown method", s.Key, "/o/export/request", []string{"path", "/o", "method", "none", "app_id", a.ID}, 400, `{"result":"Invalid method"}`},

		{"no data", s.Key, "/o/export/data", nil, 400, `{"result":"Missing parameter \"data\""}`},
		{"bad data", s.Key, "/o/export/data", []string{"data", "[1"}, 400, `{"result":"Incorrect parameter \"data\""}`},
		{"raw data", s.Key, "/o/export/data", []string{"data", "[1", "raw", "true", "type", "csv"}, 200, "value\r\n[1\r\n"},
		{"data", reader, "/o/export/data", []string{"data", `[{"event":"Purchase","count":19,"sum":233.74},{"event":"=x","sum":-1}]`, "type", "csv"}, 200, "event,count,sum\r\nPurchase,19,233.74\r\n'=x,,-1\r\n"},
		{"data object", reader, "/o/export/data", []string{"data", `{"rows":[{"country":"US"}],"n":{"a":1,"b":{}}}`, "type", "json"}, 200, `[{"rows":[{"country":"US"}],"n":{"a":1,"b":{}}}]`},
		{"data object as CSV", reader, "/o/export/data", []string{"data", `{"rows":[{"country":"US"}],"n":{"a":1,"b":{}}}`, "type", "csv"}, 200, "rows,n.a,n.b\r\n\"[{\"\"country\"\":\"\"US\"\"}]\",1,{}\r\n"},
		{"scalars", reader, "/o/export/data", []string{"data", `[1,"x",null]`, "type", "csv"}, 200, "value\r\n1\r\nx\r\n\r\n"},

		{"no task", s.Key, "/o/export/download", nil, 400, `{"result":"Missing filename"}`},
		{"no task, slash", s.Key, "/o/export/download/", nil, 400, `{"result":"Missing filename"}`},
		{"unknown task", s.Key, "/o/export/download/x", nil, 400, `{"result":"Export stream does not exist"}`},
		{"hostile task", s.Key, "/o/export/download/..%2f..%2fdocs.sqlite", nil, 400, ""},
		{"task without app", reader, "/o/export/download/x", nil, 401, `{"result":"No app_id provided"}`},
		{"later without path", reader, "/o/export/requestQuery", nil, 400, `{"result":"Missing parameter \"path\""}`},
		{"later of another app", reader, "/o/export/requestQuery", []string{"path", "/o/apps/mine", "app_id", other.ID}, 401, right},
		{"later of no right", reader, "/o/export/requestQuery", []string{"path", "/o/export/db", "data", `{"collection":"members"}`}, 401, no},
	} {
		t.Run(test.name, func(t *testing.T) {
			params := test.params
			if test.key != "" {
				params = append([]string{"api_key", test.key}, params...)
			}
			r := s.Get(test.path, params...)
			if r.Status != test.status || test.body != "" && r.Body != test.body {
				t.Errorf("%d %s, want %d %s", r.Status, r.Body, test.status, test.body)
			}
			if strings.Contains(r.Body, "secret") {
				t.Errorf("tells of the other app: %s", r.Body)
			}
		})
	}
	r := s.Get("/o/export/db", "api_key", reader, "collection", "apps")
	if !strings.Contains(r.Body, a.ID) || strings.Contains(r.Body, other.ID) {
		t.Errorf("apps of a member: %s", r.Body)
	}
}

func TestRequest(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := shop(t, s)
	reader := member(t, s, "reader", a, "core")
	get := func(params ...string) string {
		t.Helper()
		r := s.Get("/o/export/request", append([]string{"api_key", reader}, params...)...)
		if r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return r.Body
	}
	tops := get("path", "o/analytics/tops", "data", `{"app_id":"`+a.ID+`","period":"30days"}`, "prop", "platforms", "type", "csv",
		"columnNames", `{"name":"Platform","value":"Sessions"}`, "projection", `{"name":1,"value":1}`)
	if want := "Platform,Sessions\r\nAndroid,1\r\niOS,1\r\n"; tops != want {
		t.Errorf("tops %q, want %q", tops, want)
	}
	if got := get("path", "/o/analytics/tops?app_id="+a.ID+"&period=30days", "prop", "platforms.none"); got != "[]" {
		t.Errorf("a property that is not there: %s", got)
	}
	var direct, exported any
	testkit.Decode(t, s.Get("/o", "api_key", reader, "app_id", a.ID, "method", "get_events").Body, &direct)
	testkit.Decode(t, get("path", "/o", "method", "get_events", "app_id", a.ID), &exported)
	if d := cmp.Diff([]any{direct}, exported); d != "" {
		t.Errorf("method (-direct +exported):\n%s", d)
	}
	// Values go out as they are, not escaped for HTML.
	s.Admin("/i/notes/save", "args", `{"app_id":"`+a.ID+`","note":"<b>&amp;","ts":1936517000000}`)
	if got := get("path", "/o/notes", "data", `{"app_id":"`+a.ID+`","notes_apps":["`+a.ID+`"],"period":"30days"}`, "type", "csv", "projection", `{"note":1}`); got != "note\r\n<b>&amp;\r\n" && !strings.HasSuffix(got, ",<b>&amp;\r\n") {
		t.Errorf("notes %q", got)
	}
}

// TestTokens lets tokens reach no further through an export than directly.
func TestTokens(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := shop(t, s), s.CreateApp("other", "UTC")
	token := func(params ...string) string {
		var res struct{ Result string }
		testkit.Decode(t, s.Admin("/i/token/create", params...), &res)
		return res.Result
	}
	exports := token("endpoint", "^/o/export")
	oneApp := token("apps", a.ID)
	for name, test := range map[string]struct {
		token  string
		path   string
		params []string
		status int
	}{
		"path outside the scope":    {exports, "/o/export/request", []string{"path", "/o/apps/all"}, 400},
		"app in scope":              {oneApp, "/o/export/request", []string{"path", "/o/analytics/sessions", "data", `{"app_id":"` + a.ID + `"}`}, 200},
		"app outside the scope":     {oneApp, "/o/export/request", []string{"path", "/o/analytics/sessions", "data", `{"app_id":"` + other.ID + `"}`}, 400},
		"users in scope":            {oneApp, "/o/export/db", []string{"collection", "app_users" + a.ID}, 200},
		"users outside the scope":   {oneApp, "/o/export/db", []string{"collection", "app_users" + other.ID}, 400},
		"documents across apps":     {oneApp, "/o/export/db", []string{"collection", "members"}, 401},
		"events outside the scope":  {oneApp, "/o/export/db", []string{"collection", "drill_events", "query", `{"a":"` + other.ID + `"}`}, 400},
		"later outside the scope":   {oneApp, "/o/export/requestQuery", []string{"path", "/o/export/db", "data", `{"collection":"app_users` + other.ID + `"}`}, 400},
		"later of a path not in it": {token("endpoint", "^/o/export/requestQuery"), "/o/export/requestQuery", []string{"path", "/o/export/db", "data", `{"collection":"apps"}`}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := s.Get(test.path, append([]string{"auth_token", test.token}, test.params...)...)
			if r.Status != test.status {
				t.Errorf("%d %s, want %d", r.Status, r.Body, test.status)
			}
		})
	}
}

// finished polls a task until it has ended, and returns its status.
func finished(t *testing.T, s *testkit.Server, id string) string {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 1000 {
		var res struct{ Result string }
		testkit.Decode(t, s.Admin("/o/tasks/check", "task_id", id), &res)
		if res.Result != "running" && res.Result != "rerunning" {
			return res.Result
		}
		<-tick.C
	}
	t.Fatalf("task %s does not end", id)
	return ""
}

func TestLater(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := shop(t, s)
	reader := member(t, s, "reader", a, "core", "users")
	later := func(params ...string) string {
		t.Helper()
		var res struct {
			Result struct {
				ID string `json:"task_id"`
			}
		}
		testkit.Decode(t, s.Admin("/o/export/requestQuery", params...), &res)
		return res.Result.ID
	}
	id := later("path", "/o/analytics/tops", "data", `{"app_id":"`+a.ID+`","period":"30days"}`, "app_id", a.ID, "type", "csv", "filename", "tops")
	users := later("path", "/o/export/db", "data", `{"collection":"app_users`+a.ID+`","projection":"{\"did\":1}"}`, "app_id", a.ID, "type", "csv", "filename", "users", "type_name", "mine")
	bad := later("path", "/o/none")
	for _, test := range []struct{ id, status string }{{id, "completed"}, {users, "completed"}, {bad, "errored"}} {
		if got := finished(t, s, test.id); got != test.status {
			t.Errorf("%s, want %s", got, test.status)
		}
	}
	r := s.Get("/o/export/download/"+users, "api_key", s.Key, "app_id", a.ID)
	rows, err := csv.NewReader(strings.NewReader(r.Body)).ReadAll()
	if err != nil || len(rows) != 4 || r.Header.Get("Content-Disposition") != "attachment; filename=users.csv" || r.Header.Get("Content-Length") == "" {
		t.Errorf("download: %v, %v, %v", rows, err, r.Header)
	}
	if r := s.Get("/o/export/download/"+bad, "api_key", s.Key); r.Status != 400 || r.Body != `{"result":"Export size is 0"}` {
		t.Errorf("download of what failed: %d %s", r.Status, r.Body)
	}
	if got := s.Get("/o/export/download/"+users, "api_key", reader, "app_id", a.ID); got.Status != 400 || got.Body != `{"result":"Export stream does not exist"}` {
		t.Errorf("download of another's: %d %s", got.Status, got.Body)
	}
	body := s.Admin("/o/tasks/list", "app_id", a.ID, "sEcho", "1", "query", `{"type":"mine"}`)
	testkit.GoldenJSON(t, "task", body, volatile()...)

	s.Stop()
	s.Start()
	if again := s.Get("/o/export/download/"+users, "api_key", s.Key); again.Body != r.Body {
		t.Errorf("after a restart: %d %q", again.Status, again.Body)
	}
	// Anyone who is erased is erased from results, too.
	s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"d1"}`)
	if r := s.Get("/o/export/download/"+users, "api_key", s.Key); r.Status != 400 {
		t.Errorf("after an erasure: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/o/tasks/check", "task_id", `["`+id+`","`+users+`"]`); strings.Count(got, "deleted") != 2 {
		t.Errorf("after an erasure: %s", got)
	}
}

// TestAllRows compares an export with what was sent, beyond the size of a page.
func TestAllRows(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("many", "UTC")
	const requests, each = 60, 100
	for r := range requests {
		var events []string
		for i := range each {
			events = append(events, `{"key":"E","count":1,"segmentation":{"n":`+jsonInt(r*each+i)+`,"even":"`+[]string{"yes", "no"}[i%2]+`"}}`)
		}
		s.Ingest(a, "d"+jsonInt(r%7), "events", "["+strings.Join(events, ",")+"]")
	}
	export := func(params ...string) []int {
		t.Helper()
		var rows []struct {
			SG struct{ N int }
		}
		testkit.Decode(t, s.Admin("/o/export/db", append([]string{"collection", "drill_events", "app_id", a.ID}, params...)...), &rows)
		var out []int
		for _, r := range rows {
			out = append(out, r.SG.N)
		}
		return out
	}
	var all, odd []int
	for i := range requests * each {
		all = append(all, i)
		if i%2 == 1 {
			odd = append(odd, i)
		}
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	for name, test := range map[string]struct {
		params []string
		want   []int
	}{
		"all":          {nil, all},
		"half":         {[]string{"filter", `{"sg.even":"no"}`}, odd},
		"sorted":       {[]string{"sort", `{"sg.n":-1}`}, backwards},
		"sorted page":  {[]string{"sort", `{"sg.n":-1}`, "skip", "4500", "limit", "7"}, backwards[4500:4507]},
		"page":         {[]string{"skip", "4090", "limit", "100"}, all[4090:4190]},
		"beyond":       {[]string{"skip", "10000"}, nil},
		"none present": {[]string{"filter", `{"sg.none":{"$exists":true}}`}, nil},
		"by nothing":   {[]string{"sort", `{"sg.none":1}`, "limit", "3"}, all[:3]},
	} {
		t.Run(name, func(t *testing.T) {
			got := export(test.params...)
			if name == "sorted" || name == "all" || name == "half" {
				if len(got) != len(test.want) {
					t.Fatalf("%d rows, want %d", len(got), len(test.want))
				}
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("(-want +got):\n%.500s", d)
			}
		})
	}
}

func jsonInt(n int) string {
	b, err := json.Marshal(n)
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(b))
}

// TestLimit lowers the most rows that an export may be asked for, while the server runs.
func TestLimit(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	for _, did := range []string{"d1", "d2", "d3"} {
		s.Ingest(a, did, "begin_session", "1")
	}
	s.Flush()
	rows := func() int {
		t.Helper()
		var list []json.RawMessage
		testkit.Decode(t, s.Admin("/o/export/db", "collection", "app_users"+a.ID, "type", "json", "limit", "3"), &list)
		return len(list)
	}
	if n := rows(); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
	s.Admin("/i/configs", "configs", `{"api":{"export_limit":2}}`)
	if n := rows(); n != 2 {
		t.Errorf("%d rows under the lower limit, want 2", n)
	}
	for limit, warned := range map[string]bool{"3": true, "9223372036854775808": true, "-1": true, "2": false, "0": false, "": false, "1": false} {
		target := "/o/export/db?" + testkit.Query("api_key", s.Key, "collection", "app_users"+a.ID, "type", "json", "limit", limit)
		got := s.Do(http.MethodGet, target, nil)
		if warning := got.Header.Get("Quipu-Warning"); got.Status != http.StatusOK || strings.HasPrefix(warning, `request.bad_parameter "`) != warned {
			t.Errorf("limit %q: %d, warning %q", limit, got.Status, warning)
		}
		if got = s.Do(http.MethodGet, target, nil, "Prefer", "handling=strict"); (got.Status == http.StatusBadRequest) != warned {
			t.Errorf("limit %q, strict: %d %s", limit, got.Status, got.Body)
		}
	}
}

// TestReadable shows that spreadsheets have values as people read them, and JSON as they are stored.
func TestReadable(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("versions", "UTC")
	s.Post("/i", "app_key", a.Key, "device_id", "d1", "begin_session", "1", "country_code", "DE",
		"metrics", `{"_os":"Android","_os_version":"16.4","_app_version":"3.2.1","_store":"com.android.vending"}`, "events", `[{"key":"Buy","count":1}]`)
	s.Flush()
	read := func(pairs ...string) string { return strings.TrimSpace(s.Admin("/o/export/db", pairs...)) }
	users := []string{"collection", "app_users" + a.ID, "projection", `{"av":1,"src":1,"pv":1,"cc":1}`}
	events := []string{"collection", "drill_events", "app_id", a.ID, "filter", `{"n":"Buy"}`, "projection", `{"up.av":1,"up.src":1,"up.cc":1}`}
	for _, tt := range []struct {
		name  string
		pairs []string
		has   []string
	}{
		{"users", append([]string{"type", "csv"}, users...), []string{"3.2.1", "com.android.vending", "DE", "16.4"}},
		{"events", append([]string{"type", "csv"}, events...), []string{"3.2.1", "com.android.vending", "DE"}},
		{"users as stored", append([]string{"type", "json"}, users...), []string{"3:2:1", "com&#46;android&#46;vending", "DE", "16:4"}},
	} {
		got := read(tt.pairs...)
		for _, text := range tt.has {
			if !strings.Contains(got, text) {
				t.Errorf("%s: no %s in\n%s", tt.name, text, got)
			}
		}
	}
}
