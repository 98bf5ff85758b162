package whole_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// TestLongCourse has one user do more than is held of a user in order: the cohort is calculated on schedule from then on, whether the rows come while it is live or
// were there before.
func TestLongCourse(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	const steps = `[{"type":"did","event":"see","period":"7days"},{"type":"did","event":"buy","period":"7days","conj":"then","within":60}]`
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", steps)
	follows(t, s, a, id, true)
	at := start.Add(-time.Hour).UnixMilli()
	send := func(device string, from, n int) {
		var list []map[string]any
		for i := 0; i < n; i += 500 {
			var evs []string
			for j := range min(500, n-i) {
				evs = append(evs, fmt.Sprintf(`{"key":"see","timestamp":%d,"segmentation":{"nr":"%d"}}`, at+int64(from+i+j), from+i+j))
			}
			list = append(list, map[string]any{"app_key": a.Key, "device_id": device, "timestamp": at + int64(from+i), "events": "[" + strings.Join(evs, ",") + "]"})
		}
		text, err := json.Marshal(map[string]any{"requests": list})
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Do(http.MethodPost, "/i/bulk", bytes.NewReader(text), "Content-Type", "application/json"); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	for n := range 5 {
		send("long", n*10_000, 10_000)
	}
	s.Ingest(a, "short", "events", fmt.Sprintf(`[{"key":"see","timestamp":%d},{"key":"buy","timestamp":%d}]`, at, at+60_000))
	s.Flush()
	follows(t, s, a, id, true)
	send("long", 50_000, 1)
	s.Ingest(a, "long", "events", fmt.Sprintf(`[{"key":"buy","timestamp":%d}]`, at+100_000))
	s.Flush()
	s.Admin("/i/cohorts/recalculate", "app_id", a.ID, "cohort_id", id)
	follows(t, s, a, id, false)
	if got := get(s, a, id); got.Result != 2 {
		t.Errorf("%d members", got.Result)
	}
	again, _ := add(s, a, "cohort_name", "Others", "steps", strings.ReplaceAll(steps, "60", "61"))
	follows(t, s, a, again, false)
	if got := get(s, a, again); got.Result != 2 {
		t.Errorf("%d members of the other", got.Result)
	}
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || len(report.Differences) > 0 {
		t.Error(report.Differences, err)
	}
}

// follows waits until a cohort is live, or is calculated on schedule for the memory that it takes.
func follows(t *testing.T, s *testkit.Server, a testkit.TestApp, id string, live bool) {
	t.Helper()
	for range 2000 {
		var got struct {
			Live             bool
			State, Scheduled string
		}
		decode(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id), &got)
		if got.Live == live && got.State == "completed" && (live || got.Scheduled == "memory") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("cohort %s, live %v: %+v", id, live, get(s, a, id))
}
