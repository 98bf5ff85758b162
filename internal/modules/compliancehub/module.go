// Package compliancehub is the module that shows what users consented to: now,
// and every change of it.
package compliancehub

import (
	"time"

	"quipu/internal/api"
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
		Setup: func(s *kernel.Scope) error {
			svc := &service{
				people: query.NewPeople(s.Data.Events), rows: query.NewTables(s.Data.Events, s.Data.Schema), profiles: s.Data.Profiles, now: s.Now,
			}
			read := api.Feature("compliance_hub", model.Read, api.AppParam)
			g := s.Routes
			api.Handle(g, "/o/consent/current", read, svc.current)
			api.Handle(g, "/o/consent/search", read, svc.search)
			api.Handle(g, "/o/consent/searchOld", read, svc.searchOld)
			api.Handle(g, "/o/app_users/consents", read, svc.users)
			api.HandleMethod(g, "consents", api.Feature("compliance_hub", model.Read, api.AppParamFirst), svc.document)
			return nil
		},
	}
}

type service struct {
	people   *query.People
	rows     *query.Tables
	profiles profile.Reader
	now      func() time.Time
}
