// Package sqlplan writes plans as SQL. What databases have in common is written here; what differs, and where
// rows lie, a Layout says.
package sqlplan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// ErrPlan marks plans that cannot be compiled: a bug of the caller.
var ErrPlan = errors.New("sqlplan: no such plan")

// Typed is a part with the type of its value.
type Typed struct {
	Part
	Type filter.Type
}

// Layout is how a database lays out the rows of apps, and how it says what SQL leaves open. Parts that
// it returns for columns and members have no placeholders: filters repeat them.
type Layout interface {
	filter.Dialect

	// GroupingSets reports whether a query can group its rows and have the group of all rows in one pass.
	GroupingSets() bool
	// Gathers reports whether the rows of a query can have a name, be read several times under it, and be computed once.
	Gathers() bool
	// From names a table of an app under the alias of Alias; where restricts it to the app, empty if the table is
	// the app's own.
	From(app model.AppID, t plan.Table) (from, where Part)
	// Joined is From for a table that is joined to the app's events by a key of both.
	Joined(app model.AppID, t plan.Table, key string) Part
	// LastStates are the states of an app that requests are joined to by an inexact join: the last props of each user
	// and place in the journal, and the condition of the join.
	LastStates(app model.AppID) Part
	// Column is where a column lies, and its type; 0 when there is none.
	Column(c plan.Column) (Part, filter.Type)
	// Slot is the column that holds a slot of events, empty for properties in Rest; Rest is the object, as text, of the properties of an event that
	// have no slot.
	Slot(s schema.Slot) Part
	Rest() Part
	// Member is the value at a path of the JSON object in a column, as the dialect's JSON; absent for a path that
	// cannot be addressed.
	Member(column Part, path []string) Part
	// Kept is the column in which the layout keeps a member of the object apart, as text; ok is false where it keeps none. Only in
	// queries over States and over Events.
	Kept(m plan.Member) (column Part, ok bool)
	// AsJSON is a text or number as the dialect's JSON, absent when it is.
	AsJSON(value Part) Part
	// Quoted is a text as a literal; ok is false for one that no literal can hold.
	Quoted(text string) (literal string, ok bool)

	// Text is a value as text; Number as a number, absent when it is none.
	Text(v Typed) Part
	Number(v Typed) Part
	// Has is the condition that the number in a column is one of a set: words is the argument of the placeholder, plan.Set.Words.
	Has(number Part, words string) Part
	// Div is a quotient of whole numbers, rounded down; Quo, towards zero.
	Div(a, b Part) Part
	Quo(a, b Part) Part
	// Call writes Lower, HasPart, Keys and Place of parts.
	Call(fn plan.Fn, args []Part) Part
	// Listed is the condition that a column of text has one of a few texts, each a part: there are maxListed at most.
	Listed(column Part, list []Part) Part
	// Max is the largest value, Min the smallest, and Rank the smallest such that share / 10,000 of the values are not
	// larger; absent without rows. shares are those of all Ranks of the same values in the statement, ascending, which may be found together.
	Max(of, when Part) Part
	Min(of, when Part) Part
	Rank(of, when Part, share int, shares []int) Part
	// AtMost is a condition that holds if the query of rows has so many at most; otherwise the statement fails with an error that has the text of TooMany.
	AtMost(rows Part, most int64) Part
	// Every is whether a condition that is never NULL holds of all rows; SumWhole is the sum of whole numbers, which must not
	// overflow. when is "" or a FILTER clause to append to the aggregate.
	Every(condition, when Part) Part
	SumWhole(of, when Part) Part
	// SumPart is a sum that others of its kind are added to: of numbers, or of whole numbers without bounds. It may be absent without rows.
	SumPart(of Typed, when Part) Part
}

// TooMany is in the errors of statements that fail for plan.Most.
const TooMany = "quipu: more rows than the query may look at"

// Alias is what a table is called in statements.
func Alias(t plan.Table) string {
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

// Compile writes a plan as a statement with the arguments of its placeholders. Errors: ErrPlan.
func Compile(l Layout, q *plan.Query) (statement string, args []any, err error) {
	w := &writer{layout: l, ranks: ranksOf(q)}
	p := w.query(q)
	return p.SQL, p.Args, w.err
}

// Alike returns an error for plans that give other rows for many apps at once than for each. Errors: ErrPlan.
func Alike(q *plan.Query) error {
	bad := q.Distinct || q.Having != nil || q.Whole || q.Detail != nil || q.Most != nil || len(q.Order) > 0 || q.Limit > 0 || q.Offset > 0
	q.Walk(func(e plan.Expr) {
		switch e := e.(type) {
		case plan.Among:
			bad = true
		case plan.Agg:
			bad = bad || e.Fn == plan.Groups
		default:
		}
	})
	if bad {
		return fmt.Errorf("%w: for many apps at once", ErrPlan)
	}
	return nil
}

// writer writes one statement. Text goes into the statement as arguments, or, while inline is
// set, as literals.
type writer struct {
	layout Layout
	inline bool
	from   plan.Table // of the query that is written
	known  []replaced // what expressions are written as
	ranks  []plan.Agg // all of the statement
	atMost Part       // a condition of the query that is written, of plan.Most; empty = none
	err    error
}

func (w *writer) fail(format string, args ...any) Part {
	if w.err == nil {
		w.err = fmt.Errorf("%w: %w", ErrPlan, fmt.Errorf(format, args...))
	}
	return Raw("NULL")
}

func (w *writer) query(q *plan.Query) Part {
	if Alias(q.From) == "" || len(q.Select) == 0 {
		return w.fail("query of table %d with %d columns", q.From, len(q.Select))
	}
	outside := w.atMost
	w.atMost = Part{}
	defer func() { w.atMost = outside }()
	if q.Most != nil && !w.bound(q) {
		return w.fail("a bound of a query that computes nothing")
	}
	if q.Detail != nil {
		return w.detailed(q)
	}
	if g := w.gathered(q); g != nil {
		return g.query()
	}
	if q.Whole && !w.layout.GroupingSets() {
		return w.union(q)
	}
	outer := w.from
	w.from = q.From
	defer func() { w.from = outer }()
	parts := []Part{Write(map[bool]string{true: "SELECT DISTINCT @", false: "SELECT @"}[q.Distinct], w.list(q.Select))}
	from, where := w.source(q)
	parts = append(parts, Write(" FROM @", from))
	if q.Where != nil && !where.Empty() {
		where = Write("@ AND @", where, w.expr(q.Where))
	} else if q.Where != nil {
		where = w.expr(q.Where)
	}
	if where = both(where, w.atMost); !where.Empty() {
		parts = append(parts, Write(" WHERE @", where))
	}
	parts = append(parts, Raw(groupBy(q)))
	if q.Having != nil {
		parts = append(parts, Write(" HAVING @", w.expr(q.Having)))
	}
	return Join(append(parts, w.order(q), page(q)), "")
}

// both is a condition of two that hold, each of which may be empty.
func both(a, b Part) Part {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return Write("@ AND @", a, b)
}

// union is a query that has the group of all rows as well, in two passes.
func (w *writer) union(q *plan.Query) Part {
	groups := *q
	groups.Whole, groups.Order, groups.Limit, groups.Offset = false, nil, 0, 0
	all := groups
	all.Select = slices.Clone(q.Select)
	for i, e := range q.Select {
		if !aggregates(e) {
			all.Select[i] = plan.Agg{} // absent
		}
	}
	return Write("SELECT * FROM (@ UNION ALL @)@@", w.query(&groups), w.query(&all), w.order(q), page(q))
}

func page(q *plan.Query) Part {
	var text string
	if q.Limit > 0 {
		text = " LIMIT " + strconv.Itoa(q.Limit)
	}
	if q.Offset > 0 {
		text += " OFFSET " + strconv.Itoa(q.Offset)
	}
	return Raw(text)
}

// source names the table and joins those whose columns are used with it.
func (w *writer) source(q *plan.Query) (from, where Part) {
	from, where = w.layout.From(q.App, q.From)
	used := map[plan.Table]bool{}
	q.Walk(func(e plan.Expr) {
		if c, ok := e.(plan.Column); ok {
			used[c.Of] = true
		}
	})
	delete(used, q.From)
	for _, join := range []struct {
		table plan.Table
		key   string
	}{{plan.States, "state"}, {plan.Users, "uid"}} {
		if used[join.table] && q.From == plan.Events {
			from = Write("@ LEFT JOIN @", from, w.layout.Joined(q.App, join.table, join.key))
			delete(used, join.table)
		}
	}
	if used[plan.States] && q.From == plan.Requests {
		from = Write("@ ASOF LEFT JOIN @", from, w.layout.LastStates(q.App))
		delete(used, plan.States)
	}
	for t := range used {
		w.fail("column of table %d in a query of table %d", t, q.From)
	}
	return from, where
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

// groupBy names the selected columns to group by, by their places.
func groupBy(q *plan.Query) string {
	if !slices.ContainsFunc(q.Select, aggregates) && q.Having == nil {
		return ""
	}
	var places []string
	for i, e := range q.Select {
		if !aggregates(e) {
			places = append(places, strconv.Itoa(i+1))
		}
	}
	switch list := strings.Join(places, ", "); {
	case list == "":
		return ""
	case q.Whole:
		return " GROUP BY GROUPING SETS ((" + list + "), ())"
	default:
		return " GROUP BY " + list
	}
}

func (w *writer) order(q *plan.Query) Part {
	var list []Part
	for _, o := range q.Order {
		by := Raw(strconv.Itoa(slices.IndexFunc(q.Select, func(e plan.Expr) bool { return reflect.DeepEqual(e, o.By) }) + 1))
		if by.SQL == "0" {
			by = w.expr(o.By)
		}
		if o.Desc {
			by = Write("@ DESC", by)
		}
		list = append(list, Write("@ NULLS LAST", by))
	}
	if len(list) == 0 {
		return Part{}
	}
	return Write(" ORDER BY @", Join(list, ", "))
}

func (w *writer) list(exprs []plan.Expr) Part { return Join(w.parts(exprs), ", ") }

func (w *writer) parts(exprs []plan.Expr) []Part {
	out := make([]Part, len(exprs))
	for i, e := range exprs {
		out[i] = w.expr(e)
	}
	return out
}

// expr writes an expression in parentheses, or one that needs none.
func (w *writer) expr(e plan.Expr) Part {
	for i := range w.known {
		if reflect.DeepEqual(w.known[i].expr, e) {
			return w.known[i].as
		}
	}
	switch e := e.(type) {
	case plan.Column:
		p, typ := w.layout.Column(e)
		if typ == 0 {
			return w.fail("no column %q in table %d", e.Name, e.Of)
		}
		return p
	case plan.Member:
		if column, ok := w.kept(e); ok {
			return column
		}
		return w.layout.Member(w.expr(e.Of), e.Path)
	case plan.Segment:
		return segment(w.layout, e)
	case plan.Slot:
		return slot(w.layout, e)
	case plan.Rest:
		return w.layout.Rest()
	case plan.Literal:
		return w.literal(e.Value)
	case plan.Call:
		return w.call(e)
	case plan.In:
		if len(e.Values) == 0 {
			return Raw("FALSE")
		}
		list := make([]Part, len(e.Values))
		for i, v := range e.Values {
			list[i] = w.literal(v)
		}
		if w.listed(e) {
			return w.layout.Listed(w.expr(e.Of), list)
		}
		return Write("(@ IN (@))", w.expr(e.Of), Join(list, ", "))
	case plan.Among:
		return Write("(@ IN (@))", w.expr(e.Of), w.query(e.Query))
	case plan.Filter:
		return w.filter(e)
	case plan.InSet:
		return w.inSet(w.expr(e.Of), e.Set)
	case plan.Lists: // only filters know what to do with it
		return Raw("NULL")
	case plan.Typed:
		return w.expr(e.Expr)
	case plan.Agg:
		return w.aggregate(e)
	default:
		return w.fail("expression of type %T", e)
	}
}

// maxListed is among how many texts a value is looked for one after the other.
const maxListed = 16

// listed reports whether a condition is that a column of text has one of a few texts.
func (w *writer) listed(e plan.In) bool {
	column, ok := e.Of.(plan.Column)
	if !ok || len(e.Values) < 2 || len(e.Values) > maxListed || w.typeOf(column) != filter.Text {
		return false
	}
	for _, v := range e.Values {
		if _, ok := v.(string); !ok {
			return false
		}
	}
	return true
}

// kept returns the column that holds a member apart; false where there is none.
func (w *writer) kept(m plan.Member) (Part, bool) {
	if w.from != plan.Events && w.from != plan.States {
		return Part{}, false
	}
	return w.layout.Kept(m)
}

func (w *writer) literal(v any) Part {
	switch v := v.(type) {
	case nil:
		return Raw("NULL")
	case bool:
		return Raw(strings.ToUpper(strconv.FormatBool(v)))
	case int64:
		return Raw(strconv.FormatInt(v, 10))
	case float64:
		if w.inline {
			return Raw("CAST(" + strconv.FormatFloat(v, 'g', -1, 64) + " AS DOUBLE)")
		}
		return Part{"?", []any{v}}
	case string:
		if !w.inline {
			return Part{"?", []any{events.CleanText(v)}}
		}
		text, ok := w.layout.Quoted(v)
		if !ok {
			return w.fail("text that no literal holds")
		}
		return Raw(text)
	default:
		return w.fail("literal of type %T", v)
	}
}

// templates are the functions that all databases write alike.
var templates = map[plan.Fn]string{
	plan.Eq: "(@ = @)", plan.Ne: "(@ <> @)", plan.Lt: "(@ < @)", plan.Le: "(@ <= @)", plan.Gt: "(@ > @)", plan.Ge: "(@ >= @)",
	plan.Per: "(CAST(@ AS DOUBLE) / nullif(CAST(@ AS DOUBLE), 0))", plan.Not: "(NOT coalesce(@, FALSE))", plan.NullIf: "nullif(@, @)", plan.If: "CASE WHEN @ THEN @ ELSE @ END",
}

// arithmetic are functions of numbers.
var arithmetic = map[plan.Fn]string{plan.Add: "(@ + @)", plan.Sub: "(@ - @)", plan.Mul: "(@ * @)", plan.Mod: "(@ % @)"}

// arity is how many arguments a function has; what is missing has any number.
var arity = map[plan.Fn]int{
	plan.Not: 1, plan.Eq: 2, plan.Ne: 2, plan.Lt: 2, plan.Le: 2, plan.Gt: 2, plan.Ge: 2, plan.IsNull: 1, plan.Add: 2, plan.Sub: 2, plan.Mul: 2,
	plan.Div: 2, plan.Quo: 2, plan.Mod: 2, plan.Lower: 1, plan.HasPart: 2, plan.Text: 1, plan.Number: 1, plan.NullIf: 2, plan.If: 3, plan.Keys: 1, plan.Per: 2,
}

func (w *writer) call(c plan.Call) Part {
	if n, ok := arity[c.Fn]; ok && n != len(c.Args) {
		return w.fail("function %d with %d arguments", c.Fn, len(c.Args))
	}
	if template, ok := arithmetic[c.Fn]; ok {
		return Write(template, w.operand(c.Args[0]), w.operand(c.Args[1]))
	}
	if template, ok := templates[c.Fn]; ok {
		return Write(template, w.parts(c.Args)...)
	}
	switch c.Fn {
	case plan.And:
		return logic(w.parts(c.Args), " AND ", "TRUE")
	case plan.Or:
		return logic(w.parts(c.Args), " OR ", "FALSE")
	case plan.IsNull:
		if v := w.typed(c.Args[0]); v.Type == filter.JSON {
			return Raw(w.layout.IsNull(v.SQL))
		}
		return Write("(@ IS NULL)", w.expr(c.Args[0]))
	case plan.Div:
		return w.layout.Div(w.operand(c.Args[0]), w.operand(c.Args[1]))
	case plan.Concat:
		list := make([]Part, len(c.Args))
		for i, a := range c.Args {
			list[i] = Write("coalesce(@, '')", w.layout.Text(w.typed(a)))
		}
		return Write("concat(@)", Join(list, ", "))
	case plan.Quo:
		return w.layout.Quo(w.operand(c.Args[0]), w.operand(c.Args[1]))
	case plan.Text:
		return w.layout.Text(w.typed(c.Args[0]))
	case plan.Number:
		return w.layout.Number(w.typed(c.Args[0]))
	case plan.Coalesce:
		return Write("coalesce(@)", w.list(c.Args))
	case plan.Place:
		if len(c.Args) < 2 {
			return w.fail("place among no texts")
		}
		return w.layout.Call(c.Fn, w.parts(c.Args))
	case plan.Lower, plan.HasPart, plan.Keys:
		return w.layout.Call(c.Fn, w.parts(c.Args))
	default:
		return w.fail("function %d", c.Fn)
	}
}

func logic(parts []Part, sign, none string) Part {
	if len(parts) == 0 {
		return Raw(none)
	}
	return Write("(@)", Join(parts, sign))
}

func (w *writer) typed(e plan.Expr) Typed { return Typed{w.expr(e), w.typeOf(e)} }

// operand writes what is computed with: columns are narrower than results, and some have no sign.
func (w *writer) operand(e plan.Expr) Part {
	if _, ok := e.(plan.Literal); ok || w.typeOf(e) != filter.Integer {
		return w.expr(e)
	}
	return Write("CAST(@ AS BIGINT)", w.expr(e))
}

// filter writes a filter's condition. What its paths stand for may be repeated, so it takes no arguments.
func (w *writer) filter(f plan.Filter) Part {
	where, args := f.Filter.SQL(w.layout, func(path string) (filter.Column, bool) {
		t, ok := f.Paths[path]
		if !ok {
			return filter.Column{}, false
		}
		part := &writer{layout: w.layout, inline: true, from: w.from}
		if l, ok := t.Expr.(plan.Lists); ok {
			return filter.Column{Type: filter.List, Elements: w.elements(l)}, true
		}
		p := part.expr(t.Expr)
		if part.err != nil {
			w.fail("path %s: %w", path, part.err)
		}
		column := filter.Column{Expr: p.SQL, Type: w.typeOf(t)}
		if m, ok := t.Expr.(plan.Member); ok && m.Of.Of == plan.Users && len(m.Path) == 1 && column.Type == filter.JSON { // profiles are written by this server
			column.Object, column.Key = part.expr(m.Of).SQL, m.Path[0]
		}
		return column, true
	})
	return Part{"(" + where + ")", args}
}

// fewMembers is how many numbers a statement lists one by one.
const fewMembers = 64

// inSet is the condition that a user's number is in a set.
func (w *writer) inSet(uid Part, s *plan.Set) Part {
	switch {
	case s == nil:
		return w.fail("a set that was not looked up")
	case s.Len() == 0:
		return Raw("FALSE")
	case s.Len() > fewMembers:
		return w.layout.Has(uid, s.Words())
	}
	list := make([]string, 0, s.Len())
	for _, n := range s.Numbers() {
		list = append(list, strconv.FormatUint(uint64(n), 10))
	}
	return Write("(@ IN ("+strings.Join(list, ", ")+"))", uid)
}

// elements are the conditions that a user has the values of sets.
func (w *writer) elements(l plan.Lists) []filter.Element {
	if l.Sets == nil {
		w.fail("cohorts that were not looked up")
	}
	out := make([]filter.Element, len(l.Sets))
	for i, v := range l.Sets {
		p := w.inSet(w.expr(l.Of), v.Set)
		out[i] = filter.Element{Value: v.Value, Holds: p.SQL, Args: p.Args}
	}
	return out
}

// wholeShare is the share of all values, in hundredths of a percent.
const wholeShare = 10_000

func (w *writer) aggregate(a plan.Agg) Part {
	var of, when Part
	if a.Of != nil {
		of = w.expr(a.Of)
	}
	if a.When != nil {
		when = w.expr(a.When)
	}
	return w.aggregated(a, of, when)
}

// aggregated is an aggregate of what was written before: of a value, and of the rows that meet a condition.
func (w *writer) aggregated(a plan.Agg, of, when Part) Part {
	if !when.Empty() {
		when = Write(" FILTER (WHERE @)", when)
	}
	switch {
	case a.Fn == 0: // of union
		return Raw("NULL")
	case a.Fn == plan.Count && a.Of == nil:
		return Write("count(*)@", when)
	case a.Fn == plan.Groups && a.Of == nil && a.When == nil:
		return Raw("count(*) OVER ()")
	case a.Of == nil:
		return w.fail("aggregate %d of nothing", a.Fn)
	case a.Fn == plan.Distinct:
		return Write("count(DISTINCT @)@", of, when)
	case a.Fn == plan.Max:
		return w.layout.Max(of, when)
	case a.Fn == plan.Min:
		return w.layout.Min(of, when)
	case a.Fn == plan.Rank && a.Share > 0 && a.Share <= wholeShare:
		return w.layout.Rank(of, when, a.Share, w.shares(a))
	case a.Fn == plan.Every:
		return w.layout.Every(Write("coalesce(@, FALSE)", of), when)
	case a.Fn == plan.Sum && w.typeOf(a.Of) == filter.Integer:
		return w.layout.SumWhole(of, when)
	case a.Fn == plan.Sum:
		return Write("coalesce(sum(@)@, 0)", of, when)
	default:
		return w.fail("aggregate %d", a.Fn)
	}
}

// ranksOf are the Ranks of a query.
func ranksOf(q *plan.Query) (out []plan.Agg) {
	q.Walk(func(e plan.Expr) {
		if a, ok := e.(plan.Agg); ok && a.Fn == plan.Rank {
			out = append(out, a)
		}
	})
	return out
}

// shares are those of all Ranks of the values of one, ascending.
func (w *writer) shares(a plan.Agg) (out []int) {
	for _, other := range w.ranks {
		if reflect.DeepEqual(other.Of, a.Of) && reflect.DeepEqual(other.When, a.When) && !slices.Contains(out, other.Share) {
			out = append(out, other.Share)
		}
	}
	slices.Sort(out)
	return out
}

// typeOf returns the type of an expression's value.
func (w *writer) typeOf(e plan.Expr) filter.Type {
	switch e := e.(type) {
	case plan.Column:
		_, typ := w.layout.Column(e)
		return typ
	case plan.Member:
		if _, ok := w.kept(e); ok {
			return filter.Text
		}
		return filter.JSON
	case plan.Lists:
		return filter.Text
	case plan.Segment:
		return e.Type
	case plan.Slot:
		typ, _ := e.Type()
		return typ
	case plan.Rest:
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
		if m, ok := e.Expr.(plan.Member); ok {
			return w.typeOf(m)
		}
		return e.Type
	case plan.Call:
		return w.callType(e)
	case plan.Agg:
		switch e.Fn {
		case plan.Every:
			return filter.Bool
		case plan.Count, plan.Distinct, plan.Groups:
			return filter.Integer
		case plan.Sum, plan.Max, plan.Min, plan.Rank:
		}
		return w.typeOf(e.Of)
	default:
		return filter.Bool
	}
}

func (w *writer) callType(c plan.Call) filter.Type {
	switch c.Fn {
	case plan.Add, plan.Sub, plan.Mul, plan.Coalesce, plan.NullIf:
		return w.typeOf(c.Args[0])
	case plan.Div, plan.Quo, plan.Mod, plan.Place:
		return filter.Integer
	case plan.Concat, plan.Lower, plan.Text, plan.Keys:
		return filter.Text
	case plan.Number, plan.Per:
		return filter.Number
	case plan.If:
		return w.typeOf(c.Args[1])
	default:
		return filter.Bool
	}
}
