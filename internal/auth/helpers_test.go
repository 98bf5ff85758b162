package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest"
	"quipu/internal/store/docs/sqlite"
)

const goodPassword = "Correct-horse-1"

var errBroken = errors.New("disk on fire")

// clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counting counts the hashes that a log-in costs.
type counting struct {
	auth.Passwords
	verified atomic.Int64

	instead string // what Hash returns, if it is not empty

	mu      sync.Mutex
	against map[string]int64 // verifications by hash
}

func (c *counting) Hash(password string) (string, error) {
	if c.instead != "" {
		return c.instead, nil
	}
	return c.Passwords.Hash(password)
}

// real returns how many passwords were compared with a member's hash.
func (c *counting) real(m *model.Member) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.against[m.PasswordHash]
}

func (c *counting) Verify(hash, password string) (bool, bool, error) {
	c.verified.Add(1)
	c.mu.Lock()
	if c.against == nil {
		c.against = map[string]int64{}
	}
	c.against[hash]++
	c.mu.Unlock()
	return c.Passwords.Verify(hash, password)
}

// world is a service on a real store, with its clock and its faults at hand.
type world struct {
	*auth.Service
	t         *testing.T
	cfg       auth.Config
	db        *docstest.Faulty
	clock     *clock
	passwords *counting
	rules     auth.PasswordRules
	admin     *model.Member
}

// cheap is a configuration whose hashes take no time.
func cheap() auth.Config {
	cfg := auth.DefaultConfig()
	cfg.Hash = auth.HashParams{Memory: 64, Passes: 1, Threads: 1}
	return cfg
}

// newWorld opens a service that has one member, the administrator "admin".
func newWorld(t *testing.T, change ...func(*auth.Config)) *world {
	t.Helper()
	w := emptyWorld(t, change...)
	var err error
	w.admin, err = w.CreateFirstAdmin(t.Context(), auth.NewMember{
		FullName: "Ada Admin", Username: "admin", Email: "admin@example.org", Password: goodPassword,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// emptyWorld opens a service without members.
func emptyWorld(t *testing.T, change ...func(*auth.Config)) *world {
	t.Helper()
	cfg := cheap()
	for _, fn := range change {
		fn(&cfg)
	}
	w := &world{t: t, cfg: cfg, clock: &clock{now: time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)}}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.db"), Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w.db = &docstest.Faulty{DB: db}
	w.passwords = &counting{Passwords: auth.NewArgon2(cfg.Hash)}
	w.Service = w.open()
	return w
}

// open opens another service on the same store, as a restart does.
func (w *world) open() *auth.Service {
	w.t.Helper()
	s, err := auth.Open(w.t.Context(), auth.Options{
		DB: w.db, Log: discard(), Now: w.clock.Now, Config: w.cfg, Passwords: w.passwords, Keys: keys(w.t),
		Rules: func() auth.PasswordRules { return w.rules },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) member(name string, change ...func(*auth.NewMember)) *model.Member {
	w.t.Helper()
	n := auth.NewMember{FullName: name, Username: name, Email: name + "@example.org", Password: goodPassword}
	for _, fn := range change {
		fn(&n)
	}
	m, err := w.CreateMember(w.t.Context(), n)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// try logs in and returns the fault, nil for success.
func (w *world) try(login, password string) error {
	_, err := w.Login(w.t.Context(), auth.LoginAttempt{Login: login, Password: password})
	return err
}

// keys is the secret key of all these tests.
func keys(tb testing.TB) *seal.Keys {
	tb.Helper()
	k, err := seal.Parse(strings.Repeat("0123456789abcdef", 4))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// tokens lists a member's tokens, the first to end first.
func (w *world) tokens(ctx context.Context, owner model.MemberID) ([]auth.Token, error) {
	w.t.Helper()
	p, err := w.ListTokens(ctx, owner, nil, docs.Query{Sort: ".ends", Limit: 1000})
	return p.Docs, err
}

// sessions lists a member's open sessions, the newest first.
func (w *world) sessions(ctx context.Context, id model.MemberID) ([]auth.Session, error) {
	w.t.Helper()
	p, err := w.ListSessions(ctx, id, docs.Query{Sort: ".created", Desc: true, Limit: 1000})
	return p.Docs, err
}

// storedState is what the tests look at of a state of the throttle.
type storedState struct {
	ID      string `json:"_id"`
	Charged int    `json:"charged"`
	Until   int64  `json:"until"`
	Last    int64  `json:"last"`
	Kept    bool   `json:"kept"`
}

func (s storedState) Key() string { return s.ID }

func (storedState) Validate() error { return nil }

// states lists all states of the throttle.
func (w *world) states() []storedState {
	w.t.Helper()
	list, err := docs.Spec[storedState]{Name: "auth.throttle", Version: 1}.Global(w.db.DB).All(w.t.Context(), docs.Query{})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}
