// Package active counts the users who are active on each day, in the days up to it, and in calendar weeks and months. It is pure: the
// days of users go in, counts come out.
//
// # Definition
//
// A user counts
//
//   - on a day (DAU) when active on it,
//   - in the week up to a day (WAU) when active on it or on one of the 6 days before,
//   - in the month up to a day (MAU) when active on it or on one of the 29 days before,
//   - in a calendar week, Monday to Sunday, and in a calendar month, when active on one of its days.
//
// A user is never counted twice in any of these. In a group, only the days count on which the user is active in that group, so one user may be
// in several groups.
package active

import (
	"math"

	"quipu/internal/period"
)

// Week and Month are the lengths (days) of the spans up to a day.
const (
	Week  = 7
	Month = 30
)

// Never is the gap of a user without earlier activity within any window: longer than any gap that matters.
const Never = 31

// Other is the group of all groups that come after the first ones.
const Other = math.MaxUint32

// maxFigures bounds the figures of all groups together.
const maxFigures = 200_000

// Question says which days are asked for. First and Last are the first and the last one of the answer, Known is the last day that has
// begun: days behind it are none.
type Question struct{ First, Last, Known period.Day }

// From returns the first day that matters.
func (q Question) From() period.Day {
	return max(0, min(q.First-Month+1, q.First.Month().First(), monday(q.First)))
}

// To returns the last day that matters. It comes before From where no day has begun.
func (q Question) To() period.Day {
	return min(q.Known, max(q.Last.Month().Last(), monday(q.Last)+6))
}

// until is the last day of the answer.
func (q Question) until() period.Day { return min(q.Last, q.Known) }

func monday(d period.Day) period.Day { return d - period.Day(d.Weekday()) }

// Figures are the users of a day, and of the spans that end with it.
type Figures struct{ Day, Week, Month int64 }

// Unit is a calendar week or month.
type Unit struct {
	First, Last period.Day
	Users       int64
}

// Row is an activity of a user.
type Row struct {
	Day   period.Day
	Group uint32
}

// Tally counts users. Its exported fields hold from Finish on.
type Tally struct {
	Days          []Figures // from Question.First on; days that have not begun are not there
	Weeks, Months []Unit    // those that the days are in, whole ones
	// Users is how many were active on the days asked for. Callers of Add count them themselves.
	Users  int64
	Groups map[uint32]*Tally // nil = none are wanted

	q    Question
	from period.Day
	// What each day adds to the one before it, from the day from on.
	day, week, month []int64
	last             map[uint32]period.Day // of the user at hand, by group
}

// New returns an empty tally; grouped makes one for each group of rows as well.
func New(q Question, grouped bool) *Tally {
	t := &Tally{q: q, from: q.From()}
	if grouped {
		t.Groups, t.last = map[uint32]*Tally{}, map[uint32]period.Day{}
	}
	n := max(0, int(q.To()-t.from)+1) + Month + 1
	t.day, t.week, t.month = make([]int64, n), make([]int64, n), make([]int64, n)
	if q.until() < q.First {
		return t
	}
	for d := monday(q.First); d <= q.until(); d += Week {
		t.Weeks = append(t.Weeks, Unit{First: d, Last: d + Week - 1})
	}
	for m := q.First.Month(); m <= q.until().Month(); m++ {
		t.Months = append(t.Months, Unit{First: m.First(), Last: m.Last()})
	}
	return t
}

// Add counts users who are active on a day and were so before a number of days before it: 1 to Never, which is more, too.
func (t *Tally) Add(d period.Day, gap int, users int64) {
	if d < t.from || d > t.q.To() || len(t.Weeks) == 0 {
		return
	}
	i := int(d - t.from)
	t.day[i] += users
	t.day[i+1] -= users
	t.week[i+max(0, Week-gap)] += users
	t.week[i+Week] -= users
	t.month[i+max(0, Month-gap)] += users
	t.month[i+Month] -= users
	if w := int(d-t.Weeks[0].First) / Week; d >= t.Weeks[0].First && w < len(t.Weeks) && gap > int(d-t.Weeks[w].First) {
		t.Weeks[w].Users += users
	}
	if m := int(d.Month() - t.Months[0].First.Month()); m >= 0 && m < len(t.Months) && gap > int(d-t.Months[m].First) {
		t.Months[m].Users += users
	}
}

// AddUser counts one user, whose rows come in the order of their days.
func (t *Tally) AddUser(rows []Row) {
	clear(t.last)
	last := period.Day(-Never)
	for _, r := range rows {
		last = t.addRow(r.Day, last)
		if t.Groups == nil {
			continue
		}
		group := r.Group
		g := t.Groups[group]
		if g == nil {
			if len(t.Groups)*len(t.day)*3 > maxFigures {
				group = Other
				g = t.Groups[Other]
			}
			if g == nil {
				g = New(t.q, false)
				t.Groups[group] = g
			}
		}
		before, ok := t.last[group]
		if !ok {
			before = -Never
		}
		t.last[group] = g.addRow(r.Day, before)
	}
}

// addRow counts a day of a user and returns it, or the last day of the user where that does not matter.
func (t *Tally) addRow(d, last period.Day) period.Day {
	if d == last || d < t.from || d > t.q.To() {
		return last
	}
	t.Add(d, int(min(d-last, Never)), 1)
	if d >= t.q.First && d <= t.q.until() && last < t.q.First {
		t.Users++
	}
	return d
}

// Finish ends the count.
func (t *Tally) Finish() {
	for _, list := range [][]int64{t.day, t.week, t.month} {
		for i := range len(list) - 1 {
			list[i+1] += list[i]
		}
	}
	for d := t.q.First; d <= t.q.until(); d++ {
		i := d - t.from
		t.Days = append(t.Days, Figures{t.day[i], t.week[i], t.month[i]})
	}
	t.day, t.week, t.month, t.last = nil, nil, nil, nil
	for _, g := range t.Groups {
		g.Finish()
	}
}

// Bytes estimates how much memory the tally takes.
func (t *Tally) Bytes() int64 {
	n := int64(200 + 24*len(t.Days) + 24*len(t.Weeks) + 24*len(t.Months))
	for _, g := range t.Groups {
		n += g.Bytes() + 40
	}
	return n
}
