package wiretest_test

import (
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// TestUsersDocument is the document of wire.md 1.1: one user, one session of
// 45 s begun at nine.
func TestUsersDocument(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	docs := []string{"users", "sessions", "locations", "countries", "devices", "carriers", "device_details", "app_versions", "cities", "browser", "density", "langs", "sources", "sdks"}
	empty := func(when string) {
		t.Helper()
		for _, name := range docs {
			bytes(t, name+" "+when, s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", name), 200, `{}`)
		}
		bytes(t, "total_users "+when, s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "total_users"), 200, `[]`)
	}
	empty("of an empty app")
	s.Ingest(a, "Y", "timestamp", "1936515500000", "events", `[{"key":"E"}]`, "metrics", `{"_os":"Android"}`)
	s.Flush()
	empty("of requests without a session")
	part(t, "the profile is there", method(s, a, "user_details"), `1`, "iTotalRecords")

	b := s.CreateApp("B", "UTC")
	s.Ingest(b, "X", "timestamp", "1936515600000", "begin_session", "1")
	s.Ingest(b, "X", "timestamp", "1936515630000", "session_duration", "30")
	s.Ingest(b, "X", "timestamp", "1936515645000", "session_duration", "15", "end_session", "1")
	s.Flush()
	whole := `{"2031":{"5":{"14":{
		"9":{"e":3,"t":1,"n":1,"u":1,"d":45},
		"e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1}},
		"e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1}},
		"e":3,"t":1,"n":1,"u":1,"d":45,"f":{"0":1},"ds":{"2":1},"Unknown":{"t":1,"n":1,"u":1},
		"w20":{"u":1,"f":{"0":1},"ds":{"2":1},"Unknown":{"u":1}}},
		"meta":{"countries":["Unknown"],"f-ranges":["0"],"d-ranges":["2"]}}`
	for _, name := range []string{"users", "sessions", "locations", "countries"} {
		sameJSON(t, name, method(s, b, name), whole)
	}
	sameJSON(t, "total_users", method(s, b, "total_users"), `[{"_id":"users","u":1,"pu":0}]`)
	sameJSON(t, "carriers", method(s, b, "carriers"), `{"2031":{"5":{"14":{"Unknown":{"n":1,"t":1,"u":1}},"Unknown":{"n":1,"t":1,"u":1}},"Unknown":{"n":1,"t":1,"u":1},"w20":{"Unknown":{"u":1}}},"meta":{"carriers":["Unknown"]}}`)
	bytes(t, "devices that nobody told", s.Get("/o", "api_key", s.Key, "app_id", b.ID, "method", "devices"), 200, `{}`)
	refresh := method(s, b, "users", "action", "refresh")
	part(t, "refresh", refresh, `3`, "2031", "5", "14", "e")
	part(t, "refresh has hours", refresh, `{"e":3,"t":1,"n":1,"u":1,"d":45}`, "2031", "5", "14", "9")
	part(t, "refresh has meta", refresh, `["Unknown"]`, "meta", "countries")
	sameJSON(t, "get_period_obj", method(s, b, "get_period_obj", "period", "7days"), `{"start":1935964800000,"end":1936569599999,"daysInPeriod":7,"periodContainsToday":true,
		"currentPeriodArr":["2031.5.8","2031.5.9","2031.5.10","2031.5.11","2031.5.12","2031.5.13","2031.5.14"]}`)
}

// TestSessionCounters is the example of wire.md 5.2, and its neighbours.
func TestSessionCounters(t *testing.T) { //nolint:tparallel // the subtests share one server, in order
	t.Parallel()
	s := server(t)
	clock := noon.UnixMilli()
	at := func() string { clock++; return strconv.FormatInt(clock, 10) }
	day := func(a testkit.TestApp) string {
		s.Flush()
		return method(s, a, "users")
	}
	counters := func(t *testing.T, a testkit.TestApp, want string) {
		t.Helper()
		got, _ := dig(t, day(a), "2031", "5", "14").(map[string]any)
		delete(got, "12")
		delete(got, "Unknown")
		sameJSON(t, "the day", text(t, got), want)
	}
	ingest := func(a testkit.TestApp, device string, pairs ...string) {
		s.Ingest(a, device, append([]string{"timestamp", at()}, pairs...)...)
	}
	t.Run("the example", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1")
		ingest(a, "X", "session_duration", "20")
		ingest(a, "X", "end_session", "1")
		ingest(a, "Y")
		ingest(a, "Y", "begin_session", "1")
		ingest(a, "Y", "begin_session", "1")
		counters(t, a, `{"t":3,"n":2,"u":2,"e":6,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1}}`)
	})
	t.Run("a bare request shows up with the first session", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X")
		s.Flush()
		bytes(t, "before", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "users"), 200, `{}`)
		ingest(a, "X", "begin_session", "1")
		counters(t, a, `{"e":2,"t":1,"n":1,"u":1,"f":{"0":1}}`)
	})
	t.Run("an end of nobody changes nothing", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1")
		ingest(a, "never seen", "end_session", "1")
		counters(t, a, `{"e":1,"t":1,"n":1,"u":1,"f":{"0":1}}`)
	})
	t.Run("duration after the end", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1")
		ingest(a, "X", "end_session", "1", "session_duration", "11")
		ingest(a, "X", "session_duration", "7")
		counters(t, a, `{"e":3,"t":1,"n":1,"u":1,"d":18,"f":{"0":1},"ds":{"1":1}}`)
	})
	t.Run("cooldown", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1")
		ingest(a, "X", "end_session", "1", "session_duration", "5")
		ingest(a, "X", "begin_session", "1")
		counters(t, a, `{"e":3,"t":1,"n":1,"u":1,"d":5,"f":{"0":1},"ds":{"0":1}}`)
		ingest(a, "X", "end_session", "1", "session_duration", "10")
		counters(t, a, `{"e":4,"t":1,"n":1,"u":1,"d":15,"f":{"0":1},"ds":{"1":1}}`)
		ingest(a, "X", "begin_session", "1", "ignore_cooldown", "true")
		counters(t, a, `{"e":5,"t":2,"n":1,"u":1,"d":15,"f":{"0":1,"1":1},"ds":{"1":1}}`)
	})
	t.Run("bounds of the lengths", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		for i, seconds := range []string{"0", "10", "11", "30", "31", "60", "61"} {
			device := "D" + strconv.Itoa(i)
			ingest(a, device, "begin_session", "1")
			ingest(a, device, "end_session", "1", "session_duration", seconds)
		}
		part(t, "lengths", day(a), `{"0":2,"1":2,"2":2,"3":1}`, "2031", "5", "14", "ds")
	})
	t.Run("odd durations", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1")
		for _, seconds := range []string{"-5", "x", "", "NaN", "[1]", "1e400"} {
			ingest(a, "X", "session_duration", seconds)
		}
		ingest(a, "X", "session_duration", "100000")
		part(t, "cut to the cap", day(a), `120`, "2031", "5", "14", "d")
	})
	t.Run("times of ten and thirteen digits, out of order, in bulk", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		done(t, "bulk", s.Post("/i/bulk", "app_key", a.Key, "requests", `[
			{"device_id":"X","begin_session":1,"timestamp":1936519200},
			{"device_id":"X","end_session":1,"session_duration":40,"timestamp":1936519300000},
			null,0,false,{"begin_session":1},{"device_id":"","begin_session":1},{"device_id":"Z","app_key":{"$ne":1},"begin_session":1},
			{"device_id":"Y","begin_session":true,"timestamp":"1936440000","metrics":{"_os":"iOS"},"events":"[{\"key\":\"E\"}]"}]`))
		doc := day(a)
		part(t, "the tenth hour", doc, `{"e":2,"t":1,"n":1,"u":1,"d":40}`, "2031", "5", "14", "10")
		part(t, "the day before", doc, `1`, "2031", "5", "13", "t")
		part(t, "the month", doc, `2`, "2031", "5", "u")
		part(t, "its metrics", method(s, a, "device_details"), `{"n":1,"t":1,"u":1}`, "2031", "5", "13", "iOS")
	})
	t.Run("tolerated", func(t *testing.T) {
		a := s.CreateApp("A", "UTC")
		ingest(a, "X", "begin_session", "1", "metrics", `["users"]`, "events", `["[CLY]_session"]`)
		ingest(a, "X", "events", `{`, "metrics", `"x"`, "user_details", `[1]`, "consent", `5`, "crash", `x`, "apm", `[]`)
		counters(t, a, `{"e":2,"t":1,"n":1,"u":1,"f":{"0":1}}`)
	})
}

// TestMetricDocuments is the table of wire.md 1.2.
func TestMetricDocuments(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	s.Ingest(a, "d", "timestamp", noonMS, "begin_session", "1", "sdk_name", "web", "sdk_version", "24.4.1", "metrics", text(t, map[string]string{
		"_device": "Pixel 9", "_carrier": "metro pcs", "_os": "Android", "_os_version": "14.1", "_resolution": "1080x2400", "_app_version": "3.4.1",
		"_density": "420dpi", "_locale": "pt_BR", "_store": "com.shop.app", "_browser": "Chrome", "_browser_version": "121.0",
	}))
	s.Flush()
	for name, want := range map[string]string{
		"devices":        `{"devices":["Pixel 9"]}`,
		"carriers":       `{"carriers":["Metro Pcs"]}`,
		"device_details": `{"os":["Android"],"os_versions":["a14:1"],"resolutions":["1080x2400"],"app_versions":["3:4:1"]}`,
		"app_versions":   `{"os":["Android"],"os_versions":["a14:1"],"resolutions":["1080x2400"],"app_versions":["3:4:1"]}`,
		"cities":         `{"cities":["Unknown"]}`,
		"browser":        `{"browser":["Chrome"],"browser_version":["[Chrome]_121:0"]}`,
		"density":        `{"density":["420dpi"]}`,
		"langs":          `{"langs":["pt"]}`,
		"sources":        `{"sources":["com&#46;shop&#46;app"]}`,
		"sdks":           `{"sdks":["[web]_24:4:1"]}`,
	} {
		doc := method(s, a, name)
		part(t, name, doc, want, "meta")
		list, _ := value(t, want).(map[string]any)
		for _, values := range list {
			for _, v := range values.([]any) {
				key, _ := v.(string)
				part(t, name+" under the day", doc, `{"n":1,"t":1,"u":1}`, "2031", "5", "14", key)
				part(t, name+" under the week", doc, `{"u":1}`, "2031", "w20", key)
			}
		}
	}
	for locale, want := range map[string]string{"zh_CN": "zh_hans", "zh-TW": "zh_hant", "EN-us": "en", "de": "de"} {
		b := s.CreateApp("B", "UTC")
		s.Ingest(b, "d", "timestamp", noonMS, "begin_session", "1", "metrics", `{"_locale":"`+locale+`"}`)
		s.Flush()
		part(t, locale, method(s, b, "langs"), `["`+want+`"]`, "meta", "langs")
	}
}

// TestDashboardFigures computes the examples of wire.md 3.1.
func TestDashboardFigures(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	clock := noon.UnixMilli()
	for _, r := range [][2]string{
		{"X", "begin_session=1"},
		{"X", "session_duration=90"},
		{"X", "begin_session=1"},
		{"X", "begin_session=1"},
		{"X", "begin_session=1"},
		{"Y", ""},
		{"Y", "x=1"},
	} {
		clock++
		name, v, _ := strings.Cut(r[1], "=")
		s.Ingest(a, r[0], "timestamp", strconv.FormatInt(clock, 10), name, v)
	}
	s.Flush()
	board := s.Admin("/o/analytics/dashboard", "app_id", a.ID)
	part(t, "users", board, `{"total":1,"change":"NA","trend":"u","is_estimate":false}`, "30days", "dashboard", "total_users")
	part(t, "time", board, `{"total":"1.5 min","change":"NA","trend":"u"}`, "30days", "dashboard", "total_time")
	part(t, "average time", board, `{"total":"0.4 min","change":"NA","trend":"u"}`, "30days", "dashboard", "avg_time")
	part(t, "average requests", board, `{"total":"7.0","change":"NA","trend":"u"}`, "30days", "dashboard", "avg_requests")
	part(t, "carriers", board, `[{"name":"Unknown","value":4,"percent":100}]`, "30days", "top", "carriers")
	part(t, "platforms", board, `[]`, "30days", "top", "platforms")
	for _, name := range []string{"30days", "7days", "today"} {
		part(t, name, board, `4`, name, "dashboard", "total_sessions", "total")
	}
	one := s.Admin("/o/analytics/dashboard", "app_id", a.ID, "period", "60days")
	part(t, "another period stands alone", one, `4`, "60days", "dashboard", "total_sessions", "total")
	part(t, "and nothing else", one, "", "30days")
	sameJSON(t, "loyalty", s.Admin("/o/analytics/loyalty", "app_id", a.ID), `[]`)
	sameJSON(t, "frequency", s.Admin("/o/analytics/frequency", "app_id", a.ID), `[{"f":"1","t":3,"percent":"75.0"},{"f":"0","t":1,"percent":"25.0"}]`)
	sameJSON(t, "an unknown metric", s.Admin("/o/analytics/metric", "app_id", a.ID, "metric", "nope"), `[]`)
	sameJSON(t, "bad metrics", s.Admin("/o/analytics/tops", "app_id", a.ID, "metrics", "{"), `{}`)
}
