package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// syncFolder makes the names of the files in a folder, and the folder's own, durable.
func syncFolder(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("locate data folder: %w", err)
	}
	for _, d := range []string{path, filepath.Dir(path)} {
		f, err := os.Open(d)
		if err != nil {
			return fmt.Errorf("sync folder %s: %w", d, err)
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return fmt.Errorf("sync folder %s: %w", d, err)
		}
	}
	return nil
}

// errLostDocs says that a folder with data has no documents: opening it as it
// is would make it look like a new one, to be set up by whoever comes first.
var errLostDocs = errors.New("the document store is missing or has lost its content, but the folder holds data; restore a backup")

// documented checks that a folder with data has its documents.
func (a *App) documented(path string) error {
	if a.journal.End() == 0 {
		return nil
	}
	st, err := os.Stat(path)
	if err == nil && st.Size() > 0 {
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("open documents: %w", err)
	}
	return errLostDocs
}

// owned checks that whoever owned the data is still known: without members the
// server would let anyone be the first administrator. Data of an app without a document
// cannot be read; the others can.
func (a *App) owned(ctx context.Context) error {
	ids, err := a.profiles.Apps(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	known, err := a.auth.HasMembers(ctx)
	if err != nil {
		return fmt.Errorf("look for members: %w", err)
	}
	if !known {
		return errLostDocs
	}
	for _, id := range ids {
		if a.apps.ByID(id) == nil {
			a.log.ErrorContext(ctx, "there is data of an app whose document is lost", "app", id.String())
		}
	}
	return nil
}
