package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/ch"
)

// merges are the users of an app who were merged into others and are not replaced yet, old → new, with chains followed.
type merges struct {
	olds *roaring.Bitmap // nil = there are none
	to   map[uint32]uint32
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

// mergesOf returns the merges of an app by a view; where ClickHouse did not answer for that, they are asked for. It is to be called before cells are read: merges that are
// forgotten between the two are replaced in the cells already.
func (s *Store) mergesOf(ctx context.Context, app model.AppID) (*view, merges, error) {
	v, err := s.changes.current(app) //nolint:contextcheck // it is waited for by others, too
	if err == nil {
		return v, v.merges, nil
	}
	m, err := s.askMerges(ctx, app)
	return v, m[app], err
}

// askMerges asks ClickHouse for the merges of apps.
func (s *Store) askMerges(ctx context.Context, apps ...model.AppID) (map[model.AppID]merges, error) {
	names, byName := namesOf(apps)
	aliases := map[model.AppID]map[uint32]uint32{}
	st := ch.Statement{SQL: "SELECT app, old, new FROM " + mergedTable + " WHERE app IN (?)", Args: []any{names}, Settings: last()}
	err := s.c.Each(ctx, st, func(b *ch.Block, row int) error {
		app := byName[b.Columns[0].Text[row]]
		if aliases[app] == nil {
			aliases[app] = map[uint32]uint32{}
		}
		aliases[app][uint32(b.Columns[1].Whole[row])] = uint32(b.Columns[2].Whole[row]) // numbers of users
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("merged users of %d apps: %w", len(apps), err)
	}
	out := make(map[model.AppID]merges, len(aliases))
	for app, a := range aliases {
		out[app] = newMerges(a)
	}
	return out, nil
}

// namesOf returns the names of apps in tables, and what they name.
func namesOf(apps []model.AppID) (names []string, byName map[string]model.AppID) {
	names, byName = make([]string, len(apps)), make(map[string]model.AppID, len(apps))
	for i, app := range apps {
		names[i] = app.String()
		byName[names[i]] = app
	}
	return names, byName
}
