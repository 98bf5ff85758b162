package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// TestMetricValues gives an app more values of metrics than it may have: the first ones keep cells of
// their own, all others share one, with exact users, whatever the batches, a restart and a rebuild.
func TestMetricValues(t *testing.T) {
	t.Parallel()
	const limit = 3
	limited := func(o *pipeline.Options) {
		o.Settings = func(*model.App) pipeline.Settings {
			s := pipeline.DefaultSettings()
			s.Limits = schema.Limits{MetricValues: limit, Segments: 2}
			return s
		}
	}
	begin := func(device string, sec, version int) request.Record {
		return req(&utcApp, device, noon+int64(sec)*1000, "begin_session", "1", "ignore_cooldown", "1", "country_code", "PE", "metrics",
			fmt.Sprintf(`{"_app_version":"%d.0","_os":"iOS","_carrier":"C%d","_resolution":"%dx1"}`, version, version%2, version))
	}
	var records []request.Record
	for i := range 12 {
		records = append(records, begin(fmt.Sprint("d", i%5), i, i))
	}
	records = append(records, begin("late", 20, 0), begin("late", 21, 7), begin("d0", 22, 2))
	all := func(c *rollup.Cell) string { return fmt.Sprint(c.Count, c.Users.ToArray()) }
	want := map[rollup.Metric]map[string]string{
		rollup.AppVersions: {"0:0": "2 [1 6]", "1:0": "1 [2]", "2:0": "2 [1 3]", rollup.Other: "10 [1 2 3 4 5 6]"},
		rollup.Resolutions: {"0x1": "2 [1 6]", "1x1": "1 [2]", "2x1": "2 [1 3]", rollup.Other: "10 [1 2 3 4 5 6]"},
		rollup.Carriers:    {"C0": "8 [1 2 3 4 5 6]", "C1": "7 [1 2 3 4 5 6]"},
		rollup.OS:          {"iOS": "15 [1 2 3 4 5 6]"},
		rollup.Countries:   {"PE": "15 [1 2 3 4 5 6]"},
	}
	for _, size := range []int{1, 4, len(records)} {
		t.Run(fmt.Sprint("batches of ", size), func(t *testing.T) {
			t.Parallel()
			w := running(t, limited)
			for chunk := range slices.Chunk(records, size) {
				w.send(t, chunk...)
			}
			got := map[rollup.Metric]map[string]string{}
			for m := range want {
				got[m] = w.day(t, &utcApp, m, "", noon, all)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			values, err := w.schema.Values(t.Context(), utcApp.ID, cells.BeginKey, "app_version")
			if diff := cmp.Diff([]string{"0:0", "1:0", "2:0"}, values); diff != "" || err != nil {
				t.Errorf("known values, %v (-want +got):\n%s", err, diff)
			}
			if p := w.profile(t, &utcApp, "d1"); p.Dims[model.AppVersion] != "11:0" {
				t.Errorf("the profile has %q", p.Dims[model.AppVersion])
			}
			before := w.cells(t, &utcApp)
			recounted, err := pipeline.Recount{Rows: w.events, Schema: w.schema, Features: features(), App: utcApp.ID, Calendar: period.NewCalendar(time.UTC)}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for m, values := range want {
				for k, c := range recounted {
					if k.Series.Metric == m && k.Grain == rollup.Day && all(c) != values[k.Value] {
						t.Errorf("metric %d, %q: recounted %s, want %s", m, k.Value, all(c), values[k.Value])
					}
				}
			}
			w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
			if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
				t.Errorf("(-counted +rebuilt):\n%s", diff)
			}
		})
	}
}

// TestMoreMetricValues raises the limit: what was counted stays as it was, also when it is counted again.
func TestMoreMetricValues(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	set := func(limit int) {
		s := pipeline.DefaultSettings()
		s.Timezone, s.Limits.MetricValues = "UTC", limit
		w.submit(t, pipeline.SetSettings(utcApp.ID, s))
	}
	begin := func(device string, sec int64) request.Record {
		return req(&utcApp, device, noon+sec*1000, "begin_session", "1", "metrics", fmt.Sprintf(`{"_device":%q}`, "Phone "+device))
	}
	set(1)
	w.send(t, begin("a", 0), begin("b", 1), begin("c", 2))
	set(2)
	w.send(t, begin("b", 3), begin("c", 4), begin("a", 5))
	want := map[string]string{"Phone a": "2", "Phone b": "1", rollup.Other: "3"}
	if diff := cmp.Diff(want, w.day(t, &utcApp, rollup.Devices, "", noon, counts)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	before := maps.Clone(w.cells(t, &utcApp))
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
		t.Errorf("(-counted +rebuilt):\n%s", diff)
	}
}
