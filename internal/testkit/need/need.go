// Package need is for tests that need more than Go: programs, files that make fetches. Where one is missing, the test is skipped and
// says so. Where the variable CI is set nothing is skipped: the test fails.
package need

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Missing ends the test: it is skipped, or fails where CI is set. The message says what is missing and how to get it.
func Missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv("CI") != "" {
		tb.Fatalf(format, args...)
	}
	tb.Skipf("skipped: "+format, args...)
}

// Program returns the path of a program, which is looked for on the path and where Debian keeps those of LLVM and of the superuser.
func Program(tb testing.TB, name string) string {
	tb.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, pattern := range []string{"/usr/sbin/", "/usr/lib/llvm-*/bin/"} {
		if list, err := filepath.Glob(pattern + name); err == nil && len(list) > 0 {
			return list[0]
		}
	}
	Missing(tb, "%s is missing; install it to run this test", name)
	return ""
}

// File returns the absolute path of a file that a command gets.
func File(tb testing.TB, path, command string) string {
	tb.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := os.Stat(whole); err != nil {
		Missing(tb, "%s is missing: run %s", path, command)
	}
	return whole
}
