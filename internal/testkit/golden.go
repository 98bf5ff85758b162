package testkit

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"quipu/internal/testkit/golden"
)

// Golden compares text with testdata/<name>, or writes it there under -update.
func Golden(tb testing.TB, name string, got []byte) {
	tb.Helper()
	golden.File(tb, filepath.Join("testdata", name), got)
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
