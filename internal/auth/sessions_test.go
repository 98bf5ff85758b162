package auth_test

import (
	"regexp"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs/docstest"
)

func (w *world) session(m *model.Member) auth.Session {
	w.t.Helper()
	s, err := w.CreateSession(w.t.Context(), m, auth.SessionInfo{Addr: "192.0.2.1", Agent: "Browser/1"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// isOpen reports whether a cookie has an open session.
func (w *world) isOpen(cookie string) bool {
	w.t.Helper()
	_, ok, err := w.Session(w.t.Context(), cookie)
	if err != nil {
		w.t.Fatal(err)
	}
	return ok
}

func TestSession(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	s := w.session(w.admin)
	if !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(s.CSRF) {
		t.Errorf("the token %q has not the form of a UUID", s.CSRF)
	}
	got, ok, err := w.open().Session(ctx, s.Cookie)
	if err != nil || !ok || got.Member.ID != w.admin.ID || got.CSRF != s.CSRF || got.ID == s.Cookie {
		t.Errorf("after a restart: %+v, %t, %v", got, ok, err)
	}
	other := w.session(w.admin)
	if other.Cookie == s.Cookie || other.CSRF == s.CSRF {
		t.Error("two sessions share a secret")
	}
	list, err := w.sessions(ctx, w.admin.ID)
	if err != nil || len(list) != 2 || list[0].Cookie != "" || list[0].CSRF != "" || list[0].Agent != "Browser/1" {
		t.Errorf("list: %+v, %v", list, err)
	}
	for name, cookie := range map[string]string{
		"none": "", "short": "x", "changed": "A" + s.Cookie[1:] + "", "the stored id": s.ID, "longer": s.Cookie + "A",
	} {
		if cookie != s.Cookie && w.isOpen(cookie) {
			t.Errorf("cookie %s opens a session", name)
		}
	}
	if !s.SameCSRF(s.CSRF) || s.SameCSRF(other.CSRF) || s.SameCSRF("") || (auth.Session{}).SameCSRF("") {
		t.Error("SameCSRF is wrong")
	}
}

func TestSessionEnds(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		w := newWorld(t)
		s := w.session(w.admin)
		for range 3 {
			w.clock.Add(23 * time.Hour)
			if !w.isOpen(s.Cookie) {
				t.Fatal("ended although it was used every day")
			}
		}
		w.clock.Add(24*time.Hour + 6*time.Minute)
		if w.isOpen(s.Cookie) {
			t.Error("open after a day without use")
		}
	})
	t.Run("lifetime", func(t *testing.T) {
		w := newWorld(t)
		s := w.session(w.admin)
		for range 7*24 - 1 {
			w.clock.Add(time.Hour)
			if !w.isOpen(s.Cookie) {
				t.Fatal("ended early")
			}
		}
		w.clock.Add(time.Hour)
		if w.isOpen(s.Cookie) {
			t.Error("open after a week")
		}
		if list, err := w.sessions(t.Context(), w.admin.ID); err != nil || len(list) != 0 {
			t.Errorf("an ended session is listed: %v, %v", list, err)
		}
		fresh := w.session(w.admin)
		if err := w.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !w.isOpen(fresh.Cookie) {
			t.Error("pruning ended an open session")
		}
	})
	t.Run("idle behind a stream", func(t *testing.T) {
		w := newWorld(t)
		s := w.session(w.admin)
		look := func() bool {
			id, err := w.Authenticate(t.Context(), auth.Credentials{Cookie: s.Cookie, Again: true})
			return err == nil && id.SessionID == s.ID
		}
		for range 23 {
			w.clock.Add(time.Hour)
			if !look() {
				t.Fatal("ended early")
			}
		}
		w.clock.Add(time.Hour)
		if look() || w.isOpen(s.Cookie) {
			t.Error("a stream that looked every hour kept the session open for a day")
		}
	})
	t.Run("locked", func(t *testing.T) {
		w := newWorld(t)
		bob := w.member("bob")
		s := w.session(bob)
		if _, err := w.UpdateMember(t.Context(), bob.ID, auth.MemberChange{Locked: new(true)}, ""); err != nil {
			t.Fatal(err)
		}
		if w.isOpen(s.Cookie) {
			t.Error("open although the member is locked")
		}
	})
	t.Run("revoked", func(t *testing.T) {
		w := newWorld(t)
		a, b, c := w.session(w.admin), w.session(w.admin), w.session(w.admin)
		bob := w.session(w.member("bob"))
		if err := w.RevokeSession(t.Context(), a.Cookie); err != nil {
			t.Fatal(err)
		}
		if w.isOpen(a.Cookie) || !w.isOpen(b.Cookie) {
			t.Error("the wrong session was ended")
		}
		if err := w.RevokeSession(t.Context(), a.Cookie); err != nil {
			t.Errorf("a second revocation: %v", err)
		}
		if err := w.RevokeSessions(t.Context(), w.admin.ID, b.ID); err != nil {
			t.Fatal(err)
		}
		if !w.isOpen(b.Cookie) || w.isOpen(c.Cookie) || !w.isOpen(bob.Cookie) {
			t.Error("the wrong sessions were ended")
		}
	})
	t.Run("password", func(t *testing.T) {
		w := newWorld(t)
		a, b := w.session(w.admin), w.session(w.admin)
		if _, err := w.UpdateMember(t.Context(), w.admin.ID, auth.MemberChange{Password: new("Another-horse-2")}, b.ID); err != nil {
			t.Fatal(err)
		}
		if w.isOpen(a.Cookie) || !w.isOpen(b.Cookie) {
			t.Error("a new password has to end all other sessions")
		}
	})
}

// TestSessionToken checks the one token that a log-in on the page makes.
func TestSessionToken(t *testing.T) {
	w := newWorld(t)
	s := w.session(w.admin)
	list, err := w.tokens(t.Context(), w.admin.ID)
	if err != nil || len(list) != 1 {
		t.Fatalf("tokens after a log-in: %v, %v, want one", list, err)
	}
	if tok := list[0]; !tok.Multi || tok.TTL != 1800 || tok.Purpose != "LoggedInAuth" || len(tok.Apps) != 0 || tok.Endpoint != nil {
		t.Errorf("got %+v", tok)
	}
	if err := w.RevokeSession(t.Context(), s.Cookie); err != nil {
		t.Fatal(err)
	}
	if list, err := w.tokens(t.Context(), w.admin.ID); err != nil || len(list) != 0 {
		t.Errorf("tokens after the log-out: %v, %v, want none", list, err)
	}
}

func TestSessionIsKeptAliveCheaply(t *testing.T) {
	w := newWorld(t)
	s := w.session(w.admin)
	writes := 0
	w.db.Hook = func(op docstest.Op) error {
		if op.Name == "replace" {
			writes++
		}
		return nil
	}
	for range 60 {
		w.clock.Add(10 * time.Second)
		w.isOpen(s.Cookie)
	}
	if writes < 1 || writes > 2 {
		t.Errorf("%d writes in ten minutes of use, want 1 or 2", writes)
	}
	w.clock.Add(time.Hour)
	w.db.Hook = func(op docstest.Op) error {
		if op.Name == "replace" {
			return errBroken
		}
		return nil
	}
	if !w.isOpen(s.Cookie) {
		t.Error("a session ends when its time cannot be written")
	}
	w.db.Hook = func(op docstest.Op) error {
		if op.Name == "get" {
			return errBroken
		}
		return nil
	}
	if _, ok, err := w.Session(t.Context(), s.Cookie); ok || err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("a session that cannot be read: %t, %v", ok, err)
	}
}
