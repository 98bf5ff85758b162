package query

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/explain"
	"quipu/internal/query/rewrite"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// cohortPath is the path of the cohorts that a user is in now: a list of their ids, nothing for users who are in none. A path below it
// is that of one cohort, "chr.<id>" or "chr.<id>.in": true for its members, who also have the text "true" there, nothing for others.
const cohortPath = "chr"

// CohortPath reports whether a path of a filter or of a breakdown is of cohorts.
func CohortPath(path string) bool {
	return path == cohortPath || strings.HasPrefix(path, cohortPath+".")
}

// Cohorts knows who is in the cohorts of an app. The module that keeps them provides the answer while the server is wired; every
// reader of rows asks. The zero value knows none. It is safe for concurrent use once it is wired.
type Cohorts struct{ of CohortsFunc }

// CohortsFunc returns the members of those cohorts of an app that ids names, by id, and with all of all others that everyone of the app
// sees, too. Ids of no cohort are left out.
type CohortsFunc func(ctx context.Context, app model.AppID, ids []string, all bool) (map[string]*plan.Set, error)

// Provide sets what returns members. A second provider is a bug and panics.
func (c *Cohorts) Provide(of CohortsFunc) {
	if c.of != nil {
		panic("query: cohorts are provided twice")
	}
	c.of = of
}

// Members returns what the provider does; without one there are no cohorts.
func (c *Cohorts) Members(ctx context.Context, app model.AppID, ids []string, all bool) (map[string]*plan.Set, error) {
	if c == nil || c.of == nil {
		return nil, nil
	}
	members, err := c.of(ctx, app, ids, all)
	if t := explain.Of(ctx); t != nil && err == nil {
		for _, id := range slices.Sorted(maps.Keys(members)) {
			t.Cohort(explain.Cohort{App: app.String(), ID: id, Users: members[id].Len()})
		}
		for _, id := range ids {
			if members[id] == nil {
				t.Cohort(explain.Cohort{App: app.String(), ID: id, Unknown: true})
			}
		}
	}
	return members, err
}

// Lookups are what plans name, and readers of rows look up before they run them. The zero value knows nothing.
type Lookups struct {
	Cohorts *Cohorts
	Crashes *CrashGroups
}

// Knowing returns a reader of the same rows in whose plans cohorts and groups of crashes are known.
func Knowing(rows Rows, l Lookups) Rows { return knowing{rows, l} }

// knowing looks up what plans name before it runs them.
type knowing struct {
	Rows
	lookups Lookups
}

// Run implements Rows.
func (k knowing) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	q, err := k.lookups.in(ctx, q)
	if err != nil {
		return err
	}
	return k.Rows.Run(ctx, q, fn)
}

// RunColumns implements Rows.
func (k knowing) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	q, err := k.lookups.in(ctx, q)
	if err != nil {
		return err
	}
	return k.Rows.RunColumns(ctx, q, fn)
}

// in returns a plan with what it names, as that is now; the same plan when it names nothing.
func (l Lookups) in(ctx context.Context, q *plan.Query) (*plan.Query, error) {
	q, err := l.Crashes.lookUp(ctx, q)
	if err != nil {
		return nil, err
	}
	return l.Cohorts.lookUp(ctx, q)
}

// asked are the cohorts that a plan names.
type askedCohorts struct {
	ids   []string
	all   bool // all that everyone sees, too
	named bool // there are any
}

func (a *askedCohorts) add(id string) {
	a.named = true
	if !slices.Contains(a.ids, id) {
		a.ids = append(a.ids, id)
	}
}

// in notes the cohorts of a plan, and of those in it.
func (a *askedCohorts) in(q *plan.Query) {
	q.Walk(func(e plan.Expr) {
		switch e := e.(type) {
		case plan.Among:
			a.in(e.Query)
		case plan.InSet:
			if e.Set == nil {
				a.add(e.ID)
			}
		case plan.Filter:
			for path, t := range e.Paths {
				l, ok := t.Expr.(plan.Lists)
				switch {
				case !ok || l.Sets != nil:
				case l.ID != "":
					a.add(l.ID)
				default:
					ids, others := e.Filter.Asked(path)
					for _, id := range ids {
						a.add(id)
					}
					a.all, a.named = a.all || others, true
				}
			}
		}
	})
}

// lookUp returns a plan with the members of the cohorts that it names, all as they are at one moment.
func (c *Cohorts) lookUp(ctx context.Context, q *plan.Query) (*plan.Query, error) {
	var asked askedCohorts
	if asked.in(q); !asked.named {
		return q, nil
	}
	members, err := c.Members(ctx, q.App, asked.ids, asked.all)
	if err != nil {
		return nil, err
	}
	return rewrite.Replace(q, func(e plan.Expr) plan.Expr {
		switch e := e.(type) {
		case plan.InSet:
			if e.Set == nil {
				e.Set = setOf(members[e.ID])
			}
			return e
		case plan.Filter: // its paths are a copy
			for path, t := range e.Paths {
				if l, ok := t.Expr.(plan.Lists); ok && l.Sets == nil {
					t.Expr = listed(e, path, l, members)
					e.Paths[path] = t
				}
			}
			return e
		}
		return e
	}), nil
}

// setOf is the set of the members of a cohort, of one that is no more the empty set.
func setOf(s *plan.Set) *plan.Set {
	if s == nil {
		return noUsers
	}
	return s
}

var noUsers = plan.NewSet(roaring.New())

// listed is what a path of a filter stands for, with the members of the cohorts that its conditions look at.
func listed(f plan.Filter, path string, l plan.Lists, members map[string]*plan.Set) plan.Lists {
	l.Sets = []plan.Valued{}
	if l.ID != "" {
		if s := members[l.ID]; s != nil {
			l.Sets = append(l.Sets, plan.Valued{Value: true, Set: s}, plan.Valued{Value: "true", Set: s})
		}
		return l
	}
	ids, others := f.Filter.Asked(path)
	if others {
		ids = ids[:0:0]
		for id := range members {
			ids = append(ids, id)
		}
		slices.Sort(ids)
	}
	for _, id := range ids {
		if s := members[id]; s != nil {
			l.Sets = append(l.Sets, plan.Valued{Value: id, Set: s})
		}
	}
	return l
}

// bindCohorts finds the path of cohorts of the users whose numbers a column holds.
func bindCohorts(path string, uid plan.Column) (plan.Typed, bool) {
	if path == cohortPath {
		return plan.Typed{Expr: plan.Lists{Of: uid}, Type: filter.List}, true
	}
	id, ok := strings.CutPrefix(path, cohortPath+".")
	return plan.Typed{Expr: plan.Lists{Of: uid, ID: strings.TrimSuffix(id, ".in")}, Type: filter.List}, ok && id != ""
}
