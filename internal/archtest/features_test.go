package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// featureless are the folders, and files, that walk declarations of features and name none: what a feature is called, and the keys of its rows.
var featureless = []string{"internal/verify", "internal/backup", "internal/ingest/pipeline", "internal/app/repair.go", "internal/app/repair_figures.go"}

// keyName are the names of constants for keys of rows; sessions are everyone's, and so are custom events.
var keyName = regexp.MustCompile(`^[A-Z][A-Za-z]*Key$`)

var (
	commonKeys     = []string{"[CLY]_session", "[CLY]_session_begin"}
	commonKeyNames = []string{"BeginKey", "SessionKey", "CustomKey"}
	// fieldRows makes the rows of what requests hold for features, as it came (docs/adr/0012).
	fieldRows = "internal/ingest/pipeline/fields.go"
)

// TestNoFeatureByName holds verification, backups, repairs and the pipeline to the declarations of features.
func TestNoFeatureByName(t *testing.T) {
	t.Parallel()
	files := 0
	for _, top := range featureless {
		err := filepath.WalkDir(filepath.Join(root(t), top), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			files++
			rel, err := filepath.Rel(root(t), file)
			if err != nil {
				return err
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, problem := range featuresIn(fset, f, filepath.ToSlash(rel)) {
				t.Error(problem)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 40 {
		t.Errorf("%d files looked at, want at least 40", files)
	}
}

// featuresIn returns where a file names a feature by the key of its rows.
func featuresIn(fset *token.FileSet, f *ast.File, name string) (problems []string) {
	fault := func(at ast.Node, what string) {
		problems = append(problems, fmt.Sprintf("%s:%d names %s; what belongs to a feature is declared in its module", name, fset.Position(at.Pos()).Line, what))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && strings.Contains(text, "[CLY]_") && !slices.Contains(commonKeys, text) {
				fault(n, text)
			}
		case *ast.SelectorExpr:
			if keyName.MatchString(n.Sel.Name) && !slices.Contains(commonKeyNames, n.Sel.Name) && name != fieldRows {
				if pkg, ok := n.X.(*ast.Ident); ok && (pkg.Name == "request" || pkg.Name == "pipeline" || pkg.Name == "events") {
					fault(n, pkg.Name+"."+n.Sel.Name)
				}
			}
		}
		return true
	})
	return problems
}

// TestNoFeatureByNameFindsFaults sees that the rule finds what it forbids.
func TestNoFeatureByNameFindsFaults(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`var x = "[CLY]_star_rating"`:                     "[CLY]_star_rating",
		"var x = `e = '[CLY]_view'`":                      "e = '[CLY]_view'",
		`var x = request.CrashKey`:                        "request.CrashKey",
		`var x = pipeline.ConsentKey`:                     "pipeline.ConsentKey",
		`var x = "[CLY]_session" + "[CLY]_session_begin"`: "",
		`var x, y = events.CustomKey, cells.BeginKey`:     "",
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package x\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := featuresIn(fset, f, "internal/verify/x.go")
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got[0], "internal/verify/x.go:2 names "+want+";")) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}
