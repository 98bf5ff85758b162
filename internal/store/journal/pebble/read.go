package pebble

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
)

// Read implements Journal. A maxBytes of 0 or less is no bound. It returns a
// *CorruptError for records that are not as they were written, after
// passing on those before them; reading on from the last of them skips them.
func (j *Journal) Read(ctx context.Context, from journal.Watermark, maxBytes int, fn func(journal.Record) bool) error {
	// The end is taken before the iterator and the start after it, so the
	// iterator holds everything between them whatever is appended or trimmed.
	j.mu.Lock()
	last := j.last.offset
	j.mu.Unlock()
	if from[only] >= last {
		return ctx.Err()
	}
	r, err := j.reader(recordKey(only, from[only]+1), recordKey(only, last+1))
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	j.mu.Lock()
	next := max(from[only], j.base.offset) + 1
	j.mu.Unlock()

	passed := 0
	for more := true; more && err == nil && next <= last; {
		if err = r.seek(next, last); err == nil {
			err = r.unpack(next)
		}
		for ; err == nil && more && next <= r.value.last.offset; next++ {
			if err = ctx.Err(); err != nil {
				break
			}
			payload := r.value.payload(next)
			passed += len(payload)
			more = fn(journal.Record{Partition: only, Offset: next, Payload: payload}) && (maxBytes <= 0 || passed < maxBytes)
		}
	}
	if err = errors.Join(err, r.close()); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	return nil
}

// reader finds blocks in the database as it was at one moment.
type reader struct {
	it    *pebble.Iterator
	value stored
}

// readers holds those that nobody uses, for the memory of their values.
var readers = sync.Pool{New: func() any { return &reader{} }}

func (j *Journal) reader(from, to []byte) (*reader, error) {
	it, err := j.db.Iter(from, to)
	if err != nil {
		return nil, err
	}
	r := readers.Get().(*reader)
	r.it = it
	return r, nil
}

// close ends the use of the reader.
func (r *reader) close() error {
	err := r.it.Close()
	r.it, r.value.body, r.value.plain = nil, nil, nil
	readers.Put(r)
	return err
}

// seek finds the block with a record. The error is a *CorruptError when there is none that can be read; last is where the records end.
func (r *reader) seek(offset, last uint64) error {
	if !r.it.SeekGE(recordKey(only, offset)) {
		if err := r.it.Error(); err != nil {
			return err
		}
		return &CorruptError{Partition: only, Offset: offset, Last: last, Reason: "missing"}
	}
	v, err := r.it.ValueAndErr()
	if err != nil {
		return err
	}
	if len(r.it.Key()) != recordKeyLen {
		return &CorruptError{Partition: only, Offset: offset, Last: offset, Reason: "a key that is none of the journal's follows"}
	}
	if err := r.value.parse(r.it.Key(), v); err != nil {
		return &CorruptError{Partition: only, Offset: offset, Last: offsetOf(r.it.Key()), Reason: err.Error()}
	}
	if !r.value.has(offset) {
		return &CorruptError{Partition: only, Offset: offset, Last: r.value.first() - 1, Reason: "missing"}
	}
	return nil
}

// unpack makes the payloads of the block that was found available; offset is the record that it was sought for.
func (r *reader) unpack(offset uint64) error {
	if err := r.value.check(); err != nil {
		return &CorruptError{Partition: only, Offset: offset, Last: r.value.last.offset, Reason: err.Error()}
	}
	return nil
}

// find returns the mark of a record as the database has it.
func (j *Journal) find(offset uint64) (mark, error) {
	r, err := j.reader(recordKey(only, offset), kv.After(recordKey(only, 0)[:3]))
	if err != nil {
		return mark{}, err
	}
	var m mark
	if err = r.seek(offset, offset); err == nil {
		m = r.value.at(offset)
	}
	return m, errors.Join(err, r.close())
}
