package apps

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
)

const (
	// seekGap is the least time from one look for unknown keys to the next.
	seekGap = 100 * time.Millisecond
	// seekPatience bounds a look.
	seekPatience = time.Second
	// seekBurst is how many looks are waited for at once, seekEvery after how long it may be one more: who sends keys that nobody has waits that often.
	seekBurst = 50
	seekEvery = 500 * time.Millisecond
	// maxMissed is how many keys are remembered that were looked for in vain.
	maxMissed = 8192
)

// seeker looks for apps of unknown keys that another process may have made a moment ago. A key waits for a look that begins after it came; all that come
// meanwhile wait for the same one, and a key that was looked for in vain does not wait again.
type seeker struct {
	now  func() time.Time
	seed maphash.Seed

	mu     sync.Mutex
	next   *look     // that has not begun; nil = none
	last   time.Time // when one began
	spent  int       // of seekBurst
	filled time.Time // when spent was right
	missed map[uint64]struct{}
	failed error // of the last look
}

// look is one look at the store.
type look struct {
	done chan struct{}
	err  error // once done
}

// Seek has unknown keys looked for in the store before FindByKey and LookByKey answer: for a process beside which others make apps. It is called before
// the directory is used.
func (s *Store) Seek(now func() time.Time) {
	s.seeker = &seeker{now: now, seed: maphash.MakeSeed(), missed: map[uint64]struct{}{}}
}

// FindByKey returns the app of a key that a client sent, or nil. Fault: access.app_unsure.
func (s *Store) FindByKey(ctx context.Context, key string) (*model.App, error) {
	app, _, err := s.LookByKey(ctx, key, true)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "access.app_unsure", "Apps cannot be looked up at the moment. Please try again")
	}
	return app, nil
}

// LookByKey is FindByKey for many keys in turn. Unless look is set it does not wait for a look at the store; looked says that it did. All apps that the
// store had then are in the directory, so one look is enough. An error says that the store did not answer.
func (s *Store) LookByKey(ctx context.Context, key string, look bool) (app *model.App, looked bool, err error) {
	app = s.snapshot.Load().byKey[key]
	if app != nil || !look || s.seeker == nil || key == "" {
		return app, false, nil
	}
	return s.seek(ctx, key)
}

// seek looks for a key that is not in the snapshot.
func (s *Store) seek(ctx context.Context, key string) (app *model.App, looked bool, err error) {
	k := s.seeker
	hash := maphash.String(k.seed, key)
	l, leads, wait, err := k.join(hash)
	if l == nil {
		return nil, false, err
	}
	if leads {
		<-time.After(wait)
		k.begin()
		// Others wait for it, too: it does not end with the request that began it.
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), seekPatience)
		k.end(l, s.patiently(limited))
		cancel()
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if app = s.snapshot.Load().byKey[key]; app != nil {
		return app, true, nil
	}
	if l.err != nil {
		return nil, true, fmt.Errorf("look for the app of a key: %w", l.err)
	}
	k.miss(hash)
	return nil, true, nil
}

// patiently is Refresh that does not wait longer than ctx for a write that is under way.
func (s *Store) patiently(ctx context.Context) error {
	for !s.writes.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	defer s.writes.Unlock()
	return s.catchUp(ctx)
}

// join returns the look that a key waits for; nil = none. The leader performs the look, after wait. When there have been too many looks and the last one failed,
// nothing is known of the key: that is an error.
func (k *seeker) join(hash uint64) (l *look, leads bool, wait time.Duration, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.missed[hash]; ok {
		return nil, false, 0, nil
	}
	if k.next != nil {
		return k.next, false, 0, nil
	}
	now := k.now()
	if back := int(now.Sub(k.filled) / seekEvery); back > 0 || back < 0 { // or the clock was put back
		k.spent, k.filled = max(k.spent-max(back, 0), 0), now
	}
	if k.spent >= seekBurst {
		return nil, false, 0, k.failed
	}
	k.spent++
	k.next = &look{done: make(chan struct{})}
	return k.next, true, min(max(seekGap-now.Sub(k.last), 0), seekGap), nil
}

// begin says that the next look begins.
func (k *seeker) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next, k.last = nil, k.now()
}

// end says how a look ended.
func (k *seeker) end(l *look, err error) {
	k.mu.Lock()
	k.failed = err
	k.mu.Unlock()
	l.err = err
	close(l.done)
}

// forget forgets which keys were looked for in vain: other apps are there now.
func (k *seeker) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.missed)
}

// miss remembers a key that was looked for in vain.
func (k *seeker) miss(hash uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.missed) >= maxMissed {
		clear(k.missed)
	}
	k.missed[hash] = struct{}{}
}
