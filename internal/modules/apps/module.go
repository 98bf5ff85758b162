// Package apps is the module for managing applications: /i/apps/*, /o/apps/*,
// and their icons.
package apps

import (
	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/query"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "apps",
		Parts: []kernel.Plugin{
			{Code: "consolidate", Title: "Consolidate", Description: "Lets what some apps receive flow into another app as well."},
		},
		Setup: kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Writes, c.Directory} }

func setup(s *kernel.Scope, n uses) error {
	svc := &service{
		apps: n.Apps, auth: n.Auth, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, people: query.NewPeople(n.Events), files: n.Files, bus: s.Bus, settings: s.Settings, now: s.Now,
		decoding: make(chan struct{}, 1),
	}
	g := s.Routes
	api.Handle(g, "/i/apps/create", api.GlobalAdmin(), svc.create)
	api.Handle(g, "/i/apps/update", api.AppAdmin(api.AppInArgs), svc.update)
	api.Handle(g, "/i/apps/update/plugins", api.AppAdmin(api.AppParam), svc.updatePlugins)
	api.Handle(g, "/i/apps/delete", api.GlobalAdmin(), svc.delete)
	api.Handle(g, "/i/apps/reset", api.GlobalAdmin(), svc.reset)
	api.Handle(g, "/o/apps/all", api.GlobalAdmin().Confidential(), svc.all)
	api.Handle(g, "/o/apps/mine", api.Authenticated().ForTokensOfApps().Confidential(), svc.mine)
	api.Handle(g, "/o/apps/details", api.AppAdmin(api.AppParamLegacy).Confidential(), svc.details)
	api.Handle(g, "/o/apps/plugins", api.GlobalAdmin(), svc.plugins)
	api.HandleMethod(g, "all_apps", api.Access{Level: api.GlobalLevel, App: api.AppParamFirst}, svc.allApps)
	api.HandleRaw(g, "/appimages/{file}", api.Public(), "an image, not JSON", svc.image)
	g.Family("/o/apps", "Invalid path, must be one of /all, /mine, /details or /plugins")
	g.Family("/i/apps", "Invalid path, must be one of /create, /update, /delete or /reset")
	return nil
}
