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

// PlanMoveBack says what MoveBack would do, and does nothing of it.
func PlanMoveBack(ctx context.Context, cfg Config, proc Process) (lines []string, err error) {
	note, err := readMovingBack(cfg.Data)
	switch {
	case err != nil:
		return nil, err
	case note.Done:
		return nil, errMovedHere
	case note.ID != "":
		lines = append(lines, "a move has begun: what it has copied is removed")
	default:
		if err := withoutStores(cfg.Data); err != nil {
			return nil, err
		}
	}
	if err := cfg.forNodes(); err != nil {
		return lines, err
	}
	if err := wholeCluster(ctx, cfg, proc); err != nil {
		return lines, err
	}
	if _, err := journalEnd(ctx, cfg, proc, nil); err != nil {
		return lines, err
	}
	return append(lines,
		"take all partitions: nodes go on accepting data, and project nothing meanwhile",
		"copy event rows, requests, user states, profiles, schema, cells and fingerprints, then documents and files",
		"compare all cells, rows and profiles, and all reports",
		"have the cluster project nothing any more and take no changes of documents, and bring the documents once more",
	), nil
}

// wholeCluster refuses a cluster whose stores are missing or of another version.
func wholeCluster(ctx context.Context, cfg Config, proc Process) error {
	proc.frozen = true
	list, err := PlanCluster(ctx, cfg, proc)
	if err != nil {
		return err
	}
	for _, s := range list {
		if len(s.Steps) > 0 {
			return fmt.Errorf("this is not a cluster of this version whose nodes have run: %s: it would have to %s", s.Store, s.Steps[0])
		}
	}
	return nil
}
