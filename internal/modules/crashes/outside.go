package crashes

import (
	"context"

	"quipu/internal/kernel"
	"quipu/internal/model"
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
	return out, true, nil
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
