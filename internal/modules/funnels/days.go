package funnels

import (
	"context"
	"encoding/json"
	"fmt"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/docs"
)

// Bounds of the daily figures.
const (
	dayFunnels = 50 // of one request
	daysBack   = "30days"
)

type daysReq struct {
	Funnels params.Value `param:"funnels"`
}

// dayRow is how far users got on one day of the app's zone, by what they did on that day alone.
type dayRow struct {
	ID      string  `json:"_id"`
	Total   int64   `json:"total_users"`
	Success int64   `json:"success_users"`
	Rate    float64 `json:"success_rate"`
	Entered int64   `json:"users_in_first_step"`
}

// days answers with the last thirty days of funnels, those with users. Funnels that there are not, and what cannot be read, are
// left out.
func (s *service) days(ctx context.Context, c api.Caller, r daysReq) (map[string][]dayRow, error) {
	var ids []string
	out := map[string][]dayRow{}
	readable := json.Unmarshal(r.Funnels.Raw(), &ids) == nil
	if !readable {
		return out, nil
	}
	if len(ids) > dayFunnels {
		return nil, invalid("At most %d funnels at once", dayFunnels)
	}
	p, err := (window{Period: params.Value{Text: daysBack}}).of(s, c)
	if err != nil {
		return nil, err
	}
	totals := dayTotals{}
	for _, id := range ids {
		d, err := spec().In(s.docs, c.App.ID).Get(ctx, id)
		if docs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if out[id], err = s.daysOf(ctx, c.App.ID, d, p, totals); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dayTotals are all who there are, by day and by what is counted.
type dayTotals map[query.CountBy]map[period.Day]int64

// totalsOf returns those of what a funnel counts.
func (s *service) totalsOf(ctx context.Context, app model.AppID, by query.CountBy, p period.Period, known dayTotals) (map[period.Day]int64, error) {
	if known[by] != nil {
		return known[by], nil
	}
	totals := map[period.Day]int64{}
	for day := p.First; day <= p.Last; day++ {
		q := query.FunnelQuery{From: p.Calendar().DayStart(day), To: p.Calendar().DayEnd(day), CountBy: by}
		var err error
		if totals[day], err = s.rows.Users(ctx, app, &q); err != nil {
			return nil, err
		}
	}
	known[by] = totals
	return totals, nil
}

// dayTallies are the users of a funnel by day.
type dayTallies map[period.Day]*funnel.Tally

func (d dayTallies) bytes() (n int64) {
	for _, t := range d {
		n += t.Bytes()
	}
	return n
}

// daysOf asks a funnel of every day of a period by itself.
func (s *service) daysOf(ctx context.Context, app model.AppID, d Definition, p period.Period, known dayTotals) ([]dayRow, error) {
	ready, err := s.compile(ctx, app, d)
	if err != nil {
		return nil, err
	}
	totals, err := s.totalsOf(ctx, app, ready.query.CountBy, p, known)
	if err != nil {
		return nil, err
	}
	ready.query.From, ready.query.To = p.Start, p.End
	about := fmt.Sprintf("days of funnel %+v in %s", ready.funnel, p.Calendar().Location())
	tallies, err := query.Recalled(ctx, s.rows, app, &ready.query, about, dayTallies.bytes, func() (dayTallies, error) {
		return s.countDays(ctx, app, ready, p.Calendar())
	})
	if err != nil {
		return nil, err
	}
	out := []dayRow{}
	for day := p.First; day <= p.Last; day++ {
		t := tallies[day]
		if t == nil {
			t = funnel.NewTally(len(ready.labels), nil)
		}
		if a := summary(ready, t, times{}, totals[day]); a.Total > 0 {
			out = append(out, dayRow{ID: dated(day), Total: a.Total, Success: a.Success, Rate: a.Rate, Entered: a.Entered})
		}
	}
	return out, nil
}

// countDays counts the users of each day.
func (s *service) countDays(ctx context.Context, app model.AppID, ready *compiled, cal *period.Calendar) (dayTallies, error) {
	m, err := funnel.New(ready.funnel)
	if err != nil {
		return nil, err
	}
	tallies := dayTallies{}
	_, err = s.rows.Each(ctx, app, &ready.query, func(_ uint32, rows []funnel.Row) {
		for from := 0; from < len(rows); {
			day, to := cal.DayBucket(rows[from].TS), from+1
			for to < len(rows) && cal.DayBucket(rows[to].TS) == day {
				to++
			}
			if tallies[day] == nil {
				tallies[day] = funnel.NewTally(len(ready.labels), nil)
			}
			tallies[day].Add(m, rows[from:to])
			from = to
		}
	})
	for _, t := range tallies {
		t.Took, t.Whole = nil, funnel.Spread{} // nobody looks at them
	}
	return tallies, err
}

// dated writes a day as 2031-05-14.
func dated(d period.Day) string {
	year, month, day := d.Date()
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}
