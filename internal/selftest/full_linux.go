package selftest

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// fallocate takes space for a file.
func fallocate(f *os.File, size int64) error { return syscall.Fallocate(int(f.Fd()), 0, 0, size) }

// limitFiles lets a process write no file beyond a size; -1 lifts the limit.
func limitFiles(pid int, size int64) error {
	const resourceFileSize = 1 // RLIMIT_FSIZE
	lim := syscall.Rlimit{Cur: ^uint64(0), Max: ^uint64(0)}
	if size >= 0 {
		lim.Cur = uint64(size)
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(pid), resourceFileSize, uintptr(unsafe.Pointer(&lim)), 0, 0, 0) // the kernel reads lim during the call
	if errno != 0 {
		return fmt.Errorf("limit the size of files: %w", errno)
	}
	return nil
}

// mountSmall mounts a file system in memory and returns what ends that.
func mountSmall(dir string, size int64) (func() error, error) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size="+strconv.FormatInt(size, 10)); err != nil {
		return nil, fmt.Errorf("mount a small file system: %w", err)
	}
	return func() error { return syscall.Unmount(dir, 0) }, nil
}
