package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quipu/internal/child"
)

// The first administrator of a server under measurement, which listens on
// loopback only.
const (
	adminUser     = "bench"
	adminPassword = "Bench-passw0rd"
)

// process is a child on loopback that printed its address.
type process struct {
	cmd  *exec.Cmd
	url  string
	done chan error
	// ended says that it was killed.
	ended bool
	// ready is how long it took from the start to the answer of the first request.
	ready time.Duration
}

// spawn starts the program with arguments and waits for the line that says where it serves.
func spawn(ctx context.Context, o *Options, env []string, args ...string) (*process, error) {
	began := o.Now()
	cmd := exec.CommandContext(ctx, o.Program, args...) // this very binary
	cmd.Env = append(append(os.Environ(), o.Env...), env...)
	cmd.SysProcAttr = child.OwnGroup()
	cmd.Stderr = o.Err
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	p := &process{cmd: cmd, done: make(chan error, 1)}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	_, rest, ok := strings.Cut(strings.TrimSpace(line), "serves on ")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("%s did not start: %q", args[0], line), err, cmd.Process.Kill(), cmd.Wait())
	}
	p.url, _, _ = strings.Cut(rest, ",")
	go func() {
		_, _ = io.Copy(io.Discard, lines) // nothing else it prints matters
		p.done <- cmd.Wait()
	}()
	if _, _, err := p.ask(ctx, "/", nil); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	p.ready = o.Now().Sub(began)
	return p, nil
}

// stop ends the process gracefully.
func (p *process) stop() error {
	if p.ended {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop process: %w", err)
	}
	if err := <-p.done; err != nil {
		return fmt.Errorf("process ended: %w", err)
	}
	return nil
}

// get sends a GET and returns the body; any status but 200 is an error.
func (p *process) get(ctx context.Context, path string, values url.Values) ([]byte, error) {
	status, body, err := p.ask(ctx, path, values)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %.200s", path, status, body)
	}
	return body, err
}

// ask sends a GET and returns status and body.
func (p *process) ask(ctx context.Context, path string, values url.Values) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path+"?"+values.Encode(), nil)
	if err != nil {
		return 0, nil, fmt.Errorf("request %s: %w", path, err)
	}
	if path == "/api-key" {
		req.SetBasicAuth(adminUser, adminPassword)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, nil, fmt.Errorf("request %s: %w", path, err)
	}
	body, err = io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return 0, nil, fmt.Errorf("read answer of %s: %w", path, err)
	}
	return res.StatusCode, body, nil
}

// cpu returns the processor time the process has used; 0 where the system does
// not tell.
func (p *process) cpu() time.Duration { return cpuOf(strconv.Itoa(p.cmd.Process.Pid)) }

// cpuOf is cpu of a process by its number, or of this one as "self".
func cpuOf(pid string) time.Duration {
	f := statOf("/proc/" + pid + "/stat")
	if len(f) < 13 {
		return 0
	}
	return ticks(f[11:13])
}

// statOf reads what the system says of a process, behind its name.
func statOf(path string) []string {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])) // the name may hold anything
}

// ticks is a sum of times as the system counts them.
func ticks(fields []string) (sum time.Duration) {
	const tick = time.Second / 100
	for _, f := range fields {
		n, _ := strconv.ParseInt(f, 10, 64) // it writes nothing else
		sum += time.Duration(n) * tick
	}
	return sum
}

// memory returns a line of the process's status in bytes: VmRSS now, VmHWM at most.
func (p *process) memory(field string) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), field+":")
	var kib int64
	_, _ = fmt.Sscan(rest, &kib) // 0 where there is none
	return kib << 10
}

// server is `quipu serve` on a folder, with one app.
type server struct {
	*process
	dir    string
	apiKey string
	app    app
}

// app is an app of the server.
type app struct{ ID, Key string }

// socket is where a server on a folder says how it is, beside the folder.
func socket(dir string) string { return dir + ".metrics" }

// serve starts a server on a folder, by a command, with more in its environment; suffix tells apart the profiles of several.
func serve(ctx context.Context, o *Options, dir string, env []string, suffix string, command ...string) (*server, error) {
	args := append(command, "--data", dir, "--listen", "127.0.0.1:0", "--memory", o.Memory, "--log-level", "warn")
	if o.Profile != "" {
		args = append(args, "--cpu-profile", o.Profile+suffix)
	}
	p, err := spawn(ctx, o, append(env, "QUIPU_METRICS_LISTEN=unix:"+socket(dir),
		"QUIPU_ADMIN_USERNAME="+adminUser, "QUIPU_ADMIN_PASSWORD="+adminPassword,
		"QUIPU_ADMIN_EMAIL=bench@example.org", "QUIPU_ADMIN_NAME=Bench",
	), args...)
	if err != nil {
		return nil, err
	}
	return &server{process: p, dir: dir}, nil
}

// signIn fetches the administrator's key, which all other calls need.
func (s *server) signIn(ctx context.Context) error {
	key, err := s.get(ctx, "/api-key", nil)
	s.apiKey = string(key)
	return err
}

// outbox is how many event rows wait for the event store.
func (s *server) outbox(ctx context.Context) (rows int64, err error) {
	text, err := s.metrics(ctx)
	if err != nil {
		return 0, err
	}
	figure, ok := metric(text, "quipu_outbox_rows")
	if !ok {
		return 0, fmt.Errorf("metrics: there is no outbox_rows: %.200s", text)
	}
	return int64(figure), nil
}

// metrics returns the server's metrics as text.
func (s *server) metrics(ctx context.Context) (string, error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket(s.dir))
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://bench/metrics", nil)
	if err != nil {
		return "", fmt.Errorf("metrics: %w", err)
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return "", fmt.Errorf("metrics: %w", err)
	}
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return "", fmt.Errorf("metrics: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("metrics: status %s", res.Status)
	}
	return string(body), nil
}

// metric finds a series, with its labels, in a text of metrics.
func metric(text, series string) (figure float64, ok bool) {
	_, rest, ok := strings.Cut(text, "\n"+series+" ")
	line, _, _ := strings.Cut(rest, "\n")
	figure, err := strconv.ParseFloat(line, 64)
	return figure, ok && err == nil
}

// parts says what the parts of the state take on disk for each of a number of events, those with less than 0.05 B left out.
func (s *server) parts(ctx context.Context, events int64) (string, error) {
	text, err := s.metrics(ctx)
	if err != nil {
		return "", err
	}
	var out []string
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, `quipu_state_bytes{part="`)
		if !ok {
			continue
		}
		part, figure, _ := strings.Cut(rest, `"} `)
		bytes, err := strconv.ParseFloat(strings.TrimSpace(figure), 64)
		if err != nil || bytes < 0 {
			return "", fmt.Errorf("metrics: the size of %s is %q", part, figure)
		}
		if each := bytes / float64(events); each >= 0.05 {
			out = append(out, fmt.Sprintf("%s %.1f", part, each))
		}
	}
	return strings.Join(out, ", ") + " B", nil
}

// createApp makes an app.
func (s *server) createApp(ctx context.Context, name string) (app, error) {
	args, err := json.Marshal(map[string]string{"name": name, "timezone": "Etc/UTC", "country": "DE"})
	if err != nil {
		return app{}, fmt.Errorf("create app: %w", err)
	}
	body, err := s.get(ctx, "/i/apps/create", url.Values{"api_key": {s.apiKey}, "args": {string(args)}})
	if err != nil {
		return app{}, err
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Key == "" {
		return app{}, fmt.Errorf("create app: %.200s", body)
	}
	return app(made), nil
}

// fresh starts a server on a new folder and makes its app.
func fresh(ctx context.Context, o *Options) (*server, error) {
	dir, err := os.MkdirTemp(o.Dir, "quipu-bench-")
	if err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	s, err := serve(ctx, o, filepath.Join(dir, "data"), nil, "", "serve")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err = s.signIn(ctx); err == nil {
		s.app, err = s.createApp(ctx, "Bench")
	}
	if err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}

// again starts a server on the folder of one that was stopped. Nobody has signed in.
func (s *server) again(ctx context.Context, o *Options) (*server, error) {
	next, err := serve(ctx, o, s.dir, nil, "", "serve")
	if err != nil {
		return nil, err
	}
	next.app = s.app
	return next, nil
}

// discard stops the server and removes its folder.
func (s *server) discard() error { return errors.Join(s.stop(), s.remove()) }

func (s *server) remove() error {
	if err := os.RemoveAll(filepath.Dir(s.dir)); err != nil {
		return fmt.Errorf("remove data folder: %w", err)
	}
	return nil
}

// outcomes are the counts of an app by item and outcome.
type outcomes map[string]map[string]int64

// outcomes reads what became of what the app received.
func (s *server) outcomes(ctx context.Context, a app) (outcomes, error) {
	const path = "/o/ingest/outcomes"
	status, body, err := s.ask(ctx, path, url.Values{"api_key": {s.apiKey}, "app_id": {a.ID}, "period": {"60days"}})
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusServiceUnavailable:
		return nil, fmt.Errorf("%s: %w: %.200s", path, errBusy, body)
	case status != http.StatusOK:
		return nil, fmt.Errorf("%s: status %d: %.200s", path, status, body)
	}
	var answer struct{ Totals outcomes }
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("outcomes: %w: %.200s", err, body)
	}
	return answer.Totals, nil
}

func (o outcomes) total(item string) int64 {
	var n int64
	for _, v := range o[item] {
		n += v
	}
	return n
}

// errBusy marks answers of a server that has no room for a request at present.
var errBusy = errors.New("busy")

// drained waits until the app has projected so many requests, and returns
// the outcomes then.
func (s *server) drained(ctx context.Context, a app, requests int64) (outcomes, error) {
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for {
		got, err := s.outcomes(ctx, a)
		if errors.Is(err, errBusy) { // readers of the benchmark have all its places
			err = nil
		}
		if err != nil || got.total("request") >= requests {
			return got, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%d of %d requests are projected: %w", got.total("request"), requests, ctx.Err())
		case err := <-s.done:
			return nil, errors.Join(errors.New("the server ended"), err)
		case <-poll.C:
		}
	}
}

// sizes are what the data folder takes, bytes.
type sizes struct{ whole, events, state int64 }

// disk measures the data folder.
func (s *server) disk() (n sizes, err error) {
	err = filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		var info os.FileInfo
		if err == nil && !d.IsDir() {
			info, err = d.Info()
		}
		switch {
		case errors.Is(err, os.ErrNotExist): // removed meanwhile
			return nil
		case err != nil || info == nil:
			return err
		}
		n.whole += info.Size()
		rel, _ := filepath.Rel(s.dir, path)
		switch {
		case strings.HasPrefix(rel, "events.duckdb"):
			n.events += info.Size()
		case strings.HasPrefix(rel, "state"):
			n.state += info.Size()
		}
		return nil
	})
	if err != nil {
		return n, fmt.Errorf("measure data folder: %w", err)
	}
	return n, nil
}

// each returns sizes for a number of events.
func (n sizes) each(events int64) string {
	of := func(size int64) float64 { return float64(size) / float64(events) }
	return fmt.Sprintf("%.1f, %.1f, %.1f B an event", of(n.whole), of(n.events), of(n.state))
}
