package concurrentusers_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/modules/concurrentusers"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
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

// TestVolumeTogether compares figures of three apps in zones of their own with all samples: no figure is below what was online at once, those that are no bounds are what
// apps had in a minute, and bounds are no more than what apps had in their own buckets around.
func TestVolumeTogether(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6)) // not for secrets
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
	for n := 0; n < 1000 || n < 4000 && (bounds < 100 || exact < 1000); n++ { // so long as too little was looked at
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

// broken is a document that stands where maxima should, and is none.
type broken struct {
	ID     string `json:"_id"`
	Points string `json:"points"`
}

// Key implements docs.Document.
func (b broken) Key() string { return b.ID }

// Validate implements docs.Document.
func (broken) Validate() error { return nil }

// TestOneAppFails has maxima of an app that cannot be read: those of the others are recorded all the same, and the error names the app.
func TestOneAppFails(t *testing.T) {
	t.Parallel()
	f, first := fake(t, "Etc/UTC")
	second := &model.App{ID: model.ID{8}, Timezone: "Etc/UTC"}
	f.More = []*model.App{second}
	at := time.Date(2031, 3, 20, 20, 0, 0, 0, time.UTC)
	f.Now = func() time.Time { return at }
	source := many{first, &people{app: second.ID, users: map[uint32]*one{}}}
	for _, p := range source {
		p.users[1] = &one{seen: at.UnixMilli(), sessions: 1}
	}
	f.Source = source
	bad := docs.Spec[broken]{Name: "concurrent_users.series", Version: 1}
	if err := bad.In(f.Docs, f.App.ID).Put(t.Context(), broken{ID: "minutes", Points: "none"}); err != nil {
		t.Fatal(err)
	}
	s := f.New()
	if err := s.Sample(t.Context()); err == nil || !strings.Contains(err.Error(), f.App.ID.String()) || strings.Contains(err.Error(), second.ID.String()) {
		t.Errorf("a sample: %v, want an error of the first app alone", err)
	}
	got, err := s.Read(t.Context(), second, concurrentusers.Minutes, at)
	if err != nil || len(got) == 0 || got[len(got)-1].Online != 1 {
		t.Errorf("the second app has %+v, %v", got, err)
	}
}
