package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"quipu/internal/backup"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/files/disk"
)

// snapshots is the folder, in a data folder, in which snapshots are made.
const snapshots = "backups"

// Snapshot writes a consistent copy of all stores into a folder that does not
// exist, on the disk of the data folder. The pipeline pauses between two batches for a moment;
// ingestion goes on. It needs the pipeline to run.
//
// Of a folder into which data has moved from a cluster, the copy has what was taken from the cluster's journal so far, and up to where that is, but not the
// note that more is to be taken: two servers that take from one journal would each remove records that the other needs. A server on a restored backup says so
// at its start. To have it go on in the place of the server of the folder, which must never run again, put that folder's move/back.json into the folder move of
// the restored one. What was taken after the backup is lost, as all that was accepted after it.
func (a *App) Snapshot(ctx context.Context, dir string) (info backup.Info, err error) {
	if a.gatedDocs == nil {
		return info, errOwnDatabase
	}
	file, ok := a.gatedDocs.documents.(*sqlite.Store)
	if !ok {
		return info, errOwnDatabase
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return info, fmt.Errorf("make snapshot: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return info, fmt.Errorf("make snapshot: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	var (
		log     int64
		release func() error
	)
	err = a.pipeline.Between(ctx, func(ctx context.Context) (err error) {
		if log, release, err = a.duck.Hold(ctx); err != nil {
			return err
		}
		rows, err := a.duck.Watermark(ctx)
		if err != nil {
			return err
		}
		info = backup.Info{Created: a.now().UnixMilli(), Version: Version(), Watermark: rows[0]}
		if err := file.Backup(ctx, filepath.Join(dir, docsFile)); err != nil {
			return err
		}
		return a.kv.Checkpoint(filepath.Join(dir, "state"))
	})
	info.End = a.journal.End().Total()
	if err == nil {
		err = a.copyRows(ctx, dir, log)
	}
	if release != nil {
		err = errors.Join(err, release())
	}
	if err == nil {
		err = writeFormats(dir, a.cfg.currentFormats())
	}
	if err == nil {
		err = linkFiles(ctx, filepath.Join(a.cfg.Data, "files"), filepath.Join(dir, "files"))
	}
	if err != nil {
		return info, fmt.Errorf("make snapshot: %w", err)
	}
	return info, nil
}

// copyRows copies the event store while its checkpoints are put off.
func (a *App) copyRows(ctx context.Context, dir string, log int64) error {
	path := filepath.Join(a.cfg.Data, eventsFile)
	if err := copyPart(ctx, path, filepath.Join(dir, eventsFile), 1<<62); err != nil {
		return err
	}
	if log == 0 {
		return nil
	}
	return copyPart(ctx, path+".wal", filepath.Join(dir, eventsFile+".wal"), log)
}

// copyPart copies a file, at most so many bytes.
func copyPart(ctx context.Context, from, to string, most int64) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return errors.Join(err, src.Close())
	}
	_, err = io.Copy(dst, io.LimitReader(reading{ctx, src}, most))
	return errors.Join(err, src.Close(), dst.Sync(), dst.Close())
}

// reading gives up when its context is done.
type reading struct {
	ctx context.Context // of the call that reads
	r   io.Reader
}

// Read implements io.Reader.
func (r reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// linkFiles puts the uploaded files, which never change, into a folder once
// more. What is not finished or goes meanwhile is left out.
func linkFiles(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() || disk.Unfinished(d.Name()) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := os.Link(path, target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
