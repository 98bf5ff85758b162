package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// binder is the one file above the event store that may know in which slot a property lies: it writes down for plans what the schema says.
const binder = "internal/query/bind.go"

// slotNames are those of package schema that are about where properties lie.
var slotNames = map[string]bool{"Slot": true, "SlotKind": true, "NoSlot": true, "Text": true, "Number": true, "JSON": true, "TextSlots": true, "NumberSlots": true}

// propertyColumn matches names of columns in which event stores keep properties.
var propertyColumn = regexp.MustCompile(`^"(extra|[sn][0-9]+)"$`)

// TestPropertiesHaveNoColumns holds modules and package query to name properties of events by what package plan has for them: only the layout of an event store
// knows their columns.
func TestPropertiesHaveNoColumns(t *testing.T) {
	t.Parallel()
	files := 0
	for _, top := range []string{"internal/modules", "internal/query"} {
		err := filepath.WalkDir(filepath.Join(root(t), top), func(file string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasSuffix(filepath.ToSlash(file), binder) {
				return err
			}
			files++
			for _, problem := range columnsNamed(t, file, nil) {
				t.Errorf("%s: %s", file, problem)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("looked at %d files only", files)
	}
	if len(columnsNamed(t, filepath.Join(root(t), binder), nil)) == 0 {
		t.Errorf("%s names no slot: it needs no exception", binder)
	}
}

// columnsNamed returns where a file names slots or columns of properties. With src nil the file is read.
func columnsNamed(t *testing.T, file string, src any) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	of := func(e ast.Expr) (pkg, name string) {
		if s, ok := e.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				return id.Name, s.Sel.Name
			}
			return "", s.Sel.Name
		}
		return "", ""
	}
	note := func(n ast.Node, what string) {
		found[fmt.Sprintf("line %d: %s", fset.Position(n.Pos()).Line, what)] = true
	}
	column := func(list []ast.Expr) {
		for _, e := range list {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if lit, ok := e.(*ast.BasicLit); ok && propertyColumn.MatchString(lit.Value) {
				note(lit, "column "+lit.Value)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, name := of(n)
			if pkg == "schema" && slotNames[name] || pkg != "plan" && name == "Slot" {
				note(n, pkg+"."+name)
			}
		case *ast.CompositeLit:
			switch pkg, name := of(n.Type); {
			case pkg == "plan" && (name == "Slot" || name == "Placed"):
				note(n, "plan."+name)
			case pkg == "plan" && name == "Column":
				column(n.Elts)
			}
		case *ast.CallExpr:
			if pkg, name := of(n.Fun); pkg == "plan" && name == "Ev" {
				column(n.Args)
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(found))
}

// TestColumnsNamedFindsFaults tries TestPropertiesHaveNoColumns on code that names columns, and on code that does not.
func TestColumnsNamedFindsFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		`plan.Ev("extra")`:                         `line 3: column "extra"`,
		`plan.Ev("s16")`:                           `line 3: column "s16"`,
		`plan.Column{Of: plan.Events, Name: "n1"}`: `line 3: column "n1"`,
		`schema.JSON`:                              `line 3: schema.JSON`,
		`seg.Slot.Kind`:                            `line 3: seg.Slot`,
		`list[0].Slot`:                             `line 3: .Slot`,
		`plan.Slot{Name: "x"}`:                     `line 3: plan.Slot`,
		`[]plan.Placed{}`:                          ``,
		`plan.Placed{Event: "x"}`:                  `line 3: plan.Placed`,
		`plan.Ev("s")`:                             ``,
		`plan.Us("extra")`:                         ``,
		`plan.InRest("views")`:                     ``,
		`schema.Segment{}`:                         ``,
	} {
		if got := strings.Join(columnsNamed(t, "a.go", "package a\n\nvar a = "+code+"\n"), "\n"); got != want {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}
