package query_test

import (
	"testing"
	"time"

	"quipu/internal/filter"
	"quipu/internal/period"
	"quipu/internal/query"
)

// BenchmarkRevenue reads what the page of revenue shows of a month: a tenth of the rows are purchases, a fifth sessions.
func BenchmarkRevenue(b *testing.B) {
	rows, tables, app := benchRows(b)
	p, err := period.Parse("30days", time.UnixMilli(benchMonth), period.NewCalendar(time.UTC))
	if err != nil {
		b.Fatal(err)
	}
	f, err := filter.Parse(`{"up.p":"iOS"}`)
	if err != nil {
		b.Fatal(err)
	}
	q := query.RevenueQuery{Events: []string{"event-0"}, Period: p}
	narrow, by := q, q
	narrow.Filter, by.By = f, []string{"up.p"}
	days := func(q query.RevenueQuery) func() (int, error) {
		return func() (n int, err error) {
			err = tables.RevenueBuckets(b.Context(), app, q, period.DayStep, func(period.Bucket, query.Revenue) error { n++; return nil })
			return n, err
		}
	}
	lifetimes := query.LTVQuery{Events: q.Events}
	lifetimes.End, lifetimes.Ages = p.End+1, 31
	lifetimes.Units, _, lifetimes.Cohorts = query.Units(p, period.DayStep, lifetimes.End)
	for name, read := range map[string]func() (int, error){
		"total": func() (int, error) {
			r, err := tables.RevenueTotals(b.Context(), app, q)
			return int(r.Payers), err
		},
		"days": days(q), "days filtered": days(narrow),
		"groups": func() (int, error) {
			g, _, err := tables.RevenueGroups(b.Context(), app, by, "revenue", 20)
			return len(g), err
		},
		"lifetimes": func() (int, error) {
			l, err := rows.Lifetimes(b.Context(), app, lifetimes)
			return int(l.All().Users), err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if n, err := read(); err != nil || n == 0 {
					b.Fatal(n, err)
				}
			}
		})
	}
}
