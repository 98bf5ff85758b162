package archtest_test

import (
	"encoding/csv"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// raised are the kinds that faults of one code have.
type raised map[string]bool

var codeForm = regexp.MustCompile(`^[a-z_]+\.[a-z_]+$`)

// TestFaults keeps the table of faults complete: each code that the source has stands in internal/openapi/facts/faults.tsv with its cause
// and its cure, and no other. docs/reference/errors.md is written from it. -update writes what the source says: their kinds.
func TestFaults(t *testing.T) {
	t.Parallel()
	have := faultsOf(t, root(t))
	if len(have) < 250 {
		t.Fatalf("%d codes found in the source, want several hundred", len(have))
	}
	name := filepath.Join(root(t), "internal/openapi/facts/faults.tsv")
	rows := map[string][]string{}
	for _, row := range readTable(t, name) {
		rows[row[0]] = row
	}
	var table, page strings.Builder
	table.WriteString("code\tkind\tcause\tcure\n")
	page.WriteString(faultPage)
	for _, code := range slices.Sorted(maps.Keys(have)) {
		row := rows[code]
		if len(row) != 4 || row[2] == "" || row[3] == "" {
			t.Errorf("internal/openapi/facts/faults.tsv has no cause or no cure of %s", code)
			row = []string{code, "", "", ""}
		}
		kinds := strings.Join(slices.Sorted(maps.Keys(have[code])), ",")
		fmt.Fprintf(&table, "%s\t%s\t%s\t%s\n", code, kinds, row[2], row[3])
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", code, statusesOf(code, kinds), row[2], row[3])
	}
	for code := range rows {
		if have[code] == nil {
			t.Errorf("internal/openapi/facts/faults.tsv has %s, which nothing in the source raises", code)
		}
	}
	same(t, name, table.String())
	same(t, filepath.Join(root(t), "docs/reference/errors.md"), page.String())
}

const faultPage = `# Faults

Every fault has a code, in the header ` + "`Quipu-Error`" + `. Codes are part of the API; texts are not, so programs decide by the code. The body is the protocol's, ` + "`{\"result\":\"…\"}`" + `, or a problem of
[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) where the request has ` + "`Accept: application/problem+json`" + `:

` + "```json" + `
{"type":"urn:quipu:fault:request.missing_parameter","title":"Bad Request","status":400,"detail":"Missing parameter \"app_id\"","code":"request.missing_parameter"}
` + "```" + `

` + "`fields`" + ` says what is wrong with single parameters. Codes of ` + "`ingest`" + ` stand in [receipts](ingestion.md#receipts), too, where the status is 200; SDKs
get a few of these faults with the status 200, so that they drop the request, and programs that accept problems get the status that stands here. Some routes answer with a status of their own, which the
protocol has for them; the usual one stands here. An answer of 429 or 503 has ` + "`Retry-After`" + ` where the server knows when: wait that long, else a second, twice as long after each failure, up to a minute. Requests of clients (` + "`/i`" + `) may be sent again as
they are: one with a timestamp in milliseconds counts once.

` + "`params`" + ` has numbers that the text names, such as the line of a statement of SQL; it stands beside ` + "`result`" + `, too.
The code ` + "`server.internal`" + ` is of all that the server did not expect: it is logged under the number in ` + "`incident`" + `, which to quote. A task that failed has the code as ` + "`errorcode`" + `.

| code | status | cause | cure |
|---|---|---|---|
`

// statusesOf are those that package api gives to faults.
func statusesOf(code, kinds string) string {
	switch code {
	case "access.no_right":
		return "401"
	case "auth.token_invalid":
		return "400"
	case "request.bad_verb":
		return "405"
	}
	return statuses(kinds)
}

// statuses are those that package api gives to kinds.
func statuses(kinds string) string {
	status := map[string]string{
		"Internal": "500", "Invalid": "400", "Unauthenticated": "401", "Forbidden": "403", "NotFound": "404", "Conflict": "409", "TooLarge": "413",
		"RateLimited": "429", "Unavailable": "503",
	}
	var out []string
	for kind := range strings.SplitSeq(kinds, ",") {
		out = append(out, status[kind])
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// same compares a file with a text, or writes it there under -update.
func same(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil { // sources are public
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(got), want); d != "" {
		t.Errorf("%s is behind; run this test with -update (-file +source):\n%s", name, d)
	}
}

func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 4
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// faultsOf finds the codes of faults: arguments of fault.New, Newf and Wrap, the field Code of fault.Error, and what is passed to functions of
// the same package for a parameter called code. Constants stand for their texts.
func faultsOf(t *testing.T, dir string) map[string]raised {
	t.Helper()
	out := map[string]raised{}
	constants := map[string]string{} // by package and name
	parsed := map[string][]*ast.File{}
	set := token.NewFileSet()
	err := filepath.WalkDir(filepath.Join(dir, "internal"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "docstest") {
			return err
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(filepath.Join(dir, "internal"), filepath.Dir(name))
		if err != nil {
			return err
		}
		parsed[folder] = append(parsed[folder], f)
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for i := range v.Names {
					if i < len(v.Values) {
						if text, ok := literal(v.Values[i]); ok {
							constants[f.Name.Name+"."+v.Names[i].Name] = text
						}
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range parsed {
		takers := map[string]int{} // functions with a parameter called code: its place
		kinds := map[string]string{}
		for _, f := range files {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok {
					if place := placeOf(fn, "code"); place >= 0 {
						takers[fn.Name.Name], kinds[fn.Name.Name] = place, kindIn(fn.Body)
					}
				}
			}
		}
		for _, f := range files {
			text := func(e ast.Expr) string {
				switch x := e.(type) {
				case *ast.Ident:
					return constants[f.Name.Name+"."+x.Name]
				case *ast.SelectorExpr:
					if p, ok := x.X.(*ast.Ident); ok {
						return constants[p.Name+"."+x.Sel.Name]
					}
				}
				s, _ := literal(e)
				return s
			}
			add := func(code ast.Expr, kind string) {
				c := text(code)
				if !codeForm.MatchString(c) {
					return
				}
				if out[c] == nil {
					out[c] = raised{}
				}
				if kind != "" {
					out[c][kind] = true
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.CallExpr:
					switch fn := x.Fun.(type) {
					case *ast.SelectorExpr:
						p, ok := fn.X.(*ast.Ident)
						place, isFault := map[string]int{"New": 1, "Newf": 1, "Wrap": 2}[fn.Sel.Name]
						if ok && p.Name == "fault" && isFault && len(x.Args) > place {
							add(x.Args[place], kindOf(x.Args[place-1]))
						}
					case *ast.Ident:
						if place, ok := takers[fn.Name]; ok && len(x.Args) > place {
							kind := kinds[fn.Name]
							for _, a := range x.Args {
								if k := kindOf(a); k != "" {
									kind = k
								}
							}
							add(x.Args[place], kind)
						}
					}
				case *ast.CompositeLit:
					fields := map[string]ast.Expr{}
					for _, e := range x.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							if key, ok := kv.Key.(*ast.Ident); ok {
								fields[key.Name] = kv.Value
							}
						}
					}
					if fields["Kind"] != nil && fields["Code"] != nil {
						add(fields["Code"], kindOf(fields["Kind"]))
					}
				}
				return true
			})
		}
	}
	return out
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// kindOf is the name of a kind of faults, "" for other expressions.
func kindOf(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if p, ok := s.X.(*ast.Ident); ok && p.Name == "fault" && statuses(s.Sel.Name) != "" {
			return s.Sel.Name
		}
	}
	return ""
}

// kindIn is the kind that a function makes faults of.
func kindIn(body *ast.BlockStmt) (kind string) {
	if body == nil {
		return ""
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && kind == "" {
			kind = kindOf(e)
		}
		return true
	})
	return kind
}

// placeOf is the place of a parameter of a function, -1 if it has none of the name.
func placeOf(fn *ast.FuncDecl, name string) int {
	place := 0
	for _, field := range fn.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == name {
				return place
			}
			place++
		}
	}
	return -1
}
