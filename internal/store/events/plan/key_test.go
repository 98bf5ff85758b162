package plan_test

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// TestKey gives different queries different keys, also those whose texts are cut or alike, and equal ones the same.
func TestKey(t *testing.T) {
	t.Parallel()
	parsed := func(text string) filter.Expr {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	bind := func(name string) func(string) (plan.Typed, bool) {
		return func(string) (plan.Typed, bool) { return plan.Typed{Expr: plan.Ev(name), Type: filter.Text}, true }
	}
	many := func(last int64) []int64 { return append(make([]int64, 200), last) }
	where := func(e plan.Expr) plan.Query {
		return plan.Query{From: plan.Events, Where: e, Select: []plan.Expr{plan.Ev("n")}}
	}
	among := func(q plan.Query) plan.Expr { return plan.Among{Of: plan.Ev("uid"), Query: &q} }
	set := func(n uint32) *plan.Set { return plan.NewSet(roaring.BitmapOf(n)) }
	slot := schema.Slot{Kind: schema.Text, Index: 1}
	build := func() []plan.Query {
		list := []plan.Query{
			{From: plan.Users},
			{From: plan.Events},
			{App: model.AppID{1}, From: plan.Events},
			{From: plan.Events, Distinct: true},
			{From: plan.Events, Limit: 1},
			{From: plan.Events, Offset: 1},
			{From: plan.Events, Order: []plan.Order{{By: plan.Ev("n")}}},
			{From: plan.Events, Order: []plan.Order{{By: plan.Ev("n"), Desc: true}}},
			{From: plan.Events, Having: plan.Is(true)},
			{From: plan.Events, Where: plan.Is(true)},
			{From: plan.Events, Select: []plan.Expr{plan.Ev("a"), plan.Ev("b")}},
			{From: plan.Events, Select: []plan.Expr{plan.Ev("ab")}},
			{From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Count}}},
			{From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Sum, Of: plan.Ev("n")}}},
			{From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Sum, Of: plan.Ev("n"), When: plan.Is(true)}}},
			{From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Rank, Of: plan.Ev("n"), Share: 1}}},
			{From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Rank, Of: plan.Ev("n"), Share: 2}}},
		}
		for _, e := range []plan.Expr{
			plan.Is(nil), plan.Is(1), plan.Is(1.0), plan.Is("1"), plan.Is(false), plan.Ev("1"), plan.Us("1"),
			plan.Typed{Expr: plan.Ev("1"), Type: filter.Text},
			plan.Typed{Expr: plan.Ev("1"), Type: filter.JSON},
			plan.Member{Of: plan.Us("custom"), Path: []string{"a", "b"}},
			plan.Member{Of: plan.Us("custom"), Path: []string{"a.b"}},
			plan.Segment{Name: "a"},
			plan.Segment{Name: "a", Type: filter.Text},
			plan.Segment{Name: "a", In: []plan.Placed{{Event: "e", Slot: slot}}},
			plan.Segment{Name: "a", In: []plan.Placed{{Event: "e", Was: slot}}},
			plan.Slot{Slot: slot},
			plan.Rest{},
			plan.InRest("a"),
			plan.Slot{Slot: slot, Name: "a"},
			plan.Do(plan.Add, plan.Is(1), plan.Is(2)), plan.Do(plan.Add, plan.Is(2), plan.Is(1)), plan.Do(plan.Sub, plan.Is(1), plan.Is(2)),
			plan.OneOf(plan.Ev("uid"), many(1)), plan.OneOf(plan.Ev("uid"), many(2)), plan.OneOf(plan.Ev("n"), []string{"a", "b"}), plan.OneOf(plan.Ev("n"), []string{"ab"}),
			plan.InSet{Of: plan.Ev("uid"), ID: "a"},
			plan.InSet{Of: plan.Ev("uid"), ID: "b"},
			plan.InSet{Of: plan.Ev("uid"), Set: set(1)},
			plan.InSet{Of: plan.Ev("uid"), Set: set(2)},
			plan.InSet{Of: plan.Us("uid"), Set: set(2)},
			plan.Lists{Of: plan.Ev("uid")},
			plan.Lists{Of: plan.Ev("uid"), ID: "a"},
			plan.Lists{Of: plan.Ev("uid"), Sets: []plan.Valued{}},
			plan.Lists{Of: plan.Ev("uid"), Sets: []plan.Valued{{Value: "a", Set: set(1)}}},
			plan.Lists{Of: plan.Ev("uid"), Sets: []plan.Valued{{Value: true, Set: set(1)}}},
			among(where(plan.Is(1))), among(where(plan.Is(2))),
			plan.Matching(parsed(`{"n":"a"}`), bind("n")), plan.Matching(parsed(`{"n":"b"}`), bind("n")), plan.Matching(parsed(`{"n":"a"}`), bind("e")),
		} {
			list = append(list, where(e))
		}
		return list
	}
	seen := map[plan.Key]int{}
	again := build()
	for i, q := range build() {
		k := q.Key()
		if j, ok := seen[k]; ok {
			t.Errorf("queries %d and %d have one key:\n%s\n%s", i, j, &q, &again[j])
		}
		seen[k] = i
		if again[i].Key() != k {
			t.Errorf("query %d has another key the second time: %s", i, &q)
		}
		if k.With("a") == k.With("b") || k.With("a") == k {
			t.Errorf("query %d: questions have one key", i)
		}
	}
}
