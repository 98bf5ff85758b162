// Package plugins is the module through which people see and switch features,
// and set what may be set while the server runs.
package plugins

import (
	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/settings"
)

// Module returns the module. version is the program's.
func Module(version string) kernel.Module {
	return kernel.Module{
		Name: "plugins", Features: []string{"core", "global_plugins"},
		Plugin: &kernel.Plugin{
			Code: "plugins", Title: "Features and settings", Fixed: true,
			Description: "Switches features on and off, and holds the settings of the server, of apps and of members.",
		},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Server { return c.Server }, func(s *kernel.Scope, n kernel.Server) error {
			s.Settings.Declare("frontend", "theme", settings.Setting{Default: "", OneOf: themes(), PerMember: true})
			svc := &service{settings: s.Settings, plugins: n.Plugins, mail: n.Mail, version: version}
			g := s.Routes
			api.Handle(g, "/o/plugins", api.GlobalAdmin(), svc.list)
			api.Handle(g, "/i/plugins", api.GlobalAdmin(), svc.change)
			api.Handle(g, "/o/plugins-check", api.GlobalAdmin(), svc.check)
			api.Handle(g, "/o/configs", api.AppAdmin(api.AppParamPlain).Confidential(), svc.configs)
			api.Handle(g, "/o/configs/schema", api.Authenticated(), svc.schema)
			api.Handle(g, "/i/configs", api.GlobalAdmin(), svc.setConfigs)
			api.Handle(g, "/o/userconfigs", api.Authenticated(), svc.userConfigs)
			api.Handle(g, "/i/userconfigs", api.GlobalAdmin(), svc.setUserConfigs)
			api.Handle(g, "/o/themes", api.Authenticated(), svc.themes)
			api.Handle(g, "/o/internal-events", api.Feature("core", model.Read, api.AppOptional), svc.internalEvents)
			api.Handle(g, "/o/email_test", api.GlobalAdmin().Writing(), svc.emailTest)
			return nil
		}),
	}
}

// internalEvents are the keys of events that the server and its SDKs record for features of their own.
func internalEvents() []string {
	return []string{
		"[CLY]_session", "[CLY]_session_begin", "[CLY]_view", "[CLY]_action", "[CLY]_crash", "[CLY]_consent",
		"[CLY]_push_action", "[CLY]_push_sent", "[CLY]_star_rating", "[CLY]_nps", "[CLY]_survey",
		"[CLY]_apm_network", "[CLY]_apm_device", "[CLY]_orientation",
	}
}

// themes are those of the dashboard; "" follows the system.
func themes() []string { return []string{"", "light", "dark"} }
