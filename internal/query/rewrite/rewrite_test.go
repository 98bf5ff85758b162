package rewrite_test

import (
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// TestWalkRewrites runs random plans before and after.
func TestWalkRewrites(t *testing.T) {
	t.Parallel()
	eventstest.Rewrites(t, 600, rewrite.Query)
}

// TestKnown: what a condition says of every row is not looked at once more.
func TestKnown(t *testing.T) {
	t.Parallel()
	eq := func(name, v string) plan.Expr { return plan.Do(plan.Eq, plan.Ev(name), plan.Is(v)) }
	of := plan.Do(plan.If, plan.All(eq("e", "[CLY]_custom"), eq("n", "a")), plan.Is(1), plan.Do(plan.If, plan.All(eq("e", "[CLY]_view"), eq("n", "a")), plan.Is(2), plan.Is(0)))
	q := &plan.Query{From: plan.Events, Where: plan.All(eq("e", "[CLY]_custom"), plan.OneOf(plan.Ev("n"), []string{"a", "b"})), Select: []plan.Expr{of}}
	before := q.String()
	const want = `from events where ((events.e = "[CLY]_custom") and (events.n in ["a", "b"])) select if(((events.n = "a")), 1, if(((events.e = "[CLY]_view") and (events.n = "a")), 2, 0))`
	if got := rewrite.Query(q).String(); got != want || q.String() != before {
		t.Errorf("got  %s\nwant %s\nof   %s", got, want, q)
	}
}

// TestQuery has plans and what becomes of them.
func TestQuery(t *testing.T) {
	t.Parallel()
	what := plan.Segment{Name: "what", Type: filter.Text, In: []plan.Placed{
		{Event: "buy", Slot: schema.Slot{Kind: schema.Text, Index: 1}},
		{Event: "sell", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Event: "[CLY]_view", Slot: schema.Slot{Kind: schema.Text, Index: 3}},
	}}
	filtered := func(text string) plan.Expr {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Matching(f, func(path string) (plan.Typed, bool) {
			switch path {
			case "ts":
				return plan.Typed{Expr: plan.Ev("ts"), Type: filter.Integer}, true
			case "sg.what":
				return plan.Typed{Expr: what, Type: filter.Text}, true
			case "up.cc":
				return plan.Typed{Expr: plan.Member{Of: plan.St("props"), Path: []string{"up.cc"}}, Type: filter.JSON}, true
			}
			return plan.Typed{Expr: plan.Ev(path), Type: filter.Text}, true
		})
	}
	eq := func(e plan.Expr, v any) plan.Expr { return plan.Do(plan.Eq, e, plan.Is(v)) }
	nothing := plan.Do(plan.Coalesce, plan.Do(plan.Text, plan.Is(nil)), plan.Is(""))
	for name, c := range map[string]struct {
		where plan.Expr
		want  string
		in    []string // the events in which the property is looked for
	}{
		"nothing":               {nil, "", []string{"buy", "sell", "[CLY]_view"}},
		"always":                {plan.All(plan.Any(), plan.Any(eq(plan.Ev("c"), 1), plan.All())), "where false ", nil},
		"true":                  {plan.Any(eq(plan.Ev("c"), 1), plan.Do(plan.Not, plan.OneOf(plan.Ev("c"), []int64{}))), "", nil},
		"absent":                {plan.Any(eq(plan.Ev("c"), 1), eq(plan.Is(nil), 1), plan.Do(plan.IsNull, plan.Is(1))), "where (events.c = 1) ", nil},
		"a property not known":  {plan.All(eq(plan.Ev("c"), 1), eq(nothing, "")), "where (events.c = 1) ", nil},
		"among":                 {plan.All(eq(plan.Ev("c"), 1), plan.OneOf(nothing, []string{"x", "y"})), "where false ", nil},
		"nested":                {plan.All(plan.All(eq(plan.Ev("c"), 1), plan.All(eq(plan.Ev("s"), 2))), eq(plan.Ev("dur"), 3)), "where ((events.c = 1) and (events.s = 2) and (events.dur = 3)) ", nil},
		"a column is kept":      {plan.Do(plan.Not, eq(plan.Ev("n"), "x")), "where not((events.n = \"x\")) ", []string{"buy", "sell", "[CLY]_view"}},
		"of a key":              {eq(plan.Ev("e"), "[CLY]_view"), "where (events.e = \"[CLY]_view\") ", []string{"slot(s3)"}},
		"of an event":           {plan.All(eq(plan.Ev("e"), "[CLY]_custom"), eq(plan.Ev("n"), "buy")), "", []string{"slot(s1)"}},
		"of a name":             {plan.OneOf(plan.Ev("n"), []string{"sell"}), "", []string{"sell", "[CLY]_view"}},
		"either event":          {plan.Any(eq(plan.Ev("n"), "buy"), eq(plan.Ev("c"), 1)), "", []string{"buy", "sell", "[CLY]_view"}},
		"of a filter":           {filtered(`{"e":"[CLY]_custom","n":{"$in":["buy","x"]}}`), "", []string{"buy"}},
		"of no event":           {filtered(`{"e":"[CLY]_crash","sg.what":"x"}`), `where filter({"e":"[CLY]_crash","sg.what":"x"}; e = events.e) `, []string{}},
		"times of a filter":     {filtered(`{"ts":{"$gte":5,"$lt":9.5}}`), `where (filter({"$and":[{"ts":{"$gte":5}},{"ts":{"$lt":9.5}}]}; ts = events.ts) and (events.ts >= 5) and (events.ts <= 9)) `, nil},
		"times of either":       {filtered(`{"$or":[{"ts":{"$gt":5}},{"n":"x"}]}`), "", nil},
		"of a state":            {plan.All(eq(plan.Ev("c"), 1), filtered(`{"up.cc":"DE"}`)), `where ((events.c = 1) and (events.state in (from states where filter({"up.cc":"DE"}; up.cc = states.props."up.cc") select states.state))) `, nil},
		"of a state or none":    {filtered(`{"up.cc":{"$ne":"DE"}}`), `where filter({"up.cc":{"$ne":"DE"}}; up.cc = states.props."up.cc") `, nil},
		"of a state and more":   {filtered(`{"$or":[{"up.cc":"DE"},{"n":"x"}]}`), `where filter({"$or":[{"up.cc":"DE"},{"n":"x"}]}; n = events.n, up.cc = states.props."up.cc") `, nil},
		"a query among queries": {plan.Among{Of: plan.Ev("uid"), Query: &plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("uid")}, Where: plan.All(plan.All(), eq(nothing, "x"))}}, "where (events.uid in (from events where false select events.uid)) ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := &plan.Query{From: plan.Events, Where: c.where, Select: []plan.Expr{what}}
			before := q.String()
			got := rewrite.Query(q)
			if q.String() != before || len(what.In) != 3 {
				t.Errorf("the plan was changed to %s", q)
			}
			of := `property("what")`
			if _, ok := got.Select[0].(plan.Slot); ok {
				of = c.in[0]
			}
			if want := "from events " + c.want + "select " + of; c.want != "" && got.String() != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if name == "true" && got.Where != nil {
				t.Errorf("the condition is %s", got)
			}
			if c.in == nil {
				return
			}
			seen := []string{}
			switch s := got.Select[0].(type) {
			case plan.Segment:
				for _, p := range s.In {
					seen = append(seen, p.Event)
				}
			case plan.Slot:
				seen = append(seen, strings.TrimPrefix((&plan.Query{From: plan.Events, Select: []plan.Expr{s}}).String(), "from events select "))
			}
			if len(seen) != len(c.in) {
				t.Fatalf("looked for in %q, want %q", seen, c.in)
			}
			for i := range seen {
				if seen[i] != c.in[i] {
					t.Errorf("looked for in %q, want %q", seen, c.in)
				}
			}
		})
	}
}
