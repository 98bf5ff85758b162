// Package analytics is the module for the core reads: time documents of
// sessions, metrics and events under /o, and the summaries under /o/analytics.
// What each number means is in docs/reference/metrics.md.
package analytics

import (
	"cmp"
	"context"

	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/settings"
	"quipu/internal/store/schema"
)

// Config of the module.
type Config struct {
	// CountryData and CityData are the defaults of the settings of these names, which
	// switch the documents of countries and cities; off, they are {}.
	CountryData bool `json:"country_data"`
	CityData    bool `json:"city_data"`
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "analytics", Requires: []string{"apps"}, Features: []string{"core", "times_of_day"},
		Defaults: Config{CountryData: true, CityData: true},
		Parts: append(counted(), kernel.Plugin{
			Code: "times-of-day", Title: "Times of day", Description: "Counts sessions and events by hour and weekday of their users.",
		}),
		Setup: kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Shared} }

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	s.Settings.Declare("api", "country_data", settings.Setting{Default: cfg.CountryData, PerApp: true})
	s.Settings.Declare("api", "city_data", settings.Setting{Default: cfg.CityData, PerApp: true})
	svc := &service{settings: s.Settings, query: n.Query, groups: n.Groups, figures: query.NewCounts(n.Query, n.Sequences), known: n.Schema, zones: &period.Zones{}}
	read := api.Feature("core", model.Read, api.AppParamFirst)
	g := s.Routes

	for _, method := range []string{"users", "sessions", "locations"} {
		api.HandleMethod(g, method, read, filtered(svc, (*service).users))
	}
	api.HandleMethod(g, "countries", read, filtered(svc, (*service).countries))
	api.HandleMethod(g, "cities", read, filtered(svc, (*service).cities))
	for document, feature := range documents() {
		if document != cityDocument {
			api.HandleMethod(g, document, api.Feature(feature, model.Read, api.AppParamFirst), filtered(svc, metricDocument(document)))
		}
	}
	api.HandleMethod(g, "total_users", read, filtered(svc, (*service).totalUsers))
	api.HandleMethod(g, "get_period_obj", read, svc.periodObject)
	api.HandleMethod(g, "events", read, filtered(svc, (*service).events))
	api.HandleMethod(g, "top_events", read, filtered(svc, (*service).topEvents))
	api.HandleMethod(g, "geodata", read, filtered(svc, (*service).geodata))
	api.HandleMethod(g, "times-of-day", api.Feature("times_of_day", model.Read, api.AppParamFirst), filtered(svc, (*service).timesOfDay))

	api.Handle(g, "/o/analytics/dashboard", read, filtered(svc, (*service).dashboard))
	api.Handle(g, "/o/analytics/countries", read, filtered(svc, (*service).topCountries))
	api.Handle(g, "/o/analytics/sessions", read, filtered(svc, (*service).sessionRows))
	api.Handle(g, "/o/analytics/metric", read, filtered(svc, (*service).metricRows))
	api.Handle(g, "/o/analytics/tops", read, filtered(svc, (*service).tops))
	api.Handle(g, "/o/analytics/loyalty", read, svc.loyalty)
	api.Handle(g, "/o/analytics/frequency", read, filtered(svc, (*service).frequency))
	api.Handle(g, "/o/analytics/durations", read, filtered(svc, (*service).durations))
	api.Handle(g, "/o/analytics/events", read, filtered(svc, (*service).eventRows))
	api.Handle(g, "/o/analytics/events/overview", read, filtered(svc, (*service).eventOverviews))
	api.Handle(g, "/o/analytics/events/top", read, filtered(svc, (*service).topEvents))
	api.Handle(g, "/o/analytics/compare", read, filtered(svc, (*service).compare))

	// Unknown paths of the family ask for the app id first, then name the known ones.
	g.Family("/o/analytics", badPath)
	for _, path := range []string{"/o/analytics", "/o/analytics/{tail}"} {
		api.Handle(g, path, api.Public(), svc.unknownPath)
	}
	return nil
}

// cityDocument is the document that a setting switches.
const cityDocument = "cities"

// documents returns the time documents of dimensions with the permissions they need.
func documents() map[string]string {
	out := map[string]string{}
	for i := range model.Dimensions {
		for _, document := range model.Dimensions[i].Documents {
			out[document] = cmp.Or(model.Dimensions[i].Feature, "core")
		}
	}
	return out
}

// counted lists the dimensions that people know as features.
func counted() []kernel.Plugin {
	var out []kernel.Plugin
	for i := range model.Dimensions {
		if p := model.Dimensions[i].Plugin; p != nil {
			out = append(out, kernel.Plugin{Code: p.Code, Title: p.Title, Description: p.Description})
		}
	}
	return out
}

// service answers the reads.
type service struct {
	settings *settings.Store
	query    *query.Query
	groups   *kernel.EventGroups
	figures  *query.Counts
	known    schema.Details
	zones    *period.Zones
}

// selection returns what an event key of the wire stands for: itself, or the
// source events of the group of that id.
func (s *service) selection(ctx context.Context, app model.AppID, key string) (query.Selection, error) {
	if err := query.Counted(key); err != nil {
		return query.Selection{}, err
	}
	keys, err := s.groups.Keys(ctx, app, key)
	if err != nil {
		return query.Selection{}, err
	}
	return query.Selection{Name: key, Keys: keys}, nil
}

// maxSelected is how many events one read may name.
const maxSelected = 1000

func (s *service) selections(ctx context.Context, app model.AppID, keys []string) ([]query.Selection, error) {
	out := make([]query.Selection, 0, len(keys))
	for _, k := range keys {
		sel, err := s.selection(ctx, app, k)
		if err != nil {
			return nil, err
		}
		out = append(out, sel)
	}
	return out, nil
}
