package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// Folder keeps files under names of their own beside the hashed ones: results
// that are written as a stream, however large they are.
type Folder struct {
	s    *Store
	name string
}

// Folder returns the folder of a name of at least three lower-case letters, which no hash's folder has.
func (s *Store) Folder(name string) *Folder { return &Folder{s: s, name: name} }

var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$`)

// unfinished ends names that are not given: an engine may use them for files that are being written.
const unfinished = ".part"

func (f *Folder) path(name string) (string, error) {
	if !fileName.MatchString(name) || strings.HasSuffix(name, unfinished) {
		return "", ErrNotFound
	}
	return f.name + "/" + name, nil
}

// Writer is a file that is being written. It is there under its name only
// after Commit. It must be ended by Commit or Abort.
type Writer struct {
	upload Upload
	size   int64
}

// Create begins a file that will replace one of the same name. Of several that are written at a
// time the last to be committed stays.
func (f *Folder) Create(name string) (*Writer, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, fmt.Errorf("name of file %q: %w", name, err)
	}
	u, err := f.s.e.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	return &Writer{upload: u}, nil
}

// Write appends to the file.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.upload.Write(p)
	w.size += int64(n)
	return n, err
}

// Size returns the bytes written so far.
func (w *Writer) Size() int64 { return w.size }

// Commit makes the file durable under its name. On error nothing is left. Faults: files.unavailable.
func (w *Writer) Commit(ctx context.Context) error {
	if err := w.upload.Commit(ctx); err != nil {
		return fmt.Errorf("finish file: %w", err)
	}
	return nil
}

// Abort forgets what was written.
func (w *Writer) Abort() error { return w.upload.Abort() }

// Scratch returns an empty file without a name: it goes when it is closed.
func (f *Folder) Scratch() (*os.File, error) {
	file, err := f.s.e.Scratch(f.name)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	return file, nil
}

// Open opens a file for reading, or answers ErrNotFound. The caller closes it; removing the
// file meanwhile does not disturb the reading. Faults: files.unavailable.
func (f *Folder) Open(ctx context.Context, name string) (*os.File, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, err
	}
	file, err := f.s.e.Open(ctx, path)
	if err != nil && !errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("open file: %w", err)
	}
	return file, err
}

// Remove deletes a file; a missing one is no error. Faults: files.unavailable.
func (f *Folder) Remove(ctx context.Context, name string) error {
	path, err := f.path(name)
	if err != nil {
		return nil //nolint:nilerr // such a file was never made
	}
	if err := f.s.e.Remove(ctx, path); err != nil {
		return fmt.Errorf("delete file: %w", err)
	}
	return nil
}

// Sweep deletes the files that keep does not name, and those that a process
// did not finish. Nothing may be written to the folder meanwhile, except by other processes where the store is shared: then what was written within a day stays.
func (f *Folder) Sweep(ctx context.Context, keep func(name string) bool) error {
	now, err := f.s.e.Clock(ctx)
	if err != nil {
		return fmt.Errorf("sweep files: %w", err)
	}
	before := now.Add(spared) // all, whatever the clock of those who wrote them said
	if f.s.o.Shared {
		before = now.Add(-spared)
	}
	return errors.Join(
		f.each(ctx, func(i Info) bool { return !keep(i.Name) && (!f.s.o.Shared || i.Modified.Before(before)) }),
		f.RemoveUnfinished(ctx, before),
	)
}

// RemoveAll deletes the finished files whose names begin with prefix.
func (f *Folder) RemoveAll(ctx context.Context, prefix string) error {
	return f.each(ctx, func(i Info) bool { return strings.HasPrefix(i.Name, prefix) })
}

// RemoveUnfinished deletes what was being written when a process ended: unfinished files that were not
// written to since a moment.
func (f *Folder) RemoveUnfinished(ctx context.Context, since time.Time) error {
	if err := f.s.e.RemoveUnfinished(ctx, f.name, since); err != nil {
		return fmt.Errorf("delete unfinished files: %w", err)
	}
	return nil
}

// each deletes the finished files that pick names.
func (f *Folder) each(ctx context.Context, pick func(Info) bool) error {
	var errs []error
	for i, err := range f.s.e.List(ctx, f.name) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list files: %w", err))...)
		}
		if pick(i) {
			if err := f.Remove(ctx, i.Name); err != nil {
				errs = append(errs, err)
			}
			if ctx.Err() != nil {
				break
			}
		}
	}
	return errors.Join(errs...)
}
