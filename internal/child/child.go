// Package child runs servers as child processes on loopback, for commands that try a whole server.
package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The first administrator of a server under test, which listens on loopback only.
const (
	AdminUser     = "selftest"
	AdminPassword = "Selftest-passw0rd"
)

// Options say what is run.
type Options struct {
	// Program is the server's executable and Env what its environment has beside this process's.
	Program string
	Env     []string
	// Memory is the cap of the server.
	Memory string
	// Err gets the log of the servers.
	Err io.Writer
}

// StartLimit bounds how long a server may take to start or to end.
const StartLimit = 60 * time.Second

// Process is a server process.
type Process struct {
	Cmd  *exec.Cmd
	URL  string
	Log  *Tail
	Done chan struct{} // closed when it has ended
	err  error         // of its end
}

// At returns what speaks to a server that runs in this process.
func At(url string) *Process { return &Process{URL: url, Log: &Tail{}, Done: make(chan struct{})} }

// Tail keeps the end of what a child logs, and passes all of it on.
type Tail struct {
	mu sync.Mutex
	b  bytes.Buffer
	to io.Writer
}

// Write appends to the log.
func (l *Tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const most = 64 << 10
	if l.b.Len()+len(p) > most {
		l.b.Next(l.b.Len() / 2)
	}
	l.b.Write(p)
	if l.to != nil {
		_, _ = l.to.Write(p) // the log of a test run is not worth a failure
	}
	return len(p), nil
}

// String returns the end of the log.
func (l *Tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// OwnGroup starts a process in a process group of its own, so that an interrupt at the terminal does not reach it: the parent stops it.
func OwnGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// Spawn starts the program without waiting for anything.
func (o Options) Spawn(ctx context.Context, env []string, args ...string) (*Process, *bufio.Reader, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), o.Program, args...) // this very binary
	cmd.Env = append(append(append(os.Environ(), o.Env...),
		"QUIPU_ADMIN_USERNAME="+AdminUser, "QUIPU_ADMIN_PASSWORD="+AdminPassword,
		"QUIPU_ADMIN_EMAIL=selftest@example.org", "QUIPU_ADMIN_NAME=Selftest", "QUIPU_INGEST_DISK_RESERVE=0"), env...)
	c := &Process{Cmd: cmd, Log: &Tail{to: o.Err}, Done: make(chan struct{})}
	cmd.Stderr = c.Log
	cmd.SysProcAttr = OwnGroup()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, fmt.Errorf("start server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start server: %w", err)
	}
	return c, bufio.NewReader(out), nil
}

// Serve starts a server on a folder and waits until it listens.
func (o Options) Serve(ctx context.Context, data string, env []string, args ...string) (*Process, error) {
	if len(args) == 0 {
		args = []string{"serve"}
	}
	args = append(args, "--data", data, "--listen", "127.0.0.1:0", "--memory", o.Memory, "--log-level", "warn")
	c, lines, err := o.Spawn(ctx, env, args...)
	if err != nil {
		return nil, err
	}
	first := make(chan string, 1)
	go func() {
		line, _ := lines.ReadString('\n') // an empty line says enough
		first <- line
		_, _ = io.Copy(io.Discard, lines) // nothing else it prints matters
		c.err = c.Cmd.Wait()
		close(c.Done)
	}()
	limit := time.NewTimer(StartLimit)
	defer limit.Stop()
	select {
	case line := <-first:
		_, rest, ok := strings.Cut(strings.TrimSpace(line), "serves on ")
		if !ok {
			<-c.Done
			return nil, fmt.Errorf("the server does not start: %w: %s", errors.Join(c.err), strings.TrimSpace(c.Log.String()))
		}
		c.URL, _, _ = strings.Cut(rest, ",")
		return c, nil
	case <-limit.C:
		return nil, errors.Join(fmt.Errorf("the server does not start within %v", StartLimit), c.Kill())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), c.Kill())
	}
}

// Kill ends the process at once.
func (c *Process) Kill() error {
	select {
	case <-c.Done:
		return nil
	default:
	}
	if err := c.Cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill server: %w", err)
	}
	<-c.Done
	return nil
}

// Stop ends the process gracefully; the error is that of its exit status.
func (c *Process) Stop() error {
	if err := c.Cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop server: %w", err)
	}
	limit := time.NewTimer(StartLimit)
	defer limit.Stop()
	select {
	case <-c.Done:
	case <-limit.C:
		return errors.Join(fmt.Errorf("the server does not end within %v", StartLimit), c.Kill())
	}
	if c.err != nil {
		return fmt.Errorf("the server ended badly: %w: %s", c.err, strings.TrimSpace(c.Log.String()))
	}
	return nil
}

// Admin sends a request of the administrator and returns the body; any status
// but 200 is an error.
func (c *Process) Admin(ctx context.Context, path string, values url.Values) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+path+"?"+values.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", path, err)
	}
	if path == "/api-key" {
		req.SetBasicAuth(AdminUser, AdminPassword)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", path, err)
	}
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("read answer of %s: %w", path, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d: %.200s", path, res.StatusCode, body)
	}
	return body, nil
}

// Target is an app that a load goes to, with the administrator's key.
type Target struct{ APIKey, ID, Key string }

// Target makes the app.
func (c *Process) Target(ctx context.Context) (Target, error) {
	key, err := c.Admin(ctx, "/api-key", nil)
	if err != nil {
		return Target{}, err
	}
	t := Target{APIKey: string(key)}
	body, err := c.Admin(ctx, "/i/apps/create", url.Values{
		"api_key": {t.APIKey}, "args": {`{"name":"Selftest","timezone":"Europe/Berlin","country":"DE"}`},
	})
	if err != nil {
		return Target{}, err
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Key == "" {
		return Target{}, fmt.Errorf("create app: %.200s", body)
	}
	t.ID, t.Key = made.ID, made.Key
	return t, nil
}

// Drain waits until everything accepted is projected.
func (c *Process) Drain(ctx context.Context, t Target) error {
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	// Updates of users that a filter chooses wait for what was accepted before; one by a plain device id alone would not. This one finds nobody.
	_, err := c.Admin(ctx, "/i/app_users/update", url.Values{
		"api_key": {t.APIKey}, "app_id": {t.ID}, "query": {`{"did":{"$in":["nobody"]}}`}, "update": {`{"name":"x"}`},
	})
	if err != nil && !strings.Contains(err.Error(), "status 4") {
		return fmt.Errorf("wait until everything is projected: %w", err)
	}
	return nil
}

// Memory returns a line of the process's status in bytes: VmRSS now, VmHWM at most; 0 where the system does
// not tell.
func (c *Process) Memory(field string) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(c.Cmd.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), field+":")
	var kib int64
	_, _ = fmt.Sscan(rest, &kib) // 0 where there is none
	return kib << 10
}
