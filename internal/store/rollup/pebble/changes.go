package pebble

import (
	"encoding/binary"
	"sort"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Changes. It watches every batch that the database commits (kv.Options.Watch), hence no
// writer can be forgotten. The zero value is ready for use.
type Changes struct {
	mu   sync.Mutex
	last uint64
	apps map[model.AppID]*changed
	// underWay counts the batches between Watch and its after.
	underWay    int
	subscribers subscribers
	bytes       int // that wait for them
}

// changed holds the generations of an app: of everything, and of the buckets
// that changed alone since.
type changed struct {
	last    uint64 // change of any kind
	all     uint64
	buckets map[grainBucket]uint64
	// merged are the merges that can be the smallest since some moment: later ones have larger numbers.
	merged []mergedAt
}

// mergedAt says when a user was merged.
type mergedAt struct {
	at  uint64
	old uint32
}

// maxMerged is how many merges of an app are distinguished, see maxChanged.
const maxMerged = 8192

type grainBucket struct {
	grain  rollup.Grain
	bucket rollup.Bucket
}

// maxChanged is how many buckets of an app are distinguished; beyond it the app
// starts over with a generation for everything.
const maxChanged = 8192

// touched is a bucket of an app; the zero grain is all of them.
type touched struct {
	app model.AppID
	grainBucket
}

// Watch is for kv.Options.Watch.
func (c *Changes) Watch(b *pebble.Batch) (after func()) {
	c.mu.Lock()
	c.underWay++
	fs := c.subscribers
	c.mu.Unlock()
	var (
		found map[touched]struct{}
		last  touched
		news  news
	)
	r := b.Reader()
	for {
		kind, key, value, ok, err := r.Next()
		if !ok || err != nil {
			break // Pebble refuses a batch it cannot read
		}
		if len(key) == 0 || key[0] != kv.PrefixRollup && key[0] != kv.PrefixAlias {
			continue
		}
		if key[0] == kv.PrefixAlias {
			if m, ok := merges(kind, key, value); ok {
				news.merged = append(news.merged, m)
				continue
			}
			if kind == pebble.InternalKeyKindDelete {
				continue // forgotten when every cell has the other number
			}
		}
		t := touches(kind == pebble.InternalKeyKindMerge, key)
		if len(fs) > 0 && t.grain != 0 {
			news.added = fs.match(news.added, key, value)
		}
		if found != nil && t == last {
			continue
		}
		if found == nil {
			found = map[touched]struct{}{}
		}
		found[t], last = struct{}{}, t
	}
	if found == nil && news.merged == nil {
		c.mu.Lock()
		c.underWay--
		c.mu.Unlock()
		return nil
	}
	return func() { c.mark(found, news) }
}

// news is what a batch has to tell beside the buckets it changes.
type news struct {
	added  []added
	merged []merge
}

// merge is a user of an app who was merged into another.
type merge struct {
	app model.AppID
	rollup.Alias
}

// merges reads a write that says that a user was merged.
func merges(kind pebble.InternalKeyKind, key, value []byte) (m merge, ok bool) {
	if kind != pebble.InternalKeyKindSet || len(key) != 1+len(m.app)+4 || len(value) != 4 {
		return m, false
	}
	copy(m.app[:], key[1:])
	m.Old, m.New = binary.BigEndian.Uint32(key[1+len(m.app):]), binary.BigEndian.Uint32(value)
	return m, true
}

// touches returns what a write to a key changes: merge operands change a bucket,
// removals anything.
func touches(merge bool, key []byte) touched {
	var t touched
	copy(t.app[:], key[1:])
	if !merge || key[0] != kv.PrefixRollup {
		return t
	}
	n, err := seriesLen(key)
	if err != nil {
		return t
	}
	t.grainBucket = grainBucket{rollup.Grain(key[n]), rollup.Bucket(binary.BigEndian.Uint32(key[n+1:]))}
	return t
}

func (c *Changes) mark(found map[touched]struct{}, news news) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.underWay--
	c.deliver(news)
	c.last++
	for _, m := range news.merged {
		a := c.of(m.app)
		for n := len(a.merged); n > 0 && a.merged[n-1].old >= m.Old; n-- {
			a.merged = a.merged[:n-1]
		}
		a.merged = append(a.merged, mergedAt{c.last, m.Old})
		if a.last = c.last; len(a.merged) > maxMerged {
			*a = changed{last: c.last, all: c.last}
		}
	}
	for t := range found {
		a := c.of(t.app)
		if t.grain == 0 {
			c.endAll(t.app)
		}
		if t.grain == 0 || len(a.buckets) >= maxChanged {
			*a = changed{last: c.last, all: c.last}
			continue
		}
		a.last = c.last
		if a.buckets == nil {
			a.buckets = map[grainBucket]uint64{}
		}
		a.buckets[t.grainBucket] = c.last
	}
}

func (c *Changes) of(app model.AppID) *changed {
	a := c.apps[app]
	if a == nil {
		if c.apps == nil {
			c.apps = map[model.AppID]*changed{}
		}
		a = &changed{}
		c.apps[app] = a
	}
	return a
}

// Version implements rollup.Changes.
func (c *Changes) Version(app model.AppID) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.apps[app]; a != nil {
		return a.last
	}
	return 0
}

// Moment implements rollup.Changes.
func (c *Changes) Moment() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// MergedSince implements rollup.Changes.
func (c *Changes) MergedSince(app model.AppID, moment uint64) (old uint32, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.apps[app]
	if a == nil {
		return 0, false
	}
	i := sort.Search(len(a.merged), func(i int) bool { return a.merged[i].at > moment })
	if i == len(a.merged) {
		return 0, false
	}
	return a.merged[i].old, true
}

// Generation implements rollup.Changes.
func (c *Changes) Generation(app model.AppID, g rollup.Grain, from, to rollup.Bucket) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.apps[app]
	if a == nil {
		return 0
	}
	latest := a.all
	if int64(to)-int64(from) > int64(len(a.buckets)) {
		for k, at := range a.buckets {
			if k.grain == g && k.bucket >= from && k.bucket <= to {
				latest = max(latest, at)
			}
		}
		return latest
	}
	for b := int64(from); b <= int64(to); b++ {
		latest = max(latest, a.buckets[grainBucket{g, rollup.Bucket(b)}]) // between two buckets
	}
	return latest
}
