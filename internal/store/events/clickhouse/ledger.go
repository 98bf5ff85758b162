package clickhouse

import (
	"context"

	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// Ledger is where the store notes what it sends: a part of the state, which only those may write to that hold a partition. What it returned is
// durable. It is used by one goroutine at a time.
type Ledger interface {
	// State names the state that the ledger belongs to, and no other.
	State(ctx context.Context) (string, error)
	// Watermark returns up to where rows are confirmed.
	Watermark(ctx context.Context) (journal.Watermark, error)
	// Begin notes a sending, unless one of its partition is noted already, and returns the one that is; again says that it was noted before.
	Begin(ctx context.Context, s events.Sending) (noted events.Sending, again bool, err error)
	// Noted returns the sending of a partition that is not confirmed; the zero value when there is none.
	Noted(ctx context.Context, partition uint16) (events.Sending, error)
	// Retry counts up the tries of a sending that is noted, and returns it.
	Retry(ctx context.Context, s events.Sending) (events.Sending, error)
	// Confirm moves the watermark, nowhere back, and forgets sendings that it has reached.
	Confirm(ctx context.Context, w journal.Watermark) error
	// Version returns a number that is greater than all that it returned before, to this or any other process.
	Version(ctx context.Context) (uint64, error)
}
