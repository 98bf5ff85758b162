// Package funnels is the module for funnels: sequences of steps that people keep under a name, and how far users get in them.
// docs/reference/funnels.md defines every option and figure.
//
// Faults: funnels.args, funnels.duplicates, funnels.invalid, funnels.too_large, funnels.too_many_events, funnels.too_many_users (Invalid), funnels.too_many
// (Conflict), funnels.not_found (NotFound), funnels.missing, funnels.unknown, funnels.cannot_save (Invalid).
package funnels

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
)

// feature is the name of the module's permission, and of the type of its tasks.
const feature = "funnels"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "funnels", Requires: []string{"apps", "eventgroups"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: "funnels", Title: "Funnels", Description: "Shows how far users get in a sequence of steps, and where they drop out."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, auth: n.Auth, tasks: n.Tasks, rows: n.Sequences, groups: n.Groups, schema: n.Schema}
			read := api.Feature(feature, model.Read, api.AppParamFirst)
			update := api.Feature(feature, model.Update, api.AppParam)
			api.Handle(s.Routes, "/i/funnels/add", api.Feature(feature, model.Create, api.AppParam), svc.add)
			api.Handle(s.Routes, "/i/funnels/edit", update, svc.edit)
			api.Handle(s.Routes, "/i/funnels/group", update, svc.group)
			api.Handle(s.Routes, "/i/funnels/delete", api.Feature(feature, model.Delete, api.AppParam), svc.remove)
			api.HandleMethod(s.Routes, "get_funnels", read, svc.list)
			api.HandleMethod(s.Routes, "get_funnel", read, svc.get)
			long := s.Routes.Long(api.Long{Type: feature, Name: "Funnel", Quick: func(p *params.Params) bool { return p.Has("task_id") }})
			api.HandleMethod(long, "funnel", read, svc.analyse)
			api.HandleMethod(long, "funneldata", read, svc.days)
			api.HandleMethod(long, "user_funnels", read, svc.ofUser)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			n.EventUsers.Add(kernel.EventUser{Kind: "funnel", Feature: feature, Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Directory
	kernel.Background
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Directory, c.Background, c.Shared}
}

type service struct {
	docs   docs.DB
	auth   *auth.Service
	tasks  *jobs.Tasks
	rows   *query.Funnels
	groups *kernel.EventGroups
	schema schema.Reader
	zones  period.Zones
}

// Faults in the words of the wire.
var (
	errArgs       = fault.New(fault.Invalid, "funnels.args", "Not enough args")
	errDuplicates = fault.New(fault.Invalid, "funnels.duplicates", "Duplicate events in steps are not allowed")
	errGone       = fault.New(fault.NotFound, "funnels.not_found", "Funnel does not exist")
	errNotFound   = fault.New(fault.NotFound, "funnels.not_found", "Funnel not found")
	errSave       = fault.New(fault.Invalid, "funnels.cannot_save", "Cannot save data")
	errMissing    = fault.New(fault.Invalid, "funnels.missing", "Missing request parameter: funnel")
	errUnknown    = fault.New(fault.Invalid, "funnels.unknown", "Requested funnel does not exist")
	errTooMany    = fault.New(fault.Conflict, "funnels.too_many", "There are too many funnels, delete some")
	errTooLarge   = fault.New(fault.Invalid, "funnels.too_large", "Funnel is too large")
	errRight      = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	errTask       = fault.New(fault.NotFound, "funnels.no_task", "Task does not exist")
	errFilterID   = fault.New(fault.Invalid, "funnels.filter_id", "Saved filters are not available, send the filter")
)

// invalid is the fault of a definition that has no meaning.
func invalid(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "funnels.invalid", format, args...)
}

// calendar is that of the app's zone.
func (s *service) calendar(app *model.App) *period.Calendar {
	cal, _ := s.zones.Get(app.Timezone)
	return cal
}

// now is the time of a call in ms.
func now(c api.Caller) int64 { return c.Now.In(time.UTC).UnixMilli() }
