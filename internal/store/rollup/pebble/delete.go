package pebble

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// DeleteApp adds the removal of all cells of an app to the batch. What the
// batch writes afterwards stays.
func DeleteApp(batch *pebble.Batch, app model.AppID) error {
	return deletePrefix(batch, appendApp(nil, app))
}

// DeleteSeries adds the removal of a series, at all grains, to the batch.
func DeleteSeries(batch *pebble.Batch, app model.AppID, s rollup.Series) error {
	prefix, err := appendSeries(nil, app, s)
	if err != nil {
		return err
	}
	return deletePrefix(batch, prefix)
}

// DeleteDims adds the removal of every series of a metric whose dimension
// begins with dimPrefix to the batch: with SegmentDim(event, "") all segments of
// an event. It looks for the series in db and jumps from one to the next.
func DeleteDims(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, m rollup.Metric, dimPrefix string) error {
	lower := append(appendApp(nil, app), byte(m))
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: successor(bytes.Clone(lower))})
	if err != nil {
		return fmt.Errorf("delete dimensions of metric %d: %w", m, err)
	}
	err = deleteDims(ctx, it, batch, dimPrefix)
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("delete dimensions of metric %d: %w", m, err)
	}
	return nil
}

func deleteDims(ctx context.Context, it *pebble.Iterator, batch *pebble.Batch, dimPrefix string) error {
	for ok := it.First(); ok; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := seriesLen(it.Key())
		if err != nil {
			return err
		}
		series := bytes.Clone(it.Key()[:n])
		if strings.HasPrefix(string(series[dimStart:]), dimPrefix) {
			if err := deletePrefix(batch, bytes.Clone(series)); err != nil {
				return err
			}
		}
		// A series' prefix is never all 0xff: it begins with KeyPrefix.
		ok = it.SeekGE(successor(series))
	}
	return it.Error()
}

// DeleteValue adds the removal of one value of a series, at all grains, to
// the batch. It reads the series' keys from db.
func DeleteValue(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, s rollup.Series, value string) error {
	lower, err := appendSeries(nil, app, s)
	if err != nil {
		return err
	}
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: successor(bytes.Clone(lower))})
	if err != nil {
		return fmt.Errorf("delete value of metric %d: %w", s.Metric, err)
	}
	err = deleteValue(ctx, it, batch, len(lower)+5, value)
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("delete value of metric %d: %w", s.Metric, err)
	}
	return nil
}

func deleteValue(ctx context.Context, it *pebble.Iterator, batch *pebble.Batch, valueAt int, value string) error {
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key := it.Key()
		if len(key) < valueAt {
			return errKey
		}
		if string(key[valueAt:]) != value {
			continue
		}
		if err := batch.Delete(key, nil); err != nil {
			return err
		}
	}
	return it.Error()
}

// DeleteValues adds the removal of some values of a metric, in every series and
// at all grains, to the batch. It reads the metric's keys from db.
func DeleteValues(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, m rollup.Metric, values []string) error {
	lower := append(appendApp(nil, app), byte(m))
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: successor(bytes.Clone(lower))})
	if err != nil {
		return fmt.Errorf("delete values of metric %d: %w", m, err)
	}
	err = deleteValues(ctx, it, batch, values)
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("delete values of metric %d: %w", m, err)
	}
	return nil
}

func deleteValues(ctx context.Context, it *pebble.Iterator, batch *pebble.Batch, values []string) error {
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key := it.Key()
		at, err := seriesLen(key)
		if err != nil {
			return err
		}
		if !slices.Contains(values, string(key[at+5:])) {
			continue
		}
		if err := batch.Delete(key, nil); err != nil {
			return err
		}
	}
	return it.Error()
}

// deletePrefix adds the removal of all keys that begin with prefix to the
// batch. It changes prefix.
func deletePrefix(batch *pebble.Batch, prefix []byte) error {
	lower := bytes.Clone(prefix)
	if err := batch.DeleteRange(lower, successor(prefix), nil); err != nil {
		return fmt.Errorf("delete cells: %w", err)
	}
	return nil
}

// DeleteFrom adds the removal of the cells of a metric from a bucket on to
// the batch, for each grain that from names, in every series.
func DeleteFrom(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, m rollup.Metric, from map[rollup.Grain]rollup.Bucket) error {
	return deleteBuckets(ctx, db, batch, app, m, from, func(series []byte, grain rollup.Grain, bucket rollup.Bucket) (lower, upper []byte) {
		return appendBucket(bytes.Clone(series), grain, bucket), successor(append(bytes.Clone(series), byte(grain)))
	})
}

// DeleteBefore adds the removal of the cells of a metric before a bucket to
// the batch, for each grain that before names, in every series.
func DeleteBefore(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, m rollup.Metric, before map[rollup.Grain]rollup.Bucket) error {
	return deleteBuckets(ctx, db, batch, app, m, before, func(series []byte, grain rollup.Grain, bucket rollup.Bucket) (lower, upper []byte) {
		return append(bytes.Clone(series), byte(grain)), appendBucket(bytes.Clone(series), grain, bucket)
	})
}

// deleteBuckets removes, in every series of a metric, the range of keys that
// span names for each grain.
func deleteBuckets(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, m rollup.Metric, buckets map[rollup.Grain]rollup.Bucket,
	span func(series []byte, grain rollup.Grain, bucket rollup.Bucket) (lower, upper []byte),
) error {
	lower := append(appendApp(nil, app), byte(m))
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: successor(bytes.Clone(lower))})
	if err != nil {
		return fmt.Errorf("delete cells of metric %d: %w", m, err)
	}
	err = eachSeries(ctx, it, func(series []byte) error {
		for grain, bucket := range buckets {
			from, to := span(series, grain, bucket)
			if err := batch.DeleteRange(from, to, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("delete cells of metric %d: %w", m, err)
	}
	return nil
}

// eachSeries calls fn with the prefix of every series that it meets.
func eachSeries(ctx context.Context, it *pebble.Iterator, fn func(series []byte) error) error {
	for ok := it.First(); ok; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := seriesLen(it.Key())
		if err != nil {
			return err
		}
		series := bytes.Clone(it.Key()[:n])
		if err := fn(series); err != nil {
			return err
		}
		ok = it.SeekGE(successor(series))
	}
	return it.Error()
}
