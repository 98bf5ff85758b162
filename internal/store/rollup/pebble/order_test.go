package pebble_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// TestOrder checks that a delta is written in the order of its keys, whatever they share.
func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		parts := []string{"", "\x00", "a", "value", "a text longer than what is compared at a time", strings.Repeat("deep", 30)}
		return parts[rnd.IntN(len(parts))] + parts[rnd.IntN(len(parts))] + string(rune('a'+rnd.IntN(26)))
	}
	for _, n := range []int{0, 1, 2, 20, 3000} {
		d := rollup.Delta{}
		for len(d) < n {
			d.At(rollup.Key{
				Series: rollup.Series{Metric: rollup.Metric(rnd.IntN(3)), Dim: text()},
				Grain:  rollup.Day, Bucket: rollup.Bucket(rnd.IntN(3)), Value: text(),
			}).Count = 1
		}
		var b pebble.Batch
		if err := pebblerollup.Write(&b, model.AppID{1}, d); err != nil {
			t.Fatal(err)
		}
		if int(b.Count()) != n {
			t.Fatalf("%d cells were written as %d", n, b.Count())
		}
		var last []byte
		for r := b.Reader(); ; {
			_, key, _, ok, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if bytes.Compare(last, key) >= 0 {
				t.Fatalf("%q is written before %q", last, key)
			}
			last = key
		}
	}
}
