// Package drill is the module for questions over single events: figures of any event under a filter, by time and by the values
// of properties; which properties there are, and which values they take; and queries that members keep as
// bookmarks. docs/reference/drill.md defines what it answers.
//
// Faults: drill.bad_parameter, drill.too_many_points, drill.too_many_values, drill.too_many_groups (Invalid), drill.args, drill.not_found, drill.duplicate,
// drill.bad_bookmark, drill.too_many (Invalid), drill.not_yours (Unauthenticated).
package drill

import (
	"context"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
	"quipu/internal/topic"
)

// feature is the name of the module's permission.
const feature = "drill"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "drill", Requires: []string{"apps", "events", "eventgroups", "properties"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: "drill", Title: "Drill", Description: "Answers questions over single events: filters, breakdowns, people, bookmarks."},
		Setup:  kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Directory
	kernel.Background
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Writes, c.Directory, c.Background, c.Shared}
}

func setup(s *kernel.Scope, n uses) error {
	svc := &service{
		docs: n.Docs, bus: s.Bus, groups: n.Groups, now: s.Now, tasks: n.Tasks, schema: n.Schema, submit: n.Submit, apps: n.Apps.All,
		tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined), defined: n.Defined, cohorts: n.Cohorts, people: query.NewPeople(n.Events), ranks: n.Ranks, labels: n.Properties,
	}
	g := s.Routes
	long := g.Long(api.Long{Type: "drill", Name: "Drill query"})
	reader := api.Feature(feature, model.Read, api.AppParamFirst)
	api.HandleMethod(long, "segmentation", api.Feature(feature, model.Read, api.AppParamFirst), svc.segmentation)
	api.HandleMethod(long, "segmentation_users", api.Feature(feature, model.Read, api.AppParamFirst), svc.users)
	api.HandleMethod(long, "segmentation_meta", reader.OrOf("crashes"), svc.meta)
	api.HandleMethod(g, "drill_bookmark", reader.OrOf(dependents...), svc.bookmark)
	api.HandleMethod(g, "drill_bookmarks", reader.OrOf(dependents...), svc.bookmarks)
	own := api.Feature(feature, model.Read, api.AppParam)
	api.Handle(g, "/i/drill/add_bookmark", own, svc.addBookmark)
	api.Handle(g, "/i/drill/edit_bookmark", own, svc.editBookmark)
	api.Handle(g, "/i/drill/delete_bookmark", own, svc.deleteBookmark)
	update := api.Feature(feature, model.Update, api.AppOptional)
	api.Handle(g, "/i/drill/regeneration", api.Feature(feature, model.Create, api.AppOptional), svc.regeneration)
	api.Handle(g, "/i/drill/regenerate_meta", update, svc.regenerateMeta)
	api.Handle(g, "/i/drill/cleanup_meta", update, svc.cleanupMeta)
	api.Handle(g, "/i/drill/recheck_lists", update, svc.recheckLists)
	n.Tasks.Register(jobs.Runner{Kind: taskKind, Repeatable: true, Run: svc.run})
	hook.On(s.Bus, s.Name, svc.appDeleted)
	hook.On(s.Bus, s.Name, svc.appReset)
	hook.On(s.Bus, s.Name, svc.usersErased)
	hook.On(s.Bus, s.Name, svc.memberDeleted)
	n.EventUsers.Add(kernel.EventUser{Kind: "bookmark", Feature: feature, Each: svc.eachUse})
	return nil
}

type service struct {
	docs   docs.DB
	bus    *hook.Bus
	groups *kernel.EventGroups
	now    func() time.Time
	tasks  *jobs.Tasks
	schema schema.Reader
	submit func(context.Context, request.Record) error
	apps   func() []*model.App
	tables *query.Tables
	// defined knows what keys stand for whose properties are asked for.
	defined *query.Definitions
	// cohorts knows who is in the cohorts of an app.
	cohorts *query.Cohorts
	people  *query.People
	// labels knows what people say about properties.
	labels *kernel.PropertyLabels
	zones  period.Zones
	ranks  *query.Ranks
}

// mayRead reports whether a member may read one of some features of an app.
func mayRead(m *model.Member, app model.AppID, features ...string) bool {
	for _, f := range features {
		if auth.Can(m, app, f, model.Read) {
			return true
		}
	}
	return false
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if _, err := bookmarkSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	return s.forgetMeta(ctx, ev.App)
}

// appReset forgets what properties the data had; bookmarks ask, and hold none.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	return s.forgetMeta(ctx, ev.App)
}

// usersErased forgets the values that were found, which may be of an erased user alone.
func (s *service) usersErased(ctx context.Context, ev topic.UsersErased) error {
	return s.forgetMeta(ctx, ev.App)
}

func (s *service) forgetMeta(ctx context.Context, app model.AppID) error {
	_, err := metaSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	return err
}
