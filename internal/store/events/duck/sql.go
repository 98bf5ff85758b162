package duck

import (
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// layout is the sqlplan.Layout of this store: tables of the app's own or shared ones, properties in slots.
type layout struct {
	Dialect
	sqlplan.Slots
	apps places
}

var _ sqlplan.Layout = layout{}

// compile writes a plan as a statement with the arguments of its placeholders. Errors: sqlplan.ErrPlan.
func compile(apps places, q *plan.Query) (statement string, args []any, err error) {
	return sqlplan.Compile(layout{apps: apps}, q)
}

// together is the layout of the rows of many apps in the shared tables.
type together struct {
	layout
	numbers []uint32 // of the apps, ascending
}

// owner is the column that holds the app's number.
func owner(t plan.Table) plan.Column { return plan.Column{Of: t, Name: appColumn} }

// compileAll writes a plan as a statement over many apps in the shared tables. Its first column is the app's number.
// Errors: sqlplan.ErrPlan.
func compileAll(numbers []uint32, q *plan.Query) (statement string, args []any, err error) {
	all := *q
	all.Select = append([]plan.Expr{owner(q.From)}, q.Select...)
	return sqlplan.Compile(together{numbers: numbers}, &all)
}

// From implements sqlplan.Layout. Numbers that follow each other make one condition.
func (l together) From(_ model.AppID, t plan.Table) (from, where sqlplan.Part) {
	column := sqlplan.Alias(t) + "." + appColumn
	var ranges []string
	for i := 0; i < len(l.numbers); {
		j := i
		for j+1 < len(l.numbers) && l.numbers[j+1] == l.numbers[j]+1 {
			j++
		}
		ranges = append(ranges, fmt.Sprintf("%s BETWEEN %d AND %d", column, l.numbers[i], l.numbers[j]))
		i = j + 1
	}
	if len(ranges) == 0 {
		ranges = []string{"FALSE"}
	}
	return sqlplan.Raw(quote(sharedTables.of(t)) + " " + sqlplan.Alias(t)), sqlplan.Raw("(" + strings.Join(ranges, " OR ") + ")")
}

// Joined implements sqlplan.Layout.
func (together) Joined(_ model.AppID, t plan.Table, key string) sqlplan.Part {
	alias := sqlplan.Alias(t)
	return sqlplan.Raw(quote(sharedTables.of(t)) + " " + alias + " ON " + alias + "." + key + " = ev." + key + " AND " + alias + "." + appColumn + " = ev." + appColumn)
}

// LastStates implements sqlplan.Layout.
func (l together) LastStates(app model.AppID) sqlplan.Part {
	from, where := l.From(app, plan.States)
	return sqlplan.Write("(SELECT st."+appColumn+", st.uid, st.off, argMax(st.props, st.state) AS props FROM @ WHERE @ GROUP BY ALL) st"+
		" ON st."+appColumn+" = rq."+appColumn+" AND st.uid = rq.uid AND rq.off >= st.off", from, where)
}

// Column implements sqlplan.Layout.
func (l together) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	if c == owner(c.Of) {
		return sqlplan.Raw(sqlplan.Alias(c.Of) + "." + appColumn), filter.Integer
	}
	return l.layout.Column(c)
}

// of returns the name of a logical table.
func (t tables) of(l plan.Table) string {
	switch l {
	case plan.Events:
		return t.rows
	case plan.Requests:
		return t.requests
	case plan.States:
		return t.states
	case plan.Users:
		return t.users
	}
	return ""
}

// GroupingSets implements sqlplan.Layout.
func (layout) GroupingSets() bool { return true }

// Gathers implements sqlplan.Layout.
func (layout) Gathers() bool { return true }

// From implements sqlplan.Layout. Of an app that the store does not know there are no rows.
func (l layout) From(app model.AppID, t plan.Table) (from, where sqlplan.Part) {
	p, _ := l.apps.of(app)
	if !p.own {
		where = sqlplan.Raw("(" + sqlplan.Alias(t) + "." + p.mine() + ")")
	}
	return sqlplan.Raw(quote(p.of(t)) + " " + sqlplan.Alias(t)), where
}

// Joined implements sqlplan.Layout.
func (l layout) Joined(app model.AppID, t plan.Table, key string) sqlplan.Part {
	from, where := l.From(app, t)
	on := sqlplan.Write("@ ON "+sqlplan.Alias(t)+"."+key+" = ev."+key, from)
	if where.Empty() {
		return on
	}
	return sqlplan.Write("@ AND @", on, where)
}

// LastStates implements sqlplan.Layout.
func (l layout) LastStates(app model.AppID) sqlplan.Part {
	from, where := l.From(app, plan.States)
	if !where.Empty() {
		from = sqlplan.Write("@ WHERE @", from, where)
	}
	return sqlplan.Write("(SELECT st.uid, st.off, argMax(st.props, st.state) AS props FROM @ GROUP BY ALL) st ON st.uid = rq.uid AND rq.off >= st.off", from)
}

// Column implements sqlplan.Layout.
func (layout) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	return sqlplan.Raw(sqlplan.Alias(c.Of) + "." + quote(c.Name)), columnTypes[c]
}

// Quoted implements sqlplan.Layout.
func (layout) Quoted(text string) (literal string, ok bool) {
	return "'" + strings.ReplaceAll(events.CleanText(text), "'", "''") + "'", !strings.ContainsRune(text, 0)
}

// maxKey is the longest key of a JSON object that can be addressed, bytes.
const maxKey = 512

// Member implements sqlplan.Layout.
func (l layout) Member(column sqlplan.Part, path []string) sqlplan.Part {
	var pointer strings.Builder
	for _, key := range path {
		if len(key) > maxKey || key == "" && len(path) > 1 {
			return sqlplan.Raw("NULL::JSON")
		}
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	text, ok := l.Quoted(pointer.String())
	if !ok {
		return sqlplan.Raw("NULL::JSON")
	}
	return sqlplan.Write("json_extract(@::JSON, @)", column, sqlplan.Raw(text))
}

// AsJSON implements sqlplan.Layout.
func (layout) AsJSON(value sqlplan.Part) sqlplan.Part { return sqlplan.Write("to_json(@)", value) }

// Text implements sqlplan.Layout.
func (layout) Text(v sqlplan.Typed) sqlplan.Part {
	switch v.Type {
	case filter.Text:
		return v.Part
	case filter.JSON:
		return sqlplan.Write("CASE WHEN json_type(@) = 'DOUBLE' THEN regexp_replace(@ ->> '$', '[.]0$', '') ELSE @ ->> '$' END", v.Part, v.Part, v.Part)
	case filter.Number: // 2, where the database writes 2.0
		return sqlplan.Write("regexp_replace(CAST(@ AS VARCHAR), '[.]0$', '')", v.Part)
	case filter.Integer, filter.Bool, filter.List:
	}
	return sqlplan.Write("CAST(@ AS VARCHAR)", v.Part)
}

// Number implements sqlplan.Layout.
func (l layout) Number(v sqlplan.Typed) sqlplan.Part {
	switch v.Type {
	case filter.Number:
		return v.Part
	case filter.Text, filter.JSON: // 'inf' and 'nan' are doubles to the database
		cast := sqlplan.Write("TRY_CAST(@ AS DOUBLE)", l.Text(v))
		return sqlplan.Write("CASE WHEN isfinite(@) THEN @ END", cast, cast)
	case filter.Integer, filter.Bool, filter.List:
	}
	return sqlplan.Write("CAST(@ AS DOUBLE)", v.Part)
}

// Has implements sqlplan.Layout. The list is made once for all rows: it is selected, and no argument of the function.
func (layout) Has(number sqlplan.Part, words string) sqlplan.Part {
	return sqlplan.Write("(coalesce((list_extract((SELECT CAST(@ AS UBIGINT[])), CAST((@ >> 6) AS BIGINT) + 1) >> CAST((@ & 63) AS UBIGINT)) & 1, 0) = 1)",
		sqlplan.Part{SQL: "?", Args: []any{words}}, number, number)
}

// Div implements sqlplan.Layout; the database's own operator rounds towards zero.
func (layout) Div(a, b sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("((@ - (((@ % @) + @) % @)) // @)", a, a, b, b, b, b)
}

// Quo implements sqlplan.Layout.
func (layout) Quo(a, b sqlplan.Part) sqlplan.Part { return sqlplan.Write("(@ // @)", a, b) }

// Call implements sqlplan.Layout.
func (layout) Call(fn plan.Fn, args []sqlplan.Part) sqlplan.Part {
	switch fn {
	case plan.Lower:
		return sqlplan.Write("lower(@)", args...)
	case plan.HasPart:
		return sqlplan.Write("contains(@, @)", args...)
	case plan.Place:
		return sqlplan.Write("coalesce(list_position([@], @), 0)", sqlplan.Join(args[1:], ", "), args[0])
	default: // plan.Keys
		return sqlplan.Write("unnest(json_keys(@::JSON))", args...)
	}
}

// Listed implements sqlplan.Layout. A function of one column is computed once for each value of a column's dictionary, where comparisons and IN are
// computed for each row.
func (layout) Listed(column sqlplan.Part, list []sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("list_contains([@], @)", sqlplan.Join(list, ", "), column)
}

// Max implements sqlplan.Layout.
func (layout) Max(of, when sqlplan.Part) sqlplan.Part { return sqlplan.Write("max(@)@", of, when) }

// Min implements sqlplan.Layout.
func (layout) Min(of, when sqlplan.Part) sqlplan.Part { return sqlplan.Write("min(@)@", of, when) }

// Rank implements sqlplan.Layout. Of a decimal share the database computes the place in whole numbers. Several ranks are a list, which is the same aggregate
// for each of them, so that the values are held once.
func (layout) Rank(of, when sqlplan.Part, share int, shares []int) sqlplan.Part {
	if len(shares) < 2 {
		return sqlplan.Write(fmt.Sprintf("quantile_disc(@, %s)@", decimal(share)), of, when)
	}
	list := make([]string, len(shares))
	for i, s := range shares {
		list[i] = decimal(s)
	}
	return sqlplan.Write(fmt.Sprintf("(quantile_disc(@, [%s])@)[%d]", strings.Join(list, ", "), slices.Index(shares, share)+1), of, when)
}

// decimal is a share in hundredths of a percent.
func decimal(share int) string { return fmt.Sprintf("%d.%04d", share/10_000, share%10_000) }

// AtMost implements sqlplan.Layout.
func (layout) AtMost(rows sqlplan.Part, most int64) sqlplan.Part {
	return sqlplan.Write(fmt.Sprintf("(SELECT CASE WHEN count(*) > %d THEN error('%s') ELSE TRUE END FROM (@) AS n)", most, sqlplan.TooMany), rows)
}

// Every implements sqlplan.Layout.
func (layout) Every(condition, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("bool_and(@)@", condition, when)
}

// SumWhole implements sqlplan.Layout: the sum is wider than what is summed.
func (layout) SumWhole(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("CAST(least(greatest(coalesce(sum(@)@, 0), -9223372036854775808), 9223372036854775807) AS BIGINT)", of, when)
}

// SumPart implements sqlplan.Layout: the sum is wider than what is summed.
func (layout) SumPart(of sqlplan.Typed, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("sum(@)@", of.Part, when)
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
