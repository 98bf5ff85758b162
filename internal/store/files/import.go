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

// Copy stores the files of another store that are not there yet, under the same names. Names in seen are skipped; every name copied or already present is added to it. seen may be nil.
// Files whose names not every engine takes are not copied: the error that comes in the end counts them.
func (s *Store) Copy(ctx context.Context, from *Store, seen map[string]bool) error {
	var unmovable []string
	for info, err := range from.e.All(ctx) {
		if err != nil {
			return fmt.Errorf("list files: %w", err)
		}
		if seen[info.Name] {
			continue
		}
		if !movable(info.Name) {
			unmovable = append(unmovable, info.Name)
			continue
		}
		there, err := s.copyOne(ctx, from, info)
		if err != nil {
			return err
		}
		if there && seen != nil {
			seen[info.Name] = true
		}
	}
	if len(unmovable) > 0 {
		return fmt.Errorf("%d files have names that some stores do not accept, such as %q", len(unmovable), unmovable[0])
	}
	return nil
}

// copyOne reports whether the file is there then: it is not when it was deleted from the other store meanwhile.
func (s *Store) copyOne(ctx context.Context, from *Store, info Info) (there bool, err error) {
	if there, err := s.has(ctx, info.Name, info.Size); there || err != nil {
		return there, err
	}
	content, err := from.e.Open(ctx, info.Name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read file %s: %w", info.Name, err)
	}
	st, err := content.Stat()
	if err == nil {
		err = s.store(ctx, info.Name, st.Size(), content)
	}
	return err == nil, errors.Join(err, content.Close())
}

// Import stores a file under the name, folder/name, that it had in another store, unless one of its size is there: files under a name never change. It
// reports whether it did.
func (s *Store) Import(ctx context.Context, name string, size int64, content io.Reader) (bool, error) {
	if there, err := s.has(ctx, name, size); there || err != nil {
		return false, err
	}
	err := s.store(ctx, name, size, content)
	return err == nil, err
}

// has reports whether a file of that name and size is there.
func (s *Store) has(ctx context.Context, name string, size int64) (bool, error) {
	info, err := s.e.Stat(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, fmt.Errorf("look for file %s: %w", name, err)
	}
	return err == nil && info.Size == size, nil
}

// store stores a file of that size.
func (s *Store) store(ctx context.Context, name string, size int64, content io.Reader) error {
	up, err := s.e.Create(name)
	if err != nil {
		return fmt.Errorf("store file %s: %w", name, err)
	}
	n, err := io.Copy(up, content)
	if err == nil && n != size {
		err = fmt.Errorf("it has %d bytes, not %d", n, size)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("store file %s: %w", name, err), up.Abort())
	}
	if err := up.Commit(ctx); err != nil {
		return fmt.Errorf("store file %s: %w", name, err)
	}
	return nil
}
