// Package all lists every module of the server.
package all

import (
	"quipu/internal/kernel"
	"quipu/internal/modules/activeusers"
	"quipu/internal/modules/analytics"
	"quipu/internal/modules/apps"
	"quipu/internal/modules/appusers"
	"quipu/internal/modules/attribution"
	"quipu/internal/modules/cms"
	"quipu/internal/modules/cohorts"
	"quipu/internal/modules/compare"
	"quipu/internal/modules/compliancehub"
	"quipu/internal/modules/concurrentusers"
	"quipu/internal/modules/crashes"
	"quipu/internal/modules/datepresets"
	"quipu/internal/modules/definedevents"
	"quipu/internal/modules/drill"
	"quipu/internal/modules/errorlogs"
	"quipu/internal/modules/eventgroups"
	"quipu/internal/modules/events"
	"quipu/internal/modules/explore"
	"quipu/internal/modules/export"
	"quipu/internal/modules/flows"
	"quipu/internal/modules/formulas"
	"quipu/internal/modules/funnels"
	"quipu/internal/modules/jobs"
	"quipu/internal/modules/live"
	"quipu/internal/modules/locale"
	"quipu/internal/modules/logger"
	"quipu/internal/modules/members"
	"quipu/internal/modules/notes"
	"quipu/internal/modules/outcomes"
	"quipu/internal/modules/performance"
	"quipu/internal/modules/places"
	"quipu/internal/modules/plugins"
	"quipu/internal/modules/populator"
	"quipu/internal/modules/properties"
	"quipu/internal/modules/render"
	"quipu/internal/modules/retention"
	"quipu/internal/modules/revenue"
	"quipu/internal/modules/sdk"
	"quipu/internal/modules/sentry"
	"quipu/internal/modules/serverstats"
	"quipu/internal/modules/slipping"
	"quipu/internal/modules/sql"
	"quipu/internal/modules/symbolication"
	"quipu/internal/modules/system"
	"quipu/internal/modules/systemlogs"
	"quipu/internal/modules/systemutility"
	"quipu/internal/modules/tasks"
	"quipu/internal/modules/tokens"
	"quipu/internal/modules/trackers"
	"quipu/internal/modules/views"
)

// Options are what modules need to know of the server they are in.
type Options struct {
	Version string
	Dir     string // the data folder
	Render  render.Host
	// Program is the command that runs a statement of SQL, see package sqlworker; nil = none.
	Program []string
}

// Modules returns the modules, in no particular order.
func Modules(o Options) []kernel.Module {
	var list []kernel.Module
	names := func() []string {
		out := make([]string, 0, len(list))
		for _, m := range list {
			out = append(out, m.Name)
		}
		return out
	}
	list = []kernel.Module{
		activeusers.Module(), concurrentusers.Module(),
		analytics.Module(), apps.Module(), appusers.Module(), attribution.Module(), cms.Module(), cohorts.Module(), compare.Module(), compliancehub.Module(), crashes.Module(), datepresets.Module(), definedevents.Module(), drill.Module(), eventgroups.Module(), errorlogs.Module(), events.Module(), explore.Module(), export.Module(), flows.Module(), formulas.Module(), funnels.Module(), jobs.Module(),
		live.Module(), locale.Module(), logger.Module(), members.Module(), notes.Module(), outcomes.Module(), performance.Module(), places.Module(), plugins.Module(o.Version), populator.Module(), properties.Module(), render.Module(o.Render), retention.Module(), revenue.Module(), sdk.Module(), sentry.Module(), serverstats.Module(), slipping.Module(), sql.Module(o.Program), symbolication.Module(), system.Module(o.Version, names), systemlogs.Module(), systemutility.Module(o.Dir), tasks.Module(),
		tokens.Module(), trackers.Module(), views.Module(),
	}
	return list
}
