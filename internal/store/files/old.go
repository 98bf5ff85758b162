package files

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// clock is the time by the file system, which the ages of files are reckoned by.
func (s *Store) clock() (time.Time, error) {
	f, err := os.CreateTemp(s.dir, ".new-*")
	if err != nil {
		return time.Time{}, fmt.Errorf("read clock of files: %w", err)
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return time.Time{}, fmt.Errorf("read clock of files: %w", err)
	}
	return info.ModTime(), nil
}

// Old returns the hashes of the files that were put for the last time longer than age ago, at most so many: which then is left to chance.
func (s *Store) Old(ctx context.Context, age time.Duration, most int) (map[string]bool, error) {
	now, err := s.clock()
	if err != nil {
		return nil, err
	}
	out, first := map[string]bool{}, rand.IntN(256)
	for i := range 256 {
		if len(out) >= most {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("look for old files: %w", err)
		}
		list, err := os.ReadDir(filepath.Join(s.dir, hex.EncodeToString([]byte{byte(first + i)})))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("look for old files: %w", err)
		}
		for _, e := range list {
			info, err := e.Info()
			if err == nil && !Unfinished(e.Name()) && now.Sub(info.ModTime()) > age && len(out) < most {
				out[e.Name()] = true
			}
		}
	}
	return out, nil
}

// DeleteOld deletes a file unless it was put again since. A missing one is no error.
func (s *Store) DeleteOld(ctx context.Context, hash string, age time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, err := hex.DecodeString(hash); err != nil || len(b) != 32 {
		return nil
	}
	now, err := s.clock()
	if err != nil {
		return err
	}
	info, err := os.Stat(s.path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at file %s: %w", hash, err)
	}
	if now.Sub(info.ModTime()) <= age {
		return nil
	}
	return s.Delete(ctx, hash)
}
