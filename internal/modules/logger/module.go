// Package logger is the module that keeps the last requests of an app, so
// that people can see what their SDKs send.
//
// A setting of the app says whether requests are kept: on, off, or automatic, which goes off by
// itself once more than a limit of requests comes within a minute.
package logger

import (
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/settings"
)

// The states of an app's log.
const (
	on        = "on"
	off       = "off"
	automatic = "automatic"
)

// flushEvery is how often requests that were seen are stored.
const flushEvery = 2 * time.Second

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "logger", Requires: []string{"apps"}, Features: []string{"logger"},
		Plugin: &kernel.Plugin{
			Code: "logger", Title: "Request logger", Description: "Keeps the last requests that an app received, as its SDKs sent them.",
		},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			s.Settings.Declare("logger", "state", settings.Setting{Default: automatic, OneOf: []string{on, off, automatic}, PerApp: true})
			s.Settings.Declare("logger", "limit", settings.Setting{Default: 1000, Min: 1, PerApp: true}) // requests a minute
			svc := &service{
				docs: n.Docs, apps: n.Apps, profiles: n.Profiles, settings: s.Settings, enabled: s.Enabled, now: s.Now,
				windows: map[model.AppID]window{}, passed: map[model.AppID]struct{}{}, pending: map[model.AppID][]row{},
			}
			read := api.Feature("logger", model.Read, api.AppParamFirst)
			api.HandleMethod(s.Routes, "logs", read, svc.logs)
			api.HandleMethod(s.Routes, "collection_info", read, svc.info)
			n.Edge.Add(svc)
			s.Jobs.OnEveryNode("store", flushEvery, svc.flush)
			hook.OnEach(s.Bus, "logger", svc.appReset)
			hook.On(s.Bus, "logger", svc.forget)
			hook.OnEach(s.Bus, "logger", svc.erasedElsewhere)
			hook.On(s.Bus, "logger", svc.erase)
			n.Holdings.Add(kernel.Holding{Name: "logger", Each: svc.ofUsers})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Directory
	kernel.Shared
	kernel.Watching
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Directory, c.Shared, c.Watching}
}
