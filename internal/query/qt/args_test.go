package qt_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// arguments are what an eval passes to a query. A value that cannot be read fails the eval, as does one that is not used.
type arguments struct {
	words map[string]string
	used  map[string]bool
	app   model.AppID
	zone  *time.Location
	now   time.Time
	err   error
	// cohortIDs are those of cohorts.
	cohortIDs []string
}

func (a *arguments) take(name string) (string, bool) {
	a.used[name] = true
	v, ok := a.words[name]
	return v, ok
}

func (a *arguments) fail(name string, err error) {
	if err != nil && a.err == nil {
		a.err = fmt.Errorf("%s: %w", name, err)
	}
}

// unused returns what is wrong with the arguments.
func (a *arguments) unused() error {
	for _, name := range slices.Sorted(maps.Keys(a.words)) {
		if !a.used[name] {
			return fmt.Errorf("the query takes no %s", name)
		}
	}
	return a.err
}

// text returns a text, "" by default.
func (a *arguments) text(name string) string {
	v, _ := a.take(name)
	return v
}

// is reports whether a word stands there.
func (a *arguments) is(name string) bool {
	_, ok := a.take(name)
	return ok
}

// list returns texts between commas.
func (a *arguments) list(name string) []string {
	v, ok := a.take(name)
	if !ok {
		return nil
	}
	return strings.Split(v, ",")
}

// number returns a number, or what stands for none.
func (a *arguments) number(name string, none float64) float64 {
	v, ok := a.take(name)
	if !ok {
		return none
	}
	f, err := strconv.ParseFloat(v, 64)
	a.fail(name, err)
	return f
}

func (a *arguments) whole(name string, none int) int { return int(a.number(name, float64(none))) }

// moment returns a time (ms), or what stands for none.
func (a *arguments) moment(name string, none int64) int64 {
	v, ok := a.take(name)
	if !ok {
		return none
	}
	t, err := momentOf(v)
	a.fail(name, err)
	return t.UnixMilli()
}

// users returns numbers of users.
func (a *arguments) users() []uint32 {
	var out []uint32
	for _, text := range a.list("users") {
		n, err := strconv.ParseUint(text, 10, 32)
		a.fail("users", err)
		out = append(out, uint32(n))
	}
	return out
}

// countBy returns what is counted, users by default.
func (a *arguments) countBy() query.CountBy {
	by, err := query.ParseCountBy(a.text("count-by"))
	a.fail("count-by", err)
	return by
}

// selected returns a filter. Its errors are those of the query, which eval_fail is for.
func (a *arguments) selected() (filter.Expr, error) {
	v, ok := a.take("filter")
	if !ok {
		return filter.Expr{}, nil
	}
	return filter.Parse(v)
}

// rows returns which rows of an export are wanted.
func (a *arguments) rows() (query.RowSelection, error) {
	f, err := a.selected()
	return query.RowSelection{
		Filter: f, Fields: a.list("fields"), Without: a.is("without"), Sort: a.text("sort"), Desc: a.is("desc"),
		Skip: int64(a.whole("skip", 0)), Limit: int64(a.whole("limit", 0)),
	}, err
}

// page returns which users of a list are wanted.
func (a *arguments) page() (query.Page, error) {
	f, err := a.selected()
	return query.Page{
		Filter: f, Search: a.text("search"), Sort: a.text("sort"), Desc: a.is("desc"), Offset: a.whole("offset", 0), Limit: a.whole("limit", 100),
	}, err
}

// period returns a period of the wire, and the step it is read by.
func (a *arguments) period() (period.Period, period.Step, error) {
	steps := map[string]period.Step{"": period.DayStep, "minute": period.MinuteStep, "hour": period.HourStep, "day": period.DayStep, "week": period.WeekStep, "month": period.MonthStep, "year": period.YearStep}
	text := a.text("period")
	by, ok := steps[a.text("by")]
	if !ok {
		return period.Period{}, by, fmt.Errorf("by is minute, hour, day, week, month or year")
	}
	zone := a.zone
	if name, ok := a.take("zone"); ok {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			return period.Period{}, by, err
		}
	}
	p, err := period.Parse(text, a.now, period.NewCalendar(zone))
	return p, by, err
}
