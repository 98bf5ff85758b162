//go:build !linux

package selftest

import (
	"errors"
	"os"
)

var errOnlyLinux = errors.New("only Linux offers it")

// fallocate takes space for a file.
func fallocate(f *os.File, size int64) error {
	block := make([]byte, 1<<20)
	for ; size > 0; size -= int64(len(block)) {
		if _, err := f.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// limitFiles lets a process write no file beyond a size; -1 lifts the limit.
func limitFiles(int, int64) error { return errOnlyLinux }

// mountSmall mounts a file system in memory and returns what ends that.
func mountSmall(string, int64) (func() error, error) { return nil, errOnlyLinux }
