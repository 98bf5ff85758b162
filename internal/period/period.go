package period

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"quipu/internal/fault"
)

// Default is the window of a read that names none.
const Default = "30days"

// maxAhead is how many days after today a window may reach; a later end is
// cut. Data cannot be from further ahead, and rows for every day of a window
// to the year 9999 would help no one.
const maxAhead = 366

// Period is a window of whole local days, first and last included. The zero
// value is not a period.
type Period struct {
	// Text is what the reader asked for, Default when that was nothing.
	Text string
	// First and Last are the days of the window; a window that ended before
	// 1970 has Last = First-1 and is empty.
	First, Last Day
	// Start and End are the first and the last ms of these days in the zone of the numbers.
	Start, End int64
	// Today is the local day of the reference time.
	Today Day
	// Step is the natural width of the rows of the window.
	Step Step

	cal *Calendar
}

// Frame is what a window is reckoned in.
type Frame struct {
	// Now is the reference time.
	Now time.Time
	// Calendar is the zone of the days.
	Calendar *Calendar
	// Numbers is the zone that numbers are kept in, the app's; nil means Calendar. Where it is not Calendar, the
	// days of a window are those that Calendar names, and begin and end as they do in this zone.
	Numbers *Calendar
	// Dates is the zone in which the ms of a custom window name days; nil means
	// Calendar. It differs when a client says with periodOffset how far its own
	// clock is from UTC.
	Dates *Calendar
	// Parsed is called with each period that is parsed; nil = nobody wants to know.
	Parsed func(Period)
}

// Overrides are the parameters with which a read may move its frame. Empty
// and malformed ones change nothing.
type Overrides struct {
	Timezone  string // IANA name, or the distance from UTC as +02:00
	Timestamp string // reference time, s (10 digits) or ms
	Offset    string // minutes to add to the client's local time to get UTC, as browsers tell
}

// NewFrame returns the frame of a read: of the app's calendar at now, unless
// overridden.
func NewFrame(now time.Time, app *Calendar, zones *Zones, o Overrides) Frame {
	f := Frame{Now: now, Calendar: app, Numbers: app}
	if o.Timezone != "" {
		if c, known := zones.Read(o.Timezone); known {
			f.Calendar = c
		}
	}
	if at, ok := o.timestamp(); ok {
		f.Now = at
	}
	if minutes, ok := o.offset(); ok {
		f.Dates = NewCalendar(time.FixedZone("client", -minutes*60))
	}
	return f
}

// Ignored returns a fault.Invalid for each parameter that is there and changes nothing, as it makes no sense:
// codes period.unknown_zone, period.bad_timestamp and period.bad_offset.
func (o Overrides) Ignored() (faults []error) {
	if o.Timezone != "" {
		_, isOffset := offsetOf(o.Timezone)
		if _, err := time.LoadLocation(o.Timezone); !isOffset && (err != nil || o.Timezone == "Local") {
			faults = append(faults, fault.New(fault.Invalid, "period.unknown_zone", fmt.Sprintf("timezone: %q is not a time zone", clip(o.Timezone))))
		}
	}
	if _, ok := o.timestamp(); !ok && o.Timestamp != "" {
		faults = append(faults, fault.New(fault.Invalid, "period.bad_timestamp", fmt.Sprintf("timestamp: %q is not a time in seconds or milliseconds", clip(o.Timestamp))))
	}
	if _, ok := o.offset(); !ok && o.Offset != "" {
		faults = append(faults, fault.New(fault.Invalid, "period.bad_offset", fmt.Sprintf("periodOffset: %q is not a number of minutes", clip(o.Offset))))
	}
	return faults
}

// timestamp reads the reference time.
func (o Overrides) timestamp() (time.Time, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(o.Timestamp), 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}, false
	}
	const secondsBelow = 100_000_000_000 // as ms this is 1973
	if n < secondsBelow {
		n *= 1000
	}
	return time.UnixMilli(n), true
}

// offset reads the client's distance from UTC in minutes.
func (o Overrides) offset() (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(o.Offset))
	return n, err == nil && n >= -15*60 && n <= 15*60
}

// offsetOf reads a distance from UTC: +02:00, -0530 or Z. A blank stands for the plus that it was in an address.
func offsetOf(name string) (*time.Location, bool) {
	if strings.HasPrefix(name, " ") {
		name = "+" + name[1:]
	}
	for _, layout := range []string{"Z07:00", "Z0700"} {
		if t, err := time.Parse(layout, name); err == nil {
			_, seconds := t.Zone()
			return time.FixedZone(name, seconds), true
		}
	}
	return nil, false
}

// clip bounds what a message repeats of the caller's text.
func clip(text string) string {
	if len(text) > 100 {
		return strings.ToValidUTF8(text[:100], "") + "…"
	}
	return text
}

// Parse is [Frame.Parse] in a frame of one calendar.
func Parse(text string, now time.Time, cal *Calendar) (Period, error) {
	return Frame{Now: now, Calendar: cal}.Parse(text)
}

// Parse reads a window. Its forms are
//
//	""                  as 30days
//	today, hour         the current day, in hours
//	yesterday           the day before, in hours
//	Ndays               today and the N-1 days before; 0days is everything up to today
//	Nweeks              today and the 7N-1 days before
//	Nmonths             the current calendar month up to today and the N-1 before, in months
//	day                 the current calendar month up to today
//	month, year         the current calendar year up to today, in months
//	prevMonth           the previous calendar month
//	[start,end]         the days of these instants and all between
//	start/end           as [start,end], of texts
//	{"since":start}     that day up to today
//	instant             that day, in hours
//	2031-05             that calendar month
//
// An instant is a number of ms, which may be quoted, a date such as 2031-05-14, or a date with a time and its
// distance from UTC as RFC 3339 has it.
//
// A window of one day steps by hours unless said otherwise, any other by
// days. Anything else is a fault.Invalid with code "period.invalid".
func (f Frame) Parse(text string) (Period, error) {
	p, err := f.parse(text)
	if err == nil && f.Parsed != nil {
		f.Parsed(p)
	}
	return p, err
}

func (f Frame) parse(text string) (Period, error) {
	p := Period{Text: text, Today: f.Calendar.DayBucket(f.Now.UnixMilli()), cal: f.Calendar}
	if f.Numbers != nil {
		p.cal = f.Numbers
	}
	text = strings.TrimSpace(text)
	if s, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		text = s // JSON text
	}
	if text == "" {
		p.Text, text = Default, Default
	}
	switch text {
	case "today", "hour":
		return p.days(p.Today, p.Today, HourStep), nil
	case "yesterday":
		return p.days(p.Today-1, p.Today-1, HourStep), nil
	case "day":
		return p.days(p.Today.Month().First(), p.Today, DayStep), nil
	case "month", "year":
		return p.days(DayOf(p.Today.Year(), 1, 1), p.Today, MonthStep), nil
	case "prevMonth":
		m := p.Today.Month() - 1
		return p.days(m.First(), m.Last(), DayStep), nil
	}
	if n, unit, ok := countOf(text); ok {
		switch unit {
		case "days":
			if n == 0 {
				return p.days(0, p.Today, MonthStep), nil
			}
			return p.days(p.Today-Day(n-1), p.Today, AutoStep), nil
		case "weeks":
			return p.days(p.Today-Day(7*n-1), p.Today, DayStep), nil
		case "months":
			return p.days((p.Today.Month() - Month(n-1)).First(), p.Today, MonthStep), nil
		}
	}
	dates := f.Dates
	if dates == nil {
		dates = f.Calendar
	}
	if strings.HasPrefix(text, "{") {
		var since struct {
			Since json.RawMessage `json:"since"`
		}
		if err := json.Unmarshal([]byte(text), &since); err == nil {
			if d, ok := dayOf(since.Since, dates); ok {
				return p.days(min(d, p.Today), p.Today, AutoStep), nil
			}
		}
		return Period{}, invalid(p.Text)
	}
	if strings.HasPrefix(text, "[") {
		var pair []json.RawMessage
		if err := json.Unmarshal([]byte(text), &pair); err != nil || len(pair) != 2 {
			return Period{}, invalid(p.Text)
		}
		return p.between(pair[0], pair[1], dates)
	}
	if start, end, ok := strings.Cut(text, "/"); ok {
		return p.between([]byte(start), []byte(end), dates)
	}
	if m, err := time.Parse("2006-01", text); err == nil {
		month := DayOf(m.Year(), int(m.Month()), 1).Month()
		return p.days(month.First(), month.Last(), DayStep), nil
	}
	if d, ok := dayOf([]byte(text), dates); ok {
		return p.days(d, d, AutoStep), nil
	}
	return Period{}, invalid(p.Text)
}

// between completes p for the days of two instants.
func (p Period) between(start, end []byte, dates *Calendar) (Period, error) {
	first, ok1 := dayOf(start, dates)
	last, ok2 := dayOf(end, dates)
	if !ok1 || !ok2 || first > last || reversed(start, end) {
		return Period{}, invalid(p.Text)
	}
	return p.days(first, last, AutoStep), nil
}

// reversed reports whether two numbers of ms are in the wrong order within a day.
func reversed(start, end []byte) bool {
	from, ok1 := millis(start)
	to, ok2 := millis(end)
	return ok1 && ok2 && from > to
}

// dayOf reads an instant and returns its day.
func dayOf(raw []byte, dates *Calendar) (Day, bool) {
	if ms, ok := millis(raw); ok {
		return dates.DayBucket(ms), true
	}
	text := strings.Trim(strings.TrimSpace(string(raw)), `"`)
	if d, err := time.Parse(time.DateOnly, text); err == nil {
		return DayOf(d.Year(), int(d.Month()), d.Day()), true
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return dates.DayBucket(at.UnixMilli()), true
	}
	return 0, false
}

// countOf splits "30days" into its number, at most 100,000, and its unit.
// Only days may be 0.
func countOf(text string) (n int, unit string, ok bool) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	if i == 0 || i > 6 {
		return 0, "", false
	}
	n, err := strconv.Atoi(text[:i])
	unit = text[i:]
	return n, unit, err == nil && n <= 100_000 && (n > 0 || unit == "days")
}

// millis reads a JSON number, or a string with a number in it.
func millis(raw []byte) (int64, bool) {
	text := strings.TrimSpace(string(raw))
	if s, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		text = strings.TrimSpace(s)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.Abs(x) > 1e17 {
		return 0, false
	}
	return int64(x), true
}

func invalid(text string) error {
	return fault.Wrap(fmt.Errorf("unknown period %q", clip(text)), fault.Invalid, "period.invalid", "Bad request parameter: period")
}

// days completes p for a window, which it cuts to 1970 … a year ahead.
func (p Period) days(first, last Day, step Step) Period {
	limit := p.Today + maxAhead
	p.First = min(max(first, 0), limit)
	p.Last = min(last, limit)
	p.Step = step
	if p.Last < p.First {
		// Only a window from before 1970 gets here.
		p.Last = p.First - 1
	}
	if step == AutoStep {
		p.Step = DayStep
		if p.First == p.Last {
			p.Step = HourStep
		}
	}
	p.Start = p.cal.DayStart(p.First)
	p.End = p.cal.DayEnd(p.Last)
	return p
}

// Calendar returns the calendar of the numbers of p: its days begin and end as Start and End do.
func (p Period) Calendar() *Calendar { return p.cal }

// Days returns how many days p has.
func (p Period) Days() int { return int(p.Last-p.First) + 1 }

// Empty reports whether p has no day; only a window before 1970 has none.
func (p Period) Empty() bool { return p.Last < p.First }

// ContainsToday reports whether the day of the reference time is in p.
func (p Period) ContainsToday() bool { return p.First <= p.Today && p.Today <= p.Last }

// Prev returns the window of as many days directly before p, with the same
// step. It is cut at 1970 and may be empty.
func (p Period) Prev() Period {
	return p.days(p.First-Day(p.Days()), p.First-1, p.Step)
}

// Check returns the fault of a text that names no window: period.invalid.
func Check(text string) error {
	_, err := Parse(text, time.Unix(0, 0), NewCalendar(time.UTC))
	return err
}

// ParseOrDefault is Parse for reads that take a text that names no window for Default; Text keeps it.
func (f Frame) ParseOrDefault(text string) Period {
	p, err := f.Parse(text)
	if err == nil {
		return p
	}
	p, err = f.Parse(Default)
	if err != nil {
		panic(err) // the default is a period
	}
	p.Text = text
	return p
}

// Sub returns the part of p from first to last. Both must be in p and in
// order.
func (p Period) Sub(first, last Day) Period { return p.days(first, last, p.Step) }

// Label returns the window as people read it: "15 Apr - 14 May", or "14 May"
// for a single day.
func (p Period) Label() string {
	if p.First >= p.Last {
		return p.First.Label()
	}
	return p.First.Label() + " - " + p.Last.Label()
}

// Label returns the day as "5 Feb".
func (d Day) Label() string {
	_, m, day := d.Date()
	return strconv.Itoa(day) + " " + time.Month(m).String()[:3]
}
