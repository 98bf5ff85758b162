package turn_test

import (
	"runtime"
	"testing"
	"time"

	"quipu/internal/turn"
)

// TestSpend has a goroutine work with one processor, which another one needs, too, while somebody waits and while nobody does.
func TestSpend(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	works := func(calls int) (ran bool) {
		other := make(chan struct{})
		go close(other)
		var c turn.Counter
		for range calls {
			c.Spend(50 * time.Microsecond)
			select {
			case <-other:
				return true
			default:
			}
		}
		<-other
		return false
	}
	turn.BeginWait()
	if !works(1_000) { // the scheduler may prefer others a few times
		t.Error("somebody waits, and the other goroutine never ran")
	}
	turn.EndWait()
	gave := 0
	for range 20 {
		if works(100) {
			gave++ // as the scheduler may have it
		}
	}
	if gave > 10 {
		t.Errorf("nobody waits, and the other goroutine ran %d times of 20", gave)
	}
}
