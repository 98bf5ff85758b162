package query_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
)

func TestSameParts(t *testing.T) {
	cal := period.NewCalendar(time.UTC)
	now := time.Date(2031, 5, 14, 11, 4, 0, 0, time.UTC)
	day := func(m, d int) period.Day { return period.DayOf(2031, m, d) }
	custom := func(first, last period.Day) period.Period {
		p, err := period.Parse("30days", now, cal)
		if err != nil {
			t.Fatal(err)
		}
		p.First, p.Last = first, last
		return p
	}
	for _, c := range []struct {
		name             string
		first, last      period.Day
		bFirst, bLast    period.Day
		wantNow, wantWas query.Part
	}{
		{"today", day(5, 14), day(5, 14), day(5, 13), day(5, 13), query.Part{First: day(5, 14), Last: day(5, 14), Until: 11}, query.Part{First: day(5, 13), Last: day(5, 13), Until: 11}},
		{"what is over", day(5, 12), day(5, 13), day(5, 10), day(5, 11), query.Part{First: day(5, 12), Last: day(5, 13), Until: 24}, query.Part{First: day(5, 10), Last: day(5, 11), Until: 24}},
		{"this month and the last", day(5, 1), day(5, 14), day(4, 1), day(4, 30), query.Part{First: day(5, 1), Last: day(5, 14), Until: 11}, query.Part{First: day(4, 1), Last: day(4, 14), Until: 11}},
		{"days to come", day(5, 13), day(5, 20), day(5, 5), day(5, 12), query.Part{First: day(5, 13), Last: day(5, 14), Until: 11}, query.Part{First: day(5, 5), Last: day(5, 6), Until: 11}},
		{"a shorter one before", day(5, 12), day(5, 14), day(5, 11), day(5, 11), query.Part{First: day(5, 12), Last: day(5, 14), Until: 11}, query.Part{First: day(5, 11), Last: day(5, 11), Until: 24}},
		{"nothing but days to come", day(5, 15), day(5, 16), day(5, 13), day(5, 14), query.Part{First: day(5, 15), Last: day(5, 14)}, query.Part{First: day(5, 13), Last: day(5, 12)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, was := query.SameParts(custom(c.first, c.last), custom(c.bFirst, c.bLast), cal.HourBucket(now.UnixMilli()))
			if diff := cmp.Diff(c.wantNow, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.wantWas, was); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Parts of periods agree with the log that the cells were made of, read twice
// so that remembered sums are met too.
func TestPartsAgreeWithTheLog(t *testing.T) {
	r := rng(t)
	ctx := t.Context()
	m := newMemory(t, "Europe/Madrid")
	log := fill(r, m)
	q := m.query()
	first, last := period.MaxDay, period.Day(0)
	for _, e := range log {
		first, last = min(first, dayOf(e)), max(last, dayOf(e))
	}
	for range 60 {
		p := query.Part{First: first + period.Day(r.IntN(int(last-first)+1)), Until: r.IntN(query.WholeDay + 1)}
		p.Last = p.First + period.Day(r.IntN(int(last-p.First)+1))
		in := func(e entry) bool {
			d := dayOf(e)
			return p.First <= d && (d < p.Last || d == p.Last && e.at.Hour() < p.Until)
		}
		var inside []entry
		counts := map[string]int64{}

		for _, e := range log {
			if !in(e) {
				continue
			}
			inside = append(inside, e)
			if e.kind == "event" {
				counts[e.key] += e.count
			}
		}
		want := totals(inside)
		if want.Sessions == 0 {
			want = query.Totals{}
		}
		for range 2 {
			got, err := q.TotalsOf(ctx, testApp, p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%+v: %s", p, diff)
			}
		}
		rows, err := q.EventTotalsOf(ctx, testApp, p)
		if err != nil {
			t.Fatal(err)
		}
		for key, n := range counts {
			if got := rows[key]; got.Count != n || (got.Users != nil) != (p.Until == query.WholeDay) {
				t.Fatalf("%+v: %+v of %s, want %d", p, got, key, n)
			}
		}
	}
	if _, err := q.TotalsOf(ctx, testApp, query.Part{First: 5, Last: 4}); err != nil {
		t.Fatal(err)
	}
}
