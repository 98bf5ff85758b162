package query

import (
	"quipu/internal/period"
	"quipu/internal/query/retention"
)

// Units returns when the units of a retention begin (ms): hours, days, ISO weeks or months of the period's calendar, in which the cohorts of the period lie,
// and those that follow up to a moment. Weeks and months are whole, even if the period begins or ends within them. Hours are counted
// from the beginning of their day. Days are the first days of units that are no hours.
func Units(p period.Period, step period.Step, until int64) (units []int64, days []period.Day, cohorts int) {
	cal := p.Calendar()
	day := unitDay(p.First, step)
	var begins []int64 // of the hours of a day
	next := func() int64 {
		if step != period.HourStep {
			at := cal.DayStart(day)
			days = append(days, day)
			day = nextUnit(day, step)
			return at
		}
		if len(begins) == 0 {
			for at := cal.DayStart(day); at < cal.DayStart(day+1); at += hourMS {
				begins = append(begins, at)
			}
			day++
		}
		at := begins[0]
		begins = begins[1:]
		return at
	}
	for len(units) <= cohorts || units[len(units)-1] < until && len(units) <= cohorts+retention.MaxAge {
		at := next()
		if at <= p.End {
			cohorts++
		}
		units = append(units, at)
	}
	return units, days, cohorts
}

// unitDay returns the first day of the unit that a day is in.
func unitDay(d period.Day, step period.Step) period.Day {
	switch step {
	case period.WeekStep:
		return max(d-period.Day(d.Weekday()), 0)
	case period.MonthStep:
		return d.Month().First()
	case period.AutoStep, period.MinuteStep, period.HourStep, period.DayStep, period.YearStep:
	}
	return d
}

// nextUnit returns the first day of the unit behind the one that begins with a day.
func nextUnit(d period.Day, step period.Step) period.Day {
	switch step {
	case period.WeekStep:
		return d - period.Day(d.Weekday()) + 7
	case period.MonthStep:
		return (d.Month() + 1).First()
	case period.AutoStep, period.MinuteStep, period.HourStep, period.DayStep, period.YearStep:
	}
	return d + 1
}
