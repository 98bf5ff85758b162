// Package attribution is the module for where people come from: channels, sources, UTM tags and campaigns of visits and installs, links of campaigns
// with their clicks, what campaigns cost, postbacks of Adjust, and which of several touches a conversion is credited to.
// docs/reference/attribution.md defines every figure.
//
// Faults: attribution.args, attribution.invalid, attribution.duplicate, attribution.bad_parameter, attribution.bad_file, attribution.none (Invalid),
// attribution.not_found, attribution.no_link (NotFound), attribution.too_many (Conflict), attribution.signed, access.no_right (Forbidden), ingest.app_paused (Invalid).
package attribution

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/ingest/outcome"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/topic"
)

// feature is the name of the module's permission, under which profiles, rows and commands know it; sourcesFeature is that of reads of
// sources.
const (
	feature        = "attribution"
	sourcesFeature = "sources"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: feature, Requires: []string{"apps", "eventgroups"}, Features: []string{feature, sourcesFeature},
		Plugin: &kernel.Plugin{Code: feature, Title: "Campaigns", Description: "Shows by which channels, sources and campaigns people come, and what that costs and brings in."},
		Ingest: ingestion(),
		Setup:  kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Writes, c.Directory, c.Shared}
}

type service struct {
	docs      docs.DB
	apps      *apps.Store
	query     *query.Query
	cells     rollup.Reader
	known     subjects
	groups    *kernel.EventGroups
	tables    *query.Tables
	sequences *query.Funnels
	ingest    func(ctx context.Context, app *model.App, requests []byte) error
	refused   func(app model.AppID, reason outcome.Reason)
	flush     func(context.Context) error
	log       *slog.Logger
	now       func() time.Time
	zones     period.Zones
	clicks    clicks
	profiles  profile.Reader
	looking   sync.Mutex // held while users are looked for by their ids of Adjust
}

func setup(s *kernel.Scope, n uses) error {
	svc := &service{
		docs: n.Docs, apps: n.Apps, query: n.Query, cells: n.Cells, known: n.Schema, groups: n.Groups, tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined),
		sequences: n.Sequences, profiles: n.Profiles, ingest: n.Ingest, refused: n.Refused, flush: n.Flush, log: s.Log, now: s.Now,
	}
	svc.routes(s.Routes)
	s.Jobs.Every("adjust", time.Minute, svc.tend)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	hook.On(s.Bus, s.Name, svc.appReset)
	return nil
}

func (s *service) routes(g *api.Registrar) {
	api.Handle(g, "/i/campaign/create", api.Feature(feature, model.Create, api.AppParam), s.create)
	api.Handle(g, "/i/campaign/update", api.Feature(feature, model.Update, api.AppParam), s.update)
	api.Handle(g, "/i/campaign/hide", api.Feature(feature, model.Update, api.AppParam), s.hide)
	api.Handle(g, "/i/campaign/show", api.Feature(feature, model.Update, api.AppParam), s.show)
	api.Handle(g, "/i/campaign/delete", api.Feature(feature, model.Delete, api.AppParam), s.remove)
	api.Handle(g, "/i/campaign/costs", api.Feature(feature, model.Update, api.AppParam), s.importCosts)
	read := api.Feature(feature, model.Read, api.AppParam)
	api.Handle(g, "/o/campaign", read, s.read)
	api.Handle(g, "/o/attribution/visits", read, s.visits)
	long := g.Long(api.Long{Type: feature, Name: "Attribution"})
	api.Handle(long, "/o/attribution", read, s.report)
	sources := api.Feature(sourcesFeature, model.Read, api.AppParamFirst)
	api.HandleMethod(g, "keywords", sources, s.keywords)
	api.Handle(g, "/o/keywords", sources, s.keywords)
	api.Handle(g, "/o/sources", api.Public(), s.stores)
	api.Handle(g, "/o/stores", api.Public(), s.stores)
	api.HandleRaw(g, "/campaign/{id}", api.Public().OfDevices(), "a redirect", s.follow)
	api.Handle(g, "/i/adjust", api.Public().OfDevices().Writing(), s.adjust)
}

// Faults in the words of the wire, which answers some of them with 200.
var (
	errArgs      = api.Status(http.StatusOK, fault.New(fault.Invalid, "attribution.args", "Not enough args"))
	errDuplicate = api.Status(http.StatusOK, fault.New(fault.Invalid, "attribution.duplicate", "Duplicate campaign link"))
	errNotFound  = api.Status(http.StatusOK, fault.New(fault.NotFound, "attribution.not_found", "Campaign not found"))
	errDelete    = api.Status(http.StatusOK, fault.New(fault.NotFound, "attribution.not_found", "Error deleting campaign"))
	errTooMany   = fault.New(fault.Conflict, "attribution.too_many", "There are too many campaigns, delete some")
	errNoLink    = fault.New(fault.NotFound, "attribution.no_link", "This link has no target")
)

// invalid is the fault of a campaign that has no meaning.
func invalid(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "attribution.invalid", format, args...)
}

func bad(name string) error {
	return fault.Newf(fault.Invalid, "attribution.bad_parameter", "Bad request parameter: %s", name)
}

// unknownID reports whether an error says that there is no document of an id, or that none can have it.
func unknownID(err error) bool {
	return docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key"
}

// appReset forgets clicks, imported costs and postbacks; campaigns stay, as links are in use.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	if _, err := days().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	if _, err := visitorsOf().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := postbacks().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if err := s.appReset(ctx, topic.AppReset(ev)); err != nil {
		return err
	}
	if _, err := routes().Global(s.docs).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Eq(".app", ev.App.String())}}); err != nil {
		return err
	}
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}
