package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"
)

// What the machine itself allows: figures of the server are read beside these.

// fsyncs measures how often the disk makes an append durable.
func fsyncs(o *Options) (perSecond float64, err error) {
	f, err := os.CreateTemp(o.Dir, "quipu-bench-")
	if err != nil {
		return 0, fmt.Errorf("measure disk: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	const n = 200
	payload := make([]byte, 1000)
	began := o.Now()
	for range n {
		if _, err := f.Write(payload); err != nil {
			return 0, fmt.Errorf("measure disk: %w", err)
		}
		if err := f.Sync(); err != nil {
			return 0, fmt.Errorf("measure disk: %w", err)
		}
	}
	return n / o.Now().Sub(began).Seconds(), nil
}

// interruptions does the same computation, of about a millisecond, again and again with nothing beside it: what the
// slow ones take longer, others took of the processor. No server answers more evenly than that. Where other modes send few events, it is done less often.
func interruptions(ctx context.Context, o *Options) ([]time.Duration, error) {
	rounds := max(100, min(1000, o.Events))
	work := make([]byte, 1<<20)
	took := make([]time.Duration, 0, rounds)
	pause := time.NewTicker(2 * time.Millisecond)
	defer pause.Stop()
	for range rounds {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("measure processor: %w", ctx.Err())
		}
		began := o.Now()
		sum := sha256.Sum256(work)
		took = append(took, o.Now().Sub(began))
		copy(work, sum[:])
	}
	return took, nil
}
