package concurrentusers_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/jobs"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/modules/concurrentusers"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/profile"
)

// people are users with open sessions: when their last sign of life was (ms), and their number of sessions.
type people struct {
	app   model.AppID
	mu    sync.Mutex
	users map[uint32]*one
	reads int
}

type one struct {
	seen     int64
	sessions int64
	country  string
	gone     bool // merged since its session was listed
}

// EachOnline lists those heard of.
func (p *people) EachOnline(_ context.Context, app model.AppID, since int64, fn func(profile.OpenSession) error) error {
	if app != (model.AppID{}) && app != p.app {
		return nil
	}
	p.mu.Lock()
	users := maps.Clone(p.users)
	p.mu.Unlock()
	for uid, u := range users {
		if u.seen >= since {
			if err := fn(profile.OpenSession{App: p.app, ID: model.ProfileID{byte(uid >> 8), byte(uid)}, UID: uid, Seen: u.seen}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Get returns a profile.
func (p *people) Get(_ context.Context, _ model.AppID, id model.ProfileID) (*model.Profile, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads++
	u := p.users[uint32(id[0])<<8|uint32(id[1])]
	if u == nil || u.gone {
		return nil, profile.ErrNotFound
	}
	out := &model.Profile{ID: id, DID: string(id[:2]), Sessions: u.sessions}
	out.Dims[model.Country] = u.country
	return out, nil
}

func fake(t *testing.T, zone string) (*concurrentusers.Fake, *people) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	app := &model.App{ID: model.ID{7}, Name: "shop", Timezone: zone}
	source := &people{app: app.ID, users: map[uint32]*one{}}
	return &concurrentusers.Fake{Docs: db, App: app, Source: source, Minutes: 3, Now: time.Now}, source
}

// TestVolumeMaxima compares what is kept of random traffic, with restarts in between, with a model that looks at every sample.
func TestVolumeMaxima(t *testing.T) {
	seed := rand.Uint64()
	for _, zone := range []string{"Europe/Berlin", "Asia/Kathmandu", "America/New_York"} {
		r := rand.New(rand.NewPCG(seed, 5))
		f, source := fake(t, zone)
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2031, 3, 29, 20, 0, 0, 0, time.UTC) // the clocks of Berlin change in the night
		f.Now = func() time.Time { return at }
		s := f.New()
		type bucket struct {
			o, n int64
		}
		want := map[concurrentusers.Kind]map[int64]bucket{concurrentusers.Minutes: {}, concurrentusers.Hours: {}, concurrentusers.Days: {}, concurrentusers.Ever: {}}
		for range 2500 {
			at = at.Add(10 * time.Second)
			if r.IntN(400) == 0 {
				s = f.New() // a restart
			}
			if r.IntN(700) == 0 {
				at = at.Add(time.Duration(r.IntN(120)) * time.Minute)
			}
			for range r.IntN(4) {
				uid := uint32(r.IntN(40))
				u := source.users[uid]
				if u == nil || r.IntN(3) == 0 {
					u = &one{sessions: 1 + int64(r.IntN(2)), country: "DE"}
				}
				u.seen = at.UnixMilli()
				source.users[uid] = u
				if r.IntN(10) == 0 {
					delete(source.users, uint32(r.IntN(40)))
				}
			}
			if err := s.Sample(t.Context()); err != nil {
				t.Fatal(err)
			}
			var now bucket
			for _, u := range source.users {
				if u.seen >= at.Add(-3*time.Minute).UnixMilli() {
					now.o++
					if u.sessions == 1 {
						now.n++
					}
				}
			}
			local := at.In(loc)
			y, m, d := local.Date()
			hour := at.Add(-time.Duration(local.Minute()*60+local.Second()) * time.Second)
			for k, begin := range map[concurrentusers.Kind]int64{
				concurrentusers.Minutes: at.Truncate(time.Minute).UnixMilli(), concurrentusers.Hours: hour.UnixMilli(),
				concurrentusers.Days: time.Date(y, m, d, 0, 0, 0, 0, loc).UnixMilli(), concurrentusers.Ever: 0,
			} {
				b := want[k][begin]
				want[k][begin] = bucket{max(b.o, now.o), max(b.n, now.n)}
			}
			if r.IntN(200) > 0 {
				continue
			}
			for k, model := range want {
				list, err := s.Read(t.Context(), f.App, k, at)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range list {
					if b := model[p.Time]; b.o != p.Online || b.n != p.New {
						t.Fatalf("seed %d, %s at %v: %s of %v: %+v, want %+v", seed, zone, at, k, time.UnixMilli(p.Time).In(loc), p, b)
					}
				}
				if length := map[concurrentusers.Kind]int{concurrentusers.Minutes: 60, concurrentusers.Hours: 24, concurrentusers.Days: 30, concurrentusers.Ever: 1}[k]; len(list) != length {
					t.Fatalf("%d %s, want %d", len(list), k, length)
				}
			}
		}
		if source.reads > 2500*4 {
			t.Errorf("%d profiles were read: each sign of life should take one", source.reads)
		}
	}
}

// TestAlerts lets the jobs run on a clock of their own: alerts are triggered after their minutes, once until the condition ends, and after a restart.
func TestAlerts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, source := fake(t, "UTC")
		var mu sync.Mutex // of sent
		var sent []mail.Message
		broken := errors.New("the mail server is away")
		var down atomic.Bool
		f.Sent = func(m mail.Message) error {
			if down.Load() {
				return broken
			}
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, m)
			return nil
		}
		online := func(n int) {
			source.mu.Lock()
			defer source.mu.Unlock()
			clear(source.users)
			for i := range n {
				source.users[uint32(i)] = &one{seen: time.Now().Add(24 * time.Hour).UnixMilli(), sessions: 1}
			}
		}
		run := func() (stop func()) {
			s := f.New()
			scheduler := jobs.New(slog.New(slog.DiscardHandler), time.Now, jobs.Alone{})
			scheduler.For("x").Every("sample", 10*time.Second, s.Sample)
			scheduler.For("x").Every("notify", 10*time.Second, s.Notify)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); scheduler.Run(ctx) }()
			return func() { cancel(); <-done }
		}
		check := func(what string, want int) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if len(sent) != want {
				t.Fatalf("%s: %d e-mails, want %d: %+v", what, len(sent), want, sent)
			}
		}
		s := f.New()
		for _, a := range []concurrentusers.Alert{
			{ID: "many", Name: "many", Condition: "c", Type: "t", Def: "max", Users: 5, Minutes: 4, Enabled: true, Email: []string{"a@example.org", "b@example.org"}},
			{ID: "few", Name: "few", Condition: "c", Type: "t", Def: "min", Users: 2, Minutes: 3, Enabled: true, Email: []string{"a@example.org"}},
			{ID: "none", Name: "none", Condition: "c", Type: "o", Minutes: 30, Enabled: true, Email: []string{"a@example.org"}},
			{ID: "off", Name: "off", Condition: "c", Type: "t", Def: "max", Users: 0, Minutes: 3, Email: []string{"a@example.org"}},
		} {
			if err := s.Keep(t.Context(), f.App.ID, a); err != nil {
				t.Fatal(err)
			}
		}
		online(5)
		stop := run()
		time.Sleep(10*time.Minute + 5*time.Second) // between two samples
		check("as many as the number are not above it", 0)
		online(6)
		time.Sleep(4 * time.Minute)
		check("less than four minutes after the first sample", 0)
		online(4)
		time.Sleep(10 * time.Second)
		online(6)
		time.Sleep(4 * time.Minute)
		check("a break begins the minutes once more", 0)
		stop()
		time.Sleep(30 * time.Second)
		stop = run()
		time.Sleep(30 * time.Second)
		check("a short restart is no break", 2)
		if m := sent[0]; m.To != "a@example.org" || !strings.Contains(m.Subject, "many") || !strings.Contains(m.Text, "more than 5 users have been online for 4 minutes") || !strings.Contains(m.Text, "Online now: 6") {
			t.Errorf("%+v", m)
		}
		time.Sleep(time.Hour)
		check("once while it goes on", 2)
		online(3)
		time.Sleep(time.Minute)
		online(6)
		time.Sleep(5 * time.Minute)
		check("once more after it ended", 4)
		stop()
		online(3)
		time.Sleep(time.Minute)
		stop = run()
		time.Sleep(30 * time.Second)
		online(6)
		time.Sleep(2 * time.Minute)
		stop()
		time.Sleep(10 * time.Minute)
		stop = run()
		time.Sleep(3 * time.Minute)
		check("a long stop is a break", 4)
		time.Sleep(2 * time.Minute)
		check("four minutes after it", 6)
		down.Store(true)
		online(1)
		time.Sleep(5 * time.Minute)
		check("the mail server is away", 6)
		stop()
		time.Sleep(time.Minute)
		down.Store(false)
		stop = run()
		time.Sleep(30 * time.Second)
		check("it is back", 7)
		online(0)
		time.Sleep(29 * time.Minute)
		check("nobody for 29 minutes", 7)
		time.Sleep(2 * time.Minute)
		check("nobody for half an hour", 8)
		if a, err := f.New().Kept(t.Context(), f.App.ID, "many"); err != nil || len(a.Waiting) > 0 || a.Fired || a.Triggered == 0 {
			t.Errorf("%+v %v", a, err)
		}
		down.Store(true)
		online(3)
		time.Sleep(time.Minute)
		online(1)
		time.Sleep(2 * time.Hour)
		down.Store(false)
		time.Sleep(time.Minute)
		check("an e-mail that could not be sent for an hour is given up", 8)
		stop()
	})
}

// TestMessage has names that try to be more than names.
func TestMessage(t *testing.T) {
	f, _ := fake(t, "Europe/Berlin")
	f.App.Name = "shop\r\nBcc: all@example.org"
	m := f.New().Message(f.App, concurrentusers.Alert{
		Name: "peak\r\nX-Evil: 1\u2028<script>", Condition: "more\x00\nthan", Type: "t", Def: "min", Users: 3, Minutes: 5, Count: 2, Triggered: time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC).UnixMilli(),
	}, "a@example.org")
	if strings.ContainsAny(m.Subject, "\r\n\u2028\x00") || m.HTML != "" || strings.ContainsAny(m.Text, "\r\x00") {
		t.Errorf("%+q", m)
	}
	if !strings.Contains(m.Text, "fewer than 3 users have been online for 5 minutes") || !strings.Contains(m.Text, "2031-05-14 11:30 CEST") || strings.Contains(m.Text, "\nBcc") || strings.Contains(m.Text, "\nX-Evil") {
		t.Error(m.Text)
	}
	for text, want := range map[string]bool{
		"a@example.org": true, "ä@example.org": true, "": false, "a": false, "a@": false, "a@example.org\r\nBcc: b@example.org": false, "A <a@example.org>": false, "a@example.org,b@example.org": false,
		"<a@example.org>": false, "a b@example.org": false, "a@example.org ": false, strings.Repeat("a", 250) + "@example.org": false, "a@exa\x00mple.org": false, `"a"@example.org`: false,
	} {
		if concurrentusers.IsAddress(text) != want {
			t.Errorf("%q is an address: %v", text, !want)
		}
	}
}
