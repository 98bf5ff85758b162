package pebble

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
)

// ErrTaken says that what is to be taken from another journal has been taken already. Nothing was stored.
var ErrTaken = errors.New("journal: the records of the other journal were already imported")

// Take is Append of records of another journal. The batch that stores the entries notes that everything up to from, a position in that
// journal, is taken: after a crash both are there or neither is. Without entries it only moves the note, durably. The error is ErrTaken, and nothing is stored, when from
// lies at or before the note of its partition. It returns only when it is known whether the entries are stored, also when ctx is done: otherwise who reads Taken afterwards
// could take them a second time. It may be called from many goroutines, but the calls for one partition of the other journal have to come one after the other.
func (j *Journal) Take(ctx context.Context, from journal.Position, entries ...journal.Entry) (journal.Position, error) {
	if from.Offset == 0 {
		return journal.Position{}, ErrTaken
	}
	if err := ctx.Err(); err != nil {
		return journal.Position{}, err
	}
	return j.append(context.WithoutCancel(ctx), from, entries)
}

// Taken returns up to where each partition of another journal is taken.
func (j *Journal) Taken() journal.Watermark {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.taken.Clone()
}

// Forget removes the notes of what was taken, durably. Nobody may take meanwhile.
func (j *Journal) Forget(context.Context) error {
	b := j.db.NewBatch()
	defer b.Discard()
	prefix := []byte{kv.PrefixMeta, kv.MetaTaken}
	err := b.DeleteRange(prefix, kv.After(prefix))
	if err == nil {
		err = j.db.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
	}
	if err != nil {
		return fmt.Errorf("forget what was taken from another journal: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.taken)
	return nil
}

// note puts the position of a Take into the notes of a group, unless it is taken. Only the committer calls it.
func (j *Journal) note(notes journal.Watermark, from journal.Position) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.taken.Covers(from.Partition, from.Offset) || notes.Covers(from.Partition, from.Offset) {
		return ErrTaken
	}
	notes[from.Partition] = from.Offset
	return nil
}
