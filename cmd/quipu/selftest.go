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
	Cluster  string            `help:"Test a cluster on the servers named in this file, in databases and streams that are created for the test and removed afterwards." placeholder:"FILE" type:"path"`
	Scenario []string          `help:"Run only these scenarios (may be repeated)." placeholder:"NAME"`
	Rounds   int               `help:"Number of disruptions of each scenario (default: set by the scenario); with --cluster, total number of scenarios (default: each once)." placeholder:"N"`
	Nodes    int               `help:"With --cluster: number of nodes (default 3)." placeholder:"N"`
	Apps     int               `help:"With --cluster: number of apps (default 24)." placeholder:"N"`
	Clients  int               `help:"With --cluster: number of concurrent clients (default 24)." placeholder:"N"`
	Requests int               `help:"With --cluster: minimum number of acknowledged requests (default 20000)." placeholder:"N"`
	Rate     int               `help:"With --cluster: maximum requests per second (default 1000)." placeholder:"N"`
	Server   map[string]string `help:"With --cluster: command that stops or starts a server, called with stop or start appended (may be repeated)." placeholder:"NAME=COMMAND" mapsep:"none"`
	Seed     uint64            `help:"Seed of the load and disruptions (default: from the clock)." placeholder:"N"`
	Dir      string            `help:"Folder for the data folders (default: the system's temporary folder)." type:"path"`
	Short    bool              `help:"Fewer rounds and requests, for a run of less than a minute; with --cluster, shorter disturbances."`
	Keep     bool              `help:"Keep the data folders, and everything created on the servers of a cluster."`
	Verbose  bool              `help:"Show the server logs. Logs of cluster nodes are in their folder."`
}

// Help lists the scenarios.
func (*selftestCommand) Help() string {
	return "The command starts \"quipu serve\" on its own folders, sends numbered requests over loopback, causes disruptions, and compares " +
		"rows, cells, profiles and outcomes with the acknowledged requests.\n\n" + strings.Join(selftest.Scenarios(), "\n\n") +
		"\n\nWith --cluster it starts nodes on the servers of a cluster, through relays that cut and slow down connections, and sends requests of many apps to all nodes. " +
		"At the end it also sends the same requests to a single server and compares all reports of all nodes. " +
		"The users named in the file need the right to create databases, streams or topics; the cluster's own data is neither read nor written. Its scenarios are:\n\n" +
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
