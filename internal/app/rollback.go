package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/disk"
	"golang.org/x/sys/unix"
)

// UpgradeConfig says what is kept of the data of an earlier version.
type UpgradeConfig struct {
	// Snapshot keeps the stores as they were before a newer version brings them to its formats, for quipu rollback.
	Snapshot bool `koanf:"snapshot"`
	// Keep is how long that is kept.
	Keep time.Duration `koanf:"keep"`
}

const (
	// rollbackFolder holds, in a data folder, its stores as they were before the last change of their formats.
	rollbackFolder = "rollback"
	// rollbackFile describes it, and is written last.
	rollbackFile = "rollback.json"
	// goingFile is there while a rollback is under way.
	goingFile = "going"
)

// ErrNoRollback says that a folder holds nothing to go back to.
var ErrNoRollback = errors.New("no snapshot from before an upgrade")

var errRollbackUnfinished = errors.New("a rollback of the data folder broke off: run quipu rollback again")

// rollbackSnapshot is the content of rollbackFile.
type rollbackSnapshot struct {
	Made  int64         `json:"made"`  // ms
	From  folderFormats `json:"from"`  // what the stores are
	To    folderFormats `json:"to"`    // what they were about to become
	Names []string      `json:"names"` // of files and folders of the data folder that are there
}

func (s rollbackSnapshot) made() time.Time { return time.UnixMilli(s.Made).UTC() }

// readSnapshot reads it; the error wraps ErrNoRollback when there is none, or one that is not whole.
func readSnapshot(dir string) (s rollbackSnapshot, err error) {
	text, err := os.ReadFile(filepath.Join(dir, rollbackFolder, rollbackFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%w in %s", ErrNoRollback, dir)
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the snapshot from before the upgrade: %w", err)
	}
	return s, nil
}

// storeFiles are the names in a data folder that belong to its stores.
func storeFiles() []string {
	return []string{"state", eventsFile, eventsFile + ".wal", docsFile, docsFile + "-wal", docsFile + "-shm", "files", secretFile, formatsFile}
}

// immutable reports whether a file of a store never changes once it is there, so that a hard link keeps its content.
func immutable(rel string) bool {
	return strings.HasPrefix(rel, "files"+string(filepath.Separator)) || strings.HasSuffix(rel, ".sst") && filepath.Dir(rel) == "state"
}

// keepForRollback keeps the stores, which nobody has open, as they are. A snapshot of an upgrade that broke off stays: it has the stores from
// before any of them was changed.
func (a *App) keepForRollback(ctx context.Context, from, to folderFormats) error {
	dir := a.cfg.Data
	if s, err := readSnapshot(dir); err == nil && maps.Equal(s.From.Stores, from.Stores) {
		a.log.InfoContext(ctx, "an upgrade that broke off goes on; its snapshot stays")
		return nil
	}
	target := filepath.Join(dir, rollbackFolder)
	part := target + ".part"
	if err := os.RemoveAll(part); err != nil {
		return fmt.Errorf("remove a snapshot that broke off: %w", err)
	}
	if err := roomFor(ctx, dir, a.cfg.Ingest.DiskReserve); err != nil {
		return err
	}
	s := rollbackSnapshot{Made: a.now().UnixMilli(), From: from, To: to}
	for _, name := range storeFiles() {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		s.Names = append(s.Names, name)
		if err := copyTree(ctx, dir, name, part); err != nil {
			return errors.Join(fmt.Errorf("keep the data as it is before the upgrade: %w", err), os.RemoveAll(part))
		}
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = writeWhole(filepath.Join(part, rollbackFile), text)
	}
	if err == nil {
		err = os.RemoveAll(target) // the snapshot of an earlier upgrade stays until this one is whole
	}
	if err == nil {
		err = os.Rename(part, target)
	}
	if err == nil {
		err = syncFolder(dir)
	}
	if err != nil {
		return fmt.Errorf("keep the data as it is before the upgrade: %w", err)
	}
	a.log.InfoContext(ctx, "the data is kept as it is before the upgrade; quipu rollback goes back to it",
		slog.String("before", from.name()), slog.String("version", to.Version), slog.String("folder", target))
	return nil
}

// roomFor checks that a copy of what may change has room above the reserve.
func roomFor(ctx context.Context, dir string, reserve int64) error {
	var need int64
	for _, name := range storeFiles() {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil || immutable(rel) {
				return err
			}
			st, err := d.Info()
			if err == nil {
				need += st.Size()
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("look at the size of the stores: %w", err)
		}
	}
	u, err := disk.UsageWithContext(ctx, dir)
	if err != nil {
		return fmt.Errorf("free disk space: %w", err)
	}
	if free := int64(min(u.Free, math.MaxInt64)); free < need || free-need < reserve { // bounded
		earlier := ""
		if s, err := readSnapshot(dir); err == nil {
			earlier = fmt.Sprintf(" (the snapshot from before version %s, in %s, may be removed)", s.To.name(), filepath.Join(dir, rollbackFolder))
		}
		return fmt.Errorf("this version changes the format of the stores and first keeps a copy, which needs %d MiB in addition to ingest.disk_reserve; %d MiB are free: "+
			"make room%s, or make a backup with the version before and set upgrade.snapshot to false", need>>20+1, free>>20, earlier)
	}
	return nil
}

// copyTree puts a file or folder of a data folder into another folder: what never changes as a hard link, the rest as a copy, which shares its
// blocks where the file system can.
func copyTree(ctx context.Context, dir, name, to string) error {
	made := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			made[target] = true
			return os.MkdirAll(target, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if immutable(rel) {
			return os.Link(path, target)
		}
		if cloneFile(path, target) == nil {
			return nil
		}
		return errors.Join(os.RemoveAll(target), copyPart(ctx, path, target, math.MaxInt64))
	})
	for folder := range made {
		err = errors.Join(err, syncFolder(folder))
	}
	return err
}

// cloneFile makes a copy that shares its blocks with the original.
func cloneFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = unix.IoctlFileClone(int(dst.Fd()), int(src.Fd()))
	if err == nil {
		err = dst.Sync()
	}
	return errors.Join(err, dst.Close())
}

// dropRollback removes a snapshot that is old.
func (a *App) dropRollback(ctx context.Context) error {
	s, err := readSnapshot(a.cfg.Data)
	if errors.Is(err, ErrNoRollback) {
		return nil
	}
	if err != nil {
		return err
	}
	if age := a.now().Sub(s.made()); age < a.cfg.Upgrade.Keep {
		return nil
	}
	dir := filepath.Join(a.cfg.Data, rollbackFolder)
	if err := errors.Join(os.Remove(filepath.Join(dir, rollbackFile)), os.RemoveAll(dir)); err != nil { // first what makes it whole
		return fmt.Errorf("remove the snapshot from before the upgrade: %w", err)
	}
	a.log.InfoContext(ctx, "the snapshot from before the upgrade is old, and removed", slog.String("before", s.From.name()))
	return nil
}

// RollbackReport is what a rollback did.
type RollbackReport struct {
	Made    time.Time // of the snapshot
	Version string    // that wrote the data which is in force again
	Aside   string    // the folder that now has the newer data
}

// Rollback puts the stores of a data folder that no server uses back to what they were before the last upgrade that changed their formats. The
// newer ones are set aside in a folder "newer-…" of the data folder. A rollback that broke off goes on. The error wraps ErrNoRollback when
// there is nothing to go back to.
func Rollback(cfg Config, proc Process) (r RollbackReport, err error) {
	proc.fill()
	dir := cfg.Data
	if err := isDataFolder(dir); err != nil {
		return r, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	s, err := readSnapshot(dir)
	if err != nil {
		return r, err
	}
	kept := filepath.Join(dir, rollbackFolder)
	going := filepath.Join(kept, goingFile)
	aside, err := os.ReadFile(going)
	if errors.Is(err, fs.ErrNotExist) {
		aside = []byte(freeName(dir, "newer-"+proc.Now().UTC().Format("20060102-150405")))
		err = writeWhole(going, aside)
	}
	if err != nil {
		return r, fmt.Errorf("begin the rollback: %w", err)
	}
	if name := string(aside); !filepath.IsLocal(name) || filepath.Base(name) != name || name == "" {
		return r, fmt.Errorf("%s names no folder", going)
	}
	r = RollbackReport{Made: s.made(), Version: s.From.name(), Aside: filepath.Join(dir, string(aside))}
	if err := exchange(dir, kept, r.Aside, s.Names); err != nil {
		return r, fmt.Errorf("%w; run quipu rollback again", err)
	}
	return r, nil
}

// freeName is a name that nothing in a folder has.
func freeName(dir, name string) string {
	free := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(dir, free)); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = name + "-" + strconv.Itoa(n)
	}
}

// exchange moves the stores aside and those that were kept to their places. What is moved already stays, so it may be done again. Nothing that
// is aside is replaced.
func exchange(dir, kept, aside string, names []string) error {
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return err
	}
	for _, name := range storeFiles() {
		if err := exchangeOne(filepath.Join(kept, name), filepath.Join(dir, name), filepath.Join(aside, name), slices.Contains(names, name)); err != nil {
			return err
		}
	}
	if err := syncFolder(aside); err != nil {
		return err
	}
	if err := syncFolder(dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(kept, rollbackFile)); err != nil { // what makes it whole goes before the mark
		return err
	}
	return errors.Join(os.RemoveAll(kept), syncFolder(dir))
}

// exchangeOne moves what is in a place aside, and what was kept, if anything was, to the place.
func exchangeOne(kept, place, aside string, wanted bool) error {
	if wanted {
		if there, err := exists(kept); err != nil || !there { // not there: it is in its place
			return err
		}
	}
	there, err := exists(place)
	if err != nil {
		return err
	}
	if there {
		if taken, err := exists(aside); err != nil {
			return err
		} else if taken {
			return fmt.Errorf("%s is to be set aside, but there is a %s already: move one of them elsewhere", place, aside)
		}
		if err := os.Rename(place, aside); err != nil {
			return err
		}
	}
	if !wanted {
		return nil
	}
	return os.Rename(kept, place)
}

// exists reports whether there is something of a name.
func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
