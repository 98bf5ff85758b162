package clickhouse

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Changes for cells that other processes change, too. ClickHouse says how far each bucket of an app has come (see notes), and Changes asks it
// when what it knows does not hold any more. Where ClickHouse does not answer, everything is taken for changed.
type Changes struct {
	now    func() time.Time
	moment time.Duration
	// lag is Options.Lag.
	lag time.Duration
	// settle is for how long a bucket that has changed is taken for changed again: replicas may have the change later than the one that said so.
	settle time.Duration
	look   func(ctx context.Context, apps []model.AppID) (map[model.AppID]found, error)
	// again reads the hot buckets of an app that have changed by a view of which readers know nothing yet, and returns what keeps them once they do; nil = there are none.
	again func(ctx context.Context, app model.AppID, next *view) (keep func(published *view))

	mu    sync.Mutex
	count uint64
	all   uint64    // the count when everything was taken for changed last, as Version has it
	until time.Time // when that is done again
	own   map[model.AppID]uint64
	apps  map[model.AppID]*known
	// buckets are those of all apps' views.
	buckets int
}

// known is what is known of an app.
type known struct {
	turn sync.Mutex // held by who asks ClickHouse
	// The rest is guarded by Changes.mu.
	asked   time.Time // when ClickHouse was asked last; zero = what is known does not hold
	err     error     // why it did not answer then
	expired uint64    // how often what is known has ceased to hold
	used    time.Time // when somebody asked last
	view    *view
}

// Bounds of what is known.
const (
	maxApps    = 100_000
	maxBuckets = 2_000_000 // of all apps, some 80 B each
	maxMerged  = 8192      // of an app
)

// lookPatience is how long an answer of ClickHouse is waited for.
const lookPatience = 5 * time.Second

// note says that this process has changed cells of apps.
func (c *Changes) note(apps map[model.AppID]bool) {
	if len(apps) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if c.own == nil || len(c.own)+len(apps) > maxApps {
		c.own = map[model.AppID]uint64{}
		c.all = c.count
	}
	for app := range apps {
		c.own[app] = c.count
		if k := c.apps[app]; k != nil && c.lag == 0 {
			k.expire()
		}
	}
}

// expire has what is known asked for again, with Changes.mu held.
func (k *known) expire() {
	k.asked = time.Time{}
	k.expired++
}

// expire has what is known of all apps asked for again, however lately that was done.
func (c *Changes) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.apps {
		k.expire()
	}
}

// Version implements rollup.Changes.
func (c *Changes) Version(app model.AppID) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.After(c.until) || c.until.Sub(now) > c.moment {
		c.count++
		c.all, c.until = c.count, now.Add(c.moment)
		clear(c.own)
	}
	return max(c.all, c.own[app])
}

// Moment implements rollup.Changes.
func (c *Changes) Moment() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// current returns a view of an app that holds, and why there is no newer one; then everything is taken for changed.
func (c *Changes) current(app model.AppID) (*view, error) {
	k, v, err, ok := c.known(app)
	if ok {
		return v, err
	}
	k.turn.Lock()
	if _, v, err, ok = c.known(app); ok { // somebody else has asked meanwhile
		k.turn.Unlock()
		return v, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookPatience)
	defer cancel()
	if err = c.refresh(ctx, map[model.AppID]*known{app: k}); err != nil {
		return c.failed(k, err), err
	}
	return c.latest(app), nil
}

// known returns what is known of an app, and whether that holds.
func (c *Changes) known(app model.AppID) (k *known, v *view, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if k = c.apps[app]; k == nil {
		if c.apps == nil || len(c.apps) >= maxApps || c.buckets >= maxBuckets {
			c.apps, c.buckets = map[model.AppID]*known{}, 0
		}
		c.count++
		k = &known{view: &view{whole: now, all: c.count}}
		c.apps[app] = k
	}
	k.used = now
	holds := c.moment
	if c.lag > 0 && k.err == nil {
		holds = c.lag
	}
	age := now.Sub(k.asked)
	return k, k.view, k.err, !k.asked.IsZero() && age >= 0 && age < holds
}

// latest returns the view of an app, which may be older than readers want it; nil = there is none.
func (c *Changes) latest(app model.AppID) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.apps[app]; k != nil {
		return k.view
	}
	return nil
}

// failed has everything of an app taken for changed.
func (c *Changes) failed(k *known, err error) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	k.view = k.view.changed(c.count, c.now())
	k.asked, k.err = c.now(), err // those who wait do not ask one after the other
	return k.view
}

// refreshing is of how many apps the hot buckets are read at once.
const refreshing = 4

// refresh asks ClickHouse what has changed of apps whose turns the caller has, reads what is hot of that, and has readers know; it ends the turns.
func (c *Changes) refresh(ctx context.Context, apps map[model.AppID]*known) error {
	began, expired := c.now(), make(map[model.AppID]uint64, len(apps))
	c.mu.Lock()
	for app, k := range apps {
		expired[app] = k.expired
	}
	c.mu.Unlock()
	all, err := c.look(ctx, slices.Collect(maps.Keys(apps)))
	if err != nil {
		for _, k := range apps {
			k.turn.Unlock()
		}
		return err
	}
	var g errgroup.Group
	g.SetLimit(refreshing)
	for app, k := range apps {
		g.Go(func() error {
			defer k.turn.Unlock()
			f := all[app]
			keep := c.again(ctx, app, c.latestOf(k).next(f, math.MaxUint64, began, c.settle))
			c.publish(k, f, began, expired[app], keep)
			return nil
		})
	}
	return g.Wait()
}

func (c *Changes) latestOf(k *known) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.view
}

// publish has readers know what ClickHouse said about an app. What is hot of it is kept in the same step, so that nobody finds one without the other.
func (c *Changes) publish(k *known, f found, began time.Time, expired uint64, keep func(*view)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	v := k.view.next(f, c.count, began, c.settle)
	c.buckets += len(v.buckets) - len(k.view.buckets)
	k.view, k.err = v, nil
	if k.expired == expired { // otherwise the next reader asks again: what this process has put meanwhile may be missing
		k.asked = began
	}
	if keep != nil {
		keep(v)
	}
}

// Generation implements rollup.Changes.
func (c *Changes) Generation(app model.AppID, g rollup.Grain, from, to rollup.Bucket) uint64 {
	v, _ := c.current(app)
	return v.generation(g, from, to)
}

// MergedSince implements rollup.Changes.
func (c *Changes) MergedSince(app model.AppID, moment uint64) (old uint32, ok bool) {
	v, _ := c.current(app)
	return v.mergedSince(moment)
}
