package activeusers

import (
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
)

// Bounds of reads of several apps.
const (
	maxApps       = 20
	maxDaysAcross = 366
)

// errNoRight is the fault of apps that the caller may not read: they do not differ from those that are not there.
var errNoRight = fault.New(fault.Forbidden, "active_users.no_right", "User does not have view rights for one or more apps provided in apps parameter")

// several are the apps whose people are counted; none = only those of the caller's app.
func (s *service) several(c api.Caller, v params.Value) ([]*model.App, error) {
	if v.String() == "" {
		return nil, nil
	}
	var ids []string
	if json.Unmarshal(v.Raw(), &ids) != nil || len(ids) == 0 || len(ids) > maxApps {
		return nil, bad("apps")
	}
	var out []*model.App
	for _, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			return nil, bad("apps")
		}
		app := s.byID(id)
		if app == nil || !c.Identity.AllowsApp(id) || !auth.Can(c.Member, id, feature, model.Read) {
			return nil, errNoRight
		}
		if !slices.Contains(out, app) {
			out = append(out, app)
		}
	}
	if len(out) == 1 && out[0].ID == c.App.ID {
		return nil, nil
	}
	return out, nil
}

// read counts the users of the caller's app, or the people of several.
func (s *service) read(ctx context.Context, c api.Caller, q *query.ActiveQuery, several []*model.App) (query.ActiveUsers, error) {
	if len(several) == 0 {
		return s.reads.Read(ctx, c.App.ID, q)
	}
	switch {
	case !q.AppDays:
		return query.ActiveUsers{}, bad("timezone")
	case !q.Filter.IsZero():
		return query.ActiveUsers{}, bad("filter")
	case q.Breakdown != "":
		return query.ActiveUsers{}, bad("breakdown")
	case len(q.Of) != 1 || q.Of[0].Key != session:
		return query.ActiveUsers{}, bad("events")
	case q.Last-q.First >= maxDaysAcross:
		return query.ActiveUsers{}, errLongAcross
	}
	ids := make([]model.AppID, len(several))
	for i, app := range several {
		ids[i] = app.ID
	}
	return s.reads.Across(ctx, ids, q.Question)
}

var errLongAcross = fault.Newf(fault.Invalid, "active_users.too_many", "At most %d days of several apps: choose a shorter period", maxDaysAcross)
