package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// scanOnly hides that a store can find single values.
type scanOnly struct{ rollup.Reader }

func TestScanValue(t *testing.T) {
	a, b := rand.Uint64(), rand.Uint64()
	t.Logf("seed %d, %d", a, b)
	r := rand.New(rand.NewPCG(a, b))
	ctx, app, other := t.Context(), model.ID{1}, model.ID{2}
	backend := openBackend(t).(*backend)
	backend.aliases[app] = map[uint32]uint32{3: 4}
	values := []string{"", "a", "aa", "a\x00", "b", "ba", "\xff"}
	series := []rollup.Series{{Metric: rollup.Events}, {Metric: rollup.Segments, Dim: "x"}, {Metric: rollup.Segments, Dim: "xx"}}
	d := rollup.Delta{}
	for range 400 {
		bucket := rollup.Bucket(r.IntN(60))
		if r.IntN(20) == 0 {
			bucket = 1<<32 - 1 - bucket
		}
		c := d.At(rollup.Key{
			Series: series[r.IntN(len(series))], Grain: rollup.Grain(1 + r.IntN(3)), Bucket: bucket, Value: values[r.IntN(len(values))],
		})
		c.Count++
		c.AddUser(uint32(r.IntN(6)))
	}
	for _, id := range []model.AppID{app, other} {
		if err := backend.batch(func(batch *pebble.Batch) error { return pebblerollup.Write(batch, id, d) }); err != nil {
			t.Fatal(err)
		}
	}
	collect := func(reader rollup.Reader, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string) []string {
		t.Helper()
		var rows []string
		err := rollup.ScanValue(ctx, reader, app, s, g, from, to, value, func(b rollup.Bucket, c *rollup.Cell) error {
			rows = append(rows, fmt.Sprint(b, c.Count, c.Users == nil))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	found := 0
	for range 400 {
		s, g, value := series[r.IntN(len(series))], rollup.Grain(1+r.IntN(3)), values[r.IntN(len(values))]
		from, to := rollup.Bucket(r.IntN(70)), rollup.Bucket(r.IntN(70))
		if r.IntN(4) == 0 {
			to = 1<<32 - 1
		}
		want := collect(scanOnly{backend}, s, g, from, to, value)
		got := collect(backend, s, g, from, to, value)
		found += len(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v grain %d from %d to %d value %q: -want +got\n%s", s, g, from, to, value, diff)
		}
	}
	if found == 0 {
		t.Error("no cell was ever found")
	}

	stop := errors.New("stop")
	err := backend.ScanValue(ctx, app, series[0], rollup.Day, 0, 100, "a", func(rollup.Bucket, *rollup.Cell) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("error of the callback = %v, want it returned", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	err = backend.ScanValue(cancelled, app, series[0], rollup.Day, 0, 100, "a", func(rollup.Bucket, *rollup.Cell) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled = %v, want context.Canceled", err)
	}
}
