package duck

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/registry"
)

// errPlan marks plans that cannot be compiled: a bug of the caller.
var errPlan = errors.New("duck: plan")

// compile writes a plan as a statement with the arguments of its placeholders.
func compile(q *plan.Query) (statement string, args []any, err error) {
	w := &writer{}
	w.query(q)
	return w.text.String(), w.args, w.err
}

// writer writes one statement. Text goes into the statement as arguments, or, while inline is
// set, as literals.
type writer struct {
	text   strings.Builder
	args   []any
	inline bool
	err    error
}

func (w *writer) add(parts ...string) {
	for _, p := range parts {
		w.text.WriteString(p)
	}
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("%w: %w", errPlan, fmt.Errorf(format, args...))
	}
}

// alias is what a table is called in statements.
func alias(t plan.Table) string {
	switch t {
	case plan.Events:
		return "ev"
	case plan.Requests:
		return "rq"
	case plan.States:
		return "st"
	case plan.Users:
		return "u"
	}
	return ""
}

// of returns the name of a logical table.
func (t tables) of(l plan.Table) string {
	switch l {
	case plan.Events:
		return t.events
	case plan.Requests:
		return t.requests
	case plan.States:
		return t.states
	case plan.Users:
		return t.users
	}
	return ""
}

func (w *writer) query(q *plan.Query) {
	if alias(q.From) == "" || len(q.Select) == 0 {
		w.fail("query of table %d with %d columns", q.From, len(q.Select))
		return
	}
	w.add("SELECT ")
	if q.Distinct {
		w.add("DISTINCT ")
	}
	w.list(q.Select)
	w.from(q)
	if q.Where != nil {
		w.add(" WHERE ")
		w.expr(q.Where)
	}
	w.group(q)
	if q.Having != nil {
		w.add(" HAVING ")
		w.expr(q.Having)
	}
	w.order(q)
	if q.Limit > 0 {
		w.add(" LIMIT ", strconv.Itoa(q.Limit))
	}
	if q.Offset > 0 {
		w.add(" OFFSET ", strconv.Itoa(q.Offset))
	}
}

// from names the table and joins those whose columns are used with it.
func (w *writer) from(q *plan.Query) {
	names := tablesOf(q.App)
	w.add(" FROM ", quote(names.of(q.From)), " ", alias(q.From))
	used := map[plan.Table]bool{}
	q.Walk(func(e plan.Expr) {
		if c, ok := e.(plan.Column); ok {
			used[c.Of] = true
		}
	})
	delete(used, q.From)
	join := func(t plan.Table, key string) {
		if used[t] && q.From == plan.Events {
			w.add(" LEFT JOIN ", quote(names.of(t)), " ", alias(t), " ON ", alias(t), ".", key, " = ev.", key)
			delete(used, t)
		}
	}
	join(plan.States, "state")
	join(plan.Users, "uid")
	for t := range used {
		w.fail("column of table %d in a query of table %d", t, q.From)
	}
}

func aggregates(e plan.Expr) bool {
	switch e := e.(type) {
	case plan.Agg:
		return true
	case plan.Call:
		return slices.ContainsFunc(e.Args, aggregates)
	default:
		return false
	}
}

// group names the selected columns to group by, by their places.
func (w *writer) group(q *plan.Query) {
	if !slices.ContainsFunc(q.Select, aggregates) && q.Having == nil {
		return
	}
	sign := " GROUP BY "
	for i, e := range q.Select {
		if !aggregates(e) {
			w.add(sign, strconv.Itoa(i+1))
			sign = ", "
		}
	}
}

func (w *writer) order(q *plan.Query) {
	sign := " ORDER BY "
	for _, o := range q.Order {
		w.add(sign)
		sign = ", "
		if i := slices.IndexFunc(q.Select, func(e plan.Expr) bool { return reflect.DeepEqual(e, o.By) }); i >= 0 {
			w.add(strconv.Itoa(i + 1))
		} else {
			w.expr(o.By)
		}
		if o.Desc {
			w.add(" DESC")
		}
		w.add(" NULLS LAST")
	}
}

func (w *writer) list(exprs []plan.Expr) {
	for i, e := range exprs {
		if i > 0 {
			w.add(", ")
		}
		w.expr(e)
	}
}

// expr writes an expression in parentheses, or one that needs none.
func (w *writer) expr(e plan.Expr) {
	switch e := e.(type) {
	case plan.Column:
		if typeOf(e) == 0 {
			w.fail("no column %q in table %d", e.Name, e.Of)
		}
		w.add(alias(e.Of), ".", quote(e.Name))
	case plan.Member:
		w.member(alias(e.Of.Of)+"."+quote(e.Of.Name), e.Path)
	case plan.Segment:
		w.segment(e)
	case plan.Slot:
		w.slot(e)
	case plan.Literal:
		w.literal(e.Value)
	case plan.Call:
		w.call(e)
	case plan.In:
		w.in(e)
	case plan.Among:
		w.add("(")
		w.expr(e.Of)
		w.add(" IN (")
		w.query(e.Query)
		w.add("))")
	case plan.Filter:
		w.filter(e)
	case plan.Typed:
		w.expr(e.Expr)
	case plan.Agg:
		w.aggregate(e)
	default:
		w.fail("expression of type %T", e)
	}
}

func (w *writer) literal(v any) {
	switch v := v.(type) {
	case nil:
		w.add("NULL")
	case bool:
		w.add(strings.ToUpper(strconv.FormatBool(v)))
	case int64:
		w.add(strconv.FormatInt(v, 10))
	case float64:
		if w.inline {
			w.add("CAST(", strconv.FormatFloat(v, 'g', -1, 64), " AS DOUBLE)")
			return
		}
		w.bind(v)
	case string:
		if !w.inline {
			w.bind(events.CleanText(v))
			return
		}
		text, ok := textLiteral(v)
		if !ok {
			w.fail("text with a NUL byte")
		}
		w.add(text)
	default:
		w.fail("literal of type %T", v)
	}
}

func (w *writer) bind(v any) {
	w.add("?")
	w.args = append(w.args, v)
}

// textLiteral writes text into a statement; ok is false for text with NUL.
func textLiteral(s string) (literal string, ok bool) {
	return "'" + strings.ReplaceAll(events.CleanText(s), "'", "''") + "'", !strings.ContainsRune(s, 0)
}

// maxKey is the longest key of a JSON object that can be addressed, bytes.
const maxKey = 512

// member writes the value at a path of a JSON object; NULL for a path that cannot be addressed.
func (w *writer) member(column string, path []string) {
	var pointer strings.Builder
	for _, key := range path {
		if len(key) > maxKey || key == "" && len(path) > 1 {
			w.add("NULL::JSON")
			return
		}
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	text, ok := textLiteral(pointer.String())
	if !ok {
		w.add("NULL::JSON")
		return
	}
	w.add("json_extract(", column, "::JSON, ", text, ")")
}

func physical(s registry.Slot) string {
	if c := slotColumn(s); c != "" {
		return "ev." + c
	}
	return ""
}

// rowsOf is the condition that a row is of an event key; ok is false for keys that no statement can name.
func rowsOf(event string) (condition string, ok bool) {
	key, name := events.Selector(event)
	k, ok := textLiteral(key)
	if name == "" || !ok {
		return "ev.e = " + k, ok
	}
	n, ok := textLiteral(name)
	return "ev.e = " + k + " AND ev.n = " + n, ok
}

// segment finds a segment in the slots of all events that have it.
func (w *writer) segment(s plan.Segment) {
	sign := "CASE"
	for _, p := range s.In {
		when, ok := rowsOf(p.Event)
		if !ok {
			continue
		}
		w.add(sign, " WHEN ", when, " THEN ")
		sign = ""
		value, was := physical(p.Slot), physical(p.Was)
		switch {
		case s.Type != filter.JSON:
			w.add(value)
		case value != "":
			w.add("to_json(", value, ")")
		case was != "":
			w.add("coalesce(")
			w.member("ev.extra", []string{s.Name})
			w.add(", to_json(", was, "))")
		default:
			w.member("ev.extra", []string{s.Name})
		}
	}
	if sign != "" {
		w.add("NULL")
		return
	}
	w.add(" END")
}

func (w *writer) slot(s plan.Slot) {
	if c := physical(s.Slot); c != "" {
		w.add(c)
		return
	}
	w.add("(")
	w.member("ev.extra", []string{s.Name})
	w.add(" ->> '$')")
}

// infix are the functions that are written between their arguments.
var infix = map[plan.Fn]string{
	plan.Eq: " = ", plan.Ne: " <> ", plan.Lt: " < ", plan.Le: " <= ", plan.Gt: " > ", plan.Ge: " >= ",
}

// arithmetic are infix functions of whole numbers and others.
var arithmetic = map[plan.Fn]string{plan.Add: " + ", plan.Sub: " - ", plan.Mul: " * ", plan.Mod: " % "}

// arity is how many arguments a function has; what is missing has any number.
var arity = map[plan.Fn]int{
	plan.Not: 1, plan.Eq: 2, plan.Ne: 2, plan.Lt: 2, plan.Le: 2, plan.Gt: 2, plan.Ge: 2, plan.IsNull: 1, plan.Add: 2, plan.Sub: 2, plan.Mul: 2,
	plan.Div: 2, plan.Mod: 2, plan.Lower: 1, plan.HasPart: 2, plan.Text: 1, plan.Number: 1, plan.NullIf: 2, plan.If: 3, plan.Keys: 1,
}

func (w *writer) call(c plan.Call) {
	if n, ok := arity[c.Fn]; ok && n != len(c.Args) {
		w.fail("function %d with %d arguments", c.Fn, len(c.Args))
		return
	}
	if sign, ok := infix[c.Fn]; ok {
		w.between("(", sign, ")", c.Args)
		return
	}
	if sign, ok := arithmetic[c.Fn]; ok {
		w.add("(")
		w.operand(c.Args[0])
		w.add(sign)
		w.operand(c.Args[1])
		w.add(")")
		return
	}
	switch c.Fn {
	case plan.And, plan.Or:
		w.logic(c)
	case plan.Not:
		w.between("(NOT coalesce(", "", ", FALSE))", c.Args)
	case plan.IsNull:
		if typeOf(c.Args[0]) == filter.JSON {
			w.between("(coalesce(json_type(", "", "), 'NULL') = 'NULL')", c.Args)
			return
		}
		w.between("(", "", " IS NULL)", c.Args)
	case plan.Div: // DuckDB's // rounds towards zero
		a, b := c.Args[0], c.Args[1]
		rest := plan.Do(plan.Mod, plan.Do(plan.Add, plan.Do(plan.Mod, a, b), b), b)
		w.between("CAST((", " // ", ") AS BIGINT)", []plan.Expr{plan.Do(plan.Sub, a, rest), b})
	case plan.Concat:
		w.add("concat(")
		for i, a := range c.Args {
			if i > 0 {
				w.add(", ")
			}
			w.asText(a)
		}
		w.add(")")
	case plan.Lower:
		w.between("lower(", "", ")", c.Args)
	case plan.HasPart:
		w.between("contains(", ", ", ")", c.Args)
	case plan.Text:
		w.asText(c.Args[0])
	case plan.Number:
		w.asNumber(c.Args[0])
	case plan.Coalesce:
		w.between("coalesce(", ", ", ")", c.Args)
	case plan.NullIf:
		w.between("nullif(", ", ", ")", c.Args)
	case plan.If:
		w.between("CASE WHEN ", "", "", c.Args[:1])
		w.between(" THEN ", " ELSE ", " END", c.Args[1:])
	case plan.Keys:
		w.between("unnest(json_keys(", "", "::JSON))", c.Args)
	default:
		w.fail("function %d", c.Fn)
	}
}

// operand writes what is computed with: columns are narrower than results, and some have no sign.
func (w *writer) operand(e plan.Expr) {
	if _, ok := e.(plan.Literal); ok || typeOf(e) != filter.Integer {
		w.expr(e)
		return
	}
	w.between("CAST(", "", " AS BIGINT)", []plan.Expr{e})
}

func (w *writer) between(before, sign, after string, args []plan.Expr) {
	w.add(before)
	for i, a := range args {
		if i > 0 {
			w.add(sign)
		}
		w.expr(a)
	}
	w.add(after)
}

func (w *writer) logic(c plan.Call) {
	switch {
	case len(c.Args) == 0 && c.Fn == plan.And:
		w.add("TRUE")
	case len(c.Args) == 0:
		w.add("FALSE")
	case c.Fn == plan.And:
		w.between("(", " AND ", ")", c.Args)
	default:
		w.between("(", " OR ", ")", c.Args)
	}
}

func (w *writer) asText(e plan.Expr) {
	switch typeOf(e) {
	case filter.Text:
		w.expr(e)
	case filter.JSON:
		w.between("CASE WHEN json_type(", "", ") = 'DOUBLE' THEN ", []plan.Expr{e})
		w.between("regexp_replace(", "", " ->> '$', '[.]0$', '') ELSE ", []plan.Expr{e})
		w.between("", "", " ->> '$' END", []plan.Expr{e})
	case filter.Number: // 2, where the database writes 2.0
		w.between("regexp_replace(CAST(", "", " AS VARCHAR), '[.]0$', '')", []plan.Expr{e})
	default:
		w.between("CAST(", "", " AS VARCHAR)", []plan.Expr{e})
	}
}

func (w *writer) asNumber(e plan.Expr) {
	switch typeOf(e) {
	case filter.Number:
		w.expr(e)
	case filter.Text, filter.JSON: // 'inf' and 'nan' are doubles to the database
		w.add("CASE WHEN isfinite(TRY_CAST(")
		w.asText(e)
		w.add(" AS DOUBLE)) THEN TRY_CAST(")
		w.asText(e)
		w.add(" AS DOUBLE) END")
	default:
		w.between("CAST(", "", " AS DOUBLE)", []plan.Expr{e})
	}
}

func (w *writer) in(e plan.In) {
	if len(e.Values) == 0 {
		w.add("FALSE")
		return
	}
	w.add("(")
	w.expr(e.Of)
	w.add(" IN (")
	for i, v := range e.Values {
		if i > 0 {
			w.add(", ")
		}
		w.literal(v)
	}
	w.add("))")
}

// filter writes a filter's condition. What its paths stand for may be repeated, so it takes no arguments.
func (w *writer) filter(f plan.Filter) {
	where, args := f.Filter.SQL(filter.DuckDB{}, func(path string) (filter.Column, bool) {
		t, ok := f.Paths[path]
		if !ok {
			return filter.Column{}, false
		}
		part := &writer{inline: true}
		part.expr(t.Expr)
		if part.err != nil {
			w.fail("path %s: %w", path, part.err)
		}
		return filter.Column{Expr: part.text.String(), Type: t.Type}, true
	})
	w.add("(", where, ")")
	w.args = append(w.args, args...)
}

func (w *writer) aggregate(a plan.Agg) {
	one := func(name string) {
		w.between(name+"(", "", ")", []plan.Expr{a.Of})
		w.when(a.When)
	}
	switch {
	case a.Fn == plan.Count && a.Of == nil:
		w.add("count(*)")
		w.when(a.When)
	case a.Of == nil:
		w.fail("aggregate %d of nothing", a.Fn)
	case a.Fn == plan.Distinct:
		w.between("count(DISTINCT ", "", ")", []plan.Expr{a.Of})
		w.when(a.When)
	case a.Fn == plan.Max:
		one("max")
	case a.Fn == plan.Every:
		w.between("bool_and(coalesce(", "", ", FALSE))", []plan.Expr{a.Of})
		w.when(a.When)
	case a.Fn == plan.Sum && typeOf(a.Of) == filter.Integer: // the sum of whole numbers is wider than they are
		w.add("CAST(least(greatest(coalesce(")
		one("sum")
		w.add(", 0), -9223372036854775808), 9223372036854775807) AS BIGINT)")
	case a.Fn == plan.Sum:
		w.add("coalesce(")
		one("sum")
		w.add(", 0)")
	default:
		w.fail("aggregate %d", a.Fn)
	}
}

func (w *writer) when(condition plan.Expr) {
	if condition != nil {
		w.between(" FILTER (", "", ")", []plan.Expr{condition})
	}
}

// typeOf returns the type of an expression's value; 0 for a column that there is not.
func typeOf(e plan.Expr) filter.Type {
	switch e := e.(type) {
	case plan.Column:
		return columnTypes[e]
	case plan.Member:
		return filter.JSON
	case plan.Segment:
		return e.Type
	case plan.Slot:
		if e.Kind == registry.Number {
			return filter.Number
		}
		return filter.Text
	case plan.Literal:
		switch e.Value.(type) {
		case bool:
			return filter.Bool
		case int64:
			return filter.Integer
		case float64:
			return filter.Number
		}
		return filter.Text
	case plan.Typed:
		return e.Type
	case plan.Call:
		return callType(e)
	case plan.Agg:
		switch e.Fn {
		case plan.Every:
			return filter.Bool
		case plan.Count, plan.Distinct:
			return filter.Integer
		case plan.Sum, plan.Max:
		}
		return typeOf(e.Of)
	default:
		return filter.Bool
	}
}

func callType(c plan.Call) filter.Type {
	switch c.Fn {
	case plan.Add, plan.Sub, plan.Mul:
		return typeOf(c.Args[0])
	case plan.Div, plan.Mod:
		return filter.Integer
	case plan.Concat, plan.Lower, plan.Text, plan.Keys:
		return filter.Text
	case plan.Number:
		return filter.Number
	case plan.Coalesce, plan.NullIf:
		return typeOf(c.Args[0])
	case plan.If:
		return typeOf(c.Args[1])
	default:
		return filter.Bool
	}
}

// columnTypes are the types of all columns. Those that hold JSON objects are text.
var columnTypes = func() map[plan.Column]filter.Type {
	out := map[plan.Column]filter.Type{}
	typesOf(out, plan.Events, eventColumns)
	typesOf(out, plan.Requests, requestColumns)
	typesOf(out, plan.States, stateColumns)
	typesOf(out, plan.Users, userColumns)
	return out
}()

func typesOf[T any](out map[plan.Column]filter.Type, t plan.Table, columns []column[T]) {
	for _, c := range columns {
		typ := filter.Integer
		switch c.typ {
		case "VARCHAR":
			typ = filter.Text
		case "DOUBLE":
			typ = filter.Number
		case "BOOLEAN":
			typ = filter.Bool
		}
		out[plan.Column{Of: t, Name: c.name}] = typ
	}
}
