// Package follow brings what other processes write to documents into what this one holds of them in memory: at intervals, and as soon as the store of
// documents notifies of a write. A notification is a hint to look, no more; what is there, the store's generations say.
package follow

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// Every is how soon a change is in force, at the latest, while the store answers.
	Every = time.Second
	// gap is the least time from one look to the next: of many writes in a row the first is looked at at once, the others together.
	gap = 100 * time.Millisecond
)

// Follower is something that is held of documents.
type Follower struct {
	// Name is for people.
	Name string
	// Collections are those that it is made of.
	Collections []string
	// Refresh looks whether they were written to and reads them again if so, and is cheap otherwise. One call at a time.
	Refresh func(ctx context.Context) error
}

// Set are the followers of a process. They are added while the server is wired.
type Set struct{ list []Follower }

// Add adds a follower.
func (s *Set) Add(one Follower) { s.list = append(s.list, one) }

// OnChange makes a Refresh that calls changed when the generation of a collection has moved since the last call that succeeded; the first one only
// notes it.
func OnChange(generation func(context.Context) (int64, error), changed func(context.Context) error) func(context.Context) error {
	last, known := int64(0), false
	return func(ctx context.Context) error {
		now, err := generation(ctx)
		if err != nil || known && now == last {
			return err
		}
		if known {
			if err := changed(ctx); err != nil {
				return err
			}
		}
		last, known = now, true
		return nil
	}
}

// Notifier notifies of writes to documents, see postgres.Store. It may miss some.
type Notifier interface {
	// Listen calls heard with the names of collections that were written to, or nil when any may have been, until ctx is done.
	Listen(ctx context.Context, heard func(collections []string))
}

// Run refreshes followers until ctx is done: all of them at intervals, and with a notifier, which may be nil, those that it names as soon as it does.
func (s *Set) Run(ctx context.Context, log *slog.Logger, n Notifier) {
	w := waiting{list: s.list, due: map[int]bool{}, kick: make(chan struct{}, 1)}
	var listening sync.WaitGroup
	defer listening.Wait()
	if n != nil {
		listening.Go(func() { n.Listen(ctx, w.heard) })
	}
	tick, pause := time.NewTicker(Every), time.NewTimer(0)
	defer tick.Stop()
	defer pause.Stop()
	failing := map[int]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.heard(nil)
		case <-w.kick:
		}
		for _, at := range w.take() {
			err := s.list[at].Refresh(ctx)
			if err != nil && ctx.Err() == nil && !failing[at] { // once an outage
				log.WarnContext(ctx, "changes of other processes are not seen", slog.String("what", s.list[at].Name), slog.Any("error", err))
			}
			failing[at] = err != nil
		}
		pause.Reset(gap)
	}
}

// waiting are followers that have to look.
type waiting struct {
	list []Follower
	kick chan struct{}

	mu  sync.Mutex
	due map[int]bool
}

// heard notes that collections were written to; nil = any may have been.
func (w *waiting) heard(collections []string) {
	w.mu.Lock()
	for i, one := range w.list {
		if collections == nil || slices.ContainsFunc(one.Collections, func(name string) bool { return slices.Contains(collections, name) }) {
			w.due[i] = true
		}
	}
	due := len(w.due) > 0
	w.mu.Unlock()
	if due {
		select {
		case w.kick <- struct{}{}:
		default:
		}
	}
}

// take returns those that have to look, in their order; they do not any more.
func (w *waiting) take() (list []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.list {
		if w.due[i] {
			list = append(list, i)
		}
	}
	clear(w.due)
	return list
}
