package modeltest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// date is a civil date: days since 1970-01-01.
type date int

func dateOf(y int, m time.Month, d int) date {
	return date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func (d date) utc() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }
func (d date) year() int      { return d.utc().Year() }
func (d date) month() month   { return month{d.utc().Year(), d.utc().Month()} }
func (d date) first() date    { return dateOf(d.year(), d.utc().Month(), 1) }
func (d date) dash() string   { return d.utc().Format("2006-1-2") }
func (d date) dot() string    { return d.utc().Format("2006.1.2") }
func (d date) label() string  { return d.utc().Format("2 Jan") }

// week returns the year and the number of the ISO week.
func (d date) week() (year, week int) { return d.utc().ISOWeek() }

type month struct {
	year  int
	month time.Month
}

func (m month) dash() string { return fmt.Sprintf("%d-%d", m.year, m.month) }

// moment is a wall-clock hour of a date.
type moment struct {
	date date
	hour int
}

func (a *app) at(ms int64) moment {
	t := time.UnixMilli(ms).In(a.zone)
	return moment{dateOf(t.Date()), t.Hour()}
}

// step is the width of the rows of a window.
type step int

const (
	hours step = iota
	days
	months
)

// window is a period of whole days, both ends included.
type window struct {
	text        string
	first, last date
	today       date
	step        step
	zone        *time.Location // of the numbers: the app's, whatever zone chose the days
}

// window reads a period (docs/reference/metrics.md, Time). Texts are those of periods(), so there is no
// unknown one.
func (a *app) window(text string, now time.Time, zone *time.Location) window {
	today := dateOf(now.In(zone).Date())
	w := window{text: text, first: today, last: today, today: today, step: days, zone: a.zone}
	number := func(suffix string) int {
		digits, _ := strings.CutSuffix(text, suffix)
		n, err := strconv.Atoi(digits)
		if err != nil {
			panic("model: no period: " + text)
		}
		return n
	}
	y, m, _ := today.utc().Date()
	switch {
	case text == "":
		w.first = today - 29
	case text == "today", text == "hour":
	case text == "yesterday":
		w.first, w.last = today-1, today-1
	case text == "day":
		w.first = today.first()
	case text == "month", text == "year":
		w.first, w.step = dateOf(y, time.January, 1), months
	case text == "prevMonth":
		w.first, w.last = dateOf(y, m-1, 1), today.first()-1
	case strings.HasSuffix(text, "days"):
		w.first = today - date(number("days")) + 1
	case strings.HasSuffix(text, "weeks"):
		w.first = today - 7*date(number("weeks")) + 1
	case strings.HasSuffix(text, "months"):
		w.first, w.step = dateOf(y, m-time.Month(number("months"))+1, 1), months
	case text[0] == '[':
		var ends [2]int64
		if err := json.Unmarshal([]byte(text), &ends); err != nil {
			panic(err)
		}
		w.first = dateOf(time.UnixMilli(ends[0]).In(zone).Date())
		w.last = dateOf(time.UnixMilli(ends[1]).In(zone).Date())
	default:
		w.first = dateOf(time.UnixMilli(int64(number(""))).In(zone).Date())
		w.last = w.first
	}
	if w.first == w.last && w.step == days && text != "day" {
		w.step = hours
	}
	return w
}

// before is the window of as many days directly before w.
func (w window) before() window {
	n := w.last - w.first + 1
	w.first, w.last = w.first-n, w.first-1
	return w
}

func (w window) has(m moment) bool { return w.first <= m.date && m.date <= w.last }

func (w window) days() []date {
	var out []date
	for d := w.first; d <= w.last; d++ {
		out = append(out, d)
	}
	return out
}

// start and end are the first and the last ms of the days of w.
func (w window) start() int64 {
	y, m, d := w.first.utc().Date()
	return midnight(y, m, d, w.zone).UnixMilli()
}

func (w window) end() int64 {
	y, m, d := (w.last + 1).utc().Date()
	return midnight(y, m, d, w.zone).UnixMilli() - 1
}

// midnight is the first instant of a date, also where clocks skip 00:00.
func midnight(y int, m time.Month, d int, zone *time.Location) time.Time {
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	for t.Day() != time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Day() {
		t = t.Add(15 * time.Minute)
	}
	return t
}

func (w window) label() string {
	if w.first == w.last {
		return w.first.label()
	}
	return w.first.label() + " - " + w.last.label()
}

// row is a sub-period of a window.
type row struct {
	id  string
	has func(moment) bool
}

// rows cuts the window into its sub-periods.
func (w window) rows(s step) []row {
	var out []row
	switch s {
	case hours:
		for h := range 24 {
			m := moment{w.first, h}
			out = append(out, row{fmt.Sprintf("%s %d:00", w.first.dash(), h), func(x moment) bool { return x == m }})
		}
	case days:
		for _, d := range w.days() {
			out = append(out, row{d.dash(), func(x moment) bool { return x.date == d }})
		}
	case months:
		var seen []month
		for _, d := range w.days() {
			if m := d.month(); !slices.Contains(seen, m) {
				seen = append(seen, m)
				out = append(out, row{m.dash(), func(x moment) bool { return w.has(x) && x.date.month() == m }})
			}
		}
	}
	return out
}
