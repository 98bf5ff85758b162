package period_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/period"
)

// now is Monday 2026-02-16 15:04 in Helsinki, which is at UTC+2.
var now = time.Date(2026, 2, 16, 13, 4, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	ms := func(y int, m time.Month, d, h int) string {
		return strconv.FormatInt(time.Date(y, m, d, h, 0, 0, 0, time.UTC).UnixMilli(), 10)
	}
	for _, c := range []struct {
		text        string
		first, last string
		step        period.Step
		prev        string // first day of the previous period
		today       bool
	}{
		{"", "2026.1.18", "2026.2.16", period.DayStep, "2025.12.19", true},
		{"30days", "2026.1.18", "2026.2.16", period.DayStep, "2025.12.19", true},
		{"7days", "2026.2.10", "2026.2.16", period.DayStep, "2026.2.3", true},
		{`"7days"`, "2026.2.10", "2026.2.16", period.DayStep, "2026.2.3", true},
		{"1days", "2026.2.16", "2026.2.16", period.HourStep, "2026.2.15", true},
		{"365days", "2025.2.17", "2026.2.16", period.DayStep, "2024.2.18", true},
		{"hour", "2026.2.16", "2026.2.16", period.HourStep, "2026.2.15", true},
		{"today", "2026.2.16", "2026.2.16", period.HourStep, "2026.2.15", true},
		{"yesterday", "2026.2.15", "2026.2.15", period.HourStep, "2026.2.14", false},
		{"day", "2026.2.1", "2026.2.16", period.DayStep, "2026.1.16", true},
		{"month", "2026.1.1", "2026.2.16", period.MonthStep, "2025.11.15", true},
		{"year", "2026.1.1", "2026.2.16", period.MonthStep, "2025.11.15", true},
		{"prevMonth", "2026.1.1", "2026.1.31", period.DayStep, "2025.12.1", false},
		{"2weeks", "2026.2.3", "2026.2.16", period.DayStep, "2026.1.20", true},
		{"12months", "2025.3.1", "2026.2.16", period.MonthStep, "2024.3.13", true},
		{"0days", "1970.1.1", "2026.2.16", period.MonthStep, "1970.1.1", true},
		{"100000days", "1970.1.1", "2026.2.16", period.DayStep, "1970.1.1", true},
		// 23:00 UTC is already the next day in Helsinki.
		{"[" + ms(2026, 2, 1, 23) + "," + ms(2026, 2, 3, 1) + "]", "2026.2.2", "2026.2.3", period.DayStep, "2026.1.31", false},
		{`["` + ms(2026, 2, 1, 23) + `", ` + ms(2026, 2, 1, 23) + ".0]", "2026.2.2", "2026.2.2", period.HourStep, "2026.2.1", false},
		{"[0,99999999999999]", "1970.1.1", "2027.2.17", period.DayStep, "1970.1.1", true},
		{ms(2026, 2, 1, 23), "2026.2.2", "2026.2.2", period.HourStep, "2026.2.1", false},
		{"2026-02-03", "2026.2.3", "2026.2.3", period.HourStep, "2026.2.2", false},
		{"2026-01", "2026.1.1", "2026.1.31", period.DayStep, "2025.12.1", false},
		{"2026-02-01/2026-02-03", "2026.2.1", "2026.2.3", period.DayStep, "2026.1.29", false},
		{`["2026-02-01","2026-02-03"]`, "2026.2.1", "2026.2.3", period.DayStep, "2026.1.29", false},
		{`["2026-02-01T23:00:00Z","2026-02-03T23:30:00+02:00"]`, "2026.2.2", "2026.2.3", period.DayStep, "2026.1.31", false},
		{`{"since":"2026-02-13"}`, "2026.2.13", "2026.2.16", period.DayStep, "2026.2.9", true},
		{"1969-12-31/2026-02-16", "1970.1.1", "2026.2.16", period.DayStep, "1970.1.1", true},
		{`{"since":` + ms(2026, 2, 13, 1) + `}`, "2026.2.13", "2026.2.16", period.DayStep, "2026.2.9", true},
	} {
		t.Run(c.text, func(t *testing.T) {
			cal := calendar(t, "Europe/Helsinki")
			p, err := period.Parse(c.text, now, cal)
			if err != nil {
				t.Fatal(err)
			}
			wantText := c.text
			if wantText == "" {
				wantText = "30days"
			}
			got := []any{p.Text, p.First.ID(period.Dot), p.Last.ID(period.Dot), p.Step, p.Prev().First.ID(period.Dot), p.ContainsToday()}
			want := []any{wantText, c.first, c.last, c.step, c.prev, c.today}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if p.Start != cal.DayStart(p.First) || p.End != cal.DayStart(p.Last+1)-1 {
				t.Errorf("ms %d to %d do not bound the days", p.Start, p.End)
			}
			if prev := p.Prev(); prev.Last != p.First-1 || prev.End != p.Start-1 || prev.Step != p.Step {
				t.Errorf("previous period %+v does not end before %+v", prev, p)
			}
			if prev := p.Prev(); prev.Days() != p.Days() && prev.First != 0 {
				t.Errorf("previous period has %d days, want %d", prev.Days(), p.Days())
			}
		})
	}
}

// The published sample: 7days on 2026-02-16 at UTC+2.
func TestPeriodObjectSample(t *testing.T) {
	p, err := period.Parse("7days", now, calendar(t, "Europe/Helsinki"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2026.2.10", "2026.2.11", "2026.2.12", "2026.2.13", "2026.2.14", "2026.2.15", "2026.2.16"}
	if diff := cmp.Diff(want, p.DayIDs()); diff != "" {
		t.Errorf("days -want +got\n%s", diff)
	}
	start := time.Date(2026, 2, 9, 22, 0, 0, 0, time.UTC).UnixMilli()
	if p.Days() != 7 || p.Start != start || p.End != start+7*86400_000-1 {
		t.Errorf("got %d days from %d to %d, want 7 from %d", p.Days(), p.Start, p.End, start)
	}
	if got := p.Label(); got != "10 Feb - 16 Feb" {
		t.Errorf("label = %q", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"days", "-3days", "3 days", "0weeks", "0months", "9999999days", "100001days", "tomorrow", "[1]", "[1,2,3]", "[2,1]",
		"[a,b]", `{"since":"x"}`, "{}", "[", "1e400", "NaN", "null", "true", `"`,
		"2026-02-30", "2026-13", "2026-2-3", "2026-02-03/", "/2026-02-03", "2026-02-03/2026-02-01", "2026-02-01/2026-02-02/2026-02-03", `["2026-02-03","x"]`,
	} {
		if p, err := period.Parse(text, now, calendar(t, "UTC")); fault.CodeOf(err) != "period.invalid" || fault.KindOf(err) != fault.Invalid {
			t.Errorf("Parse(%q) = %+v, %v, want period.invalid", text, p, err)
		}
	}
}

func TestFrame(t *testing.T) {
	var zs period.Zones
	madrid := calendar(t, "Europe/Madrid")
	for _, c := range []struct {
		name  string
		o     period.Overrides
		text  string
		first string
		start time.Time
	}{
		{"none", period.Overrides{}, "today", "2026.2.16", time.Date(2026, 2, 15, 23, 0, 0, 0, time.UTC)},
		{"zone", period.Overrides{Timezone: "Pacific/Kiritimati"}, "today", "2026.2.17", time.Date(2026, 2, 16, 23, 0, 0, 0, time.UTC)},
		{"unknown zone", period.Overrides{Timezone: "Mars/Base"}, "today", "2026.2.16", time.Date(2026, 2, 15, 23, 0, 0, 0, time.UTC)},
		{"seconds", period.Overrides{Timestamp: "1752537600"}, "today", "2025.7.15", time.Date(2025, 7, 14, 22, 0, 0, 0, time.UTC)},
		{"ms", period.Overrides{Timestamp: "1752537600000"}, "today", "2025.7.15", time.Date(2025, 7, 14, 22, 0, 0, 0, time.UTC)},
		{"malformed", period.Overrides{Timestamp: "soon", Offset: "9999"}, "today", "2026.2.16", time.Date(2026, 2, 15, 23, 0, 0, 0, time.UTC)},
		// Midnight of July 15 for a client in Tokyo.
		{"offset", period.Overrides{Offset: "-540"}, "[1752505200000,1752505200000]", "2025.7.15", time.Date(2025, 7, 14, 22, 0, 0, 0, time.UTC)},
		{"no offset", period.Overrides{}, "[1752505200000,1752505200000]", "2025.7.14", time.Date(2025, 7, 13, 22, 0, 0, 0, time.UTC)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := period.NewFrame(now, madrid, &zs, c.o).Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.First.ID(period.Dot); got != c.first || p.Start != c.start.UnixMilli() {
				t.Errorf("got %s at %s, want %s at %s", got, time.UnixMilli(p.Start).UTC(), c.first, c.start)
			}
		})
	}
}

func TestBuckets(t *testing.T) {
	for _, c := range []struct {
		text string
		step period.Step
		want string
	}{
		{"7days", period.AutoStep, "2026-2-10 2026-2-11 2026-2-12 2026-2-13 2026-2-14 2026-2-15 2026-2-16"},
		{"7days", period.WeekStep, "2026-w7 2026-w8"},
		{"60days", period.MonthStep, "2025-12 2026-1 2026-2"},
		{"60days", period.WeekStep, "2025-w51 2025-w52 2026-w1 2026-w2 2026-w3 2026-w4 2026-w5 2026-w6 2026-w7 2026-w8"},
		{"60days", period.YearStep, "2025 2026"},
		{"month", period.AutoStep, "2026-1 2026-2"},
	} {
		p, err := period.Parse(c.text, now, calendar(t, "UTC"))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for b := range p.Buckets(c.step) {
			ids = append(ids, b.ID(period.Dash))
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s by %d: got %s, want %s", c.text, c.step, got, c.want)
		}
	}

	p, err := period.Parse("yesterday", now, calendar(t, "UTC"))
	if err != nil {
		t.Fatal(err)
	}
	hours := slices.Collect(p.Buckets(period.AutoStep))
	if len(hours) != 24 || hours[9].ID(period.Dash) != "2026-2-15 9:00" || hours[9].ID(period.Colon) != "2026:2:15:9" || hours[9].ID(period.Dot) != "2026.2.15.9" {
		t.Errorf("got hours %v", hours)
	}
	if got := hours[0].Padded(); got != "2026:02" {
		t.Errorf("padded = %q", got)
	}
	day := period.DayOf(2026, 2, 14)
	if got := day.ID(period.Colon) + " " + day.ID(period.Dot); got != "2026:2:14 2026.2.14" {
		t.Errorf("ids = %q", got)
	}
}

// Whatever the step, the buckets of a window are its days, in order, once.
func TestBucketsCoverThePeriod(t *testing.T) {
	r := rng(t)
	for range 300 {
		cal := calendar(t, zones[r.IntN(len(zones))])
		at := time.UnixMilli(r.Int64N(4e12))
		p, err := period.Parse(strconv.Itoa(r.IntN(1000))+"days", at, cal)
		if err != nil {
			t.Fatal(err)
		}
		for step := period.AutoStep; step <= period.YearStep; step++ {
			next, hour := p.First, 0
			for b := range p.Buckets(step) {
				if b.First != next || b.Last < b.First || b.Hour != hour {
					t.Fatalf("%+v by %d: got bucket %+v, want one from day %d hour %d", p, step, b, next, hour)
				}
				if b.Step != period.HourStep || hour == 23 {
					next, hour = b.Last+1, 0
				} else {
					hour++
				}
			}
			if next != p.Last+1 {
				t.Fatalf("%+v by %d: buckets end before day %d", p, step, next)
			}
		}
	}
}

func TestParseMonth(t *testing.T) {
	for text, want := range map[string]period.Month{
		"2025:01": period.MonthOf(2025, 1), "2025:1": period.MonthOf(2025, 1), "2025.12": period.MonthOf(2025, 12), "2025-2": period.MonthOf(2025, 2),
		"": 0, "2025": 0, "2025:0": 0, "2025:13": 0, "1969:12": 0, "2025:1:1": 0, "x:1": 0, "10000:1": 0,
	} {
		if got, ok := period.ParseMonth(text); got != want || ok != (want != 0) {
			t.Errorf("ParseMonth(%q) = %d, %v, want %d", text, got, ok, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"30days", "[1,2]", `{"since":1}`, "prevMonth", "17", `"today"`, "9months", "[-9e99,1]"} {
		f.Add(s, int64(1771247040000))
	}
	cal := period.NewCalendar(mustLoad(f, "America/St_Johns"))
	f.Fuzz(func(t *testing.T, text string, ms int64) {
		p, err := period.Parse(text, time.UnixMilli(ms), cal)
		if err != nil {
			return
		}
		if p.Empty() || p.First < 0 || p.Last > p.Today+366 || p.Start > p.End+1 || p.Prev().Last != p.First-1 {
			t.Errorf("Parse(%q) = %+v", text, p)
		}
	})
}

// Rows stay within their bounds for any window, step and number of series, and a step that fits is kept.
func TestFit(t *testing.T) {
	r := rng(t)
	cal := calendar(t, "UTC")
	now := time.Date(2031, 5, 14, 9, 0, 0, 0, time.UTC)
	count := func(p period.Period, step period.Step) (n int) {
		for range p.Buckets(step) {
			n++
		}
		return n
	}
	bounded := func(p period.Period, step period.Step, rows, series int) bool {
		if step == period.HourStep {
			return p.Days() <= period.MaxHourly && rows*series <= period.MaxPoints
		}
		return step == period.YearStep || rows <= period.MaxRows && rows*series <= period.MaxPoints
	}
	for range 3000 {
		text := fmt.Sprint(r.IntN(100_000), "days")
		if r.IntN(2) == 0 {
			text = fmt.Sprint(r.IntN(200), "days")
		}
		p, err := period.Parse(text, now, cal)
		if err != nil {
			t.Fatal(err)
		}
		step, series := period.Step(r.IntN(6)), 1+r.IntN(1000)
		got := p.Fit(step, series)
		if n := count(p, got); !bounded(p, got, n, series) {
			t.Fatalf("%s in steps of %d, %d series: step %d has %d rows", text, step, series, got, n)
		}
		want := step
		if step == period.AutoStep {
			want = p.Step
		}
		if n := count(p, want); want != period.WeekStep && got != want && bounded(p, want, n, series) {
			t.Fatalf("%s in steps of %d, %d series: got step %d, though %d rows fit", text, step, series, got, n)
		}
	}
}
