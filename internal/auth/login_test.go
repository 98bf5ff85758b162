package auth_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/store/docs/docstest"
)

func TestLogin(t *testing.T) {
	w := newWorld(t)
	w.member("bob")
	w.member("locked", func(n *auth.NewMember) { n.Locked = true })
	for _, test := range []struct {
		name, login, password, code string
		hashes                      int64
	}{
		{"user name", "bob", goodPassword, "", 1},
		{"user name in another case", "BOB", goodPassword, "", 1},
		{"address", "Bob@Example.org", goodPassword, "", 1},
		{"space around", " bob ", goodPassword, "", 1},
		{"wrong password", "bob", "Wrong-horse-1", "auth.refused", 1},
		{"password in another case", "bob", strings.ToUpper(goodPassword), "auth.refused", 1},
		// Each costs as much as a wrong password.
		{"unknown user", "nobody", goodPassword, "auth.refused", 1},
		{"locked, right password", "locked", goodPassword, "auth.refused", 1},
		{"locked, wrong password", "locked", "Wrong-horse-1", "auth.refused", 1},
		// Nobody can have these.
		{"no password", "bob", "", "auth.refused", 0},
		{"no login", "", goodPassword, "auth.refused", 0},
		{"huge password", "bob", strings.Repeat("x", 1<<20), "auth.refused", 0},
		{"huge login", strings.Repeat("x", 1<<20), goodPassword, "auth.refused", 0},
		{"NUL and broken UTF-8", "bob\x00\xff", goodPassword, "auth.refused", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := w.passwords.verified.Load()
			if err := w.try(test.login, test.password); fault.CodeOf(err) != test.code {
				t.Errorf("got %v, want code %q", err, test.code)
			}
			if n := w.passwords.verified.Load() - before; n != test.hashes {
				t.Errorf("%d hashes, want %d", n, test.hashes)
			}
		})
	}
}

// TestRefusalsAreAlike compares the whole answers that different causes get.
func TestRefusalsAreAlike(t *testing.T) {
	w := newWorld(t)
	w.member("locked", func(n *auth.NewMember) { n.Locked = true })
	w.member("blocked")
	for range 3 {
		if err := w.try("blocked", "wrong"); err == nil {
			t.Fatal("a wrong password is right")
		}
	}
	var first string
	for _, c := range [][2]string{{"admin", "wrong"}, {"nobody", goodPassword}, {"locked", goodPassword}, {"blocked", goodPassword}} {
		got := fmt.Sprint(w.try(c[0], c[1]))
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%s is refused with %q, others with %q", c[0], got, first)
		}
	}
}

func TestLoginNotesItsTime(t *testing.T) {
	w := newWorld(t)
	w.clock.Add(90 * time.Minute)
	if err := w.try("admin", goodPassword); err != nil {
		t.Fatal(err)
	}
	for what, s := range map[string]*auth.Service{"this": w.Service, "a new": w.open()} {
		if m, err := s.Member(t.Context(), w.admin.ID); err != nil || m.LastLogin != w.clock.Now().Unix() {
			t.Errorf("%s service: last log-in %d, %v, want %d", what, m.LastLogin, err, w.clock.Now().Unix())
		}
	}
	before := w.clock.Now().Unix()
	w.clock.Add(time.Minute)
	if err := w.try("admin", "wrong"); err == nil {
		t.Fatal("a wrong password is right")
	}
	if m, err := w.Member(t.Context(), w.admin.ID); err != nil || m.LastLogin != before {
		t.Errorf("a failed attempt changed the last log-in to %d, %v", m.LastLogin, err)
	}
}

func TestLoginRehashes(t *testing.T) {
	w := newWorld(t)
	old := w.admin.PasswordHash
	w.cfg.Hash.Passes = 2
	w.passwords = &counting{Passwords: auth.NewArgon2(w.cfg.Hash)}
	s := w.open()
	for round, want := range []bool{true, false} {
		m, err := s.Login(t.Context(), auth.LoginAttempt{Login: "admin", Password: goodPassword})
		if err != nil {
			t.Fatal(err)
		}
		if changed := m.PasswordHash != old; changed != want {
			t.Errorf("log-in %d: hash changed %t, want %t", round, changed, want)
		}
		if !strings.Contains(m.PasswordHash, "t=2") || m.PasswordChanged != 0 {
			t.Errorf("log-in %d: hash %s, changed at %d", round, m.PasswordHash, m.PasswordChanged)
		}
		old = m.PasswordHash
	}
}

// fails makes n attempts with a wrong password.
func (w *world) fails(login string, n int) {
	w.t.Helper()
	for range n {
		if err := w.try(login, "wrong"); fault.CodeOf(err) != "auth.refused" {
			w.t.Fatalf("a wrong password gives %v", err)
		}
	}
}

// lets reports whether the right password is let in.
func (w *world) lets(login string) bool {
	w.t.Helper()
	err := w.try(login, goodPassword)
	if err != nil && fault.CodeOf(err) != "auth.refused" {
		w.t.Fatal(err)
	}
	return err == nil
}

func TestThrottleBlocksLonger(t *testing.T) {
	w := newWorld(t, func(c *auth.Config) { c.Throttle.AccountAttempts = 1000 })
	bob := w.member("bob")
	w.fails("bob", 2)
	if !w.lets("bob") {
		t.Fatal("blocked after two wrong passwords")
	}
	w.fails("bob", 2)
	if !w.lets("BOB@example.org") {
		t.Fatal("a right password did not end the series")
	}
	for _, minutes := range []int{5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440} {
		w.fails("bob", 3)
		before := w.passwords.real(bob)
		block := time.Duration(minutes) * time.Minute
		w.clock.Add(block - time.Second)
		if w.lets("bob") || w.lets("bob@example.org") {
			t.Errorf("block of %d minutes: let in a second before its end", minutes)
		}
		if n := w.passwords.real(bob) - before; n != 0 {
			t.Errorf("%d passwords reached the hash during a block", n)
		}
		w.clock.Add(2 * time.Second)
		if w.admin.ID.IsZero() || !w.lets("admin") {
			t.Error("another login is blocked, too")
		}
	}
	if !w.lets("bob") {
		t.Error("blocked after the end of the block")
	}
	w.fails("bob", 3)
	w.clock.Add(5*time.Minute + time.Second)
	if !w.lets("bob") {
		t.Error("the series went on after a right password")
	}
}

func TestThrottleForgets(t *testing.T) {
	w := newWorld(t)
	w.fails("admin", 3)
	w.clock.Add(5*time.Minute + 24*time.Hour + time.Second)
	w.fails("admin", 3)
	w.clock.Add(5*time.Minute + time.Second)
	if !w.lets("admin") {
		t.Error("the second block is longer although a day of quiet lay between")
	}
}

func TestThrottleSurvivesRestart(t *testing.T) {
	w := newWorld(t)
	w.fails("admin", 3)
	w.fails("nobody", 2)
	w.Service = w.open()
	if w.lets("admin") {
		t.Error("a restart ended the block")
	}
	w.fails("nobody", 5)
	for _, st := range w.states() {
		if strings.HasSuffix(st.ID, "@") && strings.HasPrefix(st.ID, "login:") && st.Charged != 3 {
			t.Errorf("a restart reset the count of an unknown login: %+v, want 3 in all", st)
		}
	}
}

func TestResetThrottle(t *testing.T) {
	w := newWorld(t)
	bob := w.member("bob")
	for _, name := range []string{"bob", "BOB@example.org"} {
		w.fails("bob", 3)
		if blocked, err := w.Blocked(t.Context()); err != nil || !blocked[bob.ID] || blocked[w.admin.ID] {
			t.Errorf("blocked: %v, %v", blocked, err)
		}
		if err := w.ResetThrottle(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if blocked, err := w.Blocked(t.Context()); err != nil || len(blocked) != 0 {
			t.Errorf("blocked after the reset: %v, %v", blocked, err)
		}
		if !w.lets("bob") {
			t.Errorf("still blocked after a reset of %s", name)
		}
	}
	if err := w.ResetThrottle(t.Context(), "nobody"); err != nil {
		t.Errorf("a reset of nothing: %v", err)
	}
}

func TestThrottleByAddress(t *testing.T) {
	w := newWorld(t)
	from := func(addr, login, password string) error {
		_, err := w.Login(t.Context(), auth.LoginAttempt{Login: login, Password: password, Addr: netip.MustParseAddr(addr)})
		return err
	}
	for i := range 50 {
		// Success in between does not reset the count of an address.
		if i%10 == 0 {
			if err := from("2001:db8::1", "admin", goodPassword); err != nil {
				t.Fatalf("attempt %d: %v", i, err)
			}
		}
		if err := from(fmt.Sprintf("2001:db8::%x", i+1), fmt.Sprintf("user%d", i), "wrong"); err == nil {
			t.Fatal("a wrong password is right")
		}
	}
	before := w.passwords.verified.Load()
	for _, test := range []struct {
		addr string
		ok   bool
	}{
		{"2001:db8::ffff", false}, {"2001:db8::1%eth0", false}, {"2001:db8:0:1::1", true}, {"192.0.2.1", true}, {"::ffff:192.0.2.1", true},
	} {
		if err := from(test.addr, "admin", goodPassword); (err == nil) != test.ok {
			t.Errorf("from %s: %v, want success %t", test.addr, err, test.ok)
		}
	}
	if n := w.passwords.verified.Load() - before; n != 3 {
		t.Errorf("%d passwords were verified, want 3", n)
	}
	w.clock.Add(5*time.Minute + time.Second)
	if err := from("2001:db8::1", "admin", goodPassword); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

// TestParallelGuesses lets many guess at once: no more than the permitted
// attempts reach the password.
func TestParallelGuesses(t *testing.T) {
	w := newWorld(t, func(c *auth.Config) { c.Hashes = 4 })
	before := w.passwords.real(w.admin)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			login := []string{"admin", "ADMIN", "admin@example.org"}[i%3]
			if err := w.try(login, fmt.Sprint("guess", i)); fault.CodeOf(err) != "auth.refused" {
				t.Errorf("guess: %v", err)
			}
		})
	}
	wg.Wait()
	if n := w.passwords.real(w.admin) - before; n != 3 {
		t.Errorf("%d guesses reached the password, want 3", n)
	}
}

// TestParallelLogins lets many log in rightly at once: none is taken for an attack.
func TestParallelLogins(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			if err := w.try("admin", goodPassword); err != nil {
				t.Errorf("log in: %v", err)
			}
		})
	}
	wg.Wait()
}

// TestConcurrentHashesAreBounded counts how many verifications run at a time.
func TestConcurrentHashesAreBounded(t *testing.T) {
	w := newWorld(t)
	gauge := &gauge{Passwords: auth.NewArgon2(w.cfg.Hash)}
	s, err := auth.Open(t.Context(), auth.Options{DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: gauge, Keys: keys(t)})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			_, _ = s.Login(t.Context(), auth.LoginAttempt{Login: fmt.Sprint("user", i), Password: "x"})
		})
	}
	wg.Wait()
	if most := gauge.most.Load(); most < 1 || most > int64(w.cfg.Hashes) {
		t.Errorf("%d hashes at a time, want at most %d", most, w.cfg.Hashes)
	}
}

type gauge struct {
	auth.Passwords
	now, most atomic.Int64
}

func (g *gauge) Verify(hash, password string) (bool, bool, error) {
	n := g.now.Add(1)
	defer g.now.Add(-1)
	for {
		most := g.most.Load()
		if n <= most || g.most.CompareAndSwap(most, n) {
			break
		}
	}
	return g.Passwords.Verify(hash, password)
}

// TestThrottleModel compares random attempts with a plain model of the rules.
func TestThrottleModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	w := newWorld(t, func(c *auth.Config) { c.Throttle.AccountAttempts = 1000 })
	logins := []string{"admin", "nobody"}
	type series struct {
		failures, blocks int
		until, last      time.Time
	}
	model := map[string]*series{}
	for step := range 300 {
		login, addr := logins[r.IntN(2)], netip.AddrFrom4([4]byte{192, 0, 2, byte(r.IntN(2))})
		if model[login+addr.String()] == nil {
			model[login+addr.String()] = &series{}
		}
		m, now := model[login+addr.String()], w.clock.Now()
		password := "wrong"
		if r.IntN(5) == 0 {
			password = goodPassword
		}
		want := false
		if !now.Before(m.until) {
			quiet := m.last
			if m.until.After(quiet) {
				quiet = m.until
			}
			if now.Sub(quiet) > 24*time.Hour {
				*m = series{}
			}
			if password == goodPassword && login == "admin" {
				want = true
				*m = series{}
			} else {
				m.failures++
				m.last = now
				if m.failures == 3 {
					m.until = now.Add(min(5*time.Minute<<m.blocks, 24*time.Hour))
					m.failures = 0
					m.blocks++
				}
			}
		}
		_, err := w.Login(t.Context(), auth.LoginAttempt{Login: login, Password: password, Addr: addr})
		if (err == nil) != want {
			t.Fatalf("step %d, %s at %s: got %v, want success %t", step, login, now, err, want)
		}
		w.clock.Add([]time.Duration{time.Second, time.Minute, 4 * time.Minute, time.Hour, 25 * time.Hour}[r.IntN(5)])
		if r.IntN(50) == 0 {
			if err := w.Prune(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPruneThrottle(t *testing.T) {
	w := newWorld(t)
	w.fails("a", 3)
	w.clock.Add(25 * time.Hour)
	w.fails("b", 3)
	if n := len(w.states()); n != 4 {
		t.Fatalf("%d states, want 4", n)
	}
	if err := w.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.states(); len(got) != 2 || got[1].Until < w.clock.Now().UnixMilli() || got[1].Last != got[0].Last {
		t.Errorf("%+v are left after pruning, want the two states of the login whose block is not over", got)
	}
}

// failing makes one kind of operation on the throttle's states fail.
func failing(name string) func(docstest.Op) error {
	return func(op docstest.Op) error {
		if op.Name == name && (op.Collection == "auth.throttle" || op.Collection == "") {
			return errBroken
		}
		return nil
	}
}

func TestThrottleFaults(t *testing.T) {
	for _, test := range []struct{ name, op, login, password, code string }{
		{"look-up fails, right password", "get", "admin", goodPassword, "auth.throttle_failed"},
		{"look-up fails, wrong password", "get", "admin", "wrong", "auth.throttle_failed"},
		{"look-up fails, unknown user", "get", "nobody", "wrong", "auth.throttle_failed"},
		{"count fails", "upsert", "admin", "wrong", "auth.throttle_failed"},
		{"reset fails", "delete", "admin", goodPassword, "auth.throttle_failed"},
		{"nothing to look up", "get", "", "", "auth.refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.db.Hook = failing(test.op)
			if err := w.try(test.login, test.password); fault.CodeOf(err) != test.code {
				t.Errorf("got %v, want %s", err, test.code)
			}
		})
	}
}

func TestConfirmPassword(t *testing.T) {
	w := newWorld(t)
	confirm := func(password string) error {
		return w.ConfirmPassword(t.Context(), w.admin, password, netip.Addr{})
	}
	if err := confirm(goodPassword); err != nil {
		t.Errorf("right: %v", err)
	}
	for range 3 {
		if err := confirm("wrong"); fault.CodeOf(err) != "auth.refused" {
			t.Errorf("wrong: %v", err)
		}
	}
	if err := confirm(goodPassword); fault.CodeOf(err) != "auth.refused" {
		t.Errorf("a stolen key can be used to guess the password: %v", err)
	}
}

func client(r *http.Request) netip.Addr {
	a, _ := netip.ParseAddrPort(r.RemoteAddr)
	return a.Addr()
}

func TestKeyHandler(t *testing.T) {
	basic := func(user, password string) func(*http.Request) {
		return func(r *http.Request) { r.SetBasicAuth(user, password) }
	}
	header := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", value) }
	}
	for _, test := range []struct {
		name    string
		method  string
		prepare func(*http.Request)
		hook    func(docstest.Op) error
		status  int
		body    string
	}{
		{"right", "GET", basic("admin", goodPassword), nil, 200, "KEY"},
		{"by address", "GET", basic("Admin@Example.org", goodPassword), nil, 200, "KEY"},
		{"head", "HEAD", basic("admin", goodPassword), nil, 200, ""},
		{"wrong", "GET", basic("admin", "wrong"), nil, 401, "-1"},
		{"unknown", "GET", basic("nobody", goodPassword), nil, 401, "-1"},
		{"locked", "GET", basic("locked", goodPassword), nil, 401, "-1"},
		{"blocked", "GET", basic("blocked", goodPassword), nil, 401, "-1"},
		{"nothing", "GET", func(*http.Request) {}, nil, 401, "-1"},
		{"empty", "GET", basic("", ""), nil, 401, "-1"},
		{"no password", "GET", basic("admin", ""), nil, 401, "-1"},
		{"not base64", "GET", header("Basic !!!"), nil, 401, "-1"},
		{"no colon", "GET", header("Basic YWRtaW4="), nil, 401, "-1"},
		{"another scheme", "GET", header("Bearer " + goodPassword), nil, 401, "-1"},
		{"huge", "GET", basic(strings.Repeat("u", 1<<20), strings.Repeat("p", 1<<20)), nil, 401, "-1"},
		{"parameters are no credentials", "GET", func(r *http.Request) { r.URL.RawQuery = "username=admin&password=" + goodPassword }, nil, 401, "-1"},
		{"another method", "POST", basic("admin", goodPassword), nil, 405, "-1"},
		{"throttle look-up fails", "GET", basic("admin", goodPassword), failing("get"), 500, "Server Error"},
		{"throttle look-up fails for an unknown user", "GET", basic("nobody", "x"), failing("get"), 500, "Server Error"},
		{"throttle look-up fails without credentials", "GET", func(*http.Request) {}, failing("get"), 401, "-1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.member("locked", func(n *auth.NewMember) { n.Locked = true })
			w.member("blocked")
			w.fails("blocked", 3)
			w.db.Hook = test.hook
			r := httptest.NewRequestWithContext(t.Context(), test.method, "/api-key", nil)
			r.RemoteAddr = "" // as of the attempts before
			test.prepare(r)
			rec := httptest.NewRecorder()
			w.KeyHandler(client).ServeHTTP(rec, r)
			want := strings.ReplaceAll(test.body, "KEY", w.admin.APIKey)
			if rec.Code != test.status || test.method != "HEAD" && rec.Body.String() != want {
				t.Errorf("got %d %q, want %d %q", rec.Code, rec.Body, test.status, want)
			}
			h := rec.Header()
			if h.Get("Content-Type") != "text/plain; charset=utf-8" || h.Get("Cache-Control") != "no-store" {
				t.Errorf("headers are %v", h)
			}
			if challenge := h.Get("WWW-Authenticate"); (challenge != "") != (test.status == 401) {
				t.Errorf("challenge is %q", challenge)
			}
		})
	}
}

func TestKeyHandlerThrottlesByAddress(t *testing.T) {
	w := newWorld(t, func(c *auth.Config) { c.Throttle.AddressAttempts = 2 })
	get := func(remote, user, password string) int {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/api-key", nil)
		r.RemoteAddr = remote
		r.SetBasicAuth(user, password)
		rec := httptest.NewRecorder()
		w.KeyHandler(client).ServeHTTP(rec, r)
		return rec.Code
	}
	for i := range 2 {
		get("192.0.2.1:1000", fmt.Sprint("user", i), "x")
	}
	if got := get("192.0.2.1:2000", "admin", goodPassword); got != 401 {
		t.Errorf("from the blocked address: %d, want 401", got)
	}
	if got := get("192.0.2.2:1000", "admin", goodPassword); got != 200 {
		t.Errorf("from another address: %d, want 200", got)
	}
}

// TestGuessIsCountedWhenTheClientLeaves cancels the request while the
// password is being verified.
func TestGuessIsCountedWhenTheClientLeaves(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		leaving := &leaving{Passwords: auth.NewArgon2(w.cfg.Hash), leave: cancel}
		s, err := auth.Open(t.Context(), auth.Options{DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: leaving, Keys: keys(t)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Login(ctx, auth.LoginAttempt{Login: "admin", Password: "wrong"}); err == nil {
			t.Fatal("a wrong password is right")
		}
	}
	if w.lets("admin") {
		t.Error("guesses whose client left were not counted")
	}
}

type leaving struct {
	auth.Passwords
	leave func()
}

func (l *leaving) Verify(hash, password string) (bool, bool, error) {
	l.leave()
	return l.Passwords.Verify(hash, password)
}
