package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/jobs"
)

func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := jobs.New(slog.New(slog.DiscardHandler), time.Now, jobs.Alone{})
		var runs, fails, panics int
		g := s.For("test")
		g.Every("ok", time.Minute, func(context.Context) error { runs++; return nil })
		g.Every("fails", time.Hour, func(context.Context) error { fails++; return errors.New("no luck") })
		g.Every("panics", time.Hour, func(context.Context) error { panics++; panic("bug") })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		time.Sleep(2*time.Hour + time.Second)
		synctest.Wait()
		cancel()
		<-done
		if runs != 120 || fails != 2 || panics != 2 {
			t.Errorf("runs, fails, panics = %d, %d, %d, want 120, 2, 2", runs, fails, panics)
		}
		for _, st := range s.List() {
			wantErr := st.Name != "test:ok"
			if got := st.LastErr != ""; got != wantErr {
				t.Errorf("%s: last error %q, want one: %v", st.Name, st.LastErr, wantErr)
			}
		}
	})
}

// TestSwitch switches the owner of a job off and on again.
func TestSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := jobs.New(slog.New(slog.DiscardHandler), time.Now, jobs.Alone{})
		var off atomic.Bool
		s.Switch(func(owner string) bool { return owner != "test" || !off.Load() })
		var runs, others int
		s.For("test").Every("job", time.Minute, func(context.Context) error { runs++; return nil })
		s.For("other").Every("job", time.Minute, func(context.Context) error { others++; return nil })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		for _, now := range []bool{false, true, false} {
			off.Store(now)
			time.Sleep(10*time.Minute + time.Second)
			synctest.Wait()
		}
		cancel()
		<-done
		if runs != 20 || others != 30 {
			t.Errorf("%d and %d runs, want 20 and 30", runs, others)
		}
	})
}

// TestWatch notifies of each run, which has the context that it is given.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		s := jobs.New(slog.New(slog.DiscardHandler), time.Now, jobs.Alone{})
		var ends []error
		s.Watch(func(ctx context.Context, job string) (context.Context, func(error)) {
			return context.WithValue(ctx, key{}, job), func(err error) { ends = append(ends, err) }
		})
		broken := errors.New("no luck")
		s.For("test").Every("job", time.Minute, func(ctx context.Context) error {
			if ctx.Value(key{}) != "test:job" {
				t.Error("the run has another context")
			}
			return broken
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		time.Sleep(2*time.Minute + time.Second)
		synctest.Wait()
		cancel()
		<-done
		if len(ends) != 2 || !errors.Is(ends[0], broken) {
			t.Errorf("ends: %v", ends)
		}
	})
}

// shared are the turns of several servers: a job that one of them runs is left out by the others.
type shared struct {
	mu   sync.Mutex
	held map[string]bool
}

func (s *shared) Take(ctx context.Context, job string) (context.Context, func(), bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[job] {
		return nil, nil, false
	}
	s.held[job] = true
	ctx, cancel := context.WithCancel(ctx)
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held[job] = false
		cancel()
	}, true
}

// TestTurns runs two schedulers that share their turns: no job runs in both at once, and none is left out by both.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &shared{held: map[string]bool{}}
		var running, most, runs atomic.Int64
		job := func(ctx context.Context) error {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			runs.Add(1)
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Second):
			}
			return nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 2 {
			s := jobs.New(slog.New(slog.DiscardHandler), time.Now, turns)
			s.For("test").Every("job", time.Minute, job)
			all.Go(func() { s.Run(ctx) })
		}
		time.Sleep(time.Hour)
		cancel()
		all.Wait()
		if most.Load() != 1 || runs.Load() < 45 {
			t.Errorf("%d at once, %d runs in an hour", most.Load(), runs.Load())
		}
	})
}

// TestOnEachWorker runs two schedulers that share their turns: jobs about what a server itself works on run in both.
func TestOnEachWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &shared{held: map[string]bool{}}
		var runs [2]int
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range runs {
			s := jobs.New(slog.New(slog.DiscardHandler), time.Now, turns)
			s.For("test").OnEachWorker("job", time.Minute, func(context.Context) error {
				runs[i]++
				time.Sleep(20 * time.Second)
				return nil
			})
			all.Go(func() { s.Run(ctx) })
		}
		time.Sleep(time.Hour)
		cancel()
		all.Wait()
		if runs[0] < 44 || runs[1] < 44 {
			t.Errorf("%v runs in an hour", runs)
		}
	})
}

// TestOnEveryNode runs a server that does no other work beside one that does: it runs what is about itself alone.
func TestOnEveryNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &shared{held: map[string]bool{}}
		var runs [2][3]int
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range runs {
			s := jobs.New(slog.New(slog.DiscardHandler), time.Now, turns)
			count := func(kind int) jobs.Func {
				return func(context.Context) error { runs[i][kind]++; return nil }
			}
			s.For("test").Every("every", time.Minute, count(0))
			s.For("test").OnEachWorker("each worker", time.Minute, count(1))
			s.For("test").OnEveryNode("every node", time.Minute, count(2))
			run := s.Run
			if i == 1 {
				run = s.RunOnEveryNode
			}
			all.Go(func() { run(ctx) })
		}
		time.Sleep(time.Hour + time.Second)
		cancel()
		all.Wait()
		if want := [2][3]int{{60, 60, 60}, {0, 0, 60}}; runs != want {
			t.Errorf("%v runs in an hour, want %v", runs, want)
		}
	})
}

func TestTwiceDeclared(t *testing.T) {
	s := jobs.New(slog.New(slog.DiscardHandler), time.Now, jobs.Alone{})
	g := s.For("test")
	g.Every("x", time.Minute, func(context.Context) error { return nil })
	defer func() {
		if recover() == nil {
			t.Error("no panic for a job declared twice")
		}
	}()
	g.Every("x", time.Minute, func(context.Context) error { return nil })
}
