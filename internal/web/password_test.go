package web_test

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"testing"

	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/topic"
)

const second = "Another-horse-2"

// due makes ada's password one that has to be changed.
func (p *people) due(t *testing.T) {
	t.Helper()
	p.add(t)
	if _, err := p.UpdateMember(t.Context(), p.members(t)[0].ID, auth.MemberChange{MustChangePassword: new(true)}, ""); err != nil {
		t.Fatal(err)
	}
}

// signIn posts the page and returns where that leads.
func (b *browser) signIn(name, password, next string) string {
	b.t.Helper()
	resp, _ := b.post("/login", url.Values{"_csrf": {b.token("/login")}, "username": {name}, "password": {password}, "next": {next}})
	return where(resp)
}

// A password has to be changed where a sign-in led here; elsewhere the page offers it.
func TestWhyChange(t *testing.T) {
	t.Parallel()
	const must = "has to be changed"
	b := open(t, false)
	b.people.due(t)
	if _, page := b.get("/password"); strings.Contains(page, must) || !strings.Contains(page, "Your other sessions end with the change.") {
		t.Errorf("the page of a stranger:\n%s", page)
	}
	wrong := url.Values{"_csrf": {b.token("/password")}, "username": {"ada"}, "present": {password}, "wanted": {second}, "again": {"x"}}
	if _, page := b.post("/password", wrong); strings.Contains(page, must) {
		t.Errorf("after a mistake:\n%s", page)
	}
	b.signIn("ada", password, "")
	if _, page := b.get("/password"); !strings.Contains(page, must) {
		t.Errorf("after the sign-in:\n%s", page)
	}
	wrong.Set("_csrf", b.token("/password"))
	if _, page := b.post("/password", wrong); !strings.Contains(page, must) {
		t.Errorf("after the sign-in and a mistake:\n%s", page)
	}
}

func TestForcedChange(t *testing.T) {
	t.Parallel()
	good := url.Values{"username": {"ada"}, "present": {password}, "wanted": {second}, "again": {second}}
	tests := []struct {
		name   string
		fields url.Values // besides good ones
		want   string
		text   string
	}{
		{"good", nil, "302 /dashboard", ""},
		{"by address, with next", url.Values{"username": {"ADA@example.test"}, "next": {"/dashboard/a?b=c"}}, "302 /dashboard/a?b=c", ""},
		{"next elsewhere", url.Values{"next": {"https://evil.test/dashboard/"}}, "302 /dashboard", ""},
		{"no token", url.Values{"_csrf": {}}, "302 /password?message=login.token-expired", ""},
		{"wrong password", url.Values{"present": {"x"}, "next": {"/dashboard/a"}}, "302 /password?message=login.result&next=%2Fdashboard%2Fa", ""},
		{"unknown member", url.Values{"username": {"eve"}}, "302 /password?message=login.result", ""},
		{"the same", url.Values{"wanted": {password}, "again": {password}}, "200", "New password: You have this password"},
		{"weak", url.Values{"wanted": {"12345678"}, "again": {"12345678"}}, "200", "New password: This is one of the most used leaked passwords"},
		{"short", url.Values{"wanted": {"x9!"}, "again": {"x9!"}}, "200", "New password: Too short"},
		{"too long", url.Values{"wanted": {strings.Repeat("long", 65)}, "again": {strings.Repeat("long", 65)}}, "200", "New password: Too long"},
		{"the own name", url.Values{"wanted": {"AdaLovelace1"}, "again": {"AdaLovelace1"}}, "200", "New password: This is a name"},
		{"mistyped", url.Values{"again": {"Another-horse-3"}}, "200", "New password, once more: The two do not match."},
		{"nothing", url.Values{"username": {}, "present": {}, "wanted": {}, "again": {}}, "200", "Current password: Please fill this in."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, false)
			b.people.due(t)
			var told []topic.Action
			hook.On(b.people.bus, "test", func(_ context.Context, ev topic.Action) error { told = append(told, ev); return nil })
			if got, want := b.signIn("ada", password, "/dashboard/a?b=c"), "302 /password?next=%2Fdashboard%2Fa%3Fb%3Dc"; got != want {
				t.Fatalf("sign in: got %s, want %s", got, want)
			}
			if resp, _ := b.get("/dashboard"); resp.status == 200 || len(b.people.sessions(t)) != 0 {
				t.Fatal("there is a session before the change")
			}
			if _, page := b.get("/password"); !strings.Contains(page, `name="username" value="ada"`) {
				t.Errorf("the page does not know the name:\n%s", page)
			}
			fields := url.Values{"_csrf": {b.token("/password")}}
			maps.Copy(fields, good)
			maps.Copy(fields, tt.fields)
			resp, body := b.post("/password", fields)
			if got := where(resp); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !strings.Contains(body, tt.text) || strings.Contains(body, password) || strings.Contains(body, second) {
				t.Errorf("page lacks %q, or shows a password:\n%s", tt.text, body)
			}
			done := strings.HasPrefix(tt.want, "302 /dashboard")
			if open := b.people.sessions(t); (len(open) == 1) != done {
				t.Errorf("sessions: %+v", open)
			}
			if signed, _ := b.get("/dashboard"); (signed.status == 200) != done {
				t.Errorf("signed in: %d", signed.status)
			}
			if (len(told) == 1) != done || done && (told[0].Name != "users_password" || told[0].Username != "ada" || told[0].IP != "192.0.2.7") {
				t.Errorf("the audit log is told %+v", told)
			}
			if m := b.people.members(t)[0]; m.MustChangePassword == done {
				t.Errorf("the need to change is %t", m.MustChangePassword)
			}
		})
	}
}

// TestForcedChangeIsBlocked guesses at the page until the login is blocked.
func TestForcedChangeIsBlocked(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.people.due(t)
	fields := url.Values{"_csrf": {b.token("/password")}, "username": {"ada"}, "present": {"no"}, "wanted": {second}, "again": {second}}
	for i := range 4 {
		if i == 3 {
			fields.Set("present", password) // too late
		}
		resp, _ := b.post("/password", fields)
		if got, want := where(resp), "302 /password?message=login.result"; got != want {
			t.Errorf("attempt %d: got %s, want %s", i, got, want)
		}
	}
	if got, want := b.signIn("ada", password, ""), "302 /login?message=login.result"; got != want {
		t.Errorf("sign in: got %s, want %s", got, want)
	}
}

// TestForgedNameCookie gives the page a cookie that it did not make.
func TestForgedNameCookie(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"?", "PHNjcmlwdD4", strings.Repeat("YWFh", 200)} {
		b := open(t, false)
		b.people.add(t)
		b.header.Set("Cookie", "quipu_name="+value)
		resp, body := b.get("/password")
		if resp.status != 200 || strings.Contains(body, "<script>") || strings.Contains(body, "aaaa") {
			t.Errorf("%.20s: %d\n%s", value, resp.status, body)
		}
	}
}
