package whole_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/testkit"
)

// start is a Wednesday.
var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func fill(s *testkit.Server, a testkit.TestApp) {
	s.Ingest(a, "anna", "begin_session", "1", "metrics", `{"_os":"iOS","_app_version":"1.2"}`, "user_details", `{"name":"Anna","custom":{"plan":"pro","tags":["x"]}}`,
		"events", `[{"key":"buy","count":2,"sum":5,"dur":3,"segmentation":{"what":"tea","price":3}},{"key":"buy","segmentation":{"what":"milk","price":4}}]`)
	s.Ingest(a, "bert", "begin_session", "1", "metrics", `{"_os":"Android"}`,
		"events", `[{"key":"buy","segmentation":{"what":"tea","price":3}},{"key":"buy","timestamp":`+fmt.Sprint(start.AddDate(0, 0, -2).Unix())+`,"segmentation":{"gift":true}},{"key":"sell"}]`)
	s.Flush()
}

// query asks for figures of purchases by day.
func query(s *testkit.Server, a testkit.TestApp, pairs ...string) testkit.Response {
	return s.Get("/o", append([]string{"method", "segmentation", "api_key", s.Key, "app_id", a.ID, "event", "buy", "queryObject", "{}", "period", "7days", "bucket", "daily"}, pairs...)...)
}

func TestSegmentation(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	tail := `"app_id":"` + a.ID + `","lu":"2031-05-14T09:30:00.000Z","query_time":0}`
	totals := `{"totals":{"u":2,"t":5,"s":5,"dur":3},`
	tea := `"u":2,"t":3,"s":5,"dur":3`
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"by day", nil, totals + `"data":{"daily":{"2031.5.12":{"u":1,"t":1,"s":0,"dur":0},"2031.5.14":{"u":2,"t":4,"s":5,"dur":3}}},"buckets":["daily"],` + tail},
		{
			"several buckets",
			[]string{"bucket", `["hourly","weekly","monthly","yearly"]`, "period", "today"},
			`{"totals":{"u":2,"t":4,"s":5,"dur":3},"data":{"hourly":{"2031.5.14.9":{"u":2,"t":4,"s":5,"dur":3}},"weekly":{"2031.w20":{"u":2,"t":4,"s":5,"dur":3}},` +
				`"monthly":{"2031.5":{"u":2,"t":4,"s":5,"dur":3}},"yearly":{"2031":{"u":2,"t":4,"s":5,"dur":3}}},"buckets":["hourly","weekly","monthly","yearly"],` + tail,
		},
		{
			"a breakdown",
			[]string{"projectionKey", "sg.what", "limit", "1"},
			totals + `"segments":{"tea":{` + tea + `,"s0":"tea","keys":{"sg.what":"tea"},"segment":"tea"}},"data":{"daily":{"2031.5.14":{"tea":{` + tea + `,"keys":{"sg.what":"tea"}}}}},` +
				`"buckets":["daily"],"page_data":{"total":3,"limit":1,"start":1,"end":1,"pages":3,"curPage":1},` + tail,
		},
		{
			"by two properties, as a list",
			[]string{"projectionKey", `["sg.what","up.p"]`, "list", "true", "sort", `{"s1":1}`, "skip", "2", "limit", "2"},
			totals + `"segments":{"milk | iOS":{"u":1,"t":1,"s":0,"dur":0,"s0":"milk","s1":"iOS","keys":{"sg.what":"milk","up.p":"iOS"},"segment":"milk | iOS"},` +
				`"tea | iOS":{"u":1,"t":2,"s":5,"dur":3,"s0":"tea","s1":"iOS","keys":{"sg.what":"tea","up.p":"iOS"},"segment":"tea | iOS"}},` +
				`"data":{"daily":{}},"buckets":["daily"],"page_data":{"total":4,"limit":2,"start":3,"end":4,"pages":2,"curPage":2},` + tail,
		},
		{"beyond the last", []string{"projectionKey", "sg.what", "list", "1", "skip", "20"}, totals + `"segments":{},"data":{"daily":{}},"buckets":["daily"],"page_data":{"total":3,"limit":10,"start":0,"end":0,"pages":1,"curPage":3},` + tail},
		{"who did something else", []string{"steps", `[{"type":"did","event":"sell"}]`, "period", "today"}, `{"totals":{"u":1,"t":1,"s":0,"dur":0},"data":{"daily":{"2031.5.14":{"u":1,"t":1,"s":0,"dur":0}}},"buckets":["daily"],` + tail},
		{"who did not", []string{"steps", `[{"type":"didnot","event":["sell"],"query":"{}","period":"0days","times":"{\"$gte\":1}"}]`, "queryObject", `{"up.av":"1:2"}`}, `{"totals":{"u":1,"t":3,"s":5,"dur":3},"data":{"daily":{"2031.5.14":{"u":1,"t":3,"s":5,"dur":3}}},"buckets":["daily"],` + tail},
		{"an event that nobody knows", []string{"event", "nothing"}, `{"totals":{"u":0,"t":0,"s":0,"dur":0},"data":{"daily":{}},"buckets":["daily"],` + tail},
		{"a property that nobody knows", []string{"projectionKey", "sg.x'\"", "period", "today"}, `{"totals":{"u":2,"t":4,"s":5,"dur":3},"segments":{"Unknown":{"u":2,"t":4,"s":5,"dur":3,"s0":null,"keys":{"sg.x'\"":null},"segment":"Unknown"}},"data":{"daily":{"2031.5.14":{"Unknown":{"u":2,"t":4,"s":5,"dur":3,"keys":{"sg.x'\"":null}}}}},"buckets":["daily"],"page_data":{"total":1,"limit":10,"start":1,"end":1,"pages":1,"curPage":1},` + tail},
		{"another zone", []string{"timezone", "Pacific/Kiritimati", "period", "today"}, `{"totals":{"u":2,"t":4,"s":5,"dur":3},"data":{"daily":{"2031.5.14":{"u":2,"t":4,"s":5,"dur":3}}},"buckets":["daily"],` + tail},
		{"a distance from UTC", []string{"timezone", "+14:00", "period", "today"}, `{"totals":{"u":2,"t":4,"s":5,"dur":3},"data":{"daily":{"2031.5.14":{"u":2,"t":4,"s":5,"dur":3}}},"buckets":["daily"],` + tail},
		{"the clocks of devices, of which nothing is known", []string{"timezone", "user", "period", "today"}, `{"totals":{"u":2,"t":4,"s":5,"dur":3},"data":{"daily":{"2031.5.14":{"u":2,"t":4,"s":5,"dur":3}}},"buckets":["daily"],` + tail},
	} {
		got := query(s, a, tt.pairs...)
		if got.Status != http.StatusOK || got.Body != tt.want {
			t.Errorf("%s: %d\n%s, want\n%s", tt.name, got.Status, got.Body, tt.want)
		}
	}
}

// TestRefused: what cannot be asked is refused in the wire's words, never with a fault of the server.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	deep := strings.Repeat(`{"$and":[`, 60) + `{}` + strings.Repeat(`]}`, 60)
	for _, tt := range []struct{ name, param, value, want string }{
		{"no event", "event", "", "Missing request parameter: event"},
		{"no filter", "queryObject", "", "Missing request parameter: queryObject"},
		{"a filter that is none", "queryObject", "{", "Bad request parameter: queryObject"},
		{"a filter that is a list", "queryObject", "[]", "Bad request parameter: queryObject"},
		{"an operator that is none", "queryObject", `{"$where":"1"}`, ""},
		{"a filter too deep", "queryObject", deep, ""},
		{"no period", "period", "", "Missing request parameter: period"},
		{"a period that is none", "period", "soon", "Bad request parameter: period"},
		{"a period backwards", "period", "[2,1]", "Invalid request parameter: period"},
		{"no bucket", "bucket", "", "Missing request parameter: bucket"},
		{"a bucket that is none", "bucket", "day", "Bad request parameter: bucket"},
		{"buckets that are none", "bucket", `[1]`, "Bad request parameter: bucket"},
		{"four properties", "projectionKey", `["a","b","c","d"]`, "Bad request parameter: projectionKey"},
		{"a property without a name", "projectionKey", `[""]`, "Bad request parameter: projectionKey"},
		{"a limit that is none", "limit", "many", "Bad request parameter: limit"},
		{"a graph sorted by nothing", "sortGraphBy", "x", "Bad request parameter: sortGraphBy"},
		{"a zone that is none", "timezone", "Moon/Base", "Bad request parameter: timezone"},
		{"steps that are none", "steps", `[{"type":"maybe","event":"buy"}]`, "Bad request parameter: steps"},
		{"steps without an event", "steps", `[{"type":"did"}]`, "Bad request parameter: steps"},
		{"steps done never", "steps", `[{"type":"did","event":"buy","times":{"$lte":0}}]`, "Bad request parameter: steps"},
		{"steps with an operator that is none", "steps", `[{"type":"did","event":"buy","query":{"$where":"1"}}]`, ""},
	} {
		got := query(s, a, tt.param, tt.value)
		if got.Status != http.StatusBadRequest || tt.want != "" && got.Body != `{"result":"`+tt.want+`"}` {
			t.Errorf("%s: %d %s", tt.name, got.Status, got.Body)
		}
	}
	for _, event := range []string{"'; DROP TABLE events; --", strings.Repeat("x", 5000), "\x00", "[CLY]_group_nothing"} {
		if got := query(s, a, "event", event); got.Status != http.StatusOK {
			t.Errorf("event %.30q: %d %s", event, got.Status, got.Body)
		}
	}
}

type person struct {
	ID  string `json:"_id"`
	Key string `json:"api_key"`
}

// member makes a member who may do things with features of an app, by action and feature as "r:drill".
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name string, rights ...string) (p person) {
	t.Helper()
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}}
	for _, action := range []string{"c", "r", "u", "d"} {
		allowed := map[string]bool{}
		for _, right := range rights {
			if feature, ok := strings.CutPrefix(right, action+":"); ok {
				allowed[feature] = true
			}
		}
		permission[action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}}
	}
	args, err := json.Marshal(map[string]any{"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &p)
	return p
}

// TestSeveralEvents asks of several events as of a group of them.
func TestSeveralEvents(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "anna", "events", `[{"key":"buy","count":2,"segmentation":{"what":"tea"}},{"key":"sell","segmentation":{"what":"milk"}}]`)
	s.Ingest(a, "bert", "events", `[{"key":"sell","segmentation":{"whom":"anna"}},{"key":"[\"odd\"]"}]`)
	s.Flush()
	for name, tt := range map[string]struct{ event, want string }{
		"several":             {`["buy","sell"]`, `"totals":{"u":2,"t":4,`},
		"twice":               {` ["buy","buy"]`, `"totals":{"u":1,"t":2,`},
		"one that is not":     {`["sell","none"]`, `"totals":{"u":2,"t":2,`},
		"a key of that look":  {`["odd"]`, `"totals":{"u":1,"t":1,`},
		"a key with brackets": {`[CLY]_view`, `"totals":{"u":0,"t":0,`},
	} {
		if got := query(s, a, "event", tt.event); got.Status != http.StatusOK || !strings.Contains(got.Body, tt.want) {
			t.Errorf("%s: %d %.300s, want %s", name, got.Status, got.Body, tt.want)
		}
	}
	for _, event := range []string{`[]`, `[1]`, `[""]`, `[["buy"]]`, `["` + strings.Repeat(`x","`, 50) + `x"]`} {
		if got := query(s, a, "event", event); got.Status != http.StatusBadRequest || got.Header.Get("Quipu-Error") != "drill.bad_parameter" {
			t.Errorf("%.60s: %d %.300s", event, got.Status, got.Body)
		}
	}
	meta := s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", `["buy","sell"]`)
	if !strings.Contains(meta, `"what"`) || !strings.Contains(meta, `"whom"`) {
		t.Errorf("properties of several: %.500s", meta)
	}
	if got := s.Admin("/o", "method", "segmentation_users", "app_id", a.ID, "event", `["buy","sell"]`, "queryObject", "{}", "period", "30days", "bucket", "daily"); !strings.Contains(got, `"total":2`) {
		t.Errorf("people of several: %.300s", got)
	}
}

// TestRights: who may not read users asks for nobody by name.
func TestRights(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	drill, users := member(t, s, a, "drill", "r:drill"), member(t, s, a, "users", "r:drill", "r:users")
	nothing := member(t, s, a, "nothing", "r:core")
	for _, tt := range []struct {
		name, key, app string
		pairs          []string
		status         int
	}{
		{"with the right", drill.Key, a.ID, nil, 200},
		{"by user number", users.Key, a.ID, []string{"queryObject", `{"uid":{"$in":["1"]}}`}, 200},
		{"by user number, without the right to users", drill.Key, a.ID, []string{"queryObject", `{"uid":{"$in":["1"]}}`}, 401},
		{"by name, without the right to users", drill.Key, a.ID, []string{"queryObject", `{"up.name":"Anna"}`}, 401},
		{"broken down by name, without the right to users", drill.Key, a.ID, []string{"projectionKey", "up.name"}, 401},
		{"broken down by user, without the right to users", drill.Key, a.ID, []string{"projectionKey", "uid"}, 401},
		{"in a step by device, without the right to users", drill.Key, a.ID, []string{"steps", `[{"type":"did","event":"buy","query":{"did":"anna"}}]`}, 401},
		{"broken down by name", users.Key, a.ID, []string{"projectionKey", "up.name"}, 200},
		{"without the right", nothing.Key, a.ID, nil, 401},
		{"of another app", drill.Key, b.ID, nil, 401},
	} {
		if got := query(s, testkit.TestApp{ID: tt.app}, append([]string{"api_key", tt.key}, tt.pairs...)...); got.Status != tt.status {
			t.Errorf("%s: %d %s", tt.name, got.Status, got.Body)
		}
		if got := query(s, testkit.TestApp{ID: b.ID}); !strings.Contains(got.Body, `"t":0`) {
			t.Errorf("rows of another app: %s", got.Body)
		}
	}
}

func TestMeta(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	meta := func(key, event string, pairs ...string) testkit.Response {
		return s.Get("/o", append([]string{"method", "segmentation_meta", "api_key", key, "app_id", a.ID, "event", event}, pairs...)...)
	}
	type property struct {
		Type   string
		Values []string
		Count  int
	}
	var got struct {
		E      string
		Up, Sg map[string]property
	}
	read := func(event string) {
		t.Helper()
		got.Up, got.Sg = nil, nil
		testkit.Decode(t, meta(s.Key, event).Body, &got)
	}
	read("buy")
	want := map[string]property{"what": {Type: "l", Values: []string{"tea", "milk"}, Count: 2}, "price": {Type: "n", Count: 2}, "gift": {Type: "l", Values: []string{"true"}, Count: 1}}
	if diff := cmp.Diff(want, got.Sg); diff != "" || got.E != "buy" {
		t.Errorf("segments of buy (-want +got):\n%s", diff)
	}
	up := map[string]property{
		"p": {Type: "l", Values: []string{"Android", "iOS"}, Count: 2}, "custom.plan": {Type: "l", Values: []string{"pro"}, Count: 1}, "custom.tags": {Type: "a", Count: 1}, "sc": {Type: "n"}, "fs": {Type: "d"}, "name": {Type: "s"},
	}
	for name, w := range up {
		if diff := cmp.Diff(w, got.Up[name]); diff != "" {
			t.Errorf("property %s (-want +got):\n%s", name, diff)
		}
	}
	// What came since is there with its type; its values are found when it is asked for, or after some hours.
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprintf(`{"key":"buy","segmentation":{"code":"C%03d"}}`, i))
	}
	s.Ingest(a, "anna", "events", "["+strings.Join(many, ",")+"]")
	s.Flush()
	read("buy")
	if diff := cmp.Diff(property{Type: "s"}, got.Sg["code"]); diff != "" {
		t.Errorf("a new property (-want +got):\n%s", diff)
	}
	if r := s.Admin("/i/drill/regenerate_meta", "app_id", a.ID, "wait_to_finish", "true"); r != `{"result":"Meta regeneration done"}` {
		t.Errorf("regeneration: %s", r)
	}
	read("buy")
	if code := got.Sg["code"]; code.Type != "bl" || code.Count != 150 || len(code.Values) != 100 {
		t.Errorf("a property of many values: %+v", code)
	}
	if r := meta(s.Key, "buy", "property", "sg.code", "search", "c14"); r.Body != `{"values":["C140","C141","C142","C143","C144","C145","C146","C147","C148","C149"],"counts":[1,1,1,1,1,1,1,1,1,1],"total":10}` {
		t.Errorf("searched: %d %s", r.Status, r.Body)
	}
	if r := meta(s.Key, "buy", "property", "sg.nothing"); r.Body != `{"values":[],"counts":[],"total":0}` {
		t.Errorf("searched for what is not there: %d %s", r.Status, r.Body)
	}
	drill, crashes := member(t, s, a, "drill", "r:drill"), member(t, s, a, "crashes", "r:crashes")
	for _, tt := range []struct {
		name, key, event string
		status           int
	}{
		{"drill", drill.Key, "buy", 200},
		{"drill of crashes", drill.Key, "[CLY]_crash", 401},
		{"crashes", crashes.Key, "[CLY]_crash", 200},
		{"crashes of events", crashes.Key, "buy", 401},
		{"no event", s.Key, "", 400},
		{"an event that nobody knows", s.Key, "nothing", 200},
	} {
		if r := meta(tt.key, tt.event); r.Status != tt.status || tt.key == drill.Key && strings.Contains(r.Body, `"email"`) {
			t.Errorf("%s: %d %s", tt.name, r.Status, r.Body)
		}
	}
}

// TestMaintain: what keeps properties and figures in order runs as a task, and says in the log that it has ended.
func TestMaintain(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	drill := member(t, s, a, "drill", "r:drill", "u:drill", "c:drill")
	for _, tt := range []struct {
		name, path string
		pairs      []string
		status     int
		want       string
	}{
		{"clean up", "cleanup_meta", []string{"app_id", a.ID}, 200, `{"result":"Meta cleanup started"}`},
		{"clean up all", "cleanup_meta", []string{"all", "true"}, 200, `{"result":"Meta cleanup started"}`},
		{"clean up nothing", "cleanup_meta", nil, 404, `{"result":"Missing parameter app_id"}`},
		{"clean up all as a member", "cleanup_meta", []string{"api_key", drill.Key, "app_id", a.ID, "all", "true"}, 401, `{"result":"User does not have right"}`},
		{"recheck", "recheck_lists", []string{"app_id", a.ID, "api_key", drill.Key}, 200, `{"result":"List recheck started"}`},
		{"regenerate", "regenerate_meta", []string{"app_id", a.ID}, 200, `{"result":"Meta regeneration started"}`},
		{"regenerate in no period", "regenerate_meta", []string{"app_id", a.ID, "period", "soon"}, 400, `{"result":"Bad request parameter: period"}`},
		{"regenerate nothing", "regenerate_meta", nil, 404, `{"result":"Missing parameter app_id"}`},
		{"count again without a method", "regeneration", []string{"app_id", a.ID}, 200, `{"result":"Missing parameter method. Must be one of: sessions, events, views"}`},
		{"count no event again", "regeneration", []string{"app_id", a.ID, "method", "events"}, 404, `{"result":"Missing parameter event"}`},
		{"count no app again", "regeneration", []string{"method", "events"}, 404, `{"result":"Missing parameter app_id"}`},
		{"count in no period again", "regeneration", []string{"app_id", a.ID, "method", "sessions", "period", "x"}, 400, `{"result":"Bad request parameter: period"}`},
		{
			"count views again", "regeneration",
			[]string{"app_id", a.ID, "method", "views", "view_id", `["home"]`, "wait_to_finish", "1"},
			200,
			`{"result":{"app_id":"` + a.ID + `","view_id":["home"],"period":"30days","result":"Success"}}`,
		},
	} {
		got := s.Post("/i/drill/"+tt.path, append([]string{"api_key", s.Key}, tt.pairs...)...)
		if got.Status != tt.status || got.Body != tt.want {
			t.Errorf("%s: %d %s, want %d %s", tt.name, got.Status, got.Body, tt.status, tt.want)
		}
	}
	got := s.Admin("/i/drill/regeneration", "app_id", a.ID, "method", "sessions")
	if !strings.HasPrefix(got, `{"result":{"task_id":"`) {
		t.Errorf("count sessions again: %s", got)
	}
	want := []string{"meta_cleanup_finished", "lists_rechecked", "meta_regeneration_finished", "view_recalculation_finished", "session_recalculation_finished"}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		log := s.Get("/o", "method", "systemlogs", "api_key", s.Key, "app_id", a.ID, "iDisplayLength", "100").Body
		var missing []string
		for _, action := range want {
			if !strings.Contains(log, action) {
				missing = append(missing, action)
			}
		}
		if len(missing) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the log has no %v: %s", missing, log)
		}
	}
	if got := s.Admin("/o/analytics/events", "app_id", a.ID, "event", "buy", "period", "today"); !strings.Contains(got, `"c":4`) {
		t.Errorf("figures counted again: %s", got)
	}
}

// metaDoc is what drill keeps of the properties of an event.
type metaDoc struct {
	ID string `json:"_id"`
}

func (d metaDoc) Key() string   { return d.ID }
func (metaDoc) Validate() error { return nil }

// TestMetaOfUnknown: names of events that anybody may make up leave nothing behind.
func TestMetaOfUnknown(t *testing.T) {
	t.Parallel()
	var dir string
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { dir = c.Data }))
	a := s.CreateApp("shop", "UTC")
	s.Ingest(a, "anna", "events", `[{"key":"buy","segmentation":{"what":"tea"}}]`)
	s.Flush()
	for _, event := range []string{"buy", "made-up-1", "made-up-2", "made-up-3"} {
		s.Admin("/o", "app_id", a.ID, "method", "segmentation_meta", "event", event)
	}
	s.Stop()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	id, err := model.ParseID(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	n, err := docs.Spec[metaDoc]{Name: "drill.meta", Version: 1}.In(db, id).Count(t.Context(), docs.Query{})
	if err := errors.Join(err, db.Close()); err != nil || n != 2 { // of the one event, and of users
		t.Errorf("%d documents are kept, %v; want 2", n, err)
	}
}
