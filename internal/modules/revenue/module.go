// Package revenue is the module for revenue: what people pay, how many of them do, and what a person is worth by how long ago they
// were first seen. docs/reference/revenue.md defines every figure.
//
// Faults: revenue.bad_parameter, revenue.too_many, revenue.mixed_filter (Invalid), funnels.too_many_events (Invalid), access.no_right (Forbidden).
package revenue

import (
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// feature is the name of the module's permission, of the type of its tasks, and of its settings in an app.
const feature = "revenue"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "revenue", Requires: []string{"apps", "eventgroups"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: feature, Title: "Revenue", Description: "Shows what people pay, how many of them do, and what they are worth over time."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{apps: n.Apps, groups: n.Groups, tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined), sequences: n.Sequences}
			long := s.Routes.Long(api.Long{Type: feature, Name: "Revenue"})
			read := api.Feature(feature, model.Read, api.AppParam)
			api.Handle(long, "/o/revenue", read, svc.series)
			api.Handle(long, "/o/revenue/report", read, svc.report)
			api.Handle(long, "/o/revenue/ltv", read, svc.lifetime)
			n.EventUsers.Add(kernel.EventUser{Kind: "purchases", Feature: feature, Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Directory
	kernel.Reads
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Directory, c.Reads, c.Shared} }

type service struct {
	apps      *apps.Store
	groups    *kernel.EventGroups
	tables    *query.Tables
	sequences *query.Funnels
	zones     period.Zones
}

// Bounds of questions.
const (
	maxEvents = 50
	maxKey    = 2048 // bytes of the key of an event
	maxPath   = 512  // bytes of a property's path
)

var (
	errUsers   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	errTooMany = fault.New(fault.Invalid, "revenue.too_many", "Too many values: ask for wider buckets, fewer groups or a shorter period")
)

func bad(name string) error {
	return fault.Newf(fault.Invalid, "revenue.bad_parameter", "Bad request parameter: %s", name)
}

// configured are the events of an app that count as purchases: its setting iap_events, a list of keys. Other values are skipped.
func configured(app *model.App) []string {
	settings, _ := app.Plugins[feature].(map[string]any)
	var keys []string
	switch v := settings["iap_events"].(type) {
	case string:
		keys = []string{v}
	case []any:
		for _, e := range v {
			if key, ok := e.(string); ok {
				keys = append(keys, key)
			}
		}
	case []string:
		keys = v
	}
	return usable(keys)
}

// usable are the first keys of a list that can be those of events, each once.
func usable(keys []string) []string {
	out := []string{}
	for _, key := range keys {
		if key != "" && len(key) <= maxKey && len(out) < maxEvents && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// keys are the events that some keys of the wire stand for.
func (s *service) keys(ctx context.Context, app model.AppID, of []string) ([]string, error) {
	var out []string
	for _, key := range of {
		keys, err := s.groups.Keys(ctx, app, key)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out, nil
}

// eachUse lists which events count as purchases.
func (s *service) eachUse(_ context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	a := s.apps.ByID(app)
	if a == nil {
		return nil
	}
	if events := configured(a); len(events) > 0 {
		return fn(kernel.EventUse{ID: app.String(), Name: "iap_events", Events: events})
	}
	return nil
}
