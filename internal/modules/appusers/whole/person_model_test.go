package whole_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// naive remembers all that people did, in the order in which it arrived.
type naive struct {
	zone *time.Location
	rows []did
	said []said
}

// did is a row of a person: a session that began or ended, or an event. Times are ms.
type did struct {
	who     string
	at      int64
	arrived int
	what    string
	session int // number of the request that began it, 0 = none
	seconds float64
}

// said is a plan that a person took.
type said struct {
	who, plan string
	at        int64
	arrived   int
}

// merge makes one person another.
func (m *naive) merge(from, to string) {
	for i := range m.rows {
		if m.rows[i].who == from {
			m.rows[i].who = to
		}
	}
	for i := range m.said {
		if m.said[i].who == from {
			m.said[i].who = to
		}
	}
}

// of are the rows of a person from one instant to another, the latest first.
func (m *naive) of(who string, from, to int64) []did {
	var out []did
	for _, d := range m.rows {
		if d.who == who && d.at >= from && d.at <= to {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b did) int { return cmp.Compare(b.at, a.at) })
	return out
}

// live sends random traffic and remembers it: requests arrive in another order than they were made in, events in them are older, and people
// become one.
func live(r *rand.Rand, s *testkit.Server, a testkit.TestApp, m *naive) {
	people := []string{"p0", "p1", "p2", "p3"}
	plans := map[string]string{}
	ms := int64(0)
	for n := 1; n <= 60; n++ {
		who := people[r.IntN(len(people))]
		ms++
		at := noon.Add(-time.Duration(r.IntN(20*24*60))*time.Minute).UnixMilli() + ms
		pairs := []string{"timestamp", fmt.Sprint(at), "ignore_cooldown", "1"}
		session := 0
		if r.IntN(3) > 0 {
			session = n
			seconds := r.IntN(100)
			pairs = append(pairs, "begin_session", "1", "session_duration", fmt.Sprint(seconds), "end_session", "1", "metrics", `{"_os":"iOS"}`)
			m.rows = append(m.rows, did{who, at, n, "begin", n, 0}, did{who, at, n, "end", n, float64(seconds)})
		}
		var list []string
		for range r.IntN(4) {
			then := at - int64(r.IntN(3*24*3600))*1000
			key := []string{"buy", "sell", "look"}[r.IntN(3)]
			list = append(list, fmt.Sprintf(`{"key":%q,"count":1,"timestamp":%d}`, key, then))
			m.rows = append(m.rows, did{who, then, n, key, session, 0})
		}
		if list != nil {
			pairs = append(pairs, "events", "["+strings.Join(list, ",")+"]")
		}
		if plan := []string{"free", "pro", "team"}[r.IntN(3)]; r.IntN(3) == 0 {
			pairs = append(pairs, "user_details", `{"custom":{"plan":"`+plan+`"}}`)
			if plans[who] != plan {
				plans[who] = plan
				m.said = append(m.said, said{who, plan, at, n})
			}
		}
		s.Ingest(a, who, pairs...)
		if n == 30 { // who goes on under the number of the other
			s.Ingest(a, "p2", "old_device_id", "p3", "timestamp", fmt.Sprint(at+1_000_000), "user_details", `{"custom":{"plan":"both"}}`)
			m.merge("p3", "p2")
			plans["p2"] = "both"
			m.said = append(m.said, said{"p2", "both", at + 1_000_000, n})
			people = people[:3]
		}
	}
	s.Flush()
}

func TestPersonAgainstModel(t *testing.T) {
	for seed := range uint64(3) {
		for _, zone := range []string{"UTC", "America/St_Johns", "Asia/Kathmandu"} {
			t.Run(fmt.Sprint(zone, " ", seed), func(t *testing.T) {
				loc, err := time.LoadLocation(zone)
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(seed, 7)) // reproducible
				s := testkit.New(t, testkit.At(noon))
				a := s.CreateApp("a", zone)
				m := &naive{zone: loc}
				live(r, s, a, m)
				today := noon.In(loc)
				first := time.Date(today.Year(), today.Month(), today.Day()-9, 0, 0, 0, 0, loc)
				for _, who := range []string{"p0", "p1", "p2"} {
					checkTimeline(t, s, a, m, who, first.UnixMilli())
					checkSessions(t, s, a, m, who, first.UnixMilli())
					checkGraph(t, s, a, m, who, first)
					checkPlans(t, s, a, m, who)
				}
			})
		}
	}
}

const farAhead = int64(1) << 50

func checkTimeline(t *testing.T, s *testkit.Server, a testkit.TestApp, m *naive, who string, first int64) {
	t.Helper()
	for name, c := range map[string]struct {
		from  int64
		pairs []string
		keep  func(did) bool
	}{
		"all":    {0, nil, func(did) bool { return true }},
		"days":   {first, []string{"period", "10days"}, func(did) bool { return true }},
		"custom": {0, []string{"event", "custom-events"}, func(d did) bool { return d.what != "begin" && d.what != "end" }},
		"search": {0, []string{"sSearch", "EL"}, func(d did) bool { return d.what == "sell" }},
	} {
		var want, got []string
		for _, d := range m.of(who, c.from, farAhead) {
			if c.keep(d) {
				want = append(want, fmt.Sprint(d.at, " ", d.what))
			}
		}
		page := table{More: true}
		for page.More {
			var next table
			testkit.Decode(t, of(s, a, who, "eventsTable", append(c.pairs, "limit", "7", "cursor", page.Cursor)...), &next)
			page = next
			for _, row := range page.Rows {
				what := map[string]string{"[CLY]_session_begin": "begin", "[CLY]_session": "end"}[row.E]
				got = append(got, fmt.Sprint(row.TS, " ", cmp.Or(what, row.N)))
			}
			if page.Total != len(want) {
				t.Errorf("%s of %s: a total of %d, want %d", name, who, page.Total, len(want))
			}
		}
		slices.Sort(want) // of one instant, any order
		if !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b[:13], a[:13]) }) {
			t.Errorf("%s of %s: not the latest first: %v", name, who, got)
		}
		slices.Sort(got)
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("%s of %s (-want +got):\n%s", name, who, d)
		}
	}
}

func checkSessions(t *testing.T, s *testkit.Server, a testkit.TestApp, m *naive, who string, first int64) {
	t.Helper()
	type session struct {
		TS, Events int64
		Dur        float64
	}
	for period, from := range map[string]int64{"": 0, "10days": first} {
		var want []session
		for _, d := range m.of(who, from, farAhead) {
			if d.what != "begin" {
				continue
			}
			one := session{TS: d.at / 1000}
			for _, e := range m.of(who, 0, farAhead) {
				switch {
				case e.session != d.session || e.what == "begin":
				case e.what == "end":
					one.Dur += e.seconds
				default:
					one.Events++
				}
			}
			want = append(want, one)
		}
		var got struct {
			Rows []session `json:"aaData"`
		}
		testkit.Decode(t, of(s, a, who, "sessions", "period", period, "iDisplayLength", "1000"), &got)
		if d := gocmp.Diff(want, got.Rows); d != "" && len(want)+len(got.Rows) > 0 {
			t.Errorf("sessions of %s, period %q (-want +got):\n%s", who, period, d)
		}
	}
}

func checkGraph(t *testing.T, s *testkit.Server, a testkit.TestApp, m *naive, who string, first time.Time) {
	t.Helper()
	type figures struct {
		S, E int64
		TSD  float64
	}
	for bucket, key := range map[string]func(time.Time) string{
		"hourly":  func(t time.Time) string { return t.Format("2006:1:2:") + fmt.Sprint(t.Hour()) },
		"daily":   func(t time.Time) string { return t.Format("2006:1:2") },
		"monthly": func(t time.Time) string { return t.Format("2006:1") },
		"weekly":  func(t time.Time) string { y, w := t.ISOWeek(); return fmt.Sprintf("%d:w%d", y, w) },
	} {
		want := map[string]figures{}
		for _, d := range m.of(who, first.UnixMilli(), farAhead) {
			id := key(time.UnixMilli(d.at).In(m.zone))
			f := want[id]
			switch d.what {
			case "begin":
				f.S++
			case "end":
				f.TSD += d.seconds
			default:
				f.E++
			}
			want[id] = f
		}
		var got struct {
			Graph  map[string]figures
			Totals figures
		}
		testkit.Decode(t, of(s, a, who, "graph", "period", "10days", "bucket", bucket), &got)
		var total figures
		for id, f := range got.Graph {
			total = figures{total.S + f.S, total.E + f.E, total.TSD + f.TSD}
			if f != want[id] {
				t.Errorf("%s of %s, %s: %+v, want %+v", bucket, who, id, f, want[id])
			}
			delete(want, id)
		}
		for id, f := range want {
			if f != (figures{}) {
				t.Errorf("%s of %s lacks %s: %+v", bucket, who, id, f)
			}
		}
		if total != got.Totals {
			t.Errorf("%s of %s: totals %+v, want %+v", bucket, who, got.Totals, total)
		}
	}
}

// checkPlans compares the changes of the plan, which stand in the order of their times. Of people who became one, states of both stand in
// the order in which they arrived.
func checkPlans(t *testing.T, s *testkit.Server, a testkit.TestApp, m *naive, who string) {
	t.Helper()
	if who == "p2" { // states of two people alternate: that each value is there
		var h struct {
			History struct{ Custom map[string]map[string]bool }
		}
		testkit.Decode(t, of(s, a, who, "history"), &h)
		want := map[string]bool{}
		for _, p := range m.said {
			if p.who == who {
				want[p.plan] = true
			}
		}
		if d := gocmp.Diff(want, h.History.Custom["plan"]); d != "" {
			t.Errorf("plans of %s (-want +got):\n%s", who, d)
		}
		return
	}
	type changed struct {
		TS       int64
		From, To string
	}
	var want []changed
	plan := ""
	for _, p := range m.said {
		if p.who == who {
			want = append(want, changed{p.at, plan, p.plan})
			plan = p.plan
		}
	}
	var got struct {
		Changes []changed
		Initial struct{ Properties map[string]any }
	}
	testkit.Decode(t, of(s, a, who, "history", "sSearch", "custom.plan", "iDisplayLength", "1000"), &got)
	if got.Initial.Properties["custom.plan"] != nil { // set by the first request of all
		want = want[1:]
	}
	slices.Reverse(want)
	slices.SortStableFunc(want, func(a, b changed) int { return cmp.Compare(b.TS, a.TS) })
	if d := gocmp.Diff(want, got.Changes); d != "" && len(want)+len(got.Changes) > 0 {
		t.Errorf("changes of %s (-want +got):\n%s", who, d)
	}
}
