package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Backup writes a consistent copy of the store to a file that does not exist.
// Writes wait meanwhile.
func (d *Store) Backup(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("back up document store: %w", err)
	}
	// SQLite fills the empty file; it is synced through f, which is the same.
	_, err = d.writer.ExecContext(ctx, "VACUUM INTO ?", path)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("back up document store: %w", storeError(err))
	}
	return nil
}
