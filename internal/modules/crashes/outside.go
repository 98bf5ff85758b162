package crashes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// aboutGroup returns a group for other modules; false when there is no such group.
func (s *service) aboutGroup(ctx context.Context, app model.AppID, id string) (kernel.CrashGroup, bool, error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return kernel.CrashGroup{}, false, err
	}
	defer done()
	g := b.groups[id]
	if g == nil {
		return kernel.CrashGroup{}, false, nil
	}
	return g.outside(), true, nil
}

// outside is a group as other modules see it.
func (g *group) outside() kernel.CrashGroup {
	out := kernel.CrashGroup{
		ID: g.id, Name: g.name, OS: g.os, Version: g.latest, NonFatal: g.nonfatal, State: kernel.CrashOpen,
		Reports: g.reports, Users: g.users.len(), First: seconds(g.start), Last: seconds(g.last),
	}
	switch {
	case g.isResolved():
		out.State = kernel.CrashResolved
	case g.about.Resolving:
		out.State = kernel.CrashResolving
	}
	return out
}

// listGroups returns groups for other modules, see kernel.Crashes.List.
func (s *service) listGroups(ctx context.Context, app model.AppID, search string, limit int) ([]kernel.CrashGroup, error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return nil, err
	}
	defer done()
	var found []*group
	needle := docs.SearchText(search)
	for _, g := range b.groups {
		if !g.isHidden() && strings.Contains(docs.SearchText(g.name), needle) {
			found = append(found, g)
		}
	}
	slices.SortFunc(found, func(x, y *group) int { return cmp.Or(cmp.Compare(y.last, x.last), cmp.Compare(x.id, y.id)) })
	out := []kernel.CrashGroup{}
	for _, g := range found[:min(limit, len(found))] {
		out = append(out, g.outside())
	}
	return out, nil
}

// decideGroup gives a group a state for another module; false when there is no such group.
func (s *service) decideGroup(ctx context.Context, app model.AppID, id string, state kernel.CrashState) (bool, error) {
	change := unresolved
	switch state {
	case kernel.CrashResolved:
		change = resolved
	case kernel.CrashResolving:
		change = func(a *about) error { a.Unresolved, a.Resolving = true, true; return nil }
	case kernel.CrashOpen:
	}
	latest, _, _, err := s.touch(ctx, app, []string{id}, change)
	if err != nil || len(latest) == 0 {
		return false, err
	}
	d := decision{Unresolve: []string{id}}
	if state == kernel.CrashResolved {
		d = decision{Resolve: latest}
	}
	return true, s.decide(ctx, app, d)
}
