package memory

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// ErrBusy says that there was no room for a piece of work in time. It may be
// tried again later.
var ErrBusy = errors.New("memory: no room for more work of this kind")

// Gate admits work of a kind: up to a size at a time, the rest waits in order
// of arrival, but not for ever. It is safe for concurrent use.
type Gate struct {
	size     int64
	small    int64
	patience time.Duration
	gov      *Governor
	room     *semaphore.Weighted

	waiting, refused atomic.Int64
}

// NewGate returns a Gate for work of size in all. Work larger than small also
// waits while the governor is strained. Whoever waited for patience is turned away.
func (g *Governor) NewGate(size, small int64, patience time.Duration) *Gate {
	return &Gate{size: size, small: small, patience: patience, gov: g, room: semaphore.NewWeighted(size)}
}

// Enter waits for room for n and returns how much was taken, which Leave gives
// back: work larger than the gate takes all of it. Errors: ErrBusy, ctx's.
func (g *Gate) Enter(ctx context.Context, n int64) (taken int64, err error) {
	return g.EnterWithin(ctx, n, g.patience)
}

// EnterWithin is Enter with a patience of its own.
func (g *Gate) EnterWithin(ctx context.Context, n int64, patience time.Duration) (taken int64, err error) {
	n = min(max(n, 1), g.size)
	calm := n <= g.small || !g.gov.Strained()
	if calm && g.room.TryAcquire(n) {
		return n, nil
	}
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = g.room.Acquire(patient, n)
	if err == nil && n > g.small {
		if err = g.gov.calm(patient); err != nil {
			g.room.Release(n)
		}
	}
	switch {
	case err == nil:
		return n, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	}
	g.refused.Add(1)
	return 0, ErrBusy
}

// Leave gives back what Enter took.
func (g *Gate) Leave(taken int64) { g.room.Release(taken) }

// Waiting returns how many wait for room.
func (g *Gate) Waiting() int64 { return g.waiting.Load() }

// Refused returns how many were turned away.
func (g *Gate) Refused() int64 { return g.refused.Load() }
