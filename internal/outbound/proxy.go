package outbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of what a program does through a Proxy at a time.
const maxProxied = 64

// Proxy is an HTTP proxy through which a program reaches what the Client reaches, and nothing else: each connection is checked when it is
// made, whatever name or redirect leads there. It carries Options.MaxBytes at most, of all connections together and in both directions.
//
// It answers a host that it refuses by closing the connection, so that no program takes the refusal for what the host says.
type Proxy struct {
	c       *Client
	ctx     context.Context // ends what goes through
	left    atomic.Int64    // bytes
	blocked atomic.Bool
	turn    chan struct{}
	under   sync.WaitGroup
}

// Proxy returns a proxy whose connections end with ctx.
func (c *Client) Proxy(ctx context.Context) *Proxy {
	p := &Proxy{c: c, ctx: ctx, turn: make(chan struct{}, maxProxied)}
	p.left.Store(c.o.MaxBytes)
	return p
}

// Blocked reports whether a host was refused.
func (p *Proxy) Blocked() bool { return p.blocked.Load() }

// Full reports whether all bytes were used up.
func (p *Proxy) Full() bool { return p.left.Load() <= 0 }

// Wait returns when no connection goes through any more; its context has ended before.
func (p *Proxy) Wait() { p.under.Wait() }

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.under.Add(1)
	defer p.under.Done()
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-p.ctx.Done():
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward(w, r)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// refuse closes the connection.
func (p *Proxy) refuse(w http.ResponseWriter, err error) {
	if errors.Is(err, ErrBlocked) {
		p.blocked.Store(true)
	}
	if h, ok := w.(http.Hijacker); ok {
		if conn, _, err := h.Hijack(); err == nil {
			_ = conn.Close() // there is nobody to tell
			return
		}
	}
	w.WriteHeader(http.StatusBadGateway)
}

// tunnel connects the program with a host.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	to, err := p.c.dial(p.ctx, "tcp", r.Host) //nolint:contextcheck // it ends with the proxy; a request that was taken over has no end
	if err != nil {
		p.refuse(w, err)
		return
	}
	h, ok := w.(http.Hijacker)
	if !ok {
		_ = to.Close() // it was not used
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	from, buffered, err := h.Hijack()
	if err != nil {
		_ = to.Close() // it was not used
		return
	}
	end := sync.OnceFunc(func() {
		_ = to.Close()   // either may be closed already
		_ = from.Close() // as above
	})
	defer context.AfterFunc(p.ctx, end)() //nolint:contextcheck // as above
	defer end()
	if _, err := from.Write([]byte("HTTP/1.1 200 OK\r\n\r\n")); err != nil {
		return
	}
	_ = from.SetDeadline(time.Time{}) // connections that know no deadline have none to lift
	back := make(chan struct{})
	go func() {
		defer close(back)
		defer end()
		p.copy(from, to)
	}()
	p.copy(to, buffered)
	end()
	<-back
}

// forward sends a request on. Redirects are answers like any other: the program follows them through the proxy.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	out := r.Clone(ctx) //nolint:contextcheck // it ends with the proxy, or with the request
	out.RequestURI = ""
	for _, name := range []string{"Connection", "Proxy-Connection", "Proxy-Authorization", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		out.Header.Del(name)
	}
	res, err := p.c.http.Transport.RoundTrip(out)
	if err != nil {
		p.refuse(w, err)
		return
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	for name, values := range res.Header {
		if name != "Connection" && name != "Transfer-Encoding" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(res.StatusCode)
	p.copy(w, res.Body)
}

// copy passes bytes on until there are no more, or none are left.
func (p *Proxy) copy(to io.Writer, from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if p.left.Add(-int64(n)) < 0 {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
