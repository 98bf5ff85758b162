package sketch_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/query/sketch"
)

// TestPercentiles compares percentiles of random numbers, counted in two sketches that are added, with those of the sorted numbers.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	shares := []int{1, 100, 2500, 5000, 7500, 9000, 9500, 9900, 9999, 10_000}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := 1 + r.IntN(3000)
		list := make([]float64, n)
		var parts [2]sketch.Sketch
		var s sketch.Sketch
		for i := range list {
			switch r.IntN(4) {
			case 0:
				list[i] = float64(r.IntN(5000))
			case 1:
				list[i] = math.Exp(r.NormFloat64()*3 + 4)
			case 2:
				list[i] = r.Float64()
			default:
				list[i] = math.Pow(10, r.Float64()*20-6)
			}
			b := sketch.BinOf(list[i])
			read, ok := sketch.Parse(b.Text())
			if !ok || read != b {
				t.Fatalf("seed %d: bin %d reads as %d", seed, b, read)
			}
			parts[r.IntN(2)].Add(b, 1)
			s.Add(b, 1)
		}
		if s.Total() != int64(n) || parts[0].Total()+parts[1].Total() != int64(n) {
			t.Fatalf("seed %d: %d numbers counted, want %d", seed, s.Total(), n)
		}
		slices.Sort(list)
		got := s.Percentiles(shares...)
		for i, share := range shares {
			rank := int(math.Ceil(float64(n) * float64(share) / 10_000))
			want := list[max(rank, 1)-1]
			switch {
			case want < sketch.Least && got[i] != 0:
				t.Errorf("seed %d: share %d of %d is %v, want 0", seed, share, n, got[i])
			case want >= sketch.Least && want < 1e14 && math.Abs(got[i]-want) > want*sketch.Error*(1+1e-9):
				t.Errorf("seed %d: share %d of %d is %v, want %v within %.4f", seed, share, n, got[i], want, sketch.Error)
			}
		}
	}
}

// TestBounds puts numbers at the ends of what there is into bins.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, v := range []float64{0, math.NaN(), 0.0005, math.Inf(-1), -3} {
		if b := sketch.BinOf(v); b != 0 || b.Middle() != 0 {
			t.Errorf("%v is in bin %d", v, b)
		}
	}
	if b := sketch.BinOf(sketch.Least); b != 1 {
		t.Errorf("the least number is in bin %d", b)
	}
	for _, v := range []float64{1e30, math.MaxFloat64, math.Inf(1)} {
		b := sketch.BinOf(v)
		if _, ok := sketch.Parse(b.Text()); !ok || b.Middle() < 1e14 {
			t.Errorf("%v is in bin %d, %v", v, b, b.Middle())
		}
	}
	var s sketch.Sketch
	if s.Percentiles(5000) != nil {
		t.Error("there is a median of nothing")
	}
	for _, text := range []string{"", "x", "xxx", "\xff\xff"} {
		if _, ok := sketch.Parse(text); ok {
			t.Errorf("%q is a bin", text)
		}
	}
}

// TestError looks at numbers all over the bins, their bounds included: what stands for a number is within Error of it.
func TestError(t *testing.T) {
	t.Parallel()
	for v := sketch.Least; v < 1e14; v *= 1.0003 {
		if got := sketch.BinOf(v).Middle(); math.Abs(got-v) > sketch.Error*v {
			t.Fatalf("%g stands for %g, which is %.4f off", got, v, math.Abs(got-v)/v)
		}
	}
}
