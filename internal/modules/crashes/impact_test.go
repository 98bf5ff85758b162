package crashes_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/modules/crashes"
	"quipu/internal/query/stats"
	"quipu/internal/testkit"
)

// done is something that a user did in a session: "begin", "target" and "other" for reports, the key of an event, or "view " and its name.
type done struct {
	uid      int
	session  int // 0 = none
	at       time.Time
	what     string
	platform string
	version  string
	plan     string
	muted    string
}

// story is what the users of an app did, in the order of time.
type story struct {
	*kit
	all     []done
	numbers map[string]int
	open    map[string]done // the session of a device
	list    []string
	last    int // number of sessions
}

func newStory(t *testing.T) *story {
	t.Helper()
	return &story{kit: newKit(t), numbers: map[string]int{}, open: map[string]done{}}
}

func (s *story) add(device string, d done, body string) {
	if s.numbers[device] == 0 {
		s.numbers[device] = len(s.numbers) + 1
	}
	d.uid = s.numbers[device]
	s.all = append(s.all, d)
	s.list = append(s.list, fmt.Sprintf(`{"app_key":%q,"device_id":%q,"timestamp":%d,%s}`, s.a.Key, device, d.at.UnixMilli(), body))
}

func (s *story) begins(device string, at time.Time, platform, version, plan string) {
	s.last++
	d := done{session: s.last, at: at, what: "begin", platform: platform, version: version, plan: plan}
	s.open[device] = d
	s.add(device, d, fmt.Sprintf(`"begin_session":1,"ignore_cooldown":"true","metrics":{"_os":%q,"_app_version":%q},"user_details":{"custom":{"plan":%q}}`, platform, version, plan))
}

func (s *story) does(device string, at time.Time, what string) {
	d := s.open[device]
	d.at, d.what = at, what
	name, isView := strings.CutPrefix(what, "view ")
	body := fmt.Sprintf(`"events":[{"key":%q,"count":1,"timestamp":%d}]`, what, at.UnixMilli())
	switch {
	case isView:
		body = fmt.Sprintf(`"events":[{"key":"[CLY]_view","count":1,"timestamp":%d,"segmentation":{"name":%q,"visit":1}}]`, at.UnixMilli(), name)
	case what == "target" || what == "other":
		d.muted = []string{"yes", "no"}[len(s.all)%2]
		if what == "target" && len(s.all)%5 > 0 {
			d.muted = "yes"
		}
		body = fmt.Sprintf(`"crash":{"_error":%q,"_os":"Any","_muted":%t}`, what, d.muted == "yes")
	}
	s.add(device, d, body)
}

// send sends everything, the latest moment being now.
func (s *story) send(now time.Time) {
	s.Helper()
	at := make([]int, len(s.all))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(x, y int) int { return s.all[x].at.Compare(s.all[y].at) })
	all, list := make([]done, len(at)), make([]string, len(at))
	for i, j := range at {
		all[i], list[i] = s.all[j], s.list[j]
	}
	s.all = all
	s.s.Clock().Set(now)
	s.at = now
	for part := range slices.Chunk(list, 200) {
		if res := s.s.Post("/i/bulk", "requests", "["+strings.Join(part, ",")+"]"); res.Status != 200 {
			s.Fatal(res.Body)
		}
	}
	s.s.Flush()
	numbers := map[int]int{} // users get theirs in the order in which they are first seen
	for i := range s.all {
		if numbers[s.all[i].uid] == 0 {
			numbers[s.all[i].uid] = len(numbers) + 1
		}
		s.all[i].uid = numbers[s.all[i].uid]
	}
}

// random makes 40 days of random users. Those of Android with version 1.1 meet the target more often where harm is true, and come back less often then.
func (s *story) random(r *rand.Rand, users, days int, harm bool) {
	for n := range users {
		device, platform, plan := fmt.Sprint("d", n), pickOf(r, "iOS", "Android"), pickOf(r, "free", "free", "pro")
		eager := 0.1 + 0.5*r.Float64()
		joined, gone := r.IntN(days), 0
		for day := joined; day < days; day++ {
			p := eager
			if day < gone {
				p /= 8
			}
			if r.Float64() > p {
				continue
			}
			at := start.AddDate(0, 0, day).Add(time.Duration(r.IntN(600)) * time.Minute)
			for range 1 + r.IntN(2) {
				version := "1.0"
				if day > days/2 && r.IntN(3) > 0 {
					version = "1.1"
				}
				s.begins(device, at, platform, version, plan)
				for range r.IntN(5) {
					at = at.Add(time.Duration(5+r.IntN(20)) * time.Second)
					s.does(device, at, pickOf(r, "search", "search", "open", "buy", "view Cart", "view Home", "other"))
				}
				chance := 0.03
				if harm && platform == "Android" {
					chance = 0.12
				}
				if r.Float64() < chance {
					if harm && r.IntN(2) == 0 {
						at = at.Add(time.Second)
						s.does(device, at, "pay")
					}
					at = at.Add(time.Second)
					s.does(device, at, "target")
					if harm {
						gone = day + 8
					}
					if r.IntN(3) == 0 {
						at = at.Add(time.Second)
						s.does(device, at, "search")
					}
				} else if r.IntN(20) == 0 {
					at = at.Add(time.Second)
					s.does(device, at, "pay")
				}
				at = at.Add(time.Hour)
			}
		}
	}
}

type figure struct{ Value, Low, High float64 }

type propertyRow struct {
	Kind, Path               string
	Value                    any
	Hit, Other               int
	HitPercent, OtherPercent float64
	Odds                     figure
	P, Adjusted              float64
	Exact                    bool
}

type propertiesDoc struct {
	Users, Reports struct {
		Hit, Other int
		Few        bool
	}
	Tested     int
	Properties []propertyRow
}

type outcomeRow struct {
	Kind                                    string
	Days, Followed, Matched, Unhit, Moments int
	Few                                     bool
	Hit, Other, Difference, Ratio           *figure
}

type costDoc struct {
	Users    int
	Outcomes []outcomeRow
}

type pathNodeRow struct {
	Event, Name         string
	Other               bool
	Paths, Users, Ended int
}

type pathsDoc struct {
	Paths, Users, Sessions, Hit int
	Few                         bool
	Levels                      []struct {
		Level int
		Nodes []pathNodeRow
	}
	Steps []struct {
		Event, Name   string
		Sessions, Hit int
		Percent, Lift float64
	}
}

func (s *story) ask(method string, out any, pairs ...string) {
	s.Helper()
	testkit.Decode(s, s.s.Admin("/o", append([]string{"method", method, "app_id", s.a.ID, "group", s.id("target")}, pairs...)...), out)
}

func dayOf(at time.Time) int { return int(at.Unix() / 86400) }

// byUser returns what each user did.
func (s *story) byUser() map[int][]done {
	out := map[int][]done{}
	for _, d := range s.all {
		out[d.uid] = append(out[d.uid], d)
	}
	return out
}

// naiveProperties counts, for each value, the users hit and the others.
func (s *story) naiveProperties(from, to time.Time, other string) (hit, unhit int, counts map[string][2]int) {
	counts = map[string][2]int{}
	for uid, all := range s.byUser() {
		var mine []done
		var first *done
		before := false
		for i, d := range all {
			within := !d.at.Before(from) && d.at.Before(to)
			if d.what == "target" {
				before = before || d.at.Before(from)
				if within && first == nil {
					first = &all[i]
				}
			}
			if within && (d.what == other || other == "report" && (d.what == "other" || d.what == "target")) {
				mine = append(mine, d)
			}
		}
		side := 0
		switch {
		case first != nil:
			hit++
		case before || len(mine) == 0:
			continue
		default:
			unhit++
			side = 1
			first = &mine[crashes.Drawn(uint32(uid), 0, len(mine))] // small
		}
		for path, value := range map[string]string{"up.p": first.platform, "up.av": encodedVersion(first.version), "custom.plan": first.plan, "sg.muted": first.muted} {
			c := counts[path+"="+value]
			c[side]++
			counts[path+"="+value] = c
		}
	}
	return hit, unhit, counts
}

func encodedVersion(v string) string { return strings.ReplaceAll(v, ".", ":") }

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a)) }

func (s *story) checkProperties(from, to time.Time, doc propertiesDoc) {
	s.Helper()
	for _, kind := range []string{"user", "report"} {
		of, who := "begin", doc.Users
		if kind == "report" {
			of, who = "report", doc.Reports
		}
		hit, unhit, counts := s.naiveProperties(from, to, of)
		s.same(kind+"s", []int{who.Hit, who.Other}, []int{hit, unhit})
		for _, p := range doc.Properties {
			if p.Kind != kind {
				continue
			}
			want, ok := counts[p.Path+"="+fmt.Sprint(p.Value)]
			if !ok && kind == "user" && slices.Contains([]string{"up.p", "up.av", "custom.plan"}, p.Path) {
				s.Errorf("%s = %v: nobody has it", p.Path, p.Value)
			}
			if !ok {
				continue
			}
			c := stats.Compare(stats.Share{Did: int64(want[0]), Of: int64(hit)}, stats.Share{Did: int64(want[1]), Of: int64(unhit)})
			if p.Hit != want[0] || p.Other != want[1] || !near(p.Odds.Value, c.Odds) || !near(p.Odds.Low, c.OddsLow) || !near(p.P, c.P) || p.Adjusted < p.P || !near(p.HitPercent, 100*float64(want[0])/float64(hit)) {
				s.Errorf("%s = %v: %+v, want %v", p.Path, p.Value, p, want)
			}
		}
	}
}

// naiveMoment is when somebody is followed from, by what they have in common with others.
type naiveMoment struct {
	uid  int
	like string
	day  int
	next int           // the day of the next session; 0 = none
	paid time.Duration // until the event; -1 = never
}

func (s *story) naiveCost(from, to time.Time) (hits, others []naiveMoment) {
	bin := func(n int, bounds ...int) int {
		at := 0
		for at < len(bounds) && n >= bounds[at] {
			at++
		}
		return at
	}
	for uid, all := range s.byUser() {
		moment := func(i int) naiveMoment {
			d := all[i]
			m := naiveMoment{uid: uid, day: dayOf(d.at), paid: -1}
			sessions := 0
			for j, e := range all {
				switch {
				case e.what == "begin" && j < i && d.at.Sub(e.at) <= 28*24*time.Hour:
					sessions++
				case e.what == "begin" && dayOf(e.at) > m.day && m.next == 0:
					m.next = dayOf(e.at)
				case e.what == "pay" && j >= i && m.paid < 0:
					m.paid = e.at.Sub(d.at)
				}
			}
			m.like = fmt.Sprint(m.day, d.platform, d.version, bin(m.day-dayOf(all[0].at), 1, 7, 30, 90), bin(sessions, 1, 2, 5, 10, 20))
			return m
		}
		first := slices.IndexFunc(all, func(d done) bool { return d.what == "target" && d.at.Before(to) })
		until := math.MaxInt
		if first >= 0 {
			if all[first].at.Before(from) {
				continue
			}
			at := first
			for j := range first {
				if e := all[j]; e.what == "begin" && !e.at.Before(from) && all[first].at.Sub(e.at) <= 24*time.Hour {
					at = j
				}
			}
			m := moment(at)
			hits = append(hits, m)
			until = m.day
		}
		days := map[int][]int{}
		for i, d := range all {
			if d.what == "begin" && !d.at.Before(from) && d.at.Before(to) && dayOf(d.at) < until {
				days[dayOf(d.at)] = append(days[dayOf(d.at)], i)
			}
		}
		for day, list := range days {
			others = append(others, moment(list[crashes.Drawn(uint32(uid), int64(day), len(list))])) // small
		}
	}
	return hits, others
}

func (s *story) checkCost(from, to time.Time, doc costDoc) {
	s.Helper()
	hits, others := s.naiveCost(from, to)
	s.same("users hit", doc.Users, len(hits))
	yesterday := dayOf(s.at) - 1
	for _, o := range doc.Outcomes {
		did := func(m naiveMoment) bool {
			if o.Kind == "return" {
				return m.next > 0 && m.next-m.day <= o.Days
			}
			return m.paid >= 0 && m.paid <= time.Duration(o.Days)*24*time.Hour
		}
		strata := map[string]*stats.Stratum{}
		add := func(list []naiveMoment, side func(*stats.Stratum) *stats.Share) (followed int) {
			for _, m := range list {
				if m.day+o.Days > yesterday {
					continue
				}
				followed++
				if strata[m.like] == nil {
					strata[m.like] = &stats.Stratum{}
				}
				share := side(strata[m.like])
				share.Of++
				if did(m) {
					share.Did++
				}
			}
			return followed
		}
		want := outcomeRow{Kind: o.Kind, Days: o.Days, Few: o.Few}
		want.Followed = add(hits, func(s *stats.Stratum) *stats.Share { return &s.Hit })
		add(others, func(s *stats.Stratum) *stats.Share { return &s.Unhit })
		var hit, unhit stats.Effective
		sums := map[int]float64{}
		for _, m := range hits {
			if st := strata[m.like]; m.day+o.Days <= yesterday && st.Unhit.Of > 0 {
				want.Matched++
				hit.Add(st.HitWeight())
			}
		}
		for _, m := range others {
			if st := strata[m.like]; m.day+o.Days <= yesterday && st.Hit.Of > 0 {
				want.Moments++
				sums[m.uid] += st.UnhitWeight()
			}
		}
		for _, sum := range sums {
			unhit.Add(sum)
		}
		want.Unhit = len(sums)
		got := o
		got.Hit, got.Other, got.Difference, got.Ratio = nil, nil, nil, nil
		s.same(fmt.Sprint("outcome ", o.Kind, o.Days), got, want)
		if o.Few != (want.Matched < 10 || want.Unhit < 10) {
			s.Errorf("%s %d: few is %t", o.Kind, o.Days, o.Few)
		}
		if o.Few {
			if o.Hit != nil || o.Difference != nil {
				s.Errorf("%s %d has figures of too few", o.Kind, o.Days)
			}
			continue
		}
		list := make([]stats.Stratum, 0, len(strata))
		for _, st := range strata {
			list = append(list, *st)
		}
		found, _ := stats.Standardise(list, &hit, &unhit)
		for _, x := range [][2]float64{
			{o.Hit.Value, 100 * found.Hit.Rate},
			{o.Hit.Low, 100 * found.Hit.Low},
			{o.Other.Value, 100 * found.Unhit.Rate},
			{o.Other.High, 100 * found.Unhit.High},
			{o.Difference.Value, 100 * found.Difference},
			{o.Difference.Low, 100 * found.Low},
			{o.Difference.High, 100 * found.High},
		} {
			if !near(x[0], x[1]) {
				s.Errorf("%s %d: %v, want %+v", o.Kind, o.Days, x, found)
			}
		}
		if found.Unhit.Rate > 0 && !near(o.Ratio.Value, found.Ratio) {
			s.Errorf("%s %d: ratio %v, want %v", o.Kind, o.Days, o.Ratio, found.Ratio)
		}
	}
}

func (s *story) checkPaths(from, to time.Time, doc pathsDoc) {
	s.Helper()
	sessions, hit := map[int]map[string]bool{}, map[int]bool{}
	before := map[string]int{}
	latest := map[int]string{}
	users := map[int]bool{}
	for _, d := range s.all {
		if d.at.Before(from) || !d.at.Before(to) || hit[d.session] {
			continue
		}
		if sessions[d.session] == nil {
			sessions[d.session] = map[string]bool{}
		}
		switch d.what {
		case "target":
			hit[d.session], users[d.uid] = true, true
			before[latest[d.session]]++
		case "other":
		default:
			sessions[d.session][d.what] = true
			latest[d.session] = d.what
		}
	}
	s.same("paths", []int{doc.Paths, doc.Users, doc.Sessions, doc.Hit}, []int{len(hit), len(users), len(sessions), len(hit)})
	name := func(event, name string) string {
		switch event {
		case "[CLY]_session":
			return "begin"
		case "[CLY]_view":
			return "view " + name
		}
		return event
	}
	for _, l := range doc.Levels {
		if l.Level == -1 {
			for _, n := range l.Nodes {
				if got := before[name(n.Event, n.Name)]; !n.Other && got != n.Paths {
					s.Errorf("%s %s stands before %d reports, want %d", n.Event, n.Name, n.Paths, got)
				}
			}
		}
	}
	with := map[string][2]int{}
	for session, did := range sessions {
		for what := range did {
			c := with[what]
			c[0]++
			if hit[session] {
				c[1]++
			}
			with[what] = c
		}
	}
	if len(doc.Steps) == 0 {
		s.Error("no steps")
	}
	for _, step := range doc.Steps {
		c := with[name(step.Event, step.Name)]
		share := float64(c[1]) / float64(c[0])
		if step.Sessions != c[0] || step.Hit != c[1] || !near(step.Percent, 100*share) || !near(step.Lift, share*float64(len(sessions))/float64(len(hit))) {
			s.Errorf("step %+v, want %v", step, c)
		}
	}
}

// TestImpact compares the impact of a group in random traffic with a naive model, for several periods.
func TestImpact(t *testing.T) {
	t.Parallel()
	n := cmp.Or(*seed, rand.Uint64())
	t.Logf("-crash-seed=%d", n)
	s := newStory(t)
	s.random(rand.New(rand.NewPCG(n, 7)), 150, 40, true) // reproducible
	now := start.AddDate(0, 0, 42)
	s.send(now)
	for _, span := range [][2]int{{0, 42}, {10, 25}, {38, 41}} {
		from, to := midnight(span[0]), midnight(span[1]+1)
		period := fmt.Sprintf("[%d,%d]", from.UnixMilli(), to.UnixMilli()-1)
		var properties propertiesDoc
		s.ask("crash_properties", &properties, "period", period, "limit", "500")
		s.checkProperties(from, to, properties)
		var cost costDoc
		s.ask("crash_cost", &cost, "period", period, "event", "pay")
		s.same("outcomes", len(cost.Outcomes), 6)
		s.checkCost(from, to, cost)
		var paths pathsDoc
		s.ask("crash_paths", &paths, "period", period)
		if paths.Few {
			continue
		}
		s.checkPaths(from, to, paths)
	}
}

// midnight is the begin of a day of the story.
func midnight(day int) time.Time {
	y, m, d := start.AddDate(0, 0, day).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
