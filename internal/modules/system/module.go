// Package system is the module for what concerns the server as a whole:
// /o/ping, /o/system/*, /o/batch, which makes several reads in one request,
// and /o/explain, which says what a read does.
package system

import (
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/store/docs"
)

// Module returns the module. version is the program's, modules the names of
// all that are compiled in; /o/system/plugins leaves out those that are switched off.
func Module(version string, modules func() []string) kernel.Module {
	return kernel.Module{Name: "system", Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
		svc := &service{docs: n.Docs, version: version, modules: modules, features: n.Plugins, progress: n.Progress}
		api.Handle(s.Routes, "/o/ping", api.Public(), svc.ping)
		api.HandleBatch(s.Routes, "/o/batch")
		api.HandleExplain(s.Routes, "/o/explain")
		api.Handle(s.Routes, "/o/system/version", api.Authenticated(), svc.getVersion)
		api.Handle(s.Routes, "/o/countly_version", api.Authenticated(), svc.versions)
		api.Handle(s.Routes, "/o/system/observability", api.Authenticated(), svc.observability)
		api.Handle(s.Routes, "/o/system/aggregator", api.Authenticated(), svc.aggregator)
		api.Handle(s.Routes, "/o/system/kafka", api.Authenticated(), svc.kafka)
		api.Handle(s.Routes, "/o/system/kafka/events", api.Authenticated(), svc.kafkaEvents)
		api.Handle(s.Routes, "/o/system/kafka/events/meta", api.Authenticated(), svc.kafkaMeta)
		api.Handle(s.Routes, "/o/system/plugins", api.Authenticated(), svc.plugins)
		return nil
	})}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Writes
	kernel.Server
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Writes, c.Server} }

type service struct {
	docs     docs.DB
	version  string
	modules  func() []string
	features func() []kernel.Feature
	progress func(context.Context) (kernel.Progress, error)
}

// probe is a collection that is always empty; reading it shows that the document store answers.
type probe struct{}

// Key returns nothing: no probe is ever stored.
func (probe) Key() string { return "" }

// Validate accepts.
func (probe) Validate() error { return nil }

// ping answers whether documents can be read and data is accepted.
func (s *service) ping(ctx context.Context, _ api.Caller, _ api.None) (api.Result, error) {
	spec := docs.Spec[probe]{Name: "system.probe", Version: 1}
	if _, err := spec.Global(s.docs).Count(ctx, docs.Query{}); err != nil {
		return api.Result{}, fault.Wrap(err, fault.NotFound, "system.db_error", "DB Error")
	}
	if p, err := s.progress(ctx); err != nil || len(p.Refuses) > 0 {
		return api.Result{}, fault.Wrap(err, fault.Unavailable, "system.refusing", "Server is not accepting data at the moment")
	}
	return api.Success(), nil
}

type version struct {
	Version string `json:"version"`
}

func (s *service) getVersion(context.Context, api.Caller, api.None) (version, error) {
	return version{s.version}, nil
}

// plugins lists what is there and on: features by the codes that clients look for, and modules that
// are no feature by their names.
func (s *service) plugins(context.Context, api.Caller, api.None) ([]string, error) {
	coded, codes := map[string]bool{}, []string(nil)
	for _, p := range s.features() {
		coded[p.Module] = coded[p.Module] || !p.Part
		if p.Enabled {
			codes = append(codes, p.Code)
		}
	}
	names := slices.DeleteFunc(slices.Clone(s.modules()), func(name string) bool { return coded[name] })
	names = append(names, codes...)
	slices.Sort(names)
	return slices.Compact(names), nil
}
