// Package explore is the module for questions that people put together
// themselves: which events and properties an app has, of which kind they are, how many events a
// filter selects, and the views that people keep under a name, for themselves or for everyone of the app.
//
// Faults: explore.bad_events, explore.bad_view, explore.too_many (Invalid), explore.not_found (NotFound),
// explore.not_yours, explore.no_sharing (Forbidden).
package explore

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "explore", Requires: []string{"apps", "events", "properties"}, Features: []string{"core", "events"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{
				docs: n.Docs, auth: n.Auth, now: s.Now, schema: n.Schema, groups: n.Groups,
				people: query.NewPeople(n.Events), tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined), labels: n.Properties,
			}
			read := api.Feature("core", model.Read, api.AppParam)
			api.Handle(s.Routes, "/o/explore/properties", read, svc.properties)
			api.Handle(s.Routes.Long(api.Long{Type: "eventCount", Name: "Events that a filter selects"}), "/o/explore/count", api.Feature("events", model.Read, api.AppParam), svc.count)
			api.Handle(s.Routes, "/o/explore/views", read, svc.list)
			// A view is its owner's own: who may read the app may keep some. Sharing needs more.
			api.Handle(s.Routes, "/i/explore/views/save", read, svc.save)
			api.Handle(s.Routes, "/i/explore/views/delete", read, svc.delete)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			hook.On(s.Bus, s.Name, svc.memberDeleted)
			n.EventUsers.Add(kernel.EventUser{Kind: "view", Feature: "core", Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Directory, c.Shared} }

type service struct {
	docs   docs.DB
	auth   *auth.Service
	now    func() time.Time
	schema schemaReader
	groups *kernel.EventGroups
	people *query.People
	tables *query.Tables
	labels *kernel.PropertyLabels
}
