package pipeline

import (
	"sync"

	"quipu/internal/store/events"
)

// bytesOfRow is about what the smallest record that becomes a row has in the journal.
const bytesOfRow = 64

// rowBuffers hands the memory of a batch's rows on to the next batch. It holds on to
// as many rows as a batch can have.
type rowBuffers struct {
	most int // rows

	mu   sync.Mutex
	free [][]events.Row
	kept int // rows that free has room for
}

// take returns an empty buffer with room for n rows.
func (b *rowBuffers) take(n int) []events.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, rows := range b.free {
		if cap(rows) >= n && cap(rows) <= 8*max(n, 64) {
			b.kept -= cap(rows)
			last := len(b.free) - 1
			b.free[i], b.free[last] = b.free[last], nil
			b.free = b.free[:last]
			return rows
		}
	}
	return make([]events.Row, 0, n)
}

// give takes a buffer back that nobody uses any more.
func (b *rowBuffers) give(rows []events.Row) {
	clear(rows) // rows borrow texts from their requests
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept+cap(rows) > b.most || cap(rows) == 0 {
		return
	}
	b.kept += cap(rows)
	b.free = append(b.free, rows[:0])
}
