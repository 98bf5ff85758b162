// Package activeusers is the module for active users: how many people use an app on a day, in a week, in a month, and how often those of a
// month come. docs/reference/active-users.md defines every option and figure.
//
// Faults: active_users.bad_parameter, active_users.too_many, active_users.nothing_named (Invalid), funnels.too_many_events (Invalid),
// access.no_right, active_users.no_right (Forbidden).
package activeusers

import (
	"context"
	"net/http"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// feature is the name of the module's permission, and of the type of its tasks.
const feature = "active_users"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "activeusers", Requires: []string{"apps", "eventgroups"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: feature, Title: "Active users", Description: "Shows how many users are active on a day, in a week and in a month, and how often."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{groups: n.Groups, reads: query.NewActives(n.Query, n.Sequences), apps: n.Apps.All, byID: n.Apps.ByID}
			read := api.Feature(feature, model.Read, api.AppParamLegacy)
			long := s.Routes.Long(api.Long{Type: feature, Name: "Active users"})
			api.Handle(long, "/o/active_users", read, svc.table)
			api.Handle(long, "/o/active_users/report", read, svc.report)
			api.Handle(s.Routes, "/i/active_users/clear_active_users_cache", api.Feature(feature, model.Read, api.AppOptional), svc.forget)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Shared
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Shared, c.Directory} }

type service struct {
	reads  *query.Actives
	groups *kernel.EventGroups
	apps   func() []*model.App
	byID   func(model.AppID) *model.App
	zones  period.Zones
}

// errNothing is the fault, in the words of the wire, of a request that names neither an app nor all of them.
var errNothing = api.Status(http.StatusOK, fault.New(fault.Invalid, "active_users.nothing_named", `Missing parameter "app_id" or "all_apps"`))

type forgetReq struct {
	All string `param:"all_apps"`
}

// forget drops remembered answers about an app, or about all apps. They are never older than the data, so figures stay the same.
func (s *service) forget(_ context.Context, c api.Caller, r forgetReq) (api.Result, error) {
	c.NoAudit()
	switch {
	case c.App != nil:
		s.reads.Forget(c.App.ID)
	case params.On(r.All): // without an app, only global administrators come here
		for _, app := range s.apps() {
			s.reads.Forget(app.ID)
		}
	default:
		return api.Result{}, errNothing
	}
	return api.Success(), nil
}
