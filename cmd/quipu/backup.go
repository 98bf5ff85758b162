package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
	"quipu/internal/backup"
)

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
