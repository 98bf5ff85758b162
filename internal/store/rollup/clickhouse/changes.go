package clickhouse

import (
	"context"
	"math"
	"sort"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Changes for cells that other processes change, too. ClickHouse says how far each bucket of an app has come (see notes), and Changes asks it
// when it is asked itself and what it knows is older than a moment. Where ClickHouse does not answer, everything is taken for changed.
type Changes struct {
	now    func() time.Time
	moment time.Duration
	// settle is for how long a bucket that has changed is taken for changed again: replicas may have the change later than the one that said so.
	settle time.Duration
	look   func(ctx context.Context, app model.AppID) (found, error)

	mu      sync.Mutex
	count   uint64
	all     uint64    // the count when everything was taken for changed last, as Version has it
	until   time.Time // when that is done again
	own     map[model.AppID]uint64
	apps    map[model.AppID]*known
	buckets int // of all apps
}

// found is what ClickHouse says about an app: a number for each bucket that differs from all it was before when the bucket has changed, and who is merged and not
// replaced yet; nil = nobody.
type found struct {
	buckets map[grainBucket]uint64
	olds    *roaring.Bitmap
}

// grainBucket is a bucket; of hours, the day. The zero value is all of an app's.
type grainBucket struct {
	grain  rollup.Grain
	bucket rollup.Bucket
}

// noted returns what is noted of a bucket.
func noted(g rollup.Grain, b rollup.Bucket) grainBucket {
	if g == rollup.Hour {
		b /= 24
	}
	return grainBucket{g, b}
}

// known is what is known of an app.
type known struct {
	turn sync.Mutex // held by who asks ClickHouse
	// The rest is guarded by Changes.mu.
	asked   time.Time // when ClickHouse was asked last; zero = what is known does not hold
	own     uint64    // how often this process has changed cells of the app
	whole   time.Time // when everything was taken for changed last
	all     uint64    // the count then
	buckets map[grainBucket]changed
	olds    *roaring.Bitmap
	merged  []mergedAt // those that can be the smallest since some moment: later ones have larger numbers
}

// changed says at which number a bucket stands, and at which count and when that was noticed.
type changed struct {
	at    uint64
	count uint64
	when  time.Time
}

// mergedAt says at which count a merged user was noticed.
type mergedAt struct {
	count uint64
	old   uint32
}

// Bounds of what is known.
const (
	maxApps    = 100_000
	maxBuckets = 2_000_000 // of all apps, some 80 B each
	maxMerged  = 8192      // of an app
)

// afresh is after how long everything of an app is taken for changed once more: a process that ended after a removal and before its note may be long in coming back, and nodes
// of an earlier version write no notes.
const afresh = 10 * time.Minute

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
		if k := c.apps[app]; k != nil {
			k.asked = time.Time{}
			k.own++
		}
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

// current returns what is known of an app, not older than a moment, with c.mu held.
func (c *Changes) current(app model.AppID) *known {
	c.mu.Lock()
	k := c.apps[app]
	if k == nil {
		if c.apps == nil || len(c.apps) >= maxApps || c.buckets >= maxBuckets {
			c.apps, c.buckets = map[model.AppID]*known{}, 0
		}
		c.count++
		k = &known{whole: c.now(), all: c.count}
		c.apps[app] = k
	}
	if c.holds(k) {
		return k
	}
	c.mu.Unlock()
	k.turn.Lock()
	defer k.turn.Unlock()
	c.mu.Lock()
	if c.holds(k) { // somebody else has asked meanwhile
		return k
	}
	began, own := c.now(), k.own
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lookPatience)
	defer cancel()
	f, err := c.look(ctx, app)
	c.mu.Lock()
	c.count++
	if err != nil || began.Sub(k.whole) >= afresh || k.whole.After(began) {
		k.all, k.whole = c.count, began
	}
	if err != nil {
		k.asked = c.now() // those who wait do not ask one after the other
		return k
	}
	if k.own == own { // otherwise the next one asks again: what this process has put meanwhile may be missing
		k.asked = began
	}
	c.take(k, f, began)
	return k
}

// holds reports whether what is known of an app holds.
func (c *Changes) holds(k *known) bool {
	age := c.now().Sub(k.asked)
	return !k.asked.IsZero() && age >= 0 && age < c.moment
}

// take notes what ClickHouse says, under the present count.
func (c *Changes) take(k *known, f found, now time.Time) {
	if k.buckets == nil {
		k.buckets = make(map[grainBucket]changed, len(f.buckets))
	}
	had := len(k.buckets)
	for b, at := range f.buckets {
		was := k.buckets[b]
		switch {
		case was.at != at:
			k.buckets[b] = changed{at, c.count, now}
		case now.Sub(was.when) < c.settle:
			was.count = c.count
			k.buckets[b] = was
		}
	}
	c.buckets += len(k.buckets) - had
	news := f.olds
	if news != nil && k.olds != nil {
		news = roaring.AndNot(news, k.olds)
	}
	k.olds = f.olds
	if news == nil || news.IsEmpty() {
		return
	}
	old := news.Minimum()
	for n := len(k.merged); n > 0 && k.merged[n-1].old >= old; n-- {
		k.merged = k.merged[:n-1]
	}
	if k.merged = append(k.merged, mergedAt{c.count, old}); len(k.merged) > maxMerged {
		k.merged, k.all = nil, c.count
	}
}

// Generation implements rollup.Changes.
func (c *Changes) Generation(app model.AppID, g rollup.Grain, from, to rollup.Bucket) uint64 {
	k := c.current(app)
	defer c.mu.Unlock()
	latest := max(k.all, k.buckets[grainBucket{}].count)
	first, last := noted(g, from), noted(g, to)
	if int64(last.bucket)-int64(first.bucket) > int64(len(k.buckets)) {
		for b, at := range k.buckets {
			if b.grain == g && b.bucket >= first.bucket && b.bucket <= last.bucket {
				latest = max(latest, at.count)
			}
		}
		return latest
	}
	for b := int64(first.bucket); b <= int64(last.bucket); b++ {
		latest = max(latest, k.buckets[grainBucket{g, rollup.Bucket(b)}].count) //nolint:gosec // between two buckets
	}
	return latest
}

// MergedSince implements rollup.Changes.
func (c *Changes) MergedSince(app model.AppID, moment uint64) (old uint32, ok bool) {
	k := c.current(app)
	defer c.mu.Unlock()
	if k.all > moment { // what was noticed before may be forgotten
		return 0, true
	}
	i := sort.Search(len(k.merged), func(i int) bool { return k.merged[i].count > moment })
	if i == len(k.merged) {
		return 0, false
	}
	return k.merged[i].old, true
}

// complement returns the number that is least for the greatest place: of a cell's first, the least counts.
func complement(at uint64) uint64 { return math.MaxUint64 - at }
