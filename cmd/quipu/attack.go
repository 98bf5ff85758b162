package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"quipu/internal/attack"
)

// attackCommand sends a server what hostile clients send.
type attackCommand struct {
	Scenario []string `help:"Run only these scenarios (may be repeated)." placeholder:"NAME"`
	Memory   string   `help:"Memory limit of the server, in MiB." default:"512MiB"`
	Dir      string   `help:"Folder for the data folders (default: the system's temporary folder)." type:"path"`
	Short    bool     `help:"Smaller attacks on one server, for a run of less than a minute."`
	Verbose  bool     `help:"Show the log of the servers."`
}

// Help lists the scenarios.
func (*attackCommand) Help() string {
	return "The command starts \"quipu serve\" on its own folders and attacks it over loopback, while a well-behaved client from another " +
		"address measures the effects. Checked are peak memory within the limit, no rejected request of that client, and acknowledged = " +
		"counted.\n\n" + strings.Join(attack.Scenarios(), "\n\n")
}

// Run runs the scenarios; the error says that the server did not withstand one.
func (c *attackCommand) Run(ctx context.Context, out io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	errw := io.Discard
	if c.Verbose {
		errw = os.Stderr
	}
	_, err = attack.Run(ctx, attack.Options{
		Program: program, Dir: c.Dir, Memory: c.Memory, Scenarios: c.Scenario, Short: c.Short, Out: out, Err: errw, Now: time.Now,
	})
	return err
}
