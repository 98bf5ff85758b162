package bench

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/events/duck/handsql"
	"quipu/internal/traffic"
)

// Load sends traffic of an app to a server.
func Load(ctx context.Context, url, appKey string, g *traffic.Generator, events int64) error {
	return saturate(ctx, url, render(g, events, bulkItems, appKey), 2)
}

// CompareByHand asks a server the questions of some rounds, the same in SQL of a copy of its event store, and compares the answers. It returns how many
// questions were compared.
func CompareByHand(ctx context.Context, o *Options, url, apiKey, appID, copied string, rounds []int) (n int, err error) {
	s := &server{process: &process{url: url}, apiKey: apiKey, app: app{ID: appID}}
	id, err := model.ParseID(appID)
	if err != nil {
		return 0, err
	}
	h := &hand{app: id, file: copied}
	if h.db, err = handsql.Open(copied, handMemory, 1); err != nil {
		return 0, err
	}
	defer func() { _ = h.db.Close() }()
	if ok, err := h.db.Has(ctx, id); err != nil || !ok {
		return 0, fmt.Errorf("the app has no tables of its own: %w", err)
	}
	list, err := s.questions(ctx)
	if err != nil {
		return 0, err
	}
	for _, q := range list {
		for _, round := range rounds {
			from, to := q.days(o, round)
			body, err := s.read(ctx, q.read)
			if err != nil {
				return n, fmt.Errorf("%s: %w", q.name, err)
			}
			if q.figure == nil {
				continue
			}
			if _, err := h.ask(ctx, o, q, body, from, to); err != nil {
				return n, fmt.Errorf("%s, round %d: %w", q.name, round, err)
			}
			n++
		}
	}
	return n, nil
}

// Figures is how many questions have statements that were written by hand.
func Figures() int { return len(figures) }
