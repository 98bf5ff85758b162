package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// partitionsKey holds, in the bucket of marks, how many partitions there are.
const partitionsKey = "partitions"

// count makes sure that the journal has as many partitions as it had from the beginning: with another number apps would move
// between partitions, and their records would lose their order.
func (j *Journal) count(ctx context.Context) error {
	if !j.opts.Existing {
		_, err := ask(ctx, j.opts, func(ctx context.Context) (uint64, error) {
			return j.marks.Create(ctx, partitionsKey, []byte(strconv.Itoa(j.opts.Partitions)))
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return fmt.Errorf("number of partitions: %w", err)
		}
	}
	e, err := ask(ctx, j.opts, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return j.marks.Get(ctx, partitionsKey) })
	if err != nil {
		return fmt.Errorf("number of partitions: %w", err)
	}
	if string(e.Value()) != strconv.Itoa(j.opts.Partitions) {
		return fmt.Errorf("the journal %s has %s partitions, not %d: the number cannot be changed", j.opts.Prefix, e.Value(), j.opts.Partitions)
	}
	return nil
}

// config is that of the stream.
func (p *partition) config() jetstream.StreamConfig {
	o := p.j.opts
	want := jetstream.StreamConfig{
		Name: p.name(), Subjects: []string{p.subject()}, Description: "requests that wait to be projected", Storage: jetstream.FileStorage, Replicas: o.Replicas,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxBytes: o.MaxBytes, MaxMsgs: -1, MaxConsumers: -1, Duplicates: duplicates,
		AllowDirect: true, DenyDelete: true,
	}
	if want.MaxBytes == 0 {
		want.MaxBytes = -1
	}
	return want
}

// find makes the stream, or returns that which is there.
func (p *partition) find(ctx context.Context) (jetstream.Stream, error) {
	if !p.j.opts.Existing {
		return p.j.js.CreateOrUpdateStream(ctx, p.config())
	}
	return p.j.js.Stream(ctx, p.name())
}

// open makes the stream, or checks it, and begins to follow its frames until run is done.
func (p *partition) open(ctx, run context.Context) error {
	o := p.j.opts
	s, err := ask(ctx, o, p.find)
	if err != nil {
		return fmt.Errorf("stream %s: %w", p.name(), err)
	}
	if c := s.CachedInfo().Config; c.MaxAge != 0 || c.MaxMsgs > 0 || c.Storage != jetstream.FileStorage || c.Discard != jetstream.DiscardNew {
		return fmt.Errorf("stream %s would lose records: it has its own limits (age %s, %d messages) or is kept in memory", p.name(), c.MaxAge, c.MaxMsgs)
	}
	p.stream = s
	m, err := ask(ctx, o, p.mark)
	if err != nil {
		return err
	}
	p.base, p.revision = m.point, m.revision
	c, err := ask(ctx, o, func(ctx context.Context) (jetstream.Consumer, error) {
		return s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			HeadersOnly: true, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: p.base.seq + 1, InactiveThreshold: time.Minute,
		})
	})
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	p.following, err = c.Consume(func(m jetstream.Msg) { p.follow(run, m) }, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		o.Log.DebugContext(run, "the journal is followed again", "partition", p.number, "error", err)
	}))
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	return nil
}

// follow takes the headers of a frame in. They come in the order of the stream, none twice but after a reconnect.
func (p *partition) follow(ctx context.Context, m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		p.j.opts.Log.ErrorContext(ctx, "a message of the journal has no place", "partition", p.number, "error", err)
		return
	}
	seq := meta.Sequence.Stream
	p.mu.Lock()
	last := p.last()
	p.mu.Unlock()
	if seq <= last.seq {
		return
	}
	records, bytes, err := counts(m.Headers())
	if err != nil {
		// It counts as no record, on every node.
		p.j.opts.Log.ErrorContext(ctx, "a message of the journal is no frame", "partition", p.number, "message", seq, "error", err)
	}
	if seq > last.seq+1 {
		p.skip(ctx, seq)
	}
	p.mu.Lock()
	last = p.last()
	if seq > last.seq {
		p.frames = append(p.frames, point{seq: seq, offset: last.offset + records, bytes: last.bytes + bytes})
	}
	p.mu.Unlock()
	p.j.notify()
}

// skip is called when the frames before seq are gone: another node trimmed them, after it wrote with which offset
// the rest begins.
func (p *partition) skip(ctx context.Context, seq uint64) {
	for ctx.Err() == nil {
		mark, err := p.mark(ctx)
		if err == nil {
			p.mu.Lock()
			last := p.last().seq
			p.mu.Unlock()
			if mark.seq <= last {
				p.j.opts.Log.ErrorContext(ctx, "messages of the journal are missing", "partition", p.number, "after", last, "before", seq)
			}
			p.advance(mark)
			return
		}
		p.j.opts.Log.WarnContext(ctx, "the mark of a partition cannot be read", "partition", p.number, "error", err)
		select {
		case <-time.After(tryWait):
		case <-ctx.Done():
		}
	}
}

// advance forgets the frames up to a mark. Marks only move forwards: a trim begins after the mark whose revision it replaces.
func (p *partition) advance(m mark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.seq <= p.base.seq {
		return
	}
	n := 0
	for n < len(p.frames) && p.frames[n].seq <= m.seq {
		n++
	}
	m.bytes = p.base.bytes
	if n > 0 {
		m.bytes = p.frames[n-1].bytes
	}
	p.base, p.revision, p.frames = m.point, m.revision, slices.Clone(p.frames[n:])
}

// caughtUp returns once all that is stored now has been followed.
func (p *partition) caughtUp(ctx context.Context) error {
	info, err := ask(ctx, p.j.opts, func(ctx context.Context) (*jetstream.StreamInfo, error) { return p.stream.Info(ctx) })
	if err != nil {
		return fmt.Errorf("state of the stream: %w", err)
	}
	if info.State.Msgs == 0 {
		return nil
	}
	for {
		p.j.mu.Lock()
		changed := p.j.changed
		p.j.mu.Unlock()
		p.mu.Lock()
		last := p.last().seq
		p.mu.Unlock()
		if last >= info.State.LastSeq {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("followed to message %d of %d: %w", last, info.State.LastSeq, ctx.Err())
		}
	}
}
