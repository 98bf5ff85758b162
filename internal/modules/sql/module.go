// Package sql is the module for SQL: statements that members write over views of an app's events, sessions and users, and keep under a name.
// docs/reference/sql.md describes the views, what is permitted, and the limits.
//
// Faults: sql.missing, sql.limit, sql.invalid, sql.not_allowed, sql.too_slow, sql.too_large, sql.too_much_memory, sql.bad_query, sql.too_many (Invalid),
// sql.not_found (NotFound), sql.not_yours, sql.no_sharing (Forbidden), sql.busy, sql.unavailable, sql.crashed (Unavailable).
package sql

import (
	"errors"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/events/sqlbox"
)

// feature is the name of the module's permission, and of the type of its tasks. Members have it when it is given to them.
const feature = "sql"

// Config is the module's configuration.
type Config struct {
	// Memory is what a statement and the rows that it reads may take, bytes. It comes on top of the server's own cap.
	Memory int64 `json:"memory"`
	// Time is how long a statement may take.
	Time kernel.Duration `json:"time"`
	// Statements is how many run at a time; others wait for Patience and are then refused.
	Statements int             `json:"statements"`
	Patience   kernel.Duration `json:"patience"`
	// Rows is how many rows an answer has at most, Bytes how large it is.
	Rows  int   `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// Validate reports what is wrong.
func (c *Config) Validate() error {
	if c.Memory < 64<<20 || c.Time <= 0 || c.Statements <= 0 || c.Patience <= 0 || c.Rows <= 0 || c.Bytes <= 0 {
		return errors.New("time, statements, patience, rows and bytes must be positive, and memory at least 64 MiB")
	}
	return nil
}

// Module returns the module. program is the command that runs one statement, see sqlbox.Options; nil = statements are refused.
func Module(program []string) kernel.Module {
	return kernel.Module{
		Name: "sql", Requires: []string{"apps"}, Features: []string{feature},
		Plugin:   &kernel.Plugin{Code: "sql", Title: "SQL", Description: "Answers statements in SQL over views of an app's events, sessions and users."},
		Defaults: Config{Memory: 256 << 20, Time: kernel.Duration(2 * time.Minute), Statements: 2, Patience: kernel.Duration(10 * time.Second), Rows: 100_000, Bytes: 16 << 20},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			boxes := sqlbox.New(sqlbox.Options{
				Program: program, Memory: cfg.Memory, Time: time.Duration(cfg.Time), Statements: cfg.Statements, Patience: time.Duration(cfg.Patience), Bytes: cfg.Bytes,
			})
			svc := &service{
				docs: n.Docs, bus: s.Bus, log: s.Log, now: s.Now, cfg: cfg,
				sql: query.NewSQL(query.NewTables(n.Events, n.Schema), query.NewPeople(n.Events), boxes),
			}
			read := api.Feature(feature, model.Read, api.AppParam)
			api.Handle(s.Routes.Long(api.Long{Type: feature, Name: "SQL"}), "/o/sql", read, svc.run)
			api.Handle(s.Routes, "/o/sql/schema", read, svc.schema)
			api.Handle(s.Routes, "/o/sql/queries", read, svc.list)
			api.Handle(s.Routes, "/i/sql/save", api.Feature(feature, model.Create, api.AppParam), svc.save)
			api.Handle(s.Routes, "/i/sql/delete", api.Feature(feature, model.Delete, api.AppParam), svc.remove)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			hook.On(s.Bus, s.Name, svc.memberDeleted)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads} }

type service struct {
	docs  docs.DB
	bus   *hook.Bus
	log   *slog.Logger
	now   func() time.Time
	cfg   Config
	sql   *query.SQL
	zones period.Zones
}
