package crashes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/kernel"
	"quipu/internal/modules/crashes"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type object = map[string]any

// kit sends and reads as one app.
type kit struct {
	*testing.T
	s  *testkit.Server
	a  testkit.TestApp
	at time.Time
}

func newKit(t *testing.T) *kit {
	t.Helper()
	s := testkit.New(t, testkit.At(start))
	return &kit{t, s, s.CreateApp("shop", "UTC"), start}
}

// send sends a request one minute after the last.
func (k *kit) send(device string, pairs ...string) {
	k.Helper()
	k.at = k.at.Add(time.Minute)
	k.s.Clock().Set(k.at)
	k.s.Ingest(k.a, device, append([]string{"timestamp", fmt.Sprint(k.at.UnixMilli())}, pairs...)...)
}

func (k *kit) begin(device, os, version string) {
	k.Helper()
	k.send(device, "begin_session", "1", "ignore_cooldown", "true", "metrics", fmt.Sprintf(`{"_os":%q,"_app_version":%q}`, os, version))
}

func (k *kit) crash(device, text, os, version, more string) {
	k.Helper()
	k.send(device, "crash", fmt.Sprintf(`{"_error":%q,"_os":%q,"_app_version":%q%s}`, text, os, version, more))
}

func (k *kit) o(pairs ...string) string {
	k.Helper()
	k.s.Flush()
	return k.s.Admin("/o", append([]string{"method", "crashes", "app_id", k.a.ID}, pairs...)...)
}

func (k *kit) rows(pairs ...string) []object {
	k.Helper()
	var out struct{ AaData []object }
	testkit.Decode(k, k.o(pairs...), &out)
	return out.AaData
}

// row is the group with an error.
func (k *kit) row(text string) object {
	k.Helper()
	for _, r := range k.rows("iDisplayLength", "1000", "query", `{"is_hidden":{"$ne":"x"}}`) {
		if r["error"] == text {
			return r
		}
	}
	k.Fatalf("no group of %q", text)
	return nil
}

func (k *kit) id(text string) string { k.Helper(); return k.row(text)["_id"].(string) }

func (k *kit) detail(id string) object {
	k.Helper()
	var out object
	testkit.Decode(k, k.o("group", id), &out)
	return out
}

func (k *kit) graph(pairs ...string) object {
	k.Helper()
	var out object
	testkit.Decode(k, k.o(append([]string{"graph", "1"}, pairs...)...), &out)
	return out
}

func (k *kit) day(pairs ...string) string {
	k.Helper()
	data := k.graph(pairs...)["data"].(object)
	for _, key := range []string{"2031", "5", "14"} {
		next, ok := data[key].(object)
		if !ok {
			return "{}"
		}
		data = next
	}
	b, _ := json.Marshal(data)
	return string(b)
}

func (k *kit) act(name, args string) string {
	k.Helper()
	k.s.Flush()
	return k.s.Admin("/i/crashes/"+name, "app_id", k.a.ID, "args", args)
}

func (k *kit) same(what string, got, want any) {
	k.Helper()
	if s, ok := want.(string); ok && strings.HasPrefix(s, "{") {
		var v any
		if json.Unmarshal([]byte(s), &v) == nil {
			want = v
		}
		if g, ok := got.(string); ok {
			var v any
			testkit.Decode(k, g, &v)
			got = v
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		k.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func (k *kit) verify() {
	k.Helper()
	k.s.Flush()
	r, err := k.s.App().Verify(k.Context(), verify.Options{})
	if err != nil {
		k.Fatal(err)
	}
	for _, d := range r.Differences {
		k.Errorf("verify: %+v", d)
	}
}

// TestGroup sends reports of one group and reads it back in all forms.
func TestGroup(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.same("an empty graph", k.o("graph", "true"), `{"users":{"total":0,"affected":0,"fatal":0,"nonfatal":0},"crashes":{"total":0,"unique":0,"resolved":0,
		"unresolved":0,"fatal":0,"nonfatal":0,"news":0,"renewed":0,"os":{},"highest_app":"","app_version":{}},"loss":0,"data":{}}`)
	k.same("an empty table", k.o("sEcho", "1"), `{"sEcho":"1","iTotalRecords":0,"iTotalDisplayRecords":0,"aaData":[]}`)
	text := "java.lang.NoKey: no such key in Map<K,V>\n\n\tat a.b(C.java:1)"
	k.begin("d1", "Android", "1.9")
	k.crash("d1", text, "Android", "1.9", `,"_ram_current":"512","_ram_total":"2048","_run":"20","_root":"true","_online":false,"_device":"Pixel 7.1",
		"_os_version":"14.1","_custom":{"lib":7.2,"on":true},"_architecture":"arm","_disk_current":1,"_disk_total":4,"_bat":40,"_binary_images":{"a":{"b":"1"}},"_manufacture":"G.o"`)
	k.begin("d1", "Android", "1.10")
	k.begin("d1", "Android", "1.10")
	k.crash("d1", text, "Android", "1.10", `,"_ram_current":1024,"_ram_total":2048,"_run":10,"_nonfatal":"false","_custom":"{\"lib\":7.2}"`)
	id := k.rows()[0]["_id"].(string)
	k.same("the row", k.rows()[0], `{"_id":"`+id+`","error":"java.lang.NoKey: no such key in Map&lt;K,V&gt;\n\n\tat a.b(C.java:1)","name":"java.lang.NoKey: no such key in Map&lt;K,V&gt;",
		"os":"Android","nonfatal":false,"is_new":true,"is_resolved":false,"reports":2,"users":1,"lastTs":`+fmt.Sprint(k.at.Unix())+`,"startTs":`+fmt.Sprint(start.Unix()+120)+`,"latest_version":"1.10"}`)
	d := k.detail(id)
	data := d["data"].([]any)
	first := data[1].(object)
	for _, key := range []string{"url", "data", "error", "name", "lastTs", "startTs"} {
		delete(d, key)
	}
	k.same("the detail", d, `{"_id":"`+id+`","os":"Android","nonfatal":false,"is_new":true,"is_resolved":false,"is_public":false,"reports":2,"users":1,"total":1,"latest_version":"1.10",
		"os_version":{"14:1":1},"manufacture":{"G:o":1},"device":{"Pixel 7:1":1},"app_version":{"1:9":1,"1:10":1},"cpu":{"arm":1},"custom":{"lib":{"7:2":2},"on":{"true":1}},
		"root":{"yes":1},"online":{"no":1},"ram":{"total":75,"count":2,"min":25,"max":50},"disk":{"total":25,"count":1,"min":25,"max":25},"bat":{"total":40,"count":1,"min":40,"max":40},
		"run":{"total":30,"count":2,"min":10,"max":20},"session":{"total":2,"count":1,"min":2,"max":2}}`)
	report := first["_id"].(string)
	delete(first, "_id")
	delete(first, "error")
	delete(first, "name")
	k.same("a report", first, `{"group":"`+id+`","uid":"1","ts":`+fmt.Sprint(start.Unix()+120)+`,"os":"Android","os_version":"14.1","app_version":"1.9","manufacture":"G.o","device":"Pixel 7.1",
		"cpu":"arm","ram_current":512,"ram_total":2048,"disk_current":1,"disk_total":4,"bat_current":40,"run":20,"nonfatal":false,"root":1,"online":0,"custom":{"lib":7.2,"on":true},
		"binary_images":"{\"a\":{\"b\":\"1\"}}"}`)
	k.same("not new any more", k.rows()[0]["is_new"], false)
	k.same("not new in the detail", k.detail(id)["is_new"], false)
	k.same("users", k.o("group", id, "userlist", "true"), `["1"]`)
	k.same("list", k.o("list", "true"), `[{"_id":"`+id+`","name":"java.lang.NoKey: no such key in Map&lt;K,V&gt;"}]`)
	k.same("of a user", k.s.Admin("/o", "method", "user_crashes", "app_id", k.a.ID, "uid", "1", "sEcho", "2"),
		`{"sEcho":"2","iTotalRecords":1,"iTotalDisplayRecords":1,"aaData":[{"group":"`+id+`","reports":2,"last":`+fmt.Sprint(k.at.Unix())+`}]}`)
	var reports map[string]object
	testkit.Decode(t, k.s.Admin("/o", "method", "reports", "app_id", k.a.ID, "report_ids", `["`+report+`","x"]`), &reports)
	k.same("reports", []any{len(reports), reports[report]["app_version"]}, []any{1, "1.9"})
	k.same("by version", len(k.rows("query", `{"latest_version":{"$in":["1.10"]},"os":"Android"}`)), 1)
	k.same("by another", len(k.rows("query", `{"latest_version":"1.9"}`)), 0)
	k.same("found", len(k.rows("sSearch", "nokey")), 1)
	k.same("not found", len(k.rows("sSearch", "other")), 0)

	file := k.s.Get("/o/crashes/download_stacktrace", "api_key", k.s.Key, "app_id", k.a.ID, "crash_id", report)
	k.same("the stack", []any{file.Body, file.Header.Get("Content-Type"), file.Header.Get("Content-Disposition")}, []any{text, "application/octet-stream", "attachment;filename=" + report + "_stacktrace.txt"})
	k.same("no dump", k.s.Get("/o/crashes/download_binary", "api_key", k.s.Key, "app_id", k.a.ID, "crash_id", report).Body, `{"result":"Crash does not have binary_dump"}`)
	k.verify()
}

// TestTellingApart: what is one group, and what is several.
func TestTellingApart(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.crash("d", "4 MapKit 0x1f00c4d8 MapKit + 12\n5   UIKit   0x182e3adb0 x + 148", "iOS", "1", "")
	k.crash("d", "7 MapKit 0x2f00c4d0 MapKit + 99\n6   UIKit   0x1 x + 1", "iOS", "1", "")
	k.same("addresses and offsets", []any{len(k.rows()), k.rows()[0]["error"], k.rows()[0]["name"]},
		[]any{1, "MapKit 0x1f00c4d8 MapKit + 12\nUIKit   0x182e3adb0 x + 148", "MapKit 0x1f00c4d8 MapKit + 12"})
	k.crash("d", "#0  int (f) + 4", "iOS", "1", "")
	k.same("frames with #", k.row("#0  int (f) + 4")["reports"], 1.0)
	k.crash("d", "e", "iOS", "1", "")
	k.crash("d", "e", "Android", "1", "")
	k.crash("d", "e", "iOS", "1", `,"_nonfatal":"1"`)
	k.crash("d", "e", "iOS", "2", `,"_device":"y","_name":"named"`)
	k.same("OS and fatality", len(k.rows()), 5)
	k.send("d", "crash", `{"_error":"n","_os":"Android","_app_version":42,"_name":"N"}`)
	k.same("a version that is a number", []any{k.row("n")["latest_version"], k.row("n")["name"], len(k.rows("query", `{"latest_version":{"$in":["42"]}}`))}, []any{"42", "N", 1})
	k.verify()
}

// TestCourse follows the counters of sessions.
func TestCourse(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.begin("a", "Android", "1.9")
	k.same("a session", k.day(), `{"cr_s":1,"cr_u":1}`)
	k.begin("a", "Android", "2.0")
	k.same("judged", k.day(), `{"cr_s":2,"cr_u":1,"crfses":1,"crnfses":1,"crauf":1,"craunf":1}`)
	k.crash("a", "e", "Android", "2.0", "")
	k.begin("a", "Android", "2.0")
	k.same("a fatal crash", k.day(), `{"cr_s":3,"cr_u":1,"crfses":1,"crnfses":2,"crauf":1,"craunf":1,"crf":1,"cruf":1}`)
	k.same("of 1.9", k.day("app_version", "1:9"), `{"cr_s":1,"cr_u":1,"crfses":1,"crnfses":1,"crauf":1,"craunf":1}`)
	k.same("of 2.0", k.day("app_version", "2:0"), `{"cr_s":2,"cr_u":1,"crnfses":1,"craunf":1,"crf":1,"cruf":1}`)
	k.same("of both", k.day("app_version", "2:0", "os", "Android"), `{"cr_s":2,"cr_u":1,"crnfses":1,"craunf":1,"crf":1,"cruf":1}`)
	k.same("of none", k.graph("os", "iOS")["data"], `{}`)
	k.crash("a", "e", "iOS", "3.0", `,"_nonfatal":true`)
	k.begin("a", "", "")
	k.same("a non-fatal crash of another OS", k.day("os", "iOS"), `{"crnf":1,"crunf":1}`)
	k.same("in all", k.day(), `{"cr_s":4,"cr_u":1,"crfses":2,"crnfses":2,"crauf":1,"craunf":1,"crf":1,"cruf":1,"crnf":1,"crunf":1}`)
	k.same("all of it", k.graph()["data"].(object)["2031"].(object)["crnfses"], 2.0)
	k.same("totals", k.graph()["crashes"], `{"total":2,"unique":2,"resolved":0,"unresolved":2,"fatal":1,"nonfatal":1,"news":2,"renewed":0,"os":{"Android":1,"iOS":1},"highest_app":"3.0","app_version":{"2:0":1,"3:0":1}}`)
	k.verify()
}

// TestLife resolves a group and has it come back.
func TestLife(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, d := range []string{"a", "b"} {
		k.begin(d, "Android", "1.0")
		k.crash(d, "e", "Android", "1.0", "")
	}
	k.crash("a", "other", "Android", "1.0", `,"_nonfatal":true`)
	id := k.id("e")
	state := func(keys ...string) (out []any) {
		d := k.detail(id)
		for _, key := range keys {
			out = append(out, d[key])
		}
		return out
	}
	k.same("resolving", k.act("resolving", `{"crash_id":"`+id+`"}`), `{"result":"Success"}`)
	k.same("is resolving", k.row("e")["is_resolving"], true)
	k.same("resolve", k.act("resolve", `{"crash_id":"`+id+`","crashes":["unknown"]}`), `{"`+id+`":"1.0"}`)
	k.same("resolved", state("is_resolved", "resolved_version", "is_renewed", "is_new", "users"), []any{true, "1.0", false, false, 2.0})
	k.crash("a", "e", "Android", "1.0", "")
	k.same("the same version", state("is_resolved", "reports", "users"), []any{true, 3.0, 2.0})
	k.begin("b", "Android", "1.1")
	k.same("b upgraded", state("is_resolved", "reports", "users"), []any{true, 3.0, 1.0})
	k.begin("a", "Android", "1.1")
	k.same("a upgraded", append(state("users"), k.graph()["users"]), []any{0.0, map[string]any{"total": 2.0, "affected": 1.0, "fatal": 0.0, "nonfatal": 1.0}})
	k.begin("b", "Android", "1.1")
	k.crash("b", "e", "Android", "1.1", "")
	k.same("back", state("is_resolved", "is_renewed", "users", "latest_version", "session"), []any{false, true, 1.0, "1.1", map[string]any{"total": 0.0, "count": 1.0, "min": 0.0, "max": 0.0}})
	k.same("counted", k.graph()["crashes"].(object)["renewed"], 1.0)
	k.begin("b", "Android", "1.1")
	k.begin("b", "Android", "1.1")
	k.crash("b", "e", "Android", "1.1", "")
	k.same("sessions between", state("session"), []any{map[string]any{"total": 2.0, "count": 2.0, "min": 0.0, "max": 2.0}})
	k.verify()

	k.send("c", "old_device_id", "b")
	k.same("a merge", []any{state("users"), k.o("group", id, "userlist", "1")}, []any{[]any{1.0}, `["3"]`})
	k.act("resolve", `{"crash_id":"`+id+`"}`)
	k.begin("c", "Android", "1.2")
	k.same("the merged one upgraded", state("users", "is_renewed"), []any{0.0, false})
	k.same("unresolve", k.act("unresolve", `{"crash_id":"`+id+`"}`), `{"result":"Success"}`)
	k.same("unresolved", state("is_resolved", "resolved_version", "is_renewed"), []any{false, nil, false})
	k.verify()

	k.same("hide", k.act("hide", `{"crashes":["`+id+`"]}`), `{"result":"Success"}`)
	k.same("hidden", []any{len(k.rows()), len(k.rows("filter", "crash-hidden")), state("is_hidden")[0]}, []any{1, 1, true})
	k.act("show", `{"crash_id":"`+id+`"}`)
	k.same("shown", []any{len(k.rows()), k.row("e")["is_hidden"]}, []any{2, false})

	k.same("delete", k.act("delete", `{"crash_id":"`+id+`"}`), `{"result":"Success"}`)
	k.same("gone", k.s.Get("/o", "api_key", k.s.Key, "method", "crashes", "app_id", k.a.ID, "group", id).Body, `{"result":"Crash group not found"}`)
	k.same("what is left", []any{k.graph()["users"], k.graph()["crashes"]}, []any{
		map[string]any{"total": 2.0, "affected": 1.0, "fatal": 0.0, "nonfatal": 1.0},
		map[string]any{"total": 1.0, "unique": 1.0, "resolved": 0.0, "unresolved": 1.0, "fatal": 0.0, "nonfatal": 1.0, "news": 1.0, "renewed": 0.0, "os": map[string]any{"Android": 1.0}, "highest_app": "1.0", "app_version": map[string]any{"1:0": 1.0, "1:1": 0.0}},
	})
	k.verify()
	k.crash("a", "e", "Android", "1.0", "")
	k.same("it may come again", []any{k.row("e")["is_new"], k.row("e")["reports"]}, []any{true, 1.0})
	k.verify()
	k.s.Admin("/i/apps/reset", "args", `{"app_id":"`+k.a.ID+`","period":"reset"}`)
	k.same("after a reset", k.graph()["crashes"].(object)["os"], map[string]any{})
	k.same("no groups", k.o("list", "1"), `[]`)
	k.verify()
}

// TestComments writes, changes and deletes a comment.
func TestComments(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.crash("a", "e", "Android", "1.0", "")
	id := k.id("e")
	k.same("no comments", k.detail(id)["comments"], nil)
	k.same("add", k.act("add_comment", fmt.Sprintf(`{"app_id":%q,"crash_id":%q,"text":"look <b>"}`, k.a.ID, id)), `{"result":"Success"}`)
	c := k.detail(id)["comments"].([]any)[0].(object)
	k.same("a comment", []any{c["text"], c["author"], c["edit_time"], c["time"].(float64) > 0}, []any{"look &lt;b&gt;", "Admin", nil, true})
	k.act("edit_comment", fmt.Sprintf(`{"app_id":%q,"crash_id":%q,"comment_id":%q,"text":"done"}`, k.a.ID, id, c["_id"]))
	e := k.detail(id)["comments"].([]any)[0].(object)
	k.same("edited", []any{e["text"], e["edit_time"] != nil, e["_id"] == c["_id"]}, []any{"done", true, true})
	for range 2 {
		k.same("delete", k.act("delete_comment", fmt.Sprintf(`{"app_id":%q,"crash_id":%q,"comment_id":%q}`, k.a.ID, id, c["_id"])), `{"result":"Success"}`)
		k.same("no comments left", k.detail(id)["comments"], []any{})
	}
	for name := range map[string]bool{"resolve": true, "view": true, "hide": true, "show": true, "share": true, "unshare": true, "delete": true, "add_comment": true, "edit_comment": true, "delete_comment": true, "unresolve": true, "resolving": true} {
		r := k.s.Get("/i/crashes/"+name, "api_key", k.s.Key, "app_id", k.a.ID)
		k.same(name+" without arguments", []any{r.Status, r.Body}, []any{http.StatusBadRequest, `{"result":"Please provide args parameter"}`})
		k.same(name+" of nothing", k.s.Get("/i/crashes/"+name, "api_key", k.s.Key, "app_id", k.a.ID, "args", `{}`).Status, http.StatusOK)
	}
	k.same("nothing to share", k.s.Get("/i/crashes/modify_share", "api_key", k.s.Key, "app_id", k.a.ID, "args", `{"crash_id":"`+id+`"}`).Body, `{"result":"No data to save"}`)
}

// TestShare reads the public page.
func TestShare(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.crash("a", "secret <script>\nat x", "Android", "1.0", "")
	id := k.rows()[0]["_id"].(string)
	url := k.detail(id)["url"].(string)
	page := func() testkit.Response { return k.s.Get("/crash/" + url) }
	k.same("not shared", page().Status, http.StatusNotFound)
	k.act("share", `{"crash_id":"`+id+`"}`)
	got := page()
	k.same("shared", []any{got.Status, strings.Contains(got.Body, "secret &lt;script&gt;"), strings.Contains(got.Body, "at x"), strings.Contains(got.Body, "Reports")}, []any{200, true, false, false})
	if policy := got.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	k.act("modify_share", `{"crash_id":"`+id+`","data":{"reports":1,"stack":1,"platform":"true"}}`)
	got = page()
	k.same("with more", []any{strings.Contains(got.Body, "at x"), strings.Contains(got.Body, "Reports"), strings.Contains(got.Body, "<th scope=\"row\">1.0</th>")}, []any{true, true, true})
	for header, want := range map[string]string{"de-AT,en;q=0.5": "Berichte", "fr, de;q=0.2": "Berichte", "fr": "Reports", "en-GB": "Reports", "-;q=x": "Reports"} {
		got := k.s.Do(http.MethodGet, "/crash/"+url, nil, "Accept-Language", header)
		k.same(header, []any{strings.Contains(got.Body, "<dt>"+want+"</dt>"), got.Header.Get("Vary")}, []any{true, "Accept-Language"})
	}
	k.same("in German", strings.Contains(k.s.Do(http.MethodGet, "/crash/"+url, nil, "Accept-Language", "de").Body, `<html lang="de">`), true)
	k.same("is public", k.detail(id)["is_public"], true)
	k.act("unshare", `{"crash_id":"`+id+`"}`)
	k.same("not shared any more", page().Status, http.StatusNotFound)
	k.same("another address", k.s.Get("/crash/"+strings.Repeat("0", 32)).Status, http.StatusNotFound)
}

// TestManyVersions has more versions than are listed, and a long name: both are bounded in memory, and the latest version and the whole name
// are shown all the same.
func TestManyVersions(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const versions = 1100
	name := strings.Repeat("n", 700)
	var list []string
	for i := range versions {
		list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":"d","timestamp":%d,"crash":{"_error":%q,"_os":"Android","_app_version":"1.%d"}}`, k.a.Key, start.UnixMilli()+int64(i), name, i))
	}
	k.s.Post("/i/bulk", "requests", "["+strings.Join(list, ",")+"]")
	k.s.Flush()
	row := k.rows()[0]
	k.same("group", []any{row["name"], row["latest_version"], row["reports"]}, []any{name, fmt.Sprint("1.", versions-1), float64(versions)})
	if got := len(k.graph()["crashes"].(object)["app_version"].(object)); got != 1000 {
		t.Errorf("%d versions are listed, want 1000", got)
	}
	k.verify()
}

// TestVolumeValues has a group whose reports have more values than are counted in memory at once: each property shows the most frequent all the
// same.
func TestVolumeValues(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const reports, custom = 2200, 50
	var list []string
	for i := range reports {
		var own []string
		for c := range custom {
			own = append(own, fmt.Sprintf(`"c%d":"v%d"`, c, i))
		}
		if i%2 == 0 {
			own[0] = `"c0":"even"`
		}
		list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":"d","timestamp":%d,"crash":{"_error":"e","_os":"Android","_device":"p%d","_custom":{%s}}}`, k.a.Key, start.UnixMilli()+int64(i), i%3, strings.Join(own, ",")))
	}
	for part := range slices.Chunk(list, 500) {
		k.s.Post("/i/bulk", "requests", "["+strings.Join(part, ",")+"]")
	}
	k.s.Flush()
	d := k.detail(k.rows()[0]["_id"].(string))
	own := d["custom"].(object)
	k.same("devices", d["device"], object{"p0": 734.0, "p1": 733.0, "p2": 733.0})
	if len(own) != custom {
		t.Errorf("%d custom segments", len(own))
	}
	for name, h := range own {
		if n := len(h.(object)); n != 1000 {
			t.Errorf("%s has %d values, want the 1000 most frequent", name, n)
		}
	}
	k.same("the most frequent", own["c0"].(object)["even"], 1100.0)
}

// TestBooksWithinMemory reads books of several apps: those that were read longest ago go when all take too much, or when memory is short.
func TestBooksWithinMemory(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	plenty := kernel.Memory{Limit: 1200 * mib, Resident: 500 * mib}
	for _, tt := range []struct {
		name   string
		memory kernel.Memory
		sizes  []int64
		want   []bool
	}{
		{"all within a twelfth", plenty, []int64{30 * mib, 30 * mib, 40 * mib}, []bool{true, true, true}},
		{"the oldest goes", plenty, []int64{30 * mib, 30 * mib, 41 * mib}, []bool{false, true, true}},
		{"a large one takes the place of all", plenty, []int64{30 * mib, 30 * mib, 400 * mib}, []bool{false, false, true}},
		{"short of memory", kernel.Memory{Limit: 1200 * mib, Resident: 1100 * mib}, []int64{mib, mib, mib}, []bool{false, false, true}},
	} {
		if got := crashes.Kept(tt.memory, tt.sizes...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: kept %v, want %v", tt.name, got, tt.want)
		}
	}
}
