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
	"strconv"
	"time"
)

// Config describes the traffic. The zero value of a field means its default.
type Config struct {
	Seed uint64
	// AppKey is left out of requests when it is empty.
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
	// RequestsPerSession is the mean number of requests with events in a session, unless the
	// world has sequences; default 3. A begin and an end come on top.
	RequestsPerSession float64
	// World is what the population has and does; nil = Bench.
	World *World
	// Zone is that of the devices' clocks; nil = UTC.
	Zone *time.Location
	// Growth is how long it takes until all users are there: they come one after the other, and
	// the newer ones come most often. 0 = all are there from the start.
	Growth time.Duration
	// Weekend is how many sessions a day of the weekend has, as a share of another one; default 1.
	Weekend float64
	// Marked says that requests tell that they are simulated, which locked apps refuse.
	Marked bool
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
	First  bool // of the user, and a begin
}

// Generator makes requests one after the other. It belongs to one goroutine.
type Generator struct {
	cfg    Config
	rng    *rand.Rand
	world  *World
	agenda agenda
	next   int64    // ms, when the next session begins
	met    []uint64 // bits of users who had a session
	came   int      // users who have come so far, while they grow more
	json   []byte
	w      writer
}

// New returns a Generator at the start of its simulation.
func New(cfg Config) (*Generator, error) {
	if cfg.Start.IsZero() {
		return nil, errors.New("traffic: start is missing")
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
	if cfg.World == nil {
		cfg.World = Bench()
	}
	if cfg.Weekend <= 0 {
		cfg.Weekend = 1
	}
	return &Generator{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x7172616666696373)), world: cfg.World, // traffic is to be repeatable
		next: cfg.Start.UnixMilli(), met: make([]uint64, (cfg.Users+63)/64),
	}, nil
}

// EventsPerSession is the mean number of events of a session in a world without sequences.
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
	shown int64  // ms, since when the view is shown; 0 = none is
	plan  []step // still to be done; nil without a sequence
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
	_, dow, tz := g.clock(at)
	hour := float64((at+tz*60_000)%86_400_000) / 3_600_000
	busy := 1 + 0.6*math.Sin((hour-9)*math.Pi/12) // busiest in the afternoon
	if dow == 0 || dow == 6 {
		busy *= g.cfg.Weekend
	}
	perDay, there := g.cfg.SessionsPerDay, g.cfg.Users
	if g.cfg.Growth > 0 {
		there = g.there(at)
		perDay = perDay*(0.3+0.7*float64(there)/float64(g.cfg.Users)) + float64(g.cfg.Users)/max(g.cfg.Growth.Hours()/24, 1)
	}
	g.next += 1 + int64(g.rng.ExpFloat64()*86_400_000/(perDay*busy))
	x := g.rng.Float64()
	g.agenda.seq++
	s := &session{user: int(x * math.Sqrt(x) * float64(there)), at: at, began: at, told: at, seq: g.agenda.seq}
	if g.cfg.Growth > 0 {
		s.user = g.come(s.user, there)
	}
	s.left, s.view = g.geometric(g.cfg.RequestsPerSession), g.rng.IntN(1<<16)
	if s.plan = g.world.plan(g.rng); s.plan != nil {
		s.left = 1
	}
	return s
}

// come returns whose session it is while the users grow more: the next one who is new, or the one
// whose place from the newest is given.
func (g *Generator) come(place, there int) int {
	if g.came < there {
		g.came++
		return g.came - 1
	}
	return there - 1 - place
}

// wave is how far a rate that swings by a share of itself, once in a period, is behind after some time.
func wave(t, period, share float64) float64 {
	return share * period / (2 * math.Pi) * math.Sin(2*math.Pi*t/period)
}

// there is how many users have come at a time of the growth.
func (g *Generator) there(at int64) int {
	const day = 86_400_000.0
	days := float64(at-g.cfg.Start.UnixMilli()) / day
	// New users come in waves, of a week and of some weeks.
	waves := days - wave(days, 7, 0.45) - wave(days, 23, 0.35)
	return 1 + int(min(max(waves/(float64(g.cfg.Growth.Milliseconds())/day), 0), 1)*float64(g.cfg.Users-1))
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
	if g.cfg.AppKey != "" {
		g.w.text("app_key", g.cfg.AppKey)
	}
	g.w.text("device_id", p.device)
	g.w.number("timestamp", s.at)
	hour, dow, tz := g.clock(s.at)
	g.w.number("hour", hour)
	g.w.number("dow", dow)
	g.w.number("tz", tz)
	g.w.text("sdk_name", p.sdk)
	g.w.text("sdk_version", "24.11.0")
	g.w.text("av", p.appVersion)
	g.w.number("rr", int64(s.left))
	if g.cfg.Marked {
		g.w.text("populator", "true")
	}
}

// clock is what a device's clock shows, and its offset from UTC in minutes.
func (g *Generator) clock(ms int64) (hour, dow, tz int64) {
	if g.cfg.Zone != nil {
		_, offset := time.UnixMilli(ms).In(g.cfg.Zone).Zone()
		tz = int64(offset / 60)
		ms += int64(offset) * 1000
	}
	return ms / 3_600_000 % 24, (ms/86_400_000 + 4) % 7, tz
}

func (g *Generator) beginRequest(s *session) Info {
	p := g.world.person(g.cfg.Seed, s.user)
	g.common(s, &p)
	g.w.number("begin_session", 1)
	g.json = p.metrics(g.json[:0])
	g.w.json("metrics", g.json)
	g.w.text("country_code", p.country)
	g.w.text("city", p.city)
	info := Info{User: s.user, TS: s.at, Begin: true}
	if bit := uint64(1) << (s.user & 63); g.met[s.user>>6]&bit == 0 {
		g.met[s.user>>6] |= bit
		info.First = true
		if p.named {
			g.json = g.world.details(g.json[:0], &p)
			g.w.json("user_details", g.json)
		}
	}
	return info
}

func (g *Generator) eventsRequest(s *session) Info {
	p := g.world.person(g.cfg.Seed, s.user)
	n := g.geometric(g.cfg.EventsPerRequest)
	info := Info{User: s.user, TS: s.at}
	if s.plan != nil {
		n = min(n, len(s.plan))
		if n == len(s.plan) {
			s.left = 0
		}
	} else {
		s.left--
	}
	g.common(s, &p)
	b := append(g.json[:0], '[')
	for i := range n {
		ts := s.at - int64(n-i)*137
		if i > 0 {
			b = append(b, ',')
		}
		if s.plan == nil {
			b = g.act(b, s, &p, ts)
			info.Events++
			continue
		}
		b = g.walk(b, s, &p, s.plan[i], ts, &info)
	}
	if s.plan != nil {
		s.plan = s.plan[n:]
	}
	if info.Events > 0 {
		g.json = append(b, ']')
		g.w.json("events", g.json)
	}
	if s.at-s.told >= 60_000 {
		g.duration(s)
	}
	return info
}

// walk appends what a step of a sequence makes: an event, or a view and the time of the one
// before; and now and then an event by the way.
func (g *Generator) walk(b []byte, s *session, p *person, st step, ts int64, info *Info) []byte {
	info.Events++
	if st.view {
		b, info.Events = g.leave(b, s, p, ts, info.Events)
		b = append(append(b, `{"key":"[CLY]_view","count":1,"segmentation":{"name":`...), g.world.views[st.index]...)
		b = append(b, `,"visit":1`...)
		if s.shown == 0 {
			b = append(b, `,"start":1`...)
		}
		b = append(append(append(b, `,"segment":"`...), p.os...), `"}`...)
		s.view, s.shown = st.index, ts
		return g.clocked(b, ts)
	}
	b = g.event(b, st.index, g.rng.Uint64(), ts)
	if g.rng.Float64() < g.world.wander {
		info.Events++
		bits := g.rng.Uint64()
		b = g.event(append(b, ','), g.world.eventDraw.draw(bits), bits>>12, ts+61)
	}
	return b
}

// leave appends how long the present view was shown, if one is, and a comma.
func (g *Generator) leave(b []byte, s *session, p *person, ts int64, events int) ([]byte, int) {
	if s.shown == 0 {
		return b, events
	}
	b = append(append(b, `{"key":"[CLY]_view","count":1,"dur":`...), strconv.Itoa(int((ts-s.shown)/1000))...)
	b = append(append(b, `,"segmentation":{"name":`...), g.world.views[s.view]...)
	b = append(append(append(b, `,"segment":"`...), p.os...), `"}`...)
	return append(g.clocked(b, ts), ','), events + 1
}

func (g *Generator) endRequest(s *session) Info {
	p := g.world.person(g.cfg.Seed, s.user)
	g.common(s, &p)
	info := Info{User: s.user, TS: s.at}
	if s.shown > 0 {
		b, n := g.leave(append(g.json[:0], '['), s, &p, s.at, 0)
		b[len(b)-1] = ']'
		g.json, info.Events = b, n
		g.w.json("events", g.json)
	}
	g.w.number("end_session", 1)
	g.duration(s)
	return info
}

func (g *Generator) duration(s *session) {
	g.w.number("session_duration", (s.at-s.told)/1000)
	s.told = s.at
}

// Person tells who a user is.
type Person struct {
	Device     string // id
	Name       string
	Named      bool // the user's name is told with the first session
	OS         string
	Model      string
	AppVersion string
	Custom     []byte // JSON object of the user's properties
}

// Person describes the user of a number.
func (g *Generator) Person(user int) Person {
	p := g.world.person(g.cfg.Seed, user)
	return Person{
		Device: p.device, Name: p.name, Named: p.named, OS: p.os, Model: p.model, AppVersion: p.appVersion, Custom: g.world.custom(nil, &p),
	}
}
