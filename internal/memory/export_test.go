package memory

import (
	"context"
	"time"
)

// Fake replaces what a Governor reads and sets.
func (g *Governor) Fake(limit func(int64), release func() error) {
	g.limit, g.release = limit, release
}

// FakePercent replaces what sets how much Go's heap may grow.
func (g *Governor) FakePercent(set func(int)) { g.percent = set }

// Look gives the governor a reading.
func (g *Governor) Look(ctx context.Context, u Usage) time.Duration { return g.look(ctx, u) }

// DropFilePages is dropFilePages.
func DropFilePages() error { return dropFilePages() }

// Resident is resident.
func Resident() (all, files int64, err error) { return resident() }

// Clients returns how many clients a gate keeps a share of.
func (g *Gate) Clients() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.shares)
}
