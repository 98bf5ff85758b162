package auth_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

// stranger is the i-th of very many addresses.
func stranger(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{198, byte(18 + i>>16), byte(i >> 8), byte(i)})
}

// from logs in from an address, with a device's cookie.
func (w *world) from(addr netip.Addr, device, login, password string) error {
	_, err := w.Login(w.t.Context(), auth.LoginAttempt{Login: login, Password: password, Addr: addr, Device: device})
	if err != nil && fault.CodeOf(err) != "auth.refused" {
		w.t.Fatal(err)
	}
	return err
}

// guess makes an attempt that is refused.
func (w *world) guess(addr netip.Addr, device, login string) {
	w.t.Helper()
	if w.from(addr, device, login, "guess") == nil {
		w.t.Fatal("a wrong password is right")
	}
}

// device signs a member in, as a browser with a cookie, and returns the cookie it has then.
func (w *world) device(login, before string) string {
	w.t.Helper()
	m, err := w.Login(w.t.Context(), auth.LoginAttempt{Login: login, Password: goodPassword, Device: before})
	if err != nil {
		w.t.Fatal(err)
	}
	cookie, end := w.Device(m, before)
	if cookie == "" || end.Sub(w.clock.Now()) < 90*24*time.Hour {
		w.t.Fatalf("cookie %q until %s", cookie, end)
	}
	return cookie
}

// TestWalkStranger attacks a login from one address for a week: its owner signs in from
// anywhere else, and on a known device from the very address.
func TestWalkStranger(t *testing.T) {
	w := newWorld(t)
	device, evil, home := w.device("admin", ""), stranger(0), netip.MustParseAddr("203.0.113.7")
	for range 7 * 24 {
		for i := range 20 {
			if w.from(evil, "", "admin", fmt.Sprint("guess", i)) == nil {
				t.Fatal("a wrong password is right")
			}
		}
		if err := w.from(home, "", "admin", goodPassword); err != nil {
			t.Fatalf("the owner at home: %v", err)
		}
		if err := w.from(evil, device, "admin@example.org", goodPassword); err != nil {
			t.Fatalf("the owner's device beside the stranger: %v", err)
		}
		if w.from(evil, "", "admin", goodPassword) == nil {
			t.Fatal("the stranger is not slowed down")
		}
		w.clock.Add(time.Hour)
	}
}

// TestWalkManyStrangers attacks a login from 3,000 addresses, one guess each: few
// guesses reach the password, a known device is not kept out, and an unknown one for an hour at most.
func TestWalkManyStrangers(t *testing.T) {
	w := newWorld(t, func(c *auth.Config) { c.Throttle.MaxStates = 400 })
	device := w.device("admin", "")
	before := w.passwords.real(w.admin)
	for i := range 3000 {
		if w.from(stranger(i), "", "admin", "guess") == nil {
			t.Fatal("a wrong password is right")
		}
	}
	if n := w.passwords.real(w.admin) - before; n != 30 {
		t.Errorf("%d guesses of 3,000 addresses reached the password, want 30", n)
	}
	if n := len(w.states()); n > 400+256+10 {
		t.Errorf("3,000 addresses left %d states", n)
	}
	if err := w.from(stranger(1), device, "admin", goodPassword); err != nil {
		t.Errorf("a known device: %v", err)
	}
	fresh := netip.MustParseAddr("203.0.113.7")
	if w.from(fresh, "", "admin", goodPassword) == nil {
		t.Error("an unknown device is let in during the attack")
	}
	if blocked, err := w.Blocked(t.Context()); err != nil || !blocked[w.admin.ID] {
		t.Errorf("blocked: %v, %v", blocked, err)
	}
	// The attack goes on for a day: no more than three guesses an hour reach the password.
	before = w.passwords.real(w.admin)
	for i := range 24 * 60 {
		w.guess(stranger(i), "", "admin")
		w.clock.Add(time.Minute)
	}
	if n := w.passwords.real(w.admin) - before; n > 90 {
		t.Errorf("%d guesses reached the password in a day", n)
	}
	w.clock.Add(time.Hour)
	if err := w.from(fresh, "", "admin", goodPassword); err != nil {
		t.Errorf("an unknown device an hour after the attack: %v", err)
	}
	if err := w.ResetThrottle(t.Context(), "admin"); err != nil {
		t.Fatal(err)
	}
	for _, st := range w.states() {
		if strings.HasPrefix(st.ID, "member:") {
			t.Errorf("state %s is left after a reset", st.ID)
		}
	}
}

// TestStatesOfMembersAreKept floods the throttle with logins that nobody has: that of a member is not forgotten for them.
func TestStatesOfMembersAreKept(t *testing.T) {
	w := newWorld(t, func(c *auth.Config) { c.Throttle.MaxStates = 100 })
	for i := range 30 {
		w.guess(stranger(i), "", "admin")
	}
	for i := range 1500 {
		w.guess(stranger(1000+i), "", fmt.Sprint("nobody", i))
	}
	if n := len(w.states()); n > 100+3*256 {
		t.Errorf("%d states, want about 100", n)
	}
	if w.from(netip.MustParseAddr("203.0.113.7"), "", "admin", goodPassword) == nil {
		t.Error("a flood of other logins ended the block of a member's")
	}
}

// TestKnownDeviceHasItsOwnBudget lets who has a device's cookie guess: no more than on any other device.
func TestKnownDeviceHasItsOwnBudget(t *testing.T) {
	w := newWorld(t)
	stolen, other := w.device("admin", ""), w.device("admin", "")
	before := w.passwords.real(w.admin)
	for i := range 100 {
		w.guess(stranger(i), stolen, "admin")
	}
	if n := w.passwords.real(w.admin) - before; n != 3 {
		t.Errorf("%d guesses of a device reached the password, want 3", n)
	}
	if w.from(stranger(0), stolen, "admin", goodPassword) == nil {
		t.Error("the device is not blocked")
	}
	for name, device := range map[string]string{"another device": other, "no device": ""} {
		if err := w.from(netip.MustParseAddr("203.0.113.7"), device, "admin", goodPassword); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.clock.Add(6 * time.Minute)
	again, err := w.Login(t.Context(), auth.LoginAttempt{Login: "admin", Password: goodPassword, Device: stolen})
	if err != nil {
		t.Fatal(err)
	}
	// The cookie is renewed, but it is the same device.
	renewed, _ := w.Device(again, stolen)
	for range 3 {
		w.guess(stranger(0), renewed, "admin")
	}
	if w.from(stranger(0), stolen, "admin", goodPassword) == nil {
		t.Error("a renewed cookie has a budget of its own")
	}
}

// TestDeviceCookies presents every cookie that shows nothing while the login is blocked for unknown devices.
func TestDeviceCookies(t *testing.T) {
	w := newWorld(t)
	bob := w.member("bob")
	admins, bobs, old := w.device("admin", ""), w.device("bob", ""), w.device("bob", "")
	shared := w.device("bob", admins)
	w.clock.Add(200 * 24 * time.Hour)
	admins2, bobs2 := w.device("admin", ""), w.device("bob", "")
	shared2 := w.device("bob", admins2)
	for i := range 40 {
		w.guess(stranger(i), "", "bob")
		w.guess(stranger(i), "", "admin")
	}
	raw, err := base64.RawURLEncoding.DecodeString(bobs2)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, raw...)
	flipped[len(flipped)-1] ^= 1
	longer := append([]byte{}, raw...)
	longer[3] ^= 1 // a later end
	text := base64.RawURLEncoding.EncodeToString
	for _, test := range []struct {
		name, login, cookie string
		ok                  bool
	}{
		{"bob's own", "bob", bobs2, true},
		{"of a browser of two", "bob", shared2, true},
		{"of a browser of two, the first", "admin", shared2, true},
		{"ended", "bob", old, false},
		{"ended, of two", "bob", shared, false},
		{"ended, bob's", "bob", bobs, false},
		{"of another member", "bob", admins2, false},
		{"of another member, the other way round", "admin", bobs2, false},
		{"forged tag", "bob", text(flipped), false},
		{"forged end", "bob", text(longer), false},
		{"cut", "bob", text(raw[:len(raw)-1]), false},
		{"nothing", "bob", "", false},
		{"dots", "bob", strings.Repeat(".", 200), false},
		{"huge", "bob", strings.Repeat(bobs2+".", 1000), false},
		{"no base64", "bob", strings.Repeat("é", 24), false},
		{"zeroes", "bob", text(make([]byte, len(raw))), false},
	} {
		if err := w.from(netip.MustParseAddr("203.0.113.7"), test.cookie, test.login, goodPassword); (err == nil) != test.ok {
			t.Errorf("%s: %v, want success %t", test.name, err, test.ok)
		}
	}
	other := goodPassword + "-2"
	if _, err := w.UpdateMember(t.Context(), bob.ID, auth.MemberChange{Password: &other}, ""); err != nil {
		t.Fatal(err)
	}
	if w.from(netip.MustParseAddr("203.0.113.8"), bobs2, "bob", other) == nil {
		t.Error("a device is known after the password changed")
	}
}

// TestDeviceCookieStaysSmall signs many members in on one browser.
func TestDeviceCookieStaysSmall(t *testing.T) {
	w := newWorld(t)
	cookie := ""
	var last *model.Member
	for i := range 20 {
		last = w.member(fmt.Sprint("m", i))
		cookie = w.device(last.Username, cookie)
		cookie = w.device(last.Username, cookie)
	}
	if len(cookie) > 300 || strings.Count(cookie, ".") != 3 {
		t.Errorf("the cookie of 20 members has %d bytes", len(cookie))
	}
}

// TestEveryRefusalCostsTheSame counts what each refused attempt costs in hashes, since clocks are not reliable.
func TestEveryRefusalCostsTheSame(t *testing.T) {
	w := newWorld(t)
	w.member("locked", func(n *auth.NewMember) { n.Locked = true })
	w.member("blocked")
	w.member("besieged")
	for range 40 {
		w.guess(stranger(0), "", "blocked")
		w.guess(stranger(0), "", "nobody blocked")
		w.clock.Add(10 * time.Second)
	}
	bobs, at := w.device("admin", ""), stranger(0)
	w.clock.Add(6 * time.Minute) // the address may try again
	for i := range 40 {
		w.guess(stranger(1+i), "", "besieged")
		w.guess(stranger(1+i), "", "nobody besieged")
	}
	for range 4 {
		w.guess(at, "", "blocked")
		w.guess(at, "", "nobody blocked")
	}
	for _, test := range []struct{ name, login, password, device string }{
		{"wrong password", "admin", "guess", ""},
		{"unknown name", "nobody", "guess", ""},
		{"locked member, right password", "locked", goodPassword, ""},
		{"blocked for this address", "blocked", "guess", ""},
		{"blocked for this address, right password", "blocked", goodPassword, ""},
		{"unknown name blocked for this address", "nobody blocked", "guess", ""},
		{"blocked for all", "besieged", goodPassword, ""},
		{"unknown name blocked for all", "nobody besieged", goodPassword, ""},
		{"with a device of another", "besieged", goodPassword, bobs},
		{"unknown name with a device", "nobody", "guess", bobs},
	} {
		before := w.passwords.verified.Load()
		if err := w.from(at, test.device, test.login, test.password); err == nil || err.Error() != "auth.refused: Wrong user name or password" {
			t.Errorf("%s: %v", test.name, err)
		}
		if n := w.passwords.verified.Load() - before; n != 1 {
			t.Errorf("%s: %d hashes, want 1", test.name, n)
		}
	}
}

// TestExhaustedAddressIsFree shows that an address that has used up its attempts costs no hash, whatever the login.
func TestExhaustedAddressIsFree(t *testing.T) {
	w := newWorld(t)
	device := w.device("admin", "")
	for i := range 50 {
		w.guess(stranger(0), "", fmt.Sprint("nobody", i))
	}
	before := w.passwords.verified.Load()
	for range 100 {
		w.guess(stranger(0), "", "admin")
		w.guess(stranger(0), "", "nobody")
	}
	if n := w.passwords.verified.Load() - before; n != 0 {
		t.Errorf("%d hashes, want none", n)
	}
	if err := w.from(stranger(0), device, "admin", goodPassword); err != nil {
		t.Errorf("a known device at that address: %v", err)
	}
}

// holding stops in each verification until it is let go.
type holding struct {
	auth.Passwords
	begun chan struct{}
	goOn  chan struct{}
}

func (h *holding) Verify(hash, password string) (bool, bool, error) {
	if password == "guess" {
		h.begun <- struct{}{}
		<-h.goOn
	}
	return h.Passwords.Verify(hash, password)
}

// sharedTurns are turns of several servers.
type sharedTurns struct {
	mu    sync.Mutex
	held  map[string]chan struct{}
	taken int
}

func (s *sharedTurns) Lock(ctx context.Context, key string) (func(), error) {
	s.mu.Lock()
	s.taken++
	c := s.held[key]
	if c == nil {
		c = make(chan struct{}, 1)
		s.held[key] = c
	}
	s.mu.Unlock()
	select {
	case c <- struct{}{}:
		return func() { <-c }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestSharedTurns guesses at one login through two servers at once: they share the turns, so no more passwords are compared than
// one server would compare.
func TestSharedTurns(t *testing.T) {
	w := newWorld(t)
	turns := &sharedTurns{held: map[string]chan struct{}{}}
	var servers [2]*auth.Service
	for i := range servers {
		var err error
		servers[i], err = auth.Open(t.Context(), auth.Options{DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: w.passwords, Keys: keys(t), Turns: turns})
		if err != nil {
			t.Fatal(err)
		}
	}
	before := w.passwords.real(w.admin)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			_, err := servers[i%2].Login(t.Context(), auth.LoginAttempt{Login: "admin", Password: "guess", Addr: stranger(0)})
			if err == nil {
				t.Error("a guess is let in")
			}
		})
	}
	wg.Wait()
	if got := w.passwords.real(w.admin) - before; got > int64(w.cfg.Throttle.Attempts) || got == 0 || turns.taken == 0 {
		t.Errorf("%d guesses were compared in %d turns, want at most %d", got, turns.taken, w.cfg.Throttle.Attempts)
	}
}

// TestLineIsBounded fills the line with strangers' attempts: the rest is turned away at once, one address does not
// take it all, and a known device and a member who changes the password wait for none of them.
func TestLineIsBounded(t *testing.T) {
	w := newWorld(t)
	device := w.device("admin", "")
	h := &holding{Passwords: auth.NewArgon2(w.cfg.Hash), begun: make(chan struct{}, 1000), goOn: make(chan struct{})}
	s, err := auth.Open(t.Context(), auth.Options{DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: h, Keys: keys(t)})
	if err != nil {
		t.Fatal(err)
	}
	codes := make(chan string, 1000)
	var wg sync.WaitGroup
	guess := func(addr netip.Addr, login string) {
		wg.Go(func() {
			_, err := s.Login(t.Context(), auth.LoginAttempt{Login: login, Password: "guess", Addr: addr})
			codes <- fault.CodeOf(err)
		})
	}
	for i := range 40 {
		guess(stranger(0), fmt.Sprint("one", i))
	}
	for range 40 - 16 {
		if code := <-codes; code != "auth.busy" {
			t.Errorf("beyond the share of an address: %s", code)
		}
	}
	for i := range 100 {
		guess(stranger(1+i), fmt.Sprint("many", i))
	}
	for range 100 - (64 - 16) {
		if code := <-codes; code != "auth.busy" {
			t.Errorf("beyond the line: %s", code)
		}
	}
	<-h.begun
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	m, err := s.Login(ctx, auth.LoginAttempt{Login: "admin", Password: goodPassword, Addr: stranger(0), Device: device})
	if err != nil {
		t.Fatalf("a known device during the flood: %v", err)
	}
	if err := s.ConfirmPassword(ctx, m, goodPassword, stranger(0)); err != nil {
		t.Errorf("a member during the flood: %v", err)
	}
	close(h.goOn)
	wg.Wait()
	if n := len(h.begun) + 1; n != 64 {
		t.Errorf("%d guesses were hashed, want 64", n)
	}
}

// TestMemberDoesNotFillTheLine has a member send attempts from many devices and addresses: that leaves places to other known devices.
func TestMemberDoesNotFillTheLine(t *testing.T) {
	w := newWorld(t)
	w.member("bob")
	admins := w.device("admin", "")
	h := &holding{Passwords: auth.NewArgon2(w.cfg.Hash), begun: make(chan struct{}, 1000), goOn: make(chan struct{})}
	s, err := auth.Open(t.Context(), auth.Options{DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: h, Keys: keys(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	codes := make(chan string, 1000)
	var wg sync.WaitGroup
	login := func(addr netip.Addr, device, login, password string) {
		wg.Go(func() {
			_, err := s.Login(ctx, auth.LoginAttempt{Login: login, Password: password, Addr: addr, Device: device})
			codes <- login + ": " + fault.CodeOf(err)
		})
	}
	for i := range 80 {
		login(stranger(i), w.device("bob", ""), "bob", "guess")
	}
	for range 80 - 8 {
		if code := <-codes; code != "bob: auth.busy" {
			t.Errorf("beyond the share of a member: %s", code)
		}
	}
	login(stranger(1000), admins, "admin", goodPassword)
	close(h.goOn)
	wg.Wait()
	close(codes)
	got := map[string]int{}
	for code := range codes {
		got[code]++
	}
	if got["admin: "] != 1 || got["bob: auth.refused"] != 8 {
		t.Errorf("answers: %v", got)
	}
}
