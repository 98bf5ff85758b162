package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// partName is the folder within the one that is restored in which files arrive. While it is there, the restore has not ended.
const partName = "restore.part"

// kept is what file systems keep at their root; it is nothing of ours.
const kept = "lost+found"

// ErrUnfinished says that a folder is being restored, or that this was broken off.
var ErrUnfinished = errors.New("the folder is being restored, or a restore broke off: restore it again")

// Usable refuses folders that no server may open: backups, which would no longer be as they were written (ErrBackup), and what a restore that
// broke off has left (ErrUnfinished).
func Usable(dir string) error {
	for name, fault := range map[string]error{ManifestName: ErrBackup, repositoryFile: ErrBackup, partName: ErrUnfinished} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s: %w", dir, fault)
		}
	}
	return nil
}

// Is reports whether a path is one backup, not a repository: an archive by its name, or a folder with a manifest.
func Is(path string) bool {
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		return strings.HasSuffix(path, ".tar") || strings.HasSuffix(path, ".tar.zst")
	}
	_, err := os.Lstat(filepath.Join(path, ManifestName))
	return err == nil
}

// ErrBackup says that a folder is a backup.
var ErrBackup = errors.New("this is a backup: restore it to another folder")

// Restore writes a backup into a folder that does not exist, is empty, or holds what an earlier restore that broke off has left. All is
// written within the folder, which may be a mount point. Its owner becomes that of all files, if the process may give files away. No server
// opens the folder before all files are as the manifest says; the error wraps ErrDamaged when they are not, and then nothing is left.
func Restore(ctx context.Context, source, dir string) (*Manifest, error) {
	return restoreInto(dir, source, func(out sink) (*Manifest, error) { return restore(ctx, source, out) })
}

// restoreInto restores by a function that puts all files into a sink and compares them with their manifest.
func restoreInto(dir, source string, restore func(sink) (*Manifest, error)) (*Manifest, error) {
	if errors.Is(Usable(dir), ErrUnfinished) {
		if err := wipe(dir); err != nil {
			return nil, fmt.Errorf("clear %s of an interrupted restore: %w", dir, err)
		}
	}
	if err := vacant(dir); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("restore to %s: %w", dir, err)
	}
	_, err = os.Stat(dir)
	made := errors.Is(err, fs.ErrNotExist)
	out, err := newFolder(filepath.Join(dir, partName))
	if err != nil {
		return nil, err
	}
	m, err := restore(out)
	if err == nil {
		err = errors.Join(out.close(), give(dir), settle(dir))
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("restore %s: %w", source, err), wipe(dir))
		if made {
			err = errors.Join(err, os.Remove(dir))
		}
		return nil, err
	}
	return m, nil
}

// settle moves what has arrived to its place.
func settle(dir string) error {
	part := filepath.Join(dir, partName)
	list, err := os.ReadDir(part)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := os.Rename(filepath.Join(part, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if err := syncDir(dir); err != nil { // before the mark goes
		return err
	}
	return errors.Join(os.Remove(part), syncDir(dir), syncDir(filepath.Dir(dir)))
}

// wipe removes what a restore has put into a folder that was empty; the mark of it goes last.
func wipe(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() != partName && e.Name() != kept {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return errors.Join(syncDir(dir), os.RemoveAll(filepath.Join(dir, partName)))
}

// give gives all that is in a folder to the folder's owner. Only the superuser can.
func give(dir string) error {
	st, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner, ok := st.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 || owner.Uid == 0 && owner.Gid == 0 {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == kept:
			return fs.SkipDir
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	})
}
