package journaltest

import (
	"bytes"
	"context"
	"sync"

	"quipu/internal/store/journal"
)

// Memory is a journal of several partitions in memory: for tests of what reads journals as a cluster has them.
type Memory struct {
	mu      sync.Mutex
	parts   []part
	turn    int // the partition that Read begins with
	closed  bool
	changed chan struct{} // closed when something is appended
}

// part is a partition.
type part struct {
	trimmed uint64
	records [][]byte // from trimmed+1 on
}

func (p *part) end() uint64 { return p.trimmed + uint64(len(p.records)) }

// after returns the records after an offset, and the offset of the first.
func (p *part) after(offset uint64) (first uint64, records [][]byte) {
	offset = min(max(offset, p.trimmed), p.end())
	return offset + 1, p.records[offset-p.trimmed:]
}

var _ journal.Journal = (*Memory)(nil)

// NewMemory returns an empty journal of some partitions.
func NewMemory(partitions int) *Memory {
	return &Memory{parts: make([]part, partitions), changed: make(chan struct{})}
}

// Reopen closes the journal and returns one that holds the same.
func (m *Memory) Reopen() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return &Memory{parts: m.parts, changed: make(chan struct{})}
}

// Partitions returns how many partitions there are.
func (m *Memory) Partitions() int { return len(m.parts) }

// Partition returns the partition of a routing.
func (m *Memory) Partition(routing uint64) uint16 {
	return uint16(routing % uint64(len(m.parts))) // less than the number of partitions
}

// Append implements journal.Journal.
func (m *Memory) Append(ctx context.Context, entries ...journal.Entry) (pos journal.Position, err error) {
	if err := ctx.Err(); err != nil {
		return pos, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return pos, journal.ErrClosed
	}
	for _, e := range entries {
		pos.Partition = m.Partition(e.Routing)
		p := &m.parts[pos.Partition]
		p.records = append(p.records, bytes.Clone(e.Payload))
		pos.Offset = p.end()
	}
	close(m.changed)
	m.changed = make(chan struct{})
	return pos, nil
}

// Read implements journal.Journal. Partitions take turns to be the first.
func (m *Memory) Read(ctx context.Context, from journal.Watermark, maxBytes int, fn func(journal.Record) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	m.turn++
	var found []journal.Record
	for i := range m.parts {
		at := (m.turn + i) % len(m.parts)
		first, records := m.parts[at].after(from[uint16(at)]) // few
		for n, r := range records {
			found = append(found, journal.Record{Partition: uint16(at), Offset: first + uint64(n), Payload: r}) // few
		}
	}
	m.mu.Unlock()
	passed := 0
	for _, r := range found {
		passed += len(r.Payload)
		if !fn(r) || maxBytes > 0 && passed >= maxBytes {
			return nil
		}
	}
	return nil
}

// Wait implements journal.Journal.
func (m *Memory) Wait(ctx context.Context, from journal.Watermark) error {
	for {
		m.mu.Lock()
		changed := m.changed
		for i := range m.parts {
			if _, records := m.parts[i].after(from[uint16(i)]); len(records) > 0 { // few
				m.mu.Unlock()
				return nil
			}
		}
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// Trim implements journal.Journal.
func (m *Memory) Trim(_ context.Context, w journal.Watermark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.parts {
		p := &m.parts[i]
		first, records := p.after(w[uint16(i)]) // few
		p.trimmed, p.records = first-1, records
	}
	return nil
}

// End implements journal.Journal.
func (m *Memory) End() journal.Watermark {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := journal.Watermark{}
	for i := range m.parts {
		if end := m.parts[i].end(); end > 0 {
			w[uint16(i)] = end // few
		}
	}
	return w
}

// Size implements journal.Journal.
func (m *Memory) Size(w journal.Watermark) (records, size int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.parts {
		_, list := m.parts[i].after(w[uint16(i)]) // few
		records += int64(len(list))
		for _, r := range list {
			size += int64(len(r))
		}
	}
	return records, size
}

// Close refuses further appends.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
