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

// ScanApp implements rollup.AppScanner.
func (s *Store) ScanApp(ctx context.Context, app model.AppID, fn func(rollup.Key, *rollup.Cell) error) error {
	// Aliases first, see Scan.
	merged, err := s.aliases.Aliases(ctx, app)
	if err != nil {
		return fmt.Errorf("scan cells of app %s: %w", app, err)
	}
	prefix := appendApp(nil, app)
	it, err := s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: prefix, UpperBound: successor(bytes.Clone(prefix))})
	if err != nil {
		return fmt.Errorf("scan cells of app %s: %w", app, err)
	}
	err = scanApp(ctx, it, newAliasSet(merged), fn)
	if cerr := it.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("scan cells of app %s: %w", app, cerr)
	}
	return err
}

func scanApp(ctx context.Context, it *pebble.Iterator, aliases aliasSet, fn func(rollup.Key, *rollup.Cell) error) error {
	var (
		cell  rollup.Cell
		users = roaring.New()
	)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		k, err := parseKey(it.Key())
		if err != nil {
			return err
		}
		raw, err := it.ValueAndErr()
		if err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if _, err := decodeAll(bytes.Clone(raw), &cell, users); err != nil {
			return fmt.Errorf("read cell: %w", err)
		}
		if cell.IsZero() {
			continue
		}
		if aliases.olds != nil && cell.Users != nil {
			aliases.correct(cell.Users)
		}
		if err := fn(k, &cell); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	return ctx.Err()
}

// parseKey reads the key of a cell.
func parseKey(key []byte) (rollup.Key, error) {
	n, err := seriesLen(key)
	if err != nil {
		return rollup.Key{}, err
	}
	return rollup.Key{
		Series: rollup.Series{Metric: rollup.Metric(key[appEnd]), Dim: string(key[dimStart:n])},
		Grain:  rollup.Grain(key[n]),
		Bucket: rollup.Bucket(binary.BigEndian.Uint32(key[n+1:])),
		Value:  string(key[n+5:]),
	}, nil
}
