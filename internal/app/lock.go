package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"quipu/internal/backup"
)

// folderLock keeps a second process out of a data folder.
type folderLock struct{ file *os.File }

// lockFolder makes the folder if it is missing and locks it. The lock goes with the
// process, however it ends. Backups, folders whose restore has not ended, and for root those of
// another user's server, are refused untouched.
func lockFolder(dir string) (*folderLock, error) {
	if err := backup.Usable(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder %s cannot be used: %w", dir, err)
	}
	path := filepath.Join(dir, "LOCK")
	if err := backup.Foreign(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder %s cannot be used: %w", dir, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(path) // only for the message
		cerr := f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			who := strings.TrimSpace(string(holder))
			return nil, errors.Join(fmt.Errorf("data folder %s is in use by another quipu process (pid %s)", dir, who), cerr)
		}
		return nil, errors.Join(fmt.Errorf("lock data folder %s: %w", dir, err), cerr)
	}
	if err := errors.Join(f.Truncate(0), writeAt(f, fmt.Sprintf("%d\n", os.Getpid()))); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s cannot be written: %w", dir, err), f.Close())
	}
	return &folderLock{f}, nil
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// Close gives the folder free.
func (l *folderLock) Close() error { return l.file.Close() }
