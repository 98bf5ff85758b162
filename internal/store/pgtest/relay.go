package pgtest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Relay is a way to a server that a test can cut between any two messages of a client, or from the server's answers.
type Relay struct {
	ln     net.Listener
	server string

	mu     sync.Mutex
	conns  map[net.Conn]bool
	left   int  // messages of clients that still pass; negative = all do
	passed int  // messages of clients since the last call of Cut or Mute
	mute   bool // answers do not arrive
	closed bool
}

// NewRelay listens on loopback for connections to the database at an address.
func NewRelay(tb testing.TB, address string) *Relay {
	tb.Helper()
	u, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	ln, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	r := &Relay{ln: ln, server: u.Host, conns: map[net.Conn]bool{}, left: -1}
	var wg sync.WaitGroup
	wg.Go(func() { r.accept(&wg) })
	tb.Cleanup(func() {
		r.mu.Lock()
		r.closed = true
		r.mu.Unlock()
		_ = ln.Close()
		r.drop()
		wg.Wait()
	})
	return r
}

// Through is the address of a database by way of the relay.
func (r *Relay) Through(tb testing.TB, address string) string {
	tb.Helper()
	u, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	u.Host = r.ln.Addr().String()
	return u.String()
}

// Cut lets so many more messages of clients pass and closes all connections at the next, until Mend is called.
func (r *Relay) Cut(after int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left, r.passed = after, 0
}

// Mute lets messages pass, and no answer arrive, until Mend is called, which closes the connections.
func (r *Relay) Mute() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mute, r.passed = true, 0
}

// Mend lets all pass again, in new connections. It returns how many messages of clients have passed since the relay was cut.
func (r *Relay) Mend() (passed int) {
	r.mu.Lock()
	muted := r.mute
	r.left, r.mute = -1, false
	passed = r.passed
	r.mu.Unlock()
	if muted {
		r.drop()
	}
	return passed
}

// drop closes all connections.
func (r *Relay) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		_ = c.Close()
	}
	clear(r.conns)
}

func (r *Relay) accept(wg *sync.WaitGroup) {
	for {
		client, err := r.ln.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", r.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		r.mu.Lock()
		r.conns[client], r.conns[server] = true, true
		if r.closed {
			_, _ = client.Close(), server.Close()
		}
		r.mu.Unlock()
		wg.Go(func() { r.ask(server, client) })
		wg.Go(func() { r.answer(client, server) })
	}
}

// ask passes messages on, one at a time. The first of a connection has no type.
func (r *Relay) ask(server, client net.Conn) {
	defer func() { _, _ = server.Close(), client.Close() }()
	head := 4
	for {
		buf := make([]byte, head)
		if _, err := io.ReadFull(client, buf); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(buf[head-4:])-4)
		if _, err := io.ReadFull(client, body); err != nil {
			return
		}
		r.mu.Lock()
		cut := r.left == 0
		if r.left > 0 {
			r.left--
		}
		if !cut {
			r.passed++
		}
		r.mu.Unlock()
		if cut {
			r.drop()
			return
		}
		if _, err := server.Write(append(buf, body...)); err != nil {
			return
		}
		head = 5
	}
}

// answer passes on what the server says.
func (r *Relay) answer(client, server net.Conn) {
	defer func() { _, _ = server.Close(), client.Close() }()
	buf := make([]byte, 16<<10)
	for {
		n, err := server.Read(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		mute := r.mute
		r.mu.Unlock()
		if mute {
			continue
		}
		if _, err := client.Write(buf[:n]); err != nil {
			return
		}
	}
}
