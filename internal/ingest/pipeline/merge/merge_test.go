package merge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline/merge"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/model"
)

func profile(uid uint32, did string, lac int64, change func(*model.Profile)) *model.Profile {
	p := &model.Profile{UID: uid, DID: did, ID: model.NewProfileID("key", did), FirstActivity: lac - 100, LastActivity: lac, LastSync: lac}
	if change != nil {
		change(p)
	}
	return p
}

func TestFields(t *testing.T) {
	t.Parallel()
	old := func(lac int64) *model.Profile {
		return profile(1, "old", lac, func(p *model.Profile) {
			p.Dims[model.Device], p.Dims[model.OS], p.Dims[model.Carrier] = "iPad", "iOS", "Blue"
			p.Custom = map[string]any{"both": "old", "old": 1.0}
			p.Consent = map[string]bool{"both": true, "old": true}
			p.Dims[model.Country], p.Dims[model.City] = "DE", "Bonn"
			p.Loc = &[2]float64{1, 2}
			p.Sessions, p.TotalDuration = 3, 10
			p.FirstSession, p.LastSession, p.LastDuration = 50, lac, 7
			p.Extra = map[string]any{"crashes": []any{"a", "b"}, "x": "old"}
			p.State, p.StateHash = 4, 44
		})
	}
	stay := func(lac int64) *model.Profile {
		return profile(2, "new", lac, func(p *model.Profile) {
			p.Dims[model.Device], p.Dims[model.OS], p.Email = "Phone", "Android", "n@x.example"
			p.Custom = map[string]any{"both": "new", "new": 2.0}
			p.Consent = map[string]bool{"both": false, "new": true}
			p.Dims[model.Country], p.Dims[model.City] = "Unknown", "Unknown"
			p.NoLocation = true
			p.Sessions, p.TotalDuration = 2, 5
			p.FirstSession, p.LastSession, p.LastDuration = 60, lac, 3
			p.Extra = map[string]any{"crashes": []any{"b", "c"}, "x": "new"}
			p.State, p.StateHash = 9, 99
		})
	}
	common := func(p *model.Profile) {
		p.Dims[model.Carrier], p.Email = "Blue", "n@x.example"
		p.Sessions, p.TotalDuration, p.FirstSession, p.LastSession, p.LastActivity, p.LastSync = 5, 15, 50, 2000, 2000, 2000
		p.FirstActivity = 900
		p.State, p.StateHash = 9, 99
	}
	tests := []struct {
		name    string
		p, old  *model.Profile
		changes func(*model.Profile)
	}{
		{"old was active last", stay(1000), old(2000), func(p *model.Profile) {
			p.Dims[model.Device], p.Dims[model.OS] = "iPad", "iOS"
			p.Custom = map[string]any{"both": "old", "old": 1.0, "new": 2.0}
			p.Consent = map[string]bool{"both": true, "old": true, "new": true}
			p.Dims[model.Country], p.Dims[model.City] = "DE", "Bonn" // told after the opt-out
			p.Loc, p.LastDuration = &[2]float64{1, 2}, 7
			p.Extra = map[string]any{"crashes": []any{"b", "c", "a"}, "x": "old"}
		}},
		{"new was active last", stay(2000), old(1000), func(p *model.Profile) {
			p.Dims[model.Device], p.Dims[model.OS] = "Phone", "Android"
			p.Custom = map[string]any{"both": "new", "old": 1.0, "new": 2.0}
			p.Consent = map[string]bool{"both": false, "old": true, "new": true}
			p.Dims[model.Country], p.Dims[model.City] = "Unknown", "Unknown" // the opt-out brings no older place back
			p.NoLocation, p.LastDuration = true, 3
			p.Extra = map[string]any{"crashes": []any{"a", "b", "c"}, "x": "new"}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := profile(2, "new", 2000, func(p *model.Profile) { common(p); tt.changes(p) })
			given := *tt.old
			if c := merge.Into(tt.p, tt.old); c != nil {
				t.Errorf("closed %+v", c)
			}
			if diff := cmp.Diff(want, tt.p); diff != "" {
				t.Errorf("profile (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(&given, tt.old); diff != "" {
				t.Errorf("old was changed:\n%s", diff)
			}
		})
	}
}

// TestNewer decides between users who were active in one second.
func TestNewer(t *testing.T) {
	t.Parallel()
	of := func(device string, sync int64, request uint64) *model.Profile {
		return profile(1, device, 2000, func(p *model.Profile) { p.Dims[model.Device], p.LastSync, p.LastRequest = device, sync, request })
	}
	tests := []struct {
		name    string
		p, old  *model.Profile
		device  string
		request uint64
	}{
		{"old sent the later request", of("new", 2000, 7), of("old", 2000, 8), "old", 8},
		{"new sent the later request", of("new", 2000, 9), of("old", 2000, 8), "new", 9},
		{"the server's clock was set back", of("new", 2000, 8), of("old", 1990, 9), "old", 9},
		{"unknown requests, old heard of later", of("new", 2000, 0), of("old", 2001, 0), "old", 0},
		{"unknown requests, a draw", of("new", 2000, 0), of("old", 2000, 0), "new", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			merge.Into(tt.p, tt.old)
			if tt.p.Dims[model.Device] != tt.device || tt.p.LastRequest != tt.request {
				t.Errorf("device %s, last request %d; want %s, %d", tt.p.Dims[model.Device], tt.p.LastRequest, tt.device, tt.request)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	type place struct {
		Country, Region, City string
		Loc                   *[2]float64
		NoLocation            bool
	}
	at := &[2]float64{1, 2}
	bonn := place{Country: "DE", Region: "NW", City: "Bonn", Loc: at}
	nowhere := place{Country: "Unknown", City: "Unknown"}
	out := place{Country: "Unknown", City: "Unknown", NoLocation: true}
	tests := []struct {
		name                string
		recent, older, want place
	}{
		{"another country", place{Country: "FR", City: "Unknown"}, bonn, place{Country: "FR", City: "Unknown"}},
		{"same country", place{Country: "DE", City: "Köln"}, bonn, place{Country: "DE", Region: "NW", City: "Köln", Loc: at}},
		{"unknown yields", nowhere, bonn, bonn},
		{"opt-out after a place", out, bonn, out},
		{"place after an opt-out", bonn, out, bonn},
		{"nothing known since an opt-out", nowhere, out, out},
		{"fresh profile, opt-out", place{}, out, out},
		{"neither", nowhere, nowhere, nowhere},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			of := func(w place, lac int64) *model.Profile {
				return profile(1, "d", lac, func(p *model.Profile) {
					p.Dims[model.Country], p.Dims[model.Region], p.Dims[model.City], p.Loc, p.NoLocation = w.Country, w.Region, w.City, w.Loc, w.NoLocation
				})
			}
			for name, pair := range map[string][2]*model.Profile{
				"into the recent one": {of(tt.recent, 2000), of(tt.older, 1000)},
				"into the older one":  {of(tt.older, 1000), of(tt.recent, 2000)},
			} {
				p := pair[0]
				merge.Into(p, pair[1])
				if diff := cmp.Diff(tt.want, place{p.Dims[model.Country], p.Dims[model.Region], p.Dims[model.City], p.Loc, p.NoLocation}); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

func TestIntoFreshProfile(t *testing.T) {
	t.Parallel()
	old := profile(1, "old", 1000, func(p *model.Profile) {
		p.Dims[model.Device], p.Name, p.Sessions, p.LastSession = "Phone", "Ann", 2, 900
		p.Custom = map[string]any{"k": "v"}
		p.State, p.StateHash = 3, 33
	})
	p := &model.Profile{UID: 2, DID: "new", ID: model.NewProfileID("key", "new")}
	merge.Into(p, old)
	want := *old
	want.UID, want.DID, want.ID, want.State, want.StateHash = 2, "new", model.NewProfileID("key", "new"), 0, 0
	if diff := cmp.Diff(&want, p); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	p.Custom["k"] = "changed"
	if old.Custom["k"] != "v" {
		t.Error("the profiles share a map")
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	with := func(uid uint32, id uint64, start int64, seconds float64, end int64) *model.Profile {
		p := profile(uid, "d", start/1000, nil)
		if id == 0 {
			return p
		}
		session.Start(p, session.Begin{Offset: id, TS: start, Received: start})
		session.Add(p, seconds)
		if end != 0 {
			session.End(p, end)
		}
		return p
	}
	const t0 = 1_900_000_000_000
	tests := []struct {
		name     string
		p, old   *model.Profile
		open     uint64
		ended    uint64
		sd       float64
		sessions int64
		closed   *session.Closed
	}{
		{"old is open, new has none: moves", with(2, 0, t0, 0, 0), with(1, 7, t0, 4, 0), 7, 0, 4, 1, nil},
		{"old is open, new ended: moves", with(2, 8, t0, 2, t0+9), with(1, 7, t0-5000, 4, 0), 7, 0, 4, 2, nil},
		{
			"both open: old closes at its last activity", with(2, 8, t0, 2, 0), with(1, 7, t0-5000, 4, 0), 8, 0, 2, 2,
			&session.Closed{ID: 7, Start: t0 - 5000, At: t0 - 5000, Seconds: 4},
		},
		{"new is open", with(2, 8, t0, 2, 0), with(1, 7, t0-5000, 4, t0-1), 8, 0, 2, 2, nil},
		{"both ended: the later end counts for the cooldown", with(2, 8, t0-5000, 2, t0-3000), with(1, 7, t0, 4, t0+9), 0, 7, 4, 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := merge.Into(tt.p, tt.old)
			if diff := cmp.Diff(tt.closed, c); diff != "" {
				t.Errorf("closed (-want +got):\n%s", diff)
			}
			if tt.p.Open.ID != tt.open || tt.p.Ended.ID != tt.ended || tt.p.LastDuration != tt.sd || tt.p.Sessions != tt.sessions {
				t.Errorf("got open %d, ended %d, sd %v, sessions %d", tt.p.Open.ID, tt.p.Ended.ID, tt.p.LastDuration, tt.p.Sessions)
			}
			if (tt.p.LastEnd == 0) != (tt.p.Ended.ID == 0) {
				t.Errorf("last end %d with session %d", tt.p.LastEnd, tt.p.Ended.ID)
			}
		})
	}
}
