package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quipu/internal/app"
	"quipu/internal/verify"
)

type verifyCommand struct {
	settings
	Limit int `help:"Maximum number of differences to list; all are counted." default:"100"`
}

// errDiffers ends the command when something differs.
var errDiffers = errors.New("stored data differs from the rows")

// Run compares a data folder that no server uses.
func (c *verifyCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.Data); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	report, err := app.Verify(ctx, cfg, app.Process{Err: os.Stderr}, verify.Options{
		Limit: c.Limit, Progress: func(text string) { fmt.Fprintln(out, "verify", text) },
	})
	if report != nil {
		report.Write(out)
	}
	if err == nil && !report.OK() {
		err = errDiffers
	}
	return err
}
