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
	Backup string `help:"A backup from which to take what cannot be repaired: a file, a folder or s3://BUCKET/PREFIX." placeholder:"SOURCE"`
}

// Help explains what is repaired and how.
func (*repairCommand) Help() string {
	return `Checks every store of a data folder that no server uses, down to the last block, and repairs what it can. What is replaced is kept in a folder "damaged-…" inside the data folder, so copy nothing and delete nothing before.

documents: damaged indexes are rebuilt; damaged documents come from the backup.

state: entries that cannot be read are left out. Where event names, sequences or watermarks are among them, or the state cannot be opened at all, state and event store both come from the backup.

event store: what can be read is copied, in groups of 122,880 rows. If nothing can, the backup's takes its place, or an empty one. Aggregated figures and profiles know of rows that are gone, and are kept.

files: damaged uploads come from the backup.

figures: everything is recomputed from the rows as by "quipu verify". Where no rows are lost, figures that differ are recounted, and counters of profiles set right; the list of users is made from the profiles.

The report says what is lost. Exit status: 0 = all is whole or repaired, 1 = something needs a backup or could not be done.`
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
		fmt.Fprintf(out, "what was replaced is in %s\n", r.Aside)
	}
}
