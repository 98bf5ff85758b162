// Package relay is a way to servers on which a trial can stop what goes either way, slow it down, and reset connections.
//
// A relay listens on loopback. A connection begins with a line that says which server is meant; the relay answers with a line once it has
// reached it, and then passes on what comes. What it has been told to hold back waits, as what a network loses waits to be sent again.
package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Fault is what happens to connections, those that are there and those that come. The zero value is nothing.
type Fault struct {
	// Asks has what clients send wait, and new connections; Answers what servers send.
	Asks, Answers bool
	// Delay is how long each piece of up to 16 KiB waits, either way.
	Delay time.Duration
	// Refuse closes new connections.
	Refuse bool
}

// piece is how many bytes go on at a time.
const piece = 16 << 10

// connectLimit bounds how long a server may take to accept.
const connectLimit = 10 * time.Second

// Relay is one way to servers.
type Relay struct {
	ln   net.Listener
	stop context.CancelFunc
	wg   sync.WaitGroup

	asked, answered atomic.Int64 // bytes

	mu      sync.Mutex
	fault   Fault
	changed chan struct{} // closed when fault changes
	conns   map[net.Conn]bool
	closed  bool
}

// New listens until Close.
func New(ctx context.Context) (*Relay, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for a relay: %w", err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Relay{ln: ln, stop: stop, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	r.wg.Go(func() { r.accept(ctx) })
	return r, nil
}

// Addr is where the relay listens.
func (r *Relay) Addr() string { return r.ln.Addr().String() }

// Passed returns how many bytes clients have sent and servers have answered.
func (r *Relay) Passed() (asked, answered int64) { return r.asked.Load(), r.answered.Load() }

// Close ends the relay and all its connections.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	_ = r.ln.Close() // nobody waits for it
	r.Reset()
	r.wg.Wait()
}

// Set has a fault happen from now on.
func (r *Relay) Set(f Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = f
	close(r.changed)
	r.changed = make(chan struct{})
}

// Reset breaks all connections at once, with all that is on its way in them.
func (r *Relay) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0) // so that the other side sees a reset
		}
		_ = c.Close()
	}
	clear(r.conns)
}

// now is the fault of now, and what is closed when another takes its place.
func (r *Relay) now() (Fault, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault, r.changed
}

// keep notes a connection; false means that the relay is closed.
func (r *Relay) keep(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.conns[c] = true
	}
	return !r.closed
}

func (r *Relay) drop(c net.Conn) {
	r.mu.Lock()
	delete(r.conns, c)
	r.mu.Unlock()
	_ = c.Close() // it may be closed already
}

func (r *Relay) accept(ctx context.Context) {
	for {
		client, err := r.ln.Accept()
		if err != nil {
			return
		}
		r.wg.Go(func() { r.serve(ctx, client) })
	}
}

// serve relays one connection.
func (r *Relay) serve(ctx context.Context, client net.Conn) {
	defer r.drop(client)
	if f, _ := r.now(); f.Refuse || !r.keep(client) {
		return
	}
	from := bufio.NewReaderSize(client, piece)
	to, err := from.ReadString('\n')
	if err != nil || !r.pass(ctx, true) {
		return
	}
	server, err := (&net.Dialer{Timeout: connectLimit}).DialContext(ctx, "tcp", strings.TrimSpace(to))
	if err != nil || !r.keep(server) {
		return
	}
	defer r.drop(server)
	if !r.pass(ctx, false) {
		return
	}
	if _, err := io.WriteString(client, "\n"); err != nil {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.pipe(ctx, client, server, false)
		stop()
		r.drop(client)
	}()
	r.pipe(ctx, server, from, true)
	stop()
	r.drop(server)
	<-ended
}

// pipe passes on what one side sends until it ends.
func (r *Relay) pipe(ctx context.Context, to io.Writer, from io.Reader, asks bool) {
	b := make([]byte, piece)
	for {
		n, err := from.Read(b)
		if n > 0 {
			if !r.pass(ctx, asks) {
				return
			}
			if asks { // before it is written: who has heard it may ask how much that was
				r.asked.Add(int64(n))
			} else {
				r.answered.Add(int64(n))
			}
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// pass waits until a piece may go on; false means that the connection has ended.
func (r *Relay) pass(ctx context.Context, asks bool) bool {
	f, changed := r.now()
	if f.Delay > 0 {
		t := time.NewTimer(f.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
	for asks && f.Asks || !asks && f.Answers {
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
		f, changed = r.now()
	}
	return ctx.Err() == nil
}

// errRefused says that the relay or the server takes no connection.
var errRefused = errors.New("the connection is refused")

// Dial returns what connects by way of the relay at an address.
func Dial(relay string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, connectLimit)
		defer cancel()
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", relay)
		if err != nil {
			return nil, err
		}
		unwatch := context.AfterFunc(ctx, func() { _ = c.Close() })
		var answer [1]byte
		_, err = io.WriteString(c, address+"\n")
		if err == nil {
			_, err = io.ReadFull(c, answer[:])
		}
		if !unwatch() {
			err = errors.Join(err, ctx.Err())
		}
		if err != nil {
			_ = c.Close()
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.Join(errRefused, err)}
		}
		return c, nil
	}
}
