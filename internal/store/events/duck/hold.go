package duck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// ErrHeld says that a checkpoint, or a scrub, has to wait for a copy that is being made.
var ErrHeld = errors.New("events: checkpoints are put off while the store is copied")

// Hold puts checkpoints off until release is called and returns how many bytes
// of the log are committed and synced. Until then the file does not change in what it
// already holds, and the log only grows: the file and the log up to that length can be copied, and are
// together what the store held at the time of the call, also when the database is opened again meanwhile: it then reads its log and goes
// on with it. Release returns an error when the file or the log were written otherwise all the same; calls after the first do nothing.
func (s *Store) Hold(ctx context.Context) (logBytes int64, release func() error, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.retried(ctx, func() error { return s.ready(ctx) }); err != nil {
		return 0, nil, err
	}
	before, err := s.stateOfFiles()
	if err != nil {
		return 0, nil, err
	}
	s.held++
	var once sync.Once
	return before.logBytes(), func() (err error) {
		once.Do(func() {
			s.turn.Lock()
			defer s.turn.Unlock()
			s.held--
			var after filesState
			if after, err = s.stateOfFiles(); err == nil {
				err = after.continues(before)
			}
		})
		return err
	}, nil
}

// filesState is what says that neither the file nor what is in the log already were rewritten.
type filesState struct {
	// headers are the three headers of the file. Each checkpoint writes one of them.
	headers []byte
	log     os.FileInfo // nil = there is none
}

// headersSize is the size of the headers in bytes: see DuckDB's storage format.
const headersSize = 3 * 4096

func (s *Store) stateOfFiles() (st filesState, err error) {
	f, err := os.Open(s.opt.Path)
	if err != nil {
		return st, fmt.Errorf("read the event store's file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	st.headers = make([]byte, headersSize)
	if _, err := io.ReadFull(f, st.headers); err != nil {
		return st, fmt.Errorf("read the event store's headers: %w", err)
	}
	if st.log, err = os.Stat(s.opt.Path + ".wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return st, fmt.Errorf("size of the event store's log: %w", err)
	}
	return st, nil
}

func (st filesState) logBytes() int64 {
	if st.log == nil {
		return 0
	}
	return st.log.Size()
}

// continues returns an error unless st is what comes of before by additions to the log.
func (st filesState) continues(before filesState) error {
	same := before.log == nil || st.log != nil && os.SameFile(before.log, st.log) && st.log.Size() >= before.log.Size()
	if !same || !bytes.Equal(st.headers, before.headers) {
		return errors.New("events: the store was rewritten while it was copied")
	}
	return nil
}
