// Package views is the module for views: pages, screens and whatever else an app reports as seen. It answers the
// table, totals, names, course and segments of views, and where users clicked and scrolled; people rename and
// delete views and omit segments.
//
// Faults: views.no_view (Unauthenticated), views.bad_parameter, views.nothing, views.bad_picture (Invalid), views.not_found, views.no_picture
// (NotFound), views.large_picture (TooLarge), views.too_many_pictures, views.no_browser (Conflict).
package views

import (
	"sync"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
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
				figures: query.NewCounts(n.Query, n.Sequences), zones: &period.Zones{},
				apps: n.Apps, pages: n.Pages, folder: n.Files.Folder("heatmaps"), keeping: &sync.Mutex{},
			}
			n.Subjects.Provide(viewKey, svc.offered)
			g := s.Routes
			read := api.Feature("views", model.Read, api.AppParamFirst)
			api.HandleMethod(g, "views", read, svc.read)
			api.HandleMethod(g, "get_view_segments", read, svc.segments)
			api.HandleMethod(g, "get_view_count", read, svc.count)
			api.Handle(g, "/o/actions", api.Feature("views", model.Read, api.AppParamLegacy).Checking(svc.byKey), svc.actions)
			svc.heatmaps(g)
			// Which right a change needs depends on the method; reading is the least.
			api.Handle(g, "/i/views", api.Feature("views", model.Read, api.AppParamLegacy).Writing().Checking(namesApp), svc.write)
			hook.On(s.Bus, "views", svc.forget)
			hook.On(s.Bus, "views", svc.appDeleted)
			s.Jobs.Every("sweep", sweepEvery, svc.sweep)
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
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Writes, c.Shared, c.Directory}
}

type service struct {
	docs  docs.DB
	data  kernel.Data
	query *query.Query
	// figures are read of cells, or of the rows that a filter selects.
	figures *query.Counts
	tables  *query.Tables
	zones   *period.Zones
	apps    *apps.Store
	pages   *kernel.Pages
	folder  *files.Folder
	// keeping is held by those who write or delete pictures.
	keeping *sync.Mutex
}

// heatmaps declares the routes of heat maps.
func (s *service) heatmaps(g *api.Registrar) {
	read, change := api.Feature("views", model.Read, api.AppParam), api.Feature("views", model.Update, api.AppParam)
	api.Handle(g.Long(api.Long{Type: "views", Name: "Heat map"}), "/o/heatmaps", read, s.heat)
	api.Handle(g, "/o/heatmaps/pictures", read, s.pictures)
	api.HandleRawOf(g, "/o/heatmaps/picture", read, "the answer is an image", s.image)
	api.Handle(g, "/i/heatmaps/take", change, s.take)
	api.Handle(g, "/i/heatmaps/upload", change.Uploading(), s.upload)
	api.Handle(g, "/i/heatmaps/delete", change, s.removePicture)
	api.HandleRaw(g, "/views/heatmap.js", api.Public().OfDevices(), "a script for pages", script)
}

// byKey lets clients name the app by its key, as the script in the pages of a site does.
func (s *service) byKey(p *params.Params) error {
	if key := p.Text("app_key"); key != "" && p.Text("app_id") == "" {
		if app := s.apps.ByKey(key); app != nil {
			p.Set("app_id", params.Value{Text: app.ID.String()})
		}
	}
	return nil
}

// namesApp refuses to omit segments of no app.
func namesApp(p *params.Params) error {
	if p.Text("method") == "omit_segments" && p.Text("app_id") == "" {
		return bad("Missing request parameter: app_id")
	}
	return nil
}

func bad(message string) error { return fault.New(fault.Invalid, "views.bad_parameter", message) }
