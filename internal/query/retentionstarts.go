package query

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/query/retention"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// startsOfRows counts the users of chosen starts, from rows, who come back, from cells. It holds no more than the limit of bytes of users; where that is too little,
// it gives errCells.
func (r *Retentions) startsOfRows(ctx context.Context, app model.AppID, q *RetentionQuery) (*retention.Tally, error) {
	t, err := retention.NewTally(q.Retention, false)
	if err != nil {
		return nil, err
	}
	done, err := r.rows.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	n := &comers{RetentionQuery: q, tally: t, limit: r.rows.limit, units: make([][]uint64, q.known())}
	n.starts = make([][]uint64, min(q.Cohorts, len(n.units)))
	if len(n.starts) == 0 {
		return t, nil
	}
	if err := n.readStarts(ctx, r.rows.tables, app); err != nil {
		return nil, err
	}
	if err := n.readUnits(ctx, r.cells.cells, app); err != nil {
		return nil, err
	}
	n.pad(n.units)
	n.pad(n.starts)
	if err := n.countSets(ctx); err != nil {
		return nil, err
	}
	q.over(t)
	return t, nil
}

// readStarts reads who has a chosen start in which cohort.
func (n *comers) readStarts(ctx context.Context, tables *Tables, app model.AppID) error {
	chosen := &FunnelQuery{Steps: [][]FunnelEvent{n.rows().Steps[1]}}
	chosen, err := tables.resolved(ctx, app, chosen)
	if err != nil {
		return err
	}
	bind := tables.bindFunnel(app)
	var list []plan.Expr
	for _, e := range chosen.Steps[0] {
		list = append(list, e.condition(bind))
	}
	numbers := make([]int64, len(n.starts))
	for i := range numbers {
		numbers[i] = int64(i)
	}
	p := &plan.Query{
		App: app, From: plan.Events, Distinct: true, Select: []plan.Expr{plan.Ev("uid"), stepwise(plan.Ev("ts"), n.Units[:len(n.starts)], numbers)},
		Where: plan.All(plan.Between(plan.Ev("ts"), n.Units[0], min(n.Units[n.Cohorts], n.Known())-1), chosen.rows(), plan.Any(list...)),
	}
	words := 0
	err = tables.rows.RunColumns(ctx, p, func(c *events.Columns) error {
		for i, uid := range c.List[0].Whole[:c.Len] {
			unit, word := c.List[1].Whole[i], int(uid>>6)
			if unit < 0 || unit >= int64(len(n.starts)) {
				return errors.New("query: a start outside of its time")
			}
			if word >= words {
				if words = word + 1; n.tooLarge(words) {
					return errCells
				}
			}
			set := n.starts[unit]
			if word >= len(set) {
				set = append(set, make([]uint64, max(word+1, 2*len(set))-len(set))...)
				n.starts[unit] = set
			}
			set[word] |= 1 << (uid & 63)
		}
		return nil
	})
	n.words = words
	return missing(err)
}

// tooLarge reports whether sets of so many words take more memory than there is.
func (n *comers) tooLarge(words int) bool { return n.bytes(words) > n.limit }

// bytes is what sets of so many words take in memory.
func (n *comers) bytes(words int) int64 {
	return int64(words) * int64(len(n.units)+len(n.starts)+3) * 8
}

// pad makes all sets as long as the longest.
func (n *comers) pad(sets [][]uint64) {
	for i, set := range sets {
		if len(set) > n.words {
			sets[i] = set[:n.words] // what is beyond is empty
			continue
		}
		sets[i] = append(set, make([]uint64, n.words-len(set))...)
	}
}
