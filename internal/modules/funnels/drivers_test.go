package funnels_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// did is an event of an imagined user, at ms.
type did struct {
	key, plan string
	at        int64
}

// people sends what imagined users do over ten days, and returns it by user, in order.
func people(s *testkit.Server, a testkit.TestApp, r *rand.Rand, n int) [][]did {
	begin := start.Add(-10 * 24 * time.Hour).UnixMilli()
	out := make([][]did, n)
	for u := range out {
		plan := []string{"free", "pro", ""}[r.IntN(3)]
		at := begin + r.Int64N(86400_000)
		var list []string
		for range 1 + r.IntN(9) {
			at += 1 + r.Int64N(86400_000)
			key := []string{"see", "see", "help", "search", "share", "pay"}[r.IntN(6)]
			if key == "pay" && plan != "pro" && r.IntN(3) > 0 {
				key = "help"
			}
			out[u] = append(out[u], did{key, plan, at})
			sg := "{}"
			if plan != "" {
				sg = fmt.Sprintf(`{"plan":%q}`, plan)
			}
			list = append(list, fmt.Sprintf(`{"key":%q,"count":1,"timestamp":%d,"segmentation":%s}`, key, at, sg))
		}
		s.Ingest(a, fmt.Sprint("u", u), "timestamp", fmt.Sprint(at+1000), "events", "["+strings.Join(list, ",")+"]")
	}
	s.Flush()
	return out
}

// attempt is the place of the see that counts of see and pay, and of the pay; -1 = none.
func attempt(list []did) (see, pay int) {
	see = -1
	for i, d := range list {
		if d.key == "see" {
			see = i
		}
		if d.key == "pay" && see >= 0 {
			return see, i
		}
	}
	return slices.IndexFunc(list, func(d did) bool { return d.key == "see" }), -1
}

type insteadRes struct {
	Users, Nothing int64
	Events         []struct {
		Event, Name string
		Users, Next int64
	}
}

type driversRes struct {
	Users, Success int64
	Percent        float64
	Tested, Sample int
	Back           int64
	Drivers        []driverRes
}

type driverRes struct {
	Kind, Path, Event, Name string
	Value                   any
	Users, Success          int64
	Percent, OtherPercent   float64
	Odds, OddsLow, OddsHigh float64
	Difference, P, Adjusted float64
}

// TestBehaviour compares what those did who dropped, and what drives conversion, with a naive count of random traffic.
func TestBehaviour(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	users := people(s, a, rand.New(rand.NewPCG(seed, 0)), 250)
	id := add(t, s, a, "funnel_name", "Buy", "steps", `["see","pay"]`)
	const back = 2 * 86400
	want := map[string]int64{}
	type share struct{ did, of int64 }
	drive := map[string]share{}
	var all share
	count := func(name string, converts bool) {
		h := drive[name]
		h.of++
		if converts {
			h.did++
		}
		drive[name] = h
	}
	for _, list := range users {
		see, pay := attempt(list)
		if see < 0 {
			continue
		}
		all.of++
		if pay >= 0 {
			all.did++
		} else {
			want["users"]++
			seen := map[string]bool{}
			for _, d := range list[see+1:] {
				if d.key == "see" || seen[d.key] {
					continue
				}
				if len(seen) == 0 {
					want[d.key+" next"]++
				}
				seen[d.key] = true
				want[d.key]++
			}
			if len(seen) == 0 {
				want["nothing"]++
			}
		}
		count("plan "+list[see].plan, pay >= 0)
		seen := map[string]bool{}
		for _, d := range list[:see] {
			if d.at >= list[see].at-back*1000 && !seen[d.key] {
				seen[d.key] = true
				count("event "+d.key, pay >= 0)
			}
		}
	}
	ask := []string{"method", "funnel", "app_id", a.ID, "funnel", id, "period", "30days"}
	var ins insteadRes
	testkit.Decode(t, s.Admin("/o", append(ask, "instead", "0|1")...), &ins)
	got := map[string]int64{"users": ins.Users}
	if ins.Nothing > 0 {
		got["nothing"] = ins.Nothing
	}
	for i, e := range ins.Events {
		got[e.Event] = e.Users
		if e.Next > 0 {
			got[e.Event+" next"] = e.Next
		}
		if i > 0 && e.Next > ins.Events[i-1].Next {
			t.Errorf("the most frequent are not first: %+v", ins.Events)
		}
	}
	if d := diff.Diff(got, want); d != "" {
		t.Errorf("instead (-got +want):\n%s", d)
	}
	for _, e := range ins.Events {
		if e.Event == "pay" || e.Event == "see" {
			t.Errorf("%s is among what they did instead", e.Event)
		}
	}
	var drv driversRes
	testkit.Decode(t, s.Admin("/o", append(ask, "drivers", "0|1", "drivers_by", `["sg.plan"]`, "drivers_back", fmt.Sprint(back))...), &drv)
	if drv.Users != all.of || drv.Success != all.did || drv.Back != back || drv.Sample != 0 {
		t.Errorf("%+v, want %+v", drv, all)
	}
	found := map[string]share{}
	for _, d := range drv.Drivers {
		name := "event " + d.Event
		if d.Kind == "property" {
			value, _ := d.Value.(string)
			name = "plan " + value
		}
		found[name] = share{d.Success, d.Users}
		if d.Adjusted < d.P || d.OddsLow > d.Odds || d.OddsHigh < d.Odds {
			t.Errorf("%+v", d)
		}
	}
	for name, h := range drive {
		if h.of < 10 || all.of-h.of < 10 {
			delete(drive, name)
		}
	}
	if d := diff.Diff(found, drive, diff.AllowUnexported(share{})); d != "" || drv.Tested != len(drive) {
		t.Errorf("drivers (-got +want):\n%s", d)
	}
	if !slices.IsSortedFunc(drv.Drivers, func(x, y driverRes) int { return cmp.Compare(strength(y), strength(x)) }) {
		t.Errorf("drivers are in no order: %+v", drv.Drivers)
	}
	// Drivers of their own choice: properties that are there, without events.
	testkit.Decode(t, s.Admin("/o", append(ask, "drivers", "true", "drivers_back", "0", "drivers_limit", "1")...), &drv)
	if len(drv.Drivers) != 1 || drv.Tested < 3 || drv.Drivers[0].Kind != "property" || drv.Drivers[0].Path != "sg.plan" {
		t.Errorf("of their own: %+v", drv)
	}
	for pair, text := range map[string]string{
		"instead=1": "instead is two steps", "instead=1|0": "instead is two steps", "instead=0|9": "instead is two steps",
		"drivers=x": "drivers is true, or two steps", "drivers=1|0": "drivers is true, or two steps", "drivers=0|1&drivers_by=x": "drivers_by is a list", "drivers=true&drivers_by=[\"\"]": "drivers_by is a list",
		"drivers=true&drivers_by=" + `["` + strings.Repeat(`a","`, 21) + `a"]`: "drivers_by is a list", "drivers=true&drivers_back=-1": "drivers_back is", "drivers=true&drivers_back=1e99": "drivers_back is",
	} {
		list := append([]string{"api_key", s.Key}, ask...)
		for one := range strings.SplitSeq(pair, "&") {
			k, v, _ := strings.Cut(one, "=")
			list = append(list, k, v)
		}
		if r := s.Post("/o", list...); r.Status != 400 || !strings.Contains(r.Body, text) {
			t.Errorf("%s: %d %s, want %q", pair, r.Status, r.Body, text)
		}
	}
	if r := s.Admin("/o", append(ask, "drivers", "true", "drivers_by", `["sg.'x","up.\u0000"]`, "drivers_back", "0")...); !strings.Contains(r, `"drivers":[]`) {
		t.Errorf("properties that there are not: %s", r)
	}
}

func strength(d driverRes) float64 {
	if d.Odds >= 1 {
		return d.OddsLow
	}
	return 1 / d.OddsHigh
}
