// Package systemlogs is the module of the audit log: every management write,
// who made it and what it changed.
package systemlogs

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
)

// Config of the module.
type Config struct {
	// Keep is how long entries are kept; 0 = forever.
	Keep kernel.Duration `json:"keep"`
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "systemlogs", Requires: []string{"apps"}, Features: []string{"systemlogs"}, Defaults: Config{},
		Plugin: &kernel.Plugin{
			Code: "systemlogs", Title: "Audit log",
			Description: "Shows who changed what. Changes are recorded even while the log cannot be read.",
		},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			svc := &service{docs: n.Docs, auth: n.Auth, now: s.Now, keep: time.Duration(cfg.Keep), own: s.Routes.Writes}
			g := s.Routes
			api.Handle(g, "/i/systemlogs", api.Authenticated(), svc.add)
			read := api.Access{Level: api.GlobalLevel, App: api.AppParamFirst}
			api.HandleMethod(g, "systemlogs", read, svc.list)
			api.HandleMethod(g, "systemlogs_meta", read, svc.meta)
			hook.On(s.Bus, s.Name, svc.record)
			hook.On(s.Bus, s.Name, svc.erase)
			if cfg.Keep > 0 {
				s.Jobs.Every("prune", time.Hour, svc.prune)
			}
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory} }
