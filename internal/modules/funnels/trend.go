package funnels

import (
	"quipu/internal/period"
	"quipu/internal/query/funnel"
)

// trendRow is how far those got who began in one part of the period.
type trendRow struct {
	ID      string  `json:"_id"`
	Users   []int64 `json:"users"` // by step
	Success int64   `json:"success_users"`
	Rate    float64 `json:"success_rate"` // percent of those who began
	// Open says that the window of some goes beyond the period, or beyond now: they are not all there yet who convert in it.
	Open bool `json:"open,omitempty"`
}

// trendStep reads the width of the parts of a period; "" = none.
func trendStep(text string, p period.Period) (period.Step, error) {
	if text == "" {
		return period.AutoStep, nil
	}
	step, ok := period.ParseStep(text)
	if !ok || step == period.YearStep {
		return 0, invalid("trend is hour, day, week or month")
	}
	return p.Fit(step, 1), nil
}

// part returns what numbers the parts of the period that moments (ms) are in: hours and days by themselves, weeks and months by their first day.
func (q *question) part() func(ts int64) int {
	cal := q.period.Calendar()
	if q.trend == period.HourStep {
		return func(ts int64) int { return int(cal.HourBucket(ts)) }
	}
	first := make([]int, q.period.Days())
	for b := range q.period.Buckets(q.trend) {
		for d := b.First; d <= b.Last; d++ {
			first[d-q.period.First] = int(b.First)
		}
	}
	return func(ts int64) int {
		return first[min(max(cal.DayBucket(ts), q.period.First), q.period.Last)-q.period.First]
	}
}

// trendRows are all parts of the period that have begun.
func (q *question) trendRows(t *funnel.Tally) []trendRow {
	cal, out := q.period.Calendar(), []trendRow{}
	for b := range q.period.Buckets(q.trend) {
		number, end := int(b.First), cal.DayEnd(b.Last)
		if b.Step == period.HourStep {
			number = int(b.First.Hour(b.Hour))
			end = cal.DayStart(b.First) + int64(b.Hour+1)*3600_000
		}
		if cal.DayStart(b.First) > q.now || b.Step == period.HourStep && b.First == cal.DayBucket(q.now) && number > int(cal.HourBucket(q.now)) {
			break
		}
		row := trendRow{ID: b.ID(period.Dash), Users: t.Course[number]}
		if row.Users == nil {
			row.Users = make([]int64, len(q.labels))
		}
		row.Success = row.Users[len(row.Users)-1]
		row.Rate = percent(row.Success, row.Users[0])
		row.Open = q.funnel.Window > 0 && end+q.funnel.Window > min(q.now, q.period.End)
		out = append(out, row)
	}
	return out
}
