package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/kv"
)

// formatsFile says in which formats the stores of a data folder are. It is written when all of them are open, and read before any is.
const formatsFile = "formats.json"

// folderFormats is the content of formatsFile.
type folderFormats struct {
	Version string         `json:"version"` // of the server that wrote it
	Stores  map[string]int `json:"stores"`  // format of each
}

// currentFormats are those that this program writes.
func (c *Config) currentFormats() folderFormats {
	if c.Cluster != "" { // they are on other machines, and check themselves
		return folderFormats{Version: Version(), Stores: map[string]int{}}
	}
	f := folderFormats{Version: Version(), Stores: map[string]int{"state": kv.FormatVersion, "event store": duck.FormatVersion}}
	if c.Docs == "" {
		f.Stores["documents"] = sqlite.FormatVersion
	}
	return f
}

// ErrNewerFolder says that a newer version has written a data folder.
var ErrNewerFolder = errors.New("the data folder was written by a newer version")

// readFormats reads the file; the zero value for a folder of before there was one, or when it cannot be read.
func readFormats(dir string) folderFormats {
	var f folderFormats
	text, err := os.ReadFile(filepath.Join(dir, formatsFile))
	if err != nil || json.Unmarshal(text, &f) != nil {
		return folderFormats{}
	}
	return f
}

// writeFormats writes the file, whole or not at all.
func writeFormats(dir string, f folderFormats) error {
	text, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return fmt.Errorf("write %s: %w", formatsFile, err)
	}
	return writeWhole(filepath.Join(dir, formatsFile), append(text, '\n'))
}

// writeWhole writes a small file durably, whole or not at all.
func writeWhole(path string, text []byte) error {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// checkFormats refuses a folder that a newer version has written before anything of it is opened, and makes a snapshot of one whose stores
// this version is about to bring to its own formats.
func (a *App) checkFormats(ctx context.Context) error {
	dir := a.cfg.Data
	if _, err := os.Lstat(filepath.Join(dir, rollbackFolder, goingFile)); err == nil {
		if _, err := readSnapshot(dir); !errors.Is(err, ErrNoRollback) { // else only its remains are left
			return errRollbackUnfinished
		}
	}
	found, own := readFormats(dir), a.cfg.currentFormats()
	if err := newerFormats(dir, found, own); err != nil {
		return err
	}
	if isFresh(dir) || sameFormats(found, own) {
		return nil
	}
	if !a.cfg.Upgrade.Snapshot {
		a.log.WarnContext(ctx, "stores are brought to another format without a snapshot: upgrade.snapshot is off", "before", found.Version)
		return nil
	}
	return a.keepForRollback(ctx, found, own)
}

// newerFormats refuses formats that this program does not know.
func newerFormats(dir string, found, own folderFormats) error {
	var newer []string
	for _, store := range slices.Sorted(maps.Keys(found.Stores)) {
		known, ok := own.Stores[store]
		switch {
		case store == "documents" && !ok: // they are in a database, which checks them itself
		case !ok:
			newer = append(newer, fmt.Sprintf("%s has format %d, which this version does not know", store, found.Stores[store]))
		case found.Stores[store] > known:
			newer = append(newer, fmt.Sprintf("%s has format %d, this version knows up to %d", store, found.Stores[store], known))
		}
	}
	if len(newer) == 0 {
		return nil
	}
	way := "install that version again, or restore a backup"
	if s, err := readSnapshot(dir); err == nil {
		way = fmt.Sprintf("install that version again, go back by quipu rollback to the data of version %s as it was at %s, or restore a backup", s.From.name(), s.made().Format(time.RFC3339))
	}
	return fmt.Errorf("%w, %s; this is %s: %s; nothing was changed; %s", ErrNewerFolder, found.name(), own.Version, strings.Join(newer, ", "), way)
}

// name is the version, or a word for one that did not say.
func (f folderFormats) name() string {
	if f.Version == "" {
		return "unknown"
	}
	return f.Version
}

// isFresh reports whether a folder holds no store yet.
func isFresh(dir string) bool {
	for _, name := range stores() {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// sameFormats reports whether stores need not be changed. Those that found lacks are in a database, or come from one.
func sameFormats(found, own folderFormats) bool {
	if len(found.Stores) == 0 {
		return false
	}
	for store, format := range own.Stores {
		if f, ok := found.Stores[store]; f != format && (ok || store != "documents") {
			return false
		}
	}
	return true
}

// noteFormats says in the folder in which formats its stores now are.
func (a *App) noteFormats(ctx context.Context) error {
	own := a.cfg.currentFormats()
	found := readFormats(a.cfg.Data)
	if found.Version == own.Version && maps.Equal(found.Stores, own.Stores) {
		return nil
	}
	if err := writeFormats(a.cfg.Data, own); err != nil {
		return fmt.Errorf("note the formats of the stores: %w", err)
	}
	if found.Version != "" && found.Version != own.Version {
		a.log.InfoContext(ctx, "the data folder is now one of this version", slog.String("before", found.Version), slog.String("version", own.Version))
	}
	return nil
}
