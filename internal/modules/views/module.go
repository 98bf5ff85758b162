// Package views is the module for views: pages, screens and whatever else an app reports as seen. It answers the
// table, totals, names, course and segments of views, and where users clicked and scrolled; people rename and
// delete views and omit segments.
//
// Faults: views.no_view (Unauthenticated), views.bad_parameter, views.nothing (Invalid).
package views

import (
	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "views", Requires: []string{"apps"}, Features: []string{"views"},
		Plugin: &kernel.Plugin{
			Code: "views", Title: "Views", Description: "Counts visits of pages and screens, and shows where users click and how far they scroll.",
		},
		Ingest: ingestion(),
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{
				docs: n.Docs, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, query: n.Query, tables: query.NewTables(n.Events, n.Schema),
			}
			n.Views.Provide(svc.offered)
			g := s.Routes
			read := api.Feature("views", model.Read, api.AppParamFirst)
			api.HandleMethod(g, "views", read, svc.read)
			api.HandleMethod(g, "get_view_segments", read, svc.segments)
			api.HandleMethod(g, "get_view_count", read, svc.count)
			api.Handle(g, "/o/actions", api.Feature("views", model.Read, api.AppParamLegacy), svc.actions)
			// Which right a change needs depends on the method; reading is the least.
			api.Handle(g, "/i/views", api.Feature("views", model.Read, api.AppParamLegacy).Writing().Checking(namesApp), svc.write)
			hook.On(s.Bus, "views", svc.forget)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Writes, c.Shared} }

type service struct {
	docs   docs.DB
	data   kernel.Data
	query  *query.Query
	tables *query.Tables
	zones  period.Zones
}

// namesApp refuses to omit segments of no app.
func namesApp(p *params.Params) error {
	if p.Text("method") == "omit_segments" && p.Text("app_id") == "" {
		return bad("Missing request parameter: app_id")
	}
	return nil
}

func bad(message string) error { return fault.New(fault.Invalid, "views.bad_parameter", message) }
