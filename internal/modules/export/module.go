// Package export is the module that hands data out as files: documents, event
// rows and users by filter, and whatever the API answers, as CSV, JSON or XLSX.
// Nothing is read in any other name than that of the member who asked.
package export

import (
	"errors"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/settings"
)

// Config is the module's configuration.
type Config struct {
	// Limit is the default of the setting api.export_limit, which caps the parameter limit of /o/export/db.
	Limit int64 `json:"export_limit"`
	// Streams is how many exports are streamed at a time; others wait for Patience and are then refused.
	Streams  int             `json:"streams"`
	Patience kernel.Duration `json:"patience"`
}

// Validate reports what is wrong.
func (c *Config) Validate() error {
	if c.Limit <= 0 || c.Streams <= 0 || c.Patience <= 0 {
		return errors.New("export_limit, streams and patience must be positive")
	}
	return nil
}

// kind is the kind of export tasks.
const kind = "export"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "export", Requires: []string{"apps"}, Features: []string{"core"},
		Defaults: Config{Limit: 10_000_000, Streams: 8, Patience: kernel.Duration(10 * time.Second)},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			s.Settings.Declare("api", "export_limit", settings.Setting{Default: float64(cfg.Limit), Min: 1})
			svc := &service{
				cfg: cfg, settings: s.Settings, inner: s.Routes.Inner(n.Auth), tables: query.NewTables(n.Events, n.Schema), data: kernel.Data{Reads: n.Reads, Writes: n.Writes},
				collections: n.Collections, apps: n.Apps, auth: n.Auth, tasks: n.Tasks, log: s.Log,
				streams: make(chan struct{}, cfg.Streams),
			}
			svc.addCollections()
			n.Tasks.Register(jobs.Runner{Kind: kind, Repeatable: true, Run: svc.run})
			const file = "the answer is a file"
			api.HandleRawOf(s.Routes, "/o/export/db", api.Authenticated().ForTokensOfApps(), file, svc.db)
			api.HandleRawOf(s.Routes, "/o/export/request", api.Authenticated().ForTokensOfApps(), file, svc.request)
			api.HandleRawOf(s.Routes, "/o/export/data", api.Authenticated().ForTokensOfApps(), file, svc.given)
			api.Handle(s.Routes, "/o/export/requestQuery", api.Authenticated().ForTokensOfApps().Writing(), svc.later)
			read := api.Feature("core", model.Read, api.AppOptional)
			api.HandleRaw(s.Routes, "/o/export/download/{id}", read, file, svc.download)
			api.HandleRaw(s.Routes, "/o/export/download", read, "the answer is always a fault", svc.download)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Writes
	kernel.Directory
	kernel.Background
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Reads, c.Writes, c.Directory, c.Background, c.Shared}
}

type service struct {
	cfg         Config
	settings    *settings.Store
	inner       *api.Inner
	tables      *query.Tables
	data        kernel.Data
	collections *kernel.Collections
	apps        *apps.Store
	auth        *auth.Service
	tasks       *jobs.Tasks
	log         *slog.Logger
	streams     chan struct{} // an element for each export that is streamed
}
