// Package logfile keeps the server's own warnings and errors in files, for
// people to read through the API. A file that grows too large becomes the former
// file (name.log.1) and a new one begins, so a log is bounded.
//
// The files are plain text, a line of key=value pairs an entry; nothing reads them but people.
package logfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// maxFile is the size (bytes) from which on a file is the former one; maxEarly bounds what is
// held before the folder is open.
const (
	maxFile  = 4 << 20
	maxEarly = 64 << 10
)

// Set is a number of logs, each with a name. It is safe for concurrent use.
type Set struct {
	names []string
	mu    sync.Mutex // guards the rest
	dir   string     // "" until Open
	early map[string][]byte
}

// New returns logs that hold in memory what is written before Open.
func New(names ...string) *Set { return &Set{names: names, early: map[string][]byte{}} }

// Open lets the logs live in a folder, which is made.
func (s *Set) Open(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make folder of logs: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir = dir
	for name, text := range s.early {
		if err := s.append(name, text); err != nil {
			return err
		}
	}
	s.early = nil
	return nil
}

// Names lists the logs.
func (s *Set) Names() []string { return slices.Clone(s.names) }

// Handler returns a handler that writes warnings and errors to a log.
func (s *Set) Handler(name string) slog.Handler {
	return slog.NewTextHandler(&writer{set: s, name: name}, &slog.HandlerOptions{Level: slog.LevelWarn})
}

type writer struct {
	set  *Set
	name string
}

// Write appends an entry.
func (w *writer) Write(p []byte) (int, error) {
	w.set.mu.Lock()
	defer w.set.mu.Unlock()
	if err := w.set.append(w.name, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *Set) path(name string) string { return filepath.Join(s.dir, name+".log") }

func (s *Set) append(name string, p []byte) (err error) {
	if s.dir == "" {
		if len(s.early[name])+len(p) <= maxEarly {
			s.early[name] = append(s.early[name], p...)
		}
		return nil
	}
	path := s.path(name)
	if info, err := os.Stat(path); err == nil && info.Size()+int64(len(p)) > maxFile {
		if err := os.Rename(path, path+".1"); err != nil {
			return fmt.Errorf("begin a new log file: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open log file: %w", err)
	}
	_, err = f.Write(p)
	return errors.Join(err, f.Close())
}

// Tail returns the last n bytes of a log at most, from the beginning of a line; n < 1 means all there is.
func (s *Set) Tail(name string, n int64) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		return string(s.early[name]), nil
	}
	if n < 1 || n > 2*maxFile {
		n = 2 * maxFile
	}
	now, err := tail(s.path(name), n)
	if err != nil || int64(len(now)) == n {
		return string(fromLine(now, n)), err
	}
	before, err := tail(s.path(name)+".1", n-int64(len(now)))
	return string(fromLine(append(before, now...), n)), err
}

// fromLine drops the first line of text that was cut to n bytes, unless it is the only one.
func fromLine(text []byte, n int64) []byte {
	if int64(len(text)) < n {
		return text
	}
	if _, rest, found := bytes.Cut(text, []byte("\n")); found && len(rest) > 0 {
		return rest
	}
	return text
}

func tail(path string, n int64) (_ []byte, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open log file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at log file: %w", err)
	}
	if _, err := f.Seek(max(0, info.Size()-n), io.SeekStart); err != nil {
		return nil, fmt.Errorf("read log file: %w", err)
	}
	return io.ReadAll(io.LimitReader(f, n))
}

// Clear empties a log.
func (s *Set) Clear(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		delete(s.early, name)
		return nil
	}
	for _, path := range []string{s.path(name), s.path(name) + ".1"} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("clear log: %w", err)
		}
	}
	return nil
}
