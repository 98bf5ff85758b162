package pipeline

import (
	"sync"

	"quipu/internal/store/outbox"
)

// bytesOfRow is about what a row takes in a batch.
const bytesOfRow = 96

// rowBuffers hands the memory of a batch's rows on to the next batch. It holds on to
// as much as a batch can have.
type rowBuffers struct {
	most int // bytes

	mu   sync.Mutex
	free []outbox.Rows
	kept int // bytes that free has room for
}

// take returns an empty buffer for about n rows: the largest that is not far too large.
func (b *rowBuffers) take(n int) outbox.Rows {
	b.mu.Lock()
	defer b.mu.Unlock()
	at, most := -1, 0
	for i := range b.free {
		if size := b.free[i].Size(); size > most && size <= 8*bytesOfRow*max(n, 64) {
			at, most = i, size
		}
	}
	if at < 0 {
		return outbox.Rows{}
	}
	rows, last := b.free[at], len(b.free)-1
	b.free[at], b.free[last] = b.free[last], outbox.Rows{}
	b.free = b.free[:last]
	b.kept -= most
	return rows
}

// give takes a buffer back that nobody uses any more.
func (b *rowBuffers) give(rows *outbox.Rows) {
	given := *rows
	given.Reset()
	*rows = outbox.Rows{}
	b.mu.Lock()
	defer b.mu.Unlock()
	if size := given.Size(); size > 0 && b.kept+size <= b.most {
		b.kept += size
		b.free = append(b.free, given)
	}
}
