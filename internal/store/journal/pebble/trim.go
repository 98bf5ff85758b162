package pebble

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
)

// A trim reaches the disk when it frees this much.
const (
	trimBytes   = 1 << 20
	trimRecords = 4096
)

// Trim implements Journal. The records are gone for readers at once; the
// disk is given back when enough of them are, and whole blocks.
func (j *Journal) Trim(_ context.Context, w journal.Watermark) error {
	return j.trim(w[only], trimBytes, trimRecords, false) //nolint:contextcheck // the call is short
}

// Purge is Trim that removes the records from the database at once, however few they are, also from a block with others.
func (j *Journal) Purge(_ context.Context, w journal.Watermark) error {
	return j.trim(w[only], 0, 0, true) //nolint:contextcheck // the call is short
}

func (j *Journal) trim(offset, minBytes, minRecords uint64, cut bool) error {
	j.mu.Lock()
	offset = min(offset, j.last.offset)
	j.mu.Unlock()
	to := j.at(offset)

	j.trimming.Lock()
	defer j.trimming.Unlock()
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return journal.ErrClosed
	}
	if to.offset > j.base.offset {
		j.base = to
	}
	to, from := j.base, j.stored
	last := j.last.offset
	if !cut && (to.offset == from.offset || to.offset-from.offset < minRecords && to.total-from.total < minBytes) {
		j.mu.Unlock()
		return nil
	}
	j.stored = to
	j.mu.Unlock()

	b := j.db.NewBatch()
	defer b.Discard()
	var err error
	if to.offset > from.offset {
		err = errors.Join(
			b.DeleteRange(recordKey(only, from.offset+1), recordKey(only, to.offset+1)),
			b.Set(metaKey(kv.MetaTrim, only), appendMark(nil, to)),
		)
	}
	if err == nil && cut && to.offset < last {
		err = j.cut(b, to.offset)
	}
	if err == nil {
		// A trim that a crash undoes only leaves records that nobody reads.
		err = j.db.CommitNoSync(b)
	}
	if err != nil {
		return fmt.Errorf("trim journal: %w", err)
	}
	return nil
}

// cut has the block in which a record and the next one lie, if any, keep only those behind it. The caller holds trimming.
func (j *Journal) cut(b *kv.Batch, offset uint64) error {
	next := offset + 1
	r, err := j.reader(recordKey(only, next), kv.After(recordKey(only, 0)[:3]))
	if err != nil {
		return err
	}
	if err = r.seek(next, next); err == nil && r.value.first() < next {
		if err = r.unpack(next); err == nil {
			var rest block
			for ; next <= r.value.last.offset; next++ {
				rest.add(r.value.at(next), r.value.payload(next))
			}
			var p packer
			err = p.put(b, &rest)
		}
	}
	if _, ok := errors.AsType[*CorruptError](err); ok {
		err = nil // Read reports it, and Repair replaces it
	}
	return errors.Join(err, r.close())
}
