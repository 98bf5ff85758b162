package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/jobs"
)

func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := jobs.New(slog.New(slog.DiscardHandler), time.Now)
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
		s := jobs.New(slog.New(slog.DiscardHandler), time.Now)
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

func TestTwiceDeclared(t *testing.T) {
	s := jobs.New(slog.New(slog.DiscardHandler), time.Now)
	g := s.For("test")
	g.Every("x", time.Minute, func(context.Context) error { return nil })
	defer func() {
		if recover() == nil {
			t.Error("no panic for a job declared twice")
		}
	}()
	g.Every("x", time.Minute, func(context.Context) error { return nil })
}
