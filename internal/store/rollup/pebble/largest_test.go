package pebble_test

import (
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// TestVolumeCountUsers counts serialised sets with containers of every kind.
func TestVolumeCountUsers(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 3000 {
		users := roaring.New()
		for range r.IntN(4) {
			base := uint64(r.IntN(3)) << 16
			switch r.IntN(3) {
			case 0: // few
				for range 1 + r.IntN(50) {
					users.Add(uint32(base) + uint32(r.IntN(1<<16)))
				}
			case 1: // a run, perhaps to the end of a container
				from := base + uint64(r.IntN(1<<16))
				users.AddRange(from, min(from+1+uint64(r.IntN(20_000)), 1<<18))
			default: // many
				for range 5000 {
					users.Add(uint32(base) + uint32(r.IntN(1<<r.IntN(17))))
				}
			}
		}
		if i%2 == 0 {
			users.RunOptimize()
		}
		b, err := users.ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := pebblerollup.CountSerialised(b)
		if want := rollup.CountUsers(users); err != nil || got != want {
			t.Fatalf("%v: counted %+v, %v; want %+v", users, got, err, want)
		}
		for range 20 { // damage is an error or a wrong count, never a panic
			cut := b[:r.IntN(len(b)+1)]
			_, _ = pebblerollup.CountSerialised(cut)
		}
	}
}
