package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// patience is how long a test waits for an SDK before it fails.
const patience = 2 * time.Minute

// gate is the address that an SDK sends to. It passes requests on to the server and keeps its
// address while the server restarts. It fails the way networks do: it can be gone, lose answers
// and delay them.
type gate struct {
	t       *testing.T
	address string
	client  *http.Client

	mu      sync.Mutex
	target  string        // URL of the server
	http    *http.Server  // nil while the gate is shut
	seen    []exchange    // what passed, in the order of the answers
	losing  int           // answers yet to lose
	holding chan struct{} // answers wait until it is closed; nil = they do not
	held    int           // answers that wait
	changed chan struct{} // closed when anything above changes
}

// exchange is a request and what became of it.
type exchange struct {
	Method, Path string
	Params       url.Values // of the address and of a form
	Status       int
	Answer       string
	Lost         bool // the SDK never saw the answer
}

// newGate opens a gate in front of a server.
func newGate(t *testing.T, s *testkit.Server) *gate {
	t.Helper()
	g := &gate{t: t, address: "127.0.0.1:0", changed: make(chan struct{}), client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DisableCompression: true},
	}}
	g.open(s)
	t.Cleanup(func() {
		g.shut()
		g.client.CloseIdleConnections()
	})
	return g
}

// url is where the gate is, whatever happens behind it.
func (g *gate) url() string { return "http://" + g.address }

// open lets requests pass to a running server.
func (g *gate) open(s *testkit.Server) {
	g.t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(g.t.Context(), "tcp", g.address)
	if err != nil {
		g.t.Fatalf("listen: %v", err)
	}
	srv := &http.Server{Handler: g, ReadHeaderTimeout: patience}
	g.address = ln.Addr().String()
	g.change(func() { g.target, g.http = s.URL(), srv })
	go func() {
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			g.t.Errorf("gate: %v", err)
		}
	}()
}

// shut closes the gate and all connections; new ones are refused.
func (g *gate) shut() {
	g.t.Helper()
	var srv *http.Server
	g.change(func() { srv, g.http = g.http, nil })
	if srv == nil {
		return
	}
	if err := srv.Close(); err != nil {
		g.t.Errorf("shut the gate: %v", err)
	}
}

// lose cuts the connection of the next n requests of an SDK's queue after the server answered.
func (g *gate) lose(n int) { g.change(func() { g.losing = n }) }

// hold keeps back all answers until the function that it returns is called.
func (g *gate) hold() (release func()) {
	c := make(chan struct{})
	g.change(func() { g.holding = c })
	return func() {
		g.change(func() { g.holding = nil })
		close(c)
	}
}

// waitHeld waits until an answer is kept back.
func (g *gate) waitHeld() {
	g.t.Helper()
	g.wait("an answer to hold", func() bool { return g.held > 0 })
}

// waitSeen waits until an exchange fits.
func (g *gate) waitSeen(what string, fits func(exchange) bool) {
	g.t.Helper()
	g.wait(what, func() bool { return slices.ContainsFunc(g.seen, fits) })
}

// exchanges returns what passed so far.
func (g *gate) exchanges() []exchange {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]exchange(nil), g.seen...)
}

func (g *gate) change(fn func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fn()
	close(g.changed)
	g.changed = make(chan struct{})
}

// wait waits until the condition, which runs under the lock, is true.
func (g *gate) wait(what string, ok func() bool) {
	g.t.Helper()
	deadline := time.After(patience)
	for {
		g.mu.Lock()
		done, changed := ok(), g.changed
		g.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			g.t.Fatalf("waited too long for %s; seen: %+v", what, g.exchanges())
		}
	}
}

// ServeHTTP passes one request on.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the SDK went away
	}
	e := exchange{Method: r.Method, Path: r.URL.Path, Params: r.URL.Query()}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		if form, err := url.ParseQuery(string(body)); err == nil {
			for k, v := range form {
				e.Params[k] = append(e.Params[k], v...)
			}
		}
	}
	queued := strings.HasPrefix(e.Path, "/i")
	g.mu.Lock()
	target := g.target
	g.mu.Unlock()

	// The server finishes what it began, whether or not the SDK still waits.
	req, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	req.Header = r.Header.Clone()
	res, err := g.client.Do(req)
	if err != nil {
		panic(http.ErrAbortHandler) // the server is gone, and so is the connection
	}
	answer, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		panic(http.ErrAbortHandler)
	}
	e.Status, e.Answer = res.StatusCode, string(answer)

	var holding chan struct{}
	g.change(func() {
		if queued && g.losing > 0 {
			g.losing--
			e.Lost = true
		}
		if holding = g.holding; holding != nil {
			g.held++
		}
		g.seen = append(g.seen, e)
	})
	if holding != nil {
		<-holding
		g.change(func() { g.held-- })
	}
	if e.Lost {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), res.Header)
	w.WriteHeader(res.StatusCode)
	_, _ = w.Write(answer) // an SDK that left does not read it
}
