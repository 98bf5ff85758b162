package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/store/schema"
)

// shown is how many values of a list texts have.
const shown = 20

// String writes a query for people: what it reads, in words like those of SQL. It is not parsed anywhere.
func (q *Query) String() string {
	var b strings.Builder
	b.WriteString("from " + tableText[q.From])
	if q.Where != nil {
		b.WriteString(" where " + exprText(q.Where))
	}
	b.WriteString(" select ")
	if q.Distinct {
		b.WriteString("distinct ")
	}
	b.WriteString(texts(q.Select))
	if q.Whole {
		b.WriteString(" and of all")
	}
	if q.Having != nil {
		b.WriteString(" having " + exprText(q.Having))
	}
	for i, o := range q.Order {
		b.WriteString([]string{" order by ", ", "}[min(i, 1)] + exprText(o.By))
		if o.Desc {
			b.WriteString(" desc")
		}
	}
	if q.Limit > 0 {
		b.WriteString(" limit " + strconv.Itoa(q.Limit))
	}
	if q.Offset > 0 {
		b.WriteString(" offset " + strconv.Itoa(q.Offset))
	}
	if d := q.Detail; d != nil {
		b.WriteString(detailText(d))
	}
	if m := q.Most; m != nil {
		b.WriteString(" of at most " + strconv.FormatInt(m.Rows, 10) + " rows")
		if m.When != nil {
			b.WriteString(" with " + exprText(m.When))
		}
	}
	return b.String()
}

func detailText(d *Detail) string {
	var list []string
	if d.Whole {
		list = append(list, "of all")
	}
	if d.By != nil {
		list = append(list, "by "+exprText(d.By))
	}
	if d.Rest {
		list = append(list, "of the rest")
	}
	return " and " + strings.Join(list, ", ")
}

var tableText = map[Table]string{Events: "events", Requests: "requests", States: "states", Users: "users"}

// infix are the functions that stand between their arguments.
var infix = map[Fn]string{
	And: "and", Or: "or", Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Add: "+", Sub: "-", Mul: "*", Div: "div", Quo: "quo", Mod: "mod",
}

var fnText = map[Fn]string{
	Not: "not", IsNull: "absent", Concat: "concat", Lower: "lower", HasPart: "has_part", Text: "text", Number: "number", Coalesce: "coalesce", NullIf: "null_if",
	If: "if", Per: "per", Keys: "keys", Place: "place",
}

var aggText = map[AggFn]string{Count: "count", Distinct: "count_distinct", Sum: "sum", Max: "max", Min: "min", Rank: "rank", Every: "every", Groups: "groups"}

func texts(list []Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = exprText(e)
	}
	return strings.Join(out, ", ")
}

func exprText(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "*"
	case Column:
		return tableText[e.Of] + "." + e.Name
	case Member:
		return exprText(e.Of) + "." + strconv.Quote(strings.Join(e.Path, "."))
	case Segment:
		return "property(" + strconv.Quote(e.Name) + ")"
	case Slot:
		if _, own := e.Type(); !own {
			return "slot(" + strconv.Quote(e.Name) + ")"
		}
		return "slot(" + map[schema.SlotKind]string{schema.Text: "s", schema.Number: "n"}[e.Kind] + strconv.Itoa(int(e.Index)) + ")"
	case Rest:
		return "properties"
	case Literal:
		return valueText(e.Value)
	case Call:
		return callText(e)
	case In:
		return "(" + exprText(e.Of) + " in " + listText(e.Values) + ")"
	case Among:
		return "(" + exprText(e.Of) + " in (" + e.Query.String() + "))"
	case InSet:
		return "(" + exprText(e.Of) + " in " + setText(e.ID, e.Set) + ")"
	case Lists:
		if e.Sets == nil {
			return "cohorts(" + exprText(e.Of) + ")"
		}
		var list []string
		for _, v := range e.Sets {
			list = append(list, valueText(v.Value)+": "+setText("", v.Set))
		}
		return "cohorts(" + exprText(e.Of) + "; " + strings.Join(list[:min(len(list), shown)], ", ") + ")"
	case Typed:
		return exprText(e.Expr)
	case Filter:
		return filterText(e)
	case Agg:
		text := aggText[e.Fn] + "(" + exprText(e.Of) + ")"
		if e.Fn == Rank {
			text = fmt.Sprintf("rank(%d, %s)", e.Share, exprText(e.Of))
		}
		if e.When != nil {
			text += " when " + exprText(e.When)
		}
		return text
	}
	return fmt.Sprintf("%T", e)
}

func setText(id string, s *Set) string {
	if s == nil {
		return "cohort " + strconv.Quote(id)
	}
	return fmt.Sprintf("set of %d", s.Len())
}

func callText(c Call) string {
	sign, ok := infix[c.Fn]
	switch {
	case !ok:
		return fnText[c.Fn] + "(" + texts(c.Args) + ")"
	case len(c.Args) == 0:
		return strconv.FormatBool(c.Fn == And)
	}
	out := make([]string, len(c.Args))
	for i, a := range c.Args {
		out[i] = exprText(a)
	}
	return "(" + strings.Join(out, " "+sign+" ") + ")"
}

// filterText writes a filter and what its paths stand for.
func filterText(f Filter) string {
	var paths []string
	for _, p := range slices.Sorted(maps.Keys(f.Paths)) {
		paths = append(paths, p+" = "+exprText(f.Paths[p].Expr))
	}
	return "filter(" + f.Filter.String() + "; " + strings.Join(paths, ", ") + ")"
}

func listText(values []any) string {
	var out []string
	for _, v := range values[:min(len(values), shown)] {
		out = append(out, valueText(v))
	}
	if more := len(values) - shown; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	default:
		return fmt.Sprint(v)
	}
}
