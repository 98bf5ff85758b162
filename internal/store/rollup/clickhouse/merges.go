package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/ch"
)

// merges are the users of an app who were merged into others and are not replaced yet, old → new, with chains followed.
type merges struct {
	olds *roaring.Bitmap // nil = there are none
	to   map[uint32]uint32
	at   time.Time // when that was so
}

// newMerges follows chains. What runs in a circle stays as it is.
func newMerges(aliases map[uint32]uint32) (m merges) {
	for old := range aliases {
		to, ends := old, false
		for range len(aliases) + 1 {
			next, ok := aliases[to]
			if !ok {
				ends = true
				break
			}
			to = next
		}
		if !ends || to == old {
			continue
		}
		if m.olds == nil {
			m.olds, m.to = roaring.New(), map[uint32]uint32{}
		}
		m.olds.Add(old)
		m.to[old] = to
	}
	return m
}

// lists returns the merges in the order of the merged.
func (m merges) lists() (olds, news []uint32) {
	olds = slices.Sorted(maps.Keys(m.to))
	for _, old := range olds {
		news = append(news, m.to[old])
	}
	return olds, news
}

// correct replaces merged users in a set, which it changes.
func (m merges) correct(users *roaring.Bitmap) {
	if m.olds == nil || users == nil || !users.Intersects(m.olds) {
		return
	}
	hits := roaring.And(users, m.olds)
	users.AndNot(hits)
	for it := hits.Iterator(); it.HasNext(); {
		users.Add(m.to[it.Next()])
	}
}

// maxMerges is of how many apps the merges are known.
const maxMerges = 20_000

// mergesOf returns the merges of an app, and asks for them when what is known is old. It is to be called before cells are read: merges that are forgotten between
// the two are replaced in the cells already.
func (s *Store) mergesOf(ctx context.Context, app model.AppID) (merges, error) {
	now := s.o.Now()
	s.mu.Lock()
	m, ok := s.merged[app]
	s.mu.Unlock()
	if age := now.Sub(m.at); ok && age >= 0 && age < s.o.Fresh {
		return m, nil
	}
	return s.askMerges(ctx, app)
}

// askMerges asks ClickHouse for the merges of an app, and keeps them.
func (s *Store) askMerges(ctx context.Context, app model.AppID) (merges, error) {
	now, version := s.o.Now(), s.changes.Version(app)
	aliases := map[uint32]uint32{}
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT old, new FROM " + mergedTable + " WHERE app = ?", Args: []any{app.String()}, Settings: last()}, func(b *ch.Block, row int) error {
		aliases[uint32(b.Columns[0].Whole[row])] = uint32(b.Columns[1].Whole[row]) //nolint:gosec // numbers of users
		return nil
	})
	if err != nil {
		return merges{}, fmt.Errorf("merged users of app %s: %w", app, err)
	}
	m := newMerges(aliases)
	m.at = now
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.merged[app].at.After(now) { // somebody asked later
		return m, nil
	}
	if s.changes.Version(app) != version { // they may be others by now; but what was known before these lacks what Changes may have noticed with them
		delete(s.merged, app)
		return m, nil
	}
	if len(s.merged) >= maxMerges {
		clear(s.merged)
	}
	s.merged[app] = m
	return m, nil
}
