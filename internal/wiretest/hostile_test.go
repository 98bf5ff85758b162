package wiretest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// nasty are values that no argument should have.
func nasty() map[string]string {
	return map[string]string{
		"null": `null`, "true": `true`, "number": `5`, "negative": `-1.5`, "huge number": `1e400`, "long number": strings.Repeat("9", 400), "NaN": `NaN`,
		"list": `[]`, "lists": `[[[]],null,{"$gt":""}]`, "object": `{}`, "operator": `{"$ne":null,"$where":"sleep(1000)"}`,
		"proto": `{"__proto__":{"global_admin":true},"constructor":{"prototype":{"x":1}}}`, "broken JSON": `{"a":`, "NUL": "a\x00b%s%n",
		"NUL escape": `{"app_id":"\u0000","name":"\u0000"}`, "invalid UTF-8": "\xff\xfe{\x80", "lone surrogate": `"\ud800"`,
		"deep list": strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), "deep object": strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"deep enough": strings.Repeat("[", 190) + strings.Repeat("]", 190),
		"sql":         `'; DROP TABLE events; --`, "sql list": `["' OR 1=1 --","\"; DROP"]`, "html": `<script>{{7*7}}</script>`, "csv": `=HYPERLINK("http://x","y")`,
		"path": `../../../../etc/passwd`, "newlines": "a\r\nSet-Cookie: x=y", "long": strings.Repeat("x", 100_000), "regex": `(a+)+$(`,
		"regex filter": `{"did":{"$regex":"(a+)+$("}}`, "unicode": "\u202e\u0000\ufeff\U0010ffff", "wide": `{` + manyPairs(5000) + `}`,
		"odd filters": `{"did":{"$regex":null,"$in":"x","$not":5},"$and":"x","$or":[null]}`,
	}
}

func manyPairs(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%d":%d`, i, i)
	}
	return b.String()
}

// paramsOf are all parameters that some route reads.
func paramsOf() []string {
	return []string{
		"args", "data", "query", "update", "events", "event", "event_map", "event_order", "event_overview", "omitted_segments", "whitelisted_segments",
		"set_visibility", "period", "timezone", "timestamp", "metric", "metrics", "segmentation", "bucket", "overview", "action", "sEcho", "iDisplayStart",
		"iDisplayLength", "iSortCol_0", "sSortDir_0", "sSearch", "sort", "uid", "did", "_id", "id", "notes_apps", "note_id", "note_type", "category", "token",
		"tokenid", "ttl", "apps", "template_id", "platformType", "uniqueUserCount", "behavior", "users", "environment_name", "environment_id", "endpoint", "endpointquery", "multi", "purpose", "username", "password", "homeSettings", "loadFor", "tod_type",
		"date_range", "name", "limit", "update_status", "status", "force", "device_id", "app_key", "checksum", "parameter", "config",
	}
}

// TestWalkHostileArguments gives every route every nasty value in every parameter:
// never an answer of 500 and above, and never one that is no JSON.
func TestWalkHostileArguments(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "timestamp", noonMS, "events", `[{"key":"E","segmentation":{"s":"1"}}]`)
	s.Flush()
	before := method(s, a, "users")
	list := routes(t)
	slices.Reverse(list) // reads first: some list what was written
	values := nasty()
	names := slices.Sorted(maps.Keys(values))
	for i, r := range list {
		if r.name() == "/i/apps/reset" || r.name() == "/i/app_users/delete" { // they may do as they are told
			continue
		}
		for j, name := range names {
			if !r.changes() && (i+j)%2 == 0 { // reads share how they take arguments: half of the values each
				continue
			}
			v := values[name]
			base := []string{"api_key", s.Key, "app_id", a.ID}
			if r.method != "" {
				base = append(base, "method", r.method)
			}
			for _, p := range paramsOf() {
				if len(v) > 50_000 && p != "args" && p != "query" { // the long ones once or twice
					continue
				}
				base = append(base, p, v)
			}
			survives(t, r, name, s.Post(at(r), base...))
			if r.changes() && (strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[")) {
				body := `{"api_key":"` + s.Key + `","app_id":"` + a.ID + `","method":"` + r.method + `","args":` + v + `,"query":` + v + `,"update":` + v + `,"data":` + v + `}`
				survives(t, r, name+" as JSON", s.Do(http.MethodPost, at(r), strings.NewReader(body), "Content-Type", "application/json"))
			}
		}
		for f := range strings.FieldsSeq(fieldsOf(r.path)) {
			for _, v := range []string{`null`, `1e400`, `true`, `[null]`, `{"$ne":1}`, `"\u0000"`} {
				survives(t, r, f+" of "+v, s.Post(at(r), "api_key", s.Key, "app_id", a.ID, "args", argsWith(r.path, a, f, v)))
			}
		}
	}
	s.Flush()
	if after := method(s, a, "users"); after != before {
		t.Errorf("the data changed from\n%s\nto\n%s", before, after)
	}
	part(t, "the app lives on", s.Admin("/o/apps/mine"), `"`+a.ID+`"`, "admin_of", a.ID, "_id")
}

// fieldsOf are the fields of args that a route reads.
func fieldsOf(path string) string {
	for prefix, fields := range map[string]string{
		"/i/apps/":         "app_id name key country timezone category type salt checksum_salt locked paused",
		"/i/users/":        "user_id user_ids full_name username password email permission admin_of user_of global_admin locked lang",
		"/i/notes/save":    "app_id note ts noteType emails color category _id",
		"/i/event_groups/": "app_id name source_events display_map status description order _id",
	} {
		if strings.HasPrefix(path, prefix) {
			return fields
		}
	}
	return ""
}

// argsWith are args with which a write would succeed, but for one field.
func argsWith(path string, a testkit.TestApp, field, v string) string {
	fields := map[string]string{
		"app_id": `"` + a.ID + `"`, "name": `"n"`, "full_name": `"f"`, "username": `"u` + field + `"`, "password": `"` + password + `"`,
		"email": `"` + field + `@example.org"`, "source_events": `["E"]`, "user_id": `"` + unknownID + `"`,
	}
	if path == "/i/apps/delete" {
		fields["app_id"] = `"` + unknownID + `"`
	}
	fields[field] = v
	var pairs []string
	for k, v := range fields {
		pairs = append(pairs, `"`+k+`":`+v)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// broken reports whether an answer shows a fault that nobody foresaw. The wire
// has statuses of 500 and above with texts of their own for what it foresees.
func broken(r testkit.Response) bool {
	return r.Status >= 500 && (strings.Contains(r.Body, "Internal error") || !json.Valid([]byte(r.Body)))
}

// survives fails the test when an answer shows a fault of the server.
func survives(t *testing.T, r route, what string, got testkit.Response) {
	t.Helper()
	if broken(got) {
		t.Errorf("%s with %s: %d %.300s", r.name(), what, got.Status, got.Body)
	}
	if !strings.Contains(got.Header.Get("Content-Type"), "json") {
		return
	}
	if !json.Valid([]byte(got.Body)) {
		t.Errorf("%s with %s: no JSON: %.300s", r.name(), what, got.Body)
	}
}

// TestHostileSDK sends what no SDK would, between good requests: each good one
// is counted, and every request has an outcome.
func TestHostileSDK(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	good := 0
	fine := func() {
		good++
		s.Ingest(a, fmt.Sprintf("good%d", good), "begin_session", "1", "timestamp", noonMS, "events", `[{"key":"good"}]`)
	}
	fine()
	fields := []string{
		"events", "metrics", "user_details", "consent", "crash", "apm", "hc", "session_duration", "timestamp", "hour", "dow", "tz", "location", "city",
		"country_code", "ip_address", "old_device_id", "sdk_name", "sdk_version", "campaign_id", "av", "rr", "t", "aid", "begin_session", "end_session",
	}
	for name, v := range nasty() {
		for _, f := range fields {
			if f == "old_device_id" && strings.HasPrefix(v, "good") {
				continue
			}
			got := send(s, "app_key", a.Key, "device_id", "bad", f, v)
			if got.Status != 200 || dig(t, got.Body, "result") == nil {
				t.Errorf("%s of %s: %d %.200s", f, name, got.Status, got.Body)
			}
		}
		for _, q := range []string{"app_key", "device_id"} {
			pairs := []string{"app_key", a.Key, "device_id", "bad"}
			for i := range pairs {
				if pairs[i] == q {
					pairs[i+1] = v
				}
			}
			if got := send(s, pairs...); got.Status >= 500 {
				t.Errorf("%s of %s: %d %.200s", q, name, got.Status, got.Body)
			}
		}
		if got := s.Post("/i/bulk", "app_key", a.Key, "requests", v); got.Status >= 500 {
			t.Errorf("requests of %s: %d %.200s", name, got.Status, got.Body)
		}
		item := `[{"device_id":"bad","events":` + text(t, v) + `,"metrics":` + text(t, v) + `},{"device_id":` + text(t, v) + `}]`
		if got := s.Post("/i/bulk", "app_key", a.Key, "requests", item); got.Status != 200 {
			t.Errorf("items of %s: %d %.200s", name, got.Status, got.Body)
		}
	}
	fine()
	// Half of a request is good: what is valid counts.
	s.Ingest(a, "half", "timestamp", noonMS, "begin_session", "1", "events",
		`[5,null,{"key":5},{"key":"good","count":"x","sum":"y","dur":{},"segmentation":[1]},{"key":"good","segmentation":{"__proto__":"p","$set":"q","a.b":"r","":"s","deep":{"x":[{}]},"ok":"t"}},"x"]`)
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	s.Ingest(a, "deep", "timestamp", noonMS, "begin_session", "1", "events", `[{"key":"good","segmentation":{"d":`+deep+`,"ok":"t"}},{"key":"good"}]`,
		"user_details", `{"name":"Deep","custom":{"d":`+deep+`,"$set":{"x":1},"__proto__":{"y":1},"ok":"t"}}`)
	big := strings.Repeat("x", 10<<20)
	s.Ingest(a, "big", "timestamp", noonMS, "begin_session", "1", "events", `[{"key":"good","segmentation":{"big":"`+big+`","ok":"t"}}]`)
	s.Ingest(a, "names", "timestamp", noonMS, "begin_session", "1", "metrics", `{"_os":"'; DROP TABLE x; --","_device":"<script>","_carrier":"=1+1","_app_version":"\u0000"}`,
		"events", `[{"key":"good","segmentation":{"'; --":"\" OR 1=1","=1+1":"<b>"}}]`)
	fine()
	s.Flush()
	doc := method(s, a, "users")
	sessions, _ := dig(t, doc, "2031", "5", "14", "t").(float64)
	if int(sessions) < good+4 {
		t.Errorf("%v sessions, want %d and more: %.300s", sessions, good+4, doc)
	}
	part(t, "events", method(s, a, "events", "event", "good"), fmt.Sprint(good+2+2+1+1), "2031", "5", "14", "c")
	part(t, "what was valid", method(s, a, "events", "event", "good", "segmentation", "ok"), `3`, "2031", "5", "14", "t", "c")
	part(t, "details of the deep one", method(s, a, "user_details", "did", "deep"), `"Deep"`, "name")
	part(t, "and its property", method(s, a, "user_details", "did", "deep"), `"t"`, "custom", "ok")
	part(t, "names", method(s, a, "devices"), `1`, "2031", "5", "14", "&lt;script&gt;", "t")
	for _, name := range []string{"users", "devices", "device_details", "carriers", "get_events", "user_details", "langs", "sources", "browser", "density", "cities", "top_events"} {
		value(t, method(s, a, name))
	}
	outcomes := s.Admin("/o/ingest/outcomes", "app_id", a.ID, "period", "[0,9999999999999]")
	requests, _ := dig(t, outcomes, "totals", "request").(map[string]any)
	if requests["accepted"] == nil {
		t.Errorf("outcomes %.500s", outcomes)
	}
}

// TestHostileTransport breaks the rules of HTTP bodies.
func TestHostileTransport(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	many := strings.Repeat("x=1&", 100)
	var params strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&params, "p%d=1&", i)
	}
	huge := strings.Repeat("x", 21<<20)
	for name, c := range map[string]struct {
		path, body, kind, encoding string
		status                     int // 0 = any below 500
	}{
		"repeated parameters":         {"/o/ping?" + many, "", "", "", 200},
		"thousands of parameters":     {"/o/ping", params.String(), form[1], "", 413},
		"thousands to /i":             {"/i", params.String(), form[1], "", 413},
		"too large a body":            {"/o/ping", huge, form[1], "", 413},
		"too large a JSON body":       {"/o/ping", `{"x":"` + huge + `"}`, "application/json", "", 413},
		"too large a body to /i":      {"/i", huge, form[1], "", 413},
		"too large to /i/bulk":        {"/i/bulk", huge, form[1], "", 413},
		"broken JSON":                 {"/o/ping", `{"a":`, "application/json", "", 400},
		"JSON list":                   {"/o/ping", `[1,2]`, "application/json", "", 0},
		"deep JSON":                   {"/o/ping?api_key=" + s.Key, strings.Repeat(`{"a":`, 20_000), "application/json", "", 400},
		"deep JSON, complete":         {"/o/ping", `{"a":` + strings.Repeat(`[`, 900) + strings.Repeat(`]`, 900) + `}`, "application/json", "", 400},
		"many brackets":               {"/o/ping?api_key=" + s.Key, strings.Repeat("k[]=1&", 500_000), form[1], "", 200},
		"large, from nobody":          {"/o/ping", strings.Repeat("k[]=1&", 500_000), form[1], "", 413},
		"deep brackets":               {"/o/ping?a" + strings.Repeat("[x]", 5000) + "=1", "", "", "", 0},
		"multipart without boundary":  {"/o/ping", "x", "multipart/form-data", "", 400},
		"multipart cut":               {"/o/ping", "--q\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx", "multipart/form-data; boundary=q", "", 400},
		"a content type of nonsense":  {"/o/ping", "a=1", ";;;\"", "", 200},
		"gzip that is none":           {"/i", "not gzip", form[1], "gzip", 400},
		"an unknown encoding":         {"/i", "x", form[1], "br", 415},
		"NUL in the path":             {"/o/apps/%00", "", "", "", 400},
		"dots in the path":            {"/o/apps/..%2f..%2fusers/all", "", "", "", 400},
		"a long path":                 {"/" + strings.Repeat("a/", 5000), "", "", "", 400},
		"a long method":               {"/o?app_id=" + a.ID + "&api_key=" + s.Key + "&method=" + strings.Repeat("x", 5000), "", "", "", 400},
		"double slash":                {"//o//apps//mine", "", "", "", 0},
		"invalid UTF-8 in parameters": {"/o?app_id=%ff%fe&method=%c3%28&api_key=%80", "", "", "", 401},
	} {
		var header []string
		if c.kind != "" {
			header = append(header, "Content-Type", c.kind)
		}
		if c.encoding != "" {
			header = append(header, "Content-Encoding", c.encoding)
		}
		got := s.Do(http.MethodPost, c.path, strings.NewReader(c.body), header...)
		if got.Status >= 500 || c.status != 0 && got.Status != c.status {
			t.Errorf("%s: %d %.200s, want %d", name, got.Status, got.Body, c.status)
		}
	}
	for name, request := range map[string]string{
		"no such verb":     "FOO /o/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"lower-case verb":  "get /o/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"HTTP 1.0":         "GET /o/ping HTTP/1.0\r\n\r\n",
		"header injection": "GET /o/ping?x=%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
	} {
		if got := rawRequest(t, s, request); got.Status != 200 || got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %.200s %v", name, got.Status, got.Body, got.Header)
		}
	}
	if got := s.Get("/o/ping"); got.Body != success {
		t.Errorf("afterwards: %d %s", got.Status, got.Body)
	}
}

// TestSlashes sends a request to an address with several slashes in a row, as SDKs do whose server address ends with one: a redirect
// would keep it at the head of the queue of those that do not follow one with a body.
func TestSlashes(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	for _, path := range []string{"//i", "///i/bulk", "//o//sdk", "/i//bulk"} {
		body := testkit.Query("app_key", a.Key, "device_id", "d1", "begin_session", "1", "method", "sc", "requests", "[]")
		if res := s.Do(http.MethodPost, path, strings.NewReader(body), "Content-Type", "application/x-www-form-urlencoded"); res.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, res.Status, res.Body)
		}
	}
	if res := s.Do(http.MethodGet, "//elsewhere.example/%2Fx", nil); res.Status < http.StatusBadRequest || res.Header.Get("Location") != "" {
		t.Errorf("%d to %q", res.Status, res.Header.Get("Location"))
	}
}
