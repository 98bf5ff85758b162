package tasks_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func volatile() []testkit.Volatile {
	return []testkit.Volatile{
		{Pattern: regexp.MustCompile(`\b[0-9a-f]{40}\b`), With: "<task>"},
		{Pattern: regexp.MustCompile(`\b[0-9a-f]{24}\b`), With: "<id>"},
	}
}

// world is a server with two apps, and members who read the first.
type world struct {
	*testkit.Server
	t          *testing.T
	a, b       testkit.TestApp
	alice, bob string // keys of readers of a
	chief      string // key of the administrator of a
	none       string // key of a member without rights
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, Server: testkit.New(t, testkit.At(start))}
	w.a, w.b = w.CreateApp("a", "UTC"), w.CreateApp("b", "UTC")
	rights := map[string]any{w.a.ID: map[string]any{"all": true}}
	w.alice, w.bob = w.member("alice", nil, rights), w.member("bob", nil, rights)
	w.chief, w.none = w.member("chief", []string{w.a.ID}, nil), w.member("none", nil, nil)
	return w
}

func (w *world) member(name string, admin []string, rights map[string]any) string {
	w.t.Helper()
	users := [][]string{}
	if rights != nil {
		users = [][]string{{w.a.ID}}
	}
	if rights == nil {
		rights = map[string]any{}
	}
	args, err := json.Marshal(map[string]any{
		"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org",
		"permission": map[string]any{"_": map[string]any{"a": admin, "u": users}, "c": rights, "r": rights, "u": rights, "d": rights},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	var m struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(w.t, w.Admin("/i/users/create", "args", string(args)), &m)
	return m.Key
}

// export makes a task of a member in an app, waits for its end, and returns its id.
func (w *world) export(key string, app testkit.TestApp, name string, params ...string) string {
	w.t.Helper()
	var res struct {
		Result struct {
			ID string `json:"task_id"`
		}
	}
	body := w.Post("/o/export/requestQuery", append([]string{
		"api_key", key, "path", "/o/analytics/sessions", "data", `{"app_id":"` + app.ID + `","period":"today"}`, "app_id", app.ID, "filename", name,
	}, params...)...).Body
	testkit.Decode(w.t, body, &res)
	if len(res.Result.ID) != 40 {
		w.t.Fatalf("no task: %s", body)
	}
	w.wait(key, app, res.Result.ID)
	return res.Result.ID
}

func (w *world) wait(key string, app testkit.TestApp, id string) string {
	w.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 2000 {
		var res struct{ Result string }
		testkit.Decode(w.t, w.Get("/o/tasks/check", "api_key", key, "app_id", app.ID, "task_id", id).Body, &res)
		if !strings.HasSuffix(res.Result, "running") {
			return res.Result
		}
		<-tick.C
	}
	w.t.Fatalf("task %s does not end", id)
	return ""
}

type list struct {
	Total int `json:"iTotalDisplayRecords"`
	Rows  []struct {
		ID   string `json:"_id"`
		Name string `json:"report_name"`
	} `json:"aaData"`
}

func (l list) names() string {
	var out []string
	for _, r := range l.Rows {
		out = append(out, strings.TrimSuffix(r.Name, ".json"))
	}
	return strings.Join(out, " ")
}

func (w *world) list(key string, params ...string) (l list) {
	w.t.Helper()
	r := w.Get("/o/tasks/list", append([]string{"api_key", key}, params...)...)
	testkit.Decode(w.t, r.Body, &l)
	return l
}

func TestBodies(t *testing.T) {
	w := newWorld(t)
	id := w.export(w.alice, w.a, "one", "type_name", "report")
	get := func(name, path string, params ...string) {
		t.Helper()
		r := w.Get(path, append([]string{"api_key", w.alice, "app_id", w.a.ID}, params...)...)
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", name, r.Status, r.Body)
		}
		testkit.GoldenJSON(t, name, r.Body, volatile()...)
	}
	get("task", "/o/tasks/task", "task_id", id)
	get("all", "/o/tasks/all", "query", "{}", "period", "7days")
	get("count", "/o/tasks/count")
	get("list", "/o/tasks/list", "sEcho", "7")
	get("check", "/o/tasks/check", "task_id", `["`+id+`","none"]`)
	// A number given as JSON is echoed as a number.
	r := w.Do("POST", "/o/tasks/list", strings.NewReader(`{"api_key":"`+w.alice+`","app_id":"`+w.a.ID+`","sEcho":7}`), "Content-Type", "application/json")
	if !strings.Contains(r.Body, `"sEcho":7`) {
		t.Errorf("echo: %s", r.Body)
	}
}

func TestAnswers(t *testing.T) {
	w := newWorld(t)
	id := w.export(w.alice, w.a, "one")
	const (
		noKey  = `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`
		right  = `{"result":"User does not have right"}`
		noApp  = `{"result":"No app_id provided"}`
		noTask = `{"result":"Missing parameter \"task_id\""}`
		none   = `{"result":"Task does not exist"}`
		done   = `{"result":"Success"}`
	)
	for _, test := range []struct {
		name, key, path string
		params          []string
		status          int
		body            string
	}{
		{"all, no key", "", "/o/tasks/all", nil, 400, noKey},
		{"all, no app", w.alice, "/o/tasks/all", nil, 401, noApp},
		{"all, no right", w.none, "/o/tasks/all", []string{"app_id", w.a.ID}, 401, right},
		{"all, other app", w.alice, "/o/tasks/all", []string{"app_id", w.b.ID}, 401, right},
		{"all, one of the apps", w.alice, "/o/tasks/all", []string{"app_id", w.a.ID, "app_ids", w.a.ID + "," + w.b.ID}, 401, right},
		{"all, unknown app", w.Key, "/o/tasks/all", []string{"app_ids", w.a.ID + "," + strings.Repeat("0", 24)}, 401, right},
		{"all, bad period", w.alice, "/o/tasks/all", []string{"app_id", w.a.ID, "period", "x"}, 400, `{"result":"Bad request parameter: period"}`},
		{"all, of nobody", w.bob, "/o/tasks/all", []string{"app_id", w.a.ID}, 200, `[]`},
		{"count, of nobody", w.bob, "/o/tasks/count", []string{"app_id", w.a.ID}, 200, `[]`},
		{"check, no task", w.alice, "/o/tasks/check", []string{"app_id", w.a.ID}, 400, noTask},
		{"check, unknown", w.alice, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id", "x"}, 400, none},
		{"check, another's", w.bob, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id", id}, 400, none},
		{"check, another's in a list", w.bob, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id", `["` + id + `"]`}, 200, `{"result":[{"_id":"` + id + `","result":"deleted"}]}`},
		{"check, an empty list", w.bob, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id", `[]`}, 200, `{"result":[]}`},
		{"check, an object", w.bob, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id[$ne]", "x"}, 400, none},
		{"task, no task", w.alice, "/o/tasks/task", []string{"app_id", w.a.ID}, 400, noTask},
		{"task, another's", w.Key, "/o/tasks/task", []string{"task_id", id}, 400, none},
		{"update, no task", w.alice, "/i/tasks/update", []string{"app_id", w.a.ID}, 400, noTask},
		{"update, unknown", w.alice, "/i/tasks/update", []string{"app_id", w.a.ID, "task_id", "x"}, 200, `{"result":"This task cannot be run again"}`},
		{"update, no right", w.none, "/i/tasks/update", []string{"app_id", w.a.ID, "task_id", id}, 401, right},
		{"name, no task", w.alice, "/i/tasks/name", []string{"app_id", w.a.ID}, 400, noTask},
		{"name, unknown", w.alice, "/i/tasks/name", []string{"app_id", w.a.ID, "task_id", "x"}, 200, done},
		{"edit, no task", w.alice, "/i/tasks/edit", []string{"app_id", w.a.ID}, 400, noTask},
		{"edit, unknown", w.alice, "/i/tasks/edit", []string{"app_id", w.a.ID, "task_id", "x"}, 200, done},
		{"delete, no task", w.alice, "/i/tasks/delete", []string{"app_id", w.a.ID}, 400, noTask},
		{"delete, unknown", w.alice, "/i/tasks/delete", []string{"app_id", w.a.ID, "task_id", "x"}, 200, done},
		{"delete, another's", w.bob, "/i/tasks/delete", []string{"app_id", w.a.ID, "task_id", id}, 200, done},
		{"edit, another's", w.bob, "/i/tasks/edit", []string{"app_id", w.a.ID, "task_id", id, "report_name", "mine"}, 200, done},
		{"still there", w.alice, "/o/tasks/check", []string{"app_id", w.a.ID, "task_id", id}, 200, `{"result":"completed"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			params := test.params
			if test.key != "" {
				params = append([]string{"api_key", test.key}, params...)
			}
			r := w.Get(test.path, params...)
			if r.Status != test.status || r.Body != test.body {
				t.Errorf("%d %s, want %d %s", r.Status, r.Body, test.status, test.body)
			}
		})
	}
	if got := w.list(w.alice, "app_id", w.a.ID).names(); got != "one" {
		t.Errorf("tasks %q", got)
	}
}

func TestSharing(t *testing.T) {
	w := newWorld(t)
	id := w.export(w.alice, w.a, "one")
	change := func(key, path string, params ...string) string {
		t.Helper()
		return w.Get(path, append([]string{"api_key", key, "app_id", w.a.ID, "task_id", id}, params...)...).Body
	}
	sees := func(key string) bool {
		return w.Get("/o/tasks/check", "api_key", key, "app_id", w.a.ID, "task_id", id).Status == 200
	}
	change(w.alice, "/i/tasks/edit", "global", "true", "report_desc", "shared <b>")
	if !sees(w.bob) || !sees(w.chief) || !sees(w.Key) || sees(w.none) {
		t.Errorf("a shared task: bob %v, chief %v, admin %v, none %v", sees(w.bob), sees(w.chief), sees(w.Key), sees(w.none))
	}
	if got := w.list(w.bob, "app_id", w.a.ID).names(); got != "one" {
		t.Errorf("bob lists %q", got)
	}
	if got := w.list(w.bob, "app_id", w.a.ID, "query", `{"global":false}`); got.Total != 0 {
		t.Errorf("bob lists %+v", got)
	}
	if r := w.Get("/o/export/download/"+id, "api_key", w.bob, "app_id", w.a.ID); r.Status != 200 || !strings.HasPrefix(r.Body, "[") {
		t.Errorf("bob downloads %d %s", r.Status, r.Body)
	}
	if got := change(w.bob, "/i/tasks/update"); got != `{"result":"No permission to run this task"}` {
		t.Errorf("bob runs it again: %s", got)
	}
	change(w.bob, "/i/tasks/delete")
	change(w.bob, "/i/tasks/name", "name", "bob's")
	change(w.chief, "/i/tasks/name", "name", "the chief's")
	var task struct {
		Name string `json:"name"`
		Desc string `json:"report_desc"`
	}
	testkit.Decode(t, w.Do("GET", "/o/tasks/task?"+testkit.Query("api_key", w.alice, "app_id", w.a.ID, "task_id", id), nil, "Accept", "application/json;escape=none").Body, &task)
	if task.Name != "the chief's" || task.Desc != "shared <b>" {
		t.Errorf("task %+v", task)
	}
	if got := change(w.alice, "/i/tasks/update"); got != `{"result":"Success"}` || w.wait(w.alice, w.a, id) != "completed" {
		t.Errorf("alice runs it again: %s", got)
	}
	change(w.alice, "/i/tasks/edit", "global", "false")
	if sees(w.bob) || sees(w.chief) || !sees(w.alice) {
		t.Error("it is still shared")
	}
	change(w.alice, "/i/tasks/delete")
	if sees(w.alice) {
		t.Error("it is still there")
	}
	if r := w.Get("/o/export/download/"+id, "api_key", w.alice, "app_id", w.a.ID); r.Status != 400 {
		t.Errorf("deleted, and downloads %d %s", r.Status, r.Body)
	}
}

func TestLists(t *testing.T) {
	w := newWorld(t)
	for i, name := range []string{"delta", "alpha", "charlie", "bravo"} {
		w.Clock().Set(start.Add(time.Duration(i) * 24 * time.Hour))
		w.export(w.alice, w.a, name, "type_name", []string{"even", "odd"}[i%2])
	}
	w.export(w.Key, w.b, "elsewhere")
	for name, test := range map[string]struct {
		params []string
		names  string
		total  int
	}{
		"newest first":   {nil, "bravo charlie alpha delta", 4},
		"by name":        {[]string{"iSortCol_0", "0", "sSortDir_0", "asc"}, "alpha bravo charlie delta", 4},
		"by name, down":  {[]string{"iSortCol_0", "0", "sSortDir_0", "desc"}, "delta charlie bravo alpha", 4},
		"by time":        {[]string{"iSortCol_0", "7", "sSortDir_0", "asc"}, "delta alpha charlie bravo", 4},
		"unknown column": {[]string{"iSortCol_0", "99"}, "bravo charlie alpha delta", 4},
		"page":           {[]string{"iDisplayStart", "1", "iDisplayLength", "2"}, "charlie alpha", 4},
		"beyond":         {[]string{"iDisplayStart", "9"}, "", 4},
		"negative":       {[]string{"iDisplayStart", "-9", "iDisplayLength", "-1"}, "bravo charlie alpha delta", 4},
		"search":         {[]string{"sSearch", "ALPH"}, "alpha", 1},
		"hostile search": {[]string{"sSearch", "%' OR 1=1 --"}, "", 0},
		"query":          {[]string{"query", `{"type":"odd"}`}, "bravo alpha", 2},
		"query, page":    {[]string{"query", `{"type":{"$in":["odd","even"]}}`, "iDisplayStart", "3"}, "delta", 4},
		"by status":      {[]string{"query", `{"status":"completed","hasData":true,"file.type":{"$exists":true}}`}, "bravo charlie alpha delta", 4},
		"of no status":   {[]string{"query", `{"status":{"$nin":["completed"]}}`}, "", 0},
		"what is hidden": {[]string{"query", `{"$or":[{"kind":{"$exists":true}},{"params.x":{"$exists":true}},{"request":{"$exists":true}},{"state":"completed"}]}`}, "", 0},
		"bad query":      {[]string{"query", `{"type":`}, "bravo charlie alpha delta", 4},
		"hostile query":  {[]string{"query", `{"$where":"1"}`}, "bravo charlie alpha delta", 4},
		"period":         {[]string{"period", "yesterday"}, "charlie", 1},
		"all sources":    {[]string{"data_source", "all"}, "bravo charlie alpha delta", 4},
		"independent":    {[]string{"data_source", "independent"}, "", 0},
		"same app twice": {[]string{"app_ids", w.a.ID + "," + w.a.ID}, "bravo charlie alpha delta", 4},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.list(w.alice, append([]string{"app_id", w.a.ID}, test.params...)...)
			if got.names() != test.names || got.Total != test.total {
				t.Errorf("%q of %d, want %q of %d", got.names(), got.Total, test.names, test.total)
			}
		})
	}
	if got := w.list(w.Key); got.names() != "elsewhere" {
		t.Errorf("the administrator's: %q", got.names())
	}
	if got := w.Admin("/o/tasks/count"); got != `[{"_id":"`+w.b.ID+`","c":1}]` {
		t.Errorf("count: %s", got)
	}
	w.Admin("/i/apps/reset", "args", `{"app_id":"`+w.a.ID+`","period":"reset"}`)
	if got := w.list(w.alice, "app_id", w.a.ID); got.Total != 0 {
		t.Errorf("after a reset: %+v", got)
	}
}

// TestTokenScope keeps a token for one app from tasks of another, and of none.
func TestTokenScope(t *testing.T) {
	w := newWorld(t)
	id := w.export(w.Key, w.b, "elsewhere")
	var token struct{ Result string }
	testkit.Decode(t, w.Admin("/i/token/create", "apps", w.a.ID), &token)
	for _, path := range []string{"/o/tasks/check", "/o/tasks/task"} {
		if r := w.Get(path, "auth_token", token.Result, "app_id", w.a.ID, "task_id", id); r.Status != 400 || !strings.Contains(r.Body, "Task does not exist") {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	if r := w.Get("/o/export/download/"+id, "auth_token", token.Result, "app_id", w.a.ID); r.Status != 400 {
		t.Errorf("download: %d %s", r.Status, r.Body)
	}
	if r := w.Get("/o/tasks/all", "auth_token", token.Result, "app_id", w.a.ID, "data_source", "all"); r.Status != 200 || r.Body != "[]" {
		t.Errorf("all: %d %s", r.Status, r.Body)
	}
}
