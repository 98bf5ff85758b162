package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"quipu/internal/app"
)

// moveCommand moves a data folder to a cluster.
type moveCommand struct {
	settings
	To      string        `help:"File that says where the stores of the cluster are." placeholder:"FILE" type:"path"`
	Compare time.Duration `help:"For how long reports are compared while nothing is accepted, and up to 35 seconds while a report differs." default:"10s"`
	Plan    bool          `help:"Print what would be done, and do nothing."`
	GiveUp  bool          `help:"Forget a move that has not ended: the server goes on as before, and no longer keeps its journal for the move."`
}

// Help explains the course of a move.
func (*moveCommand) Help() string {
	return `Copies everything that a server has collected from its data folder to the stores of a cluster, while the server goes on, then what arrived meanwhile, and compares both. For the last seconds the server answers 503 with Retry-After, so clients keep their requests and send them again. When all reports are the same, it goes on doing so: start the nodes of the cluster, with the secret key of the folder, and point clients at them. When they are not, the server accepts data again, and the differences are printed.

A move that breaks off, whatever the reason, goes on where it was when it is started again. Until it has ended the server keeps its journal from the beginning of the move on: ingest.journal_limit has to be large enough for that, and the disk needs room for a second copy of the event store.`
}

// Run moves.
func (c *moveCommand) Run(ctx context.Context, out io.Writer) error {
	flags := c.flags()
	if c.To != "" {
		flags["cluster"] = c.To
	}
	cfg, err := app.LoadConfig(c.Config, os.Environ(), flags)
	if err != nil {
		return err
	}
	proc := app.Process{Err: os.Stderr}
	if c.GiveUp {
		cfg.Cluster = ""
		if err := app.GiveUpMove(ctx, cfg, proc); err != nil {
			return err
		}
		fmt.Fprintln(out, "the move is given up; what is in the cluster stays there")
		return nil
	}
	if cfg.Cluster == "" {
		return errors.New("say where to with --to")
	}
	if c.Plan {
		lines, err := app.PlanMove(ctx, cfg, proc)
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
		return err
	}
	return app.Move(ctx, cfg, proc, app.MoveOptions{Comparing: c.Compare, Progress: func(line string) { fmt.Fprintln(out, line) }})
}
