package duck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// ErrHeld says that a checkpoint, or a scrub, has to wait for a copy that is being made.
var ErrHeld = errors.New("events: checkpoints are put off while the store is copied")

// Hold puts checkpoints off until release is called and returns how many bytes
// of the log are committed and synced. Until then the file does not change in what it
// already holds, and the log only grows: the file and the log up to that length can be copied, and are
// together what the store held at the time of the call. Release returns an error when that was
// broken all the same, because the store had to be opened again; calls after the first do nothing.
func (s *Store) Hold(ctx context.Context) (logBytes int64, release func() error, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.ready(ctx); err != nil {
		return 0, nil, err
	}
	st, err := os.Stat(s.opt.Path + ".wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return 0, nil, fmt.Errorf("size of the event store's log: %w", err)
	default:
		logBytes = st.Size()
	}
	s.held++
	db := s.db
	var once sync.Once
	return logBytes, func() (err error) {
		once.Do(func() {
			s.turn.Lock()
			defer s.turn.Unlock()
			s.held--
			if s.db != db {
				err = errors.New("events: the store was opened again while it was copied")
			}
		})
		return err
	}, nil
}
