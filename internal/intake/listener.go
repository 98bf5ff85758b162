package intake

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/memory"
)

// WriteLimit is how long a client may take for each writePiece of an answer.
const (
	WriteLimit = 30 * time.Second
	writePiece = 64 << 10 // bytes
)

// What headers cost once they are parsed: a few bytes for each received, and each line an entry of its own.
const (
	headerFactor = 3
	lineCost     = 160
	freeLines    = 32
)

// Listen returns a listener whose connections are shared among clients, and that writes
// no slower than by WriteLimit. Serve its connections with Configure.
func (in *Intake) Listen(ln net.Listener) net.Listener { return &listener{Listener: ln, in: in} }

// Configure has srv keep the books of the connections of Listen.
func (in *Intake) Configure(srv *http.Server) {
	srv.ConnState = func(c net.Conn, state http.ConnState) {
		own, ok := c.(*conn)
		switch {
		case !ok:
		case state == http.StateActive: // the header is read
			own.busy.Store(true)
		case state == http.StateIdle:
			own.idle()
		}
	}
}

type listener struct {
	net.Listener
	in *Intake
}

// Accept implements net.Listener. Connections beyond a client's share are closed.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		who := l.in.peer(c)
		own := &conn{Conn: c, in: l.in, who: who, place: l.in.Connections.Claim(who), header: l.in.Bodies.Claim(who)}
		if own.place.Try(1) {
			return own, nil
		}
		_ = c.Close() // there is nobody to tell
	}
}

// peer returns the client at the other end; a trusted proxy stands for many, and has no share.
func (in *Intake) peer(c net.Conn) memory.Who {
	a, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return memory.Address(netip.Addr{})
	}
	addr := a.Addr().Unmap().WithZone("")
	for _, p := range in.o.Proxies {
		if p.Contains(addr) {
			return memory.Who{}
		}
	}
	return memory.Address(addr)
}

// conn charges what arrives before a request reaches its handler, and gives each piece that is
// written a deadline.
type conn struct {
	net.Conn
	in  *Intake
	who memory.Who
	// busy is set from the end of a header to the answer: what arrives then is charged by the handler.
	busy atomic.Bool
	// bytes and lines arrived for the next request, for which paid was taken.
	bytes, lines, paid int64

	mu      sync.Mutex
	place   memory.Claim
	header  memory.Claim
	closed  bool
	due     time.Time // the deadline for writing that is set
	foreign bool      // by somebody else
}

// answerBusy turns away a request of which no handler has heard.
const answerBusy = "HTTP/1.1 503 Service Unavailable\r\n" +
	"Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: " + exposed + "\r\n" + fault.Header + ": " + codeBusy + "\r\n" +
	"Retry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.busy.Load() {
		return n, err
	}
	if n > 0 && !c.charge(p[:n]) {
		_, _ = io.WriteString(c, answerBusy) // it is closed next
		return 0, os.ErrDeadlineExceeded     // net/http closes without another answer
	}
	if err != nil && c.bytes > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		c.in.slowHeaders.Add(c.who)
		c.bytes = 0 // it is counted once
	}
	return n, err
}

// charge takes room for what arrived of a header.
func (c *conn) charge(p []byte) bool {
	c.bytes += int64(len(p))
	c.lines += int64(bytes.Count(p, []byte{'\n'}))
	cost := headerFactor*max(0, c.bytes-small) + lineCost*max(0, c.lines-freeLines)
	if cost <= c.paid {
		return true
	}
	more := max(cost-c.paid, 16<<10)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || !c.header.Try(more) {
		return false
	}
	c.paid += more
	return true
}

// idle gives back what the last request took.
func (c *conn) idle() {
	if c.paid > 0 {
		c.mu.Lock()
		c.header.Leave()
		c.mu.Unlock()
	}
	c.bytes, c.lines, c.paid = 0, 0, 0
	c.busy.Store(false)
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (n int, err error) {
	for {
		piece := p[n:min(len(p), n+writePiece)]
		c.arm()
		m, err := c.Conn.Write(piece)
		n += m
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) && !c.isForeign() {
				c.in.slowAnswers.Add(c.who)
			}
			return n, err
		}
		if n == len(p) {
			return n, nil
		}
	}
}

// arm moves the deadline on when half of it is over.
func (c *conn) arm() {
	now := c.in.o.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.foreign || c.due.Sub(now) > c.in.o.WriteLimit/2 {
		return
	}
	c.due = now.Add(c.in.o.WriteLimit)
	_ = c.Conn.SetWriteDeadline(c.due) // a connection that is closed fails soon
}

func (c *conn) isForeign() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.foreign
}

// SetWriteDeadline implements net.Conn: a handler's deadline stands above that of pieces.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.IsZero() && !c.foreign {
		return nil
	}
	c.foreign, c.due = !t.IsZero(), time.Time{}
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// NetConn returns the connection below.
func (c *conn) NetConn() net.Conn { return c.Conn }

// CloseWrite lets net/http end a connection so that the last answer arrives.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Close implements net.Conn.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		c.place.Leave()
		c.header.Leave()
	}
	return err
}
