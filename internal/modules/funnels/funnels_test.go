package funnels_test

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

// text writes JSON.
func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// add makes a funnel and returns its id.
func add(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) string {
	t.Helper()
	var res struct{ Result string }
	testkit.Decode(t, s.Admin("/i/funnels/add", append([]string{"app_id", a.ID}, pairs...)...), &res)
	if len(res.Result) != 32 {
		t.Fatalf("id %q", res.Result)
	}
	return res.Result
}

// fill sends what four users did: 1 sees, carts and pays; 2 sees and carts; 3 sees; 4 only has a session.
func fill(s *testkit.Server, a testkit.TestApp) {
	ms := func(n int) string { return fmt.Sprint(start.UnixMilli() + int64(n)*1000) }
	send := func(device string, at int, key, what string) {
		s.Ingest(a, device, "timestamp", ms(at), "events", fmt.Sprintf(`[{"key":%q,"count":1,"timestamp":%s,"segmentation":{"what":%q}}]`, key, ms(at), what))
	}
	s.Ingest(a, "d1", "timestamp", ms(-900), "begin_session", "1")
	send("d1", -800, "see", "tea")
	send("d1", -790, "cart", "tea")
	send("d1", -730, "pay", "tea")
	send("d2", -600, "see", "milk")
	send("d2", -580, "basket", "milk")
	send("d2", -579, "basket", "milk")
	send("d3", -500, "see", "tea")
	s.Ingest(a, "d4", "timestamp", ms(-400), "begin_session", "1")
	s.Flush()
}

type analysis struct {
	Total   int64   `json:"total_users"`
	Entered int64   `json:"users_in_first_step"`
	Success int64   `json:"success_users"`
	Rate    float64 `json:"success_rate"`
	Steps   []struct {
		Step                                       any
		Query                                      map[string]any
		Users, Times, Attempts                     int64
		Percent, PercentLeft                       float64
		PercentUserEntered, PercentLeftUserEntered float64
		AverageTimeSpend                           float64
	}
	Conversion struct {
		Count        int64
		Median, Mean float64
		Histogram    []map[string]float64
	}
	Groups []map[string]any
	Echo   string
}

// bare are groups without how they compare.
func bare(groups []map[string]any) []map[string]any {
	for _, g := range groups {
		delete(g, "comparison")
	}
	return groups
}

const steps = `["see",["cart","basket"],"pay"]`

func TestAnalyse(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id := add(t, s, a, "funnel_name", "Buy", "steps", steps, "queries", `["{}",{},"{}"]`)
	read := func(pairs ...string) (out analysis) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", append([]string{"method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"}, pairs...)...), &out)
		return out
	}
	got := read("echo", "x", "breakdown", "sg.what")
	if got.Total != 4 || got.Entered != 3 || got.Success != 1 || got.Rate != 25 || got.Echo != "x" || len(got.Steps) != 3 {
		t.Fatalf("%+v", got)
	}
	row := got.Steps[1]
	if row.Users != 2 || row.Times != 3 || row.Percent != 50 || row.PercentLeft != 25 || row.PercentUserEntered != 66.67 || row.PercentLeftUserEntered != 33.33 || row.AverageTimeSpend != 15 || row.Attempts != 2 {
		t.Errorf("second step %+v", row)
	}
	if !cmp.Equal(row.Step, any([]any{"cart", "basket"})) || got.Steps[0].Step != "see" || row.Query == nil {
		t.Errorf("steps %+v", got.Steps)
	}
	if row := got.Steps[0]; row.Percent != 75 || row.PercentLeft != 25 || row.PercentUserEntered != 100 || row.PercentLeftUserEntered != 0 || row.AverageTimeSpend != 0 {
		t.Errorf("first step %+v", row)
	}
	if c := got.Conversion; c.Count != 1 || c.Median != 70 || c.Mean != 70 || len(c.Histogram) != 5 || c.Histogram[4]["to"] != 300 || c.Histogram[4]["count"] != 1 {
		t.Errorf("conversion %+v", c)
	}
	if want := `[{"users":[2,1,1],"value":"tea"},{"users":[1,1,0],"value":"milk"}]`; text(t, bare(got.Groups)) != want {
		t.Errorf("groups %s, want %s", text(t, got.Groups), want)
	}
	if got := read("breakdown", "sg.what", "breakdown_step", "3", "breakdown_limit", "1"); text(t, got.Groups) != `[{"users":[2,1,0],"value":null},{"other":true,"users":[1,1,1],"value":null}]` {
		t.Errorf("groups by the third step: %s", text(t, got.Groups))
	}
	if got := read("filter", `{"sg.what":"tea"}`); got.Total != 2 || got.Entered != 2 || got.Success != 1 || got.Rate != 50 {
		t.Errorf("with a filter: %+v", got)
	}
	for name, tt := range map[string]struct{ pair, want string }{
		"of the first step":  {"users_for_step=0", `["1","2","3"]`},
		"of the last step":   {"end_step=2", `["1"]`},
		"between two":        {"users_between_steps=0|1", `["3"]`},
		"between the others": {"users_between_steps=1|2", `["2"]`},
	} {
		k, v, _ := strings.Cut(tt.pair, "=")
		if got := s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days", k, v); got != tt.want {
			t.Errorf("users %s: %s, want %s", name, got, tt.want)
		}
	}
	if got := s.Admin("/o", "method", "funneldata", "app_id", a.ID, "funnels", `["`+id+`","none"]`); got != `{"`+id+`":[{"_id":"2031-05-14","total_users":4,"success_users":1,"success_rate":25,"users_in_first_step":3}]}` {
		t.Errorf("by day: %s", got)
	}
	add(t, s, a, "funnel_name", "Other", "steps", `["pay","see"]`)
	var of []struct {
		ID   string `json:"_id"`
		Name string
		Step int
		Data analysis
	}
	testkit.Decode(t, s.Admin("/o", "method", "user_funnels", "app_id", a.ID, "uid", "2", "period", "7days"), &of)
	if len(of) != 1 || of[0].ID != id || of[0].Step != 2 || of[0].Data.Total != 1 || of[0].Data.Entered != 1 || of[0].Data.Success != 0 {
		t.Errorf("of a user: %+v", of)
	}
	for _, uid := range []string{"", "x", "99", "-1", "99999999999"} {
		if got := s.Admin("/o", "method", "user_funnels", "app_id", a.ID, "uid", uid); got != "[]" {
			t.Errorf("user %q: %s", uid, got)
		}
	}
}

// TestOptions has what the wire does not know of; internal/query/testdata/funnels.qt has the rest.
func TestOptions(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	for options, want := range map[string]int64{
		``:                                   1,
		`{"window":70}`:                      1,
		`{"window":69}`:                      0,
		`{"window":31622400}`:                1,
		`{"order":"strict"}`:                 1,
		`{"order":"any","reentry":"repeat"}`: 1,
		`{"order":"anchored"}`:               1,
		`{"order":"anchored","anchors":[3]}`: 1,
		`{"order":"anchored","exclusions":[{"event":"cart","from":1,"to":3}]}`: 0,
		`{"hold":["sg.what"],"optional":[2]}`:                                  1,
		`{"exclusions":[{"event":"cart"}]}`:                                    1,
		`{"exclusions":[{"event":"cart"}],"optional":[2]}`:                     1,
		`{"exclusions":[{"event":"nothing","from":1,"to":3}]}`:                 1,
	} {
		id := add(t, s, a, "funnel_name", "Buy", "steps", steps, "options", options)
		var got analysis
		testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"), &got)
		if got.Success != want {
			t.Errorf("%s: %d, want %d", options, got.Success, want)
		}
	}
	id := add(t, s, a, "funnel_name", "Groups", "steps", `["see","cart","basket","pay"]`, "stepGroups", `[{"c":"and"},{"c":"and"},{"c":"or"},{"c":"and"}]`)
	var got analysis
	testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"), &got)
	if len(got.Steps) != 3 || got.Steps[1].Users != 2 {
		t.Errorf("grouped steps: %+v", got)
	}
	id = add(t, s, a, "funnel_name", "Session", "funnel_type", "same-session", "steps", `["[CLY]_session","see"]`)
	testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"), &got)
	if got.Entered != 2 || got.Success != 1 {
		t.Errorf("in one session: %+v", got)
	}
}

func TestDefinitions(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	id := add(t, s, a, "funnel_name", "Alpha", "funnel_desc", "first", "steps", steps, "queries", `[{"sg.what":"tea"}]`, "queryTexts", `["Tea"]`, "options", `{"window":60}`)
	second := add(t, s, a, "funnel_name", "Bravo", "steps", steps)
	var d map[string]any
	get := func(id string) map[string]any {
		t.Helper()
		d = nil
		testkit.Decode(t, s.Admin("/o", "method", "get_funnel", "app_id", a.ID, "funnel", id), &d)
		return d
	}
	if d := get(id); d["name"] != "Alpha" || d["type"] != "session-independent" || text(t, d["queries"]) != `["{\"sg.what\":\"tea\"}"]` || d["app_id"] != a.ID || text(t, d["options"]) != `{"window":60}` || d["memberData"] == nil {
		t.Errorf("read %s", text(t, d))
	}
	if r := s.Admin("/i/funnels/edit", "app_id", a.ID, "funnel_map", `{"`+id+`":{"funnel_name":"Anna","steps":"[\"x\",\"y\"]","queries":"[]"},"`+second+`":{"order":2}}`); r != `{"result":"Success"}` {
		t.Error(r)
	}
	if d := get(id); d["name"] != "Anna" || text(t, d["steps"]) != `["x","y"]` || text(t, d["queries"]) != `[]` || text(t, d["options"]) != `{"window":60}` || d["description"] != "first" {
		t.Errorf("edited %s", text(t, d))
	}
	var me struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o/users/me"), &me)
	if r := s.Admin("/i/funnels/group", "app_id", a.ID, "funnel_id", second, "groups", `{"fav_`+me.ID+`":true,"marketing":1}`); r != `{"result":"Success"}` {
		t.Error(r)
	}
	var full struct {
		Echo    string           `json:"sEcho"`
		Total   int              `json:"iTotalRecords"`
		Display int              `json:"iTotalDisplayRecords"`
		Rows    []map[string]any `json:"aaData"`
		Fav     []map[string]int `json:"favTotal"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "get_funnels", "app_id", a.ID, "outputFormat", "full", "group", "fav", "sEcho", "3"), &full)
	if full.Echo != "3" || full.Total != 2 || full.Display != 1 || len(full.Rows) != 1 || full.Rows[0]["name"] != "Bravo" || full.Fav[0]["value"] != 1 {
		t.Errorf("favourites %+v", full)
	}
	for pairs, want := range map[string]int{"": 2, "group=marketing": 1, "group=none": 0, "group=$where": 0, "sSearch=anna": 1, "iDisplayLength=1": 1} {
		k, v, _ := strings.Cut(pairs, "=")
		list := []string{"method", "get_funnels", "app_id", a.ID}
		if k != "" {
			list = append(list, k, v)
		}
		var rows []map[string]any
		testkit.Decode(t, s.Admin("/o", list...), &rows)
		if len(rows) != want {
			t.Errorf("%s: %d funnels, want %d", pairs, len(rows), want)
		}
	}
	if r := s.Admin("/i/funnels/group", "app_id", a.ID, "funnel_id", second, "groups", `{"marketing":false}`); r != `{"result":"Success"}` || text(t, get(second)["groups"]) != `{"fav_`+me.ID+`":1}` {
		t.Errorf("%s, groups %v", r, get(second)["groups"])
	}
	// Another app's funnels are out of reach.
	for _, read := range [][]string{
		{"/o", "404", "", "method", "get_funnel", "funnel", id},
		{"/o", "400", "Requested funnel does not exist", "method", "funnel", "funnel", id},
		{"/i/funnels/delete", "404", "Funnel does not exist", "funnel_id", id},
		{"/i/funnels/group", "404", "Funnel not found", "funnel_id", id, "groups", "{}"},
		{"/i/funnels/edit", "404", "Funnel does not exist", "funnel_map", `{"` + id + `":{"order":1}}`},
	} {
		r := s.Post(read[0], append([]string{"api_key", s.Key, "app_id", b.ID}, read[3:]...)...)
		if read[2] == "" && r.Body != "{}" || read[2] != "" && (fmt.Sprint(r.Status) != read[1] || r.Body != `{"result":"`+read[2]+`"}`) {
			t.Errorf("%v from another app: %d %s", read, r.Status, r.Body)
		}
	}
	if r := s.Admin("/i/funnels/delete", "app_id", a.ID, "funnel_id", id); r != `{"result":"Success"}` || len(get(id)) != 0 {
		t.Error(r)
	}
}

// TestBadInput has what is refused, and that nothing of it is an error of the server.
func TestBadInput(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id := add(t, s, a, "funnel_name", "Buy", "steps", steps)
	var many []string
	for i := range 21 {
		many = append(many, fmt.Sprint("e", i))
	}
	deep := strings.Repeat(`{"$and":[`, 50) + `{"sg.a":1}` + strings.Repeat(`]}`, 50)
	name := []string{"/i/funnels/add", "funnel_name", "x", "steps"}
	with := func(list []string, more ...string) []string { return append(append([]string{}, list...), more...) }
	two := with(name, `["a","b"]`)
	query := []string{"/o", "method", "funnel", "funnel", id}
	for _, tt := range []struct {
		call []string
		want string
	}{
		{[]string{"/i/funnels/add", "funnel_name", "x"}, "Not enough args"},
		{[]string{"/i/funnels/add", "steps", steps}, "Not enough args"},
		{[]string{"/i/funnels/delete"}, "Not enough args"},
		{[]string{"/i/funnels/edit"}, "Not enough args"},
		{[]string{"/i/funnels/edit", "funnel_map", "[]"}, "Not enough args"},
		{[]string{"/i/funnels/group", "funnel_id", id}, "Not enough args"},
		{[]string{"/i/funnels/group", "funnel_id", id, "groups", "x"}, "Cannot save data"},
		{[]string{"/i/funnels/group", "funnel_id", id, "groups", `{"a.$b":1}`}, "Cannot save data"},
		{[]string{"/i/funnels/group", "funnel_id", id, "groups", `{"fav_5":1}`}, "Cannot save data"},
		{[]string{"/o", "method", "funnel"}, "Missing request parameter: funnel"},
		{[]string{"/o", "method", "get_funnel"}, "Missing request parameter: funnel"},
		{[]string{"/o", "method", "funnel", "funnel", "x"}, "Requested funnel does not exist"},
		{with(name, `["a","b","a"]`), "Duplicate events in steps are not allowed"},
		{[]string{"/i/funnels/edit", "funnel_map", `{"` + id + `":{"steps":["a","a"]}}`}, "Duplicate events in steps are not allowed"},
		{with(name, text(t, many)), "a funnel has 2 to 20 steps"},
		{with(name, `["a"]`), "a funnel has 2 to 20 steps"},
		{with(name, `[]`), "Not enough args"},
		{with(name, `{"a":1}`), "Invalid parameter steps"},
		{with(name, `["a",[]]`), "A step is an event, or a list of events"},
		{with(name, `["a",""]`), "A step is an event, or a list of events"},
		{with(two, "funnel_type", "x"), "Funnel type is session-independent or same-session"},
		{with(two, "queries", "x"), "Invalid parameter queries"},
		{with(two, "queries", `[{"$where":"sleep(1)"}]`), "$where"},
		{with(two, "queries", `[`+deep+`]`), "deep"},
		{with(two, "options", `{"window":0}`), "Window is 1 to 31622400 seconds"},
		{with(two, "options", `{"window":315360000}`), "Window is 1 to 31622400 seconds"},
		{with(two, "options", `{"order":"x"}`), "Order is"},
		{with(two, "options", `{"reentry":"x"}`), "Reentry is"},
		{with(two, "options", `{"anchors":[1]}`), "Anchors are for the order anchored"},
		{with(two, "options", `{"order":"anchored","anchors":[0]}`), "Anchors names steps from 1 to 2"},
		{with(two, "options", `{"order":"anchored","anchors":[1,1]}`), "Anchors names steps from 1 to 2"},
		{with(two, "options", `{"order":"anchored","anchors":[9999999999]}`), "Anchors names steps from 1 to 2"},
		{with(name, `["a","b","c"]`, "options", `{"order":"anchored","optional":[2]}`), "with anchors, no step is optional"},
		{with(name, `["a","b","c"]`, "options", `{"order":"anchored","exclusions":[{"event":"x","to":2}]}`), "with anchors, an exclusion is between two of them"},
		{with(two, "options", `{"optional":[1]}`), "the first and the last step cannot be optional"},
		{with(two, "options", `{"optional":[3]}`), "Optional names steps from 1 to 2"},
		{with(two, "options", `{"hold":["a","b","c","d"]}`), "At most 3 properties"},
		{with(two, "options", `{"exclusions":[{"event":"x","from":2,"to":2}]}`), "an exclusion is between two steps"},
		{with(two, "options", `{"exclusions":[{"event":"x","query":{"$where":1}}]}`), "Invalid parameter options"},
		{[]string{"/i/funnels/add", "funnel_name", strings.Repeat("x", 501), "steps", steps}, "Funnel is too large"},
		{with(query, "filter", `{"$where":"1"}`), "$where"},
		{with(query, "filter", deep), "deep"},
		{with(query, "filter", `{`), "not valid JSON"},
		{with(query, "filter_id", "5"), "Saved filters are not available"},
		{with(query, "users_for_step", "3"), "Steps are numbered from 0 to 2"},
		{with(query, "users_for_step", "x"), "Steps are numbered from 0 to 2"},
		{with(query, "users_between_steps", "1"), "users_between_steps is two steps"},
		{with(query, "users_between_steps", "1|0"), "users_between_steps is two steps"},
		{with(query, "breakdown", "sg.a", "breakdown_step", "4"), "breakdown_step is"},
		{with(query, "period", "[1"), ""},
		{with(query, "trend", "minute"), "trend is hour, day, week or month"},
		{with(query, "trend", "\x00"), "trend is hour, day, week or month"},
		{with(query, "task_id", "5"), "Task does not exist"},
	} {
		r := s.Post(tt.call[0], append([]string{"api_key", s.Key, "app_id", a.ID}, tt.call[1:]...)...)
		if r.Status < 400 || r.Status >= 500 || !strings.Contains(r.Body, tt.want) {
			t.Errorf("%.200q: %d %s, want %q", tt.call, r.Status, r.Body, tt.want)
		}
	}
	// What nobody ever sent is empty.
	for _, list := range []string{`["nothing","never"]`, `["'; DROP TABLE x; --","\"x\""]`, `["[CLY]_none","\u0000"]`} {
		id := add(t, s, a, "funnel_name", "x", "steps", list)
		var got analysis
		testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "breakdown", "sg.'x", "filter", `{"sg.nothing":1}`), &got)
		if got.Entered != 0 || got.Rate != 0 || len(got.Steps) != 2 {
			t.Errorf("%s: %+v", list, got)
		}
	}
	for _, list := range []string{"", "x", "{}"} {
		if got := s.Admin("/o", "method", "funneldata", "app_id", a.ID, "funnels", list); got != "{}" {
			t.Errorf("funnels %q: %s", list, got)
		}
	}
}

// TestRights has a member who may read funnels, but not users.
func TestRights(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id := add(t, s, a, "funnel_name", "Buy", "steps", steps, "queries", `[{"up.cc":{"$ne":"XX"}}]`)
	allowed := map[string]any{"all": false, "allowed": map[string]bool{"funnels": true}}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", text(t, map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{
			"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "c": map[string]any{a.ID: allowed}, "r": map[string]any{a.ID: allowed}, "u": map[string]any{}, "d": map[string]any{},
		},
	})), &p)
	for _, tt := range []struct {
		status int
		call   []string
	}{
		{200, []string{"/o", "method", "funnel", "funnel", id}},
		{200, []string{"/o", "method", "funnel", "funnel", id, "filter", `{"sg.what":"tea"}`}},
		{401, []string{"/o", "method", "funnel", "funnel", id, "filter", `{"up.cc":"DE"}`}},
		{401, []string{"/o", "method", "funnel", "funnel", id, "breakdown", "cc"}},
		{200, []string{"/o", "method", "funnel", "funnel", id, "drivers", "true"}},
		{200, []string{"/o", "method", "funnel", "funnel", id, "drivers", "true", "drivers_by", `["sg.what"]`}},
		{401, []string{"/o", "method", "funnel", "funnel", id, "drivers", "true", "drivers_by", `["sg.what","up.cc"]`}},
		{200, []string{"/i/funnels/add", "funnel_name", "x", "steps", steps}},
		{401, []string{"/i/funnels/add", "funnel_name", "x", "steps", steps, "queries", `[{"did":"d1"}]`}},
		{401, []string{"/i/funnels/add", "funnel_name", "x", "steps", steps, "options", `{"hold":["custom.plan"]}`}},
		{401, []string{"/i/funnels/delete", "funnel_id", id}},
		{401, []string{"/i/funnels/group", "funnel_id", id, "groups", "{}"}},
	} {
		r := s.Post(tt.call[0], append([]string{"api_key", p.Key, "app_id", a.ID}, tt.call[1:]...)...)
		if r.Status != tt.status || tt.status == http.StatusUnauthorized && !strings.Contains(r.Body, "right") {
			t.Errorf("%q: %d %s, want %d", tt.call, r.Status, r.Body, tt.status)
		}
	}
}

// TestTask has an analysis go on as a task, whose result is asked for by task_id.
func TestTask(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id := add(t, s, a, "funnel_name", "Buy", "steps", steps)
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":0}}`)
	var task struct {
		Result struct {
			ID string `json:"task_id"`
		}
	}
	answer := s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days")
	if testkit.Decode(t, answer, &task); task.Result.ID == "" {
		t.Fatal("no task: " + answer)
	}
	var got analysis
	for got.Steps == nil {
		testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "task_id", task.Result.ID), &got)
	}
	if got.Success != 1 {
		t.Errorf("%+v", got)
	}
}
