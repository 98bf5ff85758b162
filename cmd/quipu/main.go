// Command quipu is the product-analytics server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"quipu/internal/app"
	"quipu/internal/memory"
	"quipu/internal/systemd"
)

// commandLine is what can be typed; doc strings are its help.
type commandLine struct {
	Serve    serveCommand         `cmd:"" help:"Run the server."`
	Config   configCommand        `cmd:"" help:"Check or print the configuration."`
	Admin    adminCommand         `cmd:"" help:"Manage administrators."`
	Token    tokenCommand         `cmd:"" help:"Manage auth tokens."`
	Bench    benchCommand         `cmd:"" help:"Measure the performance of a test server on this machine."`
	Noop     benchNoopCommand     `cmd:"" name:"bench-noop" hidden:"" help:"Serve a handler that does nothing, to compare with."`
	Backup   backupCommands       `cmd:"" help:"Back up a data folder while its server runs, or check a backup."`
	Restore  restoreCommand       `cmd:"" help:"Restore a data folder from a backup."`
	Rollback rollbackCommand      `cmd:"" help:"Restore the data from before an upgrade that changed its formats."`
	Migrate  migrateCommand       `cmd:"" help:"Create or migrate the stores of a cluster before its nodes start."`
	Move     moveCommand          `cmd:"" help:"Move a data folder to a cluster while its server runs."`
	Repair   repairCommand        `cmd:"" help:"Check all stores of a data folder and repair damage."`
	Verify   verifyCommand        `cmd:"" help:"Recompute everything from the event rows of a data folder, or of a backup, and compare."`
	Selftest selftestCommand      `cmd:"" help:"Prove on this machine, or on the servers of a cluster, that acknowledged data is neither lost nor counted twice."`
	Attack   attackCommand        `cmd:"" help:"Attack a test server and measure the effects on other clients."`
	Skewed   selftestServeCommand `cmd:"" name:"selftest-serve" hidden:"" help:"Serve with a clock that is off."`
	Apps     appsCommand          `cmd:"" help:"List or create apps of a running server."`
	Query    queryCommands        `cmd:"" help:"Read figures of a running server."`
	Tail     tailCommand          `cmd:"" help:"Follow the requests that an app of a running server records."`
	SQL      sqlWorkerCommand     `cmd:"" name:"sql-worker" hidden:"" help:"Run one statement of SQL for a server."`
	Symbols  symbolsCommand       `cmd:"" help:"Send symbol files to a server."`
	Describe describeCommand      `cmd:"" help:"Print modules, routes, permissions, configuration, topics and jobs."`
	Shell    completionCommand    `cmd:"" name:"completion" help:"Print a shell completion script."`
	Manual   manualCommand        `cmd:"" hidden:"" help:"Print the manual page."`
	Version  versionCommand       `cmd:"" help:"Print the version."`
}

// settings are the flags that say where the configuration comes from.
type settings struct {
	Config string `help:"Configuration file, YAML or JSON." env:"QUIPU_CONFIG" type:"path" placeholder:"FILE"`
	Data   string `help:"Data folder of the server (default ./data)." placeholder:"DIR"`
	Docs   string `help:"PostgreSQL database for the documents: members, apps, settings (default: a file in the data folder). Put passwords in QUIPU_DOCS or the configuration file instead." placeholder:"postgres://USER@HOST/DATABASE"`
}

func (s settings) flags() map[string]any {
	out := map[string]any{}
	if s.Data != "" {
		out["data"] = s.Data
	}
	if s.Docs != "" {
		out["docs"] = s.Docs
	}
	return out
}

type serveCommand struct {
	settings
	Listen   string   `help:"Address to listen on, or unix:PATH (default 127.0.0.1:8080)." placeholder:"HOST:PORT"`
	Memory   string   `help:"Memory limit of the process (default 1GiB)." placeholder:"SIZE"`
	Cluster  string   `help:"Cluster file with the addresses of the stores; the data folder then holds only logs and the secret key." placeholder:"FILE" type:"path"`
	Roles    []string `help:"Roles of this cluster node: ingest (accepts data from devices), work (projects it, runs jobs and tasks), read (dashboard, reports, management API); default all." placeholder:"ROLE,…"`
	LogLevel string   `help:"Minimum log level: debug, info, warn or error." placeholder:"LEVEL"`
	Profile  string   `name:"cpu-profile" hidden:"" help:"Write a CPU profile of the whole run to a file." type:"path"`
}

// config reads the configuration that the flags complete.
func (c *serveCommand) config() (app.Config, error) {
	flags := c.flags()
	for key, v := range map[string]string{"listen": c.Listen, "memory": c.Memory, "log.level": c.LogLevel, "cluster": c.Cluster} {
		if v != "" {
			flags[key] = v
		}
	}
	if c.Roles != nil {
		flags["roles"] = c.Roles
	}
	return app.LoadConfig(c.Config, os.Environ(), flags)
}

// Run serves until the process is asked to stop.
func (c *serveCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	env := systemd.Environment{Get: os.Getenv, Unset: os.Unsetenv, Pid: os.Getpid}
	manager, err := systemd.NewNotifier(env)
	if err != nil {
		return err
	}
	sockets, err := systemd.Sockets(env)
	if err != nil {
		return err
	}
	memory.Arrange()
	surviveFileLimits()
	cores := spare()
	return profiled(c.Profile, func() error {
		err := app.Serve(ctx, cfg, app.Process{
			Out: out, Err: os.Stderr, FirstAdmin: app.AdminFromEnviron(os.Getenv), Cores: cores, Reload: hangups(ctx, c.config),
			Manager: manager, Sockets: sockets, Program: sqlWorker(),
		})
		if ctx.Err() != nil && errors.Is(err, context.Canceled) { // it was stopped while it started
			return nil
		}
		return err
	})
}

// hangups passes on how to read the configuration each time the process is sent SIGHUP.
func hangups(ctx context.Context, load func() (app.Config, error)) <-chan func() (app.Config, error) {
	sent, out := make(chan os.Signal, 1), make(chan func() (app.Config, error))
	signal.Notify(sent, syscall.SIGHUP)
	go func() {
		defer signal.Stop(sent)
		for {
			select {
			case <-ctx.Done():
				return
			case <-sent:
			}
			select {
			case <-ctx.Done():
				return
			case out <- load:
			}
		}
	}()
	return out
}

// spareProcessors is how many processors more than there are Go has. A goroutine that waits for a sync of the journal keeps its processor, and the core would have nothing to do meanwhile;
// and one in the background keeps its own while the system lets another thread go first.
const spareProcessors = 3

// spare gives Go more processors than there are, unless GOMAXPROCS says otherwise, and returns how many there are.
func spare() (cores int) {
	cores = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(cores + spareProcessors)
	}
	return cores
}

type describeCommand struct {
	OpenAPI bool `name:"openapi" help:"Print the HTTP API as OpenAPI 3.1 instead."`
}

// Run prints the description.
func (c describeCommand) Run(out io.Writer) error {
	if c.OpenAPI {
		return app.DescribeAPI(out)
	}
	return app.Describe(out)
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, "quipu", app.Version())
	return err
}

func main() {
	syscall.Umask(0o077) // what the stores make is for the owner alone
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run parses and executes a command line and returns the exit status: 0 for
// success, 2 for an unusable command line, 1 for everything else.
func run(ctx context.Context, args []string, out, errw io.Writer) int {
	var cli commandLine
	exit := -1
	parser, err := kong.New(&cli, kong.Name("quipu"), kong.Description("Product analytics in one binary."),
		kong.Writers(out, errw), kong.Exit(func(code int) { exit = code }), kong.UsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(out, (*io.Writer)(nil)))
	if err != nil {
		fmt.Fprintln(errw, "quipu:", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if exit >= 0 { // --help was printed
		return exit
	}
	if err != nil {
		fmt.Fprintf(errw, "quipu: %v (see quipu --help)\n", err)
		return 2
	}
	err = command.Run()
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(errw, "quipu: interrupted before completion")
	default:
		fmt.Fprintln(errw, "quipu:", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return 1
}
