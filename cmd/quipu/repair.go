package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
)

// repairCommand repairs a data folder.
type repairCommand struct {
	settings
	Backup string `help:"Backup that replaces what cannot be repaired: a file, a folder or s3://BUCKET/PREFIX." placeholder:"SOURCE"`
}

// Help explains what is repaired and how.
func (*repairCommand) Help() string {
	return `Checks every block of every store of a data folder that no server uses, and repairs what it can. Replaced files are kept in a folder "damaged-…" inside the data folder, so there is no need to copy or delete anything first.

documents: damaged indexes are rebuilt; damaged documents come from the backup.

state: unreadable entries are dropped. If these include event names, sequences or watermarks, or the state cannot be opened at all, both state and event store come from the backup.

event store: readable rows are copied, in groups of 122,880. If none are readable, it is replaced by the backup's event store or an empty one. Aggregated figures and profiles, which include lost rows, are kept.

files: damaged uploads come from the backup.

figures: everything is recomputed from the rows as by "quipu verify". If no rows are lost, differing figures are recounted and profile counters corrected; the list of users is rebuilt from the profiles.

The report lists what is lost. Exit status: 0 = everything is intact or repaired, 1 = something needs a backup or could not be repaired.`
}

// Run repairs and prints the report.
func (c *repairCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	report, err := app.Repair(ctx, cfg, app.Process{Err: os.Stderr}, app.RepairOptions{
		Backup: c.Backup, Progress: func(text string) { fmt.Fprintln(out, "check", text) },
	})
	if report != nil {
		printRepair(out, report)
	}
	if errors.Is(err, app.ErrNeedsBackup) && c.Backup == "" {
		err = fmt.Errorf("%w; give one with --backup", err)
	}
	return err
}

func printRepair(out io.Writer, r *app.RepairReport) {
	for _, s := range r.Stores {
		if s.Found == "" {
			fmt.Fprintf(out, "%s: nothing is wrong\n", s.Store)
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", s.Store, s.Found)
		if s.Done != "" {
			fmt.Fprintf(out, "  done: %s\n", s.Done)
		}
		if s.Lost != "" {
			fmt.Fprintf(out, "  lost: %s\n", s.Lost)
		}
	}
	if r.Aside != "" {
		fmt.Fprintf(out, "replaced files are in %s\n", r.Aside)
	}
}
