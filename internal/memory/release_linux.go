package memory

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dropFilePages unmaps the pages of the binary and its libraries that were
// needed so far. Most of them only served to start: hundreds of functions and types that
// the event store registers. A page in use comes back from the page cache with its next use.
//
// Only mappings that cannot be written and of which no page was ever changed are touched,
// so that what comes back is what was there.
func dropFilePages() error {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return fmt.Errorf("list mappings: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var (
		from, to uintptr
		usable   bool
		errs     []error
	)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if head, rest, ok := strings.Cut(line, "-"); ok && isHex(head) {
			from, to, usable = mapping(head, rest)
			continue
		}
		if value, ok := strings.CutPrefix(line, "Anonymous:"); ok && usable && strings.TrimSpace(value) == "0 kB" {
			usable = false
			errs = append(errs, drop(from, to))
		}
	}
	return errors.Join(append(errs, lines.Err())...)
}

// mapping reads the first line of a mapping, "from-to rights offset device
// inode path"; it is usable when it is of a file and cannot be written.
func mapping(head, rest string) (from, to uintptr, usable bool) {
	f := strings.Fields(rest)
	if len(f) < 6 || !strings.HasPrefix(f[5], "/") || !strings.HasPrefix(f[1], "r-") || !strings.HasSuffix(f[1], "p") {
		return 0, 0, false
	}
	a, err := strconv.ParseUint(head, 16, 64)
	b, berr := strconv.ParseUint(f[0], 16, 64)
	return uintptr(a), uintptr(b), err == nil && berr == nil && b > a
}

func isHex(s string) bool {
	_, err := strconv.ParseUint(s, 16, 64)
	return err == nil
}

func drop(from, to uintptr) error {
	const dontNeed = 4 // MADV_DONTNEED
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, dontNeed); errno != 0 {
		return fmt.Errorf("unmap pages: %w", errno)
	}
	return nil
}
