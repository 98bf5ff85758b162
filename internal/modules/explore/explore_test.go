package explore_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type person struct {
	ID  string `json:"_id"`
	Key string `json:"api_key"`
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// member makes a member who may do things with features of an app, by action and feature as "r:core".
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name string, admin bool, rights ...string) person {
	t.Helper()
	rules := map[string]map[string]bool{"c": {}, "r": {}, "u": {}, "d": {}}
	for _, right := range rights {
		action, feature, _ := strings.Cut(right, ":")
		rules[action][feature] = true
	}
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}}
	if admin {
		permission["_"] = map[string]any{"a": []string{a.ID}, "u": [][]string{}}
	}
	for action, allowed := range rules {
		permission[action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}}
	}
	var p person
	testkit.Decode(t, s.Admin("/i/users/create", "args", text(t, map[string]any{
		"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission,
	})), &p)
	return p
}

func fill(s *testkit.Server, a testkit.TestApp) {
	s.Ingest(a, "d1", "user_details", `{"name":"n","custom":{"plan":"pro","age":30,"beta":true,"mixed":1,"tags":["a"]}}`,
		"events", `[{"key":"buy","count":4,"segmentation":{"what":"tea","price":3,"both":"x"}},{"key":"[CLY]_view","segmentation":{"name":"home"}}]`)
	s.Ingest(a, "d2", "user_details", `{"custom":{"plan":"free","age":7.5,"mixed":"x"}}`,
		"events", `[{"key":"buy","segmentation":{"what":"milk","price":1,"both":2}},{"key":"sell"}]`)
	s.Ingest(a, "d3", "events", `[{"key":"buy","segmentation":{"what":"milk","price":9}}]`, "begin_session", "1")
	s.Flush()
}

func TestProperties(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, empty := s.CreateApp("a", "UTC"), s.CreateApp("empty", "UTC")
	fill(s, a)
	const events = `{"events":[` +
		`{"key":"buy","properties":[{"name":"what","kind":"text"},{"name":"price","kind":"number"},{"name":"both","kind":"any"}]},` +
		`{"key":"[CLY]_view","properties":[{"name":"name","kind":"text"}]},{"key":"sell","properties":[]}],"custom":`
	const custom = `[{"name":"age","kind":"number"},{"name":"mixed","kind":"any"},{"name":"plan","kind":"text"},{"name":"beta","kind":"bool"},{"name":"tags","kind":"any"}]}`
	core := member(t, s, a, "core", false, "r:core")
	users := member(t, s, a, "users", false, "r:core", "r:users")
	for _, tt := range []struct{ name, key, app, want string }{
		{"with users", users.Key, a.ID, events + custom},
		{"without users", core.Key, a.ID, events + `[]}`},
		{"nothing yet", s.Key, empty.ID, `{"events":[],"custom":[]}`},
	} {
		if got := s.Get("/o/explore/properties", "app_id", tt.app, "api_key", tt.key); got.Status != http.StatusOK || got.Body != tt.want {
			t.Errorf("%s: %d %s\nwant %s", tt.name, got.Status, got.Body, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	s.Ingest(b, "other", "events", `[{"key":"buy"}]`)
	s.Flush()
	events := member(t, s, a, "events", false, "r:events")
	day := fmt.Sprint(start.UnixMilli() - 1000)
	for _, tt := range []struct {
		name, key string
		pairs     []string
		status    int
		want      string
	}{
		{"all", s.Key, []string{"events", `["buy"]`}, 200, `{"count":3,"total":3}`},
		{"several", s.Key, []string{"events", `["buy","sell","[CLY]_view"]`}, 200, `{"count":5,"total":5}`},
		{"a property", s.Key, []string{"events", `["buy"]`, "query", `{"sg.what":"milk"}`}, 200, `{"count":2,"total":3}`},
		{"groups", s.Key, []string{"events", `["buy"]`, "query", `{"$or":[{"sg.price":{"$gt":5}},{"$and":[{"sg.what":{"$in":["tea"]}},{"custom.plan":"pro"}]}]}`}, 200, `{"count":2,"total":3}`},
		{"of a property of the user", s.Key, []string{"events", `["buy"]`, "query", `{"custom.plan":"free"}`}, 200, `{"count":1,"total":3}`},
		{"earlier", s.Key, []string{"events", `["buy"]`, "from", "1", "to", day}, 200, `{"count":0,"total":0}`},
		{"later", s.Key, []string{"events", `["buy"]`, "from", day, "to", fmt.Sprint(start.UnixMilli() + 1000)}, 200, `{"count":3,"total":3}`},
		{"with the right to events", events.Key, []string{"events", `["buy"]`, "query", `{"sg.what":"tea"}`}, 200, `{"count":1,"total":3}`},
		{"without the right to users", events.Key, []string{"events", `["buy"]`, "query", `{"$or":[{"sg.what":"tea"},{"did":"d1"}]}`}, 401, `{"result":"User does not have right"}`},
		{"no events", s.Key, []string{"events", `[]`}, 400, `{"result":"Invalid events parameter"}`},
		{"unreadable", s.Key, []string{"events", `["buy"]`, "query", `{"a":`}, 400, `{"result":"filter: not valid JSON"}`},
		{"unknown", s.Key, []string{"events", `["nothing"]`}, 200, `{"count":0,"total":0}`},
	} {
		got := s.Get("/o/explore/count", append([]string{"app_id", a.ID, "api_key", tt.key}, tt.pairs...)...)
		if got.Status != tt.status || got.Body != tt.want {
			t.Errorf("%s: %d %s, want %d %s", tt.name, got.Status, got.Body, tt.status, tt.want)
		}
	}
}

// TestCountOfSeveral counts the items of groups of events and of defined events.
func TestCountOfSeveral(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	fill(s, b)
	var defined struct{ Result string }
	testkit.Decode(t, s.Admin("/i/defined_events/create", "app_id", a.ID, "name", "Tea or sale", "events", `["sell",{"event":"buy","query":{"sg.what":"tea"}}]`), &defined)
	s.Admin("/i/event_groups/create", "args", `{"app_id":"`+a.ID+`","name":"all","source_events":["buy","sell"],"display_map":{},"status":true}`)
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "get_event_groups", "app_id", a.ID), &groups)
	key, group := defined.Result, groups[0].ID
	for _, tt := range []struct {
		name   string
		app    testkit.TestApp
		events []string
		query  string
		want   string
	}{
		{"a defined event", a, []string{key}, "", `{"count":2,"total":2}`},
		{"filtered", a, []string{key}, `{"sg.what":"tea"}`, `{"count":1,"total":2}`},
		{"by the user as well", a, []string{key}, `{"up.custom.plan":"free"}`, `{"count":1,"total":2}`},
		{"a group", a, []string{group}, `{"sg.what":"milk"}`, `{"count":2,"total":4}`},
		{"all of them", a, []string{group, key, "buy", "buy"}, "", `{"count":4,"total":4}`},
		{"of another app", b, []string{key}, "", `{"count":0,"total":0}`},
		{"a group of another app", b, []string{group}, "", `{"count":0,"total":0}`},
	} {
		if got := s.Admin("/o/explore/count", "app_id", tt.app.ID, "events", text(t, tt.events), "query", tt.query); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

type views struct {
	Total int `json:"iTotalRecords"`
	Shown int `json:"iTotalDisplayRecords"`
	Rows  []struct {
		ID        string `json:"_id"`
		Name      string `json:"name"`
		State     string `json:"state"`
		Shared    bool   `json:"shared"`
		OwnerName string `json:"owner_name"`
		Mine      bool   `json:"mine"`
		MayChange bool   `json:"may_change"`
	} `json:"aaData"`
}

func list(t *testing.T, s *testkit.Server, a testkit.TestApp, key string, pairs ...string) (out views, names []string) {
	t.Helper()
	r := s.Get("/o/explore/views", append([]string{"app_id", a.ID, "api_key", key}, pairs...)...)
	if r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	testkit.Decode(t, r.Body, &out)
	for _, row := range out.Rows {
		names = append(names, row.Name)
	}
	return out, names
}

func save(t *testing.T, s *testkit.Server, a testkit.TestApp, key string, pairs ...string) (id string, answer testkit.Response) {
	t.Helper()
	answer = s.Post("/i/explore/views/save", append([]string{"app_id", a.ID, "api_key", key, "page", "explore", "state", "filter=%7B%7D"}, pairs...)...)
	var res struct{ Result string }
	testkit.Decode(t, answer.Body, &res)
	return res.Result, answer
}

func TestViews(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	reader := member(t, s, a, "reader", false, "r:core")
	writer := member(t, s, a, "writer", false, "r:core", "c:core")
	chief := member(t, s, a, "chief", true)
	own, _ := save(t, s, a, reader.Key, "name", " mine ")
	s.Clock().Set(start.Add(time.Minute))
	shared, _ := save(t, s, a, writer.Key, "name", "ours", "shared", "true")
	if _, r := save(t, s, a, reader.Key, "name", "x", "shared", "true"); r.Status != http.StatusUnauthorized && r.Status != http.StatusForbidden {
		t.Errorf("sharing without the right: %d %s", r.Status, r.Body)
	}
	for who, want := range map[string][]string{reader.Key: {"ours", "mine"}, writer.Key: {"ours"}, chief.Key: {"ours"}} {
		if _, names := list(t, s, a, who); !cmp.Equal(names, want) {
			t.Errorf("%q, want %q", names, want)
		}
	}
	if got, _ := list(t, s, b, s.Key); got.Total != 0 {
		t.Errorf("views of another app: %+v", got)
	}
	got, _ := list(t, s, a, reader.Key, "sSearch", "MIN", "sort", "name", "iDisplayLength", "1")
	if got.Total != 2 || got.Shown != 1 || len(got.Rows) != 1 || got.Rows[0].OwnerName != "reader" || !got.Rows[0].Mine || !got.Rows[0].MayChange || got.Rows[0].State != "filter=%7B%7D" {
		t.Errorf("found %+v", got)
	}
	const notFound, notYours = `{"result":"View not found"}`, `{"result":"The view belongs to another member"}`
	drop := func(key, id string) string {
		return s.Post("/i/explore/views/delete", "app_id", a.ID, "api_key", key, "view_id", id).Body
	}
	for name, c := range map[string]struct{ got, want string }{
		"another's own":        {drop(writer.Key, own), notFound},
		"an administrator too": {drop(chief.Key, own), notFound},
		"another's shared":     {drop(reader.Key, shared), notYours},
		"unknown":              {drop(reader.Key, "nothing"), notFound},
	} {
		if c.got != c.want {
			t.Errorf("deleting %s: %s, want %s", name, c.got, c.want)
		}
	}
	if id, r := save(t, s, a, chief.Key, "view_id", shared, "name", "renamed", "shared", "true"); id != shared {
		t.Errorf("an administrator changes what is shared: %s", r.Body)
	}
	if got, _ := list(t, s, a, writer.Key); got.Rows[0].Name != "renamed" || got.Rows[0].OwnerName != "writer" {
		t.Errorf("renamed: %+v", got)
	}
	if got := drop(reader.Key, own); got != `{"result":"Success"}` {
		t.Errorf("deleting one's own: %s", got)
	}
	for name, pairs := range map[string][]string{
		"no name": {"name", " "}, "another place": {"name", "x", "page", "//evil.example"}, "no query": {"name", "x", "state", "%zz"},
		"long": {"name", "x", "state", "a=" + strings.Repeat("x", 17<<10)},
	} {
		if _, r := save(t, s, a, writer.Key, pairs...); r.Status != http.StatusBadRequest || r.Body != `{"result":"Invalid view"}` {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
}

// TestViewsGo has members and apps go, with what they kept.
func TestViewsGo(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	writer := member(t, s, a, "writer", false, "r:core", "c:core")
	save(t, s, a, writer.Key, "name", "own")
	save(t, s, a, writer.Key, "name", "shared", "shared", "1")
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if _, names := list(t, s, a, writer.Key); len(names) != 2 {
		t.Errorf("after a reset: %q", names)
	}
	s.Admin("/i/users/delete", "args", `{"user_ids":["`+writer.ID+`"]}`)
	if got, names := list(t, s, a, s.Key); !cmp.Equal(names, []string{"shared"}) || got.Rows[0].OwnerName != "" {
		t.Errorf("after the owner went: %+v", got)
	}
}

// TestSlowReads lets reads take longer than their caller waits, and compares what their tasks answer.
func TestSlowReads(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	reads := map[string][]string{
		"/o/explore/count": {"app_id", a.ID, "events", `["buy"]`, "query", `{"sg.what":"milk"}`},
		"/o":               {"app_id", a.ID, "method", "user_details", "query", `{"custom.plan":"pro"}`, "sEcho", "3", "iDisplayLength", "5"},
	}
	want := map[string]string{}
	for path, pairs := range reads {
		want[path] = s.Admin(path, pairs...)
	}
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":0}}`)
	follow := func(body string) (string, bool) {
		var pushed struct {
			Result struct {
				ID string `json:"task_id"`
			} `json:"result"`
		}
		testkit.Decode(t, body, &pushed)
		if pushed.Result.ID == "" {
			return body, false
		}
		var task struct {
			Status string          `json:"status"`
			Type   string          `json:"type"`
			Data   json.RawMessage `json:"data"`
		}
		for task.Status != "completed" {
			testkit.Decode(t, s.Admin("/o/tasks/task", "app_id", a.ID, "task_id", pushed.Result.ID), &task)
			if task.Status == "errored" {
				t.Fatalf("the task failed: %+v", task)
			}
		}
		return string(task.Data), true
	}
	for path, pairs := range reads {
		tasks := 0
		for range 20 { // a read may still be faster than no waiting at all
			got, task := follow(s.Admin(path, pairs...))
			var x, y any
			testkit.Decode(t, got, &x)
			testkit.Decode(t, want[path], &y)
			if diff := cmp.Diff(y, x); diff != "" {
				t.Fatalf("%s: %s", path, diff)
			}
			if task {
				tasks++
				break
			}
		}
		if tasks == 0 {
			t.Errorf("%s never went on as a task", path)
		}
	}
	if body := s.Admin("/o", "app_id", a.ID, "method", "user_details", "did", "d1"); !strings.Contains(body, `"did":"d1"`) {
		t.Errorf("one profile: %s", body)
	}
}
