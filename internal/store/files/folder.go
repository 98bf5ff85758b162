package files

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Folder keeps files under names of their own beside the hashed ones: results
// that are written as a stream, however large they are. Nothing is made on disk
// before the first file.
type Folder struct{ dir string }

// Folder returns the folder of a name of at least three lower-case letters, which no hash's folder has.
func (s *Store) Folder(name string) *Folder { return &Folder{dir: filepath.Join(s.dir, name)} }

// unfinished ends the names of files that are being written.
const unfinished = ".part"

var folderName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$`)

func (f *Folder) path(name string) (string, error) {
	if !folderName.MatchString(name) || strings.HasSuffix(name, unfinished) {
		return "", ErrNotFound
	}
	return filepath.Join(f.dir, name), nil
}

// Writer is a file that is being written. It is there under its name only
// after Commit. It must be ended by Commit or Abort.
type Writer struct {
	file *os.File
	buf  *bufio.Writer
	path string
	size int64
}

// Create begins a file that will replace one of the same name. Of several that are written at a
// time the last to be committed stays.
func (f *Folder) Create(name string) (*Writer, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, fmt.Errorf("name of file %q: %w", name, err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for files: %w", err)
	}
	file, err := os.CreateTemp(f.dir, name+".*"+unfinished)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	return &Writer{file: file, buf: bufio.NewWriterSize(file, 64<<10), path: path}, nil
}

// Write appends to the file.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.buf.Write(p)
	w.size += int64(n)
	return n, err
}

// Size returns the bytes written so far.
func (w *Writer) Size() int64 { return w.size }

// Commit makes the file durable under its name. On error nothing is left.
func (w *Writer) Commit() error {
	err := errors.Join(w.buf.Flush(), w.file.Sync(), w.file.Close())
	if err == nil {
		err = os.Rename(w.file.Name(), w.path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(w.path))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("finish file: %w", err), removeIfThere(w.file.Name()))
	}
	return nil
}

// Abort forgets what was written.
func (w *Writer) Abort() error {
	return errors.Join(w.file.Close(), removeIfThere(w.file.Name()))
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Scratch returns an empty file without a name: it goes when it is closed.
func (f *Folder) Scratch() (*os.File, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for files: %w", err)
	}
	file, err := os.CreateTemp(f.dir, "scratch.*"+unfinished)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Open opens a file for reading, or answers ErrNotFound. The caller closes it; removing the
// file meanwhile does not disturb the reading.
func (f *Folder) Open(name string) (*os.File, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("open file: %w", err)
	}
	return file, nil
}

// Remove deletes a file; a missing one is no error.
func (f *Folder) Remove(name string) error {
	path, err := f.path(name)
	if err != nil {
		return nil //nolint:nilerr // such a file was never made
	}
	if err := removeIfThere(path); err != nil {
		return fmt.Errorf("delete file: %w", err)
	}
	return nil
}

// Sweep deletes the files that keep does not name, and those that a process
// did not finish. Nothing may be written to the folder meanwhile.
func (f *Folder) Sweep(keep func(name string) bool) error {
	return f.each(func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), unfinished) || !keep(e.Name()) })
}

// RemoveAll deletes the finished files whose names begin with prefix.
func (f *Folder) RemoveAll(prefix string) error {
	return f.each(func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), prefix) && !strings.HasSuffix(e.Name(), unfinished)
	})
}

// RemoveUnfinished deletes what was being written when a process ended: unfinished files that were not
// written to since a moment.
func (f *Folder) RemoveUnfinished(since time.Time) error {
	return f.each(func(e fs.DirEntry) bool {
		info, err := e.Info()
		return strings.HasSuffix(e.Name(), unfinished) && err == nil && info.ModTime().Before(since)
	})
}

// each deletes the files that pick names.
func (f *Folder) each(pick func(fs.DirEntry) bool) error {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if pick(e) {
			errs = append(errs, removeIfThere(filepath.Join(f.dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}
