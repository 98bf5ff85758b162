package activeusers

import (
	"context"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
)

// maxDaysAcross bounds the days of a read of several apps.
const maxDaysAcross = 366

// errNoRight is the fault of apps that the caller may not read: they do not differ from those that are not there.
var errNoRight = fault.New(fault.Forbidden, "active_users.no_right", "User does not have view rights for one or more apps provided in apps parameter")

// several are the apps whose people are counted; none = only those of the caller's app.
func (s *service) several(c api.Caller, v params.Value) ([]*model.App, error) {
	return kernel.SeveralApps(c, v, s.byID, feature, bad("apps"), errNoRight)
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
