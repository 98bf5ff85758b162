package apps

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/query"
)

var errPeriod = invalid("apps.invalid_period", "Error: Invalid period, must be one of all, reset, 1month, 3month, 6month, 1year or 2year")

// resetMonths returns how many months a reset leaves, 0 for one that leaves nothing.
func resetMonths(period string) int {
	return map[string]int{"1month": 1, "3month": 3, "6month": 6, "1year": 12, "2year": 24}[period]
}

// forgetUsers bounds how many users one command removes.
const forgetUsers = 10_000

// forget removes the data of an app that is older than some months, counted
// back from today's start, and the users who were not seen since.
func (s *service) forget(ctx context.Context, app *model.App, months int) error {
	now := s.now().In(app.Location())
	cut := time.Date(now.Year(), now.Month()-time.Month(months), now.Day(), 0, 0, 0, 0, app.Location())
	if err := s.data.Submit(ctx, pipeline.ForgetBefore(app.ID, cut.UnixMilli())); err != nil {
		return err
	}
	unseen, err := filter.Parse(fmt.Appendf(nil, `{"lac":{"$lt":%d}}`, cut.Unix()))
	if err != nil {
		return err
	}
	for {
		uids, _, err := s.people.List(ctx, app.ID, query.Page{Filter: unseen, Limit: forgetUsers})
		if err != nil || len(uids) == 0 {
			return err
		}
		if err := s.data.Submit(ctx, request.Record{Kind: request.DeleteUsers, App: app.ID, UIDs: uids}); err != nil {
			return err
		}
	}
}
