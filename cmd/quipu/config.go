package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
)

// configCommand looks at the configuration.
type configCommand struct {
	Check configCheckCommand `cmd:"" help:"Check the configuration, and the files and addresses it names, without changing anything."`
	Show  configShowCommand  `cmd:"" help:"Print the effective configuration, without secrets."`
}

type configCheckCommand struct{ settings }

// Run checks the configuration. It may be run beside the server, before SIGHUP or a restart.
func (c *configCheckCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	if err := app.CheckConfig(ctx, cfg); err != nil {
		return err
	}
	fmt.Fprintln(out, "the configuration is valid; settings that differ from the defaults:")
	return app.WriteConfig(out, cfg, false)
}

type configShowCommand struct{ settings }

// Run prints the configuration.
func (c *configShowCommand) Run(out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	return app.WriteConfig(out, cfg, true)
}
