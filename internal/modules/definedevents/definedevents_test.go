package definedevents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

const checkout = `["pay",{"event":"purchase","query":{"sg.amount":{"$gt":0}}}]`

// fill sends what three users did: 1 sees and buys, 2 sees and takes something for nothing, 3 pays.
func fill(s *testkit.Server, a testkit.TestApp) {
	ms := func(n int) string { return fmt.Sprint(start.UnixMilli() + int64(n)*1000) }
	send := func(device string, at int, key, segments string) {
		s.Ingest(a, device, "timestamp", ms(at), "events", fmt.Sprintf(`[{"key":%q,"count":1,"sum":2,"timestamp":%s,"segmentation":%s}]`, key, ms(at), segments))
	}
	send("d1", -900, "see", `{"what":"tea"}`)
	send("d1", -800, "purchase", `{"amount":5,"what":"tea"}`)
	send("d2", -700, "see", `{"what":"tea"}`)
	send("d2", -600, "purchase", `{"amount":0,"what":"tea"}`)
	send("d3", -500, "pay", `{"what":"milk"}`)
	s.Flush()
}

// create makes a definition and returns its key.
func create(t *testing.T, s *testkit.Server, a testkit.TestApp, name, events string) string {
	t.Helper()
	var res struct{ Result string }
	testkit.Decode(t, s.Admin("/i/defined_events/create", "app_id", a.ID, "name", name, "events", events), &res)
	if !strings.HasPrefix(res.Result, "[CLY]_defined_") {
		t.Fatalf("key %q", res.Result)
	}
	return res.Result
}

type usesOf struct {
	Uses   []struct{ Kind, ID, Name string }
	Others int
}

// kinds are the kinds and names of what uses an event.
func kinds(t *testing.T, s *testkit.Server, key string, a testkit.TestApp, event string) (out []string, others int) {
	t.Helper()
	r := s.Get("/o/defined_events/uses", "api_key", key, "app_id", a.ID, "event", event)
	if r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	var got map[string]usesOf
	testkit.Decode(t, r.Body, &got)
	for _, u := range got[event].Uses {
		out = append(out, u.Kind+" "+u.Name)
	}
	return out, got[event].Others
}

func TestDefinition(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	key := create(t, s, a, "Checkout", checkout)
	count := func() (f struct {
		Totals struct {
			U, T int64
			S    float64
		}
	},
	) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", "method", "segmentation", "app_id", a.ID, "event", key, "queryObject", "{}", "period", "7days", "bucket", "daily"), &f)
		return f
	}
	if got := count().Totals; got.U != 2 || got.T != 2 || got.S != 4 {
		t.Errorf("drill: %+v", got)
	}
	var meta struct{ Sg map[string]any }
	testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", key), &meta)
	if meta.Sg["amount"] == nil || meta.Sg["what"] == nil {
		t.Errorf("properties %v", meta.Sg)
	}
	var found struct{ Values []string }
	testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", key, "property", "sg.what"), &found)
	if diff := cmp.Diff([]string{"milk", "tea"}, found.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	var preview struct{ U, T int64 }
	testkit.Decode(t, s.Admin("/o/defined_events/preview", "app_id", a.ID, "events", checkout), &preview)
	if preview.U != 2 || preview.T != 2 {
		t.Errorf("preview %+v", preview)
	}
	var funnel struct{ Result string }
	testkit.Decode(t, s.Admin("/i/funnels/add", "app_id", a.ID, "funnel_name", "Buy", "steps", fmt.Sprintf(`[%q,"see"]`, key), "options", `{"order":"any"}`), &funnel)
	entered := func() (f struct {
		Users int64 `json:"users_in_first_step"`
	},
	) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", funnel.Result, "period", "7days"), &f)
		return f
	}
	before := entered().Users
	if again := entered().Users; again != before {
		t.Errorf("funnel: %d, then %d", before, again)
	}
	// A change holds for all of history at once, whatever was remembered.
	if r := s.Admin("/i/defined_events/update", "app_id", a.ID, "id", key, "name", "Checkout", "events", `["pay"]`); !strings.Contains(r, "Success") {
		t.Fatal(r)
	}
	if got := count().Totals; got.U != 1 || got.T != 1 {
		t.Errorf("after the change: %+v", got)
	}
	if after := entered().Users; before != 2 || after != 1 {
		t.Errorf("funnel: %d before the change, %d after", before, after)
	}
	var list []struct {
		ID     string `json:"_id"`
		Name   string
		Events []struct{ Event string }
	}
	testkit.Decode(t, s.Admin("/o/defined_events", "app_id", a.ID), &list)
	if len(list) != 1 || list[0].ID != key || list[0].Events[0].Event != "pay" {
		t.Errorf("list %+v", list)
	}
}

func TestUses(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	key := create(t, s, a, "Checkout", checkout)
	quoted, err := json.Marshal([]string{"see", key})
	if err != nil {
		t.Fatal(err)
	}
	for path, pairs := range map[string][]string{
		"/i/funnels/add":        {"funnel_name", "Buy", "steps", string(quoted)},
		"/i/flows/create":       {"name", "Around", "type", "events", "period", "30days", "start", fmt.Sprintf(`{"event":%q}`, key)},
		"/i/drill/add_bookmark": {"event_key", "see", "name", "Both", "desc", "", "global", "false", "query_obj", "{}", "visualization", fmt.Sprintf(`{"events":%q}`, quoted)},
		"/i/calculated_metrics/save": {"metric", fmt.Sprintf(`{"title":"Rate","key":"rate","format":"float","dplaces":2,"visibility":"private","shared_email_edit":[],"formula":%q}`,
			fmt.Sprintf("count(%q) / count(\"see\")", key))},
		"/i/event_groups/create":  {"args", fmt.Sprintf(`{"app_id":%q,"name":"All","source_events":%s}`, a.ID, quoted)},
		"/i/explore/views/save":   {"name", "Mine", "page", "trends", "state", url.Values{"events": {string(quoted)}}.Encode()},
		"/i/explore/views/delete": {"view_id", "none"},
	} {
		if r := s.Get(path, append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...); r.Status != http.StatusOK && !strings.HasSuffix(path, "delete") {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	got, others := kinds(t, s, s.Key, a, key)
	want := map[string]bool{"funnel Buy": true, "flow Around": true, "bookmark Both": true, "formula Rate": true, "group All": true, "view Mine": true}
	for _, u := range got {
		delete(want, u)
	}
	if len(want) > 0 || others != 0 || len(got) != 6 {
		t.Errorf("%v, %d others; missing %v", got, others, want)
	}
	if got, _ := kinds(t, s, s.Key, a, "pay"); !cmp.Equal(got, []string{"definition Checkout"}) {
		t.Errorf("pay: %v", got)
	}
	// A reader of the app alone sees what all may see, and how many more there are.
	var reader struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", fmt.Sprintf(`{"full_name":"R","username":"reader","password":"Correct-horse-1","email":"r@example.org",
		"permission":{"_":{"a":[],"u":[[%[1]q]]},"r":{%[1]q:{"all":false,"allowed":{"core":true}}}}}`, a.ID)), &reader)
	got, others = kinds(t, s, reader.Key, a, key)
	if !cmp.Equal(got, []string{"group All"}) || others != 5 {
		t.Errorf("reader: %v, %d others", got, others)
	}
	if r := s.Get("/i/defined_events/delete", "api_key", s.Key, "app_id", a.ID, "id", key); r.Status != http.StatusConflict || !strings.Contains(r.Body, "6") {
		t.Errorf("delete: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/i/defined_events/delete", "api_key", s.Key, "app_id", a.ID, "id", key, "force", "true"); r.Status != http.StatusOK {
		t.Errorf("delete: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/i/defined_events/delete", "api_key", s.Key, "app_id", a.ID, "id", key); r.Status != http.StatusNotFound {
		t.Errorf("delete again: %d %s", r.Status, r.Body)
	}
}

func TestRefusals(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	key := create(t, s, a, "Checkout", checkout)
	long := strings.Repeat("x", 3000)
	for name, c := range map[string]struct {
		path, name, events string
		more               []string
		status             int
	}{
		"no name":          {"create", " ", `["pay"]`, nil, 400},
		"a long name":      {"create", long, `["pay"]`, nil, 400},
		"an inner name":    {"create", "[CLY]_view", `["pay"]`, nil, 400},
		"no events":        {"create", "x", `[]`, nil, 400},
		"no list":          {"create", "x", `{`, nil, 400},
		"an unknown event": {"create", "x", `["nothing"]`, nil, 400},
		"a long key":       {"create", "x", `["` + long + `"]`, nil, 400},
		"itself":           {"create", "x", `["` + key + `"]`, nil, 400},
		"a group":          {"create", "x", `["[CLY]_group_1"]`, nil, 400},
		"a named event":    {"create", "x", `[{"event":"pay","name":"x"}]`, nil, 400},
		"a bad filter":     {"create", "x", `[{"event":"pay","query":{"a":{"$where":1}}}]`, nil, 400},
		"the name of one":  {"create", "checkout", `["pay"]`, nil, 409},
		"that of an event": {"create", "purchase", `["pay"]`, nil, 409},
		"nothing there":    {"update", "x", `["pay"]`, []string{"id", "[CLY]_defined_1"}, 404},
		"no id":            {"update", "x", `["pay"]`, nil, 404},
		"a strange id":     {"update", "x", `["pay"]`, []string{"id", "\x00"}, 404},
	} {
		r := s.Get("/i/defined_events/"+c.path, append([]string{"api_key", s.Key, "app_id", a.ID, "name", c.name, "events", c.events}, c.more...)...)
		if r.Status != c.status {
			t.Errorf("%s: %d %s, want %d", name, r.Status, r.Body, c.status)
		}
	}
	// Another app has no such definition.
	if r := s.Get("/i/defined_events/update", "api_key", s.Key, "app_id", other.ID, "id", key, "name", "x", "events", `["[CLY]_view"]`); r.Status != http.StatusNotFound {
		t.Errorf("another app: %d %s", r.Status, r.Body)
	}
	var f struct{ Totals struct{ T int64 } }
	testkit.Decode(t, s.Admin("/o", "method", "segmentation", "app_id", other.ID, "event", key, "queryObject", "{}", "period", "7days", "bucket", "daily"), &f)
	if f.Totals.T != 0 {
		t.Errorf("another app finds %d", f.Totals.T)
	}
}

// TestCountedFigures has reads of cells refuse defined events, with a filter or without, where they would answer zeros.
func TestCountedFigures(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	key := create(t, s, a, "Checkout", checkout)
	list, err := json.Marshal([]string{"pay", key})
	if err != nil {
		t.Fatal(err)
	}
	several := string(list)
	for name, pairs := range map[string][]string{
		"document":           {"/o", "method", "events", "event", key},
		"documents":          {"/o", "method", "events", "events", several},
		"filtered documents": {"/o", "method", "events", "events", several, "filter", `{"sg.amount":5}`},
		"rows of one":        {"/o/analytics/events", "event", key},
		"rows of several":    {"/o/analytics/events", "events", several},
		"filtered rows":      {"/o/analytics/events", "event", key, "filter", `{"sg.amount":5}`},
		"overview":           {"/o/analytics/events/overview", "events", several},
		"compare":            {"/o/compare/events", "events", several},
	} {
		r := s.Get(pairs[0], append([]string{"api_key", s.Key, "app_id", a.ID}, pairs[1:]...)...)
		if r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "Defined events") {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	if r := s.Get("/o/analytics/events", "api_key", s.Key, "app_id", a.ID, "events", `["pay"]`); r.Status != http.StatusOK {
		t.Errorf("pay: %d %s", r.Status, r.Body)
	}
}
