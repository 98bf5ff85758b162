package live

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/topic"
)

const (
	backlog = 50  // entries of an app that a new stream begins with
	buffer  = 100 // entries that wait for a client
)

var errTooMany = &fault.Error{
	Kind: fault.RateLimited, Code: "live.too_many", Msg: "Too many live views are open", RetryAfter: 10 * time.Second,
}

// hub hands what was recorded to the open streams. Lock order: hub, then room, then stream.
type hub struct {
	perMember, total int
	now              func() time.Time

	open atomic.Int64 // streams; quick to ask when there is none

	mu      sync.Mutex
	rooms   map[model.AppID]*room // of apps that somebody looks at
	members map[model.MemberID]int
}

func newHub(perMember, total int, now func() time.Time) *hub {
	return &hub{perMember: perMember, total: total, now: now, rooms: map[model.AppID]*room{}, members: map[model.MemberID]int{}}
}

// room is an app that somebody looks at.
type room struct {
	figures figures

	// remembering is held while the rows are asked for what was recorded before anybody looked.
	remembering sync.Mutex
	remembered  bool

	// reading is held while the rows are asked for what another server records, which was last done at read.
	reading sync.Mutex
	read    time.Time

	mu      sync.Mutex
	streams []*stream
	opened  int64              // ms, when somebody began to look
	recent  []pipeline.Arrival // the newest, the oldest first
	seen    uint64             // offset of the newest that was here; 0 = there was none
	gone    int                // how often something was forgotten
}

// remember puts what load finds before what was recorded since somebody looks, once.
func (r *room) remember(load func() ([]pipeline.Arrival, error)) error {
	r.remembering.Lock()
	defer r.remembering.Unlock()
	if r.remembered {
		return nil
	}
	r.mu.Lock()
	gone := r.gone
	r.mu.Unlock()
	older, err := load()
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone != gone {
		return nil // it may hold what was to be forgotten; the next one who looks asks again
	}
	r.remembered = true
	if len(r.recent) > 0 {
		first := r.recent[0].Offset
		older = slices.DeleteFunc(older, func(a pipeline.Arrival) bool { return a.Offset >= first })
	}
	r.recent = newest(append(older, r.recent...), backlog)
	r.noteSeen()
	return nil
}

// follow lets a stream have what is recorded from now on, and returns the newest entries before that,
// which are after the one at offset after.
func (s *stream) follow(after uint64) []pipeline.Arrival {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.feed = true
	i := slices.IndexFunc(s.room.recent, func(a pipeline.Arrival) bool { return a.Offset > after })
	if i < 0 {
		return nil
	}
	return slices.Clone(s.room.recent[i:])
}

// stream is what waits for one client.
type stream struct {
	room   *room
	member model.MemberID
	app    model.AppID
	feed   bool // it follows what is recorded
	// ready holds one element when something waits.
	ready chan struct{}

	mu      sync.Mutex
	waiting []pipeline.Arrival
	skipped int
}

// join opens a stream, which follows nothing yet. Faults: live.too_many.
func (h *hub) join(app model.AppID, member model.MemberID) (*stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.members[member] >= h.perMember || int(h.open.Load()) >= h.total {
		return nil, errTooMany
	}
	r := h.rooms[app]
	if r == nil {
		r = &room{opened: h.now().UnixMilli()}
		h.rooms[app] = r
	}
	s := &stream{room: r, member: member, app: app, ready: make(chan struct{}, 1)}
	r.mu.Lock()
	r.streams = append(r.streams, s)
	r.mu.Unlock()
	h.members[member]++
	h.open.Add(1)
	return s, nil
}

// leave closes a stream; the last one of an app takes all that was kept of it along.
func (h *hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.room.mu.Lock()
	s.room.streams = slices.DeleteFunc(s.room.streams, func(o *stream) bool { return o == s })
	empty := len(s.room.streams) == 0
	s.room.mu.Unlock()
	if empty {
		delete(h.rooms, s.app)
	}
	if h.members[s.member]--; h.members[s.member] == 0 {
		delete(h.members, s.member)
	}
	h.open.Add(-1)
}

func (h *hub) room(app model.AppID) *room {
	if h.open.Load() == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rooms[app]
}

// Wants implements pipeline.Watcher.
func (h *hub) Wants(app model.AppID) bool { return h.room(app) != nil }

// Saw implements pipeline.Watcher.
func (h *hub) Saw(rec pipeline.Recorded) {
	r := h.room(rec.App)
	if r == nil {
		return
	}
	r.figures.changed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show(rec.Arrivals, rec.Requests-len(rec.Arrivals))
}

// show hands what was recorded to the streams, with how many requests were left out of it. What is not newer than what was handed out, as read from rows,
// is known already. The caller holds mu.
func (r *room) show(list []pipeline.Arrival, skipped int) {
	list = slices.DeleteFunc(slices.Clone(list), func(a pipeline.Arrival) bool { return a.Offset <= r.seen })
	if len(list) == 0 && skipped == 0 {
		return
	}
	r.recent = newest(append(r.recent, list...), backlog)
	r.noteSeen()
	for _, s := range r.streams {
		if s.feed {
			s.add(list, skipped)
		}
	}
}

// noteSeen notes the newest that is here. The caller holds mu.
func (r *room) noteSeen() {
	if n := len(r.recent); n > 0 {
		r.seen = max(r.seen, r.recent[n-1].Offset)
	}
}

// newest cuts a list to its last n elements and keeps nothing else.
func newest(list []pipeline.Arrival, n int) []pipeline.Arrival {
	if len(list) <= n {
		return list
	}
	return slices.Clone(list[len(list)-n:])
}

// appReset forgets what was recorded of an app whose data is gone.
func (h *hub) appReset(_ context.Context, ev topic.AppReset) error {
	h.forget(ev.App, func(pipeline.Arrival) bool { return true })
	return nil
}

// usersDeleted forgets what was recorded of users who are gone.
func (h *hub) usersDeleted(_ context.Context, ev topic.UsersDeleted) error {
	h.forget(ev.App, func(a pipeline.Arrival) bool { return ev.UIDs == nil || slices.Contains(ev.UIDs, a.UID) })
	return nil
}

func (h *hub) forget(app model.AppID, gone func(pipeline.Arrival) bool) {
	r := h.room(app)
	if r == nil {
		return
	}
	r.figures.changed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone++
	r.recent = slices.DeleteFunc(r.recent, gone)
	for _, s := range r.streams {
		s.mu.Lock()
		s.waiting = slices.DeleteFunc(s.waiting, gone)
		s.mu.Unlock()
	}
}

// add lets arrivals wait for the client. The oldest make room when there are too many.
func (s *stream) add(list []pipeline.Arrival, skipped int) {
	s.mu.Lock()
	s.waiting = append(s.waiting, list...)
	s.skipped += skipped + max(0, len(s.waiting)-buffer)
	s.waiting = newest(s.waiting, buffer)
	s.mu.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take hands out the newest of what waits, at most n, and how many were left out before them.
func (s *stream) take(n int) ([]pipeline.Arrival, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, skipped := newest(s.waiting, n), s.skipped+max(0, len(s.waiting)-n)
	s.waiting, s.skipped = nil, 0
	return list, skipped
}
