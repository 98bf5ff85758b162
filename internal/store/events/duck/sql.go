package duck

import (
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// layout is the sqlplan.Layout of this store: tables of the app's own, properties in slots.
type layout struct{ filter.DuckDB }

var _ sqlplan.Layout = layout{}

// compile writes a plan as a statement with the arguments of its placeholders. Errors: sqlplan.ErrPlan.
func compile(q *plan.Query) (statement string, args []any, err error) {
	return sqlplan.Compile(layout{}, q)
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

// From implements sqlplan.Layout.
func (layout) From(app model.AppID, t plan.Table) (from, where sqlplan.Part) {
	return sqlplan.Raw(quote(tablesOf(app).of(t)) + " " + sqlplan.Alias(t)), where
}

// Joined implements sqlplan.Layout.
func (l layout) Joined(app model.AppID, t plan.Table, key string) sqlplan.Part {
	from, _ := l.From(app, t)
	return sqlplan.Write("@ ON "+sqlplan.Alias(t)+"."+key+" = ev."+key, from)
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
	case filter.Integer, filter.Bool:
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
	case filter.Integer, filter.Bool:
	}
	return sqlplan.Write("CAST(@ AS DOUBLE)", v.Part)
}

// Div implements sqlplan.Layout; the database's own operator rounds towards zero.
func (layout) Div(a, b sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("((@ - (((@ % @) + @) % @)) // @)", a, a, b, b, b, b)
}

// Call implements sqlplan.Layout.
func (layout) Call(fn plan.Fn, args []sqlplan.Part) sqlplan.Part {
	switch fn {
	case plan.Lower:
		return sqlplan.Write("lower(@)", args...)
	case plan.HasPart:
		return sqlplan.Write("contains(@, @)", args...)
	default: // plan.Keys
		return sqlplan.Write("unnest(json_keys(@::JSON))", args...)
	}
}

// Max implements sqlplan.Layout.
func (layout) Max(of, when sqlplan.Part) sqlplan.Part { return sqlplan.Write("max(@)@", of, when) }

// Every implements sqlplan.Layout.
func (layout) Every(condition, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("bool_and(@)@", condition, when)
}

// SumWhole implements sqlplan.Layout: the sum is wider than what is summed.
func (layout) SumWhole(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("CAST(least(greatest(coalesce(sum(@)@, 0), -9223372036854775808), 9223372036854775807) AS BIGINT)", of, when)
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
