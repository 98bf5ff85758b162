package query_test

import (
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/explain"
	"quipu/internal/store/rollup"
)

// names are those of the metrics of features.
func names(m rollup.Metric) string { return map[rollup.Metric]string{77: "visits"}[m] }

// TestExplainedCells reads cells twice under a trace: it has what each read asked for, what it returned, and how many cells of the store that took. The
// second time nothing is read of what is remembered.
func TestExplainedCells(t *testing.T) {
	t.Parallel()
	cells := &scanned{memory: &memory{cal: period.NewCalendar(nil), cells: rollup.Delta{}}}
	put := func(g rollup.Grain, b rollup.Bucket, s rollup.Series, value string) {
		cells.cells.At(rollup.Key{Series: s, Grain: g, Bucket: b, Value: value}).Merge(&rollup.Cell{First: 1, Count: 1, Users: roaring.BitmapOf(7)})
	}
	first := period.DayOf(2031, 4, 29)
	of := rollup.Series{Metric: rollup.Users}
	for d := first; d <= first+33; d++ { // to 1 June
		put(rollup.Day, rollup.Bucket(d), of, "")
	}
	put(rollup.Month, rollup.Bucket(first.Month()+1), of, "")
	put(rollup.Day, rollup.Bucket(first), rollup.Series{Metric: 77, Dim: rollup.SegmentDim("buy", "plan")}, "pro")

	clock := time.UnixMilli(0)
	own := query.Explaining(cells, names)
	q := query.New(own.Remember(1<<20), cells)
	read := func() (list []explain.Cells) {
		t.Helper()
		ctx, trace := explain.Traced(t.Context(), func() time.Time { clock = clock.Add(time.Second); return clock })
		if totals, err := q.Totals(ctx, testApp, first, first+33); err != nil || totals.Sessions != 4 {
			t.Fatalf("%+v, %v", totals, err)
		}
		series := rollup.Series{Metric: 77, Dim: rollup.SegmentDim("buy", "plan")}
		n := 0
		if err := own.Scan(ctx, testApp, series, rollup.Day, 0, 1<<32-1, func(rollup.Bucket, string, *rollup.Cell) error { n++; return nil }); err != nil || n != 1 {
			t.Fatalf("%d cells, %v", n, err)
		}
		err := own.ScanCounts(ctx, testApp, of, rollup.Hour, rollup.Bucket(first.Hour(7)), rollup.Bucket(first.Hour(9)), func(rollup.Bucket, string, *rollup.Cell, rollup.UserCount) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		list, omitted := trace.Cells()
		if omitted != 0 {
			t.Errorf("%d are omitted", omitted)
		}
		return list
	}
	want := []explain.Cells{
		{
			App: testApp.String(), Series: "users", Answer: explain.AnswerSums, Returned: 1, Read: 4, Seconds: 1,
			Spans: []explain.Span{{Grain: "day", First: "2031-04-29", Last: "2031-04-30"}, {Grain: "month", First: "2031-05", Last: "2031-05"}, {Grain: "day", First: "2031-06-01", Last: "2031-06-01"}},
		},
		{
			App: testApp.String(), Series: "visits", Of: []string{"buy", "plan"}, Answer: explain.AnswerCells, Returned: 1, Read: 1, Seconds: 1,
			Spans: []explain.Span{{Grain: "day", First: "1970-01-01"}},
		},
		{
			App: testApp.String(), Series: "users", Answer: explain.AnswerCells, Seconds: 1,
			Spans: []explain.Span{{Grain: "hour", First: "2031-04-29 07", Last: "2031-04-29 09"}},
		},
	}
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Errorf("the first time (-want +got):\n%s", diff)
	}
	want[0].Read = 2 // of the last day, which may change: these cells cannot be followed, as is noticed once they are read
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Errorf("the second time (-want +got):\n%s", diff)
	}
}

// TestExplainedRemembered reads rows of days that are over: the second time they come from memory as a whole.
func TestExplainedRemembered(t *testing.T) {
	t.Parallel()
	cells := &scanned{memory: &memory{cal: period.NewCalendar(nil), cells: rollup.Delta{}}}
	day := period.DayOf(2031, 5, 10)
	for d := day; d < day+7; d++ {
		cells.cells.At(rollup.Key{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: rollup.Bucket(d)}).Merge(&rollup.Cell{First: 1, Count: 1, Users: roaring.BitmapOf(3)})
	}
	q := query.New(query.Explaining(cells, names).Remember(1<<20), cells)
	p, err := period.Parse("2031-05", time.Date(2031, 7, 1, 12, 0, 0, 0, time.UTC), cells.cal)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []explain.Cells{{Returned: 7, Read: 7}, {Returned: 7, Remembered: true}} {
		want.App, want.Series, want.Answer = testApp.String(), "users", explain.AnswerCells
		want.Spans = []explain.Span{{Grain: "day", First: "2031-05-01", Last: "2031-05-31"}}
		ctx, trace := explain.Traced(t.Context(), func() time.Time { return time.Time{} })
		if _, err := q.SessionRows(ctx, testApp, p, period.DayStep); err != nil {
			t.Fatal(err)
		}
		list, _ := trace.Cells() // first, which months there are
		if diff := cmp.Diff([]explain.Cells{want}, list[1:]); diff != "" {
			t.Errorf("read %d (-want +got):\n%s", i+1, diff)
		}
	}
}
