package systemd_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"quipu/internal/systemd"
)

// environ is an environment of a test, with what was removed from it.
func environ(vars map[string]string) systemd.Environment {
	return systemd.Environment{
		Get:   func(name string) string { return vars[name] },
		Unset: func(name string) error { delete(vars, name); return nil },
		Pid:   func() int { return 42 },
	}
}

// manager listens as a service manager does; next returns the datagram that comes next.
func manager(t *testing.T, addr string) (next func() string) {
	t.Helper()
	ln, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: addr, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	return func() string {
		t.Helper()
		if err := ln.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4096)
		n, err := ln.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
}

// TestNotify sends every state to a socket in the file system and to one in the abstract name space.
func TestNotify(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{filepath.Join(t.TempDir(), "notify"), "@quipu-test-" + strconv.Itoa(os.Getpid())} {
		next := manager(t, addr)
		vars := map[string]string{"NOTIFY_SOCKET": addr, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "42", "HOME": "/"}
		n, err := systemd.NewNotifier(environ(vars))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"HOME": "/"}, vars); diff != "" {
			t.Errorf("variables that processes inherit (-want +got):\n%s", diff)
		}
		if got, want := n.Watchdog(), 3*time.Second; got != want {
			t.Errorf("watchdog: got %v, want %v", got, want)
		}
		ctx := t.Context()
		for _, tt := range []struct {
			send func() error
			want string
		}{
			{func() error { return n.Ready(ctx, "serves on\nhttp://[::1]:1") }, "READY=1\nSTATUS=serves on http://[::1]:1"},
			{func() error { return n.Alive(ctx) }, "WATCHDOG=1"},
			{func() error { return n.Stopping(ctx) }, "STOPPING=1"},
		} {
			if err := tt.send(); err != nil {
				t.Fatal(err)
			}
			if got := next(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		}
		var before unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &before); err != nil {
			t.Fatal(err)
		}
		if err := n.Reloading(ctx); err != nil {
			t.Fatal(err)
		}
		usec, ok := strings.CutPrefix(next(), "RELOADING=1\nMONOTONIC_USEC=")
		if us, err := strconv.ParseInt(usec, 10, 64); !ok || err != nil || us < before.Nano()/1000 {
			t.Errorf("reloading at %q, want at least %d", usec, before.Nano()/1000)
		}
	}
}

// TestNoManager has no variables, and unusable ones.
func TestNoManager(t *testing.T) {
	t.Parallel()
	n, err := systemd.NewNotifier(environ(map[string]string{}))
	if err != nil || n != nil {
		t.Fatalf("got %v, %v", n, err)
	}
	if err := n.Ready(t.Context(), "x"); err != nil || n.Watchdog() != 0 {
		t.Errorf("the nil notifier: %v, %v", err, n.Watchdog())
	}
	for _, vars := range []map[string]string{
		{"NOTIFY_SOCKET": "relative"},
		{"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "soon"},
		{"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "-1"},
	} {
		if _, err := systemd.NewNotifier(environ(vars)); err == nil {
			t.Errorf("%v: no error", vars)
		}
	}
	n, err = systemd.NewNotifier(environ(map[string]string{"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "43"}))
	if err != nil || n.Watchdog() != 0 {
		t.Errorf("the watchdog of another process: %v, %v", n.Watchdog(), err)
	}
	if err := n.Alive(t.Context()); err == nil {
		t.Error("a socket that is missing: no error")
	}
	for _, vars := range []map[string]string{{}, {"LISTEN_PID": "43", "LISTEN_FDS": "1"}} {
		if s, err := systemd.Sockets(environ(vars)); len(s) != 0 || err != nil {
			t.Errorf("%v: %v, %v", vars, s, err)
		}
	}
	for _, count := range []string{"", "x", "-1", "100000"} {
		if _, err := systemd.Sockets(environ(map[string]string{"LISTEN_PID": "42", "LISTEN_FDS": count})); err == nil {
			t.Errorf("LISTEN_FDS=%s: no error", count)
		}
	}
}

// asService in the environment makes the test binary serve on the sockets that it is handed.
const asService = "QUIPU_TEST_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(asService) != "" {
		os.Exit(serve())
	}
	os.Exit(m.Run())
}

// serve answers one request on each socket, with its name, and ends.
func serve() int {
	sockets, err := systemd.Sockets(systemd.Environment{Get: os.Getenv, Unset: os.Unsetenv, Pid: os.Getpid})
	if err != nil || os.Getenv("LISTEN_FDS") != "" {
		return 1
	}
	for _, s := range sockets {
		c, err := s.Listener.Accept()
		if err != nil {
			return 1
		}
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return 1
		}
		_, _ = io.WriteString(c, "HTTP/1.0 200 OK\r\n\r\n"+s.Name)
		_ = c.Close()
	}
	return 0
}

// TestSockets hands sockets of two kinds to a process, as a manager does.
func TestSockets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	un, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	un.SetUnlinkOnClose(false)
	var files []*os.File
	for _, ln := range []interface{ File() (*os.File, error) }{tcp, un} {
		f, err := ln.File()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if err := tcp.Close(); err != nil {
		t.Fatal(err)
	}
	if err := un.Close(); err != nil {
		t.Fatal(err)
	}
	// Only the process itself knows its number.
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `LISTEN_PID=$$ exec "$0"`, os.Args[0]) // this very binary
	cmd.Env = append(os.Environ(), asService+"=1", "LISTEN_FDS=2", "LISTEN_FDNAMES=web:metrics")
	cmd.ExtraFiles, cmd.Stderr = files, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ network, addr, want string }{{"tcp", tcp.Addr().String(), "web"}, {"unix", path, "metrics"}} {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, tt.network, tt.addr)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://quipu/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := (&http.Transport{DialContext: dial, DisableKeepAlives: true}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || string(b) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.network, b, err, tt.want)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the service removed the manager's socket: %v", err)
	}
}
