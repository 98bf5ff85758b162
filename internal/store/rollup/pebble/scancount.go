package pebble

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

var _ rollup.CountScanner = (*Store)(nil)

// ScanCounts implements CountScanner. While an app has merged users that are
// not yet rewritten, it has to look at who the users are where these may be among them.
func (s *Store) ScanCounts(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error) error {
	return s.walk(ctx, app, series, g, from, to, func(it *pebble.Iterator, bucketAt int, aliases aliasSet) error {
		return scanCounts(ctx, it, bucketAt, aliases, fn)
	})
}

func scanCounts(ctx context.Context, it *pebble.Iterator, bucketAt int, aliases aliasSet, fn func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error) error {
	var (
		cell  rollup.Cell
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
		_, set, err := decodeCounters(raw, &cell)
		var users rollup.UserCount
		if err == nil && set != nil {
			users, err = countCorrected(set, aliases)
		}
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if users.N == 0 && cell.IsZero() {
			continue
		}
		if err := fn(rollup.Bucket(binary.BigEndian.Uint32(key[bucketAt:])), names.get(key[bucketAt+4:]), &cell, users); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	return ctx.Err()
}

// countCorrected counts serialised users after correction.
func countCorrected(set []byte, aliases aliasSet) (rollup.UserCount, error) {
	n, err := countUsers(set)
	if err != nil || n.N == 0 || aliases.olds == nil || n.Largest < aliases.olds.Minimum() {
		return n, err
	}
	users := roaring.New()
	if _, err := users.FromBuffer(bytes.Clone(set)); err != nil {
		return n, fmt.Errorf("%w: users: %w", errValue, err)
	}
	if aliases.hits(users) == nil {
		return n, nil
	}
	aliases.correct(users)
	return rollup.CountUsers(users), nil
}
