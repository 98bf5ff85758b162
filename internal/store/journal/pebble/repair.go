package pebble

import (
	"context"
	"fmt"

	"quipu/internal/store/kv"
)

// Repair puts records without content in the place of all records behind the
// watermark that are missing or damaged, since records are read in unbroken
// order. It returns how many those are: all of a block that is damaged. Nobody may have the journal open.
func Repair(ctx context.Context, db *kv.DB) (lost int, err error) {
	w, err := LoadWatermark(ctx, db)
	if err != nil {
		return 0, err
	}
	r := repair{b: db.NewBatch(), at: mark{offset: w[only]}}
	defer r.b.Discard()
	var found stored
	err = db.Scan(ctx, recordKey(only, r.at.offset+1), kv.After(recordKey(only, 0)[:3]), func(key, value []byte) (bool, error) {
		if len(key) != recordKeyLen {
			return true, nil
		}
		if found.parse(key, value) != nil || found.check() != nil {
			return true, r.empty(offsetOf(key))
		}
		err := r.empty(found.first() - 1)
		r.at = found.last
		return true, err
	})
	if err == nil && r.lost > 0 {
		err = db.Commit(r.b) //nolint:contextcheck // a commit cannot be given up half-way
	}
	if err != nil {
		return r.lost, fmt.Errorf("repair journal: %w", err)
	}
	return r.lost, nil
}

// repair is a Repair under way.
type repair struct {
	b    *kv.Batch
	at   mark // all records up to here can be read
	lost int
	pack packer
}

// empty puts records without content behind at, up to an offset.
func (r *repair) empty(through uint64) error {
	for r.at.offset < through {
		var b block
		for r.at.offset < through && b.takes(0) {
			r.at.offset++
			r.lost++
			b.add(r.at, nil)
		}
		if err := r.pack.put(r.b, &b); err != nil {
			return err
		}
	}
	return nil
}
