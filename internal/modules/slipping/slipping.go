// Package slipping is the module that counts the users who have not been seen
// for a while: /o/slipping.
package slipping

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "slipping", Requires: []string{"apps"}, Features: []string{"slipping_away_users"},
		Plugin: &kernel.Plugin{
			Code: "slipping-away-users", Title: "Slipping away users", Description: "Counts the users who have not been active for 7, 14, 30, 60 and 90 days.",
		},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Reads { return c.Reads }, func(s *kernel.Scope, n kernel.Reads) error {
			svc := &service{people: query.NewPeople(n.Events), now: s.Now}
			api.Handle(s.Routes, "/o/slipping", api.Feature("slipping_away_users", model.Read, api.AppParam), svc.read)
			return nil
		}),
	}
}

type service struct {
	people *query.People
	now    func() time.Time
}

type readReq struct {
	Query params.Value `param:"query"`
}

type row struct {
	Period     int    `json:"period"` // days
	Count      int64  `json:"count"`
	Percentage string `json:"percentage"` // of the users that the query selects
	Timestamp  int64  `json:"timeStamp"`  // s; those counted were last active before
}

// read counts the users whose last activity is longer ago than each period. An unusable query is none.
func (s *service) read(ctx context.Context, c api.Caller, r readReq) ([]row, error) {
	f, err := filter.Parse(r.Query.Raw())
	if err != nil {
		f = filter.Expr{}
	}
	_, all, err := s.people.List(ctx, c.App.ID, query.Page{Filter: f})
	if err != nil {
		return nil, err
	}
	var out []row
	for _, days := range []int{7, 14, 30, 60, 90} {
		before := s.now().AddDate(0, 0, -days).Unix()
		old, err := filter.Parse(map[string]any{"lac": map[string]any{"$lt": float64(before)}})
		if err != nil {
			return nil, err
		}
		_, n, err := s.people.List(ctx, c.App.ID, query.Page{Filter: filter.And(f, old)})
		if err != nil {
			return nil, err
		}
		out = append(out, row{days, n, fmt.Sprintf("%.2f", 100*float64(n)/float64(max(1, all))), before})
	}
	return out, nil
}
