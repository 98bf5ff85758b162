package period

// Day counts civil days from 1970-01-01, which is 0. It is the number of a
// rollup.Day bucket; days before 1970 have no bucket.
type Day int32

// Hour is day*24 + wall-clock hour, the number of a rollup.Hour bucket.
type Hour int32

// Month is year*12 + month-1, the number of a rollup.Month bucket.
type Month int32

// MaxDay is the last day that can be named, 9999-12-31.
const MaxDay Day = 2932896

// DayOf returns the day of a date of the proleptic Gregorian calendar. Months
// run from 1 to 12 and days from 1 to the length of the month.
func DayOf(year, month, day int) Day {
	// Years begin in March, so that the leap day is the last of its year.
	y := year
	if month <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	mp := (month + 9) % 12
	doy := (153*mp+2)/5 + day - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return Day(era*146097 + doe - 719468)
}

// Date returns the civil date of d; months run from 1 to 12.
func (d Day) Date() (year, month, day int) {
	z := int(d) + 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = doy - (153*mp+2)/5 + 1
	month = mp + 3
	if month > 12 {
		month -= 12
	}
	year = yoe + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}

// Month returns the month that d is in.
func (d Day) Month() Month {
	y, m, _ := d.Date()
	return MonthOf(y, m)
}

// Year returns the calendar year of d.
func (d Day) Year() int {
	y, _, _ := d.Date()
	return y
}

// Weekday returns 0 for Monday to 6 for Sunday.
func (d Day) Weekday() int {
	w := (int(d) + 3) % 7 // 1970-01-01 was a Thursday
	if w < 0 {
		w += 7
	}
	return w
}

// ISOWeek returns the ISO 8601 year and week that d is in. The year differs
// from the calendar year for up to three days at either end.
func (d Day) ISOWeek() (year, week int) {
	thursday := d - Day(d.Weekday()) + 3
	year = thursday.Year()
	return year, int(thursday-DayOf(year, 1, 1))/7 + 1
}

// Hour returns the bucket of a wall-clock hour, 0 to 23, of d.
func (d Day) Hour(hour int) Hour { return Hour(int(d)*24 + hour) }

// Split returns the day and the wall-clock hour of h, which is not negative.
func (h Hour) Split() (d Day, hour int) { return Day(h / 24), int(h % 24) }

// MonthOf returns the number of a month from 1 to 12.
func MonthOf(year, month int) Month { return Month(year*12 + month - 1) }

// Date returns the year and the month from 1 to 12.
func (m Month) Date() (year, month int) { return int(m) / 12, int(m)%12 + 1 }

// First returns the first day of m.
func (m Month) First() Day {
	y, mo := m.Date()
	return DayOf(y, mo, 1)
}

// Last returns the last day of m.
func (m Month) Last() Day { return (m + 1).First() - 1 }

// WeekStart returns the Monday of week 1 of an ISO year; week n starts
// 7*(n-1) days later.
func WeekStart(isoYear int) Day {
	d := DayOf(isoYear, 1, 4)
	return d - Day(d.Weekday())
}

// WeeksIn returns 52 or 53, the number of weeks of an ISO year.
func WeeksIn(isoYear int) int {
	return int(WeekStart(isoYear+1)-WeekStart(isoYear)) / 7
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
