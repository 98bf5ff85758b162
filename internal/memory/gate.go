package memory

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// ErrBusy says that there was no room for a piece of work in time. It may be
// tried again later.
var ErrBusy = errors.New("memory: no room for more work of this kind")

// Who is a client as gates know it: an address or a member. The zero Who is
// the server itself, and others that no share binds.
type Who struct {
	addr   netip.Addr
	member [12]byte
}

// Address returns the client of an address; all addresses of an IPv6 network of 64 bits
// are one client, and so are all that are unknown.
func Address(a netip.Addr) Who {
	switch {
	case !a.IsValid():
		a = netip.IPv6Unspecified()
	case a.Is6() && !a.Is4In6():
		p, _ := a.Prefix(64) // 64 bits always fit
		a = p.Addr()
	default:
		a = a.Unmap()
	}
	return Who{addr: a}
}

// Member returns the client of a member's id, from whatever address.
func Member(id [12]byte) Who { return Who{member: id} }

// kind names what sort of client w is, for the log.
func (w Who) kind() string {
	switch {
	case w.addr.IsValid():
		return w.addr.String()
	case w != Who{}:
		return "a member"
	}
	return "the server"
}

// GateOptions say what a Gate admits.
type GateOptions struct {
	// Name stands in metrics and in the log.
	Name string
	// Size is how much is admitted at a time.
	Size int64
	// Share bounds what one client holds: no more than Share times what is then left free. With 1 a
	// client that is alone holds a half, and two hold a third each; some is always left for the next.
	Share int64
	// Small work goes on while memory is short; larger work waits.
	Small int64
	// Patience is how long work waits before it is turned away.
	Patience time.Duration
	// Passing, if not 0, lets one piece of work at a time pass beside the gate when it has grown larger
	// than the share of a client, and bounds how long that may take. It is for work that would fit nowhere else.
	Passing time.Duration
}

// Gate admits work of a kind: up to a size at a time, shared among clients. The
// rest waits, each client's in order of arrival and clients in turn, but not forever. It is safe for concurrent use.
type Gate struct {
	GateOptions
	gov      *Governor
	refusals *Refusals
	waiting  atomic.Int64
	taken    atomic.Int64 // is used, to be read without mu

	mu     sync.Mutex
	used   int64
	shares map[Who]*share
	queue  []*share // those with waiting work, in turn
	passer *Claim   // that passes; nil = none
	spare  *share   // that nobody uses, for the next client
}

// share is what one client holds of a gate.
type share struct {
	who     Who
	held    int64
	waiting []*waiter
}

// waiter is work that waits for room.
type waiter struct {
	claim *Claim
	n     int64
	ready chan struct{} // closed, under the gate's mu, when it has room
}

// NewGate returns a Gate.
func (g *Governor) NewGate(o GateOptions) *Gate {
	return &Gate{GateOptions: o, gov: g, refusals: g.NewRefusals(o.Name), shares: map[Who]*share{}}
}

// Claim is what one piece of work holds of a gate. The zero Claim holds nothing
// and must not grow. It is for one goroutine at a time.
type Claim struct {
	gate    *Gate
	who     Who
	share   *share // nil while it holds nothing
	held    int64
	modest  bool // it never passes
	passing bool
	until   time.Time // that it may pass
}

// Claim returns a claim of a client that holds nothing yet.
func (g *Gate) Claim(who Who) Claim { return Claim{gate: g, who: who} }

// Held returns what c holds.
func (c *Claim) Held() int64 { return c.held }

// Until returns when work that passes beside the gate must have ended; the zero time for all other.
func (c *Claim) Until() time.Time { return c.until }

// Grow takes n more, and waits for it with the gate's patience. When it fails c holds
// what it held. Errors: ErrBusy, ctx's.
func (c *Claim) Grow(ctx context.Context, n int64) error {
	return c.GrowWithin(ctx, n, c.gate.Patience)
}

// GrowWithin is Grow with a patience of its own.
func (c *Claim) GrowWithin(ctx context.Context, n int64, patience time.Duration) error {
	g := c.gate
	if n <= 0 {
		return nil
	}
	if calm := c.held+n <= g.Small || !g.gov.Strained(); calm {
		if ok, err := g.try(c, n); ok || err != nil {
			return err
		}
	}
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if c.held+n > g.Small {
		if g.gov.calm(patient) != nil {
			return c.outOfPatience(ctx)
		}
		if ok, err := g.try(c, n); ok || err != nil {
			return err
		}
	}
	return g.wait(ctx, patient, c, n)
}

// outOfPatience says why work that waited is turned away.
func (c *Claim) outOfPatience(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.gate.refuse(c.who)
}

// Try takes n more if there is room at once. Such a claim never passes beside the gate.
func (c *Claim) Try(n int64) bool {
	c.modest = true
	ok, err := c.gate.try(c, n)
	if !ok && err == nil {
		_ = c.gate.refuse(c.who) // false says it
	}
	return ok
}

// try takes n more for c if there is room at once. Errors: ErrBusy.
func (g *Gate) try(c *Claim, n int64) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.passing {
		if g.gov.now().After(c.until) {
			return false, g.refuse(c.who)
		}
		c.held += n
		return true, nil
	}
	s := g.shareOf(c)
	if c.held == 0 && len(s.waiting) > 0 { // what came before goes first, but what has begun should end
		return false, nil
	}
	ok := g.admit(c, s, n)
	if c.passing {
		g.serve() // it gave back what it held
	}
	return ok, nil
}

// shareOf returns the share of a client, which is kept only while it holds something.
func (g *Gate) shareOf(c *Claim) *share {
	if c.share != nil {
		return c.share
	}
	if s := g.shares[c.who]; s != nil {
		return s
	}
	s := g.spare
	if g.spare = nil; s == nil {
		s = &share{}
	}
	s.who, s.waiting = c.who, s.waiting[:0]
	return s
}

// admit gives n to c if it fits.
func (g *Gate) admit(c *Claim, s *share, n int64) bool {
	free := g.Size - g.used - n // one more counts: a client with nothing may take the last place
	if free >= 0 && (s.who == Who{} || s.held+n <= g.Share*(free+1)) {
		g.used += n
		g.taken.Store(g.used)
		if s.held == 0 {
			g.shares[s.who] = s
		}
		s.held += n
		c.share, c.held = s, c.held+n
		return true
	}
	// What is small, or what the client's other work keeps from growing, waits its turn.
	if g.Passing == 0 || g.passer != nil || c.modest || c.held+n <= g.Size*g.Share/(g.Share+1)/4 {
		return false
	}
	held := c.held
	g.giveBack(c)
	g.passer = c
	c.held, c.passing, c.until = held+n, true, g.gov.now().Add(g.Passing)
	return true
}

// giveBack takes from the gate what c holds.
func (g *Gate) giveBack(c *Claim) {
	if c.share == nil {
		return
	}
	g.used -= c.held
	g.taken.Store(g.used)
	if c.share.held -= c.held; c.share.held == 0 && len(c.share.waiting) == 0 {
		delete(g.shares, c.who)
		g.spare = c.share
	}
	c.share, c.held = nil, 0
}

// wait queues c for n more until patient is done, which is made of ctx.
func (g *Gate) wait(ctx, patient context.Context, c *Claim, n int64) error {
	w := &waiter{claim: c, n: n, ready: make(chan struct{})}
	g.mu.Lock()
	s := g.shareOf(c)
	if len(s.waiting) == 0 {
		g.shares[s.who] = s
		g.queue = append(g.queue, s)
	}
	s.waiting = append(s.waiting, w)
	g.serve() // room may have come since
	g.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-patient.Done():
		g.leave(s, w)
	}
	select {
	case <-w.ready: // at the last moment
		return nil
	default:
		return c.outOfPatience(ctx)
	}
}

// leave takes a waiter out of the queue, unless it has room already.
func (g *Gate) leave(s *share, w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range s.waiting {
		if s.waiting[i] == w {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			break
		}
	}
	g.serve()
}

// serve gives room to those who wait: one of each client in turn, until nobody's next fits.
func (g *Gate) serve() {
	for again := len(g.queue) > 0; again; {
		again = false
		for i := 0; i < len(g.queue); i++ {
			s := g.queue[i]
			if len(s.waiting) > 0 {
				if w := s.waiting[0]; g.admit(w.claim, s, w.n) {
					s.waiting = s.waiting[1:]
					close(w.ready)
					again = true
				}
			}
			if len(s.waiting) == 0 {
				if s.held == 0 {
					delete(g.shares, s.who)
				}
				g.queue = append(g.queue[:i], g.queue[i+1:]...)
				i--
			}
		}
		if len(g.queue) > 1 { // the next one is first when there is room again
			g.queue = append(g.queue[1:], g.queue[0])
		}
		again = again && len(g.queue) > 0
	}
}

// end gives everything back; the gate's mu is held.
func (c *Claim) end() {
	g := c.gate
	if c.passing {
		g.passer, c.passing, c.held, c.until = nil, false, 0, time.Time{}
	} else {
		g.giveBack(c)
	}
	g.serve()
}

// Leave gives back what c holds.
func (c *Claim) Leave() {
	if c.held == 0 {
		return
	}
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	c.end()
}

func (g *Gate) refuse(who Who) error {
	g.refusals.Add(who)
	return ErrBusy
}

// Scarce reports whether less than a quarter of the gate is free.
func (g *Gate) Scarce() bool { return g.taken.Load() > g.Size/4*3 }

// Used returns how much is taken.
func (g *Gate) Used() int64 { return g.taken.Load() }

// Waiting returns how many wait for room.
func (g *Gate) Waiting() int64 { return g.waiting.Load() }

// Refused returns how many were turned away.
func (g *Gate) Refused() int64 { return g.refusals.Count() }
