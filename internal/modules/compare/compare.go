// Package compare is the module that shows apps, or events of an app, side by side: /o/compare/apps, /o/compare/sums with
// the people of all of them, and /o/compare/events.
package compare

import (
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// feature is the name of the module's permission.
const feature = "compare"

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "compare", Requires: []string{"apps", "eventgroups"}, Features: []string{feature},
		Plugin: &kernel.Plugin{Code: "compare", Title: "Compare", Description: "Shows apps, or events of an app, side by side."},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{apps: n.Apps, query: n.Query, groups: n.Groups, tables: query.NewTables(n.Events, n.Schema), people: n.Sequences}
			api.Handle(s.Routes, "/o/compare/apps", api.Authenticated().ForTokensOfApps(), svc.compareApps)
			api.Handle(s.Routes, "/o/compare/sums", api.Authenticated().ForTokensOfApps(), svc.sums)
			api.Handle(s.Routes, "/o/compare/events", api.Feature(feature, model.Read, api.AppOptional), svc.compareEvents)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Reads
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Reads, c.Directory, c.Shared} }

// most is how many apps or events one read compares.
const most = 20

// Faults in the words of the wire.
var (
	errManyApps   = fault.New(fault.Invalid, "compare.too_many", "Maximum length for parameter apps is 20")
	errManyEvents = fault.New(fault.Invalid, "compare.too_many", "Maximum length for parameter events is 20")
	errID         = fault.New(fault.Invalid, "compare.bad_app", "Invalid app id length in apps parameter, each app id should be 24 characters long")
	errUnknown    = fault.New(fault.Unauthenticated, "access.unknown_app", "App does not exist")
	errNoRight    = fault.New(fault.Unauthenticated, "compare.no_right", "User does not have view rights for one or more apps provided in apps parameter")
)

// missing is the fault of a list that was not sent, or is none.
func missing(name string) error {
	return fault.Newf(fault.Invalid, "request.missing_parameter", "Missing parameter: %s", name)
}

type service struct {
	apps   *apps.Store
	query  *query.Query
	groups *kernel.EventGroups
	tables *query.Tables
	people *query.Funnels
	zones  period.Zones
}

// list reads a JSON array of texts without those that come again.
func list(v params.Value, name string, tooMany error) ([]string, error) {
	var all, out []string
	if json.Unmarshal(v.Raw(), &all) != nil || len(all) == 0 {
		return nil, missing(name)
	}
	if len(all) > most {
		return nil, tooMany
	}
	for _, text := range all {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, nil
}

type appsReq struct {
	api.Window
	Apps params.Value `param:"apps"`
}

// appRow is an app beside others. Charts hold [place of the bucket, value]; averages and minutes are texts with one decimal.
type appRow struct {
	ID          string                `json:"id"`
	Name        string                `json:"name"`
	Sessions    query.Figure[int64]   `json:"sessions"`
	Users       query.EstimatedFigure `json:"users"`
	New         query.Figure[int64]   `json:"newusers"`
	Duration    query.Figure[string]  `json:"duration"`
	AvgDuration query.Figure[string]  `json:"avgduration"`
	Charts      struct {
		Users     []point `json:"total-users"`
		New       []point `json:"new-users"`
		Sessions  []point `json:"total-sessions"`
		TimeSpent []point `json:"time-spent"`
		TotalTime []point `json:"total-time-spent"`
		Requests  []point `json:"avg-events-served"`
	} `json:"charts"`
}

// point is a bucket's place in the period, from 0, and its value.
type point [2]any

// compareApps answers a row for each app, in the order asked for. Each is read in its own time zone.
func (s *service) compareApps(ctx context.Context, c api.Caller, r appsReq) ([]appRow, error) {
	chosen, err := s.chosen(c, r.Apps)
	if err != nil {
		return nil, err
	}
	rows := make([]appRow, len(chosen))
	for i, app := range chosen {
		course, err := s.query.Course(ctx, app.ID, r.Frame(c, app, &s.zones).ParseOrDefault(r.Period))
		if err != nil {
			return nil, err
		}
		rows[i] = row(app, course)
	}
	return rows, nil
}

// chosen are the apps that a read names, all of which the caller may compare.
func (s *service) chosen(c api.Caller, v params.Value) ([]*model.App, error) {
	ids, err := list(v, "apps", errManyApps)
	if err != nil {
		return nil, err
	}
	return s.named(c, ids)
}

// named are the apps with some ids, all of which the caller may compare.
func (s *service) named(c api.Caller, ids []string) ([]*model.App, error) {
	if len(ids) == 0 {
		return nil, missing("apps")
	}
	if slices.ContainsFunc(ids, func(id string) bool { return len(id) != model.IDLength }) {
		return nil, errID
	}
	chosen := make([]*model.App, len(ids))
	for i, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			return nil, errUnknown
		}
		// An app that the caller may not see does not differ from one that is not there, but for global administrators.
		chosen[i] = s.apps.ByID(id)
		switch {
		case c.Member.GlobalAdmin && chosen[i] == nil:
			return nil, errUnknown
		case chosen[i] == nil || !c.Identity.AllowsApp(id) || !auth.Can(c.Member, id, feature, model.Read):
			return nil, errNoRight
		}
	}
	return chosen, nil
}

func row(app *model.App, c query.Course) appRow {
	r := appRow{ID: app.ID.String(), Name: app.Name, Sessions: c.Sessions, Users: c.Users, New: c.New, Duration: c.Time, AvgDuration: c.AvgTime}
	charts := &r.Charts
	charts.Users = points(c.Rows, func(r query.SessionRow) any { return r.Users })
	charts.New = points(c.Rows, func(r query.SessionRow) any { return r.New })
	charts.Sessions = points(c.Rows, func(r query.SessionRow) any { return r.Sessions })
	charts.TimeSpent = points(c.Rows, func(r query.SessionRow) any { return r.SessionMinutes() })
	charts.TotalTime = points(c.Rows, func(r query.SessionRow) any { return r.Minutes() })
	charts.Requests = points(c.Rows, func(r query.SessionRow) any { return r.UserRequests() })
	return r
}

func points(rows []query.SessionRow, value func(query.SessionRow) any) []point {
	out := make([]point, len(rows))
	for i, r := range rows {
		out[i] = point{i, value(r)}
	}
	return out
}

type eventsReq struct {
	api.Window
	Events params.Value `param:"events"`
}

// unknown is the document of an event that the app does not know.
var unknown = json.RawMessage(`{"meta":{"segments":[]}}`)

// compareEvents answers the time document of each event, or group of events, by its key.
func (s *service) compareEvents(ctx context.Context, c api.Caller, r eventsReq) (map[string]json.RawMessage, error) {
	keys, err := list(r.Events, "events", errManyEvents)
	if err != nil {
		return nil, err
	}
	out := make(map[string]json.RawMessage, len(keys))
	for _, key := range keys {
		if out[key] = unknown; c.App == nil {
			continue // of no app, which global administrators may ask
		}
		if err := query.Counted(key); err != nil {
			return nil, err
		}
		sources, err := s.groups.Keys(ctx, c.App.ID, key)
		if err != nil {
			return nil, err
		}
		doc, err := s.query.EventDocument(ctx, c.App.ID, sources, "", r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period), query.Whole)
		if err != nil {
			return nil, err
		}
		if string(doc) != "{}" {
			out[key] = doc
		}
	}
	return out, nil
}
