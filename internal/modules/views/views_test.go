package views_test

import (
	"crypto/md5" // the wire names it
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func id(a testkit.TestApp, name string) string {
	sum := md5.Sum([]byte(name))
	return a.ID + "_" + hex.EncodeToString(sum[:])
}

func visit(name, more string) string {
	return fmt.Sprintf(`{"key":"[CLY]_view","segmentation":{"name":%q,"visit":1%s}}`, name, more)
}

// send sends items of a device at a time.
func send(s *testkit.Server, a testkit.TestApp, device string, at time.Time, items string, pairs ...string) {
	s.Ingest(a, device, append([]string{"timestamp", fmt.Sprint(at.UnixMilli()), "events", "[" + items + "]"}, pairs...)...)
}

type table struct {
	Total   int              `json:"iTotalRecords"`
	Display int              `json:"iTotalDisplayRecords"`
	Rows    []map[string]any `json:"aaData"`
	Echo    any              `json:"sEcho"`
}

func read(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) table {
	t.Helper()
	s.Flush()
	var out table
	testkit.Decode(t, s.Admin("/o", append([]string{"method", "views", "action", "getTable", "app_id", a.ID}, pairs...)...), &out)
	return out
}

// brief writes some counters of the rows.
func brief(rows []map[string]any, keys ...string) []string {
	out := []string{}
	for _, r := range rows {
		line := fmt.Sprint(r["view"])
		for _, k := range keys {
			line += fmt.Sprintf(" %s:%v", k, r[k])
		}
		out = append(out, line)
	}
	return out
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// TestTable follows the counters of a table from day to day.
func TestTable(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "Europe/Berlin")
	empty := func() string {
		return s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "views", "action", "getTable", "sEcho", "1").Body
	}
	same(t, "an empty table", `{"iTotalRecords":0,"iTotalDisplayRecords":0,"aaData":[]}`, empty())
	send(s, a, "old", start.AddDate(-1, 0, 0), visit("Home", "")+","+visit("Gone", ""))
	send(s, a, "old", start.Add(-time.Hour), visit("Home", `,"start":1,"view":"/","domain":"www.site.io"`), "begin_session", "1")
	send(s, a, "old", start.Add(-time.Hour+time.Second), `{"key":"[CLY]_view","dur":90,"segmentation":{"name":"Home"}},`+visit("Cart", ""))
	send(s, a, "old", start.Add(-time.Minute), `{"key":"[CLY]_action","segmentation":{"type":"scroll","y":600,"height":1000,"view":"/"}}`, "end_session", "1")
	send(s, a, "new", start.AddDate(0, 0, -3), visit("Home", ""))
	send(s, a, "new", start.Add(-2*time.Hour), visit("Home", ""))

	got := read(t, s, a, "sEcho", "7")
	same(t, "30 days", []string{"Cart t:1 u:1 uvalue:1 n:1 s:0 e:1 b:0 uvc:1 d:0", "Home t:3 u:3 uvalue:2 n:1 s:1 e:0 b:0 uvc:1 d:90"},
		brief(got.Rows, "t", "u", "uvalue", "n", "s", "e", "b", "uvc", "d"))
	home := got.Rows[1]
	same(t, "a row", []any{id(a, "Home"), "/", map[string]any{"www&#46;site&#46;io": true}, 30.0, 20.0, 60.0, "7"},
		[]any{home["_id"], home["url"], home["domain"], home["d-calc"], home["scr-calc"], home["scr"], got.Echo})
	same(t, "today", []string{"Cart t:1 u:1 n:1", "Home t:2 u:2 n:0"}, brief(read(t, s, a, "period", "hour").Rows, "t", "u", "n"))
	same(t, "yesterday", 0, read(t, s, a, "period", "yesterday").Total)
	same(t, "the year", []string{"Cart u:1 n:1", "Home u:2 n:1"}, brief(read(t, s, a, "period", "month").Rows, "u", "n"))
	same(t, "all of it", []string{"Cart n:1", "Gone n:1", "Home n:2"}, brief(read(t, s, a, "period", "400days").Rows, "n"))
	same(t, "sorted by visits", []string{"Home", "Gone", "Cart"}, brief(read(t, s, a, "period", "400days", "iSortCol_0", "t", "sSortDir_0", "desc").Rows))
	same(t, "sorted by new users", []string{"Cart", "Gone", "Home"}, brief(read(t, s, a, "period", "400days", "iSortCol_0", "2", "sSortDir_0", "asc").Rows))
	page := read(t, s, a, "period", "400days", "iDisplayStart", "1", "iDisplayLength", "1")
	same(t, "a page", []any{3, 3, []string{"Gone"}}, []any{page.Total, page.Display, brief(page.Rows)})
	found := read(t, s, a, "period", "400days", "sSearch", "hO")
	same(t, "a search", []any{3, 1, []string{"Home"}}, []any{found.Total, found.Display, brief(found.Rows)})

	send(s, a, "merged", start, "", "old_device_id", "new")
	send(s, a, "merged", start, visit("Home", ""))
	same(t, "after a merge", []string{"Cart t:1 uvalue:1 n:1", "Home t:4 uvalue:2 n:1"}, brief(read(t, s, a).Rows, "t", "uvalue", "n"))

	var totals map[string]float64
	testkit.Decode(t, s.Admin("/o", "method", "views", "action", "getTotals", "app_id", a.ID), &totals)
	same(t, "totals", []float64{5, 2, 1, 1, 90}, []float64{totals["t"], totals["u"], totals["s"], totals["e"], totals["d"]})
	graph := s.Admin("/o", "method", "views", "app_id", a.ID, "period", "7days", "bucket", "d", "selectedViews", `["`+id(a, "Home")+`"]`)
	var doc struct {
		App  string `json:"appID"`
		Data map[string]map[string]map[string]map[string]map[string]map[string]float64
	}
	testkit.Decode(t, graph, &doc)
	days := doc.Data[id(a, "Home")]["no-segment"]["2031"]["5"]
	same(t, "a graph", []float64{2, 1, 1, 3, 2, 0}, []float64{float64(len(days)), days["11"]["t"], days["11"]["n"], days["14"]["t"], days["14"]["u"], days["14"]["n"]})
	same(t, "a graph of nothing", `{"appID":"`+a.ID+`","data":{}}`, s.Get("/o", "api_key", s.Key, "method", "views", "app_id", a.ID).Body)
	same(t, "the number of views", `{"result":3}`, s.Get("/o", "api_key", s.Key, "method", "get_view_count", "app_id", a.ID).Body)
}

// TestSegments cuts views by segments, and omits one.
func TestSegments(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	segments := func() string {
		return s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "get_view_segments").Body
	}
	same(t, "none", `{"segments":{},"domains":[]}`, segments())
	send(s, a, "x", start, visit("Home", `,"segment":"iOS","a.B.c":"2.5","utm_source":"mail","referrer":"r","domain":"site.io"`))
	send(s, a, "y", start, visit("Home", `,"platform":"Android"`)+","+visit("Cart", `,"platform":"iOS"`))
	s.Flush()
	same(t, "all", `{"segments":{"aBc":["2:5"],"platform":["Android","iOS"]},"domains":["site&amp;#46;io"]}`, strings.ReplaceAll(segments(), "site&#46;io", "site&amp;#46;io"))
	same(t, "by a value", []string{"Cart t:1 u:1", "Home t:1 u:1"}, brief(read(t, s, a, "segment", "platform", "segmentVal", "iOS").Rows, "t", "u"))
	same(t, "by a value with a dot", []string{"Home t:1"}, brief(read(t, s, a, "segment", "aBc", "segmentVal", "2.5").Rows, "t"))

	omit := func(list string) string {
		return s.Post("/i/views", "api_key", s.Key, "app_id", a.ID, "method", "omit_segments", "omit_list", list).Body
	}
	same(t, "no list", `{"result":"Cannot parse parameter: omit_list"}`, omit(`[`))
	same(t, "no texts", `{"result":"Invalid request parameter: omit_list"}`, omit(`{"a":1}`))
	same(t, "what views are made of stays", `{"result":"Nothing is passed for omiting"}`, omit(`["name","visit"]`)) //nolint:misspell // a typo of the wire
	same(t, "omit", `{"result":"Success"}`, omit(`["platform"]`))
	send(s, a, "z", start, visit("Home", `,"platform":"Linux"`))
	s.Flush()
	same(t, "omitted", `{"segments":{"aBc":["2:5"]},"domains":["site&#46;io"],"omit":["platform"]}`, segments())
	same(t, "nothing by it", 0, read(t, s, a, "segment", "platform", "segmentVal", "iOS").Total)
	same(t, "the views stay", []string{"Cart t:1", "Home t:3"}, brief(read(t, s, a).Rows, "t"))
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("verify: %v, %v", err, report.Differences)
	}
}

// TestChange renames and deletes views, and keeps apps and members apart.
func TestChange(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	for _, of := range []testkit.TestApp{a, other} {
		send(s, of, "x", start, visit("Home", `,"view":"/"`)+","+visit("Cart", "")+`,{"key":"[CLY]_action","segmentation":{"type":"click","x":1,"y":2,"width":30,"height":40,"view":"/"}}`)
	}
	s.Flush()
	change := func(key, method string, pairs ...string) testkit.Response {
		return s.Post("/i/views", append([]string{"api_key", key, "app_id", a.ID, "method", method}, pairs...)...)
	}
	// A view of another app cannot be distinguished from one that is unknown.
	same(t, "rename", `{"result":"Success"}`, change(s.Key, "rename_views", "data",
		fmt.Sprintf(`[{"key":%q,"value":" Start "},{"key":%q,"value":"stolen"}]`, id(a, "Home"), id(other, "Home"))).Body)
	same(t, "renamed", []string{"Cart display:<nil>", "Home display:Start"}, brief(read(t, s, a).Rows, "display"))
	same(t, "not in the other app", []string{"Cart display:<nil>", "Home display:<nil>"}, brief(read(t, s, other).Rows, "display"))
	same(t, "names", fmt.Sprintf(`[{"_id":%q,"view":"Cart"},{"_id":%q,"view":"Home","display":"Start"}]`, id(a, "Cart"), id(a, "Home")),
		s.Get("/o", "api_key", s.Key, "method", "views", "action", "listNames", "app_id", a.ID).Body)
	for what, pair := range map[string][2]string{
		"Missing request parameter: data": {"", ""}, "Invalid request parameter: data": {"data", "{"}, "Nothing to update": {"data", "[]"},
	} {
		r := change(s.Key, "rename_views", pair[0], pair[1])
		same(t, what, `400 {"result":"`+what+`"}`, fmt.Sprint(r.Status, " ", r.Body))
	}
	actions := func(of testkit.TestApp, pairs ...string) string {
		return s.Get("/o/actions", append([]string{"api_key", s.Key, "app_id", of.ID, "period", "30days", "view", "/", "actionType", "click"}, pairs...)...).Body
	}
	click := `{"types":[],"domains":[],"data":[{"c":1,"sg":{"height":40,"type":"click","width":30,"x":1,"y":2}}]}`
	same(t, "clicks", click, actions(a))
	same(t, "clicks of wide screens", `{"types":[],"domains":[],"data":[]}`, actions(a, "device", `{"minWidth":31}`))
	same(t, "a bad device", `{"result":"Bad request parameter: device"}`, actions(a, "device", `{`))

	reader := member(t, s, a, "reader", "r")
	editor := member(t, s, a, "editor", "u")
	for _, tt := range []struct {
		what, key, method string
		status            int
	}{
		{"a reader", reader, "rename_views", 401},
		{"a reader", reader, "delete_view", 401},
		{"who may update", editor, "rename_views", 200},
		{"who may update", editor, "delete_view", 401},
		{"who may update", editor, "omit_segments", 401},
	} {
		r := change(tt.key, tt.method, "view_id", id(a, "Cart"), "omit_list", `["x"]`, "data", fmt.Sprintf(`[{"key":%q,"value":"Till"}]`, id(a, "Cart")))
		same(t, tt.what+" "+tt.method, tt.status, r.Status)
	}
	for _, path := range []string{"/o", "/o/actions", "/i/views"} {
		r := s.Get(path, "api_key", reader, "app_id", other.ID, "method", "views", "action", "getTable", "view", "/", "period", "30days")
		if r.Status != http.StatusUnauthorized || strings.Contains(r.Body, "Home") {
			t.Errorf("a member of another app gets %d %s from %s", r.Status, r.Body, path)
		}
	}

	same(t, "delete", `{"result":true}`, change(s.Key, "delete_view", "view_id", id(a, "Home")).Body)
	same(t, "deleted", []string{"Cart display:Till"}, brief(read(t, s, a).Rows, "display"))
	same(t, "its clicks are gone", `{"types":[],"domains":[],"data":[]}`, actions(a))
	same(t, "the other app keeps it", []string{"Cart", "Home"}, brief(read(t, s, other).Rows))
	same(t, "and its clicks", click, actions(other))
	send(s, a, "x", start, visit("Home", ""))
	same(t, "visited again, in the order that people read", []string{"Home t:1", "Cart t:1"}, brief(read(t, s, a).Rows, "t"))
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("verify: %v, %v", err, report.Differences)
	}
	s.Admin("/i/apps/reset", "args", fmt.Sprintf(`{"app_id":%q,"period":"reset"}`, a.ID))
	same(t, "after a reset", `[]`, s.Get("/o", "api_key", s.Key, "method", "views", "action", "listNames", "app_id", a.ID).Body)
	send(s, a, "x", start, visit("Cart", ""))
	same(t, "names that people gave are forgotten", []string{"Cart display:<nil>"}, brief(read(t, s, a).Rows, "display"))
}

// member makes a member of an app who may read views, and do one thing more.
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name, action string) string {
	t.Helper()
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}}
	for _, do := range []string{"c", "r", "u", "d"} {
		permission[do] = map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"views": do == "r" || do == action}}}
	}
	args, err := json.Marshal(map[string]any{
		"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission,
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &p)
	return p.Key
}
