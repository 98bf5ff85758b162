package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// writesSQL lists the folders that may hold SQL: engines, what they share, and what their tests share.
func writesSQL() []string {
	return []string{
		"internal/store/ch", "internal/store/ch/chtest",
		"internal/store/docs/postgres", "internal/store/docs/sqlite",
		"internal/store/docs/docstest", // texts that would be harm if an engine took them for SQL
		"internal/store/events/clickhouse", "internal/store/events/clickhouse/chdbtest",
		"internal/store/events/duck", "internal/store/events/duck/handsql", "internal/store/events/duck/sqlworker",
		"internal/store/events/eventstest", // as docstest
		"internal/store/events/sqlplan",    // writes plans for the layouts of event stores
		"internal/store/pg", "internal/store/pgtest",
		"internal/store/rollup/clickhouse",
		"internal/store/state/postgres",
	}
}

// statement finds SQL anywhere in a text, and the beginning of a statement, which code may go on with, at its start.
var statement = regexp.MustCompile(`(?is)\bselect\b.*\bfrom\b` +
	`|\binsert\s+(or\s+\w+\s+)?into\b` +
	`|\bupdate\s+(only\s+)?\S+\s+(as\s+\w+\s+)?set\b` +
	`|\bdelete\s+from\b` +
	`|\b(create|alter|drop)\s+(or\s+replace\s+)?(temp\s+|temporary\s+|unlogged\s+|unique\s+|materialized\s+)?(table|index|view|database|function|macro|schema)\b` +
	`|\bwith\s+\w+(\s*\([^)]*\))?\s+as\s*\(` +
	`|(?-i:^\s*(SELECT|UPDATE|WITH)\s)`)

// statements returns the positions of texts that hold SQL. Texts that are joined by + are one.
func statements(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text, literal := joined(e)
		if !literal || !statement.MatchString(text) {
			return true
		}
		at = append(at, e.Pos())
		return false
	})
	return at
}

// joined returns the text of an expression, in which x stands for what is no literal. literal reports whether there is any.
func joined(e ast.Expr) (text string, literal bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, l := joined(e.X)
			right, r := joined(e.Y)
			return left + right, l || r
		}
	case *ast.ParenExpr:
		return joined(e.X)
	}
	return "x", false
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"`SELECT n FROM events`":                     1,
		`"select n from events"`:                     1,
		"`\n\tselect n,\n\tcount(*)\n\tfrom events`": 1,
		`"EXISTS (SELECT 1 FROM unnest(x))"`:         1,
		`"Select " + columns + " From " + table`:     1,
		`fmt.Sprintf("(select %s from %s)", a, b)`:   1,
		`"x" + quoted("select n from events") + "y"`: 1,
		`"SELECT "`:                                        1,
		`"insert into events values (?)"`:                  1,
		`"INSERT OR REPLACE INTO events VALUES (?)"`:       1,
		`"UPDATE events SET n = ?"`:                        1,
		`"update " + table + " set n = ?"`:                 1,
		`"Update only events as e set n = ?"`:              1,
		`"delete from events"`:                             1,
		`"DELETE\n\tFROM events"`:                          1,
		`"create temporary table t (n int)"`:               1,
		`"drop index i"`:                                   1,
		`"with a as (values (1)) table a"`:                 1,
		`[]string{"select n from a", "delete from b"}`:     2,
		`"the selection comes from events"`:                0,
		`"Selected users"`:                                 0,
		`"select an app"`:                                  0,
		`"deleted from the list"`:                          0,
		`"updates the settings"`:                           0,
		`"update the value that is set"`:                   0,
		`"with a name, as others (of the app) have"`:       0,
		`"created a table of users"`:                       0,
		`"insert a row, then go into the table"`:           0,
		`/* SELECT n FROM events */ "x"`:                   0,
		`"selects " + "what comes " + "from the app"`:      0,
		`map[string]string{"select": "a", "from": "then"}`: 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar v = "+source+"\n", parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := len(statements(f)); got != want {
			t.Errorf("%s: %d statements, want %d", source, got, want)
		}
	}
}
