package whole_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/query/sketch"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var seed = flag.Uint64("performance-seed", 0, "seed of the random traces; 0 = another each time")

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// trace is one that was sent.
type trace struct {
	user    string
	at      time.Time
	network bool
	name    string // of its group
	metrics map[string]float64
	version string
}

// limits of the measures that are rated, by id; codes are apart.
var limits = map[string][2]float64{
	"lcp": {2500, 4000}, "inp": {200, 500}, "cls": {0.1, 0.25}, "fcp": {1800, 3000}, "ttfb": {800, 1800},
	"slow_frames": {0, 0.5}, "frozen_frames": {0, 0.5},
}

// metricOf is what measures read, by id.
var metricOf = map[string]string{
	"lcp": "largest_contentful_paint", "inp": "interaction_to_next_paint", "cls": "cumulative_layout_shift", "fcp": "first_contentful_paint", "ttfb": "time_to_first_byte",
	"first_paint": "first_paint", "dom_interactive": "dom_interactive", "dom_content_loaded": "dom_content_loaded_event_end", "load_event": "load_event_end",
	"first_input_delay": "first_input_delay", "app_start": "duration", "foreground": "duration", "background": "duration", "trace_time": "duration",
	"slow_frames": "slow_rendering_frames", "frozen_frames": "frozen_frames",
	"response_time": "response_time", "response_size": "response_payload_size", "request_size": "request_payload_size", "response_code": "response_code",
}

// number is what a trace adds to a measure.
func (t *trace) number(id string) (float64, bool) {
	v, ok := t.metrics[metricOf[id]]
	network := strings.HasPrefix(id, "re")
	if !ok || network != t.network || v < 0 && id != "response_code" {
		return 0, false
	}
	switch id {
	case "app_start":
		ok = t.name == "app_start"
	case "foreground", "background":
		ok = t.name == "app_in_"+id
	case "trace_time":
		ok = t.name != "app_start" && t.name != "app_in_foreground" && t.name != "app_in_background"
	}
	return v, ok
}

// spread is what the API answers of numbers.
type spread struct {
	N     int      `json:"n"`
	U     int      `json:"u"`
	Avg   *float64 `json:"avg"`
	P50   *float64 `json:"p50"`
	P75   *float64 `json:"p75"`
	P90   *float64 `json:"p90"`
	P95   *float64 `json:"p95"`
	P99   *float64 `json:"p99"`
	Good  int      `json:"good"`
	Poor  int      `json:"poor"`
	PoorU int      `json:"poor_u"`
}

// want is the spread of the numbers of a measure in traces, by the definitions.
func want(id string, traces []trace) (s spread) {
	var all []float64
	users, poor := map[string]bool{}, map[string]bool{}
	sum := 0.0
	for i := range traces {
		v, ok := traces[i].number(id)
		if !ok {
			continue
		}
		all, sum = append(all, v), sum+v
		users[traces[i].user] = true
		l, rated := limits[id]
		good, bad := rated && v <= l[0], rated && v > l[1]
		if id == "response_code" {
			good = v >= 100 && v < 400
			bad = !good
		}
		if good {
			s.Good++
		}
		if bad {
			s.Poor++
			poor[traces[i].user] = true
		}
	}
	s.N, s.U, s.PoorU = len(all), len(users), len(poor)
	if s.N == 0 {
		return s
	}
	slices.Sort(all)
	avg := sum / float64(s.N)
	s.Avg = &avg
	for share, p := range map[float64]**float64{50: &s.P50, 75: &s.P75, 90: &s.P90, 95: &s.P95, 99: &s.P99} {
		*p = &all[max(0, int(math.Ceil(float64(s.N)*share/100-1e-9))-1)]
	}
	return s
}

// differs says in which figure got is not want; percentiles may be off by an error, relatively.
func differs(want, got spread, off float64, codes bool) string {
	a, b := fmt.Sprint(want.N, want.U, want.Good, want.Poor, want.PoorU), fmt.Sprint(got.N, got.U, got.Good, got.Poor, got.PoorU)
	if a != b {
		return fmt.Sprintf("counts %s, want %s", b, a)
	}
	for name, p := range map[string][3]any{"avg": {want.Avg, got.Avg, 1e-9}, "p50": {want.P50, got.P50, off}, "p75": {want.P75, got.P75, off}, "p90": {want.P90, got.P90, off}, "p95": {want.P95, got.P95, off}, "p99": {want.P99, got.P99, off}} {
		w, g := p[0].(*float64), p[1].(*float64)
		if name != "avg" && codes && off > 0 {
			if g != nil {
				return name + " of codes"
			}
			continue
		}
		if (w == nil) != (g == nil) {
			return fmt.Sprintf("%s is there: %v, want %v", name, g != nil, w != nil)
		}
		least := 0.0
		if off > 0 && name != "avg" {
			least = sketch.Least // smaller numbers count as 0
		}
		if w != nil && math.Abs(*w-*g) > math.Abs(*w)*(p[2].(float64)+1e-9)+least {
			return fmt.Sprintf("%s is %v, want %v", name, *g, *w)
		}
	}
	return ""
}

type overview struct {
	Source   string
	Error    float64
	Measures []struct {
		ID string
		spread
	}
}

func read[T any](t *testing.T, s *testkit.Server, path string, pairs ...string) (out T) {
	t.Helper()
	s.Flush()
	testkit.Decode(t, s.Admin(path, pairs...), &out)
	return out
}

// verified expects that cells are those of the rows.
func verified(t *testing.T, s *testkit.Server) {
	t.Helper()
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("verify: %v, %+v", err, report)
	}
}

// everything is a filter that selects all rows, which cells cannot answer.
const everything = `{"up.p":{"$ne":"none of these"}}`

// compare reads figures in every way there is and compares them with the model.
func compare(t *testing.T, s *testkit.Server, a testkit.TestApp, traces []trace) {
	t.Helper()
	for _, filter := range []string{"", everything} {
		o := read[overview](t, s, "/o/performance", "app_id", a.ID, "period", "30days", "filter", filter)
		if (o.Source == "cells") != (filter == "") || (o.Error > 0) != (filter == "") || len(o.Measures) != len(metricOf) {
			t.Errorf("filter %q: source %s, error %v, %d measures", filter, o.Source, o.Error, len(o.Measures))
		}
		for _, m := range o.Measures {
			if d := differs(want(m.ID, traces), m.spread, o.Error, m.ID == "response_code"); d != "" {
				t.Errorf("filter %q, %s: %s", filter, m.ID, d)
			}
		}
		for _, id := range []string{"lcp", "cls", "trace_time", "frozen_frames", "response_time", "response_code"} {
			for _, bucket := range []string{"day", "week", "hour"} {
				courses(t, s, a, traces, id, bucket, filter)
			}
		}
	}
	for _, id := range []string{"lcp", "trace_time", "response_time", "slow_frames"} {
		tables(t, s, a, traces, id)
	}
}

// courses compares the buckets of a measure. Hours come from rows.
func courses(t *testing.T, s *testkit.Server, a testkit.TestApp, traces []trace, id, bucket, filter string) {
	t.Helper()
	type course struct {
		Source  string
		Error   float64
		Buckets []struct {
			ID string `json:"_id"`
			spread
		}
	}
	got := read[course](t, s, "/o/performance/course", "app_id", a.ID, "period", "30days", "measure", id, "bucket", bucket, "filter", filter)
	if (got.Source == "cells") != (filter == "" && bucket != "hour") {
		t.Errorf("%s by %s: source %s", id, bucket, got.Source)
	}
	parts := map[string][]trace{}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range traces {
		at := tr.at.In(zone)
		key := at.Format("2006-1-2")
		switch bucket {
		case "week":
			year, week := at.ISOWeek()
			key = fmt.Sprintf("%d-w%d", year, week)
		case "hour":
			key = fmt.Sprintf("%s %d:00", at.Format("2006-1-2"), at.Hour())
		}
		parts[key] = append(parts[key], tr)
	}
	found := map[string]bool{}
	for _, b := range got.Buckets {
		found[b.ID] = true
		if d := differs(want(id, parts[b.ID]), b.spread, got.Error, id == "response_code"); d != "" {
			t.Errorf("%s in %s: %s", id, b.ID, d)
		}
	}
	for key, part := range parts {
		if w := want(id, part); (w.N > 0) != found[key] {
			t.Errorf("%s: bucket %s is there: %v, of %d numbers", id, key, found[key], w.N)
		}
	}
}

// tables compares the rows of a measure by name and by version.
func tables(t *testing.T, s *testkit.Server, a testkit.TestApp, traces []trace, id string) {
	t.Helper()
	for _, by := range []string{"name", "app_version"} {
		parts := map[string][]trace{}
		for _, tr := range traces {
			key := tr.name
			if by == "app_version" {
				key = tr.version
			}
			if _, ok := tr.number(id); ok {
				parts[key] = append(parts[key], tr)
			}
		}
		type table struct {
			Total int `json:"iTotalRecords"`
			Rows  []struct {
				Value *string
				spread
			} `json:"aaData"`
		}
		got := read[table](t, s, "/o/performance/table", "app_id", a.ID, "period", "30days", "measure", id, "by", by, "iDisplayLength", "1000")
		if got.Total != len(parts) || len(got.Rows) != len(parts) {
			t.Errorf("%s by %s: %d of %d rows, want %d", id, by, len(got.Rows), got.Total, len(parts))
		}
		last := math.MaxInt
		for _, r := range got.Rows {
			if r.Value == nil {
				t.Errorf("%s by %s: a row without a value", id, by)
				continue
			}
			if d := differs(want(id, parts[*r.Value]), r.spread, 0, false); d != "" {
				t.Errorf("%s by %s %q: %s", id, by, *r.Value, d)
			}
			if r.N > last {
				t.Errorf("%s by %s: %d behind %d", id, by, r.N, last)
			}
			last = r.N
		}
	}
}

// random makes the metrics of a trace.
func random(r *rand.Rand, network bool) map[string]float64 {
	out := map[string]float64{}
	for id, metric := range metricOf {
		if strings.HasPrefix(id, "re") != network || r.IntN(3) == 0 {
			continue
		}
		switch {
		case id == "response_code":
			out[metric] = []float64{200, 204, 301, 399, 400, 404, 500, 0, -998, 99, 100}[r.IntN(11)]
		case id == "cls":
			out[metric] = []float64{0, 0.0004, 0.1, 0.1001, 0.25, 0.26, r.Float64()}[r.IntN(7)]
		case r.IntN(20) == 0:
			out[metric] = []float64{0, -5, 1e9, 2500, 4000, 200, 500}[r.IntN(7)]
		case strings.HasSuffix(id, "frames"):
			out[metric] = float64(r.IntN(3))
		default:
			out[metric] = math.Round(math.Exp(r.NormFloat64()+6)*10) / 10
		}
	}
	return out
}

// TestModel sends random traces, merges users on the way, and compares all figures with a naive model.
func TestModel(t *testing.T) {
	t.Parallel()
	n := *seed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("-performance-seed %d", n)
	r := rand.New(rand.NewPCG(n, 1))
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "Europe/Berlin")
	names := map[bool][][2]string{
		false: {{"app_start", "app_start"}, {"app_in_foreground", "app_in_foreground"}, {"app_in_background", "app_in_background"}, {"$Cart", "Cart"}, {"shop.example/item/17?x=1", "shop.example/item/{id}"}, {"Load all", "Load all"}},
		true:  {{"https://api.example/v1/items/1", "api.example/v1/items/{id}"}, {"api.example/v1/items/2?token=secret", "api.example/v1/items/{id}"}, {"ping", "ping"}},
	}
	var traces []trace
	merged := map[string]string{}
	versions := map[string]string{}
	for i := range 400 {
		user := fmt.Sprintf("u%d", r.IntN(12))
		if _, gone := merged[user]; gone {
			continue
		}
		begin := func(user string) {
			versions[user] = fmt.Sprintf("%d:%d", 1+r.IntN(2), r.IntN(3))
			s.Ingest(a, user, "begin_session", "1", "metrics", fmt.Sprintf(`{"_app_version":%q,"_os":"Android"}`, strings.ReplaceAll(versions[user], ":", ".")), "timestamp", fmt.Sprint(start.Add(-40*time.Hour*24).UnixMilli()+int64(i)*2))
		}
		if versions[user] == "" || r.IntN(20) == 0 {
			begin(user)
		}
		if i%97 == 96 {
			s.Flush()
			into := fmt.Sprintf("u%d", r.IntN(12))
			if _, gone := merged[into]; into != user && !gone && versions[into] != "" {
				s.Ingest(a, into, "old_device_id", user)
				begin(into) // which version a merged user has is not of interest here
				merged[user] = into
				for j := range traces {
					if traces[j].user == user {
						traces[j].user = into
					}
				}
			}
			continue
		}
		tr := trace{user: user, network: r.IntN(2) == 0, at: start.Add(-time.Duration(r.IntN(20*24*60)) * time.Minute).Add(-time.Duration(i) * time.Millisecond), version: versions[user]}
		tr.metrics = random(r, tr.network)
		name := names[tr.network][r.IntN(len(names[tr.network]))]
		tr.name = name[1]
		kind := "device"
		if tr.network {
			kind = "network"
		}
		metrics, err := json.Marshal(tr.metrics)
		if err != nil {
			t.Fatal(err)
		}
		s.Ingest(a, user, "apm", fmt.Sprintf(`{"type":%q,"name":%q,"apm_metrics":%s,"stz":1,"etz":2}`, kind, name[0], metrics), "timestamp", fmt.Sprint(tr.at.UnixMilli()))
		traces = append(traces, tr)
	}
	s.Flush()
	compare(t, s, a, traces)
	verified(t, s)
	s.Admin("/i/apps/update", "args", fmt.Sprintf(`{"app_id":%q,"timezone":"Asia/Kathmandu"}`, a.ID)) // cells are rebuilt
	s.Flush()
	verified(t, s)
	s.Admin("/i/apps/update", "args", fmt.Sprintf(`{"app_id":%q,"timezone":"Europe/Berlin"}`, a.ID))
	s.Flush()
	compare(t, s, a, traces)
	verified(t, s)
}
