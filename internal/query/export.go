package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// Tables reads whole rows of the event store for exports, page by page: memory
// does not grow with their number, and no page is held open while its reader is busy. Rows
// that arrive meanwhile may be among them.
type Tables struct {
	rows     events.Reader
	registry registry.Reader
}

// NewTables returns a reader of rows.
func NewTables(rows events.Reader, reg registry.Reader) *Tables {
	return &Tables{rows: rows, registry: reg}
}

// RowSelection says which rows are wanted, and what of them.
type RowSelection struct {
	Filter filter.Expr
	// Fields are the paths that are wanted, as "sg.price", or "sg" for all below it; none = all. With
	// Without they are those that are not. The field _id always is wanted.
	Fields  []string
	Without bool
	// Sort is a path; those that have no order, and "", leave the rows in the order they came in.
	Sort string
	Desc bool
	// Skip leaves out the first rows, Limit those after so many; 0 = no limit.
	Skip, Limit int64
}

func (s RowSelection) wants(path string) bool {
	named := slices.ContainsFunc(s.Fields, func(f string) bool { return f == path || strings.HasPrefix(path, f+".") })
	return path == "_id" || len(s.Fields) == 0 || named != s.Without
}

// wantsBelow reports whether some path below a group may be wanted.
func (s RowSelection) wantsBelow(group string) bool {
	below := slices.ContainsFunc(s.Fields, func(f string) bool { return strings.HasPrefix(f, group+".") })
	return s.wants(group) || below || s.Without && !slices.Contains(s.Fields, group)
}

// names reports whether a path is asked for by its own name.
func (s RowSelection) names(path string) bool { return !s.Without && slices.Contains(s.Fields, path) }

// Export is a selection of rows that is ready to be read.
type Export struct {
	// Columns are the paths of the values of a row; those of one object stand side by side.
	Columns [][]string
	sel     RowSelection
	scan    func(ctx context.Context, fn func([]any) error) error
}

// errEnough ends a scan before its time.
var errEnough = errors.New("query: enough rows")

// Each calls fn for each row with its values, nil for what is absent: string, bool, int64,
// float64, json.Number, or json.RawMessage for lists and objects. The slice is used again.
func (e *Export) Each(ctx context.Context, fn func([]any) error) error {
	var seen int64
	err := e.scan(ctx, func(values []any) error {
		if seen++; seen <= e.sel.Skip {
			return nil
		}
		if err := fn(values); err != nil {
			return err
		}
		if e.sel.Limit > 0 && seen-e.sel.Skip >= e.sel.Limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) || errors.Is(err, events.ErrNoApp) {
		return nil
	}
	return err
}

// pageRows is how many rows a statement of an export returns.
const pageRows = 4096

// pager reads the result of a statement page by page.
type pager struct {
	rows  events.Reader
	list  []string // what is selected
	from  string
	where string
	args  []any
	// ties are columns that together name a row, ascending.
	ties []string
	sort *filter.Column
	desc bool
	// window narrows from to the rows of a range of offsets; nil for tables that are read in
	// the order of ties by looking at all of it each time.
	window func(low, high uint64) string
	table  string // of window
}

// row is what one row of the result is read into.
type row struct {
	values []any
	sort   any
	ties   []any
}

// each calls fn for each row, with what was selected. The values are the driver's.
func (p *pager) each(ctx context.Context, fn func([]any) error) error {
	if p.sort != nil {
		x := "(" + p.sort.Expr + ")"
		if err := p.pages(ctx, x+" IS NOT NULL", x, fn); err != nil {
			return err
		}
		return p.pages(ctx, x+" IS NULL", "", fn)
	}
	if p.window == nil {
		return p.pages(ctx, "TRUE", "", fn)
	}
	return p.windows(ctx, fn)
}

// windows goes along the offsets of the events.
func (p *pager) windows(ctx context.Context, fn func([]any) error) error {
	ahead := "SELECT count(*), coalesce(max(off), 0::UBIGINT) FROM (SELECT off FROM " + p.table + " WHERE off >= ? LIMIT ?)"
	for low := uint64(0); ; {
		var (
			n    int
			high uint64
		)
		err := p.rows.Query(ctx, ahead, []any{low, pageRows}, func(s events.Scanner) error { return s.Scan(&n, &high) })
		if err != nil || n == 0 {
			return err
		}
		statement := "SELECT " + strings.Join(p.list, ", ") + " FROM " + p.window(low, high) + " WHERE " + p.where +
			" ORDER BY " + strings.Join(p.ties, ", ")
		page, err := p.read(ctx, statement, p.args, 0)
		if err != nil {
			return err
		}
		for _, r := range page {
			if err := fn(r.values); err != nil {
				return err
			}
		}
		low = high + 1
	}
}

// pages goes along the order: each page begins behind the last row of the one before.
func (p *pager) pages(ctx context.Context, condition, sort string, fn func([]any) error) error {
	list, order := slices.Concat(p.list, p.ties), strings.Join(p.ties, ", ")
	sign := ">"
	extra := len(p.ties)
	if sort != "" {
		list = append(slices.Clone(list), sort)
		extra++
		if p.desc {
			sign, order = "<", sort+" DESC, "+order
		} else {
			order = sort + ", " + order
		}
	}
	var last *row
	for {
		where, args := fmt.Sprintf("(%s) AND %s", p.where, condition), slices.Clone(p.args)
		if last != nil {
			tie, tieArgs := behind(p.ties, last.ties)
			if sort != "" {
				where += fmt.Sprintf(" AND (%s %s ? OR (%s = ? AND %s))", sort, sign, sort, tie)
				args = append(args, last.sort, last.sort)
			} else {
				where += " AND " + tie
			}
			args = append(args, tieArgs...)
		}
		statement := fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d", strings.Join(list, ", "), p.from, where, order, pageRows)
		page, err := p.read(ctx, statement, args, extra)
		if err != nil {
			return err
		}
		for _, r := range page {
			if err := fn(r.values); err != nil {
				return err
			}
		}
		if len(page) < pageRows {
			return nil
		}
		r := page[len(page)-1]
		if sort != "" {
			r.sort, r.ties = r.ties[len(r.ties)-1], r.ties[:len(r.ties)-1]
		}
		last = &r
	}
}

// behind is the condition that columns stand behind values, in their order.
func behind(columns []string, values []any) (string, []any) {
	if len(columns) == 1 {
		return columns[0] + " > ?", values
	}
	rest, args := behind(columns[1:], values[1:])
	return fmt.Sprintf("(%s > ? OR (%s = ? AND %s))", columns[0], columns[0], rest), append([]any{values[0], values[0]}, args...)
}

// read collects a page. The last extra columns go to ties.
func (p *pager) read(ctx context.Context, statement string, args []any, extra int) ([]row, error) {
	var page []row
	width := len(p.list) + extra
	err := p.rows.Query(ctx, statement, args, func(s events.Scanner) error {
		values, dest := make([]any, width), make([]any, width)
		for i := range values {
			dest[i] = &values[i]
		}
		if err := s.Scan(dest...); err != nil {
			return err
		}
		page = append(page, row{values: values[:len(p.list)], ties: values[len(p.list):]})
		return nil
	})
	return page, err
}

// sorted returns the column to sort by, if it has an order.
func sorted(columns filter.Columns, path string) *filter.Column {
	if path == "" {
		return nil
	}
	c, ok := columns(path)
	if !ok || c.Type == filter.JSON {
		return nil
	}
	return &c
}

// literal writes text into a statement.
func literal(s string) (string, bool) {
	if strings.ContainsRune(s, 0) {
		return "", false
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
}

// member addresses one key of a JSON object in a text column.
func member(column, key string) (string, bool) {
	pointer, ok := literal("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	if !ok || len(key) > 512 {
		return "", false
	}
	return fmt.Sprintf("json_extract(%s::JSON, %s)", column, pointer), true
}

// keysOf lists the keys of the JSON objects in a column.
func (t *Tables) keysOf(ctx context.Context, column, table string) ([]string, error) {
	var keys []string
	statement := fmt.Sprintf("SELECT DISTINCT unnest(json_keys(%s::JSON)) AS k FROM %s WHERE %s IS NOT NULL ORDER BY k", column, table, column)
	err := t.rows.Query(ctx, statement, nil, func(s events.Scanner) error {
		var key string
		if err := s.Scan(&key); err != nil {
			return err
		}
		keys = append(keys, key)
		return nil
	})
	if errors.Is(err, events.ErrNoApp) {
		return nil, nil
	}
	return keys, err
}

// object reads the members of a JSON object; what is no object has none.
func object(text string) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	return m
}

// jsonValue is a value of JSON as rows have it.
func jsonValue(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil
		}
		return s
	case 't':
		return true
	case 'f':
		return false
	case 'n':
		return nil
	case '[', '{':
		return raw
	}
	return json.Number(raw)
}

// plainValue is a value of the driver as rows have it.
func plainValue(v any) any {
	switch x := v.(type) {
	case int8:
		return int64(x)
	case int32:
		return int64(x)
	case uint32:
		return int64(x)
	case uint64:
		return int64(x) //nolint:gosec // offsets and sessions are far below 2^63
	case []byte:
		return string(x)
	}
	return v
}

// Users selects rows of the users table.
func (t *Tables) Users(ctx context.Context, app model.AppID, sel RowSelection) (*Export, error) {
	e := &Export{sel: sel}
	p := &pager{rows: t.rows, from: usersTable(app), ties: []string{"uid"}, sort: sorted(userColumn, sel.Sort), desc: sel.Desc}
	p.where, p.args = sel.Filter.SQL(filter.DuckDB{}, userColumn)
	var fill []func(values []any, v any)
	for _, name := range userFields {
		if !sel.wants(name) {
			continue
		}
		at := len(e.Columns)
		e.Columns = append(e.Columns, []string{name})
		p.list = append(p.list, `"`+name+`"`)
		if name == "uid" {
			fill = append(fill, func(values []any, v any) { values[at] = fmt.Sprint(v) })
			continue
		}
		fill = append(fill, func(values []any, v any) { values[at] = plainValue(v) })
	}
	for _, group := range []string{"custom", "consent", "cmp"} {
		if !sel.wantsBelow(group) {
			continue
		}
		keys, err := t.keysOf(ctx, group, usersTable(app))
		if err != nil {
			return nil, err
		}
		at := map[string]int{}
		for _, key := range keys {
			if sel.wants(group + "." + key) {
				at[key] = len(e.Columns)
				e.Columns = append(e.Columns, []string{group, key})
			}
		}
		if len(at) == 0 {
			continue
		}
		p.list = append(p.list, group)
		fill = append(fill, func(values []any, v any) {
			text, _ := v.(string)
			for key, raw := range object(text) {
				if i, ok := at[key]; ok {
					values[i] = jsonValue(raw)
				}
			}
		})
	}
	values := make([]any, len(e.Columns))
	e.scan = func(ctx context.Context, fn func([]any) error) error {
		return p.each(ctx, func(columns []any) error {
			clear(values)
			for i, v := range columns {
				fill[i](values, v)
			}
			return fn(values)
		})
	}
	return e, nil
}

// userFields are the plain columns of the users table, in the order of exports.
var userFields = []string{
	"_id", "uid", "did", "name", "username", "email", "organization", "phone", "gender", "byear", "picture", "hasInfo",
	"cc", "rgn", "cty", "lat", "lng", "d", "dt", "mnf", "p", "pv", "av", "r", "c", "dnst", "la", "src", "brw", "brwv", "sdk",
	"fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "sd", "tsd",
}
