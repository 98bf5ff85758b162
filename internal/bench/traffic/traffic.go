// Package traffic makes the requests that SDKs would send for a population of
// users: sessions with their devices, countries and app versions, events whose
// keys and segment values follow Zipf's law, views, and user details.
//
// It is a simulation in device time: sessions begin at random, more by day
// than by night, run side by side and send in the order of time. The
// same Config gives the same requests, byte by byte.
package traffic

import (
	"container/heap"
	"errors"
	"math"
	"math/rand/v2"
	"time"
)

// Config describes the traffic. The zero value of a field means its default.
type Config struct {
	Seed   uint64
	AppKey string
	// Users is the size of the population; default 10,000. A few of them come often, most
	// seldom.
	Users int
	// Start is when the simulation begins; required.
	Start time.Time
	// SessionsPerDay is how many sessions begin on a simulated day; default Users/10.
	SessionsPerDay float64
	// EventsPerRequest is the mean number of events in a request that has any; default 3.
	EventsPerRequest float64
	// RequestsPerSession is the mean number of requests with events in a session;
	// default 3. A begin and an end come on top.
	RequestsPerSession float64
}

// Format is how a request is written.
type Format uint8

// The formats.
const (
	// Form is the body of a POST to /i, urlencoded.
	Form Format = iota
	// Item is an element of the array of /i/bulk, a JSON object.
	Item
)

// Info tells what a request holds.
type Info struct {
	User   int // number in the population
	TS     int64
	Events int
	Begin  bool
}

// Generator makes requests one after the other. It belongs to one goroutine.
type Generator struct {
	cfg     Config
	rng     *rand.Rand
	catalog *catalog
	agenda  agenda
	next    int64    // ms, when the next session begins
	met     []uint64 // bits of users who had a session
	json    []byte
	w       writer
}

// New returns a Generator at the start of its simulation.
func New(cfg Config) (*Generator, error) {
	if cfg.Start.IsZero() || cfg.AppKey == "" {
		return nil, errors.New("traffic: start or app key is missing")
	}
	if cfg.Users <= 0 {
		cfg.Users = 10_000
	}
	if cfg.SessionsPerDay <= 0 {
		cfg.SessionsPerDay = float64(cfg.Users) / 10
	}
	if cfg.EventsPerRequest < 1 {
		cfg.EventsPerRequest = 3
	}
	if cfg.RequestsPerSession < 1 {
		cfg.RequestsPerSession = 3
	}
	return &Generator{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x7172616666696373)), catalog: newCatalog(), //nolint:gosec // traffic is to be repeatable
		next: cfg.Start.UnixMilli(), met: make([]uint64, (cfg.Users+63)/64),
	}, nil
}

// EventsPerSession is the mean number of events of a session.
func (g *Generator) EventsPerSession() float64 {
	return g.cfg.EventsPerRequest * g.cfg.RequestsPerSession
}

// session is a session under way.
type session struct {
	user  int
	at    int64 // ms, when its next request is sent
	began int64
	told  int64 // ms, up to when its duration was sent
	left  int   // requests with events still to come; the end follows
	view  int
	seq   uint64 // orders sessions that send in the same ms
}

// agenda is a heap of sessions by the time of their next request.
type agenda struct {
	list []*session
	seq  uint64
}

// Len implements heap.Interface.
func (a *agenda) Len() int { return len(a.list) }

// Less implements heap.Interface.
func (a *agenda) Less(i, j int) bool {
	x, y := a.list[i], a.list[j]
	return x.at < y.at || x.at == y.at && x.seq < y.seq
}

// Swap implements heap.Interface.
func (a *agenda) Swap(i, j int) { a.list[i], a.list[j] = a.list[j], a.list[i] }

// Push implements heap.Interface.
func (a *agenda) Push(x any) { a.list = append(a.list, x.(*session)) }

// Pop implements heap.Interface.
func (a *agenda) Pop() any {
	last := a.list[len(a.list)-1]
	a.list = a.list[:len(a.list)-1]
	return last
}

// Next appends the next request to dst.
func (g *Generator) Next(dst []byte, f Format) ([]byte, Info) {
	g.w = writer{b: dst, format: f}
	var info Info
	if len(g.agenda.list) == 0 || g.next <= g.agenda.list[0].at {
		s := g.begin()
		info = g.beginRequest(s)
		s.at += g.delay()
		heap.Push(&g.agenda, s)
	} else {
		s := g.agenda.list[0]
		if s.left > 0 {
			info = g.eventsRequest(s)
			s.at += g.delay()
			heap.Fix(&g.agenda, 0)
		} else {
			info = g.endRequest(s)
			heap.Pop(&g.agenda)
		}
	}
	return g.w.end(), info
}

// begin starts a session and draws when the next one starts.
func (g *Generator) begin() *session {
	at := g.next
	hour := float64(at%86_400_000) / 3_600_000
	busy := 1 + 0.6*math.Sin((hour-9)*math.Pi/12) // busiest in the afternoon
	g.next += 1 + int64(g.rng.ExpFloat64()*86_400_000/(g.cfg.SessionsPerDay*busy))
	x := g.rng.Float64()
	g.agenda.seq++
	return &session{
		user: int(x * math.Sqrt(x) * float64(g.cfg.Users)), at: at, began: at, told: at,
		left: g.geometric(g.cfg.RequestsPerSession), view: g.rng.IntN(1 << 16), seq: g.agenda.seq,
	}
}

// delay is the time between two requests of a session, ms.
func (g *Generator) delay() int64 { return 5_000 + int64(min(g.rng.ExpFloat64(), 4)*20_000) }

// geometric draws a number from 1 on with the mean.
func (g *Generator) geometric(mean float64) int {
	if mean <= 1 {
		return 1
	}
	n := 1 + int(math.Log(1-g.rng.Float64())/math.Log(1-1/mean))
	return min(n, 100)
}

// common writes what every request carries.
func (g *Generator) common(s *session, p *person) {
	g.w.begin()
	g.w.text("app_key", g.cfg.AppKey)
	g.w.text("device_id", p.device)
	g.w.number("timestamp", s.at)
	hour, dow := clock(s.at)
	g.w.number("hour", hour)
	g.w.number("dow", dow)
	g.w.number("tz", 0)
	g.w.text("sdk_name", p.sdk)
	g.w.text("sdk_version", "24.11.0")
	g.w.text("av", p.appVersion)
	g.w.number("rr", int64(s.left))
}

func clock(ms int64) (hour, dow int64) { return ms / 3_600_000 % 24, (ms/86_400_000 + 4) % 7 }

func (g *Generator) beginRequest(s *session) Info {
	p := g.catalog.person(g.cfg.Seed, s.user)
	g.common(s, &p)
	g.w.number("begin_session", 1)
	g.json = p.metrics(g.json[:0])
	g.w.json("metrics", g.json)
	g.w.text("country_code", p.country)
	g.w.text("city", p.city)
	if bit := uint64(1) << (s.user & 63); g.met[s.user>>6]&bit == 0 {
		g.met[s.user>>6] |= bit
		if p.named {
			g.json = p.details(g.json[:0])
			g.w.json("user_details", g.json)
		}
	}
	return Info{User: s.user, TS: s.at, Begin: true}
}

func (g *Generator) eventsRequest(s *session) Info {
	s.left--
	p := g.catalog.person(g.cfg.Seed, s.user)
	g.common(s, &p)
	n := g.geometric(g.cfg.EventsPerRequest)
	b := append(g.json[:0], '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = g.catalog.event(b, g.rng, s, &p, s.at-int64(n-i)*137)
	}
	g.json = append(b, ']')
	g.w.json("events", g.json)
	if s.at-s.told >= 60_000 {
		g.duration(s)
	}
	return Info{User: s.user, TS: s.at, Events: n}
}

func (g *Generator) endRequest(s *session) Info {
	p := g.catalog.person(g.cfg.Seed, s.user)
	g.common(s, &p)
	g.w.number("end_session", 1)
	g.duration(s)
	return Info{User: s.user, TS: s.at}
}

func (g *Generator) duration(s *session) {
	g.w.number("session_duration", (s.at-s.told)/1000)
	s.told = s.at
}
