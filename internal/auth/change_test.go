package auth_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

const day = 24 * time.Hour

// TestExpiry looks at the second in which a password expires.
func TestExpiry(t *testing.T) {
	for _, test := range []struct {
		name       string
		expiration time.Duration
		age        time.Duration
		due        bool
	}{
		{"never", 0, 3650 * day, false},
		{"fresh", 90 * day, 0, false},
		{"a second before", 90 * day, 90*day - time.Second, false},
		{"at the end", 90 * day, 90 * day, true},
		{"long after", 90 * day, 900 * day, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.rules.Expiration = test.expiration
			bob := w.member("bob")
			w.clock.Add(test.age)
			want := ""
			if test.due {
				want = "auth.password_due"
			}
			if err := w.try("bob", goodPassword); fault.CodeOf(err) != want || auth.IsPasswordDue(err) != test.due {
				t.Errorf("log-in: got %v, want %q", err, want)
			}
			m, err := w.Member(t.Context(), bob.ID)
			if err != nil || (m.LastLogin == 0) != test.due {
				t.Errorf("a refused log-in is noted, or one that is not refused is not: %+v, %v", m, err)
			}
			// Wrong credentials do not learn of it.
			if err := w.try("bob", "wrong"); fault.CodeOf(err) != "auth.refused" {
				t.Errorf("wrong password: %v", err)
			}
		})
	}
}

// TestExpiryCountsFromThePassword gives the time that each way to a password starts over.
func TestExpiryCountsFromThePassword(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.rules.Expiration = 30 * day
	bob := w.member("bob")
	expired := func() bool {
		m, err := w.Member(ctx, bob.ID)
		if err != nil {
			t.Fatal(err)
		}
		return w.PasswordExpired(m)
	}
	for i, own := range []bool{false, true} {
		w.clock.Add(30 * day)
		if !expired() {
			t.Errorf("round %d: not expired", i)
		}
		_, err := w.UpdateMember(ctx, bob.ID, auth.MemberChange{Password: new(goodPassword + strings.Repeat("!", i+1)), Own: own}, "")
		if err != nil || expired() {
			t.Errorf("round %d: %v, expired %t", i, err, expired())
		}
		if _, err := w.UpdateMember(ctx, bob.ID, auth.MemberChange{FullName: new("Robert")}, ""); err != nil {
			t.Fatal(err)
		}
		w.clock.Add(30*day - time.Second)
		if expired() {
			t.Errorf("round %d: expired a second too early", i)
		}
		w.clock.Add(time.Second)
		if !expired() {
			t.Errorf("round %d: not expired in time", i)
		}
	}
	old := &model.Member{CreatedAt: w.clock.Now().Add(-31 * day).Unix(), PasswordChanged: w.clock.Now().Add(-29 * day).Unix()}
	if w.PasswordExpired(old) {
		t.Error("a member of before passwords had a time expires by its creation, not by its last change")
	}
}

// TestForced goes through who must choose another password.
func TestForced(t *testing.T) {
	yes, no := new(true), new(false)
	for _, test := range []struct {
		name  string
		rule  bool
		flag  *bool // at creation
		after *auth.MemberChange
		due   bool
	}{
		{"no rule", false, nil, nil, false},
		{"flag", false, yes, nil, true},
		{"rule", true, nil, nil, true},
		{"rule, but not this one", true, no, nil, false},
		{"given another, no rule", false, nil, &auth.MemberChange{Password: new("Another-horse-2")}, false},
		{"given another, rule", true, no, &auth.MemberChange{Password: new("Another-horse-2")}, true},
		{"given another, rule, but not this one", true, no, &auth.MemberChange{Password: new("Another-horse-2"), MustChangePassword: no}, false},
		{"given another keeps the flag", false, yes, &auth.MemberChange{Password: new("Another-horse-2")}, true},
		{"flag later", false, nil, &auth.MemberChange{MustChangePassword: yes}, true},
		{"flag taken away", true, nil, &auth.MemberChange{MustChangePassword: no}, false},
		{"something else keeps the flag", false, yes, &auth.MemberChange{FullName: new("B")}, true},
		{"chosen", true, nil, &auth.MemberChange{Password: new("Another-horse-2"), Own: true}, false},
		{"chosen, with the flag", true, nil, &auth.MemberChange{Password: new("Another-horse-2"), Own: true, MustChangePassword: yes}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.rules.ForceChange = test.rule
			bob := w.member("bob", func(n *auth.NewMember) { n.MustChangePassword = test.flag })
			password := goodPassword
			if test.after != nil {
				m, err := w.UpdateMember(t.Context(), bob.ID, *test.after, "")
				if err != nil {
					t.Fatal(err)
				}
				if test.after.Password != nil {
					password = *test.after.Password
					if (m.PasswordChanged != 0) != test.after.Own {
						t.Errorf("password_changed is %d", m.PasswordChanged)
					}
				}
			}
			if err := w.try("bob", password); auth.IsPasswordDue(err) != test.due || err != nil && !test.due {
				t.Errorf("log-in: %v, want due %t", err, test.due)
			}
			if err := w.try("admin", goodPassword); err != nil {
				t.Errorf("who set up the server: %v", err)
			}
		})
	}
}

func TestChangePassword(t *testing.T) {
	const second = "Another-horse-2"
	for _, test := range []struct {
		name, login, old, next string
		locked                 bool
		code                   string
	}{
		{"done", "bob", goodPassword, second, false, ""},
		{"by address", "BOB@example.org", goodPassword, second, false, ""},
		{"wrong password", "bob", "wrong", second, false, "auth.refused"},
		{"unknown", "nobody", goodPassword, second, false, "auth.refused"},
		{"locked", "bob", goodPassword, second, true, "auth.refused"},
		{"weak", "bob", goodPassword, "12345678", false, "auth.password_leaked"},
		{"the same", "bob", goodPassword, goodPassword, false, "auth.password_reused"},
		{"nothing", "bob", goodPassword, "", false, "auth.member_invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			bob := w.member("bob", func(n *auth.NewMember) { n.Locked, n.MustChangePassword = test.locked, new(true) })
			session, err := w.CreateSession(t.Context(), bob, auth.SessionInfo{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := w.ChangePassword(t.Context(), auth.LoginAttempt{Login: test.login, Password: test.old}, test.next)
			if fault.CodeOf(err) != test.code {
				t.Fatalf("got %v, want %q", err, test.code)
			}
			_, open, err := w.Session(t.Context(), session.Cookie)
			if err != nil || open != (test.code != "" && !test.locked) {
				t.Errorf("a session of before is open: %t, %v", open, err)
			}
			if test.code != "" {
				if m, err := w.Member(t.Context(), bob.ID); err != nil || !m.MustChangePassword || m.PasswordHash != bob.PasswordHash {
					t.Errorf("a refused change changed something: %+v, %v", m, err)
				}
				return
			}
			if now := w.clock.Now().Unix(); m.MustChangePassword || m.PasswordChanged != now || m.LastLogin != now {
				t.Errorf("got %+v", m)
			}
			if err := w.try("bob", second); err != nil {
				t.Errorf("the new password: %v", err)
			}
			if err := w.try("bob", goodPassword); fault.CodeOf(err) != "auth.refused" {
				t.Errorf("the old password: %v", err)
			}
		})
	}
}

// TestChangePasswordIsThrottled guesses at the page that changes a password.
func TestChangePasswordIsThrottled(t *testing.T) {
	w := newWorld(t)
	bob := w.member("bob", func(n *auth.NewMember) { n.MustChangePassword = new(true) })
	change := func(password string) error {
		_, err := w.ChangePassword(t.Context(), auth.LoginAttempt{Login: "bob", Password: password}, "Another-horse-2")
		return err
	}
	for range w.cfg.Throttle.Attempts {
		if err := change("wrong"); fault.CodeOf(err) != "auth.refused" {
			t.Fatal(err)
		}
	}
	before := w.passwords.real(bob)
	if err := change(goodPassword); fault.CodeOf(err) != "auth.refused" || w.passwords.real(bob) != before {
		t.Errorf("a blocked login: %v", err)
	}
	if err := w.try("bob", goodPassword); fault.CodeOf(err) != "auth.refused" {
		t.Errorf("the log-in has a throttle of its own: %v", err)
	}
	w.clock.Add(w.cfg.Throttle.Block - time.Millisecond)
	if err := change(goodPassword); fault.CodeOf(err) != "auth.refused" {
		t.Errorf("a millisecond before the end of the block: %v", err)
	}
	w.clock.Add(time.Millisecond)
	if err := change(goodPassword); err != nil {
		t.Errorf("after the block: %v", err)
	}
}

// TestHistory chooses passwords that were had before.
func TestHistory(t *testing.T) {
	ctx := t.Context()
	w := newWorld(t)
	bob := w.member("bob")
	number := func(n int) string { return "Correct-horse-" + string(rune('0'+n)) } // 1 is the first password
	choose := func(n int, own bool) error {
		_, err := w.UpdateMember(ctx, bob.ID, auth.MemberChange{Password: new(number(n)), Own: own}, "")
		return err
	}
	for i, step := range []struct {
		history, choose int
		own, refused    bool
	}{
		{0, 1, true, true}, // the present one
		{0, 2, true, false},
		{0, 1, true, false}, // no history: one further back is free
		{2, 3, true, false},
		{2, 4, true, false}, // 3, 1 are before
		{2, 3, true, true},
		{2, 1, true, true},
		{2, 4, true, true},
		{2, 5, true, false}, // 4, 3 are before
		{2, 1, true, false}, // 5, 4
		{2, 5, false, false},
		{2, 1, true, true}, // what an administrator sets does not hide what was before
		{1, 4, true, false},
		{1, 5, true, true},
		{1, 1, true, false},
	} {
		w.rules.History = step.history
		if err := choose(step.choose, step.own); auth.IsPasswordReused(err) != step.refused || err != nil && !step.refused {
			t.Errorf("step %d, password %d: got %v, want refused %t", i, step.choose, err, step.refused)
		}
		m, err := w.Member(ctx, bob.ID)
		if err != nil || len(m.PasswordHistory) > step.history && !step.refused {
			t.Errorf("step %d: %d hashes are kept, %v", i, len(m.PasswordHistory), err)
		}
	}
}

// TestKeyOfADuePassword asks for the key with a password that has to be changed.
func TestKeyOfADuePassword(t *testing.T) {
	w := newWorld(t)
	bob := w.member("bob", func(n *auth.NewMember) { n.MustChangePassword = new(true) })
	h := w.KeyHandler(func(*http.Request) netip.Addr { return netip.Addr{} })
	ask := func(password string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/api-key", nil)
		r.SetBasicAuth("bob", password)
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec
	}
	if r := ask(goodPassword); r.Code != http.StatusForbidden || !strings.Contains(r.Body.String(), "has to be changed") || r.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("got %d %q", r.Code, r.Body)
	}
	if r := ask("wrong"); r.Code != http.StatusUnauthorized || r.Body.String() != "-1" {
		t.Errorf("a wrong password is told about it: %d %q", r.Code, r.Body)
	}
	if id, err := w.Authenticate(t.Context(), auth.Credentials{APIKey: bob.APIKey}); err != nil || id.Member.ID != bob.ID {
		t.Errorf("the key itself: %v", err)
	}
	if _, err := w.ChangePassword(t.Context(), auth.LoginAttempt{Login: "bob", Password: goodPassword}, "Another-horse-2"); err != nil {
		t.Fatal(err)
	}
	if r := ask("Another-horse-2"); r.Code != http.StatusOK || r.Body.String() != bob.APIKey {
		t.Errorf("after the change: %d %q", r.Code, r.Body)
	}
}
