package intake_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/intake"
	"quipu/internal/memory"
)

// pipes is a listener whose connections are pipes, so that time is synctest's.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// end is the server's end of a pipe.
type end struct {
	net.Conn
	from string
}

func (e end) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(e.from))
}

// world is a server behind an intake.
type world struct {
	t  *testing.T
	in *intake.Intake
	ln *pipes
}

func newWorld(t *testing.T, handle http.HandlerFunc) *world {
	t.Helper()
	proxy := netip.MustParsePrefix("10.0.0.0/8")
	in := intake.New(intake.Options{
		Governor: memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now,
		Client: func(r *http.Request) netip.Addr {
			a := netip.MustParseAddrPort(r.RemoteAddr).Addr()
			if f := r.Header.Get("X-Forwarded-For"); proxy.Contains(a) && f != "" {
				return netip.MustParseAddr(f)
			}
			return a
		},
		Proxies: []netip.Prefix{proxy},
	})
	w := &world{t: t, in: in, ln: &pipes{conns: make(chan net.Conn), done: make(chan struct{})}}
	srv := &http.Server{
		Handler:           in.Handler(handle, func(path string) bool { return path == "/itself" }),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10*time.Second + intake.BodyGrace, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	in.Configure(srv)
	served := make(chan error)
	go func() { served <- srv.Serve(in.Listen(w.ln)) }()
	t.Cleanup(func() {
		_ = srv.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("served until %v", err)
		}
		synctest.Wait()
		for _, g := range in.Gates() {
			if g.Used() != 0 {
				t.Errorf("%s: %d used at the end", g.Name, g.Used())
			}
		}
	})
	return w
}

// dial connects from an address.
func (w *world) dial(from string) net.Conn {
	w.t.Helper()
	ours, theirs := net.Pipe()
	w.ln.conns <- end{theirs, from}
	w.t.Cleanup(func() { _ = ours.Close() })
	return ours
}

// send sends in the background, as nobody may read it.
func send(c net.Conn, text string) { go func() { _, _ = io.WriteString(c, text) }() }

// answer reads an answer; 0 when the connection ends before.
func answer(c net.Conn) (status int, body string) {
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err.Error()
	}
	b, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		return 0, fmt.Sprint(err, cerr)
	}
	return res.StatusCode, string(b)
}

// drain reads the body and says how that ended.
func drain(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	switch {
	case errors.Is(err, memory.ErrBusy):
		intake.Refuse(w, "busy")
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, strconv.FormatInt(n, 10))
}

func (w *world) stalled(want ...int64) {
	w.t.Helper()
	for i, r := range w.in.Stalled() {
		if r.Count() != want[i] {
			w.t.Errorf("%s: %d, want %d", r.Name(), r.Count(), want[i])
		}
	}
}

// TestConnectionsAreShared opens connections from one address until no more are taken: half of all. Others
// still find room, and a proxy takes what is left.
func TestConnectionsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		size := int(w.in.Connections.Size)
		for _, from := range []struct {
			addr string
			want int
		}{{"192.0.2.1:1", size / 2}, {"192.0.2.2:1", size / 4}, {"10.0.0.1:1", size / 4}} {
			before := w.in.Connections.Used()
			for range size {
				w.dial(from.addr)
			}
			synctest.Wait()
			if got := int(w.in.Connections.Used() - before); got != from.want {
				t.Errorf("%s holds %d connections of %d, want %d", from.addr, got, size, from.want)
			}
		}
		time.Sleep(time.Minute) // nothing came, so all are closed
		synctest.Wait()
		if n := w.in.Connections.Used(); n != 0 {
			t.Errorf("%d connections are left", n)
		}
	})
}

// TestScarceConnectionsAreNotKept answers with Connection: close when few are left.
func TestScarceConnectionsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		c := w.dial("192.0.2.1:1")
		for range int(w.in.Connections.Size) - 1 {
			w.dial("10.0.0.1:1")
		}
		send(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil || !res.Close {
			t.Errorf("the connection is kept: %v", res.Header)
		}
	})
}

// TestRefusalsHaveACode turns a client away that has taken its share: by its header, and by a long query.
func TestRefusalsHaveACode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		claim := w.in.Bodies.Claim(memory.Address(netip.MustParseAddr("192.0.2.1")))
		for n := w.in.Bodies.Size; n > 0; n /= 2 {
			claim.Try(n)
		}
		c := w.dial("192.0.2.1:1")
		send(c, "GET /?"+strings.Repeat("x", 100_000)+" HTTP/1.1\r\nHost: x\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close() // it has none
		r := httptest.NewRequest(http.MethodGet, "/?"+strings.Repeat("x", 100_000), nil)
		r.RemoteAddr = "192.0.2.1:2"
		rec := httptest.NewRecorder()
		w.in.Handler(http.HandlerFunc(drain), func(string) bool { return false }).ServeHTTP(rec, r)
		claim.Leave()
		for name, got := range map[string]*http.Response{"by its header": res, "by its query": rec.Result()} {
			h := got.Header
			if got.StatusCode != http.StatusServiceUnavailable || h.Get("Quipu-Error") != "server.busy" || h.Get("Retry-After") != "5" ||
				!strings.Contains(h.Get("Access-Control-Expose-Headers"), "Quipu-Error") {
				t.Errorf("%s: got %d %v, want 503 with a code and when to come back", name, got.StatusCode, h)
			}
		}
	})
}

func TestSlowHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		c := w.dial("192.0.2.1:1")
		began := time.Now()
		go func() {
			for line := "GET / HTTP/1.1\r\n"; ; line = "X: y\r\n" {
				if _, err := io.WriteString(c, line); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		status, _ := answer(c)
		_ = c.Close()
		time.Sleep(time.Second)
		if took := time.Since(began); status != 0 || took > 11*time.Second {
			t.Errorf("%d after %v, want the end after 10s", status, took)
		}
		w.stalled(1, 0, 0)
	})
}

// TestHeadersAreCharged sends headers that do not end: of a client's many connections
// those that fit into its share are kept.
func TestHeadersAreCharged(t *testing.T) {
	for _, tt := range []struct{ name, header string }{
		{"long", "GET /?" + strings.Repeat("x", 1<<19)},
		{"many", "GET / HTTP/1.1\r\n" + strings.Repeat("a:\r\n", 20_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, drain)
				var kept, refused atomic.Int64
				for range 100 {
					c := w.dial("192.0.2.1:1")
					send(c, tt.header)
					go func() {
						if status, _ := answer(c); status == http.StatusServiceUnavailable {
							refused.Add(1)
						} else {
							kept.Add(1) // until its time is over
						}
					}()
				}
				synctest.Wait()
				used := w.in.Bodies.Used()
				if refused.Load() < 80 || used > w.in.Bodies.Size/2 || used == 0 {
					t.Errorf("%d of 100 refused, %d of %d used", refused.Load(), used, w.in.Bodies.Size)
				}
				other := w.dial("192.0.2.2:1")
				send(other, "GET /?"+strings.Repeat("x", 1<<19)+" HTTP/1.1\r\nHost: x\r\n\r\n")
				if status, body := answer(other); status != http.StatusOK {
					t.Errorf("another client: %d %s", status, body)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// TestBodiesAreCharged declares bodies of 20 MB and sends parts of them.
func TestBodiesAreCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		const head = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n"
		for range 200 {
			send(w.dial("192.0.2.1:1"), head)
		}
		synctest.Wait()
		if n := w.in.Bodies.Used(); n != 0 {
			t.Errorf("%d bytes are charged for what did not arrive", n)
		}
		var busy atomic.Int64
		for range 200 {
			c := w.dial("192.0.2.2:1")
			send(c, head+strings.Repeat("x", 500_000))
			go func() {
				if status, _ := answer(c); status == http.StatusServiceUnavailable {
					busy.Add(1)
				}
			}()
		}
		time.Sleep(time.Minute)
		if n := w.in.Bodies.Used(); n > w.in.Bodies.Size*2/3 || n < w.in.Bodies.Size/3 || busy.Load() < 150 {
			t.Errorf("%d of %d bytes used, %d bodies refused", n, w.in.Bodies.Size, busy.Load())
		}
		c := w.dial("192.0.2.3:1")
		send(c, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat("x", 100_000))
		if status, body := answer(c); status != http.StatusOK || body != "100000" {
			t.Errorf("another client: %d %s", status, body)
		}
		time.Sleep(10 * time.Minute)
	})
}

// TestPassedBytesAreNotCharged reads a body that goes elsewhere as it arrives: what is charged is what is under way.
func TestPassedBytesAreNotCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 20_000_000
		var in *intake.Intake
		var most int64
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			body, ok := r.Body.(interface{ Passed(n int64) })
			if !ok {
				t.Error("the body cannot be passed on")
				return
			}
			buf := make([]byte, 64<<10)
			for {
				n, err := r.Body.Read(buf)
				most = max(most, in.Bodies.Used())
				body.Passed(int64(n))
				if err != nil {
					return
				}
			}
		})
		in = w.in
		c := w.dial("192.0.2.1:1")
		send(c, fmt.Sprintf("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat("x", size)))
		if status, _ := answer(c); status != http.StatusOK || most == 0 || most > 2<<20 {
			t.Errorf("status %d, %d bytes were charged for a body of %d", status, most, size)
		}
	})
}

// TestForwardedClientsHaveShares has one client behind a proxy take its share, and another go on.
func TestForwardedClientsHaveShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, drain)
		head := func(from string, n int) string {
			return fmt.Sprintf("POST /x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n", from, n)
		}
		for range 40 {
			send(w.dial("10.0.0.1:1"), head("192.0.2.1", 1_000_000)+strings.Repeat("x", 500_000))
		}
		time.Sleep(time.Minute) // those that did not fit are gone
		for from, want := range map[string]int{"192.0.2.1": 503, "192.0.2.2": 200} {
			c := w.dial("10.0.0.1:1")
			send(c, head(from, 800_000)+strings.Repeat("x", 800_000))
			if status, _ := answer(c); status != want {
				t.Errorf("%s: %d, want %d", from, status, want)
			}
		}
		time.Sleep(10 * time.Minute)
	})
}

// TestBodyDeadlines sends bodies at several rates.
func TestBodyDeadlines(t *testing.T) {
	for _, tt := range []struct {
		name        string
		piece       int
		every       time.Duration
		pieces      int
		status      int
		least, most time.Duration
	}{
		{"nothing", 0, time.Second, 100, 400, 14 * time.Second, 16 * time.Second},
		{"a byte a second", 1, time.Second, 100, 400, 14 * time.Second, 16 * time.Second},
		{"5 kB/s for five minutes", 5000, time.Second, 300, 200, 299 * time.Second, 301 * time.Second},
		{"fast, then nothing", 100_000, 100 * time.Second, 10, 400, 60 * time.Second, 70 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, drain)
				c := w.dial("192.0.2.1:1")
				began := time.Now()
				go func() {
					_, _ = fmt.Fprintf(c, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", max(1, tt.piece)*tt.pieces)
					for range tt.pieces {
						if _, err := c.Write(bytes.Repeat([]byte("x"), tt.piece)); err != nil {
							return
						}
						time.Sleep(tt.every)
					}
				}()
				status, body := answer(c)
				if took := time.Since(began); status != tt.status || took < tt.least || took > tt.most {
					t.Errorf("%d %s after %v, want %d after %v to %v", status, body, took, tt.status, tt.least, tt.most)
				}
				if tt.status == 400 {
					w.stalled(0, 1, 0)
				}
				_ = c.Close()
				time.Sleep(10 * time.Minute)
			})
		})
	}
}

// TestWorkMayTakeLong works for ten minutes on a request with a body, and on one without.
func TestWorkMayTakeLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			select {
			case <-time.After(10 * time.Minute):
			case <-r.Context().Done():
				rw.WriteHeader(http.StatusTeapot)
			}
		})
		for _, request := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"} {
			c := w.dial("192.0.2.1:1")
			send(c, request)
			if status, _ := answer(c); status != http.StatusOK {
				t.Errorf("%.4s: %d", request, status)
			}
		}
	})
}

// TestAnswersNobodyReads writes a large answer to clients that read nothing, slowly, and steadily.
func TestAnswersNobodyReads(t *testing.T) {
	const size = 1 << 20
	for _, tt := range []struct {
		name  string
		every time.Duration // a piece of 64 kB; 0 = never
		got   int
		over  time.Duration
	}{
		{"never", 0, 0, intake.WriteLimit},
		{"a piece every 10 s", 10 * time.Second, size, 160 * time.Second},
		{"a piece a minute", time.Minute, 64 << 10, 2 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				over := make(chan time.Duration, 1)
				w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
					began := time.Now()
					_, _ = rw.Write(make([]byte, size))
					over <- time.Since(began)
				})
				c := w.dial("192.0.2.1:1")
				send(c, "GET / HTTP/1.0\r\n\r\n")
				ctx, cancel := context.WithCancel(t.Context())
				got := 0
				read := make(chan struct{})
				go func() {
					defer close(read)
					for tt.every > 0 && ctx.Err() == nil {
						n, err := io.ReadFull(c, make([]byte, 64<<10))
						got += n
						if err != nil {
							return
						}
						time.Sleep(tt.every)
					}
				}()
				took := <-over
				time.Sleep(time.Minute)
				cancel()
				_ = c.Close()
				<-read
				if took > tt.over || got < tt.got {
					t.Errorf("%d bytes, over after %v; want %d and %v", got, took, tt.got, tt.over)
				}
				if tt.got < size {
					w.stalled(0, 0, 1)
				}
			})
		})
	}
}
