package wiretest_test

import (
	"math"
	"testing"
)

// TestHostileNumbers sends numbers beyond their bounds. Every read of what they are counted in
// answers with numbers, and the outcomes count them beside what was accepted.
func TestHostileNumbers(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	const huge = `[{"key":"buy","count":1e300,"sum":1e308,"dur":1e308,"segmentation":{"plan":"x","n":1e999}},{"key":"[CLY]_view","segmentation":{"name":"home","view":"/","visit":1,"start":1,"dur":1e308}},
		{"key":"[CLY]_action","segmentation":{"type":"click","view":"/","x":"Infinity","y":"NaN","width":"-inf","height":"1e400","domain":"d"}},
		{"key":"[CLY]_action","segmentation":{"type":"scroll","view":"/","y":1e308,"height":1e-300}}]`
	for _, device := range []string{"d1", "d2", "d3"} {
		s.Ingest(a, device, "timestamp", noonMS, "begin_session", "1", "session_duration", "1e308", "events", huge, "user_details", `{"custom":{"n":{"$mul":1e308},"m":1e400}}`)
	}
	s.Ingest(a, "d1", "timestamp", noonMS, "user_details", `{"custom":{"m":{"$mul":1e308}}}`, "events", `[{"key":"fine"}]`)
	s.Flush()
	read := func(path string, pairs ...string) string {
		t.Helper()
		got := s.Get(path, append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...)
		if got.Status != 200 {
			t.Fatalf("%s %q: %d %.300s", path, pairs, got.Status, got.Body)
		}
		finite(t, path, value(t, got.Body))
		return got.Body
	}
	for _, segmentation := range []string{"", "plan", "n"} {
		doc := read("/o", "method", "events", "event", "buy", "segmentation", segmentation)
		if segmentation == "" {
			part(t, "sum", doc, `3e15`, "2031", "5", "14", "s")
			part(t, "count", doc, `3e9`, "2031", "5", "14", "c")
		}
	}
	for _, name := range []string{"get_events", "users", "top_events", "total_users", "user_details"} {
		read("/o", "method", name, "did", "d1", "period", "month")
	}
	read("/o", "method", "events", "events", `["buy","fine"]`, "period", "month")
	read("/o/analytics/dashboard")
	read("/o/analytics/events", "event", "buy", "period", "30days")
	read("/o/analytics/events", "events", `["buy"]`, "period", "today")
	for _, action := range []string{"getTable", "getTotals", "listNames"} {
		read("/o", "method", "views", "action", action, "period", "30days")
	}
	for _, kind := range []string{"click", "scroll"} {
		read("/o/actions", "view", "/", "actionType", kind, "period", "30days")
	}
	read("/o/explore/properties")
	outcomes := read("/o/ingest/outcomes")
	part(t, "accepted events", outcomes, `13`, "totals", "event", "accepted")
	part(t, "clamped events", outcomes, `9`, "clamped", "event")
	part(t, "clamped requests", outcomes, `4`, "clamped", "request")
	part(t, "and nothing of it among the outcomes", outcomes, `{"accepted":13}`, "totals", "event")
}

// finite fails the test where a JSON value holds a number that no sum of bounded ones can be.
func finite(t *testing.T, what string, v any) {
	t.Helper()
	switch v := v.(type) {
	case float64:
		if math.Abs(v) > 1e101 {
			t.Errorf("%s: %v", what, v)
		}
	case []any:
		for _, e := range v {
			finite(t, what, e)
		}
	case map[string]any:
		for _, e := range v {
			finite(t, what, e)
		}
	}
}
