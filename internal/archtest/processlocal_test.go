package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// declared are the names that packages declare, by the folder below internal.
type declared map[string]members

// members are what a package declares: "Name", or "Type.Member" for fields and methods.
type members map[string]bool

// processLocal is the page of what one process takes for granted.
const processLocal = "docs/reference/process-local.md"

// TestProcessLocal finds each name of the page in the code.
func TestProcessLocal(t *testing.T) {
	t.Parallel()
	dir := root(t)
	page, err := os.ReadFile(filepath.Join(dir, processLocal))
	if err != nil {
		t.Fatal(err)
	}
	names := namesOfPage(string(page))
	if len(names) < 30 {
		t.Fatalf("the page has %d names: %q", len(names), names)
	}
	d := declarations(t, filepath.Join(dir, "internal"))
	for _, name := range names {
		if !d.has(name) {
			t.Errorf("%s names %s, which is not in the code", processLocal, name)
		}
	}
}

func TestNamesOfPage(t *testing.T) {
	t.Parallel()
	got := namesOfPage("# Title `skipped` and `a.Kept`\n\n| name | what |\n|---|---|\n| `hook.Bus`; `intake` | `work`, `x/y.Z.F`, `job:name`, `a.md`, `v1.2` |\n")
	if want := []string{"a.Kept", "hook.Bus", "intake", "x/y.Z.F"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	d := declared{"x/y": {"Z": true, "Z.F": true}, "intake": {"Gate": true}}
	for name, want := range map[string]bool{
		"y.Z": true, "x/y.Z": true, "x/y.Z.F": true, "Z.F": true, "y": true, "intake": true,
		"y.F": false, "z/y.Z": false, "Z.G": false, "Gate": false, "intake.Z": false,
	} {
		if got := d.has(name); got != want {
			t.Errorf("%s: found %v, want %v", name, got, want)
		}
	}
}

var (
	quoted = regexp.MustCompile("`([^`]+)`")
	dotted = regexp.MustCompile(`^[a-z][\w/]*(\.[A-Za-z]\w*)+$|^[A-Z]\w*\.[A-Z]\w*$`)
)

// namesOfPage lists the names of the code in a page: packages, alone in the first column of its table, and what is in them, anywhere.
func namesOfPage(page string) (names []string) {
	for line := range strings.Lines(page) {
		_, row := strings.CutPrefix(line, "|")
		first := len(line)
		if row {
			first = strings.Index(line[1:], "|") + 1
		}
		for _, m := range quoted.FindAllStringSubmatchIndex(line, -1) {
			name := line[m[2]:m[3]]
			if path.Ext(name) == ".md" {
				continue
			}
			if dotted.MatchString(name) || row && m[0] < first {
				names = append(names, name)
			}
		}
	}
	return names
}

// has reports whether a name is that of a package, or of something in one: "package.Name", "package.Type.Member" or "Type.Member". Of the folder of a
// package, the last parts are enough.
func (d declared) has(name string) bool {
	folder, inside, deeper := strings.Cut(name, ".")
	for at, all := range d {
		if at == folder || strings.HasSuffix(at, "/"+folder) {
			if !deeper || all[inside] {
				return true
			}
		}
		if deeper && all[name] {
			return true
		}
	}
	return false
}

// declarations reads all packages below a folder, without their tests.
func declarations(t *testing.T, dir string) declared {
	t.Helper()
	d := declared{}
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, filepath.Dir(file))
		if err != nil {
			return err
		}
		in := d[filepath.ToSlash(rel)]
		if in == nil {
			in = members{}
			d[filepath.ToSlash(rel)] = in
		}
		for _, decl := range f.Decls {
			in.add(decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// add adds what a declaration declares.
func (m members) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name := decl.Name.Name
		if decl.Recv != nil {
			name = receiver(decl.Recv.List[0].Type) + "." + name
		}
		m[name] = true
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					m[name.Name] = true
				}
			case *ast.TypeSpec:
				m[spec.Name.Name] = true
				for _, name := range fields(spec.Type) {
					m[spec.Name.Name+"."+name] = true
				}
			}
		}
	}
}

// receiver is the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// fields are the names of the fields of a struct, or of the methods of an interface.
func fields(e ast.Expr) (names []string) {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		return nil
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
