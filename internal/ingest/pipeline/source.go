package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"quipu/internal/background"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/turn"
)

const (
	chunkRecords = 4096                 // read and decoded at a time
	chunkBytes   = 4 << 20              // no more than a batch takes
	idleLinger   = 2 * time.Millisecond // a lone record waits so long for company
	pollEvery    = 5 * time.Millisecond
	quietPolls   = 4 // so often nothing new is found before many records no longer wait
	worthwhile   = 8 // one batch in so many parts: such a part is worth a commit of its own

	// appBytes is how many bytes of records an app takes as much memory as in a batch, however little it sent: there are its schema, cells and rows.
	appBytes = 4 << 10

	decodeByte, applyByte = 6 * time.Nanosecond, 15 * time.Nanosecond // about, of a record
)

// decoded is a record on its way into a batch.
type decoded struct {
	at       journal.Position
	kind     request.Kind
	app      model.AppID
	received int64
	req      *request.Request // of a client's record that is usable
	rec      *request.Record  // of a command
	tech     model.Dims
	finger   fingerprint
	receipt  []byte // the tag of the receipt that somebody may wait for
	size     int    // bytes of the payload
	weight   int    // size, and what the app of the record adds to a batch when it is the first of its chunk
	broken   bool   // decoding failed, or the record is poisonous
}

// alone reports whether the record is a command that takes a batch of its own.
func (d *decoded) alone() bool {
	if d.broken {
		return false
	}
	switch d.kind {
	case request.Client, request.SessionTimeout, request.CreateUser, request.UpdateUsers, request.SetSettings, request.FeatureUsers:
		return false
	case request.ResetApp, request.DeleteApp, request.DeleteEvents, request.OmitSegments,
		request.WhitelistSegments, request.DeleteUsers, request.RebuildCells, request.DropRows, request.RewriteUsers,
		request.EraseUsers, request.DeleteSubjects:
	}
	return true
}

// recounts reports whether the record is a command after which figures that follow from rows have to be computed again. Those that delete
// users name them (topic.UsersDeleted).
func (d *decoded) recounts() bool {
	switch d.kind {
	case request.ResetApp, request.DeleteApp, request.DeleteEvents, request.OmitSegments, request.RebuildCells, request.DropRows, request.DeleteSubjects:
		return true
	case request.Client, request.SessionTimeout, request.CreateUser, request.UpdateUsers, request.SetSettings, request.FeatureUsers,
		request.WhitelistSegments, request.DeleteUsers, request.RewriteUsers, request.EraseUsers:
	}
	return false
}

// place is that of the record in the journal.
func (d *decoded) place() uint64 { return d.at.Place() }

// batch is what is projected and committed together: records of one partition.
type batch struct {
	records []*decoded
	through journal.Position // of the last record
}

// source reads and decodes records after from and hands them out in batches,
// one ahead of what is being applied.
type source struct {
	p     *Pipeline
	pos   journal.Watermark // of the last records read
	queue []*decoded
	sent  time.Time // when the last batch was handed out
	// buf and ends hold the payloads of a chunk while it is being decoded.
	buf     []byte
	ends    []int
	offsets []journal.Position
}

func (s *source) run(ctx context.Context, out chan<- *batch) error {
	for {
		if len(s.queue) == 0 {
			if err := s.p.o.Journal.Wait(ctx, s.pos); err != nil {
				return fmt.Errorf("wait for records: %w", err)
			}
			s.linger(ctx)
		}
		if t, closed := s.next(); t == nil || !closed {
			if err := s.read(ctx); err != nil {
				return err
			}
		}
		t, closed := s.next()
		if t == nil {
			continue
		}
		sent, err := s.offer(ctx, out, t, closed)
		if err != nil {
			return err
		}
		if sent {
			if s.queue = s.queue[len(t.records):]; len(s.queue) == 0 {
				s.queue = nil // an empty end would hold all that lay before it
			}
			s.sent = s.p.o.Now()
		}
	}
}

// offer hands a batch out. It gives up after a moment when the batch may still grow.
func (s *source) offer(ctx context.Context, out chan<- *batch, t *batch, closed bool) (sent bool, err error) {
	var more <-chan time.Time
	if !closed {
		timer := time.NewTimer(pollEvery)
		defer timer.Stop()
		more = timer.C
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case out <- t:
		return true, nil
	case <-more:
		return false, nil
	}
}

// next forms a batch from the front of the queue, without taking it; closed
// says that no record can join it any more.
func (s *source) next() (t *batch, closed bool) {
	n, size := 0, 0
	for n < len(s.queue) && !closed {
		if n > 0 && s.queue[n].at.Partition != s.queue[0].at.Partition {
			closed = true
			break
		}
		if s.queue[n].alone() {
			closed = true
			if n > 0 {
				break
			}
		}
		size += s.queue[n].weight
		n++
		closed = closed || n == s.p.o.BatchRecords || size >= s.p.o.BatchBytes
	}
	if n == 0 {
		return nil, false
	}
	return &batch{records: s.queue[:n:n], through: s.queue[n-1].at}, closed
}

// linger lets records gather: a moment when there was little to do, up to
// the age of a batch while records keep coming. A full batch does not wait, nor do many records that no others follow; a
// caller that waits for a record cuts it short.
func (s *source) linger(ctx context.Context) {
	wait := max(idleLinger, s.p.o.BatchAge-s.p.o.Now().Sub(s.sent))
	if s.sent.IsZero() {
		wait = idleLinger
	}
	end := time.NewTimer(wait)
	defer end.Stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	last, quiet := int64(-1), 0
	for s.p.waiting.Load() == 0 {
		n, size := s.p.o.Journal.Size(s.pos)
		if s.holds(n, size, 1) {
			return
		}
		if quiet++; n != last {
			last, quiet = n, 0
		}
		if quiet >= quietPolls && s.holds(n, size, worthwhile) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			return
		case <-poll.C:
		}
	}
}

// holds reports whether so many records, of so many bytes, fill a part of a batch: 1 is the whole, 2 a half.
func (s *source) holds(records, bytes, part int64) bool {
	return records*part >= int64(s.p.o.BatchRecords) || bytes*part >= int64(s.p.o.BatchBytes)
}

// read moves a chunk of records into the queue.
func (s *source) read(ctx context.Context) error {
	buf, ends, offsets := s.buf[:0], s.ends[:0], s.offsets[:0]
	if s.p.o.Pause != nil {
		s.p.o.Pause(ctx)
	}
	chunk := min(chunkBytes, s.p.o.BatchBytes)
	err := s.p.o.Journal.Read(ctx, s.pos, chunk, func(r journal.Record) bool {
		buf = append(buf, r.Payload...)
		ends = append(ends, len(buf))
		offsets = append(offsets, journal.Position{Partition: r.Partition, Offset: r.Offset})
		return len(ends) < chunkRecords
	})
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	s.ends, s.offsets = ends, offsets
	if s.buf = buf; cap(buf) > 2*chunk {
		s.buf = nil // a record larger than any chunk is rare
	}
	if len(ends) == 0 {
		return nil
	}
	batch := make([]decoded, len(ends))
	workers := min(s.p.o.Workers, (len(ends)+63)/64)
	_ = background.Each(workers, workers, func(w int) error { // the function returns no error
		var (
			scratch request.Record
			parser  request.Parser
			printer request.Printer
			work    turn.Counter
		)
		for i := w * len(ends) / workers; i < (w+1)*len(ends)/workers; i++ {
			start := 0
			if i > 0 {
				start = ends[i-1]
			}
			batch[i].at, batch[i].size = offsets[i], ends[i]-start
			s.p.decode(ctx, buf[start:ends[i]:ends[i]], &scratch, &parser, &printer, &batch[i])
			work.Spend(time.Duration(batch[i].size) * decodeByte)
		}
		return nil
	})
	apps := map[model.AppID]struct{}{}
	for i := range batch {
		d := &batch[i]
		d.weight = d.size
		if _, known := apps[d.app]; !known && !d.app.IsZero() {
			apps[d.app] = struct{}{}
			d.weight += appBytes
		}
		s.queue = append(s.queue, d)
		s.pos[offsets[i].Partition] = offsets[i].Offset
	}
	return nil
}

// decode fills in d from a payload, which it does not keep. What cannot be
// decoded is marked broken.
func (p *Pipeline) decode(ctx context.Context, payload []byte, scratch *request.Record, parser *request.Parser, printer *request.Printer, d *decoded) {
	defer func() {
		if r := recover(); r != nil {
			d.broken = true
			p.o.Log.ErrorContext(ctx, "decoding a record panicked", "offset", d.at.Offset, "partition", d.at.Partition, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
		}
	}()
	if err := request.Decode(payload, scratch); err != nil {
		d.broken = true
		p.o.Log.ErrorContext(ctx, "journal record cannot be decoded", "offset", d.at.Offset, "partition", d.at.Partition, "err", err)
		return
	}
	d.kind, d.app, d.received = scratch.Kind, scratch.App, scratch.Received
	d.finger.named = scratch.Param(request.OnceParam) != nil
	d.receipt = bytes.Clone(scratch.Param(request.ReceiptParam))
	if p.poisonous(d.at) {
		d.broken = true
		return
	}
	if d.kind != request.Client {
		d.rec = &request.Record{}
		_ = request.Decode(bytes.Clone(payload), d.rec) // as it was decoded just now
		return
	}
	req, err := parser.Parse(scratch)
	if err != nil {
		return // no usable device id: refused as malformed
	}
	d.req = req
	agent := req.UserAgent
	req.UserAgent = ""
	d.tech = p.o.Describe(req)
	req.UserAgent = agent
	if d.finger.hash, d.finger.ok = scratch.Print, scratch.Print != [16]byte{}; !d.finger.ok {
		d.finger.hash, d.finger.ok = printer.Fingerprint(scratch)
	}
}
