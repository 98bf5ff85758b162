package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"quipu/internal/app"
)

// open lists the entries of a folder that others may read or write.
func open(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestPrivate opens a data folder to everyone and starts a server on it.
func TestPrivate(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	r.send(1)
	r.expect(1)
	r.end()
	err := filepath.WalkDir(r.cfg.Data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type()&fs.ModeSymlink == 0 {
			err = os.Chmod(path, 0o777) // what must not stay
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before := open(t, r.cfg.Data)
	if len(before) < 10 {
		t.Fatalf("only %d files are open to others", len(before))
	}
	r.start()
	r.send(2)
	r.expect(2)
	for _, path := range before {
		if info, err := os.Lstat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
	}
}
