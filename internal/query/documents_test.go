package query_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// noon is Wednesday 2031-05-14 in week 20.
var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

func unknown() map[rollup.Metric]string {
	return map[rollup.Metric]string{rollup.Countries: "Unknown"}
}

type document func(*query.Query, period.Period, query.Extent) (json.RawMessage, error)

func users(t *testing.T) document {
	t.Helper()
	return func(q *query.Query, p period.Period, e query.Extent) (json.RawMessage, error) {
		return q.UsersDocument(t.Context(), testApp, p, e)
	}
}

func metric(t *testing.T, d string) document {
	t.Helper()
	return func(q *query.Query, p period.Period, e query.Extent) (json.RawMessage, error) {
		return q.MetricDocument(t.Context(), testApp, d, p, e)
	}
}

func event(t *testing.T, segment string, keys ...string) document {
	t.Helper()
	return func(q *query.Query, p period.Period, e query.Extent) (json.RawMessage, error) {
		return q.EventDocument(t.Context(), testApp, keys, segment, p, e)
	}
}

func TestDocuments(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2031, 5, 14, hour, minute, 0, 0, time.UTC) }
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 9, 0, 0, 0, time.UTC) }
	phone := map[rollup.Metric]string{rollup.Devices: "Pixel 9", rollup.OS: "Android"}

	for _, c := range []struct {
		name string
		data func(*memory)
		doc  document
		text string
		ext  query.Extent
		want string
	}{
		{name: "empty app", data: func(*memory) {}, doc: users(t), want: `{}`},
		{name: "empty app, metric", data: func(*memory) {}, doc: metric(t, "devices"), want: `{}`},
		{name: "empty app, event", data: func(*memory) {}, doc: event(t, "", "E"), want: `{}`},
		{name: "requests without a session", data: func(m *memory) { m.request(noon) }, doc: users(t), want: `{}`},
		{name: "requests without a session, refresh", data: func(m *memory) { m.request(noon) }, doc: users(t), ext: query.Refresh, want: `{}`},
		{
			name: "one session", doc: users(t),
			data: func(m *memory) {
				m.begin(at(9, 0), 1, 0, unknown())
				m.duration(at(9, 1), 45)
				m.end(at(9, 2), 1, 2)
			},
			want: `{"2031":{
			  "5":{
			    "14":{
			      "9":{"e":3,"t":1,"n":1,"u":1,"d":45},
			      "e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1}},
			    "e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1}},
			  "e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1},
			  "w20":{"u":1,"f":{"0":1},"ds":{"2":1},"Unknown":{"u":1}}},
			 "meta":{"countries":["Unknown"],"f-ranges":["0"],"d-ranges":["2"]}}`,
		},
		{
			// X begins, sends 20 s, ends; Y sends a bare request, begins, begins again.
			name: "example day", doc: users(t),
			data: func(m *memory) {
				m.begin(at(9, 0), 1, 0, unknown())
				m.duration(at(9, 1), 20)
				m.end(at(9, 2), 1, 1)
				m.request(at(10, 0))
				m.begin(at(10, 1), 2, 0, unknown())
				m.begin(at(10, 2), 2, 1, unknown())
				m.close(at(10, 2), 2, 0)
			},
			want: `{"2031":{"5":{"14":{
			   "9":{"e":3,"t":1,"n":1,"u":1,"d":20},"10":{"e":3,"t":2,"n":1,"u":1},
			   "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"Unknown":{"t":3,"n":2,"u":2}},
			  "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"Unknown":{"t":3,"n":2,"u":2}},
			  "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"Unknown":{"t":3,"n":2,"u":2},
			  "w20":{"u":2,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"Unknown":{"u":2}}},
			 "meta":{"countries":["Unknown"],"f-ranges":["0","1"],"d-ranges":["0","1"]}}`,
		},
		{
			// The month of May has only requests: it is not there, but counts in the year.
			// A returning user adds no n, and January comes without days.
			name: "whole year, days of touched months", doc: users(t), text: "30days",
			data: func(m *memory) {
				m.begin(day(2031, 1, 1), 1, 0, map[rollup.Metric]string{rollup.Countries: "ES"})
				m.begin(day(2031, 4, 20), 1, 11, map[rollup.Metric]string{rollup.Countries: "DE"})
				m.request(noon)
			},
			want: `{"2031":{
			  "1":{"e":1,"t":1,"n":1,"u":1,"f":{"0":1},"ES":{"t":1,"n":1,"u":1}},
			  "4":{"20":{"9":{"e":1,"t":1,"u":1},"e":1,"t":1,"u":1,"f":{"11":1},"DE":{"t":1,"n":0,"u":1}},
			    "e":1,"t":1,"u":1,"f":{"11":1},"DE":{"t":1,"n":0,"u":1}},
			  "e":3,"t":2,"n":1,"u":1,"f":{"0":1,"11":1},"ES":{"t":1,"n":1,"u":1},"DE":{"t":1,"n":0,"u":1},
			  "w1":{"u":1,"f":{"0":1},"ES":{"u":1}},
			  "w16":{"u":1,"f":{"11":1},"DE":{"u":1}}},
			 "meta":{"countries":["ES","DE"],"f-ranges":["0","11"]}}`,
		},
		{
			name: "refresh", doc: users(t), ext: query.Refresh,
			data: func(m *memory) {
				m.begin(day(2031, 5, 1), 1, 0, unknown())
				m.begin(at(9, 0), 1, 9, unknown())
			},
			want: `{"2031":{"5":{"14":{"9":{"e":1,"t":1,"u":1},"e":1,"t":1,"u":1,"f":{"9":1},"Unknown":{"t":1,"n":0,"u":1}}}},
			 "meta":{"countries":["Unknown"],"f-ranges":["0","9"]}}`,
		},
		{
			name: "refresh without data today", doc: users(t), ext: query.Refresh,
			data: func(m *memory) { m.begin(day(2031, 5, 1), 1, 0, unknown()) },
			want: `{"meta":{"countries":["Unknown"],"f-ranges":["0"]}}`,
		},
		{
			name: "two years, a week across", doc: users(t), text: "[1924905600000,1925078399000]", // 2030-12-31 to 2031-01-01
			data: func(m *memory) {
				m.begin(day(2030, 12, 31), 1, 0, unknown())
				m.begin(day(2031, 1, 1), 1, 2, unknown())
				m.begin(day(2031, 1, 1), 2, 0, unknown())
			},
			want: `{"2030":{"12":{"31":{"9":{"e":1,"t":1,"n":1,"u":1},"e":1,"t":1,"n":1,"u":1,"f":{"0":1},"Unknown":{"t":1,"n":1,"u":1}},
			    "e":1,"t":1,"n":1,"u":1,"f":{"0":1},"Unknown":{"t":1,"n":1,"u":1}},
			  "e":1,"t":1,"n":1,"u":1,"f":{"0":1},"Unknown":{"t":1,"n":1,"u":1}},
			 "2031":{"1":{"1":{"9":{"e":2,"t":2,"n":1,"u":2},"e":2,"t":2,"n":1,"u":2,"f":{"0":1,"2":1},"Unknown":{"t":2,"n":1,"u":2}},
			    "e":2,"t":2,"n":1,"u":2,"f":{"0":1,"2":1},"Unknown":{"t":2,"n":1,"u":2}},
			  "e":2,"t":2,"n":1,"u":2,"f":{"0":1,"2":1},"Unknown":{"t":2,"n":1,"u":2},
			  "w1":{"u":2,"f":{"0":2,"2":1},"Unknown":{"u":2}}},
			 "meta":{"countries":["Unknown"],"f-ranges":["0","2"]}}`,
		},
		{
			name: "devices", doc: metric(t, "devices"),
			data: func(m *memory) {
				m.begin(noon, 1, 0, phone)
				m.begin(noon, 1, 1, phone)
			},
			want: `{"2031":{"5":{"14":{"Pixel 9":{"n":1,"t":2,"u":1}},"Pixel 9":{"n":1,"t":2,"u":1}},
			  "Pixel 9":{"n":1,"t":2,"u":1},"w20":{"Pixel 9":{"u":1}}},
			 "meta":{"devices":["Pixel 9"]}}`,
		},
		{
			name: "a week of a year without a day", doc: metric(t, "devices"), text: "[1924905600000,1925078399000]", // 2030-12-31 to 2031-01-01
			data: func(m *memory) { m.begin(day(2030, 12, 31), 1, 0, phone) },
			want: `{"2030":{"12":{"31":{"Pixel 9":{"n":1,"t":1,"u":1}},"Pixel 9":{"n":1,"t":1,"u":1}},"Pixel 9":{"n":1,"t":1,"u":1}},
			 "2031":{"w1":{"Pixel 9":{"u":1}}},
			 "meta":{"devices":["Pixel 9"]}}`,
		},
		{
			name: "nothing but the week of a year", doc: metric(t, "devices"), text: "[1924992000000,1925078399000]", // 2031-01-01
			data: func(m *memory) { m.begin(day(2030, 12, 31), 1, 0, phone) },
			want: `{"2031":{"w1":{"Pixel 9":{"u":1}}},"meta":{"devices":["Pixel 9"]}}`,
		},
		{
			name: "only lists with values", doc: metric(t, "device_details"), ext: query.Refresh,
			data: func(m *memory) { m.begin(noon, 1, 0, phone) },
			want: `{"2031":{"5":{"14":{"Android":{"n":1,"t":1,"u":1}}}},"meta":{"os":["Android"]}}`,
		},
		{
			// The app version "5" beside the month of May, the resolution "14" beside the
			// day, and "14:1" as a version of the app and, for another user, of an OS.
			name: "names that meet", doc: metric(t, "device_details"),
			data: func(m *memory) {
				m.begin(noon, 1, 0, map[rollup.Metric]string{rollup.AppVersions: "5"})
				m.begin(noon, 2, 0, map[rollup.Metric]string{rollup.Resolutions: "14"})
				m.begin(noon, 3, 0, map[rollup.Metric]string{rollup.OSVersions: "14:1"})
				m.begin(noon, 4, 0, map[rollup.Metric]string{rollup.AppVersions: "14:1"})
				m.begin(noon, 3, 1, map[rollup.Metric]string{rollup.AppVersions: "14:1"})
			},
			want: `{"2031":{"5":{"n":1,"t":1,"u":1,
			    "14":{"n":1,"t":1,"u":1,"5":{"n":1,"t":1,"u":1},"14":{"n":1,"t":1,"u":1},"14:1":{"n":2,"t":3,"u":2}},
			    "5":{"n":1,"t":1,"u":1},"14:1":{"n":2,"t":3,"u":2}},
			  "14":{"n":1,"t":1,"u":1},"14:1":{"n":2,"t":3,"u":2},
			  "w20":{"5":{"u":1},"14":{"u":1},"14:1":{"u":2}}},
			 "meta":{"os_versions":["14:1"],"resolutions":["14"],"app_versions":["5","14:1"]}}`,
		},
		{
			name: "one event", doc: event(t, "", "buy"),
			data: func(m *memory) {
				m.event(at(10, 0), "buy", rollup.Cell{Count: 2, Sum: 7.5, Flags: rollup.HasSum}, "plan", "pro", "size", "1:5")
				m.event(at(11, 0), "buy", rollup.Cell{Count: 1}, "size", "2")
				m.event(at(11, 0), "other", rollup.Cell{Count: 9})
			},
			want: `{"2031":{"5":{"14":{"10":{"c":2,"s":7.5},"11":{"c":1},"c":3,"s":7.5},"c":3,"s":7.5},"c":3,"s":7.5},
			 "meta":{"segments":["plan","size"],"plan":["pro"],"size":["1:5","2"]}}`,
		},
		{
			name: "segmentation", doc: event(t, "plan", "buy"),
			data: func(m *memory) {
				m.event(at(10, 0), "buy", rollup.Cell{Count: 2}, "plan", "pro")
				m.event(at(11, 0), "buy", rollup.Cell{Count: 1, Sum: 3, Flags: rollup.HasSum}, "plan", "free")
				m.event(at(11, 0), "buy", rollup.Cell{Count: 1, Dur: 2, Flags: rollup.HasDur}, "plan", "14")
			},
			want: `{"2031":{"5":{"14":{"c":1,"dur":2,"pro":{"c":2},"free":{"c":1,"s":3},"14":{"c":1,"dur":2}},
			    "pro":{"c":2},"free":{"c":1,"s":3}},
			  "pro":{"c":2},"free":{"c":1,"s":3},"14":{"c":1,"dur":2}},
			 "meta":{"segments":["plan"],"plan":["pro","free","14"]}}`,
		},
		{
			name: "events merged, one unknown", doc: event(t, "", "buy", "other", "never"),
			data: func(m *memory) {
				m.event(at(10, 0), "buy", rollup.Cell{Count: 2, Sum: 7.5, Flags: rollup.HasSum}, "plan", "pro")
				m.event(at(10, 0), "other", rollup.Cell{Count: 1, Dur: 4, Flags: rollup.HasDur})
			},
			want: `{"2031":{"5":{"14":{"10":{"c":3,"s":7.5,"dur":4},"c":3,"s":7.5,"dur":4},"c":3,"s":7.5,"dur":4},"c":3,"s":7.5,"dur":4},
			 "meta":{"segments":["plan"],"plan":["pro"]}}`,
		},
		{
			name: "segment of two events", doc: event(t, "plan", "buy", "sell"),
			data: func(m *memory) {
				m.event(noon, "buy", rollup.Cell{Count: 2}, "plan", "pro")
				m.event(noon, "sell", rollup.Cell{Count: 1}, "plan", "pro")
			},
			want: `{"2031":{"5":{"14":{"pro":{"c":3}},"pro":{"c":3}},"pro":{"c":3}},"meta":{"segments":["plan"],"plan":["pro"]}}`,
		},
		{
			name: "event refresh", doc: event(t, "", "buy"), ext: query.Refresh,
			data: func(m *memory) {
				m.event(day(2031, 2, 1), "buy", rollup.Cell{Count: 2}, "plan", "pro")
				m.event(at(10, 0), "buy", rollup.Cell{Count: 1})
			},
			want: `{"2031":{"5":{"14":{"10":{"c":1},"c":1}}},"meta":{"segments":["plan"],"plan":["pro"]}}`,
		},
		{
			name: "event without segments", doc: event(t, "", "buy"),
			data: func(m *memory) { m.event(day(2019, 2, 1), "buy", rollup.Cell{Count: 2}) },
			want: `{"meta":{"segments":[]}}`,
		},
		{
			name: "odd names", doc: metric(t, "devices"), ext: query.Refresh,
			data: func(m *memory) {
				m.begin(noon, 1, 0, map[rollup.Metric]string{rollup.Devices: "a\"b\\<é>\n"})
			},
			want: `{"2031":{"5":{"14":{"a\"b\\<é>\n":{"n":1,"t":1,"u":1}}}},"meta":{"devices":["a\"b\\<é>\n"]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t, "UTC")
			c.data(m)
			got, err := c.doc(m.query(), m.period(t, c.text, noon), c.ext)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical(t, []byte(c.want)), canonical(t, got)); diff != "" {
				t.Errorf("-want +got\n%s\nbody %s", diff, got)
			}
			if c.want == `{}` && string(got) != `{}` {
				t.Errorf("got %s, want exactly {}", got)
			}
		})
	}
}

// Omitted segments leave the meta, and reading by them gives nothing.
func TestOmittedSegment(t *testing.T) {
	m := newMemory(t, "UTC")
	m.event(noon, "buy", rollup.Cell{Count: 1}, "plan", "pro", "size", "2")
	m.events[0].Segments[0].Omitted = true
	got, err := m.query().EventDocument(t.Context(), testApp, []string{"buy"}, "plan", m.period(t, "", noon), query.Whole)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"meta":{"segments":["size"],"size":["2"]}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	rows, err := m.query().SegmentRows(t.Context(), testApp, []string{"buy"}, "plan", m.period(t, "", noon))
	if err != nil || len(rows) != 0 {
		t.Errorf("rows = %v, %v, want none", rows, err)
	}
}

// Another app sees nothing.
func TestOtherApp(t *testing.T) {
	m := newMemory(t, "UTC")
	m.begin(noon, 1, 0, unknown())
	m.event(noon, "buy", rollup.Cell{Count: 1})
	other := testApp
	other[0]++
	q, p := m.query(), m.period(t, "", noon)
	doc, err := q.UsersDocument(t.Context(), other, p, query.Whole)
	if err != nil || string(doc) != "{}" {
		t.Errorf("users = %s, %v", doc, err)
	}
	doc, err = q.EventDocument(t.Context(), other, []string{"buy"}, "", p, query.Whole)
	if err != nil || string(doc) != "{}" {
		t.Errorf("event = %s, %v", doc, err)
	}
}
