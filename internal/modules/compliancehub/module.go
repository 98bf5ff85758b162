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
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			n.Holdings.Add(kernel.Holding{Name: "consents", Rows: []string{consentKey}})
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

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Shared} }

type service struct {
	people   *query.People
	rows     *query.Tables
	profiles profile.Reader
	now      func() time.Time
}
