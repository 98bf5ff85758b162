// Package disk keeps uploaded files in a folder of a disk, which may be one that several machines share: the engine of package files without a server.
// A file is folder/name below it. It is written beside that, synced, and renamed.
package disk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quipu/internal/store/files"
)

// Engine is a folder of files. It implements files.Engine.
type Engine struct{ dir string }

var _ files.Engine = (*Engine)(nil)

// New makes the folder if it is missing.
func New(dir string) (*Engine, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for files: %w", err)
	}
	return &Engine{dir: dir}, nil
}

// Open makes the folder if it is missing and returns its files, which no other process writes.
func Open(dir string) (*files.Store, error) {
	e, err := New(dir)
	if err != nil {
		return nil, err
	}
	return files.New(e, files.Options{}), nil
}

// The names of files that are being written end with unfinished or begin with fresh.
const (
	unfinished = ".part"
	fresh      = ".new-"
)

// Unfinished reports whether a file of that name is still being written.
func Unfinished(name string) bool {
	return strings.HasSuffix(name, unfinished) || strings.HasPrefix(name, fresh)
}

func (e *Engine) path(name string) string { return filepath.Join(e.dir, filepath.FromSlash(name)) }

// Put implements files.Engine.
func (e *Engine) Put(_ context.Context, name string, data []byte) (err error) {
	path := e.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), fresh+"*")
	if err != nil {
		return err
	}
	_, werr := tmp.Write(data)
	return finish(tmp, path, werr)
}

// finish gives a file that was written its name, so that it is there whole and durably, or not at all.
func finish(f *os.File, path string, err error) error {
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return errors.Join(err, removeIfThere(f.Name()))
	}
	return nil
}

// Again implements files.Engine.
func (e *Engine) Again(ctx context.Context, name string, data []byte) (bool, error) {
	path := e.path(name)
	old, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(old, data) {
		return false, nil //nolint:nilerr // it is written
	}
	now, err := e.Clock(ctx)
	if err == nil {
		err = os.Chtimes(path, time.Time{}, now)
	}
	if err != nil {
		return false, fmt.Errorf("touch file: %w", err)
	}
	return true, nil
}

// Get implements files.Engine.
func (e *Engine) Get(_ context.Context, name string) ([]byte, error) {
	data, err := os.ReadFile(e.path(name))
	return data, missing(err)
}

// missing makes files.ErrNotFound of an error that says so.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return files.ErrNotFound
	}
	return err
}

// Stat implements files.Engine.
func (e *Engine) Stat(_ context.Context, name string) (files.Info, error) {
	info, err := os.Stat(e.path(name))
	if err != nil {
		return files.Info{}, missing(err)
	}
	return files.Info{Name: info.Name(), Size: info.Size(), Modified: info.ModTime()}, nil
}

// Remove implements files.Engine.
func (e *Engine) Remove(_ context.Context, name string) error { return removeIfThere(e.path(name)) }

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// List implements files.Engine.
func (e *Engine) List(ctx context.Context, folder string) iter.Seq2[files.Info, error] {
	return e.list(ctx, folder, false)
}

// list walks the files of a folder that are unfinished, or the others.
func (e *Engine) list(ctx context.Context, folder string, parts bool) iter.Seq2[files.Info, error] {
	return func(yield func(files.Info, error) bool) {
		entries, err := os.ReadDir(e.path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(files.Info{}, err)
			return
		}
		for _, entry := range entries {
			if err := ctx.Err(); err != nil {
				yield(files.Info{}, err)
				return
			}
			if Unfinished(entry.Name()) != parts {
				continue
			}
			info, err := entry.Info()
			if err != nil { // it is gone
				continue
			}
			if !yield(files.Info{Name: entry.Name(), Size: info.Size(), Modified: info.ModTime()}, nil) {
				return
			}
		}
	}
}

// All implements files.Engine.
func (e *Engine) All(ctx context.Context) iter.Seq2[files.Info, error] {
	return func(yield func(files.Info, error) bool) {
		entries, err := os.ReadDir(e.dir)
		if err != nil {
			yield(files.Info{}, err)
			return
		}
		for _, folder := range entries {
			if !folder.IsDir() {
				continue
			}
			for f, err := range e.List(ctx, folder.Name()) {
				f.Name = folder.Name() + "/" + f.Name
				if !yield(f, err) || err != nil {
					return
				}
			}
		}
	}
}

// Clock implements files.Engine: it is the time by the file system.
func (e *Engine) Clock(context.Context) (time.Time, error) {
	f, err := os.CreateTemp(e.dir, fresh+"*")
	if err != nil {
		return time.Time{}, fmt.Errorf("read clock of files: %w", err)
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return time.Time{}, fmt.Errorf("read clock of files: %w", err)
	}
	return info.ModTime(), nil
}

// upload is a file that is being written.
type upload struct {
	file *os.File
	*bufio.Writer
	path string
}

// Create implements files.Engine.
func (e *Engine) Create(name string) (files.Upload, error) {
	path := e.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+unfinished)
	if err != nil {
		return nil, err
	}
	return &upload{file, bufio.NewWriterSize(file, 64<<10), path}, nil
}

// Commit implements files.Upload.
func (u *upload) Commit(context.Context) error { return finish(u.file, u.path, u.Flush()) }

// Abort implements files.Upload.
func (u *upload) Abort() error { return errors.Join(u.file.Close(), removeIfThere(u.file.Name())) }

// Open implements files.Engine.
func (e *Engine) Open(_ context.Context, name string) (*os.File, error) {
	f, err := os.Open(e.path(name))
	if err != nil {
		return nil, missing(err)
	}
	return f, nil
}

// Scratch implements files.Engine.
func (e *Engine) Scratch(folder string) (*os.File, error) {
	if err := os.MkdirAll(e.path(folder), 0o700); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(e.path(folder), "scratch.*"+unfinished)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// RemoveUnfinished implements files.Engine.
func (e *Engine) RemoveUnfinished(ctx context.Context, folder string, before time.Time) error {
	var errs []error
	for f, err := range e.list(ctx, folder, true) {
		if err == nil && f.Modified.Before(before) {
			err = removeIfThere(filepath.Join(e.path(folder), f.Name))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
