package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ofOthers are texts in messages that the system or a library writes.
func ofOthers() []string {
	return []string{"permission denied", "443: permission denied", "address already in use", "tls: private key does not match public key", "unknown environment variable QUIPU_"}
}

// TestTroubleshooting has each message of the pages for operators in the source: one that changes there is looked for in vain. What
// stands between the parts of a message, as …, is not looked at.
func TestTroubleshooting(t *testing.T) {
	t.Parallel()
	top := root(t)
	var source strings.Builder
	for _, folder := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(top, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, err := os.ReadFile(path)
			source.Write(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	messages := 0
	for _, page := range []string{"troubleshooting.md", "backup.md", "upgrade.md"} {
		b, err := os.ReadFile(filepath.Join(top, "docs/operations", page))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			first, _, _ := strings.Cut(line, " | ")
			if !strings.HasPrefix(first, "| `") {
				continue
			}
			for _, message := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
				for part := range strings.SplitSeq(message[1], "…") {
					part = strings.Trim(part, " .:;,")
					if len(part) < 8 {
						continue
					}
					messages++
					if !strings.Contains(source.String(), part) && !slices.Contains(ofOthers(), part) {
						t.Errorf("docs/operations/%s has the message %q, which nothing writes", page, part)
					}
				}
			}
		}
	}
	if messages < 40 {
		t.Errorf("%d parts of messages were found, want dozens", messages)
	}
}
