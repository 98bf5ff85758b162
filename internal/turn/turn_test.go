package turn_test

import (
	"runtime"
	"testing"
	"time"

	"quipu/internal/turn"
)

// TestSpend has a goroutine work with one processor, which another one needs, too.
func TestSpend(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	ran := make(chan struct{})
	go close(ran)
	var c turn.Counter
	for range 1_000 { // the scheduler may prefer others a few times
		c.Spend(50 * time.Microsecond)
		select {
		case <-ran:
			return
		default:
		}
	}
	t.Error("the other goroutine never ran")
}
