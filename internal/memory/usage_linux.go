package memory

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// resident returns the bytes of the process that are in memory, and how many
// of them are pages of files, above all of the binary.
func resident() (all, files int64, err error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, 0, fmt.Errorf("read resident set: %w", err)
	}
	f := bytes.Fields(b)
	if len(f) < 3 {
		return 0, 0, fmt.Errorf("read resident set: %q", b)
	}
	page := int64(os.Getpagesize())
	n, err := strconv.ParseInt(string(f[1]), 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("read resident set: %w", err)
	}
	shared, err := strconv.ParseInt(string(f[2]), 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("read resident set: %w", err)
	}
	return n * page, shared * page, nil
}
