package apps

import (
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

// maxFlows is how many apps the data of one app may flow into; every request is recorded once for each.
const maxFlows = 10

// flows says which apps' data are to flow into an app, and which did when the page was opened.
type flows struct {
	Selected []model.AppID `json:"selectedApps"`
	Initial  []model.AppID `json:"initialApps"`
}

var errFlows = fault.New(fault.Invalid, "apps.bad_consolidate", "Invalid props: consolidate")

// flowsOf reads consolidate among plugin settings. It stands alone: what flows where is no setting of the app that is named.
func flowsOf(m map[string]any) (f flows, sent bool, err error) {
	v, sent := m[model.Consolidate]
	if !sent {
		return f, false, nil
	}
	text, err := json.Marshal(v)
	if object, ok := v.(map[string]any); err != nil || !ok || len(object) == 0 || len(m) > 1 || json.Unmarshal(text, &f) != nil {
		return f, true, errFlows
	}
	return f, true, nil
}

// consolidate routes data of the selected apps to the caller's app, from the next request on, and stops it for
// deselected ones. It answers with the apps that changed. The caller must administer all of them: their data become readable
// in the app they flow into.
func (s *service) consolidate(ctx context.Context, c api.Caller, f flows) (any, error) {
	into := c.App.ID
	type change struct {
		app model.AppID
		on  bool
	}
	var changes []change
	for _, id := range f.Selected {
		changes = append(changes, change{id, true})
	}
	for _, id := range f.Initial {
		if !slices.Contains(f.Selected, id) && s.apps.ByID(id) != nil {
			changes = append(changes, change{id, false})
		}
	}
	for _, ch := range changes {
		app := s.apps.ByID(ch.app)
		switch {
		case app == nil || ch.app == into:
			return nil, errFlows
		case !auth.IsAppAdmin(c.Member, ch.app) || !c.Identity.AllowsApp(ch.app):
			return nil, fault.New(fault.Unauthenticated, "access.no_right", "User does not have right")
		case ch.on && len(s.othersOf(app, into)) >= maxFlows:
			return nil, fault.Newf(fault.Invalid, "apps.too_many_flows", "The data of an app can flow into %d apps at most", maxFlows)
		}
	}
	changed := []model.App{}
	was, is := map[string]any{}, map[string]any{}
	for _, ch := range changes {
		before, after, err := s.apps.Update(ctx, ch.app, func(app *model.App) error {
			list := s.othersOf(app, into)
			if ch.on {
				list = append(list, into)
			}
			plugins, err := cloned(app.Plugins)
			if err != nil {
				return err
			}
			delete(plugins, model.Consolidate)
			if len(list) > 0 {
				texts := []any{}
				for _, id := range list {
					texts = append(texts, id.String())
				}
				plugins[model.Consolidate] = texts
			}
			app.Plugins = plugins
			app.EditedAt = s.now().Unix()
			return nil
		})
		if err != nil {
			return nil, err
		}
		was[ch.app.String()], is[ch.app.String()] = before.FlowsInto(), after.FlowsInto()
		changed = append(changed, after)
	}
	c.Audit("", was, is, map[string]any{"consolidate": into.String()})
	return map[string]any{"plugins": map[string]any{model.Consolidate: changed}}, nil
}

// othersOf returns the apps, beside into, that the data of an app flow into; deleted ones are left out.
func (s *service) othersOf(app *model.App, into model.AppID) []model.AppID {
	return slices.DeleteFunc(app.FlowsInto(), func(id model.AppID) bool { return id == into || s.apps.ByID(id) == nil })
}
