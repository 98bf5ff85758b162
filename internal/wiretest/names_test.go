package wiretest_test

import (
	"net/http"
	"testing"

	"quipu/internal/testkit"
)

// TestNames gives names with control characters to everything that members keep under a name, when it is made and when it is changed: all of it
// refuses them with the same fault, and keeps a name of letters of any script.
func TestNames(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	s.Ingest(a, "d", "events", `[{"key":"see"},{"key":"buy"}]`)
	s.Flush()
	for what, tt := range map[string]struct {
		path  string
		pairs func(name string) []string
	}{
		"defined event": {"/i/defined_events/create", func(n string) []string { return []string{"name", n, "events", `["see"]`} }},
		"funnel": {"/i/funnels/add", func(n string) []string {
			return []string{"funnel_name", n, "steps", `["see","buy"]`, "queries", `[{},{}]`, "queryTexts", `["",""]`}
		}},
		"flow":  {"/i/flows/create", func(n string) []string { return []string{"name", n, "start", `{"event":"see"}`} }},
		"view":  {"/i/explore/views/save", func(n string) []string { return []string{"name", n, "page", "trends", "state", "a=1"} }},
		"query": {"/i/sql/save", func(n string) []string { return []string{"name", n, "sql", "SELECT 1"} }},
		"bookmark": {"/i/drill/add_bookmark", func(n string) []string {
			return []string{"event_key", "see", "name", n, "query_obj", "{}", "desc", "", "global", "false", "event_app_id", a.ID}
		}},
		"cohort": {"/i/cohorts/add", func(n string) []string {
			return []string{"cohort_name", n, "visibility", "global", "steps", `[{"type":"did","event":"see","period":"30days","times":{"$gte":1}}]`}
		}},
		"group of events": {"/i/event_groups/create", func(n string) []string {
			return []string{"args", text(t, map[string]any{"app_id": a.ID, "name": n, "source_events": []string{"see"}, "display_map": map[string]any{}, "status": true})}
		}},
		"formula": {"/i/calculated_metrics/save", func(n string) []string {
			return []string{"metric", text(t, map[string]any{
				"title": n, "key": "k", "visibility": "private", "format": "float", "dplaces": 2, "formula": `count("see")`,
			})}
		}},
		"preset": {"/i/date_presets/create", func(n string) []string {
			return []string{"name", n, "range", "[1,2]", "share_with", "none"}
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			ask := func(name string) testkit.Response {
				return s.Post(tt.path, append([]string{"api_key", s.Key, "app_id", a.ID}, tt.pairs(name)...)...)
			}
			for _, name := range []string{"a\x00b", "a\nb", "a\tb", "\u0085a\u0085a", "a\x7fb", "a\u2028b"} {
				if got := ask(name); got.Status != http.StatusBadRequest || got.Header.Get("Quipu-Error") != "request.bad_name" {
					t.Errorf("%q: %d %s %.200s", name, got.Status, got.Header.Get("Quipu-Error"), got.Body)
				}
			}
			if got := ask("Käufer – 購入者 👩‍👩‍👧"); got.Status != http.StatusOK {
				t.Errorf("a name: %d %.300s", got.Status, got.Body)
			}
		})
	}
}
