package query

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/store/events/plan"
)

// Ranks guards percentiles: an event store holds all values for them, so one question at a time has them computed, and of no more values than there is room
// for. It is safe for concurrent use.
type Ranks struct {
	most int64
	turn chan struct{}
}

// ErrRanks says that percentiles of too many values are asked for.
var ErrRanks = errors.New("query: percentiles of too many values")

// NewRanks returns a guard of questions about at most so many values each.
func NewRanks(most int64) *Ranks { return &Ranks{most, make(chan struct{}, 1)} }

// Most is of how many values a question may be.
func (r *Ranks) Most() int64 { return r.most }

// Begin waits until the percentiles among the measures of trends may be computed. done, which is never nil, ends it. Errors: ErrRanks.
func (r *Ranks) Begin(ctx context.Context, t *Tables, app model.AppID, trends []Trend) (done func(), err error) {
	var values int64
	for _, q := range trends {
		n := int64(0)
		for _, m := range q.Measures {
			if m.Fn == MeasurePercentile {
				n++
			}
		}
		if n == 0 {
			continue
		}
		// An event store knows how many rows an app has without reading any; only if these are too many are those of the trend counted.
		rows, err := t.countRows(plan.For(ctx, plan.DrillOperator), app, nil)
		if err == nil && values+n*rows > r.most {
			rows, err = t.TrendRows(ctx, app, q)
		}
		if err != nil {
			return func() {}, err
		}
		values += n * rows
	}
	switch {
	case values == 0:
		return func() {}, nil
	case values > r.most:
		return func() {}, ErrRanks
	}
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn }, nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}
