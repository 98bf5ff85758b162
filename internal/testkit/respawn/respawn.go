// Package respawn runs servers of tests as processes of their own: the program of the tests, started again. Such a server can be killed, and started again on what it left on
// the disk, as one that a test has in its own process cannot.
package respawn

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// variable names the server that the process is to be, and what it is started with.
const (
	variable = "QUIPU_TEST_SERVER"
	ready    = "ready"
	startFor = 90 * time.Second
)

// Server starts a server in this process, which then serves until it is killed. tb stands for a test that never ends: a failure ends the process.
type Server func(tb testing.TB, spec []byte)

// Main is the server that the environment names, and does not return then. TestMain calls it first.
func Main(servers map[string]Server) {
	name, spec, ok := strings.Cut(os.Getenv(variable), " ")
	if !ok {
		return
	}
	servers[name](&process{}, []byte(spec))
	fmt.Fprintln(os.Stdout, ready)
	_, _ = io.Copy(io.Discard, os.Stdin) // the test holds the other end: when it is gone, however it ended, so is this
	os.Exit(0)
}

// process is a test that never ends, for what wants one to start a server.
type process struct{ testing.TB }

func (*process) Helper()                  {}
func (*process) Cleanup(func())           {}
func (*process) Context() context.Context { return context.Background() }

func (*process) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

func (p *process) Fatalf(format string, args ...any) { p.Fatal(fmt.Sprintf(format, args...)) }
func (p *process) Skipf(format string, args ...any)  { p.Fatal(fmt.Sprintf(format, args...)) }
func (p *process) Errorf(format string, args ...any) { p.Fatal(fmt.Sprintf(format, args...)) }
func (p *process) Error(args ...any)                 { p.Fatal(args...) }

// TempDir returns a folder that stays.
func (p *process) TempDir() string {
	dir, err := os.MkdirTemp("", "respawn")
	if err != nil {
		p.Fatal(err)
	}
	return dir
}

// Process is a server that can be killed.
type Process struct {
	name string
	spec []byte
	cmd  *exec.Cmd
	in   io.WriteCloser
}

// Start starts a server of Main, which the end of the test kills.
func Start(tb testing.TB, name string, spec any) *Process {
	tb.Helper()
	text, err := json.Marshal(spec)
	if err != nil {
		tb.Fatal(err)
	}
	p := &Process{name: name, spec: text}
	tb.Cleanup(func() { _ = p.Kill() })
	if err := p.Run(); err != nil {
		tb.Fatal(err)
	}
	return p
}

// Run starts the server again, on what it left, and waits until it serves.
func (p *Process) Run() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program) //nolint:noctx // the test itself; it ends by a signal
	cmd.Env = append(os.Environ(), variable+"="+p.name+" "+string(p.spec))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if lines.Text() == ready {
				said <- ready
			}
		}
		close(said)
	}()
	select {
	case line := <-said:
		if line == ready {
			return nil
		}
		return errors.Join(fmt.Errorf("%s does not start", p.name), p.Kill())
	case <-time.After(startFor):
		return errors.Join(fmt.Errorf("%s does not start within %v", p.name, startFor), p.Kill())
	}
}

// Kill ends the server without notice.
func (p *Process) Kill() error {
	if p.cmd == nil {
		return nil
	}
	err := p.cmd.Process.Signal(syscall.SIGKILL)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	_ = p.cmd.Wait() // it was killed
	p.cmd = nil
	return err
}

// Pid is that of the process that runs.
func (p *Process) Pid() int { return p.cmd.Process.Pid }
