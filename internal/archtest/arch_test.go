// Package archtest_test holds the tree to its architecture: which package may
// import which, SQL in engines only, one comment a package, no init functions.
package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "quipu"

// layers lists the folders from the lowest to the highest: a package imports
// only what stands above it in this list, so never what stands below. An entry
// that ends in "/" covers the folders beneath it, which may import one another.
var layers = []string{
	"internal/testkit/need",
	"internal/testkit/respawn",
	"client",
	"internal/fault",
	"internal/turn",
	"internal/background",
	"internal/systemd",
	"internal/tracing",
	"internal/memory",
	"internal/model",
	"internal/seal",
	"internal/symbols/",
	"internal/period",
	"internal/filter",
	"internal/params",
	"internal/intake",
	"internal/outbound",
	"internal/table",
	"internal/traffic",
	"internal/follow",
	"internal/hook",
	"internal/topic",
	"internal/store/",
	"internal/carry",
	"internal/apps",
	"internal/settings",
	"internal/mail",
	"internal/logfile",
	"internal/query/rewrite",
	"internal/query",
	"internal/auth/leaked",
	"internal/auth",
	"internal/jobs",
	"internal/api",
	"internal/openapi",
	"internal/ingest/",
	"internal/move",
	"internal/verify",
	"internal/backup",
	"internal/kernel",
	"internal/modules/",
	"internal/web",
	"internal/app",
	"internal/testkit",
	"internal/modeltest",
	"internal/wiretest",
	"internal/child",
	"internal/selftest",
	"internal/bench/",
	"internal/attack",
	"cmd/",
}

// pkg is what the test knows of one folder of Go files.
type pkg struct {
	imports  map[string]bool // of files that are no tests, folders within the module
	comments []string        // files with a package comment
	inits    []string        // positions of init functions
	files    int             // that are no tests
	sql      []string        // positions of texts that hold SQL, see sql_test.go
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	pkgs := load(t, root(t))
	for _, problem := range check(pkgs) {
		t.Error(problem)
	}
	for _, name := range writesSQL() {
		if p := pkgs[name]; p == nil || len(p.sql) == 0 {
			t.Errorf("%s may write SQL, and writes none", name)
		}
	}
}

func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	ok := func(imports ...string) *pkg {
		p := &pkg{imports: map[string]bool{}, comments: []string{"doc.go"}, files: 1}
		for _, i := range imports {
			p.imports[i] = true
		}
		return p
	}
	tests := []struct {
		name string
		pkgs map[string]*pkg
		want string
	}{
		{"lower imports higher", map[string]*pkg{"internal/model": ok("internal/api")}, "internal/model imports internal/api, which stands below it"},
		{"same entry", map[string]*pkg{"internal/store/events": ok("internal/store/journal")}, ""},
		{"higher imports lower", map[string]*pkg{"internal/api": ok("internal/model")}, ""},
		{"store imports ingestion", map[string]*pkg{"internal/store/events": ok("internal/ingest/pipeline")}, "internal/store/events imports internal/ingest/pipeline, which stands below it"},
		{"module imports module", map[string]*pkg{"internal/modules/a": ok("internal/modules/b")}, "internal/modules/a imports the module internal/modules/b; modules meet in topic"},
		{"list of modules", map[string]*pkg{"internal/modules/all": ok("internal/modules/b")}, ""},
		{"part of the same module", map[string]*pkg{"internal/modules/a": ok("internal/modules/a/grammar")}, ""},
		{"no layer", map[string]*pkg{"internal/misc": ok()}, "internal/misc has no layer: add it to the list"},
		{"no comment", map[string]*pkg{"internal/api": {files: 1}}, "internal/api has no package comment"},
		{"two comments", map[string]*pkg{"internal/api": {files: 2, comments: []string{"a.go", "b.go"}}}, "internal/api has 2 package comments: a.go, b.go"},
		{"SQL", map[string]*pkg{"internal/api": {files: 1, comments: []string{"a.go"}, sql: []string{"a.go:3"}}}, "internal/api has a statement of SQL at a.go:3; only engines write SQL"},
		{"SQL of a contract", map[string]*pkg{"internal/store/docs": {files: 1, comments: []string{"a.go"}, sql: []string{"a.go:3"}}}, "internal/store/docs has a statement of SQL at a.go:3; only engines write SQL"},
		{"SQL of an engine", map[string]*pkg{"internal/store/docs/sqlite": {files: 1, comments: []string{"a.go"}, sql: []string{"a.go:3"}}}, ""},
		{"init", map[string]*pkg{"internal/api": {files: 1, comments: []string{"a.go"}, inits: []string{"a.go:3"}}}, "internal/api has an init function at a.go:3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(check(tt.pkgs), "\n")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// root returns the folder of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// load parses every Go file under internal and cmd.
func load(t *testing.T, root string) map[string]*pkg {
	t.Helper()
	pkgs := map[string]*pkg{}
	for _, top := range []string{"internal", "cmd"} {
		dir := filepath.Join(root, top)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(file, ".go") {
				return nil
			}
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			return add(pkgs, file, filepath.ToSlash(rel))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(pkgs) == 0 {
		t.Fatal("no packages found")
	}
	return pkgs
}

func add(pkgs map[string]*pkg, file, rel string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse %s: %w", rel, err)
	}
	p := pkgs[path.Dir(rel)]
	if p == nil {
		p = &pkg{imports: map[string]bool{}}
		pkgs[path.Dir(rel)] = p
	}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			p.inits = append(p.inits, fmt.Sprintf("%s:%d", rel, fset.Position(fn.Pos()).Line))
		}
	}
	if strings.HasSuffix(rel, "_test.go") {
		return nil
	}
	p.files++
	if f.Doc != nil {
		p.comments = append(p.comments, path.Base(rel))
	}
	for _, at := range statements(f) {
		p.sql = append(p.sql, fmt.Sprintf("%s:%d", rel, fset.Position(at).Line))
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("import of %s: %w", rel, err)
		}
		if inner, ok := strings.CutPrefix(name, module+"/"); ok {
			p.imports[inner] = true
		}
	}
	return nil
}

// check returns what is wrong, in a stable order.
func check(pkgs map[string]*pkg) []string {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		p := pkgs[name]
		for _, at := range p.inits {
			problems = append(problems, fmt.Sprintf("%s has an init function at %s", name, at))
		}
		if p.files == 0 {
			continue
		}
		switch len(p.comments) {
		case 0:
			problems = append(problems, name+" has no package comment")
		case 1:
		default:
			problems = append(problems, fmt.Sprintf("%s has %d package comments: %s", name, len(p.comments), strings.Join(p.comments, ", ")))
		}
		for _, at := range p.sql {
			if !slices.Contains(writesSQL(), name) {
				problems = append(problems, fmt.Sprintf("%s has a statement of SQL at %s; only engines write SQL", name, at))
			}
		}
		problems = append(problems, checkImports(name, p)...)
	}
	return problems
}

func checkImports(name string, p *pkg) []string {
	own := layer(name)
	if own < 0 {
		return []string{name + " has no layer: add it to the list"}
	}
	var problems []string
	for _, imported := range slices.Sorted(maps.Keys(p.imports)) {
		its := layer(imported)
		a, b := moduleOf(name), moduleOf(imported)
		switch {
		case its < 0:
			problems = append(problems, fmt.Sprintf("%s imports %s, which has no layer", name, imported))
		case its > own:
			problems = append(problems, fmt.Sprintf("%s imports %s, which stands below it", name, imported))
		case a != "" && a != "all" && b != "" && a != b:
			problems = append(problems, fmt.Sprintf("%s imports the module %s; modules meet in topic", name, imported))
		}
	}
	return problems
}

// layer returns the index of the entry that covers name, or -1.
func layer(name string) int {
	return slices.IndexFunc(layers, func(entry string) bool {
		return strings.HasPrefix(name+"/", strings.TrimSuffix(entry, "/")+"/")
	})
}

// moduleOf returns the module that name belongs to, or "".
func moduleOf(name string) string {
	rest, ok := strings.CutPrefix(name, "internal/modules/")
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}
