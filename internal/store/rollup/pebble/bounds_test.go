package pebble_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"quipu/internal/store/rollup"
)

func TestBounds(t *testing.T) {
	t.Parallel()
	const most = rollup.MaxCount
	for _, tt := range []struct{ a, b, want int64 }{
		{1, 2, 3},
		{-1, -2, -3},
		{most - 1, 1, most},
		{most, 1, most},
		{most, most, most},
		{-most, -1, -most},
		{math.MaxInt64, math.MaxInt64, most},
		{math.MinInt64, math.MinInt64, -most},
		{math.MaxInt64, math.MinInt64, 0},
		{most, -1, most - 1},
	} {
		if got := rollup.AddCount(tt.a, tt.b); got != tt.want {
			t.Errorf("AddCount(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	inf := math.Inf(1)
	for _, tt := range []struct{ a, b, want float64 }{
		{0.5, 0.25, 0.75},
		{1e308, 1e308, rollup.MaxSum},
		{-1e308, -1e308, -rollup.MaxSum},
		{inf, 1, rollup.MaxSum},
		{-inf, 1, -rollup.MaxSum},
		{inf, -inf, 0},
		{math.NaN(), 1, 0},
		{rollup.MaxSum, rollup.MaxSum, rollup.MaxSum},
	} {
		if got := rollup.AddSum(tt.a, tt.b); got != tt.want {
			t.Errorf("AddSum(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestUnboundedCells reads and merges cells that were stored without bounds.
func TestUnboundedCells(t *testing.T) {
	t.Parallel()
	stored := func(count int64, sum, dur float64) []byte {
		b := []byte{1, 0x02 | 0x10 | 0x20, rollup.HasSum | rollup.HasDur}
		b = binary.AppendVarint(b, count)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(sum))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(dur))
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		name string
		ops  [][]byte
		want rollup.Cell
	}{
		{"alone", [][]byte{stored(math.MaxInt64, inf, nan)}, rollup.Cell{Count: rollup.MaxCount, Sum: rollup.MaxSum}},
		{"two large sums", [][]byte{stored(1, 1e308, 5), stored(1, 1e308, -inf)}, rollup.Cell{Count: 2, Sum: rollup.MaxSum, Dur: 5 - rollup.MaxSum}},
		{"counts that wrap", [][]byte{stored(math.MaxInt64, -inf, 1), stored(math.MaxInt64, 1, 1)}, rollup.Cell{Count: rollup.MaxCount, Sum: 1 - rollup.MaxSum, Dur: 2}},
	} {
		for _, newestFirst := range []bool{false, true} {
			got := decodePlain(t, merge(t, newestFirst, true, tt.ops...)).Cell
			tt.want.Flags = rollup.HasSum | rollup.HasDur
			if got != tt.want {
				t.Errorf("%s, newest first %v: got %+v, want %+v", tt.name, newestFirst, got, tt.want)
			}
		}
	}
}

// TestAnyOrder merges cells of bounded events in random groups and orders: counters are the same and
// sums agree but for rounding, also where they stop growing.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		cells := make([]rollup.Cell, 2+r.IntN(40))
		var whole float64
		for i := range cells {
			c := &cells[i]
			c.Count, c.Sum = r.Int64N(rollup.MaxCount), (2*r.Float64()-1)*1e15
			if r.IntN(2) == 0 {
				c.Count = r.Int64N(1e9)
			}
			whole += math.Abs(c.Sum)
		}
		total := func() (c rollup.Cell) {
			order := r.Perm(len(cells))
			for len(order) > 0 {
				var group rollup.Cell
				n := 1 + r.IntN(len(order))
				for _, i := range order[:n] {
					group.Merge(&cells[i])
				}
				c.Merge(&group)
				order = order[n:]
			}
			return c
		}
		a, b := total(), total()
		if a.Count != b.Count {
			t.Fatalf("counts %d and %d", a.Count, b.Count)
		}
		if math.Abs(a.Sum-b.Sum) > whole*1e-13 || math.IsNaN(a.Sum) || math.IsInf(a.Sum, 0) {
			t.Fatalf("sums %v and %v of values that add up to %v", a.Sum, b.Sum, whole)
		}
	}
}
