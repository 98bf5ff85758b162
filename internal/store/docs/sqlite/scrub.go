package sqlite

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/fault"
)

// errReading says that the log cannot be emptied while someone reads what it holds.
var errReading = errors.New("documents are being read")

// Scrub takes what was deleted or replaced off the disk: it rewrites the file and empties
// its log. Writes wait meanwhile.
func (d *Store) Scrub(ctx context.Context) error {
	// What is deleted is overwritten with zeros as it is; but pages that were moved or split keep copies.
	if _, err := d.writer.ExecContext(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("scrub document store: %w", storeError(err))
	}
	return d.truncateLog(ctx)
}

// Rest moves what the log holds to the file and gives the log's room back: SQLite keeps the file of the log at its largest size. It
// does nothing while someone reads what the log holds; the next rest does it.
func (d *Store) Rest(ctx context.Context) error {
	if err := d.truncateLog(ctx); err != nil && !isReading(err) {
		return err
	}
	return nil
}

// truncateLog moves what the log holds to the file and empties it. The fault is docs.busy while
// someone reads what the log holds, see isReading.
func (d *Store) truncateLog(ctx context.Context) error {
	var busy, frames, done int
	if err := d.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done); err != nil {
		return fmt.Errorf("empty log of document store: %w", storeError(err))
	}
	if busy != 0 {
		return fault.Wrap(errReading, fault.Unavailable, "docs.busy", "The document store is in use")
	}
	return nil
}

func isReading(err error) bool { return errors.Is(err, errReading) }
