package kv

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Batch gathers the writes of one atomic commit. Every store that keeps its
// data in the database adds its part to the same Batch, so that a batch of the pipeline is
// stored whole or not at all.
//
// A Batch belongs to one goroutine. It ends exactly once: by DB.Commit or by
// Discard; after that it must not be used.
type Batch struct {
	b     *pebble.Batch
	onEnd []func(committed bool)
	ended bool
}

// Set stores value under key. Both are copied.
func (b *Batch) Set(key, value []byte) error {
	if err := b.b.Set(key, value, nil); err != nil {
		return fmt.Errorf("set in batch: %w", err)
	}
	return nil
}

// SetDeferred reserves a key and a value in the batch for the caller to fill
// in before it calls anything else on the batch.
func (b *Batch) SetDeferred(keyLen, valueLen int) (key, value []byte, finish func() error) {
	op := b.b.SetDeferred(keyLen, valueLen)
	return op.Key, op.Value, op.Finish
}

// Merge adds operand to what is stored under key, with the merger of the
// database. Both are copied.
func (b *Batch) Merge(key, operand []byte) error {
	if err := b.b.Merge(key, operand, nil); err != nil {
		return fmt.Errorf("merge in batch: %w", err)
	}
	return nil
}

// Delete removes key; a key that does not exist is no error.
func (b *Batch) Delete(key []byte) error {
	if err := b.b.Delete(key, nil); err != nil {
		return fmt.Errorf("delete in batch: %w", err)
	}
	return nil
}

// DeleteRange removes all keys in [from, to). What the batch sets later stays.
func (b *Batch) DeleteRange(from, to []byte) error {
	if err := b.b.DeleteRange(from, to, nil); err != nil {
		return fmt.Errorf("delete range in batch: %w", err)
	}
	return nil
}

// OnEnd registers fn to run once the batch has ended: with true after it is
// durable, with false when it was discarded or its commit did not succeed.
// Functions run in the order of registration, on the goroutine that commits
// or discards.
func (b *Batch) OnEnd(fn func(committed bool)) { b.onEnd = append(b.onEnd, fn) }

// Len returns the size of the batch in bytes.
func (b *Batch) Len() int { return b.b.Len() }

// Count returns how many operations the batch holds.
func (b *Batch) Count() uint32 { return b.b.Count() }

// Discard ends the batch without storing anything. After Commit it does
// nothing, so it may be deferred.
func (b *Batch) Discard() {
	if b.ended {
		return
	}
	_ = b.b.Close() // only returns the buffer to its pool
	b.end(false)
}

func (b *Batch) end(committed bool) {
	b.ended = true
	for _, fn := range b.onEnd {
		fn(committed)
	}
	b.onEnd = nil
}
