package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"quipu/internal/app"
)

// rollbackCommand goes back to the data from before an upgrade.
type rollbackCommand struct{ settings }

// Help explains what is kept.
func (*rollbackCommand) Help() string {
	return `Restores the stores of a data folder, whose server is stopped, to their state before a newer version changed their formats. Data received since then is not included; the newer stores are moved to a folder "newer-…" inside the data folder, which you may delete.`
}

// Run goes back and says to what.
func (c *rollbackCommand) Run(_ context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	r, err := app.Rollback(cfg, app.Process{Err: os.Stderr})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the data is as version %s left it at %s; the newer data is in %s\n", r.Version, r.Made.Format(time.RFC3339), r.Aside)
	return nil
}
