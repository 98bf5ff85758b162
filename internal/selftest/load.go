package selftest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/child"
)

// fate is what is known of a request that was sent.
type fate uint8

const (
	// unknown: no answer came, so it may have been stored or not.
	unknown fate = iota
	// acked: it was acknowledged and must be there.
	acked
	// refused: a 503 told the client to come back later. A store that failed in the
	// middle may have it all the same.
	refused
)

// item is a numbered request.
type item struct {
	no      int64
	device  string
	old     string // device id that goes into device, "" = none
	ts      int64  // ms
	begin   bool
	end     bool
	seconds int
	events  []amount
}

// sending is an HTTP request with one item, or a bulk of them. It is always
// sent again as it was.
type sending struct {
	path, body string
	items      []*item

	fate  fate
	sends int64
}

// amount is one event of a request.
type amount struct {
	count int64
	sum   float64
}

// load sends requests on many connections and remembers each.
type load struct {
	target child.Target
	// hasty makes it close connections before the answer comes and send again.
	hasty bool
	// pace is how long a worker pauses between two requests; 0 = not at all.
	pace time.Duration
	// base is the device's time of the first request, ms.
	base    int64
	workers []*worker
	url     atomic.Pointer[string]
}

// worker is one connection, with devices of its own.
type worker struct {
	load    *load
	rng     *rand.Rand
	client  *http.Client
	number  int
	next    int64
	devices []string
	born    map[string]bool
	mu      sync.Mutex // guards sent, and fate and sends of its elements
	sent    []*sending
}

// newLoad makes a load of so many connections.
func newLoad(t child.Target, seed uint64, workers int, base time.Time) *load {
	l := &load{target: t, base: base.UnixMilli()}
	for n := range workers {
		w := &worker{
			load: l, number: n, born: map[string]bool{},
			rng:    rand.New(rand.NewPCG(seed, uint64(n)+1000)), // to be repeatable
			client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2, DialContext: (&net.Dialer{}).DialContext}, Timeout: 30 * time.Second},
		}
		for d := range 8 {
			w.devices = append(w.devices, fmt.Sprintf("w%d-d%d", n, d))
		}
		l.workers = append(l.workers, w)
	}
	return l
}

// run sends until ctx is done or the server is gone, which ends a worker at
// the first request that finds nobody listening.
func (l *load) run(ctx context.Context, c *child.Process) {
	l.runAt(ctx, c.URL, c.Done)
}

func (l *load) runAt(ctx context.Context, url string, gone <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-gone:
			cancel()
		case <-ctx.Done():
		}
	}()
	l.url.Store(&url)
	var wg sync.WaitGroup
	for _, w := range l.workers {
		wg.Go(func() { w.run(ctx) })
	}
	wg.Wait()
	for _, w := range l.workers {
		w.client.CloseIdleConnections()
	}
}

// each calls fn for everything that was sent.
func (l *load) each(fn func(*sending)) {
	for _, w := range l.workers {
		w.mu.Lock()
		for _, s := range w.sent {
			fn(s)
		}
		w.mu.Unlock()
	}
}

// count adds the figures of all requests to a result.
func (l *load) count(r *Result) {
	l.each(func(s *sending) {
		n := int64(len(s.items))
		r.Sent += n
		switch s.fate {
		case acked:
			r.Acked += n
		case unknown:
			r.Unknown += n
		case refused:
			r.Refused += n
		}
	})
}

// fates counts requests by what became of them.
func (l *load) fates() (acks, refusals int64) {
	var r Result
	l.count(&r)
	return r.Acked, r.Refused
}

// ackedNow returns the numbers of the requests acknowledged so far.
func (l *load) ackedNow() map[int64]bool {
	out := map[int64]bool{}
	l.each(func(s *sending) {
		if s.fate == acked {
			for _, it := range s.items {
				out[it.no] = true
			}
		}
	})
	return out
}

func (w *worker) run(ctx context.Context) {
	w.again(ctx)
	for ctx.Err() == nil {
		n := 1
		if w.rng.IntN(10) == 0 {
			n = 2 + w.rng.IntN(20) // through /i/bulk
		}
		w.send(ctx, w.make(n))
		if w.load.pace > 0 {
			pause(ctx, w.load.pace)
		}
	}
}

// again repeats half of what got no answer, as a client does that keeps its queue.
func (w *worker) again(ctx context.Context) {
	var list []*sending
	w.mu.Lock()
	for _, s := range w.sent {
		if s.fate == unknown && w.rng.IntN(2) == 0 {
			list = append(list, s)
		}
	}
	w.mu.Unlock()
	for _, s := range list {
		if ctx.Err() != nil {
			return
		}
		w.send(ctx, s)
	}
}

// make makes the next n items and puts them on the list.
func (w *worker) make(n int) *sending {
	s := &sending{path: "/i"}
	for range n {
		s.items = append(s.items, w.item())
	}
	if n == 1 {
		s.body = w.encode(s.items[0]).Encode()
	} else {
		list := make([]string, n)
		for i, it := range s.items {
			list[i] = asObject(w.encode(it))
		}
		s.path = "/i/bulk"
		s.body = url.Values{"app_key": {w.load.target.Key}, "requests": {"[" + strings.Join(list, ",") + "]"}}.Encode()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, s)
	return s
}

func (w *worker) item() *item {
	w.next++
	slot := w.rng.IntN(len(w.devices))
	// Devices send every 20 s or more, so that no session continues another.
	it := &item{
		no: int64(w.number)*1_000_000_000 + w.next, device: w.devices[slot],
		ts: w.load.base + w.next*20_000 + int64(w.number),
	}
	r := w.rng
	if r.IntN(40) == 0 && w.born[it.device] {
		it.old = it.device
		first, _, _ := strings.Cut(it.old, ".")
		it.device = fmt.Sprintf("%s.%d", first, w.next)
		w.devices[slot] = it.device
	}
	w.born[it.device] = true
	it.begin, it.end = r.IntN(4) == 0, r.IntN(6) == 0
	if r.IntN(3) == 0 {
		it.seconds = 1 + r.IntN(100)
	}
	for range 1 + r.IntN(3) {
		it.events = append(it.events, amount{count: 1 + r.Int64N(3), sum: float64(r.IntN(1000)) / 4})
	}
	return it
}

// encode writes the request. Each of its events carries its number.
func (w *worker) encode(it *item) url.Values {
	v := url.Values{"app_key": {w.load.target.Key}, "device_id": {it.device}, "timestamp": {strconv.FormatInt(it.ts, 10)}}
	if it.old != "" {
		v.Set("old_device_id", it.old)
	}
	if it.begin {
		v.Set("begin_session", "1")
		v.Set("metrics", fmt.Sprintf(`{"_os":"%s","_device":"D%d"}`, []string{"iOS", "Android"}[it.no%2], it.no%5))
	}
	if it.seconds > 0 {
		v.Set("session_duration", strconv.Itoa(it.seconds))
	}
	if it.end {
		v.Set("end_session", "1")
	}
	var list []string
	for _, e := range it.events {
		list = append(list, fmt.Sprintf(`{"key":"load","count":%d,"sum":%v,"segmentation":{"no":%d,"worker":"w%d"}}`, e.count, e.sum, it.no, w.number))
	}
	v.Set("events", "["+strings.Join(list, ",")+"]")
	return v
}

// asObject writes a request as an element of a bulk. Events and metrics are structured.
func asObject(v url.Values) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(v)) {
		value := strconv.Quote(v.Get(k))
		if k == "events" || k == "metrics" {
			value = v.Get(k)
		}
		out = append(out, strconv.Quote(k)+":"+value)
	}
	return "{" + strings.Join(out, ",") + "}"
}

// send sends something and notes what became of it.
func (w *worker) send(ctx context.Context, s *sending) {
	if w.load.hasty {
		for range w.rng.IntN(3) {
			w.lose(ctx, s)
		}
	}
	w.tried(s)
	f := w.post(ctx, s)
	w.mu.Lock()
	// What was sent without an answer before may be there, whatever is said now.
	if f == acked || f == refused && s.sends == 1 {
		s.fate = f
	}
	w.mu.Unlock()
	if f != acked {
		pause(ctx, 5*time.Millisecond) // do not spin on a server that is gone or full
	}
}

func (w *worker) tried(s *sending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.sends++
}

// post sends a body and tells what the answer means.
func (w *worker) post(ctx context.Context, s *sending) fate {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, *w.load.url.Load()+s.path, strings.NewReader(s.body))
	if err != nil {
		return unknown
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := w.client.Do(req)
	if err != nil {
		return unknown
	}
	answer, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		return unknown
	}
	switch {
	case res.StatusCode == http.StatusOK && strings.Contains(string(answer), "Success"):
		return acked
	case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
		return refused
	}
	return unknown
}

// lose sends something and hangs up before the answer.
func (w *worker) lose(ctx context.Context, s *sending) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(*w.load.url.Load(), "http://"))
	if err != nil {
		return
	}
	w.tried(s)
	_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		s.path, len(s.body), s.body)
	_ = c.Close() // whatever came of it
}
