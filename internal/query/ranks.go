package query

import (
	"context"

	"quipu/internal/store/events"
)

// Ranks guards percentiles: an event store holds all values for them, so one question at a time has them computed, and of no more values than there is room
// for. It is safe for concurrent use.
type Ranks struct {
	most int64
	turn chan struct{}
}

// ErrRanks says that percentiles of too many values are asked for. It is an error of the reads of trends that Begin bounded.
var ErrRanks = events.ErrTooMany

// NewRanks returns a guard of questions about at most so many values each.
func NewRanks(most int64) *Ranks { return &Ranks{most, make(chan struct{}, 1)} }

// Most is of how many values a question may be.
func (r *Ranks) Most() int64 { return r.most }

// Begin waits until the percentiles among the measures of trends may be computed, and sets how many rows they may have. done, which is never nil, ends it.
// Errors: ctx's.
func (r *Ranks) Begin(ctx context.Context, trends []Trend) (done func(), err error) {
	var columns int64 // of values that are held for a row, whichever ranks of them are wanted
	for i := range trends {
		columns += rankedColumns(&trends[i])
	}
	if columns == 0 {
		return func() {}, nil
	}
	for i := range trends {
		trends[i].Ranked = max(1, r.most/columns)
	}
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn }, nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}

// rankedColumns is of how many different values a trend has percentiles.
func rankedColumns(q *Trend) int64 {
	of := map[string]bool{}
	for _, m := range q.Measures {
		if m.Fn == MeasurePercentile {
			of[m.Of] = true
		}
	}
	return int64(len(of))
}
