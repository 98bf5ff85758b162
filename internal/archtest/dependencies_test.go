package archtest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDependenciesAreExplained compares the table of ADR 5 with what the product and its tests require.
func TestDependenciesAreExplained(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	required := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(read("go.mod"), -1) {
		required[shortName(m[1])] = true
	}
	for _, name := range []string{"ui/package.json", "e2e/package.json"} {
		var p struct{ Dependencies, DevDependencies, OptionalDependencies map[string]string }
		if err := json.Unmarshal([]byte(read(name)), &p); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies, p.OptionalDependencies} {
			for dependency := range list {
				required[dependency] = true
			}
		}
	}
	explained := map[string]bool{}
	for line := range strings.Lines(read("docs/adr/0005-dependencies.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
			explained[m[1]] = true
		}
	}
	if diff := cmp.Diff(required, explained); diff != "" {
		t.Errorf("docs/adr/0005-dependencies.md (-required +explained):\n%s", diff)
	}
}

// shortName is a module as the table has it: without the host of most of them, a version and what is below the
// repository.
func shortName(module string) string {
	parts := strings.Split(strings.TrimPrefix(module, "github.com/"), "/")
	if parts[0] == "golang.org" {
		return strings.Join(parts, "/")
	}
	return strings.Join(slices.Clip(parts[:2]), "/")
}
