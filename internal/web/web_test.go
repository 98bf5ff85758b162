package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/web"
)

const password = "Correct-horse-1"

// people is the real register of members; err, when set, is what it answers instead.
type people struct {
	*auth.Service
	err   error
	rules auth.PasswordRules
	bus   *hook.Bus
}

func (p *people) HasMembers(ctx context.Context) (bool, error) {
	if p.err != nil {
		return false, p.err
	}
	return p.Service.HasMembers(ctx)
}

// add makes the first administrator, ada.
func (p *people) add(t *testing.T) {
	t.Helper()
	n := auth.NewMember{FullName: "Ada Lovelace", Username: "ada", Email: "ada@example.test", Password: password}
	if _, err := p.CreateFirstAdmin(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// sessions lists the open sessions of all members.
func (p *people) sessions(t *testing.T) []auth.Session {
	t.Helper()
	var list []auth.Session
	for _, m := range p.members(t) {
		of, err := p.ListSessions(t.Context(), m.ID, docs.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, of.Docs...)
	}
	return list
}

func (p *people) members(t *testing.T) []model.Member {
	t.Helper()
	list, err := p.Members(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func openPeople(t *testing.T) *people {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.sqlite"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	keys, err := seal.Parse(seal.Generate())
	if err != nil {
		t.Fatal(err)
	}
	cfg := auth.DefaultConfig()
	cfg.Hash = auth.HashParams{Memory: 8, Passes: 1, Threads: 1} // quick
	p := &people{bus: hook.NewBus()}
	rules := func() auth.PasswordRules { return p.rules }
	p.Service, err = auth.Open(t.Context(), auth.Options{DB: db, Log: log, Now: time.Now, Config: cfg, Rules: rules, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// browser talks to a site, keeps cookies and follows no redirect.
type browser struct {
	t      *testing.T
	server *httptest.Server
	people *people
	client *http.Client
	site   *web.Site
	header http.Header
	log    *strings.Builder
}

func open(t *testing.T, secure bool) *browser {
	t.Helper()
	p := openPeople(t)
	var log strings.Builder
	site, err := web.New(web.Options{
		Accounts: p, Cookie: "quipu_session",
		Log:    slog.New(slog.NewTextHandler(&log, nil)),
		Client: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.7") },
		Secure: func(*http.Request) bool { return secure },
		Local:  func(r *http.Request) bool { return r.Header.Get("X-Forwarded-For") == "" },
		Bus:    p.bus, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{
		t: t, server: server, site: site, people: p, header: http.Header{}, log: &log,
		client: &http.Client{Transport: server.Client().Transport, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// answer is what the browser keeps of a response.
type answer struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
}

func (b *browser) do(method, path, contentType, body string) (answer, string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	maps.Copy(req.Header, b.header)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, resp.Cookies()}, string(text)
}

func (b *browser) get(path string) (answer, string) {
	b.t.Helper()
	return b.do("GET", path, "", "")
}

func (b *browser) post(path string, fields url.Values) (answer, string) {
	b.t.Helper()
	return b.do("POST", path, "application/x-www-form-urlencoded", fields.Encode())
}

var tokenInput = regexp.MustCompile(`<input [^>]*value="([0-9a-f-]{36})" name="_csrf">`)

// token reads the form token of a page.
func (b *browser) token(path string) string {
	b.t.Helper()
	_, body := b.get(path)
	m := tokenInput.FindStringSubmatch(body)
	if m == nil {
		b.t.Fatalf("%s holds no token:\n%s", path, body)
	}
	return m[1]
}

func (b *browser) setUp() {
	b.t.Helper()
	resp, _ := b.post("/setup", signUp(b.token("/setup")))
	if got, want := where(resp), "302 /dashboard"; got != want {
		b.t.Fatalf("set up: got %s, want %s", got, want)
	}
}

func signUp(token string) url.Values {
	return url.Values{
		"full_name": {"Ada Lovelace"}, "username": {"ada"}, "email": {"ada@example.test"},
		"password": {password}, "_csrf": {token},
	}
}

func where(r answer) string {
	s := strconv.Itoa(r.status)
	if l := r.header.Get("Location"); l != "" {
		s += " " + l
	}
	return s
}

func TestPages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path                        string
		noMember, loggedOut, signed string
	}{
		{"/", "302 /login", "302 /login", "302 /login"},
		{"/login", "302 /setup", "200", "302 /dashboard"},
		{"/setup", "200", "302 /login", "302 /login"},
		{"/dashboard", "302 /login", "302 /login", "200"},
		{"/forgot", "200", "200", "302 /dashboard"},
		{"/password", "302 /setup", "200", "302 /dashboard/manage/account#password"},
		{"/reset", "404", "404", "404"},
		{"/reset/", "404", "404", "404"},
		{"/reset/abc", "302 /forgot", "302 /forgot", "302 /forgot"},
		{"/logout", "302 /login", "302 /login", "302 /login"},
		{"/dashboard/apps/1", "302 /login?next=%2Fdashboard%2Fapps%2F1", "302 /login?next=%2Fdashboard%2Fapps%2F1", "200"},
		{"/assets/none.js", "404", "404", "404"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			b := open(t, false)
			check := func(state, want string) {
				t.Helper()
				resp, _ := b.get(tt.path)
				if got := where(resp); got != want {
					t.Errorf("%s: got %s, want %s", state, got, want)
				}
				if ct := resp.header.Get("Content-Type"); resp.status == 200 && ct != "text/html; charset=utf-8" {
					t.Errorf("%s: content type %q", state, ct)
				}
			}
			check("no member", tt.noMember)
			b.setUp()
			check("signed in", tt.signed)
			check("signed in, again", tt.signed) // GET /logout left the session alone
			b.client.Jar, _ = cookiejar.New(nil)
			check("logged out", tt.loggedOut)
		})
	}
}

func TestSetup(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change url.Values
		want   string
		text   string
	}{
		{"no token", url.Values{"_csrf": {}}, "403", "Form expired"},
		{"wrong token", url.Values{"_csrf": {"0b0c8b9e-5a6f-4d0e-9f5b-6a5d0d9c1e2f"}}, "403", "Form expired"},
		{"everything missing", url.Values{"full_name": {" "}, "username": {}, "email": {}, "password": {}}, "200", "User name: Please fill this in."},
		{"name missing", url.Values{"full_name": {}}, "200", "Full name: Please fill this in."},
		{"weak password", url.Values{"password": {"12345678901"}}, "200", "Password: This is one of the most used leaked passwords"},
		{"the product's name", url.Values{"password": {"Quipu!2031"}}, "200", "Password: This is a name, an e-mail address or the name of this product."},
		{"short password", url.Values{"password": {"x9!"}}, "200", "Password: Too short: it needs at least 8 characters."},
		{"pass phrase", url.Values{"password": {"correct horse battery staple"}}, "302 /dashboard", ""},
		{"bad address", url.Values{"email": {"<ada>"}}, "200", `value="&lt;ada&gt;"`},
		{"good", nil, "302 /dashboard", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, false)
			fields := signUp(b.token("/setup"))
			maps.Copy(fields, tt.change)
			resp, body := b.post("/setup", fields)
			if got := where(resp); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !strings.Contains(body, tt.text) {
				t.Errorf("page lacks %q:\n%s", tt.text, body)
			}
			if strings.Contains(body, password) {
				t.Error("page shows the password")
			}
			if got, want := len(b.people.members(t)) == 1, tt.want == "302 /dashboard"; got != want {
				t.Errorf("member made: got %t, want %t", got, want)
			}
		})
	}
}

func TestSetupOnlyOnce(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	token := b.token("/setup")
	b.people.add(t)
	resp, _ := b.post("/setup", signUp(token))
	if got, want := where(resp), "302 /login"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(b.people.members(t)) != 1 {
		t.Errorf("a second administrator was made: %v", b.people.members(t))
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		fields url.Values // besides a right token
		want   string
	}{
		{"good", url.Values{"username": {"ada"}, "password": {password}}, "302 /dashboard"},
		{"wrong password", url.Values{"username": {"ada"}, "password": {"x"}}, "302 /login?message=login.result"},
		{"unknown member", url.Values{"username": {"eve"}, "password": {password}}, "302 /login?message=login.result"},
		{"by address", url.Values{"username": {"ADA@example.test"}, "password": {password}}, "302 /dashboard"},
		{"nothing", url.Values{}, "302 /login?message=login.result"},
		{"no token", url.Values{"username": {"ada"}, "password": {password}, "_csrf": {}}, "302 /login?message=login.token-expired"},
		{"wrong token", url.Values{"username": {"ada"}, "password": {password}, "_csrf": {"x"}}, "302 /login?message=login.token-expired"},
		{"next", url.Values{"username": {"ada"}, "password": {password}, "next": {"/dashboard/a?period=7days"}}, "302 /dashboard/a?period=7days"},
		{"next after a failure", url.Values{"next": {"/dashboard/a"}}, "302 /login?message=login.result&next=%2Fdashboard%2Fa"},
		{"next elsewhere", url.Values{"username": {"ada"}, "password": {password}, "next": {"https://evil.test/dashboard/"}}, "302 /dashboard"},
		{"next with two slashes", url.Values{"username": {"ada"}, "password": {password}, "next": {"//evil.test/dashboard/"}}, "302 /dashboard"},
		{"next with backslash", url.Values{"username": {"ada"}, "password": {password}, "next": {`/dashboard/\evil.test`}}, "302 /dashboard"},
		{"next climbing", url.Values{"username": {"ada"}, "password": {password}, "next": {"/dashboard/..//evil.test"}}, "302 /dashboard"},
		{"next with a line break", url.Values{"username": {"ada"}, "password": {password}, "next": {"/dashboard/\r\nSet-Cookie: a=b"}}, "302 /dashboard"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, false)
			b.people.add(t)
			fields := url.Values{"_csrf": {b.token("/login")}}
			maps.Copy(fields, tt.fields)
			resp, _ := b.post("/login", fields)
			if got := where(resp); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			signed, _ := b.get("/dashboard")
			if got, want := signed.status == 200, !strings.Contains(tt.want, "/login"); got != want {
				t.Errorf("signed in: got %t, want %t", got, want)
			}
		})
	}
}

func TestTokenSurvivesFailures(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	token := b.token("/login")
	for range 2 { // a third wrong password would block the login
		b.post("/login", url.Values{"_csrf": {token}, "username": {"ada"}, "password": {"no"}})
		if got := b.token("/login"); got != token {
			t.Fatalf("token changed from %s to %s", token, got)
		}
	}
	resp, _ := b.do("POST", "/login", "application/json", `{"username":"ada","password":"`+password+`","_csrf":"`+token+`"}`)
	if got, want := where(resp), "302 /dashboard"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	open := b.people.sessions(t)
	if len(open) != 1 || open[0].Addr != "192.0.2.7" {
		t.Errorf("sessions: %+v", open)
	}
}

func TestBlockedLoginLooksLikeAWrongPassword(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	token := b.token("/login")
	fields := url.Values{"_csrf": {token}, "username": {"ada"}, "password": {"no"}}
	var pages []string
	for i := range 5 {
		if i == 4 {
			fields.Set("password", password) // too late: the login is blocked
		}
		resp, _ := b.post("/login", fields)
		_, page := b.get(resp.header.Get("Location"))
		pages = append(pages, where(resp)+page)
	}
	for i, page := range pages {
		if page != pages[0] {
			t.Errorf("attempt %d differs from the first: %s", i, cmp.Diff(pages[0], page))
		}
	}
	if len(b.people.sessions(t)) != 0 {
		t.Error("a blocked login was let in")
	}
}

func TestLoginEndsTheSessionBefore(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	for range 2 {
		b.client.Jar.SetCookies(must(url.Parse(b.server.URL)), []*http.Cookie{{Name: "quipu_form", Value: "0b0c8b9e-5a6f-4d0e-9f5b-6a5d0d9c1e2f", Path: "/"}})
		b.post("/login", url.Values{"_csrf": {"0b0c8b9e-5a6f-4d0e-9f5b-6a5d0d9c1e2f"}, "username": {"ada"}, "password": {password}})
	}
	if open := b.people.sessions(t); len(open) != 1 {
		t.Errorf("sessions: %+v", open)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestCrossOriginForm(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	fields := url.Values{"_csrf": {b.token("/login")}, "username": {"ada"}, "password": {password}}
	b.header.Set("Sec-Fetch-Site", "cross-site")
	resp, _ := b.post("/login", fields)
	if got, want := where(resp), "302 /login?message=login.token-expired"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.header.Set("Sec-Fetch-Site", "same-origin")
	resp, _ = b.post("/login", fields)
	if got, want := where(resp), "302 /dashboard"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

var shellToken = regexp.MustCompile(`(?s)<script nonce="([0-9a-f-]{36})">[^<]*countlyGlobal\["csrf_token"\] = "([0-9a-f-]{36})";`)

func TestDashboardAndLogout(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.setUp()
	resp, body := b.get("/dashboard")
	m := shellToken.FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("the shell holds no token:\n%s", body)
	}
	policy := resp.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "'nonce-"+m[1]+"'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q does not fit nonce %s", policy, m[1])
	}
	if _, again := b.get("/dashboard"); strings.Contains(again, m[1]) {
		t.Error("the nonce was used twice")
	}
	resp, _ = b.post("/logout", url.Values{"_csrf": {"wrong"}})
	if got, want := where(resp), "403"; got != want {
		t.Errorf("wrong token: got %s, want %s", got, want)
	}
	if resp, _ := b.get("/dashboard"); resp.status != 200 {
		t.Error("a wrong token ended the session")
	}
	resp, _ = b.post("/logout?message=by+me", url.Values{"_csrf": {m[2]}})
	if got, want := where(resp), "302 /login?message=by+me"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if left := b.people.sessions(t); len(left) != 0 {
		t.Errorf("sessions left: %+v", left)
	}
	resp, _ = b.post("/logout", nil)
	if got, want := where(resp), "302 /login"; got != want {
		t.Errorf("logged out: got %s, want %s", got, want)
	}
}

func TestForgotSaysWhatToDo(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	_, page := b.get("/forgot")
	for _, want := range []string{"Ask an administrator", "quipu admin create"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "<form") {
		t.Error("the page has a form, though there is nothing to send")
	}
}

func TestMissingPage(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	rec := httptest.NewRecorder()
	b.site.Missing(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/nope", nil))
	if rec.Code != http.StatusNotFound || !strings.Contains(rec.Body.String(), "Page not found") {
		t.Errorf("got %d:\n%s", rec.Code, rec.Body)
	}
	if rec.Header().Get("Content-Security-Policy") == "" {
		t.Error("the page has no policy")
	}
}

func TestHeadersAndCookies(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		b := open(t, secure)
		b.people.add(t)
		resp, _ := b.get("/login")
		for header, want := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got := resp.header.Get(header); got != want {
				t.Errorf("%s: got %q, want %q", header, got, want)
			}
		}
		if got := resp.header.Get("Strict-Transport-Security") != ""; got != secure {
			t.Errorf("HSTS: got %t, want %t", got, secure)
		}
		cookies := resp.cookies
		if len(cookies) != 1 {
			t.Fatalf("got %d cookies, want 1", len(cookies))
		}
		c := cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != secure || c.Path != "/" {
			t.Errorf("cookie %+v", c)
		}
	}
}

func TestStoreFault(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.err = errors.New("disk on fire")
	resp, body := b.get("/login")
	if resp.status != http.StatusInternalServerError {
		t.Errorf("got %d, want 500", resp.status)
	}
	if strings.Contains(body, "fire") || !strings.Contains(body, "Incident number") {
		t.Errorf("page:\n%s", body)
	}
	if n := strings.Count(b.log.String(), "disk on fire"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, b.log.String())
	}
}

func TestMessagesAreNotEchoed(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.add(t)
	_, body := b.get("/login?message=" + url.QueryEscape("<b>call this number</b>"))
	if strings.Contains(body, "this number") {
		t.Errorf("the page shows a foreign text:\n%s", body)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	tests := []struct{ accept, want string }{
		{"", `lang="en"`},
		{"de-AT,de;q=0.9,en;q=0.5", `lang="de"`},
		{"fr-FR,fr", `lang="en"`},
		{"\x7f;;q=x", `lang="en"`},
	}
	for _, tt := range tests {
		b := open(t, false)
		b.people.add(t)
		b.header.Set("Accept-Language", strings.ReplaceAll(tt.accept, "\x7f", "%"))
		_, body := b.get("/login")
		if !strings.Contains(body, tt.want) {
			t.Errorf("%q: page lacks %s", tt.accept, tt.want)
		}
	}
}

func TestCataloguesHaveTheSameKeys(t *testing.T) {
	t.Parallel()
	keys := func(lang string) []string {
		raw, err := os.ReadFile("locales/" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(raw, &texts); err != nil {
			t.Fatal(err)
		}
		var list []string
		for k, v := range texts {
			if v == "" {
				t.Errorf("%s: %s is empty", lang, k)
			}
			list = append(list, k)
		}
		slices.Sort(list)
		return list
	}
	if diff := cmp.Diff(keys("en"), keys("de")); diff != "" {
		t.Errorf("en against de:\n%s", diff)
	}
}

var assetLink = regexp.MustCompile(`"(/assets/[^"]+)"`)

func TestAssets(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.setUp()
	_, body := b.get("/dashboard")
	_, login := b.get("/reset")
	links := assetLink.FindAllStringSubmatch(body+login, -1)
	if len(links) < 2 {
		t.Fatalf("pages link to %d files", len(links))
	}
	for _, link := range links {
		b.header.Del("Accept-Encoding")
		resp, unpacked := b.get(link[1]) // the client asks for gzip and unpacks it
		if resp.status != 200 || !strings.Contains(resp.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", link[1], resp.status, resp.header.Get("Cache-Control"))
		}
		inert := strings.HasSuffix(link[1], ".js") || strings.HasSuffix(link[1], ".css")
		for _, header := range []string{
			"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy", "Referrer-Policy", "X-Frame-Options",
		} {
			if got := resp.header.Get(header) == ""; got != inert {
				t.Errorf("%s: without %s: got %t, want %t", link[1], header, got, inert)
			}
		}
		if got := resp.header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options: got %q", link[1], got)
		}
		for accept, want := range map[string]string{
			"identity": "", "gzip;q=0": "", "gzip": "gzip", "gzip, deflate, br": "br", "br;q=0, *": "gzip",
		} {
			b.header.Set("Accept-Encoding", accept)
			resp, body := b.get(link[1])
			got := resp.header.Get("Content-Encoding")
			if want == "br" && got == "gzip" && strings.Contains(link[1], "pages-") || want == "br" && strings.HasSuffix(link[1], ".svg") {
				want = got // of the files of the pages there is no brotli
			}
			if got != want || resp.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s for %q: encoding %q, want %q, vary %q", link[1], accept, got, want, resp.header.Get("Vary"))
			}
			if got == "" && body != unpacked {
				t.Errorf("%s: %d bytes plain, %d bytes unpacked", link[1], len(body), len(unpacked))
			}
		}
	}
}

// The page of the dashboard holds the token of the session: other sites must not see how well it compresses.
func TestShellIsCompressedForOurselvesOnly(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.setUp()
	for site, want := range map[string]string{"none": "gzip", "same-origin": "gzip", "same-site": "", "cross-site": "", "": ""} {
		b.header.Set("Accept-Encoding", "gzip")
		b.header.Set("Sec-Fetch-Site", site)
		resp, _ := b.get("/dashboard")
		if got := resp.header.Get("Content-Encoding"); resp.status != 200 || got != want {
			t.Errorf("%q: %d, encoding %q, want %q", site, resp.status, got, want)
		}
	}
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	for method, want := range map[string]int{"HEAD": 200, "PUT": 405, "DELETE": 405} {
		resp, body := b.do(method, "/setup", "", "")
		if resp.status != want || method == "HEAD" && body != "" {
			t.Errorf("%s: got %d", method, resp.status)
		}
	}
}

// FuzzNext checks that no value of next leads away from the dashboard.
func FuzzNext(f *testing.F) {
	for _, seed := range []string{"/dashboard/a", "//x", "/dashboard/../x", "http:/dashboard/", "/dashboard/%2e%2e/x", "/dashboard/?a=b#c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, next string) {
		got := web.Below(next)
		if got == "" {
			return
		}
		base, err := url.Parse("http://quipu.test/login")
		if err != nil {
			t.Fatal(err)
		}
		u, err := base.Parse(got)
		if err != nil || u.Host != "quipu.test" || u.Scheme != "http" || !strings.HasPrefix(u.Path, "/dashboard/") {
			t.Errorf("%q leads to %v (%v)", next, u, err)
		}
	})
}

// TestKnownBrowser attacks a login from everywhere: the browser that signed in before gets in, another one does not.
func TestKnownBrowser(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.setUp()
	signIn := func() string {
		resp, _ := b.post("/login", url.Values{"username": {"ada"}, "password": {password}, "_csrf": {b.token("/login")}})
		return where(resp)
	}
	_, body := b.get("/dashboard")
	csrf := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(body[strings.Index(body, "csrf_token"):])
	if resp, _ := b.post("/logout", url.Values{"_csrf": {csrf}}); where(resp) != "302 /login" {
		t.Fatalf("sign out: %s", where(resp))
	}
	for i := range 40 {
		a := auth.LoginAttempt{Login: "ada", Password: "x", Addr: netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})}
		if _, err := b.people.Login(t.Context(), a); err == nil {
			t.Fatal("a wrong password is right")
		}
	}
	known := b.client.Jar
	b.client.Jar, _ = cookiejar.New(nil)
	if got, want := signIn(), "302 /login?message=login.result"; got != want {
		t.Errorf("another browser: got %s, want %s", got, want)
	}
	b.client.Jar = known
	if got, want := signIn(), "302 /dashboard"; got != want {
		t.Errorf("the known browser: got %s, want %s", got, want)
	}
}

// TestSetupBesideStrangers creates the first administrator at an address where strangers have guessed at the code.
func TestSetupBesideStrangers(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.header.Set("X-Forwarded-For", "198.51.100.7")
	code := b.people.NewSetupCode()
	fields := signUp(b.token("/setup"))
	for range 60 {
		fields.Set("code", "0000-0000-0000")
		if resp, _ := b.post("/setup", fields); where(resp) != "200" {
			t.Fatalf("a wrong code: %s", where(resp))
		}
	}
	fields.Set("code", code)
	if resp, _ := b.post("/setup", fields); where(resp) != "302 /dashboard" {
		t.Errorf("the right code: %s", where(resp))
	}
	if n := len(b.people.sessions(t)); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

// TestSetupCode creates the first administrator from another machine.
func TestSetupCode(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	code := b.people.NewSetupCode()
	if _, page := b.get("/setup"); strings.Contains(page, `name="code"`) {
		t.Error("the machine of the server is asked for a code")
	}
	b.header.Set("X-Forwarded-For", "198.51.100.7")
	_, page := b.get("/setup")
	if !strings.Contains(page, `name="code"`) || !strings.Contains(page, "Setup code") || strings.Contains(page, code) {
		t.Errorf("the page does not ask for the code, or shows it:\n%s", page)
	}
	for _, wrong := range []string{"", "0000-0000-0000", b.people.NewSetupCode() + "x", code} { // code is not the last one any more
		fields := signUp(b.token("/setup"))
		fields.Set("code", wrong)
		resp, page := b.post("/setup", fields)
		if where(resp) != "200" || !strings.Contains(page, "Setup code: This is not the code") || !strings.Contains(page, `value="ada@example.test"`) {
			t.Errorf("%q: %s\n%s", wrong, where(resp), page)
		}
	}
	if n := len(b.people.members(t)); n != 0 {
		t.Fatalf("%d members were made without the code", n)
	}
	fields := signUp(b.token("/setup"))
	fields.Set("code", b.people.NewSetupCode())
	if resp, _ := b.post("/setup", fields); where(resp) != "302 /dashboard" {
		t.Errorf("with the code: %s", where(resp))
	}
}
