package app

import (
	"context"
	"sync"

	"quipu/internal/store/journal"
)

// frozenJournal stands for the journal of a server that is only read from while data moves: it gives no records, takes none and forgets none.
type frozenJournal struct {
	mu  sync.Mutex
	end journal.Watermark // up to where everything is projected
}

var _ journal.Journal = (*frozenJournal)(nil)

// endsAt says up to where everything is projected.
func (j *frozenJournal) endsAt(w journal.Watermark) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.end = w.Clone()
}

// Append implements journal.Journal.
func (*frozenJournal) Append(context.Context, ...journal.Entry) (journal.Position, error) {
	return journal.Position{}, errMoving
}

// Read implements journal.Journal.
func (*frozenJournal) Read(context.Context, journal.Watermark, int, func(journal.Record) bool) error {
	return nil
}

// Wait implements journal.Journal.
func (*frozenJournal) Wait(ctx context.Context, _ journal.Watermark) error {
	<-ctx.Done()
	return ctx.Err()
}

// Trim implements journal.Journal.
func (*frozenJournal) Trim(context.Context, journal.Watermark) error { return nil }

// End implements journal.Journal.
func (j *frozenJournal) End() journal.Watermark {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.end.Clone()
}

// Size implements journal.Journal.
func (*frozenJournal) Size(journal.Watermark) (records, bytes int64) { return 0, 0 }
