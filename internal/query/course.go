package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
)

// Course is what a period comes to, and how it went bucket by bucket.
type Course struct {
	Headline
	Rows []SessionRow
}

// Course reads the headline of a period and its rows of sessions, cut as summaries of that length are.
func (q *Query) Course(ctx context.Context, app model.AppID, p period.Period) (c Course, err error) {
	defer q.enter(&ctx, &err)()
	if c.Rows, err = q.SessionRows(ctx, app, p, period.AutoStep); err != nil {
		return c, err
	}
	var now Totals
	if !p.Empty() {
		if now, err = q.Totals(ctx, app, p.First, p.Last); err != nil {
			return c, err
		}
	}
	c.Headline, err = q.headline(ctx, app, p, now)
	return c, err
}

// SessionMinutes is the average length of the row's sessions in minutes, with one decimal: "1.3".
func (r SessionRow) SessionMinutes() string { return oneDecimal(r.Seconds, 60*float64(r.Sessions)) }

// Minutes is the time spent in the row's sessions in minutes, with one decimal.
func (r SessionRow) Minutes() string { return oneDecimal(r.Seconds, 60) }

// UserRequests is the average number of requests of the row's users, with one decimal.
func (r SessionRow) UserRequests() string { return oneDecimal(float64(r.Requests), float64(r.Users)) }
