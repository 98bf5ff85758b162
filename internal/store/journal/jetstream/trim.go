package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"quipu/internal/store/journal"
)

// A trim goes to the servers when it frees this much.
const (
	trimBytes  = 1 << 20
	trimFrames = 256
)

// mark is where a partition begins, as all nodes know it: the message up to which it was, or is being, trimmed, and the offset of the last
// record in that. The zero mark is the beginning.
type mark struct {
	point
	revision uint64 // of the key; 0 = it is not there
}

func (p *partition) key() string { return "partition." + strconv.Itoa(int(p.number)) }

func (p *partition) mark(ctx context.Context) (m mark, err error) {
	e, err := p.j.marks.Get(ctx, p.key())
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return mark{}, nil
	}
	if err != nil {
		return mark{}, fmt.Errorf("mark: %w", err)
	}
	if _, err := fmt.Sscanf(string(e.Value()), "1 %d %d", &m.seq, &m.offset); err != nil {
		return mark{}, fmt.Errorf("mark %q: %w", e.Value(), err)
	}
	m.revision = e.Revision()
	return m, nil
}

// Trim implements journal.Journal. Whole frames go, once it is worth it.
func (j *Journal) Trim(ctx context.Context, w journal.Watermark) error {
	for _, p := range j.parts {
		if err := p.trim(ctx, w[p.number]); err != nil {
			return fmt.Errorf("trim partition %d: %w", p.number, err)
		}
	}
	return nil
}

func (p *partition) trim(ctx context.Context, through uint64) error {
	p.mu.Lock()
	n := p.holding(through + 1)
	if n == 0 || p.trimming {
		p.mu.Unlock()
		return nil
	}
	to := p.frames[n-1]
	if n < trimFrames && to.bytes-p.base.bytes < trimBytes {
		p.mu.Unlock()
		return nil
	}
	p.trimming = true
	revision := p.revision
	p.mu.Unlock()
	err := p.move(ctx, to, revision)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trimming = false
	return err
}

// move writes the mark and removes the frames up to it, in that order: what is stored always begins at or before the frame after the mark,
// and what lies before it is skipped. Where another node moved the mark meanwhile, that one holds.
func (p *partition) move(ctx context.Context, to point, revision uint64) error {
	value := fmt.Appendf(nil, "1 %d %d", to.seq, to.offset)
	var err error
	if revision == 0 {
		revision, err = p.j.marks.Create(ctx, p.key(), value)
	} else {
		revision, err = p.j.marks.Update(ctx, p.key(), value, revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		m, err := p.mark(ctx)
		if err == nil {
			p.advance(m)
		}
		return err
	}
	if err != nil {
		return fmt.Errorf("move the mark: %w", err)
	}
	p.advance(mark{point: to, revision: revision})
	if err := p.stream.Purge(ctx, jetstream.WithPurgeSequence(to.seq+1)); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	return nil
}
