// Package definedevents is the module for defined events: names for several events, each with a filter, that stand wherever an event does and hold
// for all of history at once. docs/reference/defined-events.md describes them.
//
// Faults: defined_events.invalid, defined_events.unknown_event (Invalid), defined_events.taken, defined_events.too_many,
// defined_events.in_use (Conflict), defined_events.not_found (NotFound), access.no_right (Forbidden).
package definedevents

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
	"quipu/internal/topic"
)

// feature is the name of the module's permission: to make, change and delete definitions. All who may read an app see them.
const feature = "defined_events"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "definedevents", Requires: []string{"apps", "events"}, Features: []string{feature, "core", "drill"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{
				docs: n.Docs, schema: n.Schema, users: n.EventUsers, defined: n.Defined, now: s.Now,
				tables: query.NewTables(n.Events, n.Schema),
			}
			read := api.Feature("core", model.Read, api.AppParam)
			api.Handle(s.Routes, "/o/defined_events", read, svc.list)
			api.Handle(s.Routes, "/o/defined_events/uses", read, svc.uses)
			long := s.Routes.Long(api.Long{Type: "definedEvent", Name: "Defined event"})
			api.Handle(long, "/o/defined_events/preview", api.Feature("drill", model.Read, api.AppParam), svc.preview)
			api.Handle(s.Routes, "/i/defined_events/create", api.Feature(feature, model.Create, api.AppParam), svc.create)
			api.Handle(s.Routes, "/i/defined_events/update", api.Feature(feature, model.Update, api.AppParam), svc.update)
			api.Handle(s.Routes, "/i/defined_events/delete", api.Feature(feature, model.Delete, api.AppParam), svc.remove)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			n.Defined.Provide(svc.of)
			n.Followers.Add(follow.Follower{Name: "defined events", Collections: []string{spec().Name}, Refresh: follow.OnChange(
				func(ctx context.Context) (int64, error) {
					return spec().Global(n.Docs).Generation(ctx)
				},
				func(context.Context) error { n.Defined.AllChanged(); return nil },
			)})
			n.EventUsers.Add(kernel.EventUser{Kind: "definition", Feature: "core", Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Shared
	kernel.Watching
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Shared, c.Watching} }

type service struct {
	docs    docs.DB
	schema  schema.Reader
	users   *kernel.EventUsers
	defined *query.Definitions
	tables  *query.Tables
	now     func() time.Time
	zones   period.Zones
}

var (
	errTaken    = fault.New(fault.Conflict, "defined_events.taken", "Another event or defined event already has this name")
	errTooMany  = fault.New(fault.Conflict, "defined_events.too_many", "There are too many defined events, delete some")
	errNotFound = fault.New(fault.NotFound, "defined_events.not_found", "Defined event not found")
	errRight    = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// invalid is the fault of a definition that has no meaning.
func invalid(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "defined_events.invalid", format, args...)
}

// of answers readers of rows what a key stands for.
func (s *service) of(ctx context.Context, app model.AppID, key string) ([]query.FunnelEvent, error) {
	d, err := spec().In(s.docs, app).Get(ctx, key)
	if unknownID(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read defined event: %w", err)
	}
	return d.selected(), nil
}

// unknownID reports whether an error says that there is no document of an id, or that none can have it.
func unknownID(err error) bool {
	return docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key"
}

// eachUse lists which events definitions stand for.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for d, err := range spec().In(s.docs, app).List(ctx, docs.Query{Sort: "name"}) {
		if err == nil {
			err = fn(kernel.EventUse{ID: d.ID, Name: d.Name, Events: d.keys()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// appDeleted removes the definitions of an app that is no more. A reset leaves them: they ask, and hold no data.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	s.defined.Changed(ev.App)
	return err
}
