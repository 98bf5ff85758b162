package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"quipu/internal/background"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/state"
)

// errPoison says that a record broke a shard outside of its steps. The batch is
// done again without it.
var errPoison = errors.New("pipeline: a record broke its shard")

// next applies a batch, waits for the commit under way and begins the next,
// which it returns; nil when none is under way.
func (p *Pipeline) next(ctx context.Context, t *batch, under *commit) (*commit, error) {
	if len(t.records) == 1 && t.records[0].alone() {
		if err := p.finish(ctx, under); err != nil {
			return nil, err
		}
		if err := p.alone(ctx, t.records[0]); err != nil {
			return nil, fmt.Errorf("apply command %d: %w", t.through.Offset, err)
		}
		return nil, nil
	}
	began := p.o.Now()
	results, err := p.apply(ctx, t)
	applied := p.o.Now().Sub(began)
	if err == nil {
		err = p.outbox.Room(ctx)
	}
	if ferr := p.finish(ctx, under); err != nil || ferr != nil {
		return nil, errors.Join(err, ferr)
	}
	return p.begin(ctx, t, results, began, applied)
}

// apply runs the shards of a batch side by side and returns what they made, by
// app.
func (p *Pipeline) apply(ctx context.Context, t *batch) ([]*result, error) {
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
	err := background.Each(p.o.Workers, len(ids), func(i int) (err error) {
		results[i], err = p.shard(ctx, ids[i], parts[ids[i]])
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(results, func(r *result) bool { return r == nil }), nil
}

// shard applies the records of one app; nil when the app is gone.
func (p *Pipeline) shard(ctx context.Context, id model.AppID, records []*decoded) (_ *result, err error) {
	size := 0
	for _, d := range records {
		if d.req != nil {
			size += len(d.req.Events) + 1
		}
	}
	l, err := p.newShard(ctx, id, size)
	if l == nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			p.markPoison(l.at)
			p.o.Log.ErrorContext(ctx, "a record broke its shard", "app", id.String(), "offset", l.at.Offset, "partition", l.at.Partition,
				"panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = errPoison
		}
	}()
	return l.apply(ctx, records)
}

// commit is a batch on its way into the state. A nil commit is none.
type commit struct {
	through journal.Position
	results []*result
	done    <-chan error // receives once
	records int
	applied time.Duration
	// applying is when the shards began, began when the commit did.
	applying, began time.Time
}

// ended is ready when the commit has ended; never for none.
func (c *commit) ended() <-chan error {
	if c == nil {
		return nil
	}
	return c.done
}

// begin gathers all that a batch changes and has it committed in the background. No
// other commit may be under way. Shards may start on the next batch at once.
func (p *Pipeline) begin(ctx context.Context, t *batch, results []*result, applying time.Time, applied time.Duration) (*commit, error) {
	parts := make(map[model.AppID]*outbox.Part, len(results))
	for _, r := range results {
		parts[r.app] = r.part
	}
	p.forgetFingerprints(t)
	var end func(committed bool)
	var c state.Change
	c.Rows, end = p.outbox.Put(t.through, parts)
	for _, r := range results {
		p.rows.give(&r.part.Rows)
	}
	c.OnEnd(end)
	c.Apps = changes(results)
	if err := p.gather(t.through.Watermark(), &c); err != nil {
		return nil, err
	}
	began := p.o.Now()
	done, err := p.o.State.Begin(ctx, &c)
	if err != nil {
		return nil, err
	}
	return &commit{through: t.through, results: results, done: done, records: len(t.records), applied: applied, applying: applying, began: began}, nil
}

// finish waits for a commit to end and settles it; none is fine.
func (p *Pipeline) finish(ctx context.Context, c *commit) error {
	if c == nil {
		return nil
	}
	return p.settle(ctx, c, <-c.done)
}

// settle does what follows a commit that ended with err.
func (p *Pipeline) settle(ctx context.Context, c *commit, err error) error {
	if err != nil {
		return fmt.Errorf("commit batch: %w", err)
	}
	p.observe(c)
	// Anyone who waits for the batch learns of it when the bus knows.
	for _, r := range c.results {
		p.tellMerges(ctx, r)
		if r.taps != nil {
			p.o.Taps.committed(ctx, r.app, r.taps)
		}
		for _, one := range r.receipts {
			p.o.Receipts.Give(one.tag, one.receipt)
		}
	}
	p.stored(ctx, c.through.Watermark())
	for _, r := range c.results {
		if r.seen != nil && r.seen.Requests > 0 {
			p.o.Watch.saw(*r.seen)
		}
	}
	return nil
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

// forgetFingerprints drops the fingerprints of days that nobody looks through any more. Partitions are read one after the
// other, so what waits in one of them may be days older than what comes from another: its day is the one that counts.
func (p *Pipeline) forgetFingerprints(t *batch) {
	day := uint16(0)
	for _, d := range t.records {
		if !d.broken {
			day = max(day, serverDay(d.received))
		}
	}
	p.days[t.through.Partition] = max(p.days[t.through.Partition], day)
	for _, d := range p.days {
		day = max(day, d)
	}
	if day <= p.day {
		return
	}
	done := p.position()
	for partition, end := range p.o.Journal.End() {
		if !done.Covers(partition, end) {
			day = min(day, p.days[partition])
		}
	}
	if day > p.day {
		p.day = day
		p.o.Profiles.ForgetBefore(day - fingerprintDays)
	}
}
