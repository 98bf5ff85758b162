package pebble

import (
	"context"
	"encoding/binary"
	"fmt"

	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
)

// PutWatermark makes w the pipeline's watermark when b is committed.
// Partitions that w does not name keep theirs.
func PutWatermark(b *kv.Batch, w journal.Watermark) error { return putMarks(b, kv.MetaWatermark, w) }

// PutRowsMark notes what the event store had committed when b was: less than
// the watermark after batches without rows.
func PutRowsMark(b *kv.Batch, w journal.Watermark) error { return putMarks(b, kv.MetaRows, w) }

func putMarks(b *kv.Batch, kind byte, w journal.Watermark) error {
	for partition, offset := range w {
		v := binary.BigEndian.AppendUint64([]byte{markVersion}, offset)
		if err := b.Set(metaKey(kind, partition), v); err != nil {
			return fmt.Errorf("put watermark: %w", err)
		}
	}
	return nil
}

// LoadWatermark returns the pipeline's watermark; it is empty in a new database.
func LoadWatermark(ctx context.Context, db *kv.DB) (journal.Watermark, error) {
	return loadMarks(ctx, db, kv.MetaWatermark)
}

// LoadRowsMark returns what the event store must have committed; it is empty
// before the first rows.
func LoadRowsMark(ctx context.Context, db *kv.DB) (journal.Watermark, error) {
	return loadMarks(ctx, db, kv.MetaRows)
}

// LoadTaken returns up to where the journal has taken each partition of another one, see Journal.Take.
func LoadTaken(ctx context.Context, db *kv.DB) (journal.Watermark, error) {
	return loadMarks(ctx, db, kv.MetaTaken)
}

func loadMarks(ctx context.Context, db *kv.DB, kind byte) (journal.Watermark, error) {
	w := journal.Watermark{}
	prefix := []byte{kv.PrefixMeta, kind}
	err := db.Scan(ctx, prefix, kv.After(prefix), func(key, value []byte) (bool, error) {
		if len(key) != 4 || len(value) != 9 || value[0] != markVersion {
			return false, fmt.Errorf("watermark has %d bytes, want 9 of version %d", len(value), markVersion)
		}
		w[binary.BigEndian.Uint16(key[2:])] = binary.BigEndian.Uint64(value[1:])
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("load watermark: %w", err)
	}
	return w, nil
}
