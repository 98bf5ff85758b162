package crashes_test

import (
	"fmt"
	"strings"
	"testing"

	"quipu/internal/modules/crashes"
	"quipu/internal/testkit"
)

// TestReleases has groups that come with a release, come back with one, become more frequent, and stay as they were.
func TestReleases(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var list []string
	flush := func() {
		if r := k.s.Post("/i/bulk", "requests", "["+strings.Join(list, ",")+"]"); r.Status != 200 {
			t.Fatal(r.Body)
		}
		list = nil
		k.s.Flush()
	}
	at := start.UnixMilli()
	add := func(device, body string) {
		at += 1000
		list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":%q,"timestamp":%d,%s}`, k.a.Key, device, at, body))
	}
	release := func(version string, sessions int, crashes map[string]int) {
		for i := range sessions {
			add(fmt.Sprint("d", i), fmt.Sprintf(`"begin_session":1,"ignore_cooldown":"true","metrics":{"_os":"iOS","_app_version":%q}`, version))
		}
		for _, name := range []string{"steady", "worse", "solved", "fresh", "rare"} {
			for i := range crashes[name] {
				add(fmt.Sprint("d", i), fmt.Sprintf(`"crash":{"_error":%q,"_os":"iOS","_app_version":%q,"_nonfatal":%t}`, name, version, name == "steady"))
			}
		}
		flush()
	}
	release("1.9", 100, map[string]int{"steady": 20, "worse": 5, "solved": 4, "rare": 1})
	k.act("resolve", fmt.Sprintf(`{"crash_id":%q}`, k.id("solved")))
	release("1.10", 200, map[string]int{"steady": 41, "worse": 60, "solved": 2, "fresh": 3, "rare": 9})
	type change struct {
		Name            string
		Reports, Before int
		Ratio           float64
	}
	var out struct {
		Releases []struct {
			Version, Before           string
			Sessions, Fatal, NonFatal int
			New, Returned, Frequent   []change
		}
	}
	read := func() {
		testkit.Decode(t, k.s.Admin("/o", "method", "crash_releases", "app_id", k.a.ID), &out)
	}
	read()
	if len(out.Releases) != 2 {
		t.Fatalf("releases: %+v", out)
	}
	now, first := out.Releases[0], out.Releases[1]
	k.same("the latest", []any{now.Version, now.Before, now.Sessions, now.Fatal, now.NonFatal}, []any{"1.10", "1.9", 200, 74, 41})
	k.same("new", now.New, []change{{Name: "fresh", Reports: 3}})
	k.same("returned", now.Returned, []change{{"solved", 2, 4, 0.25}})
	k.same("more frequent", now.Frequent, []change{{"worse", 60, 5, 6}})
	k.same("the first", []any{first.Version, first.Before, first.Sessions, len(first.New), len(first.Returned), len(first.Frequent)}, []any{"1.9", "", 100, 4, 0, 0})
	k.act("hide", fmt.Sprintf(`{"crash_id":%q}`, k.id("worse")))
	read()
	k.same("hidden", []any{len(out.Releases[0].Frequent), out.Releases[0].Fatal}, []any{0, 74})
	k.s.Admin("/i/apps/reset", "args", `{"app_id":"`+k.a.ID+`","period":"reset"}`)
	read()
	k.same("after a reset", len(out.Releases), 0)
}

// TestMoreFrequent holds the test for more frequent reports to cases on both sides of its bounds.
func TestMoreFrequent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                                      string
		reports, sessions, before, sessionsBefore int64
		want                                      bool
	}{
		{"twice as many of many", 200, 1000, 100, 1000, true},
		{"not quite twice", 199, 1000, 100, 1000, false},
		{"from none", 10, 100, 0, 100, true},
		{"too few reports", 9, 1000, 0, 1000, false},
		{"too few sessions", 40, 49, 1, 1000, false},
		{"too few sessions before", 40, 1000, 0, 49, false},
		{"twice, by chance", 12, 1000, 6, 1000, false},
		{"more sessions, the same rate", 400, 4000, 100, 1000, false},
	} {
		if got := crashes.MoreFrequent(tt.reports, tt.sessions, tt.before, tt.sessionsBefore); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
