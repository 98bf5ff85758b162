// Package concurrentusers is the module for users who are online at the same time: how many are now, how many were at most by minute, hour,
// day and ever, and alerts when they are more or fewer than a number. docs/reference/online-users.md defines every figure.
//
// A job samples all apps. What it finds is kept in documents, so that a restart loses no maximum but that of the sample under way.
//
// Faults: concurrent.no_app, concurrent.permission, concurrent.too_many_apps, concurrent.apps, concurrent.args, concurrent.users, concurrent.minutes,
// concurrent.email, concurrent.type, concurrent.delete (Invalid), concurrent.not_found (NotFound), concurrent.too_many (Conflict),
// access.no_right, concurrent.no_right (Forbidden).
package concurrentusers

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
)

// feature is the name of the module's permission for figures, alertsFeature that for changing alerts.
const (
	feature       = "concurrent_users"
	alertsFeature = "alerts"
)

// Config is the module's configuration.
type Config struct {
	// Interval is the time from one sample to the next, 1 s to 30 s.
	Interval kernel.Duration `json:"interval"`
}

// Validate returns what is wrong with the configuration.
func (c Config) Validate() error {
	if d := time.Duration(c.Interval); d < time.Second || d > 30*time.Second {
		return errors.New("concurrentusers.interval is 1s to 30s")
	}
	return nil
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "concurrentusers", Requires: []string{"apps"}, Features: []string{alertsFeature, feature},
		Plugin:   &kernel.Plugin{Code: feature, Title: "Online users", Description: "Shows how many users are online at the same time, and sends e-mail when they are too many or too few."},
		Defaults: Config{Interval: kernel.Duration(10 * time.Second)},
		Setup:    kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Directory
	kernel.Server
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Directory, c.Server} }

// Names of the settings.
const (
	onlineTime    = "online_time"
	alertInterval = "alert_interval"
)

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	s.Settings.Declare(feature, onlineTime, settings.Setting{Default: 180.0, Min: 30, Max: 3600})
	s.Settings.Declare(feature, alertInterval, settings.Setting{Default: 3.0, Min: 1, Max: 60})
	svc := &service{
		docs: n.Docs, apps: n.Apps, settings: s.Settings, mail: n.Mail, log: s.Log, now: s.Now,
		crowds: newCrowds(n.Profiles), cache: newCache(), interval: time.Duration(cfg.Interval),
		names: func(ctx context.Context) (map[model.MemberID]string, error) {
			members, err := n.Auth.Members(ctx)
			out := make(map[model.MemberID]string, len(members))
			for i := range members {
				out[members[i].ID] = members[i].FullName
			}
			return out, err
		},
	}
	s.Jobs.Every("sample", svc.interval, svc.sample)
	s.Jobs.Every("notify", svc.interval, svc.notify)
	svc.routes(s.Routes)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	hook.On(s.Bus, s.Name, svc.appReset)
	return nil
}

func (s *service) routes(g *api.Registrar) {
	read := api.Feature(feature, model.Read, api.AppParamFirst)
	api.HandleMethod(g, "live", read, s.live)
	api.HandleMethod(g, "concurrent", api.Authenticated().ForTokensOfApps(), s.metrics)
	api.HandleMethod(g, "concurrent_alerts", read, s.alerts)
	api.Handle(g, "/o/concurrent_users", api.Feature(feature, model.Read, api.AppParam), s.overview)
	api.Handle(g, "/i/concurrent_users_max/reset", api.Feature(feature, model.Update, api.AppParam), s.reset)
	api.Handle(g, "/i/concurrent_alert/save", api.Feature(alertsFeature, model.Create, api.AppParam), s.save)
	api.Handle(g, "/i/concurrent_alert/delete", api.Feature(alertsFeature, model.Delete, api.AppParam), s.remove)
	api.Handle(g, "/i/concurrent_alert/status", api.Feature(alertsFeature, model.Update, api.AppParam), s.status)
}

// directory knows apps.
type directory interface {
	ByID(id model.AppID) *model.App
	All() []*model.App
}

// values are settings.
type values interface {
	Number(namespace, name string) float64
}

// sender sends e-mail.
type sender interface {
	On() bool
	Send(ctx context.Context, m mail.Message) error
}

type service struct {
	docs     docs.DB
	apps     directory
	settings values
	mail     sender
	log      *slog.Logger
	now      func() time.Time
	names    func(context.Context) (map[model.MemberID]string, error)
	crowds   *crowds
	cache    *cache
	interval time.Duration
	zones    period.Zones
}

// window is how long ago the last sign of life of a user who is online may be.
func (s *service) window() time.Duration {
	return time.Duration(s.settings.Number(feature, onlineTime)) * time.Second
}
