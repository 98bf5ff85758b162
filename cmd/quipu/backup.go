package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"quipu/internal/app"
	"quipu/internal/backup"
	"quipu/internal/verify"
)

// backupCommands make backups and try them.
type backupCommands struct {
	Write backupCommand      `cmd:"" default:"withargs" help:"Copy a data folder while its server runs."`
	List  backupListCommand  `cmd:"" help:"List the backups in a folder or a store."`
	Check backupCheckCommand `cmd:"" help:"Restore a backup to a temporary folder, recompute everything from its rows, report, and remove the folder."`
}

type backupCheckCommand struct {
	settings
	Source string `arg:"" optional:"" help:"The backup: a file, a folder or s3://BUCKET/PREFIX (default: backup.to)."`
	Name   string `help:"Which backup of several (default: the newest)."`
}

// Run tries a backup. The server may run on.
func (c *backupCheckCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	source, err := app.FindBackup(ctx, cfg, c.Source, c.Name)
	if err != nil {
		return err
	}
	report, err := app.VerifyBackup(ctx, cfg, app.Process{Err: os.Stderr}, source, verify.Options{
		Limit: 100, Progress: func(text string) { fmt.Fprintln(out, "check", text) },
	})
	if report != nil {
		report.Write(out)
	}
	switch {
	case err != nil:
		return fmt.Errorf("backup %s: %w", source.Label, err)
	case !report.OK():
		return fmt.Errorf("backup %s: %w", source.Label, errDiffers)
	}
	fmt.Fprintf(out, "backup %s can be restored\n", source.Label)
	return nil
}

type backupListCommand struct {
	settings
	Source string `arg:"" optional:"" help:"A folder, or s3://BUCKET/PREFIX (default: backup.to)."`
}

// Run lists backups, the oldest first.
func (c *backupListCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	source := c.Source
	if source == "" {
		if source = cfg.Backup.To; source == "" {
			return errors.New("backup.to is not set; name a folder or s3://BUCKET/PREFIX")
		}
	}
	list, err := app.ListBackups(ctx, cfg, source)
	if err != nil {
		return err
	}
	for _, s := range list {
		fmt.Fprintf(out, "%s  %s\n", s.Made.Format(time.RFC3339), s.Label)
	}
	return nil
}

// backupCommand copies a data folder while its server runs.
type backupCommand struct {
	settings
	WithSecretKey bool `help:"Include the key that seals API keys and tokens, so that the backup alone can open them. Protect such a backup like the keys themselves."`

	Incremental bool `help:"Write an incremental backup to a repository, which is created if necessary: each backup writes only new data."`

	To string `help:"Target: a file that ends in .tar or .tar.zst, a new folder, a repository, or s3://BUCKET/PREFIX (default: backup.to)." placeholder:"TARGET"`
}

// Run writes the backup, through the server if one runs.
func (c *backupCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	with := app.BackupParts{SecretKey: c.WithSecretKey, Incremental: c.Incremental}
	if c.To == "" {
		if c.To, with, err = app.OwnBackup(cfg, app.Process{Err: os.Stderr}, with); err != nil {
			return err
		}
	}
	w, err := app.Backup(ctx, cfg, app.Process{Err: os.Stderr}, c.To, with)
	if err != nil {
		return err
	}
	if w.Name == "" {
		fmt.Fprintf(out, "backup %s: %s\n", c.To, describeBackup(w.Manifest))
		return nil
	}
	fmt.Fprintf(out, "backup %s %s: %s; %d of %d chunks are new, %d bytes written\n", c.To, w.Name, describeBackup(w.Manifest), w.New, w.Chunks, w.Bytes)
	return nil
}

// restoreCommand makes a data folder from a backup.
type restoreCommand struct {
	settings
	From string `help:"The backup: a file, a folder or s3://BUCKET/PREFIX (default: backup.to)." placeholder:"SOURCE"`
	Name string `help:"Which backup of several (default: the newest)."`
}

// Run checks and restores the backup.
func (c *restoreCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	if cfg.Docs != "" {
		return errors.New("a backup holds its documents as a file: restore it without docs")
	}
	source, err := app.FindBackup(ctx, cfg, c.From, c.Name)
	if err != nil {
		return err
	}
	m, err := source.Restore(ctx, cfg.Data)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "restored %s to %s: %s\n", source.Label, cfg.Data, describeBackup(m))
	if missing := app.SecretKeyMissing(cfg, m); missing != "" {
		fmt.Fprintln(out, missing)
	}
	return nil
}

// describeBackup tells what a backup holds.
func describeBackup(m *backup.Manifest) string {
	var size int64
	for _, f := range m.Files {
		size += f.Size
	}
	return fmt.Sprintf("%d files, %d bytes, journal up to record %d", len(m.Files), size, m.End)
}
