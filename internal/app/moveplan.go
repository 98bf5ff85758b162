package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
		size, err := sizeOf(filepath.Join(cfg.Data, part.name))
		if err != nil {
			return lines, err
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

// sizeOf is how many bytes a file has, or all files of a folder.
func sizeOf(path string) (n int64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			n += st.Size()
		}
		return err
	})
	if err != nil {
		return n, fmt.Errorf("look at the size of the stores: %w", err)
	}
	return n, nil
}
