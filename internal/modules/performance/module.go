// Package performance is the module for how fast apps are: web vitals, starts, screens, traces of the app's own and requests over the network, as
// the traces of SDKs measure them. docs/reference/performance.md defines every figure.
//
// Faults: performance.bad_parameter, performance.too_many (Invalid), access.no_right (Forbidden).
package performance

import (
	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/schema"
)

// feature is the name of the module's permission.
const feature = "performance_monitoring"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "performance", Requires: []string{"apps"}, Features: []string{feature},
		Plugin: &kernel.Plugin{
			Code: "performance-monitoring", Title: "Performance", Description: "Shows web vitals, starts, slow and frozen frames, and how network requests do.",
		},
		Ingest: ingestion(),
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			tables := query.NewTables(n.Events, n.Schema)
			svc := &service{spreads: query.NewSpreads(n.Query, tables), tables: tables, schema: n.Schema}
			g := s.Routes
			read := api.Feature(feature, model.Read, api.AppParam)
			api.Handle(g, "/o/performance", read, svc.overview)
			api.Handle(g, "/o/performance/course", read, svc.course)
			api.Handle(g, "/o/performance/table", read, svc.table)
			api.Handle(g, "/o/performance/trace", read, svc.trace)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads} }

type service struct {
	spreads *query.Spreads
	tables  *query.Tables
	schema  schema.Reader
	zones   period.Zones
}

func bad(name string) error {
	return fault.Newf(fault.Invalid, "performance.bad_parameter", "Bad request parameter: %s", name)
}
