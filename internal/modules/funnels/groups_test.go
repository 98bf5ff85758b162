package funnels_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// shopping sends so many users of a plan who see, and those of them who pay a minute later; all begin at a moment (ms).
func shopping(s *testkit.Server, a testkit.TestApp, plan string, at int64, see, pay int) {
	for i := range see {
		list := fmt.Sprintf(`{"key":"see","count":1,"timestamp":%d,"segmentation":{"plan":%q}}`, at, plan)
		if i < pay {
			list += fmt.Sprintf(`,{"key":"pay","count":1,"timestamp":%d,"segmentation":{"plan":%q}}`, at+60_000, plan)
		}
		s.Ingest(a, fmt.Sprint(plan, at, i), "timestamp", fmt.Sprint(at+120_000), "events", "["+list+"]")
	}
}

type compared struct {
	Groups []struct {
		Value      any
		Other      bool
		Users      []int64
		Comparison *struct {
			Percent, PercentLow, PercentHigh          float64
			Difference, DifferenceLow, DifferenceHigh float64
			Odds, OddsLow, OddsHigh, P, Adjusted      float64
			Exact                                     bool
		}
	}
	Significance *struct {
		Step, Freedom int
		Base          string
		ChiSquared, P float64
		Rough         bool
		BaseMissing   bool
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-7*max(math.Abs(a), math.Abs(b)) }

// TestGroupsDiffer has figures of SciPy 1.17.1 and statsmodels 0.15.0 for free 5 of 60, pro 18 of 40 and team 3 of 4, each against all others:
// chi2_contingency and fisher_exact, corrected by multipletests(method="holm").
func TestGroupsDiffer(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	at := start.Add(-time.Hour).UnixMilli()
	shopping(s, a, "free", at, 60, 5)
	shopping(s, a, "pro", at, 40, 18)
	shopping(s, a, "team", at, 4, 3)
	s.Flush()
	id := add(t, s, a, "funnel_name", "Buy", "steps", `["see","pay"]`)
	read := func(pairs ...string) (out compared) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", append([]string{"method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days", "breakdown", "sg.plan"}, pairs...)...), &out)
		return out
	}
	got := read()
	if h := got.Significance; h == nil || h.Step != 1 || !h.Rough || h.Freedom != 2 || h.ChiSquared != 22.7556 || !near(h.P, 1.1447058302583006e-05) {
		t.Errorf("%+v", h)
	}
	for i, want := range []struct {
		value                string
		p, adjusted          float64
		exact                bool
		percent, difference  float64
		low, high            float64
		odds, oddsLo, oddsHi float64
	}{
		{"free", 4.568683288214828e-06, 1.3706049864644485e-05, false, 8.33, -39.39, -54.49, -22.36, 0.0996, 0.0335, 0.2961},
		{"pro", 0.00019624847733694763, 0.00039249695467389527, false, 45.0, 32.5, 14.9, 48.82, 5.7273, 2.1757, 15.0763},
		{"team", 0.04735624904580692, 0.04735624904580692, true, 75.0, 52.0, 6.14, 73.66, 10.0435, 0.9963, 101.2426},
	} {
		g := got.Groups[i]
		c := g.Comparison
		if g.Value != want.value || c == nil || !near(c.P, want.p) || !near(c.Adjusted, want.adjusted) || c.Exact != want.exact || c.Percent != want.percent || c.Difference != want.difference ||
			c.DifferenceLow != want.low || c.DifferenceHigh != want.high || c.Odds != want.odds || c.OddsLow != want.oddsLo || c.OddsHigh != want.oddsHi {
			t.Errorf("%v: %+v, want %+v", g.Value, c, want)
		}
	}
	got = read("breakdown_base", "free")
	if got.Groups[0].Comparison != nil || got.Groups[1].Comparison == nil || !near(got.Groups[1].Comparison.P, 1.968569884065264e-05) || got.Groups[1].Comparison.Difference != 36.67 || got.Significance.Base != "free" {
		t.Errorf("against free: %+v", got)
	}
	got = read("breakdown_limit", "1") // the others are one group, which is not compared
	if len(got.Groups) != 2 || !got.Groups[1].Other || got.Groups[1].Comparison != nil || got.Groups[0].Comparison == nil || got.Groups[0].Comparison.Adjusted != got.Groups[0].Comparison.P || got.Significance.Freedom != 1 || got.Significance.Rough {
		t.Errorf("one group: %+v", got)
	}
	for name, pairs := range map[string][]string{
		"by the last step":           {"breakdown_step", "last"},
		"by a step that all have":    {"breakdown_step", "2"},
		"of one group":               {"filter", `{"sg.plan":"pro"}`},
		"of users who there are not": {"filter", `{"sg.plan":"none"}`},
	} {
		if got := read(pairs...); got.Significance != nil || len(got.Groups) > 0 && got.Groups[0].Comparison != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := read("breakdown_base", "never"); got.Significance == nil || !got.Significance.BaseMissing || got.Groups[0].Comparison != nil {
		t.Errorf("against a value that there is not: %+v", got)
	}
}

type trended struct {
	Trend []struct {
		ID      string `json:"_id"`
		Users   []int64
		Success int64   `json:"success_users"`
		Rate    float64 `json:"success_rate"`
		Open    bool
	}
}

// TestTrend counts each user on the day on which the attempt begins that counts, in the zone of the app.
func TestTrend(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	day := start.Add(-3 * 24 * time.Hour).UnixMilli()
	shopping(s, a, "free", day, 3, 1)
	shopping(s, a, "pro", day+24*3600_000, 2, 2)
	late := time.Date(2031, 5, 13, 22, 30, 0, 0, time.UTC) // the 14th in Berlin
	shopping(s, a, "team", late.UnixMilli(), 1, 0)
	s.Flush()
	id := add(t, s, a, "funnel_name", "Buy", "steps", `["see","pay"]`, "options", `{"window":86400}`)
	read := func(trend, period string, more ...string) (out []string) {
		t.Helper()
		var got trended
		testkit.Decode(t, s.Admin("/o", append([]string{"method", "funnel", "app_id", a.ID, "funnel", id, "period", period, "trend", trend}, more...)...), &got)
		for _, r := range got.Trend {
			if r.Users[0] > 0 || trend != "hour" && r.Open {
				out = append(out, fmt.Sprint(r.ID, " ", r.Users, " ", r.Success, " ", r.Rate, " ", r.Open))
			}
		}
		return out
	}
	for trend, want := range map[string][]string{
		"day":   {"2031-5-11 [3 1] 1 33.33 false", "2031-5-12 [2 2] 2 100 false", "2031-5-13 [0 0] 0 0 true", "2031-5-14 [1 0] 0 0 true"},
		"hour":  {"2031-5-11 11:00 [3 1] 1 33.33 false", "2031-5-12 11:00 [2 2] 2 100 false", "2031-5-14 0:00 [1 0] 0 0 true"},
		"week":  {"2031-w19 [3 1] 1 33.33 false", "2031-w20 [3 2] 2 66.67 true"},
		"month": {"2031-5 [6 3] 3 50 true"},
	} {
		if diff := cmp.Diff(read(trend, "[\"2031-05-11\",\"2031-05-14\"]"), want); diff != "" {
			t.Errorf("by %s (-got +want):\n%s", trend, diff)
		}
	}
	for zone, want := range map[string][]string{
		"UTC":              {"2031-5-11 [3 1] 1 33.33 false", "2031-5-12 [2 2] 2 100 false", "2031-5-13 [1 0] 0 0 true", "2031-5-14 [0 0] 0 0 true"},
		"-11:00":           {"2031-5-10 [3 1] 1 33.33 false", "2031-5-11 [2 2] 2 100 false", "2031-5-12 [0 0] 0 0 true", "2031-5-13 [1 0] 0 0 true"},
		"Pacific/Honolulu": {"2031-5-10 [3 1] 1 33.33 false", "2031-5-11 [2 2] 2 100 false", "2031-5-12 [0 0] 0 0 true", "2031-5-13 [1 0] 0 0 true"},
	} {
		if diff := cmp.Diff(read("day", "[\"2031-05-10\",\"2031-05-14\"]", "timezone", zone), want); diff != "" {
			t.Errorf("in %s (-got +want):\n%s", zone, diff)
		}
	}
	if r := s.Get("/o", "api_key", s.Key, "method", "funnel", "app_id", a.ID, "funnel", id, "timezone", "Moon/Base"); r.Status != 200 || r.Header.Get("Quipu-Warning") == "" {
		t.Errorf("a zone that is none: %d, %v", r.Status, r.Header)
	}
	var none trended
	if testkit.Decode(t, s.Admin("/o", "method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"), &none); none.Trend != nil {
		t.Errorf("without trend: %+v", none)
	}
}
