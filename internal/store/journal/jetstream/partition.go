package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quipu/internal/store/journal"
)

// appending is what one Append has for one partition.
type appending struct {
	payloads [][]byte
	bytes    int
	taken    bool   // by the committer; guarded by partition.mu
	last     uint64 // offset of the last record
	err      error
	done     chan struct{} // closed when last or err is set
}

// point is where a frame ends.
type point struct {
	seq    uint64 // of its message
	offset uint64 // of its last record
	bytes  uint64 // payload bytes up to there, counted from an arbitrary frame on
}

// partition is one stream.
type partition struct {
	j         *Journal
	number    uint16
	stream    jetstream.Stream
	following jetstream.ConsumeContext

	wake chan struct{} // holds one token when the committer has to look

	mu     sync.Mutex
	queue  []*appending
	closed bool
	sent   uint64  // frames of this journal
	base   point   // the last frame that was trimmed
	frames []point // those after it, ascending

	revision uint64 // of the mark at base
	trimming bool   // one trim at a time
}

func (p *partition) name() string { return fmt.Sprintf("%s-journal-%d", p.j.opts.Prefix, p.number) }

func (p *partition) subject() string { return fmt.Sprintf("%s.journal.%d", p.j.opts.Prefix, p.number) }

// last is where the newest frame ends. mu is held.
func (p *partition) last() point {
	if n := len(p.frames); n > 0 {
		return p.frames[n-1]
	}
	return p.base
}

// end returns the offset of the last record that this node knows of.
func (p *partition) end() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last().offset
}

// size returns what lies after an offset.
func (p *partition) size(after uint64) (records, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.last()
	if after = max(after, p.base.offset); after >= last.offset {
		return 0, 0
	}
	i := p.holding(after + 1)
	begin := p.base
	if i > 0 {
		begin = p.frames[i-1]
	}
	in := p.frames[i]
	// Within the frame records count as equally large.
	part := (in.bytes - begin.bytes) * (after - begin.offset) / (in.offset - begin.offset)
	return int64(last.offset - after), int64(last.bytes - begin.bytes - part) // differences of what is stored
}

// holding returns the index of the frame that holds a record; len(frames) = none does yet. mu is held.
func (p *partition) holding(offset uint64) int {
	return sort.Search(len(p.frames), func(i int) bool { return p.frames[i].offset >= offset })
}

func (p *partition) enqueue(a *appending) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		a.err = journal.ErrClosed
		close(a.done)
		return
	}
	p.queue = append(p.queue, a)
	p.signal()
}

func (p *partition) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// await returns once what was enqueued has ended. When ctx is done before it was sent, it is taken back; afterwards its
// payloads belong to the committer until it ends, which is soon.
func (p *partition) await(ctx context.Context, a *appending) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	if !a.taken {
		if i := slices.Index(p.queue, a); i >= 0 {
			p.queue = slices.Delete(p.queue, i, i+1)
			p.mu.Unlock()
			return ctx.Err()
		}
	}
	p.mu.Unlock()
	<-a.done
	return a.err
}

func (p *partition) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, a := range p.queue {
		a.err = journal.ErrClosed
		close(a.done)
	}
	p.queue = nil
	p.signal()
}

// commitLoop sends one frame after the other until run is done: a frame that is sent again never overtakes another.
func (p *partition) commitLoop(run context.Context) {
	for {
		group, closed := p.take()
		if len(group) == 0 {
			if closed {
				return
			}
			select {
			case <-p.wake:
			case <-run.Done():
				return
			}
			continue
		}
		err := p.commit(run, group)
		for _, a := range group {
			a.err = err
			close(a.done)
		}
	}
}

// take takes the next group out of the queue.
func (p *partition) take() (group []*appending, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	bytes, records, most := 0, 0, min(maxGroup, p.j.opts.MaxAppend)
	for _, a := range p.queue {
		size := frameSize(a.payloads)
		if len(group) > 0 && (bytes+size > most || records+len(a.payloads) > maxRecords) {
			break
		}
		bytes += size
		records += len(a.payloads)
		a.taken = true
		group = append(group, a)
	}
	p.queue = slices.Delete(p.queue, 0, len(group))
	return group, p.closed
}

// commit stores a group as one frame and sets the offsets of its members.
func (p *partition) commit(run context.Context, group []*appending) error {
	data, records, bytes := encode(group)
	ctx, cancel := context.WithTimeout(run, p.j.opts.Timeout)
	defer cancel()
	p.sent++
	msg := &nats.Msg{Subject: p.subject(), Data: data, Header: nats.Header{
		headerRecords:         {strconv.Itoa(records)},
		headerBytes:           {strconv.Itoa(bytes)},
		jetstream.MsgIDHeader: {p.j.node + "." + strconv.FormatUint(p.sent, 36)},
	}}
	seq, err := p.send(ctx, msg)
	if err != nil {
		return err
	}
	end, err := p.known(ctx, seq)
	if err != nil {
		return err
	}
	offset := end.offset - uint64(records) // a length
	for _, a := range group {
		offset += uint64(len(a.payloads))
		a.last = offset
	}
	return nil
}

// Faults of the API of JetStream that say that nothing was stored for want of room.
var full = []jetstream.ErrorCode{10023, 10047, 10077, 10122}

const (
	tryFor  = 2 * time.Second       // an acknowledgement is waited for that long before the frame is sent again
	tryWait = 50 * time.Millisecond // between two attempts
)

// send sends a message until it is acknowledged, and returns its sequence number. The servers know it again by its id, so sending
// it twice stores it once.
func (p *partition) send(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	for {
		try, cancel := context.WithTimeout(ctx, tryFor)
		ack, err := p.j.js.PublishMsg(try, msg, jetstream.WithExpectStream(p.name()), jetstream.WithRetryAttempts(0))
		cancel()
		if err == nil {
			return ack.Sequence, nil
		}
		var api *jetstream.APIError
		if errors.As(err, &api) && slices.Contains(full, api.ErrorCode) {
			return 0, fmt.Errorf("%w: %w", journal.ErrFull, err)
		}
		select {
		case <-time.After(tryWait):
		case <-ctx.Done():
			return 0, fmt.Errorf("%w: partition %d is not acknowledged: %w", journal.ErrFailed, p.number, err)
		}
	}
}

// known waits until the frame of a message has been followed, and returns where it ends.
func (p *partition) known(ctx context.Context, seq uint64) (point, error) {
	for {
		p.j.mu.Lock()
		changed := p.j.changed
		p.j.mu.Unlock()
		p.mu.Lock()
		at := sort.Search(len(p.frames), func(i int) bool { return p.frames[i].seq >= seq })
		if at < len(p.frames) && p.frames[at].seq == seq {
			defer p.mu.Unlock()
			return p.frames[at], nil
		}
		trimmed := p.base.seq >= seq
		p.mu.Unlock()
		if trimmed { // another node has projected it already
			return p.base, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return point{}, fmt.Errorf("%w: partition %d is stored but its place is not known yet", journal.ErrFailed, p.number)
		}
	}
}
