package sqlplan

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/store/events/plan"
)

// A query that counts different values, users as a rule, in groups is written in two steps: its rows are first gathered by group and value, where there are far
// fewer of them, and what is asked for is computed from those. Details of groups come from the same gathered rows.

// replaced is what an expression is written as.
type replaced struct {
	expr plan.Expr
	as   Part
}

// gathering are the rows that a query is answered from, under the name r.
type gathering struct {
	w    *writer
	q    *plan.Query
	rows Part        // a query of the rows
	keys []plan.Expr // what groups are made by: columns k0, k1 …
	aggs []plan.Agg  // columns o0, o1 … and, for conditions, w0, w1 …
	// summed says that rows are gathered by keys, By and the value that is counted; otherwise they are those of the table. single says that there is one
	// row for each.
	summed, single bool
	unit           plan.Expr // the value that is counted, column x; nil = none
	// base are the rows before plan.Most is known to hold, under the name s, of which r has all; empty = there is no bound.
	base Part
}

// bound reports whether the bound of a query can be written. Where rows cannot have a name, it becomes a condition of their own.
func (w *writer) bound(q *plan.Query) bool {
	if q.Distinct || w.gathering(q) == nil {
		return false
	}
	if w.layout.Gathers() {
		return true
	}
	outer := w.from
	w.from = q.From
	defer func() { w.from = outer }()
	one := *q
	one.Where = plan.All(q.Where, q.Most.When)
	one.Select, one.Having, one.Order, one.Detail = nil, nil, nil, nil
	from, where := w.source(&one)
	if one.Where != nil {
		where = both(where, w.expr(one.Where))
	}
	rows := Write("SELECT 1 FROM @", from)
	if !where.Empty() {
		rows = Write("@ WHERE @", rows, where)
	}
	w.atMost = w.layout.AtMost(rows, q.Most.Rows)
	return true
}

// gathered returns how a query without Detail is answered in two steps; nil where that would gain nothing.
func (w *writer) gathered(q *plan.Query) *gathering {
	if !w.layout.Gathers() || q.Distinct {
		return nil
	}
	g := w.gathering(q)
	if g == nil || q.Most == nil && (len(g.keys) == 0 || !g.summed || g.unit == nil) {
		return nil
	}
	g.summed = g.summed && q.Most == nil
	g.gather()
	return g
}

// detailed writes a query with Detail.
func (w *writer) detailed(q *plan.Query) Part {
	g := w.gathering(q)
	if g == nil || len(g.keys) == 0 || q.Whole || q.Distinct {
		return w.fail("details of a query that makes no groups")
	}
	g.summed = g.summed && q.Most == nil
	g.gather()
	return g.details()
}

// gathering finds out what a query groups by, if by anything, and computes; nil where it computes nothing, or selects something else.
func (w *writer) gathering(q *plan.Query) *gathering {
	g := &gathering{w: w, q: q, summed: true}
	for _, e := range q.Select {
		if _, literal := e.(plan.Literal); !literal && !aggregates(e) && !slices.ContainsFunc(g.keys, same(e)) {
			g.keys = append(g.keys, e)
		}
	}
	if !g.covers(q.Having) || slices.ContainsFunc(q.Select, func(e plan.Expr) bool { return !g.covers(e) }) || slices.ContainsFunc(q.Order, func(o plan.Order) bool { return !g.covers(o.By) }) {
		return nil
	}
	if len(g.aggs) == 0 {
		return nil
	}
	for _, a := range g.aggs {
		switch a.Fn {
		case plan.Distinct:
			if g.unit != nil && !reflect.DeepEqual(g.unit, a.Of) {
				g.summed = false
			}
			g.unit = a.Of
		case plan.Rank:
			g.summed = false
		case plan.Count, plan.Sum, plan.Max, plan.Min, plan.Every, plan.Groups:
		}
	}
	return g
}

func same(e plan.Expr) func(plan.Expr) bool {
	return func(other plan.Expr) bool { return reflect.DeepEqual(e, other) }
}

// covers reports whether an expression is made of keys and aggregates, and takes these down.
func (g *gathering) covers(e plan.Expr) bool {
	if e == nil || slices.ContainsFunc(g.keys, same(e)) {
		return true
	}
	switch e := e.(type) {
	case plan.Literal:
		return true
	case plan.Agg:
		if !slices.ContainsFunc(g.aggs, func(a plan.Agg) bool { return reflect.DeepEqual(a, e) }) {
			g.aggs = append(g.aggs, e)
		}
		return true
	case plan.Call:
		return !slices.ContainsFunc(e.Args, func(a plan.Expr) bool { return !g.covers(a) })
	default:
		return false
	}
}

func numbered(letter string, i int) string { return letter + strconv.Itoa(i) }

// by is what details are cut by; nil = nothing.
func (g *gathering) by() plan.Expr {
	if g.q.Detail == nil {
		return nil
	}
	return g.q.Detail.By
}

// gather writes the rows.
func (g *gathering) gather() {
	w := g.w
	outer := w.from
	w.from = g.q.From
	defer func() { w.from = outer }()
	byState := g.byState()
	var columns []Part
	add := func(name string, p Part) { columns = append(columns, Write("@ AS "+name, p)) }
	if byState {
		add("state", w.expr(plan.Ev("state")))
	} else {
		for i, k := range g.keys {
			add(numbered("k", i), w.expr(k))
		}
	}
	if by := g.by(); by != nil {
		add("b", w.expr(by))
	}
	if g.summed && g.unit != nil {
		add("x", w.expr(g.unit))
	}
	grouped := len(columns)
	for i, a := range g.aggs {
		if a.Fn == plan.Groups {
			continue
		}
		var of, when Part
		if a.Of != nil {
			of = w.expr(a.Of)
		}
		if a.When != nil {
			when = w.expr(a.When)
		}
		o, c := numbered("o", i), numbered("w", i)
		switch {
		case !g.summed && a.Fn == plan.Every:
			add(o, Write("coalesce(@, FALSE)", of))
		case !g.summed && !of.Empty():
			add(o, of)
		case !g.summed:
		case a.Fn == plan.Distinct && a.When != nil:
			add(c, Write("max(coalesce(@, FALSE))", when))
		case a.Fn == plan.Distinct:
		case a.Fn == plan.Sum: // without bounds, which the sum of all has
			add(o, w.layout.SumPart(Typed{of, w.typeOf(a.Of)}, filtered(when)))
		default:
			add(o, w.aggregated(a, of, when))
		}
		if !g.summed && a.When != nil {
			add(c, Write("coalesce(@, FALSE)", when))
		}
	}
	most := g.q.Most
	if !w.layout.Gathers() {
		most = nil // see writer.bound
	}
	if most != nil && most.When != nil {
		add("m", Write("coalesce(@, FALSE)", w.expr(most.When)))
	}
	if len(columns) == grouped && !g.summed { // nothing but rows are counted
		add("o", Raw("0"))
	}
	source := *g.q
	if byState {
		source.Select, source.Order = nil, nil
		for _, a := range g.aggs {
			source.Select = append(source.Select, a)
		}
	}
	from, where := w.source(&source)
	if g.q.Where != nil && !where.Empty() {
		where = Write("@ AND @", where, w.expr(g.q.Where))
	} else if g.q.Where != nil {
		where = w.expr(g.q.Where)
	}
	g.rows = Write("SELECT @ FROM @", Join(columns, ", "), from)
	if where = both(where, w.atMost); !where.Empty() {
		g.rows = Write("@ WHERE @", g.rows, where)
	}
	if most != nil {
		rows := Raw("SELECT 1 FROM s")
		if most.When != nil {
			rows = Raw("SELECT 1 FROM s WHERE s.m")
		}
		g.base, g.rows = g.rows, Write("SELECT s.* FROM s WHERE @", w.layout.AtMost(rows, most.Rows))
	}
	if g.summed {
		places := make([]string, grouped)
		for i := range places {
			places[i] = strconv.Itoa(i + 1)
		}
		g.rows.SQL += " GROUP BY " + strings.Join(places, ", ")
		g.single = !byState
	}
	if byState {
		list := []Part{Raw("ev.*")}
		for i, k := range g.keys {
			list = append(list, Write("@ AS "+numbered("k", i), w.expr(k)))
		}
		g.rows = Write("SELECT @ FROM (@) ev LEFT JOIN @", Join(list, ", "), g.rows, w.layout.Joined(g.q.App, plan.States, "state"))
	}
}

// byState reports whether rows can be gathered by the number of their state, because keys are about states and nothing else is: a number is quicker
// to group by than what it stands for.
func (g *gathering) byState() bool {
	if !g.summed || g.q.From != plan.Events || len(g.keys) == 0 {
		return false
	}
	only := func(e plan.Expr, t plan.Table) bool {
		ok := true
		(&plan.Query{Select: []plan.Expr{e}}).Walk(func(e plan.Expr) {
			if c, column := e.(plan.Column); column {
				ok = ok && c.Of == t
			}
			switch e.(type) {
			case plan.Segment, plan.Slot, plan.Rest, plan.Among:
				ok = ok && t == plan.Events
			}
		})
		return ok
	}
	for _, k := range g.keys {
		if !only(k, plan.States) {
			return false
		}
	}
	for _, a := range g.aggs {
		if !only(a, plan.Events) {
			return false
		}
	}
	return only(g.q.Where, plan.Events) && only(g.by(), plan.Events)
}

// figures says what aggregates and keys are written as in a query over the rows. With exact, its groups are those of keys and By; with absent, keys are absent.
func (g *gathering) figures(exact, absent, page bool) []replaced {
	var out []replaced
	for i, k := range g.keys {
		as := Raw("r." + numbered("k", i))
		if absent {
			as = Raw("NULL")
		}
		out = append(out, replaced{k, as})
	}
	for i, a := range g.aggs {
		out = append(out, replaced{a, g.figure(i, a, exact && g.single, page)})
	}
	return out
}

// figure is an aggregate of gathered rows.
func (g *gathering) figure(i int, a plan.Agg, exact, page bool) Part {
	o, c := Raw("r."+numbered("o", i)), Part{}
	if a.When != nil {
		c = Raw("r." + numbered("w", i))
	}
	layout := g.w.layout
	switch {
	case a.Fn == plan.Groups && page:
		return Raw("count(*) OVER ()")
	case a.Fn == plan.Groups:
		return Raw("0")
	case !g.summed && a.Fn == plan.Every:
		return layout.Every(o, filtered(c))
	case !g.summed:
		return g.w.aggregated(a, map[bool]Part{true: o}[a.Of != nil], c)
	case a.Fn == plan.Distinct && exact:
		return Write("count(r.x)@", filtered(c))
	case a.Fn == plan.Distinct:
		return Write("count(DISTINCT r.x)@", filtered(c))
	case a.Fn == plan.Count:
		return Write("CAST(coalesce(sum(@), 0) AS BIGINT)", o)
	case a.Fn == plan.Every:
		return layout.Every(o, Part{})
	}
	a.When = nil
	return g.w.aggregated(a, o, Part{}) // Sum, Max and Min, of the type of what they are of
}

// filtered is a condition as an aggregate has it.
func filtered(condition Part) Part {
	if condition.Empty() {
		return condition
	}
	return Write(" FILTER (WHERE @)", condition)
}

// with writes something with what is known.
func (g *gathering) with(known []replaced, fn func() Part) Part {
	outer, from := g.w.known, g.w.from
	g.w.known, g.w.from = known, g.q.From
	defer func() { g.w.known, g.w.from = outer, from }()
	return fn()
}

// groups names the columns of keys.
func (g *gathering) groups() string {
	names := make([]string, len(g.keys))
	for i := range names {
		names[i] = "r." + numbered("k", i)
	}
	return strings.Join(names, ", ")
}

// query writes a query without Detail.
func (g *gathering) query() Part {
	w, q := g.w, g.q
	all := func(known []replaced, group string, whole bool) Part {
		return g.with(known, func() Part {
			columns := w.parts(q.Select)
			for i, e := range q.Select {
				if whole && !aggregates(e) {
					columns[i] = Raw("NULL")
				}
			}
			p := Write("SELECT @ FROM r"+group, Join(columns, ", "))
			if q.Having != nil {
				p = Write("@ HAVING @", p, w.expr(q.Having))
			}
			return p
		})
	}
	known := g.figures(true, false, true)
	by := ""
	if len(g.keys) > 0 {
		by = " GROUP BY " + g.groups()
	}
	out := all(known, by, false)
	if q.Whole {
		out = Write("SELECT * FROM (@ UNION ALL @)", out, all(g.figures(false, true, false), "", true))
	}
	order := g.with(known, func() Part { return w.order(q) })
	return Write("WITH @ @@@", Join(g.named(true), ", "), out, order, page(q))
}

// named are the rows under their names, once computed as a whole or for each reading.
func (g *gathering) named(whole bool) []Part {
	how := map[bool]string{true: "MATERIALIZED", false: "NOT MATERIALIZED"}
	if g.base.Empty() {
		return []Part{Write("r AS "+how[whole]+" (@)", g.rows)}
	}
	return []Part{Write("s AS "+how[true]+" (@)", g.base), Write("r AS "+how[false]+" (@)", g.rows)}
}

// details writes a query with Detail.
func (g *gathering) details() Part {
	w, q, d := g.w, g.q, g.q.Detail
	rows := Write("(@) AS r", g.rows)
	named := w.layout.Gathers()
	if named {
		rows = Raw("r")
	}
	first := g.first(rows)
	if named {
		first = Raw("t")
	}
	inPage := Part{} // rows with the place of their group
	if d.By != nil || d.Rest {
		inPage = g.placed(rows, map[bool]Part{true: Raw("t"), false: Write("(@) AS t", first)}[named])
	}
	if !named && !inPage.Empty() {
		return ordered(q, g.together(inPage))
	}
	placed := Raw("m AS r")
	list := []Part{g.page(map[bool]Part{true: first, false: Write("(@) AS t", first)}[named])}
	if d.Whole {
		list = append(list, g.part(plan.PartAll, rows, "", false))
	}
	if d.By != nil {
		list = append(list, g.part(plan.PartPageBy, placed, " WHERE r.place IS NOT NULL GROUP BY "+g.groups()+", r.b, r.place", true))
	}
	if d.Rest {
		list = append(list, g.part(plan.PartRest, placed, " WHERE r.place IS NULL", false))
	}
	if d.Rest && d.By != nil {
		list = append(list, g.part(plan.PartRestBy, placed, " WHERE r.place IS NULL GROUP BY r.b", true))
	}
	out := ordered(q, Join(list, " UNION ALL "))
	if !named {
		return out
	}
	how := map[bool]string{true: "MATERIALIZED", false: "NOT MATERIALIZED"}[g.summed]
	with := append(g.named(g.summed), Write("t AS MATERIALIZED (@)", g.first(rows)))
	if !inPage.Empty() {
		with = append(with, Write("m AS "+how+" (@)", inPage))
	}
	return Write("WITH @ @", Join(with, ", "), out)
}

// ordered are the rows of all parts in their order.
func ordered(q *plan.Query, rows Part) Part {
	var columns []string
	for i := range q.Select {
		columns = append(columns, numbered("c", i))
	}
	return Write("SELECT "+strings.Join(columns, ", ")+", part, b FROM (@) AS u ORDER BY part, b NULLS LAST, place", rows)
}

// What a row of together is: its group is not in the page, or is, or it is none, but stands for parts that are there without rows.
const (
	ofRest = "0"
	ofPage = "1"
	ofNone = "2"
)

// together are the rows of all parts, where rows cannot have a name: each row, with the place of its group, is taken once for each part that it is of, so that
// rows are computed once for the page and once for all parts.
func (g *gathering) together(placed Part) Part {
	w, d := g.w, g.q.Detail
	parts := []string{"SELECT 0 AS part, " + ofPage + " AS of"}
	add := func(p plan.Part, of ...string) {
		for _, of := range of {
			parts = append(parts, "SELECT "+strconv.Itoa(int(p))+", "+of)
		}
	}
	if d.Whole {
		add(plan.PartAll, ofRest, ofPage, ofNone)
	}
	if d.By != nil {
		add(plan.PartPageBy, ofPage)
	}
	if d.Rest {
		add(plan.PartRest, ofRest, ofNone)
	}
	if d.Rest && d.By != nil {
		add(plan.PartRestBy, ofRest)
	}
	const keyed, cut = "p.part IN (0, 2)", "p.part IN (2, 4)" // parts of the page's groups, and those cut by By
	only := func(when, value string) string { return "CASE WHEN " + when + " THEN " + value + " END" }
	columns, none, groups := []string{"p.part AS part", "r.of AS of"}, []string{ofNone + " AS of"}, []string{"r.part"}
	for _, name := range append(g.columns(), "place", "n") {
		none = append(none, "NULL AS "+name)
		value := "r." + name
		switch {
		case name[0] == 'k' || name == "place":
			value = only(keyed, value)
		case name == "b":
			value = only(cut, value)
		}
		columns = append(columns, value+" AS "+name)
		if name[0] == 'k' || name == "place" || name == "b" {
			groups = append(groups, "r."+name)
		}
	}
	rows := Write("SELECT "+strings.Join(columns, ", ")+" FROM (@ UNION ALL SELECT "+strings.Join(none, ", ")+") AS r INNER JOIN ("+strings.Join(parts, " UNION ALL ")+") AS p ON p.of = r.of", placed)
	known := g.figures(false, false, false)
	for i, a := range g.aggs {
		at := &known[len(g.keys)+i]
		switch {
		case a.Fn == plan.Groups:
			at.as = Write("CASE WHEN r.part = 0 THEN @ ELSE 0 END", w.layout.Max(Raw("r.n"), Part{}))
		case a.Fn == plan.Count && a.When == nil && !g.summed:
			at.as = w.aggregated(a, Part{}, Raw("r.of <> "+ofNone))
		}
	}
	return g.with(known, func() Part {
		var list []Part
		for i, e := range g.q.Select {
			value := w.expr(e)
			if !aggregates(e) {
				value = Write("CASE WHEN r.part IN (0, 2) THEN @ END", value)
			}
			list = append(list, Write("@ AS "+numbered("c", i), value))
		}
		b := "NULL"
		if d.By != nil {
			b = "r.b"
		}
		return Write("SELECT @, r.part AS part, "+b+" AS b, r.place AS place FROM (@) AS r GROUP BY "+strings.Join(groups, ", "), Join(list, ", "), rows)
	})
}

// first is the page of groups: columns c0, c1 … as they are selected, keys, and their place.
func (g *gathering) first(rows Part) Part {
	w, q := g.w, g.q
	return g.with(g.figures(g.by() == nil, false, true), func() Part {
		var columns []Part
		for i, e := range q.Select {
			columns = append(columns, Write("@ AS "+numbered("c", i), w.expr(e)))
		}
		for i := range g.keys {
			columns = append(columns, Raw("r."+numbered("k", i)+" AS "+numbered("k", i)))
		}
		if !w.layout.Gathers() {
			columns = append(columns, Raw("count(*) OVER () AS n"))
		}
		var order []string
		for i, o := range q.Order {
			name := numbered("p", i)
			columns = append(columns, Write("@ AS "+name, w.expr(o.By)))
			if o.Desc {
				name += " DESC"
			}
			order = append(order, name+" NULLS LAST")
		}
		p := Write("SELECT @ FROM @ GROUP BY "+g.groups(), Join(columns, ", "), rows)
		if q.Having != nil {
			p = Write("@ HAVING @", p, w.expr(q.Having))
		}
		over := "()"
		if len(order) > 0 {
			over = "(ORDER BY " + strings.Join(order, ", ") + ")"
		}
		return Write("SELECT *, row_number() OVER "+over+" AS place FROM (@) AS g ORDER BY place@", p, page(q))
	})
}

// columns names those of the rows that figures are computed of.
func (g *gathering) columns() (names []string) {
	for i := range g.keys {
		names = append(names, numbered("k", i))
	}
	if g.by() != nil {
		names = append(names, "b")
	}
	if g.summed && g.unit != nil {
		names = append(names, "x")
	}
	for i, a := range g.aggs {
		distinct := g.summed && a.Fn == plan.Distinct
		if a.Fn != plan.Groups && !distinct && (g.summed || a.Of != nil) {
			names = append(names, numbered("o", i))
		}
		if a.When != nil && (!g.summed || distinct) {
			names = append(names, numbered("w", i))
		}
	}
	return names
}

// placed are the rows with the place of their group in the page, absent for others. Where rows cannot have a name, they have what together needs as well: first of all
// what they are, and how many groups there are.
func (g *gathering) placed(rows, first Part) Part {
	var columns, on []string
	if !g.w.layout.Gathers() {
		columns = append(columns, "CASE WHEN t.place IS NULL THEN "+ofRest+" ELSE "+ofPage+" END AS of")
	}
	for _, name := range g.columns() {
		columns = append(columns, "r."+name+" AS "+name)
	}
	for i := range g.keys {
		k := numbered("k", i)
		on = append(on, "t."+k+" IS NOT DISTINCT FROM r."+k)
	}
	columns = append(columns, "t.place AS place")
	if !g.w.layout.Gathers() {
		columns = append(columns, "t.n AS n")
	}
	return Write("SELECT "+strings.Join(columns, ", ")+" FROM @ LEFT JOIN @ ON "+strings.Join(on, " AND "), rows, first)
}

// page are the rows of the page.
func (g *gathering) page(first Part) Part {
	var columns []string
	for i := range g.q.Select {
		columns = append(columns, "t."+numbered("c", i)+" AS "+numbered("c", i))
	}
	return Write("SELECT "+strings.Join(columns, ", ")+", 0 AS part, NULL AS b, t.place AS place FROM @", first)
}

// part are the rows of another part than the page. of is what follows the rows in the query.
func (g *gathering) part(p plan.Part, rows Part, of string, by bool) Part {
	keyed := p == plan.PartPageBy
	return g.with(g.figures(keyed, !keyed, false), func() Part {
		var columns []Part
		for i, e := range g.q.Select {
			value := Raw("NULL")
			if keyed || aggregates(e) {
				value = g.w.expr(e)
			}
			columns = append(columns, Write("@ AS "+numbered("c", i), value))
		}
		b, place := "NULL", "NULL"
		if by {
			b = "r.b"
		}
		if keyed {
			place = "r.place"
		}
		return Write("SELECT @, "+strconv.Itoa(int(p))+" AS part, "+b+" AS b, "+place+" AS place FROM @"+of, Join(columns, ", "), rows)
	})
}
