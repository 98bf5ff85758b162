package retention

import (
	"cmp"
	"context"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query/retention"
)

type activityReq struct {
	Period   params.Value `param:"period"`
	Timezone string       `param:"timezone"`
	Events   params.Value `param:"events"`
	Unit     string       `param:"unit"`
	CountBy  string       `param:"count_by"`
}

// activity is how regularly users are active.
type activity struct {
	Unit       string         `json:"unit"`
	Timezone   string         `json:"timezone"`
	Users      int64          `json:"users"`
	Lifecycle  []lifecycleRow `json:"lifecycle"`
	Stickiness []stickyRow    `json:"stickiness"`
	Interval   interval       `json:"interval"`
}

// lifecycleRow is one unit.
type lifecycleRow struct {
	ID          string `json:"_id"`
	Start       int64  `json:"start"` // ms
	New         int64  `json:"new"`
	Returning   int64  `json:"returning"`
	Resurrected int64  `json:"resurrected"`
	Dormant     int64  `json:"dormant"`
}

// stickyRow counts users by in how many units, or how many units apart, they are active.
type stickyRow struct {
	Units int   `json:"units"`
	Users int64 `json:"users"`
}

// interval is how many units apart users are active, by their medians.
type interval struct {
	Users     int64       `json:"users"`
	Median    int         `json:"median"`
	P80       int         `json:"p80"`
	Histogram []stickyRow `json:"histogram"`
}

// activity answers lifecycle, stickiness and usage interval.
func (s *service) activity(ctx context.Context, c api.Caller, r activityReq) (*activity, error) {
	frame, err := s.frame(c, r.Timezone)
	if err != nil {
		return nil, err
	}
	p, err := frame.Parse(r.Period.String())
	if err != nil {
		return nil, err
	}
	step, ok := units[cmp.Or(r.Unit, "day")]
	if !ok || step == period.HourStep {
		return nil, bad("unit")
	}
	q, err := s.ask(c, p, step, frame.Now.UnixMilli())
	if err != nil {
		return nil, err
	}
	var paths []string
	of, err := s.events(ctx, c.App.ID, r.Events, "events", &paths)
	if err != nil {
		return nil, err
	}
	by, err := countBy(r.CountBy)
	if err != nil {
		return nil, err
	}
	if err := permitted(c, paths, by.Paths()...); err != nil {
		return nil, err
	}
	starts := q.Units[:q.Cohorts+1]
	before := frame.Calendar.DayStart(first(frame.Calendar.DayBucket(starts[0])-1, step))
	if before >= starts[0] {
		return nil, bad("period") // there is nothing before 1970
	}
	a, err := s.reads.Activity(ctx, c.App.ID, of, by, before, starts)
	if err != nil {
		return nil, err
	}
	out := &activity{Unit: cmp.Or(r.Unit, "day"), Timezone: frame.Calendar.Location().String(), Users: a.Users, Lifecycle: make([]lifecycleRow, q.Cohorts)}
	for i, n := range a.Phases {
		out.Lifecycle[i] = lifecycleRow{id(frame.Calendar, starts[i], step), starts[i], n[retention.New], n[retention.Returning], n[retention.Resurrected], n[retention.Dormant]}
	}
	out.Stickiness, _ = histogram(a.Sticky)
	out.Interval = interval{Median: a.Interval(50), P80: a.Interval(80)}
	out.Interval.Histogram, out.Interval.Users = histogram(a.Intervals)
	return out, nil
}

// histogram lists what is not empty, and adds it up.
func histogram(counts []int64) (rows []stickyRow, all int64) {
	rows = []stickyRow{}
	for units, n := range counts {
		if n > 0 {
			rows = append(rows, stickyRow{units, n})
			all += n
		}
	}
	return rows, all
}
