package attack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/child"
)

// trial is one run of a scenario.
type trial struct {
	*Options
	*Result
	child *child.Process
	app   child.Target // of the attacker
	addr  string

	mu    sync.Mutex
	conns []net.Conn
}

// most returns how much memory the server may take.
func (t *trial) most() int64 {
	if t.Most > 0 {
		return t.Most
	}
	n, unit, _ := strings.Cut(t.Memory, "MiB")
	size, err := strconv.ParseInt(n, 10, 64)
	if err != nil || unit != "" {
		return 1 << 60 // another unit
	}
	return size << 20
}

// n returns how many of something a scenario does.
func (t *trial) n(full, short int) int {
	if t.Short {
		return short
	}
	return full
}

// hold waits as long as an attack lasts that only waits itself.
func (t *trial) hold(ctx context.Context) {
	timer := time.NewTimer(time.Duration(t.n(20_000, 1_000)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// dial connects from an address of this machine, or from any where there are not so many.
func (t *trial) dial(ctx context.Context, from string) (net.Conn, error) {
	d := &net.Dialer{Timeout: 10 * time.Second, LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.DialContext(ctx, "tcp", t.addr)
	if err != nil {
		c, err = (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", t.addr)
	}
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return c, nil
}

// attacker is where attacks come from.
const attacker = "127.0.0.1"

// open connects as the attacker; the connection stays open until the scenario is over.
func (t *trial) open(ctx context.Context) (net.Conn, error) {
	c, err := t.dial(ctx, attacker)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4096) // so that the server's answers do not end in the system's buffers
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conns = append(t.conns, c)
	return c, nil
}

// closeAll ends the attacker's connections.
func (t *trial) closeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.conns {
		_ = c.Close() // some are closed by the server
	}
	t.conns = nil
}

// post sends a request as it is on a connection of its own, and returns the status of the answer; 0 when
// there is none.
func (t *trial) post(ctx context.Context, path, header string, body []byte) int {
	atomic.AddInt64(&t.Sent, 1)
	status := t.exchange(ctx, path, header, body)
	if status == 0 || status == http.StatusServiceUnavailable {
		atomic.AddInt64(&t.Refused, 1)
	}
	return status
}

func (t *trial) exchange(ctx context.Context, path, header string, body []byte) int {
	c, err := t.dial(ctx, attacker)
	if err != nil {
		return 0
	}
	defer func() { _ = c.Close() }() // its answer was read
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if err := c.SetDeadline(t.Now().Add(time.Minute)); err != nil {
		return 0
	}
	go func() {
		// An early answer ends the connection while this is being sent.
		if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%s\r\n", path, len(body), header); err == nil {
			_, _ = c.Write(body)
		}
	}()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_ = res.Body.Close() // it is not read
	return res.StatusCode
}

// get sends a GET and returns what is answered; 0 when nothing is.
func (t *trial) get(ctx context.Context, target string) (status int, body string) {
	atomic.AddInt64(&t.Sent, 1)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // of a stream the beginning is enough
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.child.URL+target, nil)
	if err != nil {
		t.fail("%s: %v", target, err)
		return 0, ""
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, ""
	}
	b, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20)) // what came is looked at
	_ = res.Body.Close()                                // as above
	if res.StatusCode == http.StatusServiceUnavailable {
		atomic.AddInt64(&t.Refused, 1)
	}
	return res.StatusCode, string(b)
}

// crowd runs fn on many goroutines at once.
func crowd(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

// goodAddress is where the well-behaved client is.
const goodAddress = "127.0.0.2"

// client is what a well-behaved client saw.
type client struct {
	took            []time.Duration // of acknowledgements
	turned, unknown int64
	fault           error
}

// behave sends an event every 20 ms from two connections, of which one is made for each request, until stop.
func behave(ctx context.Context, t *trial, key string, stop <-chan struct{}) *client {
	g := &client{}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return t.dial(ctx, goodAddress) }}
	defer transport.CloseIdleConnections()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-stop:
			if i >= t.n(50, 10) {
				return g
			}
		case <-ctx.Done():
			return g
		case <-tick.C:
		}
		v := url.Values{"app_key": {key}, "device_id": {fmt.Sprintf("good-%d", i%10)}, "events": {`[{"key":"good","count":1}]`}}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.child.URL+"/i", strings.NewReader(v.Encode()))
		if err != nil {
			g.fault = err
			return g
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Close = i%2 == 0
		began := t.Now()
		res, err := transport.RoundTrip(req)
		if err != nil {
			g.unknown++
			g.fault = err
			continue
		}
		status := res.StatusCode
		_ = res.Body.Close() // its status says it
		switch status {
		case http.StatusOK:
			g.took = append(g.took, t.Now().Sub(began))
		case http.StatusServiceUnavailable:
			g.turned++
		default:
			g.fault = fmt.Errorf("status %d", status)
		}
	}
}

// newApp makes an app.
func newApp(ctx context.Context, c *child.Process, apiKey, name string) (child.Target, error) {
	body, err := c.Admin(ctx, "/i/apps/create", url.Values{"api_key": {apiKey}, "args": {fmt.Sprintf(`{"name":%q,"timezone":"UTC","country":"DE"}`, name)}})
	if err != nil {
		return child.Target{}, fmt.Errorf("make app: %w", err)
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Key == "" {
		return child.Target{}, fmt.Errorf("make app: %.200s", body)
	}
	return child.Target{APIKey: apiKey, ID: made.ID, Key: made.Key}, nil
}

// settled returns how many events the server counts once they are as many as were acknowledged, or
// after so long that they will not be. A server that is busy is asked again.
func settled(ctx context.Context, c *child.Process, app child.Target, acked int64) (n int64, err error) {
	limit := time.NewTimer(child.StartLimit)
	defer limit.Stop()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		n, err = counted(ctx, c, app)
		busy := err != nil && strings.Contains(err.Error(), "status 503") // memory is short, and reads wait
		if err != nil && !busy || err == nil && n >= acked {
			return n, err
		}
		select {
		case <-poll.C:
		case <-limit.C:
			return n, err
		case <-ctx.Done():
			return n, ctx.Err()
		}
	}
}

var errNoCount = errors.New("the answer holds no count")

// counted returns how many events of the well-behaved client the server counts.
func counted(ctx context.Context, c *child.Process, app child.Target) (int64, error) {
	body, err := c.Admin(ctx, "/o", url.Values{"api_key": {app.APIKey}, "app_id": {app.ID}, "method": {"events"}, "event": {"good"}, "period": {"60days"}})
	if err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	var years map[string]json.RawMessage
	if err := json.Unmarshal(body, &years); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	var n int64
	found := false
	for year, raw := range years {
		if len(year) != 4 || year < "2000" || year > "9999" {
			continue
		}
		var figures struct {
			C int64 `json:"c"`
		}
		if err := json.Unmarshal(raw, &figures); err != nil {
			return 0, fmt.Errorf("count: %w", err)
		}
		n += figures.C
		found = true
	}
	if !found && len(years) > 0 {
		return 0, errNoCount
	}
	return n, nil
}
