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
	// To is the folder, or s3://BUCKET/PREFIX of an S3-compatible store, that gets a backup each time; "" = none.
	To string `koanf:"to"`
	// Form is incremental, which writes what is new, or archive, which writes a whole file each time.
	Form string `koanf:"form"`
	// Every is how old the newest backup becomes.
	Every time.Duration `koanf:"every"`
	// Keep is how many backups are kept.
	Keep int `koanf:"keep"`
	// S3 is the store that To names.
	S3 S3Config `koanf:"s3"`
	// WithSecretKey adds the key by which API keys and tokens are sealed.
	WithSecretKey bool `koanf:"with_secret_key"`
}

// The values of BackupConfig.Form.
const (
	formIncremental = "incremental"
	formArchive     = "archive"
)

// faults lists what is wrong with it, as key and text.
func (c BackupConfig) faults(data, docs string) (out [][2]string) {
	bad := func(key, text string) { out = append(out, [2]string{"backup." + key, text}) }
	if c.Every < time.Minute || c.Every > 366*24*time.Hour {
		bad("every", fmt.Sprintf("%v is not from 1m to 8784h", c.Every))
	}
	if c.Keep < 1 || c.Keep > 10_000 {
		bad("keep", fmt.Sprintf("%d is not from 1 to 10000", c.Keep))
	}
	if c.Form != formIncremental && c.Form != formArchive {
		bad("form", fmt.Sprintf("%q is neither incremental nor archive", c.Form))
	}
	if c.To == "" {
		return out
	}
	if docs != "" {
		bad("to", "a backup holds its documents as a file: it cannot be made with docs")
	}
	if backup.InS3(c.To) {
		if _, _, err := backup.ParseS3(c.To); err != nil {
			bad("to", err.Error())
		}
		if c.Form == formArchive {
			bad("form", "archives go to folders; in an S3-compatible store backups are incremental")
		}
		for _, fault := range c.S3.s3().Check() {
			bad("s3."+fault[0], fault[1])
		}
		return out
	}
	to, err := filepath.Abs(c.To)
	own, oerr := filepath.Abs(data)
	if err == nil && oerr == nil && (to == own || strings.HasPrefix(to, own+string(filepath.Separator))) {
		bad("to", "is in the data folder, which it is to outlive")
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
	last       time.Time // of the newest backup; zero = none, or not looked yet
	tried      time.Time // when the last attempt failed; zero = it did not
}

// backupRetry is how long after a failure the next attempt is made.
const backupRetry = 10 * time.Minute

// rests reports whether there is nothing to do: after a failure for some time, and where to look costs requests, while the newest backup is
// known to be young.
func (r *backupRecord) rests(now time.Time, every time.Duration, costs bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	within := func(at time.Time, d time.Duration) bool { return !at.IsZero() && now.Sub(at) >= 0 && now.Sub(at) < d }
	return within(r.tried, min(backupRetry, every)) || costs && within(r.last, every)
}

// made notes when the newest backup was made.
func (r *backupRecord) made(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = at
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

// backUp writes a backup if the newest one is old, and removes those that are too many.
func (a *App) backUp(ctx context.Context) error {
	cfg := a.cfg.Backup
	now := a.now()
	if a.backups.rests(now, cfg.Every, backup.InS3(cfg.To)) {
		return nil
	}
	list, err := ListBackups(ctx, a.cfg, cfg.To)
	if err != nil {
		return a.backedUp(now, err)
	}
	if len(list) > 0 {
		last := list[len(list)-1].Made
		a.backups.made(last)
		if age := now.Sub(last); age >= 0 && age < cfg.Every {
			return nil
		}
	}
	at := now.UTC().Truncate(time.Second)
	if cfg.Form == formArchive {
		err = a.backUpArchive(ctx, at)
	} else {
		err = a.backUpIncrement(ctx, at)
	}
	if err != nil {
		return a.backedUp(now, err)
	}
	a.backups.made(at)
	if backup.InS3(cfg.To) {
		return a.backedUp(now, nil)
	}
	// Archives that an earlier configuration made count as the others do.
	list, err = ListBackups(ctx, a.cfg, cfg.To)
	if err == nil {
		list = slices.DeleteFunc(list, func(s BackupSource) bool { return s.Made.After(at) })
		err = prune(list, cfg.Keep)
	}
	return a.backedUp(now, err)
}

// backUpArchive writes an archive.
func (a *App) backUpArchive(ctx context.Context, at time.Time) error {
	if err := os.MkdirAll(a.cfg.Backup.To, 0o700); err != nil {
		return fmt.Errorf("make folder of backups: %w", err)
	}
	target := filepath.Join(a.cfg.Backup.To, at.Format(backupName))
	m, err := a.writeBackup(ctx, target)
	if err == nil {
		a.log.InfoContext(ctx, "backup written", slog.String("file", target), slog.Int("files", len(m.Files)))
	}
	return err
}

// backUpIncrement writes what is new to the repository.
func (a *App) backUpIncrement(ctx context.Context, at time.Time) (err error) {
	r, err := a.cfg.repositoryAt(a.cfg.Backup.To)
	if err != nil {
		return err
	}
	dir := a.newSnapshotDir()
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := r.Write(ctx, at, a.cfg.Backup.Keep, func(ctx context.Context) (string, backup.Info, error) {
		info, err := a.Snapshot(ctx, dir)
		if err == nil && a.cfg.Backup.WithSecretKey {
			err = a.cfg.addSecret(dir)
		}
		return dir, info, err
	})
	if w != nil {
		a.log.InfoContext(ctx, "backup written", slog.String("to", r.String()), slog.String("name", w.Name), slog.Int("files", len(w.Files)),
			slog.Int64("bytes_written", w.Bytes), slog.Int("removed", w.Removed))
	}
	return err
}

// backedUp counts how a backup ended.
func (a *App) backedUp(now time.Time, err error) error {
	a.backups.mu.Lock()
	defer a.backups.mu.Unlock()
	if err == nil {
		a.backups.ok++
		a.backups.tried = time.Time{}
		return nil
	}
	a.backups.failed++
	a.backups.tried = now
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

// prune removes the archives among all but the newest of a list, the oldest of which is first. Backups in repositories went before.
func prune(list []BackupSource, keep int) error {
	var errs []error
	for _, s := range list[:max(0, len(list)-keep)] {
		if !ownBackup.MatchString(filepath.Base(s.Label)) {
			continue
		}
		if err := os.Remove(s.Label); err != nil {
			errs = append(errs, fmt.Errorf("remove old backup: %w", err))
		}
	}
	return errors.Join(errs...)
}
