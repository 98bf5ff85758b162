package plan_test

import (
	"context"
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// TestText has the texts of queries.
func TestText(t *testing.T) {
	t.Parallel()
	f, err := filter.Parse(`{"n":"buy"}`)
	if err != nil {
		t.Fatal(err)
	}
	many := make([]int64, 23)
	name := func(string) (plan.Typed, bool) { return plan.Typed{Expr: plan.Ev("n"), Type: filter.Text}, true }
	for want, q := range map[string]plan.Query{
		`from events where (events.ts >= 1 and filter({"n":"buy"}; n = events.n)) select events.e, count(*), sum(events.c) when not(absent(users.did)) having (count(*) > 2) order by events.e desc, count(*) limit 5 offset 2`: {
			From: plan.Events, Where: plan.All(plan.Do(plan.Ge, plan.Ev("ts"), plan.Is(1)), plan.Matching(f, name)),
			Select: []plan.Expr{plan.Ev("e"), plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Sum, Of: plan.Ev("c"), When: plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Us("did")))}},
			Having: plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(2)), Order: []plan.Order{{By: plan.Ev("e"), Desc: true}, {By: plan.Agg{Fn: plan.Count}}}, Limit: 5, Offset: 2,
		},
		`from users where ((users.uid in [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 3 more]) or (users.uid in (from events select distinct events.uid))) select users.custom."a.b", null, "it's", slot(s3), slot("x"), properties, property("p\n"), true`: {
			From: plan.Users, Where: plan.Any(plan.OneOf(plan.Us("uid"), many), plan.Among{Of: plan.Us("uid"), Query: &plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("uid")}, Distinct: true}}),
			Select: []plan.Expr{
				plan.Member{Of: plan.Us("custom"), Path: []string{"a", "b"}},
				plan.Is(nil), plan.Is("it's"),
				plan.Slot{Slot: schema.Slot{Kind: schema.Text, Index: 3}},
				plan.InRest("x"),
				plan.Rest{},
				plan.Segment{Name: "p\n"},
				plan.All(),
			},
		},
	} {
		want = strings.Replace(want, "(events.ts >= 1 and", "((events.ts >= 1) and", 1)
		if got := q.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestTrace records no more than it has room for.
func TestTrace(t *testing.T) {
	t.Parallel()
	if plan.TraceOf(context.Background()) != nil {
		t.Error("a context without a trace has one")
	}
	ctx, trace := plan.Traced(context.Background())
	long := strings.Repeat("x", 1<<20)
	for range 130 {
		plan.TraceOf(ctx).Add(plan.Statement{SQL: long, Args: append(make([]any, 500), long)})
	}
	list, omitted := trace.Statements()
	if len(list) != 100 || omitted != 30 || len(list[0].SQL) > 9<<10 || len(list[0].Args) != 100 {
		t.Errorf("%d statements, %d omitted, %d bytes, %d arguments", len(list), omitted, len(list[0].SQL), len(list[0].Args))
	}
}
