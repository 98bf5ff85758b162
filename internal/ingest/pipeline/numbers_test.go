package pipeline_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/store/rollup"
)

// TestClamped bounds every number of a client, counts what had one beyond its bound beside the
// outcomes, and keeps all cells finite and the same when they are counted again.
func TestClamped(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1", "events", `[{"key":"buy","sum":1e308,"count":1e300,"dur":1e308},{"key":"buy","sum":1e308,"segmentation":{"n":-1e999}},{"key":"buy","sum":-7.5}]`),
		req(&utcApp, "X", noon+1000, "session_duration", "1e308", "user_details", `{"custom":{"a":1e300,"b":{"$mul":5}}}`),
		req(&utcApp, "X", noon+2000, "user_details", `{"custom":{"a":{"$mul":1e99}}}`, "crash", `{"_ram_total":1e999}`),
		req(&utcApp, "X", noon+3000, "events", `[{"key":"[CLY]_view","segmentation":{"name":"home","visit":1,"dur":1e300}},{"key":"[CLY]_action","segmentation":{"type":"scroll","view":"home","name":"home","y":1e100,"height":1e-300}},{"count":1e300}]`),
		req(&utcApp, "X", noon+4000, "events", `[{"key":"fine","sum":5}]`),
	)
	if diff := cmp.Diff(map[string]string{
		"request/accepted": "5", "request/clamped": "2", "session/accepted": "1", "event/accepted": "6", "event/clamped": "3",
		"event/no_key": "1", "crash/accepted": "1",
	}, w.outcomes(t, &utcApp, noon)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	sums := func(c *rollup.Cell) string { return fmt.Sprintf("c%d s%v d%v", c.Count, c.Sum, c.Dur) }
	if got := w.day(t, &utcApp, rollup.Events, "", noon, sums)["buy"]; got != "c1000000002 s1.9999999999999925e+15 d1e+09" {
		t.Errorf("event: %s", got)
	}
	if got := w.day(t, &utcApp, rollup.Segments, rollup.SegmentDim("buy", "n"), noon, sums); len(got) != 1 || got["-1e+100"] == "" {
		t.Errorf("segment: %v", got)
	}
	if got := w.day(t, &utcApp, rollup.Views, "", noon, sums)[rollup.SubjectValue(1)]; got != "c1 s10000 d1e+09" {
		t.Errorf("view: %s", got)
	}
	if p := w.profile(t, &utcApp, "X"); p.TotalDuration != 120 || p.Custom["a"] != 1e100 || p.Custom["b"] != 0.0 {
		t.Errorf("profile: %v seconds, %v", p.TotalDuration, p.Custom)
	}
	before := w.cells(t, &utcApp)
	for k, v := range before {
		if strings.Contains(v, "Inf") || strings.Contains(v, "NaN") {
			t.Errorf("%s: %s", k, v)
		}
	}
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
		t.Errorf("(-counted +rebuilt):\n%s", diff)
	}
}

// TestAnyNumber sends random numbers, as JSON and as text, everywhere a client can send one.
func TestAnyNumber(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	number := func() string {
		n := []string{
			"0", "-0", "1", "-1", "0.1", "1e15", "-1e15", "1e16", "9007199254740993", "18446744073709551616", "1e100", "-1e101", "1e308", "-1e308",
			"1e309", "-1e999", "5e-324", "1e-999", strings.Repeat("9", 400), strconv.FormatFloat(math.Float64frombits(r.Uint64()), 'g', -1, 64),
		}[r.IntN(20)]
		if strings.ContainsAny(n, "IN") { // Inf, NaN
			n = `"` + n + `"`
		} else if r.IntN(4) == 0 {
			n = strconv.Quote(n)
		}
		return n
	}
	w := running(t, func(o *pipeline.Options) { o.MoveRows = 1 << 20 })
	var records []request.Record
	for i := range 400 {
		at := noon + int64(i)*1000
		records = append(records, req(&utcApp, "d"+strconv.Itoa(r.IntN(5)), at,
			"begin_session", "1", "session_duration", strings.Trim(number(), `"`), "end_session", strconv.Itoa(r.IntN(2)),
			"events", fmt.Sprintf(`[{"key":"e%d","count":%s,"sum":%s,"dur":%s,"hour":%s,"dow":%s,"segmentation":{"n":%s,"l":[%s]}},{"key":"[CLY]_view","segmentation":{"name":"v","visit":1,"dur":%s}},
			{"key":"[CLY]_action","segmentation":{"type":"scroll","name":"v","y":%s,"height":%s}}]`, r.IntN(3), number(), number(), number(), number(), number(), number(), number(), number(), number(), number()),
			"user_details", fmt.Sprintf(`{"byear":%s,"custom":{"a":%s,"b":{"$inc":%s},"c":{"$mul":%s},"d":{"$push":%s},"b2":{"$max":%s}}}`, number(), number(), number(), number(), number(), number()),
			"crash", fmt.Sprintf(`{"_ram":%s}`, number()), "tz", strings.Trim(number(), `"`), "location", "1,"+strings.Trim(number(), `"`)))
	}
	w.send(t, records...)
	checkOutcomes(t, w, &utcApp, records)
	before := w.cells(t, &utcApp)
	for k, v := range before {
		if strings.Contains(v, "Inf") || strings.Contains(v, "NaN") {
			t.Errorf("%s: %s", k, v)
		}
	}
	for _, row := range w.events.rows(&utcApp) {
		if row.Count < 0 || row.Count > request.MaxCount || !(math.Abs(row.Sum) <= request.MaxSum) || !(math.Abs(row.Dur) <= request.MaxSeconds) {
			t.Errorf("row %d/%d: count %d, sum %v, dur %v", row.Offset, row.Item, row.Count, row.Sum, row.Dur)
		}
		for _, n := range row.Num {
			if n != nil && !(math.Abs(*n) <= request.MaxNumber) && row.TS != int64(*n) {
				t.Errorf("row %d/%d: %v", row.Offset, row.Item, *n)
			}
		}
	}
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	after := w.cells(t, &utcApp)
	for k, v := range before {
		if after[k] == v {
			continue
		}
		var a, b rollup.Cell
		var rest, restAfter string
		scan := func(text string, c *rollup.Cell, rest *string) {
			if _, err := fmt.Sscanf(text, "c%d n%d e%d s%g d%g %s", &c.Count, &c.New, &c.Requests, &c.Sum, &c.Dur, rest); err != nil {
				t.Fatal(err)
			}
		}
		scan(v, &a, &rest)
		scan(after[k], &b, &restAfter)
		// Summands of 1e15 and both signs leave an error of their own size times 2⁻⁵³ each.
		if a.Count != b.Count || a.New != b.New || a.Requests != b.Requests || rest != restAfter || math.Abs(a.Sum-b.Sum) > 1000 || math.Abs(a.Dur-b.Dur) > 1e-3 {
			t.Errorf("%s: counted %s, rebuilt %s", k, v, after[k])
		}
	}
}
