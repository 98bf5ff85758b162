package verify

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// featureMetrics is the first of the metrics that belong to features. Those that none declares are not compared: rows
// cannot give them back.
const featureMetrics rollup.Metric = 64

// cells compares all stored cells. The cells of a series come grain by grain,
// so the months of one can be added up from its days on the way.
func (a *appRun) cells(ctx context.Context) error {
	var (
		series   rollup.Series
		months   map[rollup.Key]*rollup.Cell
		outcomes = map[string]int64{}
		features int64
	)
	missing := func() {
		for k, c := range months {
			if !c.IsZero() {
				a.compare(k, &rollup.Cell{}, c)
			}
		}
	}
	err := a.s.Cells.ScanApp(ctx, a.app.ID, func(k rollup.Key, c *rollup.Cell) error {
		a.report.Cells++
		if _, declared := a.s.Features.Metric(k.Series.Metric); k.Series.Metric >= featureMetrics && !declared {
			features++
			return nil
		}
		if k.Series.Metric == rollup.Outcomes {
			what, _, _ := outcome.SplitValue(k.Value)
			outcomes[what] = rollup.AddCount(outcomes[what], c.Count)
			return nil
		}
		if months == nil || k.Series != series {
			missing()
			series, months = k.Series, map[rollup.Key]*rollup.Cell{}
		}
		switch {
		case k.Grain == rollup.Month && k.Series.Metric != rollup.TimesOfDay:
			want := months[k]
			delete(months, k)
			if want == nil {
				want = &rollup.Cell{}
			}
			a.compare(k, c, want)
			return nil
		case k.Grain == rollup.Day:
			mk := k
			mk.Grain, mk.Bucket = rollup.Month, rollup.Bucket(period.Day(k.Bucket).Month())
			sum := months[mk]
			if sum == nil {
				sum = &rollup.Cell{}
				months[mk] = sum
			}
			sum.Merge(c)
		}
		if !a.compared(k) {
			return nil
		}
		want := a.computed[k]
		delete(a.computed, k)
		if want == nil {
			want = &rollup.Cell{}
		}
		a.compare(k, c, want)
		return nil
	})
	if err != nil {
		return err
	}
	missing()
	for k, c := range a.computed {
		if k.Grain == rollup.Month && k.Series.Metric != rollup.TimesOfDay || !a.compared(k) || c.IsZero() {
			continue
		}
		a.compare(k, &rollup.Cell{}, c)
	}
	a.computed = nil
	a.outcomes(outcomes)
	if features > 0 {
		a.note("app %s: %d cells of features are not compared", a.app.ID, features)
	}
	if a.excess > 0 {
		a.note("app %s: users were deleted, %d cells still count them", a.app.ID, a.excess)
	}
	return nil
}

// compared reports whether all rows of a cell of hours or days, or of the
// months without days, are still there.
func (a *appRun) compared(k rollup.Key) bool {
	if a.frozen == 0 {
		return true
	}
	day := period.Day(k.Bucket) // buckets are days, hours or months since 1970
	switch k.Grain {
	case rollup.Hour:
		day, _ = period.Hour(k.Bucket).Split()
	case rollup.Month:
		day = period.Month(k.Bucket).First()
	case rollup.Day:
	}
	return day >= a.frozen
}

// compare compares one cell. What is more than the rows say is no difference
// once users were deleted.
func (a *appRun) compare(k rollup.Key, stored, computed *rollup.Cell) {
	if equal(stored, computed, a.slack(k, stored, computed)) {
		return
	}
	if a.marks.Loose && exceeds(stored, computed) {
		a.excess++
		return
	}
	a.differ("cells "+a.metricName(k.Series.Metric), a.cellName(k), show(stored), show(computed))
}

func equal(x, y *rollup.Cell, slack float64) bool {
	return x.First == y.First && x.Count == y.Count && x.New == y.New && x.Requests == y.Requests && x.Flags == y.Flags &&
		near(x.Sum, y.Sum, slack) && near(x.Dur, y.Dur, 0) && bitmap(x).Equals(bitmap(y))
}

// exceeds reports whether x counts all that y does. Sums may be negative and tell nothing.
func exceeds(x, y *rollup.Cell) bool {
	return (x.First != 0 && x.First <= y.First || y.First == 0) && x.Count >= y.Count && x.New >= y.New &&
		x.Requests >= y.Requests && x.Flags&y.Flags == y.Flags && bitmap(y).AndCardinality(bitmap(x)) == y.Uniques()
}

func bitmap(c *rollup.Cell) *roaring.Bitmap {
	if c.Users == nil {
		return roaring.New()
	}
	return c.Users
}

// outcomes compares what was accepted with the rows. Rows of deleted users
// and events, and those dropped for their age, are gone.
func (a *appRun) outcomes(stored map[string]int64) {
	items := []outcome.Item{outcome.Request, outcome.Session, outcome.Event}
	for _, field := range request.Fields() {
		if field.Item != 0 {
			items = append(items, field.Item)
		}
	}
	for _, item := range items {
		got, rows := stored[item.String()+"\x00accepted\x00"], a.accepted[item]
		exact := !a.deleted[item] && a.marks.Dropped == 0 && a.marks.Deleted == 0
		if got < rows || exact && got != rows {
			a.differ("outcomes", item.String()+" accepted", got, rows)
		}
	}
}

func show(c *rollup.Cell) string {
	if c.IsZero() {
		return "nothing"
	}
	var b strings.Builder
	add := func(name string, v any, present bool) {
		if present {
			fmt.Fprintf(&b, " %s=%v", name, v)
		}
	}
	add("first", c.First, true)
	add("count", c.Count, c.Count != 0)
	add("new", c.New, c.New != 0)
	add("requests", c.Requests, c.Requests != 0)
	add("sum", c.Sum, c.Sum != 0)
	add("dur", c.Dur, c.Dur != 0)
	add("flags", c.Flags, c.Flags != 0)
	if n := c.Uniques(); n > 0 {
		list := c.Users.ToArray()
		text := ""
		if len(list) > 8 {
			list, text = list[:8], " …"
		}
		add("users", fmt.Sprintf("%d %v%s", n, list, text), true)
	}
	return strings.TrimSpace(b.String())
}

func (a *appRun) cellName(k rollup.Key) string {
	var at string
	switch k.Grain {
	case rollup.Hour:
		d, h := period.Hour(k.Bucket).Split() // buckets are hours since 1970
		at = period.Bucket{Step: period.HourStep, First: d, Last: d, Hour: h}.ID(period.Dash)
	case rollup.Day:
		at = period.Day(k.Bucket).ID(period.Dash)
	case rollup.Month:
		y, m := period.Month(k.Bucket).Date()
		at = fmt.Sprintf("%d-%d", y, m)
	}
	name := strconv.Quote(k.Value)
	if m, _ := a.s.Features.Metric(k.Series.Metric); m.Subject != "" {
		name = fmt.Sprintf("%s %d", m.Subject, rollup.SubjectNumber(k.Value))
	}
	if k.Series.Dim != "" {
		name = strconv.Quote(k.Series.Dim) + " " + name
	}
	return name + " at " + at
}

// metricName names a metric of the core.
func (a *appRun) metricName(m rollup.Metric) string {
	switch m {
	case rollup.Users:
		return "users"
	case rollup.Frequency:
		return "frequency"
	case rollup.Durations:
		return "durations"
	case rollup.Events:
		return "events"
	case rollup.Segments:
		return "segments"
	case rollup.TimesOfDay:
		return "times of day"
	default:
	}
	if name, ok := cells.DimName(m); ok {
		return name
	}
	if declared, ok := a.s.Features.Metric(m); ok {
		return declared.Name
	}
	return "metric " + strconv.Itoa(int(m))
}
