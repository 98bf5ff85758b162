package files

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Old returns the hashes of the files that were put for the last time longer than age ago, at most so many: which then is left to chance.
func (s *Store) Old(ctx context.Context, age time.Duration, most int) (map[string]bool, error) {
	now, err := s.e.Clock(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for old files: %w", err)
	}
	out, first := map[string]bool{}, rand.IntN(256)
	for i := range 256 {
		if len(out) >= most {
			break
		}
		for f, err := range s.e.List(ctx, hashed(byte(first+i))) {
			if err != nil {
				return nil, fmt.Errorf("look for old files: %w", err)
			}
			if parsed(f.Name) != nil && now.Sub(f.Modified) > age && len(out) < most {
				out[f.Name] = true
			}
		}
	}
	return out, nil
}

// DeleteOld deletes a file unless it was put again since. A missing one is no error.
func (s *Store) DeleteOld(ctx context.Context, hash string, age time.Duration) error {
	sum := parsed(hash)
	if sum == nil {
		return nil
	}
	turn := s.turn(sum)
	turn.Lock()
	defer turn.Unlock()
	now, err := s.e.Clock(ctx)
	if err != nil {
		return fmt.Errorf("look at file %s: %w", hash, err)
	}
	info, err := s.e.Stat(ctx, path(hash))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at file %s: %w", hash, err)
	}
	if now.Sub(info.Modified) <= age {
		return nil
	}
	return s.Delete(ctx, hash)
}
