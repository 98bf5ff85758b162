package kv

import (
	"errors"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// makeDir makes a folder with the missing ones above it, so that none of
// them is lost with the power: each name is synced in the folder above.
func makeDir(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent == dir {
		return nil // the root, or the present folder
	}
	if err := makeDir(fs, parent); err != nil {
		return err
	}
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	above, err := fs.OpenDir(parent)
	if err != nil {
		return err
	}
	return errors.Join(above.Sync(), above.Close())
}
