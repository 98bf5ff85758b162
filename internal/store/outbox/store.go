package outbox

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// ErrDamaged says that what is stored is no part of the format.
var ErrDamaged = errors.New("outbox: stored part is damaged")

// Batch is what a batch of the pipeline adds, in stored form (docs/format/outbox.md). The zero value adds nothing.
type Batch struct {
	Partition uint16
	// Through is the offset of the batch's last record.
	Through uint64
	Parts   []Stored
}

// Stored is something of an app in stored form.
type Stored struct {
	App   model.AppID
	Value []byte
}

// Store keeps the contents of the outbox. A commit of the state adds to it, see Batch; the rest is here. It is safe for concurrent use.
type Store interface {
	// Partitions lists those that have parts or noted users.
	Partitions(ctx context.Context) ([]uint16, error)
	// Parts calls fn for the parts of the batches from … before an offset, by offset, until fn returns false or an error, which
	// Parts returns. The value is valid only during the call. Errors: ErrDamaged.
	Parts(ctx context.Context, partition uint16, from, before uint64, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error
	// Users is Parts for users that are noted.
	Users(ctx context.Context, partition uint16, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error
	// Moved forgets batches, in one step with what else a move says.
	Moved(ctx context.Context, m Move) error
	// ForgetUsers forgets users noted before an offset. It may be undone by a crash.
	ForgetUsers(ctx context.Context, partition uint16, before uint64) error
	// Failed returns nil while the store works.
	Failed() error
}

// Move says that parts of batches are in the event store.
type Move struct {
	Partition uint16
	// From … Before are the offsets of the batches to be forgotten.
	From, Before uint64
	// Users are noted under the last of these offsets.
	Users []Stored
	// Watermark is what the event store has committed; nil = no more than before.
	Watermark journal.Watermark
	// Durable says that no crash may undo it.
	Durable bool
}
