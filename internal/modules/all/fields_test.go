package all_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/request"
	"quipu/internal/modules/all"
)

// TestFieldsHaveFeatures sees that each parameter that the parser reads for features is declared by one, with the rows that are made of it where the feature counts these.
func TestFieldsHaveFeatures(t *testing.T) {
	t.Parallel()
	want := map[string]int{}
	for _, f := range request.Fields() {
		for _, name := range f.Names {
			want[name]++
		}
	}
	got := map[string]int{}
	for _, m := range all.Modules(all.Options{}) {
		if m.Ingest == nil {
			continue
		}
		for _, name := range m.Ingest.Fields {
			got[name]++
		}
		for _, key := range m.Ingest.Rows {
			if f := request.FieldOf(key); f != nil && !slices.Contains(m.Ingest.Fields, f.Names[0]) {
				t.Errorf("module %s counts rows %s of the field %s that it does not declare", m.Name, key, f.Names[0])
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameters %v (-parsed +declared):\n%s", slices.Sorted(maps.Keys(want)), diff)
	}
}
