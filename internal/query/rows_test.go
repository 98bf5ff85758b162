package query_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

func TestRows(t *testing.T) {
	ctx := context.Background()
	at := func(d, hour int) time.Time { return time.Date(2031, 5, d, hour, 0, 0, 0, time.UTC) }
	// Two users, four sessions, 90 s and seven requests today; one session of a
	// third user a week ago, two sessions of the first in the 30 days before.
	busy := func(m *memory) {
		known := map[rollup.Metric]string{rollup.Countries: "ES", rollup.OS: "Android", rollup.Carriers: "Unknown", rollup.AppVersions: "3:4:1"}
		m.begin(at(14, 9), 1, 0, known)
		m.begin(at(14, 9), 2, 0, map[rollup.Metric]string{rollup.Countries: "Unknown", rollup.Carriers: "Unknown", rollup.OS: "iOS"})
		m.begin(at(14, 10), 1, 1, known)
		m.begin(at(14, 11), 1, 1, known)
		m.duration(at(14, 11), 90)
		m.end(at(14, 11), 1, 2)
		m.end(at(14, 12), 2, 0)
	}
	old := func(m *memory) {
		m.begin(at(7, 9), 3, 0, map[rollup.Metric]string{rollup.Countries: "US", rollup.OS: "iOS"})
		m.begin(at(1, 9).AddDate(0, -1, 0), 1, 5, map[rollup.Metric]string{rollup.Countries: "ES"})
		m.begin(at(1, 9).AddDate(0, -1, 0), 1, 1, map[rollup.Metric]string{rollup.Countries: "ES"})
	}
	sales := func(m *memory) {
		m.event(at(14, 9), "buy", rollup.Cell{Count: 2, Sum: 7.5, Flags: rollup.HasSum}, "plan", "pro")
		m.event(at(13, 9), "buy", rollup.Cell{Count: 1}, "plan", "free")
		m.event(at(1, 9).AddDate(0, -1, 0), "buy", rollup.Cell{Count: 2}, "plan", "free")
		m.event(at(14, 9), "sell", rollup.Cell{Count: 5, Dur: 3, Flags: rollup.HasDur})
		m.event(at(14, 9), "[CLY]_view", rollup.Cell{Count: 9})
	}
	type read = func(*query.Query, period.Period) (any, error)
	for _, c := range []struct {
		name string
		data []func(*memory)
		text string
		read read
		want string
	}{
		{
			name: "summary of an empty app",
			read: func(q *query.Query, p period.Period) (any, error) { return q.Summary(ctx, testApp, p) },
			want: `{"dashboard":{
			  "total_sessions":{"total":0,"change":"NA","trend":"u"},
			  "total_users":{"total":0,"change":"NA","trend":"u","is_estimate":true},
			  "new_users":{"total":0,"change":"NA","trend":"u"},
			  "total_time":{"total":"0.0 min","change":"NA","trend":"u"},
			  "avg_time":{"total":"0.0 min","change":"NA","trend":"u"},
			  "avg_requests":{"total":"0.0","change":"NA","trend":"u"}},
			 "top":{"platforms":[],"resolutions":[],"carriers":[],"users":[]},"period":"15 Apr - 14 May"}`,
		},
		{
			name: "summary of requests without a session", text: "today",
			data: []func(*memory){func(m *memory) { m.request(noon); m.duration(noon, 60) }},
			read: func(q *query.Query, p period.Period) (any, error) { return q.Summary(ctx, testApp, p) },
			want: `{"dashboard":{
			  "total_sessions":{"total":0,"change":"NA","trend":"u"},
			  "total_users":{"total":0,"change":"NA","trend":"u","is_estimate":false},
			  "new_users":{"total":0,"change":"NA","trend":"u"},
			  "total_time":{"total":"0.0 min","change":"NA","trend":"u"},
			  "avg_time":{"total":"0.0 min","change":"NA","trend":"u"},
			  "avg_requests":{"total":"0.0","change":"NA","trend":"u"}},
			 "top":{"platforms":[],"resolutions":[],"carriers":[],"users":[]},"period":"14 May"}`,
		},
		{
			// 41 requests of 8 users after 10 of 3: +53.75 %, a half that floating point has just below.
			name: "changes of averages round halves up", text: "today",
			data: []func(*memory){func(m *memory) {
				for user := range uint32(3) {
					m.begin(noon.AddDate(0, 0, -1), 1+user, 0, nil)
				}
				for user := range uint32(8) {
					m.begin(noon, 1+user, 1, nil)
				}
				for range 7 {
					m.request(noon.AddDate(0, 0, -1))
				}
				for range 33 {
					m.request(noon)
				}
			}},
			read: func(q *query.Query, p period.Period) (any, error) {
				s, err := q.Summary(ctx, testApp, p)
				if err != nil {
					return nil, err
				}
				return s.Dashboard.Requests, nil
			},
			want: `{"total":"5.1","change":"53.8%","trend":"u"}`,
		},
		{
			name: "summary", data: []func(*memory){busy},
			read: func(q *query.Query, p period.Period) (any, error) { return q.Summary(ctx, testApp, p) },
			want: `{"dashboard":{
			  "total_sessions":{"total":4,"change":"NA","trend":"u"},
			  "total_users":{"total":2,"change":"NA","trend":"u","is_estimate":false},
			  "new_users":{"total":2,"change":"NA","trend":"u"},
			  "total_time":{"total":"1.5 min","change":"NA","trend":"u"},
			  "avg_time":{"total":"0.4 min","change":"NA","trend":"u"},
			  "avg_requests":{"total":"3.5","change":"NA","trend":"u"}},
			 "top":{"platforms":[{"name":"Android","value":3,"percent":75},{"name":"iOS","value":1,"percent":25}],
			   "resolutions":[],"carriers":[{"name":"Unknown","value":4,"percent":100}],"users":[{"name":"14 May","value":2,"percent":100}]},
			 "period":"15 Apr - 14 May"}`,
		},
		{
			name: "summary beside the period before", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) {
				s, err := q.Summary(ctx, testApp, p)
				if err != nil {
					return nil, err
				}
				return s.Dashboard, nil
			},
			want: `{"total_sessions":{"total":5,"change":"150%","trend":"u"},
			  "total_users":{"total":3,"change":"200%","trend":"u","is_estimate":false},
			  "new_users":{"total":3,"change":"NA","trend":"u"},
			  "total_time":{"total":"1.5 min","change":"NA","trend":"u"},
			  "avg_time":{"total":"0.3 min","change":"NA","trend":"u"},
			  "avg_requests":{"total":"2.7","change":"33.3%","trend":"u"}}`,
		},
		{
			name: "summary of a fall to nothing", data: []func(*memory){old}, text: "7days",
			read: func(q *query.Query, p period.Period) (any, error) {
				s, err := q.Summary(ctx, testApp, p)
				if err != nil {
					return nil, err
				}
				return []any{s.Dashboard.Sessions, s.Dashboard.Users, s.Dashboard.Requests, s.Period}, nil
			},
			want: `[{"total":0,"change":"100%","trend":"d"},{"total":0,"change":"100%","trend":"d","is_estimate":true},{"total":"0.0","change":"100%","trend":"d"},"8 May - 14 May"]`,
		},
		{
			name: "sessions by day", data: []func(*memory){busy, old}, text: "2days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.SessionRows(ctx, testApp, p, period.AutoStep)
			},
			want: `[{"_id":"2031-5-13","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-5-14","t":4,"n":2,"u":2,"d":90,"e":7}]`,
		},
		{
			name: "sessions by month", data: []func(*memory){busy, old}, text: "60days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.SessionRows(ctx, testApp, p, period.MonthStep)
			},
			want: `[{"_id":"2031-3","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-4","t":2,"n":0,"u":1,"d":0,"e":2},{"_id":"2031-5","t":5,"n":3,"u":3,"d":90,"e":8}]`,
		},
		{
			name: "sessions by hour", data: []func(*memory){busy}, text: "today",
			read: func(q *query.Query, p period.Period) (any, error) {
				rows, err := q.SessionRows(ctx, testApp, p, period.AutoStep)
				if err != nil {
					return nil, err
				}
				return []any{len(rows), rows[8], rows[9], rows[11]}, nil
			},
			want: `[24,{"_id":"2031-5-14 8:00","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-5-14 9:00","t":2,"n":2,"u":2,"d":0,"e":2},{"_id":"2031-5-14 11:00","t":1,"n":0,"u":1,"d":90,"e":3}]`,
		},
		{
			name: "sessions of a month without a session", text: "1days",
			data: []func(*memory){func(m *memory) { m.request(noon) }},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.SessionRows(ctx, testApp, p, period.DayStep)
			},
			want: `[{"_id":"2031-5-14","t":0,"n":0,"u":0,"d":0,"e":0}]`,
		},
		{
			name: "metric", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.MetricRows(ctx, testApp, rollup.Countries, p)
			},
			want: `[{"_id":"ES","t":3,"n":1,"u":1},{"_id":"US","t":1,"n":1,"u":1},{"_id":"Unknown","t":1,"n":1,"u":1}]`,
		},
		{
			name: "countries", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) { return q.CountryRows(ctx, testApp, p, 2) },
			want: `[{"country":"Spain","code":"es","t":3,"u":1,"n":1},{"country":"United States","code":"us","t":1,"u":1,"n":1}]`,
		},
		{
			name: "unknown country", data: []func(*memory){busy},
			read: func(q *query.Query, p period.Period) (any, error) { return q.CountryRows(ctx, testApp, p, 10) },
			want: `[{"country":"Spain","code":"es","t":3,"u":1,"n":1},{"country":"Unknown","code":"unknown","t":1,"u":1,"n":1}]`,
		},
		{
			name: "top", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.Top(ctx, testApp, rollup.Countries, p, 2)
			},
			want: `[{"name":"Spain","value":3,"percent":60},{"name":"United States","value":1,"percent":20}]`,
		},
		{
			name: "top shows versions with dots", data: []func(*memory){busy},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.Top(ctx, testApp, rollup.AppVersions, p, 2)
			},
			want: `[{"name":"3.4.1","value":3,"percent":100}]`,
		},
		{
			name: "top days", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) {
				s, err := q.Summary(ctx, testApp, p)
				if err != nil {
					return nil, err
				}
				return s.Top.Users, nil
			},
			want: `[{"name":"14 May","value":2,"percent":66.7},{"name":"7 May","value":1,"percent":33.3}]`,
		},
		{
			name: "frequency", data: []func(*memory){busy},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.Ranges(ctx, testApp, rollup.Frequency, p)
			},
			want: `[{"Index":"0","Sessions":2,"Percent":"50.0"},{"Index":"1","Sessions":2,"Percent":"50.0"}]`,
		},
		{
			name: "durations", data: []func(*memory){busy, func(m *memory) { m.close(noon, 1, 2) }},
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.Ranges(ctx, testApp, rollup.Durations, p)
			},
			want: `[{"Index":"2","Sessions":2,"Percent":"66.7"},{"Index":"0","Sessions":1,"Percent":"33.3"}]`,
		},
		{
			name: "total users of an empty app",
			read: func(q *query.Query, p period.Period) (any, error) { return q.TotalUsers(ctx, testApp, p) },
			want: `[]`,
		},
		{
			name: "total users", data: []func(*memory){busy, old},
			read: func(q *query.Query, p period.Period) (any, error) { return q.TotalUsers(ctx, testApp, p) },
			want: `[{"_id":"users","u":3,"pu":1}]`,
		},
		{
			name: "users by value", data: []func(*memory){busy, old}, text: "7days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.UsersByValue(ctx, testApp, rollup.Countries, p)
			},
			want: `[{"_id":"ES","u":1,"pu":0},{"_id":"Unknown","u":1,"pu":0},{"_id":"US","u":0,"pu":1}]`,
		},
		{
			name: "event by day", data: []func(*memory){sales}, text: "3days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.EventRows(ctx, testApp, single("buy", "never"), p, period.AutoStep)
			},
			want: `{"buy":[{"_id":"2031-5-12","c":0,"s":0,"dur":0},{"_id":"2031-5-13","c":1,"s":0,"dur":0},{"_id":"2031-5-14","c":2,"s":7.5,"dur":0}],
			  "never":[{"_id":"2031-5-12","c":0,"s":0,"dur":0},{"_id":"2031-5-13","c":0,"s":0,"dur":0},{"_id":"2031-5-14","c":0,"s":0,"dur":0}]}`,
		},
		{
			name: "event by month", data: []func(*memory){sales}, text: "60days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.EventRows(ctx, testApp, single("buy"), p, period.MonthStep)
			},
			want: `{"buy":[{"_id":"2031-3","c":0,"s":0,"dur":0},{"_id":"2031-4","c":2,"s":0,"dur":0},{"_id":"2031-5","c":3,"s":7.5,"dur":0}]}`,
		},
		{
			name: "event by segment", data: []func(*memory){sales}, text: "60days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.SegmentRows(ctx, testApp, []string{"buy"}, "plan", p)
			},
			want: `[{"_id":"free","c":3,"s":0,"dur":0},{"_id":"pro","c":2,"s":7.5,"dur":0}]`,
		},
		{
			name: "all events", data: []func(*memory){sales},
			read: func(q *query.Query, p period.Period) (any, error) { return q.EventTotals(ctx, testApp, p) },
			want: `[{"_id":"sell","key":"sell","c":5,"s":0,"dur":3},{"_id":"buy","key":"buy","c":3,"s":7.5,"dur":0}]`,
		},
		{
			name: "event overview", data: []func(*memory){sales}, text: "2days",
			read: func(q *query.Query, p period.Period) (any, error) {
				return q.EventOverviews(ctx, testApp, single("buy"), p)
			},
			want: `{"buy":{"data":{"count":{"total":3,"change":"NA","trend":"u","sparkline":[1,2]},
			  "sum":{"total":7.5,"change":"NA","trend":"u","sparkline":[0,7.5]},"dur":{"total":0,"change":"NA","trend":"u","sparkline":[0,0]}}}}`,
		},
		{
			name: "group of events", data: []func(*memory){sales}, text: "2days",
			read: func(q *query.Query, p period.Period) (any, error) {
				group := query.Selection{Name: "all", Keys: []string{"sell", "buy", "buy"}}
				rows, err := q.EventRows(ctx, testApp, append(single("buy"), group), p, period.AutoStep)
				if err != nil {
					return nil, err
				}
				o, err := q.EventOverviews(ctx, testApp, []query.Selection{group}, p)
				if err != nil {
					return nil, err
				}
				return []any{rows, o["all"].Data.Count}, nil
			},
			want: `[{"buy":[{"_id":"2031-5-13","c":1,"s":0,"dur":0},{"_id":"2031-5-14","c":2,"s":7.5,"dur":0}],
			  "all":[{"_id":"2031-5-13","c":1,"s":0,"dur":0},{"_id":"2031-5-14","c":7,"s":7.5,"dur":3}]},
			  {"total":8,"change":"NA","trend":"u","sparkline":[1,7]}]`,
		},
		{
			name: "top events", data: []func(*memory){sales},
			read: func(q *query.Query, p period.Period) (any, error) { return q.TopEvents(ctx, testApp, p, 10) },
			want: `[{"_id":"sell","name":"sell","count":5,"sum":0,"duration":3,"change":"NA","trend":"u"},
			  {"_id":"buy","name":"buy","count":3,"sum":7.5,"duration":0,"change":"50%","trend":"u"}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t, "UTC")
			for _, fill := range c.data {
				fill(m)
			}
			got, err := c.read(m.query(), m.period(t, c.text, noon))
			if err != nil {
				t.Fatal(err)
			}
			body := render(t, got)
			if diff := cmp.Diff(canonical(t, []byte(c.want)), canonical(t, []byte(body))); diff != "" {
				t.Errorf("-want +got\n%s\nbody %s", diff, body)
			}
			failEachScan(t, m, func(q *query.Query) error {
				_, err := c.read(q, m.period(t, c.text, noon))
				return err
			})
		})
	}
}

// failEachScan reads once for each scan of cells that a read takes, with an error at this scan; the read must return it.
func failEachScan(t *testing.T, m *memory, read func(*query.Query) error) {
	t.Helper()
	for name, of := range map[string]func(rollup.Tracker) query.Cells{
		"plain":       func(r rollup.Tracker) query.Cells { return query.Plain(r) },
		"remembering": func(r rollup.Tracker) query.Cells { return query.Remember(r, 1<<20) },
	} {
		for at := 1; ; at++ {
			cells := &failing{memory: m, left: at}
			err := read(query.New(of(cells), m))
			if cells.left > 0 {
				if err != nil {
					t.Errorf("%s: %v without a scan that fails", name, err)
				}
				if at == 1 {
					t.Fatalf("%s: nothing was scanned", name)
				}
				break
			}
			if !errors.Is(err, errScan) {
				t.Errorf("%s: %v where scan %d fails, want %v", name, err, at, errScan)
			}
		}
	}
}

var errScan = errors.New("a scan that fails")

// failing is cells of which one scan fails: that at which left becomes 0.
type failing struct {
	*memory
	left    int
	changes pebblerollup.Changes
}

func (f *failing) Changes() rollup.Changes { return &f.changes }

func (f *failing) Scan(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	if f.left--; f.left == 0 {
		return errScan
	}
	return f.memory.Scan(ctx, app, s, g, from, to, fn)
}

// Subscribe implements rollup.Tracker; what is added later cannot be told.
func (f *failing) Subscribe(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) (rollup.Subscription, error) {
	return nil, f.Scan(ctx, app, s, g, from, to, fn)
}

// single selects each key under its own name.
func single(keys ...string) []query.Selection {
	var out []query.Selection
	for _, k := range keys {
		out = append(out, query.Selection{Name: k, Keys: []string{k}})
	}
	return out
}

// The published units and the halves of rounding.
func TestSummaryTexts(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		seconds, before float64
		sessions        int
		total, avg      string
		change, trend   string
	}{
		{72, 0, 1, "1.2 min", "1.2 min", "NA", "u"},
		{3, 3, 1, "0.1 min", "0.1 min", "0%", "u"}, // 0.05 min
		{2.9, 0, 1, "0.0 min", "0.0 min", "NA", "u"},
		{21, 0, 1, "0.4 min", "0.4 min", "NA", "u"}, // 0.35 min
		{29160, 0, 1, "8.1 hours", "8.1 hours", "NA", "u"},
		{66240, 72000, 2, "18.4 hours", "9.2 hours", "-8%", "d"},
		{3599, 1e9, 1, "60.0 min", "60.0 min", "-100%", "d"},
		{3600, 0, 1, "1.0 hours", "1.0 hours", "NA", "u"},
		{86400, 0, 1, "1.0 days", "1.0 days", "NA", "u"},
		{86400 * 100, 86400 * 1000, 1, "0.3 years", "0.3 years", "-90%", "d"},
		{86400 * 167, 86400 * 163, 1, "0.5 years", "0.5 years", "2.5%", "u"},
		{1124, 1000, 1, "18.7 min", "18.7 min", "12.4%", "u"},
		{231, 1000, 1, "3.9 min", "3.9 min", "-76.9%", "d"},
		{99995, 100000, 1, "1.2 days", "1.2 days", "0%", "d"},
	} {
		m := newMemory(t, "UTC")
		for range c.sessions {
			m.begin(noon, 1, 1, nil)
		}
		m.duration(noon, c.seconds)
		if c.before > 0 {
			m.begin(noon.AddDate(0, 0, -1), 1, 1, nil)
			m.duration(noon.AddDate(0, 0, -1), c.before)
		}
		s, err := m.query().Summary(ctx, testApp, m.period(t, "today", noon))
		if err != nil {
			t.Fatal(err)
		}
		d := s.Dashboard
		got := []string{d.Time.Total, d.AvgTime.Total, d.Time.Change, d.Time.Trend}
		if diff := cmp.Diff([]string{c.total, c.avg, c.change, c.trend}, got); diff != "" {
			t.Errorf("%v s after %v s: -want +got\n%s", c.seconds, c.before, diff)
		}
	}
}

func TestTimesOfDay(t *testing.T) {
	m := newMemory(t, "UTC")
	s := rollup.Series{Metric: rollup.TimesOfDay, Dim: "[CLY]_session"}
	m.touch(noon, s, "0:23", 0, rollup.Cell{Count: 2})
	m.touch(noon.AddDate(-3, 0, 0), s, "0:23", 0, rollup.Cell{Count: 1})
	m.touch(noon, s, "6:0", 0, rollup.Cell{Count: 4})
	q := m.query()
	all, err := q.TimesOfDay(t.Context(), testApp, "[CLY]_session", nil)
	if err != nil {
		t.Fatal(err)
	}
	var want query.Week
	want[0][23], want[6][0] = 3, 4
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	may, err := q.TimesOfDay(t.Context(), testApp, "[CLY]_session", []period.Month{period.MonthOf(2031, 5), period.MonthOf(2031, 4)})
	if err != nil {
		t.Fatal(err)
	}
	want[0][23] = 2
	if diff := cmp.Diff(want, may); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	for code, want := range map[string]string{
		"ES": "Spain", "US": "United States", "GB": "United Kingdom", "TR": "Turkey", "XK": "Kosovo", "Unknown": "Unknown", "": "", "ZZ": "ZZ", "QQQ": "QQQ",
	} {
		if got := query.CountryName(code); got != want {
			t.Errorf("CountryName(%q) = %q, want %q", code, got, want)
		}
	}
	if got := query.DisplayName(rollup.Sources, "com&#46;shop&#46;app"); got != "com.shop.app" {
		t.Errorf("source = %q", got)
	}
	if got := query.DisplayName(rollup.Devices, "a:b"); got != "a:b" {
		t.Errorf("device = %q", got)
	}
}
