package pebble

import (
	"bytes"
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Erase adds to the batch what takes users out of all bitmaps of an app, and removes the
// values of series, at all grains, that nobody but them has: such a value, a device's name say, identifies
// a person. What the users added to other counters stays, which cannot tell whose it is.
//
// The numbers are taken as they stand in the cells: those of users who were merged into the erased ones
// have to be named too. No batch may be applied between this call and the commit of the batch.
func Erase(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, uids []uint32) error {
	aliases := make(map[uint32]uint32, len(uids))
	for _, uid := range uids {
		aliases[uid] = nobody
	}
	own, err := ownValues(ctx, db, app, roaring.BitmapOf(uids...))
	if err != nil {
		return fmt.Errorf("erase users: %w", err)
	}
	if _, err := Rewrite(ctx, db, batch, app, aliases, nil, int(^uint(0)>>1)); err != nil {
		return err
	}
	for v := range own {
		if err := DeleteValue(ctx, db, batch, app, v.series, v.value); err != nil {
			return err
		}
	}
	return nil
}

// seriesValue is a value of a series.
type seriesValue struct {
	series rollup.Series
	value  string
}

// ownValues returns the values in whose cells stand no users but the given ones.
func ownValues(ctx context.Context, db pebble.Reader, app model.AppID, uids *roaring.Bitmap) (map[seriesValue]bool, error) {
	own, others := map[seriesValue]bool{}, map[seriesValue]bool{}
	prefix := appendApp(nil, app)
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: prefix, UpperBound: successor(bytes.Clone(prefix))})
	if err != nil {
		return nil, err
	}
	err = eachBitmap(ctx, it, func(k rollup.Key, users *roaring.Bitmap) {
		if k.Value == "" {
			return // the total of the series
		}
		v := seriesValue{k.Series, k.Value}
		switch n := users.AndCardinality(uids); {
		case n < users.GetCardinality():
			others[v] = true
		case n > 0:
			own[v] = true
		}
	})
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	for v := range others {
		delete(own, v)
	}
	return own, err
}

// eachBitmap calls fn for every cell with users. The bitmap is valid only during the call.
func eachBitmap(ctx context.Context, it *pebble.Iterator, fn func(rollup.Key, *roaring.Bitmap)) error {
	var cell rollup.Cell
	users, n := roaring.New(), 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		raw, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if len(raw) > 1 && raw[1]&hasUsers == 0 {
			continue
		}
		// The users refer to the iterator's memory; they are only looked at.
		if _, err := decode(raw, &cell, users); err != nil {
			return err
		}
		if cell.Users == nil {
			continue
		}
		k, err := parseKey(it.Key())
		if err != nil {
			return err
		}
		fn(k, cell.Users)
	}
	return it.Error()
}
