package pipeline

import (
	"context"
	"fmt"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline/cells"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	pebblemarks "quipu/internal/store/marks/pebble"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/topic"
)

// gather puts into one batch what write adds, what the lanes left in the
// stores, the outcomes of the edge and the watermark.
func (p *Pipeline) gather(through uint64, write func(*kv.Batch) error) (*kv.Batch, error) {
	b := p.o.KV.NewBatch()
	if err := p.fill(b, through, write); err != nil {
		b.Discard()
		return nil, err
	}
	return b, nil
}

func (p *Pipeline) fill(b *kv.Batch, through uint64, write func(*kv.Batch) error) error {
	if write != nil {
		if err := write(b); err != nil {
			return err
		}
	}
	if err := p.o.Profiles.Flush(b); err != nil {
		return fmt.Errorf("flush profiles: %w", err)
	}
	if err := p.o.Registry.Flush(b); err != nil {
		return fmt.Errorf("flush registry: %w", err)
	}
	if err := p.writeEdge(b, through); err != nil {
		return err
	}
	if p.rowsAt > 0 {
		if err := pebblejournal.PutRowsMark(b, at(p.rowsAt)); err != nil {
			return err
		}
		p.rowsAt = 0
	}
	return pebblejournal.PutWatermark(b, at(through))
}

// store gathers and commits at once, and puts events on the bus before anyone
// learns that it is done. No commit may be under way.
func (p *Pipeline) store(ctx context.Context, through uint64, write func(*kv.Batch) error, events ...topic.UsersDeleted) error {
	b, err := p.gather(through, write)
	if err != nil {
		return err
	}
	defer b.Discard()
	if err := p.o.KV.Commit(b); err != nil { //nolint:contextcheck // a commit cannot be given up half-way
		return fmt.Errorf("commit: %w", err)
	}
	for _, ev := range events {
		tell(ctx, p, ev)
	}
	p.stored(ctx, through)
	return nil
}

// stored does what follows a committed batch.
func (p *Pipeline) stored(ctx context.Context, through uint64) {
	p.observeEdge(p.edge)
	p.edge = nil
	p.advance(through)
	p.setTrouble(nil, 0)
	p.trim(ctx, through)
}

func writeCells(b *kv.Batch, results []*result) error {
	for _, r := range results {
		if err := pebblerollup.Write(b.Pebble(), r.app, r.delta); err != nil {
			return fmt.Errorf("write cells: %w", err)
		}
	}
	return nil
}

func writeSettings(b *kv.Batch, results []*result) error {
	for _, r := range results {
		if r.settings == nil {
			continue
		}
		if err := pebblemarks.PutSettings(b, r.app, r.settings.json()); err != nil {
			return err
		}
	}
	return nil
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

// writeEdge adds the cells of what the edge dropped.
func (p *Pipeline) writeEdge(b *kv.Batch, through uint64) error {
	p.drainEdge()
	for id, counts := range p.edge {
		app := p.o.Apps.ByID(id)
		if app == nil {
			continue
		}
		utc, _ := p.zones.Get("UTC") // outcomes have no zone
		acc := cells.New(utc)
		for k, n := range counts {
			acc.Outcome(max(through, 1), k.Time*1000, k.Item, k.Reason, n)
		}
		if err := pebblerollup.Write(b.Pebble(), id, acc.Delta()); err != nil {
			return fmt.Errorf("write outcomes of the edge: %w", err)
		}
	}
	return nil
}

// commitEdge stores the outcomes of the edge when there are any and no tick
// takes them along.
func (p *Pipeline) commitEdge(ctx context.Context) error {
	p.drainEdge()
	if len(p.edge) == 0 {
		return nil
	}
	return p.store(ctx, p.position(), nil)
}

// trim lets the journal forget what is projected, now and then. That it
// fails costs disk space only.
func (p *Pipeline) trim(ctx context.Context, through uint64) {
	if through-p.trimmed < p.o.TrimEvery {
		return
	}
	if err := p.o.Journal.Trim(ctx, at(through)); err != nil {
		p.o.Log.WarnContext(ctx, "journal cannot be trimmed", "offset", through, "err", err)
		return
	}
	p.trimmed = through
}

// tellMerges tells the bus who was merged in a tick that is committed.
func (p *Pipeline) tellMerges(ctx context.Context, r *result) {
	for _, m := range r.merges {
		tell(ctx, p, topic.UserMerged{App: r.app, From: m.from, To: m.to})
	}
}

// tell puts an event on the bus. Subscribers handle their own errors.
func tell[T any](ctx context.Context, p *Pipeline, ev T) {
	if err := hook.Emit(context.WithoutCancel(ctx), p.o.Bus, ev); err != nil {
		p.o.Log.ErrorContext(ctx, "a subscriber failed", "topic", fmt.Sprintf("%T", ev), "err", err)
	}
}
