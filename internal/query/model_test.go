package query_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// entry is one line of the log that the naive model counts.
type entry struct {
	at               time.Time // in the app's zone
	kind             string    // begin, request, duration, close, event
	user             uint32
	fresh            bool
	frequency        int
	country, version string
	length           int
	seconds          float64
	key, plan        string
	count            int64
	sum              float64
}

// fill makes a random log of some months and gives it to the store.
func fill(r *rand.Rand, m *memory) []entry {
	loc := m.cal.Location()
	start := time.Date(2030, 11, 20, 0, 0, 0, 0, loc)
	var log []entry
	seen := map[uint32]bool{}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 150 + r.IntN(150) {
		e := entry{at: start.Add(time.Duration(r.IntN(200*24*60)) * time.Minute), user: uint32(1 + r.IntN(20))}
		switch r.IntN(8) {
		case 0:
			e.kind = "request"
			m.request(e.at)
		case 1:
			e.kind, e.seconds = "duration", float64(r.IntN(5000))/4
			m.duration(e.at, e.seconds)
		case 2:
			e.kind, e.length = "close", r.IntN(8)
			m.close(e.at, e.user, e.length)
		case 3, 4:
			e.kind, e.key, e.plan = "event", pick("a", "b"), pick("pro", "free", "1", "12")
			e.count, e.sum = int64(1+r.IntN(3)), float64(r.IntN(8))/4
			c := rollup.Cell{Count: e.count}
			if e.sum != 0 {
				c.Sum, c.Flags = e.sum, rollup.HasSum
			}
			m.event(e.at, e.key, c, "plan", e.plan)
		default:
			e.kind, e.country, e.version = "begin", pick("ES", "DE", "Unknown"), pick("1", "2:0", "12")
			e.fresh = !seen[e.user]
			seen[e.user] = true
			if !e.fresh {
				e.frequency = 1 + r.IntN(11)
			}
			m.begin(e.at, e.user, e.frequency, map[rollup.Metric]string{rollup.Countries: e.country, rollup.AppVersions: e.version})
		}
		log = append(log, e)
	}
	return log
}

// within keeps the entries of a kind that pass all tests.
func within(log []entry, kind string, tests ...func(entry) bool) []entry {
	var out []entry
	for _, e := range log {
		ok := e.kind == kind
		for _, test := range tests {
			ok = ok && test(e)
		}
		if ok {
			out = append(out, e)
		}
	}
	return out
}

func uniques(log []entry) int64 {
	users := map[uint32]bool{}
	for _, e := range log {
		users[e.user] = true
	}
	return int64(len(users))
}

func fresh(log []entry) (n int64) {
	for _, e := range log {
		if e.fresh {
			n++
		}
	}
	return n
}

// dayOf numbers the civil date of an entry without the help of package period.
func dayOf(e entry) period.Day {
	y, m, d := e.at.Date()
	return period.Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func between(first, last period.Day) func(entry) bool {
	return func(e entry) bool { d := dayOf(e); return first <= d && d <= last }
}

func totals(log []entry) query.Totals {
	begins := within(log, "begin")
	t := query.Totals{Sessions: int64(len(begins)), New: fresh(begins), Users: uniques(begins)}
	for _, e := range log {
		switch e.kind {
		case "begin", "request", "duration":
			t.Requests++
			t.Seconds += e.seconds
		}
	}
	return t
}

// usersModel makes the users document of a log.
func usersModel(log []entry, p period.Period) any {
	doc := map[string]any{}
	countries, fr, ds := []string{}, map[int]bool{}, map[int]bool{}
	level := func(log []entry, hour bool) map[string]any {
		t := totals(log)
		out := map[string]any{}
		for k, v := range map[string]int64{"e": t.Requests, "t": t.Sessions, "n": t.New, "u": t.Users} {
			if v != 0 {
				out[k] = v
			}
		}
		if len(within(log, "duration")) > 0 {
			out["d"] = t.Seconds
		}
		if hour {
			return out
		}
		maps.Copy(out, histograms(log))
		for _, e := range within(log, "begin") {
			b := within(log, "begin", func(o entry) bool { return o.country == e.country })
			out[e.country] = map[string]any{"t": len(b), "n": fresh(b), "u": uniques(b)}
		}
		return out
	}
	for y := p.First.Year(); y <= p.Last.Year(); y++ {
		inYear := func(e entry) bool { return e.at.Year() == y }
		if len(within(log, "begin", inYear)) == 0 {
			continue
		}
		yearLog := slices.DeleteFunc(slices.Clone(log), func(e entry) bool { return !inYear(e) })
		year := level(yearLog, false)
		for _, e := range yearLog {
			switch e.kind {
			case "begin":
				fr[e.frequency] = true
			case "close":
				ds[e.length] = true
			}
		}
		for mo := 1; mo <= 12; mo++ {
			monthLog := slices.DeleteFunc(slices.Clone(yearLog), func(e entry) bool { return int(e.at.Month()) != mo })
			if len(within(monthLog, "begin")) == 0 {
				continue
			}
			month := level(monthLog, false)
			year[strconv.Itoa(mo)] = month
			number := period.MonthOf(y, mo)
			if p.First.Month() > number || p.Last.Month() < number {
				continue
			}
			for d := 1; d <= 31; d++ {
				dayLog := slices.DeleteFunc(slices.Clone(monthLog), func(e entry) bool { return e.at.Day() != d })
				day := level(dayLog, false)
				for h := range 24 {
					hourLog := slices.DeleteFunc(slices.Clone(dayLog), func(e entry) bool { return e.at.Hour() != h })
					if hour := level(hourLog, true); len(hour) > 0 {
						day[strconv.Itoa(h)] = hour
					}
				}
				if len(day) > 0 {
					month[strconv.Itoa(d)] = day
				}
			}
		}
		for w := 1; w <= 53; w++ {
			weekLog := slices.DeleteFunc(slices.Clone(log), func(e entry) bool {
				iy, iw := e.at.ISOWeek()
				return iy != y || iw != w
			})
			week := map[string]any{}
			maps.Copy(week, histograms(weekLog))
			if begins := within(weekLog, "begin"); len(begins) > 0 {
				week["u"] = uniques(begins)
				for _, e := range begins {
					week[e.country] = map[string]any{"u": uniques(within(begins, "begin", func(o entry) bool { return o.country == e.country }))}
				}
			}
			if len(week) > 0 {
				year[fmt.Sprintf("w%d", w)] = week
			}
		}
		doc[strconv.Itoa(y)] = year
	}
	if len(doc) == 0 {
		return doc
	}
	// In the order the log has them, which is not that of their times.
	for _, e := range within(log, "begin", func(e entry) bool { return e.at.Year() >= p.First.Year() && e.at.Year() <= p.Last.Year() }) {
		if !slices.Contains(countries, e.country) {
			countries = append(countries, e.country)
		}
	}
	meta := map[string]any{"countries": countries, "f-ranges": indices(fr)}
	if len(ds) > 0 {
		meta["d-ranges"] = indices(ds)
	}
	doc["meta"] = meta
	return doc
}

func histograms(log []entry) map[string]any {
	f, ds := map[string]int{}, map[string]int{}
	for _, e := range within(log, "begin") {
		f[strconv.Itoa(e.frequency)]++
	}
	for _, e := range within(log, "close") {
		ds[strconv.Itoa(e.length)]++
	}
	out := map[string]any{}
	if len(f) > 0 {
		out["f"] = f
	}
	if len(ds) > 0 {
		out["ds"] = ds
	}
	return out
}

func indices(set map[int]bool) []string {
	out := []string{}
	for i := range 12 {
		if set[i] {
			out = append(out, strconv.Itoa(i))
		}
	}
	return out
}

// segmentModel makes the document of event "a" by its segment.
func segmentModel(log []entry, p period.Period) any {
	doc := map[string]any{}
	plans := []string{}
	// put merges, as an object has a key only once.
	put := func(into map[string]any, log []entry) {
		for _, e := range within(log, "event") {
			same := within(log, "event", func(o entry) bool { return o.plan == e.plan })
			v, _ := into[e.plan].(map[string]any)
			if v == nil {
				v = map[string]any{}
				into[e.plan] = v
			}
			var c int64
			var s float64
			for _, o := range same {
				c += o.count
				s += o.sum
			}
			v["c"] = c
			if slices.ContainsFunc(same, func(o entry) bool { return o.sum != 0 }) {
				v["s"] = s
			}
		}
	}
	log = within(log, "event", func(e entry) bool { return e.key == "a" })
	if len(log) == 0 {
		return doc
	}
	for y := p.First.Year(); y <= p.Last.Year(); y++ {
		yearLog := within(log, "event", func(e entry) bool { return e.at.Year() == y })
		year := map[string]any{}
		for mo := 1; mo <= 12; mo++ {
			monthLog := within(yearLog, "event", func(e entry) bool { return int(e.at.Month()) == mo })
			month := map[string]any{}
			for d := 1; d <= 31; d++ {
				day := map[string]any{}
				if number := period.MonthOf(y, mo); p.First.Month() <= number && number <= p.Last.Month() {
					put(day, within(monthLog, "event", func(e entry) bool { return e.at.Day() == d }))
				}
				if len(day) > 0 {
					month[strconv.Itoa(d)] = day
				}
			}
			put(month, monthLog)
			if len(month) > 0 {
				year[strconv.Itoa(mo)] = month
			}
		}
		put(year, yearLog)
		if len(year) > 0 {
			doc[strconv.Itoa(y)] = year
		}
	}
	for _, e := range within(log, "event", func(e entry) bool { return e.at.Year() >= p.First.Year() && e.at.Year() <= p.Last.Year() }) {
		if !slices.Contains(plans, e.plan) {
			plans = append(plans, e.plan)
		}
	}
	doc["meta"] = map[string]any{"segments": []string{"plan"}, "plan": plans}
	return doc
}

func TestWalkNaiveModel(t *testing.T) {
	r := rng(t)
	ctx := t.Context()
	equal := func(what string, p period.Period, want, got any) {
		t.Helper()
		w, g := render(t, want), render(t, got)
		if diff := cmp.Diff(canonical(t, []byte(w)), canonical(t, []byte(g))); diff != "" {
			t.Fatalf("%s of %s at %s: -want +got\n%s", what, p.Text, p.First.ID(period.Dot), diff)
		}
	}
	for range 15 {
		m := newMemory(t, []string{"UTC", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Chatham"}[r.IntN(4)])
		log := fill(r, m)
		q := m.query()
		now := time.Date(2030, 12, 1+r.IntN(170), 12, 0, 0, 0, time.UTC)
		text := []string{"30days", "7days", "month", "day", "today", "prevMonth", "90days", "12months", "yesterday"}[r.IntN(9)]
		p := m.period(t, text, now)

		doc, err := q.UsersDocument(ctx, testApp, p, query.Whole)
		if err != nil {
			t.Fatal(err)
		}
		equal("users", p, usersModel(log, p), doc)

		doc, err = q.EventDocument(ctx, testApp, []string{"a"}, "plan", p, query.Whole)
		if err != nil {
			t.Fatal(err)
		}
		equal("segmentation", p, segmentModel(log, p), doc)

		for _, step := range []period.Step{period.AutoStep, period.HourStep, period.DayStep, period.WeekStep, period.MonthStep, period.YearStep} {
			if step == period.HourStep && p.Days() > 31 {
				continue
			}
			rows, err := q.SessionRows(ctx, testApp, p, step)
			if err != nil {
				t.Fatal(err)
			}
			events, err := q.EventRows(ctx, testApp, single("a"), p, step)
			if err != nil {
				t.Fatal(err)
			}
			var want []query.SessionRow
			var wantEvents []query.EventRow
			for b := range p.Buckets(step) {
				part := slices.DeleteFunc(slices.Clone(log), func(e entry) bool {
					return !between(b.First, b.Last)(e) || b.Step == period.HourStep && e.at.Hour() != b.Hour
				})
				ev := query.EventRow{ID: b.ID(period.Dash)}
				for _, e := range within(part, "event", func(e entry) bool { return e.key == "a" }) {
					ev.Count += e.count
					ev.Sum += e.sum
				}
				wantEvents = append(wantEvents, ev)
				month := func(e entry) bool { return between(b.First.Month().First(), b.First.Month().Last())(e) }
				row := query.SessionRow{ID: b.ID(period.Dash)}
				small := b.Step == period.HourStep || b.Step == period.DayStep || b.Step == period.MonthStep
				if tt := totals(part); tt.Sessions > 0 || small && len(within(log, "begin", month)) > 0 {
					row = query.SessionRow{ID: row.ID, Sessions: tt.Sessions, New: tt.New, Users: tt.Users, Seconds: tt.Seconds, Requests: tt.Requests}
				}
				want = append(want, row)
			}
			equal(fmt.Sprintf("sessions by %d", step), p, want, rows)
			equal(fmt.Sprintf("event by %d", step), p, wantEvents, events["a"])
		}

		window := within(log, "begin", between(p.First, p.Last))
		total, err := q.TotalUsers(ctx, testApp, p)
		if err != nil {
			t.Fatal(err)
		}
		prev := p.Prev()
		wantUsers := []query.UsersRow{{ID: "users", Users: uniques(window), Before: uniques(within(log, "begin", between(prev.First, prev.Last)))}}
		if wantUsers[0].Users+wantUsers[0].Before == 0 {
			wantUsers = []query.UsersRow{}
		}
		equal("total users", p, wantUsers, total)

		rows, err := q.MetricRows(ctx, testApp, rollup.AppVersions, p)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]query.MetricRow{}
		for _, row := range rows {
			got[row.ID] = row
		}
		want := map[string]query.MetricRow{}
		for _, e := range window {
			same := within(window, "begin", func(o entry) bool { return o.version == e.version })
			want[e.version] = query.MetricRow{ID: e.version, Sessions: int64(len(same)), New: fresh(same), Users: uniques(same)}
		}
		equal("versions", p, want, got)
		if !slices.IsSortedFunc(rows, func(a, b query.MetricRow) int { return int(b.Sessions - a.Sessions) }) {
			t.Errorf("rows are not ordered by sessions: %v", rows)
		}
	}
}
