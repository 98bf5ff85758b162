// Package members serves the accounts of the dashboard: /o/users/* and
// /i/users/*. The accounts themselves are package auth's.
package members

import (
	"context"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/topic"
)

// Module manages members.
func Module() kernel.Module {
	return kernel.Module{Name: "members", Requires: []string{"apps"}, Features: []string{"core"}, Setup: kernel.With(pick, setup)}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Directory
	kernel.Server
}

func pick(c *kernel.Capabilities) uses { return uses{c.Directory, c.Server} }

type service struct {
	auth     *auth.Service
	apps     *apps.Store
	bus      *hook.Bus
	log      *slog.Logger
	features func() []string
}

func setup(s *kernel.Scope, n uses) error {
	svc := &service{auth: n.Auth, apps: n.Apps, bus: s.Bus, log: s.Log, features: n.Features}
	r := s.Routes
	r.Family("/o/users", "Invalid path, must be one of /all or /me")
	r.Family("/i/users", "Invalid path, must be one of /create, /update, /deleteOwnAccount or /delete")
	api.Handle(r, "/o/users/all", api.GlobalAdmin().Confidential(), svc.all)
	api.Handle(r, "/o/users/me", api.Authenticated().Confidential(), svc.me)
	api.Handle(r, "/o/users/id", api.GlobalAdmin().Confidential(), svc.byID)
	api.Handle(r, "/o/users/permissions", api.Feature("core", model.Read, api.AppOptional), svc.permissions)
	api.Handle(r, "/o/users/reset_timeban", api.GlobalAdmin().Writing(), svc.resetThrottle)
	api.Handle(r, "/i/users/create", api.GlobalAdmin(), svc.create)
	api.Handle(r, "/i/users/update", api.GlobalAdmin(), svc.update)
	api.Handle(r, "/i/users/delete", api.GlobalAdmin(), svc.remove)
	api.Handle(r, "/i/users/deleteOwnAccount", api.GlobalAdmin(), svc.removeOwn)
	api.Handle(r, "/i/users/updateHomeSettings", api.GlobalAdmin(), svc.homeSettings)
	api.Handle(r, "/o/users/sessions", api.Authenticated(), svc.sessions)
	api.Handle(r, "/i/users/sessions/end", api.Authenticated(), svc.endSessions)
	api.Handle(r, "/i/users/api_key/rotate", api.Authenticated(), svc.rotateKey)
	api.Handle(r, "/i/users/password", api.Authenticated(), svc.password)
	hook.On(s.Bus, s.Name, func(ctx context.Context, ev topic.AppDeleted) error { return svc.auth.ForgetApp(ctx, ev.App) })
	s.Jobs.Every("prune", time.Hour, n.Auth.Prune)
	return nil
}
