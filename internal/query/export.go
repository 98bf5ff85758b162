package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Rows is what this package reads of an event store, see events.Reader.
type Rows interface {
	Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error
	RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error
	RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(app model.AppID, row events.Scanner) error) error
	Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error)
}

// rewriting runs what package rewrite makes of plans.
type rewriting struct{ Rows }

// Run implements Rows.
func (r rewriting) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	return r.Rows.Run(ctx, rewrite.Query(q), fn)
}

// RunColumns implements Rows.
func (r rewriting) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return r.Rows.RunColumns(ctx, rewrite.Query(q), fn)
}

// RunAll implements Rows.
func (r rewriting) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(app model.AppID, row events.Scanner) error) error {
	return r.Rows.RunAll(ctx, apps, rewrite.ManyApps(q), fn)
}

// Tables reads whole rows of the event store for exports, page by page: memory
// does not grow with their number, and no page is held open while its reader is busy. Rows
// that arrive meanwhile may be among them.
type Tables struct {
	rows   Rows
	schema schema.Reader
	// asked are rows for questions that are asked again; answers remember what is made of rows, nil = nothing does.
	asked   Rows
	answers *answers
	// held are rows by user; nil = none are.
	held *heldRows
	// defined knows what keys stand for; nil = there are no defined events.
	defined *Definitions
	// counted knows how rows count under metrics of features; nil = there are none.
	counted counting.Find
	// lookups know what plans name.
	lookups Lookups
}

// NewTables returns a reader of rows. Over those of Recall it remembers its answers.
func NewTables(rows Rows, sch schema.Reader) *Tables {
	t := &Tables{rows: rewriting{rows}, schema: sch, answers: answersOf(rows), held: heldOf(rows), lookups: lookupsOf(rows)}
	t.asked = Knowing(recalled(t.rows, t.answers), t.lookups)
	t.rows = Knowing(t.rows, t.lookups)
	return t
}

// Over returns a reader that knows the same of other rows, and remembers no answers.
func (t *Tables) Over(rows Rows) *Tables {
	return NewTables(rows, t.schema).Defining(t.defined).Counting(t.counted)
}

// Counting returns a reader of the same rows that knows how they count under metrics of features.
func (t *Tables) Counting(metrics counting.Find) *Tables {
	out := *t
	out.counted = metrics
	return &out
}

// metric returns how rows count under a metric; nil where no feature has it.
func (t *Tables) metric(m rollup.Metric) *counting.Metric {
	if t.counted == nil {
		return nil
	}
	return t.counted(m)
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
	ctx = plan.For(ctx, plan.ExportOperator)
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

// pager reads the result of a query page by page. The query selects, orders and limits nothing itself.
type pager struct {
	rows  Rows
	query plan.Query
	list  []plan.Expr // what is selected
	// ties are columns that together name a row, ascending.
	ties []plan.Expr
	sort plan.Expr // nil = only by ties
	desc bool
	// along says that the rows are read by ranges of offsets, in the order of ties; tables without offsets are
	// looked at as a whole for each page.
	along bool
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
		absent := plan.Do(plan.IsNull, p.sort)
		if err := p.pages(ctx, plan.Do(plan.Not, absent), p.sort, fn); err != nil {
			return err
		}
		return p.pages(ctx, absent, nil, fn)
	}
	if !p.along {
		return p.pages(ctx, nil, nil, fn)
	}
	return p.windows(ctx, fn)
}

// offsets is the condition that an event is of a range of offsets.
func offsets(first, last uint64) plan.Expr {
	return plan.Between(plan.Ev("off"), int64(first), int64(last)) // offsets are far below 2^63
}

// by returns an order by expressions, ascending.
func by(list []plan.Expr) []plan.Order {
	out := make([]plan.Order, len(list))
	for i, e := range list {
		out[i] = plan.Order{By: e}
	}
	return out
}

// windows goes along the offsets of the events.
func (p *pager) windows(ctx context.Context, fn func([]any) error) error {
	for low := uint64(0); ; {
		high, n, err := p.rows.Ahead(ctx, p.query.App, low, pageRows)
		if err != nil || n == 0 {
			return err
		}
		q := p.query
		q.Where, q.Select, q.Order = plan.All(offsets(low, high), q.Where), p.list, by(p.ties)
		page, err := p.read(ctx, &q)
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
func (p *pager) pages(ctx context.Context, condition, sort plan.Expr, fn func([]any) error) error {
	q := p.query
	q.Select, q.Order, q.Limit = slices.Concat(p.list, p.ties), by(p.ties), pageRows
	if sort != nil {
		q.Select = append(q.Select, sort)
		q.Order = append([]plan.Order{{By: sort, Desc: p.desc}}, q.Order...)
	}
	var last *row
	for {
		q.Where = plan.All(p.query.Where, condition, p.behind(last, sort))
		page, err := p.read(ctx, &q)
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
		if sort != nil {
			r.sort, r.ties = r.ties[len(r.ties)-1], r.ties[:len(r.ties)-1]
		}
		last = &r
	}
}

// behind is the condition that a row stands behind the last one; nil when there was none.
func (p *pager) behind(last *row, sort plan.Expr) plan.Expr {
	if last == nil {
		return nil
	}
	tie := behind(p.ties, last.ties)
	if sort == nil {
		return tie
	}
	fn, at := plan.Gt, plan.Is(plainValue(last.sort))
	if p.desc {
		fn = plan.Lt
	}
	return plan.Any(plan.Do(fn, sort, at), plan.All(plan.Do(plan.Eq, sort, at), tie))
}

// behind is the condition that expressions stand behind values, in their order.
func behind(list []plan.Expr, values []any) plan.Expr {
	at := plan.Is(plainValue(values[0]))
	if len(list) == 1 {
		return plan.Do(plan.Gt, list[0], at)
	}
	return plan.Any(plan.Do(plan.Gt, list[0], at), plan.All(plan.Do(plan.Eq, list[0], at), behind(list[1:], values[1:])))
}

// read collects a page. What is selected beside list goes to ties.
func (p *pager) read(ctx context.Context, q *plan.Query) ([]row, error) {
	var page []row
	err := p.rows.Run(ctx, q, func(s events.Scanner) error {
		values, dest := make([]any, len(q.Select)), make([]any, len(q.Select))
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

// sorted returns what to sort by; nil if the path has no order.
func sorted(bind binder, path string) plan.Expr {
	if path == "" {
		return nil
	}
	c, ok := bind(path)
	if !ok || c.Type == filter.JSON {
		return nil
	}
	return c.Expr
}

// keysOf lists the keys of the JSON objects in a column.
func (t *Tables) keysOf(ctx context.Context, app model.AppID, column plan.Column) ([]string, error) {
	var keys []string
	key := plan.Do(plan.Keys, column)
	q := &plan.Query{
		App: app, From: column.Of, Select: []plan.Expr{key}, Distinct: true, Order: by([]plan.Expr{key}),
		Where: plan.Do(plan.Not, plan.Do(plan.IsNull, column)),
	}
	err := t.rows.Run(ctx, q, func(s events.Scanner) error {
		var key string
		if err := s.Scan(&key); err != nil {
			return err
		}
		keys = append(keys, key)
		return nil
	})
	return keys, missing(err)
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

// wholeOf is a whole number of any width that a driver returned, 0 for what is none.
func wholeOf(v any) int64 {
	n, _ := plainValue(v).(int64)
	return n
}

// plainValue is a value of the driver as rows have it.
func plainValue(v any) any {
	switch x := v.(type) {
	case int8:
		return int64(x)
	case int32:
		return int64(x)
	case uint16:
		return int64(x)
	case uint32:
		return int64(x)
	case uint64:
		return int64(x) // offsets and sessions are far below 2^63
	case []byte:
		return string(x)
	}
	return v
}

// Users selects rows of the users table.
func (t *Tables) Users(ctx context.Context, app model.AppID, sel RowSelection) (*Export, error) {
	ctx = plan.For(ctx, plan.ExportOperator)
	e := &Export{sel: sel}
	p := &pager{
		rows: t.rows, query: plan.Query{App: app, From: plan.Users, Where: plan.Matching(sel.Filter, bindUser)},
		ties: []plan.Expr{plan.Us("uid")}, sort: sorted(bindUser, sel.Sort), desc: sel.Desc,
	}
	var fill []func(values []any, v any)
	for _, name := range userFields {
		if !sel.wants(name) {
			continue
		}
		at := len(e.Columns)
		e.Columns = append(e.Columns, []string{name})
		p.list = append(p.list, plan.Us(name))
		if name == "uid" {
			fill = append(fill, func(values []any, v any) { values[at] = fmt.Sprint(v) })
			continue
		}
		fill = append(fill, func(values []any, v any) { values[at] = plainValue(v) })
	}
	for _, group := range userGroups {
		if !sel.wantsBelow(group) {
			continue
		}
		keys, err := t.keysOf(ctx, app, plan.Us(group))
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
		p.list = append(p.list, plan.Us(group))
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
var userFields = slices.Concat(
	[]string{
		"_id", "uid", "did", "name", "username", "email", "organization", "phone", "gender", "byear", "picture", "hasInfo",
	},
	dimensionFields(),
	[]string{"fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "sd", "tsd"},
)

// dimensionFields are the columns of dimensions and of what else is known of places, in the order in which profiles keep them.
func dimensionFields() []string {
	var out []string
	dims := slices.Clone(model.Dimensions[:])
	slices.SortFunc(dims, func(a, b model.Dimension) int { return cmp.Compare(a.Stored, b.Stored) })
	for _, d := range dims {
		out = append(out, d.Key)
		if d.Name == model.Dimensions[model.City].Name {
			out = append(out, "lat", "lng")
		}
	}
	return out
}

// Property is the value of a property of an event in rows of its key, for plans that a module makes; absent where the app knows none.
func (t *Tables) Property(app model.AppID, event, name string) plan.Expr {
	return t.segmentOfKey(app, event, name)
}

// Each runs a plan that a module made, and calls fn with each row of its result. An app without rows has none.
func (t *Tables) Each(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	return missing(t.rows.Run(ctx, q, fn))
}

// EachColumns is Each for results of many rows, some thousand at a time; see events.Reader.RunColumns.
func (t *Tables) EachColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return missing(t.rows.RunColumns(ctx, q, fn))
}
