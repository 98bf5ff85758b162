package cells_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// density is a dimension that no code names.
const density model.Dim = 8

// cell is a rollup cell in a form that compares.
type cell struct {
	First                uint64
	Count, New, Requests int64
	Sum, Dur             float64
	Flags                uint8
	Users                []uint32
}

func plain(d rollup.Delta) map[rollup.Key]cell {
	out := map[rollup.Key]cell{}
	for k, c := range d {
		p := cell{First: c.First, Count: c.Count, New: c.New, Requests: c.Requests, Sum: c.Sum, Dur: c.Dur, Flags: c.Flags}
		if c.Users != nil {
			p.Users = c.Users.ToArray()
		}
		out[k] = p
	}
	return out
}

func calendar(t *testing.T, name string) *period.Calendar {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return period.NewCalendar(loc)
}

func key(m rollup.Metric, g rollup.Grain, b rollup.Bucket, dim, value string) rollup.Key {
	return rollup.Key{Series: rollup.Series{Metric: m, Dim: dim}, Grain: g, Bucket: b, Value: value}
}

func TestDelta(t *testing.T) {
	t.Parallel()
	// Kolkata is half an hour off; 18:29 UTC is 23:59 there, on the last day of April.
	cal := calendar(t, "Asia/Kolkata")
	late := time.Date(2031, 4, 30, 18, 29, 0, 0, time.UTC).UnixMilli()
	next := late + 2*60_000
	april, may := cal.DayBucket(late), cal.DayBucket(next)
	if may != april+1 {
		t.Fatalf("days %d and %d", april, may)
	}
	hour := rollup.Bucket(april.Hour(23))
	first := rollup.Bucket(may.Hour(0))
	d1, d2 := rollup.Bucket(april), rollup.Bucket(may)
	m1, m2 := rollup.Bucket(april.Month()), rollup.Bucket(may.Month())

	a := cells.New(cal)
	dims := cells.DimsOf(&model.Profile{Dims: model.Dims{model.OS: "Android"}})
	a.Request(10, late, 0)
	a.Begin(10, late, 1, 0, true, &dims)
	a.SessionTime(10, late, 6, 23)
	a.Request(11, next, 20.5)
	a.Close(11, &session.Closed{At: next, Seconds: 20.5})
	ev := a.Event(12, late, 1, "buy", cells.Amount{Count: 2, Sum: 1.5})
	ev.Segment("plan", "pro")
	ev.Time(6, 23)
	ev = a.Event(13, next, 2, "buy", cells.Amount{Count: 1, Dur: 3})
	ev.Segment("plan", "pro")
	ev = a.Item(next, "buy")
	if c := ev.Value("plan", "pro"); c == nil {
		t.Error("the cell of a value that counted before is not found")
	} else {
		ev.Count(14, 2, cells.Amount{})
		ev.Add(c)
	}
	if ev.Value("plan", "free") != nil || ev.Value("size", "pro") != nil {
		t.Error("a value that did not count has a cell")
	}
	ev = a.Event(9, next, 2, "buy", cells.Amount{Count: 1})
	ev.Time(-1, 4)
	a.Outcome(10, late, outcome.Request, outcome.Accepted, 2)
	a.Outcome(10, late, outcome.Event, outcome.NoKey, 1)
	extra := rollup.Series{Metric: 64, Dim: "x"}
	a.Day(3, late, extra, "y").Count++
	a.Day(2, late, extra, "y").Count += 4
	a.SubjectDay(4, next, 65, 7).New++

	begun := cell{First: 10, Count: 1, New: 1, Requests: 1, Users: []uint32{1}}
	dim := cell{First: 10, Count: 1, New: 1, Users: []uint32{1}}
	moved := cell{First: 11, Requests: 1, Dur: 20.5, Flags: rollup.HasDur}
	one := func(offset uint64) cell { return cell{First: offset, Count: 1} }
	want := map[rollup.Key]cell{
		key(rollup.Users, rollup.Hour, hour, "", ""):                                 begun,
		key(rollup.Users, rollup.Day, d1, "", ""):                                    begun,
		key(rollup.Users, rollup.Month, m1, "", ""):                                  begun,
		key(rollup.Users, rollup.Hour, first, "", ""):                                moved,
		key(rollup.Users, rollup.Day, d2, "", ""):                                    moved,
		key(rollup.Users, rollup.Month, m2, "", ""):                                  moved,
		key(rollup.Frequency, rollup.Day, d1, "", "0"):                               one(10),
		key(rollup.Frequency, rollup.Month, m1, "", "0"):                             one(10),
		key(rollup.Durations, rollup.Day, d2, "", "1"):                               one(11),
		key(rollup.Durations, rollup.Month, m2, "", "1"):                             one(11),
		key(rollup.TimesOfDay, rollup.Month, m1, cells.SessionKey, "6:23"):           one(10),
		key(rollup.TimesOfDay, rollup.Month, m1, "buy", "6:23"):                      one(12),
		key(rollup.Events, rollup.Hour, hour, "", "buy"):                             {First: 12, Count: 2, Sum: 1.5, Flags: rollup.HasSum},
		key(rollup.Events, rollup.Day, d1, "", "buy"):                                {First: 12, Count: 2, Sum: 1.5, Flags: rollup.HasSum, Users: []uint32{1}},
		key(rollup.Events, rollup.Month, m1, "", "buy"):                              {First: 12, Count: 2, Sum: 1.5, Flags: rollup.HasSum, Users: []uint32{1}},
		key(rollup.Events, rollup.Hour, first, "", "buy"):                            {First: 9, Count: 2, Dur: 3, Flags: rollup.HasDur},
		key(rollup.Events, rollup.Day, d2, "", "buy"):                                {First: 9, Count: 2, Dur: 3, Flags: rollup.HasDur, Users: []uint32{2}},
		key(rollup.Events, rollup.Month, m2, "", "buy"):                              {First: 9, Count: 2, Dur: 3, Flags: rollup.HasDur, Users: []uint32{2}},
		key(rollup.Segments, rollup.Day, d1, "buy\x00plan", "pro"):                   {First: 12, Count: 2, Sum: 1.5, Flags: rollup.HasSum},
		key(rollup.Segments, rollup.Month, m1, "buy\x00plan", "pro"):                 {First: 12, Count: 2, Sum: 1.5, Flags: rollup.HasSum},
		key(rollup.Segments, rollup.Day, d2, "buy\x00plan", "pro"):                   {First: 13, Count: 1, Dur: 3, Flags: rollup.HasDur},
		key(rollup.Segments, rollup.Month, m2, "buy\x00plan", "pro"):                 {First: 13, Count: 1, Dur: 3, Flags: rollup.HasDur},
		key(rollup.Outcomes, rollup.Day, d1, "", "request\x00accepted\x00\x0073"):    {First: 10, Count: 2},
		key(rollup.Outcomes, rollup.Day, d1, "", "event\x00dropped\x00no_key\x0073"): {First: 10, Count: 1},
		key(64, rollup.Day, d1, "x", "y"):                                            {First: 2, Count: 5},
		key(64, rollup.Month, m1, "x", "y"):                                          {First: 2, Count: 5},
		key(65, rollup.Day, d2, "", rollup.SubjectValue(7)):                          {First: 4, New: 1},
		key(65, rollup.Month, m2, "", rollup.SubjectValue(7)):                        {First: 4, New: 1},
	}
	for metric, value := range map[rollup.Metric]string{
		rollup.Countries: "Unknown", rollup.Cities: "Unknown", rollup.Carriers: "Unknown", rollup.OS: "Android",
	} {
		want[key(metric, rollup.Day, d1, "", value)] = dim
		want[key(metric, rollup.Month, m1, "", value)] = dim
	}
	if diff := cmp.Diff(want, plain(a.Delta())); diff != "" {
		t.Errorf("delta (-want +got):\n%s", diff)
	}
}

// TestReopened takes the first count of a session back where it was made.
func TestReopened(t *testing.T) {
	t.Parallel()
	cal := calendar(t, "UTC")
	end := time.Date(2031, 4, 30, 23, 59, 55, 0, time.UTC).UnixMilli()
	a := cells.New(cal)
	a.Close(5, &session.Closed{At: end, Seconds: 5})
	a.Close(9, &session.Closed{At: end + 60_000, Seconds: 45, Reopened: true, ClosedAt: end, ClosedSeconds: 5})
	day, month := cal.DayBucket(end), cal.MonthBucket(end)
	want := map[rollup.Key]cell{
		key(rollup.Durations, rollup.Day, rollup.Bucket(day), "", "0"):       {First: 5},
		key(rollup.Durations, rollup.Month, rollup.Bucket(month), "", "0"):   {First: 5},
		key(rollup.Durations, rollup.Day, rollup.Bucket(day+1), "", "2"):     {First: 9, Count: 1},
		key(rollup.Durations, rollup.Month, rollup.Bucket(month+1), "", "2"): {First: 9, Count: 1},
	}
	if diff := cmp.Diff(want, plain(a.Delta())); diff != "" {
		t.Errorf("delta (-want +got):\n%s", diff)
	}
}

func TestDims(t *testing.T) {
	t.Parallel()
	p := &model.Profile{
		Dims: model.Dims{model.Country: "DE", model.City: "Bonn", model.OS: "iOS", model.OSVersion: "i17:2", model.Device: "Phone", model.DeviceType: "mobile", model.Manufacturer: "M", model.Resolution: "1x2", density: "3x", model.Carrier: "Blue", model.AppVersion: "1:0", model.Language: "de", model.Browser: "B", model.BrowserVersion: "[B]_1", model.Source: "iOS", model.SDK: "[web]_1"},
	}
	want := model.Dims{
		"DE", "Bonn", "iOS", "i17:2", "Phone", "mobile", "M", "1x2", "3x", "Blue", "1:0", "de", "B", "[B]_1", "iOS", "[web]_1",
	}
	if diff := cmp.Diff(want, cells.DimsOf(p)); diff != "" {
		t.Errorf("dims (-want +got):\n%s", diff)
	}
	cal := calendar(t, "UTC")
	a := cells.New(cal)
	a.Begin(1, 1_900_000_000_000, 1, 0, true, &want)
	got := map[rollup.Metric]string{}
	for k := range a.Delta() {
		if k.Grain == rollup.Day && k.Series.Metric != rollup.Users && k.Series.Metric != rollup.Frequency {
			got[k.Series.Metric] = k.Value
		}
	}
	metrics := map[rollup.Metric]string{
		rollup.Countries: "DE", rollup.Cities: "Bonn", rollup.OS: "iOS", rollup.OSVersions: "i17:2", rollup.Devices: "Phone",
		rollup.DeviceTypes: "mobile", rollup.Manufacturers: "M", rollup.Resolutions: "1x2", 14: "3x",
		rollup.Carriers: "Blue", rollup.AppVersions: "1:0", rollup.Languages: "de", rollup.Browsers: "B",
		rollup.BrowserVersion: "[B]_1", rollup.Sources: "iOS", rollup.SDKs: "[web]_1",
	}
	if diff := cmp.Diff(metrics, got); diff != "" {
		t.Errorf("values by metric (-want +got):\n%s", diff)
	}
}

func TestSegmentValue(t *testing.T) {
	t.Parallel()
	long := make([]byte, 2000)
	for i := range long {
		long[i] = 'x'
	}
	for _, tt := range []struct{ in, want string }{
		{"", ""}, {"pro", "pro"}, {"2.5", "2:5"}, {"..", "::"}, {string(long), string(long[:rollup.MaxText])},
	} {
		if got := cells.SegmentValue(tt.in); got != tt.want {
			t.Errorf("%.20q: got %.20q", tt.in, got)
		}
	}
}
