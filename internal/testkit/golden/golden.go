// Package golden compares what tests make with files. It stands apart from testkit, which has the whole server with it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update rewrites golden files instead of comparing with them: go test -update.
var update = flag.Bool("update", false, "rewrite golden files")

// File compares text with a file, or writes it there under -update.
func File(tb testing.TB, path string, got []byte) {
	tb.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // test data is public
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil { // test data is public
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("golden file: %v (run go test -update)", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		tb.Errorf("%s (-want +got):\n%s", path, d)
	}
}
