package pipeline

import (
	"context"
	"fmt"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/store/journal"
	"quipu/internal/store/state"
	"quipu/internal/topic"
)

// gather adds to a change what the shards left in the stores, the outcomes of the edge and the watermark. On an error the
// change has ended.
func (p *Pipeline) gather(through journal.Watermark, c *state.Change) error {
	if err := p.fill(through, c); err != nil {
		c.End(false)
		return err
	}
	return nil
}

func (p *Pipeline) fill(through journal.Watermark, c *state.Change) error {
	var end func(committed bool)
	var err error
	if c.Profiles, end, err = p.o.Profiles.Flush(); err != nil {
		return fmt.Errorf("flush profiles: %w", err)
	}
	c.OnEnd(end)
	if c.Schema, end, err = p.o.Schema.Flush(); err != nil {
		return fmt.Errorf("flush schema: %w", err)
	}
	c.OnEnd(end)
	p.addEdge(c, through)
	c.RowsMark, p.rowsAt = p.rowsAt, nil
	c.Watermark = through
	return nil
}

// store commits what a command changes of its app, and puts events on the bus before anyone
// learns that it is done. No commit may be under way.
func (p *Pipeline) store(ctx context.Context, through journal.Position, app state.App, events ...topic.UsersDeleted) error {
	return p.storeAll(ctx, through.Watermark(), []state.App{app}, events...)
}

// storeNothing commits that records up to a position are done with.
func (p *Pipeline) storeNothing(ctx context.Context, through journal.Position) error {
	return p.storeAll(ctx, through.Watermark(), nil)
}

func (p *Pipeline) storeAll(ctx context.Context, through journal.Watermark, apps []state.App, events ...topic.UsersDeleted) error {
	c := state.Change{Apps: apps}
	if err := p.gather(through, &c); err != nil {
		return err
	}
	if err := p.o.State.Commit(ctx, &c); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, ev := range events {
		tell(ctx, p, ev)
	}
	p.o.Taps.removed(ctx, p.alones)
	p.stored(ctx, through)
	return nil
}

// stored does what follows a committed batch.
func (p *Pipeline) stored(ctx context.Context, through journal.Watermark) {
	p.observeEdge(p.edge)
	p.edge = nil
	p.advance(through)
	p.setTrouble(nil, 0)
	p.trim(ctx, through)
}

// changes returns what a batch changes of its apps.
func changes(results []*result) []state.App {
	apps := make([]state.App, len(results))
	for i, r := range results {
		apps[i] = state.App{ID: r.app, Cells: r.delta}
		if r.settings != nil {
			apps[i].Settings = r.settings.json()
		}
	}
	return apps
}

// drainEdge takes over what the edge dropped since the last time.
func (p *Pipeline) drainEdge() {
	if p.o.Dropped == nil {
		return
	}
	drained := p.o.Dropped.Drain()
	if p.edge == nil {
		p.edge = drained
		return
	}
	for app, counts := range drained {
		into := p.edge[app]
		if into == nil {
			p.edge[app] = counts
			continue
		}
		for k, n := range counts {
			into[k] += n
		}
	}
}

// addEdge adds the cells of what the edge dropped to a change.
func (p *Pipeline) addEdge(c *state.Change, through journal.Watermark) {
	p.drainEdge()
	first := uint64(1)
	for partition, offset := range through {
		first = max(first, journal.Position{Partition: partition, Offset: offset}.Place())
	}
	for id, counts := range p.edge {
		if !id.IsZero() && p.o.Apps.ByID(id) == nil { // the zero id is the server's own
			continue
		}
		utc, _ := p.zones.Get("UTC") // outcomes have no zone
		acc := cells.New(utc)
		for k, n := range counts {
			acc.Outcome(first, k.Time*1000, k.Item, k.Reason, n)
		}
		c.Apps = append(c.Apps, state.App{ID: id, Cells: acc.Delta()})
	}
}

// commitEdge stores the outcomes of the edge when there are any and no batch
// takes them along.
func (p *Pipeline) commitEdge(ctx context.Context) error {
	p.drainEdge()
	if len(p.edge) == 0 {
		return nil
	}
	return p.storeAll(ctx, p.position(), nil)
}

// trim lets the journal forget what is projected, now and then. That it
// fails costs disk space only.
func (p *Pipeline) trim(ctx context.Context, through journal.Watermark) {
	for partition, offset := range through {
		if offset-p.trimmed[partition] < p.o.TrimEvery {
			continue
		}
		if err := p.o.Journal.Trim(ctx, journal.Watermark{partition: offset}); err != nil {
			p.o.Log.WarnContext(ctx, "journal cannot be trimmed", "partition", partition, "offset", offset, "err", err)
			return
		}
		p.trimmed[partition] = offset
	}
}

// tellMerges tells the bus who was merged in a batch that is committed.
func (p *Pipeline) tellMerges(ctx context.Context, r *result) {
	for _, m := range r.merges {
		tell(ctx, p, topic.UserMerged{App: r.app, From: m.From, To: m.To})
	}
}

// tell puts an event on the bus. Subscribers handle their own errors.
func tell[T any](ctx context.Context, p *Pipeline, ev T) {
	if err := hook.Emit(context.WithoutCancel(ctx), p.o.Bus, ev); err != nil {
		p.o.Log.ErrorContext(ctx, "a subscriber failed", "topic", fmt.Sprintf("%T", ev), "err", err)
	}
}
