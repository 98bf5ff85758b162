package populator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// evening is a time at which the day of Berlin has sessions already.
var evening = time.Date(2031, 5, 14, 20, 30, 0, 0, time.UTC)

// shop is the id of a template that comes along.
const shop = "717569707573686f70000000"

type task struct {
	ID     string  `json:"_id"`
	Status string  `json:"status"`
	Error  string  `json:"errormsg"`
	Data   summary `json:"data"`
}

type summary struct {
	Environment string `json:"environment_id"`
	From, To    int64
	Users       int
	Sessions    int
	Events      int
	Requests    int
}

// load queues a load and returns the id of its task.
func load(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) string {
	t.Helper()
	var out struct {
		Result struct {
			ID string `json:"task_id"`
		}
	}
	testkit.Decode(t, s.Admin("/i/populator/load", append([]string{"app_id", a.ID, "template_id", shop}, pairs...)...), &out)
	if out.Result.ID == "" {
		t.Fatal("no task")
	}
	return out.Result.ID
}

// ended waits until a task is no longer under way.
func ended(t *testing.T, s *testkit.Server, a testkit.TestApp, id string) task {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		var got task
		testkit.Decode(t, s.Admin("/o/tasks/task", "app_id", a.ID, "task_id", id), &got)
		if got.Status != "running" {
			return got
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("the task does not end")
		}
	}
}

type day struct {
	ID         string `json:"_id"`
	T, N, U, D float64
}

func days(t *testing.T, s *testkit.Server, a testkit.TestApp, period string) (list []day, sessions, fresh int) {
	t.Helper()
	testkit.Decode(t, s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", period, "bucket", "daily"), &list)
	for _, d := range list {
		sessions, fresh = sessions+int(d.T), fresh+int(d.N)
	}
	return list, sessions, fresh
}

// TestLoad loads a few days: every session counts on its day, in the app's zone, and what the task
// says it sent is what can be read.
func TestLoad(t *testing.T) {
	s := testkit.New(t, testkit.At(evening))
	a := s.CreateApp("a", "Europe/Berlin")
	got := ended(t, s, a, load(t, s, a, "days", "5", "users", "120", "environment_name", "Spring"))
	if got.Status != "completed" {
		t.Fatalf("task %+v", got)
	}
	sum := got.Data
	list, sessions, fresh := days(t, s, a, "7days")
	for i, d := range list {
		if busy := d.T > 0; busy != (i >= 2) { // the first two of seven days are before the load
			t.Errorf("%s has %v sessions", d.ID, d.T)
		}
	}
	if sessions != sum.Sessions || fresh != sum.Users || sum.Users < 60 || sum.Users > 120 || sum.Sessions < sum.Users {
		t.Errorf("%d sessions and %d new users can be read; the task says %+v", sessions, fresh, sum)
	}
	if first := time.UnixMilli(sum.From).UTC(); !first.Equal(time.Date(2031, 5, 9, 22, 0, 0, 0, time.UTC)) || sum.To != evening.UnixMilli() {
		t.Errorf("from %v to %v", first, time.UnixMilli(sum.To))
	}
	var outcomes struct{ Totals map[string]map[string]int }
	testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID, "period", "[0,9999999999999]"), &outcomes)
	for item, want := range map[string]int{"request": sum.Requests, "session": sum.Sessions, "event": sum.Events} {
		if got := outcomes.Totals[item]; got["accepted"] != want || len(got) != 1 {
			t.Errorf("%s: %v, want %d accepted", item, got, want)
		}
	}
	var events struct {
		All []struct {
			ID   string `json:"_id"`
			C, S float64
		}
	}
	testkit.Decode(t, s.Admin("/o/analytics/events", "app_id", a.ID, "period", "7days"), &events)
	kinds := map[string]float64{}
	for _, e := range events.All {
		kinds[e.ID] = e.C
		if e.ID == "Purchase" && e.S < 6*e.C {
			t.Errorf("%v purchases of %v", e.C, e.S)
		}
	}
	if kinds["Purchase"] == 0 || kinds["Product viewed"] < 3*kinds["Purchase"] {
		t.Errorf("events %v", kinds)
	}

	var envs []struct {
		ID   string `json:"_id"`
		Name string
	}
	testkit.Decode(t, s.Admin("/o/populator/environment/list", "app_id", a.ID), &envs)
	if len(envs) != 1 || envs[0].ID != sum.Environment || envs[0].Name != "Spring" {
		t.Fatalf("environments %+v", envs)
	}
	var people struct {
		Total int `json:"iTotalRecords"`
		Rows  []struct {
			UserName, DeviceID string
			Custom             map[string]string
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/populator/environment/get", "app_id", a.ID, "template_id", shop, "environment_id", sum.Environment, "iDisplayLength", "10"), &people)
	if people.Total != sum.Users || len(people.Rows) != 10 || people.Rows[0].Custom["plan"] == "" {
		t.Errorf("%d people are remembered, want %d: %+v", people.Total, sum.Users, people.Rows)
	}
	var profile struct {
		Custom map[string]string
	}
	testkit.Decode(t, s.Admin("/o", "method", "user_details", "app_id", a.ID, "did", people.Rows[0].DeviceID), &profile)
	if profile.Custom != nil && profile.Custom["plan"] != people.Rows[0].Custom["plan"] {
		t.Errorf("profile %+v of %+v", profile, people.Rows[0])
	}

	// The same environment has the same users.
	again := ended(t, s, a, load(t, s, a, "days", "5", "users", "120", "environment_name", "Spring"))
	if _, _, fresh := days(t, s, a, "7days"); again.Status != "completed" || fresh != sum.Users {
		t.Errorf("after a second load there are %d new users, want %d; %+v", fresh, sum.Users, again)
	}

	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if got := s.Admin("/o", "method", "users", "app_id", a.ID); got != `{}` {
		t.Errorf("after a reset: %s", got)
	}
	if got := s.Admin("/o/populator/environment/list", "app_id", a.ID); got != `[]` {
		t.Errorf("after a reset there are environments %s", got)
	}
}

// TestLoadSigned loads into an app that takes only signed requests.
func TestLoadSigned(t *testing.T) {
	s := testkit.New(t, testkit.At(evening))
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"pepper","key":"a&key=+1"}`)
	got := ended(t, s, a, load(t, s, a, "days", "2", "users", "20"))
	if _, sessions, _ := days(t, s, a, "7days"); got.Status != "completed" || sessions != got.Data.Sessions || sessions == 0 {
		t.Errorf("%d sessions; %+v", sessions, got)
	}
}

func TestLoadRefused(t *testing.T) {
	s := testkit.New(t, testkit.At(evening))
	a := s.CreateApp("a", "UTC")
	ask := func(pairs ...string) testkit.Response {
		return s.Get("/i/populator/load", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...)
	}
	for name, c := range map[string]struct {
		change string
		pairs  []string
		status int
		result string
	}{
		"no template":        {"", nil, http.StatusBadRequest, `Missing parameter \"template_id\"`},
		"malformed template": {"", []string{"template_id", "x"}, http.StatusInternalServerError, "Invalid template id."},
		"unknown template":   {"", []string{"template_id", strings.Repeat("0", 24)}, http.StatusNotFound, "Template not found"},
		"long environment":   {"", []string{"template_id", shop, "environment_name", strings.Repeat("x", 300)}, http.StatusBadRequest, "Invalid params: environment_name"},
		"locked":             {`"locked":true`, []string{"template_id", shop}, http.StatusForbidden, "App is locked"},
		"paused":             {`"locked":false,"paused":true`, []string{"template_id", shop}, http.StatusBadRequest, "App is currently not accepting data"},
	} {
		if c.change != "" {
			s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`",`+c.change+`}`)
		}
		if r := ask(c.pairs...); r.Status != c.status || r.Body != `{"result":"`+c.result+`"}` {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
		s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","locked":false,"paused":false}`)
	}
	if got := s.Admin("/o/tasks/all", "app_id", a.ID); got != `[]` {
		t.Errorf("tasks %s", got)
	}
}

// TestLoadInterrupted stops a load in three ways; none leaves more than what it had sent, and nothing goes on.
func TestLoadInterrupted(t *testing.T) {
	s := testkit.New(t, testkit.At(evening))
	a := s.CreateApp("a", "UTC")
	large := []string{"days", "365", "users", "20000"}
	underWay := func() string {
		id := load(t, s, a, large...)
		for {
			if got := s.Admin("/o/populator/environment/list", "app_id", a.ID); got != `[]` {
				return id
			}
		}
	}
	total := func() float64 {
		s.Flush()
		var rows []struct{ T float64 }
		testkit.Decode(t, s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", "365days", "bucket", "monthly"), &rows)
		sum := 0.0
		for _, r := range rows {
			sum += r.T
		}
		return sum
	}

	id := underWay()
	if r := s.Get("/i/populator/load", "api_key", s.Key, "app_id", a.ID, "template_id", shop); r.Status != http.StatusConflict {
		t.Errorf("a second load: %d %s", r.Status, r.Body)
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if got := total(); got != 0 {
		t.Errorf("%v sessions after a reset", got)
	}
	if got := s.Admin("/o/tasks/all", "app_id", a.ID); got != `[]` {
		t.Errorf("task %s is still there: %s", id, got)
	}

	id = underWay()
	s.Stop()
	s.Start()
	if got := ended(t, s, a, id); got.Status != "errored" || got.Error != "The server stopped while the task ran" {
		t.Errorf("after a restart: %+v", got)
	}
	first := total()
	if first == 0 || first != total() {
		t.Errorf("%v sessions after a restart, then %v", first, total())
	}
	if got := s.Admin("/i/tasks/update", "app_id", a.ID, "task_id", id); got != `{"result":"This task cannot be run again"}` {
		t.Errorf("again: %s", got)
	}

	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	id = underWay()
	s.Admin("/i/tasks/delete", "app_id", a.ID, "task_id", id)
	load(t, s, a, "days", "1", "users", "1") // waits for no other
}

// TestTenants holds members of one app away from the templates and environments of another.
func TestTenants(t *testing.T) {
	s := testkit.New(t, testkit.At(evening))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	member := func(name string, app testkit.TestApp) string {
		rights := map[string]any{app.ID: map[string]any{"all": true, "allowed": map[string]bool{}}}
		args, err := json.Marshal(map[string]any{
			"full_name": name, "username": name, "email": name + "@example.org", "password": testkit.AdminPassword,
			"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{app.ID}}}, "c": rights, "r": rights, "u": rights, "d": rights},
		})
		if err != nil {
			t.Fatal(err)
		}
		var made struct {
			Key string `json:"api_key"`
		}
		testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &made)
		return made.Key
	}
	inA, inB := member("ann", a), member("bob", b)
	template := []string{"name", "Secret plans", "uniqueUserCount", "5", "platformType", `["Web"]`, "events", `[{"key":"Launch"}]`}
	ask := func(path, key string, app testkit.TestApp, pairs ...string) testkit.Response {
		t.Helper()
		return s.Post(path, append([]string{"api_key", key, "app_id", app.ID}, pairs...)...)
	}
	made := ask("/i/populator/templates/create", inA, a, template...)
	id, ok := strings.CutPrefix(made.Body, `{"result":"Successfully created `)
	if !ok {
		t.Fatalf("create: %d %s", made.Status, made.Body)
	}
	id = strings.TrimSuffix(id, `"}`)
	users := func(app testkit.TestApp) string {
		return fmt.Sprintf(`[{"appId":%q,"templateId":%q,"environmentName":"Secret place","deviceId":"d1","userName":"u1"}]`, app.ID, id)
	}
	if r := ask("/i/populator/environment/save", inA, a, "users", users(a), "setEnviromentInformationOnce", "true"); r.Body != `{"result":"Successfully created "}` {
		t.Fatalf("save: %d %s", r.Status, r.Body)
	}
	for name, r := range map[string]testkit.Response{
		"list":          ask("/o/populator/templates", inB, b),
		"one":           ask("/o/populator/templates", inB, b, "template_id", id),
		"edit":          ask("/i/populator/templates/edit", inB, b, append(template, "template_id", id)...),
		"remove":        ask("/i/populator/templates/remove", inB, b, "template_id", id),
		"load":          ask("/i/populator/load", inB, b, "template_id", id),
		"same name":     ask("/i/populator/templates/create", inB, b, template...),
		"environments":  ask("/o/populator/environment/list", inB, b),
		"check":         ask("/o/populator/environment/check", inB, b, "environment_name", "Secret place"),
		"other's users": ask("/i/populator/environment/save", inB, b, "users", users(a)),
		"by its app":    ask("/o/populator/environment/list", inB, a),
	} {
		if strings.Contains(r.Body, "Launch") || strings.Contains(r.Body, "already exists") || strings.Contains(r.Body, "errorMsg") || strings.Contains(r.Body, "Secret place") {
			t.Errorf("%s tells of the other app: %s", name, r.Body)
		}
	}
	if r := ask("/i/populator/environment/save", inB, b, "users", users(a)); r.Status != http.StatusBadRequest {
		t.Errorf("users of another app: %d %s", r.Status, r.Body)
	}
	if r := ask("/o/populator/templates", inA, a, "template_id", id); r.Status != http.StatusOK || !strings.Contains(r.Body, "Launch") {
		t.Errorf("the template afterwards: %d %s", r.Status, r.Body)
	}
	if r := ask("/i/populator/templates/remove", s.Key, b, "template_id", id); r.Body != `{"result":"Success"}` {
		t.Errorf("remove: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/o/populator/environment/list", "app_id", a.ID); got != `[]` {
		t.Errorf("its environments stay: %s", got)
	}
}

// TestTemplateForms loads from a template in every form that is read.
func TestTemplateForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ events, users, views, sequences string }{
		"long": {
			`[{"key":"Paid","probability":"40%","sum":{"min":1,"max":9},"duration":{"min":3,"max":3},"segmentations":[{"key":"plan","values":[{"key":"pro","probability":"100"},{"key":"free","probability":0}]}]}]`,
			`[{"key":"tier","values":[{"key":"gold","probability":1}]}]`, `[{"key":"Home","probability":1}]`,
			`[{"key":"Pays","probability":50,"steps":[{"view":"Home"},{"event":"Paid","probability":100}]}]`,
		},
		"of others": {
			`[{"key":"Paid","sum":{"isActive":true,"minSumValue":1,"maxSumValue":9},"duration":{"isActive":true,"minDurationTime":3,"maxDurationTime":3},"segmentations":[{"key":"plan","values":["pro"]}]}]`,
			`[{"tier":["gold"]}]`, `["Home"]`,
			`[{"steps":[{"key":"session","value":"start"},{"key":"view","value":"Home"},{"key":"event","value":"Paid"},{"key":"session","value":"end"}]}]`,
		},
		"short": {`[{"Paid":[{"segments":{"plan":["pro"]}}]}]`, `[{"tier":["gold"]}]`, ``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.New(t, testkit.At(evening))
			a := s.CreateApp("a", "UTC")
			made := s.Admin("/i/populator/templates/create", "app_id", a.ID, "name", name, "uniqueUserCount", "30", "platformType", `["iOS","Abacus"]`,
				"events", c.events, "users", c.users, "views", c.views, "sequences", c.sequences, "behavior", `{"sessionsPerWeek":"7","weekend":1}`)
			id := strings.TrimSuffix(strings.TrimPrefix(made, `{"result":"Successfully created `), `"}`)
			got := ended(t, s, a, load(t, s, a, "template_id", id, "days", "4"))
			if got.Status != "completed" || got.Data.Users < 15 {
				t.Fatalf("%+v", got)
			}
			var paid []struct {
				ID        string `json:"_id"`
				C, S, Dur float64
			}
			testkit.Decode(t, s.Admin("/o/analytics/events", "app_id", a.ID, "period", "7days", "event", "Paid", "segmentation", "plan"), &paid)
			if len(paid) != 1 || paid[0].ID != "pro" || paid[0].C < 15 {
				t.Fatalf("%+v", paid)
			}
			p := paid[0]
			if name == "short" {
				if p.S != 0 || p.Dur != 0 {
					t.Errorf("%+v", p)
				}
			} else if p.S < p.C || p.S > 9.01*p.C || p.Dur != 3*p.C {
				t.Errorf("%+v", p)
			}
			var people struct {
				Rows []struct {
					Platform string
					Custom   map[string]string
				} `json:"aaData"`
			}
			testkit.Decode(t, s.Admin("/o/populator/environment/get", "app_id", a.ID, "template_id", id, "environment_id", got.Data.Environment), &people)
			for _, u := range people.Rows {
				if u.Platform != "iOS" || u.Custom["tier"] != "gold" {
					t.Errorf("%+v", u)
				}
			}
		})
	}
}
