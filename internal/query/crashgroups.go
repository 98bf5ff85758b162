package query

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// crashGroup is the segment of crashes that holds the signature of a report, which is also its name. It is the id of its group, unless rules or
// people put several signatures into one.
const crashGroup = "group"

// CrashGroups knows which signatures make a group of crashes. The module that keeps groups provides the answer while the server is wired; every
// reader of rows asks. The zero value knows none. It is safe for concurrent use once it is wired.
type CrashGroups struct{ of CrashGroupsFunc }

// CrashGroupsFunc returns the signatures of groups of an app by the ids of these. Texts that are the id of no group are left out.
type CrashGroupsFunc func(ctx context.Context, app model.AppID, ids []string) (map[string][]string, error)

// Provide sets what returns signatures. A second provider is a bug and panics.
func (g *CrashGroups) Provide(of CrashGroupsFunc) {
	if g.of != nil {
		panic("query: groups of crashes are provided twice")
	}
	g.of = of
}

// ofCrashes reports whether a path of a filter stands for the signature of a crash: the segment, or the name of rows.
func ofCrashes(e plan.Expr) bool {
	switch e := e.(type) {
	case plan.Segment:
		return e.Name == crashGroup && slices.ContainsFunc(e.In, func(p plan.Placed) bool { return p.Event == crashKey })
	case plan.Column:
		return e == plan.Ev("n")
	}
	return false
}

// askedGroups are the texts that the filters of a plan, and of those in it, compare the signature of a crash with.
func askedGroups(q *plan.Query, out map[string]bool) {
	q.Walk(func(e plan.Expr) {
		switch e := e.(type) {
		case plan.Among:
			askedGroups(e.Query, out)
		case plan.Filter:
			for path, t := range e.Paths {
				if !ofCrashes(t.Expr) {
					continue
				}
				texts, _ := e.Filter.Asked(path)
				for _, text := range texts {
					out[text] = true
				}
			}
		}
	})
}

// lookUp returns a plan whose filters select, where they name a group of crashes, the rows of all its signatures.
func (g *CrashGroups) lookUp(ctx context.Context, q *plan.Query) (*plan.Query, error) {
	if g == nil || g.of == nil {
		return q, nil
	}
	asked := map[string]bool{}
	if askedGroups(q, asked); len(asked) == 0 {
		return q, nil
	}
	groups, err := g.of(ctx, q.App, slices.Sorted(maps.Keys(asked)))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(groups, func(id string, signatures []string) bool { return len(signatures) == 1 && signatures[0] == id })
	if len(groups) == 0 {
		return q, nil
	}
	return rewrite.Replace(q, func(e plan.Expr) plan.Expr {
		f, ok := e.(plan.Filter)
		if !ok {
			return e
		}
		for path, t := range f.Paths {
			if ofCrashes(t.Expr) {
				f.Filter = f.Filter.Widen(path, func(text string) []string {
					if signatures := groups[text]; signatures != nil {
						return signatures
					}
					return []string{text}
				})
			}
		}
		return f
	}), nil
}

// ofGroup is the condition that a row is of a group of crashes.
func ofGroup(id string) plan.Expr {
	text, _ := json.Marshal(map[string]string{"n": events.CleanText(id)}) // a text: cannot fail
	f, err := filter.Parse(text)
	if err != nil {
		return plan.Is(false)
	}
	return plan.Matching(f, func(string) (plan.Typed, bool) { return plan.Typed{Expr: plan.Ev("n"), Type: filter.Text}, true })
}
