package clickhouse

import (
	"context"
	"sync"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Changes for cells that other processes change, too. ClickHouse says how far each bucket of an app has come (see notes). Changes has a view of each
// app, which a reader replaces when it has become too old, or Store.Refresh before that. Where ClickHouse does not answer, everything is taken for changed.
type Changes struct {
	now    func() time.Time
	moment time.Duration
	// lag is Options.Lag.
	lag time.Duration
	// settle is for how long a bucket that has changed is taken for changed again: replicas may have the change later than the one that said so.
	settle time.Duration
	look   func(ctx context.Context, apps []model.AppID) (map[model.AppID]found, error)
	// readHot reads the hot buckets of an app that have changed in a view that is not published yet. The function that it returns is called in any case: with the view
	// once it is published, to keep them, or with nil.
	readHot func(ctx context.Context, app model.AppID, next *view) (keep func(published *view))

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
	turn sync.Mutex // held while ClickHouse is asked
	// The rest is guarded by Changes.mu.
	asked       time.Time // when ClickHouse was asked for the view; zero = it does not hold
	err         error     // why it did not answer then
	invalidated uint64    // how often
	used        time.Time // when somebody read the app last
	often       bool      // the app is read again and again
	view        *view
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
			k.invalidate()
		}
	}
}

// invalidate has the next reader ask ClickHouse, with Changes.mu held.
func (k *known) invalidate() {
	k.asked = time.Time{}
	k.invalidated++
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
	defer k.turn.Unlock()
	if v, err, ok = c.holds(k); ok { // somebody else has asked meanwhile
		return v, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookPatience)
	defer cancel()
	l := c.begin(app, k)
	all, err := c.look(ctx, []model.AppID{app})
	if err != nil {
		return c.failed(k, err), err
	}
	return c.renew(ctx, l, all[app]), nil
}

// known returns what is known of an app, which somebody reads, and whether that holds.
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
	} else if since := now.Sub(k.used); since > refreshEvery { // a page reads many things at a time
		k.often = since < refreshFor
	}
	k.used = now
	ok = c.valid(k, now)
	return k, k.view, k.err, ok
}

// holds returns the view of an app, and whether it holds.
func (c *Changes) holds(k *known) (v *view, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.view, k.err, c.valid(k, c.now())
}

// valid reports whether the view of an app holds, with c.mu held.
func (c *Changes) valid(k *known, now time.Time) bool {
	holds := c.moment
	if c.lag > 0 && k.err == nil {
		holds = c.lag
	}
	age := now.Sub(k.asked)
	return !k.asked.IsZero() && age >= 0 && age < holds
}

// latest returns the view of an app, which may be too old for readers; nil = there is none.
func (c *Changes) latest(app model.AppID) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.apps[app]; k != nil {
		return k.view
	}
	return nil
}

// failed has everything of an app taken for changed, and returns the view that says so.
func (c *Changes) failed(k *known, err error) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	k.view = k.view.changed(c.count, c.now())
	k.asked, k.err = c.now(), err // those who wait do not ask one after the other
	return k.view
}

// looking is an app whose turn the caller has and about which ClickHouse is asked.
type looking struct {
	app         model.AppID
	k           *known
	began       time.Time
	asked       time.Time // last, as of began
	invalidated uint64
	view        *view // that is replaced
}

// begin is called before ClickHouse is asked.
func (c *Changes) begin(app model.AppID, k *known) looking {
	c.mu.Lock()
	defer c.mu.Unlock()
	return looking{app, k, c.now(), k.asked, k.invalidated, k.view}
}

// renew replaces the view of an app after what ClickHouse said, and returns it. What is hot is read before and kept in the same step, so that nobody finds one without the other.
func (c *Changes) renew(ctx context.Context, l looking, f found) *view {
	next := l.view.next(f, l.began, c.settle)
	keep := c.readHot(ctx, l.app, next)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	next.number(c.count)
	l.k.view, l.k.err = next, nil
	if l.k.invalidated == l.invalidated { // otherwise the next reader asks again: what was put meanwhile may be missing
		l.k.asked = l.began
	}
	if c.apps[l.app] != l.k { // all was forgotten, and others may know more by now
		keep(nil)
		return next
	}
	c.buckets += len(next.buckets) - len(l.view.buckets)
	keep(next)
	return next
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
