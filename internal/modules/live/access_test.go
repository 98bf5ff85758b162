package live_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// person is a member with rights to read features of apps.
type person struct {
	ID  string `json:"_id"`
	Key string `json:"api_key"`
}

func permission(reads map[string][]string) map[string]any {
	rules, apps := map[string]any{}, []string{}
	for id, features := range reads {
		allowed := map[string]bool{}
		for _, f := range features {
			allowed[f] = true
		}
		rules[id] = map[string]any{"all": false, "allowed": allowed}
		apps = append(apps, id)
	}
	return map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{apps}}, "c": map[string]any{}, "r": rules, "u": map[string]any{}, "d": map[string]any{}}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const password = "Correct-horse-1"

func createPerson(t *testing.T, s *testkit.Server, name string, reads map[string][]string) person {
	t.Helper()
	var p person
	testkit.Decode(t, s.Admin("/i/users/create", "args", text(t, map[string]any{
		"full_name": name, "username": name, "password": password, "email": name + "@example.org", "permission": permission(reads),
	})), &p)
	return p
}

func TestAccess(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	core := createPerson(t, s, "core", map[string][]string{a.ID: {"core"}})
	events := createPerson(t, s, "events", map[string][]string{a.ID: {"events"}})
	users := createPerson(t, s, "users", map[string][]string{a.ID: {"events", "users", "core"}})
	const noRight = `{"result":"User does not have right"}`
	for _, tt := range []struct {
		name, path, key, app, accept string
		status                       int
		body                         string
	}{
		{"core reads figures", "/o/live/tiles", core.Key, a.ID, "text/event-stream", 200, ""},
		{"core reads no feed", "/o/live/feed", core.Key, a.ID, "text/event-stream", 401, noRight},
		{"events reads the feed", "/o/live/feed", events.Key, a.ID, "text/event-stream", 200, ""},
		{"events reads no figures", "/o/live/tiles", events.Key, a.ID, "text/event-stream", 401, noRight},
		{"another app", "/o/live/feed", users.Key, b.ID, "text/event-stream", 401, noRight},
		{"nobody", "/o/live/feed", "", a.ID, "text/event-stream", 400, `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`},
		{"no stream wanted", "/o/live/feed", users.Key, a.ID, "application/json", 400, `{"result":"Use GET with the header Accept: text/event-stream"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := listen(t, s.URL(), tt.path, []string{"app_id", tt.app, "api_key", tt.key}, "Accept", tt.accept)
			l.close()
			if l.status != tt.status || l.body != tt.body {
				t.Errorf("%d %s, want %d %s", l.status, l.body, tt.status, tt.body)
			}
		})
	}
}

// TestWhatIsShown gives members of different rights the same request to see.
func TestWhatIsShown(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	events := createPerson(t, s, "events", map[string][]string{a.ID: {"events"}})
	users := createPerson(t, s, "users", map[string][]string{a.ID: {"events", "users", "core"}})
	plain, named := open(t, s, "/o/live/feed", a, events.Key), open(t, s, "/o/live/feed", a, users.Key)
	s.Ingest(a, "secret-device", "user_details", `{"name":"Secret Name","email":"secret@example.org","custom":{"secret":"x"}}`)
	m, _ := plain.next("feed", "tiles")
	if m.kind != "feed" || strings.Contains(strings.ToLower(m.data), "secret") || strings.Contains(m.data, `"uid"`) {
		t.Errorf("without the right to users: %+v", m)
	}
	m, _ = named.next("feed")
	if strings.Contains(strings.ToLower(m.data), "secret") || !strings.Contains(m.data, `"uid":"1"`) {
		t.Errorf("with the right to users: %+v", m)
	}
}

// TestTenants has each app's stream see its own requests only.
func TestTenants(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	mine := createPerson(t, s, "mine", map[string][]string{a.ID: {"events", "core"}})
	la, lb := open(t, s, "/o/live/feed", a, mine.Key), open(t, s, "/o/live/feed", b, s.Key)
	for i := range 5 {
		key := string(rune('0' + i))
		s.Ingest(b, "theirs", "begin_session", "1", "ignore_cooldown", "1", "events", `[{"key":"theirs`+key+`"}]`)
		lb.feed()
		s.Ingest(a, "ours", "events", `[{"key":"ours`+key+`"}]`)
		var keys []string
		for _, e := range la.feed().Entries {
			for _, ev := range e.Events {
				keys = append(keys, ev.Key)
			}
		}
		if d := cmp.Diff([]string{"ours" + key}, keys); d != "" {
			t.Errorf("feed of a (-want +got):\n%s", d)
		}
	}
	la.tilesUntil([5]int{0, 1, 0, 5, 0})
}

// TestEnds takes away what a stream rests on.
func TestEnds(t *testing.T) {
	s := testkit.New(t, quick(nil))
	for _, tt := range []struct {
		name string
		code string
		// open opens a stream; undo takes away what it rests on.
		open func(t *testing.T, a testkit.TestApp, p person) (l *listener, undo func())
	}{
		{"session signed out", "auth.credentials_missing", func(t *testing.T, a testkit.TestApp, _ person) (*listener, func()) {
			t.Helper()
			cookie, csrf := signIn(t, s, t.Name())
			return listen(t, s.URL(), "/o/live/feed", []string{"app_id", a.ID}, "Cookie", cookie), func() {
				r := s.Do(http.MethodPost, "/logout", strings.NewReader(testkit.Query("_csrf", csrf)), "Cookie", cookie, "Content-Type", "application/x-www-form-urlencoded")
				if r.Status >= 400 {
					t.Errorf("sign out: %d %s", r.Status, r.Body)
				}
			}
		}},
		{"token revoked", "auth.token_invalid", func(t *testing.T, a testkit.TestApp, p person) (*listener, func()) {
			t.Helper()
			token := createToken(t, s, p.Key)
			return listen(t, s.URL(), "/o/live/feed", []string{"app_id", a.ID, "auth_token", token}), func() {
				s.Get("/i/token/delete", "api_key", p.Key, "tokenid", token)
			}
		}},
		{"right taken", "access.no_right", func(t *testing.T, a testkit.TestApp, p person) (*listener, func()) {
			t.Helper()
			return open(t, s, "/o/live/feed", a, p.Key), func() {
				s.Admin("/i/users/update", "args", text(t, map[string]any{"user_id": p.ID, "permission": permission(map[string][]string{a.ID: {"core"}})}))
			}
		}},
		{"member locked", "auth.locked", func(t *testing.T, a testkit.TestApp, p person) (*listener, func()) {
			t.Helper()
			return open(t, s, "/o/live/feed", a, p.Key), func() {
				s.Admin("/i/users/update", "args", text(t, map[string]any{"user_id": p.ID, "locked": true}))
			}
		}},
		{"member deleted", "auth.unknown_user", func(t *testing.T, a testkit.TestApp, p person) (*listener, func()) {
			t.Helper()
			return open(t, s, "/o/live/feed", a, p.Key), func() { s.Admin("/i/users/delete", "args", text(t, map[string]any{"user_ids": []string{p.ID}})) }
		}},
		{"app deleted", "access.unknown_app", func(t *testing.T, a testkit.TestApp, p person) (*listener, func()) {
			t.Helper()
			return open(t, s, "/o/live/feed", a, p.Key), func() { s.Admin("/i/apps/delete", "args", `{"app_id":"`+a.ID+`"}`) }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := s.CreateApp(tt.name, "UTC")
			p := createPerson(t, s, strings.ReplaceAll(t.Name(), "/", "_"), map[string][]string{a.ID: {"core", "events"}})
			l, undo := tt.open(t, a, p)
			if l.status != http.StatusOK {
				t.Fatalf("%d %s", l.status, l.body)
			}
			s.Ingest(a, "d")
			l.feed()
			undo()
			if code := l.end(); code != tt.code {
				t.Errorf("the stream ended with %s, want %s", code, tt.code)
			}
		})
	}
}

// formToken and pageToken are the tokens of a form, and of the dashboard's page.
var (
	formToken = regexp.MustCompile(`value="([0-9a-f-]{36})" name="_csrf"`)
	pageToken = regexp.MustCompile(`countlyGlobal\["csrf_token"\] = "([0-9a-f-]{36})"`)
)

// signIn signs a member in on the page, and returns the cookie and the token of the session.
func signIn(t *testing.T, s *testkit.Server, user string) (cookie, csrf string) {
	t.Helper()
	user = strings.ReplaceAll(user, "/", "_")
	first := s.Do(http.MethodGet, "/login", nil)
	m := formToken.FindStringSubmatch(first.Body)
	if m == nil {
		t.Fatalf("no form token in\n%s", first.Body)
	}
	r := s.Do(http.MethodPost, "/login", strings.NewReader(testkit.Query("username", user, "password", password, "_csrf", m[1])),
		"Content-Type", "application/x-www-form-urlencoded", "Cookie", cookies(first))
	if r.Status != http.StatusFound {
		t.Fatalf("log in as %s: %d %s", user, r.Status, r.Body)
	}
	cookie = cookies(r)
	page := s.Do(http.MethodGet, "/dashboard", nil, "Cookie", cookie)
	if m = pageToken.FindStringSubmatch(page.Body); m == nil {
		t.Fatalf("no token in the dashboard: %d\n%s", page.Status, page.Body)
	}
	return cookie, m[1]
}

// cookies joins what an answer sets into a header.
func cookies(r testkit.Response) string {
	var list []string
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.MaxAge >= 0 && c.Value != "" {
			list = append(list, c.Name+"="+c.Value)
		}
	}
	return strings.Join(list, "; ")
}

func createToken(t *testing.T, s *testkit.Server, key string, pairs ...string) string {
	t.Helper()
	r := s.Post("/i/token/create", append([]string{"api_key", key}, pairs...)...)
	var made struct{ Result string }
	testkit.Decode(t, r.Body, &made)
	if r.Status != http.StatusOK || len(made.Result) != 40 {
		t.Fatalf("token %q: %d %s", pairs, r.Status, r.Body)
	}
	return made.Result
}

// TestTokenForOneUse opens no stream: the token is used up.
func TestTokenForOneUse(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	l := listen(t, s.URL(), "/o/live/tiles", []string{"app_id", a.ID, "auth_token", createToken(t, s, s.Key, "multi", "false")})
	if l.status != http.StatusBadRequest || l.body != `{"result":"Token not valid"}` {
		t.Errorf("%d %s", l.status, l.body)
	}
}

// TestCaps bounds the streams of a member, and of all.
func TestCaps(t *testing.T) {
	s := testkit.New(t, quick(map[string]any{"per_member": 2, "total": 3}))
	a := s.CreateApp("a", "UTC")
	other := createPerson(t, s, "other", map[string][]string{a.ID: {"core"}})
	first := open(t, s, "/o/live/tiles", a, s.Key)
	open(t, s, "/o/live/feed", a, s.Key)
	try := func(key string) *listener {
		return listen(t, s.URL(), "/o/live/tiles", []string{"app_id", a.ID, "api_key", key})
	}
	l := try(s.Key)
	if l.status != http.StatusTooManyRequests || l.header.Get("Retry-After") != "10" || l.body != `{"result":"Too many live views are open"}` {
		t.Errorf("third stream of a member: %d, %v, %s", l.status, l.header, l.body)
	}
	open(t, s, "/o/live/tiles", a, other.Key)
	if l := try(other.Key); l.status != http.StatusTooManyRequests {
		t.Errorf("fourth stream of all: %d", l.status)
	}
	first.close()
	for l := try(s.Key); l.status != http.StatusOK; l = try(s.Key) {
		if t.Context().Err() != nil || l.status != http.StatusTooManyRequests {
			t.Fatalf("after one closed: %d %s", l.status, l.body)
		}
	}
}
