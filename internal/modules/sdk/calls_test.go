package sdk_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// accepts is how an SDK judges an answer.
type accepts int

const (
	// queue: the call is at the head of a queue. It is dropped when the status is 2xx and the body a JSON object with a
	// result that is not empty; until then nothing else is sent.
	queue accepts = iota
	// object and either: the call is made once. Its answer is used when the status is 2xx and the body a JSON object, or an array as well.
	object
	either
	// success: as object, and the result must be Success.
	success
	// error: the call is made once, and what it asks for does not exist: the SDK tells its host so.
	failure
	// page and file are loaded by a browser; a page that is not there must not be opened.
	page
	file
)

func (a accepts) ok(r testkit.Response) bool {
	var o map[string]any
	isObject := json.Unmarshal([]byte(r.Body), &o) == nil
	var list []any
	isList := json.Unmarshal([]byte(r.Body), &list) == nil
	good := r.Status >= 200 && r.Status < 300
	switch a {
	case queue:
		return good && isObject && o["result"] != nil && o["result"] != "" && o["result"] != false
	case object:
		return good && isObject
	case either:
		return good && (isObject || isList)
	case success:
		return good && o["result"] == "Success"
	case failure:
		return !good && isObject && o["result"] != nil
	case page:
		return r.Status == http.StatusNotFound && strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")
	case file:
		return good
	}
	return false
}

// The SDKs of the table.
const (
	web, node, bulk, java, cpp, android, ios, flutter = "web", "node", "node bulk", "java", "c++", "android", "ios", "flutter"
)

// calls are all calls that the public SDKs make, as of web 26.1, Node.js 24.10, Java 24.1, C++ 23.2, Android 26.1, iOS 26.1 and
// Flutter 24.11 (which calls by the Android and iOS ones): where each goes, with which parameters, and what the SDK does with the answer.
// %K is the key of the app.
var calls = []struct {
	name   string
	sdks   string
	method string // GET unless told; forms otherwise
	path   string
	params []string
	judge  accepts
	want   string // body; "" = any that the SDK accepts
}{
	// Queues. All SDKs but C++ tell how many requests remain.
	{"a session", "web node java c++ android ios flutter", "GET", "/i", []string{"begin_session", "1", "metrics", `{"_os":"iOS"}`, "rr", "4"}, queue, `{"result":"Success"}`},
	{"a session without rr", cpp, "GET", "/i", []string{"begin_session", "1", "metrics", `{"_os":"Linux"}`}, queue, `{"result":"Success"}`},
	{"events by POST", "web node java c++ android ios", "POST", "/i", []string{"events", `[{"key":"a","count":1}]`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"parameters in the address of a POST", web, "POST?", "/i", []string{"events", `[]`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"a checksum that nobody asked for", android, "GET", "/i", []string{"session_duration", "5", "rr", "0", "checksum256", "00"}, queue, `{"result":"Success"}`},
	{"a crash", "web node java c++ android ios", "POST", "/i", []string{"crash", `{"_error":"x"}`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"a picture", web, "FILE user_details[picture]", "/i", []string{"user_details", `{"name":"x"}`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"a picture", android, "FILE file", "/i", []string{"user_details", `{"name":"x"}`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"a picture", java, "FILE binaryFile", "/i", []string{"user_details", `{"name":"x"}`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"consent, location, push token, attribution", "web android ios", "GET", "/i", []string{"consent", `{"push":true}`, "location", "", "token_session", "1", "android_token", "t", "aid", `{"adid":"x"}`, "rr", "1"}, queue, `{"result":"Success"}`},
	{"another device id", "web node java c++ android ios", "GET", "/i", []string{"old_device_id", "before", "rr", "1"}, queue, `{"result":"Success"}`},
	{"performance", "web android ios", "POST", "/i", []string{"apm", `{"type":"device","name":"x","apm_metrics":{"duration":1}}`, "rr", "1"}, queue, `{"result":"Success"}`},
	{"a request of the host's own", "web android ios flutter", "GET", "/i", []string{"anything", "1", "rr", "1"}, queue, `{"result":"Success"}`},
	{"a request of the host's own to a method", "android ios", "GET", "/i", []string{"method", "tomorrow", "rr", "1"}, queue, `{"result":"Success"}`},
	{"requests in bulk", bulk, "POST", "/i/bulk", []string{"requests", `[{"device_id":"d","app_key":"%K","begin_session":1}]`}, queue, `{"result":"Success"}`},
	{"a device without id", "web node", "GET", "/i", []string{"device_id", "undefined", "rr", "1"}, queue, `{"result":"Ignoring device_id"}`},
	{"a device with an empty id", "java android ios", "GET", "/i", []string{"device_id", "", "rr", "1"}, queue, `{"result":"Ignoring device_id"}`},
	{"enrolment", "java android ios", "GET", "/o/sdk", []string{"method", "ab", "keys", `["k"]`, "rr", "0"}, queue, `{"result":"Successfully enrolled in ab tests"}`},
	{"enrolment by POST", ios, "POST", "/o/sdk", []string{"method", "ab", "keys", `["k"]`, "rr", "0"}, queue, `{"result":"Successfully enrolled in ab tests"}`},
	{"enrolment without keys", ios, "GET", "/o/sdk", []string{"method", "ab", "rr", "0"}, queue, `{"result":"Missing Keys"}`},
	{"enrolment of a device with an empty id", android, "GET", "/o/sdk", []string{"method", "ab", "keys", `["k"]`, "device_id", "", "rr", "0"}, queue, `{"result":"Ignoring device_id"}`},
	{"leaving tests", "java android ios", "GET", "/i", []string{"method", "ab_opt_out", "keys", `["k"]`, "rr", "0"}, queue, `{"result":"Success"}`},
	{"leaving all tests", "java android ios", "GET", "/i", []string{"method", "ab_opt_out", "rr", "0"}, queue, `{"result":"Success"}`},
	{"an address of tomorrow", "java android ios", "GET", "/o/sdk/tomorrow", []string{"rr", "0"}, queue, `{"result":"Invalid path"}`},
	{"a method of tomorrow", "java android ios", "GET", "/o/sdk", []string{"method", "tomorrow", "rr", "0"}, queue, `{"result":"Invalid method"}`},
	{"a read in a queue", "android ios", "GET", "/o/sdk", []string{"method", "rc", "rr", "0"}, queue, `{"result":"Success"}`},

	// Calls that are made once.
	{"settings", "web android ios", "GET", "/o/sdk", []string{"method", "sc"}, object, `{"v":2,"t":1936517400000,"c":{}}`},
	{"remote config", "web java android ios", "GET", "/o/sdk", []string{"method", "rc", "metrics", `{"_os":"iOS"}`, "oi", "1"}, object, `{}`},
	{"remote config of some keys", "web java android ios", "GET", "/o/sdk", []string{"method", "rc", "keys", `["a"]`, "oi", "0"}, object, `{}`},
	{"remote config of old", "web node c++ android ios", "GET", "/o/sdk", []string{"method", "fetch_remote_config", "omit_keys", `["a"]`}, object, `{}`},
	{"remote config by POST", "web node c++", "POST", "/o/sdk", []string{"method", "fetch_remote_config"}, object, `{}`},
	{"enrolment", web, "GET", "/o/sdk", []string{"method", "ab", "keys", `["k"]`}, either, `{"result":"Successfully enrolled in ab tests"}`},
	{"variants", "android ios", "GET", "/o/sdk", []string{"method", "ab_fetch_variants"}, object, `{}`},
	{"experiments", "android ios", "GET", "/o/sdk", []string{"method", "ab_fetch_experiments"}, either, `[]`},
	{"enrolment into a variant", "android ios", "GET", "/i", []string{"method", "ab_enroll_variant", "key", "k", "variant", "v"}, success, `{"result":"Success"}`},
	{"widgets there are", "web java android ios", "GET", "/o/sdk", []string{"method", "feedback"}, object, `{"result":[]}`},
	{"content", "web android ios", "GET", "/o/sdk/content", []string{"method", "queue", "resolution", `{"l":{"w":2,"h":1},"p":{"w":1,"h":2}}`, "la", "en", "dt", "phone"}, either, `{"result":"No content block found!"}`},
	{"health", "web android ios", "GET", "/i", []string{"hc", `{"el":0,"wl":0}`, "metrics", `{"_app_version":"1"}`}, object, `{"result":"Success"}`},
	{"a rating widget", "web android ios", "GET", "/o/feedback/widget", []string{"widget_id", "67a3d2f5c1a23b0f4d6c0201"}, failure, `{"result":"Widget not found."}`},
	{"rating widgets", web, "GET", "/o/feedback/multiple-widgets-by-id", []string{"widgets", `["67a3d2f5c1a23b0f4d6c0201"]`}, either, `[]`},
	{"a survey", "web java android ios", "GET", "/o/surveys/survey/widget", []string{"widget_id", "67a3d2f5c1a23b0f4d6c0201", "shown", "1"}, failure, `{"result":"Widget not found."}`},
	{"an NPS survey", "web java android ios", "GET", "/o/surveys/nps/widget", []string{"widget_id", "67a3d2f5c1a23b0f4d6c0201", "shown", "1"}, failure, `{"result":"Widget not found."}`},
	{"a rating", "web java android ios", "GET", "/o/surveys/rating/widget", []string{"widget_id", "67a3d2f5c1a23b0f4d6c0201", "shown", "1"}, failure, `{"result":"Widget not found."}`},
	{"the page of a rating widget", "android ios", "GET", "/feedback", []string{"widget_id", "x"}, page, ""},
	{"the page of a survey", "web java android ios", "GET", "/feedback/survey", []string{"widget_id", "x"}, page, ""},
	{"the page of an NPS survey", "web java android ios", "GET", "/feedback/nps", []string{"widget_id", "x"}, page, ""},
	{"the page of a rating", "web java android ios", "GET", "/feedback/rating", []string{"widget_id", "x"}, page, ""},
	{"whether a page is there", android, "HEAD", "/feedback/nps", []string{"widget_id", "x"}, page, ""},
	{"what a user answers to a rating", web, "GET", "/i/feedback/input", []string{"events", `[{"key":"[CLY]_star_rating","count":1,"segmentation":{"rating":4,"widget_id":"w"}}]`}, object, `{"result":"Success"}`},
	{"what a user answers to a survey", web, "GET", "/i/feedback/inputs", []string{"events", `[{"key":"[CLY]_nps","count":1,"segmentation":{"rating":9,"widget_id":"w"}}]`}, object, `{"result":"Success"}`},
	{"the script of heat maps", web, "GET", "/views/heatmap.js", nil, file, ""},
	{"styles of ratings", web, "GET", "/star-rating/stylesheets/countly-feedback-web.css", nil, file, ""},
	{"styles of surveys", web, "GET", "/surveys/stylesheets/countly-surveys.css", nil, file, ""},
	{"an image in place of scripts", web, "GET", "/pixel.png", []string{"begin_session", "1"}, file, ""},
}

// TestCallsOfSDKs makes every call that the public SDKs make, and judges the answer as they do.
func TestCallsOfSDKs(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	seen := map[string]bool{}
	for _, c := range calls {
		t.Run(c.name+" of "+c.sdks, func(t *testing.T) {
			for sdk := range strings.FieldsSeq(strings.ReplaceAll(c.sdks, bulk, "bulk")) {
				seen[sdk] = true
			}
			r := send(t, s, a, c.method, c.path, c.params)
			if !c.judge.ok(r) || c.want != "" && r.Body != c.want {
				t.Errorf("%s %s %q: %d %s, want %s", c.method, c.path, c.params, r.Status, r.Body, c.want)
			}
		})
	}
	for _, sdk := range []string{web, node, "bulk", java, cpp, android, ios, flutter} {
		if !seen[sdk] {
			t.Errorf("no call of %s", sdk)
		}
	}
}

// send makes a call of the table for an app.
func send(tb testing.TB, s *testkit.Server, a testkit.TestApp, method, path string, params []string) testkit.Response {
	tb.Helper()
	all := []string{"app_key", a.Key, "device_id", "d"}
	for i := 0; i+1 < len(params); i += 2 {
		if params[i] == "device_id" {
			all = all[:2]
		}
	}
	for _, p := range params {
		all = append(all, strings.ReplaceAll(p, "%K", a.Key))
	}
	field, isFile := strings.CutPrefix(method, "FILE ")
	switch {
	case isFile:
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(field, "me.png")
		if err != nil {
			tb.Fatal(err)
		}
		_, _ = part.Write([]byte("\x89PNG\r\n\x1a\n"))
		for i := 0; i+1 < len(all); i += 2 {
			_ = w.WriteField(all[i], all[i+1])
		}
		_ = w.Close()
		return s.Do(http.MethodPost, path, &body, "Content-Type", w.FormDataContentType())
	case method == "POST":
		return s.Post(path, all...)
	case method == "POST?":
		return s.Do(http.MethodPost, path+"?"+testkit.Query(all...), nil)
	}
	return s.Do(method, path+"?"+testkit.Query(all...), nil)
}

// TestDirectCallsGetErrors has the errors of the protocol for calls that come from no queue.
func TestDirectCallsGetErrors(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	known := []string{"app_key", a.Key, "device_id", "d"}
	with := func(pairs ...string) []string { return append(known[:4:4], pairs...) }
	for _, c := range []struct {
		path   string
		pairs  []string
		status int
		body   string
	}{
		{"/o/sdk", nil, 400, `{"result":"Missing parameter \"app_key\" or \"device_id\""}`},
		{"/o/sdk", []string{"method", "sc"}, 400, `{"result":"Missing parameter \"app_key\" or \"device_id\""}`},
		{"/i/sdk", nil, 400, `{"result":"Missing parameter \"app_key\" or \"device_id\""}`},
		{"/o/sdk/content", nil, 400, `{"result":"Missing parameter \"app_key\" or \"device_id\""}`},
		{"/o/sdk", []string{"app_key", "x", "device_id", "d", "rr", "0"}, 400, `{"result":"App does not exist"}`},
		{"/o/sdk/content", []string{"app_key", "x", "device_id", "d"}, 400, `{"result":"App does not exist"}`},
		{"/i/feedback/input", []string{"app_key", "x", "device_id", "d"}, 400, `{"result":"App does not exist"}`},
		{"/o/sdk", known, 400, `{"result":"Invalid method"}`},
		{"/o/sdk", with("method", "nope"), 400, `{"result":"Invalid method"}`},
		{"/i/sdk", with("method", "nope"), 400, `{"result":"Invalid method"}`},
		{"/o/sdk", with("method", "ab"), 400, `{"result":"Missing Keys"}`},
		{"/o/sdk", with("method", "ab", "keys", "[]"), 400, `{"result":"Missing Keys"}`},
		{"/o/sdk", with("method", "ab", "keys", "x"), 400, `{"result":"Missing Keys"}`},
		{"/i/sdk", with("method", "ab_enroll_variant"), 400, `{"result":"Invalid request, key is missing"}`},
		{"/o/sdk", []string{"app_key", a.Key, "device_id", "undefined", "method", "sc"}, 200, `{"result":"Ignoring device_id"}`},
		{"/o/sdk/content", with("resolution", "x"), 400, `"Invalid resolution format"`},
		{"/o/sdk/content", known, 400, `"Invalid resolution format"`},
		{"/o/sdk/nope", known, 400, `{"result":"Invalid path"}`},
		{"/o/sdk/nope", []string{"app_key", "x", "rr", "0"}, 400, `{"result":"Invalid path"}`},
		{"/i/sdk/nope", known, 400, `{"result":"Invalid path"}`},
		{"/i/feedback/nope", known, 400, `{"result":"Invalid path"}`},
		{"/i/feedback/input", known, 400, `{"result":"invalid_event_request"}`},
		{"/i/feedback/input", with("events", `[{"key":"a"}]`), 400, `{"result":"invalid_event_request"}`},
		{"/i/feedback/input", with("events", `[{"key":"[CLY]_star_rating"},{"key":"[CLY]_star_rating"}]`), 400, `{"result":"invalid_event_request"}`},
		{"/i/feedback/inputs", with("events", `[{"key":"[CLY]_nps"},{"key":"a"}]`), 400, `{"result":"invalid_event_request"}`},
		{"/i/feedback/inputs", with("events", `[]`), 400, `{"result":"invalid_event_request"}`},
		{"/o/feedback/widget", nil, 400, `{"result":"Missing parameter \"widget_id\""}`},
		{"/o/feedback/multiple-widgets-by-id", nil, 500, `{"result":"You should provide widget ids array."}`},
		{"/o/surveys/nps/widget", nil, 400, `{"result":"Missing parameter \"widget_id\" or \"widget_ids\""}`},
		{"/o/surveys/survey/widget", []string{"widget_ids", "a,b"}, 404, `{"result":"Widget not found."}`},
	} {
		if r := s.Get(c.path, c.pairs...); r.Status != c.status || r.Body != c.body {
			t.Errorf("%s %q: %d %s, want %d %s", c.path, c.pairs, r.Status, r.Body, c.status, c.body)
		}
	}
}

// TestCallsAreKept looks at what becomes of calls: those that bring something are rows, unknown ones are counted.
func TestCallsAreKept(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	var n int
	call := func(path string, pairs ...string) {
		t.Helper()
		n++
		all := append([]string{"app_key", a.Key, "device_id", "d", "timestamp", "19365174" + strings.Repeat("0", 3) + string(rune('0'+n/10)) + string(rune('0'+n%10))}, pairs...)
		if r := s.Get(path, all...); r.Status != http.StatusOK {
			t.Fatalf("%s %q: %d %s", path, pairs, r.Status, r.Body)
		}
	}
	call("/o/sdk", "method", "ab", "keys", `["a","b"]`, "metrics", `{"_os":"iOS"}`)
	call("/i/sdk", "method", "ab_opt_out")
	call("/i", "method", "ab_enroll_variant", "key", "k", "variant", "v")
	call("/i/feedback/input", "events", `[{"key":"[CLY]_star_rating","segmentation":{"rating":5,"widget_id":"w1"}}]`, "user_details", `{"name":"not taken"}`)
	call("/i/feedback/inputs", "events", `[{"key":"[CLY]_nps","segmentation":{"rating":9,"widget_id":"w2"}}]`)
	call("/i", "method", "nope")                                         // nothing but an unknown call
	call("/i", "method", "nope", "events", `[{"key":"kept","count":1}]`) // what comes beside it is taken
	call("/o/sdk", "method", "nope", "rr", "0")
	call("/o/sdk/nope", "rr", "0")
	call("/o/sdk", "method", "rc") // a read is no request that is received
	if r := s.Get("/o/sdk", "app_key", a.Key, "device_id", "d", "method", "nope"); r.Status != http.StatusBadRequest {
		t.Errorf("unknown method: %d %s", r.Status, r.Body)
	}
	s.Flush()

	var out struct{ Totals map[string]map[string]int64 }
	testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID), &out)
	if got := out.Totals["request"]; got["accepted"] != 6 || got["unknown_call"] != 4 || len(got) != 2 {
		t.Errorf("requests %v, want 6 accepted and 4 unknown", got)
	}
	if got := out.Totals["event"]; got["accepted"] != 3 || len(got) != 1 {
		t.Errorf("events %v, want 3 accepted", got)
	}
	rows := s.Admin("/o/export/db", "collection", "drill_events", "db", "countly_drill", "query", `{"a":"`+a.ID+`"}`, "type", "json")
	for _, want := range []string{`"[CLY]_sdk_call"`, `"ab"`, `["a","b"]`, `"ab_opt_out"`, `"ab_enroll_variant"`, `"[CLY]_star_rating"`, `"w1"`, `"[CLY]_nps"`, `"w2"`, `"kept"`} {
		if !strings.Contains(rows, want) {
			t.Errorf("rows have no %s: %s", want, rows)
		}
	}
	if strings.Contains(s.Admin("/o", "method", "get_events", "app_id", a.ID), "CLY") {
		t.Error("calls are listed as events")
	}
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","timezone":"Asia/Tokyo"}`) // counts all rows again
	s.Flush()
	if report, err := s.App().Verify(t.Context(), verify.Options{}); err != nil || !report.OK() {
		t.Errorf("verify: %v, %v", report, err)
	}
}

// TestCallsOfSaltedApps has signatures checked, except of answers in the pages of widgets, which have no salt.
func TestCallsOfSaltedApps(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"pepper"}`)
	base := testkit.Query("app_key", a.Key, "device_id", "d", "method", "ab", "keys", `["signed"]`, "timestamp", "1936517400123", "rr", "0")
	signed := base + "&checksum256=" + sum256(base+"pepper")
	for _, c := range []struct{ name, method, path, body, want string }{
		{"unsigned", "GET", "/o/sdk?" + base, "", `{"result":"Request does not have checksum"}`},
		{"wrongly signed", "GET", "/o/sdk?" + base + "&checksum256=00", "", `{"result":"Request does not match checksum"}`},
		{"unsigned content", "GET", "/o/sdk/content?" + base, "", `{"result":"Request does not have checksum"}`},
		{"signed", "POST", "/o/sdk?keys=%5B%22beside%22%5D", signed, `{"result":"Successfully enrolled in ab tests"}`},
		{"signed again", "GET", "/o/sdk?" + signed, "", `{"result":"Success","info":"Request ignored: Duplicate request"}`},
		{
			"answer", "GET", "/i/feedback/input?" + testkit.Query("app_key", a.Key, "device_id", "d", "events", `[{"key":"[CLY]_star_rating","count":1}]`, "begin_session", "1"), "",
			`{"result":"Success"}`,
		},
	} {
		r := s.Do(c.method, c.path, strings.NewReader(c.body), "Content-Type", "application/x-www-form-urlencoded")
		if r.Status != http.StatusOK || r.Body != c.want {
			t.Errorf("%s: %d %s, want 200 %s", c.name, r.Status, r.Body, c.want)
		}
	}
	s.Flush()
	rows := s.Admin("/o/export/db", "collection", "drill_events", "db", "countly_drill", "query", `{"a":"`+a.ID+`"}`, "type", "json")
	if !strings.Contains(rows, "signed") || strings.Contains(rows, "beside") || strings.Contains(rows, "session_begin") {
		t.Errorf("rows: %s", rows)
	}
}

// TestCallsOfPausedApps are refused where they would be kept.
func TestCallsOfPausedApps(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","paused":true}`)
	for _, pairs := range [][]string{{"/o/sdk", "method", "ab", "keys", `["k"]`}, {"/i/feedback/inputs", "events", `[{"key":"[CLY]_nps"}]`}} {
		r := s.Get(pairs[0], append([]string{"app_key", a.Key, "device_id", "d"}, pairs[1:]...)...)
		if r.Status != http.StatusBadRequest || r.Body != `{"result":"App is currently not accepting data"}` {
			t.Errorf("%s: %d %s", pairs[0], r.Status, r.Body)
		}
	}
}

func sum256(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
