package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
)

// migrateCommand makes and migrates the stores of a cluster.
type migrateCommand struct {
	Config  string `help:"Configuration file, YAML or JSON." env:"QUIPU_CONFIG" type:"path" placeholder:"FILE"`
	Cluster string `help:"Cluster file with the addresses of the stores." placeholder:"FILE" type:"path"`
	Plan    bool   `help:"Print the steps without executing them."`
}

// Help explains when it is needed.
func (*migrateCommand) Help() string {
	return `Does what the first node of this version does to the stores of a cluster when it starts: numbered steps, forward only, one process at a time, with the same checks of every server. With --plan it only lists the steps that PostgreSQL, ClickHouse and the journal still need.`
}

// Run prints what is to be done, and does it.
func (c *migrateCommand) Run(ctx context.Context, out io.Writer) error {
	flags := map[string]any{}
	if c.Cluster != "" {
		flags["cluster"] = c.Cluster
	}
	cfg, err := app.LoadConfig(c.Config, os.Environ(), flags)
	if err != nil {
		return err
	}
	plan, err := app.PlanCluster(ctx, cfg, app.Process{Err: os.Stderr})
	if err != nil {
		return err
	}
	due := false
	for _, part := range plan {
		if len(part.Steps) == 0 {
			fmt.Fprintf(out, "%s: nothing to do\n", part.Store)
		}
		for _, step := range part.Steps {
			due = true
			fmt.Fprintf(out, "%s: %s\n", part.Store, step)
		}
	}
	if c.Plan || !due {
		return nil
	}
	if err := app.MigrateCluster(ctx, cfg, app.Process{Err: os.Stderr}); err != nil {
		return err
	}
	fmt.Fprintln(out, "done")
	return nil
}
