package app_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/modules/all"
	"quipu/internal/move"
)

// TestPlacesOfFeatures moves profiles whose features keep places in the journal.
func TestPlacesOfFeatures(t *testing.T) {
	t.Parallel()
	features := kernel.Ingestion(all.Modules(all.Options{}))
	profile := func(place func(offset uint64) string) *model.Profile {
		return &model.Profile{UID: 1, Extra: map[string]any{
			"crashes":     map[string]any{"session": "Android\x1f2:0\x1ffn", "ever": true, "groups": map[string]any{"7": "3 " + place(1042), "9": "-5 " + place(977)}},
			"attribution": map[string]any{"install": "spring", "installed": place(12), "touched": place(1000)},
			"other":       map[string]any{"number": 5.0},
		}}
	}
	in := func(partition uint16) func(uint64) string {
		return func(offset uint64) string { return strconv.FormatUint(move.Place(partition, offset), 10) }
	}
	for from := range uint16(3) {
		for to := range uint16(3) {
			p := profile(in(from))
			features.Places(p, func(place uint64) uint64 { return move.Place(to, place) })
			if diff := cmp.Diff(profile(in(to)), p); diff != "" {
				t.Errorf("from partition %d to %d: -want +got\n%s", from, to, diff)
			}
		}
	}
	empty := &model.Profile{UID: 2}
	features.Places(empty, func(uint64) uint64 { return 1 })
	if diff := cmp.Diff(&model.Profile{UID: 2}, empty); diff != "" {
		t.Errorf("a profile without places: %s", diff)
	}
}
