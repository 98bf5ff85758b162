// Package flows is the module for flows: the paths that users take from an event on, up to one, or around one, kept under a name
// and computed in the background, or asked for at once. docs/reference/flows.md defines every option and figure.
//
// Faults: flows.missing, flows.not_found, flows.type, flows.period, flows.invalid, flows.too_large, flows.calculating, flows.disabled,
// flows.nothing, flows.method (Invalid), flows.too_many (Conflict), flows.data (Invalid).
package flows

import (
	"errors"
	"net/http"
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
	"quipu/internal/query/flow"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
)

// feature is the name of the module's permission, of its settings, and of the type of its tasks.
const feature = "flows"

// taskKind is the kind of tasks that compute a flow that is kept.
const taskKind = "flows.calculate"

// Config is the module's configuration.
type Config struct {
	// Interval is the time from one look at which flows are due to the next.
	Interval kernel.Duration `json:"interval"`
	// Age is how old what was computed of a flow may be before it is computed again; 0 = flows are computed by hand only.
	Age kernel.Duration `json:"age"`
}

// Validate returns what is wrong with the configuration.
func (c Config) Validate() error {
	if time.Duration(c.Interval) < time.Second {
		return errors.New("flows.interval is less than a second")
	}
	if c.Age < 0 {
		return errors.New("flows.age is negative")
	}
	return nil
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Defaults: Config{Interval: kernel.Duration(15 * time.Minute), Age: kernel.Duration(24 * time.Hour)},
		Name:     feature, Requires: []string{"apps", "eventgroups", "views"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: feature, Title: "Flows", Description: "Shows which paths users take before and after an event or a view."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			s.Settings.Declare(feature, "nodesCn", settings.Setting{Default: 10.0, Min: 1, Max: maxNodes})
			s.Settings.Declare(feature, "maxDepth", settings.Setting{Default: 20.0, Min: 1, Max: flow.MaxSteps})
			svc := &service{
				docs: n.Docs, auth: n.Auth, tasks: n.Tasks, groups: n.Groups, subjects: n.Subjects, crashes: n.Crashes, schema: n.Schema, settings: s.Settings, now: s.Now,
				apps: n.Apps.All, rows: n.Sequences, age: time.Duration(cfg.Age).Milliseconds(),
			}
			n.Tasks.Register(jobs.Runner{Kind: taskKind, Repeatable: true, Run: svc.run})
			if svc.age > 0 {
				s.Jobs.Every("calculate", time.Duration(cfg.Interval), svc.calculateDue)
			}
			write := api.Feature(feature, model.Create, api.AppParam).Writing()
			api.Handle(s.Routes, "/i/flows/create", write, svc.create)
			api.Handle(s.Routes, "/i/flows/edit", write, svc.edit)
			api.Handle(s.Routes, "/i/flows/delete", write, svc.remove)
			api.Handle(s.Routes, "/i/flows/updateDisabled", write, svc.disable)
			api.Handle(s.Routes, "/i/flows/calculate", write, svc.calculate)
			read := api.Feature(feature, model.Read, api.AppParam)
			api.Handle(s.Routes, "/o/flows", read, svc.read)
			long := s.Routes.Long(api.Long{Type: feature, Name: "Flow"})
			api.Handle(long, "/o/flows/paths", read, svc.paths)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			hook.On(s.Bus, s.Name, svc.appReset)
			n.EventUsers.Add(kernel.EventUser{Kind: "flow", Feature: feature, Each: svc.eachUse})
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
	docs     docs.DB
	auth     *auth.Service
	tasks    *jobs.Tasks
	rows     *query.Funnels
	groups   *kernel.EventGroups
	subjects *kernel.Subjects
	crashes  *kernel.Crashes
	schema   schema.Reader
	settings *settings.Store
	apps     func() []*model.App
	now      func() time.Time
	age      int64 // ms after which a flow is computed again; 0 = never
	zones    period.Zones
}

// Faults in the words of the wire.
var (
	errName        = fault.New(fault.Invalid, "flows.missing", "Missing request parameter:name")
	errID          = fault.New(fault.Invalid, "flows.missing", "Missing request parameter: _id")
	errFlowID      = fault.New(fault.Invalid, "flows.missing", "Missing request parameter(id of the flow):_id")
	errNotFound    = fault.New(fault.Invalid, "flows.not_found", "Flow not found")
	errGone        = fault.New(fault.Invalid, "flows.not_found", "Flow not found for update.")
	errType        = fault.New(fault.Invalid, "flows.type", "type must be one of: events, views")
	errPeriod      = fault.New(fault.Invalid, "flows.period", "Bad request parameter: period")
	errCalculating = fault.New(fault.Invalid, "flows.calculating", "Flow is already being calculated")
	errDisabled    = fault.New(fault.Invalid, "flows.disabled", "Flow is disabled, enable it to run calculations.")
	errNothing     = fault.New(fault.Invalid, "flows.nothing", "Nothing to update")
	errData        = api.Status(http.StatusInternalServerError, fault.New(fault.Invalid, "flows.data", "Invalid paramerer 'data'")) // the wire's status
	errMethod      = fault.New(fault.Invalid, "flows.method", "Invalid method")
	errTooMany     = fault.New(fault.Conflict, "flows.too_many", "There are too many flows, delete some")
	errTooLarge    = fault.New(fault.Invalid, "flows.too_large", "Flow is too large")
	errRight       = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// invalid is the fault of a definition that has no meaning.
func invalid(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "flows.invalid", format, args...)
}
