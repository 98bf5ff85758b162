package activeusers

import (
	"context"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/query/rewrite"
)

// maxDaysAcross bounds the days of a read of several apps.
const maxDaysAcross = 366

// errNoRight is the fault of apps that the caller may not read: they do not differ from those that are not there.
var errNoRight = fault.New(fault.Forbidden, "active_users.no_right", "User does not have view rights for one or more apps provided in apps parameter")

// several are the apps whose people are counted; none = only those of the caller's app.
func (s *service) several(c api.Caller, v params.Value) ([]*model.App, error) {
	return kernel.SeveralApps(c, v, s.byID, feature, bad("apps"), errNoRight)
}

// parameters are what makes questions that cells do not answer, which are the only ones that several apps can be asked.
func parameters() map[rewrite.Reason]string {
	return map[rewrite.Reason]string{rewrite.OfTime: "timezone", rewrite.OfFilter: "filter", rewrite.OfBreakdown: "breakdown", rewrite.OfEvents: "events"}
}

// read counts the users of the caller's app, or the people of several.
func (s *service) read(ctx context.Context, c api.Caller, q *query.ActiveQuery, several []*model.App) (query.ActiveUsers, error) {
	if len(several) == 0 {
		return s.reads.Read(ctx, c.App.ID, q)
	}
	if from, why := q.Source(); from != rewrite.Cells {
		return query.ActiveUsers{}, bad(parameters()[why])
	}
	if q.Last-q.First >= maxDaysAcross {
		return query.ActiveUsers{}, errLongAcross
	}
	ids := make([]model.AppID, len(several))
	for i, app := range several {
		ids[i] = app.ID
	}
	return s.reads.Across(ctx, ids, q.Question)
}

var errLongAcross = fault.Newf(fault.Invalid, "active_users.too_many", "At most %d days of several apps: choose a shorter period", maxDaysAcross)
