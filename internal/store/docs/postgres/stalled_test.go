package postgres_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
)

// relay is a way to a server on which nothing moves while it is stalled: connections are taken and nothing is answered.
type relay struct {
	ln     net.Listener
	server string

	mu      sync.Mutex
	moving  *sync.Cond
	stalled bool
	closed  bool
	conns   []net.Conn
}

// newRelay listens on loopback. Without a server it is stalled for good.
func newRelay(t *testing.T, server string) *relay {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{ln: ln, server: server, stalled: server == ""}
	r.moving = sync.NewCond(&r.mu)
	var wg sync.WaitGroup
	wg.Go(func() { r.accept(&wg) })
	t.Cleanup(func() {
		r.mu.Lock()
		r.closed = true
		for _, c := range r.conns {
			_ = c.Close()
		}
		r.moving.Broadcast()
		r.mu.Unlock()
		_ = ln.Close()
		wg.Wait()
	})
	return r
}

func (r *relay) accept(wg *sync.WaitGroup) {
	for {
		client, err := r.ln.Accept()
		if err != nil {
			return
		}
		r.keep(client)
		if r.server == "" {
			continue
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", r.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		r.keep(server)
		wg.Go(func() { r.copy(server, client) })
		wg.Go(func() { r.copy(client, server) })
	}
}

func (r *relay) keep(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns = append(r.conns, c)
	if r.closed {
		_ = c.Close()
	}
}

func (r *relay) copy(to io.Writer, from io.Reader) {
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		for r.stalled && !r.closed {
			r.moving.Wait()
		}
		r.mu.Unlock()
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (r *relay) stall(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stalled = on
	r.moving.Broadcast()
}

// through is the address of a database by way of the relay.
func (r *relay) through(t *testing.T, dsn string) string {
	t.Helper()
	u := mustParse(t, dsn)
	u.Host = r.ln.Addr().String()
	return u.String()
}

const patience = 300 * time.Millisecond

// prompt calls fn, which has to say soon that the server cannot be reached.
func prompt(t *testing.T, what string, fn func() error) {
	t.Helper()
	began := time.Now()
	err := fn()
	if code := fault.CodeOf(err); code != "docs.unavailable" {
		t.Errorf("%s: %v, want docs.unavailable", what, err)
	}
	took := time.Since(began)
	t.Logf("%s took %v", what, took)
	if took > 20*patience {
		t.Errorf("%s took too long", what)
	}
}

// TestStalledServer stops all traffic with a server that was well: reads and writes end, and all is well once it moves again.
func TestStalledServer(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	relay := newRelay(t, mustParse(t, dsn).Host)
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: relay.through(t, dsn), Log: slog.New(slog.DiscardHandler), Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := notes().Global(db)
	if err := c.Create(t.Context(), note{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	relay.stall(true)
	for range 3 { // with connections that were there, and with new ones
		prompt(t, "get", func() error { _, err := c.Get(t.Context(), "a"); return err })
		prompt(t, "list", func() error { _, err := c.All(t.Context(), docs.Query{}); return err })
		prompt(t, "count", func() error { _, err := c.Count(t.Context(), docs.Query{}); return err })
		prompt(t, "generation", func() error { _, err := c.Generation(t.Context()); return err })
		prompt(t, "write", func() error { return c.Put(t.Context(), note{ID: "b"}) })
	}
	relay.stall(false)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		n, err := c.Count(t.Context(), docs.Query{})
		if err == nil && n == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after the stall: %d documents, %v", n, err)
		}
	}
	if err := c.Put(t.Context(), note{ID: "b"}); err != nil {
		t.Errorf("a write after the stall: %v", err)
	}
}

// TestMuteServer opens documents of a listener that takes connections and never answers.
func TestMuteServer(t *testing.T) {
	relay := newRelay(t, "")
	u := &url.URL{Scheme: "postgres", User: url.User("quipu"), Host: relay.ln.Addr().String(), Path: "/quipu", RawQuery: "connect_timeout=1&sslmode=disable"}
	began := time.Now()
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: u.String(), Log: slog.New(slog.DiscardHandler), Wait: patience})
	if fault.CodeOf(err) != "docs.unavailable" {
		t.Errorf("got %v, want docs.unavailable", err)
	}
	if err == nil {
		_ = db.Close()
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
