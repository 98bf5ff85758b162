// Package pgtest gives tests a PostgreSQL server of their own: Debian's package, started as a user without
// privileges on a socket in a temporary folder, and stopped when the tests of the package have ended.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// user is the superuser of the server, who needs no password.
const user = "quipu"

// Server is a running server.
type Server struct {
	dir, bin string
	port     int
	cmd      *exec.Cmd
	log      bytes.Buffer
	ended    chan struct{} // closed when the process has ended
	durable  bool
	serial   int
	mu       sync.Mutex
}

var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// errMissing says that the machine has no PostgreSQL.
var errMissing = errors.New("PostgreSQL is missing (apt-get install postgresql)")

// Main runs the tests of a package and stops the server if one of them started it. TestMain calls it.
func Main(m *testing.M) { os.Exit(Tests{m}.Run()) }

// Tests are those of a package, as Main runs them: for packages whose TestMain does more.
type Tests struct{ M *testing.M }

// Run runs the tests, stops the shared server, and returns the exit status.
func (t Tests) Run() int {
	code := t.M.Run()
	if s := shared.server; s != nil {
		if err := s.remove(); err != nil {
			fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
			code = max(code, 1)
		}
	}
	return code
}

// Shared returns the server of this package's tests, which the first call starts. Without PostgreSQL the test is
// skipped, or, where CI is set, fails. The package's TestMain has to call Main.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = start(false) })
	started(tb, shared.err)
	return shared.server
}

// Durable starts a server for a benchmark, with commits that are on the disk when they are answered, and stops it at the end of the test.
func Durable(tb testing.TB) *Server {
	tb.Helper()
	s, err := start(true)
	started(tb, err)
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func started(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case err == nil:
	case errors.Is(err, errMissing) && os.Getenv("CI") == "":
		tb.Skip("skipped:", err)
	default:
		tb.Fatal(err)
	}
}

// Database makes an empty database of encoding UTF8 and returns its address as postgres://….
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	s.mu.Lock()
	s.serial++
	name := "test" + strconv.Itoa(s.serial)
	s.mu.Unlock()
	s.SQL(tb, "postgres", "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'")
	return s.Address(name)
}

// Address is that of a database of the server, over loopback.
func (s *Server) Address(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(user), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)), Path: "/" + database}
	u.RawQuery = "sslmode=disable"
	return u.String()
}

// SQL runs statements in a database, as the superuser, and returns what they print.
func (s *Server) SQL(tb testing.TB, database, statements string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), filepath.Join(s.bin, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", s.Address(database), "-c", statements) // the test's own
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("psql: %v\n%s", err, out)
	}
	return string(bytes.TrimSpace(out))
}

// Restart stops the server at once, as a crash does, and starts it again on the same data and port.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	if err := errors.Join(s.stop(syscall.SIGQUIT), s.run()); err != nil {
		tb.Fatal(err)
	}
}

// Kill ends the server's first process without notice; the others notice and end, too.
func (s *Server) Kill() error { return s.stop(syscall.SIGKILL) }

// Again starts a server that was killed, on the same data and port. What is left of the earlier one may take a moment to end.
func (s *Server) Again() (err error) {
	for range 40 {
		if err = s.run(); err == nil {
			return nil
		}
		<-time.After(250 * time.Millisecond)
	}
	return err
}

// find returns the folder of the server's programs.
func find() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", err
	}
	slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) })
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			found = append(found, path)
		}
	}
	for _, path := range slices.Backward(found) {
		dir := filepath.Dir(path)
		complete := true
		for _, program := range []string{"initdb", "psql"} {
			if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
				complete = false
			}
		}
		if complete {
			return dir, nil
		}
	}
	return "", errMissing
}

func start(durable bool) (_ *Server, err error) {
	s := &Server{durable: durable}
	if s.bin, err = find(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "pgtest"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(s.dir))
		}
	}()
	if id, ok := unprivileged(); ok {
		if err := os.Chown(s.dir, int(id), -1); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(context.Background(), filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--data-checksums") // of the system
	s.own(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if s.port, err = need.Port(); err != nil {
		return nil, err
	}
	return s, s.run()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// own makes the process one of a user without privileges, because PostgreSQL refuses to run as root.
func (s *Server) own(cmd *exec.Cmd) {
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if id, ok := unprivileged(); ok {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: id, Gid: id}
	}
}

// unprivileged returns the user of the server when the tests run as root.
func unprivileged() (id uint32, ok bool) {
	const nobody = 65534
	return nobody, os.Getuid() == 0
}

// run starts the server and waits until it answers.
func (s *Server) run() error {
	fsync, buffers := "off", "32MB"
	if s.durable {
		fsync, buffers = "on", "256MB"
	}
	s.cmd = exec.CommandContext(context.Background(), filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(s.port), // of the system
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.dir, "-c", "fsync="+fsync, "-c", "max_connections=100", "-c", "shared_buffers="+buffers, "-c", "log_min_messages=fatal")
	s.own(s.cmd)
	s.log.Reset()
	s.cmd.Stderr = &s.log
	s.ended = make(chan struct{})
	if err := launch(s.cmd, s.ended); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	for range 600 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err := exec.CommandContext(ctx, filepath.Join(s.bin, "psql"), "-X", "-q", "-d", s.Address("postgres"), "-c", "SELECT 1").Run() // of the system
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("PostgreSQL ended: %s", &s.log)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.Join(errors.New("PostgreSQL does not answer"), s.stop(syscall.SIGQUIT))
}

// stop ends the server that run started.
func (s *Server) stop(signal syscall.Signal) error {
	if err := s.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(30 * time.Second):
		return errors.Join(errors.New("PostgreSQL does not stop"), s.cmd.Process.Kill())
	}
}

func (s *Server) remove() error {
	return errors.Join(s.stop(syscall.SIGINT), os.RemoveAll(s.dir))
}
