package app

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"quipu/internal/memory"
	evstore "quipu/internal/store/events"
)

// Queued puts the gate of a governor in front of the reads of an event store.
func Queued(g *memory.Governor, r evstore.Reader) evstore.Reader {
	return queued{Reader: r, gate: newReads(g)}
}

// Ingests reports whether a path is of ingestion.
func Ingests(path string) bool { return ingests()(path) }

// Direct is direct, for tests.
func Direct(r *http.Request, proxies []netip.Prefix) bool { return direct(r, proxies) }

// BackUp is one run of the job that makes backups.
func (a *App) BackUp(ctx context.Context) error { return a.backUp(ctx) }

// Skewed is skewed.
func Skewed(ctx context.Context, of string, clock func(context.Context) (time.Time, error)) error {
	return skewed(ctx, of, clock)
}
