// Package pebble is the embedded engine of package rollup: cells in the state database, with a merge operator.
// docs/format/rollup.md draws its keys and values.
package pebble

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/turn"
)

// Store reads cells from a Pebble database that was opened with Merger.
type Store struct {
	db      pebble.Reader
	aliases rollup.AliasSource
	changes *Changes
}

var (
	_ rollup.Tracker    = (*Store)(nil)
	_ rollup.AppScanner = (*Store)(nil)
)

// NewStore returns a Store over a database, a snapshot or an indexed batch.
func NewStore(db pebble.Reader, aliases rollup.AliasSource) *Store {
	return &Store{db: db, aliases: aliases}
}

// Watched returns a copy of the store that knows of changes, for readers that keep
// what they computed.
func (s *Store) Watched(changes *Changes) *Store {
	c := *s
	c.changes = changes
	return &c
}

// Changes implements rollup.Tracker.
func (s *Store) Changes() rollup.Changes {
	if s.changes == nil {
		return nil
	}
	return s.changes
}

// What it takes to put a cell in order and to write it, about.
const (
	orderWork = 500 * time.Nanosecond
	cellWork  = 500 * time.Nanosecond
)

// Write adds one merge operation to the batch for every cell of the delta that
// is not empty. They go in the order of their keys: Pebble finds the place of each in its write buffer next to
// that of the one before, and a flush finds neighbours side by side in memory. Write fails when a dimension or value
// is longer than MaxText; the batch is then to be thrown away.
func Write(batch *pebble.Batch, app model.AppID, d rollup.Delta) error {
	o := orderers.Get().(*orderer)
	defer o.free()
	if err := o.read(app, d); err != nil {
		return err
	}
	var (
		e    encoder
		work turn.Counter
	)
	for _, p := range o.places {
		work.Spend(cellWork)
		if err := e.encode(o.cells[p.i].cell, nil); err != nil {
			return err
		}
		if err := batch.Merge(o.key(p), e.buf, nil); err != nil {
			return fmt.Errorf("write cell: %w", err)
		}
	}
	return nil
}

// checkEvery is the number of cells between two looks at the context.
const checkEvery = 256

// Scan implements Reader. Beyond the contract, bitmaps may be united into
// others that outlive the call: their memory is not reused.
func (s *Store) Scan(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) error {
	return s.walk(ctx, app, series, g, from, to, func(it *pebble.Iterator, bucketAt int, aliases aliasSet) error {
		return scan(ctx, it, bucketAt, aliases, fn)
	})
}

// walk calls do with an iterator over the cells of a series; bucketAt is where
// the bucket stands in the keys.
func (s *Store) walk(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, do func(it *pebble.Iterator, bucketAt int, aliases aliasSet) error) error {
	if from > to {
		return nil
	}
	// Aliases first: a rewrite that ends between the two reads has then changed
	// the cells already, and correcting them again does nothing.
	merged, err := s.aliases.Aliases(ctx, app)
	if err != nil {
		return fmt.Errorf("scan metric %d: %w", series.Metric, err)
	}
	prefix, err := appendSeries(make([]byte, 0, 64+len(series.Dim)), app, series)
	if err != nil {
		return err
	}
	lower := appendBucket(prefix, g, from)
	upper := successor(appendBucket(bytes.Clone(prefix), g, to))
	it, err := s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("scan metric %d: %w", series.Metric, err)
	}
	err = do(it, len(prefix)+1, newAliasSet(merged))
	if cerr := it.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("scan metric %d: %w", series.Metric, cerr)
	}
	return err
}

// scan walks the iterator; bucketAt is where the bucket stands in the keys.
func scan(ctx context.Context, it *pebble.Iterator, bucketAt int, aliases aliasSet, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) error {
	var (
		cell  rollup.Cell
		users = roaring.New()
		mem   arena
		names = interner{}
	)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key := it.Key()
		if len(key) < bucketAt+4 {
			return errKey
		}
		raw, err := it.ValueAndErr()
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if _, err := decode(mem.copy(raw), &cell, users); err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if cell.IsZero() {
			continue
		}
		if aliases.olds != nil && cell.Users != nil {
			aliases.correct(cell.Users)
		}
		bucket := rollup.Bucket(binary.BigEndian.Uint32(key[bucketAt:]))
		if err := fn(bucket, names.get(key[bucketAt+4:]), &cell); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	return ctx.Err()
}

// arena hands out copies of values in a few large pieces of memory. Bitmaps
// refer to the copies, and a union may go on referring to them for as long as
// it lives, so the memory is never used twice.
type arena struct{ free []byte }

const (
	arenaSize  = 16 << 10 // bytes of one piece
	arenaLarge = 2 << 10  // values from this size on get their own memory
)

func (a *arena) copy(b []byte) []byte {
	if len(b) >= arenaLarge {
		return bytes.Clone(b)
	}
	if len(a.free) < len(b) {
		a.free = make([]byte, arenaSize)
	}
	out := a.free[:len(b):len(b)]
	a.free = a.free[len(b):]
	copy(out, b)
	return out
}

// interner makes one string of equal values, which repeat in every bucket.
type interner map[string]string

const internerSize = 4096 // strings remembered

func (m interner) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := m[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(m) < internerSize {
		m[s] = s
	}
	return s
}
