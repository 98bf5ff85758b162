package archtest_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The packages that keep data.
const (
	pebbleEngine = "github.com/cockroachdb/pebble"
	duckEngine   = "github.com/duckdb/duckdb-go"
	sqliteEngine = "github.com/mattn/go-sqlite3"
	pgxEngine    = "github.com/jackc/pgx"
	s3Engine     = "github.com/minio/minio-go"
)

// TestContractsKnowNoEngine looks through all that the contracts of stores, and those who read and write
// through them, depend on.
func TestContractsKnowNoEngine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		engines  []string
		packages []string // under internal
	}{
		{
			[]string{pebbleEngine, duckEngine, sqliteEngine, pgxEngine},
			[]string{"store/events", "store/events/plan", "store/events/sqlplan", "store/events/clickhouse", "store/journal", "store/schema/stored", "store/schema/writers", "store/rollup/block", "store/profile/stored", "store/profile/shards", "store/marks", "store/outbox", "store/state", "store/docs"},
		},
		{[]string{s3Engine}, []string{"store/files", "modules/...", "kernel", "query/...", "auth/...", "ingest/..."}},
		{[]string{sqliteEngine, pgxEngine}, []string{"modules/...", "kernel", "query/...", "auth/..."}},
		{[]string{pebbleEngine, duckEngine}, []string{"modules/...", "kernel", "query/...", "auth/...", "ingest/..."}},
	} {
		for _, name := range test.packages {
			for _, dependency := range dependencies(t, name) {
				for _, engine := range test.engines {
					if strings.HasPrefix(dependency, engine) {
						t.Errorf("internal/%s depends on %s", name, dependency)
					}
				}
			}
		}
	}
}

// dependencies lists the packages under internal that name stands for, and all that they depend on.
func dependencies(t *testing.T, name string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", module+"/internal/"+name)
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", name, err)
	}
	list := strings.Fields(string(out))
	if len(list) == 0 || !strings.HasPrefix(list[len(list)-1], module+"/internal/"+strings.TrimSuffix(name, "/...")) {
		t.Fatalf("go list -deps %s does not list it", name)
	}
	return list
}
