package query_test

import (
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// A union has the members of its parts, whether these are full, sparse or
// both, also when it is used again.
func TestVolumeUnion(t *testing.T) {
	r := rng(t)
	var u query.Union
	mixed := 0
	for round := range 25 {
		query.UnionReset(&u)
		want := map[uint32]bool{}
		full, sparse := false, false
		for range r.IntN(6) {
			set := roaring.New()
			size, span := r.IntN(2000), uint32(1+r.IntN(200_000))
			if r.IntN(3) == 0 {
				size, span = 30_000, 65536
			}
			base := uint32(r.IntN(3)) << 16
			for range size {
				user := base + r.Uint32N(span)
				set.Add(user)
				want[user] = true
			}
			if set.Stats().BitmapContainers > 0 {
				full = true
			} else if size > 0 {
				sparse = true
			}
			query.UnionAdd(&u, &rollup.Cell{Users: set})
			set.Clear()
			query.UnionAdd(&u, &rollup.Cell{})
		}
		if full && sparse {
			mixed++
		}
		if got := query.UnionCardinality(&u); got != int64(len(want)) {
			t.Fatalf("round %d: cardinality = %d, want %d", round, got, len(want))
		}
		users := make([]uint32, 0, len(want))
		for user := range want {
			users = append(users, user)
		}
		slices.Sort(users)
		if diff := cmp.Diff(users, query.UnionSet(&u).ToArray()); diff != "" {
			t.Fatalf("round %d: -want +got\n%s", round, diff)
		}
		if got := query.UnionCardinality(&u); got != int64(len(want)) {
			t.Fatalf("round %d: cardinality after the set = %d, want %d", round, got, len(want))
		}
	}
	if mixed == 0 {
		t.Error("no round had full and sparse sets")
	}
}
