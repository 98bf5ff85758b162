// Package populator is the module for demo data: templates that say what an imagined app has and
// how its users behave, environments that remember the users made up by one, and a task that
// loads their requests into an app the way all requests come.
package populator

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Config is the module's configuration.
type Config struct {
	// MaxUsers and MaxDays bound one load.
	MaxUsers int `json:"max_users"`
	MaxDays  int `json:"max_days"`
}

// Validate reports what is wrong.
func (c *Config) Validate() error {
	if c.MaxUsers <= 0 || c.MaxDays <= 0 {
		return errors.New("max_users and max_days must be positive")
	}
	return nil
}

// feature is the permission key.
const feature = "populator"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "populator", Requires: []string{"apps"}, Features: []string{feature}, Defaults: Config{MaxUsers: 20_000, MaxDays: 365},
		Plugin: &kernel.Plugin{
			Code: "populator", Title: "Demo data",
			Description: "Fills an app with the sessions and events of made-up users, from templates of one's own or those that come along.",
		},
		Setup: kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Directory
	kernel.Background
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Writes, c.Directory, c.Background}
}

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	shipped, err := builtIn()
	if err != nil {
		return err
	}
	svc := &service{
		cfg: cfg, docs: n.Docs, apps: n.Apps, tasks: n.Tasks, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, now: s.Now, log: s.Log, shipped: shipped, loads: map[model.AppID]*load{},
	}
	n.Tasks.Register(jobs.Runner{Kind: kind, Run: svc.run})
	hook.OnEach(s.Bus, "populator", svc.stop)
	hook.On(s.Bus, "populator", svc.forget)
	access := func(action model.Action) api.Access { return api.Feature(feature, action, api.AppParamLegacy) }
	g := s.Routes
	api.Handle(g, "/i/populator/templates/create", access(model.Create).Checking(checkTemplate), svc.create)
	api.Handle(g, "/i/populator/templates/edit", access(model.Update), svc.edit)
	api.Handle(g, "/i/populator/templates/remove", access(model.Delete), svc.remove)
	api.Handle(g, "/o/populator/templates", access(model.Read), svc.templates)
	api.Handle(g, "/i/populator/environment/save", access(model.Create).Checking(namesUsers), svc.saveUsers)
	api.Handle(g, "/o/populator/environment/check", access(model.Read), svc.checkName)
	api.Handle(g, "/o/populator/environment/list", access(model.Read), svc.environments)
	api.Handle(g, "/o/populator/environment/get", access(model.Read).Checking(needs("environment_id", "template_id", "app_id")), svc.users)
	api.Handle(g, "/o/populator/environment/remove", access(model.Delete).Writing().Checking(needs("environment_id", "template_id")), svc.removeEnvironment)
	api.Handle(g, "/i/populator/load", access(model.Create), svc.load)
	return nil
}

type service struct {
	cfg     Config
	docs    docs.DB
	apps    *apps.Store
	tasks   *jobs.Tasks
	data    kernel.Data
	now     func() time.Time
	log     *slog.Logger
	shipped []Template // do not change

	mu    sync.Mutex // held for moments
	loads map[model.AppID]*load
}

// forget removes the environments of an app whose data is gone: their users are.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := userSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	_, err2 := environmentSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return errors.Join(err, err2)
}
