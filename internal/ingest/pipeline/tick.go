package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/kv"
)

// errPoison says that a record broke a lane outside of its steps. The tick is
// done again without it.
var errPoison = errors.New("pipeline: a record broke its lane")

// tick applies and commits one tick.
func (p *Pipeline) tick(ctx context.Context, t *tick) error {
	if len(t.records) == 1 && t.records[0].alone() {
		if err := p.alone(ctx, t.records[0]); err != nil {
			return fmt.Errorf("apply command %d: %w", t.through, err)
		}
		return nil
	}
	results, err := p.apply(ctx, t)
	if err != nil {
		return err
	}
	return p.commit(ctx, t, results)
}

// apply runs the lanes of a tick side by side and returns what they made, by
// app.
func (p *Pipeline) apply(ctx context.Context, t *tick) ([]*result, error) {
	parts := map[model.AppID][]*decoded{}
	for _, d := range t.records {
		if !d.app.IsZero() {
			parts[d.app] = append(parts[d.app], d)
		}
	}
	results := make([]*result, len(parts))
	ids := make([]model.AppID, 0, len(parts))
	for id := range parts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b model.AppID) int { return bytes.Compare(a[:], b[:]) })
	var g errgroup.Group
	g.SetLimit(p.o.Workers)
	for i, id := range ids {
		g.Go(func() (err error) {
			results[i], err = p.lane(ctx, id, parts[id])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(results, func(r *result) bool { return r == nil }), nil
}

// lane applies the records of one app; nil when the app is gone.
func (p *Pipeline) lane(ctx context.Context, id model.AppID, records []*decoded) (_ *result, err error) {
	size := 0
	for _, d := range records {
		if d.req != nil {
			size += len(d.req.Events) + 1
		}
	}
	l, err := p.newLane(id, size)
	if l == nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			p.markPoison(l.at)
			p.o.Log.ErrorContext(ctx, "a record broke its lane", "app", id.String(), "offset", l.at,
				"panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = errPoison
		}
	}()
	return l.apply(ctx, records)
}

// commit stores a tick: rows first, then all of the rest.
func (p *Pipeline) commit(ctx context.Context, t *tick, results []*result) error {
	batch := &events.Batch{Partition: partition, Watermark: at(t.through), Apps: map[model.AppID]*events.AppBatch{}}
	for _, r := range results {
		if !emptyBatch(r.batch) {
			batch.Apps[r.app] = r.batch
		}
	}
	if len(batch.Apps) > 0 {
		if err := p.untilDone(ctx, "commit rows", func(ctx context.Context) error { return p.o.Events.Commit(ctx, batch) }); err != nil {
			return err
		}
	}
	p.forgetFingerprints(t)
	err := p.store(ctx, t.through, func(b *kv.Batch) error { return writeCells(b, results) })
	if err != nil {
		return err
	}
	for _, r := range results {
		p.tellMerges(ctx, r)
		p.rows.give(r.batch.Rows)
	}
	return nil
}

func emptyBatch(b *events.AppBatch) bool {
	return len(b.Rows)+len(b.Requests)+len(b.States)+len(b.Users)+len(b.Gone)+len(b.Moves) == 0
}

// untilDone repeats do until it succeeds or ctx is done. What was computed
// for it is kept meanwhile, and Healthy tells that nothing moves.
func (p *Pipeline) untilDone(ctx context.Context, what string, do func(context.Context) error) error {
	wait := minBackoff
	for {
		// A commit that has begun is finished even when the server stops.
		err := do(context.WithoutCancel(ctx))
		if err == nil {
			return nil
		}
		err = fmt.Errorf("%s: %w", what, err)
		p.setTrouble(err, wait)
		p.o.Log.ErrorContext(ctx, "event store refused a commit", "err", err, "retry_in", wait)
		if !pause(ctx, wait) {
			return err
		}
		wait = min(2*wait, maxBackoff)
	}
}

// forgetFingerprints drops the fingerprints of days that nobody looks through
// any more once the server's clock reaches a new day.
func (p *Pipeline) forgetFingerprints(t *tick) {
	for _, d := range t.records {
		if day := serverDay(d.received); !d.broken && day > p.day {
			p.day = day
			p.o.Profiles.ForgetBefore(day - fingerprintDays)
		}
	}
}
