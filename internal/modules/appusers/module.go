// Package appusers is the module for the people who use an app: their
// profiles, lists of them, and how loyal they are.
package appusers

import (
	"errors"
	"time"

	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
)

// Config of the module.
type Config struct {
	// CleanEvery is how often what deleted users left is erased, and erasures that were cut short are restarted.
	CleanEvery kernel.Duration `json:"clean_every"`
	// PicturesEvery is how often uploaded pictures that no user has any more are deleted; it costs a look at every profile.
	PicturesEvery kernel.Duration `json:"pictures_every"`
}

// Validate reports what is wrong.
func (c *Config) Validate() error {
	if c.CleanEvery <= 0 || c.PicturesEvery <= 0 {
		return errors.New("clean_every and pictures_every must be positive")
	}
	return nil
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "appusers", Requires: []string{"apps"}, Features: []string{"core", "users"},
		Plugin:   &kernel.Plugin{Code: "users", Title: "User profiles", Description: "Shows each user's device, place, properties and activity.", Fixed: true},
		Defaults: Config{CleanEvery: kernel.Duration(10 * time.Minute), PicturesEvery: kernel.Duration(6 * time.Hour)},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			svc := &service{people: query.NewPeople(n.Events), data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, bus: s.Bus, now: s.Now}
			svc.subjects = wireSubjects(s, n, wireExports(s, n), cfg)
			svc.tables = svc.subjects.tables
			svc.list = wireList(n, svc.tables)
			g := s.Routes
			list := g.Long(api.Long{Type: "userList", Name: "Users", Quick: oneUser})
			api.HandleMethod(list, "user_details", api.Feature("users", model.Read, api.AppParamFirst), svc.details)
			api.HandleMethod(g, "user_counts", api.Feature("users", model.Read, api.AppParamFirst), svc.counts)
			api.HandleRawOf(g, "/o/app_users/picture", api.Feature("users", model.Read, api.AppParam), "the answer is an image", svc.picture)
			api.Handle(g, "/o/app_users/loyalty", api.Feature("core", model.Read, api.AppParam), svc.loyalty)
			api.Handle(g, "/i/app_users/create", api.Feature("core", model.Create, api.AppParam), svc.create)
			api.Handle(g, "/i/app_users/update", api.Feature("core", model.Update, api.AppParam), svc.update)
			api.Handle(g, "/i/app_users/delete", api.Feature("core", model.Delete, api.AppParam), svc.delete)
			return nil
		}),
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
