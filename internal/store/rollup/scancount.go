package rollup

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
)

// CountScanner is a Reader that tells how many users cells have without
// reading who they are.
type CountScanner interface {
	// ScanCounts is Reader.Scan with cells whose Users are nil, and the number of users instead.
	ScanCounts(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users UserCount) error) error
}

// UserCount is what is known of a set of users without reading it. The zero value is
// that of the empty set.
type UserCount struct {
	N       uint64
	Largest uint32 // the largest number of a user
}

// CountUsers counts the users of a set; nil is empty.
func CountUsers(users *roaring.Bitmap) UserCount {
	if users == nil || users.IsEmpty() {
		return UserCount{}
	}
	return UserCount{N: users.GetCardinality(), Largest: users.Maximum()}
}

// ScanCounts calls fn for the cells of a series, which come without their
// users, and with how many they are. It uses a CountScanner where r is one.
func ScanCounts(ctx context.Context, r Reader, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users UserCount) error) error {
	if v, ok := r.(CountScanner); ok {
		return v.ScanCounts(ctx, app, s, g, from, to, fn)
	}
	return r.Scan(ctx, app, s, g, from, to, func(b Bucket, value string, c *Cell) error {
		bare := *c
		bare.Users = nil
		return fn(b, value, &bare, CountUsers(c.Users))
	})
}

var _ CountScanner = (*Store)(nil)

// ScanCounts implements CountScanner. While an app has merged users that are
// not yet rewritten, it has to look at who the users are where these may be among them.
func (s *Store) ScanCounts(ctx context.Context, app model.AppID, series Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users UserCount) error) error {
	return s.walk(ctx, app, series, g, from, to, func(it *pebble.Iterator, bucketAt int, aliases aliasSet) error {
		return scanCounts(ctx, it, bucketAt, aliases, fn)
	})
}

func scanCounts(ctx context.Context, it *pebble.Iterator, bucketAt int, aliases aliasSet, fn func(b Bucket, value string, c *Cell, users UserCount) error) error {
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
		var users UserCount
		if err == nil && set != nil {
			users, err = countCorrected(set, aliases)
		}
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if users.N == 0 && cell.IsZero() {
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

// countCorrected counts serialised users after correction.
func countCorrected(set []byte, aliases aliasSet) (UserCount, error) {
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
	return CountUsers(users), nil
}
