package cohorts

import (
	"math"

	"quipu/internal/filter"
	"quipu/internal/period"
	"quipu/internal/query"
)

// Course is what one user did of stages, for tests.
type Course struct {
	s    *sequence
	days map[period.Day]bool
}

// Passing is a row that a stage is met by.
type Passing struct {
	query.Moment
	Stage int
}

// NewCourse returns a course of stages, of which each is done within some ms of the one before.
func NewCourse(within []int64) *Course {
	c := &Course{days: map[period.Day]bool{}}
	stages := make([]stage, len(within))
	for i := range stages {
		stages[i] = stage{filter: filter.Expr{}, within: within[i]}
	}
	c.s = &sequence{stages: stages, cal: period.NewCalendar(nil), users: map[uint32]*course{}, horizon: math.MinInt64}
	return c
}

// Add adds rows of a batch, by their order, and returns how many moments there are.
func (c *Course) Add(list []Passing) int {
	rows := make([]passing, len(list))
	for i, p := range list {
		rows[i] = passing{1, moment{p.Moment, 1 << p.Stage}}
	}
	c.s.add(1, rows, func(d period.Day) { c.days[d] = true })
	return int(c.s.n)
}

// Days are those on which the last stage was met.
func (c *Course) Days() map[period.Day]bool { return c.days }
