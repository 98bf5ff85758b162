package whole_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

const day = 24 * time.Hour

// send sends an event of a device, some time before start.
func send(s *testkit.Server, a testkit.TestApp, device, key, segments string, ago time.Duration) {
	ms := strconv.FormatInt(start.Add(-ago).UnixMilli(), 10)
	s.Ingest(a, device, "timestamp", ms, "events", fmt.Sprintf(`[{"key":%q,"count":1,"timestamp":%s,"segmentation":%s}]`, key, ms, segments))
}

// cohort is what get_cohort answers.
type cohort struct {
	ID     string `json:"_id"`
	Name   string
	Type   string
	Result int
	State  string
	Groups map[string]int
	Detail []string `json:"detail_metrics"`
	Done   int64    `json:"last_calculated"`
}

// add makes a cohort and returns its id.
func add(s *testkit.Server, a testkit.TestApp, pairs ...string) (id string, duplicate bool) {
	var out struct {
		Result    string
		Duplicate bool
	}
	decode(s.Admin("/i/cohorts/add", append([]string{"app_id", a.ID}, pairs...)...), &out)
	return out.Result, out.Duplicate
}

func decode(text string, dst any) {
	if err := json.Unmarshal([]byte(text), dst); err != nil {
		panic(fmt.Sprintf("%v: %s", err, text))
	}
}

func get(s *testkit.Server, a testkit.TestApp, id string) (c cohort) {
	decode(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id), &c)
	return c
}

// calculated waits until a cohort is calculated.
func calculated(t *testing.T, s *testkit.Server, a testkit.TestApp, id string) cohort {
	t.Helper()
	for range 3000 {
		if c := get(s, a, id); c.State != "calculating" {
			return c
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("cohort %s is not calculated", id)
	return cohort{}
}

// uids are the members of a cohort, with the size and the changes of the day.
func uids(t *testing.T, s *testkit.Server, a testkit.TestApp, id string) (list []string, today map[string]int) {
	t.Helper()
	var out []struct {
		Data map[string]json.RawMessage
	}
	decode(s.Admin("/o", "method", "cohortdata", "app_id", a.ID, "cohorts", `["`+id+`"]`, "iDisplayLength", "1000"), &out)
	if len(out) != 1 {
		t.Fatalf("data of %d cohorts", len(out))
	}
	var rows []struct{ UID string }
	decode(string(out[0].Data["aaData"]), &rows)
	for _, r := range rows {
		list = append(list, r.UID)
	}
	var days map[string]map[string]map[string]int
	if out[0].Data["2031"] != nil {
		decode(string(out[0].Data["2031"]), &days)
	}
	return list, days["5"]["14"]
}

// did is one event of a user.
type did struct {
	user   int
	key    string
	value  string
	before time.Duration
}

// rule is a step of a cohort.
type rule struct {
	kind, key, value, conj string
	days, least            int
}

// holds says whether a rule selects a user, by looking at every event.
func (r rule) holds(user int, all []did) bool {
	n, earlier := 0, false
	from := start.Truncate(day).Add(-time.Duration(r.days-1) * day)
	for _, d := range all {
		if d.user != user || d.key != r.key || r.value != "" && d.value != r.value {
			continue
		}
		if start.Add(-d.before).Before(from) {
			earlier = true
		} else {
			n++
		}
	}
	switch r.kind {
	case "didnt":
		return n < r.least
	case "first":
		return n > 0 && !earlier
	}
	return n >= r.least
}

func (r rule) step() map[string]any {
	out := map[string]any{"type": r.kind, "event": r.key, "period": fmt.Sprintf("%ddays", r.days), "conj": r.conj, "query": "{}"}
	if r.value != "" {
		out["query"] = fmt.Sprintf(`{"sg.what":{"$in":[%q]}}`, r.value)
	}
	if r.kind != "first" {
		out["times"] = fmt.Sprintf(`{"$gte":%d}`, r.least)
	}
	return out
}

// TestMembersModel compares the members of random cohorts over random traffic with those of a model that looks at every event.
func TestMembersModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano()) // a seed
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) // a test
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	const users = 12
	keys, values := []string{"see", "buy"}, []string{"tea", "milk"}
	var all []did
	countries := map[int]string{}
	for u := range users {
		countries[u] = []string{"DE", "FR"}[r.IntN(2)]
		s.Ingest(a, fmt.Sprint("d", u), "begin_session", "1", "country_code", countries[u], "user_details", fmt.Sprintf(`{"custom":{"n":%d}}`, u))
	}
	for i := range 90 {
		d := did{r.IntN(users), keys[r.IntN(2)], values[r.IntN(2)], time.Duration(r.IntN(20*24))*time.Hour + time.Duration(i)*time.Second} // no two alike: those would be one request
		all = append(all, d)
		send(s, a, fmt.Sprint("d", d.user), d.key, `{"what":"`+d.value+`"}`, d.before)
	}
	s.Flush()
	for range 25 {
		var rules []rule
		var steps []any
		for range 1 + r.IntN(3) {
			rules = append(rules, rule{
				[]string{"did", "didnt", "first"}[r.IntN(3)], keys[r.IntN(2)], append(values, "")[r.IntN(3)], []string{"and", "or"}[r.IntN(2)],
				1 + r.IntN(15), 1 + r.IntN(3),
			})
			steps = append(steps, rules[len(rules)-1].step())
		}
		below := float64(r.IntN(users + 4))
		text, err := json.Marshal(steps)
		if err != nil {
			t.Fatal(err)
		}
		segmentation := fmt.Sprintf(`{"query":"{\"custom.n\":{\"$lt\":%v}}"}`, below)
		id, _ := add(s, a, "cohort_name", "c", "steps", string(text), "user_segmentation", segmentation)
		c := calculated(t, s, a, id)
		var want []string
		for u := range users {
			in := false
			for i, rl := range rules {
				switch h := rl.holds(u, all); {
				case i == 0:
					in = h
				case rl.conj == "or":
					in = in || h
				default:
					in = in && h
				}
			}
			if in && float64(u) < below {
				want = append(want, strconv.Itoa(u+1))
			}
		}
		got, today := uids(t, s, a, id)
		if !slices.Equal(got, want) || c.Result != len(want) || today["c"] != len(want) || today["in"] != len(want) {
			t.Errorf("cohort %s %s\ngot  %v, %d, %v\nwant %v", text, segmentation, got, c.Result, today, want)
		}
	}
}

// fill has users 1 and 2 buy, and 3 see only; 1 is of the plan pro.
func fill(s *testkit.Server, a testkit.TestApp) {
	for i, plan := range []string{"pro", "free", "free"} {
		s.Ingest(a, fmt.Sprint("d", i+1), "begin_session", "1", "user_details", `{"name":"N`+fmt.Sprint(i+1)+`","custom":{"plan":"`+plan+`"}}`)
	}
	send(s, a, "d1", "buy", `{}`, time.Hour)
	send(s, a, "d2", "buy", `{}`, 2*time.Hour)
	send(s, a, "d3", "see", `{}`, time.Hour)
	s.Flush()
}

const buyers = `[{"type":"did","event":"buy","period":"7days"}]`

func TestLife(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, twice := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	if twice {
		t.Error("the first cohort is a duplicate")
	}
	if same, twice := add(s, a, "cohort_name", "Others", "steps", `[{"type":"did","event":"buy","period":"7days","query":"{}","times":"{\"$gte\":1}","conj":"or"}]`); !twice || same != id {
		t.Errorf("an equivalent cohort is %s, %v", same, twice)
	}
	if c := calculated(t, s, a, id); c.Result != 2 || c.Type != "auto" || c.Name != "Buyers" {
		t.Errorf("got %+v", c)
	}
	call := func(path string, pairs ...string) string {
		return strings.TrimSpace(s.Admin(path, append([]string{"app_id", a.ID}, pairs...)...))
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	check("names", call("/o", "method", "get_cohort_list"), `{"`+id+`":"Buyers"}`)
	check("metrics", call("/o", "method", "get_cohort_metrics", "cohort_id", id, "metrics", `["custom.plan","up.nothing"]`), `{"in_cohort":2,"metrics":{"custom.plan":{"free":1,"pro":1},"up.nothing":{}}}`)
	check("detail", call("/i/cohorts/detail_metrics", "cohort_id", id, "detail_metrics", `["up.cc"]`), `{"result":true}`)
	check("group", call("/i/cohorts/group", "cohort_id", id, "groups", `{"fav":1,"vip":1}`), `{"result":"Success"}`)
	check("projected", call("/o", "method", "get_cohorts", "group", "vip", "projection", `["name","result"]`), `[{"_id":"`+id+`","name":"Buyers","result":2}]`)
	check("none in a group", call("/o", "method", "get_cohorts", "group", "x"), `[]`)
	check("favourites", call("/o", "method", "get_cohorts", "outputFormat", "full", "sEcho", "0", "group", "fav", "projection", `["name"]`),
		`{"sEcho":"0","iTotalRecords":1,"iTotalDisplayRecords":1,"aaData":[{"_id":"`+id+`","name":"Buyers"}],"favTotal":[{"value":1}]}`)
	if text := call("/o", "method", "cohortstate"); !strings.Contains(text, `"cid":["`+id+`"]`) || !strings.Contains(text, `"ts":`) {
		t.Errorf("state %s", text)
	}
	send(s, a, "d3", "buy", `{}`, time.Minute)
	s.Flush()
	before := get(s, a, id).Done
	s.Clock().Set(start.Add(time.Minute))
	check("recalculate", call("/i/cohorts/recalculate", "cohort_id", id), `{"result":"Cohort update started"}`)
	for get(s, a, id).Done == before {
		time.Sleep(10 * time.Millisecond)
	}
	if list, today := uids(t, s, a, id); len(list) != 3 || cmp.Diff(today, map[string]int{"c": 3, "in": 3, "out": 0}) != "" {
		t.Errorf("recalculated: %v %v", list, today)
	}
	check("edit", call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "cohort_name", "Pros"), `{"result":"Success"}`)
	if list, _ := uids(t, s, a, id); len(list) != 3 {
		t.Errorf("with another name: %v", list)
	}
	check("edit", call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "user_segmentation", `{"custom.plan":"pro"}`), `{"result":"Success"}`)
	calculated(t, s, a, id)
	if list, today := uids(t, s, a, id); !slices.Equal(list, []string{"1"}) || today["in"] != 1 {
		t.Errorf("with other conditions: %v %v", list, today)
	}
	check("cleanup", call("/i/cohorts/cleanup"), `{"result":"Started rechecking 1 apps"}`)
	check("reset", call("/i/cohorts/resetRealTimeData"), `{"result":"Success"}`)
	check("fix", call("/i/cohorts/fixuid"), `{"result":"Started fixing u_id1 apps"}`)
	check("delete", call("/i/cohorts/delete", "cohort_id", `["`+id+`","0123456789abcdef01234567"]`), `{"result":"1/2 cohorts deleted"}`)
	check("deleted", call("/o", "method", "get_cohort", "cohort", id), `false`)
	check("data of none", call("/o", "method", "cohortdata", "cohorts", `["`+id+`"]`), `[]`)
}

// TestAskedTwice has cohorts calculated, and given other conditions, while a calculation of them is under way.
func TestAskedTwice(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	calculated(t, s, a, id)
	call := func(path string, pairs ...string) { s.Admin(path, append([]string{"app_id", a.ID}, pairs...)...) }
	follows := func(what string, members int) {
		t.Helper()
		var got struct {
			Live   bool
			State  string
			Result int
		}
		for range 600 {
			if decode(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id), &got); got.Live && got.Result == members {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%s: got %+v, want a live cohort of %d", what, got, members)
	}
	for range 3 {
		call("/i/cohorts/recalculate", "cohort_id", id)
		call("/i/cohorts/recalculate", "cohort_id", id)
		call("/i/cohorts/resetRealTimeData")
		follows("calculated again", 2)
	}
	for range 2 {
		call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "user_segmentation", `{"custom.plan":"pro"}`)
		call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "user_segmentation", `{"custom.plan":{"$in":["pro","free"]}}`)
		follows("edited twice", 2)
	}
	for range 2 { // "chr" keeps a cohort from being live
		call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "user_segmentation", `{"chr":{"$ne":"x"},"custom.plan":"pro"}`)
		call("/i/cohorts/edit", "cohort_id", id, "visibility", "global", "user_segmentation", `{"chr":{"$ne":"x"}}`)
		if c := calculated(t, s, a, id); c.Result != 2 || c.State != "completed" {
			t.Fatalf("scheduled, edited twice: got %+v", c)
		}
	}
}

func TestManual(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Testers", "type", "manual")
	hand := func(path string, pairs ...string) string {
		return strings.TrimSpace(s.Admin("/i/cohorts/"+path, append([]string{"app_id", a.ID, "cohort", id}, pairs...)...))
	}
	if got, want := hand("add_users", "text", "d1\nd9\n3"), `{"result":"Success","matched":2,"changed":2,"unmatched":["d9"],"missed":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := hand("add_users", "uids", `["2",3]`), `{"result":"Success","matched":2,"changed":1,"unmatched":[],"missed":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := hand("remove_users", "query", `{"custom.plan":"pro"}`), `{"result":"Success","matched":1,"changed":1,"unmatched":[],"missed":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if list, today := uids(t, s, a, id); !slices.Equal(list, []string{"2", "3"}) || today["in"] != 3 || today["out"] != 1 {
		t.Errorf("members %v %v", list, today)
	}
	// The user of d2 becomes that of new, whose number is 4.
	s.Ingest(a, "new", "begin_session", "1")
	s.Ingest(a, "new", "old_device_id", "d2")
	s.Flush()
	s.Admin("/i/cohorts/fixuid", "app_id", a.ID)
	list, _ := uids(t, s, a, id)
	if len(list) != 2 || !slices.Contains(list, "3") || get(s, a, id).Result != 2 {
		t.Errorf("after a merge: %v", list)
	}
	if rest := slices.DeleteFunc(list, func(uid string) bool { return uid == "3" }); rest[0] != "4" && !present(s, a, rest[0]) {
		t.Errorf("after a merge a member is %s, who is no more", rest[0])
	}
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "3", "reason", "asked")
	for range 3000 {
		if get(s, a, id).Result == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if list, _ := uids(t, s, a, id); len(list) != 1 || list[0] == "3" {
		t.Errorf("after an erasure: %v", list)
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	for range 3000 {
		if get(s, a, id).Result == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if list, _ := uids(t, s, a, id); len(list) != 0 {
		t.Errorf("after a reset: %v", list)
	}
}

// present reports whether a user has a profile.
func present(s *testkit.Server, a testkit.TestApp, uid string) bool {
	return strings.Contains(s.Admin("/o", "method", "user_details", "app_id", a.ID, "query", `{"uid":"`+uid+`"}`), `"uid":"`+uid+`"`)
}

func TestFaults(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	other := s.CreateApp("b", "UTC")
	foreign, _ := add(s, other, "cohort_name", "Buyers", "steps", buyers)
	for name, tt := range map[string]struct {
		path  string
		pairs []string
		code  int
		want  string
	}{
		"no name":          {"/i/cohorts/add", []string{"steps", buyers}, 400, "Not enough args"},
		"no condition":     {"/i/cohorts/add", []string{"cohort_name", "x"}, 400, "Not enough args"},
		"visibility":       {"/i/cohorts/add", []string{"cohort_name", "x", "steps", buyers, "visibility", "x"}, 400, "Invalid visibility"},
		"no event":         {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"type":"did","period":"7days"}]`}, 400, "All steps must contain event"},
		"no type":          {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","period":"7days"}]`}, 400, "All steps must contain type"},
		"no period":        {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did"}]`}, 400, "All steps must contain period"},
		"a period":         {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"x"}]`}, 400, "Bad request parameter: period"},
		"steps":            {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `{`}, 400, "Bad request parameter: steps"},
		"never":            {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days","times":{"$eq":0}}]`}, 400, "didnt"},
		"behind nothing":   {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days"},{"event":"a","type":"did","period":"7days","conj":"then"}]`}, 400, "has within"},
		"too far behind":   {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days"},{"event":"a","type":"did","period":"7days","conj":"then","within":31622401}]`}, 400, "has within"},
		"behind twice":     {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days","times":2},{"event":"a","type":"did","period":"7days","conj":"then","within":9}]`}, 400, "have no times"},
		"behind what not":  {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"didnt","period":"7days"},{"event":"a","type":"did","period":"7days","conj":"then","within":9}]`}, 400, "has the type did"},
		"another period":   {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days"},{"event":"a","type":"did","period":"8days","conj":"then","within":9}]`}, 400, "one period"},
		"within and":       {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days","within":9}]`}, 400, "then only"},
		"another conj":     {"/i/cohorts/add", []string{"cohort_name", "x", "steps", `[{"event":"a","type":"did","period":"7days","conj":"xor"}]`}, 400, "and, or or then"},
		"manual and steps": {"/i/cohorts/add", []string{"cohort_name", "x", "type", "manual", "steps", buyers}, 400, "A manual cohort has no conditions"},
		"a filter":         {"/i/cohorts/add", []string{"cohort_name", "x", "user_segmentation", `{"$where":"1"}`}, 400, ""},
		"edit of nothing":  {"/i/cohorts/edit", nil, 400, "Not enough args"},
		"edit without":     {"/i/cohorts/edit", []string{"cohort_id", id}, 400, "Invalid visibility"},
		"edit of none":     {"/i/cohorts/edit", []string{"cohort_id", foreign, "visibility", "global"}, 404, "Cohort not found"},
		"delete nothing":   {"/i/cohorts/delete", nil, 400, "Not enough args"},
		"delete foreign":   {"/i/cohorts/delete", []string{"cohort_id", foreign}, 404, "Cohort does not exist"},
		"recalculate":      {"/i/cohorts/recalculate", []string{"cohort_id", foreign}, 404, "Cohort does not exist"},
		"group":            {"/i/cohorts/group", []string{"cohort_id", foreign, "groups", `{"a":1}`}, 404, "Cohort not found"},
		"group by":         {"/i/cohorts/group", []string{"cohort_id", id, "groups", `{"a.b":1}`}, 400, "groups"},
		"detail":           {"/i/cohorts/detail_metrics", []string{"cohort_id", foreign, "detail_metrics", `[]`}, 404, "Cohort not found"},
		"metrics":          {"/o", []string{"method", "get_cohort_metrics", "cohort_id", id, "metrics", "{"}, 400, "metrics"},
		"users of none":    {"/i/cohorts/add_users", []string{"uids", `["1"]`}, 400, "Cohort id is missing"},
		"no users":         {"/i/cohorts/add_users", []string{"cohort", id, "uids", `["1"]`}, 400, "only to manual cohorts"},
		"hidden key":       {"/o", []string{"method", "get_cohort", "cohort", "../x"}, 200, "false"},
		"foreign":          {"/o", []string{"method", "get_cohort", "cohort", foreign}, 200, "false"},
	} {
		t.Run(name, func(t *testing.T) {
			res := s.Get(tt.path, append([]string{"api_key", s.Key, "app_id", a.ID}, tt.pairs...)...)
			if res.Status != tt.code || !strings.Contains(res.Body, tt.want) {
				t.Errorf("%d %s, want %d %s", res.Status, res.Body, tt.code, tt.want)
			}
		})
	}
	group, _ := add(s, a, "cohort_name", "m", "type", "manual")
	res := s.Get("/i/cohorts/add_users", "api_key", s.Key, "app_id", a.ID, "cohort", group)
	if res.Status != http.StatusBadRequest || !strings.Contains(res.Body, "There is no data passed to process") {
		t.Errorf("nobody: %d %s", res.Status, res.Body)
	}
}

// TestVisible has two members beside the administrator: one of whom a private cohort is shared with.
func TestVisible(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	keys := map[string]string{}
	for _, name := range []string{"friend", "stranger"} {
		rights := `{"` + a.ID + `":{"all":false,"allowed":{"cohorts":true}}}`
		s.Admin("/i/users/create", "args", `{"full_name":"`+name+`","username":"`+name+`","password":"Passw0rd!x","email":"`+name+`@example.org","permission":{"_":{"a":[],"u":[["`+a.ID+`"]]},"c":`+rights+`,"r":`+rights+`,"u":`+rights+`,"d":`+rights+`}}`)
		keys[name] = s.APIKey(name, "Passw0rd!x")
	}
	id, _ := add(s, a, "cohort_name", "Mine", "steps", buyers, "visibility", "private", "shared_email_edit", `["Friend@example.org"]`)
	calculated(t, s, a, id)
	hand, _ := add(s, a, "cohort_name", "Hand", "type", "manual")
	for name, sees := range map[string]bool{"friend": true, "stranger": false} {
		as := func(path string, pairs ...string) testkit.Response {
			return s.Get(path, append([]string{"api_key", keys[name], "app_id", a.ID}, pairs...)...)
		}
		if got := strings.Contains(as("/o", "method", "get_cohorts").Body, id); got != sees {
			t.Errorf("%s sees it in the list: %v", name, got)
		}
		if got := as("/o", "method", "get_cohort", "cohort", id).Body != "false"; got != sees {
			t.Errorf("%s sees it: %v", name, got)
		}
		if got := as("/o/cohorts/preview", "user_segmentation", `{"chr":"`+id+`"}`).Body; strings.HasPrefix(got, `{"users":2,`) != sees {
			t.Errorf("%s selects by it: %s", name, got)
		}
		if got := as("/o/cohorts/preview", "user_segmentation", `{"chr.`+id+`.in":true}`).Body; strings.HasPrefix(got, `{"users":2,`) != sees {
			t.Errorf("%s selects by its path: %s", name, got)
		}
		if got := as("/i/cohorts/add", "cohort_name", "By it", "visibility", "private", "user_segmentation", `{"chr":{"$in":["`+id+`"]}}`).Status == http.StatusOK; got != sees {
			t.Errorf("%s keeps a cohort by it: %v", name, got)
		}
		if got := as("/i/cohorts/recalculate", "cohort_id", id).Status == http.StatusOK; got != sees {
			t.Errorf("%s calculates it: %v", name, got)
		}
		if res := as("/i/cohorts/delete", "cohort_id", hand); res.Status != http.StatusBadRequest || !strings.Contains(res.Body, "Insufficient permissions") {
			t.Errorf("%s deletes a profile group: %d %s", name, res.Status, res.Body)
		}
		if res := as("/i/cohorts/add", "cohort_name", "x", "user_segmentation", `{"custom.plan":"pro"}`); res.Status == http.StatusOK {
			t.Errorf("%s asks by properties without the right to read users: %s", name, res.Body)
		}
		if res := as("/o", "method", "cohortdata", "cohorts", `["`+id+`"]`); strings.Contains(res.Body, `"uid"`) {
			t.Errorf("%s reads users: %s", name, res.Body)
		}
	}
}
