package files

import (
	"context"
	"io"
	"iter"
	"os"
	"time"
)

// Engine keeps files for a Store, under names of the form folder/name, whose two parts are of ASCII letters, digits, "_", "-" and "." and do not
// begin with a dot. It is safe for concurrent use. Its errors are faults where the caller can do nothing about them: files.unavailable.
type Engine interface {
	// Put stores data under a name, in place of what is there: whole and durably, or not at all.
	Put(ctx context.Context, name string, data []byte) error
	// Again reports whether the file has these bytes already, and then makes it as young as if it were put now.
	Again(ctx context.Context, name string, data []byte) (bool, error)
	// Get returns the content of a file that was put, or ErrNotFound.
	Get(ctx context.Context, name string) ([]byte, error)
	// Stat returns what is known of a file, or ErrNotFound.
	Stat(ctx context.Context, name string) (Info, error)
	// Remove deletes a file; a missing one is no error.
	Remove(ctx context.Context, name string) error
	// List walks the finished files of a folder, in no order; one that is not there has none.
	List(ctx context.Context, folder string) iter.Seq2[Info, error]
	// All walks the finished files of all folders, in no order; Info.Name is folder/name.
	All(ctx context.Context) iter.Seq2[Info, error]
	// Clock is the time by which files are dated.
	Clock(ctx context.Context) (time.Time, error)
	// Create begins a file. Nothing is to be seen of it under its name before Commit.
	Create(name string) (Upload, error)
	// Open opens a file of the local disk that has the content, or returns ErrNotFound. Whatever becomes of the file in the store, the one that is open stays as it is.
	Open(ctx context.Context, name string) (*os.File, error)
	// Scratch returns an empty file of the local disk, for work on files of a folder, that goes when it is closed.
	Scratch(folder string) (*os.File, error)
	// RemoveUnfinished deletes what is left of files that were created and neither committed nor aborted, if they were last written to before an instant.
	RemoveUnfinished(ctx context.Context, folder string, before time.Time) error
}

// Upload is a file that is being written. It is ended by Commit or Abort.
type Upload interface {
	io.Writer
	// Commit makes the file durable under its name, in place of what is there. On error nothing is left.
	Commit(ctx context.Context) error
	// Abort forgets what was written.
	Abort() error
}

// Info is what is known of a file.
type Info struct {
	Name     string // without its folder; from All, folder/name
	Size     int64
	Modified time.Time // by Engine.Clock
}
