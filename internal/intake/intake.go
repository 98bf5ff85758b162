// Package intake bounds what clients can make the server hold, and for how long:
// connections, headers and bodies as they arrive, bodies unpacked and parsed, reads under
// way, and answers that nobody reads. All of it is charged to gates of package memory
// before it is held, each client's share apart, and whatever stalls runs into a deadline.
package intake

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/memory"
)

// How long work waits for room, and after how long those turned away should come back.
const (
	bodyPatience   = 5 * time.Second
	readPatience   = 10 * time.Second
	answerPatience = 10 * time.Second
	// ComeBack is what Retry-After tells.
	ComeBack = 5 * time.Second
	// passing bounds how long a body that is larger than its client's share may take from then on.
	passing = 20 * time.Second
)

// readsAtOnce is how many requests to /o are worked on at a time: more than
// processors can work on, few enough for memory.
const readsAtOnce = 32

// smallBody of a request goes on while memory is short: it takes little.
const smallBody = 128 << 10

// What refused callers get, as package api says it: a text, and the code of the fault.
const (
	textBusy = `{"result":"Server is busy, try again later"}`
	codeBusy = "server.busy"
	// exposed are the headers that scripts of other origins may read.
	exposed = fault.Header + ", Retry-After"
)

// Options configure New. Governor, Now and Client are required.
type Options struct {
	Governor *memory.Governor
	// Now is the time of the machine, by which deadlines of connections go.
	Now func() time.Time
	// Client tells a request's address, after trusted proxies.
	Client func(*http.Request) netip.Addr
	// Proxies are trusted: the connections of one are those of many clients.
	Proxies []netip.Prefix
	// WriteLimit is how long a client may take for each piece of an answer; 0 = WriteLimit.
	WriteLimit time.Duration
}

// Intake is the gates of a server. It is safe for concurrent use.
type Intake struct {
	o Options
	// Bodies holds bytes: of headers, bodies, and what is made of them.
	Bodies *memory.Gate
	// Reads holds requests to /o that are worked on.
	Reads *memory.Gate
	// Answers holds bytes of answers that are being sent.
	Answers *memory.Gate
	// Connections holds connections.
	Connections *memory.Gate

	slowHeaders, slowBodies, slowAnswers *memory.Refusals
}

// New returns the gates, sized by the governor's plan.
func New(o Options) *Intake {
	g, plan := o.Governor, o.Governor.Plan()
	if o.WriteLimit <= 0 {
		o.WriteLimit = WriteLimit
	}
	return &Intake{
		o: o,
		Bodies: g.NewGate(memory.GateOptions{
			Name: "bodies", Size: plan.Bodies, Share: 1, Small: smallBody, Patience: bodyPatience, Passing: passing,
		}),
		Reads:       g.NewGate(memory.GateOptions{Name: "reads", Size: readsAtOnce, Share: 3, Patience: readPatience}),
		Answers:     g.NewGate(memory.GateOptions{Name: "answers", Size: plan.Answers, Share: 1, Small: plan.Answers, Patience: answerPatience, Passing: passing}),
		Connections: g.NewGate(memory.GateOptions{Name: "connections", Size: int64(plan.Connections), Share: 1}),
		slowHeaders: g.NewRefusals("slow_headers"), slowBodies: g.NewRefusals("slow_bodies"), slowAnswers: g.NewRefusals("slow_answers"),
	}
}

// Gates lists the gates.
func (in *Intake) Gates() []*memory.Gate {
	return []*memory.Gate{in.Bodies, in.Reads, in.Answers, in.Connections}
}

// Stalled lists the counters of what ran into a deadline.
func (in *Intake) Stalled() []*memory.Refusals {
	return []*memory.Refusals{in.slowHeaders, in.slowBodies, in.slowAnswers}
}

// Client returns who a request is from as gates know it.
func (in *Intake) Client(r *http.Request) memory.Who { return memory.Address(in.o.Client(r)) }

// Caller is who a request is from, while it is worked on.
type Caller struct {
	in  *Intake
	who memory.Who
	// had is set once the request had its first turn among readers of event rows.
	had atomic.Bool
}

type callerKey struct{}

// CallerOf returns the caller of a request's context; nil for work of the server itself.
func CallerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// Who returns the caller as gates know it; that of nil is the server itself.
func (c *Caller) Who() memory.Who {
	if c == nil {
		return memory.Who{}
	}
	return c.who
}

// Recognise notes that the caller is a member. It is to be called before the work begins.
func (c *Caller) Recognise(who memory.Who) {
	if c != nil && c.who != who { // the reads of a batch say at once what is known
		c.who = who
	}
}

// FirstTurn reports, once, that the request has not had a turn yet: then it may be turned
// away, which is too late when half of its answer may have been sent.
func (c *Caller) FirstTurn() bool { return c != nil && !c.had.Swap(true) }

// Hold charges n bytes that the request of ctx needs for a while, beside its body, to its caller, and waits for them. leave gives them
// back. Work of the server itself is not charged. Errors: memory.ErrBusy, ctx's.
func Hold(ctx context.Context, n int64) (leave func(), err error) {
	c := CallerOf(ctx)
	if c == nil {
		return func() {}, nil
	}
	claim := c.in.Bodies.Claim(c.who)
	if err := claim.Grow(ctx, n); err != nil {
		return nil, err
	}
	return claim.Leave, nil
}

// Costs of what a request brings, in bytes held for a byte received.
const (
	// parsed is that of a query or body that is parsed into values.
	parsed = 6
	// small queries and headers are part of what a connection costs.
	small = 4 << 10
)

// Handler puts the gates in front of next. Paths for which itself is true charge their bodies
// themselves, see Reader.
func (in *Intake) Handler(next http.Handler, itself func(path string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if in.Connections.Scarce() {
			w.Header().Set("Connection", "close") // a place for the next
		}
		if itself(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		who := in.Client(r)
		claim := in.Bodies.Claim(who)
		defer claim.Leave()
		ctx := context.WithValue(r.Context(), callerKey{}, &Caller{in: in, who: who})
		if n := int64(len(r.URL.RawQuery)); n > small && claim.Grow(ctx, parsed*n) != nil {
			Refuse(w, textBusy)
			return
		}
		r = r.WithContext(ctx)
		if r.Body == nil || r.Body == http.NoBody {
			// The limit for reading requests would end those that are worked on for longer.
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // without a connection there is none
		} else {
			r.Body = in.body(w, r, &claim, parsed)
		}
		next.ServeHTTP(w, r)
	})
}

// Refuse answers 503 and asks to come back.
func Refuse(w http.ResponseWriter, text string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposed)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Set(fault.Header, codeBusy)
	h.Set("Retry-After", strconv.Itoa(int(ComeBack/time.Second)))
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, text) // the client may have left
}
