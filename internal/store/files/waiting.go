package files

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"quipu/internal/model"
)

const (
	// MaxWaiting is how much of what an app has uploaded may wait for a sweep, bytes.
	MaxWaiting = 64 << 20
	// block is what the smallest file counts: it takes as much of the disk.
	block = 4 << 10
)

// ErrWaiting says that too much of what an app has uploaded waits for a sweep.
var ErrWaiting = errors.New("files: too many uploads of the app wait for a sweep")

// waiting has, by app, the files that were uploaded and that no sweep has looked at yet: nobody may have them. It is in memory only.
// The zero value is empty.
type waiting struct {
	mu   sync.Mutex
	apps map[model.AppID]*uploads
}

// uploads are the files of an app that wait.
type uploads struct {
	files map[[32]byte]upload
	bytes int64
}

type upload struct {
	bytes   int64 // what it counts
	written bool
}

// take counts a file, unless that is more than an app may have; one that waits already is counted once.
func (w *waiting) take(app model.AppID, hash [32]byte, size int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := w.apps[app]
	if u == nil {
		u = &uploads{files: map[[32]byte]upload{}}
	}
	if _, there := u.files[hash]; there {
		return true
	}
	size = max(size, block)
	if u.bytes+size > MaxWaiting {
		return false
	}
	u.files[hash] = upload{bytes: size}
	u.bytes += size
	if w.apps == nil {
		w.apps = map[model.AppID]*uploads{}
	}
	w.apps[app] = u
	return true
}

// end notes that a file was written, or forgets it.
func (w *waiting) end(app model.AppID, hash [32]byte, written bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := w.apps[app]
	if u == nil {
		return
	}
	if f, there := u.files[hash]; there && written {
		u.files[hash] = upload{bytes: f.bytes, written: true}
	} else if there {
		delete(u.files, hash)
		u.bytes -= f.bytes
	}
}

// release forgets the files that are written and pass.
func (w *waiting) release(pass func(hash [32]byte) bool) {
	w.mu.Lock()
	list := map[[32]byte]bool{}
	for _, u := range w.apps {
		for hash, f := range u.files {
			if f.written {
				list[hash] = true
			}
		}
	}
	w.mu.Unlock()
	for hash := range list { // pass asks the engine
		list[hash] = pass(hash)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for app, u := range w.apps {
		for hash, f := range u.files {
			if f.written && list[hash] {
				delete(u.files, hash)
				u.bytes -= f.bytes
			}
		}
		if len(u.files) == 0 {
			delete(w.apps, app)
		}
	}
}

// crowded reports whether an app has used half of what may wait.
func (w *waiting) crowded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.apps {
		if u.bytes > MaxWaiting/2 {
			return true
		}
	}
	return false
}

// PutWaiting stores what an app has uploaded, as Put does, and counts it for the app until a sweep has looked at it, see Sweep.
// A file that is there already costs nothing. It returns ErrWaiting when the app has MaxWaiting bytes that wait. Faults: files.bad_type, files.unavailable.
func (s *Store) PutWaiting(ctx context.Context, app model.AppID, data []byte, types []string) (string, error) {
	hash, err := checked(data, len(data), types)
	if err != nil {
		return "", err
	}
	name := hex.EncodeToString(hash[:])
	if again, err := s.again(ctx, hash, data); again || err != nil {
		return name, err
	}
	if !s.waiting.take(app, hash, int64(len(data))) {
		return "", ErrWaiting
	}
	err = s.write(ctx, name, data)
	s.waiting.end(app, hash, err == nil)
	return name, err
}

// Crowded reports whether an app has used half of what may wait for a sweep.
func (s *Store) Crowded() bool { return s.waiting.crowded() }

// Sweep begins a sweep of the files that were put for the last time longer than age ago: it returns what Old does, and looked, to be called once
// those that nobody has are deleted. What waited and is older, or gone, counts for its app no longer.
func (s *Store) Sweep(ctx context.Context, age time.Duration, most int) (old map[string]bool, looked func() error, err error) {
	began, err := s.e.Clock(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("look for old files: %w", err)
	}
	old, err = s.Old(ctx, age, most)
	return old, func() error { return s.settle(ctx, began.Add(-age)) }, err
}

// settle releases the files that are gone, or were put for the last time before an instant.
func (s *Store) settle(ctx context.Context, before time.Time) error {
	var errs []error
	s.waiting.release(func(hash [32]byte) bool {
		info, err := s.e.Stat(ctx, path(hex.EncodeToString(hash[:])))
		if errors.Is(err, ErrNotFound) {
			return true
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("look at an upload: %w", err))
			return false
		}
		return info.Modified.Before(before)
	})
	return errors.Join(errs...)
}
