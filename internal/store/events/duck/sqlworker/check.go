package sqlworker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quipu/internal/store/events/sqlbox"
)

// parsed is a statement as the database's own parser sees it.
type parsed struct {
	Error   bool   `json:"error"`
	Message string `json:"error_message"`
	// Position is how many characters stand before the place of an error, as a text; empty where it has none.
	Position string `json:"position"`
	// Statements are trees of objects. An object with a class is an expression; others with a type are tables, queries and parts of these.
	Statements []map[string]any `json:"statements"`
}

// The kinds of nodes that a statement may hold. What is not named is not permitted, so that what a later version of the database adds
// is not either.
var (
	classes = set("COLUMN_REF CONSTANT FUNCTION COMPARISON CONJUNCTION OPERATOR CAST CASE SUBQUERY STAR WINDOW BETWEEN LAMBDA LAMBDA_REF COLLATE POSITIONAL_REFERENCE")
	nodes   = set("BASE_TABLE SUBQUERY JOIN EMPTY EXPRESSION_LIST TABLE_FUNCTION PIVOT SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE " +
		"LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING " +
		"DECIMAL_TYPE_INFO STRING_TYPE_INFO LIST_TYPE_INFO STRUCT_TYPE_INFO ARRAY_TYPE_INFO UNBOUND_TYPE_INFO GENERIC_TYPE_INFO")
	tableFunctions = set("range generate_series unnest json_each")
	// reserved begin the names of the database's own tables, which no part of a statement may have.
	reserved = []string{"duckdb_", "pragma_", "sqlite_", "pg_", "information_schema"}
)

func failed(kind sqlbox.Kind, format string, args ...any) *sqlbox.Error {
	return &sqlbox.Error{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// Bounds of a statement.
const (
	maxStatement = 64 << 10 // bytes
	maxDepth     = 1000     // of its tree
)

// checker looks at a statement.
type checker struct {
	views []sqlbox.View
	ctes  map[string]bool
	used  map[string]bool // views that are read
	refs  map[string]bool // last names of columns, lower case
	first map[string]bool // names that stand alone or first, which may be a table's
	names map[string]bool // of tables and their aliases
	all   bool            // every column may be meant
}

// check returns what a statement reads, or why it is not permitted.
func check(statement string, tree []byte, views []sqlbox.View) (sqlbox.Needs, *sqlbox.Error) {
	var p parsed
	if err := json.Unmarshal(tree, &p); err != nil {
		return nil, failed(sqlbox.NotAllowed, "the statement is nested too deep")
	}
	switch {
	case p.Error && strings.Contains(p.Message, "Only SELECT"):
		return nil, failed(sqlbox.NotAllowed, "only SELECT statements are permitted")
	case p.Error:
		return nil, unreadable(statement, p)
	case len(p.Statements) == 0:
		return nil, failed(sqlbox.Invalid, "there is no statement")
	case len(p.Statements) > 1:
		return nil, failed(sqlbox.NotAllowed, "only one statement is permitted")
	}
	c := &checker{views: views, ctes: map[string]bool{}, used: map[string]bool{}, refs: map[string]bool{}, first: map[string]bool{}, names: map[string]bool{}}
	if list, _ := p.Statements[0]["named_param_map"].([]any); len(list) > 0 {
		return nil, failed(sqlbox.NotAllowed, "parameters are not permitted")
	}
	if err := c.collect(p.Statements[0], 0); err != nil {
		return nil, err
	}
	if err := c.walk(p.Statements[0]); err != nil {
		return nil, err
	}
	return c.needs(), nil
}

// unreadable says why a statement cannot be parsed, and where.
func unreadable(statement string, p parsed) *sqlbox.Error {
	out := failed(sqlbox.Invalid, "%s", p.Message)
	at, err := strconv.Atoi(p.Position)
	text := []rune(statement)
	if err != nil || at < 0 || at > len(text) {
		return out
	}
	before := string(text[:at])
	line := before[strings.LastIndexByte(before, '\n')+1:]
	out.Line, out.Character = strings.Count(before, "\n")+1, utf8.RuneCountInString(line)+1
	out.Msg += fmt.Sprintf(" (line %d, character %d)", out.Line, out.Character)
	return out
}

// collect finds the names of common table expressions, which may be used before they are met.
func (c *checker) collect(v any, depth int) *sqlbox.Error {
	if depth > maxDepth {
		return failed(sqlbox.NotAllowed, "the statement is nested too deep")
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := c.collect(e, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if m, ok := v["cte_map"].(map[string]any); ok {
			list, _ := m["map"].([]any)
			for _, e := range list {
				entry, _ := e.(map[string]any)
				if err := c.cte(entry["key"]); err != nil {
					return err
				}
			}
		}
		if name, ok := v["cte_name"]; ok {
			if err := c.cte(name); err != nil {
				return err
			}
		}
		for _, e := range v {
			if err := c.collect(e, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) cte(v any) *sqlbox.Error {
	name, _ := v.(string)
	name = strings.ToLower(name)
	if name == "" || slices.ContainsFunc(reserved, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return failed(sqlbox.NotAllowed, "the name %q is not permitted", name)
	}
	c.ctes[name] = true
	return nil
}

func (c *checker) walk(v any) *sqlbox.Error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := c.walk(e); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := c.node(v); err != nil {
			return err
		}
		for _, e := range v {
			if err := c.walk(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// node looks at one object.
func (c *checker) node(n map[string]any) *sqlbox.Error {
	if class, ok := n["class"].(string); ok {
		if !classes[class] {
			return failed(sqlbox.NotAllowed, "%s is not permitted", readable(class))
		}
		return c.expression(class, n)
	}
	typ, ok := n["type"].(string)
	if !ok {
		return nil
	}
	if !nodes[typ] {
		return failed(sqlbox.NotAllowed, "%s is not permitted", readable(typ))
	}
	if alias, _ := n["alias"].(string); alias != "" {
		c.names[strings.ToLower(alias)] = true
	}
	switch typ {
	case "BASE_TABLE":
		return c.table(n)
	case "TABLE_FUNCTION":
		fn, _ := n["function"].(map[string]any)
		name, _ := fn["function_name"].(string)
		if !tableFunctions[strings.ToLower(name)] {
			return failed(sqlbox.NotAllowed, "the table function %q is not permitted", name)
		}
	case "PIVOT":
		c.all = true
	case "JOIN":
		if n["ref_type"] == "NATURAL" {
			c.all = true
		}
		c.note(n["using_columns"])
	case "UNBOUND_TYPE_INFO":
		if !empty(n["catalog"]) || !empty(n["schema"]) {
			return failed(sqlbox.NotAllowed, "types of other schemas are not permitted")
		}
	}
	return nil
}

func (c *checker) table(n map[string]any) *sqlbox.Error {
	name, _ := n["table_name"].(string)
	lower := strings.ToLower(name)
	view := slices.ContainsFunc(c.views, func(v sqlbox.View) bool { return v.Name == lower })
	if !empty(n["catalog_name"]) || !empty(n["schema_name"]) || !view && !c.ctes[lower] {
		return failed(sqlbox.NotAllowed, "there is no table %q: the tables are %s", fullName(n), c.list())
	}
	if n["at_clause"] != nil {
		return failed(sqlbox.NotAllowed, "AT is not permitted")
	}
	if list, _ := n["column_name_alias"].([]any); len(list) > 0 {
		c.all = true // they name columns by their places
	}
	c.names[lower] = true
	if view {
		c.used[lower] = true
	}
	return nil
}

func (c *checker) expression(class string, n map[string]any) *sqlbox.Error {
	switch class {
	case "FUNCTION", "WINDOW":
		name, _ := n["function_name"].(string)
		lower := strings.ToLower(name)
		if !empty(n["catalog"]) || !empty(n["schema"]) && n["schema"] != "main" || !functions[lower] && !tableFunctions[lower] {
			return failed(sqlbox.NotAllowed, "the function %q is not permitted", name)
		}
	case "STAR", "POSITIONAL_REFERENCE":
		c.all = true
	case "COLUMN_REF":
		c.note(n["column_names"])
		if list, _ := n["column_names"].([]any); len(list) > 0 {
			name, _ := list[0].(string)
			if len(list) == 1 {
				c.first[strings.ToLower(name)] = true
			}
		}
	}
	return nil
}

// note remembers names of columns.
func (c *checker) note(v any) {
	list, _ := v.([]any)
	for _, e := range list {
		name, _ := e.(string)
		c.refs[strings.ToLower(name)] = true
	}
}

func empty(v any) bool { return v == nil || v == "" }

func fullName(n map[string]any) string {
	var parts []string
	for _, key := range []string{"catalog_name", "schema_name", "table_name"} {
		if s, _ := n[key].(string); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ".")
}

func (c *checker) list() string {
	var names []string
	for _, v := range c.views {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// needs are the columns whose names occur in the statement; all, where it may mean others.
func (c *checker) needs() sqlbox.Needs {
	for name := range c.first { // a table's name as a value stands for its whole row
		c.all = c.all || c.names[name]
	}
	out := sqlbox.Needs{}
	for _, v := range c.views {
		if !c.used[v.Name] {
			continue
		}
		list := []string{}
		for _, col := range v.Columns {
			if c.all || c.refs[strings.ToLower(col.Name)] {
				list = append(list, col.Name)
			}
		}
		if len(list) == 0 && len(v.Columns) > 0 { // rows are counted
			list = append(list, v.Columns[0].Name)
		}
		out[v.Name] = list
	}
	return out
}

// readable is a kind of node as a person writes it.
func readable(kind string) string {
	switch kind {
	case "SHOW_REF":
		return "DESCRIBE, SHOW or SUMMARIZE"
	case "PARAMETER":
		return "a parameter"
	}
	return fmt.Sprintf("%q", strings.ReplaceAll(kind, "_", " "))
}
