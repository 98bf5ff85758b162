package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

const (
	sweepLimit = 10_000 // sessions that one sweep closes
	sweepBatch = 1000   // appended at a time
)

// ErrEnded says that the server stops before what a caller waits for is projected. What it appended stays in the journal, and is
// applied at the next start.
var ErrEnded = errors.New("pipeline: the server stops before this is projected")

// Flush waits until everything appended before the call is projected and
// readable, and the outcomes counted at the edge are too. It returns ctx's
// error when that does not happen in time, and ErrEnded when Run returns before.
func (p *Pipeline) Flush(ctx context.Context) error {
	if err := p.until(ctx, p.o.Journal.End()); err != nil {
		return err
	}
	done := make(chan error, 1)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-p.over():
		return ended(ctx)
	case p.flushes <- done:
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		if err != nil {
			return err
		}
	}
	for {
		err := p.outbox.DrainAll(ctx)
		if err == nil || !pause(ctx, minBackoff) {
			return err
		}
	}
}

// ended returns what a call that waits returns when Run has: ErrEnded, or the error of ctx if that is done too.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrEnded
}

// Drain moves the rows of all that is projected to the event store.
func (p *Pipeline) Drain(ctx context.Context) error { return p.outbox.Drain(ctx) }

// Reader returns a reader of the event store that finds the rows of all that is
// projected. It must not be used within Between.
func (p *Pipeline) Reader(r events.Reader) events.Reader { return p.outbox.Reader(r) }

// Version returns a number that grows with each change of what Reader finds of an app, see outbox.Outbox.Version.
func (p *Pipeline) Version(app model.AppID) uint64 { return p.outbox.Version(app) }

// Rewrites returns what happened to rows of an app that were there already, see outbox.Outbox.Rewrites.
func (p *Pipeline) Rewrites(app model.AppID, since uint64) (list []map[uint32]uint32, now uint64, ok bool) {
	return p.outbox.Rewrites(app, since)
}

// Subscribe has the profiles of an app noted that are written from now on, see outbox.Outbox.Subscribe.
func (p *Pipeline) Subscribe(app model.AppID) (number uint64) { return p.outbox.Subscribe(app) }

// Unsubscribe ends what Subscribe began.
func (p *Pipeline) Unsubscribe(app model.AppID, number uint64) { p.outbox.Unsubscribe(app, number) }

// Written returns the profiles that were written since Subscribe, see outbox.Outbox.Written.
func (p *Pipeline) Written(app model.AppID, number uint64) (ids []model.ProfileID, gone []uint32, ok bool) {
	return p.outbox.Written(app, number)
}

// Outbox returns how many event rows are on their way to the event store.
func (p *Pipeline) Outbox() int64 { return p.outbox.Rows() }

// Submit appends a command and waits until it is applied and committed. When
// ctx or Run ends first, it returns ctx's error or ErrEnded; the command stays in the journal and is applied later.
func (p *Pipeline) Submit(ctx context.Context, rec request.Record) error {
	at, err := p.Append(ctx, rec)
	if err != nil {
		return err
	}
	return p.until(ctx, at.Watermark())
}

// Append appends commands of one app, all of them or none, and returns the
// position of the last.
func (p *Pipeline) Append(ctx context.Context, commands ...request.Record) (journal.Position, error) {
	return AppendTo(ctx, p.o.Journal, p.o.Now, commands...)
}

// AppendTo is Pipeline.Append for who has no pipeline.
func AppendTo(ctx context.Context, j journal.Journal, now func() time.Time, commands ...request.Record) (journal.Position, error) {
	var entries []journal.Entry
	for _, rec := range commands {
		if rec.Received == 0 {
			rec.Received = now().UnixMilli()
		}
		for _, r := range split(rec) {
			entries = append(entries, journal.Entry{Routing: journal.Routing(r.App), Payload: request.Append(nil, &r)})
		}
	}
	pos, err := j.Append(ctx, entries...)
	if err != nil {
		return journal.Position{}, fmt.Errorf("append command: %w", err)
	}
	return pos, nil
}

// Await waits until the records up to w are applied and committed. Errors: those of ctx, ErrEnded.
func (p *Pipeline) Await(ctx context.Context, w journal.Watermark) error { return p.until(ctx, w) }

// split makes one record of each segment to omit: the event store moves its
// watermark with every property it clears.
func split(rec request.Record) []request.Record {
	if rec.Kind != request.OmitSegments || len(rec.Names) < 2 {
		return []request.Record{rec}
	}
	out := make([]request.Record, len(rec.Names))
	for i, name := range rec.Names {
		out[i] = rec
		out[i].Names = []string{name}
	}
	return out
}

// until waits for the position to reach w. A journal without further
// records ends the wait too: an append that was counted and then failed left
// no record.
func (p *Pipeline) until(ctx context.Context, w journal.Watermark) error {
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	for {
		p.mu.Lock()
		committed, moved, over := p.committed, p.moved, p.ended
		p.mu.Unlock()
		if committed.Reaches(w) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return ended(ctx)
		case <-moved:
		case <-time.After(time.Second):
			if n, _ := p.o.Journal.Size(committed); n == 0 && maps.Equal(committed, p.position()) {
				return nil
			}
		}
	}
}

// sweptAll reports whether all commands of sweeps are projected.
func (p *Pipeline) sweptAll() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.committed.Reaches(p.swept)
}

// sweepsTo notes the last command of a sweep in a partition.
func (p *Pipeline) sweepsTo(at journal.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.swept == nil {
		p.swept = journal.Watermark{}
	}
	p.swept[at.Partition] = at.Offset
}

// Sweep appends a command for every session without a sign of life for as
// long as its app allows. A job calls it twice a minute with the server's time. It
// returns how many commands it appended: none while those of the last sweep are
// still to be projected.
func (p *Pipeline) Sweep(ctx context.Context, now time.Time) (int, error) {
	if !p.sweptAll() {
		return 0, nil
	}
	shortest := time.Duration(-1)
	for _, app := range p.o.Apps.All() {
		s, _, err := p.settings(app)
		if err != nil {
			return 0, err
		}
		if t := s.SessionTimeout; shortest < 0 || t < shortest {
			shortest = t
		}
	}
	if shortest < 0 {
		return 0, nil
	}
	open, err := p.o.Profiles.ExpiredSessions(ctx, now.Add(-shortest).UnixMilli(), sweepLimit)
	if err != nil {
		return 0, fmt.Errorf("list silent sessions: %w", err)
	}
	appended := 0
	var app model.AppID
	var payloads [][]byte
	flush := func() error {
		if len(payloads) == 0 {
			return nil
		}
		pos, err := p.o.Journal.Append(ctx, journal.Entries(journal.Routing(app), payloads...)...)
		if err != nil {
			return fmt.Errorf("append session time-outs: %w", err)
		}
		p.sweepsTo(pos)
		appended += len(payloads)
		payloads = payloads[:0]
		return nil
	}
	for _, o := range open {
		of := p.o.Apps.ByID(o.App)
		if of == nil {
			continue
		}
		s, _, err := p.settings(of)
		if err != nil {
			return appended, err
		}
		if o.Seen >= now.Add(-s.SessionTimeout).UnixMilli() {
			continue
		}
		if o.App != app || len(payloads) == sweepBatch {
			if err := flush(); err != nil {
				return appended, err
			}
			app = o.App
		}
		rec := request.Record{Kind: request.SessionTimeout, App: o.App, Received: now.UnixMilli(), Profile: o.ID}
		payloads = append(payloads, request.Append(nil, &rec))
	}
	err = flush()
	return appended, err
}
