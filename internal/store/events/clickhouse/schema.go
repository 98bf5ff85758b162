// Package clickhouse lays rows out for ClickHouse: one table of each kind for all apps, and plans compiled to its
// SQL. Properties of events lie in the slots that the schema of their app gives them, as in every
// event store.
package clickhouse

import (
	"fmt"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// tableNames are the tables, which hold the rows of all apps.
var tableNames = map[plan.Table]string{plan.Events: "events", plan.Requests: "requests", plan.States: "states", plan.Users: "users"}

// sorting is the order of rows in a table. An app and what it is asked for most come first.
var sorting = map[plan.Table]string{plan.Events: "app, e, ts, off, item", plan.Requests: "app, ts, off, item", plan.States: "app, state", plan.Users: "app, uid"}

// Schema returns the statements that make the tables.
func Schema() []string {
	var out []string
	for _, t := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		engine := "MergeTree"
		columns := []string{"app LowCardinality(String)"}
		for _, c := range plan.Columns(t) {
			columns = append(columns, quote(c.Name)+" "+typeOf(t, c))
		}
		switch t {
		case plan.Events:
			for i := range schema.TextSlots {
				columns = append(columns, fmt.Sprintf("s%d LowCardinality(Nullable(String))", i+1))
			}
			for i := range schema.NumberSlots {
				columns = append(columns, fmt.Sprintf("n%d Nullable(Float64)", i+1))
			}
		case plan.Users: // the row that was written last counts
			engine = "ReplacingMergeTree(version)"
			columns = append(columns, "version UInt64")
		case plan.Requests, plan.States:
		}
		out = append(out, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s) ENGINE = %s ORDER BY (%s)", tableNames[t], strings.Join(columns, ", "), engine, sorting[t]))
	}
	return out
}

// few are columns of few different texts.
var few = func() map[plan.Column]bool {
	out := map[plan.Column]bool{plan.Ev("e"): true, plan.Ev("n"): true}
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; !d.Many {
			out[plan.Us(d.Key)] = true
		}
	}
	return out
}()

func typeOf(t plan.Table, c plan.Defined) string {
	typ := map[filter.Type]string{filter.Text: "String", filter.Number: "Float64", filter.Integer: "Int64", filter.Bool: "Bool"}[c.Type]
	if c.Nullable {
		typ = "Nullable(" + typ + ")"
	}
	if few[plan.Column{Of: t, Name: c.Name}] {
		typ = "LowCardinality(" + typ + ")"
	}
	return typ
}

func quote(name string) string { return "`" + name + "`" }

// TableName is the name of a table.
func TableName(t plan.Table) string { return tableNames[t] }
