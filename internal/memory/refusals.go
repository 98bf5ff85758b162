package memory

import (
	"log/slog"
	"sync"
	"time"
)

// logEvery is how often refusals of one kind are logged at most.
const logEvery = time.Minute

// Refusals counts what was turned away for one reason, and logs it once a minute at most. It is safe
// for concurrent use.
type Refusals struct {
	name string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	count  int64
	told   int64 // of count, what was logged
	logged time.Time
}

// NewRefusals returns a counter; its name stands in metrics and in the log.
func (g *Governor) NewRefusals(name string) *Refusals {
	return &Refusals{name: name, log: g.log, now: g.now}
}

// Name returns the name.
func (r *Refusals) Name() string { return r.name }

// Add counts one refusal.
func (r *Refusals) Add(who Who) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	now := r.now()
	if !r.logged.IsZero() && now.Sub(r.logged) < logEvery {
		return
	}
	r.log.Warn("clients are turned away", "gate", r.name, "since_last", r.count-r.told, "last", who.kind())
	r.logged, r.told = now, r.count
}

// Count returns how many there were.
func (r *Refusals) Count() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}
