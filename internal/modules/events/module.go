// Package events is the module for what is known about custom events: their
// list, names, order, visibility, segments, and their removal.
package events

import (
	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
)

// limits are those of ingestion, as get_events shows them.
type limits struct {
	EventLimit        int `json:"event_limit"`
	SegmentationLimit int `json:"event_segmentation_limit"`
	ValueLimit        int `json:"event_segmentation_value_limit"`
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "events", Requires: []string{"apps"}, Features: []string{"core", "events"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, bus: s.Bus, settings: s.Settings}
			g := s.Routes
			read := api.Feature("core", model.Read, api.AppParamFirst)
			update := api.Feature("events", model.Update, api.AppParam)
			api.HandleMethod(g, "get_events", read, svc.get)
			api.Handle(g, "/i/events/edit_map", update, svc.editMap)
			api.Handle(g, "/i/events/change_visibility", api.Feature("events", model.Update, api.AppParamLegacy), svc.changeVisibility)
			api.Handle(g, "/i/events/whitelist_segments", update, svc.whitelist)
			api.Handle(g, "/i/events/delete_events", api.Feature("events", model.Delete, api.AppParamLegacy), svc.deleteEvents)
			hook.On(s.Bus, "events", svc.forget)
			hook.On(s.Bus, "events", svc.groupsGone)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Writes} }
