// Package retention is the module for retention: how many users come back, by how long it has been since they began.
// docs/reference/retention.md defines every option and figure.
//
// Faults: retention.bad_parameter, retention.too_many (Invalid), funnels.too_many_events (Invalid), access.no_right (Forbidden).
package retention

import (
	"errors"

	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// feature is the name of the module's permission, and of the type of its tasks.
const feature = "retention_segments"

// Config is the module's configuration.
type Config struct {
	// Span is how many days, weeks or months are shown where a request does not say, 1 to 400.
	Span int `json:"span"`
}

// Validate returns what is wrong with the configuration.
func (c Config) Validate() error {
	if c.Span < 1 || c.Span > maxUnits {
		return errors.New("span is 1 to 400")
	}
	return nil
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "retention", Requires: []string{"apps", "eventgroups"}, Features: []string{feature}, Defaults: Config{Span: 10},
		Plugin: &kernel.Plugin{Code: feature, Title: "Retention", Description: "Shows how many users come back, and when."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			svc := &service{span: cfg.Span, groups: n.Groups, reads: query.NewRetentions(n.Query, n.Sequences)}
			long := s.Routes.Long(api.Long{Type: feature, Name: "Retention"})
			api.HandleMethod(long, "retention", api.Feature(feature, model.Read, api.AppParamFirst), svc.table)
			api.Handle(long, "/o/retention", api.Feature(feature, model.Read, api.AppParamFirst), svc.report)
			api.Handle(long, "/o/retention/people", api.Feature(feature, model.Read, api.AppParamFirst), svc.people)
			api.Handle(long, "/o/retention/activity", api.Feature(feature, model.Read, api.AppParamFirst), svc.activity)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Shared} }

type service struct {
	span   int
	reads  *query.Retentions
	groups *kernel.EventGroups
	zones  period.Zones
}
