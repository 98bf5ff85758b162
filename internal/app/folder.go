package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quipu/internal/apps"
	"quipu/internal/hook"
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
// is would make it look like a new one, to be set up by anyone who comes first.
var errLostDocs = errors.New("the document store is missing or has lost its content, but the folder contains data; restore a backup, or set docs as before")

// documented checks that a folder with data has its documents.
func (a *App) documented(path string) error {
	if a.journal.End().Total() == 0 || a.cfg.Docs != "" {
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

// owned checks that the owner of the data is still known: without members the
// server would let anyone be the first administrator. Data of an app without a document
// cannot be read; the others can.
func (a *App) owned(ctx context.Context) error {
	if a.embedded == nil {
		return nil
	}
	ids, err := a.embedded.profiles.Apps(ctx)
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

// stores are the names of what every server makes in its data folder at its first start.
func stores() []string { return []string{docsFile, "state", eventsFile} }

// isDataFolder checks that a server was opened on a folder before, or a backup restored to it.
func isDataFolder(dir string) error {
	for _, name := range append(stores(), "LOCK") {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s is not a data folder", dir)
}

// hasStores checks that a data folder has all of its stores. Opening it would make those that are missing.
func hasStores(ctx context.Context, cfg Config) error {
	dir, stores := cfg.Data, stores()
	if cfg.Docs != "" {
		stores = stores[1:]
	}
	if err := isDataFolder(dir); err != nil {
		return err
	}
	var missing []string
	for _, name := range stores {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, os.ErrNotExist) {
			missing = append(missing, name)
		} else if err != nil {
			return fmt.Errorf("look for stores: %w", err)
		}
	}
	if len(missing) == 2 && !slices.Contains(missing, docsFile) {
		// As before the first start of a server, whose members may be there. Apps are made by servers.
		known, err := hasApps(ctx, cfg)
		if err != nil || !known {
			return err
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("data folder %s has lost %s; repair it or restore a backup", dir, strings.Join(missing, ", "))
	}
	return nil
}

// hasApps reports whether a document store knows of any app.
func hasApps(ctx context.Context, cfg Config) (_ bool, err error) {
	db, err := openDocuments(ctx, cfg, slog.New(discard{}))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	list, err := apps.Open(ctx, db, hook.NewBus())
	if err != nil {
		return false, err
	}
	return len(list.All()) > 0, nil
}

// checkedAtStart is up to how many bytes of documents are read whole before the server starts, which takes
// about a tenth of a second. Larger stores are checked while it runs.
const checkedAtStart = 32 << 20

// checkDocuments refuses to start on damaged documents.
func (a *App) checkDocuments(ctx context.Context) error {
	if a.cfg.Docs != "" { // of whatever size
		a.uncheckedDocs = true
		return nil
	}
	st, err := os.Stat(filepath.Join(a.cfg.Data, docsFile))
	if err != nil {
		return fmt.Errorf("look for documents: %w", err)
	}
	if st.Size() > checkedAtStart {
		a.uncheckedDocs = true
		return nil
	}
	if err := a.docs.Check(ctx); err != nil {
		return fmt.Errorf("check documents; run quipu repair to see what can be saved: %w", err)
	}
	return nil
}

// checkLate checks documents that were too large to be checked at the start.
func (a *App) checkLate(ctx context.Context) {
	if !a.uncheckedDocs {
		return
	}
	if err := a.docs.Check(ctx); err != nil && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "documents are damaged; stop the server and run quipu repair", "error", err)
	}
}
