package clickhouse

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"quipu/internal/model"
)

const (
	// refreshEvery is how often what is read is refreshed, and longer where that takes long: a fifth of the time goes into it at most.
	refreshEvery  = 500 * time.Millisecond
	refreshPauses = 4
	// refreshFor is how long an app is refreshed after it was read last.
	refreshFor = time.Minute
	// refreshAtOnce is of how many apps ClickHouse is asked in one statement; others are refreshed when they are read.
	refreshAtOnce = 256
)

// Refresh asks ClickHouse again and again what has changed of the apps that are read, and reads what is hot of that, until ctx is done: readers do not wait for it. It does
// nothing without Options.Lag. Where ClickHouse does not answer readers notice, as soon as what is known is too old for them.
func (s *Store) Refresh(ctx context.Context) {
	if s.o.Lag == 0 {
		return
	}
	t := time.NewTimer(refreshEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		began := s.o.Now()
		if err := s.changes.refreshRead(ctx); err != nil && ctx.Err() == nil {
			s.log.DebugContext(ctx, "changes of cells are not known", slog.Any("error", err))
		}
		t.Reset(max(refreshEvery, refreshPauses*s.o.Now().Sub(began)))
	}
}

// refreshRead refreshes the apps that were read lately.
func (c *Changes) refreshRead(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.lag)
	defer cancel()
	apps := c.read()
	if len(apps) == 0 {
		return nil
	}
	return c.refresh(ctx, apps)
}

// read returns the apps that were read lately, and takes their turns. Those whose turn somebody has are refreshed already.
func (c *Changes) read() map[model.AppID]*known {
	type app struct {
		id model.AppID
		*known
		used time.Time
	}
	var list []app
	c.mu.Lock()
	now := c.now()
	for id, k := range c.apps {
		if now.Sub(k.used) < refreshFor {
			list = append(list, app{id, k, k.used})
		}
	}
	c.mu.Unlock()
	slices.SortFunc(list, func(a, b app) int { return cmp.Compare(b.used.UnixNano(), a.used.UnixNano()) })
	out := map[model.AppID]*known{}
	for _, a := range list[:min(len(list), refreshAtOnce)] {
		if a.turn.TryLock() {
			out[a.id] = a.known
		}
	}
	return out
}
