// Package turn makes long loops yield to other goroutines. Go's scheduler lets a busy goroutine run for 10 ms, and an
// acknowledgement waits for several turns: of what reads the request, of the journal's commit and sync, of what answers.
package turn

import (
	"runtime"
	"time"
)

// long is how much work a goroutine does in one turn.
const long = time.Millisecond

// Counter counts the work of one goroutine since it last gave way. The zero value is that of a goroutine that begins.
type Counter struct{ done time.Duration }

// Spend notes work that took about so long, an estimate, and lets other goroutines run when the turn is over.
func (c *Counter) Spend(about time.Duration) {
	if c.done += about; c.done < long {
		return
	}
	c.done = 0
	runtime.Gosched()
}
