package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/s2"

	"quipu/internal/traffic"
	"quipu/internal/turn"
)

// requestWork is about what it takes to render an SDK request.
const requestWork = 30 * time.Microsecond

// load is requests that were rendered before they are sent, with their headers.
type load struct {
	requests [][]byte
	packed   bool  // requests are compressed, see pack
	items    int64 // requests of SDKs: more than len(requests) in bulk
	events   int64
	bytes    int64 // of bodies
	refused  atomic.Int64
}

// render makes n SDK requests. perBulk > 0 packs so many into one request of /i/bulk.
func render(g *traffic.Generator, events int64, perBulk int, key string) *load {
	l := &load{}
	var body []byte
	var work turn.Counter
	turn.BeginWait() // where it goes on beside requests whose latency is measured, these are not to wait for it
	defer turn.EndWait()
	for l.events < events {
		if perBulk == 0 {
			var info traffic.Info
			body, info = g.Next(body[:0], traffic.Form)
			l.items++
			l.events += int64(info.Events)
			l.add("/i", "application/x-www-form-urlencoded", body)
			continue
		}
		body = append(append(append(body[:0], `{"app_key":"`...), key...), `","requests":[`...)
		for i := 0; i < perBulk && l.events < events; i++ {
			if i > 0 {
				body = append(body, ',')
			}
			var info traffic.Info
			body, info = g.Next(body, traffic.Item)
			work.Spend(requestWork)
			l.items++
			l.events += int64(info.Events)
		}
		body = append(body, "]}"...)
		l.add("/i/bulk", "application/json", body)
	}
	return l
}

// pack compresses the requests, for loads of which many wait.
func (l *load) pack() {
	for i, r := range l.requests {
		l.requests[i] = s2.Encode(nil, r)
	}
	l.packed = true
}

// request returns a request, which may lie in buf, and the buffer for the next one.
func (l *load) request(i int, buf []byte) (request, next []byte, err error) {
	if !l.packed {
		return l.requests[i], buf, nil
	}
	request, err = s2.Decode(buf[:cap(buf)], l.requests[i])
	return request, request, err
}

func (l *load) add(path, contentType string, body []byte) {
	head := "POST " + path + " HTTP/1.1\r\nHost: bench\r\nUser-Agent: quipu-bench\r\nContent-Type: " + contentType +
		"\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	l.requests = append(l.requests, append([]byte(head), body...))
	l.bytes += int64(len(body))
}

// first returns the first n requests of a load for /i.
func (l *load) first(n int) *load {
	cut := &load{requests: l.requests[:n], items: int64(n)}
	for _, request := range cut.requests {
		cut.events += int64(bytes.Count(request, []byte("%22key%22%3A"))) // each event has the member once
		cut.bytes += int64(len(request))
	}
	return cut
}

// conn is a keep-alive connection that sends requests as they are.
type conn struct {
	net.Conn
	r *bufio.Reader
}

func dial(ctx context.Context, url string) (*conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &conn{Conn: c, r: bufio.NewReaderSize(c, 4096)}, nil
}

var (
	okStatus      = []byte("HTTP/1.1 200 ")
	busyStatus    = []byte("HTTP/1.1 503 ")
	contentLength = []byte("Content-Length: ")
)

// send sends one request and reads its answer.
func (c *conn) send(request []byte) error {
	if _, err := c.Write(request); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	status, err := c.r.ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	refused := bytes.HasPrefix(status, busyStatus)
	if !refused && !bytes.HasPrefix(status, okStatus) {
		return fmt.Errorf("answer: %s", bytes.TrimSpace(status))
	}
	size := 0
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		if len(line) <= 2 {
			break
		}
		if n, ok := bytes.CutPrefix(line, contentLength); ok {
			if size, err = strconv.Atoi(string(bytes.TrimSpace(n))); err != nil {
				return fmt.Errorf("read answer: %w", err)
			}
		}
	}
	if _, err := c.r.Discard(size); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if refused {
		return errRefused
	}
	return nil
}

// errRefused says that the server asks to come back later.
var errRefused = errors.New("answer: 503")

// each runs fn on so many connections at once.
func each(ctx context.Context, url string, connections int, fn func(*conn) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	conns := make([]*conn, 0, connections)
	defer func() {
		for _, c := range conns {
			_ = c.Close() // all answers are read
		}
	}()
	for range connections {
		c, err := dial(ctx, url)
		if err != nil {
			return err
		}
		conns = append(conns, c)
	}
	stop := context.AfterFunc(ctx, func() {
		for _, c := range conns {
			_ = c.Close() // wakes who waits for an answer
		}
	})
	defer stop()
	for _, c := range conns {
		wg.Go(func() {
			if err := fn(c); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errors.Join(slices.Compact(errs)...)
}

// saturate sends the load as fast as answers come. What the server refuses
// for the moment is sent again after a pause.
func saturate(ctx context.Context, url string, l *load, connections int) error {
	var next atomic.Int64
	return each(ctx, url, connections, func(c *conn) error {
		var request, buf []byte
		for {
			i := int(next.Add(1)) - 1
			if i >= len(l.requests) {
				return nil
			}
			var err error
			if request, buf, err = l.request(i, buf); err != nil {
				return err
			}
			err = c.send(request)
			for errors.Is(err, errRefused) {
				l.refused.Add(1)
				if err = pause(ctx, 200*time.Millisecond); err == nil {
					err = c.send(request)
				}
			}
			if err != nil {
				return err
			}
		}
	})
}

// pause waits, unless ctx is done first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace sends the load at a rate, whatever the answers do, and returns for each
// request how long after its intended time the answer came. Requests that find no
// free connection wait, and their wait counts.
func pace(ctx context.Context, o *Options, url string, l *load, connections int, perSecond float64) ([]time.Duration, error) {
	var next atomic.Int64
	took := make([]time.Duration, len(l.requests))
	began := o.Now()
	err := each(ctx, url, connections, func(c *conn) error {
		timer := time.NewTimer(0)
		defer timer.Stop()
		<-timer.C
		for {
			i := int(next.Add(1)) - 1
			if i >= len(l.requests) {
				return nil
			}
			due := time.Duration(float64(i) / perSecond * float64(time.Second))
			if wait := due - o.Now().Sub(began); wait > 0 {
				timer.Reset(wait)
				select {
				case <-timer.C:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			if err := c.send(l.requests[i]); err != nil {
				return err
			}
			took[i] = o.Now().Sub(began) - due
		}
	})
	return took, err
}

// quantile returns the value below which a share of the values lies. It sorts them.
func quantile(values []time.Duration, share float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(int(share*float64(len(values))), len(values)-1)]
}

// median returns the middle value. It sorts them.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
