// Package serverstats is the module that counts what the server receives:
// data points by app, by hour and weekday, and the apps that send most.
//
// A data point is a session or an event item. Both are counted from the event rows, in the time zone
// of their app.
package serverstats

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/kernel"
	"quipu/internal/query"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "serverstats", Requires: []string{"apps"},
		Plugin: &kernel.Plugin{
			Code: "server-stats", Title: "Data points", Description: "Counts the sessions and events that apps send, by app, kind, hour and weekday.",
		},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{rows: query.NewTables(n.Events, n.Schema), apps: n.Apps, now: s.Now}
			api.Handle(s.Routes, "/o/server-stats/data-points", api.Authenticated().ForTokensOfApps(), svc.dataPoints)
			api.Handle(s.Routes, "/o/server-stats/top", api.Authenticated().ForTokensOfApps(), svc.top)
			api.Handle(s.Routes, "/o/server-stats/punch-card", api.Authenticated().ForTokensOfApps(), svc.punchCard)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Directory} }

type service struct {
	rows *query.Tables
	apps *apps.Store
	now  func() time.Time
}
