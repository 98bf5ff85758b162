package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"quipu/internal/app"
	"quipu/internal/selftest"
	"quipu/internal/selftest/cluster"
	"quipu/internal/selftest/relay"
)

// selftestCommand proves that nothing is lost on this machine, or in a cluster.
type selftestCommand struct {
	Cluster  string            `help:"Try a cluster on the servers that this file names, in databases and streams that are made for it and removed." placeholder:"FILE" type:"path"`
	Scenario []string          `help:"Run only these scenarios (may be repeated)." placeholder:"NAME"`
	Rounds   int               `help:"How often each does its harm (default: its own number); with --cluster, how many there are of all of them (default: each once)." placeholder:"N"`
	Nodes    int               `help:"With --cluster: how many nodes there are (default 3)." placeholder:"N"`
	Apps     int               `help:"With --cluster: how many apps they serve (default 24)." placeholder:"N"`
	Clients  int               `help:"With --cluster: how many clients send at a time (default 24)." placeholder:"N"`
	Requests int               `help:"With --cluster: how many requests are acknowledged at least (default 20000)." placeholder:"N"`
	Rate     int               `help:"With --cluster: how many requests a second are sent at most (default 1000)." placeholder:"N"`
	Server   map[string]string `help:"With --cluster: a command that stops and starts one of its servers, to which stop or start is added (may be repeated)." placeholder:"NAME=COMMAND" mapsep:"none"`
	Seed     uint64            `help:"Seed of load and harm (default: from the clock)." placeholder:"N"`
	Dir      string            `help:"Folder for the data folders (default: the system's for temporary files)." type:"path"`
	Short    bool              `help:"Fewer rounds and requests, for a run of less than a minute; with --cluster, shorter disturbances."`
	Keep     bool              `help:"Keep the data folders, and what was made on the servers of a cluster."`
	Verbose  bool              `help:"Show the log of the servers. Those of a cluster's nodes are in its folder."`
}

// Help lists the scenarios.
func (*selftestCommand) Help() string {
	return "The command starts \"quipu serve\" on folders of its own, sends numbered requests over loopback, does harm, and compares " +
		"rows, cells, profiles and outcomes with what was acknowledged.\n\n" + strings.Join(selftest.Scenarios(), "\n\n") +
		"\n\nWith --cluster it starts nodes on the servers of a cluster, through relays of its own in which it cuts and slows down connections, and sends requests of many apps to all of them. " +
		"At the end it also gives the same requests to a server with its own stores and compares all reports of all nodes. " +
		"The users that the file names need the right to make databases, streams or topics; nothing of the cluster's own is read or written. Its scenarios are:\n\n" +
		strings.Join(cluster.Disturbances(), "\n\n")
}

// Run runs the scenarios; the error says that something was lost.
func (c *selftestCommand) Run(ctx context.Context, out io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	seed := c.Seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) // any number will do
	}
	if c.Cluster != "" {
		var servers []cluster.Server
		for _, name := range slices.Sorted(maps.Keys(c.Server)) {
			servers = append(servers, cluster.Command(name, c.Server[name]))
		}
		_, err := cluster.Run(ctx, cluster.Options{
			Cluster: c.Cluster, Program: program, Dir: c.Dir, Nodes: c.Nodes, Apps: c.Apps, Clients: c.Clients, Requests: c.Requests, Rounds: c.Rounds, Rate: c.Rate,
			Faults: c.Scenario, Short: c.Short, Seed: seed, Servers: servers, Keep: c.Keep, Out: out, Now: time.Now,
		})
		return err
	}
	if c.Nodes != 0 || c.Apps != 0 || c.Clients != 0 || c.Requests != 0 || c.Rate != 0 || c.Server != nil {
		return errors.New("--nodes, --apps, --clients, --requests, --rate and --server are for --cluster")
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
