package writers

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

type cacheKey struct {
	app model.AppID
	schema.SegmentID
}

// setCache holds value sets that no batch uses and that are as stored, up to a
// number of values in all.
type setCache struct {
	max int

	mu  sync.Mutex // taken after writer.mu
	lru simplelru.LRUCache[cacheKey, *valueSet]
	n   int // values in lru, and setCost for each set
}

// setCost is how many values an empty set takes as much memory as.
const setCost = 28

func newSetCache(maxValues int) (*setCache, error) {
	c := &setCache{max: maxValues}
	var err error
	c.lru, err = simplelru.NewLRU(math.MaxInt, func(_ cacheKey, s *valueSet) { c.n -= setCost + len(s.hashes) })
	if err != nil {
		return nil, fmt.Errorf("value cache: %w", err)
	}
	return c, nil
}

// take removes a set from the cache and returns it, nil when it is not there.
func (c *setCache) take(app model.AppID, k schema.SegmentID) *valueSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{app, k}
	set, ok := c.lru.Get(key)
	if ok {
		c.lru.Remove(key)
	}
	return set
}

func (c *setCache) put(app model.AppID, k schema.SegmentID, set *valueSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{app, k}
	c.lru.Remove(key) // so that what it held is taken off n
	c.lru.Add(key, set)
	c.n += setCost + len(set.hashes)
	for c.n > c.max {
		if _, _, ok := c.lru.RemoveOldest(); !ok {
			return
		}
	}
}

func (s *Store) readSet(app model.AppID, k schema.SegmentID) (*valueSet, error) {
	set := &valueSet{hashes: map[uint64]struct{}{}}
	err := s.src.Values(context.Background(), app, k, func(value []byte) { set.hashes[xxhash.Sum64(value)] = struct{}{} })
	return set, err
}
