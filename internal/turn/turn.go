// Package turn makes long loops yield to other goroutines where somebody waits for an answer. Go's scheduler lets a busy goroutine run for 10 ms, and an
// acknowledgement waits for several turns: of what reads the request, of the journal's commit and sync, of what answers.
package turn

import (
	"runtime"
	"sync/atomic"
	"time"
)

// long is how much work a goroutine does in one turn.
const long = 500 * time.Microsecond

// waiting is how many wait for an answer of this process.
var waiting atomic.Int64

// BeginWait notes that somebody waits for an answer, until EndWait.
func BeginWait() { waiting.Add(1) }

// EndWait notes that a wait which BeginWait noted is over.
func EndWait() { waiting.Add(-1) }

// Counter counts the work of one goroutine since it last gave way. The zero value is that of a goroutine that begins.
type Counter struct{ done time.Duration }

// Spend notes work that took about so long, an estimate, and lets other goroutines run when the turn is over and somebody waits.
// To give way for nobody costs as much: a goroutine that is bound to a thread wakes another thread, and is woken by it.
func (c *Counter) Spend(about time.Duration) {
	if c.done += about; c.done < long {
		return
	}
	c.done = 0
	if waiting.Load() > 0 {
		runtime.Gosched()
	}
}
