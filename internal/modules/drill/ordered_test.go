package drill_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"quipu/internal/modules/drill"
	figures "quipu/internal/query"
)

// TestWritten compares what answers are written as with what package json makes of the same.
func TestWritten(t *testing.T) {
	t.Parallel()
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 1))
	texts := []string{"", "a", "Ää", `"`, `\`, "<b>&", "\x00\x1f", "\x7f", "\u2028", "\xff", "日本"}
	numbers := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e-6, 9.9e-7, -1e-9, 1e20, 1e21, -1e22, 0.1, 1.0 / 3, math.MaxFloat64, 5e-324, 1 << 53}
	number := func() float64 {
		if r.IntN(2) == 0 {
			return numbers[r.IntN(len(numbers))]
		}
		return math.Round(r.NormFloat64()*1e6) / 100
	}
	for range 500 {
		f := figures.Figures{Users: r.Int64(), Count: -r.Int64N(9), Sum: number(), Dur: number()}
		if r.IntN(2) == 0 {
			f.More = []*float64{nil, new(number())}
		}
		mine, plain := drill.Written(texts[r.IntN(len(texts))], texts[r.IntN(len(texts))], number(), r.Int64(), f)
		got, err := json.Marshal(mine)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, want)
		}
	}
	mine, _ := drill.Written("a", "b", math.Inf(1), 0, figures.Figures{})
	if text, err := json.Marshal(mine); err == nil {
		t.Errorf("infinity is %s", text)
	}
}
