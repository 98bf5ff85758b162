package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// private takes the rights of everyone but the owner from a data folder and what is in it, whatever they
// were: folders become 0700 and files 0600. A folder inside that is closed already guards its
// content, which is not looked at. Links are left alone. The error lists what could not be changed.
func private(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("close data folder to others: %w", err)
	}
	var errs []error
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil {
				errs = append(errs, err)
			}
			return nil
		}
		if d.IsDir() && path != root {
			return fs.SkipDir
		}
		return nil
	})
	return errors.Join(append(errs, err)...)
}
