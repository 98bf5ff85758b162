// Package systemd speaks with the service manager that started the process: it sends states of the service (sd_notify) and takes over
// sockets that the manager listens on (socket activation). Without such a manager all of it does nothing.
package systemd

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Environment reads variables and removes those that concern this process alone, so that processes it starts do not inherit them. The fields
// are os.Getenv, os.Unsetenv and os.Getpid, or what a test puts there.
type Environment struct {
	Get   func(name string) string
	Unset func(name string) error
	Pid   func() int
}

// take returns a variable and removes it.
func (e Environment) take(name string) string {
	v := e.Get(name)
	_ = e.Unset(name) // fails for unusable names only
	return v
}

// Notifier sends states of the service. The nil Notifier sends nothing.
type Notifier struct {
	addr  string
	every time.Duration
}

// NewNotifier returns what NOTIFY_SOCKET and WATCHDOG_USEC ask for; nil where no manager listens.
func NewNotifier(env Environment) (*Notifier, error) {
	addr, usec, pid := env.take("NOTIFY_SOCKET"), env.take("WATCHDOG_USEC"), env.take("WATCHDOG_PID")
	if addr == "" {
		return nil, nil
	}
	if addr[0] != '/' && addr[0] != '@' {
		return nil, fmt.Errorf("NOTIFY_SOCKET: %q is not the path of a socket", addr)
	}
	n := &Notifier{addr: addr}
	if usec != "" && (pid == "" || pid == strconv.Itoa(env.Pid())) {
		us, err := strconv.ParseInt(usec, 10, 64)
		if err != nil || us <= 0 {
			return nil, fmt.Errorf("WATCHDOG_USEC: %q is not a number of microseconds", usec)
		}
		n.every = time.Duration(us) * time.Microsecond
	}
	return n, nil
}

// Watchdog is how long the manager waits for a sign of life; 0 = it waits for none.
func (n *Notifier) Watchdog() time.Duration {
	if n == nil {
		return 0
	}
	return n.every
}

// Ready says that the service works, or works again after a reload, with a line for people.
func (n *Notifier) Ready(ctx context.Context, status string) error {
	return n.send(ctx, "READY=1", "STATUS="+oneLine(status))
}

// Reloading says that the service reads its configuration; Ready ends it.
func (n *Notifier) Reloading(ctx context.Context) error {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return fmt.Errorf("read the monotonic clock: %w", err)
	}
	return n.send(ctx, "RELOADING=1", "MONOTONIC_USEC="+strconv.FormatInt(now.Nano()/1000, 10))
}

// Stopping says that the service ends.
func (n *Notifier) Stopping(ctx context.Context) error { return n.send(ctx, "STOPPING=1") }

// Alive is the sign of life for the watchdog.
func (n *Notifier) Alive(ctx context.Context) error { return n.send(ctx, "WATCHDOG=1") }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// send sends assignments in one datagram.
func (n *Notifier) send(ctx context.Context, states ...string) error {
	if n == nil {
		return nil
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unixgram", n.addr)
	if err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	_, err = conn.Write([]byte(strings.Join(states, "\n")))
	if cerr := conn.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	return nil
}
