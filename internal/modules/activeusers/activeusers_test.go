package activeusers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var now = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// visit begins a session at a moment.
func visit(s *testkit.Server, a testkit.TestApp, device string, at time.Time, os string) {
	s.Ingest(a, device, "timestamp", fmt.Sprint(at.UnixMilli()), "begin_session", "1", "metrics", `{"_os":"`+os+`"}`)
}

// fill has anna on three days of May, ben on one of them and at the beginning of April, and cleo late in the evening.
func fill(s *testkit.Server, a testkit.TestApp) {
	day := func(month time.Month, d, hour int) time.Time {
		return time.Date(2031, month, d, hour, 0, 0, 0, time.UTC)
	}
	visit(s, a, "ben", day(4, 3, 8), "Android")
	visit(s, a, "anna", day(5, 5, 8), "iOS")
	visit(s, a, "anna", day(5, 12, 8), "iOS")
	visit(s, a, "anna", day(5, 13, 8), "Android")
	visit(s, a, "ben", day(5, 13, 9), "Android")
	visit(s, a, "cleo", day(5, 11, 23), "iOS") // the 12th in Berlin
	s.Flush()
}

// TestTable has the answers of the wire.
func TestTable(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	ms := func(month time.Month, d int) int64 {
		return time.Date(2031, month, d, 12, 0, 0, 0, time.UTC).UnixMilli()
	}
	for name, tt := range map[string]struct{ period, filter, want string }{
		"days":             {fmt.Sprintf("[%d,%d]", ms(5, 11), ms(5, 14)), "", `{"calculating":false,"data":{"2031.5.11":{"d":0,"w":1,"m":1},"2031.5.12":{"d":2,"w":2,"m":2},"2031.5.13":{"d":2,"w":3,"m":3},"2031.5.14":{"d":0,"w":3,"m":3}}}`},
		"a day":            {"yesterday", "", `{"calculating":false,"data":{"2031.5.13":{"d":2,"w":3,"m":3}}}`},
		"only until today": {fmt.Sprintf("[%d,%d]", ms(5, 14), ms(5, 17)), "", `{"calculating":false,"data":{"2031.5.14":{"d":0,"w":3,"m":3}}}`},
		"a filter":         {"yesterday", `{"up.p":"Android"}`, `{"calculating":false,"data":{"2031.5.13":{"d":2,"w":2,"m":2}}}`},
		"none":             {fmt.Sprintf("[%d,%d]", ms(1, 1), ms(1, 1)), "", `{"calculating":false,"data":{"2031.1.1":{"d":0,"w":0,"m":0}}}`},
	} {
		if got := s.Admin("/o/active_users", "app_id", a.ID, "period", tt.period, "filter", tt.filter); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if got := s.Admin("/o/active_users", "app_id", a.ID); strings.Count(got, `"d":`) != 30 {
		t.Errorf("by default: %s", got)
	}
	// April has ben for 1 day, 7 and 28 days of 30; May anna on 3 of 14 days.
	months := s.Admin("/o/active_users", "app_id", a.ID, "period", "month")
	if want := `"2031.3":{"d":0,"w":0,"m":0},"2031.4":{"d":0,"w":0,"m":1},"2031.5":{"d":0,"w":1,"m":1}`; !strings.Contains(months, want) {
		t.Errorf("months: %s, want %s", months, want)
	}
}

type answer struct {
	Timezone, Source, Today string
	Users                   int64
	Mean                    map[string]float64
	MeanOf                  int `json:"mean_days"`
	Days                    []struct {
		ID         string `json:"_id"`
		D, W, M    int64
		Stickiness float64 `json:"dm"`
	}
	Weeks, Months []struct {
		ID    string `json:"_id"`
		First string
		U     int64
		Over  bool
	}
	Groups []struct {
		Value any
		Other bool
		Users int64
		Mean  map[string]float64
		Days  []struct{ D, W, M int64 }
	}
	Of int `json:"groups_total"`
}

func read(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) (out answer) {
	t.Helper()
	text := s.Admin("/o/active_users/report", append([]string{"app_id", a.ID}, pairs...)...)
	if err := json.Unmarshal([]byte(text), &out); err != nil || out.Days == nil {
		t.Fatal(text)
	}
	return out
}

func TestReport(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	got := read(t, s, a, "period", "7days")
	if got.Source != "cells" || got.Users != 3 || got.Today != "2031-5-14" || got.MeanOf != 6 || len(got.Days) != 7 || got.Timezone != "Europe/Berlin" {
		t.Fatalf("%+v", got)
	}
	// 8th to 13th: 0,0,0,0,2,2 by day, 1 (ben until the 2nd of May is out), 1,1,1,2,3 of 30 days.
	if got.Mean["d"] != 0.67 || got.Mean["m"] != 1.5 || got.Mean["dm"] != 44.44 || got.Days[5].Stickiness != 66.67 {
		t.Errorf("%+v", got)
	}
	if len(got.Weeks) != 2 || got.Weeks[0].U != 1 || !got.Weeks[0].Over || got.Weeks[1].U != 3 || got.Weeks[1].Over || got.Weeks[1].First != "2031-5-12" || got.Weeks[1].ID != "2031-w20" {
		t.Errorf("weeks %+v", got.Weeks)
	}
	if len(got.Months) != 1 || got.Months[0].U != 3 || got.Months[0].ID != "2031-5" || got.Months[0].Over {
		t.Errorf("months %+v", got.Months)
	}
	utc := read(t, s, a, "period", "7days", "timezone", "UTC")
	if utc.Source != "rows" || utc.Days[3].D != 1 || utc.Days[4].D != 1 || utc.Days[5].D != 2 {
		t.Errorf("in UTC %+v", utc.Days)
	}
	groups := read(t, s, a, "period", "7days", "breakdown", "up.p")
	if len(groups.Groups) != 2 || groups.Of != 2 || groups.Groups[0].Value != "Android" || groups.Groups[0].Users != 2 || groups.Groups[1].Users != 2 ||
		groups.Groups[0].Days[5].D != 2 || groups.Groups[1].Days[4].D != 2 || groups.Groups[1].Days[5].W != 2 {
		t.Errorf("groups %+v", groups.Groups)
	}
	if one := read(t, s, a, "period", "7days", "breakdown", "up.p", "breakdown_limit", "1"); len(one.Groups) != 1 || one.Of != 2 {
		t.Errorf("groups %+v of %d", one.Groups, one.Of)
	}
	s.Ingest(a, "dora", "events", `[{"key":"pay","count":1}]`)
	s.Flush()
	if pay := read(t, s, a, "period", "today", "events", `["pay","none"]`); pay.Users != 1 || pay.Days[0].M != 1 || pay.Source != "rows" || pay.MeanOf != 1 {
		t.Errorf("of events %+v", pay)
	}
}

// TestRandom compares reports of random traffic, with users that are merged, in several zones with a model that looks at every session.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	s := testkit.New(t, testkit.At(now))
	for _, zone := range []string{"Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"} {
		a := s.CreateApp("a"+zone, zone)
		type session struct {
			user int
			at   time.Time
			os   string
		}
		var sessions []session
		systems := []string{"iOS", "Android", "Web"}
		for i := range 150 { // no two at the same millisecond, which would be the same request twice
			one := session{r.IntN(12), now.Add(time.Duration(i)*time.Millisecond - time.Duration(r.IntN(100*24*60))*time.Minute), systems[r.IntN(3)]}
			sessions = append(sessions, one)
			visit(s, a, fmt.Sprint("device", one.user), one.at, one.os)
		}
		person := map[int]int{}
		for old := 1; old < 12; old += 3 { // each third device is one of the device before
			s.Ingest(a, fmt.Sprint("device", old-1), "old_device_id", fmt.Sprint("device", old))
			person[old] = old - 1
		}
		s.Flush()
		for _, in := range []string{zone, "Pacific/Auckland"} {
			loc, err := time.LoadLocation(in)
			if err != nil {
				t.Fatal(err)
			}
			date := func(at time.Time) time.Time {
				y, m, d := at.In(loc).Date()
				return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
			}
			count := func(first, last time.Time, os string) int64 {
				who := map[int]bool{}
				for _, one := range sessions {
					if d := date(one.at); (os == "" || one.os == os) && !d.Before(first) && !d.After(last) {
						user := one.user
						if p, merged := person[user]; merged {
							user = p
						}
						who[user] = true
					}
				}
				return int64(len(who))
			}
			for _, os := range []string{"", "iOS"} {
				pairs := []string{"period", "60days", "timezone", in}
				if os != "" {
					pairs = append(pairs, "filter", `{"up.p":{"$in":["iOS"]}}`)
				}
				got := read(t, s, a, pairs...)
				today := date(now)
				if want := map[bool]string{true: "cells", false: "rows"}[in == zone && os == ""]; got.Source != want || len(got.Days) != 60 {
					t.Fatalf("seed %d, %s in %s: %d days from %s, want 60 from %s", seed, zone, in, len(got.Days), got.Source, want)
				}
				if want := count(today.AddDate(0, 0, -59), today, os); got.Users != want || want == 0 {
					t.Errorf("seed %d, %s in %s: %d users, want %d", seed, zone, in, got.Users, want)
				}
				for i, d := range got.Days {
					day := today.AddDate(0, 0, i-59)
					want := []int64{count(day, day, os), count(day.AddDate(0, 0, -6), day, os), count(day.AddDate(0, 0, -29), day, os)}
					if d.ID != day.Format("2006-1-2") || d.D != want[0] || d.W != want[1] || d.M != want[2] {
						t.Fatalf("seed %d, %s in %s, %q: %+v, want %s %v", seed, zone, in, os, d, day.Format("2006-1-2"), want)
					}
				}
				for _, u := range got.Months {
					first, err := time.Parse("2006-1-2", u.First)
					if want := count(first, first.AddDate(0, 1, -1), os); err != nil || u.U != want {
						t.Errorf("seed %d, %s in %s: month %+v, want %d", seed, zone, in, u, want)
					}
				}
				for _, u := range got.Weeks {
					first, err := time.Parse("2006-1-2", u.First)
					if want := count(first, first.AddDate(0, 0, 6), os); err != nil || u.U != want || first.Weekday() != time.Monday {
						t.Errorf("seed %d, %s in %s: week %+v, want %d", seed, zone, in, u, want)
					}
				}
			}
			for _, g := range read(t, s, a, "period", "60days", "timezone", in, "breakdown", "up.p").Groups {
				for i, d := range g.Days {
					day := date(now).AddDate(0, 0, i-59)
					if want := count(day.AddDate(0, 0, -6), day, fmt.Sprint(g.Value)); d.W != want {
						t.Fatalf("seed %d, %s in %s: %v on %s %+v, want %d", seed, zone, in, g.Value, day, d, want)
					}
				}
			}
		}
	}
}

// TestRefused has requests without a meaning.
func TestRefused(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	for _, pair := range [][2]string{
		{"period", "x"},
		{"period", "2000days"},
		{"timezone", "x"},
		{"filter", "x"},
		{"filter", `{"$where":"1"}`},
		{"filter", "[1]"},
		{"events", "[]"},
		{"events", `[""]`},
		{"events", `[1]`},
		{"events", `["` + strings.Repeat("a", 2049) + `"]`},
		{"events", `["a"` + strings.Repeat(`,"a"`, 50) + `]`},
		{"breakdown", strings.Repeat("x", 600)},
		{"breakdown_limit", "0"},
		{"breakdown_limit", "201"},
		{"breakdown_limit", "x"},
		{"filter", strings.Repeat(`{"$and":[`, 200)},
		{"filter", "{\"up.p\":\"\x00\""},
	} {
		if res := s.Post("/o/active_users/report", "app_id", a.ID, "api_key", s.Key, pair[0], pair[1]); res.Status != http.StatusBadRequest {
			t.Errorf("%.60v: %d %s", pair, res.Status, res.Body)
		}
	}
	if res := s.Get("/o/active_users", "api_key", s.Key, "app_id", a.ID, "period", "2000days"); res.Status != http.StatusBadRequest {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	if res := s.Get("/o/active_users", "api_key", s.Key); res.Status != http.StatusUnauthorized || !strings.Contains(res.Body, "No app_id provided") {
		t.Errorf("without an app: %d %s", res.Status, res.Body)
	}
}

// TestClear forgets answers, which changes no figure.
func TestClear(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	before := s.Admin("/o/active_users", "app_id", a.ID, "filter", `{"up.p":"iOS"}`)
	for name, tt := range map[string]struct {
		pairs  []string
		status int
		want   string
	}{
		"an app":  {[]string{"app_id", a.ID}, 200, `{"result":"Success"}`},
		"all":     {[]string{"all_apps", "true"}, 200, `{"result":"Success"}`},
		"neither": {nil, 200, `{"result":"Missing parameter \"app_id\" or \"all_apps\""}`},
		"not all": {[]string{"all_apps", "false"}, 200, `{"result":"Missing parameter \"app_id\" or \"all_apps\""}`},
	} {
		if res := s.Get("/i/active_users/clear_active_users_cache", append(tt.pairs, "api_key", s.Key)...); res.Status != tt.status || res.Body != tt.want {
			t.Errorf("%s: %d %s", name, res.Status, res.Body)
		}
	}
	if after := s.Admin("/o/active_users", "app_id", a.ID, "filter", `{"up.p":"iOS"}`); after != before {
		t.Errorf("%s, before %s", after, before)
	}
}

// TestRights has a member who may read active users of one app, but not its users.
func TestRights(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	permission, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{
			"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "c": map[string]any{}, "u": map[string]any{}, "d": map[string]any{},
			"r": map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"active_users": true}}, other.ID: map[string]any{"all": false, "allowed": map[string]bool{"core": true}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal([]byte(s.Admin("/i/users/create", "args", string(permission))), &p); err != nil || p.Key == "" {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path   string
		pairs  []string
		status int
	}{
		{"/o/active_users", []string{"app_id", a.ID}, 200},
		{"/o/active_users/report", []string{"app_id", a.ID, "breakdown", "up.p", "filter", `{"up.p":"iOS"}`}, 200},
		{"/o/active_users/report", []string{"app_id", a.ID, "breakdown", "up.name"}, 401},
		{"/o/active_users/report", []string{"app_id", a.ID, "filter", `{"up.email":"a"}`}, 401},
		{"/o/active_users", []string{"app_id", a.ID, "filter", `{"up.email":"a"}`}, 401},
		{"/o/active_users/report", []string{"app_id", other.ID}, 401},
		{"/o/active_users", []string{"app_id", other.ID}, 401},
		{"/i/active_users/clear_active_users_cache", []string{"app_id", a.ID}, 200},
		{"/i/active_users/clear_active_users_cache", []string{"app_id", other.ID}, 401},
		{"/i/active_users/clear_active_users_cache", []string{"all_apps", "true"}, 401},
	} {
		if res := s.Get(tt.path, append(tt.pairs, "api_key", p.Key)...); res.Status != tt.status {
			t.Errorf("%s %v: %d %s, want %d", tt.path, tt.pairs, res.Status, res.Body, tt.status)
		}
	}
}

// TestSeveralApps counts the people of two apps, each by the days of its own zone.
func TestSeveralApps(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a, b := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "UTC")
	fill(s, a)
	at := time.Date(2031, 5, 13, 8, 0, 0, 0, time.UTC)
	visit(s, b, "anna", at, "iOS")
	visit(s, b, "cleo", at.Add(-48*time.Hour+15*time.Hour), "iOS") // the 11th at 23 h, which it is in the zone of this app
	visit(s, b, "dora", at.Add(-24*time.Hour), "iOS")
	s.Flush()
	both := `["` + a.ID + `","` + b.ID + `","` + a.ID + `"]`
	got := read(t, s, a, "period", "7days", "apps", both)
	if got.Users != 4 || got.Source != "cells" || got.Days[3].D != 1 || got.Days[4].D != 3 || got.Days[5].D != 2 || got.Days[5].W != 4 || got.Weeks[1].U != 4 {
		t.Errorf("%+v", got)
	}
	if text := s.Admin("/o/active_users/report", "app_id", a.ID, "period", "7days", "apps", both); !strings.Contains(text, `"apps":[{"id":"`+a.ID+`","name":"a"},{"id":"`+b.ID+`","name":"b"}]`) {
		t.Error(text)
	}
	if got := s.Admin("/o/active_users", "app_id", a.ID, "period", "yesterday", "apps", both); got != `{"calculating":false,"data":{"2031.5.13":{"d":2,"w":4,"m":4}}}` {
		t.Error(got)
	}
	if one := read(t, s, a, "period", "7days", "apps", `["`+b.ID+`"]`); one.Users != 3 {
		t.Errorf("of the other app alone %+v", one)
	}
	if one := read(t, s, a, "period", "7days", "apps", `["`+a.ID+`"]`, "breakdown", "up.p"); one.Users != 3 || len(one.Groups) != 2 {
		t.Errorf("of the app alone %+v", one)
	}
	nobody := strings.Repeat("f", 24)
	for _, pairs := range [][]string{
		{"apps", "x"},
		{"apps", "[]"},
		{"apps", `[1]`},
		{"apps", `["x"]`},
		{"apps", "[\"" + a.ID + "\x00\"]"},
		{"apps", `["` + a.ID + `"` + strings.Repeat(`,"`+b.ID+`"`, 20) + `]`},
		{"apps", strings.Repeat("[", 5000)},
		{"apps", both, "breakdown", "up.p"},
		{"apps", both, "filter", `{"up.p":"iOS"}`},
		{"apps", both, "events", "pay"},
		{"apps", both, "timezone", "Asia/Tokyo"},
		{"apps", both, "period", "400days"},
	} {
		if res := s.Post("/o/active_users/report", append(pairs, "app_id", a.ID, "api_key", s.Key)...); res.Status != http.StatusBadRequest {
			t.Errorf("%.60v: %d %s", pairs, res.Status, res.Body)
		}
	}
	unknown := s.Post("/o/active_users/report", "app_id", a.ID, "api_key", s.Key, "apps", `["`+a.ID+`","`+nobody+`"]`)
	if unknown.Status < 400 || strings.Contains(unknown.Body, "days") {
		t.Errorf("an app that is not there: %d %s", unknown.Status, unknown.Body)
	}
	permission, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{
			"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID, b.ID}}}, "c": map[string]any{}, "u": map[string]any{}, "d": map[string]any{},
			"r": map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"active_users": true}}, b.ID: map[string]any{"all": false, "allowed": map[string]bool{"core": true}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal([]byte(s.Admin("/i/users/create", "args", string(permission))), &p); err != nil || p.Key == "" {
		t.Fatal(err)
	}
	for _, path := range []string{"/o/active_users", "/o/active_users/report"} {
		for _, list := range []string{both, `["` + b.ID + `"]`, `["` + a.ID + `","` + nobody + `"]`} {
			if res := s.Get(path, "app_id", a.ID, "api_key", p.Key, "apps", list); res.Status != unknown.Status || res.Body != unknown.Body {
				t.Errorf("%s %s: %d %s", path, list, res.Status, res.Body)
			}
		}
		if res := s.Get(path, "app_id", a.ID, "api_key", p.Key, "apps", `["`+a.ID+`"]`); res.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, res.Status, res.Body)
		}
	}
}
