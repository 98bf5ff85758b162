package crashes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/stats"
)

// Bounds of paths.
const (
	usualSteps = 5
	maxSteps   = 10
	pathNodes  = 8
	mostLifts  = 50
	leastWith  = 10 // sessions with a step, and without
)

// pathKinds are what counts as a step.
var pathKinds = []query.FlowKind{query.FlowEvents, query.FlowViews, query.FlowSessions}

type pathsReq struct {
	impactReq
	Steps int `param:"steps"`
}

// pathsRes is what people did in the session before the first report of the group.
type pathsRes struct {
	Paths  int64       `json:"paths"`
	Users  int64       `json:"users"`
	Levels []pathLevel `json:"levels"` // ascending, to the report at level 0
	// Sessions are all of the period that did anything, Hit those that reported the group. Few says that they are too few for Steps to say anything.
	Sessions int64     `json:"sessions"`
	Hit      int64     `json:"hit"`
	Few      bool      `json:"few"`
	Steps    []leading `json:"steps"`
}

// pathLevel holds the steps at a distance from the report, and where paths go from them to the next level.
type pathLevel struct {
	Level int        `json:"level"`
	Nodes []pathNode `json:"nodes"`
	Links []pathLink `json:"links"`
}

// pathNode is a step. Other stands for all that the level does not show; Ended are the paths that begin with it, as in flows.
type pathNode struct {
	Event string `json:"event,omitempty"`
	Name  string `json:"name,omitempty"`
	Other bool   `json:"other,omitempty"`
	Paths int64  `json:"paths"`
	Users int64  `json:"users"`
	Ended int64  `json:"ended"`
}

// pathLink goes from a node of a level to one of the next, by their places.
type pathLink struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Paths int64 `json:"paths"`
	Users int64 `json:"users"`
}

// leading is a step with how many sessions with it reported the group afterwards. Lift is that share by the share of all sessions.
type leading struct {
	Event    string  `json:"event"`
	Name     string  `json:"name,omitempty"`
	Sessions int64   `json:"sessions"`
	Hit      int64   `json:"hit"`
	Percent  float64 `json:"percent"`
	Lift     float64 `json:"lift"`
}

// paths answers with what people did before.
func (s *service) paths(ctx context.Context, c api.Caller, r pathsReq) (pathsRes, error) {
	if r.Steps < 0 || r.Steps > maxSteps {
		return pathsRes{}, bad(fmt.Sprintf("steps is 1 to %d", maxSteps))
	}
	i, err := s.impactOf(ctx, c, r.impactReq)
	if err != nil {
		return pathsRes{}, err
	}
	f, err := s.data.Sequences.Flow(ctx, i.app, &query.FlowQuery{
		Anchors: i.reports(), Kinds: pathKinds, From: i.period.Start, To: i.period.End, Session: true, Before: cmp.Or(r.Steps, usualSteps), Nodes: pathNodes,
	})
	if err != nil {
		return pathsRes{}, err
	}
	q := &query.FunnelQuery{Steps: [][]query.FunnelEvent{i.reports()}, From: i.period.Start, To: i.period.End, SameSession: true}
	for _, k := range pathKinds {
		q.Kinds = append(q.Kinds, string(k))
	}
	bytes := func(l *lifts) int64 { return 200 + 200*int64(len(l.list)) }
	found, err := query.Recalled(ctx, s.data.Sequences, i.app, q, fmt.Sprint("crash lift ", i.group), bytes, func() (*lifts, error) { return s.findLifts(ctx, i, q) })
	if err != nil {
		return pathsRes{}, err
	}
	out := pathsRes{
		Paths: f.Paths, Users: f.Users, Levels: []pathLevel{}, Sessions: found.sessions, Hit: found.hit, Steps: found.list,
		Few: found.hit < leastPeople || found.sessions-found.hit < leastPeople,
	}
	if out.Few {
		out.Steps = []leading{}
	}
	for _, l := range f.Levels {
		level := pathLevel{Level: l.Level, Nodes: []pathNode{}, Links: []pathLink{}}
		for _, n := range l.Nodes {
			level.Nodes = append(level.Nodes, pathNode{n.Event, n.Name, n.Other, n.Paths, n.Users, n.Ended})
		}
		for _, k := range l.Links {
			level.Links = append(level.Links, pathLink(k))
		}
		out.Levels = append(out.Levels, level)
	}
	return out, nil
}

// lifts is how often sessions with a step reported the group.
type lifts struct {
	sessions, hit int64
	list          []leading
}

// liftCount counts sessions by the things that were done in them, up to the first report of the group.
type liftCount struct {
	lifts
	with  []stats.Share // by group
	last  []uint64      // the session, counted from 1, that a group was seen in last
	keyed []funnel.Row
	order uint64
	done  []uint32
}

func (s *service) findLifts(ctx context.Context, i *impact, q *query.FunnelQuery) (*lifts, error) {
	c := &liftCount{}
	names, err := s.data.Sequences.Each(ctx, i.app, q, func(_ uint32, rows []funnel.Row) {
		c.keyed = c.keyed[:0]
		for _, r := range rows {
			if r.Key != 0 {
				c.keyed = append(c.keyed, r)
			}
		}
		slices.SortStableFunc(c.keyed, func(a, b funnel.Row) int { return cmp.Compare(a.Key, b.Key) })
		for rest := c.keyed; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Key == rest[0].Key {
				n++
			}
			c.session(rest[:n])
			rest = rest[n:]
		}
	})
	if err != nil {
		return nil, err
	}
	c.list = []leading{}
	all := stats.Share{Did: c.hit, Of: c.sessions}
	strength := map[leading]float64{}
	for group, with := range c.with {
		without := stats.Share{Did: all.Did - with.Did, Of: all.Of - with.Of}
		step := query.StepOf(names[group])
		if with.Of < leastWith || without.Of < leastWith || all.Did == 0 || step.Event == crashKey || step.Event == "" {
			continue
		}
		l := leading{Event: step.Event, Name: step.Name, Sessions: with.Of, Hit: with.Did, Percent: 100 * with.Rate(), Lift: with.Rate() / all.Rate()}
		strength[l] = stats.Compare(with, without).OddsLow
		c.list = append(c.list, l)
	}
	slices.SortFunc(c.list, func(a, b leading) int {
		return cmp.Or(cmp.Compare(strength[b], strength[a]), cmp.Compare(b.Hit, a.Hit), strings.Compare(a.Event+a.Name, b.Event+b.Name))
	})
	c.list = c.list[:min(len(c.list), mostLifts)]
	return &c.lifts, nil
}

// session counts a session, whose rows stand in their order. What comes behind the first report does not count.
func (c *liftCount) session(rows []funnel.Row) {
	c.order++
	c.sessions++
	c.done = c.done[:0]
	var hit int64
	for _, r := range rows {
		if r.Match != 0 { // a report of the group
			hit = 1
			break
		}
		if r.Group == query.OtherGroup {
			continue
		}
		if grow := int(r.Group) + 1 - len(c.last); grow > 0 {
			c.last = append(c.last, make([]uint64, grow)...)
			c.with = append(c.with, make([]stats.Share, grow)...)
		}
		if c.last[r.Group] != c.order {
			c.last[r.Group] = c.order
			c.done = append(c.done, r.Group)
		}
	}
	c.hit += hit
	for _, group := range c.done {
		c.with[group].Of++
		c.with[group].Did += hit
	}
}
