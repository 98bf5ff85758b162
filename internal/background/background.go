// Package background runs work that nobody waits for on threads that the system schedules behind all others of the process, where it can: on
// Linux each thread has a niceness. So requests are acknowledged first, and projecting takes what they leave.
package background

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// niceness of the threads, on top of that of the process: beside one that is always busy such a thread gets a quarter of a processor. With a larger one, a goroutine waiting for a lock held in the background
// would wait too long until the holder runs again.
const niceness = 5

// Each runs do for 0 to n-1 side by side on up to so many workers in the background, and returns the first error; a worker ends with its first. A single worker is the caller,
// who should be in the background, see Enter.
func Each(workers, n int, do func(i int) error) error {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	var g errgroup.Group
	for range workers {
		g.Go(func() error {
			Enter()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := do(i); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// A break is so many times as long as what was done before it, and so long at most.
const (
	breakTimes   = 3
	longestBreak = 100 * time.Millisecond
)

// Breaks are the breaks between the pieces of long work: others come to the locks that each takes, and the garbage that all of them make is not made
// at once.
type Breaks struct {
	Now   func() time.Time
	began time.Time // the last piece; zero before the first
}

// Next is to be called before each piece. Before the first it returns at once; it ends with ctx.
func (b *Breaks) Next(ctx context.Context) {
	if !b.began.IsZero() {
		rest := time.NewTimer(min(breakTimes*b.Now().Sub(b.began), longestBreak))
		defer rest.Stop()
		select {
		case <-ctx.Done():
		case <-rest.C:
		}
	}
	b.began = b.Now()
}
