// Package session is the state machine of a user's sessions: what begin,
// duration, end, cooldown and time-out do to a profile, and which of it is to
// be counted. It knows no clock: all times come with the calls, in ms since 1970.
package session

import "quipu/internal/model"

// Began says that a session began and is to be counted.
type Began struct {
	ID uint64 // place in the journal of the request
	TS int64
	// Frequency is the index of the time since the previous session start.
	Frequency int
	// New is set on a user's first session in the app.
	New bool
}

// Closed says that a session closed and is to be counted.
type Closed struct {
	ID    uint64
	Start int64
	// At is the moment at which the close counts.
	At int64
	// Seconds is the length: the sum of the durations sent.
	Seconds float64
	// Reopened is set when the session had closed before and was taken up again
	// within the cooldown: it counted already, at ClosedAt with ClosedSeconds, and
	// that count is to be taken back.
	Reopened      bool
	ClosedAt      int64
	ClosedSeconds float64
}

// Begin is what a request with begin_session asks for.
type Begin struct {
	Offset   uint64 // place in the journal of the request
	TS       int64  // device clock
	Received int64  // server clock
	// Cooldown in ms; 0 switches it off.
	Cooldown int64
}

// Result tells what a call did to the profile; nil parts did not happen.
type Result struct {
	Began  *Began
	Closed *Closed
	// Continued says that the begin took up the session that had just ended.
	Continued bool
}

// Start begins a session. An open session closes first, at the time of the
// new begin. A begin within the cooldown after an end takes the ended session up
// again instead and counts nothing.
func Start(p *model.Profile, b Begin) Result {
	var r Result
	switch {
	case p.Open.ID != 0:
		r.Closed = closeAt(p, b.TS)
	case p.LastEnd != 0 && b.TS >= p.LastEnd && b.TS-p.LastEnd <= b.Cooldown && b.Cooldown > 0:
		resume(p, b.TS, b.Received)
		r.Continued = true
		return r
	}
	sec := b.TS / 1000
	r.Began = &Began{ID: b.Offset, TS: b.TS, Frequency: Frequency(p, b.TS), New: p.Sessions == 0}
	p.LastEnd, p.Ended = 0, model.SessionState{}
	p.Open = model.SessionState{ID: b.Offset, Start: b.TS, Last: b.TS, Seen: b.Received}
	p.Sessions++
	p.LastDuration = 0
	if p.FirstSession == 0 || sec < p.FirstSession {
		p.FirstSession = sec
	}
	p.LastSession = max(p.LastSession, sec)
	return r
}

// resume reopens the session that ended last.
func resume(p *model.Profile, ts, received int64) {
	p.Open = p.Ended
	p.Open.Reopened, p.Open.ClosedAt, p.Open.ClosedSeconds = true, p.LastEnd, p.Open.Seconds
	p.Open.Last, p.Open.Seen = max(p.Open.Last, ts), received
	p.LastEnd, p.Ended = 0, model.SessionState{}
}

// Add counts seconds into the user's total, and into the open session if
// there is one.
func Add(p *model.Profile, seconds float64) {
	p.TotalDuration += seconds
	if p.Open.ID == 0 {
		return
	}
	p.Open.Seconds += seconds
	p.LastDuration = p.Open.Seconds
}

// Touch records a sign of life of the user: any request.
func Touch(p *model.Profile, ts, received int64) {
	if p.Open.ID == 0 {
		return
	}
	p.Open.Last = max(p.Open.Last, ts)
	p.Open.Seen = max(p.Open.Seen, received)
}

// End closes the open session at ts; nil when none is open. A begin within the
// cooldown may take the session up again.
func End(p *model.Profile, ts int64) *Closed {
	if p.Open.ID == 0 {
		return nil
	}
	ended := p.Open
	c := closeAt(p, ts)
	p.LastEnd, p.Ended = ts, ended
	return c
}

// Expire closes the open session, at its last activity, if it is the one with
// the id (0 = any) and its last sign of life, by the server's clock, lies before
// seenBefore; nil otherwise.
func Expire(p *model.Profile, id uint64, seenBefore int64) *Closed {
	if p.Open.ID == 0 || (id != 0 && p.Open.ID != id) || p.Open.Seen >= seenBefore {
		return nil
	}
	return closeAt(p, p.Open.Last)
}

// Abandon closes the open session of a profile that is about to disappear,
// at its last activity; nil when none is open.
func Abandon(p *model.Profile) *Closed {
	if p.Open.ID == 0 {
		return nil
	}
	return closeAt(p, p.Open.Last)
}

func closeAt(p *model.Profile, at int64) *Closed {
	o := p.Open
	p.Open = model.SessionState{}
	p.LastDuration = o.Seconds
	return &Closed{
		ID: o.ID, Start: o.Start, At: at, Seconds: o.Seconds,
		Reopened: o.Reopened, ClosedAt: o.ClosedAt, ClosedSeconds: o.ClosedSeconds,
	}
}
