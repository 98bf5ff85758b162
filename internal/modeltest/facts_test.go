package modeltest_test

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// app is the model of one app: what happened in it, in the order in which it
// was accepted, and who its users are.
type app struct {
	id, key string
	zone    *time.Location

	requests []requestFact
	sessions []sessionFact
	closes   []*closeFact
	events   []eventFact

	profiles map[string]*profile // by device id
	uid      int
	sent     map[string]bool // fingerprints of requests with a ms timestamp
	outcomes map[string]map[string]int64
}

// requestFact is an accepted request.
type requestFact struct {
	at      moment
	seconds float64
}

// sessionFact is a session that began.
type sessionFact struct {
	at        moment
	who       *profile
	frequency string
	fresh     bool // the first of its user
	clock     *clock
	values    map[string]string // what it is counted under: country, carrier, os, …
}

// closeFact is a session that closed. One that is taken up again within the
// cooldown closes again: a session counts once, with its final length.
type closeFact struct {
	at      moment
	seconds float64
}

type eventFact struct {
	at       moment
	who      *profile
	key      string
	count    float64
	sum, dur *float64
	clock    *clock
	segments []segment
}

// request is what a client sends, as the model understands it.
type request struct {
	device, old    string
	ms             int64 // timestamp, 0 = none
	seconds10      bool  // the timestamp goes out in seconds
	begin, end     bool
	ignoreCooldown bool
	duration       any // session_duration: a number, or what is none; nil = not sent
	metrics        map[string]any
	metricsText    string // a metrics parameter that is no object
	sdk            [2]string
	events         []event
	badEvents      []any // elements of events that are no objects, or have no key
	country        string
	region, city   string
	location       *string
	user           *details
	consent        map[string]bool
	fingerprint    string // what was sent, "" when it may be sent twice
	received       int64  // ms, server clock
	clock          *clock // hour and dow, nil = not sent
	remaining      int    // rr
}

// clock is what a device's clock shows.
type clock struct{ hour, weekday int }

// event is one element of the events parameter.
type event struct {
	key       string
	count     int // 0 = not sent
	sum, dur  *float64
	ms        int64
	seconds10 bool
	clock     *clock
	segments  []segment
}

// segment is one property of an event. Value is a string, a float64, a bool or
// something structured.
type segment struct {
	name  string
	value any
}

// The limits of a fresh server. The wire names the cap of a session_duration and the cooldown; that
// times before 2005 and more than an hour ahead are no times, and give way to the time of
// reception, is the server's choice.
const (
	cooldown    = 15 * 1000
	durationCap = 120
	future      = 60 * 60 * 1000
	oldest      = 1104537600000
)

func instant(ms, otherwise, received int64) int64 {
	switch {
	case ms == 0:
		return otherwise
	case ms < oldest, ms > received+future:
		return received
	}
	return ms
}

func (a *app) count(item, reason string, n int) {
	if n == 0 {
		return
	}
	if a.outcomes[item] == nil {
		a.outcomes[item] = map[string]int64{}
	}
	a.outcomes[item][reason] += int64(n)
}

// drop counts a whole request as dropped.
func (a *app) drop(r *request, reason string) {
	a.count("request", reason, 1)
	if r.begin {
		a.count("session", reason, 1)
	}
	a.count("event", reason, len(r.events))
}

// apply is what a request does.
func (a *app) apply(r *request) {
	for _, bad := range r.badEvents {
		a.count("event", reasonOf(bad), 1)
	}
	if r.fingerprint != "" {
		if a.sent[r.fingerprint] {
			a.drop(r, "duplicate")
			return
		}
		a.sent[r.fingerprint] = true
	}
	ts := instant(r.ms, r.received, r.received)
	p := a.profiles[r.device]
	var old *profile
	if r.old != r.device {
		old = a.profiles[r.old]
	}
	if p == nil && old == nil && r.onlyEnds() {
		a.drop(r, "unknown_device_end")
		return
	}
	if p == nil {
		a.uid++
		p = newProfile(a, a.uid, r.device)
		a.profiles[r.device] = p
	}
	if old != nil {
		a.merge(p, old)
	}
	p.seen(ts, r.received)
	p.lastRequest = len(a.requests) + 1
	a.count("request", "accepted", 1)
	fact := requestFact{at: a.at(ts)}

	began := ""
	if r.begin {
		began = a.begin(p, r, ts)
	}
	if s, ok := secondsOf(r.duration); ok {
		fact.seconds = s
		p.spend(s)
	}
	a.requests = append(a.requests, fact)
	if r.end {
		a.end(p, ts)
	}
	p.describe(r)
	if began != "" {
		a.sessions = append(a.sessions, sessionFact{
			at: a.at(ts), who: p, frequency: began, fresh: began == "0", clock: r.clock, values: p.values(),
		})
	}
	if r.user != nil {
		p.change(r.user)
	}
	maps.Copy(p.consent, r.consent)
	for i := range r.events {
		a.event(p, &r.events[i], r.clock, ts, r.received)
	}
}

// reasonOf is why an element of events that cannot be used is dropped.
func reasonOf(bad any) string {
	if _, ok := bad.(map[string]any); ok {
		return "no_key"
	}
	return "malformed"
}

// onlyEnds: an end_session from a device never seen changes nothing. A
// session_duration beside it belongs to it.
func (r *request) onlyEnds() bool {
	says := len(r.consent) > 0 || r.user != nil && len(r.user.named)+len(r.user.custom) > 0
	return r.end && !r.begin && len(r.events) == 0 && !says
}

// secondsOf reads a session_duration: negative and no numbers are ignored.
func secondsOf(v any) (seconds float64, ok bool) {
	f, ok := v.(float64)
	return min(f, durationCap), ok && f >= 0
}

// event counts an event; its clock is its own, else that of the request.
func (a *app) event(p *profile, e *event, c *clock, ts, received int64) {
	a.count("event", "accepted", 1)
	if e.clock != nil {
		c = e.clock
	}
	a.events = append(a.events, eventFact{
		at: a.at(instant(e.ms, ts, received)), who: p, key: e.key, count: float64(max(e.count, 1)),
		sum: e.sum, dur: e.dur, clock: c, segments: e.segments,
	})
}

// openSession is a session that has not closed, or that may be taken up again.
type openSession struct {
	last    int64 // ms, the last sign of life by the device's clock
	heard   int64 // ms, the same by the server's
	seconds float64
	closed  *closeFact // set when it had closed before
}

// begin begins a session and returns the index of its frequency; "" when it
// continued the session that had just ended.
func (a *app) begin(p *profile, r *request, ts int64) string {
	switch since := ts - p.ended; {
	case p.open != nil:
		a.close(p, ts)
	case p.resumable != nil && since >= 0 && since <= cooldown && !r.ignoreCooldown:
		p.open, p.resumable = p.resumable, nil
		p.open.last, p.open.heard = max(p.open.last, ts), r.received
		a.count("session", "session_cooldown", 1)
		return ""
	}
	a.count("session", "accepted", 1)
	index := p.frequency(ts)
	p.resumable = nil
	p.open = &openSession{last: ts, heard: r.received}
	p.sessions++
	p.lastSeconds = 0
	p.firstSession = earliest(p.firstSession, ts/1000)
	p.lastSession = max(p.lastSession, ts/1000)
	return index
}

func (a *app) end(p *profile, ts int64) {
	if s := p.open; s != nil {
		a.close(p, ts)
		p.resumable, p.ended = s, ts
	}
}

// expire closes the sessions of which nothing was heard for half an hour, at their last sign of life.
// They are not taken up again.
func (a *app) expire(now int64) {
	for _, p := range a.profiles {
		if p.open != nil && p.open.heard < now-30*60*1000 {
			a.close(p, p.open.last)
		}
	}
}

// reset forgets all data of the app.
func (a *app) reset() {
	*a = app{id: a.id, key: a.key, zone: a.zone}
	a.profiles, a.sent, a.outcomes = map[string]*profile{}, map[string]bool{}, map[string]map[string]int64{}
}

// close counts the open session on the day of ms.
func (a *app) close(p *profile, ms int64) {
	s := p.open
	p.open = nil
	p.lastSeconds = s.seconds
	if s.closed == nil {
		s.closed = &closeFact{}
		a.closes = append(a.closes, s.closed)
	}
	*s.closed = closeFact{at: a.at(ms), seconds: s.seconds}
}

// frequency is the range of the time since the start of the session before.
// Out of order, a start before the last one is as near as can be.
func (p *profile) frequency(ts int64) string {
	if p.sessions == 0 {
		return "0"
	}
	h := (float64(ts)/1000 - float64(p.lastSession)) / 3600
	for i, limit := range []float64{24, 48, 72, 96, 120, 144, 168, 192, 360, 744} {
		if h < limit {
			return text(i + 1)
		}
	}
	return "11"
}

// length is the range of a session's seconds.
func length(seconds float64) string {
	for i, limit := range []float64{10, 30, 60, 180, 600, 1800, 3600} {
		if seconds <= limit {
			return text(i)
		}
	}
	return "7"
}

// visible are the months that had a session. A month without one is left out
// of reads with all its requests.
func (a *app) visible() map[month]bool {
	out := map[month]bool{}
	for _, s := range a.sessions {
		out[s.at.date.month()] = true
	}
	return out
}

// known is what get_events answers for an event.
type known struct {
	key      string
	segments []string
}

// eventList lists the custom events in order of first arrival, with their segments in the same.
func (a *app) eventList() []known {
	var out []known
	for _, e := range a.events {
		if strings.HasPrefix(e.key, "[CLY]_") {
			continue
		}
		i := slices.IndexFunc(out, func(k known) bool { return k.key == e.key })
		if i < 0 {
			i = len(out)
			out = append(out, known{key: e.key})
		}
		// The name of a segment is known from its first value that aggregates do not skip.
		for _, s := range e.segments {
			if _, counts := s.text(); counts {
				out[i].segments = appendNew(out[i].segments, s.name)
			}
		}
	}
	return out
}

func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
