package archtest_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// engines are the packages that keep data.
var engines = []string{"github.com/cockroachdb/pebble", "github.com/duckdb/duckdb-go", "github.com/mattn/go-sqlite3"}

// TestContractsKnowNoEngine looks through all that the contracts of stores depend on.
func TestContractsKnowNoEngine(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"events", "events/plan", "events/sqlplan", "events/clickhouse", "journal", "registry"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", module+"/internal/store/"+name)
		cmd.Dir = root(t)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v", name, err)
		}
		if !strings.Contains(string(out), module+"/internal/store/"+name+"\n") {
			t.Fatalf("go list -deps %s does not list it", name)
		}
		for dependency := range strings.FieldsSeq(string(out)) {
			if slices.ContainsFunc(engines, func(e string) bool { return strings.HasPrefix(dependency, e) }) {
				t.Errorf("store/%s depends on %s", name, dependency)
			}
		}
	}
}
