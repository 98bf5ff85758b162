// Package live is the module that shows what happens in an app right now: figures of
// the last minutes, and the requests that have just been recorded, as streams of server-sent events.
//
// A stream sends typed events, each with a JSON object:
//
//	tiles  the figures: users online, users of the last half hour, and sessions, events and new users by minute
//	feed   requests that were recorded, the oldest first, and how many were left out; the id is the newest one's.
//	       At first come the last ones that were recorded before, marked as past
//	end    why the server ends the stream, as a code and a text
//
// The feed comes from the batches that the pipeline has committed, so all that it shows
// can be read. For an app that another node of a cluster projects it comes from the rows, which are read every second. Nothing
// is collected for an app that nobody looks at: its past is read from the rows. A client that reads too slowly misses entries,
// which are counted, and one that does not read at all is dropped.
//
// Faults: live.too_many (RateLimited), live.no_stream (Invalid: the request cannot take a stream).
package live

import (
	"errors"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
)

// Config of the module.
type Config struct {
	// Heartbeat is how often a silent stream sends a sign of life, and Write how long one
	// piece of it may take until the client counts as gone.
	Heartbeat kernel.Duration `json:"heartbeat"`
	Write     kernel.Duration `json:"write_timeout"`
	// Check is how often a stream makes sure that its caller still may read.
	Check kernel.Duration `json:"check"`
	// Tiles and Feed are the shortest times between two events of these types.
	Tiles kernel.Duration `json:"tiles"`
	Feed  kernel.Duration `json:"feed"`
	// Elsewhere is how often the rows are asked for what another node of a cluster has recorded of an app.
	Elsewhere kernel.Duration `json:"elsewhere"`
	// PerMember and Total bound the open streams.
	PerMember int `json:"per_member"`
	Total     int `json:"total"`
}

// Validate reports all that is wrong.
func (c *Config) Validate() error {
	var errs []error
	for name, d := range map[string]kernel.Duration{
		"heartbeat": c.Heartbeat, "write_timeout": c.Write, "check": c.Check, "tiles": c.Tiles, "feed": c.Feed, "elsewhere": c.Elsewhere,
	} {
		if time.Duration(d) < time.Millisecond {
			errs = append(errs, errors.New(name+" must be a millisecond or more"))
		}
	}
	if c.PerMember < 1 || c.Total < 1 {
		errs = append(errs, errors.New("per_member and total must be 1 or more"))
	}
	return errors.Join(errs...)
}

func defaults() Config {
	return Config{
		Heartbeat: kernel.Duration(15 * time.Second), Write: kernel.Duration(10 * time.Second), Check: kernel.Duration(2 * time.Second),
		Tiles: kernel.Duration(2 * time.Second), Feed: kernel.Duration(250 * time.Millisecond), Elsewhere: kernel.Duration(time.Second), PerMember: 12, Total: 300,
	}
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "live", Requires: []string{"apps", "events"}, Features: []string{"core", "events"}, Defaults: defaults(),
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			svc := &service{
				cfg: cfg, log: s.Log, now: s.Now, stopping: n.Stopping, hub: newHub(cfg.PerMember, cfg.Total, s.Now), holds: n.Taps.Holds,
				source: source{tables: query.NewTables(n.Events, n.Schema), profiles: n.Profiles, noEvents: n.NoEvents, now: s.Now},
			}
			n.Recorded.Add(svc.hub)
			hook.OnEach(s.Bus, s.Name, svc.hub.appReset)
			hook.OnEach(s.Bus, s.Name, svc.hub.usersDeleted)
			core, feed := api.Feature("core", model.Read, api.AppParam), api.Feature("events", model.Read, api.AppParam)
			api.Handle(s.Routes, "/o/live/now", core, svc.once)
			const why = "a stream of server-sent events"
			api.HandleRaw(s.Routes, "/o/live/tiles", core, why, svc.tiles)
			api.HandleRaw(s.Routes, "/o/live/feed", feed, why, svc.feed)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Server
	kernel.Watching
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Server, c.Watching} }
