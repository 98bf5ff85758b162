package request_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"quipu/internal/ingest/request"
)

// TestParsedIsKnown reads from the source which parameters Parse has a case for.
func TestParsedIsKnown(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "parse.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "param" {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			c, ok := node.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range c.List {
				lit, ok := e.(*ast.BasicLit)
				if !ok {
					continue
				}
				name, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				n++
				if name != "no_checksum" && !request.Known(name) {
					t.Errorf("%s is parsed, and not known", name)
				}
			}
			return true
		})
	}
	if n < 40 {
		t.Errorf("found %d parameters", n)
	}
	for _, name := range []string{"x", "", "no_checksum", "api_key", "App_key"} {
		if request.Known(name) {
			t.Errorf("%q is known", name)
		}
	}
}
