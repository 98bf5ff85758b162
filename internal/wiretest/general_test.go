package wiretest_test

import (
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

const missingKey = `Missing parameter "api_key" or "auth_token"`

// TestParameters sends the same parameters in every way there is (wire.md 0.1).
func TestParameters(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	auth, args := "api_key="+s.Key, `{"app_id":"`+a.ID+`","note":"Grüße <b> & \"q\" 100%; a|b [x]","ts":`+noonMS+`,"noteType":"public"}`
	encoded := testkit.Query("args", args)
	multi := "--q\r\nContent-Disposition: form-data; name=\"args\"\r\n\r\n" + args + "\r\n--q--\r\n"
	jsonText := text(t, map[string]string{"args": args, "api_key": s.Key})
	ways := map[string]struct{ query, body, kind string }{
		"all in the query":            {auth + "&" + encoded, "", ""},
		"all in a form":               {"", auth + "&" + encoded, form[1]},
		"key in the query, args form": {auth, encoded, form[1]},
		"args in the query, key form": {encoded, auth, form[1]},
		"multipart":                   {auth, multi, "multipart/form-data; boundary=q"},
		"json object, args as text":   {"", jsonText, "application/json"},
		"json object, args as object": {"", `{"api_key":"` + s.Key + `","args":` + args + `}`, "application/json; charset=utf-8"},
		"json without a type":         {"", `{"api_key":"` + s.Key + `","args":` + args + `}`, ""},
		"json, key in the query":      {auth, `{"args":` + args + `}`, "application/json"},
		"text/plain form":             {"", auth + "&" + encoded, "text/plain;charset=UTF-8"},
		"empty pairs":                 {"&" + auth + "&&" + encoded + "&=&", "", ""},
	}
	verbs := []string{"GET", "POST", "PUT", "DELETE", "PATCH"}
	n := 0
	for name, w := range ways {
		for _, verb := range verbs {
			var header []string
			if w.kind != "" {
				header = []string{"Content-Type", w.kind}
			}
			done(t, verb+", "+name, s.Do(verb, "/i/notes/save?"+w.query, strings.NewReader(w.body), header...))
			n++
		}
	}
	// Raw bytes in the query, as clients send them that do not encode.
	raw := `/i/notes/save?` + auth + `&args={"app_id":"` + a.ID + `","note":"Grüße`
	done(t, "raw query", rawGet(t, s, raw+`<b>|[x]{y};100%"}`))
	notes := s.Get("/o/notes", "api_key", s.Key, "app_id", a.ID).Body
	list, _ := dig(t, notes, "aaData").([]any)
	if len(list) != n+1 {
		t.Errorf("%d notes, want %d", len(list), n+1)
	}
	escaped := `Grüße &lt;b&gt; &amp; &quot;q&quot; 100%; a|b [x]`
	for i, row := range list {
		got, _ := row.(map[string]any)["note"].(string)
		if got != escaped && got != `Grüße&lt;b&gt;|[x]{y};100%` {
			t.Errorf("note %d is %q", i, got)
		}
	}
}

// rawGet sends a path that no client library would let pass.
func rawGet(t *testing.T, s *testkit.Server, path string) testkit.Response {
	t.Helper()
	return rawRequest(t, s, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

// TestEscaping renders names as HTML-safe text, or raw for those who ask (wire.md 0.4).
func TestEscaping(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, c := range []struct{ name, escaped string }{
		{`a<b>c`, `a&lt;b&gt;c`},
		{`R&D`, `R&amp;D`},
		{`R&amp;D &#46; &x`, `R&amp;D &#46; &amp;x`},
		{`say "hi" it's`, `say "hi" it's`},
		{`<i title="x">it's</i>`, `&lt;i title=&quot;x&quot;&gt;it&#39;s&lt;/i&gt;`},
		{"line\none", "line\none"},
		{`back\slash <`, `back\slash &lt;`},
	} {
		made := s.Admin("/i/apps/create", "args", text(t, map[string]string{"name": c.name}))
		part(t, "escaped", made, text(t, c.escaped), "name")
		id, _ := dig(t, made, "_id").(string)
		raw := s.Do(http.MethodGet, "/o/apps/mine?api_key="+s.Key, nil, "Accept", "application/json;escape=none").Body
		part(t, "asked for raw", raw, text(t, c.name), "admin_of", id, "name")
		p := signIn(t, s, testkit.AdminUser, testkit.AdminPassword)
		part(t, "the dashboard gets raw", s.Do(http.MethodGet, "/o/apps/mine", nil, "Cookie", p.cookie).Body, text(t, c.name), "admin_of", id, "name")
	}
	if got := s.Get("/o/ping"); !strings.Contains(got.Header.Get("Content-Type"), "json") {
		t.Errorf("content type %q", got.Header.Get("Content-Type"))
	}
	// A NUL in a segment becomes an unfinished entity, which is escaped on the way out.
	a := s.CreateApp("A", "UTC")
	sendEvents(s, a, `[{"key":"E","segmentation":{"s":"a\u0000b","dots":"com.x","tag":"<b>"}}]`)
	doc := method(s, a, "events", "event", "E")
	part(t, "NUL", doc, `["a&amp;#9647b"]`, "meta", "s")
	part(t, "tag", doc, `["&lt;b&gt;"]`, "meta", "tag")
}

// TestErrorOrder asks with several things wrong at once (wire.md 6.1 to 6.4).
func TestErrorOrder(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	plain := createMember(t, s, "plain", nil).key
	user := createMember(t, s, "user", map[string]any{"permission": everything(a.ID)}).key
	const (
		noUser    = "User does not exist"
		noRight   = "User does not have right"
		noApp     = `Missing parameter "app_id"`
		badApp    = `Invalid parameter "app_id"`
		otherApp  = "App does not exist"
		noMethod  = "Invalid method"
		usersPath = "Invalid path, must be one of /all or /me"
		makePath  = "Invalid path, must be one of /create, /update, /deleteOwnAccount or /delete"
		appsPath  = "Invalid path, must be one of /all, /mine, /details or /plugins"
		appPath   = "Invalid path, must be one of /create, /update, /delete or /reset"
		sumsPath  = "Invalid path, must be one of /dashboard,  /countries, /sessions, /metric, /tops, /loyalty, /frequency, /durations, /events"
	)
	for _, c := range []struct {
		path   string
		status int
		result string
	}{
		{"/o", 400, noApp},
		{"/o?api_key=" + s.Key, 400, noApp},
		{"/o?method=users", 400, noApp},
		{"/o?app_id=" + a.ID, 400, missingKey},
		{"/o?method=users&app_id=" + a.ID, 400, missingKey},
		{"/o?method=users&api_key=bad&app_id=" + unknownID, 401, noUser},
		{"/o?method=users&api_key=bad&app_id=x", 401, noUser},
		{"/o?method=nope&api_key=" + s.Key + "&app_id=x", 400, badApp},
		{"/o?method=nope&api_key=" + s.Key + "&app_id=" + unknownID, 401, otherApp},
		{"/o?method=nope&api_key=" + plain + "&app_id=" + a.ID, 401, noRight},
		{"/o?method=nope&api_key=" + s.Key + "&app_id=" + a.ID, 400, noMethod},
		{"/o?method=nope&api_key=" + user + "&app_id=" + a.ID, 400, noMethod},
		{"/o?api_key=" + s.Key + "&app_id=" + a.ID, 400, noMethod},
		{"/o?method[]=users&api_key=" + s.Key + "&app_id=" + a.ID, 400, noMethod},
		{"/o?method=USERS&api_key=" + s.Key + "&app_id=" + a.ID, 400, noMethod},
		{"/o/users", 400, usersPath},
		{"/o/users/", 400, usersPath},
		{"/o/users/nope", 400, usersPath},
		{"/o/users/nope?api_key=" + s.Key, 400, usersPath},
		{"/o/users/all/more", 400, usersPath},
		{"/i/users", 400, makePath},
		{"/i/users/nope?api_key=bad", 400, makePath},
		{"/o/apps", 400, appsPath},
		{"/o/apps/nope", 400, appsPath},
		{"/i/apps", 400, appPath},
		{"/i/apps/nope?api_key=" + s.Key, 400, appPath},
		{"/o/analytics", 400, noApp},
		{"/o/analytics/nope", 400, noApp},
		{"/o/analytics/dashboard", 400, noApp},
		{"/o/analytics?app_id=" + a.ID, 400, sumsPath},
		{"/o/analytics/nope?app_id=" + a.ID, 400, sumsPath},
		{"/o/analytics/dashboard?app_id=" + a.ID, 400, missingKey},
		{"/o/analytics/metric?app_id=" + a.ID + "&api_key=" + s.Key, 400, "Must provide metric"},
		{"/o/analytics/events?events=x&app_id=" + a.ID + "&api_key=" + s.Key, 400, "Must provide valid array with event keys as events param."},
		{"/o/nope", 400, "Invalid path"},
		{"/nope", 400, "Invalid path"},
		{"/i/nope", 400, "Invalid path"},
		{"/i/bulk/nope", 400, "Invalid path"},
		{"/i", 400, `Missing parameter "app_key" or "device_id"`},
		{"/i?app_key=" + a.Key, 400, `Missing parameter "app_key" or "device_id"`},
		{"/i?device_id=d", 400, `Missing parameter "app_key" or "device_id"`},
		{"/i?device_id=&app_key=" + a.Key, 400, `Missing parameter "app_key" or "device_id"`},
		{"/i?app_key=nope&device_id=d", 400, otherApp},
		{"/i/bulk", 400, `Missing parameter "requests"`},
		{"/i/bulk?app_key=" + a.Key + "&requests={", 400, `Invalid parameter "requests"`},
		{"/o/sdk", 400, `Missing parameter "app_key" or "device_id"`},
		{"/o/sdk?app_key=nope&device_id=d", 400, otherApp},
		{"/o/sdk?app_key=" + a.Key + "&device_id=d", 400, noMethod},
		{"/i/users/create?api_key=" + plain, 401, noRight},
		{"/i/users/update?api_key=" + plain, 401, noRight},
		{"/i/users/delete?api_key=" + plain, 401, noRight},
		{"/i/apps/create?api_key=" + plain, 401, noRight},
		{"/i/apps/update?api_key=" + plain, 401, noRight},
		{"/i/apps/reset?api_key=" + user, 401, noRight},
		{"/i/apps/delete?api_key=" + user, 401, noRight},
		{"/o/apps/plugins?api_key=" + user, 401, noRight},
		{"/i/users/delete?api_key=" + s.Key, 400, "Error: Missing 'args' parameter"},
		{"/i/apps/create?api_key=" + s.Key, 400, "Error: Missing 'args' parameter"},
		{"/i/apps/update?api_key=" + s.Key, 400, "Error: Missing 'args' parameter"},
		{"/i/apps/reset?api_key=" + s.Key, 400, "Error: Missing 'args' parameter"},
		{"/i/apps/delete?api_key=" + s.Key, 400, "Error: Missing 'args' parameter"},
		{"/o/apps/plugins?api_key=" + s.Key, 400, "Error: Missing app_id argument"},
	} {
		bytes(t, c.path, s.Do(http.MethodGet, c.path, nil), c.status, wrong(c.result))
	}
	for _, path := range []string{"/i/users/create", "/i/users/update"} {
		bytes(t, path, s.Get(path, "api_key", s.Key), 400, `{"result":["Missing 'args' parameter"]}`)
	}
	page := s.Do(http.MethodGet, "/nope", nil, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if page.Status != http.StatusNotFound || !strings.Contains(page.Body, "<h1>Page not found</h1>") {
		t.Errorf("a browser at a path that is none: %d %s", page.Status, page.Body)
	}
	bytes(t, "a browser below /o", s.Do(http.MethodGet, "/o/nope", nil, "Accept", "text/html"), 400, wrong("Invalid path"))
	token := createToken(t, s, s.Key)
	if got := s.Get("/o/users/me", "api_key", "wrong", "auth_token", token); got.Status != 200 {
		t.Errorf("a valid token beside a wrong key: %d %s", got.Status, got.Body)
	}
}

// TestCORS lets pages of any origin send and read.
func TestCORS(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, path := range []string{"/i", "/i/bulk", "/o", "/o/sdk", "/o/ping", "/i/apps/create"} {
		pre := s.Do(http.MethodOptions, path, nil, "Origin", "https://example.org", "Access-Control-Request-Method", "POST")
		if pre.Status != 204 || pre.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(pre.Header.Get("Access-Control-Allow-Methods"), "POST") {
			t.Errorf("preflight of %s: %d %v", path, pre.Status, pre.Header)
		}
		if got := s.Do(http.MethodGet, path, nil, "Origin", "https://example.org"); got.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
}

// TestTableEnvelope echoes sEcho with the type it came in (wire.md 0.5).
func TestTableEnvelope(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	s.Ingest(a, "d1", "begin_session", "1")
	s.Ingest(a, "d2", "begin_session", "1")
	s.Flush()
	for _, path := range []string{"/o/notes", "/o?method=notes", "/o?method=user_details"} {
		path, m, _ := strings.Cut(path, "?method=")
		q := testkit.Query("api_key", s.Key, "app_id", a.ID, "method", m)
		for body, want := range map[string]string{`{"sEcho":3}`: `3`, `{"sEcho":"3"}`: `"3"`, `{}`: ``} {
			got := s.Do(http.MethodPost, path+"?"+q, strings.NewReader(body), "Content-Type", "application/json")
			part(t, path+m+" with "+body, got.Body, want, "sEcho")
		}
		part(t, path+m+" in the query", s.Do(http.MethodGet, path+"?"+q+"&sEcho=3", nil).Body, `"3"`, "sEcho")
		for _, field := range []string{"iTotalRecords", "iTotalDisplayRecords", "aaData"} {
			if dig(t, s.Do(http.MethodGet, path+"?"+q, nil).Body, field) == nil {
				t.Errorf("%s%s has no %s", path, m, field)
			}
		}
	}
	part(t, "a page", method(s, a, "user_details", "iDisplayLength", "1", "iDisplayStart", "1"), `"d2"`, "aaData", "0", "did")
	part(t, "the total of a page", method(s, a, "user_details", "iDisplayLength", "1"), `2`, "iTotalDisplayRecords")
	for _, odd := range [][]string{{"iDisplayLength", "-1"}, {"iDisplayLength", "x"}, {"iDisplayStart", "-5"}, {"iDisplayStart", "999999999999999999999"}, {"iDisplayStart", "9223372036854775807"}} {
		got := s.Get("/o", append([]string{"api_key", s.Key, "app_id", a.ID, "method", "user_details"}, odd...)...)
		part(t, "odd page "+strings.Join(odd, "="), got.Body, `2`, "iTotalRecords")
		if got := s.Get("/o/notes", append([]string{"api_key", s.Key, "app_id", a.ID}, odd...)...); got.Status != 200 {
			t.Errorf("odd page of notes %v: %d %s", odd, got.Status, got.Body)
		}
	}
}
