package pebble

import (
	"context"
	"encoding/binary"
	"fmt"

	"quipu/internal/store/kv"
)

// Repair puts a record without content in the place of every record behind the
// watermark that is missing or damaged, since records are read in unbroken
// order. It returns how many those are. Nobody may have the journal open.
func Repair(ctx context.Context, db *kv.DB) (lost int, err error) {
	w, err := LoadWatermark(ctx, db)
	if err != nil {
		return 0, err
	}
	b := db.NewBatch()
	defer b.Discard()
	next, total := w[only]+1, uint64(0)
	empty := func(offset uint64) error {
		key, value := recordKey(only, offset), make([]byte, recordHeader)
		putRecord(value, key, total, nil)
		lost++
		return b.Set(key, value)
	}
	err = db.Scan(ctx, recordKey(only, next), kv.After(recordKey(only, 0)[:3]), func(key, value []byte) (bool, error) {
		if len(key) != recordKeyLen {
			return true, nil
		}
		offset := binary.BigEndian.Uint64(key[3:])
		for ; next < offset; next++ {
			if err := empty(next); err != nil {
				return false, err
			}
		}
		next = offset + 1
		sum, _, rerr := parseRecord(key, value)
		if rerr != nil {
			return true, empty(offset)
		}
		total = sum
		return true, nil
	})
	if err == nil && lost > 0 {
		err = db.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
	}
	if err != nil {
		return lost, fmt.Errorf("repair journal: %w", err)
	}
	return lost, nil
}
