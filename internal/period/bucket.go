package period

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Step is the width of a row of a period.
type Step uint8

// The steps. AutoStep is the zero value: hours for a window of one day, else
// days.
const (
	AutoStep Step = iota
	HourStep
	DayStep
	WeekStep // ISO weeks, Monday to Sunday
	MonthStep
	YearStep
	MinuteStep // no bucket parameter has it: ParseStep does not know it
)

// ParseStep reads a bucket parameter: hourly, daily, weekly, monthly, yearly,
// the bare nouns, or the initials h d w m y. Unknown text gives AutoStep and
// false.
func ParseStep(text string) (Step, bool) {
	switch text {
	case "hourly", "hour", "h":
		return HourStep, true
	case "daily", "day", "d":
		return DayStep, true
	case "weekly", "week", "w":
		return WeekStep, true
	case "monthly", "month", "m":
		return MonthStep, true
	case "yearly", "year", "y":
		return YearStep, true
	}
	return AutoStep, false
}

// Bucket is one row of a period: days First to Last, cut to the period, of
// the minute, hour, day, week, month or year they are in.
type Bucket struct {
	Step        Step
	First, Last Day
	// Hour is the wall-clock hour of a HourStep or MinuteStep bucket, Minute the minute of the latter; 0 for others.
	Hour, Minute int
}

// Style is one of the ways in which the wire writes a bucket. No style pads
// numbers.
type Style uint8

// The styles, with a month, a day and an hour as example.
const (
	Dash  Style = iota // 2026-2, 2026-2-10, 2026-2-10 9:00
	Dot                // 2026.2, 2026.2.10, 2026.2.10.9
	Colon              // 2026:2, 2026:2:10, 2026:2:10:9
)

// ID writes the bucket. A week is "2026-w7", with the ISO year.
func (b Bucket) ID(style Style) string {
	sep := [...]byte{'-', '.', ':'}[style]
	year, month, day := b.First.Date()
	out := make([]byte, 0, 16)
	switch b.Step {
	case YearStep:
		return strconv.Itoa(year)
	case WeekStep:
		y, w := b.First.ISOWeek()
		out = append(strconv.AppendInt(out, int64(y), 10), sep, 'w')
		return string(strconv.AppendInt(out, int64(w), 10))
	case AutoStep, MinuteStep, HourStep, DayStep, MonthStep:
	}
	out = append(strconv.AppendInt(out, int64(year), 10), sep)
	out = strconv.AppendInt(out, int64(month), 10)
	if b.Step == MonthStep {
		return string(out)
	}
	out = strconv.AppendInt(append(out, sep), int64(day), 10)
	if b.Step == MinuteStep {
		return string(b.clock(out, style, sep))
	}
	if b.Step != HourStep {
		return string(out)
	}
	if style == Dash {
		out = strconv.AppendInt(append(out, ' '), int64(b.Hour), 10)
		return string(append(out, ":00"...))
	}
	return string(strconv.AppendInt(append(out, sep), int64(b.Hour), 10))
}

// clock writes hour and minute behind a day: 2026-2-10 9:30, 2026.2.10.9.30.
func (b Bucket) clock(out []byte, style Style, sep byte) []byte {
	before := sep
	if style == Dash {
		before, sep = ' ', ':'
	}
	out = strconv.AppendInt(append(out, before), int64(b.Hour), 10)
	return strconv.AppendInt(append(out, sep), int64(b.Minute), 10)
}

// Padded writes year and month of the bucket as "2025:01", the one padded
// form of the wire.
func (b Bucket) Padded() string {
	year, month, _ := b.First.Date()
	return fmt.Sprintf("%d:%02d", year, month)
}

// ParseMonth reads a month as "2025:01", padded or not, in any of the styles.
func ParseMonth(text string) (Month, bool) {
	year, month, ok := strings.Cut(text, ":")
	if !ok {
		if year, month, ok = strings.Cut(text, "."); !ok {
			year, month, _ = strings.Cut(text, "-")
		}
	}
	y, err1 := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	if err1 != nil || err2 != nil || y < 1970 || y > 9999 || m < 1 || m > 12 {
		return 0, false
	}
	return MonthOf(y, m), true
}

// ID writes the day in a style.
func (d Day) ID(style Style) string {
	return Bucket{Step: DayStep, First: d, Last: d}.ID(style)
}

// Buckets yields the rows of p in ascending order; AutoStep means p.Step.
// Together their days are exactly those of p, and no bucket is empty.
func (p Period) Buckets(step Step) iter.Seq[Bucket] {
	if step == AutoStep {
		step = p.Step
	}
	return func(yield func(Bucket) bool) {
		for d := p.First; d <= p.Last; {
			last := min(lastOf(d, step), p.Last)
			if step == MinuteStep {
				for m := range 24 * 60 {
					if !yield(Bucket{Step: step, First: d, Last: d, Hour: m / 60, Minute: m % 60}) {
						return
					}
				}
			} else if step == HourStep {
				for h := range 24 {
					if !yield(Bucket{Step: step, First: d, Last: d, Hour: h}) {
						return
					}
				}
			} else if !yield(Bucket{Step: step, First: d, Last: last}) {
				return
			}
			d = last + 1
		}
	}
}

// Bounds of the rows of a read.
const (
	// MaxHourly is of how many days rows may be hours.
	MaxHourly = 100
	// MaxRows is how many days, weeks or months a series of rows has at most.
	MaxRows = 1100
	// MaxPoints is how many rows all series of a read have at most; years are not bounded by it.
	MaxPoints = 100_000
)

// Fit returns the step in which the rows of p are cut when step is asked for: that step, or the finest coarser one
// with which a read of so many series stays within the bounds. Hours give way to days, days and weeks to
// months, months to years. AutoStep stands for p.Step.
func (p Period) Fit(step Step, series int) Step {
	if step == AutoStep {
		step = p.Step
	}
	for {
		days, rows, next := p.Days(), 0, MonthStep
		switch step {
		case YearStep:
			return step
		case MonthStep:
			rows, next = int(p.Last.Month()-p.First.Month())+1, YearStep
		case WeekStep:
			rows = days/7 + 2
		case MinuteStep:
			step = HourStep // no row of it is shown where steps give way
			continue
		case HourStep:
			if rows, next = 24*days, DayStep; days > MaxHourly {
				step = next
				continue
			}
		case AutoStep, DayStep:
			rows = days
		}
		if (rows <= MaxRows || step == HourStep) && rows*max(series, 1) <= MaxPoints {
			return step
		}
		step = next
	}
}

// lastOf returns the last day of the bucket that d is in.
func lastOf(d Day, step Step) Day {
	switch step {
	case WeekStep:
		return d + Day(6-d.Weekday())
	case MonthStep:
		return d.Month().Last()
	case YearStep:
		return DayOf(d.Year(), 12, 31)
	case AutoStep, MinuteStep, HourStep, DayStep:
	}
	return d
}

// DayIDs lists the days of p as "2026.2.10": the currentPeriodArr of the wire.
func (p Period) DayIDs() []string {
	ids := make([]string, 0, max(p.Days(), 0))
	for d := p.First; d <= p.Last; d++ {
		ids = append(ids, d.ID(Dot))
	}
	return ids
}
