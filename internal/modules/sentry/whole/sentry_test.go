// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"quipu/internal/app"
	"quipu/internal/modules/sentry"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type object = map[string]any

type kit struct {
	*testing.T
	s *testkit.Server
	a testkit.TestApp
}

func newKit(t *testing.T, cfg sentry.Config) *kit {
	t.Helper()
	k := &kit{T: t}
	k.s = testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		if cfg != (sentry.Config{}) {
			c.Modules = map[string]any{"sentry": cfg}
		}
	}))
	k.a = k.s.CreateApp("shop", "UTC")
	return k
}

// event is an event as @sentry/browser sends it.
const event = `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","timestamp":%d.5,"platform":"javascript","level":"error","release":"shop@2.1.0+77","environment":"production",
"exception":{"values":[{"type":"RangeError","value":"cause","stacktrace":{"frames":[{"function":"deep","filename":"https://shop.example/app.js","lineno":7,"colno":3}]}},
{"type":"TypeError","value":"x is not a function","mechanism":{"type":"onerror","handled":false},"stacktrace":{"frames":[
{"function":"main","filename":"https://shop.example/app.js","abs_path":"https://shop.example/app.js","lineno":1,"colno":2},{"function":"pay","filename":"https://shop.example/app.js","lineno":1,"colno":9}]}}]},
"breadcrumbs":[{"timestamp":%d,"category":"ui.click","message":"button#pay","level":"info"},{"timestamp":"2031-05-14T09:29:59Z","type":"http","category":"fetch","data":{"url":"/pay","status_code":500}}],
"user":{"id":"u1","email":"ada@example.com","username":"ada"},"tags":{"plan":"pro"},"contexts":{"os":{"name":"Windows","version":"11"},"device":{"memory_size":2147483648,"free_memory":1073741824,"battery_level":40}},
"request":{"url":"https://shop.example/cart"},"sdk":{"name":"sentry.javascript.browser","version":"10.0.0"}}`

func anEvent() string {
	return strings.ReplaceAll(fmt.Sprintf(event, start.Unix(), start.Unix()), "\n", "")
}

// envelope puts items together: a header and a payload each.
func envelope(parts ...string) string {
	return `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","sent_at":"2031-05-14T09:30:00Z"}` + "\n" + strings.Join(parts, "\n") + "\n"
}

// send sends an envelope with the key of the app in the query.
func (k *kit) send(body string, headers ...string) (int, string, http.Header) {
	k.Helper()
	r := k.s.Do(http.MethodPost, "/api/1/envelope/?sentry_version=7&sentry_key="+k.a.Key, strings.NewReader(body), headers...)
	return r.Status, r.Body, r.Header
}

func (k *kit) ok(body string, headers ...string) {
	k.Helper()
	if status, text, _ := k.send(body, headers...); status != http.StatusOK {
		k.Fatalf("envelope: %d %s", status, text)
	}
	k.s.Flush()
}

func (k *kit) o(method string, pairs ...string) string {
	k.Helper()
	return k.s.Admin("/o", append([]string{"method", method, "app_id", k.a.ID}, pairs...)...)
}

func (k *kit) groups() (out []object) {
	k.Helper()
	var table struct{ AaData []object }
	testkit.Decode(k, k.o("crashes"), &table)
	return table.AaData
}

func (k *kit) group(id any) (group, report object) {
	k.Helper()
	testkit.Decode(k, k.o("crashes", "group", id.(string)), &group)
	list, _ := group["data"].([]any)
	report, _ = list[0].(object)
	return group, report
}

// outcomes are the counts of the app by item and what became of it.
func (k *kit) outcomes() string {
	k.Helper()
	return k.s.Admin("/o/ingest/outcomes", "app_id", k.a.ID, "period", "30days")
}

// TestEvent sends an event, and reads the crash that it became.
func TestEvent(t *testing.T) {
	k := newKit(t, sentry.Config{})
	status, body, h := k.send(envelope(`{"type":"event"}`, anEvent()))
	if status != 200 || body != `{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}` || h.Get("Access-Control-Allow-Origin") != "*" {
		t.Fatalf("%d %s %v", status, body, h)
	}
	k.s.Flush()
	list := k.groups()
	if len(list) != 1 || list[0]["name"] != "TypeError: x is not a function" || list[0]["nonfatal"] != false || list[0]["os"] != "Windows" || list[0]["latest_version"] != "2.1.0" {
		t.Fatalf("groups: %v", list)
	}
	group, report := k.group(list[0]["_id"])
	const trace = "TypeError: x is not a function\n    at pay (https://shop.example/app.js:1:9)\n    at main (https://shop.example/app.js:1:2)\n" +
		"Caused by: RangeError: cause\n    at deep (https://shop.example/app.js:7:3)"
	if group["error"] != trace {
		t.Errorf("error is %q", group["error"])
	}
	custom, _ := report["custom"].(object)
	for name, want := range map[string]any{
		"app_build": "77", "view": "https://shop.example/cart", "ram_current": 1024.0, "ram_total": 2048.0, "bat_current": 40.0, "os_version": "11", "type": "onerror",
		"event_id": "9ec79c33ec9942ab8353589fcb2e04dc",
		"logs":     "2031-05-14T09:30:00.000Z [info] ui.click: button#pay\n2031-05-14T09:29:59.000Z fetch {\"url\":\"/pay\",\"status_code\":500}",
	} {
		if report[name] != want {
			t.Errorf("%s is %v, want %v", name, report[name], want)
		}
	}
	if custom["plan"] != "pro" || custom["environment"] != "production" || custom["level"] != "error" {
		t.Errorf("custom is %v", custom)
	}
	if r, err := k.s.App().Verify(t.Context(), verify.Options{}); err != nil || len(r.Differences) != 0 {
		t.Errorf("verify: %v, %v", r, err)
	}
}

// TestSymbols shows that events of Sentry's SDKs are symbolicated like all others.
func TestSymbols(t *testing.T) {
	k := newKit(t, sentry.Config{})
	e := `{"platform":"native","level":"fatal","exception":{"values":[{"type":"SIGSEGV","stacktrace":{"frames":[{"instruction_addr":"0x104001010","package":"/var/Shop"},{"instruction_addr":"0x104002020","function":"crash","symbol_addr":"0x104002000"}]}}]},` +
		`"debug_meta":{"images":[{"type":"macho","code_file":"/var/Shop","debug_id":"0c5d9fa1-c8b2-3d1f-b2f1-a0b1c2d3e4f5","image_addr":"0x104000000","image_size":65536}]}}`
	k.ok(envelope(`{"type":"event"}`, e))
	group, report := k.group(k.groups()[0]["_id"])
	if group["error"] != "SIGSEGV\nShop                           0x0000000104002020 crash + 32\nShop                           0x0000000104001010 0x104000000 + 4112" {
		t.Errorf("error is %q", group["error"])
	}
	if report["binary_images"] != `[{"end":"0x104010000","id":"0c5d9fa1-c8b2-3d1f-b2f1-a0b1c2d3e4f5","la":"0x104000000","name":"Shop"}]` || report["nonfatal"] != false {
		t.Errorf("report is %v", report)
	}
}

// TestScripts keeps the debug ids of scripts.
func TestScripts(t *testing.T) {
	k := newKit(t, sentry.Config{})
	e := `{"platform":"javascript","exception":{"values":[{"type":"TypeError","value":"x","stacktrace":{"frames":[{"filename":"https://shop.example/app.js","function":"n","lineno":1,"colno":9}]}}]},` +
		`"debug_meta":{"images":[{"type":"sourcemap","code_file":"https://shop.example/app.js","debug_id":"85314830-023f-4cf1-a267-535f4e37bb17"},{"type":"sourcemap","code_file":""},{"type":"sourcemap"}]}}`
	k.ok(envelope(`{"type":"event"}`, e))
	_, report := k.group(k.groups()[0]["_id"])
	if want := `[{"id":"85314830-023f-4cf1-a267-535f4e37bb17","name":"https://shop.example/app.js","type":"sourcemap"}]`; report["binary_images"] != want {
		t.Errorf("images are %v, want %s", report["binary_images"], want)
	}
}

// TestSessions begins and ends sessions, and counts those that crashed.
func TestSessions(t *testing.T) {
	k := newKit(t, sentry.Config{})
	at := func(seconds int) string { return start.Add(time.Duration(seconds) * time.Second).Format(time.RFC3339) }
	k.ok(envelope(`{"type":"session"}`, `{"sid":"s1","did":"u1","init":true,"started":"`+at(-60)+`","timestamp":"`+at(-60)+`","status":"ok","attrs":{"release":"shop@2.1.0"}}`))
	k.ok(envelope(`{"type":"session"}`, `{"sid":"s1","did":"u1","timestamp":"`+at(-30)+`","status":"ok","errors":1,"duration":30}`)) // changes nothing
	k.ok(envelope(`{"type":"event"}`, anEvent(), `{"type":"session"}`, `{"sid":"s1","did":"u1","timestamp":"`+at(0)+`","status":"crashed","errors":1,"duration":60}`))
	k.ok(envelope(`{"type":"session"}`, `{"sid":"s2","did":"u2","init":true,"started":"`+at(-5)+`","timestamp":"`+at(0)+`","status":"exited","duration":5,"attrs":{"release":"shop@2.1.0"}}`))
	var doc object
	testkit.Decode(t, k.o("users", "period", "30days"), &doc)
	day, _ := doc["2031"].(object)["5"].(object)["14"].(object)
	if day["t"] != 2.0 || day["u"] != 2.0 || day["d"] != 65.0 {
		t.Errorf("sessions of the day: %v", day)
	}
	if g := k.groups(); len(g) != 1 {
		t.Errorf("groups: %v", g)
	}
	if r, err := k.s.App().Verify(t.Context(), verify.Options{}); err != nil || len(r.Differences) != 0 {
		t.Errorf("verify: %v, %v", r, err)
	}
}

// TestAttachments keeps a dump and small texts with their crash, and says what it does not keep.
func TestAttachments(t *testing.T) {
	k := newKit(t, sentry.Config{})
	dump := "MDMP\x93\xa7\x00\x00" + strings.Repeat("\x00\n", 1000)
	big := strings.Repeat("x", 100_000)
	k.ok(envelope(
		fmt.Sprintf(`{"type":"attachment","length":%d,"filename":"a.dmp","attachment_type":"event.minidump"}`, len(dump)), dump,
		`{"type":"attachment","length":12,"filename":"notes.txt","content_type":"text/plain"}`, "first\nsecond",
		fmt.Sprintf(`{"type":"attachment","length":%d,"filename":"big.txt"}`, len(big)), big,
		fmt.Sprintf(`{"type":"event","length":%d}`, len(anEvent())), anEvent(),
	))
	_, report := k.group(k.groups()[0]["_id"])
	if report["binary_crash_dump"] != true {
		t.Errorf("report is %v", report)
	}
	text, _ := json.Marshal(report["attachments"])
	if want := `[{"name":"a.dmp","size":2008},{"name":"notes.txt","size":12,"text":"first\nsecond","type":"text/plain"},{"name":"big.txt","size":100000}]`; string(text) != want {
		t.Errorf("attachments are %s", text)
	}
	if r := k.s.Admin("/o/crashes/download_binary", "app_id", k.a.ID, "crash_id", report["_id"].(string)); r != dump {
		t.Errorf("download has %d bytes", len(r))
	}
}

func packed(t *testing.T, encoding, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "bare":
		w, _ = flate.NewWriter(&b, 6)
	case "br":
		w = brotli.NewWriter(&b)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDoors sends an event in every way that SDKs have.
func TestDoors(t *testing.T) {
	k := newKit(t, sentry.Config{})
	whole := envelope(`{"type":"event"}`, anEvent())
	n := 0.0
	for name, tt := range map[string]struct {
		path, body string
		headers    []string
	}{
		"query":         {"/api/1/envelope/?sentry_key=" + k.a.Key, whole, nil},
		"no slash":      {"/api/1/envelope?sentry_key=" + k.a.Key, whole, nil},
		"header":        {"/api/42/envelope/", whole, []string{"X-Sentry-Auth", "Sentry sentry_version=7, sentry_client=x/1, sentry_key=" + k.a.Key}},
		"authorization": {"/api/42/envelope/", whole, []string{"Authorization", "Sentry sentry_key=" + k.a.Key}},
		"dsn":           {"/api/42/envelope/", strings.Replace(whole, "{", `{"dsn":"https://`+k.a.Key+`@quipu.example/42",`, 1), nil},
		"gzip":          {"/api/1/envelope/?sentry_key=" + k.a.Key, packed(t, "gzip", whole), []string{"Content-Encoding", "gzip"}},
		"deflate":       {"/api/1/envelope/?sentry_key=" + k.a.Key, packed(t, "deflate", whole), []string{"Content-Encoding", "deflate"}},
		"bare deflate":  {"/api/1/envelope/?sentry_key=" + k.a.Key, packed(t, "bare", whole), []string{"Content-Encoding", "deflate"}},
		"brotli":        {"/api/1/envelope/?sentry_key=" + k.a.Key, packed(t, "br", whole), []string{"Content-Encoding", "br"}},
		"store":         {"/api/1/store/?sentry_key=" + k.a.Key, anEvent(), []string{"Content-Type", "application/json"}},
		"store, packed": {"/api/1/store/", packed(t, "gzip", anEvent()), []string{"Content-Encoding", "gzip", "X-Sentry-Auth", "Sentry sentry_key=" + k.a.Key}},
		"urlencoded":    {"/api/1/envelope/?sentry_key=" + k.a.Key, whole, []string{"Content-Type", "application/x-www-form-urlencoded"}},
	} {
		k.s.Clock().Set(start.Add(time.Duration(n) * time.Hour)) // not the same request again
		body := tt.body
		r := k.s.Do(http.MethodPost, tt.path, strings.NewReader(body), tt.headers...)
		if r.Status != 200 || r.Body != `{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}` {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
		n++
	}
	k.s.Flush()
	if g := k.groups(); len(g) != 1 || g[0]["reports"] != 1.0 {
		t.Errorf("%v", g) // the same event counts once
	}
}

// TestRefusals sends what is not taken. What is valid beside it is kept.
func TestRefusals(t *testing.T) {
	k := newKit(t, sentry.Config{MaxEnvelope: 1 << 20, MaxEvent: 100_000})
	bomb := packed(t, "gzip", strings.Repeat("a", 8<<20))
	key := "?sentry_key=" + k.a.Key
	for name, tt := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
	}{
		"no key":           {"POST", "/api/1/envelope/", envelope(`{"type":"event"}`, anEvent()), nil, 401},
		"wrong key":        {"POST", "/api/1/envelope/?sentry_key=x", envelope(`{"type":"event"}`, anEvent()), nil, 403},
		"wrong dsn":        {"POST", "/api/1/envelope/", `{"dsn":"https://x@y/1"}` + "\n", nil, 403},
		"GET":              {"GET", "/api/1/envelope/" + key, "", nil, 400},
		"no envelope":      {"POST", "/api/1/envelope/" + key, "hello", nil, 400},
		"empty":            {"POST", "/api/1/envelope/" + key, "", nil, 400},
		"NUL":              {"POST", "/api/1/envelope/" + key, "\x00{}\n", nil, 400},
		"deep header":      {"POST", "/api/1/envelope/" + key, strings.Repeat("[", 1000) + "\n", nil, 400},
		"too large":        {"POST", "/api/1/envelope/" + key, envelope(strings.Repeat("x", 2<<20)), nil, 413},
		"bomb":             {"POST", "/api/1/envelope/" + key, bomb, []string{"Content-Encoding", "gzip"}, 413},
		"bomb of brotli":   {"POST", "/api/1/envelope/" + key, packed(t, "br", strings.Repeat("a", 8<<20)), []string{"Content-Encoding", "br"}, 413},
		"torn":             {"POST", "/api/1/envelope/" + key, bomb[:500], []string{"Content-Encoding", "gzip"}, 400},
		"not packed":       {"POST", "/api/1/envelope/" + key, "hello", []string{"Content-Encoding", "br"}, 400},
		"unknown encoding": {"POST", "/api/1/envelope/" + key, "hello", []string{"Content-Encoding", "zstd"}, 400},
		"no JSON":          {"POST", "/api/1/store/" + key, "hello", nil, 400},
		"list":             {"POST", "/api/1/store/" + key, "[1]", nil, 400},
		"large event":      {"POST", "/api/1/store/" + key, `{"message":"` + strings.Repeat("x", 100_000) + `"}`, nil, 400},
	} {
		r := k.s.Do(tt.method, tt.path, strings.NewReader(tt.body), tt.headers...)
		if r.Status != tt.status || r.Status >= 400 && (r.Header.Get("X-Sentry-Error") == "" || !strings.Contains(r.Body, `"detail"`)) {
			t.Errorf("%s: %d %s, want %d", name, r.Status, r.Body, tt.status)
		}
	}
	for name, body := range map[string]string{
		"broken event":   envelope(`{"type":"event"}`, `{"message":`, `{"type":"event"}`, `{"message":"one `+"broken event"+`"}`),
		"unknown item":   envelope(`{"type":"replay_event"}`, `{}`, `{"type":"client_report"}`, `{}`, `{"type":"event"}`, `{"message":"one unknown item"}`),
		"length lies":    envelope(`{"type":"event"}`, `{"message":"one length lies"}`, `{"type":"event","length":100000}`, `{}`),
		"negative":       envelope(`{"type":"event"}`, `{"message":"one negative"}`, `{"type":"event","length":-1}`, `{}`),
		"header no JSON": envelope(`{"type":"event"}`, `{"message":"one header no JSON"}`, `{"type"`, `{}`),
		"wrong types":    envelope(`{"type":"event"}`, `{"message":"one wrong types","exception":7,"tags":[["a"],5,{"a":1}],"user":[],"contexts":"x","breadcrumbs":{"values":[null,1,{"data":7}]},"timestamp":[],"debug_meta":null}`),
		"many frames":    envelope(`{"type":"event"}`, `{"message":"one many frames","threads":[{"current":true,"stacktrace":{"frames":[`+strings.Repeat("{},", 20_000)+`{}]}}]}`),
	} {
		k.ok(body)
		found := false
		for _, g := range k.groups() {
			found = found || g["name"] == "one "+name
		}
		if !found {
			t.Errorf("%s: the valid event is lost", name)
		}
	}
	// Ten bodies that cannot be read, three events of the other door, four items; a replay and a report of the SDK.
	if text := k.outcomes(); !strings.Contains(text, `"totals":{"crash":{"accepted":7},"request":{"accepted":7,"malformed":17,"unknown_call":2}}`) {
		t.Errorf("outcomes: %s", text)
	}
}

// TestClosed sends to apps that take nothing, and reads when to come back.
func TestClosed(t *testing.T) {
	k := newKit(t, sentry.Config{})
	k.s.Admin("/i/apps/update", "args", fmt.Sprintf(`{"app_id":%q,"paused":true}`, k.a.ID))
	status, body, h := k.send(envelope(`{"type":"event"}`, anEvent()))
	if status != 429 || h.Get("Retry-After") != "60" || h.Get("X-Sentry-Rate-Limits") != "60::organization" {
		t.Errorf("paused: %d %s %v", status, body, h)
	}
	k.s.Admin("/i/apps/update", "args", fmt.Sprintf(`{"app_id":%q,"paused":false,"checksum_salt":"pepper"}`, k.a.ID))
	if status, body, _ := k.send(envelope(`{"type":"event"}`, anEvent())); status != 403 {
		t.Errorf("signed: %d %s", status, body)
	}
	if n := len(k.groups()); n != 0 {
		t.Errorf("%d groups", n)
	}
	r := k.s.Do(http.MethodOptions, "/api/1/envelope/", nil, "Origin", "https://shop.example", "Access-Control-Request-Headers", "x-sentry-auth")
	if r.Status != 204 || !strings.Contains(r.Header.Get("Access-Control-Allow-Headers"), "X-Sentry-Auth") {
		t.Errorf("preflight: %d %v", r.Status, r.Header)
	}
}

// TestMinidump uploads minidumps as Crashpad does, and as a part of an event that says nothing else.
func TestMinidump(t *testing.T) {
	k := newKit(t, sentry.Config{})
	f, err := os.Open("../../../symbols/minidump/testdata/linux-mini.dmp.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was read only
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dump, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	form := func(fields map[string]string, files map[string][]byte) (string, string) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		for name, v := range fields {
			if err := w.WriteField(name, v); err != nil {
				t.Fatal(err)
			}
		}
		for name, data := range files {
			p, err := w.CreateFormFile(name, name+".bin")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return w.FormDataContentType(), b.String()
	}
	post := func(kind, body string, headers ...string) (int, string) {
		r := k.s.Do(http.MethodPost, "/api/1/minidump/?sentry_key="+k.a.Key, strings.NewReader(body), append([]string{"Content-Type", kind}, headers...)...)
		k.s.Flush()
		return r.Status, r.Body
	}
	kind, body := form(map[string]string{"sentry": `{"release":"shop@4.5.6","tags":{"plan":"pro"}}`, "sentry[user][id]": "u1"}, map[string][]byte{"upload_file_minidump": dump, "log": []byte("text")})
	if status, text := post(kind, body); status != 200 || !regexp.MustCompile(`^\{"id":"[0-9a-f]{32}"\}$`).MatchString(text) {
		t.Fatalf("%d %s", status, text)
	}
	group, report := k.group(k.groups()[0]["_id"])
	if text, _ := group["error"].(string); !strings.HasPrefix(text, "SIGSEGV at 0x45\n\nThread 0 crashed:\n0   crash + 0x1d72\n1   libc-2.23.so + 0xf302d\n") || group["os"] != "Linux" {
		t.Errorf("%v %s", group["os"], text)
	}
	if custom, _ := report["custom"].(object); report["app_version"] != "4.5.6" || custom["plan"] != "pro" || report["nonfatal"] != false || report["binary_crash_dump"] != true {
		t.Errorf("report is %v", report)
	}
	for name, send := range map[string]func() (int, string){
		"a dump alone": func() (int, string) { return post("application/octet-stream", string(dump)) },
		"fields": func() (int, string) {
			return post(form(map[string]string{"sentry[release]": "shop@4.5.6"}, map[string][]byte{"upload_file_minidump": dump}))
		},
		"packed": func() (int, string) {
			kind, body := form(nil, map[string][]byte{"upload_file_minidump": dump})
			return post(kind, packed(t, "gzip", body), "Content-Encoding", "gzip")
		},
		"an envelope": func() (int, string) {
			status, text, _ := k.send(envelope(`{"type":"event"}`, `{"platform":"native","level":"fatal"}`,
				fmt.Sprintf(`{"type":"attachment","length":%d,"filename":"a.dmp","attachment_type":"event.minidump"}`, len(dump)), string(dump)))
			k.s.Flush()
			return status, text
		},
	} {
		if status, text := send(); status != 200 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if list := k.groups(); len(list) != 1 || list[0]["reports"] != 5.0 {
		t.Errorf("groups: %v", list)
	}
	none, noneBody := form(map[string]string{"sentry": "{}"}, map[string][]byte{"upload_file_minidump": []byte("PK")})
	empty, emptyBody := form(map[string]string{"sentry": "{}"}, nil)
	for name, tt := range map[string][2]string{
		"no dump": {none, noneBody}, "no file": {empty, emptyBody}, "no form": {"text/plain", "x"}, "cut": {kind, body[:len(body)/2]},
		"deep": {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"sentry" + strings.Repeat("[a]", 1000) + "\"\r\n\r\nx\r\n--x--\r\n"},
	} {
		if status, text := post(tt[0], tt[1]); status != 400 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if r := k.s.Do(http.MethodPost, "/api/1/minidump/", strings.NewReader(body), "Content-Type", kind); r.Status != 401 {
		t.Errorf("without a key: %d", r.Status)
	}
}
