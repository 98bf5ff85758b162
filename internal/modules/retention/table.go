package retention

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query/retention"
)

type tableReq struct {
	Unit  string       `param:"period"`
	Type  string       `param:"rettype"`
	Event params.Value `param:"evt"`
	Range params.Value `param:"range"`
	Span  params.Value `param:"span"`
	Query params.Value `param:"query"`
}

// tableRow is a cohort of the wire: how many came back by age, from 1 on.
type tableRow struct {
	day   period.Day
	size  int64
	users []int64
}

// MarshalJSON writes ages as keys.
func (r tableRow) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	year, month, day := r.day.Date()
	fmt.Fprintf(&b, `{"_id":"%04d%02d%02d","tu":%d`, year, month, day, r.size)
	for i, n := range r.users {
		fmt.Fprintf(&b, `,"%d":%d`, i+1, n)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// table answers in the wire's form: days, weeks or months, and ages up to the last of them.
func (s *service) table(ctx context.Context, c api.Caller, r tableReq) ([]tableRow, error) {
	step, ok := map[string]period.Step{"adaily": period.DayStep, "aweekly": period.WeekStep, "amonthly": period.MonthStep}[r.Unit]
	if !ok {
		return nil, bad("period")
	}
	frame, err := s.frame(c, "")
	if err != nil {
		return nil, err
	}
	p, err := s.window(frame, step, r)
	if err != nil {
		return nil, err
	}
	q, err := s.ask(c, p, step, frame.Now.UnixMilli())
	if err != nil {
		return nil, err
	}
	q.End, q.Until = min(q.End, q.Units[q.Cohorts]), min(q.Until, q.Units[q.Cohorts])
	q.Last = frame.Calendar.DayBucket(q.Until - 1)
	switch r.Type {
	case "", "full":
	case "classic":
		q.First = true
	case "unbounded":
		q.Mode = retention.OnOrAfter
	default:
		return nil, bad("rettype")
	}
	if q.Chosen, err = selection(r.Query); err != nil {
		return nil, err
	}
	paths := q.Chosen.Paths()
	if q.Start, err = s.events(ctx, c.App.ID, r.Event, "evt", &paths); err != nil {
		return nil, err
	}
	if err := permitted(c, paths, ""); err != nil {
		return nil, err
	}
	q.Return, q.Brackets = q.Start, each(max(1, q.Cohorts-1))
	t, err := s.reads.Read(ctx, c.App.ID, q)
	if err != nil {
		return nil, err
	}
	out := make([]tableRow, q.Cohorts)
	for i := range out {
		out[i] = tableRow{day: q.Days[i], size: t.Sizes[i]}
		for age := 1; i+age < q.Cohorts; age++ {
			out[i].users = append(out[i].users, t.Cells[i][age-1].Users)
		}
	}
	return out, nil
}

// first is the first day of the unit that a day is in.
func first(d period.Day, step period.Step) period.Day {
	switch step {
	case period.WeekStep:
		return d - period.Day(d.Weekday())
	case period.MonthStep:
		return d.Month().First()
	case period.AutoStep, period.MinuteStep, period.HourStep, period.DayStep, period.YearStep:
	}
	return d
}

// window is what the wire asks for: the days of a range, or the last span units up to now.
func (s *service) window(f period.Frame, step period.Step, r tableReq) (period.Period, error) {
	if r.Range.String() != "" {
		var pair []float64
		if json.Unmarshal(r.Range.Raw(), &pair) != nil || len(pair) != 2 || pair[0] > pair[1] {
			return period.Period{}, bad("range")
		}
		return f.Parse(r.Range.String())
	}
	span, err := count(r.Span, s.span, "span")
	if err != nil {
		return period.Period{}, err
	}
	today := f.Calendar.DayBucket(f.Now.UnixMilli())
	from := first(today, step)
	for range span - 1 {
		from = first(from-1, step)
	}
	return f.Parse(window(f.Calendar.DayStart(max(from, 0)), f.Now.UnixMilli()))
}

// id names a unit: a day, or an hour of it.
func id(cal *period.Calendar, begin int64, step period.Step) string {
	year, month, day := cal.DayBucket(begin).Date()
	text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
	if step == period.HourStep {
		_, hour := cal.HourBucket(begin).Split()
		text += " " + strconv.Itoa(hour) + ":00"
	}
	return text
}
