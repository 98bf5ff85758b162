package archtest_test

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The programs and libraries that keep data, by the import paths with which their packages begin. ClickHouse's client is our own.
const (
	pebbleEngine     = "github.com/cockroachdb/pebble"
	duckEngine       = "github.com/duckdb/duckdb-go"
	sqliteEngine     = "github.com/mattn/go-sqlite3"
	pgxEngine        = "github.com/jackc/pgx"
	clickHouseEngine = module + "/internal/store/ch"
	natsEngine       = "github.com/nats-io"
	kafkaEngine      = "github.com/twmb/franz-go"
	s3Engine         = "github.com/minio/minio-go"
)

func engines() []string {
	return []string{pebbleEngine, duckEngine, sqliteEngine, pgxEngine, clickHouseEngine, natsEngine, kafkaEngine, s3Engine}
}

// engineRoot names packages that may depend on engines, directly or through others.
type engineRoot struct {
	// path lies in the module; with "/..." at its end it covers the folders beneath, too.
	path string
	// engines are those that it may depend on; nil = all.
	engines []string
	why     string
}

func engineRoots() []engineRoot {
	one := func(engine string) []string { return []string{engine} }
	return []engineRoot{
		{"cmd/quipu", nil, "is the program"},
		{"internal/app", nil, "chooses the engines"},
		{"internal/bench", nil, "measures whole servers, and statements of its own on the same engines"},
		{"internal/selftest/...", nil, "damages what engines store, and watches what becomes of it"},
		{"internal/testkit", nil, "runs a whole server in a test"},
		{"internal/testkit/clustered", nil, "runs a whole server in a test"},
		{"internal/backup", one(s3Engine), "keeps copies in buckets; what a store holds it knows as files only"},

		{"internal/store/kv", one(pebbleEngine), "is the engine of the state's database"},
		{"internal/store/journal/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/marks/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/outbox/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/profile/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/rollup/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/schema/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/state/pebble", one(pebbleEngine), "is an engine"},
		{"internal/store/events/duck/...", one(duckEngine), "is an engine, with a process for SQL and statements by hand to measure it by"},
		{"internal/store/docs/sqlite", one(sqliteEngine), "is an engine"},
		{"internal/store/pg", one(pgxEngine), "is what engines on PostgreSQL share"},
		{"internal/store/docs/postgres", one(pgxEngine), "is an engine"},
		{"internal/store/state/postgres", one(pgxEngine), "is an engine"},
		{"internal/store/events/clickhouse", one(clickHouseEngine), "is an engine"},
		{"internal/store/rollup/clickhouse", one(clickHouseEngine), "is an engine"},
		{"internal/store/journal/jetstream", one(natsEngine), "is an engine"},
		{"internal/store/journal/kafka", one(kafkaEngine), "is an engine"},
		{"internal/store/s3", one(s3Engine), "is what keeps objects in S3-compatible stores"},
		{"internal/store/files/s3", one(s3Engine), "is an engine"},

		{"internal/store/kv/kvtest", one(pebbleEngine), "is a test kit"},
		{"internal/store/rollup/block/blocktest", one(pebbleEngine), "is a test kit"},
		{"internal/store/docs/docstest/engines", []string{sqliteEngine, pgxEngine}, "is a test kit"},
		{"internal/store/ch/chtest", one(clickHouseEngine), "is a test kit"},
		{"internal/store/events/clickhouse/chdbtest", one(clickHouseEngine), "is a test kit"},
		{"internal/store/journal/jetstream/natstest", one(natsEngine), "is a test kit"},
		{"internal/store/s3/s3test", one(s3Engine), "is a test kit"},
	}
}

func (r engineRoot) covers(path string) bool {
	if folder, beneath := strings.CutSuffix(r.path, "/..."); beneath {
		return path == folder || strings.HasPrefix(path, folder+"/")
	}
	return path == r.path
}

func (r engineRoot) allows(engine string) bool {
	return r.engines == nil || slices.Contains(r.engines, engine)
}

// TestOnlyRootsKnowEngines looks through all that every package of the module depends on.
func TestOnlyRootsKnowEngines(t *testing.T) {
	t.Parallel()
	for _, problem := range engineProblems(dependencies(t), engineRoots()) {
		t.Error(problem)
	}
}

func TestEngineProblems(t *testing.T) {
	t.Parallel()
	roots := []engineRoot{{"internal/app", nil, "chooses"}, {"internal/store/x/...", []string{duckEngine}, "is an engine"}}
	whole := map[string][]string{"internal/app": {pgxEngine + "/v5"}, "internal/store/x": {duckEngine + "/v2"}, "internal/store/x/part": nil}
	for name, tt := range map[string]struct {
		path string
		deps []string
		want string
	}{
		"a root":                  {"internal/app", []string{duckEngine + "/v2", "fmt"}, ""},
		"beneath a root":          {"internal/store/x/part", []string{duckEngine}, ""},
		"beside a root":           {"internal/store/xy", []string{duckEngine}, "internal/store/xy depends on " + duckEngine},
		"another engine":          {"internal/store/x", []string{duckEngine, sqliteEngine}, "internal/store/x depends on " + sqliteEngine},
		"a new package":           {"internal/new", []string{"fmt", module + "/internal/store/ch"}, "internal/new depends on " + clickHouseEngine},
		"a package of the client": {"internal/new", []string{module + "/internal/store/ch/part"}, "internal/new depends on " + clickHouseEngine},
		"a similar name":          {"internal/new", []string{module + "/internal/store/check"}, ""},
		"a root without engines":  {"internal/app", nil, "internal/app is listed as a root, and depends on no engine"},
	} {
		deps := maps.Clone(whole)
		deps[tt.path] = tt.deps
		if got := strings.Join(engineProblems(deps, roots), "\n"); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// engineProblems says which packages depend on engines without being roots, and which roots depend on none. deps are what the packages
// of the module depend on.
func engineProblems(deps map[string][]string, roots []engineRoot) (problems []string) {
	used := make([]bool, len(roots))
	for path, list := range deps {
		i := slices.IndexFunc(roots, func(r engineRoot) bool { return r.covers(path) })
		for _, engine := range engines() {
			on := slices.ContainsFunc(list, func(d string) bool { return d == engine || strings.HasPrefix(d, engine+"/") })
			switch {
			case !on:
			case i < 0 || !roots[i].allows(engine):
				problems = append(problems, fmt.Sprintf("%s depends on %s", path, engine))
			default:
				used[i] = true
			}
		}
	}
	for i, r := range roots {
		if !used[i] {
			problems = append(problems, r.path+" is listed as a root, and depends on no engine")
		}
	}
	slices.Sort(problems)
	return problems
}

// dependencies lists what every package of the module depends on, tests apart.
func dependencies(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list ./...: %v", err)
	}
	deps := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		path, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		deps[strings.TrimPrefix(path, module+"/")] = strings.Fields(list)
	}
	if len(deps) < 100 {
		t.Fatalf("go list ./... lists %d packages", len(deps))
	}
	return deps
}
