package jobs_test

import (
	"context"
	"errors"
	"log/slog"
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
