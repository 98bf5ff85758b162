// Package tasks is the module through which people see and manage their
// long-running tasks. What runs them is package jobs.
package tasks

import (
	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "tasks", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{tasks: n.Tasks, apps: n.Apps, now: s.Now}
			g := s.Routes
			read := api.Feature("core", model.Read, api.AppOptional)
			api.Handle(g, "/o/tasks/all", read, svc.all)
			api.Handle(g, "/o/tasks/count", read, svc.count)
			api.Handle(g, "/o/tasks/list", read, svc.list)
			api.Handle(g, "/o/tasks/check", read, svc.check)
			api.Handle(g, "/o/tasks/task", read, svc.task)
			change := api.Feature("core", model.Update, api.AppOptional)
			api.Handle(g, "/i/tasks/update", change, svc.rerun)
			api.Handle(g, "/i/tasks/name", change, svc.name)
			api.Handle(g, "/i/tasks/edit", change, svc.edit)
			api.Handle(g, "/i/tasks/delete", api.Feature("core", model.Delete, api.AppOptional), svc.delete)
			n.Collections.Add(svc.collection())
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Directory
	kernel.Background
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Directory, c.Background, c.Shared} }
