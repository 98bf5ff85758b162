package tokens_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var (
	start   = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)
	created = regexp.MustCompile(`^\{"result":"([0-9a-f]{40})"\}$`)
)

func create(t *testing.T, s *testkit.Server, pairs ...string) string {
	t.Helper()
	body := s.Admin("/i/token/create", pairs...)
	m := created.FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("create %q: %s", pairs, body)
	}
	return m[1]
}

// TestUnreadableLimits sends limits that cannot be read: no token is made, since it would have none.
func TestUnreadableLimits(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	for _, pair := range [][2]string{
		{"apps", ","},
		{"apps", `[""]`},
		{"apps", "[null]"},
		{"endpoint", ","},
		{"endpointquery", `[{`},
		{"endpointquery", `"/o"`},
		{"endpointquery", "1"},
	} {
		want := `{"result":"Invalid parameter \"` + pair[0] + `\""}`
		if r := s.Get("/i/token/create", "api_key", s.Key, pair[0], pair[1]); r.Status != http.StatusBadRequest || r.Body != want {
			t.Errorf("%s=%s: %d %s, want 400 %s", pair[0], pair[1], r.Status, r.Body, want)
		}
	}
	if got := s.Admin("/o/token/list"); got != `{"result":[]}` {
		t.Errorf("tokens: %s, want none", got)
	}
}

// TestRows creates tokens and compares the rows of the list.
func TestRows(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	for _, test := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"defaults", nil, `{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":"","purpose":""}`},
		{"purpose", []string{"purpose", "Mobile"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":"","purpose":"Mobile"}`},
		{"forever", []string{"ttl", "0"}, `{"ttl":0,"ends":+0,"multi":true,"app":"","endpoint":"","purpose":""}`},
		{"ttl", []string{"ttl", "60"}, `{"ttl":60,"ends":+60,"multi":true,"app":"","endpoint":"","purpose":""}`},
		{"ttl no number", []string{"ttl", "soon"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":"","purpose":""}`},
		{"single use", []string{"multi", "false"}, `{"ttl":1800,"ends":+1800,"multi":false,"app":"","endpoint":"","purpose":""}`},
		{"app", []string{"apps", "A1"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":["A1"],"endpoint":"","purpose":""}`},
		{"apps", []string{"apps", "A1, A2,"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":["A1","A2"],"endpoint":"","purpose":""}`},
		{"apps as JSON", []string{"apps", `["A1","A2"]`}, `{"ttl":1800,"ends":+1800,"multi":true,"app":["A1","A2"],"endpoint":"","purpose":""}`},
		{"app as rows name it", []string{"app", "A1"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":["A1"],"endpoint":"","purpose":""}`},
		{"apps before app", []string{"app", "A1", "apps", "A2"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":["A2"],"endpoint":"","purpose":""}`},
		{"no limits", []string{"apps", "[]", "endpoint", "[]", "endpointquery", "[]"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":"","purpose":""}`},
		{"endpoint", []string{"endpoint", "/o/token,/o/apps/mine"}, `{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":["/o/token","/o/apps/mine"],"purpose":""}`},
		{
			"query wins",
			[]string{"endpoint", "/i", "endpointquery", `[{"endpoint":"/o","params":{"method":"get_events"}}]`},
			`{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":[{"endpoint":"/o","params":{"method":"get_events"}}],"purpose":""}`,
		},
		{
			"query unreadable",
			[]string{"endpoint", "/o/apps", "endpointquery", `[{`},
			`{"ttl":1800,"ends":+1800,"multi":true,"app":"","endpoint":["/o/apps"],"purpose":""}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := create(t, s, test.pairs...)
			var list struct {
				Result []map[string]any `json:"result"`
			}
			testkit.Decode(t, s.Admin("/o/token/list"), &list)
			var got map[string]any
			for _, row := range list.Result {
				if row["_id"] == id {
					got = row
				}
			}
			if owner, _ := got["owner"].(string); len(owner) != 24 || got["temporary"] != false {
				t.Errorf("owner and temporary are %v, %v", got["owner"], got["temporary"])
			}
			delete(got, "_id")
			delete(got, "owner")
			delete(got, "temporary")
			var want map[string]any
			text := regexp.MustCompile(`"ends":\+(\d+)`).FindStringSubmatch(test.want)
			var after int64
			testkit.Decode(t, text[1], &after)
			ends, err := json.Marshal(start.Unix() + after)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Decode(t, strings.Replace(test.want, text[0], `"ends":`+string(ends), 1), &want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	id, ever := create(t, s), create(t, s, "ttl", "0")
	const noKey = `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`
	for _, test := range []struct {
		name, path string
		pairs      []string
		status     int
		body       string
	}{
		{"create, no key", "/i/token/create", nil, 400, noKey},
		{"delete, no key", "/i/token/delete", nil, 400, noKey},
		{"list, no key", "/o/token/list", nil, 400, noKey},
		{"check, no key", "/o/token/check", nil, 400, noKey},
		{"check, no token", "/o/token/check", []string{"api_key", s.Key}, 400, `{"result":"Missing parameter \"token\""}`},
		{"check", "/o/token/check", []string{"api_key", s.Key, "token", id}, 200, `{"result":{"valid":true,"time":1800}}`},
		{"check, forever", "/o/token/check", []string{"api_key", s.Key, "token", ever}, 200, `{"result":{"valid":true,"time":-1}}`},
		{"check, unknown", "/o/token/check", []string{"api_key", s.Key, "token", "x"}, 200, `{"result":{"valid":false,"time":0}}`},
		{"delete, no id", "/i/token/delete", []string{"api_key", s.Key}, 404, `{"result":"Token id not provided"}`},
		{"delete, unknown", "/i/token/delete", []string{"api_key", s.Key, "tokenid", "x"}, 200, `{"result":{"n":0,"ok":1,"deletedCount":0}}`},
		{"delete", "/i/token/delete", []string{"api_key", s.Key, "tokenid", id}, 200, `{"result":{"n":1,"ok":1,"deletedCount":1}}`},
		{"check, deleted", "/o/token/check", []string{"api_key", s.Key, "token", id}, 200, `{"result":{"valid":false,"time":0}}`},
		{"create, restrictions too large", "/i/token/create", []string{"api_key", s.Key, "endpoint", strings.Repeat("a", 1001)}, 400, `{"result":"The restrictions of the token are too large"}`},
		{"use of a deleted one", "/o/apps/mine", []string{"auth_token", id}, 400, `{"result":"Token not valid"}`},
		{"use", "/o/apps/mine", []string{"auth_token", ever}, 200, `{"admin_of":{},"user_of":{}}`},
		{"use beside a wrong key", "/o/apps/mine", []string{"auth_token", ever, "api_key", "x"}, 200, `{"admin_of":{},"user_of":{}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.Post(test.path, test.pairs...)
			if r.Status != test.status || r.Body != test.body {
				t.Errorf("got  %d %s\nwant %d %s", r.Status, r.Body, test.status, test.body)
			}
		})
	}
	for _, header := range []string{"service-token", "countly-token"} {
		if r := s.Do(http.MethodGet, "/o/users/all", nil, header, ever); r.Status != http.StatusOK {
			t.Errorf("header %s: %d %s", header, r.Status, r.Body)
		}
	}
}

func TestUse(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	one, two := s.CreateApp("one", "UTC"), s.CreateApp("two", "UTC")
	use := func(token, path string, pairs ...string) int {
		t.Helper()
		return s.Get(path, append([]string{"auth_token", token}, pairs...)...).Status
	}
	single := create(t, s, "multi", "false")
	if a, b := use(single, "/o/users/all"), use(single, "/o/users/all"); a != 200 || b != 400 {
		t.Errorf("single use: %d, then %d", a, b)
	}
	if body := s.Admin("/o/token/list"); body != `{"result":[]}` {
		t.Errorf("a used token is listed: %s", body)
	}
	scoped := create(t, s, "endpoint", "^/o/users/,/o/token", "apps", one.ID)
	for _, test := range []struct {
		path  string
		pairs []string
		want  int
	}{
		{"/o/users/all", nil, 400}, // which is about no app
		{"/o/token/list", nil, 200},
		{"/o/users/permissions", []string{"app_id", one.ID}, 200},
		{"/o/users/permissions", []string{"app_id", two.ID}, 400},
		{"/o/apps/mine", nil, 400},
		{"/i/users/create", nil, 400},
	} {
		if got := use(scoped, test.path, test.pairs...); got != test.want {
			t.Errorf("%s %v: %d, want %d", test.path, test.pairs, got, test.want)
		}
	}
	// What finds its app elsewhere than in app_id is restricted, too.
	forOne := create(t, s, "apps", one.ID)
	if got := use(forOne, "/i/apps/update", "args", `{"app_id":"`+two.ID+`","name":"stolen"}`); got != 400 {
		t.Errorf("update of another app by its args: %d, want 400", got)
	}
	if got := use(forOne, "/i/apps/update", "args", `{"app_id":"`+one.ID+`","name":"renamed"}`); got != 200 {
		t.Errorf("update of the app by its args: %d, want 200", got)
	}
	// A restricted token is no way to unrestricted credentials.
	if r := s.Get("/o/users/me", "auth_token", create(t, s, "endpoint", "/o/users/me")); r.Status != 200 || strings.Contains(r.Body, s.Key) {
		t.Errorf("me: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/i/token/create", "auth_token", forOne, "apps", two.ID); r.Status != 400 {
		t.Errorf("a token for another app: %d %s", r.Status, r.Body)
	}
	made := created.FindStringSubmatch(s.Get("/i/token/create", "auth_token", forOne).Body)
	if made == nil {
		t.Fatal("a restricted token cannot make one")
	}
	if got := use(made[1], "/o/users/permissions", "app_id", two.ID); got != 400 {
		t.Errorf("a token made by a restricted one reads another app: %d", got)
	}
	s.Clock().Set(start.Add(1801 * time.Second))
	if got := use(scoped, "/o/token/list"); got != 400 {
		t.Errorf("an ended token: %d", got)
	}
}

// TestRestrictedTokenSeesItselfOnly guards against a token that is good for
// one app handing out one that is good for all.
func TestRestrictedTokenSeesItselfOnly(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	whole := create(t, s)
	for name, pairs := range map[string][]string{"endpoint": {"endpoint", "/o/token"}, "apps": {"apps", "A1"}} {
		restricted := create(t, s, pairs...)
		r := s.Get("/o/token/list", "auth_token", restricted)
		if r.Status != http.StatusOK || !strings.Contains(r.Body, restricted) || strings.Contains(r.Body, whole) {
			t.Errorf("%s: list is %d %s, want the token itself and no other", name, r.Status, r.Body)
		}
	}
}

// TestPassingTokenSeesNoLasting guards against a token that ends handing out what does not: the key of its owner, another
// key, or a token that lasts longer. Reads from inside, as by an export, are no way round.
func TestPassingTokenSeesNoLasting(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	lasting, later := create(t, s, "ttl", "0"), create(t, s, "ttl", "3600")
	var me struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o/users/me"), &me)
	for name, made := range map[string]func() string{
		"ends": func() string { return create(t, s, "ttl", "600") }, "one use": func() string { return create(t, s, "ttl", "0", "multi", "false") },
	} {
		t.Run(name, func(t *testing.T) {
			for _, call := range [][]string{
				{"/o/users/me"}, {"/o/token/list"}, {"/o/export/request", "type", "json", "path", "/o/users/me"}, {"/o/export/request", "type", "json", "path", "/o/token/list"},
			} {
				token := made()
				r := s.Get(call[0], append(call[1:], "auth_token", token)...)
				if r.Status != http.StatusOK {
					t.Errorf("%v: %d %s", call, r.Status, r.Body)
				}
				for what, secret := range map[string]string{"the key": s.Key, "a lasting token": lasting, "a token that ends later": later} {
					if strings.Contains(r.Body, secret) {
						t.Errorf("%v shows %s: %s", call, what, r.Body)
					}
				}
				if call[0] == "/o/token/list" && name == "ends" && !strings.Contains(r.Body, token) {
					t.Errorf("the list lacks the token itself: %s", r.Body)
				}
			}
			if r := s.Get("/i/users/api_key/rotate", "user_id", me.ID, "auth_token", made()); r.Status != http.StatusUnauthorized {
				t.Errorf("another key: %d %s", r.Status, r.Body)
			}
		})
	}
	if r := s.Get("/o/users/me", "auth_token", lasting); !strings.Contains(r.Body, s.Key) {
		t.Errorf("a lasting token lacks the key: %s", r.Body)
	}
}

// TestListFromInside reads the list by an export: a restricted token learns of no other token that way either.
func TestListFromInside(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	make := func(pairs ...string) string {
		t.Helper()
		var made struct{ Result string }
		testkit.Decode(t, s.Admin("/i/token/create", pairs...), &made)
		return made.Result
	}
	powerful, scoped := make("purpose", "powerful", "ttl", "0"), make("purpose", "scoped", "apps", a.ID)
	for name, read := range map[string][]string{
		"list": {"path", "/o/token/list", "prop", "result"}, "table": {"path", "/o/token/list", "data", `{"sEcho":"1"}`, "prop", "aaData"},
	} {
		r := s.Get("/o/export/request", append([]string{"auth_token", scoped, "app_id", a.ID, "type", "json"}, read...)...)
		if strings.Contains(r.Body, powerful) {
			t.Errorf("%s: an export of a restricted token shows another: %d %s", name, r.Status, r.Body)
		}
		if r := s.Get("/o/export/request", append([]string{"auth_token", powerful, "app_id", a.ID, "type", "json"}, read...)...); !strings.Contains(r.Body, scoped) {
			t.Errorf("%s: an export of a token without restriction lacks one: %d %s", name, r.Status, r.Body)
		}
	}
}
