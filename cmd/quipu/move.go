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
	To      string        `help:"Cluster file with the addresses of the target stores." placeholder:"FILE" type:"path" xor:"way"`
	Back    bool          `help:"Move in the other direction: from the cluster of --from to the data folder, which must contain only the secret key of the nodes."`
	From    string        `help:"With --back: cluster file with the addresses of the stores." placeholder:"FILE" type:"path" xor:"way"`
	Compare time.Duration `help:"How long reports are compared while nothing is accepted or projected; up to 35 seconds while a report differs." default:"10s"`
	Plan    bool          `help:"Print the steps without executing them."`
	End     bool          `help:"With --back, once the nodes are stopped: read the last records from the cluster's journal, then detach from the cluster."`
	GiveUp  bool          `help:"Abandon an unfinished move: the server continues as before, and no longer keeps its journal for the move. With --back: detach from the cluster of origin without checking whether its journal has more."`
}

// Help explains the course of a move.
func (*moveCommand) Help() string {
	return `Copies everything that a server has collected from its data folder to the stores of a cluster, while the server keeps running, then the data that arrived in the meantime, and compares both. For the last seconds the server answers 503 with Retry-After, so clients keep their requests and send them again. If all reports are equal, it continues to do so: start the nodes of the cluster with the secret key of the folder, and point clients at them. Otherwise the server accepts data again, and the differences are printed.

An interrupted move continues where it stopped when it is started again. Until the move has ended, the server keeps its journal from the beginning of the move: ingest.journal_limit must be large enough for that, and the disk needs space for a second copy of the event store.

With --back data moves from a cluster to an empty data folder. Nodes accept data all the time. While the command copies, they project nothing, so reports do not change; if it is interrupted, they resume, and the next run copies everything again. Once both are equal, start a server on the folder and point clients at it: it reads from the cluster's journal what the nodes have accepted since and still accept. From then on, nodes answer dashboard and API reads with 503. After stopping them, run quipu move --back --end to read the last records and detach from the cluster.`
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
		fmt.Fprintln(out, "the move is abandoned; data in the cluster stays there")
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
		fmt.Fprintln(out, "detached from the cluster: no more records are read from its journal")
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
