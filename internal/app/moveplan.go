package app

import (
	"context"
	"fmt"
	"path/filepath"

	"quipu/internal/backup"
)

// PlanMove says what Move would do, and does nothing of it. It reports all that is wrong with any server of the cluster.
func PlanMove(ctx context.Context, cfg Config, proc Process) (lines []string, err error) {
	if err := hasStores(ctx, cfg.embedded()); err != nil {
		return nil, err
	}
	was, err := readMoving(cfg.Data)
	if err != nil {
		return nil, err
	}
	switch {
	case was.Done:
		return nil, errMoved
	case was.Whole:
		lines = append(lines, "a move has begun: it goes on where it was")
	default:
		lines = append(lines, "make a snapshot of the data folder, beside it")
	}
	for _, part := range []struct{ what, name string }{
		{"profiles, schema, cells and fingerprints", "state"}, {"event rows, requests and user states", eventsFile}, {"documents", docsFile}, {"files", "files"},
	} {
		size, err := backup.Size(filepath.Join(cfg.Data, part.name))
		if err != nil {
			return lines, fmt.Errorf("look at the size of the stores: %w", err)
		}
		lines = append(lines, fmt.Sprintf("copy %s: %d MiB", part.what, (size+1<<20-1)>>20))
	}
	stores, err := PlanCluster(ctx, cfg, proc)
	for _, s := range stores {
		if len(s.Steps) == 0 {
			lines = append(lines, s.Store+": nothing to make")
		}
		for _, step := range s.Steps {
			lines = append(lines, s.Store+": "+step)
		}
	}
	return append(lines, "follow the journal, pause the server for some seconds, compare all reports, and have it accept nothing any more"), err
}
