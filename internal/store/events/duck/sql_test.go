package duck_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// TestStatements has the SQL of plans. What comes from clients is an argument, or quoted where a filter may
// repeat it.
func TestStatements(t *testing.T) {
	t.Parallel()
	app := model.AppID{0xab}
	const id = "ab0000000000000000000000"
	segment := plan.Segment{Name: "it's", Type: filter.JSON, In: []plan.Placed{
		{Event: "Buy", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Event: "[CLY]_view", Slot: schema.Slot{Kind: schema.JSON}, Was: schema.Slot{Kind: schema.Number, Index: 1}},
		{Event: "NUL\x00", Slot: schema.Slot{Kind: schema.JSON}},
	}}
	f, err := filter.Parse(`{"sg.x":{"$in":["'; DROP TABLE x; --"]}}`)
	if err != nil {
		t.Fatal(err)
	}
	count := []plan.Expr{plan.Agg{Fn: plan.Count}}
	tests := []struct {
		name string
		q    plan.Query
		want string
		args []any
	}{
		{
			"groups",
			plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("e"), plan.Agg{Fn: plan.Sum, Of: plan.Ev("s")}}, Where: plan.Between(plan.Ev("ts"), 1, 2)},
			`SELECT ev."e", coalesce(sum(ev."s"), 0) FROM "rows_ID" ev WHERE ((ev."ts" >= 1) AND (ev."ts" <= 2)) GROUP BY 1`, nil,
		},
		{
			"joins",
			plan.Query{From: plan.Events, Select: count, Where: plan.Any(plan.Do(plan.Eq, plan.Us("did"), plan.Is("a'b")), plan.Do(plan.IsNull, plan.Member{Of: plan.St("props"), Path: []string{"up.x/y"}}))},
			`SELECT count(*) FROM "rows_ID" ev LEFT JOIN "st_ID" st ON st.state = ev.state LEFT JOIN "u_ID" u ON u.uid = ev.uid WHERE ((u."did" = ?) OR (coalesce(json_type(json_extract(st."props"::JSON, '/up.x~1y')), 'NULL') = 'NULL'))`,
			[]any{"a'b"},
		},
		{
			"filter",
			plan.Query{From: plan.Events, Select: count, Where: plan.Matching(f, func(string) (plan.Typed, bool) { return plan.Typed{Expr: segment, Type: filter.Text}, true })},
			`SELECT count(*) FROM "rows_ID" ev WHERE (((CASE WHEN ev."e" = '[CLY]_custom' AND ev."n" = 'Buy' THEN to_json(ev.s2) WHEN ev."e" = '[CLY]_view' THEN coalesce(json_extract(ev.extra::JSON, '/it''s'), to_json(ev.n1)) END) IS NOT NULL AND (CASE WHEN ev."e" = '[CLY]_custom' AND ev."n" = 'Buy' THEN to_json(ev.s2) WHEN ev."e" = '[CLY]_view' THEN coalesce(json_extract(ev.extra::JSON, '/it''s'), to_json(ev.n1)) END) = ?))`,
			[]any{"'; DROP TABLE x; --"},
		},
		{
			"nothing of what is absent",
			plan.Query{From: plan.Users, Select: count, Where: plan.Do(plan.Not, plan.Do(plan.Eq, plan.Us("cc"), plan.Is("DE")))},
			`SELECT count(*) FROM "u_ID" u WHERE (NOT coalesce((u."cc" = ?), FALSE))`,
			[]any{"DE"},
		},
		{
			"page",
			plan.Query{From: plan.Users, Select: []plan.Expr{plan.Us("uid")}, Order: []plan.Order{{By: plan.Us("lac"), Desc: true}, {By: plan.Us("uid")}}, Limit: 5, Offset: 10},
			`SELECT u."uid" FROM "u_ID" u ORDER BY u."lac" DESC NULLS LAST, 1 NULLS LAST LIMIT 5 OFFSET 10`, nil,
		},
		{
			"among",
			plan.Query{
				From: plan.Events, Select: []plan.Expr{plan.Ev("n")}, Having: plan.Agg{Fn: plan.Every, Of: plan.OneOf(plan.Ev("uid"), []int64{1, 2})},
				Where: plan.Among{Of: plan.Ev("n"), Query: &plan.Query{App: app, From: plan.Events, Select: []plan.Expr{plan.Ev("n")}, Where: plan.OneOf(plan.Ev("uid"), []int64{1, 2})}},
			},
			`SELECT ev."n" FROM "rows_ID" ev WHERE (ev."n" IN (SELECT ev."n" FROM "rows_ID" ev WHERE (ev."uid" IN (1, 2)))) GROUP BY 1 HAVING bool_and(coalesce((ev."uid" IN (1, 2)), FALSE))`, nil,
		},
		{
			"whole numbers",
			plan.Query{From: plan.Events, Select: []plan.Expr{plan.Do(plan.Div, plan.Ev("ts"), plan.Is(10))}},
			`SELECT ((CAST(ev."ts" AS BIGINT) - (((CAST(ev."ts" AS BIGINT) % 10) + 10) % 10)) // 10) FROM "rows_ID" ev`, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.q.App = app
			got, args, err := duck.Compile(&tt.q, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(tt.want, "ID", id), got); diff != "" {
				t.Errorf("statement (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.args, args); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSharedStatements has the SQL of plans over tables that apps share: each table is restricted to the app.
func TestSharedStatements(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]plan.Query{
		`SELECT ev."e" FROM "events" ev WHERE (ev.app = 17) AND (ev."ts" = 1)`: {
			From: plan.Events, Select: []plan.Expr{plan.Ev("e")}, Where: plan.Do(plan.Eq, plan.Ev("ts"), plan.Is(1)),
		},
		`SELECT u."did", st."props" FROM "events" ev LEFT JOIN "states" st ON st.state = ev.state AND (st.app = 17) LEFT JOIN "users" u ON u.uid = ev.uid AND (u.app = 17) WHERE (ev.app = 17)`: {
			From: plan.Events, Select: []plan.Expr{plan.Us("did"), plan.St("props")},
		},
		`SELECT ev."n" FROM "events" ev WHERE (ev.app = 17) AND (ev."n" IN (SELECT ev."n" FROM "events" ev WHERE (ev.app = 17)))`: {
			From: plan.Events, Select: []plan.Expr{plan.Ev("n")},
			Where: plan.Among{Of: plan.Ev("n"), Query: &plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("n")}}},
		},
		`SELECT ev."n" FROM "events" ev WHERE (ev.app = 17) AND (ev."n" IN (SELECT ev."n" FROM "events" ev WHERE (ev.app = 0)))`: { // of an app that the store does not know
			From: plan.Events, Select: []plan.Expr{plan.Ev("n")},
			Where: plan.Among{Of: plan.Ev("n"), Query: &plan.Query{App: model.AppID{9}, From: plan.Events, Select: []plan.Expr{plan.Ev("n")}}},
		},
	} {
		got, _, err := duck.Compile(&q, 17)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("statement (-want +got):\n%s", diff)
		}
	}
}

// TestBadPlans has plans that no statement is made of.
func TestBadPlans(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	for name, q := range map[string]plan.Query{
		"no table":           {Select: []plan.Expr{plan.Ev("ts")}},
		"nothing selected":   {From: plan.Events},
		"no such column":     {From: plan.Events, Select: []plan.Expr{plan.Ev(`ts" FROM x --`)}},
		"of another table":   {From: plan.Users, Select: []plan.Expr{plan.Ev("ts")}},
		"too few arguments":  {From: plan.Events, Select: []plan.Expr{plan.Do(plan.Eq, plan.Ev("ts"))}},
		"literal of no kind": {From: plan.Events, Select: []plan.Expr{plan.Is([]int{1})}},
	} {
		if err := s.Run(t.Context(), &q, nil); err == nil || !strings.Contains(err.Error(), "plan") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCatalogue compares the columns of the tables with those that plans may name.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for _, table := range []plan.Table{plan.Events, plan.Requests, plan.States, plan.Users} {
		for _, c := range plan.Columns(table) {
			if got := duck.TypeOf(plan.Column{Of: table, Name: c.Name}); got != c.Type {
				t.Errorf("column %s of table %d has type %d, want %d", c.Name, table, got, c.Type)
			}
		}
		if got, want := duck.CountColumns(table), len(plan.Columns(table)); got != want {
			t.Errorf("table %d has %d columns beside slots, want %d", table, got, want)
		}
	}
}
