package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"quipu/internal/app"
	"quipu/internal/selftest"
	"quipu/internal/selftest/relay"
)

// selftestCommand proves that nothing is lost on this machine.
type selftestCommand struct {
	Scenario []string `help:"Run only these scenarios (may be repeated)." placeholder:"NAME"`
	Rounds   int      `help:"How often each does its harm (default: its own number)." placeholder:"N"`
	Seed     uint64   `help:"Seed of load and harm (default: from the clock)." placeholder:"N"`
	Dir      string   `help:"Folder for the data folders (default: the system's for temporary files)." type:"path"`
	Short    bool     `help:"Fewer rounds, for a run of less than a minute."`
	Keep     bool     `help:"Keep the data folders."`
	Verbose  bool     `help:"Show the log of the servers."`
}

// Help lists the scenarios.
func (*selftestCommand) Help() string {
	return "The command starts \"quipu serve\" on folders of its own, sends numbered requests over loopback, does harm, and compares " +
		"rows, cells, profiles and outcomes with what was acknowledged.\n\n" + strings.Join(selftest.Scenarios(), "\n\n")
}

// Run runs the scenarios; the error says that something was lost.
func (c *selftestCommand) Run(ctx context.Context, out io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	seed := c.Seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) //nolint:gosec // any number will do
	}
	errw := io.Discard
	if c.Verbose {
		errw = os.Stderr
	}
	_, err = selftest.Run(ctx, selftest.Options{
		Program: program, Dir: c.Dir, Scenarios: c.Scenario, Rounds: c.Rounds, Short: c.Short, Seed: seed, Keep: c.Keep,
		Out: out, Err: errw, Now: time.Now,
	})
	return err
}

// selftestServeCommand is serve with a clock that is off.
type selftestServeCommand struct {
	serveCommand
	Clock   string            `required:"" help:"File with the milliseconds by which the clock is off." type:"path"`
	Through map[string]string `help:"Relays through which engines of a cluster are reached." placeholder:"ENGINE=HOST:PORT"`
}

// Run serves until the process is asked to stop.
func (c *selftestServeCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	return app.Serve(ctx, cfg, app.Process{
		Out: out, Err: os.Stderr, FirstAdmin: app.AdminFromEnviron(os.Getenv), Now: selftest.Clock(ctx, c.Clock, time.Now), Dial: c.dial(),
	})
}

// dial leads connections to engines through relays.
func (c *selftestServeCommand) dial() func(app.Engine) app.Dial {
	if len(c.Through) == 0 {
		return nil
	}
	return func(e app.Engine) app.Dial {
		if at := c.Through[string(e)]; at != "" {
			return relay.Dial(at)
		}
		return nil
	}
}

// surviveFileLimits makes a write beyond the limit on the size of files an
// error like any other: by default the signal ends the process.
func surviveFileLimits() { signal.Ignore(syscall.SIGXFSZ) }
