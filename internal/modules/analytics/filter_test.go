package analytics_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// everyRow is a filter that all rows meet.
const everyRow = `{"up.none":{"$exists":false}}`

// reads are all reads that take a filter, with their parameters.
var reads = func() []string {
	out := []string{
		"/o?method=users", "/o?method=locations&period=7days", "/o?method=sessions&action=refresh", "/o?method=countries", "/o?method=cities",
		"/o?method=total_users", "/o?method=total_users&metric=countries", "/o?method=events&event=buy", "/o?method=events&events=[\"buy\",\"sell\"]&period=month",
		"/o?method=events&event=buy&segmentation=what", "/o?method=top_events&limit=5", "/o?method=geodata", "/o?method=times-of-day&tod_type=[CLY]_session",
		"/o?method=times-of-day&tod_type=buy", "/o/analytics/dashboard?period=month", "/o/analytics/countries", "/o/analytics/sessions?step=hourly&period=7days",
		"/o/analytics/sessions?step=weekly&period=60days", "/o/analytics/metric?metric=platforms", "/o/analytics/tops", "/o/analytics/tops?metrics=[\"countries\",\"app_versions\"]",
		"/o/analytics/frequency", "/o/analytics/durations", "/o/analytics/events", "/o/analytics/events?event=buy&segmentation=what",
		"/o/analytics/events?event=sell&step=monthly&period=year", "/o/analytics/events/overview", "/o/analytics/events/top", "/o/analytics/compare", "/o/analytics/compare?of=events",
		"/o?method=views", "/o?method=views&action=getTable&period=month", "/o?method=views&action=getTotals", "/o?method=views&action=getTable&segment=color&segmentVal=red",
	}
	for _, method := range []string{"devices", "device_details", "app_versions", "carriers", "browser", "langs", "density"} {
		out = append(out, "/o?method="+method+"&period=60days")
	}
	return out
}()

// randomTraffic sends requests of some users over some weeks, across a change of the clocks.
// Depths of scrolling are eighths, whose sums are the same in each order.
func randomTraffic(t *testing.T, s *testkit.Server, key string) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	randomRequests(t, s, key, rand.New(rand.NewPCG(seed, 2)), time.Date(2030, 9, 25, 0, 0, 0, 0, time.UTC), 400) // not for secrets
}

// randomRequests sends n requests of some users from a moment on, and returns the moment of the last one.
func randomRequests(t *testing.T, s *testkit.Server, key string, r *rand.Rand, now time.Time, n int) time.Time {
	t.Helper()
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range n {
		now = now.Add(time.Duration(r.IntN(240)) * time.Minute)
		s.Clock().Set(now)
		pairs := []string{"app_key", key, "device_id", fmt.Sprintf("u%d", r.IntN(12)), "timestamp", fmt.Sprint(now.UnixMilli() - int64(r.IntN(3))*3_600_000)}
		if r.IntN(3) > 0 {
			pairs = append(pairs, "hour", fmt.Sprint(r.IntN(24)), "dow", fmt.Sprint(r.IntN(7)))
		}
		switch r.IntN(8) {
		case 0, 1, 2:
			pairs = append(pairs, "begin_session", "1", "metrics", fmt.Sprintf(`{"_os":%q,"_app_version":%q,"_carrier":%q,"_device":%q,"_browser":%q,"_locale":%q,"_density":%q}`,
				pick("iOS", "Android", ""), pick("1.0", "2"), pick("Blue", "Red"), pick("A", "B"), pick("X", "Y"), pick("de", "es"), pick("2x", "3x")), "country_code", pick("DE", "PE", ""))
		case 3:
			pairs = append(pairs, "session_duration", fmt.Sprint(r.IntN(100)))
		case 4:
			pairs = append(pairs, "end_session", "1", "session_duration", fmt.Sprint(r.IntN(60)))
		case 5:
			pairs = append(pairs, "user_details", fmt.Sprintf(`{"custom":{"plan":%q}}`, pick("free", "pro")))
		case 6:
			pairs = append(pairs, "events", fmt.Sprintf(`[{"key":"[CLY]_view","count":1,"dur":%d,"segmentation":{"name":%q,"visit":1,"start":%d,"color":%q}},
				{"key":"[CLY]_action","count":1,"segmentation":{"type":"scroll","y":%d,"height":800,"width":10,"name":"home","view":"home"}}]`,
				r.IntN(40), pick("home", "shop"), r.IntN(2), pick("red", "blue"), r.IntN(1200)))
		default:
			pairs = append(pairs, "events", fmt.Sprintf(`[{"key":%q,"count":%d,"sum":%d,"dur":%d,"segmentation":{"what":%s,"list":["a","b"]}}]`,
				pick("buy", "sell"), 1+r.IntN(3), r.IntN(3), r.IntN(3), pick(`"tea"`, `"a.b"`, "1.5", "true")))
		}
		if got := s.Post("/i", pairs...); got.Status != 200 {
			t.Fatalf("refused: %d %s", got.Status, got.Body)
		}
	}
	s.Flush()
	return now
}

// TestWalkFilterOfAllRows compares what cells answer with what the same rows do.
func TestWalkFilterOfAllRows(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(time.Date(2030, 9, 25, 0, 0, 0, 0, time.UTC)))
	for _, zone := range []string{"Europe/Berlin", "Asia/Kolkata"} {
		app := s.CreateApp(zone, zone)
		s.Clock().Set(time.Date(2030, 9, 25, 0, 0, 0, 0, time.UTC))
		randomTraffic(t, s, app.Key)
		for _, read := range reads {
			path, query, _ := strings.Cut(read, "?")
			values, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			pairs := []string{"app_id", app.ID, "api_key", s.Key}
			for name, v := range values {
				pairs = append(pairs, name, v[0])
			}
			want, got := s.Get(path, pairs...), s.Get(path, append(pairs, "filter", everyRow)...)
			if want.Status != 200 || len(want.Body) < 3 {
				t.Errorf("%s: cells answer %d %s", read, want.Status, want.Body)
			}
			if got.Body != want.Body || got.Status != want.Status {
				t.Errorf("%s in %s:\nfrom rows  %d %s\nfrom cells %d %s", read, zone, got.Status, got.Body, want.Status, want.Body)
			}
		}
	}
}

// TestFilterRefused shows what no filter is.
func TestFilterRefused(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	app := s.CreateApp("shop", "UTC")
	for _, tt := range []struct{ filter, want string }{
		{"x", "Bad request parameter: filter"},
		{"[]", "Bad request parameter: filter"},
		{`{"up.p":`, "Bad request parameter: filter"},
		{`{"up.p":{"$where":"1"}}`, "$where"},
		{`{"up.lac":1}`, "Figures cannot be filtered by up.lac"},
		{`{"uid":"1"}`, "Figures cannot be filtered by uid"},
		{`{"sg.what":"tea"}`, "Figures of sessions cannot be filtered by sg.what"},
		{strings.Repeat(`{"$and":[`, 60) + `{"up.p":1}` + strings.Repeat("]}", 60), ""},
	} {
		got := s.Get("/o/analytics/sessions", "app_id", app.ID, "api_key", s.Key, "filter", tt.filter)
		if got.Status != 400 || !strings.Contains(got.Body, tt.want) {
			t.Errorf("%s: got %d %s", tt.filter, got.Status, got.Body)
		}
	}
	for _, read := range []string{"/o/analytics/sessions", "/o/analytics/dashboard"} {
		if got := s.Get(read, "app_id", app.ID, "api_key", s.Key, "filter", "{}"); got.Status != 200 {
			t.Errorf("%s: got %d %s", read, got.Status, got.Body)
		}
	}
}
