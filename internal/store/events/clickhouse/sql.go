package clickhouse

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// layout is the sqlplan.Layout of ClickHouse. A value of JSON is its text, NULL when absent.
type layout struct {
	sqlplan.Slots
	// merged says that rows of users who were merged into others are not all rewritten: the statement begins with who they are.
	merged bool
}

var _ sqlplan.Layout = layout{}

// settings make ClickHouse keep to SQL where it departs from it: absent values of joins and casts are NULL, and
// rows that were replaced are not seen.
const settings = " SETTINGS join_use_nulls = 1, cast_keep_nullable = 1, final = 1"

// Compile writes a plan as a statement with the arguments of its placeholders. Errors: sqlplan.ErrPlan.
func Compile(q *plan.Query) (statement string, args []any, err error) { return compile(q, nil) }

// settled adds the settings to a statement.
func settled(statement string) string {
	if strings.Contains(statement, " ASOF ") { // a condition that is always true, pushed below such a join, is not found above it
		return statement + settings + ", query_plan_filter_push_down = 0"
	}
	return statement + settings
}

// GroupingSets implements sqlplan.Layout: with group_by_use_nulls, without which the group of all rows would have zeros, ClickHouse does not find the columns of
// what it groups by.
func (layout) GroupingSets() bool { return false }

// Gathers implements sqlplan.Layout: what has a name is computed each time it is read.
func (layout) Gathers() bool { return false }

// compile is Compile where users were merged into others.
func compile(q *plan.Query, merged map[uint32]uint32) (statement string, args []any, err error) {
	statement, args, err = sqlplan.Compile(layout{merged: len(merged) > 0}, q)
	return settled(mergers(merged) + statement), args, err
}

// mergers begins a statement that knows users who were merged into others.
func mergers(merged map[uint32]uint32) string {
	if len(merged) == 0 {
		return ""
	}
	old, to := arrays(merged)
	return "WITH " + old + " AS merged_old, " + to + " AS merged_new "
}

// arrays are the users who were merged and, in the same order, those they were merged into.
func arrays(merged map[uint32]uint32) (old, to string) {
	var a, b strings.Builder
	for i, uid := range slices.Sorted(maps.Keys(merged)) {
		if i > 0 {
			a.WriteByte(',')
			b.WriteByte(',')
		}
		a.WriteString(strconv.FormatUint(uint64(uid), 10))
		b.WriteString(strconv.FormatUint(uint64(merged[uid]), 10))
	}
	return "CAST([" + a.String() + "] AS Array(Int64))", "CAST([" + b.String() + "] AS Array(Int64))"
}

// uid is the user of a row.
func (l layout) uid(alias string) string {
	column := alias + "." + quote("uid")
	if !l.merged || alias == sqlplan.Alias(plan.Users) {
		return column
	}
	return "transform(" + column + ", merged_old, merged_new, " + column + ")"
}

// together is the layout of the rows of many apps.
type together struct {
	layout
	apps string // as a list of literals
}

// ownerColumn holds the app.
const ownerColumn = "app"

// owner is the column that holds the app.
func owner(t plan.Table) plan.Column { return plan.Column{Of: t, Name: ownerColumn} }

// owned is the layout of the rows of one app, with the column that holds it.
type owned struct{ layout }

// Column implements sqlplan.Layout.
func (l owned) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	if c == owner(c.Of) {
		return sqlplan.Raw(sqlplan.Alias(c.Of) + ".app"), filter.Text
	}
	return l.layout.Column(c)
}

// compileOwned writes a plan that selects the app.
func compileOwned(q *plan.Query, merged map[uint32]uint32) (statement string, args []any, err error) {
	statement, args, err = sqlplan.Compile(owned{layout{merged: len(merged) > 0}}, q)
	return settled(mergers(merged) + statement), args, err
}

// compileAll writes a plan as a statement over many apps, whose first column is the app. Of none of them users were merged. Errors: sqlplan.ErrPlan.
func compileAll(apps []model.AppID, q *plan.Query) (statement string, args []any, err error) {
	var list []string
	for _, app := range apps {
		list = append(list, "'"+app.String()+"'")
	}
	all := *q
	all.Select = append([]plan.Expr{owner(q.From)}, q.Select...)
	statement, args, err = sqlplan.Compile(together{apps: strings.Join(list, ", ")}, &all)
	return settled(statement), args, err
}

// From implements sqlplan.Layout.
func (l together) From(_ model.AppID, t plan.Table) (from, where sqlplan.Part) {
	return sqlplan.Raw(tableNames[t] + " AS " + sqlplan.Alias(t)), sqlplan.Raw(sqlplan.Alias(t) + ".app IN (" + l.apps + ")")
}

// Joined implements sqlplan.Layout.
func (l together) Joined(_ model.AppID, t plan.Table, key string) sqlplan.Part {
	alias := sqlplan.Alias(t)
	return sqlplan.Raw("(SELECT * FROM " + tableNames[t] + " WHERE app IN (" + l.apps + ")) AS " + alias + " ON " + alias + ".app = ev.app AND " + alias + "." + key + " = ev." + key)
}

// LastStates implements sqlplan.Layout.
func (l together) LastStates(app model.AppID) sqlplan.Part {
	from, where := l.From(app, plan.States)
	return sqlplan.Write("(SELECT st.app AS app, st.uid AS uid, st.off AS off, argMax(st.props, st.state) AS props FROM @ WHERE @ GROUP BY st.app, st.uid, st.off) AS st"+
		" ON st.app = rq.app AND st.uid = rq.uid AND rq.off >= st.off", from, where)
}

// Column implements sqlplan.Layout.
func (l together) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	if c == owner(c.Of) {
		return sqlplan.Raw(sqlplan.Alias(c.Of) + ".app"), filter.Text
	}
	return l.layout.Column(c)
}

// From implements sqlplan.Layout.
func (l layout) From(app model.AppID, t plan.Table) (from, where sqlplan.Part) {
	if t == plan.Requests { // no filter is pushed below an inexact join, see Compile
		return sqlplan.Raw("(SELECT * FROM " + tableNames[t] + " WHERE app = '" + app.String() + "') AS " + sqlplan.Alias(t)), sqlplan.Part{}
	}
	return sqlplan.Raw(tableNames[t] + " AS " + sqlplan.Alias(t)), sqlplan.Raw(sqlplan.Alias(t) + ".app = '" + app.String() + "'")
}

// Joined implements sqlplan.Layout.
func (l layout) Joined(app model.AppID, t plan.Table, key string) sqlplan.Part {
	on := "ev." + key
	if key == "uid" {
		on = l.uid("ev")
	}
	return sqlplan.Raw("(SELECT * FROM " + tableNames[t] + " WHERE app = '" + app.String() + "') AS " + sqlplan.Alias(t) + " ON " + sqlplan.Alias(t) + "." + key + " = " + on)
}

// LastStates implements sqlplan.Layout.
func (l layout) LastStates(app model.AppID) sqlplan.Part {
	from, where := l.From(app, plan.States)
	uid := l.uid("st")
	return sqlplan.Write("(SELECT "+uid+" AS uid, st.off AS off, argMax(st.props, st.state) AS props FROM @ WHERE @ GROUP BY "+uid+", st.off) AS st"+
		" ON st.uid = "+l.uid("rq")+" AND rq.off >= st.off", from, where)
}

// columnTypes are the types of all columns.
var columnTypes = func() map[plan.Column]filter.Type {
	out := map[plan.Column]filter.Type{}
	for t := range tableNames {
		for _, c := range plan.Columns(t) {
			out[plan.Column{Of: t, Name: c.Name}] = c.Type
		}
	}
	return out
}()

// Column implements sqlplan.Layout.
func (l layout) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	if c.Name == "uid" && c.Of != plan.Users {
		return sqlplan.Raw(l.uid(sqlplan.Alias(c.Of))), columnTypes[c]
	}
	return sqlplan.Raw(sqlplan.Alias(c.Of) + "." + quote(c.Name)), columnTypes[c]
}

// Quoted implements sqlplan.Layout.
func (layout) Quoted(text string) (literal string, ok bool) {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`).Replace(events.CleanText(text)) + "'", true
}

// Member implements sqlplan.Layout.
func (l layout) Member(column sqlplan.Part, path []string) sqlplan.Part {
	keys := make([]sqlplan.Part, len(path))
	for i, key := range path {
		text, _ := l.Quoted(key)
		keys[i] = sqlplan.Raw(text)
	}
	return sqlplan.Write("nullIf(JSONExtractRaw(coalesce(@, ''), @), '')", column, sqlplan.Join(keys, ", "))
}

// Kept implements sqlplan.Layout: everything is in the object.
func (layout) Kept(plan.Member) (sqlplan.Part, bool) { return sqlplan.Part{}, false }

// AsJSON implements sqlplan.Layout.
func (layout) AsJSON(value sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("if(isNull(@), NULL, toJSONString(@))", value, value)
}

// Text implements sqlplan.Layout.
func (l layout) Text(v sqlplan.Typed) sqlplan.Part {
	switch v.Type {
	case filter.Text:
		return v.Part
	case filter.JSON:
		j := sqlplan.Write("coalesce(@, 'null')", v.Part)
		return sqlplan.Write("multiIf(JSONType(@) = 'String', JSONExtractString(@), JSONType(@) = 'Double', replaceRegexpOne(@, '[.]0$', ''), nullIf(@, 'null'))", j, j, j, j, j)
	case filter.Number, filter.Integer, filter.Bool, filter.List:
	}
	return sqlplan.Write("toString(@)", v.Part)
}

// Number implements sqlplan.Layout.
func (l layout) Number(v sqlplan.Typed) sqlplan.Part {
	switch v.Type {
	case filter.Number:
		return v.Part
	case filter.Text, filter.JSON:
		n := sqlplan.Write("toFloat64OrNull(coalesce(@, ''))", l.Text(v))
		return sqlplan.Write("if(isFinite(coalesce(@, 0)), @, NULL)", n, n)
	case filter.Integer, filter.Bool, filter.List:
	}
	return sqlplan.Write("CAST(@ AS DOUBLE)", v.Part)
}

// Has implements sqlplan.Layout; the array has 0 beyond its end.
func (layout) Has(number sqlplan.Part, words string) sqlplan.Part {
	return sqlplan.Write("(bitTest(arrayElement(CAST(@, 'Array(UInt64)'), intDiv(@, 64) + 1), @ % 64) = 1)", sqlplan.Part{SQL: "?", Args: []any{words}}, number, number)
}

// Div implements sqlplan.Layout; intDiv rounds towards zero.
func (layout) Div(a, b sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("intDiv(@ - (((@ % @) + @) % @), @)", a, a, b, b, b, b)
}

// Quo implements sqlplan.Layout.
func (layout) Quo(a, b sqlplan.Part) sqlplan.Part { return sqlplan.Write("intDiv(@, @)", a, b) }

// Call implements sqlplan.Layout.
func (layout) Call(fn plan.Fn, args []sqlplan.Part) sqlplan.Part {
	switch fn {
	case plan.Lower:
		return sqlplan.Write("lowerUTF8(@)", args...)
	case plan.HasPart:
		return sqlplan.Write("(position(@, @) > 0)", args...)
	case plan.Place:
		of := args[0]
		return sqlplan.Write("toInt64(if(isNull(@), 0, indexOf([@], coalesce(@, ''))))", of, sqlplan.Join(args[1:], ", "), of)
	default: // plan.Keys
		return sqlplan.Write("arrayJoin(JSONExtractKeys(coalesce(@, '')))", args...)
	}
}

// Listed implements sqlplan.Layout.
func (layout) Listed(column sqlplan.Part, list []sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("(@ IN (@))", column, sqlplan.Join(list, ", "))
}

// Max implements sqlplan.Layout.
func (layout) Max(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("maxOrNull(@)@", of, when)
}

// Min implements sqlplan.Layout.
func (layout) Min(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("minOrNull(@)@", of, when)
}

// Rank implements sqlplan.Layout. The engine's own quantiles take another place among the values.
func (layout) Rank(of, when sqlplan.Part, share int, _ []int) sqlplan.Part {
	all := sqlplan.Write("groupArray(@)@", of, when)
	place := fmt.Sprintf("intDiv(length(@) * %d + 9999, 10000)", share)
	return sqlplan.Write("if(empty(@), NULL, arrayElement(arraySort(@), "+place+"))", all, all, all)
}

// AtMost implements sqlplan.Layout.
func (layout) AtMost(rows sqlplan.Part, most int64) sqlplan.Part {
	return sqlplan.Write(fmt.Sprintf("((SELECT throwIf(count() > %d, '%s') FROM (@)) = 0)", most, sqlplan.TooMany), rows)
}

// Every implements sqlplan.Layout.
func (layout) Every(condition, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("toBool(minOrNull(@)@)", condition, when)
}

// SumWhole implements sqlplan.Layout. It is clamp, since least of greatest is wrong for such wide numbers once the
// engine has compiled them.
func (layout) SumWhole(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("CAST(clamp(coalesce(sum(toInt128(@))@, toInt128(0)), toInt128('-9223372036854775808'), toInt128('9223372036854775807')) AS BIGINT)", of, when)
}

// SumPart implements sqlplan.Layout.
func (layout) SumPart(of sqlplan.Typed, when sqlplan.Part) sqlplan.Part {
	if of.Type == filter.Integer {
		return sqlplan.Write("sum(toInt128(@))@", of.Part, when)
	}
	return sqlplan.Write("sum(@)@", of.Part, when)
}

// Contains implements filter.Dialect; ClickHouse's regular expressions are RE2.
func (layout) Contains(text, placeholder string) string {
	return "match(" + text + ", " + placeholder + ")"
}

func present(json string) string { return "coalesce(" + json + ", 'null')" }

// TextOf implements filter.Dialect.
func (layout) TextOf(json string) string {
	return "if(JSONType(" + present(json) + ") = 'String', JSONExtractString(" + present(json) + "), NULL)"
}

// NumberOf implements filter.Dialect.
func (layout) NumberOf(json string) string {
	return "if(JSONType(" + present(json) + ") IN ('Int64', 'UInt64', 'Double'), JSONExtractFloat(" + present(json) + "), NULL)"
}

// BoolOf implements filter.Dialect.
func (layout) BoolOf(json string) string {
	return "if(JSONType(" + present(json) + ") = 'Bool', JSONExtractBool(" + present(json) + "), NULL)"
}

// IsNull implements filter.Dialect.
func (layout) IsNull(json string) string { return "(" + present(json) + " = 'null')" }

// SizeOf implements filter.Dialect.
func (layout) SizeOf(json string) string {
	return "if(JSONType(" + present(json) + ") = 'Array', JSONLength(" + present(json) + "), NULL)"
}

// AnyOf implements filter.Dialect.
func (layout) AnyOf(json string, cond func(element string) string) string {
	return "coalesce(arrayExists(element -> coalesce(" + cond("element") + ", FALSE), JSONExtractArrayRaw(" + present(json) + ")), FALSE)"
}
