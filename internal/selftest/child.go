package selftest

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
	"strings"
	"sync"
	"syscall"
	"time"
)

// The first administrator of a server under test, which listens on loopback only.
const (
	adminUser     = "selftest"
	adminPassword = "Selftest-passw0rd"
)

// startLimit bounds how long a server may take to start or to end.
const startLimit = 60 * time.Second

// child is a server process.
type child struct {
	cmd  *exec.Cmd
	url  string
	log  *tail
	done chan struct{} // closed when it has ended
	err  error         // of its end
}

// tail keeps the end of what a child logs, and passes all of it on.
type tail struct {
	mu sync.Mutex
	b  bytes.Buffer
	to io.Writer
}

// Write appends to the log.
func (l *tail) Write(p []byte) (int, error) {
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
func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// spawn starts the program without waiting for anything.
func (o *Options) spawn(ctx context.Context, env []string, args ...string) (*child, *bufio.Reader, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), o.Program, args...) //nolint:gosec // this very binary
	cmd.Env = append(append(append(os.Environ(), o.Env...),
		"QUIPU_ADMIN_USERNAME="+adminUser, "QUIPU_ADMIN_PASSWORD="+adminPassword,
		"QUIPU_ADMIN_EMAIL=selftest@example.org", "QUIPU_ADMIN_NAME=Selftest", "QUIPU_INGEST_DISK_RESERVE=0"), env...)
	c := &child{cmd: cmd, log: &tail{to: o.Err}, done: make(chan struct{})}
	cmd.Stderr = c.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, fmt.Errorf("start server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start server: %w", err)
	}
	return c, bufio.NewReader(out), nil
}

// serve starts a server on a folder and waits until it listens.
func (o *Options) serve(ctx context.Context, data string, env []string, args ...string) (*child, error) {
	if len(args) == 0 {
		args = []string{"serve"}
	}
	args = append(args, "--data", data, "--listen", "127.0.0.1:0", "--memory", "256MiB", "--log-level", "warn")
	c, lines, err := o.spawn(ctx, env, args...)
	if err != nil {
		return nil, err
	}
	first := make(chan string, 1)
	go func() {
		line, _ := lines.ReadString('\n') // an empty line says enough
		first <- line
		_, _ = io.Copy(io.Discard, lines) // nothing else it prints matters
		c.err = c.cmd.Wait()
		close(c.done)
	}()
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	select {
	case line := <-first:
		_, rest, ok := strings.Cut(strings.TrimSpace(line), "serves on ")
		if !ok {
			<-c.done
			return nil, fmt.Errorf("the server does not start: %w: %s", errors.Join(c.err), strings.TrimSpace(c.log.String()))
		}
		c.url, _, _ = strings.Cut(rest, ",")
		return c, nil
	case <-limit.C:
		return nil, errors.Join(fmt.Errorf("the server does not start within %v", startLimit), c.kill())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), c.kill())
	}
}

// kill ends the process at once.
func (c *child) kill() error {
	select {
	case <-c.done:
		return nil
	default:
	}
	if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill server: %w", err)
	}
	<-c.done
	return nil
}

// stop ends the process gracefully; the error is that of its exit status.
func (c *child) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop server: %w", err)
	}
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	select {
	case <-c.done:
	case <-limit.C:
		return errors.Join(fmt.Errorf("the server does not end within %v", startLimit), c.kill())
	}
	if c.err != nil {
		return fmt.Errorf("the server ended badly: %w: %s", c.err, strings.TrimSpace(c.log.String()))
	}
	return nil
}

// admin sends a request of the administrator and returns the body; any status
// but 200 is an error.
func (c *child) admin(ctx context.Context, path string, values url.Values) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path+"?"+values.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", path, err)
	}
	if path == "/api-key" {
		req.SetBasicAuth(adminUser, adminPassword)
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

// target is the app that the load goes to.
type target struct{ apiKey, id, key string }

// target makes the app.
func (c *child) target(ctx context.Context) (target, error) {
	key, err := c.admin(ctx, "/api-key", nil)
	if err != nil {
		return target{}, err
	}
	t := target{apiKey: string(key)}
	body, err := c.admin(ctx, "/i/apps/create", url.Values{
		"api_key": {t.apiKey}, "args": {`{"name":"Selftest","timezone":"Europe/Berlin","country":"DE"}`},
	})
	if err != nil {
		return target{}, err
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Key == "" {
		return target{}, fmt.Errorf("create app: %.200s", body)
	}
	t.id, t.key = made.ID, made.Key
	return t, nil
}

// drain waits until everything accepted is projected.
func (c *child) drain(ctx context.Context, t target) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	// Updates of users wait for what was accepted before; this one finds nobody.
	_, err := c.admin(ctx, "/i/app_users/update", url.Values{
		"api_key": {t.apiKey}, "app_id": {t.id}, "query": {`{"did":"nobody"}`}, "update": {`{"name":"x"}`},
	})
	if err != nil && !strings.Contains(err.Error(), "status 4") {
		return fmt.Errorf("wait until everything is projected: %w", err)
	}
	return nil
}
