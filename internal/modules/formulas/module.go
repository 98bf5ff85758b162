// Package formulas is the module for calculated metrics: formulas over figures of events, which people keep under a name and share.
// docs/reference/formulas.md defines the language and the figures.
//
// Faults: formulas.args, formulas.format, formulas.places, formulas.key, formulas.visibility, formulas.empty, formulas.incorrect, formulas.bad_parameter,
// formulas.too_many, formulas.too_many_points, formulas.too_many_values, formulas.taken (Invalid), formulas.not_found (NotFound), formulas.not_yours (Invalid),
// access.no_right (Forbidden).
package formulas

import (
	"context"
	"net/http"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// feature is the name of the module's permission, and of the type of its tasks.
const feature = "formulas"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "formulas", Requires: []string{"apps", "eventgroups"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: "formulas", Title: "Formulas", Description: "Calculates metrics of one's own from figures of events."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, tasks: n.Tasks, groups: n.Groups, tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined), now: s.Now, ranks: n.Ranks}
			read := api.Feature(feature, model.Read, api.AppParam)
			api.Handle(s.Routes, "/i/calculated_metrics/save", api.Feature(feature, model.Create, api.AppParam), svc.save)
			api.Handle(s.Routes, "/i/calculated_metrics/delete", api.Feature(feature, model.Delete, api.AppParam), svc.remove)
			api.Handle(s.Routes, "/o/calculated_metrics/metrics", read, svc.list)
			api.Handle(s.Routes, "/o/calculated_metrics/metric", read, svc.get)
			api.Handle(s.Routes, "/o/calculated_metrics/check", read, svc.check)
			long := s.Routes.Long(api.Long{Type: feature, Name: "Formula"})
			api.HandleMethod(long, "calculated_metrics", api.Feature(feature, model.Read, api.AppParamFirst), svc.execute)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			hook.On(s.Bus, s.Name, svc.memberDeleted)
			n.EventUsers.Add(kernel.EventUser{Kind: "formula", Feature: feature, Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Background
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Background, c.Shared} }

type service struct {
	docs   docs.DB
	tasks  *jobs.Tasks
	groups *kernel.EventGroups
	tables *query.Tables
	now    func() time.Time
	zones  period.Zones
	ranks  *query.Ranks
}

// Faults in the words of the wire.
var (
	errArgs       = fault.New(fault.Invalid, "formulas.args", "Not enough args")
	errFormat     = fault.New(fault.Invalid, "formulas.format", "Invalid output format")
	errPlaces     = fault.New(fault.Invalid, "formulas.places", "Invalid decimal places")
	errKey        = fault.New(fault.Invalid, "formulas.key", "Invalid key")
	errVisibility = fault.New(fault.Invalid, "formulas.visibility", "Invalid visibility")
	errEmpty      = fault.New(fault.Invalid, "formulas.empty", "Formula cannot be empty")
	errIncorrect  = fault.New(fault.Invalid, "formulas.incorrect", "Incorrect formula")
	errNotFound   = fault.New(fault.NotFound, "formulas.not_found", "Formula not found.")
	errTaken      = api.Status(http.StatusUnprocessableEntity, fault.New(fault.Invalid, "formulas.taken", "Provided formula name or key is used by another formula of this app. Please ensure that name and key you specified are not in use."))
	errNotYours   = api.Status(http.StatusOK, fault.New(fault.Invalid, "formulas.not_yours", "Don't have permission to delete formula"))
	errTooMany    = fault.New(fault.Invalid, "formulas.too_many", "There are too many formulas, delete some")
	errRight      = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

func bad(name string) error {
	return fault.Newf(fault.Invalid, "formulas.bad_parameter", "Bad request parameter: %s", name)
}

// eachUse lists which events formulas name.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for m, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		u := kernel.EventUse{ID: m.ID, Name: m.Title, Visible: m.visible}
		if f, err := read(m.Formula); err == nil {
			for _, source := range f.Sources {
				u.Events = append(u.Events, source.Event)
			}
		}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// memberDeleted deletes the formulas that nobody sees any more.
func (s *service) memberDeleted(ctx context.Context, ev topic.MemberDeleted) error {
	q := docs.Query{Where: []docs.Cond{docs.Eq("owner", ev.Member.String()), docs.Eq(".visibility", private)}}
	var own []docs.Found[metric]
	for f, err := range spec().AcrossApps(s.docs, "a member's own formulas lie in every app they used").List(ctx, q) {
		if err != nil {
			return err
		}
		if len(f.Doc.Shared) == 0 {
			own = append(own, f)
		}
	}
	for _, f := range own {
		if err := spec().In(s.docs, f.App).Delete(ctx, f.Doc.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}
