package files

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Import stores a file under the name, folder/name, that it had in another store, unless one of its size is there: files under a name never change. It
// reports whether it did.
func (s *Store) Import(ctx context.Context, name string, size int64, content io.Reader) (bool, error) {
	info, err := s.e.Stat(ctx, name)
	if err == nil && info.Size == size {
		return false, nil
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, fmt.Errorf("look for file %s: %w", name, err)
	}
	up, err := s.e.Create(name)
	if err != nil {
		return false, fmt.Errorf("store file %s: %w", name, err)
	}
	n, err := io.Copy(up, content)
	if err == nil && n != size {
		err = fmt.Errorf("it has %d bytes, not %d", n, size)
	}
	if err != nil {
		return false, errors.Join(fmt.Errorf("store file %s: %w", name, err), up.Abort())
	}
	if err := up.Commit(ctx); err != nil {
		return false, fmt.Errorf("store file %s: %w", name, err)
	}
	return true, nil
}
