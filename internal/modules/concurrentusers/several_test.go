package concurrentusers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/modules/concurrentusers"
	"quipu/internal/store/profile"
	"quipu/internal/testkit"
)

// many are the people of several apps.
type many []*people

// EachOnline lists those heard of.
func (m many) EachOnline(ctx context.Context, app model.AppID, since int64, fn func(profile.OpenSession) error) error {
	for _, p := range m {
		if err := p.EachOnline(ctx, app, since, fn); err != nil {
			return err
		}
	}
	return nil
}

// Get returns a profile.
func (m many) Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error) {
	for _, p := range m {
		if p.app == app {
			return p.Get(ctx, app, id)
		}
	}
	return nil, profile.ErrNotFound
}

// look is what a sample finds: how many users are online in each app.
type look struct {
	at int64 // ms
	o  []int64
}

// TestTogetherRandom compares figures of three apps in zones of their own with all samples: no figure is below what was online at once, those that are no bounds are what
// apps had in a minute, and bounds are no more than what apps had in their own buckets around.
func TestTogetherRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6)) //nolint:gosec // not for secrets
	f, first := fake(t, "Europe/Berlin")
	source := many{first}
	for i, zone := range []string{"Asia/Kathmandu", "America/New_York"} {
		app := &model.App{ID: model.ID{byte(8 + i)}, Timezone: zone}
		f.More = append(f.More, app)
		source = append(source, &people{app: app.ID, users: map[uint32]*one{}})
	}
	f.Source = source
	at := time.Date(2031, 3, 20, 20, 0, 0, 0, time.UTC)
	f.Now = func() time.Time { return at }
	s := f.New()
	var looks []look
	// most is the largest number of samples from a time until another, by some measure of them.
	most := func(from, until int64, of func(look) int64) (n int64) {
		begin, _ := slices.BinarySearchFunc(looks, from, func(l look, from int64) int { return cmp.Compare(l.at, from) })
		for _, l := range looks[begin:] {
			if l.at >= until {
				break
			}
			n = max(n, of(l))
		}
		return n
	}
	apart := func(from, until int64) (n int64) {
		for i := range source {
			n += most(from, until, func(l look) int64 { return l.o[i] })
		}
		return n
	}
	minute, hour, day := time.Minute.Milliseconds(), time.Hour.Milliseconds(), 25*time.Hour.Milliseconds()
	bounds, exact := 0, 0
	check := func(what string, list []concurrentusers.Bucket, end, around int64) {
		for i, b := range list {
			until := end
			if i+1 < len(list) {
				until = list[i+1].Time
			}
			if least := most(b.Time, until, func(l look) int64 { return l.o[0] + l.o[1] + l.o[2] }); b.Online < least {
				t.Fatalf("%s at %v: %s of %v: %d, but %d were there", what, at, what, time.UnixMilli(b.Time), b.Online, least)
			}
			if b.Bound {
				bounds++
				if top := apart(b.Time-around, until+around); b.Online > top {
					t.Fatalf("%s of %v: %d, more than %d", what, time.UnixMilli(b.Time), b.Online, top)
				}
				continue
			}
			var want int64
			for from := b.Time; from < until; from += minute {
				want = max(want, apart(from, from+minute))
			}
			if b.Online != want {
				t.Fatalf("at %v: %s of %v: %+v, want %d", at, what, time.UnixMilli(b.Time), b, want)
			}
			if exact++; b.Online > 0 && b.OnlineAt < b.Time {
				t.Fatalf("%s: %+v", what, b)
			}
		}
	}
	for range 1000 {
		at = at.Add(time.Duration(10*(1+r.IntN(3))) * time.Second)
		switch {
		case r.IntN(40) == 0:
			at = at.Add(time.Duration(r.IntN(40)) * time.Minute)
		case r.IntN(100) == 0:
			at = at.Add(time.Duration(r.IntN(30)) * time.Hour)
			s = f.New() // a restart
		}
		for _, p := range source {
			for range r.IntN(3) {
				p.users[uint32(r.IntN(15))] = &one{seen: at.UnixMilli(), sessions: 1 + int64(r.IntN(2)), country: []string{"DE", "US"}[r.IntN(2)]}
			}
		}
		if err := s.Sample(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := look{at.UnixMilli(), make([]int64, len(source))}
		online, old, countries, apps := map[uint32]bool{}, map[uint32]bool{}, map[string]bool{}, map[uint32]int{}
		for i, p := range source {
			for uid, u := range p.users {
				if u.seen >= at.Add(-3*time.Minute).UnixMilli() {
					now.o[i]++
					online[uid], old[uid], countries[fmt.Sprint(uid, u.country)] = true, old[uid] || u.sessions > 1, true
					apps[uid]++
				}
			}
		}
		looks = append(looks, now)
		if r.IntN(40) > 0 {
			continue
		}
		got, err := s.Together(t.Context(), f.App, f.All())
		if err != nil {
			t.Fatal(err)
		}
		var fresh, shared, inCountries int64
		for uid := range online {
			if !old[uid] {
				fresh++
			}
			if apps[uid] > 1 {
				shared++
			}
		}
		for _, n := range got.Parts.Country {
			inCountries += n
		}
		if got.Now.Online != int64(len(online)) || got.Now.New != fresh || got.Shared != shared || inCountries != int64(len(countries)) || !got.Whole {
			t.Fatalf("now %+v, %d shared, %v; want %d, %d, %d, %d", got.Now, got.Shared, got.Parts.Country, len(online), fresh, shared, len(countries))
		}
		check("minutes", got.Minutes, at.UnixMilli()+1, 0)
		check("hours", got.Hours, at.UnixMilli()+1, hour)
		check("days", got.Days, at.UnixMilli()+1, day)
		for _, b := range append(got.Hours[len(got.Hours)-2:], got.Minutes...) {
			if b.Bound {
				t.Fatalf("minutes are kept: %+v", b)
			}
		}
		if total := apart(0, at.UnixMilli()+1); got.Most.Online != total {
			t.Fatalf("ever %+v, want %d", got.Most, total)
		}
	}
	if bounds < 100 || exact < 1000 {
		t.Fatalf("%d bounds and %d others were looked at", bounds, exact)
	}
}

// answer is what the wire says of several apps.
type answer struct {
	Now    struct{ O, N int64 }
	M      struct{ Lv map[string]int64 }
	Shared int64
	Apps   []struct{ ID, Name string }
	Most   struct {
		O     int64
		Bound bool
	}
	Minutes, Hours []struct {
		O     int64
		Bound bool
	}
}

// TestSeveralApps reads several apps over the wire: who may, and who may not.
func TestSeveralApps(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b, foreign := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "UTC"), s.CreateApp("c", "UTC")
	for _, who := range []string{"one", "two"} {
		begin(s, a, who)
	}
	for _, who := range []string{"two", "three"} {
		begin(s, b, who)
	}
	begin(s, foreign, "four")
	s.Flush()
	list := func(ids ...string) string {
		text, _ := json.Marshal(ids)
		return string(text)
	}
	read := func(apps string) (out answer) {
		t.Helper()
		if err := json.Unmarshal([]byte(s.Admin("/o/concurrent_users", "app_id", a.ID, "apps", apps)), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := read(list(a.ID, b.ID, a.ID)); got.Now.O != 3 || got.Now.N != 3 || got.Shared != 1 || got.M.Lv["iOS"] != 3 || len(got.Apps) != 2 || got.Apps[1].Name != "b" ||
		got.Minutes[59].O != 4 || got.Hours[23].O != 4 || got.Hours[23].Bound || got.Most.O != 4 || !got.Most.Bound {
		t.Errorf("%+v", got)
	}
	if got := read(list(b.ID)); got.Now.O != 2 || len(got.Apps) != 1 || got.Most.Bound {
		t.Errorf("another app alone: %+v", got)
	}
	if got := read(list(a.ID)); got.Now.O != 2 || got.Apps != nil {
		t.Errorf("the app itself: %+v", got)
	}
	nobody := strings.Repeat("5", 24)
	for _, apps := range []string{"x", "[]", "{}", "[1]", `["x"]`, list(a.ID + "\x00"), list(make([]string, 21)...), strings.Repeat("[", 5000)} {
		if res := s.Post("/o/concurrent_users", "app_id", a.ID, "api_key", s.Key, "apps", apps); res.Status != http.StatusBadRequest {
			t.Errorf("%.40q: %d %s", apps, res.Status, res.Body)
		}
	}
	unknown := s.Post("/o/concurrent_users", "app_id", a.ID, "api_key", s.Key, "apps", list(a.ID, nobody))
	if unknown.Status != http.StatusForbidden {
		t.Errorf("an app that is not there: %d %s", unknown.Status, unknown.Body)
	}
	rights := func(apps ...string) map[string]any {
		out := map[string]any{}
		for _, id := range apps {
			out[id] = map[string]any{"all": false, "allowed": map[string]bool{"concurrent_users": true}}
		}
		return out
	}
	member, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID, b.ID}}}, "c": rights(), "r": rights(a.ID, b.ID), "u": rights(), "d": rights()},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal([]byte(s.Admin("/i/users/create", "args", string(member))), &p); err != nil || p.Key == "" {
		t.Fatal(err)
	}
	for _, apps := range []string{list(a.ID, foreign.ID), list(foreign.ID)} {
		if res := s.Get("/o/concurrent_users", "app_id", a.ID, "api_key", p.Key, "apps", apps); res.Status != unknown.Status || res.Body != unknown.Body {
			t.Errorf("a foreign app: %d %s", res.Status, res.Body)
		}
	}
	if res := s.Get("/o/concurrent_users", "app_id", a.ID, "api_key", p.Key, "apps", list(a.ID, b.ID)); res.Status != http.StatusOK {
		t.Errorf("own apps: %d %s", res.Status, res.Body)
	}
}
