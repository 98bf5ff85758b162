// Package clickhouse is the event store in ClickHouse, for a cluster: one table of each kind for all apps, and plans compiled to its
// SQL. Properties of events lie in the slots that the schema of their app gives them, as in every event store.
//
// ClickHouse has no transactions. What a commit is about to send is noted in a Ledger, which the state keeps, before it is sent; the blocks have names
// made of what is noted, and ClickHouse drops a block whose name it knows. So a commit that died is done again, and what it had sent already does
// not come in twice. Users, merges and apps are rows with versions, of which the last counts. docs/format/events-clickhouse.md describes the tables.
package clickhouse

import (
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// tableNames are the tables, which hold the rows of all apps.
var tableNames = map[plan.Table]string{plan.Events: "events", plan.Requests: "requests", plan.States: "states", plan.Users: "users"}

// sorting is the order of rows in a table. An app and what it is asked for most come first.
var sorting = map[plan.Table]string{plan.Events: "app, e, ts, off, item", plan.Requests: "app, ts, off, item", plan.States: "app, state", plan.Users: "app, uid"}

// The tables that no plan reads: the version of the tables and the state that they belong to, the apps that have rows, and the users that were merged
// into others whose rows are not rewritten yet.
const (
	formatTable = "format"
	appsTable   = "apps"
	mergedTable = "merged"
)

// identity holds the name of the state whose rows these are.
const identityTable = "identity"

// ofUser is what rows are spread over shards by: those of a user lie together.
const ofUser = "app, uid"

// Schema returns the statements that make the tables. With durable, rows are on the disk when an insert is answered.
func Schema(at ch.Place, durable bool) []string {
	const versioned = "version UInt64, gone UInt8"
	make := func(table, columns, engine, order, by string) []string {
		return at.Make(ch.Table{Name: table, Columns: columns, Engine: engine, Order: order, By: by, Durable: durable})
	}
	replacing := "ReplacingMergeTree(version, gone)" // of rows with the same key the last one counts, unless it says that they are gone
	out := slices.Concat(
		make(formatTable, "version UInt64", "MergeTree", "version", ""),
		make(identityTable, "state String", "MergeTree", "state", ""),
		make(appsTable, "app String, "+versioned, replacing, "app", ""),
		make(mergedTable, "app LowCardinality(String), old Int64, new Int64, "+versioned, replacing, "app, old", ""),
	)
	for _, t := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		engine := "MergeTree"
		columns := []string{"app LowCardinality(String)"}
		for _, c := range definedIn(t) {
			columns = append(columns, quote(c.Name)+" "+typeOf(t, c))
		}
		if t == plan.Users {
			engine, columns = replacing, append(columns, versioned)
		} else { // what was sent together lies together
			columns = append(columns, "INDEX places off TYPE minmax GRANULARITY 1")
		}
		out = append(out, make(tableNames[t], strings.Join(columns, ", "), engine, sorting[t], ofUser)...)
	}
	return out
}

// definedIn lists the columns of a table, those of slots included.
func definedIn(t plan.Table) []plan.Defined {
	columns := plan.Columns(t)
	if t != plan.Events {
		return columns
	}
	for i := range schema.TextSlots {
		columns = append(columns, plan.Defined{Name: fmt.Sprintf("s%d", i+1), Type: filter.Text, Nullable: true})
	}
	for i := range schema.NumberSlots {
		columns = append(columns, plan.Defined{Name: fmt.Sprintf("n%d", i+1), Type: filter.Number, Nullable: true})
	}
	return columns
}

// steps make and migrate the tables. A step that was released does not change.
func steps(at ch.Place, durable bool) []ch.Step {
	return []ch.Step{{What: "make the tables of event rows", SQL: Schema(at, durable)}}
}

// names lists the tables.
func names() []string {
	out := []string{identityTable, appsTable, mergedTable}
	for _, t := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		out = append(out, tableNames[t])
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
	for i := range schema.TextSlots {
		out[plan.Ev(fmt.Sprintf("s%d", i+1))] = true
	}
	return out
}()

// plainType is the type of a column's values.
func plainType(c plan.Defined) string {
	typ := map[filter.Type]string{filter.Text: "String", filter.Number: "Float64", filter.Integer: "Int64", filter.Bool: "Bool"}[c.Type]
	if c.Nullable {
		typ = "Nullable(" + typ + ")"
	}
	return typ
}

// typeOf is the type with which a column is made.
func typeOf(t plan.Table, c plan.Defined) string {
	typ := plainType(c)
	if few[plan.Column{Of: t, Name: c.Name}] {
		typ = "LowCardinality(" + typ + ")"
	}
	return typ
}

func quote(name string) string { return "`" + name + "`" }

// TableName is the name of a table.
func TableName(t plan.Table) string { return tableNames[t] }
