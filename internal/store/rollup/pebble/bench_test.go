package pebble_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// BenchmarkMerge folds 50 batches' operands of 20 users each into a cell of
// 100,000 users.
func BenchmarkMerge(b *testing.B) {
	base := &rollup.Cell{Count: 1}
	for u := range uint32(100_000) {
		base.AddUser(u * 3)
	}
	ops := [][]byte{encode(b, base)}
	for i := range uint32(50) {
		c := &rollup.Cell{Count: 20, Sum: 1}
		for u := range uint32(20) {
			c.AddUser(i*5000 + u*17)
		}
		ops = append(ops, encode(b, c))
	}
	b.ReportAllocs()
	for b.Loop() {
		m, err := pebblerollup.Merger().Merge(nil, ops[len(ops)-1])
		if err != nil {
			b.Fatal(err)
		}
		for i := len(ops) - 2; i >= 0; i-- {
			if err := m.MergeOlder(ops[i]); err != nil {
				b.Fatal(err)
			}
		}
		if _, _, err := m.Finish(true); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMergeCounters folds the operands of 20 batches of a cell without users, as most are.
func BenchmarkMergeCounters(b *testing.B) {
	op := encode(b, &rollup.Cell{Count: 20, Sum: 1})
	b.ReportAllocs()
	for b.Loop() {
		m, err := pebblerollup.Merger().Merge(nil, op)
		if err != nil {
			b.Fatal(err)
		}
		for range 19 {
			if err := m.MergeOlder(op); err != nil {
				b.Fatal(err)
			}
		}
		if _, _, err := m.Finish(true); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite encodes a batch of 1,000 cells with 5 users each.
func BenchmarkWrite(b *testing.B) {
	db := openCached(b, 64<<20)
	d := rollup.Delta{}
	for i := range 1000 {
		c := d.At(rollup.Key{Series: rollup.Series{Metric: rollup.Cities}, Grain: rollup.Day, Bucket: 19700, Value: fmt.Sprint("city ", i)})
		c.Count, c.First = 5, 77
		for u := range uint32(5) {
			c.AddUser(u * 1000)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		batch := db.NewBatch()
		if err := pebblerollup.Write(batch, model.AppID{}, d); err != nil {
			b.Fatal(err)
		}
		if err := batch.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApply writes a batch of 8,000 cells like those of a busy pipeline into the write buffer of the database.
func BenchmarkApply(b *testing.B) {
	d := rollup.Delta{}
	cell := func(metric rollup.Metric, dim string, g rollup.Grain, bucket rollup.Bucket, value string) {
		c := d.At(rollup.Key{Series: rollup.Series{Metric: metric, Dim: dim}, Grain: g, Bucket: bucket, Value: value})
		c.Count, c.Sum = 5, 1.5
	}
	for event := range 25 {
		for segment := range 4 {
			dim := rollup.SegmentDim(fmt.Sprint("Buy Product ", event), fmt.Sprint("segment ", segment))
			for value := range 40 {
				cell(rollup.Segments, dim, rollup.Day, 20783, fmt.Sprint("value ", value*7))
				cell(rollup.Segments, dim, rollup.Month, 24322, fmt.Sprint("value ", value*7))
			}
		}
	}
	db := openWith(b, &pebble.Options{MemTableSize: 64 << 20, DisableWAL: true, DisableAutomaticCompactions: true, L0StopWritesThreshold: 1 << 20})
	b.ReportAllocs()
	for b.Loop() {
		batch := db.NewBatch()
		if err := pebblerollup.Write(batch, model.AppID{}, d); err != nil {
			b.Fatal(err)
		}
		if err := batch.Commit(pebble.NoSync); err != nil {
			b.Fatal(err)
		}
	}
}

// fill writes days of a series, each with the values' users, and compacts.
func fill(b *testing.B, db *pebble.DB, days, values int, users func(day, value int, c *rollup.Cell)) {
	b.Helper()
	for day := range days {
		batch := db.NewBatch()
		d := rollup.Delta{}
		for v := range values {
			c := d.At(rollup.Key{Series: rollup.Series{Metric: rollup.Countries}, Grain: rollup.Day, Bucket: rollup.Bucket(19701 + day), Value: fmt.Sprint("value", v)})
			c.Count, c.New, c.First = int64(day*v)+1, 1, uint64(v)+1
			users(day, v, c)
		}
		if err := pebblerollup.Write(batch, model.AppID{}, d); err != nil {
			b.Fatal(err)
		}
		if err := batch.Commit(pebble.NoSync); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Compact(b.Context(), []byte{0}, []byte{0xff}, false); err != nil {
		b.Fatal(err)
	}
}

type aliasMap map[uint32]uint32

func (a aliasMap) Aliases(context.Context, model.AppID) (map[uint32]uint32, error) { return a, nil }

// BenchmarkScan30Days reads 200 values of 30 days with some 100 users each.
func BenchmarkScan30Days(b *testing.B) {
	db := openCached(b, 64<<20)
	fill(b, db, 30, 200, func(day, v int, c *rollup.Cell) {
		for u := range uint32(100) {
			c.AddUser(u*5000 + uint32(v*30+day))
		}
	})
	many := aliasMap{}
	for i := range uint32(1000) {
		many[i*491] = i*491 + 1
	}
	for _, bc := range []struct {
		name    string
		aliases aliasMap
	}{{"aliases=0", nil}, {"aliases=1", aliasMap{5000: 2}}, {"aliases=1000", many}} {
		b.Run(bc.name, func(b *testing.B) {
			s := pebblerollup.NewStore(db, bc.aliases)
			b.ReportAllocs()
			for b.Loop() {
				n, users := 0, uint64(0)
				err := s.Scan(b.Context(), model.AppID{}, rollup.Series{Metric: rollup.Countries}, rollup.Day, 0, 99999, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
					n++
					users += c.Uniques()
					return nil
				})
				if err != nil || n != 6000 || users == 0 {
					b.Fatal(n, users, err)
				}
			}
		})
	}
}

// BenchmarkUnion unites 30 days of a third of 1,000,000 users each.
func BenchmarkUnion(b *testing.B) {
	db := openCached(b, 64<<20)
	fill(b, db, 30, 1, func(day, _ int, c *rollup.Cell) {
		state := uint32(day + 1)
		for u := range uint32(1_000_000) {
			state = state*1664525 + 1013904223
			if state>>30 == 0 {
				c.AddUser(u + 1)
			}
		}
	})
	s := pebblerollup.NewStore(db, rollup.NoAliases{})
	b.ReportAllocs()
	for b.Loop() {
		u, err := rollup.UnionUsers(b.Context(), s, model.AppID{}, rollup.Series{Metric: rollup.Countries}, nil, 19701, 19730)
		if err != nil || u.GetCardinality() < 900_000 {
			b.Fatal(u.GetCardinality(), err)
		}
	}
}
