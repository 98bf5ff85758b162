package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"quipu/internal/backup"
)

// BackupConfig says how often the server makes backups of itself, and where. Without a folder it makes none.
type BackupConfig struct {
	// To is the folder that gets an archive each time; "" = none.
	To string `koanf:"to"`
	// Every is how old the newest archive becomes.
	Every time.Duration `koanf:"every"`
	// Keep is how many archives are kept.
	Keep int `koanf:"keep"`
	// WithSecretKey adds the key by which API keys and tokens are sealed.
	WithSecretKey bool `koanf:"with_secret_key"`
}

// faults lists what is wrong with it, as key and text.
func (c BackupConfig) faults(data, docs string) (out [][2]string) {
	bad := func(key, text string) { out = append(out, [2]string{"backup." + key, text}) }
	if c.Every < time.Minute || c.Every > 366*24*time.Hour {
		bad("every", fmt.Sprintf("%v is not from 1m to 8784h", c.Every))
	}
	if c.Keep < 1 || c.Keep > 10_000 {
		bad("keep", fmt.Sprintf("%d is not from 1 to 10000", c.Keep))
	}
	if c.To == "" {
		return out
	}
	to, err := filepath.Abs(c.To)
	own, oerr := filepath.Abs(data)
	if err == nil && oerr == nil && (to == own || strings.HasPrefix(to, own+string(filepath.Separator))) {
		bad("to", "is in the data folder, which it is to outlive")
	}
	if docs != "" {
		bad("to", "a backup holds its documents as a file: it cannot be made with docs")
	}
	return out
}

// backupName is the form of the names of archives of the server's own; others in the folder are left alone.
const backupName = "quipu-20060102T150405Z.tar.zst"

var ownBackup = regexp.MustCompile(`^quipu-\d{8}T\d{6}Z\.tar\.zst$`)

// backupLook is how often the newest archive's age is looked at.
const backupLook = time.Minute

// backupRecord is what became of the server's backups since its start. The zero value is none.
type backupRecord struct {
	mu         sync.Mutex
	ok, failed int64
	last       time.Time // of the newest archive; zero = none, or not looked yet
}

func (r *backupRecord) read() (ok, failed int64, last time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ok, r.failed, r.last
}

// wireBackups declares the job that makes backups.
func (a *App) wireBackups() {
	if a.cfg.Backup.To != "" {
		a.jobs.For("backup").Every("write", min(backupLook, a.cfg.Backup.Every), a.backUp)
	}
}

// Backups lists the archives that the server made in a folder, the oldest first.
func Backups(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	for _, e := range entries { // in order of names, which is that of time
		if e.Type().IsRegular() && ownBackup.MatchString(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// madeAt is when an archive of Backups was made.
func madeAt(path string) time.Time {
	at, _ := time.Parse(backupName, filepath.Base(path)) // the zero time for a date that there is not: it is made once more
	return at
}

// backUp writes an archive if the newest one is old, and removes those that are too many.
func (a *App) backUp(ctx context.Context) error {
	cfg := a.cfg.Backup
	list, err := Backups(cfg.To)
	if err != nil {
		return a.backedUp(err)
	}
	if len(list) > 0 {
		last := madeAt(list[len(list)-1])
		a.backups.mu.Lock()
		a.backups.last = last
		a.backups.mu.Unlock()
		if age := a.now().Sub(last); age >= 0 && age < cfg.Every {
			return nil
		}
	}
	if err := os.MkdirAll(cfg.To, 0o700); err != nil {
		return a.backedUp(fmt.Errorf("make folder of backups: %w", err))
	}
	at := a.now().UTC().Truncate(time.Second)
	target := filepath.Join(cfg.To, at.Format(backupName))
	m, err := a.writeBackup(ctx, target)
	if err != nil {
		return a.backedUp(err)
	}
	a.backups.mu.Lock()
	a.backups.last = at
	a.backups.mu.Unlock()
	a.log.InfoContext(ctx, "backup written", slog.String("file", target), slog.Int("files", len(m.Files)))
	return a.backedUp(prune(slices.DeleteFunc(append(list, target), func(path string) bool { return madeAt(path).After(at) }), cfg.Keep))
}

// backedUp counts how a backup ended.
func (a *App) backedUp(err error) error {
	a.backups.mu.Lock()
	defer a.backups.mu.Unlock()
	if err == nil {
		a.backups.ok++
		return nil
	}
	a.backups.failed++
	return err
}

// writeBackup writes an archive of the server as it is.
func (a *App) writeBackup(ctx context.Context, target string) (m *backup.Manifest, err error) {
	dir := a.newSnapshotDir()
	info, err := a.Snapshot(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if a.cfg.Backup.WithSecretKey {
		if err := a.cfg.addSecret(dir); err != nil {
			return nil, err
		}
	}
	return backup.Write(ctx, dir, info, target)
}

// prune removes all but the newest of a list, the oldest of which is first.
func prune(list []string, keep int) error {
	var errs []error
	for _, path := range list[:max(0, len(list)-keep)] {
		if err := os.Remove(path); err != nil {
			errs = append(errs, fmt.Errorf("remove old backup: %w", err))
		}
	}
	return errors.Join(errs...)
}
