package duck

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/store/events"
)

// underWay registers a read as one that computes its result, and returns it with the context that stops it.
func underWay(t *testing.T, r *runs) (*run, context.Context) {
	t.Helper()
	one := &run{}
	ctx, stop := context.WithCancelCause(t.Context())
	t.Cleanup(func() { stop(nil) })
	r.stoppable(one, stop)
	if !r.begin(one, false) {
		t.Fatal("a read does not begin though nobody wants to be alone")
	}
	return one, ctx
}

// TestRunsStopOthers has a read that must run alone: those under way have a moment, what delivers goes on, and the stopped ones
// know why.
func TestRunsStopOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r runs
		slow, slowly := underWay(t, &r)
		giving, given := underWay(t, &r)
		if err := r.deliver(giving); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		alone := make(chan time.Duration)
		lone := &run{stop: func(error) {}}
		go func() {
			if err := r.enter(t.Context(), lone); err != nil {
				t.Error(err)
			}
			alone <- time.Since(began)
		}()
		<-slowly.Done()
		if took := time.Since(began); took != grace || !errors.Is(context.Cause(slowly), errStopped) {
			t.Errorf("stopped after %v by %v, want %v by errStopped", took, context.Cause(slowly), grace)
		}
		if err := r.deliver(slow); !errors.Is(err, errStopped) {
			t.Errorf("a stopped read passes on its rows: %v", err)
		}
		r.end(slow)
		if took := <-alone; took != grace {
			t.Errorf("alone after %v, want %v", took, grace)
		}
		if given.Err() != nil {
			t.Errorf("a read that delivers was stopped: %v", context.Cause(given))
		}
		if r.begin(&run{}, false) {
			t.Error("a read begins beside the lone one")
		}
		let := make(chan error)
		go func() { let <- r.letIn(t.Context()) }()
		if err := <-let; err != nil || time.Since(began) != grace+solitude {
			t.Errorf("let in after %v, %v; want %v", time.Since(began), err, grace+solitude)
		}
		if !r.begin(&run{}, true) {
			t.Error("a read that was let in does not begin")
		}
		r.end(giving)
		r.end(lone)
	})
}

// TestRunsOrder lets reads run alone one after the other: a write first, then the latest, but none is passed forever.
func TestRunsOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r runs
		blocker := &run{}
		if err := r.enter(t.Context(), blocker); err != nil {
			t.Fatal(err)
		}
		order := make(chan uint64, 8)
		enter := func(number uint64, stop context.CancelCauseFunc, passed int) {
			go func() {
				one := &run{number: number, stop: stop}
				if err := r.enter(t.Context(), one); err != nil {
					t.Error(err)
				}
				order <- number
				time.Sleep(time.Millisecond)
				r.end(one)
			}()
			synctest.Wait()
			r.mu.Lock()
			r.queue[len(r.queue)-1].passed = passed
			r.mu.Unlock()
		}
		stop := func(error) {}
		enter(1, stop, 0)
		enter(2, stop, maxPassed)
		enter(4, stop, 0)
		enter(3, stop, 0)
		enter(0, nil, 0) // a write
		r.end(blocker)
		for i, want := range []uint64{2, 0, 4, 3, 1} {
			if got := <-order; got != want {
				t.Errorf("place %d: got %d, want %d", i, got, want)
			}
		}
		time.Sleep(time.Second) // until the last has ended
	})
}

// TestRunsGiveUp cancels what waits: nobody stays blocked behind it.
func TestRunsGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r runs
		first, _ := underWay(t, &r)
		ctx, cancel := context.WithTimeout(t.Context(), grace/2)
		defer cancel()
		if err := r.enter(ctx, &run{stop: func(error) {}}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline", err)
		}
		r.end(first)
		second, running := underWay(t, &r) // nobody waits any more
		time.Sleep(2 * grace)
		if running.Err() != nil {
			t.Errorf("a read was stopped for one that is gone: %v", context.Cause(running))
		}
		r.end(second)

		lone := &run{stop: func(error) {}}
		if err := r.enter(t.Context(), lone); err != nil {
			t.Fatal(err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := r.letIn(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline", err)
		}
		r.end(lone)
		third, _ := underWay(t, &r)
		r.end(third)
	})
}

// TestRunsGuard has a write that finds too little memory beside reads: it waits until they have ended or are stopped, and
// when memory shrinks meanwhile they are stopped and kept out until it has ended.
func TestRunsGuard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r runs
		var free atomic.Int64
		free.Store(100)
		left := func(context.Context) (int64, error) { return free.Load(), nil }
		read, stopped := underWay(t, &r)
		err := r.guard(t.Context(), left, 50, func() error {
			time.Sleep(5 * watchEvery)
			if stopped.Err() != nil {
				t.Error("a read was stopped though there is memory")
			}
			free.Store(10)
			<-stopped.Done()
			r.end(read)
			if r.begin(&run{}, false) {
				t.Error("a read begins while a write needs its memory")
			}
			return events.ErrMemory
		})
		if !errors.Is(err, events.ErrMemory) {
			t.Errorf("got %v, want the error of the write", err)
		}
		again, stopped := underWay(t, &r)
		go func() {
			<-stopped.Done()
			r.end(again)
		}()
		ran := false
		if err := r.guard(t.Context(), left, 50, func() error { ran = true; return nil }); err != nil || !ran || stopped.Err() == nil {
			t.Errorf("got %v, ran %t, read stopped: %v; want a write alone", err, ran, stopped.Err())
		}
		last, _ := underWay(t, &r)
		r.end(last)
	})
}
