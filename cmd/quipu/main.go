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
)

// commandLine is what can be typed; doc strings are its help.
type commandLine struct {
	Serve    serveCommand         `cmd:"" help:"Run the server."`
	Admin    adminCommand         `cmd:"" help:"Manage administrators of a server that is not running."`
	Bench    benchCommand         `cmd:"" help:"Measure what this machine reaches with a server of its own."`
	Noop     benchNoopCommand     `cmd:"" name:"bench-noop" hidden:"" help:"Serve a handler that does nothing, to compare with."`
	Backup   backupCommand        `cmd:"" help:"Copy a data folder while its server runs."`
	Restore  restoreCommand       `cmd:"" help:"Make a data folder from a backup."`
	Repair   repairCommand        `cmd:"" help:"Check every store of a data folder and repair what is damaged."`
	Verify   verifyCommand        `cmd:"" help:"Recompute everything from the event rows of a data folder, or of a backup, and compare."`
	Selftest selftestCommand      `cmd:"" help:"Prove on this machine that nothing acknowledged is lost or counted twice."`
	Attack   attackCommand        `cmd:"" help:"Attack a server of its own and measure what others notice."`
	Skewed   selftestServeCommand `cmd:"" name:"selftest-serve" hidden:"" help:"Serve with a clock that is off."`
	Symbols  symbolsCommand       `cmd:"" help:"Send symbol files to a server."`
	Describe describeCommand      `cmd:"" help:"Print modules, routes, permissions, configuration, topics and jobs."`
	Version  versionCommand       `cmd:"" help:"Print the version."`
}

// settings are the flags that say where the configuration comes from.
type settings struct {
	Config string `help:"Configuration file, YAML or JSON." env:"QUIPU_CONFIG" type:"path" placeholder:"FILE"`
	Data   string `help:"Folder for everything the server keeps (default ./data)." placeholder:"DIR"`
	Docs   string `help:"PostgreSQL database for the documents: members, apps, settings (default: a file in the data folder). A password is better kept in QUIPU_DOCS or in the configuration file." placeholder:"postgres://USER@HOST/DATABASE"`
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
	Listen   string `help:"Address to listen on (default 127.0.0.1:8080)." placeholder:"HOST:PORT"`
	Memory   string `help:"Cap on the memory of the process (default 1GiB)." placeholder:"SIZE"`
	LogLevel string `help:"Least level that is logged: debug, info, warn or error." placeholder:"LEVEL"`
	Profile  string `name:"cpu-profile" hidden:"" help:"Write a CPU profile of the whole run to a file." type:"path"`
}

// config reads the configuration that the flags complete.
func (c *serveCommand) config() (app.Config, error) {
	flags := c.flags()
	for key, v := range map[string]string{"listen": c.Listen, "memory": c.Memory, "log.level": c.LogLevel} {
		if v != "" {
			flags[key] = v
		}
	}
	return app.LoadConfig(c.Config, os.Environ(), flags)
}

// Run serves until the process is asked to stop.
func (c *serveCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	memory.Arrange()
	surviveFileLimits()
	cores := spareProcessor()
	return profiled(c.Profile, func() error {
		return app.Serve(ctx, cfg, app.Process{
			Out: out, Err: os.Stderr, FirstAdmin: app.AdminFromEnviron(os.Getenv), Cores: cores, Reload: hangups(ctx, c.config),
		})
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

// spareProcessor gives Go one processor more than there are, unless GOMAXPROCS says otherwise,
// and returns how many there are: a goroutine that waits for a sync of the journal keeps its processor,
// and the core would have nothing to do meanwhile.
func spareProcessor() (cores int) {
	cores = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(cores + 1)
	}
	return cores
}

type adminCommand struct {
	Create           adminCreateCommand     `cmd:"" help:"Create a global administrator; the password is read from QUIPU_ADMIN_PASSWORD, the file that QUIPU_ADMIN_PASSWORD_FILE names, or standard input."`
	RotateKey        adminRotateCommand     `cmd:"" help:"Give a member another API key; the one before stops at once."`
	ReplaceSecretKey adminReplaceKeyCommand `cmd:"" help:"Make another secret key where that of a data folder is lost: all members get new API keys, all tokens and sessions end."`
}

type adminCreateCommand struct {
	settings
	Username string `required:"" help:"Name to sign in with."`
	Email    string `required:"" help:"E-mail address."`
	Name     string `help:"Full name (default: the user name)."`
}

// Run creates the administrator.
func (c *adminCreateCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	admin := app.AdminFromEnviron(os.Getenv)
	admin.Username, admin.Email, admin.FullName = c.Username, c.Email, c.Name
	if admin.Password == "" && admin.PasswordFile == "" {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, 1024))
		if err != nil {
			return fmt.Errorf("read password from standard input: %w", err)
		}
		admin.Password = strings.TrimRight(string(b), "\r\n")
	}
	key, err := app.CreateAdmin(ctx, cfg, admin)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "created global administrator %s, api_key %s\n", c.Username, key)
	return nil
}

type adminRotateCommand struct {
	settings
	Username string `required:"" help:"User name or e-mail address of the member."`
}

// Run rotates the key.
func (c *adminRotateCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	key, err := app.RotateKey(ctx, cfg, c.Username)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "new api_key of %s: %s\n", c.Username, key)
	return nil
}

type adminReplaceKeyCommand struct{ settings }

// Run replaces the secret key.
func (c *adminReplaceKeyCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	n, err := app.ReplaceSecretKey(ctx, cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "new secret key; %d members have new API keys, which they find on their account page or at /api-key\n", n)
	return nil
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
	if err := command.Run(); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(errw, "quipu:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}
