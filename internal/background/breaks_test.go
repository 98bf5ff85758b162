package background_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/background"
)

// TestBreaks takes the time of breaks: none before the first piece, then some that grow with the piece before, up to a moment, and none once the caller has gone.
func TestBreaks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := background.Breaks{Now: time.Now}
		next := func(piece time.Duration) time.Duration {
			time.Sleep(piece)
			began := time.Now()
			b.Next(ctx)
			return time.Since(began)
		}
		for _, step := range []struct{ piece, want time.Duration }{{time.Second, 0}, {10 * time.Millisecond, 30 * time.Millisecond}, {0, 0}, {time.Minute, 100 * time.Millisecond}} {
			if got := next(step.piece); got != step.want {
				t.Errorf("a break of %v behind a piece of %v, want %v", got, step.piece, step.want)
			}
		}
		cancel()
		if got := next(time.Minute); got != 0 {
			t.Errorf("a break of %v once the caller has gone", got)
		}
	})
}
