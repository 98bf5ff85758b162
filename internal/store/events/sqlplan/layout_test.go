package sqlplan_test

import (
	"fmt"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// layout is a small one, for a database that there is not: what it writes itself is in capitals, so that one sees in a statement who wrote what.
type layout struct {
	duck.Dialect // what filters write
	sqlplan.Slots

	// sets and gathers are what GroupingSets and Gathers report.
	sets, gathers bool
}

var _ sqlplan.Layout = layout{}

func (l layout) GroupingSets() bool { return l.sets }
func (l layout) Gathers() bool      { return l.gathers }

var tableNames = map[plan.Table]string{plan.Events: "events", plan.Requests: "requests", plan.States: "states", plan.Users: "users"}

// From implements sqlplan.Layout: the users of an app are in a table of its own.
func (layout) From(app model.AppID, t plan.Table) (from, where sqlplan.Part) {
	alias := sqlplan.Alias(t)
	if t == plan.Users {
		return sqlplan.Raw("users_" + app.String()[:2] + " " + alias), sqlplan.Part{}
	}
	return sqlplan.Raw(tableNames[t] + " " + alias), sqlplan.Raw(alias + ".app = '" + app.String()[:2] + "'")
}

func (l layout) Joined(app model.AppID, t plan.Table, key string) sqlplan.Part {
	from, _ := l.From(app, t)
	return sqlplan.Write("@ ON "+sqlplan.Alias(t)+"."+key+" = ev."+key, from)
}

func (layout) LastStates(model.AppID) sqlplan.Part { return sqlplan.Raw("LAST_STATES st") }

func (layout) Column(c plan.Column) (sqlplan.Part, filter.Type) {
	typ := filter.Type(0)
	for _, d := range plan.Columns(c.Of) {
		if d.Name == c.Name {
			typ = d.Type
		}
	}
	return sqlplan.Raw(sqlplan.Alias(c.Of) + "." + c.Name), typ
}

func (layout) Member(column sqlplan.Part, path []string) sqlplan.Part {
	return sqlplan.Write("MEMBER(@, '"+strings.Join(path, "/")+"')", column)
}

// Kept implements sqlplan.Layout: countries are kept apart.
func (layout) Kept(m plan.Member) (sqlplan.Part, bool) {
	return sqlplan.Raw("st.KEPT_CC"), m.Of == plan.St("props") && len(m.Path) == 1 && m.Path[0] == "up.cc"
}

func (layout) AsJSON(value sqlplan.Part) sqlplan.Part { return sqlplan.Write("AS_JSON(@)", value) }

func (layout) Quoted(text string) (string, bool) {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'", !strings.ContainsRune(text, 0)
}

func (layout) Text(v sqlplan.Typed) sqlplan.Part {
	if v.Type == filter.Text {
		return v.Part
	}
	return sqlplan.Write("TEXT(@)", v.Part)
}

func (layout) Number(v sqlplan.Typed) sqlplan.Part { return sqlplan.Write("NUMBER(@)", v.Part) }

func (layout) Has(number sqlplan.Part, words string) sqlplan.Part {
	return sqlplan.Write("HAS(@, @)", sqlplan.Part{SQL: "?", Args: []any{words}}, number)
}

func (layout) Div(a, b sqlplan.Part) sqlplan.Part { return sqlplan.Write("DIV(@, @)", a, b) }
func (layout) Quo(a, b sqlplan.Part) sqlplan.Part { return sqlplan.Write("QUO(@, @)", a, b) }

func (layout) Call(fn plan.Fn, args []sqlplan.Part) sqlplan.Part {
	name := map[plan.Fn]string{plan.Lower: "LOWER", plan.HasPart: "HAS_PART", plan.Keys: "KEYS", plan.Place: "PLACE"}[fn]
	return sqlplan.Write(name+"(@)", sqlplan.Join(args, ", "))
}

func (layout) Listed(column sqlplan.Part, list []sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("LISTED(@, @)", column, sqlplan.Join(list, ", "))
}

func (layout) Max(of, when sqlplan.Part) sqlplan.Part { return sqlplan.Write("MAX(@)@", of, when) }
func (layout) Min(of, when sqlplan.Part) sqlplan.Part { return sqlplan.Write("MIN(@)@", of, when) }

func (layout) Rank(of, when sqlplan.Part, share int, shares []int) sqlplan.Part {
	return sqlplan.Write(fmt.Sprintf("RANK(@, %d of %v)@", share, shares), of, when)
}

func (layout) AtMost(rows sqlplan.Part, most int64) sqlplan.Part {
	return sqlplan.Write(fmt.Sprintf("AT_MOST(%d, @)", most), rows)
}

func (layout) Every(condition, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("EVERY(@)@", condition, when)
}

func (layout) SumPart(of sqlplan.Typed, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("SUM_PART(@)@", of.Part, when)
}

func (layout) SumWhole(of, when sqlplan.Part) sqlplan.Part {
	return sqlplan.Write("SUM_WHOLE(@)@", of, when)
}
