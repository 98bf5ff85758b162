package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
	"quipu/internal/backup"
	"quipu/internal/verify"
)

// backupCommands make backups and try them.
type backupCommands struct {
	Write backupCommand      `cmd:"" default:"withargs" help:"Copy a data folder while its server runs."`
	Check backupCheckCommand `cmd:"" help:"Restore a backup beside, recompute everything from its rows, report, and remove what was restored."`
}

type backupCheckCommand struct {
	settings
	Source string `arg:"" optional:"" help:"The backup: a file or a folder (default: the newest in backup.to)." type:"path"`
}

// Run tries a backup. The server may run on.
func (c *backupCheckCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	source := c.Source
	if source == "" {
		list, err := app.Backups(cfg.Backup.To)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return errors.New("there is no backup in backup.to; name one")
		}
		source = list[len(list)-1]
	}
	if !backup.Is(source) {
		return fmt.Errorf("%s is no backup", source)
	}
	cfg.Data = source
	report, err := app.Verify(ctx, cfg, app.Process{Err: os.Stderr}, verify.Options{
		Limit: 100, Progress: func(text string) { fmt.Fprintln(out, "check", text) },
	})
	if report != nil {
		report.Write(out)
	}
	switch {
	case err != nil:
		return fmt.Errorf("backup %s: %w", source, err)
	case !report.OK():
		return fmt.Errorf("backup %s: %w", source, errDiffers)
	}
	fmt.Fprintf(out, "backup %s can be restored\n", source)
	return nil
}

// backupCommand copies a data folder while its server runs.
type backupCommand struct {
	settings
	WithSecretKey bool `help:"Add the key by which API keys and tokens are sealed, so that the backup alone opens them. Keep such a backup as you would keep the keys."`

	To string `required:"" help:"Where to: a file that ends in .tar or .tar.zst, or a new folder." type:"path" placeholder:"TARGET"`
}

// Run writes the backup, through the server if one runs.
func (c *backupCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	m, err := app.Backup(ctx, cfg, app.Process{Err: os.Stderr}, c.To, app.BackupParts{SecretKey: c.WithSecretKey})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "backup %s: %s\n", c.To, describeBackup(m))
	return nil
}

// restoreCommand makes a data folder from a backup.
type restoreCommand struct {
	settings
	From string `required:"" help:"The backup: a file or a folder." type:"path" placeholder:"SOURCE"`
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
	m, err := backup.Restore(ctx, c.From, cfg.Data)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "restored %s to %s: %s\n", c.From, cfg.Data, describeBackup(m))
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
