package symbolication_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/modules/symbolication"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type object = map[string]any

// mapping is what R8 writes, for a method that was renamed and one that was inlined into it.
const mapping = `# compiler: R8
com.example.shop.CartActivity -> a.b:
    1:1:void checkout():42:42 -> c
    2:2:void com.example.shop.Cart.pay(int):17:17 -> c
    2:2:void checkout():43 -> c
`

// obfuscated is a trace of that build.
const obfuscated = "java.lang.IllegalStateException: empty\n\tat a.b.c(SourceFile:2)\n\tat android.os.Looper.loop(Looper.java:223)"

// retraced is what R8's retrace makes of it.
const retraced = "java.lang.IllegalStateException: empty\n\tat com.example.shop.Cart.pay(Cart.java:17)\n\tat com.example.shop.CartActivity.checkout(CartActivity.java:43)\n\tat android.os.Looper.loop(Looper.java:223)"

// sent is a file of a form.
type sent struct{ field, name, data string }

// kit sends and reads as one app.
type kit struct {
	*testing.T
	s   *testkit.Server
	a   testkit.TestApp
	dir string
	at  time.Time
}

func newKit(t *testing.T, cfg symbolication.Config) *kit {
	t.Helper()
	k := &kit{T: t, at: start}
	k.s = testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		k.dir = c.Data
		if cfg != (symbolication.Config{}) {
			c.Modules = map[string]any{"symbolication": cfg}
		}
	}))
	k.a = k.s.CreateApp("shop", "UTC")
	return k
}

// post sends a form with files.
func (k *kit) post(path string, pairs []string, files ...sent) (int, string) {
	k.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(pairs); i += 2 {
		if err := w.WriteField(pairs[i], pairs[i+1]); err != nil {
			k.Fatal(err)
		}
	}
	for _, f := range files {
		p, err := w.CreateFormFile(f.field, f.name)
		if err != nil {
			k.Fatal(err)
		}
		if _, err := io.WriteString(p, f.data); err != nil {
			k.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		k.Fatal(err)
	}
	r := k.s.Do(http.MethodPost, path, &body, "Content-Type", w.FormDataContentType())
	return r.Status, r.Body
}

// add uploads symbols as a member and returns their id.
func (k *kit) add(platform, build string, files ...sent) string {
	k.Helper()
	status, body := k.post("/i/crash_symbols/add_symbol", []string{"api_key", k.s.Key, "app_id", k.a.ID, "platform", platform, "build", build}, files...)
	var out struct {
		Message string `json:"message"`
		ID      string `json:"_id"`
	}
	if status != http.StatusOK {
		k.Fatalf("add_symbol: %d %s", status, body)
	}
	testkit.Decode(k, body, &out)
	if out.Message != "Success" || out.ID == "" {
		k.Fatalf("add_symbol: %s", body)
	}
	return out.ID
}

// crash sends a crash and returns the id of its group.
func (k *kit) crash(text, os, version string) string {
	k.Helper()
	k.at = k.at.Add(time.Minute)
	k.s.Clock().Set(k.at)
	k.s.Ingest(k.a, "d", "timestamp", fmt.Sprint(k.at.UnixMilli()), "crash", fmt.Sprintf(`{"_error":%q,"_os":%q,"_app_version":%q}`, text, os, version))
	k.s.Flush()
	var table struct{ AaData []object }
	testkit.Decode(k, k.o("crashes", "sort", `{"startTs":-1}`), &table)
	for _, row := range table.AaData {
		if row["os"] == os && row["latest_version"] == version {
			return row["_id"].(string)
		}
	}
	k.Fatalf("no group of %q", text)
	return ""
}

func (k *kit) o(method string, pairs ...string) string {
	k.Helper()
	return k.s.Admin("/o", append([]string{"method", method, "app_id", k.a.ID}, pairs...)...)
}

func (k *kit) group(id string) object {
	k.Helper()
	var out object
	testkit.Decode(k, k.o("crashes", "group", id), &out)
	return out
}

func (k *kit) symbolicate(group, symbol string) testkit.Response {
	k.Helper()
	return k.s.Post("/i/crash_symbols/symbolicate", "api_key", k.s.Key, "app_id", k.a.ID, "crashgroup_id", group, "symbol_id", symbol, "return_url", "http://x")
}

// files counts the symbol files on disk.
func (k *kit) files() int {
	k.Helper()
	list, err := filepath.Glob(filepath.Join(k.dir, "files", "symbols", "*"))
	if err != nil {
		k.Fatal(err)
	}
	return len(list)
}

func zipped(t *testing.T, entries ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, entries[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLateMapping has a crash wait for the mapping of its build, which comes in each form that build tools send.
func TestLateMapping(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	id := k.crash(obfuscated, "Android", "2.0")
	if g := k.group(id); g["error"] != obfuscated || g["symbolicated"] != nil {
		t.Fatalf("without symbols: %v", g)
	}
	for _, f := range []sent{
		{"symbols", "mapping.txt", mapping},
		{"symbols", "mapping.txt.gz", gzipped(t, mapping)},
		{"symbols", "mapping.zip", zipped(t, "../../etc/app/mapping.txt", mapping, "readme.md", "x")},
	} {
		symbol := k.add("android", "1.9,2.0", f)
		g := k.group(id)
		if g["error"] != retraced || g["raw_error"] != obfuscated || g["symbolicated"] != true {
			t.Errorf("%s: group has %v", f.name, g["error"])
		}
		report, _ := g["data"].([]any)[0].(object)
		if report["error"] != retraced || report["raw_error"] != obfuscated {
			t.Errorf("%s: report has %v", f.name, report["error"])
		}
		var one object
		testkit.Decode(t, k.o("crash_report", "report_id", report["_id"].(string)), &one)
		if one["error"] != retraced || one["group"] != id {
			t.Errorf("%s: crash_report is %v", f.name, one)
		}
		if got := k.o("download_symbol", "symbol_id", symbol); got != f.data {
			t.Errorf("%s: download is %q", f.name, got)
		}
		k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", symbol)
		if n := k.files(); n != 0 {
			t.Errorf("%s: %d files after removal", f.name, n)
		}
		if g := k.group(id); g["error"] != obfuscated {
			t.Errorf("%s: removed symbols are used: %v", f.name, g["error"])
		}
	}
	report, err := k.s.App().Verify(t.Context(), verify.Options{})
	if err != nil || len(report.Differences) != 0 {
		t.Errorf("verify: %v, %v", report, err)
	}
}

// TestChosenSymbols chooses the mapping of another build for a group.
func TestChosenSymbols(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	id := k.crash(obfuscated, "Android", "3.0")
	right := k.add("android", "2.9", sent{"symbols", "mapping.txt", mapping})
	wrong := k.add("android", "2.8", sent{"symbols", "mapping.txt", "x.Y -> q.r:\n    1:1:void a():1:1 -> b\n"})
	if g := k.group(id); g["error"] != obfuscated {
		t.Fatalf("symbols of another build are used: %v", g["error"])
	}
	if r := k.symbolicate(id, wrong); r.Status != http.StatusBadRequest || r.Body != `{"result":"No frame of the stack is in the symbol file"}` {
		t.Errorf("wrong symbols: %d %s", r.Status, r.Body)
	}
	if r := k.symbolicate(id, right); r.Status != http.StatusOK || r.Body != `{"result":"Symbolication success"}` {
		t.Errorf("right symbols: %d %s", r.Status, r.Body)
	}
	if g := k.group(id); g["error"] != retraced {
		t.Errorf("chosen symbols are not used: %v", g["error"])
	}
	var jobs []object
	testkit.Decode(t, k.o("crash_jobs", "status", "success"), &jobs)
	if len(jobs) != 1 || jobs[0]["build"] != "2.9" || jobs[0]["platform"] != "android" || jobs[0]["app_id"] != nil {
		t.Errorf("jobs: %v", jobs)
	}
	var table struct {
		Total int      `json:"iTotalRecords"`
		Rows  []object `json:"aaData"`
	}
	testkit.Decode(t, k.o("crash_jobs", "outputFormat", "full"), &table)
	if table.Total != 2 || len(table.Rows) != 2 {
		t.Errorf("table of jobs: %+v", table)
	}
}

// bundle is a script of one line with its map: the column 8 of line 1 is line 3, column 4 of src/cart.ts.
const bundle = `{"version":3,"file":"app.js","sources":["src/cart.ts"],"names":["pay"],"mappings":"QAEIA"}`

// TestSourceMaps sends several maps of a build, keeps one, and symbolicates a stack of a browser.
func TestSourceMaps(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	const minified = "TypeError: x is not a function\n    at n (https://shop.example/assets/app.js:1:9)"
	id := k.crash(minified, "Windows", "7")
	other := strings.ReplaceAll(strings.ReplaceAll(bundle, "app.js", "vendor.js"), "cart", "vendor")
	symbol := k.add("JavaScript", `["7","8"]`, sent{"symbols[]", "app.js.map", bundle}, sent{"symbols[]", "vendor.js.map", other})
	if text, _ := k.group(id)["error"].(string); !strings.Contains(text, "src/cart.ts:3:5") {
		t.Errorf("error is %q", text)
	}
	var list []struct {
		ID        string   `json:"_id"`
		Platform  string   `json:"platform"`
		Build     []string `json:"build"`
		Filenames []struct {
			ID, Name string
			Size     int
		} `json:"filenames"`
		Parts any `json:"parts"`
	}
	testkit.Decode(t, k.o("crash_symbols"), &list)
	if len(list) != 1 || list[0].ID != symbol || list[0].Platform != "javascript" || len(list[0].Build) != 2 || len(list[0].Filenames) != 2 || list[0].Parts != nil {
		t.Fatalf("list: %+v", list)
	}
	vendor := list[0].Filenames[1]
	if got := k.o("download_symbol", "symbol_id", symbol, "file_id", vendor.ID); got != other || vendor.Name != "vendor.js.map" || vendor.Size != len(other) {
		t.Errorf("download of %+v: %q", vendor, got)
	}
	keep, err := json.Marshal(vendor)
	if err != nil {
		t.Fatal(err)
	}
	edit := []string{"api_key", k.s.Key, "app_id", k.a.ID, "symbol_id", symbol, "keepSymbols[]", strings.ToLower(string(keep))}
	if status, body := k.post("/i/crash_symbols/edit_symbol", edit); status != http.StatusOK || body != `{"result":"Success"}` {
		t.Errorf("edit: %d %s", status, body)
	}
	if g := k.group(id); g["error"] != minified {
		t.Errorf("a map that was replaced is used: %v", g["error"])
	}
	if n := k.files(); n != 1 {
		t.Errorf("%d files", n)
	}
	if status, body := k.post("/i/crash_symbols/edit_symbol", edit[:6]); status != http.StatusOK || body != `{"result":"Nothing to update"}` {
		t.Errorf("edit of nothing: %d %s", status, body)
	}
}

// TestUploadByBuildTools uploads with the key of the app, and refuses what is not to be kept.
func TestUploadByBuildTools(t *testing.T) {
	k := newKit(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 1 << 20, MaxFileBytes: 100_000})
	ok := sent{"symbols", "mapping.txt", mapping}
	bomb := strings.Repeat("a", 3<<20)
	js := func(n int) (out []sent) {
		for i := range n {
			out = append(out, sent{"symbols[]", fmt.Sprintf("%d.js.map", i), bundle})
		}
		return out
	}
	for _, tt := range []struct {
		name            string
		pairs           []string
		files           []sent
		status          int
		want, otherwise string
	}{
		{"good", []string{"platform", "android", "build", "1"}, []sent{ok}, 200, `"message":"Success"`, ""},
		{"no mapping", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "mapping.txt", "hello"}}, 200, `"problem":"Symbol file cannot be read`, ""},
		{"unread platform", []string{"platform", "ios", "build", "1"}, []sent{{"symbols", "dsym.zip", zipped(t, "a", "b")}}, 200, `"problem":"There is no symbol file in the archive"`, ""},
		{"no platform", []string{"build", "1"}, []sent{ok}, 400, `{"result":"Missing platform"}`, ""},
		{"no build", []string{"platform", "android"}, []sent{ok}, 400, `{"result":"Missing build information"}`, ""},
		{"no file", []string{"platform", "android", "build", "1"}, nil, 400, `{"result":"Missing symbols/mapping file"}`, ""},
		{"program", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.exe", mapping}}, 400, `{"result":"This file extension is not allowed: .exe"}`, ""},
		{"several of Android", []string{"platform", "android", "build", "1"}, []sent{ok, ok}, 400, `{"result":"Multiple symbol files are only allowed for javascript platform"}`, ""},
		{"too many", []string{"platform", "javascript", "build", "1"}, js(3), 400, `{"result":"The number of files uploaded exceeds the maximum allowed"}`, ""},
		{"bomb of gzip", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.gz", gzipped(t, bomb)}}, 413, `{"result":"Symbol file is too large"}`, ""},
		{"bomb of zip", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.zip", zipped(t, "a.txt", bomb)}}, 413, `{"result":"Symbol file is too large"}`, ""},
		{"bomb of many", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.zip", zipped(t, "a.txt", bomb[:60_000], "b.txt", bomb[:60_000])}}, 413, `{"result":"Symbol file is too large"}`, ""},
		{"no gzip", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.gz", mapping}}, 400, `{"result":"Symbol file cannot be unpacked: not a gzip file"}`, ""},
		{"torn gzip", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.gz", gzipped(t, mapping)[:40]}}, 400, `{"result":"Symbol file cannot be unpacked: damaged"}`, ""},
		{"beyond the quota", []string{"platform", "android", "build", "1"}, []sent{{"symbols", "a.txt", bomb}}, 413, `{"result":"The symbol files of the app exceed their space limit, remove some"}`, ""},
	} {
		before := k.files()
		status, body := k.post("/i/crash_symbols/upload_symbol", append([]string{"app_key", k.a.Key}, tt.pairs...), tt.files...)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, status, body, tt.status, tt.want)
		}
		if status != 200 && k.files() != before {
			t.Errorf("%s: %d files were left", tt.name, k.files()-before)
		}
	}
	if status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", "x", "platform", "android", "build", "1"}, ok); status != 401 || body != `{"result":"App does not exist"}` {
		t.Errorf("wrong key: %d %s", status, body)
	}
	if r := k.s.Get("/i/crash_symbols/upload_symbol", "app_key", k.a.Key, "platform", "android", "build", "1"); r.Status != 400 {
		t.Errorf("GET: %d %s", r.Status, r.Body)
	}
}

// TestOtherPlatform changes the platform of symbols that are open, and back.
func TestOtherPlatform(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	id := k.crash(obfuscated, "Android", "2.0")
	symbol := k.add("android", "2.0", sent{"symbols", "mapping.txt", mapping})
	for platform, want := range map[string]string{"android": retraced, "javascript": obfuscated, "Android": retraced} {
		k.s.Admin("/i/crash_symbols/edit_symbol", "app_id", k.a.ID, "symbol_id", symbol, "platform", platform)
		if g := k.group(id); g["error"] != want {
			t.Errorf("%s: error is %v", platform, g["error"])
		}
	}
}

// TestTooManyClasses uploads a mapping that names more classes than are held.
func TestTooManyClasses(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", k.a.Key, "platform", "android", "build", "1"},
		sent{"symbols", "a.gz", gzipped(t, strings.Repeat("a -> b:\n", 500_001))})
	if status != 200 || !strings.Contains(body, "too large: more than 500000 classes") {
		t.Errorf("%d %s", status, body)
	}
}

// TestForeignSymbols names symbols and groups of another app.
func TestForeignSymbols(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	id := k.crash(obfuscated, "Android", "2.0")
	own := k.a
	k.a = k.s.CreateApp("other", "UTC")
	foreign := k.add("android", "2.0", sent{"symbols", "mapping.txt", mapping})
	k.a = own
	if g := k.group(id); g["error"] != obfuscated {
		t.Errorf("foreign symbols are used: %v", g["error"])
	}
	if r := k.symbolicate(id, foreign); r.Status != 400 || r.Body != `{"result":"Could not find symbol file"}` {
		t.Errorf("symbolicate: %d %s", r.Status, r.Body)
	}
	at := []string{"api_key", k.s.Key, "app_id", k.a.ID}
	for path, pairs := range map[string][]string{
		"/o":                             {"method", "download_symbol", "symbol_id", foreign},
		"/i/crash_symbols/remove_symbol": {"id", foreign},
		"/i/crash_symbols/edit_symbol":   {"symbol_id", foreign, "note", "x"},
	} {
		if r := k.s.Post(path, append(at, pairs...)...); r.Status != 404 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	if r := k.s.Post("/i/crash_symbols/symbolicatation_result", "jobId", "1", "symbRes", "x"); r.Status != 400 || r.Body != `{"result":"Cannot find job with provided id"}` {
		t.Errorf("result: %d %s", r.Status, r.Body)
	}
}

// TestAtOnce uploads, reads and deletes at the same time, and then deletes the app: no file is left, and nobody gets an error.
func TestAtOnce(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	id := k.crash(obfuscated, "Android", "2.0")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			symbol := k.add("android", "2.0", sent{"symbols", "mapping.gz", gzipped(t, mapping)})
			if text := k.group(id)["error"]; text != retraced && text != obfuscated {
				t.Errorf("error is %v", text)
			}
			k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", symbol)
		})
	}
	wg.Wait()
	if n := k.files(); n != 0 {
		t.Errorf("%d files are left", n)
	}
	k.add("android", "2.0", sent{"symbols", "mapping.txt", mapping})
	if err := os.WriteFile(filepath.Join(k.dir, "files", "symbols", "left-behind"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	k.s.Admin("/i/apps/delete", "args", fmt.Sprintf(`{"app_id":%q}`, k.a.ID))
	if n := k.files(); n != 1 {
		t.Errorf("%d files after the app was deleted", n)
	}
}

// TestServerOfItsOwn answers the tests of a symbolication server: none is needed.
func TestServerOfItsOwn(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	for name, want := range map[string]string{
		"connection": "true", "key": "true", "return_connection": "true", "endpoints": `[{"value":"ok"},{"value":"ok"},{"value":"ok"},{"value":"ok"}]`,
	} {
		if got := k.s.Admin("/o/symbolication/test_symbolication_"+name, "server_url", "http://127.0.0.1:1"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if r := k.s.Get("/i/crash_symbols/symbolicatation_result", "symbolication_test", "1"); r.Body != `{"msg":"priviet"}` {
		t.Errorf("test of the address for results: %d %s", r.Status, r.Body)
	}
}

// TestLateSymbols sends a crash of an obfuscated build and of one that is not: they are one group once the symbols have arrived.
func TestLateSymbols(t *testing.T) {
	t.Parallel()
	k := newKit(t, symbolication.Config{})
	plain := k.crash(retraced, "Android", "3.0")
	if other := k.crash(obfuscated, "Android", "2.0"); other == plain {
		t.Fatal("they are one group already")
	}
	k.add("android", "2.0", sent{"symbols", "mapping.txt", mapping})
	var table struct{ AaData []object }
	for range 2000 {
		testkit.Decode(k, k.o("crashes"), &table)
		if len(table.AaData) == 1 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if len(table.AaData) != 1 || table.AaData[0]["_id"] != plain || table.AaData[0]["reports"] != 2.0 {
		t.Fatalf("groups with symbols: %v", table.AaData)
	}
	k.at = k.at.Add(time.Minute)
	k.s.Clock().Set(k.at)
	k.s.Ingest(k.a, "e", "timestamp", fmt.Sprint(k.at.UnixMilli()), "crash", fmt.Sprintf(`{"_error":%q,"_os":"Android","_app_version":"2.0"}`, obfuscated))
	k.s.Flush()
	if testkit.Decode(k, k.o("crashes"), &table); len(table.AaData) != 1 || table.AaData[0]["reports"] != 3.0 {
		t.Errorf("a later report: %v", table.AaData)
	}
}
