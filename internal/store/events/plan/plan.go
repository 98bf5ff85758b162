// Package plan holds queries over the rows of one app as values: what is read, under which
// condition, grouped and ordered how. Package query builds them, an event store compiles them to
// its own SQL. A plan knows no table name, no slot's column and no function of a database.
//
// Conditions have two values: a comparison with an absent value (NULL) is false, and Not makes it
// true. Values of JSON are used through Text, Number, IsNull and Filter only; JSON null is absent.
package plan

import (
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// Table is one of the logical tables of an app, whose columns docs/format/events.md lists.
type Table uint8

// The tables.
const (
	Events   Table = iota + 1 // one row an event
	Requests                  // one row a request
	States                    // what was known of a user from some event on
	Users                     // one row a user
)

// Query reads one table of an app. In a query over Events, columns of Users and States are those of the
// row's user and state, absent when there is none. In a query over Requests, props of States is that of the last
// state of the row's user that came no later than the row's record, absent when there is none; other columns cannot be used.
type Query struct {
	App  model.AppID
	From Table
	// Where selects rows; nil = all.
	Where Expr
	// Select lists what is returned for each row. If it holds an Agg, rows are grouped by all that
	// is not one; without rows, a query of nothing but aggregates returns one row.
	Select []Expr
	// Distinct leaves out rows that are equal.
	Distinct bool
	// Having selects groups; nil = all.
	Having Expr
	// Whole adds the group of all rows, in which what others are grouped by is absent, even if there are no rows. Only where
	// rows are grouped by something that is no Literal; without Groups, ordered by nothing that is not selected, and of one app at a time.
	Whole bool
	Order []Order
	// Detail adds rows about other groups than those of the result; nil = none.
	Detail *Detail
	// Limit is how many rows are returned at most, after the first Offset; 0 = no limit.
	Limit, Offset int
	// Most bounds the rows of which aggregates are computed; nil = any number. Only in queries with aggregates, and of one app at a time.
	Most *Most
}

// Most is a bound: a query that looks at more rows fails with events.ErrTooMany, before it computes anything of them.
type Most struct {
	Rows int64
	When Expr // which rows count; nil = all that Where selects
}

// Detail adds rows to those of a query that groups rows by something that is no Literal, and is not Whole. Two columns come behind those of Select: the Part that a row
// is of, and what By is there. What is selected and is no aggregate is absent in rows of other parts than PartPage and PartPageBy, and Groups is 0 in all but those of PartPage.
// Neither Having nor Limit apply to other parts than PartPage. Rows are in the order of parts, then of By, then of the page.
type Detail struct {
	Whole bool // the group of all rows, even if there are none
	By    Expr // what each group of the page, and with Rest the rest, is cut by as well; nil = nothing
	Rest  bool // the group of all rows that are of no group of the page, even if there are none
}

// Part says what a row of a query with Detail is about.
type Part int

// The parts.
const (
	PartPage   Part = iota // a group of the result: what there would be without Detail
	PartAll                // all rows
	PartPageBy             // a group of the page for one value of By
	PartRest               // all rows of no group of the page
	PartRestBy             // those for one value of By
)

// Order is one criterion of an order. Absent values come last.
type Order struct {
	By   Expr
	Desc bool
}

// Expr is a value of each row, or a condition: Column, Member, Segment, Literal, Call, In, Among, InSet, Lists,
// Filter or Agg.
type Expr interface{ expr() }

// Column is a column of a table.
type Column struct {
	Of   Table
	Name string
}

// Member is the value at a path of keys in a column that holds a JSON object: JSON, absent where a key is
// missing.
type Member struct {
	Of   Column
	Path []string
}

// Segment is a property of events as the schema of the app places it. Its value has Type: Text or
// Number where all events agree, JSON otherwise.
type Segment struct {
	Name string
	Type filter.Type
	In   []Placed
}

// Placed is where the rows of one event key hold a segment: in Slot, and older rows in Was.
type Placed struct {
	Event     string
	Slot, Was schema.Slot
}

// Slot is the value that rows hold in one slot, whatever their event: of the slot's type, or, for the JSON
// slot, the text of its member Name.
type Slot struct {
	schema.Slot
	Name string
}

// Literal is a value: nil, bool, int64, float64 or string.
type Literal struct{ Value any }

// Fn is a function of Call.
type Fn uint8

// The functions, with the number of their arguments.
const (
	And      Fn = iota + 1 // any number; none is true
	Or                     // any number; none is false
	Not                    // 1
	Eq                     // 2
	Ne                     // 2
	Lt                     // 2
	Le                     // 2
	Gt                     // 2
	Ge                     // 2
	IsNull                 // 1: the value is absent
	Add                    // 2
	Sub                    // 2
	Mul                    // 2
	Div                    // 2: whole numbers, rounded down
	Quo                    // 2: whole numbers, rounded towards zero
	Mod                    // 2: whole numbers; has the sign of the first
	Concat                 // any number, as text; what is absent is ""
	Lower                  // 1
	HasPart                // 2: the first text contains the second
	Text                   // 1: the value as text; text in JSON without its quotes
	Number                 // 1: the value as a number, parsed if it is text; absent if that is no finite number
	Coalesce               // any number: the first that is not absent
	NullIf                 // 2: the first, absent if it equals the second
	If                     // 3: condition, value, other value
	Per                    // 2: the first divided by the second, both numbers of any kind; absent if the second is 0
	Keys                   // 1: the keys of a JSON object, a row for each
	Place                  // 2 or more texts: the place, from 1 on, of the first among the others, which differ; 0 if it is none of them or absent
)

// Call applies a function.
type Call struct {
	Fn   Fn
	Args []Expr
}

// In is the condition that a value is one of a list of string, int64, float64 or bool.
type In struct {
	Of     Expr
	Values []any
}

// Among is the condition that a value is one of those a query returns; Query selects one expression.
type Among struct {
	Of    Expr
	Query *Query
}

// InSet is the condition that a user's number, which is never absent, is in a set. With Set nil it is in that of the cohort ID,
// which package query looks up: no store knows cohorts.
type InSet struct {
	Of  Expr
	ID  string
	Set *Set
}

// Lists is what filters take for a list: the values of the sets that a user's number is in. It has no other use. With Sets nil it stands
// for cohorts, which package query looks up: the list holds their ids or, with ID, true where the user is in that one.
type Lists struct {
	Of   Expr
	ID   string
	Sets []Valued
}

// Valued is a value, string or bool, that the users of a set have.
type Valued struct {
	Value any
	Set   *Set
}

// Typed is an expression with the type that filters take it to have.
type Typed struct {
	Expr Expr
	Type filter.Type
}

// Filter is a filter's condition; Paths has the paths of the filter that rows may have values at.
type Filter struct {
	Filter filter.Expr
	Paths  map[string]Typed
}

// AggFn is a function of Agg.
type AggFn uint8

// The aggregates.
const (
	Count    AggFn = iota + 1 // of rows; Of is nil
	Distinct                  // how many different values there are
	Sum                       // 0 without rows
	Max                       // absent without rows
	Min                       // absent without rows
	Rank                      // the smallest value such that Share of the values are not larger; absent without rows
	Every                     // the condition Of holds of all rows
	Groups                    // how many rows the result has before Limit and Offset; Of and When are nil, and the query is not Distinct
)

// Agg computes one value of the rows of a group, of those that meet When; nil = all.
type Agg struct {
	Fn   AggFn
	Of   Expr
	When Expr
	// Share is that of Rank, in hundredths of a percent, 1 to 10,000: of a median, 5,000.
	Share int
}

func (Column) expr()  {}
func (Member) expr()  {}
func (Segment) expr() {}
func (Slot) expr()    {}
func (Literal) expr() {}
func (Call) expr()    {}
func (In) expr()      {}
func (Among) expr()   {}
func (Filter) expr()  {}
func (Agg) expr()     {}
func (Typed) expr()   {}
func (InSet) expr()   {}
func (Lists) expr()   {}

// Tables returns the tables that a query reads.
func (q *Query) Tables() map[Table]bool {
	out := map[Table]bool{q.From: true}
	q.Walk(func(e Expr) {
		switch e := e.(type) {
		case Column:
			out[e.Of] = true
		case Among:
			for t := range e.Query.Tables() {
				out[t] = true
			}
		default:
		}
	})
	return out
}

// Walk calls fn for every expression of q, each before its parts. It does not enter the queries of Among.
func (q *Query) Walk(fn func(Expr)) {
	for _, e := range q.Select {
		walk(e, fn)
	}
	for _, o := range q.Order {
		walk(o.By, fn)
	}
	walk(q.Where, fn)
	walk(q.Having, fn)
	if q.Detail != nil {
		walk(q.Detail.By, fn)
	}
	if q.Most != nil {
		walk(q.Most.When, fn)
	}
}

func walk(e Expr, fn func(Expr)) {
	if e == nil {
		return
	}
	fn(e)
	switch e := e.(type) {
	case Member:
		walk(e.Of, fn)
	case Call:
		for _, a := range e.Args {
			walk(a, fn)
		}
	case In:
		walk(e.Of, fn)
	case Among:
		walk(e.Of, fn)
	case Typed:
		walk(e.Expr, fn)
	case InSet:
		walk(e.Of, fn)
	case Lists:
		walk(e.Of, fn)
	case Filter:
		for _, t := range e.Paths {
			walk(t.Expr, fn)
		}
	case Agg:
		walk(e.Of, fn)
		walk(e.When, fn)
	default:
	}
}
