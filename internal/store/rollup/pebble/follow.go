package pebble

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// subscriberBytes is how much may wait for a subscriber. One that does not come for
// it in time has lost track: reading the cells again is cheaper by then. subscribersBytes is how
// much may wait for all together; beyond it, those for whom most waits are given up.
const (
	subscriberBytes  = 256 << 10
	subscribersBytes = 16 << 20
)

// Subscription is what Store.Subscribe returns: a rollup.Subscription.
type Subscription struct {
	changes  *Changes
	source   rollup.AliasSource
	app      model.AppID
	place    string // what the keys begin with, up to the grain
	from, to rollup.Bucket

	// Guarded by changes.mu.
	waiting []addition
	merged  []rollup.Alias
	bytes   int
	ended   bool

	// Of the caller of Take: who was merged when it began, until the first call.
	began aliasSet
}

// addition is a merge operand of a cell.
type addition struct {
	bucket  rollup.Bucket
	value   string
	operand []byte
}

// Take implements rollup.Subscription.
func (f *Subscription) Take(ctx context.Context, fn func(b rollup.Bucket, value string, c *rollup.Cell), merged func(correct func(*roaring.Bitmap))) (complete bool) {
	f.began = aliasSet{}
	if !f.waits() {
		return !f.Ended()
	}
	// Aliases first: of those that are forgotten before the next lines, the replacements are among what waits.
	// The caller may give up, but others can use what was collected.
	known, err := f.source.Aliases(context.WithoutCancel(ctx), f.app)
	if err != nil {
		f.Stop()
		return false
	}
	f.changes.mu.Lock()
	waiting, aliases, ended := f.waiting, f.merged, f.ended
	f.changes.bytes -= f.bytes
	f.waiting, f.merged, f.bytes = nil, nil, 0
	f.changes.mu.Unlock()
	if ended {
		return false
	}
	var (
		cell  rollup.Cell
		users = roaring.New()
		all   = aliasSet{to: known}
	)
	for _, a := range waiting {
		replaced, err := decode(a.operand, &cell, users)
		if err != nil || len(replaced) > 0 {
			f.Stop()
			return false
		}
		// A merge that is known already, but not reported yet, is corrected everywhere.
		hits := all.lookUp(cell.Users)
		hits.apply(cell.Users)
		aliases = append(aliases, hits...)
		fn(a.bucket, a.value, &cell)
	}
	if len(aliases) > 0 {
		fresh := make(map[uint32]uint32, len(aliases))
		for _, a := range aliases {
			fresh[a.Old] = a.New
		}
		merged(newAliasSet(fresh).correct)
	}
	return true
}

// waits reports whether anything waits.
func (f *Subscription) waits() bool {
	f.changes.mu.Lock()
	defer f.changes.mu.Unlock()
	return len(f.waiting)+len(f.merged) > 0
}

// Correct implements rollup.Subscription.
func (f *Subscription) Correct(users *roaring.Bitmap) { f.began.correct(users) }

// Ended implements rollup.Subscription.
func (f *Subscription) Ended() bool {
	f.changes.mu.Lock()
	defer f.changes.mu.Unlock()
	return f.ended
}

// Stop implements rollup.Subscription.
func (f *Subscription) Stop() {
	f.changes.mu.Lock()
	defer f.changes.mu.Unlock()
	f.changes.end(f)
}

// subscribers are the subscriptions to cells, by what the keys begin with. A value is never
// changed once a batch may look at it.
type subscribers map[string][]*Subscription

// added collects the additions of a batch for subscribers.
type added struct {
	to   *Subscription
	what addition
}

// match appends what a merge adds for subscribers.
func (fs subscribers) match(found []added, key, operand []byte) []added {
	n, err := seriesLen(key)
	if err != nil {
		return found
	}
	list := fs[string(key[:n+1])]
	if len(list) == 0 {
		return found
	}
	bucket := rollup.Bucket(binary.BigEndian.Uint32(key[n+1:]))
	var a addition
	for _, f := range list {
		if bucket < f.from || bucket > f.to {
			continue
		}
		if a.operand == nil {
			a = addition{bucket: bucket, value: string(key[n+5:]), operand: append([]byte(nil), operand...)}
		}
		found = append(found, added{f, a})
	}
	return found
}

// subscribe begins a subscription that receives every later change. It calls at before any such change can
// begin. It returns nil while a batch is under way, since at might or might not see it.
func (c *Changes) subscribe(source rollup.AliasSource, app model.AppID, place string, from, to rollup.Bucket, at func() error) (*Subscription, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay > 0 {
		return nil, nil
	}
	if err := at(); err != nil {
		return nil, err
	}
	f := &Subscription{changes: c, source: source, app: app, place: place, from: from, to: to}
	c.replace(place, append(append([]*Subscription(nil), c.subscribers[place]...), f))
	return f, nil
}

// deliver hands news to subscribers.
func (c *Changes) deliver(n news) {
	for _, a := range n.added {
		if a.to.ended {
			continue
		}
		a.to.waiting = append(a.to.waiting, a.what)
		c.grow(a.to, len(a.what.operand)+len(a.what.value)+64)
	}
	if len(n.merged) == 0 {
		return
	}
	for _, list := range c.subscribers {
		for _, f := range list {
			for _, m := range n.merged {
				if m.app == f.app && !f.ended {
					f.merged = append(f.merged, m.Alias)
					c.grow(f, 16)
				}
			}
		}
	}
}

// grow counts what waits for a subscriber.
func (c *Changes) grow(f *Subscription, n int) {
	f.bytes += n
	c.bytes += n
	if f.bytes > subscriberBytes {
		c.end(f)
	}
	for c.bytes > subscribersBytes {
		var most *Subscription
		for _, list := range c.subscribers {
			for _, other := range list {
				if most == nil || other.bytes > most.bytes {
					most = other
				}
			}
		}
		c.end(most)
	}
}

// end ends a subscription.
func (c *Changes) end(f *Subscription) {
	if f.ended {
		return
	}
	c.drop(f)
	var rest []*Subscription
	for _, other := range c.subscribers[f.place] {
		if other != f {
			rest = append(rest, other)
		}
	}
	c.replace(f.place, rest)
}

// drop forgets what waits for a subscriber, for whom nothing will wait any more.
func (c *Changes) drop(f *Subscription) {
	c.bytes -= f.bytes
	f.ended, f.waiting, f.merged, f.bytes = true, nil, nil, 0
}

// endAll ends the subscriptions of an app.
func (c *Changes) endAll(app model.AppID) {
	rest := make(subscribers, len(c.subscribers))
	for place, list := range c.subscribers {
		if list[0].app != app { // the place names the app
			rest[place] = list
			continue
		}
		for _, f := range list {
			c.drop(f)
		}
	}
	c.subscribers = rest
}

// replace sets the subscribers of a place. Batches may look at the map there was.
func (c *Changes) replace(place string, list []*Subscription) {
	next := make(subscribers, len(c.subscribers)+1)
	maps.Copy(next, c.subscribers)
	if len(list) == 0 {
		delete(next, place)
	} else {
		next[place] = list
	}
	c.subscribers = next
}

// Subscribe implements rollup.Tracker.
func (s *Store) Subscribe(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) (rollup.Subscription, error) {
	if s.changes == nil || from > to {
		return nil, nil
	}
	prefix, err := appendSeries(make([]byte, 0, 64+len(series.Dim)), app, series)
	if err != nil {
		return nil, err
	}
	lower := appendBucket(prefix, g, from)
	place := string(lower[:len(prefix)+1])
	upper := successor(appendBucket([]byte(place[:len(prefix)]), g, to))
	var it *pebble.Iterator
	f, err := s.changes.subscribe(s.aliases, app, place, from, to, func() (err error) {
		it, err = s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: upper})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("subscribe to metric %d: %w", series.Metric, err)
	}
	if f == nil {
		return nil, nil
	}
	// Users merged from now on are reported to it; those merged before are read now. A user in both lists
	// is corrected twice, which changes nothing.
	merged, err := s.aliases.Aliases(ctx, app)
	if err == nil {
		f.began = newAliasSet(merged)
		err = scan(ctx, it, len(prefix)+1, f.began, fn)
	}
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		f.Stop()
		return nil, fmt.Errorf("subscribe to metric %d: %w", series.Metric, err)
	}
	if f.Ended() {
		return nil, nil
	}
	return f, nil
}
