// Package compliancehub is the module that shows what users consented to: now,
// and every change of it.
package compliancehub

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "compliancehub", Requires: []string{"apps"}, Features: []string{"compliance_hub"},
		Plugin: &kernel.Plugin{
			Code: "compliance-hub", Title: "Compliance hub", Description: "Shows what users consented to, now and over time.",
		},
		Ingest: &pipeline.Feature{Name: "consent", Fields: []string{"consent"}},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Reads { return c.Reads }, func(s *kernel.Scope, n kernel.Reads) error {
			svc := &service{
				people: query.NewPeople(n.Events), rows: query.NewTables(n.Events, n.Schema), profiles: n.Profiles, now: s.Now,
			}
			read := api.Feature("compliance_hub", model.Read, api.AppParam)
			g := s.Routes
			api.Handle(g, "/o/consent/current", read, svc.current)
			api.Handle(g, "/o/consent/search", read, svc.search)
			api.Handle(g, "/o/consent/searchOld", read, svc.searchOld)
			api.Handle(g, "/o/app_users/consents", read, svc.users)
			api.HandleMethod(g, "consents", api.Feature("compliance_hub", model.Read, api.AppParamFirst), svc.document)
			return nil
		}),
	}
}

type service struct {
	people   *query.People
	rows     *query.Tables
	profiles profile.Reader
	now      func() time.Time
}
