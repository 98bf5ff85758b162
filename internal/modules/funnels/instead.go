package funnels

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
)

// instead is what those did who reached a step, and not another one.
type instead struct {
	Users   int64     `json:"users"`
	Nothing int64     `json:"nothing"` // who did nothing any more
	Events  []didNext `json:"events"`
}

// didNext is one thing that they did behind the step.
type didNext struct {
	Event string `json:"event"`
	Name  string `json:"name,omitempty"` // of a view, or the group of a crash
	Users int64  `json:"users"`          // who did it at any time behind the step
	Next  int64  `json:"next"`           // whose next event it was
}

// Bounds of what people did beside the steps.
const (
	mostInstead = 50
	mostDropped = 2_000_000 // users who are held in memory
)

var errManyUsers = fault.New(fault.Invalid, "funnels.too_many_users", "Too many users, choose a shorter period")

// stand calls fn with each user's attempt that did a step: the last of those reported, or with first the first one; reached has all steps that the user
// reached. All is valid until fn returns.
func (s *service) stand(ctx context.Context, app model.AppID, q *question, step int, first bool, fn func(uid uint32, rows []funnel.Row, a *funnel.Attempt, reached []bool)) (query.FunnelGroups, error) {
	m, err := funnel.New(q.funnel)
	if err != nil {
		return nil, err
	}
	reached := make([]bool, len(q.labels))
	return s.rows.Each(ctx, app, &q.query, func(uid uint32, rows []funnel.Row) {
		clear(reached)
		var of funnel.Attempt
		m.User(rows, func(a *funnel.Attempt) {
			if a.Done(step) && (of.Depth == 0 || !first) {
				of = *a
			}
			for i := range a.Depth {
				reached[i] = reached[i] || a.Done(i)
			}
		})
		if of.Depth > 0 {
			fn(uid, rows, &of, reached)
		}
	})
}

// instead counts what people did who reached a step and not another one, from the moment on when they reached it. The events of the step itself do
// not count.
func (s *service) instead(ctx context.Context, app model.AppID, q *question, who *chosen) (*instead, error) {
	about := fmt.Sprintf("funnel %+v instead %d %d", q.funnel, who.step, who.not)
	bytes := func(i *instead) int64 { return 200 + 200*int64(len(i.Events)) }
	return query.Recalled(ctx, s.rows, app, &q.query, about, bytes, func() (*instead, error) { return s.countInstead(ctx, app, q, who) })
}

func (s *service) countInstead(ctx context.Context, app model.AppID, q *question, who *chosen) (*instead, error) {
	of := query.HappenedQuery{Kinds: query.AllKinds(), But: q.query.Steps[who.step]}
	many := false
	_, err := s.stand(ctx, app, q, who.step, false, func(uid uint32, rows []funnel.Row, a *funnel.Attempt, reached []bool) {
		if who.not >= 0 && reached[who.not] {
			return
		}
		if many = many || len(of.Users) == mostDropped; many {
			return
		}
		at := rows[a.Rows[who.step]].TS
		for step := range who.step {
			if a.Done(step) {
				at = max(at, rows[a.Rows[step]].TS)
			}
		}
		of.Users = append(of.Users, query.Stretch{UID: uid, From: at + 1, To: q.query.To})
	})
	if err != nil {
		return nil, err
	}
	if many {
		return nil, errManyUsers
	}
	out := &instead{Users: int64(len(of.Users)), Nothing: int64(len(of.Users)), Events: []didNext{}}
	type count struct{ users, next int64 }
	counts := map[uint32]count{}
	names, err := s.rows.Happened(ctx, app, &of, func(_ int, did []uint32) {
		out.Nothing--
		for i, id := range did {
			c := counts[id]
			c.users++
			if i == 0 {
				c.next++
			}
			counts[id] = c
		}
	})
	if err != nil {
		return nil, err
	}
	for id, c := range counts {
		if id == query.OtherGroup {
			continue
		}
		out.Events = append(out.Events, didNext{names[id].Event, names[id].Name, c.users, c.next})
	}
	slices.SortFunc(out.Events, func(a, b didNext) int {
		return cmp.Or(cmp.Compare(b.Next, a.Next), cmp.Compare(b.Users, a.Users), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Name, b.Name))
	})
	out.Events = out.Events[:min(len(out.Events), mostInstead)]
	return out, nil
}
