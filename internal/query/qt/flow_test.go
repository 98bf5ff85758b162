package qt_test

import (
	"context"
	"strings"

	"quipu/internal/query"
)

// flow reads which paths are wanted.
func (a *arguments) flow() (*query.FlowQuery, error) {
	f, err := a.selected()
	q := &query.FlowQuery{
		Filter: f, From: a.moment("from", 0), To: a.moment("to", 1<<50), Session: a.is("session"), Hold: a.list("hold"), Expand: a.text("expand"),
		Before: a.whole("before", 0), After: a.whole("after", 0), Window: int64(a.number("window", 0) * 1000), Repeats: a.is("repeats"), Nodes: a.whole("nodes", 10),
		Anchors: a.flowEvents("anchor"), Until: a.flowEvents("until"), CountBy: a.countBy(),
	}
	kinds := map[string]query.FlowKind{"events": query.FlowEvents, "views": query.FlowViews, "sessions": query.FlowSessions, "crashes": query.FlowCrashes}
	for _, name := range a.list("kinds") {
		q.Kinds = append(q.Kinds, kinds[name])
	}
	if q.Kinds == nil {
		q.Kinds = []query.FlowKind{query.FlowEvents}
	}
	if hidden := a.list("hide"); hidden != nil {
		q.Hidden = func(s query.FlowStep) bool {
			for _, name := range hidden {
				if stepText(s) == name {
					return true
				}
			}
			return false
		}
	}
	return q, err
}

// flowEvents reads events: keys, or objects with a name or a filter.
func (a *arguments) flowEvents(name string) []query.FunnelEvent {
	var list []funnelEvent
	a.json(name, &list)
	var out []query.FunnelEvent
	for _, e := range list {
		out = append(out, e.event())
	}
	return out
}

// stepText writes what a step is.
func stepText(s query.FlowStep) string {
	text := s.Event
	if s.Name != "" {
		text = strings.TrimPrefix(text, "[CLY]_") + ":" + s.Name
	}
	if s.Value != "" {
		text += "=" + s.Value
	}
	return text
}

func nodeText(n query.FlowNode) string {
	if n.Other {
		return "(other)"
	}
	return stepText(n.FlowStep)
}

func (a *arguments) ask(ctx context.Context, r reader) (*query.Flow, error) {
	q, err := a.flow()
	memory := int64(a.whole("memory", 1<<20))
	if err != nil {
		return nil, err
	}
	return query.NewFunnels(r.tables, memory).Flow(ctx, a.app, q)
}

// evalFlow has a row for each node, and one for all.
func evalFlow(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"level", "step", "paths", "users", "ended"}}
	if f.Paths > 0 {
		out.add("all", nil, f.Paths, f.Users, nil)
	}
	for _, level := range f.Levels {
		for _, n := range level.Nodes {
			out.add(level.Level, nodeText(n), n.Paths, n.Users, n.Ended)
		}
	}
	return out, nil
}

// evalFlowLinks has a row for each link.
func evalFlowLinks(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"level", "from", "to", "paths", "users"}}
	for i, level := range f.Levels {
		for _, l := range level.Links {
			out.add(level.Level, nodeText(level.Nodes[l.From]), nodeText(f.Levels[i+1].Nodes[l.To]), l.Paths, l.Users)
		}
	}
	return out, nil
}
