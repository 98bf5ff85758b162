package query

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// SessionRow is one sub-period.
type SessionRow struct {
	ID       string  `json:"_id"`
	Sessions int64   `json:"t"`
	New      int64   `json:"n"`
	Users    int64   `json:"u"`
	Seconds  float64 `json:"d"`
	Requests int64   `json:"e"`
}

func sessionRow(id string, t Totals) SessionRow {
	return SessionRow{ID: id, Sessions: t.Sessions, New: t.New, Users: t.Users, Seconds: t.Seconds, Requests: t.Requests}
}

// SessionRows returns one row for each bucket of the period, rows of zeros
// included; the step gives way to a coarser one where
// it makes too many (period.Fit). Users are the uniques of that very bucket. A month without a
// session shows none of its requests either.
func (q *Query) SessionRows(ctx context.Context, app model.AppID, p period.Period, step period.Step) (_ []SessionRow, err error) {
	defer q.enter(&ctx, &err)()
	step = p.Fit(step, 1)
	rows := []SessionRow{}
	for b := range p.Buckets(step) {
		rows = append(rows, SessionRow{ID: b.ID(period.Dash)})
	}
	if len(rows) == 0 {
		return rows, nil
	}
	shown, err := q.monthsWithSessions(ctx, app, p.First.Month(), p.Last.Month())
	if err != nil {
		return nil, err
	}
	if step != period.DayStep && step != period.HourStep {
		i := 0
		for b := range p.Buckets(step) {
			t, err := q.Totals(ctx, app, b.First, b.Last)
			if err != nil {
				return nil, err
			}
			if t.Sessions > 0 || step == period.MonthStep && shown[b.First.Month()] {
				rows[i] = sessionRow(rows[i].ID, t)
			}
			i++
		}
		return rows, nil
	}
	grain, from, to := cellsOf(p, step)
	err = q.cells.counts(ctx, app, rollup.Series{Metric: rollup.Users}, grain, from, to, func(b rollup.Bucket, _ string, c *rollup.Cell, users int64) error {
		day := period.Day(b)
		if grain == rollup.Hour {
			day, _ = period.Hour(b).Split()
		}
		if shown[day.Month()] {
			var t Totals
			t.add(c)
			t.Users = users
			rows[b-from] = sessionRow(rows[b-from].ID, t)
		}
		return nil
	})
	return rows, err
}

// cellsOf returns grain and buckets of the cells of a period stepped by hours
// or days.
func cellsOf(p period.Period, step period.Step) (g rollup.Grain, from, to rollup.Bucket) {
	if step == period.HourStep {
		return rollup.Hour, rollup.Bucket(p.First.Hour(0)), rollup.Bucket(p.Last.Hour(23))
	}
	return rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last)
}

// MetricRow is one value of a metric.
type MetricRow struct {
	ID       string `json:"_id"`
	Sessions int64  `json:"t"`
	New      int64  `json:"n"`
	Users    int64  `json:"u"`
}

// MetricRows returns the values of a metric in the period, those with most
// sessions first.
func (q *Query) MetricRows(ctx context.Context, app model.AppID, m rollup.Metric, p period.Period) (_ []MetricRow, err error) {
	defer q.enter(&ctx, &err)()
	ts, err := q.uniques(ctx, app, m, p.First, p.Last)
	if err != nil {
		return nil, err
	}
	rows := []MetricRow{}
	list := slices.DeleteFunc(ts.byCount(), func(t *tally) bool { return t.t <= 0 })
	if len(list) > MaxValues {
		list = folded(list)
	}
	for _, t := range list {
		rows = append(rows, MetricRow{ID: t.value, Sessions: t.t, New: t.n, Users: t.cardinality()})
	}
	return rows, nil
}

// folded returns the first MaxValues of a list by count, Other aside, with all others added to Other.
func folded(list []*tally) []*tally {
	few := newTallies()
	shown := 0
	for _, t := range list {
		name := t.value
		if name != rollup.Other {
			if shown++; shown > MaxValues {
				name = rollup.Other
			}
		}
		few.unite(name, t)
	}
	return few.byCount()
}

// CountryRow is one country.
type CountryRow struct {
	Country  string `json:"country"`
	Code     string `json:"code"`
	Sessions int64  `json:"t"`
	Users    int64  `json:"u"`
	New      int64  `json:"n"`
}

// CountryRows returns the countries with most sessions in the period, at most
// limit.
func (q *Query) CountryRows(ctx context.Context, app model.AppID, p period.Period, limit int) (_ []CountryRow, err error) {
	defer q.enter(&ctx, &err)()
	found, err := q.MetricRows(ctx, app, rollup.Countries, p)
	rows := []CountryRow{}
	for _, r := range found[:min(limit, len(found))] {
		rows = append(rows, CountryRow{
			Country: CountryName(r.ID), Code: strings.ToLower(r.ID),
			Sessions: r.Sessions, Users: r.Users, New: r.New,
		})
	}
	return rows, err
}

// TopRow is one entry of a top list.
type TopRow struct {
	Name    string  `json:"name"`
	Value   int64   `json:"value"`
	Percent float64 `json:"percent"`
}

// Top returns the values of a metric with most sessions in the period, at most
// limit. Percent is the share of the sessions of all values of the metric.
func (q *Query) Top(ctx context.Context, app model.AppID, m rollup.Metric, p period.Period, limit int) (_ []TopRow, err error) {
	defer q.enter(&ctx, &err)()
	ts, err := q.counts(ctx, app, rollup.Series{Metric: m}, p.First, p.Last)
	rows := make([]TopRow, 0, ts.used)
	for _, t := range ts.all[:ts.used] {
		rows = append(rows, TopRow{Name: DisplayName(m, t.value), Value: t.t})
	}
	return rank(rows, limit), err
}

// rank orders rows by value, the largest first, then by name, fills in their
// shares and keeps the first limit of those that are not zero.
func rank(rows []TopRow, limit int) []TopRow {
	var sum int64
	rows = slices.DeleteFunc(rows, func(r TopRow) bool { return r.Value <= 0 })
	for _, r := range rows {
		sum += r.Value
	}
	slices.SortFunc(rows, func(a, b TopRow) int { return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name)) })
	rows = rows[:min(limit, len(rows))]
	for i := range rows {
		rows[i].Percent = percent(rows[i].Value, sum)
	}
	return rows
}

// RangeRow is one range of a histogram.
type RangeRow struct {
	Index    string
	Sessions int64
	// Percent has one decimal.
	Percent string
}

// Ranges returns the ranges of rollup.Frequency or rollup.Durations that occur
// in the period, those with most sessions first.
func (q *Query) Ranges(ctx context.Context, app model.AppID, m rollup.Metric, p period.Period) (_ []RangeRow, err error) {
	defer q.enter(&ctx, &err)()
	ts, err := q.counts(ctx, app, rollup.Series{Metric: m}, p.First, p.Last)
	var sum int64
	rows := []RangeRow{}
	for _, t := range ts.byCount() {
		if t.t > 0 {
			sum = rollup.AddCount(sum, t.t)
			rows = append(rows, RangeRow{Index: t.value, Sessions: t.t})
		}
	}
	for i := range rows {
		rows[i].Percent = oneDecimal(float64(rows[i].Sessions)*100, float64(sum))
	}
	slices.SortStableFunc(rows, func(a, b RangeRow) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(len(a.Index), len(b.Index)))
	})
	return rows, err
}

// UsersRow is a number of users and that of the period before.
type UsersRow struct {
	ID     string `json:"_id"`
	Users  int64  `json:"u"`
	Before int64  `json:"pu"`
}

// TotalUsers returns one row "users" for the app, or no row when neither the
// period nor the one before had users.
func (q *Query) TotalUsers(ctx context.Context, app model.AppID, p period.Period) (_ []UsersRow, err error) {
	defer q.enter(&ctx, &err)()
	now, err := q.Totals(ctx, app, p.First, p.Last)
	if err != nil {
		return nil, err
	}
	prev := p.Prev()
	before, err := q.Totals(ctx, app, prev.First, prev.Last)
	if err != nil || now.Users+before.Users == 0 {
		return []UsersRow{}, err
	}
	return []UsersRow{{ID: "users", Users: now.Users, Before: before.Users}}, nil
}

// UsersByValue is TotalUsers for each value of a metric, those with most users
// first.
func (q *Query) UsersByValue(ctx context.Context, app model.AppID, m rollup.Metric, p period.Period) (_ []UsersRow, err error) {
	defer q.enter(&ctx, &err)()
	now, err := q.uniques(ctx, app, m, p.First, p.Last)
	if err != nil {
		return nil, err
	}
	prev := p.Prev()
	before, err := q.uniques(ctx, app, m, prev.First, prev.Last)
	if err != nil {
		return nil, err
	}
	rows := []UsersRow{}
	for _, t := range now.byValue() {
		row := UsersRow{ID: t.value, Users: t.cardinality()}
		if i, ok := before.index[t.value]; ok {
			row.Before = before.all[i].cardinality()
		}
		rows = append(rows, row)
	}
	for _, t := range before.byValue() {
		if _, ok := now.index[t.value]; !ok {
			rows = append(rows, UsersRow{ID: t.value, Before: t.cardinality()})
		}
	}
	rows = slices.DeleteFunc(rows, func(r UsersRow) bool { return r.Users+r.Before == 0 })
	slices.SortFunc(rows, func(a, b UsersRow) int { return cmp.Or(cmp.Compare(b.Users, a.Users), cmp.Compare(a.ID, b.ID)) })
	return rows, nil
}

// Week is the count of sessions by weekday, Sunday first, and hour of the
// device's clock.
type Week [7][24]int64

// TimesOfDay counts the items of an event key, or of sessions
// ("[CLY]_session"), by weekday and hour of the device's clock. No months means all.
func (q *Query) TimesOfDay(ctx context.Context, app model.AppID, key string, months []period.Month) (_ Week, err error) {
	defer q.enter(&ctx, &err)()
	var week Week
	if len(key) > rollup.MaxText {
		return week, nil // no event has such a key
	}
	spans := [][2]period.Month{{0, period.MaxDay.Month()}}
	if len(months) > 0 {
		spans = spans[:0]
		for _, m := range months {
			spans = append(spans, [2]period.Month{m, m})
		}
	}
	for _, s := range spans {
		err := q.cells.Scan(ctx, app, rollup.Series{Metric: rollup.TimesOfDay, Dim: key}, rollup.Month, rollup.Bucket(s[0]), rollup.Bucket(s[1]), func(_ rollup.Bucket, v string, c *rollup.Cell) error {
			dow, hour, ok := strings.Cut(v, ":")
			d, err1 := strconv.Atoi(dow)
			h, err2 := strconv.Atoi(hour)
			if ok && err1 == nil && err2 == nil && d >= 0 && d < 7 && h >= 0 && h < 24 {
				week[d][h] = rollup.AddCount(week[d][h], c.Count)
			}
			return nil
		})
		if err != nil {
			return Week{}, err
		}
	}
	return week, nil
}
