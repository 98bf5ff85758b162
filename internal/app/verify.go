package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"quipu/internal/backup"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/verify"
)

// Verify recomputes what is derived and compares it with what is stored. It
// needs the pipeline to run: what was accepted is projected first, and nothing is
// projected until the comparison has ended.
func (a *App) Verify(ctx context.Context, o verify.Options) (*verify.Report, error) {
	if err := a.inFolder(); err != nil {
		return nil, err
	}
	if err := a.flush(ctx); err != nil {
		return nil, fmt.Errorf("project what was accepted: %w", err)
	}
	var report *verify.Report
	err := a.pipeline.Between(ctx, func(ctx context.Context) (err error) {
		report, err = verify.Run(ctx, a.verified(), o)
		return err
	})
	return report, err
}

// patience is how long a comparison waits for a pipeline that meets one fault after another.
const patience = 5 * time.Second

// flush projects what was accepted. A server tries forever; a comparison has to report why
// it does not end.
func (a *App) flush(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() { ended <- a.work.Flush(ctx) }()
	look := time.NewTicker(patience / 20)
	defer look.Stop()
	for bad := 0; ; {
		select {
		case err := <-ended:
			if cause := context.Cause(ctx); err != nil && cause != nil {
				err = cause
			}
			return err
		case <-look.C:
			trouble := a.pipeline.Trouble()
			if bad++; trouble == nil {
				bad = 0
			}
			if bad == 20 {
				cancel(trouble)
			}
		}
	}
}

// verified are the stores that are compared.
func (a *App) verified() verify.Stores {
	var checks []verify.Check
	for _, c := range a.checks.All() {
		checks = append(checks, verify.Check(c))
	}
	return verify.Stores{
		Blocks: a.kv, State: a.store, Journal: a.journal, Profiles: a.embedded.profiles, Schema: a.embedded.schema, Cells: a.cells,
		Events: a.duck, Docs: a.docs, Files: a.files, Apps: a.apps, Features: kernel.Ingestion(a.modules()), Checks: checks, Rows: a.events,
	}
}

// Verify opens a data folder that no server uses, projects what was accepted
// and compares as App.Verify does. Of a backup VerifyBackup does it.
func Verify(ctx context.Context, cfg Config, proc Process, o verify.Options) (report *verify.Report, err error) {
	if backup.Is(cfg.Data) || backup.IsRepository(cfg.Data) {
		source, err := FindBackup(ctx, cfg, cfg.Data, "")
		if err != nil {
			return nil, err
		}
		return VerifyBackup(ctx, cfg, proc, source, o)
	}
	if err := hasStores(ctx, cfg); err != nil {
		return nil, err
	}
	err = Offline(ctx, cfg, proc, func(ctx context.Context, a *App) error {
		report, err = a.Verify(ctx, o)
		return err
	})
	return report, err
}

// VerifyBackup restores a backup to a folder of the system for what is temporary, which goes afterwards, and compares as Verify does.
func VerifyBackup(ctx context.Context, cfg Config, proc Process, source BackupSource, o verify.Options) (*verify.Report, error) {
	dir, err := os.MkdirTemp("", "quipu-verify-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the backup: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left, the system removes
	if o.Progress != nil {
		o.Progress("restores " + source.Label + " to " + dir)
	}
	if _, err := source.Restore(ctx, dir); err != nil {
		return nil, err
	}
	cfg.Data, cfg.Docs, cfg.Upgrade.Snapshot = dir, "", false
	return Verify(ctx, cfg, proc, o)
}

// Offline opens a data folder that no server uses, lets the pipeline run
// without a listener while fn does its work, and closes the folder.
func Offline(ctx context.Context, cfg Config, proc Process, fn func(context.Context, *App) error) (err error) {
	proc.keyless = true
	return opened(ctx, cfg, proc, fn)
}

// opened is Offline with the secret key of the folder.
func opened(ctx context.Context, cfg Config, proc Process, fn func(context.Context, *App) error) (err error) {
	a, err := Open(ctx, cfg, proc)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }() //nolint:contextcheck // closing must not be cut short
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		err := a.work.Run(work)
		cancel(err) // after a fault of a store there is nothing to wait for
		ended <- err
	}()
	err = fn(ctx, a)
	stop()
	return errors.Join(err, <-ended)
}

// whole compares how far the stores have come, as they were found.
// A store that lacks what another has counted on has lost it by other means than a crash.
func (a *App) whole(ctx context.Context, held journal.Watermark) error {
	rows, err := a.duck.Watermark(ctx)
	if err != nil {
		return err
	}
	end := a.journal.End().Total()
	if rows[0] > end {
		return fmt.Errorf("%w: the journal ends at record %d, the event store has rows up to record %d; restore a backup",
			errLostState, end, rows[0])
	}
	if rows[0] < held[0] {
		return fmt.Errorf("%w: they end at record %d, the state counts on them up to record %d; restore a backup",
			errLostRows, rows[0], held[0])
	}
	return nil
}

// What whole finds.
var (
	errLostState = errors.New("the state has lost its last records")
	errLostRows  = errors.New("the event store has lost its last rows")
)

// Apps lists the apps of the server.
func (a *App) Apps() []*model.App { return a.apps.All() }

// Data is the collected data of all apps.
func (a *App) Data() kernel.Data { return a.data() }
