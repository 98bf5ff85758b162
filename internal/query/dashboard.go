package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// TopLimit is the length of the top lists of a summary.
const TopLimit = 3

// EstimatedFigure is a Figure that says whether it is an estimate.
type EstimatedFigure struct {
	Figure[int64]
	IsEstimate bool `json:"is_estimate"`
}

// Headline is what a period comes to, each figure beside that of the period before.
type Headline struct {
	Sessions Figure[int64]   `json:"total_sessions"`
	Users    EstimatedFigure `json:"total_users"`
	New      Figure[int64]   `json:"new_users"`
	Time     Figure[string]  `json:"total_time"`
	AvgTime  Figure[string]  `json:"avg_time"`     // of a session
	Requests Figure[string]  `json:"avg_requests"` // of a user
}

// Summary is one block of the dashboard.
type Summary struct {
	Dashboard Headline `json:"dashboard"`
	Top       struct {
		Platforms   []TopRow `json:"platforms"`
		Resolutions []TopRow `json:"resolutions"`
		Carriers    []TopRow `json:"carriers"`
		Users       []TopRow `json:"users"`
	} `json:"top"`
	Period string `json:"period"`
}

// Summary sums up a period beside the period before.
func (q *Query) Summary(ctx context.Context, app model.AppID, p period.Period) (_ *Summary, err error) {
	defer q.enter(&ctx, &err)()
	now, days, err := q.totalsByDay(ctx, app, p)
	if err != nil {
		return nil, err
	}
	s := &Summary{Period: p.Label()}
	if s.Dashboard, err = q.headline(ctx, app, p, now); err != nil {
		return nil, err
	}
	s.Top.Users = rank(days, TopLimit)
	for _, top := range []struct {
		metric rollup.Metric
		rows   *[]TopRow
	}{
		{rollup.OS, &s.Top.Platforms}, {rollup.Resolutions, &s.Top.Resolutions}, {rollup.Carriers, &s.Top.Carriers},
	} {
		if *top.rows, err = q.Top(ctx, app, top.metric, p, TopLimit); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// headline compares what a period came to, now, with the period before.
func (q *Query) headline(ctx context.Context, app model.AppID, p period.Period, now Totals) (d Headline, err error) {
	prev := p.Prev()
	before, err := q.Totals(ctx, app, prev.First, prev.Last)
	if err != nil {
		return d, err
	}
	if now.Sessions == 0 {
		now = Totals{} // requests without a session show nothing
	}
	if before.Sessions == 0 {
		before = Totals{}
	}
	d.Sessions = figure(now.Sessions, float64(now.Sessions), float64(before.Sessions))
	d.New = figure(now.New, float64(now.New), float64(before.New))
	d.Users.Figure = figure(now.Users, float64(now.Users), float64(before.Users))
	// Users are exact. Clients know the flag as set where a window of more than
	// a day has none.
	d.Users.IsEstimate = now.Users == 0 && p.Days() > 1
	d.Time = figure(duration(now.Seconds, 1), now.Seconds, before.Seconds)
	d.AvgTime = ratioFigure(duration(now.Seconds, float64(now.Sessions)),
		ratio{now.Seconds, float64(now.Sessions)}, ratio{before.Seconds, float64(before.Sessions)})
	d.Requests = ratioFigure(oneDecimal(float64(now.Requests), float64(now.Users)),
		ratio{float64(now.Requests), float64(now.Users)}, ratio{float64(before.Requests), float64(before.Users)})
	return d, nil
}

// totalsByDay counts a period, and the users of each of its days that has any
// cell.
func (q *Query) totalsByDay(ctx context.Context, app model.AppID, p period.Period) (Totals, []TopRow, error) {
	rows := []TopRow{}
	if p.Empty() {
		return Totals{}, rows, nil
	}
	t, err := q.Totals(ctx, app, p.First, p.Last)
	if err != nil {
		return t, rows, err
	}
	err = q.cells.counts(ctx, app, rollup.Series{Metric: rollup.Users}, rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last), func(b rollup.Bucket, _ string, _ *rollup.Cell, users int64) error {
		rows = append(rows, TopRow{Name: period.Day(b).Label(), Value: users})
		return nil
	})
	return t, rows, err
}
