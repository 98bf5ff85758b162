package sqlplan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
	"quipu/internal/store/schema"
	"quipu/internal/testkit/golden"
)

var (
	app   = model.AppID{0xab}
	text1 = schema.Slot{Kind: schema.Text, Index: 1}
	num2  = schema.Slot{Kind: schema.Number, Index: 2}
	inDoc = schema.Slot{Kind: schema.JSON}
	// country is kept apart, name is not.
	country = plan.Member{Of: plan.St("props"), Path: []string{"up.cc"}}
	name    = plan.Member{Of: plan.St("props"), Path: []string{"up.name"}}
	rows    = plan.Agg{Fn: plan.Count}
	people  = plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}
)

func equal(e plan.Expr, v any) plan.Expr { return plan.Do(plan.Eq, e, plan.Is(v)) }

func setOf(users ...uint32) *plan.Set { return plan.NewSet(roaring.BitmapOf(users...)) }

// filtered is a filter over the events' name, number and country.
func filtered(t *testing.T, text string) plan.Expr {
	t.Helper()
	f, err := filter.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Matching(f, func(path string) (plan.Typed, bool) {
		typed, ok := map[string]plan.Typed{
			"n": {Expr: plan.Ev("n"), Type: filter.Text}, "c": {Expr: plan.Ev("c"), Type: filter.Integer}, "cc": {Expr: country, Type: filter.JSON},
			"sg.what": {Expr: plan.Segment{Name: "what", Type: filter.Text, In: []plan.Placed{{Event: "it's", Slot: text1}}}, Type: filter.Text},
			"chr":     {Expr: plan.Lists{Of: plan.Ev("uid"), Sets: []plan.Valued{{Value: "c1", Set: setOf(3, 5)}}}, Type: filter.List},
		}[path]
		return typed, ok
	})
}

// statement is a plan with its name.
type statement struct {
	name  string
	query plan.Query
}

func statements(t *testing.T) []statement {
	t.Helper()
	what := plan.Segment{Name: "what", Type: filter.Text, In: []plan.Placed{{Event: "it's", Slot: text1}, {Event: "[CLY]_view", Slot: inDoc}}}
	mixed := plan.Segment{Name: "mixed", Type: filter.JSON, In: []plan.Placed{{Event: "buy", Slot: inDoc, Was: text1}, {Event: "sell", Slot: num2}, {Event: "\x00", Slot: num2}}}
	byName := plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n"), rows, people}, Order: []plan.Order{{By: people, Desc: true}, {By: plan.Ev("n")}}, Limit: 2, Offset: 1}
	with := func(q plan.Query, change func(*plan.Query)) plan.Query {
		change(&q)
		return q
	}
	return []statement{
		{"all rows of a table of the app's own", plan.Query{From: plan.Users, Select: []plan.Expr{plan.Us("uid"), plan.Us("cc")}}},
		{"columns of the row's user and state", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Us("cc"), plan.Do(plan.Text, name)}, Where: equal(plan.Ev("c"), 1)}},
		{"the last state of a request's user", plan.Query{From: plan.Requests, Select: []plan.Expr{plan.Do(plan.Number, name)}}},
		{"a member that is kept apart, and one that is not", plan.Query{From: plan.States, Select: []plan.Expr{plan.Do(plan.Text, country), plan.Do(plan.Text, name), plan.Do(plan.IsNull, name)}}},
		{"a member of requests is not kept apart", plan.Query{From: plan.Requests, Select: []plan.Expr{plan.Do(plan.Text, country)}}},
		{"a property in the slots of its events", plan.Query{From: plan.Events, Select: []plan.Expr{what}}},
		{"a property of mixed type, with an event that no statement can name", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Do(plan.Text, mixed)}}},
		{"a property of no event", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Segment{Name: "none", Type: filter.Text}}}},
		{"slots by themselves", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Slot{Slot: text1}, plan.Slot{Slot: num2}, plan.Slot{Slot: inDoc, Name: "mixed"}}}},
		{"literals, of which texts and fractions are arguments", plan.Query{
			From: plan.Users, Select: []plan.Expr{plan.Is(nil), plan.Is(true), plan.Is(-3)}, Where: plan.Any(equal(plan.Us("name"), "it's"), plan.Do(plan.Gt, plan.Us("sd"), plan.Is(0.5))),
		}},
		{"logic of nothing", plan.Query{From: plan.Users, Select: []plan.Expr{plan.Us("uid")}, Where: plan.Do(plan.Not, plan.Any(plan.All(), plan.Any()))}},
		{"arithmetic: columns are widened", plan.Query{From: plan.Events, Select: []plan.Expr{
			plan.Do(plan.Add, plan.Ev("c"), plan.Is(1)), plan.Do(plan.Div, plan.Ev("ts"), plan.Is(60)), plan.Do(plan.Mul, plan.Ev("s"), plan.Ev("dur")), plan.Do(plan.Per, plan.Ev("s"), plan.Ev("c")),
		}}},
		{"texts", plan.Query{From: plan.Events, Select: []plan.Expr{
			plan.Do(plan.Concat, plan.Ev("n"), plan.Is("-"), plan.Ev("c")), plan.Do(plan.Lower, plan.Ev("n")), plan.Do(plan.Place, plan.Ev("n"), plan.Is("a"), plan.Is("b")),
		}}},
		{"few texts, one, none, and numbers", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("off")}, Where: plan.All(
			plan.OneOf(plan.Ev("n"), []string{"a", "b"}), plan.OneOf(plan.Ev("n"), []string{"a"}), plan.OneOf(plan.Ev("c"), []int64{1, 2}), plan.OneOf(plan.Ev("c"), []int64{}),
		)}},
		{"a query in a condition", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("off")}, Where: plan.Among{
			Of: plan.Ev("state"), Query: &plan.Query{App: app, From: plan.States, Select: []plan.Expr{plan.St("state")}, Where: filtered(t, `{"cc":"DE"}`)},
		}}},
		{"a filter: paths are written in, operands are arguments", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("off")}, Where: filtered(t, `{"sg.what":"x","c":{"$gt":1},"nothing":1,"chr":"c1"}`)}},
		{"few users, many, none", plan.Query{From: plan.Users, Select: []plan.Expr{
			plan.InSet{Of: plan.Us("uid"), Set: setOf(1, 2)}, plan.InSet{Of: plan.Us("uid"), Set: plan.NewSet(roaring.FlipInt(roaring.New(), 1, 66))}, plan.InSet{Of: plan.Us("uid"), Set: setOf()},
		}}},
		{"keys of objects", plan.Query{From: plan.Users, Select: []plan.Expr{plan.Do(plan.Keys, plan.Us("custom"))}, Distinct: true, Order: []plan.Order{{By: plan.Do(plan.Keys, plan.Us("custom"))}}}},
		{"an order by what is selected, and by what is not", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n")}, Order: []plan.Order{{By: plan.Ev("n"), Desc: true}, {By: plan.Ev("ts")}}}},
		{"aggregates of all rows", plan.Query{From: plan.Events, Select: []plan.Expr{
			rows, plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")}, plan.Agg{Fn: plan.Sum, Of: plan.Ev("s"), When: equal(plan.Ev("c"), 1)}, plan.Agg{Fn: plan.Every, Of: equal(plan.Ev("n"), "x")},
		}}},
		{"ranks of the same values know of each other", plan.Query{From: plan.Events, Select: []plan.Expr{
			plan.Agg{Fn: plan.Rank, Of: plan.Ev("s"), Share: 9500}, plan.Agg{Fn: plan.Rank, Of: plan.Ev("s"), Share: 5000}, plan.Agg{Fn: plan.Rank, Of: plan.Ev("dur"), Share: 5000},
		}}},
		{"groups without users", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n"), rows, plan.Agg{Fn: plan.Groups}}, Having: plan.Do(plan.Gt, rows, plan.Is(3))}},
		{"groups and all rows", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n"), rows}, Whole: true, Order: []plan.Order{{By: plan.Ev("n")}}}},
		{"users in groups", byName},
		{"users in groups, and of all rows", with(byName, func(q *plan.Query) { q.Whole = true })},
		{"groups by what is known of states alone", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Do(plan.Text, name), people}, Where: equal(plan.Ev("n"), "x")}},
		{"two kinds of units are not gathered", plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n"), people, plan.Agg{Fn: plan.Distinct, Of: plan.Ev("session")}}}},
		{"details of groups", with(byName, func(q *plan.Query) { q.Detail = &plan.Detail{Whole: true, By: plan.Ev("hour"), Rest: true} })},
		{"a bound of rows", with(byName, func(q *plan.Query) { q.Most = &plan.Most{Rows: 9, When: equal(plan.Ev("c"), 1)} })},
	}
}

// TestStatements has the SQL of plans: for a layout that can gather rows and has grouping sets, and, where it differs, for one that has neither.
func TestStatements(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, s := range statements(t) {
		s.query.App = app
		fmt.Fprintf(&b, "-- %s\n-- %s\n", s.name, &s.query)
		full := compiled(t, s, layout{sets: true, gathers: true})
		b.WriteString(full)
		if bare := compiled(t, s, layout{}); bare != full {
			b.WriteString("-- or\n" + bare)
		}
		b.WriteByte('\n')
	}
	golden.File(t, "testdata/statements.sql", []byte(b.String()))
}

// compiled is a statement with its arguments.
func compiled(t *testing.T, s statement, l layout) string {
	t.Helper()
	text, args, err := sqlplan.Compile(l, &s.query)
	if err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
	if n := strings.Count(text, "?"); n != len(args) {
		t.Errorf("%s: %d arguments for %d placeholders in %s", s.name, len(args), n, text)
	}
	out := text + "\n"
	for _, a := range args {
		out += fmt.Sprintf("-- ? = %#v\n", a)
	}
	return out
}

// TestFaults has plans that cannot be compiled.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]*plan.Query{
		"no table":                           {Select: []plan.Expr{plan.Ev("c")}},
		"nothing selected":                   {From: plan.Events},
		"no such column":                     {From: plan.Events, Select: []plan.Expr{plan.Ev("nonsense")}},
		"a column of events, of users":       {From: plan.Users, Select: []plan.Expr{plan.Ev("c")}},
		"a user of a request":                {From: plan.Requests, Select: []plan.Expr{plan.Us("cc")}},
		"too few arguments":                  {From: plan.Events, Select: []plan.Expr{plan.Do(plan.Eq, plan.Ev("c"))}},
		"too many arguments":                 {From: plan.Events, Select: []plan.Expr{plan.Do(plan.Not, plan.Ev("c"), plan.Ev("c"))}},
		"a place among nothing":              {From: plan.Events, Select: []plan.Expr{plan.Do(plan.Place, plan.Ev("n"))}},
		"no such function":                   {From: plan.Events, Select: []plan.Expr{plan.Do(99, plan.Ev("n"))}},
		"no such literal":                    {From: plan.Events, Select: []plan.Expr{plan.Literal{Value: []int{1}}}},
		"an aggregate of nothing":            {From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Sum}}},
		"a rank without a share":             {From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Rank, Of: plan.Ev("c")}}},
		"a rank beyond all":                  {From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Rank, Of: plan.Ev("c"), Share: 10_001}}},
		"cohorts that were not looked up":    {From: plan.Events, Select: []plan.Expr{plan.Ev("c")}, Where: plan.InSet{Of: plan.Ev("uid"), ID: "c1"}},
		"details without groups":             {From: plan.Events, Select: []plan.Expr{rows}, Detail: &plan.Detail{Whole: true}},
		"details of groups and all rows":     {From: plan.Events, Select: []plan.Expr{plan.Ev("n"), rows}, Whole: true, Detail: &plan.Detail{Whole: true}},
		"a bound of a query without figures": {From: plan.Events, Select: []plan.Expr{plan.Ev("c")}, Most: &plan.Most{Rows: 1}},
	} {
		for _, l := range []layout{{sets: true, gathers: true}, {}} {
			if text, _, err := sqlplan.Compile(l, q); !errors.Is(err, sqlplan.ErrPlan) {
				t.Errorf("%s: %v, %s", name, err, text)
			}
		}
	}
}

// TestAlike has plans that many apps can be asked at once, and those that they cannot.
func TestAlike(t *testing.T) {
	t.Parallel()
	base := plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n"), rows}, Where: equal(plan.Ev("c"), 1)}
	for name, change := range map[string]func(q *plan.Query){
		"distinct rows": func(q *plan.Query) { q.Distinct = true },
		"some groups":   func(q *plan.Query) { q.Having = plan.Do(plan.Gt, rows, plan.Is(1)) },
		"all rows":      func(q *plan.Query) { q.Whole = true },
		"details":       func(q *plan.Query) { q.Detail = &plan.Detail{Whole: true} },
		"a bound":       func(q *plan.Query) { q.Most = &plan.Most{Rows: 1} },
		"an order":      func(q *plan.Query) { q.Order = []plan.Order{{By: rows}} },
		"a limit":       func(q *plan.Query) { q.Limit = 1 },
		"an offset":     func(q *plan.Query) { q.Offset = 1 },
		"a query":       func(q *plan.Query) { q.Where = plan.Among{Of: plan.Ev("uid"), Query: &base} },
		"how many":      func(q *plan.Query) { q.Select = append(q.Select, plan.Agg{Fn: plan.Groups}) },
	} {
		q := base
		if err := sqlplan.Alike(&q); err != nil {
			t.Fatalf("groups of rows: %v", err)
		}
		change(&q)
		if err := sqlplan.Alike(&q); !errors.Is(err, sqlplan.ErrPlan) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestParts puts parts together: their arguments stay in the order of their placeholders.
func TestParts(t *testing.T) {
	t.Parallel()
	a, b := sqlplan.Part{SQL: "f(?)", Args: []any{1}}, sqlplan.Part{SQL: "? + ?", Args: []any{2, 3}}
	got := sqlplan.Write("@ OR @ OR @", b, a, sqlplan.Join([]sqlplan.Part{a, sqlplan.Raw("x"), b}, ", "))
	if want := "? + ? OR f(?) OR f(?), x, ? + ?"; got.SQL != want || fmt.Sprint(got.Args) != "[2 3 1 1 2 3]" {
		t.Errorf("got %s %v, want %s", got.SQL, got.Args, want)
	}
	if !(sqlplan.Part{}).Empty() || a.Empty() {
		t.Error("what is empty is not told from what is not")
	}
}

// TestSlotColumn has slots with and without a column.
func TestSlotColumn(t *testing.T) {
	t.Parallel()
	for slot, want := range map[schema.Slot]string{
		text1: "s1", num2: "n2", inDoc: "", {}: "",
		{Kind: schema.Text, Index: schema.TextSlots}: "s16", {Kind: schema.Text, Index: schema.TextSlots + 1}: "", {Kind: schema.Text}: "",
		{Kind: schema.Number, Index: schema.NumberSlots}: "n8", {Kind: schema.Number, Index: schema.NumberSlots + 1}: "",
	} {
		if got := sqlplan.SlotColumn(slot); got != want {
			t.Errorf("the column of %v is %q, want %q", slot, got, want)
		}
	}
}
