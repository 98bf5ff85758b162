package whole_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// member makes a member of an app who may read one feature.
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name string, features ...string) string {
	t.Helper()
	allowed := map[string]bool{}
	for _, f := range features {
		allowed[f] = true
	}
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "r": map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}}}
	args, err := json.Marshal(map[string]any{"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &p)
	return p.Key
}

// TestHostile sends traces that no SDK sends, and looks that each has one outcome and that figures are those of the others.
func TestHostile(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	send := func(apm string, pairs ...string) {
		s.Ingest(a, "d", append([]string{"apm", apm, "timestamp", fmt.Sprint(start.Add(-time.Hour).UnixMilli())}, pairs...)...)
	}
	accepted := []string{
		`{"type":"device","name":"ok","apm_metrics":{"largest_contentful_paint":100}}`,
		`{"type":"device","name":"a\u0000b","apm_metrics":{"largest_contentful_paint":100,"a\u0000":1}}`,
		`{"type":"device","name":"` + strings.Repeat("long/", 2000) + `","apm_metrics":{"largest_contentful_paint":"100"}}`,
		`{"type":"device","name":"none","apm_metrics":{"largest_contentful_paint":"soon"}}`,
		`{"type":"device","name":"none","apm_metrics":{"largest_contentful_paint":[1]}}`,
		`{"type":"device","name":"none","apm_metrics":{"largest_contentful_paint":{"a":1}}}`,
		`{"type":"device","name":"none","apm_metrics":{"largest_contentful_paint":-1}}`,
		`{"type":"device","name":"none","apm_metrics":{"largest_contentful_paint":null}}`,
		`{"type":"device","name":"none","apm_metrics":[1,2]}`,
		`{"type":"device","name":"none","apm_metrics":"x"}`,
		`{"type":"device","name":"none"}`,
		`{"type":"device","name":"huge","apm_metrics":{"largest_contentful_paint":1e999}}`,
		`{"type":"device","name":"twice","apm_metrics":{"largest_contentful_paint":100,"$largest_contentful_paint":7,"largest_contentful_paint":8}}`,
		`{"type":"device","name":"many","apm_metrics":{` + many(500) + `"largest_contentful_paint":100}}`,
		`{"type":"network","name":"n","apm_metrics":{"largest_contentful_paint":100}}`,
	}
	for _, apm := range accepted {
		send(apm)
	}
	dropped := []string{
		`{"type":"device","name":""}`, `{"type":"device","name":"$"}`, `{"type":"page","name":"x"}`, `{"name":"x"}`, `[1]`, `7`, `{"type":"device","name":{"a":1}}`,
		strings.Repeat(`{"type":`, 2000) + strings.Repeat(`}`, 2000), `{"type":"device","name":"x","apm_metrics":` + strings.Repeat("[", 5000),
	}
	for _, apm := range dropped {
		send(apm)
	}
	s.Flush()
	got := read[overview](t, s, "/o/performance", "app_id", a.ID, "period", "30days")
	rows := read[overview](t, s, "/o/performance", "app_id", a.ID, "period", "30days", "filter", `{"up.p":{"$ne":"x"}}`)
	for i, m := range got.Measures {
		if m.N != rows.Measures[i].N || m.U != rows.Measures[i].U || m.Good != rows.Measures[i].Good || m.Poor != rows.Measures[i].Poor {
			t.Errorf("%s: cells %+v, rows %+v", m.ID, m.spread, rows.Measures[i].spread)
		}
		if m.ID == "lcp" && (m.N < 5 || m.N > 6) { // that of the many metrics may be one too many
			t.Errorf("%d traces with a paint, want 5 or 6", m.N)
		}
	}
	var ledger struct {
		Totals map[string]map[string]int `json:"totals"`
	}
	testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID, "period", "30days"), &ledger)
	if of := ledger.Totals["trace"]; of["accepted"] != len(accepted) || of["malformed"] != len(dropped) || len(of) != 2 {
		t.Errorf("outcomes %v, want %d accepted and %d malformed", of, len(accepted), len(dropped))
	}
	verified(t, s)

	for _, path := range []string{
		"/o/performance/course?measure=nothing", "/o/performance/course?measure=lcp&bucket=year", "/o/performance/table?measure=lcp", "/o/performance/table?by=name",
		"/o/performance/table?measure=lcp&by=" + strings.Repeat("x", 600), "/o/performance/trace?kind=x&name=y",
		"/o/performance/trace?kind=device", "/o/performance?filter=[", "/o/performance/course?measure=lcp&bucket=hour&period=[%222020-01-01%22,%222031-01-01%22]",
	} {
		name, rest, _ := strings.Cut(path, "?")
		pairs := []string{"api_key", s.Key, "app_id", a.ID}
		for pair := range strings.SplitSeq(strings.ReplaceAll(rest, "%22", `"`), "&") {
			k, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, k, v)
		}
		if r := s.Get(name, pairs...); r.Status != 400 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":%d,`, i, i)
	}
	return b.String()
}

// TestRights keeps apps and members apart.
func TestRights(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	at := fmt.Sprint(start.Add(-time.Hour).UnixMilli())
	s.Ingest(a, "d", "apm", `{"type":"device","name":"secret","apm_metrics":{"largest_contentful_paint":100,"own":4}}`, "timestamp", at)
	s.Ingest(other, "d", "apm", `{"type":"device","name":"theirs","apm_metrics":{"largest_contentful_paint":9000}}`, "timestamp", at)
	s.Flush()
	may, not := member(t, s, a, "may", "performance_monitoring"), member(t, s, a, "not", "core")
	for _, path := range []string{"/o/performance", "/o/performance/course", "/o/performance/table", "/o/performance/trace"} {
		pairs := []string{"period", "30days", "measure", "lcp", "by", "name", "kind", "device", "name", ""}
		if path == "/o/performance/trace" {
			pairs = []string{"period", "30days", "kind", "device", "name", "secret"}
		}
		call := func(key, app string) testkit.Response {
			return s.Get(path, append([]string{"api_key", key, "app_id", app}, pairs...)...)
		}
		if r := call(may, a.ID); r.Status != 200 || strings.Contains(r.Body, "9000") || strings.Contains(r.Body, "theirs") {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
		for who, r := range map[string]testkit.Response{"without the right": call(not, a.ID), "of another app": call(may, other.ID), "of no app": call(may, ""), "unknown": call("x", a.ID)} {
			if r.Status < 400 || strings.Contains(r.Body, "theirs") || strings.Contains(r.Body, `"n":`) {
				t.Errorf("%s %s: %d %s", path, who, r.Status, r.Body)
			}
		}
	}
	// A breakdown and a filter by who somebody is need the right to read users.
	for _, pair := range [][2]string{{"by", "up.email"}, {"filter", `{"up.email":"a@example.org"}`}} {
		if r := s.Get("/o/performance/table", "api_key", may, "app_id", a.ID, "measure", "lcp", "by", "name", pair[0], pair[1]); r.Status < 400 && pair[0] == "filter" {
			t.Errorf("%s: %d %s", pair[0], r.Status, r.Body)
		}
	}
	if r := s.Get("/o/performance/table", "api_key", may, "app_id", a.ID, "measure", "lcp", "by", "up.email"); r.Status < 400 {
		t.Errorf("by e-mail: %d %s", r.Status, r.Body)
	}
	trace := s.Admin("/o/performance/trace", "app_id", a.ID, "kind", "device", "name", "secret")
	if !strings.Contains(trace, `"metric":"own"`) || !strings.Contains(trace, `"metric":"largest_contentful_paint"`) || !strings.Contains(trace, `"good":1`) {
		t.Errorf("a trace: %s", trace)
	}
}

// TestErasure erases a person: the figures of people and rows lose them, and what is left fits together.
func TestErasure(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	at := fmt.Sprint(start.Add(-time.Hour).UnixMilli())
	for _, user := range []string{"ann", "bob"} {
		s.Ingest(a, user, "apm", `{"type":"device","name":"for `+user+`","apm_metrics":{"largest_contentful_paint":9000}}`, "timestamp", at)
	}
	s.Flush()
	var list struct {
		Rows []struct {
			UID string `json:"uid"`
			DID string `json:"did"`
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "user_details", "app_id", a.ID), &list)
	for _, u := range list.Rows {
		if u.DID == "ann" {
			s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", u.UID)
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		s.Flush()
		o := read[overview](t, s, "/o/performance", "app_id", a.ID, "period", "30days")
		table := s.Admin("/o/performance/table", "app_id", a.ID, "period", "30days", "measure", "lcp", "by", "name")
		if o.Measures[0].U == 1 && o.Measures[0].PoorU == 1 && !strings.Contains(table, "for ann") && strings.Contains(table, "for bob") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after the deletion: %+v, %s", o.Measures[0], table)
		}
		time.Sleep(20 * time.Millisecond)
	}
	verified(t, s)
}
