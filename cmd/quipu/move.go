package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"quipu/internal/app"
)

// moveCommand moves a data folder to a cluster, or a cluster to a data folder.
type moveCommand struct {
	settings
	To      string        `help:"File that says where the stores of the cluster are to which the folder moves." placeholder:"FILE" type:"path" xor:"way"`
	Back    bool          `help:"Move the other way: from the cluster of --from to the data folder, which has nothing but the secret key of the nodes."`
	From    string        `help:"With --back: file that says where the stores of the cluster are." placeholder:"FILE" type:"path" xor:"way"`
	Compare time.Duration `help:"For how long reports are compared while nothing is accepted, or projected, and up to 35 seconds while a report differs." default:"10s"`
	Plan    bool          `help:"Print what would be done, and do nothing."`
	End     bool          `help:"With --back, once the nodes are stopped: take the last of what they accepted from the cluster's journal, and forget the cluster."`
	GiveUp  bool          `help:"Forget a move that has not ended: the server goes on as before, and no longer keeps its journal for the move. With --back: forget the cluster from which the data came without looking whether its journal has more."`
}

// Help explains the course of a move.
func (*moveCommand) Help() string {
	return `Copies everything that a server has collected from its data folder to the stores of a cluster, while the server goes on, then what arrived meanwhile, and compares both. For the last seconds the server answers 503 with Retry-After, so clients keep their requests and send them again. When all reports are the same, it goes on doing so: start the nodes of the cluster, with the secret key of the folder, and point clients at them. When they are not, the server accepts data again, and the differences are printed.

A move that breaks off, whatever the reason, goes on where it was when it is started again. Until it has ended the server keeps its journal from the beginning of the move on: ingest.journal_limit has to be large enough for that, and the disk needs room for a second copy of the event store.

With --back data moves from a cluster to an empty data folder. Nodes accept data all the time. While the command copies they project nothing, so reports stand still; when it breaks off they go on, and the next run copies everything again. Once both are the same, start a server on the folder and point clients at it: it takes what nodes have accepted since, and still accept, from the cluster's journal. Nodes answer reads by people with 503 from then on. When they are stopped, quipu move --back --end takes the last records and forgets the cluster.`
}

// Run moves.
func (c *moveCommand) Run(ctx context.Context, out io.Writer) error {
	flags := c.flags()
	if name := cmp.Or(c.To, c.From); name != "" {
		flags["cluster"] = name
	}
	cfg, err := app.LoadConfig(c.Config, os.Environ(), flags)
	if err != nil {
		return err
	}
	proc := app.Process{Err: os.Stderr}
	if c.Back {
		return c.back(ctx, out, cfg, proc)
	}
	if c.From != "" || c.End {
		return errors.New("--from and --end go with --back")
	}
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

// back moves from a cluster to the folder, or ends that.
func (c *moveCommand) back(ctx context.Context, out io.Writer, cfg app.Config, proc app.Process) error {
	switch {
	case c.To != "":
		return errors.New("use --back with --from, not with --to")
	case c.End || c.GiveUp:
		cfg.Cluster = ""
		if err := app.EndMoveBack(ctx, cfg, proc, c.GiveUp); err != nil {
			return err
		}
		fmt.Fprintln(out, "the cluster is forgotten: nothing more is taken from its journal")
		return nil
	case cfg.Cluster == "":
		return errors.New("say from where with --from")
	case c.Plan:
		lines, err := app.PlanMoveBack(ctx, cfg, proc)
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
		return err
	}
	return app.MoveBack(ctx, cfg, proc, app.MoveOptions{Comparing: c.Compare, Progress: func(line string) { fmt.Fprintln(out, line) }})
}
