// Package crashes is the module for crashes: it puts the reports of SDKs into groups, counts them, and tells which users and sessions
// were free of them. People resolve, hide, share and comment groups.
//
// Faults: crashes.no_group, crashes.no_report, crashes.no_dump, crashes.no_stack, crashes.bad_parameter (Invalid), crashes.not_shared
// (NotFound), crashes.too_many_comments (Conflict), crashes.bad_rules (Invalid), crashes.rules_changed (Conflict), crashes.unlike (Invalid),
// crashes.too_many_pins (Conflict), crashes.unknown_group (NotFound).
package crashes

import (
	"context"
	"errors"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// Config is what operators set.
type Config struct {
	// ReportLimit is how many of the latest reports a group is shown with, 1 to 1000.
	ReportLimit int `json:"report_limit"`
}

// Validate reports what is out of bounds.
func (c Config) Validate() error {
	if c.ReportLimit < 1 || c.ReportLimit > maxReports {
		return errors.New("crashes.report_limit is not between 1 and 1000")
	}
	return nil
}

// maxReports is how many reports one answer holds.
const maxReports = 1000

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: feature, Requires: []string{"apps"}, Features: []string{feature},
		Plugin: &kernel.Plugin{
			Code: feature, Title: "Crashes", Description: "Groups crashes and errors, and shows which users, sessions and releases are free of them.",
		},
		Defaults: Config{ReportLimit: 100},
		Ingest:   ingestion(),
		Setup:    kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Shared
	kernel.Background
	kernel.Directory
	kernel.Watching
	memory func() kernel.Memory
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Writes, c.Shared, c.Background, c.Directory, c.Watching, c.Memory}
}

type service struct {
	docs     docs.DB
	data     kernel.Data
	tables   *query.Tables
	people   *query.People
	books    *books
	profiles profile.Reader
	symbols  *kernel.Symbols
	now      func() time.Time
	config   Config
	settings *settings.Store
	tasks    *jobs.Tasks
	offers   *kernel.Crashes
	bus      *hook.Bus
	members  *auth.Service
	// regrouping lets one change of the groups of an app happen at a time.
	regrouping locks
	zones      period.Zones
	// impacts lets one question about the cost of a group be held in memory at a time.
	impacts chan struct{}
}

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	tables := query.NewTables(n.Events, n.Schema)
	svc := &service{
		docs: n.Docs, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, tables: tables, people: query.NewPeople(n.Events), profiles: n.Profiles, symbols: n.Symbols, now: s.Now, config: cfg, settings: s.Settings, tasks: n.Tasks, offers: n.Crashes, bus: s.Bus, members: n.Auth,
		impacts: make(chan struct{}, 1),
		books:   &books{tables: tables, schema: n.Schema, rows: n.Events, docs: n.Docs, memory: n.memory, now: s.Now, holds: n.Taps.Holds},
	}
	n.Crashes.Provide(svc.firstStack, svc.reportByID, svc.buildsSince)
	n.Crashes.ProvideGroups(svc.aboutGroup, svc.decideGroup, svc.listGroups)
	n.CrashGroups.Provide(svc.variantsIn)
	declareVelocity(s.Settings)
	g := s.Routes
	read := api.Feature(feature, model.Read, api.AppParamFirst)
	api.HandleMethod(g, "crashes", read, svc.read)
	api.HandleMethod(g, "crash_velocity", read, svc.velocity)
	api.HandleMethod(g, "crash_releases", read, svc.releases)
	api.HandleMethod(g, "crash_similar", read, svc.similar)
	api.HandleMethod(g, "crash_members", read, svc.assignees)
	api.HandleMethod(g, "crash_rules", read, svc.readRules)
	api.HandleMethod(g, "crash_variants", read, svc.variantsOf)
	api.HandleMethod(g, "user_crashes", read, svc.ofUser)
	api.HandleMethod(g, "reports", read, svc.reports)
	long := g.Long(api.Long{Type: feature, Name: "Crash impact"})
	api.HandleMethod(long, "crash_properties", read, svc.overRepresented)
	api.HandleMethod(long, "crash_cost", read, svc.cost)
	api.HandleMethod(long, "crash_paths", read, svc.paths)
	ofApp := api.Feature(feature, model.Read, api.AppParam)
	api.HandleRawOf(g, "/o/crashes/download_stacktrace", ofApp, "the answer is a file", svc.downloadStack)
	api.HandleRawOf(g, "/o/crashes/download_binary", ofApp, "the answer is a file", svc.downloadBinary)
	for name, do := range svc.actions() {
		api.Handle(g, "/i/crashes/"+name, api.Feature(feature, do.needs, do.app), do.run)
	}
	api.Handle(g, "/o/crashes/preview_rules", ofApp, svc.previewRules)
	api.Handle(g, "/i/crashes/rules", api.Feature(feature, model.Update, api.AppParam), svc.changeRules)
	n.Tasks.Register(jobs.Runner{Kind: previewKind, Repeatable: true, Run: svc.runPreview})
	n.Tasks.Register(jobs.Runner{Kind: rulesKind, Repeatable: true, Run: svc.runRules})
	n.Tasks.Register(jobs.Runner{Kind: symbolsKind, Repeatable: true, Run: svc.runSymbols})
	api.HandleRaw(g, "/crash/{url}", api.Public(), "a page, not JSON", svc.page)
	hook.On(s.Bus, s.Name, svc.appReset)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	hook.OnEach(s.Bus, s.Name, func(_ context.Context, ev topic.AppReset) error { svc.books.drop(ev.App); return nil })
	hook.OnEach(s.Bus, s.Name, func(_ context.Context, ev topic.AppDeleted) error { svc.books.drop(ev.App); return nil })
	hook.OnEach(s.Bus, s.Name, svc.usersDeleted)
	hook.On(s.Bus, s.Name, svc.userMerged)
	hook.On(s.Bus, s.Name, svc.symbolsChanged)
	return nil
}

func bad(message string) error { return fault.New(fault.Invalid, "crashes.bad_parameter", message) }

var errUsers = fault.New(fault.Forbidden, "access.no_right", "User does not have right")

var errNoGroup = fault.New(fault.Invalid, "crashes.no_group", "Crash group not found")
