package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/auth"
)

// send sends a request with these cookies and no others, and returns the answer with what the browser keeps then.
func (b *browser) send(method, path string, fields url.Values, cookies map[string]string) (*httptest.ResponseRecorder, map[string]string) {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	rec := httptest.NewRecorder()
	b.site.ServeHTTP(rec, r)
	kept := maps.Clone(cookies)
	if kept == nil {
		kept = map[string]string{}
	}
	for _, c := range rec.Result().Cookies() {
		host := strings.HasPrefix(c.Name, "__Host-")
		if host && (!c.Secure || c.Domain != "" || c.Path != "/") {
			b.t.Errorf("a browser refuses %s", c.Raw)
			continue
		}
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Domain != "" || c.Path != "/" {
			b.t.Errorf("cookie %s", c.Raw)
		}
		if c.MaxAge < 0 {
			delete(kept, c.Name)
		} else {
			kept[c.Name] = c.Value
		}
	}
	return rec, kept
}

func names(cookies map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(cookies)), " ")
}

// TestCookieNames signs in with and without TLS, and out again.
func TestCookieNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		secure                  bool
		form, signed, signedOut string
	}{
		{false, "quipu_form", "quipu_device quipu_session", "quipu_device"},
		{true, "__Host-quipu_form", "__Host-quipu_device __Host-quipu_session", "__Host-quipu_device"},
	} {
		b := open(t, tt.secure)
		b.people.add(t)
		page, cookies := b.send("GET", "/login", nil, nil)
		if names(cookies) != tt.form {
			t.Errorf("the page of the form sets %s, want %s", names(cookies), tt.form)
		}
		token := tokenInput.FindStringSubmatch(page.Body.String())[1]
		in := url.Values{"username": {"ada"}, "password": {password}, "_csrf": {token}}
		if tt.secure { // what a neighbour planted counts for nothing
			if rec, _ := b.send("POST", "/login", in, map[string]string{"quipu_form": token}); rec.Header().Get("Location") != "/login?message=login.token-expired" {
				t.Errorf("a plain form cookie is taken over TLS: %s", rec.Header().Get("Location"))
			}
		}
		rec, cookies := b.send("POST", "/login", in, cookies)
		if rec.Header().Get("Location") != "/dashboard" || names(cookies) != tt.signed {
			t.Fatalf("signed in to %s with %s, want %s", rec.Header().Get("Location"), names(cookies), tt.signed)
		}
		shell, same := b.send("GET", "/dashboard", nil, cookies)
		if shell.Code != http.StatusOK || names(same) != tt.signed {
			t.Errorf("dashboard: %d, %s", shell.Code, names(same))
		}
		csrf := shellToken.FindStringSubmatch(shell.Body.String())[2]
		if _, cookies = b.send("POST", "/logout", url.Values{"_csrf": {csrf}}, cookies); names(cookies) != tt.signedOut {
			t.Errorf("signed out with %s, want %s", names(cookies), tt.signedOut)
		}
		if n := len(b.people.sessions(t)); n != 0 {
			t.Errorf("%d sessions are open", n)
		}
	}
}

// TestSessionFromBefore goes on over TLS with the plain cookie that an older version gave: it gets the other name, and
// the plain one goes. One of the other name goes first.
func TestSessionFromBefore(t *testing.T) {
	t.Parallel()
	b := open(t, true)
	old := b.begun(auth.AnyTransport)
	rec, renamed := b.send("GET", "/dashboard", nil, map[string]string{"quipu_session": old})
	if rec.Code != http.StatusOK || names(renamed) != "__Host-quipu_session" || renamed["__Host-quipu_session"] != old {
		t.Errorf("%d, %v", rec.Code, renamed)
	}
	planted := map[string]string{"__Host-quipu_session": old, "quipu_session": strings.Repeat("A", len(old))}
	if rec, _ := b.send("GET", "/dashboard", nil, planted); rec.Code != http.StatusOK {
		t.Errorf("a plain cookie that a neighbour planted goes first: %d", rec.Code)
	}
}

// begun adds ada and returns the cookie of a session of hers.
func (b *browser) begun(over auth.Transport) string {
	b.t.Helper()
	b.people.add(b.t)
	session, err := b.people.CreateSession(b.t.Context(), &b.people.members(b.t)[0], auth.SessionInfo{Over: over})
	if err != nil {
		b.t.Fatal(err)
	}
	return session.Cookie
}

// TestPlantedSessions gives browsers the plain cookie of another member's session, as a server of the same domain can.
func TestPlantedSessions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, cookie string
		over         auth.Transport
		secure       bool
		want         string
	}{
		{"of a session over TLS, to one over TLS", "quipu_session", auth.OverTLS, true, "302 /login"},
		{"of a session over TLS, to one without", "quipu_session", auth.OverTLS, false, "302 /login"},
		{"of a session without TLS, to one over TLS", "quipu_session", auth.OverPlain, true, "302 /login"},
		{"its own, without TLS", "quipu_session", auth.OverPlain, false, "200"},
		{"its own, over TLS", "__Host-quipu_session", auth.OverTLS, true, "200"},
	} {
		b := open(t, tt.secure)
		rec, _ := b.send("GET", "/dashboard", nil, map[string]string{tt.cookie: b.begun(tt.over)})
		if got := strings.TrimSpace(strconv.Itoa(rec.Code) + " " + rec.Header().Get("Location")); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
