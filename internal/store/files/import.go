package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// movable are names that any engine takes.
func movable(name string) bool {
	folder, base, ok := strings.Cut(name, "/")
	return ok && folderName.MatchString(folder) && folderName.MatchString(base) && !strings.HasSuffix(base, unfinished)
}

var folderName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9_.-]*$`)

// Copy stores the files of another store that are not there yet, under the same names. seen, which may be nil, are names that are left out, and gets those that are there.
func (s *Store) Copy(ctx context.Context, from *Store, seen map[string]bool) error {
	for info, err := range from.e.All(ctx) {
		if err != nil {
			return fmt.Errorf("list files: %w", err)
		}
		if seen[info.Name] || !movable(info.Name) {
			continue
		}
		err := s.copyOne(ctx, from, info)
		if errors.Is(err, ErrNotFound) { // it was deleted meanwhile
			continue
		}
		if err != nil {
			return err
		}
		if seen != nil {
			seen[info.Name] = true
		}
	}
	return nil
}

func (s *Store) copyOne(ctx context.Context, from *Store, info Info) error {
	if there, err := s.e.Stat(ctx, info.Name); err == nil && there.Size == info.Size {
		return nil
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("look for file %s: %w", info.Name, err)
	}
	content, err := from.e.Open(ctx, info.Name)
	if err != nil {
		return fmt.Errorf("read file %s: %w", info.Name, err)
	}
	st, err := content.Stat()
	if err == nil {
		_, err = s.Import(ctx, info.Name, st.Size(), content)
	}
	return errors.Join(err, content.Close())
}

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
