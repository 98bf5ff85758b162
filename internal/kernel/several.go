package kernel

import (
	"encoding/json"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/params"
)

// MaxApps is how many apps a report is of at once.
const MaxApps = 20

// SeveralApps reads of which apps a report is made together: a JSON list of up to MaxApps ids, each app once. None are returned where nothing was sent, or the
// caller's own app alone. It gives bad for anything else, and noRight for an app of which the caller may not read the feature, as for one that is not there.
func SeveralApps(c api.Caller, sent params.Value, find func(model.AppID) *model.App, feature string, bad, noRight error) ([]*model.App, error) {
	if sent.String() == "" {
		return nil, nil
	}
	var ids []string
	if json.Unmarshal(sent.Raw(), &ids) != nil || len(ids) == 0 || len(ids) > MaxApps {
		return nil, bad
	}
	var out []*model.App
	for _, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			return nil, bad
		}
		app := find(id)
		if app == nil || !c.Identity.AllowsApp(id) || !auth.Can(c.Member, id, feature, model.Read) {
			return nil, noRight
		}
		if !slices.ContainsFunc(out, func(a *model.App) bool { return a.ID == app.ID }) {
			out = append(out, app)
		}
	}
	if len(out) == 1 && out[0].ID == c.App.ID {
		return nil, nil
	}
	return out, nil
}
