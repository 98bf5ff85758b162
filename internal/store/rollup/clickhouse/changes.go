package clickhouse

import (
	"sync"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Changes. It knows what this process brings to the cells; since others bring something, too, it takes everything for changed after a moment.
type Changes struct {
	now    func() time.Time
	moment time.Duration

	mu    sync.Mutex
	count uint64
	all   uint64    // the count when everything was taken for changed last
	until time.Time // when that is done again
	apps  map[model.AppID]uint64
}

// maxApps is of how many apps the last change is known.
const maxApps = 100_000

// tick takes everything for changed when a moment is over.
func (c *Changes) tick() {
	if now := c.now(); now.After(c.until) || c.until.Sub(now) > c.moment {
		c.everything()
		c.until = now.Add(c.moment)
	}
}

func (c *Changes) everything() {
	c.count++
	c.all = c.count
	clear(c.apps)
}

// note says that cells of apps have changed.
func (c *Changes) note(apps map[model.AppID]bool) {
	if len(apps) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.apps == nil {
		c.apps = map[model.AppID]uint64{}
	}
	if len(c.apps)+len(apps) > maxApps {
		c.everything()
		return
	}
	c.count++
	for app := range apps {
		c.apps[app] = c.count
	}
}

// Version implements rollup.Changes.
func (c *Changes) Version(app model.AppID) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick()
	return max(c.all, c.apps[app])
}

// Generation implements rollup.Changes.
func (c *Changes) Generation(app model.AppID, _ rollup.Grain, _, _ rollup.Bucket) uint64 {
	return c.Version(app)
}

// Moment implements rollup.Changes.
func (c *Changes) Moment() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick()
	return c.count
}

// MergedSince implements rollup.Changes. Any user may have been merged with a change.
func (c *Changes) MergedSince(app model.AppID, moment uint64) (old uint32, ok bool) {
	return 0, c.Version(app) > moment
}
