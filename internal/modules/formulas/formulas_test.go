package formulas_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// fill sends purchases: 2 of one user on the 13th, and one of another on the 14th with another plan; on the 12th, one of each.
func fill(s *testkit.Server, a testkit.TestApp) {
	buy := func(device string, day, count int, sum float64, plan string) {
		ms := time.Date(2031, 5, day, 8, 0, 0, 0, time.UTC).UnixMilli()
		s.Ingest(a, device, "timestamp", fmt.Sprint(ms), "events", fmt.Sprintf(`[{"key":"buy","count":%d,"sum":%g,"dur":30,"timestamp":%d,"segmentation":{"plan":%q}}]`, count, sum, ms, plan))
	}
	buy("d1", 12, 1, 10, "pro")
	buy("d2", 12, 1, 30, "free")
	buy("d1", 13, 2, 5, "pro")
	buy("d2", 14, 1, 7.5, "free")
	s.Flush()
}

// member makes a member who may do everything with formulas of an app, and returns the API key.
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name string) string {
	t.Helper()
	allowed := map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"formulas": true}}}
	text, err := json.Marshal(map[string]any{
		"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org",
		"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "c": allowed, "r": allowed, "u": allowed, "d": allowed},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(text)), &p)
	return p.Key
}

// metric writes a formula object.
func metric(t *testing.T, key, formula string, more ...any) string {
	t.Helper()
	m := map[string]any{"title": "T " + key, "key": key, "format": "float", "dplaces": 2, "visibility": "global", "formula": formula}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
		if more[i+1] == nil {
			delete(m, more[i].(string))
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

type answer struct {
	Data map[string]map[string]struct {
		Value   []float64
		Buckets []string
	}
	Title, Description, Unit, Format string
	Dplaces                          *int
	Buckets                          []string
}

func TestExecute(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	read := func(pairs ...string) (out answer) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", append([]string{"method", "calculated_metrics", "app_id", a.ID}, pairs...)...), &out)
		return out
	}
	for formula, want := range map[string]string{
		`sum("buy") / users("buy")`:                      "[5 7.5]",
		`average("buy") + 1`:                             "[3.5 8.5]",
		`count("buy", {"sg.plan":"pro"}) / count("buy")`: "[1 0]",
		`dur("buy") / count("buy")`:                      "[15 30]",
		`count("buy") / sessions()`:                      "[0 0]",
		`count("never sent") + 5%`:                       "[0.05 0.05]",
		`[{"variables":[{"ex":{"type":"source","name":"e","params":{"event":"buy"}}}]}]`:                                                  "[2 1]",
		`[{"variables":[{"ex":{"type":"source","name":"e","params":{"event":"buy","measure":"sum","query":"{\"sg.plan\":\"free\"}"}}}]}]`: "[0 7.5]",
		`[{"text":"users(\"buy\") * 100"}]`: "[100 100]",
	} {
		got := read("mode", "unsaved", "formula", formula, "bucket", "daily", "period", "2days")
		if text := fmt.Sprint(got.Data["daily"]["current"].Value); text != want {
			t.Errorf("%s: %s, want %s", formula, text, want)
		}
	}
	late := time.Date(2031, 5, 12, 15, 0, 0, 0, time.UTC).UnixMilli() // beside what of the 14th is not over yet
	s.Ingest(a, "d3", "timestamp", fmt.Sprint(late), "events", fmt.Sprintf(`[{"key":"buy","count":1,"timestamp":%d}]`, late))
	s.Flush()
	if got := read("mode", "unsaved", "formula", `users("buy")`, "bucket", "single", "period", "[1936310400000,1936310400000]"); fmt.Sprint(got.Data["single"]["current"].Value) != "[3]" {
		t.Errorf("the 12th: %+v", got)
	}
	got := read("mode", "snapshot", "formula", `users("buy")`, "bucket", `["daily","weekly","single"]`, "period", "2days", "previous", "true")
	if text := fmt.Sprint(got.Buckets, got.Data); text != "[daily weekly single] map[daily:map[current:{[1 1] [2031:5:13 2031:5:14]} previous:{[0 2] [2031:5:11 2031:5:12]}] single:map[current:{[2] [2031:5:13-2031:5:14]} previous:{[2] [2031:5:11-2031:5:12]}] weekly:map[current:{[2] [2031:w20]} previous:{[0 2] [2031:w19 2031:w20]}]]" {
		t.Errorf("buckets: %s", text)
	}
	if got := read("mode", "unsaved", "formula", `sum("buy")`, "bucket", "hourly", "period", "yesterday"); len(got.Data["hourly"]["current"].Value) != 24 || got.Data["hourly"]["current"].Value[10] != 5 {
		t.Errorf("hours: %+v", got)
	}
	if got := s.Admin("/o", "method", "calculated_metrics", "app_id", a.ID, "mode", "x"); got != "{}" {
		t.Errorf("no mode: %s", got)
	}
	for _, bad := range []string{
		"mode=unsaved", "mode=unsaved formula=1+", "mode=unsaved formula=[]", `mode=unsaved formula=[{"variables":[]}]`, "mode=unsaved formula=1", "mode=unsaved formula=1 bucket=x", "mode=unsaved formula=1 bucket=[] period=today",
		"mode=unsaved formula=1 bucket=daily", "mode=unsaved formula=1 bucket=daily period=x", "mode=unsaved formula=1 bucket=hourly period=5000days", "mode=unsaved formula=1 bucket=daily period=today timezone=x",
		`mode=unsaved formula=count("a",{"$where":"1"}) bucket=daily period=today`, "mode=unsaved formula=" + strings.Repeat("(", 5000),
	} {
		pairs := []string{"method", "calculated_metrics", "app_id", a.ID, "api_key", s.Key}
		for pair := range strings.FieldsSeq(bad) {
			k, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, k, v)
		}
		if r := s.Post("/o", pairs...); r.Status != http.StatusBadRequest {
			t.Errorf("%.80s: %d %s", bad, r.Status, r.Body)
		}
	}
}

// TestSaved keeps, shares, changes and deletes formulas.
func TestSaved(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	anna, ben := member(t, s, a, "anna"), member(t, s, a, "ben")
	call := func(status int, key, path string, pairs ...string) string {
		t.Helper()
		r := s.Post(path, append([]string{"api_key", key, "app_id", a.ID}, pairs...)...)
		if r.Status != status {
			t.Fatalf("%s %q: %d %s, want %d", path, pairs, r.Status, r.Body, status)
		}
		return r.Body
	}
	save := func(key, m string) string {
		t.Helper()
		var out struct{ Status, ID, Action string }
		testkit.Decode(t, call(200, key, "/i/calculated_metrics/save", "metric", m), &out)
		if out.Status != "Success" || len(out.ID) != 24 || out.Action != "formula_created" && out.Action != "formula_edited" {
			t.Fatalf("%+v", out)
		}
		return out.ID
	}
	mine := save(anna, metric(t, "own", `sum("buy")/users("buy")`, "visibility", "private", "unit", "USD", "description", " x "))
	shared := save(anna, metric(t, "shared", "1", "visibility", "private", "shared_email_edit", []string{"BEN@example.org"}))
	all := save(anna, metric(t, "all", "2"))
	for key, want := range map[string]string{anna: "T all,T own,T shared", ben: "T all,T shared", s.Key: "T all,T own,T shared"} {
		var list []map[string]any
		testkit.Decode(t, call(200, key, "/o/calculated_metrics/metrics"), &list)
		var titles []string
		for _, m := range list {
			titles = append(titles, m["title"].(string))
			if len(m) != 13 {
				t.Errorf("%+v", m)
			}
		}
		if strings.Join(titles, ",") != want {
			t.Errorf("list %q, want %s", titles, want)
		}
	}
	if got := call(200, ben, "/o/calculated_metrics/metrics", "for_widgets", "true"); got != fmt.Sprintf(`[{"_id":%q,"title":"T all"},{"_id":%q,"title":"T shared"}]`, all, shared) {
		t.Errorf("for widgets: %s", got)
	}
	if got := call(200, ben, "/o/calculated_metrics/metric", "_id", mine); got != "{}" {
		t.Errorf("of somebody else: %s", got)
	}
	if got := call(200, anna, "/o/calculated_metrics/metric", "_id", mine); !strings.Contains(got, `"unit":"USD"`) || !strings.Contains(got, `"description":"x"`) || !strings.HasPrefix(got, `{"result":{"_id"`) {
		t.Errorf("one: %s", got)
	}
	run := []string{"method", "calculated_metrics", "mode", "saved", "bucket", "single", "period", "2days", "metric_details", "true", "metric_id"}
	var got answer
	testkit.Decode(t, call(200, anna, "/o", append(run, mine)...), &got)
	if got.Title != "T own" || got.Unit != "USD" || got.Format != "float" || got.Dplaces == nil || *got.Dplaces != 2 || got.Data["single"]["current"].Value[0] != 6.25 {
		t.Errorf("saved: %+v", got)
	}
	call(404, ben, "/o", append(run, mine)...)
	call(404, ben, "/i/calculated_metrics/save", "metric", metric(t, "x", "1", "_id", mine))
	call(200, ben, "/i/calculated_metrics/save", "metric", metric(t, "shared", "1", "_id", shared, "formula", nil, "title", "New"))
	if got := call(200, ben, "/i/calculated_metrics/delete", "id", mine); !strings.Contains(got, "Don't have permission") && !strings.Contains(got, "Don&#39;t") {
		t.Errorf("delete of somebody else's: %s", got)
	}
	call(422, ben, "/i/calculated_metrics/save", "metric", metric(t, "all", "1"))
	call(422, ben, "/i/calculated_metrics/save", "metric", metric(t, "another", "1", "title", "T all"))
	for name, want := range map[string]string{
		metric(t, "k", "1", "title", nil): "Not enough args", "x": "Not enough args", metric(t, "k", "1", "title", " "): "Not enough args", metric(t, "k", "1", "format", "x"): "Invalid output format",
		metric(t, "k", "1", "dplaces", -1): "Invalid decimal places", metric(t, "k", "1", "dplaces", 1.5): "Invalid decimal places", metric(t, "k k", "1"): "Invalid key",
		metric(t, "k", "1", "visibility", "x"): "Invalid visibility", metric(t, "k", "1", "formula", nil): "Formula cannot be empty", metric(t, "k", "1+"): "Incorrect formula",
		metric(t, "k", strings.Repeat("1", 50_000)): "Incorrect formula", metric(t, "k", "1", "unit", strings.Repeat("x", 5000)): "Bad request parameter: metric",
	} {
		if body := call(400, ben, "/i/calculated_metrics/save", "metric", name); !strings.Contains(body, want) {
			t.Errorf("%.80s: %s, want %s", name, body, want)
		}
	}
	call(401, ben, "/i/calculated_metrics/save", "metric", metric(t, "k", `count("buy", {"did":"d1"})`))
	call(401, ben, "/o", "method", "calculated_metrics", "mode", "unsaved", "bucket", "single", "period", "2days", "formula", `count("buy", {"up.email":"x"})`)
	if r := s.Post("/o/calculated_metrics/metrics", "api_key", ben, "app_id", other.ID); r.Status != http.StatusUnauthorized {
		t.Errorf("another app: %d %s", r.Status, r.Body)
	}
	if got := call(200, s.Key, "/o/calculated_metrics/metric", "mode", "has_reports", "metric_id", mine); got != `{"result":{"count":0}}` {
		t.Errorf("reports: %s", got)
	}
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":0}}`)
	reports := func() string {
		return call(200, s.Key, "/o/calculated_metrics/metric", "mode", "has_reports", "metric_id", mine)
	}
	for range 50 { // a read that is done when its time is over may answer itself
		call(200, s.Key, "/o", append(run, mine)...)
		if reports() != `{"result":{"count":0}}` {
			break
		}
	}
	if got := reports(); got != `{"result":{"count":1}}` {
		t.Errorf("reports after a task: %s", got)
	}
	if got := call(200, anna, "/i/calculated_metrics/delete", "id", mine); got != `{"result":"Deleted a formula"}` {
		t.Errorf("delete: %s", got)
	}
	call(404, anna, "/o", append(run, mine)...)
}

func TestCheck(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	for formula, want := range map[string]string{
		`sum("a") / users()`: `{"correct":true,"seconds":0,"events":["a","[CLY]_session_begin"]}`,
		`dur("a")`:           `{"correct":true,"seconds":1,"events":["a"]}`,
		`1 + nothing(2)`:     `{"correct":false,"seconds":0,"at":4,"error":"There is no nothing","code":"no_name","of":"nothing"}`,
		"":                   `{"correct":false,"seconds":0,"at":0,"error":"A figure, a number or a parenthesis is missing","code":"value_missing"}`,
	} {
		if got := s.Admin("/o/calculated_metrics/check", "app_id", a.ID, "formula", formula); got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
}
