package query_test

import (
	"encoding/json"
	"slices"
	"testing"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// TestEveryDimension asks for each row of the table by all its names.
func TestEveryDimension(t *testing.T) {
	t.Parallel()
	data, values := newMemory(t, "UTC"), map[rollup.Metric]string{}
	for i := range model.Dimensions {
		values[rollup.Metric(model.Dimensions[i].Metric)] = model.Dimensions[i].Name
	}
	data.begin(noon, 1, 0, values)
	q, p := data.query(), data.period(t, "", noon)
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		for _, name := range d.Metrics {
			m, ok := query.MetricOf(name)
			if !ok || m != rollup.Metric(d.Metric) {
				t.Errorf("%s is metric %d, %t", name, m, ok)
			}
		}
		rows, err := q.MetricRows(t.Context(), testApp, rollup.Metric(d.Metric), p)
		if err != nil || len(rows) != 1 || rows[0].ID != d.Name {
			t.Errorf("%s: rows %v, %v", d.Name, rows, err)
		}
		for _, name := range d.Documents {
			text, err := q.MetricDocument(t.Context(), testApp, name, p, query.Whole)
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Meta map[string][]string `json:"meta"`
			}
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(doc.Meta[d.List], d.Name) {
				t.Errorf("document %s lists %v under %s", name, doc.Meta[d.List], d.List)
			}
		}
	}
}
