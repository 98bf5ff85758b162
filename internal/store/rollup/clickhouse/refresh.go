package clickhouse

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/model"
)

const (
	// refreshEvery is how often the apps that are read are refreshed. Where a round takes longer than that, the pause behind it is as long as the round.
	refreshEvery = 500 * time.Millisecond
	// refreshFor is how long an app is refreshed after it was read last.
	refreshFor = time.Minute
	// refreshAtOnce is how many apps are refreshed at most; others are when they are read.
	refreshAtOnce = 256
	// refreshOnce is how many of them may have been read once only: what reads all apps, one after the other, does not read them again soon.
	refreshOnce = 16
	// refreshReads is of how many apps the hot buckets are read at a time.
	refreshReads = 4
)

// Refresh asks ClickHouse again and again what has changed of the apps that are read, and reads what is hot of that, until ctx is done: readers do not wait for it. It does
// nothing without Options.Lag. Where ClickHouse does not answer readers notice, as soon as their view is too old.
func (s *Store) Refresh(ctx context.Context) {
	if s.o.Lag == 0 {
		return
	}
	t := time.NewTimer(refreshEvery)
	defer t.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		began := s.o.Now()
		err := s.changes.refreshRead(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			s.log.WarnContext(ctx, "changes of figures cannot be read from ClickHouse in the background, readers ask for them", slog.Any("error", err))
		}
		failing = err != nil
		s.hot.sweep(s.o.Now())
		t.Reset(max(refreshEvery, s.o.Now().Sub(began)))
	}
}

// CatchUp has readers see all that had come to ClickHouse when it was called, of some apps or, where none is named, of all. What is being read is refreshed at once, without
// having other readers wait; the rest, and what that fails for, is asked for when it is read.
func (s *Store) CatchUp(ctx context.Context, apps ...model.AppID) {
	s.changes.catchUp(ctx, apps)
}

// refreshRead refreshes the apps that were read lately, but those that somebody else asks about.
func (c *Changes) refreshRead(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.lag)
	defer cancel()
	apps := c.lately()
	for app, k := range apps {
		if !k.turn.TryLock() {
			delete(apps, app)
		}
	}
	return c.refresh(ctx, apps)
}

// catchUp is Store.CatchUp.
func (c *Changes) catchUp(ctx context.Context, of []model.AppID) {
	began := c.now()
	var lately map[model.AppID]*known
	if len(of) == 0 {
		lately = c.lately()
	}
	apps := map[model.AppID]*known{}
	c.mu.Lock()
	if len(of) == 0 {
		of = slices.Collect(maps.Keys(c.apps))
	}
	for _, app := range of {
		switch k := c.apps[app]; {
		case k == nil:
		case c.lag > 0 && (lately == nil && began.Sub(k.used) < refreshFor || lately[app] == k):
			apps[app] = k
		default:
			k.invalidate()
		}
	}
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lookPatience)
	defer cancel()
	// In one order: two of these would wait for each other.
	for _, app := range slices.SortedFunc(maps.Keys(apps), func(a, b model.AppID) int { return bytes.Compare(a[:], b[:]) }) {
		k := apps[app]
		k.turn.Lock()
		if c.begin(app, k).asked.After(began) { // somebody else did it meanwhile
			k.turn.Unlock()
			delete(apps, app)
		}
	}
	if err := c.refresh(ctx, apps); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, k := range apps {
			k.invalidate()
		}
	}
}

// lately returns the apps that were read lately.
func (c *Changes) lately() map[model.AppID]*known {
	type app struct {
		id model.AppID
		*known
		often bool
		used  time.Time
	}
	var list []app
	c.mu.Lock()
	now := c.now()
	for id, k := range c.apps {
		if now.Sub(k.used) < refreshFor {
			list = append(list, app{id, k, k.often, k.used})
		}
	}
	c.mu.Unlock()
	slices.SortFunc(list, func(a, b app) int {
		switch {
		case a.often && !b.often:
			return -1
		case b.often && !a.often:
			return 1
		}
		return b.used.Compare(a.used)
	})
	out, once := map[model.AppID]*known{}, 0
	for _, a := range list {
		if !a.often {
			once++
		}
		if len(out) == refreshAtOnce || once > refreshOnce {
			break
		}
		out[a.id] = a.known
	}
	return out
}

// refresh refreshes apps whose turns the caller has, which it ends.
func (c *Changes) refresh(ctx context.Context, apps map[model.AppID]*known) error {
	if len(apps) == 0 {
		return nil
	}
	all := make([]looking, 0, len(apps))
	for app, k := range apps {
		all = append(all, c.begin(app, k))
	}
	found, err := c.look(ctx, slices.Collect(maps.Keys(apps)))
	if err != nil {
		for _, k := range apps {
			k.turn.Unlock()
		}
		return err
	}
	var g errgroup.Group
	g.SetLimit(refreshReads)
	for _, l := range all {
		g.Go(func() error {
			defer l.k.turn.Unlock()
			c.renew(ctx, l, found[l.app])
			return nil
		})
	}
	return g.Wait()
}
