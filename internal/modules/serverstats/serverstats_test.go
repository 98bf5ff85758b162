package serverstats_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC) // a Wednesday

func points(t *testing.T, body string) map[string]map[string]float64 {
	t.Helper()
	var m map[string]map[string]float64
	testkit.Decode(t, body, &m)
	for name, p := range m {
		if len(p) != 17 {
			t.Errorf("%s has %d counters, want 17: %v", name, len(p), p)
		}
		for k, v := range p { // what counts
			if v == 0 {
				delete(p, k)
			}
		}
	}
	return m
}

func TestDataPoints(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	read := func(pairs ...string) map[string]map[string]float64 {
		t.Helper()
		return points(t, s.Admin("/o/server-stats/data-points", pairs...))
	}
	if got, want := read("period", "30days"), map[string]map[string]float64{"all-apps": {}}; !cmp.Equal(got, want) {
		t.Errorf("no data: %v, want %v", got, want)
	}
	a, b := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "Asia/Kolkata")
	s.Ingest(a, "d", "begin_session", "1", "consent", `{"x":true}`, "events", `[
		{"key":"buy","count":5},{"key":"[CLY]_view","segmentation":{"name":"home","visit":1}},
		{"key":"[CLY]_view","segmentation":{"name":"home","dur":3}},{"key":"[CLY]_nps","segmentation":{"widget_id":"w"}},
		{"key":"[CLY]_orientation","segmentation":{"mode":"portrait"}},{"key":"[CLY]_unknown"},{"key":"[CLY]_push_action"}]`)
	s.Ingest(a, "d", "crash", `{"_error":"x"}`, "events", `[{"key":"buy","count":0}]`)
	s.Ingest(a, "d", "apm", `{"type":"device","name":"app_start","apm_metrics":{"duration":350}}`)
	s.Ingest(a, "d", "apm", `{"type":"network","name":"https://x.example/a","apm_metrics":{"response_time":120}}`)
	s.Ingest(a, "d", "events", `[{"key":"old"}]`, "timestamp", fmt.Sprint(start.AddDate(0, 0, -35).Unix()))
	s.Ingest(b, "e", "begin_session", "1", "events", `[{"key":"buy"}]`)
	s.Flush()
	wantA := map[string]float64{"events": 8, "sessions": 1, "dp": 9, "change": 8, "apm": 2, "custom": 1, "views": 1, "nps": 1, "push": 1, "crash": 1, "cs": 1}
	wantB := map[string]float64{"events": 1, "sessions": 1, "dp": 2, "change": 2, "custom": 1}
	all := map[string]float64{"events": 9, "sessions": 2, "dp": 11, "change": 10, "apm": 2, "custom": 2, "views": 1, "nps": 1, "push": 1, "crash": 1, "cs": 1}
	if d := cmp.Diff(map[string]map[string]float64{"all-apps": all, a.ID: wantA, b.ID: wantB}, read()); d != "" {
		t.Errorf("30 days (-want +got):\n%s", d)
	}
	if got := read("period", fmt.Sprint(start.AddDate(0, 0, -40).UnixMilli()), "selected_app", a.ID); got[a.ID]["dp"] != 10 || len(got) != 2 {
		t.Errorf("since a moment: %v, want 10 data points of the app", got)
	}
	if got, want := s.Admin("/o/server-stats/top"), fmt.Sprintf(`[{"a":"%s","v":9},{"a":"%s","v":2}]`, a.ID, b.ID); got != want {
		t.Errorf("top %s, want %s", got, want)
	}

	s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@example.org","password":"Very-secret-9","permission":{"_":{"a":[],"u":[["`+b.ID+`"]]}}}`)
	member := s.APIKey("b", "Very-secret-9")
	if d := cmp.Diff(map[string]map[string]float64{b.ID: wantB}, points(t, s.Get("/o/server-stats/data-points", "api_key", member).Body)); d != "" {
		t.Errorf("a member's own (-want +got):\n%s", d)
	}
	s.Admin("/i/users/create", "args", `{"full_name":"C","username":"c","email":"c@example.org","password":"Very-secret-9"}`)
	r := s.Get("/o/server-stats/data-points", "api_key", s.APIKey("c", "Very-secret-9"))
	if r.Status != http.StatusUnauthorized || r.Body != `{"result":"User does not have apps"}` {
		t.Errorf("without apps: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/o/server-stats/data-points", "api_key", s.Key, "period", "sometimes"); r.Status != http.StatusBadRequest {
		t.Errorf("bad period: %d %s", r.Status, r.Body)
	}
}

func TestPunchCard(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Asia/Kolkata") // 15:00 there
	s.Ingest(a, "d", "begin_session", "1", "events", `[{"key":"buy"},{"key":"[CLY]_push_action"}]`)
	s.Ingest(a, "d", "events", `[{"key":"buy"}]`, "timestamp", fmt.Sprint(start.AddDate(0, 0, -7).Unix()))
	s.Flush()
	read := func(pairs ...string) (cells [][]any, days int, labels []string) {
		t.Helper()
		var card struct {
			Data     [][]any  `json:"data"`
			DayCount int      `json:"dayCount"`
			Labels   []string `json:"labels"`
		}
		testkit.Decode(t, s.Admin("/o/server-stats/punch-card", pairs...), &card)
		return card.Data, card.DayCount, card.Labels
	}
	for name, pairs := range map[string][]string{"all": {"period", "14days"}, "one app": {"period", "14days", "selected_app", a.ID}} {
		cells, days, labels := read(pairs...)
		if days != 14 || len(labels) != 14 || labels[13] != "2031.5.14" || len(cells) != 168 {
			t.Fatalf("%s: %d days, labels %v, %d cells", name, days, labels, len(cells))
		}
		for _, c := range cells {
			sum := c[2].(float64)
			if at := fmt.Sprint(c[0], " ", c[1]); at != "15 3" {
				if sum != 0 {
					t.Errorf("%s: %v data points at %s", name, sum, at)
				}
				continue
			}
			got, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			if want := `[15,3,4,{"avg":2,"cn":2,"e":3,"max":3,"min":1,"p":1,"s":1,"sum":4}]`; string(got) != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
	now := start.UnixMilli()
	if _, days, _ := read("period", fmt.Sprintf("[%d,%d]", now-7*86_400_000, now)); days != 8 {
		t.Errorf("a range of 7 times 24 hours has %d days, want 8", days)
	}
}
