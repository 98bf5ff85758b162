package period_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"quipu/internal/period"
)

// zones are chosen for their habits: half-hour and 45-minute offsets, DST of
// half an hour, midnights that are skipped or come twice, a day that was left
// out, Ramadan breaks in DST, and plain ones.
var zones = []string{
	"UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu",
	"Pacific/Chatham", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo",
	"America/St_Johns", "Africa/Casablanca", "Asia/Beirut", "Pacific/Kiritimati",
	"Etc/GMT+12", "Antarctica/Troll", "Africa/Monrovia",
}

func calendar(t *testing.T, name string) *period.Calendar {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("load %s: %v", name, err)
	}
	return period.NewCalendar(loc)
}

func rng(t *testing.T) *rand.Rand {
	t.Helper()
	a, b := rand.Uint64(), rand.Uint64()
	t.Logf("seed %d, %d", a, b)
	return rand.New(rand.NewPCG(a, b))
}

// civil is what package time says of an instant.
func civil(ms int64, loc *time.Location) (period.Day, period.Hour, period.Month) {
	t := time.UnixMilli(ms).In(loc)
	y, m, d := t.Date()
	day := period.Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
	return day, day.Hour(t.Hour()), period.MonthOf(y, int(m))
}

func TestBucketsAgreeWithPackageTime(t *testing.T) {
	r := rng(t)
	for _, zone := range zones {
		cal := calendar(t, zone)
		check := func(ms int64) {
			t.Helper()
			day, hour, month := civil(ms, cal.Location())
			if got := cal.DayBucket(ms); got != day {
				t.Fatalf("%s: day of %d ms = %d, want %d", zone, ms, got, day)
			}
			if got := cal.HourBucket(ms); got != hour {
				t.Fatalf("%s: hour of %d ms = %d, want %d", zone, ms, got, hour)
			}
			if got := cal.MonthBucket(ms); got != month {
				t.Fatalf("%s: month of %d ms = %d, want %d", zone, ms, got, month)
			}
		}
		const first, last = 2 * 86400_000, 253402000000_000 // 1970-01-03, 9999-12-28
		for range 3000 {
			check(first + r.Int64N(4102444800_000)) // to 2100
		}
		for range 300 {
			check(first + r.Int64N(last-first))
		}
		// Every transition of a century, from a second before to a second after.
		for at := time.UnixMilli(first).In(cal.Location()); at.Year() < 2110; {
			_, end := at.ZoneBounds()
			if end.IsZero() {
				break
			}
			for _, off := range []int64{-1000, -1, 0, 1, 1000} {
				if ms := end.UnixMilli() + off; ms > first {
					check(ms)
				}
			}
			if !end.After(at) {
				end = at.Add(24 * time.Hour) // see zoneSpan
			}
			at = end
		}
		check(int64(1)<<32*1000 - 1) // where the table ends
		check(int64(1) << 32 * 1000)
	}
}

func TestInstantsOutsideTheCalendarAreClamped(t *testing.T) {
	for _, zone := range zones {
		cal := calendar(t, zone)
		for _, ms := range []int64{-1 << 63, -1, -86400_000 * 3} {
			if got := cal.DayBucket(ms); got != 0 {
				t.Errorf("%s: day of %d ms = %d, want 0", zone, ms, got)
			}
		}
		far := cal.DayBucket(1<<63 - 1)
		if far > period.MaxDay || far < period.MaxDay-2 {
			t.Errorf("%s: last day = %d, want at most two before %d", zone, far, period.MaxDay)
		}
		if h := cal.HourBucket(1<<63 - 1); h < far.Hour(0) || h > far.Hour(23) {
			t.Errorf("%s: last hour %d is not in day %d", zone, h, far)
		}
	}
}

func TestDayStart(t *testing.T) {
	utc := func(y int, m time.Month, d, h, min int) int64 {
		return time.Date(y, m, d, h, min, 0, 0, time.UTC).UnixMilli()
	}
	for _, c := range []struct {
		name, zone string
		y, m, d    int
		want       int64
	}{
		{"utc", "UTC", 2031, 5, 14, utc(2031, 5, 14, 0, 0)},
		{"winter", "Europe/Madrid", 2025, 1, 1, utc(2024, 12, 31, 23, 0)},
		{"summer", "Europe/Madrid", 2025, 7, 1, utc(2025, 6, 30, 22, 0)},
		{"spring day", "Europe/Madrid", 2025, 3, 30, utc(2025, 3, 29, 23, 0)},
		{"day after spring", "Europe/Madrid", 2025, 3, 31, utc(2025, 3, 30, 22, 0)},
		{"45 minutes", "Asia/Kathmandu", 2025, 2, 1, utc(2025, 1, 31, 18, 15)},
		{"midnight skipped", "America/Sao_Paulo", 2018, 11, 4, utc(2018, 11, 4, 3, 0)},
		{"midnight seen twice", "America/St_Johns", 2009, 11, 1, utc(2009, 11, 1, 2, 30)},
		{"day left out", "Pacific/Apia", 2011, 12, 30, utc(2011, 12, 30, 10, 0)},
		{"day after the one left out", "Pacific/Apia", 2011, 12, 31, utc(2011, 12, 30, 10, 0)},
		{"day before the one left out", "Pacific/Apia", 2011, 12, 29, utc(2011, 12, 29, 10, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := calendar(t, c.zone).DayStart(period.DayOf(c.y, c.m, c.d)); got != c.want {
				t.Errorf("got %s, want %s", time.UnixMilli(got).UTC(), time.UnixMilli(c.want).UTC())
			}
		})
	}
}

// A day starts at the first instant of its date or a later one, and starts
// ascend.
func TestDayStartProperties(t *testing.T) {
	r := rng(t)
	for _, zone := range zones {
		cal := calendar(t, zone)
		for range 2000 {
			d := period.Day(2 + r.IntN(60000))
			start := cal.DayStart(d)
			if got := cal.DayBucket(start); got != d && cal.DayStart(got) != start {
				t.Fatalf("%s: day %d starts in day %d, which does not start then", zone, d, got)
			}
			if got := cal.DayBucket(start - 1); got >= d {
				t.Fatalf("%s: the ms before day %d is in day %d", zone, d, got)
			}
			if next := cal.DayStart(d + 1); next < start {
				t.Fatalf("%s: day %d starts at %d, the next at %d", zone, d, start, next)
			}
			if got := cal.DayEnd(d); got != cal.DayStart(d+1)-1 {
				t.Fatalf("%s: day %d ends at %d", zone, d, got)
			}
		}
	}
}

func TestCivilDatesAgreeWithPackageTime(t *testing.T) {
	at := time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)
	for d := period.Day(-365); d < 90000; d++ {
		y, m, day := d.Date()
		if ty, tm, td := at.Date(); y != ty || m != int(tm) || day != td {
			t.Fatalf("day %d = %d-%d-%d, want %s", d, y, m, day, at.Format(time.DateOnly))
		}
		if got := period.DayOf(y, m, day); got != d {
			t.Fatalf("day of %d-%d-%d = %d, want %d", y, m, day, got, d)
		}
		iy, iw := d.ISOWeek()
		if ty, tw := at.ISOWeek(); iy != ty || iw != tw {
			t.Fatalf("week of %s = %d-%d, want %d-%d", at.Format(time.DateOnly), iy, iw, ty, tw)
		}
		if monday := period.WeekStart(iy) + period.Day(7*(iw-1)); monday != d-period.Day(d.Weekday()) || iw > period.WeeksIn(iy) {
			t.Fatalf("week %d-%d of %d weeks starts on day %d, but day %d is weekday %d", iy, iw, period.WeeksIn(iy), monday, d, d.Weekday())
		}
		if got := (int(at.Weekday()) + 6) % 7; got != d.Weekday() {
			t.Fatalf("weekday of %s = %d, want %d", at.Format(time.DateOnly), d.Weekday(), got)
		}
		mo := d.Month()
		if first, last := mo.First(), mo.Last(); d < first || d > last || first.Month() != mo || last.Month() != mo {
			t.Fatalf("day %d is not in its month %d to %d", d, first, last)
		}
		at = at.AddDate(0, 0, 1)
	}
	if y, m, d := period.MaxDay.Date(); y != 9999 || m != 12 || d != 31 {
		t.Errorf("MaxDay = %d-%d-%d", y, m, d)
	}
}

func TestZones(t *testing.T) {
	var z period.Zones
	a, ok := z.Get("Asia/Tokyo")
	b, _ := z.Get("Asia/Tokyo")
	if !ok || a != b || a.Location().String() != "Asia/Tokyo" {
		t.Errorf("got %v %v, want one calendar of Asia/Tokyo", a.Location(), ok)
	}
	for _, name := range []string{"", "Local", "Mars/Base", "../etc/passwd"} {
		if c, ok := z.Get(name); ok || c.Location().String() != "UTC" {
			t.Errorf("Get(%q) = %v, %v, want UTC, false", name, c.Location(), ok)
		}
	}
}

func BenchmarkHourBucket(b *testing.B) {
	cal := period.NewCalendar(mustLoad(b, "Europe/Madrid"))
	var sum period.Hour
	ms := int64(1700000000000)
	for b.Loop() {
		sum += cal.HourBucket(ms)
		ms = 1700000000000 + (ms+7777777)%(1<<38)
	}
	if sum == 0 {
		b.Fatal("no hours")
	}
}

func BenchmarkMonthBucket(b *testing.B) {
	cal := period.NewCalendar(mustLoad(b, "Europe/Madrid"))
	var sum period.Month
	ms := int64(1700000000000)
	for b.Loop() {
		sum += cal.MonthBucket(ms)
		ms = 1700000000000 + (ms+7777777)%(1<<38)
	}
	if sum == 0 {
		b.Fatal("no months")
	}
}

func BenchmarkNewCalendar(b *testing.B) {
	loc := mustLoad(b, "Europe/Madrid")
	for b.Loop() {
		period.NewCalendar(loc)
	}
}

func mustLoad(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}
