package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"quipu/internal/backup"
)

// S3Config says where an S3-compatible store of backups is, and who the server is to it.
type S3Config struct {
	// Endpoint is the address of the store, as https://HOST or https://HOST:PORT.
	Endpoint string `koanf:"endpoint"`
	// Region is where the bucket is; "" = the store is asked.
	Region    string `koanf:"region"`
	AccessKey string `koanf:"access_key" secret:"true"`
	SecretKey string `koanf:"secret_key" secret:"true"`
	// CAFile holds the certificates, in PEM, by which the store is known; "" = those of the system.
	CAFile string `koanf:"ca_file"`
	// HostStyle names the bucket in the host of the address instead of in its path.
	HostStyle bool `koanf:"host_style"`
}

func (c S3Config) s3() backup.S3 {
	return backup.S3{Endpoint: c.Endpoint, Region: c.Region, AccessKey: c.AccessKey, SecretKey: c.SecretKey, CAFile: c.CAFile, HostStyle: c.HostStyle}
}

// repositoryAt returns the repository at a target, which is s3://BUCKET/PREFIX or a folder.
func (c *Config) repositoryAt(target string) (*backup.Repository, error) {
	if backup.InS3(target) {
		return backup.NewS3Repository(target, c.Backup.S3.s3())
	}
	return backup.NewFolderRepository(target), nil
}

// BackupSource is a backup that can be restored.
type BackupSource struct {
	Label   string    // where it is, and its name there
	Made    time.Time // zero = its name does not say
	restore func(ctx context.Context, dir string) (*backup.Manifest, error)
}

// Restore restores it into a folder as backup.Restore does.
func (s BackupSource) Restore(ctx context.Context, dir string) (*backup.Manifest, error) {
	return s.restore(ctx, dir)
}

// FindBackup finds a backup: an archive, a folder with a copy, or one in a repository, which is a folder or s3://BUCKET/PREFIX; there the
// name says which, and "" is the newest. Source "" is backup.to. The error wraps backup.ErrNoBackup when there is none.
func FindBackup(ctx context.Context, cfg Config, source, name string) (BackupSource, error) {
	if source == "" {
		if source = cfg.Backup.To; source == "" {
			return BackupSource{}, fmt.Errorf("%w: backup.to is not set; name a backup", backup.ErrNoBackup)
		}
	} else if !backup.InS3(source) && backup.Is(source) {
		if name != "" {
			return BackupSource{}, fmt.Errorf("%s is one backup, not a repository of several: leave its name out", source)
		}
		return archived(source), nil
	} else if !backup.InS3(source) && !backup.IsRepository(source) {
		if _, err := os.Stat(source); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return BackupSource{}, fmt.Errorf("look for backups: %w", err)
		}
		own, err := Backups(source)
		if err != nil && !errors.Is(err, syscall.ENOTDIR) {
			return BackupSource{}, err
		}
		if len(own) == 0 {
			return BackupSource{}, fmt.Errorf("%s is not a backup", source)
		}
	}
	list, err := ListBackups(ctx, cfg, source)
	if err != nil {
		return BackupSource{}, err
	}
	for _, s := range slices.Backward(list) {
		if name == "" || s.Made.Format(backup.NameFormat) == strings.TrimSuffix(name, ".json") || filepath.Base(s.Label) == name {
			return s, nil
		}
	}
	if name == "" {
		return BackupSource{}, fmt.Errorf("%w in %s", backup.ErrNoBackup, source)
	}
	return BackupSource{}, fmt.Errorf("%w: %s in %s", backup.ErrNoBackup, name, source)
}

func archived(path string) BackupSource {
	return BackupSource{Label: path, Made: madeAt(path), restore: func(ctx context.Context, dir string) (*backup.Manifest, error) { return backup.Restore(ctx, path, dir) }}
}

// ListBackups lists the backups that servers made at a target, the oldest first: those of the repository, and archives in a folder.
func ListBackups(ctx context.Context, cfg Config, target string) ([]BackupSource, error) {
	r, err := cfg.repositoryAt(target)
	if err != nil {
		return nil, err
	}
	names, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	var list []BackupSource
	for _, name := range names {
		made, _ := time.Parse(backup.NameFormat, name) // the zero time for a date that there is not
		list = append(list, BackupSource{Label: r.String() + " " + name, Made: made, restore: func(ctx context.Context, dir string) (*backup.Manifest, error) {
			return r.Restore(ctx, name, dir)
		}})
	}
	if backup.InS3(target) {
		return list, nil
	}
	paths, err := Backups(target)
	if err != nil {
		return nil, err
	}
	var merged []BackupSource
	for _, path := range paths {
		a := archived(path)
		for len(list) > 0 && !list[0].Made.After(a.Made) {
			merged, list = append(merged, list[0]), list[1:]
		}
		merged = append(merged, a)
	}
	return append(merged, list...), nil
}

// incrementalTarget reports whether a command's target is a repository: one in a store, one that is there, or one that is asked for.
func incrementalTarget(target string, asked bool) (bool, error) {
	archive := strings.HasSuffix(target, ".tar") || strings.HasSuffix(target, ".tar.zst")
	switch {
	case asked && archive:
		return false, errors.New("an archive is not incremental: name a folder or s3://BUCKET/PREFIX")
	case archive:
		return false, nil
	}
	return asked || backup.InS3(target) || backup.IsRepository(target), nil
}
