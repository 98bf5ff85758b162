package crashes_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// The checks that somebody would make who knows the protocol's pages alone, beside those of the other tests.

// keys returns values of an object by their names, nil for what is absent.
func keys(o object, names ...string) (out []any) {
	for _, name := range names {
		out = append(out, o[name])
	}
	return out
}

// TestWireForms sends crashes in all forms in which a request may hold them.
func TestWireForms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.send("a", "crash", `{"_error":"one","_os":"Android","_app_version":"1.0","_cpu":"armv7","_opengl":"2.0","_orientation":"landscape","_muted":"true","_signal":true,"_background":"false","_nonfatal":"true",
		"_resolution":"1080x1920","_bat_current":"30","_bat_total":"60","_disk_total":"0","_disk_current":"5","_ram_current":"x","_custom":{"a.b":"c.d","n":"7"},"_logs":["x","y"]}`)
	id := k.id("one")
	d := k.detail(id)
	k.same("histograms", keys(d, "cpu", "opengl", "orientation", "muted", "signal", "background", "resolution", "bat", "disk", "ram", "run", "session", "device", "manufacture"), []any{
		map[string]any{"armv7": 1.0},
		map[string]any{"2:0": 1.0},
		map[string]any{"landscape": 1.0},
		map[string]any{"yes": 1.0},
		map[string]any{"yes": 1.0},
		map[string]any{"no": 1.0},
		map[string]any{"1080x1920": 1.0},
		map[string]any{"total": 50.0, "count": 1.0, "min": 50.0, "max": 50.0},
		nil, nil, nil, nil, nil, nil,
	})
	report := d["data"].([]any)[0].(object)
	k.same("the report", keys(report, "opengl", "orientation", "muted", "signal", "nonfatal", "bat_current", "bat_total", "disk_current", "cpu"), []any{"2.0", "landscape", 1.0, 1.0, true, 30.0, 60.0, 5.0, "armv7"})
	k.same("custom as sent", report["custom"], map[string]any{"a.b": "c.d", "n": "7"})

	// In a bulk item that is not stringified, with a session; in a body of JSON; a crash as an object of a form stays text.
	body, _ := json.Marshal([]object{{"app_key": k.a.Key, "device_id": "b", "begin_session": 1, "metrics": object{"_os": "iOS", "_app_version": "3.0"}, "timestamp": k.at.UnixMilli() + 5, "crash": object{"_error": "two", "_os": "iOS", "_app_version": 3.5}}})
	if r := k.s.Post("/i/bulk", "requests", string(body)); r.Status != http.StatusOK {
		t.Fatal(r.Body)
	}
	one, _ := json.Marshal(object{"app_key": k.a.Key, "device_id": "c", "timestamp": k.at.UnixMilli() + 6, "crash": object{"_error": "two", "_os": "iOS", "_app_version": "3.5"}})
	if r := k.s.Do(http.MethodPost, "/i", bytes.NewReader(one), "Content-Type", "application/json"); r.Status != http.StatusOK {
		t.Fatal(r.Body)
	}
	k.same("two", keys(k.row("two"), "reports", "users", "latest_version", "os"), []any{2.0, 2.0, "3.5", "iOS"})
	k.same("a session and a crash in one", k.day("os", "iOS"), `{"cr_s":1,"cr_u":1,"crf":2,"cruf":1}`)
	for _, broken := range []string{`[]`, `"x"`, `{`, `null`, `7`, `{}`} { // 2xx, or the client's queue is blocked
		if r := k.s.Get("/i", "app_key", k.a.Key, "device_id", "a", "crash", broken); r.Status != http.StatusOK || !strings.Contains(r.Body, `"result":"Success"`) {
			t.Errorf("%s: %d %s", broken, r.Status, r.Body)
		}
	}
	k.verify()
}

// TestWireNames looks at errors, names and what is escaped of them.
func TestWireNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	text := "0 libx 0x1f00c4d8 f + 12\n\n1 'a' \"b\" <c> & d &amp; e 0x2"
	k.crash("a", text, "iOS", "1", `,"_name":"N <1>"`)
	k.crash("a", "5 libx 0x0f f + 99\n\n7 'a' \"b\" <c> & d &amp; e 0x3", "iOS", "2", `,"_name":"other"`)
	k.same("one group with the first error and name", []any{len(k.rows()), keys(k.rows()[0], "name", "error", "latest_version", "reports")}, []any{1, []any{
		"N &lt;1&gt;", "libx 0x1f00c4d8 f + 12\n\n&#39;a&#39; &quot;b&quot; &lt;c&gt; &amp; d &amp; e 0x2", "2", 2.0,
	}})
	id := k.rows()[0]["_id"].(string)
	if strings.Trim(id, "0123456789abcdef") != "" {
		t.Errorf("id %q", id)
	}
	last := k.detail(id)["data"].([]any)[1].(object)
	file := k.s.Get("/o/crashes/download_stacktrace", "api_key", k.s.Key, "app_id", k.a.ID, "crash_id", last["_id"].(string))
	if !strings.Contains(file.Body, `'a' "b" <c> & d &amp; e 0x2`) {
		t.Errorf("download: %s", file.Body)
	}
	k.crash("a", `it's "quoted" & so`, "iOS", "1", "")
	k.same("quotes without tags", k.row(`it's "quoted" &amp; so`)["name"], `it's "quoted" &amp; so`)
	k.same("name is searched", []any{len(k.rows("sSearch", "QUOTED")), len(k.rows("sSearch", "libx"))}, []any{1, 0})
}

// TestWireTable pages, sorts and narrows the table.
func TestWireTable(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for i := range 7 {
		for range i + 1 {
			k.crash(fmt.Sprint("d", i), fmt.Sprintf("error %d", i), []string{"Android", "iOS"}[i%2], fmt.Sprintf("1.%d", i), fmt.Sprintf(`,"_nonfatal":%t`, i%3 == 0))
		}
	}
	var page struct {
		Echo    any `json:"sEcho"`
		Total   int `json:"iTotalRecords"`
		Display int `json:"iTotalDisplayRecords"`
		AaData  []object
	}
	read := func(pairs ...string) (names []string) {
		page.Echo, page.AaData = nil, nil
		testkit.Decode(t, k.o(pairs...), &page)
		for _, r := range page.AaData {
			names = append(names, strings.TrimPrefix(r["name"].(string), "error "))
		}
		return names
	}
	k.same("sorted by reports", strings.Join(read("iSortCol_0", "3", "sSortDir_0", "desc", "iDisplayLength", "3", "iDisplayStart", "1", "sEcho", "4"), ""), "543")
	k.same("envelope", []any{page.Echo, page.Total, page.Display}, []any{"4", 7, 7})
	k.same("upwards", strings.Join(read("iSortCol_0", "3", "sSortDir_0", "asc", "iDisplayLength", "2"), ""), "01")
	k.same("no echo", page.Echo, nil)
	k.same("searched", []any{read("sSearch", "error 3"), page.Total, page.Display}, []any{[]string{"3"}, 7, 1})
	k.same("by OS and version", read("query", `{"os":"Android","latest_version":"1.4"}`), []string{"4"})
	k.same("by fatality", []any{len(read("filter", "crash-fatal")), len(read("filter", "crash-nonfatal"))}, []any{4, 3})
	k.same("a filter that is no JSON", k.s.Get("/o", "api_key", k.s.Key, "method", "crashes", "app_id", k.a.ID, "query", "{").Status, http.StatusBadRequest)
	k.same("beyond the end", read("iDisplayStart", "100"), []string(nil))
	first, third := k.id("error 1"), k.id("error 3")
	k.same("several are resolved", k.act("resolve", fmt.Sprintf(`{"crashes":[%q,%q]}`, first, third)), fmt.Sprintf(`{%q:"1.1",%q:"1.3"}`, first, third))
	k.same("counted", keys(k.graph()["crashes"].(object), "resolved", "unresolved", "news", "unique"), []any{2.0, 5.0, 5.0, 7.0})
	k.same("view", k.act("view", fmt.Sprintf(`{"crashes":[%q]}`, k.id("error 0"))), `{"result":"Success"}`)
	k.same("news fall", k.graph()["crashes"].(object)["news"], 4.0)
	k.same("by state", []any{len(read("filter", "crash-new")), len(read("filter", "crash-viewed")), len(read("filter", "crash-resolved")), len(read("filter", "crash-unresolved"))}, []any{4, 3, 2, 5})
	k.same("hidden is not there before", k.row("error 0")["is_hidden"], nil)
	k.act("hide", fmt.Sprintf(`{"crashes":[%q,%q]}`, first, third))
	k.same("hidden ones are left out", len(read()), 5)
	k.same("a list of all", strings.Count(k.o("list", "true"), `"_id"`) >= 5, true)
	k.same("a map of JSON in place of text", k.s.Do(http.MethodPost, "/i/crashes/show?api_key="+k.s.Key+"&app_id="+k.a.ID, strings.NewReader(`{"args":{"crashes":["`+first+`"]}}`), "Content-Type", "application/json").Body, `{"result":"Success"}`)
	k.same("shown again", len(read()), 6)
}

// TestWireReports reads reports, crashes of users, downloads and comments.
func TestWireReports(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dump := []byte{'x', 0, 1, 2, 0xff}
	k.crash("a", "e", "Android", "1.0", `,"_binary_crash_dump":"`+base64.StdEncoding.EncodeToString(dump)+`"`)
	k.crash("b", "e", "Android", "2.0", "")
	k.crash("b", "f", "Android", "2.0", "")
	id := k.id("e")
	data := k.detail(id)["data"].([]any)
	newest, oldest := data[0].(object), data[1].(object)
	k.same("newest first", keys(newest, "app_version"), []any{"2.0"})
	at := oldest["_id"].(string)
	get := func(path string, pairs ...string) testkit.Response {
		return k.s.Get(path, append([]string{"api_key", k.s.Key, "app_id", k.a.ID}, pairs...)...)
	}
	file := get("/o/crashes/download_binary", "crash_id", at)
	k.same("dump", []any{file.Status, file.Body, file.Header.Get("Content-Disposition")}, []any{200, string(dump), "attachment;filename=" + at + "_bin.dmp"})
	for _, path := range []string{"download_binary", "download_stacktrace"} {
		for _, tt := range [][2]string{{"", "Please provide crash_id parameter"}, {strings.Repeat("a", 24), "Crash not found"}, {"../x\x00", "Crash not found"}} {
			r := get("/o/crashes/"+path, "crash_id", tt[0])
			k.same(path+" of "+tt[0], []any{r.Status, r.Body}, []any{400, `{"result":"` + tt[1] + `"}`})
		}
	}
	k.same("one report", strings.Contains(get("/o", "method", "reports", "report_id", at).Body, `"`+at+`":{`), true)
	k.same("reports that are not there", get("/o", "method", "reports", "report_ids", `["x"]`).Body, `{}`)
	r := get("/o", "method", "user_crashes")
	k.same("crashes of nobody", []any{r.Status, r.Body}, []any{400, `{"result":"Please provide user uid"}`})
	var crashes struct {
		Total  int `json:"iTotalRecords"`
		AaData []object
	}
	testkit.Decode(t, get("/o", "method", "user_crashes", "uid", "2").Body, &crashes)
	k.same("crashes of a user", []any{crashes.Total, len(crashes.AaData), crashes.AaData[0]["reports"]}, []any{2, 2, 1.0})
	k.same("group that is not there", get("/o", "method", "crashes", "group", "x").Body, `{"result":"Crash group not found"}`)

	k.same("comment", k.act("add_comment", fmt.Sprintf(`{"app_id":%q,"crash_id":%q,"text":"c","time":1900000000}`, k.a.ID, id)), `{"result":"Success"}`)
	c := k.detail(id)["comments"].([]any)[0].(object)
	for _, key := range []string{"_id", "text", "time", "author", "author_id"} {
		if c[key] == nil || c[key] == "" {
			t.Errorf("comment lacks %s: %v", key, c)
		}
	}
}

// TestWireGraph follows resolve, renewal and deletion in the overview, whose figures no filter changes.
func TestWireGraph(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.begin("a", "Android", "1.9")
	k.crash("a", "e", "Android", "1.9", "")
	k.begin("b", "Android", "2.0")
	k.crash("b", "n", "Android", "2.0", `,"_nonfatal":true`)
	k.begin("c", "iOS", "2.0")
	id := k.id("e")
	whole := func(g object) string {
		delete(g, "data")
		b, _ := json.Marshal(g)
		return string(b)
	}
	before := whole(k.graph())
	k.same("totals", before, `{"users":{"total":3,"affected":2,"fatal":1,"nonfatal":1},"crashes":{"total":2,"unique":2,"resolved":0,"unresolved":2,"fatal":1,"nonfatal":1,"news":2,"renewed":0,
		"os":{"Android":2},"highest_app":"2.0","app_version":{"1:9":1,"2:0":1}},"loss":0}`)
	for _, pairs := range [][]string{{"os", "iOS"}, {"app_version", "2:0"}, {"os", "x", "app_version", "y"}} {
		k.same("never filtered", whole(k.graph(pairs...)), before)
	}
	k.same("data of iOS", k.day("os", "iOS"), `{"cr_s":1,"cr_u":1}`)
	k.same("data of a version", k.day("app_version", "2:0"), `{"cr_s":2,"cr_u":2,"crnf":1,"crunf":1}`)
	k.same("data of nothing", k.graph("os", "Tizen")["data"], `{}`)
	k.act("resolve", `{"crash_id":"`+id+`"}`)
	k.crash("b", "e", "Android", "1.8", "")
	k.same("a lower version does not reopen", keys(k.graph()["crashes"].(object), "resolved", "renewed", "news"), []any{1.0, 0.0, 1.0})
	k.crash("b", "e", "Android", "1.10", "")
	k.same("a higher one does", keys(k.graph()["crashes"].(object), "resolved", "unresolved", "renewed", "news", "highest_app"), []any{0.0, 2.0, 1.0, 1.0, "2.0"})
	k.same("the group", keys(k.row("e"), "is_resolved", "is_renewed", "latest_version", "users", "is_new"), []any{false, true, "1.10", 2.0, false})
	k.act("resolve", `{"crash_id":"`+id+`"}`)
	k.same("resolved again", keys(k.graph()["crashes"].(object), "resolved", "renewed"), []any{1.0, 0.0})
	day := k.day()
	k.act("delete", `{"crash_id":"`+id+`"}`)
	k.same("a deletion does not touch the course", k.day(), day)
	k.same("but all else", whole(k.graph()), `{"users":{"total":3,"affected":1,"fatal":0,"nonfatal":1},"crashes":{"total":1,"unique":1,"resolved":0,"unresolved":1,"fatal":0,"nonfatal":1,"news":1,"renewed":0,
		"os":{"Android":1},"highest_app":"2.0","app_version":{"1:8":0,"1:9":0,"1:10":0,"2:0":1}},"loss":0}`)
	k.act("delete", `{"crashes":["`+k.id("n")+`"]}`)
	k.same("nothing is left", keys(k.graph()["crashes"].(object), "total", "highest_app", "os"), []any{0.0, "", map[string]any{"Android": 0.0}})
	k.verify()
}
