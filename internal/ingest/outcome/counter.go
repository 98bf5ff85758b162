package outcome

import (
	"sync"
	"time"

	"quipu/internal/model"
)

// quarterSeconds is the resolution of Key.Time. Every time zone is whole
// quarters off UTC, so a quarter lies in one local day.
const quarterSeconds = 15 * 60

// Key names one count of an app.
type Key struct {
	Item   Item
	Reason Reason
	// Time is when the quarter of an hour of the outcome began, seconds since 1970.
	Time int64
}

// Counter counts what is dropped before it reaches the journal. It is in
// memory only: what was not drained is lost with the process. It is safe for
// concurrent use.
type Counter struct {
	now func() time.Time

	mu     sync.Mutex
	counts map[model.AppID]map[Key]int64 // nil when empty
}

// NewCounter returns an empty Counter that takes the time from now.
func NewCounter(now func() time.Time) *Counter { return &Counter{now: now} }

// Count adds n outcomes of an app. Nothing is counted when n is not positive.
func (c *Counter) Count(app model.AppID, item Item, reason Reason, n int64) {
	if n <= 0 {
		return
	}
	s := c.now().Unix()
	k := Key{Item: item, Reason: reason, Time: s - mod(s, quarterSeconds)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(app, k, n)
}

func (c *Counter) add(app model.AppID, k Key, n int64) {
	if c.counts == nil {
		c.counts = map[model.AppID]map[Key]int64{}
	}
	m := c.counts[app]
	if m == nil {
		m = map[Key]int64{}
		c.counts[app] = m
	}
	m[k] += n
}

// Add adds outcomes of a former time.
func (c *Counter) Add(app model.AppID, k Key, n int64) {
	if n <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(app, k, n)
}

// Drain returns the counts since the last Drain and forgets them; nil when
// there are none. The caller owns the result.
func (c *Counter) Drain() map[model.AppID]map[Key]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.counts
	c.counts = nil
	return out
}

// mod is the remainder that is never negative.
func mod(a, b int64) int64 { return ((a % b) + b) % b }
