package query

import (
	"slices"
	"time"

	"quipu/internal/period"
	"quipu/internal/store/events/plan"
)

// Lengths of buckets, ms.
const (
	hourMS = 60 * minuteMS
	dayMS  = 24 * hourMS
)

// mondayShift is how many days 1970-01-01, a Thursday, is after the Monday of its week.
const mondayShift = 3

// bucketing cuts the rows of a period into buckets.
type bucketing struct {
	period  period.Period
	step    period.Step
	number  plan.Expr // of the bucket that a row's time lies in
	buckets []period.Bucket
	own     plan.Expr // the time by which rows are cut, as if it were UTC, where that is not the local one; nil = ts by the calendar
}

// bucketsOf returns what cuts a period. Rows are in the period, hence not before 1970 on the local clock. Hours and minutes
// are those of the local clock: where it is set back, one bucket holds two of them.
func bucketsOf(p period.Period, step period.Step) bucketing {
	return bucketsBy(p, step, nil)
}

// buckets returns what cuts the period of a trend.
func (t *Trend) buckets(step period.Step) bucketing {
	if !t.OwnClock {
		return bucketsOf(t.Period, step)
	}
	return bucketsBy(t.Period, step, ownTime(t.Period))
}

// within is the condition that a row lies in the period of a trend.
func (t *Trend) within() plan.Expr {
	p := t.Period
	if !t.OwnClock {
		return plan.Between(plan.Ev("ts"), p.Start, p.End)
	}
	from, to := onClock(p.Calendar(), p.Start), onClock(p.Calendar(), p.End)
	near := plan.Between(plan.Ev("ts"), from-dayMS, to+dayMS) // no clock is a day ahead or behind
	return plan.All(near, plan.Between(ownTime(p), from, to))
}

// onClock is what the local clock shows at a moment (ms), as if it were UTC.
func onClock(cal *period.Calendar, ms int64) int64 { return ms + cal.Aheads(ms, ms)[0].By }

// Weekdays.
const (
	epochWeekday = 4 // of 1970-01-01, counted from Sunday
	weekDays     = 7
)

// ownTime is the time (ms) that the clock of a row's device showed, as if it were UTC, with the minutes of UTC; where the device did not say its hour and weekday, or
// another weekday than those around the moment, the time by the calendar of a period.
func ownTime(p period.Period) plan.Expr {
	ts, hour, weekday := plan.Ev("ts"), plan.Ev("hour"), plan.Ev("dow")
	day := plan.Do(plan.Quo, ts, plan.Is(dayMS))
	there := plan.Do(plan.Mod, plan.Do(plan.Add, day, plan.Is(epochWeekday)), plan.Is(weekDays))
	// How many days the device is ahead, from 0 for the day before: not negative, as Mod has the sign of what is divided.
	ahead := plan.Do(plan.Mod, plan.Do(plan.Add, plan.Do(plan.Sub, weekday, there), plan.Is(weekDays+1)), plan.Is(weekDays))
	own := plan.Do(plan.Add, plan.Do(plan.Mul, plan.Do(plan.Sub, plan.Do(plan.Add, day, ahead), plan.Is(1)), plan.Is(dayMS)),
		plan.Do(plan.Add, plan.Do(plan.Mul, hour, plan.Is(hourMS)), plan.Do(plan.Mod, ts, plan.Is(hourMS))))
	known := plan.All(plan.Do(plan.Ge, hour, plan.Is(0)), plan.Do(plan.Ge, weekday, plan.Is(0)), plan.Do(plan.Le, ahead, plan.Is(2)))
	return plan.Do(plan.If, known, own, localTimeOf(ts, p.Calendar(), p.Start-2*dayMS, p.End+2*dayMS))
}

// bucketsBy is bucketsOf for rows that are cut by a time of their own; nil = they are cut by the calendar.
func bucketsBy(p period.Period, step period.Step, own plan.Expr) bucketing {
	if step == period.AutoStep {
		step = p.Step
	}
	b := bucketing{period: p, step: step, own: own}
	local := own
	if own == nil {
		local = localTime(p)
	}
	switch step {
	case period.MinuteStep:
		b.number = plan.Do(plan.Quo, local, plan.Is(minuteMS))
	case period.HourStep:
		b.number = plan.Do(plan.Quo, local, plan.Is(hourMS))
	case period.WeekStep:
		b.number = plan.Do(plan.Quo, plan.Do(plan.Add, plan.Do(plan.Quo, local, plan.Is(dayMS)), plan.Is(mondayShift)), plan.Is(7))
	case period.MonthStep, period.YearStep:
		b.buckets = slices.Collect(p.Buckets(step))
		starts, values := make([]int64, len(b.buckets)), make([]int64, len(b.buckets))
		for i, bucket := range b.buckets {
			starts[i], values[i] = p.Calendar().DayStart(bucket.First), int64(i)
			if own != nil {
				starts[i] = int64(bucket.First) * dayMS
			}
		}
		b.number = plan.Is(0) // of a period before 1970, in which no row lies
		if len(starts) > 0 {
			at := own
			if own == nil {
				at = plan.Ev("ts")
			}
			b.number = stepwise(at, starts, values)
		}
	case period.AutoStep, period.DayStep:
		b.number = plan.Do(plan.Quo, local, plan.Is(dayMS))
	}
	return b
}

// bucket is the bucket of a number.
func (b bucketing) bucket(n int64) period.Bucket {
	cut := func(first, last period.Day) period.Bucket {
		return period.Bucket{Step: b.step, First: max(first, b.period.First), Last: min(last, b.period.Last)}
	}
	switch b.step {
	case period.MinuteStep:
		d, h := period.Hour(n / 60).Split()
		return period.Bucket{Step: b.step, First: d, Last: d, Hour: h, Minute: int(n % 60)}
	case period.HourStep:
		d, h := period.Hour(n).Split()
		return period.Bucket{Step: b.step, First: d, Last: d, Hour: h}
	case period.WeekStep:
		monday := period.Day(7*n - mondayShift)
		return cut(monday, monday+6)
	case period.MonthStep, period.YearStep:
		return b.buckets[n]
	case period.AutoStep, period.DayStep:
	}
	return cut(period.Day(n), period.Day(n))
}

// in is the condition that a row lies in a bucket.
func (b bucketing) in(at period.Bucket) plan.Expr {
	cal := b.period.Calendar()
	days := plan.Between(plan.Ev("ts"), cal.DayStart(at.First), cal.DayEnd(at.Last))
	if b.own != nil {
		days = plan.Between(b.own, int64(at.First)*dayMS, (int64(at.Last)+1)*dayMS-1)
	}
	hour := int64(at.First.Hour(at.Hour))
	switch b.step {
	case period.MinuteStep:
		return plan.All(days, plan.Do(plan.Eq, b.number, plan.Is(hour*60+int64(at.Minute))))
	case period.HourStep:
		return plan.All(days, plan.Do(plan.Eq, b.number, plan.Is(hour)))
	case period.AutoStep, period.DayStep, period.WeekStep, period.MonthStep, period.YearStep:
	}
	return days
}

// localTime is the time (ms) that the local clock shows at a row's, as if it were UTC.
func localTime(p period.Period) plan.Expr {
	return localTimeOf(plan.Ev("ts"), p.Calendar(), p.Start, p.End)
}

// localTimeOf is what the local clock shows at a time (ms) from one moment to another.
func localTimeOf(ts plan.Expr, cal *period.Calendar, from, to int64) plan.Expr {
	aheads := cal.Aheads(from, to)
	if len(aheads) == 1 && aheads[0].By == 0 {
		return ts
	}
	starts, by := make([]int64, len(aheads)), make([]int64, len(aheads))
	for i, a := range aheads {
		starts[i], by[i] = a.From, a.By
	}
	return plan.Do(plan.Add, ts, stepwise(ts, starts, by))
}

// stepwise is the value that holds at a time: each from its start (ms) to that of the next. The first holds before
// its start, too. There is at least one.
func stepwise(ts plan.Expr, starts, values []int64) plan.Expr {
	if len(values) == 1 {
		return plan.Is(values[0])
	}
	half := len(values) / 2
	return plan.Do(plan.If, plan.Do(plan.Lt, ts, plan.Is(starts[half])), stepwise(ts, starts[:half], values[:half]), stepwise(ts, starts[half:], values[half:]))
}

// Until returns what of an earlier period counts beside p: all of it when p is over, else as much of it as is over of p, to the
// moment by the local clock.
func Until(p, earlier period.Period, now time.Time) period.Period {
	if p.Last < p.Today {
		return earlier
	}
	day := earlier.First + p.Today - p.First
	switch {
	case p.First > p.Today:
		earlier.End = earlier.Start - 1
	case day <= earlier.Last:
		loc := p.Calendar().Location()
		clock := now.In(loc)
		year, month, of := day.Date()
		at := time.Date(year, time.Month(month), of, clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), loc)
		earlier.End = min(earlier.End, at.UnixMilli())
	}
	return earlier
}

// Earlier returns the period that p is compared with, as far as it counts beside p (Until): "previous", as many days before it; "year", the same
// dates a year before; or any other period of the frame.
func Earlier(frame period.Frame, p period.Period, text string) (earlier period.Period, err error) {
	switch text {
	case "previous":
		earlier = p.Prev()
	case "year":
		earlier = p.Sub(yearBefore(p.First), yearBefore(p.Last))
	default:
		if earlier, err = frame.Parse(text); err != nil {
			return earlier, err
		}
	}
	return Until(p, earlier, frame.Now), nil
}

// yearBefore is the same date a year before; of the 29th of February, the 28th.
func yearBefore(d period.Day) period.Day {
	year, month, day := d.Date()
	if month == 2 && day == 29 {
		day = 28
	}
	return period.DayOf(year-1, month, day)
}

// Counterparts returns what finds the bucket of p beside which one of an earlier period stands: days and shorter ones by their distance from the
// first day, longer ones by their place. ok is false where there is none.
func Counterparts(p, earlier period.Period, step period.Step) func(period.Bucket) (period.Bucket, bool) {
	switch step {
	case period.AutoStep, period.MinuteStep, period.HourStep, period.DayStep:
		shift := p.First - earlier.First
		return func(b period.Bucket) (period.Bucket, bool) {
			b.First, b.Last = b.First+shift, b.Last+shift
			return b, b.First <= p.Last
		}
	case period.WeekStep, period.MonthStep, period.YearStep:
	}
	later, places := slices.Collect(p.Buckets(step)), map[period.Day]int{}
	n := 0
	for b := range earlier.Buckets(step) {
		places[b.First] = n
		n++
	}
	return func(b period.Bucket) (period.Bucket, bool) {
		i, ok := places[b.First]
		if !ok || i >= len(later) {
			return b, false
		}
		return later[i], true
	}
}
