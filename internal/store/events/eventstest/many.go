package eventstest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// plansOfAll runs random plans for several apps at once, which must answer what they answer for each.
func plansOfAll(t *testing.T, open Opener) {
	t.Helper()
	plansOfAllAs(t, 200, open, func(q *plan.Query) *plan.Query { return q })
}

// plansOfAllAs runs what rewrite makes of n random plans for several apps at once.
func plansOfAllAs(t *testing.T, n int, open Opener, rewrite func(*plan.Query) *plan.Query) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := &planner{rand.New(rand.NewPCG(seed, 2))} // not for secrets
	w := g.world()
	s, _ := open(t)
	Commit(t, s, w.Batch(1000))
	asked := []model.AppID{w.App, appB, {0xaa, 2}, {0xdd}} // not all that there are, and one that there is not
	for i := range n {
		q := g.query(2)
		if holdsPlan(q) {
			if err := s.RunAll(t.Context(), asked, q, nil); !errors.Is(err, sqlplan.ErrPlan) {
				t.Fatalf("seed %d, plan %d holds another one: %v", seed, i, err)
			}
			continue
		}
		q.Distinct, q.Having, q.Whole, q.Detail, q.Order, q.Limit, q.Offset = false, nil, false, nil, nil, 0, 0
		q.Select = slices.DeleteFunc(q.Select, func(e plan.Expr) bool { a, ok := e.(plan.Agg); return ok && a.Fn == plan.Groups })
		got, err := answerAll(s, asked, rewrite(q))
		if err != nil {
			t.Fatalf("seed %d, plan %d: %v\n%+v", seed, i, err, q)
		}
		for _, app := range asked {
			want, err := answerOf(s, app, q)
			if err != nil {
				t.Fatalf("seed %d, plan %d: %v\n%+v", seed, i, err, q)
			}
			if diff := cmp.Diff(inOrder(want), inOrder(got[app]), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, plan %d, app %s (-each +all):\n%s\n%+v", seed, i, app, diff, q)
			}
			delete(got, app)
		}
		if len(got) > 0 {
			t.Fatalf("seed %d, plan %d: rows of apps that were not asked for: %v", seed, i, got)
		}
	}
	ordered := &plan.Query{From: plan.Events, Select: []plan.Expr{plan.Ev("e")}, Limit: 1}
	if err := s.RunAll(t.Context(), asked, ordered, nil); !errors.Is(err, sqlplan.ErrPlan) {
		t.Errorf("a limit for many apps: %v", err)
	}
}

func holdsPlan(q *plan.Query) (found bool) {
	q.Walk(func(e plan.Expr) {
		if _, ok := e.(plan.Among); ok {
			found = true
		}
	})
	return found
}

func answerAll(s Store, apps []model.AppID, q *plan.Query) (map[model.AppID][][]any, error) {
	out := map[model.AppID][][]any{}
	err := s.RunAll(context.Background(), apps, q, func(app model.AppID, row events.Scanner) error {
		vals, err := scanned(row, len(q.Select))
		out[app] = append(out[app], vals)
		return err
	})
	return out, err
}

// answerOf is what a plan answers for one app; nothing when it selects no rows.
func answerOf(s Store, app model.AppID, q *plan.Query) ([][]any, error) {
	one := *q
	one.App = app
	if slices.ContainsFunc(q.Select, func(e plan.Expr) bool { _, literal := e.(plan.Literal); return !literal && !aggregates(e) }) {
		return answer(s, &one) // without rows there is no group
	}
	one.Select = []plan.Expr{plan.Agg{Fn: plan.Count}}
	n, err := answer(s, &one)
	if err != nil || len(n) == 0 || n[0][0] == int64(0) {
		return nil, err
	}
	one.Select = q.Select
	return answer(s, &one)
}

// inOrder writes rows as texts in an order that does not depend on how they came.
func inOrder(rows [][]any) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = fmt.Sprintf("%v", r)
	}
	slices.Sort(out)
	return out
}

// manyApps commits batches over many apps whose rows, users and states have the same numbers, and changes some of them.
func manyApps(t *testing.T, open Opener) {
	t.Helper()
	ctx := t.Context()
	s, reopen := open(t)
	const n = 70 // more than are gathered into one statement
	id := func(i int) model.AppID { return model.AppID{1, byte(i >> 8), byte(i), 10: 0xff} }
	of := func(i int, off uint64) *events.AppBatch {
		text := fmt.Sprint("of app ", i)
		r := events.Row{Offset: off, Key: events.CustomKey, Name: text, UID: 1}
		r.Text[i%len(r.Text)] = &text
		return &events.AppBatch{
			Rows: []events.Row{r}, Requests: []events.RequestRow{{Offset: off, UID: 1, Dur: float64(i)}},
			States: []events.State{{Number: uint32(off), Offset: off, UID: 1, JSON: `{"custom.app":"` + text + `"}`}},
			Users:  []*model.Profile{{UID: 1, DID: text}, {UID: uint32(off) + 1, DID: text}},
		}
	}
	want := make([]Contents, n)
	for off := uint64(1); off <= 3; off++ {
		b := &events.Batch{Watermark: At(off), Apps: map[model.AppID]*events.AppBatch{}}
		for i := range n {
			ab := of(i, off)
			b.Apps[id(i)] = ab
			c := &want[i]
			c.Rows, c.Requests, c.States = append(c.Rows, ab.Rows...), append(c.Requests, ab.Requests...), append(c.States, ab.States...)
			c.Users = []uint32{1, 2, 3, 4}
		}
		for range off { // also once more, as after a crash
			Commit(t, s, b)
		}
	}
	check := func(from, to, step int) {
		t.Helper()
		for i := from; i < to; i += step {
			equal(t, s, id(i), want[i])
		}
	}
	s = reopen()
	check(0, n, 3)
	must(t, s.DropApp(ctx, id(7), At(4)))
	want[7] = Contents{}
	must(t, s.DeleteUsers(ctx, id(8), []uint32{1}, At(5)))
	want[8] = Contents{Users: []uint32{2, 3, 4}}
	must(t, s.DeleteEvents(ctx, id(9), []string{"of app 9"}, At(6)))
	want[9].Rows = nil
	must(t, s.DropRows(ctx, id(10), 1, At(7)))
	want[10] = Contents{Users: []uint32{1, 2, 3, 4}}
	b := &events.Batch{Watermark: At(8), Apps: map[model.AppID]*events.AppBatch{}}
	for _, i := range []int{20, 21} {
		b.Apps[id(i)] = &events.AppBatch{Rewrites: map[uint32]uint32{1: uint32(i)}, Gone: []uint32{1}, Users: []*model.Profile{{UID: uint32(i)}}}
		c := &want[i]
		for j := range c.Rows {
			c.Rows[j].UID, c.Requests[j].UID, c.States[j].UID = uint32(i), uint32(i), uint32(i)
		}
		c.Users = []uint32{2, 3, 4, uint32(i)}
	}
	Commit(t, s, b)
	check(6, 22, 1) // what has changed, and its neighbours
	s = reopen()
	check(0, n, 1)
	if s.HasApp(id(7)) {
		t.Error("a dropped app is there")
	}
}
