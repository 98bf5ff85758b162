package rollup

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
)

// CountScanner is a Reader that tells how many users cells have without
// reading who they are.
type CountScanner interface {
	// ScanCounts is Reader.Scan with cells whose Users are nil, and the number of users instead.
	ScanCounts(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users uint64) error) error
}

// ScanCounts calls fn for the cells of a series, which come without their
// users, and with how many they are. It uses a CountScanner where r is one.
func ScanCounts(ctx context.Context, r Reader, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users uint64) error) error {
	if v, ok := r.(CountScanner); ok {
		return v.ScanCounts(ctx, app, s, g, from, to, fn)
	}
	return r.Scan(ctx, app, s, g, from, to, func(b Bucket, value string, c *Cell) error {
		bare := *c
		bare.Users = nil
		return fn(b, value, &bare, c.Uniques())
	})
}

var _ CountScanner = (*Store)(nil)

// ScanCounts implements CountScanner. While an app has merged users that are
// not yet rewritten, it has to look at who the users are.
func (s *Store) ScanCounts(ctx context.Context, app model.AppID, series Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users uint64) error) error {
	return s.walk(ctx, app, series, g, from, to, func(it *pebble.Iterator, bucketAt int, aliases aliasSet) error {
		if aliases.olds == nil {
			return scanCounts(ctx, it, bucketAt, fn)
		}
		return scan(ctx, it, bucketAt, aliases, func(b Bucket, value string, c *Cell) error {
			n := c.Uniques()
			c.Users = nil
			return fn(b, value, c, n)
		})
	})
}

func scanCounts(ctx context.Context, it *pebble.Iterator, bucketAt int, fn func(b Bucket, value string, c *Cell, users uint64) error) error {
	var (
		cell  Cell
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
		var users uint64
		if err == nil && set != nil {
			users, err = countUsers(set)
		}
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if users == 0 && cell.IsZero() {
			continue
		}
		if err := fn(Bucket(binary.BigEndian.Uint32(key[bucketAt:])), names.get(key[bucketAt+4:]), &cell, users); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	return ctx.Err()
}
