package eventstest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
	"quipu/internal/store/schema"
)

// World is what random plans are run over: the rows of appA and its users.
type World struct {
	Contents
	App      model.AppID
	Profiles []*model.Profile
	// Others are apps with rows like those of App, with the same numbers in them, that no plan may see.
	Others map[model.AppID]*events.AppBatch
}

// Batch is a batch with all of it.
func (w World) Batch(off uint64) *events.Batch {
	b := Batch(off, w.App, &events.AppBatch{Rows: w.Rows, Requests: w.Requests, States: w.States, Users: w.Profiles})
	maps.Copy(b.Apps, w.Others)
	return b
}

// plans runs random plans over a store.
func plans(t *testing.T, open Opener) {
	t.Helper()
	PlansOf(t, 250, open)
}

// PlansOf runs n random plans over a store.
func PlansOf(t *testing.T, n int, open Opener) {
	t.Helper()
	Plans(t, n, func(t *testing.T, w World) func(*plan.Query) ([][]any, error) {
		t.Helper()
		s, _ := open(t)
		Commit(t, s, w.Batch(1000))
		return func(q *plan.Query) ([][]any, error) { return answer(s, q) }
	})
}

// Rewritten runs what one makes of n random plans over a store, and what all makes of others for several apps at once, and compares the answers with those of
// the plans as they were.
func Rewritten(t *testing.T, n int, open Opener, one, all func(*plan.Query) *plan.Query) {
	t.Helper()
	t.Run("one app", func(t *testing.T) {
		Plans(t, n, func(t *testing.T, w World) func(*plan.Query) ([][]any, error) {
			t.Helper()
			s, _ := open(t)
			Commit(t, s, w.Batch(1000))
			return func(q *plan.Query) ([][]any, error) { return answer(s, one(q)) }
		})
	})
	t.Run("many apps", func(t *testing.T) { plansOfAllAs(t, n, open, all) })
}

// Plans runs n random plans over random rows, which load gives to an engine, and compares what it answers with
// the answers of a naive one. Values are nil, bool, int64, float64 and string.
func Plans(t *testing.T, n int, load func(t *testing.T, w World) func(*plan.Query) ([][]any, error)) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := &planner{rand.New(rand.NewPCG(seed, 1))} // not for secrets
	w := g.world()
	run := load(t, w)
	model := newEngine(w.Contents, columnsOf(w.Profiles))
	for i := range n {
		q := g.query(2)
		got, err := run(q)
		if err != nil {
			t.Fatalf("seed %d, plan %d: %v\n%+v", seed, i, err, q)
		}
		if diff := differs(model.Run(q), got); diff != "" {
			t.Fatalf("seed %d, plan %d (-want +got):\n%s\n%+v", seed, i, diff, q)
		}
		if i%3 == 0 && !q.Distinct && slices.ContainsFunc(q.Select, aggregates) {
			if err := bounded(g, model, run, q); err != nil {
				t.Fatalf("seed %d, plan %d: %v\n%+v", seed, i, err, q)
			}
		}
	}
}

// differs compares answers.
func differs(want, got [][]any) string {
	if same(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), oneNumber)
}

// bounded runs a plan with a bound that is just large enough, and with one that is not.
func bounded(g *planner, model *engine, run func(*plan.Query) ([][]any, error), q *plan.Query) error {
	one := *q
	m := &plan.Most{}
	if g.IntN(2) == 0 {
		m.When = g.condition(q.From, 1)
	}
	one.Most = m
	for _, row := range model.found(q) {
		if m.When == nil || model.holds(q, row, m.When) {
			m.Rows++
		}
	}
	got, err := run(&one)
	if err != nil {
		return fmt.Errorf("at most %d rows: %w", m.Rows, err)
	}
	if diff := differs(model.Run(q), got); diff != "" {
		return fmt.Errorf("at most %d rows (-want +got):\n%s", m.Rows, diff)
	}
	if m.Rows--; m.Rows < 0 {
		return nil
	}
	if _, err := run(&one); err == nil || !strings.Contains(err.Error(), sqlplan.TooMany) {
		return fmt.Errorf("at most %d of %d rows: %w", m.Rows, m.Rows+1, err)
	}
	return nil
}

// world makes up the rows of some apps.
func (g *planner) world() World {
	c, users := g.contents()
	others := map[model.AppID]*events.AppBatch{}
	for _, id := range []model.AppID{{}, appB, {0xaa}, {0xaa, 2}} {
		o, profiles := g.contents()
		others[id] = &events.AppBatch{Rows: o.Rows, Requests: o.Requests, States: o.States, Users: profiles}
	}
	return World{c, appA, users, others}
}

// oneNumber compares whole numbers with others by value: the sum of nothing has no type.
var oneNumber = cmp.FilterValues(
	func(a, b any) bool { return isNumber(a) && isNumber(b) },
	cmp.Comparer(func(a, b any) bool { return compared(a, b) == 0 }),
)

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// answer runs a plan.
func answer(s Store, q *plan.Query) (out [][]any, err error) {
	err = s.Run(context.Background(), q, func(row events.Scanner) error {
		values, err := scanned(row, Columns(q))
		out = append(out, values)
		return err
	})
	if errors.Is(err, events.ErrNoApp) {
		return nil, nil
	}
	return out, err
}

// Columns is how many columns the result of a plan has.
func Columns(q *plan.Query) int {
	if q.Detail != nil {
		return len(q.Select) + 2
	}
	return len(q.Select)
}

// planner makes up rows and plans.
type planner struct{ *rand.Rand }

func (g *planner) word() string {
	list := []string{"a", "b", "B", "ab", "Ää", "it's", "1.5", "2", "", "日本", `a\b\`, `"?@%_$1`, "'; --\n"}
	return list[g.IntN(len(list))]
}

// Names with all that has a meaning in statements, literals, JSON or its pointers.
const (
	hostileEvent = `Bu'y\'"?@--`
	hostileName  = `m'i\x"e/d~1?@$.*[0]`
)

// object is a JSON object of one member.
func object(name string, v any) string { return events.JSONText(map[string]any{name: v}) }

func (g *planner) half() float64 { return float64(g.IntN(9)-4) / 2 }

// The events of the rows: hostileEvent has a text and a number, [CLY]_view a text that became mixed.
var (
	slotText   = schema.Slot{Kind: schema.Text, Index: 1}
	slotNumber = schema.Slot{Kind: schema.Number, Index: 2}
	slotJSON   = schema.Slot{Kind: schema.JSON}

	segText   = plan.Segment{Name: "plan", Type: filter.Text, In: []plan.Placed{{Event: hostileEvent, Slot: slotText}}}
	segNumber = plan.Segment{Name: "price", Type: filter.Number, In: []plan.Placed{{Event: hostileEvent, Slot: slotNumber}}}
	segMixed  = plan.Segment{Name: hostileName, Type: filter.JSON, In: []plan.Placed{{Event: "[CLY]_view", Slot: slotJSON, Was: slotText}, {Event: hostileEvent, Slot: slotNumber}}}
)

func (g *planner) contents() (c Contents, users []*model.Profile) {
	for i := range uint32(12) {
		u := &model.Profile{UID: i + 1, DID: fmt.Sprintf("dev-%d", i), Dims: model.Dims{model.Country: []string{"", "DE", "PE"}[g.IntN(3)]}, Name: g.word(), Sessions: int64(g.IntN(4))}
		if g.IntN(2) == 0 {
			u.Custom = map[string]any{hostileName: g.word(), "n": g.half()}
		}
		users = append(users, u)
	}
	for i, off := range []uint64{2, 1, 5, 4, 3, 10, 20, 30, 4} { // users 1 to 4 have two states, user 4 both at one place
		n := uint32(i) // few
		c.States = append(c.States, events.State{Number: n + 1, Offset: off, UID: n%5 + 1, JSON: g.state()})
	}
	for i := range uint64(60) {
		c.Requests = append(c.Requests, events.RequestRow{Offset: i + 1, TS: int64(g.IntN(100)), Received: int64(i), UID: uint32(g.IntN(14)), Flags: uint16(g.IntN(4)), Dur: g.half()})
		r := events.Row{
			Offset: i + 1, Item: uint32(g.IntN(2)), TS: int64(g.IntN(100)) - 20, Received: int64(i), Key: events.CustomKey, Name: hostileEvent, UID: uint32(g.IntN(14)),
			Session: uint64(g.IntN(3)), State: uint32(g.IntN(7)), Count: int64(g.IntN(5)), Sum: g.half(), Dur: g.half(), Hour: int8(g.IntN(25)) - 1, Dow: -1,
		}
		word, number := g.word(), g.half()
		if g.IntN(3) > 0 {
			r.Text[0] = &word
		}
		if g.IntN(3) > 0 {
			r.Num[1] = &number
		}
		if g.IntN(2) == 0 {
			r.Key, r.Name = "[CLY]_view", g.word()
			r.Extra = []string{"", object(hostileName, g.word()), object(hostileName, 1.5), object(hostileName, true), object(hostileName, nil), object(hostileName, []any{"a", 1.5})}[g.IntN(6)]
		}
		c.Rows = append(c.Rows, r)
	}
	return c, users
}

// state makes up what is known of a user. Dimensions, which an engine may keep apart, are texts, and may be missing or empty.
func (g *planner) state() string {
	v := map[string]any{"up." + hostileName: g.word(), "custom.x": g.half(), "custom.list": []any{"up.cc", `{"`, []any{g.word()}}}
	for _, key := range []string{"cc", "p", "av"} {
		if g.IntN(3) > 0 {
			v["up."+key] = g.word()
		}
	}
	return events.JSONText(v)
}

// dimension is a member of states that an engine may keep apart.
func (g *planner) dimension() plan.Member {
	return plan.Member{Of: plan.St("props"), Path: []string{[]string{"up.cc", "up.p", "up.av", "up.d"}[g.IntN(4)]}}
}

// columnsOf returns the columns of users that plans use.
func columnsOf(users []*model.Profile) []values {
	var out []values
	for _, u := range users {
		v := values{"uid": int64(u.UID), "did": u.DID, "cc": text(u.Dims[model.Country]), "name": text(u.Name)}
		if u.Sessions != 0 {
			v["sc"] = u.Sessions
		}
		if u.Custom != nil {
			v["custom"] = events.JSONText(u.Custom)
		}
		out = append(out, v)
	}
	return out
}

func (g *planner) query(depth int) *plan.Query {
	if g.IntN(20) == 0 {
		return g.keys(depth)
	}
	q := &plan.Query{App: appA, From: []plan.Table{plan.Events, plan.Events, plan.Events, plan.Users, plan.Requests, plan.States}[g.IntN(6)]}
	if g.IntN(4) > 0 {
		q.Where = g.condition(q.From, depth)
	}
	if q.From == plan.Events && g.IntN(6) == 0 {
		q.Where = plan.All(q.Where, g.ofState())
	}
	for range 1 + g.IntN(3) {
		q.Select = append(q.Select, g.value(q.From, depth))
	}
	if g.IntN(2) == 0 {
		for range 1 + g.IntN(2) {
			q.Select = append(q.Select, g.aggregate(q.From, depth))
		}
		if g.IntN(4) == 0 {
			q.Having = plan.Do(plan.Gt, plan.Agg{Fn: plan.Count}, plan.Is(g.IntN(3)))
			if g.IntN(2) == 0 {
				q.Having = plan.Agg{Fn: plan.Every, Of: g.condition(q.From, depth)}
			}
		}
		q.Whole = g.IntN(4) == 0
		if !q.Whole && g.IntN(3) == 0 {
			q.Select = append(q.Select, plan.Agg{Fn: plan.Groups})
		}
		if !q.Whole && g.IntN(2) == 0 {
			q.Detail = &plan.Detail{Whole: g.IntN(2) == 0, Rest: g.IntN(2) == 0}
			if g.IntN(2) == 0 {
				q.Detail.By = g.value(q.From, depth)
			}
		}
	} else {
		q.Distinct = g.IntN(2) == 0
	}
	if q.Having != nil && !q.Whole && q.Detail == nil {
		per := plan.Do(plan.Per, plan.Agg{Fn: plan.Sum, Of: g.whole(q.From, 0)}, plan.Agg{Fn: plan.Distinct, Of: g.words(q.From, depth)})
		q.Order = append(q.Order, plan.Order{By: per, Desc: g.IntN(2) == 0})
	}
	for _, e := range q.Select { // a whole order, so that there is one answer
		q.Order = append(q.Order, plan.Order{By: e, Desc: g.IntN(2) == 0})
	}
	if g.IntN(3) == 0 {
		q.Limit, q.Offset = 1+g.IntN(5), g.IntN(3)
	}
	return q
}

// ofState makes up a filter that looks at nothing but what states hold, which rows without one do not meet.
func (g *planner) ofState() plan.Expr {
	f, err := filter.Parse(map[string]any{"state": []any{g.word(), map[string]any{"$ne": nil}, map[string]any{"$exists": true}}[g.IntN(3)]})
	if err != nil {
		panic(err)
	}
	e := plan.Expr(g.dimension())
	return plan.Matching(f, func(string) (plan.Typed, bool) { return plan.Typed{Expr: e, Type: filter.JSON}, true })
}

// keys makes up a query for the keys of JSON objects.
func (g *planner) keys(depth int) *plan.Query {
	of := []plan.Column{plan.Us("custom"), plan.Ev("extra"), plan.St("props")}[g.IntN(3)]
	key := plan.Do(plan.Keys, of)
	q := &plan.Query{App: appA, From: of.Of, Select: []plan.Expr{key}, Distinct: g.IntN(3) > 0, Order: []plan.Order{{By: key, Desc: g.IntN(2) == 0}}}
	if g.IntN(2) == 0 {
		q.Where = g.condition(q.From, depth)
	}
	if g.IntN(2) == 0 {
		q.Where = plan.All(plan.Do(plan.Not, plan.Do(plan.IsNull, of)), q.Where)
	}
	if g.IntN(3) == 0 {
		q.Limit, q.Offset = 1+g.IntN(5), g.IntN(3)
	}
	return q
}

// value makes up an expression that can be selected and ordered.
func (g *planner) value(t plan.Table, depth int) plan.Expr {
	switch g.IntN(3) {
	case 0:
		return g.words(t, depth)
	case 1:
		return g.whole(t, depth)
	default:
		return g.number(t, depth)
	}
}

func (g *planner) aggregate(t plan.Table, depth int) plan.Expr {
	a := []plan.Agg{
		{Fn: plan.Count},
		{Fn: plan.Distinct, Of: g.words(t, depth)},
		{Fn: plan.Sum, Of: g.whole(t, depth)},
		{Fn: plan.Sum, Of: g.sum(t)},
		{Fn: plan.Max, Of: g.value(t, depth)},
		{Fn: plan.Min, Of: g.value(t, depth)},
		{Fn: plan.Rank, Of: g.number(t, depth), Share: 1 + g.IntN(10_000)},
		{Fn: plan.Rank, Of: g.whole(t, depth), Share: 500 * (1 + g.IntN(20))},
		{Fn: plan.Distinct, Of: numberOfUser(t)},
		{Fn: plan.Every, Of: g.condition(t, depth-1)},
	}[g.IntN(10)]
	if g.IntN(2) == 0 {
		a.When = g.condition(t, depth-1)
	}
	return a
}

// numberOfUser is the column that queries count users by.
func numberOfUser(t plan.Table) plan.Expr {
	return plan.Column{Of: t, Name: "uid"}
}

// sum is a number that no row lacks.
func (g *planner) sum(t plan.Table) plan.Expr {
	switch t {
	case plan.Events:
		return plan.Ev("s")
	case plan.Requests:
		return plan.Rq("dur")
	case plan.States:
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, g.dimension()), plan.Is(1.5))
	default:
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, plan.Us("sc")), plan.Is(0.5))
	}
}

// words makes up an expression of text.
func (g *planner) words(t plan.Table, depth int) plan.Expr {
	list := map[plan.Table][]plan.Expr{
		plan.Events: {
			plan.Ev("e"), plan.Ev("n"), plan.Us("cc"), plan.Us("name"), segText,
			plan.Slot{Slot: slotText},
			plan.Slot{Slot: slotJSON, Name: hostileName},
			plan.Rest{},
			plan.Do(plan.Text, segMixed), plan.Do(plan.Text, segNumber), plan.Do(plan.Text, plan.Member{Of: plan.St("props"), Path: []string{"up." + hostileName}}),
			plan.Do(plan.Text, plan.Ev("uid")), plan.Do(plan.Text, g.dimension()), plan.Do(plan.Lower, plan.Do(plan.Text, plan.Typed{Expr: g.dimension(), Type: filter.JSON})),
		},
		plan.Requests: {
			plan.Do(plan.Text, plan.Rq("uid")), plan.Do(plan.Text, plan.Rq("flags")), plan.Do(plan.Text, plan.Member{Of: plan.St("props"), Path: []string{"up." + hostileName}}),
			plan.Do(plan.Text, g.dimension()),
		},
		plan.States: {
			plan.Do(plan.Text, plan.St("uid")), plan.Do(plan.Text, plan.Member{Of: plan.St("props"), Path: []string{"up." + hostileName}}),
			plan.Do(plan.Text, g.dimension()), plan.Do(plan.Lower, plan.Do(plan.Text, plan.Typed{Expr: g.dimension(), Type: filter.JSON})),
		},
		plan.Users: {plan.Us("cc"), plan.Us("did"), plan.Us("name"), plan.Do(plan.Text, plan.Member{Of: plan.Us("custom"), Path: []string{hostileName}})},
	}[t]
	one := list[g.IntN(len(list))]
	if depth <= 0 || g.IntN(3) > 0 {
		return one
	}
	switch g.IntN(5) {
	case 0:
		return plan.Do(plan.Lower, one)
	case 1:
		return plan.Do(plan.Concat, one, plan.Is(g.word()), g.words(t, depth-1))
	case 2:
		return plan.Do(plan.Coalesce, one, plan.Is("-"))
	case 3:
		return plan.Do(plan.If, g.condition(t, depth-1), one, g.words(t, depth-1))
	default:
		return plan.Do(plan.NullIf, one, plan.Is(g.word()))
	}
}

// whole makes up an expression of whole numbers.
func (g *planner) whole(t plan.Table, depth int) plan.Expr {
	list := map[plan.Table][]plan.Expr{
		plan.Events:   {plan.Ev("ts"), plan.Ev("uid"), plan.Ev("c"), plan.Ev("hour"), plan.Us("sc"), plan.Ev("off")},
		plan.Requests: {plan.Rq("ts"), plan.Rq("uid"), plan.Rq("off")},
		plan.States:   {plan.St("state"), plan.St("off"), plan.St("uid")},
		plan.Users:    {plan.Us("uid"), plan.Us("sc")},
	}[t]
	one := list[g.IntN(len(list))]
	signed := plan.Expr(plan.Do(plan.Coalesce, plan.Is(0), one))
	if t == plan.Events {
		signed = plan.Ev("ts")
	}
	if depth <= 0 || g.IntN(2) > 0 {
		return one
	}
	switch n := plan.Is(1 + g.IntN(7)); g.IntN(7) {
	case 0:
		return plan.Do(plan.Add, one, n)
	case 1:
		return plan.Do(plan.Sub, signed, n)
	case 2:
		return plan.Do(plan.Mul, one, n)
	case 3:
		return plan.Do(plan.Div, signed, n)
	case 4:
		return plan.Do(plan.Quo, signed, n)
	case 5:
		word := g.word()
		return plan.Do(plan.Place, g.words(t, depth-1), plan.Is(word), plan.Is(word+"x"))
	default:
		return plan.Do(plan.Mod, signed, n)
	}
}

// number makes up an expression of numbers.
func (g *planner) number(t plan.Table, _ int) plan.Expr {
	list := map[plan.Table][]plan.Expr{
		plan.Events: {
			plan.Ev("s"), plan.Ev("dur"), segNumber, plan.Do(plan.Number, segMixed), plan.Do(plan.Number, segText),
			plan.Slot{Slot: slotNumber},
			plan.Do(plan.Number, plan.Member{Of: plan.St("props"), Path: []string{"custom.x"}}), plan.Do(plan.Number, plan.Us("sc")), plan.Do(plan.Number, g.dimension()),
		},
		plan.Requests: {plan.Rq("dur")},
		plan.States:   {plan.Do(plan.Number, plan.Member{Of: plan.St("props"), Path: []string{"custom.x"}}), plan.Do(plan.Number, g.dimension())},
		plan.Users:    {plan.Do(plan.Number, plan.Us("sc")), plan.Do(plan.Number, plan.Member{Of: plan.Us("custom"), Path: []string{"n"}})},
	}[t]
	return list[g.IntN(len(list))]
}

// condition makes up a condition.
func (g *planner) condition(t plan.Table, depth int) plan.Expr {
	n := g.IntN(13)
	if depth <= 0 {
		n = g.IntN(7)
	}
	relations := []plan.Fn{plan.Eq, plan.Ne, plan.Lt, plan.Le, plan.Gt, plan.Ge}
	relation := relations[g.IntN(len(relations))]
	switch n {
	case 0:
		return plan.Do(relation, g.words(t, depth-1), plan.Is(g.word()))
	case 1:
		return plan.Do(relation, g.whole(t, depth-1), plan.Is(g.IntN(40)))
	case 2:
		return plan.Do(relation, g.number(t, depth-1), plan.Is(g.half()))
	case 3:
		return plan.Do(plan.IsNull, g.value(t, depth-1))
	case 4:
		return plan.OneOf(g.words(t, depth-1), []string{g.word(), g.word()})
	case 5:
		return plan.Do(plan.HasPart, g.words(t, depth-1), plan.Is(g.word()))
	case 6:
		switch t {
		case plan.Events:
			return plan.Do(plan.IsNull, []plan.Expr{segMixed, g.dimension()}[g.IntN(2)])
		case plan.States:
			return plan.Do(plan.IsNull, g.dimension())
		default:
		}
		return plan.OneOf(g.whole(t, depth-1), []int64{1, 2, 3})
	case 7:
		return plan.Do(plan.Not, g.condition(t, depth-1))
	case 8:
		return plan.All(g.condition(t, depth-1), g.condition(t, depth-1))
	case 9:
		return plan.Any(g.condition(t, depth-1), g.condition(t, depth-1))
	case 10:
		if t == plan.Events && g.IntN(2) == 0 {
			return plan.Among{Of: plan.Ev("state"), Query: &plan.Query{App: appA, From: plan.States, Where: g.condition(plan.States, depth-1), Select: []plan.Expr{plan.St("state")}}}
		}
		e := g.words(t, 0)
		return plan.Among{Of: e, Query: &plan.Query{App: appA, From: t, Where: g.condition(t, depth-1), Select: []plan.Expr{e}}}
	case 11:
		return plan.InSet{Of: plan.Column{Of: t, Name: "uid"}, Set: g.set()}
	default:
		return g.filter(t)
	}
}

// set makes up a set of users: few, many, or none.
func (g *planner) set() *plan.Set {
	of := roaring.New()
	for range g.IntN(4) {
		of.Add(uint32(g.IntN(6))) // small
	}
	if g.IntN(2) == 0 {
		of.AddRange(uint64(g.IntN(5)), 200)
	}
	return plan.NewSet(of)
}

// filter makes up a filter over what the table has.
func (g *planner) filter(t plan.Table) plan.Expr {
	bound := map[string]plan.Typed{
		"text": {Expr: g.words(t, 0), Type: filter.Text}, "whole": {Expr: g.whole(t, 0), Type: filter.Integer}, "number": {Expr: g.number(t, 0), Type: filter.Number},
	}
	if t == plan.Events {
		bound["mixed"] = plan.Typed{Expr: segMixed, Type: filter.JSON}
	}
	if t == plan.Events || t == plan.States {
		bound["dimension"] = plan.Typed{Expr: g.dimension(), Type: filter.JSON}
	}
	paths := []string{"text", "whole", "number", "mixed", "dimension", "list", "nothing"}
	if t == plan.Events && g.IntN(4) == 0 { // of nothing but states
		paths = []string{"dimension", "member"}
		bound["member"] = plan.Typed{Expr: plan.Member{Of: plan.St("props"), Path: []string{"up." + hostileName}}, Type: filter.JSON}
	}
	bound["list"] = plan.Typed{Type: filter.List, Expr: plan.Lists{Of: plan.Column{Of: t, Name: "uid"}, Sets: []plan.Valued{{Value: g.word(), Set: g.set()}, {Value: true, Set: g.set()}}}}
	operands := []any{
		true,
		map[string]any{"$size": g.IntN(3)},
		map[string]any{"$elemMatch": map[string]any{"$in": []any{true, g.word()}}},
		g.word(), g.half(),
		map[string]any{"$in": []any{g.word(), g.half(), nil}},
		map[string]any{"$nin": []any{g.word()}},
		map[string]any{"$gt": g.half()},
		map[string]any{"$lte": g.word()},
		map[string]any{"$exists": g.IntN(2) == 0},
		map[string]any{"$ne": g.half()},
	}
	doc := map[string]any{}
	for _, path := range paths {
		if g.IntN(3) == 0 {
			doc[path] = operands[g.IntN(len(operands))]
		}
	}
	f, err := filter.Parse(doc)
	if err != nil {
		panic(err)
	}
	e := plan.Matching(f, func(path string) (plan.Typed, bool) {
		typed, ok := bound[path]
		return typed, ok
	})
	if e == nil {
		return plan.Is(true)
	}
	return e
}

// Rewrites compares what the naive engine answers to n random plans with what it answers to what rewrite makes of them.
func Rewrites(t *testing.T, n int, rewrite func(*plan.Query) *plan.Query) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := &planner{rand.New(rand.NewPCG(seed, 1))} // not for secrets
	c, users := g.contents()
	model := newEngine(c, columnsOf(users))
	changed := 0
	for i := range n {
		q := g.query(3)
		before, other := fmt.Sprint(q), rewrite(q)
		if fmt.Sprint(q) != before {
			t.Fatalf("seed %d, plan %d was changed in place: %s", seed, i, before)
		}
		if fmt.Sprint(other) != before {
			changed++
		}
		if diff := cmp.Diff(model.Run(q), model.Run(other), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d, plan %d (-before +after):\n%s\n%s\n%s", seed, i, diff, q, other)
		}
	}
	if changed == 0 {
		t.Error("no plan was rewritten")
	}
}
