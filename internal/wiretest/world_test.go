package wiretest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// noon is a Wednesday in week 20, the time at which the servers of these tests stand.
var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

// missing are the ids that nothing has: one in the right form, one in none.
const (
	unknownID = "0123456789abcdef01234567"
	noID      = "xyz"
)

// route is a line of describe.
type route struct {
	path, method string // method is the value of ?method=, "" for other routes
	level        string // public, member, feature, app_user, app_admin, global_admin
	feature      string // or several, with | between: a right on any of them is enough
	action       string
	app          string // where the app id is found, "" = nowhere
	tokensOfApps bool   // takes tokens of apps though it has no app
	writes       bool   // declared so; routes below /i always write
	list         bool   // pages, sorts and searches
}

// name is the path with the method, as describe prints it.
func (r route) name() string {
	if r.method != "" {
		return r.path + "?method=" + r.method
	}
	return r.path
}

// features are those of which a right on one is enough.
func (r route) features() []string {
	if r.feature == "" {
		return nil
	}
	return strings.Split(r.feature, "|")
}

// changes reports whether the route changes something.
func (r route) changes() bool { return r.writes || strings.HasPrefix(r.path, "/i") }

var routeLine = regexp.MustCompile(`^- (/\S*) — (\w+)(?: ([\w|]+):(\w+))?((?:, [^,(]+)*) \(\w+\)`)

// routes reads the routes of the API from describe.
func routes(tb testing.TB) []route {
	tb.Helper()
	var out []route
	section := ""
	for line := range strings.Lines(describe(tb)) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		if section != "Routes" || !strings.HasPrefix(line, "- ") {
			continue
		}
		m := routeLine.FindStringSubmatch(line)
		if m == nil {
			tb.Fatalf("describe prints a route in another form: %s", line)
		}
		r := route{level: m[2], feature: m[3], action: m[4]}
		r.path, r.method, _ = strings.Cut(m[1], "?method=")
		for part := range strings.SplitSeq(m[5], ", ") {
			switch part = strings.TrimSpace(part); part {
			case "":
			case "writes":
				r.writes = true
			case "tokens of apps":
				r.tokensOfApps = true
			case "list":
				r.list = true
			default:
				r.app = part
			}
		}
		out = append(out, r)
	}
	if len(out) < 70 {
		tb.Fatalf("describe lists %d routes only", len(out))
	}
	return out
}

// describe returns what the command of that name prints.
func describe(tb testing.TB) string {
	tb.Helper()
	text, err := described()
	if err != nil {
		tb.Fatalf("describe: %v", err)
	}
	return text
}

// described runs describe once for all tests.
var described = sync.OnceValues(func() (string, error) {
	var b strings.Builder
	err := app.Describe(&b)
	return b.String(), err
})

// server starts a server whose clock stands still at noon.
func server(tb testing.TB, options ...testkit.Option) *testkit.Server {
	tb.Helper()
	noBrowser := testkit.WithConfig(func(c *app.Config) { c.Modules = map[string]any{"render": map[string]any{"browser": "off"}} })
	return testkit.New(tb, append([]testkit.Option{testkit.At(noon), noBrowser, withProgram()}, options...)...)
}

// member is someone with an account.
type member struct{ id, key string }

// password is what the members of these tests have.
const password = "Battery-staple-2"

// permission writes a permission: apps administered, apps used, and rights by
// action ("c", "r", "u", "d") and app.
func permission(admin, user []string, rights map[string]map[string]any) map[string]any {
	p := map[string]any{"_": map[string]any{"a": admin, "u": [][]string{user}}}
	for action, apps := range rights {
		p[action] = apps
	}
	return p
}

// everything are all rights in an app for someone who does not administer it.
func everything(app string) map[string]any {
	all := map[string]any{app: map[string]any{"all": true}}
	return map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{app}}}, "c": all, "r": all, "u": all, "d": all}
}

// createMember makes a member; fields is merged into the args.
func createMember(tb testing.TB, s *testkit.Server, name string, fields map[string]any) member {
	tb.Helper()
	args := map[string]any{"full_name": "Full " + name, "username": name, "email": name + "@example.org", "password": password}
	maps.Copy(args, fields)
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"api_key"`
	}
	testkit.Decode(tb, s.Admin("/i/users/create", "args", text(tb, args)), &made)
	return member{made.ID, made.Key}
}

// createToken makes a token with someone's key.
func createToken(tb testing.TB, s *testkit.Server, key string, pairs ...string) string {
	tb.Helper()
	r := s.Post("/i/token/create", append([]string{"api_key", key}, pairs...)...)
	var made struct{ Result string }
	testkit.Decode(tb, r.Body, &made)
	if r.Status != http.StatusOK || len(made.Result) != 40 {
		tb.Fatalf("token %q: %d %s", pairs, r.Status, r.Body)
	}
	return made.Result
}

// text writes JSON.
func text(tb testing.TB, v any) string {
	tb.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// wrong is the body of an error.
func wrong(result string) string {
	b, err := json.Marshal(map[string]string{"result": result})
	if err != nil {
		panic(err) // a map of strings is always JSON
	}
	return string(b)
}

// session is a dashboard session.
type session struct{ cookie, csrf string }

var (
	formToken = regexp.MustCompile(`value="([0-9a-f-]{36})" name="_csrf"`)
	pageToken = regexp.MustCompile(`countlyGlobal\["csrf_token"\] = "([0-9a-f-]{36})"`)
)

// signIn logs in on the page, as a browser does that sends the headers.
func signIn(tb testing.TB, s *testkit.Server, user, password string, headers ...string) session {
	tb.Helper()
	first := s.Do(http.MethodGet, "/login", nil)
	m := formToken.FindStringSubmatch(first.Body)
	if m == nil {
		tb.Fatalf("no form token in\n%s", first.Body)
	}
	jar := cookies(first)
	r := s.Do(http.MethodPost, "/login", strings.NewReader(testkit.Query("username", user, "password", password, "_csrf", m[1])),
		append([]string{"Content-Type", "application/x-www-form-urlencoded", "Cookie", jar}, headers...)...)
	if r.Status != http.StatusFound || r.Header.Get("Location") != "/dashboard" {
		tb.Fatalf("log in as %s: %d to %q", user, r.Status, r.Header.Get("Location"))
	}
	out := session{cookie: cookies(r)}
	page := s.Do(http.MethodGet, "/dashboard", nil, "Cookie", out.cookie)
	if m = pageToken.FindStringSubmatch(page.Body); m == nil {
		tb.Fatalf("no token in the dashboard: %d\n%s", page.Status, page.Body)
	}
	out.csrf = m[1]
	return out
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
