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

// Rewrite adds to the batch what replaces merged users in the cells of an
// app, looking at no more than limit cells (at least one) from cursor on. A
// nil cursor begins; the returned cursor goes into the next call, after the batch
// was committed; a nil one says that the app is done.
//
// Batches may go on writing meanwhile: the batch holds replacements and no
// cells, so nothing a batch adds is lost, and a cell removed in between stays
// removed. What must hold is that no batch writes a number after its alias was
// committed. aliases must be the same for all calls from one nil cursor to the
// end, and so must be the meaning of a number: where removing an app's data
// restarts its numbers, no removal may be committed between this call and the
// commit of the batch, and a run that a removal has overtaken begins again with the
// aliases of then. When the end is committed, exactly those aliases may be forgotten, in
// a later commit to the same database.
func Rewrite(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, aliases map[uint32]uint32, cursor []byte, limit int) (next []byte, err error) {
	set := newAliasSet(aliases)
	if set.olds == nil {
		return nil, nil
	}
	prefix := appendApp(nil, app)
	lower := prefix
	if cursor != nil {
		if !bytes.HasPrefix(cursor, prefix) {
			return nil, fmt.Errorf("rewrite users: cursor is of another app")
		}
		lower = cursor
	}
	it, err := db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: successor(bytes.Clone(prefix))})
	if err != nil {
		return nil, fmt.Errorf("rewrite users: %w", err)
	}
	next, err = rewrite(ctx, it, batch, set, max(limit, 1))
	if cerr := it.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("rewrite users: %w", err)
	}
	return next, nil
}

func rewrite(ctx context.Context, it *pebble.Iterator, batch *pebble.Batch, set aliasSet, limit int) ([]byte, error) {
	var (
		cell  rollup.Cell
		users = roaring.New()
		e     encoder
	)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n == limit {
			return bytes.Clone(it.Key()), nil
		}
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		raw, err := it.ValueAndErr()
		if err != nil {
			return nil, err
		}
		if len(raw) > 1 && raw[1]&hasUsers == 0 {
			continue
		}
		// The users refer to the iterator's memory; they are only looked at.
		if _, err := decode(raw, &cell, users); err != nil {
			return nil, err
		}
		hits := set.hits(cell.Users)
		if len(hits) == 0 {
			continue
		}
		if err := e.encode(&rollup.Cell{}, hits); err != nil {
			return nil, err
		}
		if err := batch.Merge(it.Key(), e.buf, nil); err != nil {
			return nil, err
		}
	}
	return nil, it.Error()
}
