package cluster

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// item is a request of a device, in the form in which a million of them are remembered. All that it says follows from it, its number and its worker.
type item struct {
	app        uint8
	slot       uint8 // of the device among those of its worker in its app
	generation uint16
	merges     bool // the device of the generation before goes into this one
	begin, end bool
	seconds    uint8
	probe      uint16 // the number of the probe that it is; 0 = of the load
	events     [3]amount
	n          uint8 // of the events
	// acked says that it was acknowledged; sends counts how often it was sent.
	acked bool
	sends uint8
	// offset is the place in the journal of its rows, and rows how many there are: what the comparison found.
	rows   uint8
	offset uint64
}

// amount is one event.
type amount struct {
	count    uint8
	quarters uint16
}

// Numbers of requests: those of a worker begin with its number.
const perWorker = 100_000_000

const slots = 8 // of devices, each worker in each app

// load is what clients send.
type load struct {
	t       *trial
	apps    []string // keys
	base    int64    // the device's time of the first request, ms
	step    int64    // between the requests of a worker, ms
	bulk    int      // about how many requests there are in a bulk at most
	workers []*worker

	acked, sends, refused, lost atomic.Int64
	longest                     atomic.Int64 // the longest time from the first try to the acknowledgement since it was asked for, ns
	rate                        atomic.Int64 // requests a second at most

	mu   sync.Mutex
	next time.Time // when the next request is due
}

// worker is a client: it has one request under way, which it sends again, to one node after the other, until it is acknowledged.
type worker struct {
	load        *load
	number      int
	rng         *rand.Rand
	client      *http.Client
	at          int // which node it sends to
	generations [][slots]uint16
	born        [][slots]bool

	mu    sync.Mutex // guards items
	items []item
}

// answerLimit is how long a client waits for an answer before it sends its request to another node.
const answerLimit = 12 * time.Second

func newLoad(t *trial, workers int) *load {
	l := &load{t: t, base: t.Now().Add(-9 * 24 * time.Hour).UnixMilli()}
	l.step = min(20_000, (8*24*time.Hour).Milliseconds()*int64(workers)/int64(2*t.Requests+1))
	if l.bulk = 30; t.Requests > 100_000 {
		l.bulk = 150
	}
	l.rate.Store(int64(t.Rate))
	for k := range t.Apps {
		l.apps = append(l.apps, fmt.Sprintf("%s-%d", t.name, k))
	}
	for n := range workers + 1 { // the last one probes
		l.workers = append(l.workers, &worker{
			load: l, number: n, rng: rand.New(rand.NewPCG(t.Seed, uint64(n)+1000)), at: n, // to be repeatable
			client:      &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2, DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext}, Timeout: answerLimit},
			generations: make([][slots]uint16, t.Apps), born: make([][slots]bool, t.Apps),
		})
	}
	return l
}

func (l *load) prober() *worker { return l.workers[len(l.workers)-1] }

// grace is how long what was begun may take to be delivered once nothing more is sent.
const grace = servedLimit

// run sends until sending is done. What was begun is delivered, unless that takes longer than the grace or ctx is done.
func (l *load) run(ctx, sending context.Context) {
	delivery, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(sending, func() {
		pause(delivery, grace)
		cancel()
	})()
	var wg sync.WaitGroup
	for _, w := range l.workers[:len(l.workers)-1] {
		wg.Go(func() {
			for sending.Err() == nil {
				n := 1
				if w.rng.IntN(3) == 0 {
					n = 2 + w.rng.IntN(l.bulk) // through /i/bulk
				}
				l.wait(sending, n)
				if sending.Err() == nil && !w.deliver(delivery, w.make(n)) {
					l.t.fault("client %d has a request that no node has acknowledged %v after the last one was sent", w.number, grace)
				}
			}
		})
	}
	wg.Wait()
	for _, w := range l.workers {
		w.client.CloseIdleConnections()
	}
}

// wait spreads requests over time, so that there are so many a second in all.
func (l *load) wait(ctx context.Context, n int) {
	l.mu.Lock()
	now := l.t.Now()
	if l.next.Before(now.Add(-time.Second)) { // what could not be sent is not made up for
		l.next = now.Add(-time.Second)
	}
	l.next = l.next.Add(time.Duration(n) * time.Second / time.Duration(l.rate.Load()))
	d := l.next.Sub(now)
	l.mu.Unlock()
	if d > 0 {
		pause(ctx, d)
	}
}

// span is some requests of a worker that follow each other and go out together.
type span struct{ first, n int }

// make makes the next n requests, of one app.
func (w *worker) make(n int) span {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := span{len(w.items), n}
	app := w.rng.IntN(w.load.t.Apps)
	for range n {
		w.items = append(w.items, w.item(app))
	}
	return s
}

// probe makes a request of an app that others can be told from.
func (w *worker) probe(app int, number uint16) span {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := span{len(w.items), 1}
	w.items = append(w.items, item{app: uint8(app), probe: number, n: 1, events: [3]amount{{count: 1}}}) // few
	return s
}

func (w *worker) item(app int) item {
	r := w.rng
	slot := r.IntN(slots)
	it := item{app: uint8(app), slot: uint8(slot)} // few
	if r.IntN(40) == 0 && w.born[app][slot] {
		w.generations[app][slot]++
		it.merges = true
	}
	w.born[app][slot] = true
	it.generation = w.generations[app][slot]
	it.begin, it.end = r.IntN(4) == 0, r.IntN(6) == 0
	if r.IntN(3) == 0 {
		it.seconds = uint8(1 + r.IntN(100)) // few
	}
	it.n = uint8(1 + r.IntN(2)) // few
	for i := range it.n {
		it.events[i] = amount{count: uint8(1 + r.IntN(3)), quarters: uint16(r.IntN(1000))} // few
	}
	return it
}

// get returns a request.
func (w *worker) get(index int) item {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.items[index]
}

// device is the id of a device.
func (w *worker) device(it *item, generation uint16) string {
	if it.probe > 0 {
		return "probe"
	}
	return fmt.Sprintf("w%d-d%d.%d", w.number, it.slot, generation)
}

// event is the key of the events of a request.
func (it *item) event() string {
	if it.probe > 0 {
		return probeKey(it.probe)
	}
	return "load"
}

func probeKey(n uint16) string { return fmt.Sprintf("probe-%d", n) }

// no is the number of a request, which each of its events carries.
func (w *worker) no(index int) int64 { return int64(w.number)*perWorker + int64(index) }

// pairs are the parameters of a request. What is quoted in a form stands as it is in an object.
func (w *worker) pairs(index int, fn func(key, value string, structured bool)) {
	it := w.get(index)
	fn("device_id", w.device(&it, it.generation), false)
	fn("timestamp", strconv.FormatInt(w.load.base+int64(index)*w.load.step+int64(w.number), 10), false)
	if it.merges {
		fn("old_device_id", w.device(&it, it.generation-1), false)
	}
	no := w.no(index)
	if it.begin {
		fn("begin_session", "1", false)
		fn("metrics", fmt.Sprintf(`{"_os":"%s","_device":"D%d","_app_version":"%d.0"}`, []string{"iOS", "Android"}[no%2], no%5, no%3), true)
	}
	if it.seconds > 0 {
		fn("session_duration", strconv.Itoa(int(it.seconds)), false)
	}
	if it.end {
		fn("end_session", "1", false)
	}
	var b strings.Builder
	for i := range it.n {
		if i > 0 {
			b.WriteByte(',')
		}
		e := it.events[i]
		fmt.Fprintf(&b, `{"key":"%s","count":%d,"sum":%v,"segmentation":{"no":%d,"worker":"w%d"}}`, it.event(), e.count, float64(e.quarters)/4, no, w.number)
	}
	fn("events", "["+b.String()+"]", true)
}

// form writes a request as a form, without the app's key.
func (w *worker) form(index int) url.Values {
	v := url.Values{}
	w.pairs(index, func(key, value string, _ bool) { v.Set(key, value) })
	return v
}

// object writes a request as an element of a bulk.
func (w *worker) object(b *strings.Builder, index int) {
	first := true
	w.pairs(index, func(key, value string, structured bool) {
		b.WriteByte(map[bool]byte{true: '{', false: ','}[first])
		first = false
		if !structured {
			value = strconv.Quote(value)
		}
		b.WriteString(strconv.Quote(key) + ":" + value)
	})
	b.WriteByte('}')
}

// body is how some requests go out.
func (w *worker) body(s span) (path, body string) {
	key := w.load.apps[w.get(s.first).app]
	if s.n == 1 {
		v := w.form(s.first)
		v.Set("app_key", key)
		return "/i", v.Encode()
	}
	var b strings.Builder
	for i := range s.n {
		if i > 0 {
			b.WriteByte(',')
		}
		w.object(&b, s.first+i)
	}
	return "/i/bulk", url.Values{"app_key": {key}, "requests": {"[" + b.String() + "]"}}.Encode()
}

// fate is what an answer says.
type fate int

const (
	unknown fate = iota // none came: it may be stored or not
	acked
	later  // come back
	wanted // what a client must not see
)

// deliver sends some requests until they are acknowledged. Sometimes they go to two nodes at once, and sometimes the client hangs up before the answer.
// It returns false if ctx was done first.
func (w *worker) deliver(ctx context.Context, s span) bool {
	l := w.load
	path, body := w.body(s)
	began := l.t.Now()
	var twice sync.WaitGroup
	delivered := false
	for try := 0; ctx.Err() == nil; try++ {
		urls := l.t.urls(w.at)
		if len(urls) == 0 {
			pause(ctx, 50*time.Millisecond)
			continue
		}
		w.tried(s)
		switch dice := w.rng.IntN(40); {
		case dice == 0 && try == 0 && len(urls) > 1:
			w.tried(s)
			twice.Go(func() { w.post(ctx, urls[1]+path, body) })
		case dice == 1 && try == 0:
			hasty, cancel := context.WithTimeout(ctx, time.Duration(w.rng.IntN(15))*time.Millisecond)
			w.post(hasty, urls[0]+path, body)
			cancel()
			w.tried(s)
		}
		answer := w.post(ctx, urls[0]+path, body)
		if delivered = answer == acked; delivered {
			break
		}
		if answer == wanted { // it is a fault already
			twice.Wait()
			return true
		}
		w.at++
		if answer == later {
			l.refused.Add(1)
		} else {
			l.lost.Add(1)
		}
		pause(ctx, time.Duration(20+w.rng.IntN(1+min(try, 10)*60))*time.Millisecond)
	}
	twice.Wait()
	if !delivered {
		return false
	}
	w.mu.Lock()
	for i := range s.n {
		w.items[s.first+i].acked = true
	}
	w.mu.Unlock()
	l.acked.Add(int64(s.n))
	took := int64(l.t.Now().Sub(began))
	for old := l.longest.Load(); took > old && !l.longest.CompareAndSwap(old, took); old = l.longest.Load() {
	}
	return true
}

func (w *worker) tried(s span) {
	w.load.sends.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range s.n {
		if it := &w.items[s.first+i]; it.sends < 255 {
			it.sends++
		}
	}
}

// post sends a body and tells what the answer means.
func (w *worker) post(ctx context.Context, address, body string) fate {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
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
		return later
	}
	w.load.t.fault("a node answers %d %.200s", res.StatusCode, answer)
	return wanted
}
