package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/store/events/plan"
)

// TestQueryTimeByOperator has a series of each operator from the start, and counts the reads of questions by their own.
func TestQueryTimeByOperator(t *testing.T) {
	r := newRig(t, func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }, app.Process{})
	count := func(o plan.Operator) string {
		t.Helper()
		w := newRecorder()
		r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
		found := regexp.MustCompile(`quipu_query_seconds_count\{operator="` + string(o) + `"\} (\d+)`).FindStringSubmatch(w.Body.String())
		if found == nil {
			t.Fatalf("no series of %s", o)
		}
		return found[1]
	}
	for _, o := range plan.Operators() {
		if got := count(o); got != "0" {
			t.Errorf("%s at the start: %s", o, got)
		}
	}
	if !r.send(1) {
		t.Fatal("not acknowledged")
	}
	r.expect(1)
	_, made, _ := r.get("/i/funnels/add", "funnel_name", "f", "steps", `["e","f"]`, "queries", "[{},{}]", "queryTexts", `["",""]`, "funnel_type", "session-independent")
	funnel, _, _ := strings.Cut(made[strings.Index(made, `"result":"`)+10:], `"`)
	for o, ask := range map[plan.Operator][]string{
		plan.DrillOperator:     {"method", "segmentation", "event", "e", "period", "today", "bucket", "daily", "queryObject", `{"up.av":"1"}`},
		plan.FunnelOperator:    {"method", "funnel", "funnel", funnel, "period", "7days"},
		plan.RetentionOperator: {"method", "retention", "period", "adaily", "query", `{"up.av":"1"}`},
	} {
		status, body, _ := r.get("/o", ask...)
		if got := count(o); got == "0" || status != http.StatusOK {
			t.Errorf("%s is not counted after %v: %d %s", o, ask, status, body)
		}
	}
}
