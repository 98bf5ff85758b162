package pipeline

import (
	"context"
	"fmt"

	"quipu/internal/store/events"
)

// Between runs fn between two batches: all that was projected is committed and
// moved to the event store, and nothing is applied, committed or moved until fn returns. Ingestion goes on meanwhile. fn gets ctx, and must not wait for the
// pipeline. The error is fn's, or ctx's when it is done before the turn comes, or ErrEnded when Run returns before.
func (p *Pipeline) Between(ctx context.Context, fn func(context.Context) error) error {
	done := make(chan error, 1)
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for a pause between two batches: %w", ctx.Err())
	case <-p.over():
		return ended(ctx)
	case p.between <- func() {
		done <- p.outbox.Exclusive(ctx, func(ctx context.Context, _ events.Writer) error {
			defer p.outbox.Changed() // fn may have changed anything
			return fn(ctx)
		})
	}:
		return <-done
	}
}
