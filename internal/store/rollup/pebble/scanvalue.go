package pebble

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

var _ rollup.ValueScanner = (*Store)(nil)

// ScanValue implements ValueScanner: one seek a bucket, and none for buckets
// without cells.
func (s *Store) ScanValue(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	if from > to {
		return nil
	}
	prefix, err := appendSeries(make([]byte, 0, 64+len(series.Dim)+len(value)), app, series)
	if err != nil {
		return err
	}
	lower := appendBucket(bytes.Clone(prefix), g, from)
	upper := successor(appendBucket(bytes.Clone(prefix), g, to))
	it, err := s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("scan metric %d: %w", series.Metric, err)
	}
	err = seek(ctx, it, append(appendBucket(prefix, g, from), value...), len(prefix)+1, fn)
	if cerr := it.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("scan metric %d: %w", series.Metric, cerr)
	}
	return err
}

// seek visits the cells of the value in key, from the bucket in key on;
// bucketAt is where the bucket stands in keys. It changes key.
func seek(ctx context.Context, it *pebble.Iterator, key []byte, bucketAt int, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	var cell rollup.Cell
	bucket := binary.BigEndian.Uint32(key[bucketAt:])
	for n := 1; it.SeekGE(key); n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		found := it.Key()
		if len(found) < bucketAt+4 {
			return errKey
		}
		at := binary.BigEndian.Uint32(found[bucketAt:])
		if !bytes.Equal(found, key) {
			// Either the value is missing in its bucket, or the bucket has no cell.
			if at == bucket {
				at++
			}
			bucket = at
			binary.BigEndian.PutUint32(key[bucketAt:], bucket)
			if bucket == 0 {
				break // past the last bucket there can be
			}
			continue
		}
		raw, err := it.ValueAndErr()
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if _, _, err := decodeCounters(raw, &cell); err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if !cell.IsZero() {
			if err := fn(rollup.Bucket(bucket), &cell); err != nil {
				return err
			}
		}
		if bucket++; bucket == 0 {
			break
		}
		binary.BigEndian.PutUint32(key[bucketAt:], bucket)
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	return ctx.Err()
}
