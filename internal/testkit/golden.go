package testkit

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update rewrites golden files instead of comparing with them: go test -update.
var update = flag.Bool("update", false, "rewrite golden files")

// Golden compares text with testdata/<name>, or writes it there under -update.
func Golden(tb testing.TB, name string, got []byte) {
	tb.Helper()
	path := filepath.Join("testdata", name)
	GoldenFile(tb, path, got)
}

// GoldenFile compares text with a file, or writes it there under -update.
func GoldenFile(tb testing.TB, path string, got []byte) {
	tb.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // test data is public
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil { //nolint:gosec // test data is public
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

// Volatile are patterns of what differs from run to run, with what stands for it in golden files.
type Volatile struct {
	Pattern *regexp.Regexp
	With    string
}

// GoldenJSON compares a JSON body, indented, with testdata/<name>.json after replacing what is volatile.
func GoldenJSON(tb testing.TB, name, body string, volatile ...Volatile) {
	tb.Helper()
	for _, v := range volatile {
		body = v.Pattern.ReplaceAllString(body, v.With)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(body), "", "  "); err != nil {
		tb.Fatalf("%s is not JSON: %v\n%s", name, err, body)
	}
	b.WriteByte('\n')
	Golden(tb, name+".json", b.Bytes())
}
