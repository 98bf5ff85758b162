package shards

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// exportPrints is how many fingerprints EachPrint reads at a time.
const exportPrints = 10_000

// EachPrint calls fn for all fingerprints that are stored, day by day and always in the same order, until fn returns an error, which it returns.
func (s *Store) EachPrint(ctx context.Context, fn func(model.AppID, profile.Print) error) error {
	days, err := s.src.Days(ctx)
	if err != nil {
		return fmt.Errorf("list days of fingerprints: %w", err)
	}
	for _, day := range days {
		var stop error
		for after, first := []byte(nil), true; first || after != nil; first = false {
			if after, err = s.src.Prints(ctx, day, after, exportPrints, func(p Stored) {
				if stop == nil {
					stop = fn(p.App, profile.Print{Day: day, Hash: p.Hash})
				}
			}); err != nil {
				return fmt.Errorf("read fingerprints: %w", err)
			}
			if stop != nil {
				return stop
			}
		}
	}
	return nil
}
