package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quipu/internal/store/journal"
)

// Read implements journal.Journal. Partitions take turns to be the first.
func (j *Journal) Read(ctx context.Context, from journal.Watermark, maxBytes int, fn func(journal.Record) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	first := int(j.turn.Add(1))
	left := maxBytes
	for i := range j.parts {
		p := j.parts[(first+i)%len(j.parts)]
		more, err := p.read(ctx, from[p.number], &left, fn)
		if err != nil {
			return fmt.Errorf("read partition %d: %w", p.number, err)
		}
		if !more {
			return nil
		}
	}
	return nil
}

// read passes the records after an offset to fn. more says that fn wants more and that bytes are left.
func (p *partition) read(ctx context.Context, after uint64, left *int, fn func(journal.Record) bool) (more bool, err error) {
	for {
		p.mu.Lock()
		after = max(after, p.base.offset)
		i := p.holding(after + 1)
		if i == len(p.frames) {
			p.mu.Unlock()
			return true, nil
		}
		in, begin := p.frames[i], p.base
		if i > 0 {
			begin = p.frames[i-1]
		}
		p.mu.Unlock()
		payloads, err := p.frame(ctx, in.seq)
		if err != nil {
			return false, err
		}
		if payloads == nil { // it has been trimmed meanwhile
			continue
		}
		if uint64(len(payloads)) != in.offset-begin.offset {
			return false, fmt.Errorf("%w: message %d has %d records, its headers say %d", errFrame, in.seq, len(payloads), in.offset-begin.offset)
		}
		for n, payload := range payloads {
			offset := begin.offset + uint64(n) + 1
			if offset <= after {
				continue
			}
			after = offset
			*left -= len(payload)
			if !fn(journal.Record{Partition: p.number, Offset: offset, Payload: payload}) || *left <= 0 {
				return false, nil
			}
		}
	}
}

// frame returns the payloads of a message; nil when it has been trimmed. A reader that stops within a frame finds it in memory the next time.
func (p *partition) frame(ctx context.Context, seq uint64) ([][]byte, error) {
	j := p.j
	j.mu.Lock()
	if c := j.cached; c.seq == seq && c.partition == p.number {
		j.mu.Unlock()
		return c.payloads, nil
	}
	j.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, j.opts.Timeout)
	defer cancel()
	for {
		msg, err := p.stream.GetMsg(ctx, seq)
		if err == nil {
			payloads, err := decode(msg.Data)
			if err != nil {
				return nil, fmt.Errorf("message %d: %w", seq, err)
			}
			j.mu.Lock()
			j.cached = frame{partition: p.number, seq: seq, payloads: payloads}
			j.mu.Unlock()
			return payloads, nil
		}
		p.mu.Lock()
		gone := seq <= p.base.seq
		p.mu.Unlock()
		if gone {
			return nil, nil
		}
		// A server that answers may be behind the one that acknowledged; or others trimmed it.
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			if mark, merr := p.mark(ctx); merr == nil && mark.seq >= seq {
				p.advance(mark)
				continue
			}
		}
		select {
		case <-time.After(tryWait):
		case <-ctx.Done():
			return nil, fmt.Errorf("message %d: %w", seq, errors.Join(err, ctx.Err()))
		}
	}
}
