// Package appusers is the module for the people who use an app: their
// profiles, lists of them, and how loyal they are.
package appusers

import (
	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "appusers", Requires: []string{"apps"}, Features: []string{"core", "users"},
		Setup: func(s *kernel.Scope) error {
			svc := &service{people: query.NewPeople(s.Data.Events), data: s.Data, bus: s.Bus, now: s.Now}
			g := s.Routes
			list := g.Long(api.Long{Type: "userList", Name: "Users", Quick: oneUser})
			api.HandleMethod(list, "user_details", api.Feature("users", model.Read, api.AppParamFirst), svc.details)
			api.Handle(g, "/o/app_users/loyalty", api.Feature("core", model.Read, api.AppParam), svc.loyalty)
			api.Handle(g, "/i/app_users/create", api.Feature("core", model.Create, api.AppParam), svc.create)
			api.Handle(g, "/i/app_users/update", api.Feature("core", model.Update, api.AppParam), svc.update)
			api.Handle(g, "/i/app_users/delete", api.Feature("core", model.Delete, api.AppParam), svc.delete)
			wireSubjects(s, wireExports(s))
			return nil
		},
	}
}
