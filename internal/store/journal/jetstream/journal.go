// Package jetstream keeps the journal in NATS JetStream: an engine of package journal for servers that share it.
//
// Each partition is a stream. JetStream syncs every message by itself, so records are not messages: what callers append at the same time
// is one message, a frame (frame.go, docs/format/journal-jetstream.md). Every node follows the headers of all frames and numbers the
// records by them, which gives all nodes the same offsets; a mark in a key-value bucket says with which offset the numbering begins
// after what was trimmed.
package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quipu/internal/store/journal"
)

// Options of the journal. Prefix, Partitions and Replicas must be the same on every node, and forever.
type Options struct {
	// Prefix begins the names of streams and subjects; "" = quipu.
	Prefix string
	// Partitions is how many streams there are: 1 to MaxPartitions.
	Partitions int
	// Replicas is how many servers keep each record: 1, 3 or 5; 0 = 3. With 1 a lost disk loses records.
	Replicas int
	// MaxBytes bounds what a partition keeps, as the servers count it; Append gives ErrFull beyond. 0 = no bound.
	MaxBytes int64
	// MaxAppend is how many bytes one Append may have, 0 = 1 MiB less a margin. The servers' max_payload must be larger.
	MaxAppend int
	// Existing says that the streams must be there and stay as they are: nothing is made or changed on the servers, but trimmed. Replicas, MaxBytes and
	// MaxAppend do not count then, and Append is refused.
	Existing bool
	// Timeout is how long an Append may wait for its acknowledgement, and each question of Open for an answer; 0 = 10 s.
	Timeout time.Duration
	// Log receives what operators should know; nil = nothing.
	Log *slog.Logger
}

const (
	// MaxPartitions is the largest number of partitions.
	MaxPartitions = 1024
	// DefaultReplicas is how many servers keep each record where nothing else is said.
	DefaultReplicas = 3
	// maxGroup bounds the payload bytes of a frame of several callers; one with more goes alone.
	maxGroup = 4 << 20
	// envelope is how many bytes a message may have beside the frame: subject and headers.
	envelope = 4096
	// minBytes is the least bound of a partition: trims come later than what they trim, see trim.go.
	minBytes = 16 << 20

	defaultPrefix  = "quipu"
	defaultTimeout = 10 * time.Second
	defaultAppend  = 1<<20 - 64<<10
	// duplicates is for how long the servers know a frame again by its id; longer than any Append sends it again.
	duplicates = 2 * time.Minute
)

// Journal is the journal in JetStream. It is safe for concurrent use.
type Journal struct {
	js    jetstream.JetStream
	opts  Options
	marks jetstream.KeyValue
	parts []*partition
	turn  atomic.Uint32 // the partition with which the next Read begins
	node  string        // begins the ids of this journal's frames

	mu      sync.Mutex
	changed chan struct{} // closed when the end of a partition moves
	cached  frame         // the frame that was read last

	cancel context.CancelFunc
	wg     sync.WaitGroup // of committers
}

var _ journal.Journal = (*Journal)(nil)

// errExisting refuses an Append to a journal with Options.Existing.
var errExisting = errors.New("append: the journal is only read")

// Open opens the journal, and makes its streams where they are missing, except with Options.Existing. It returns once it knows all that is stored. It has to be
// closed before the connection is. An error names every setting of the servers that does not do.
func Open(ctx context.Context, nc *nats.Conn, o Options) (*Journal, error) {
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	if most, need := nc.MaxPayload(), int64(o.MaxAppend+envelope); most < need && !o.Existing {
		return nil, fmt.Errorf("open journal: the servers accept messages of %d bytes (max_payload), %d are needed", most, need)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{js: js, opts: o, node: rand.Text(), changed: make(chan struct{})}
	if err := j.open(ctx); err != nil {
		j.stop()
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return j, nil
}

// complete fills in defaults and reports every setting that is out of range.
func (o *Options) complete() error {
	if o.Prefix == "" {
		o.Prefix = defaultPrefix
	}
	if o.Replicas == 0 {
		o.Replicas = DefaultReplicas
	}
	if o.MaxAppend == 0 {
		o.MaxAppend = defaultAppend
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	var errs []error
	if o.Partitions < 1 || o.Partitions > MaxPartitions {
		errs = append(errs, fmt.Errorf("%d partitions, want 1 to %d", o.Partitions, MaxPartitions))
	}
	if o.Replicas != 1 && o.Replicas != 3 && o.Replicas != 5 {
		errs = append(errs, fmt.Errorf("%d replicas, want 1, 3 or 5", o.Replicas))
	}
	if o.MaxBytes != 0 && o.MaxBytes < minBytes {
		errs = append(errs, fmt.Errorf("a bound of %d bytes, want at least %d", o.MaxBytes, minBytes))
	}
	if o.MaxAppend < 0 || o.Timeout < 0 || o.Timeout > duplicates/2 {
		errs = append(errs, fmt.Errorf("appends of %d bytes within %s, want a positive number and at most %s", o.MaxAppend, o.Timeout, duplicates/2))
	}
	return errors.Join(errs...)
}

// bucket is that of the marks.
func (j *Journal) bucket() string { return j.opts.Prefix + "-journal" }

func (j *Journal) open(ctx context.Context) error { //nolint:contextcheck // committers and followers outlive the call
	if err := j.openMarks(ctx); err != nil {
		return fmt.Errorf("bucket of marks: %w", err)
	}
	if err := j.count(ctx); err != nil {
		return err
	}
	run, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	for n := range j.opts.Partitions {
		p := &partition{j: j, number: uint16(n), wake: make(chan struct{}, 1)} // at most MaxPartitions
		if err := p.open(ctx, run); err != nil {
			return fmt.Errorf("partition %d: %w", n, err)
		}
		j.parts = append(j.parts, p)
		j.wg.Go(func() { p.commitLoop(run) })
	}
	for _, p := range j.parts {
		if err := p.caughtUp(ctx); err != nil {
			return fmt.Errorf("partition %d: %w", p.number, err)
		}
	}
	return nil
}

// openMarks makes the bucket of marks, or finds it.
func (j *Journal) openMarks(ctx context.Context) (err error) {
	j.marks, err = ask(ctx, j.opts, func(ctx context.Context) (jetstream.KeyValue, error) {
		if j.opts.Existing {
			return j.js.KeyValue(ctx, j.bucket())
		}
		return j.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: j.bucket(), Description: "offsets at which the streams of the journal begin", Replicas: j.opts.Replicas, History: 1, Storage: jetstream.FileStorage,
		})
	})
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return fmt.Errorf("the servers have no journal %s: %w", j.opts.Prefix, err)
	}
	return err
}

// Close refuses what still waits and stops following. The connection stays open.
func (j *Journal) Close() error {
	for _, p := range j.parts {
		p.close()
	}
	j.stop()
	return nil
}

func (j *Journal) stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.wg.Wait()
	for _, p := range j.parts {
		if p.following != nil {
			p.following.Stop()
		}
	}
}

// Append implements journal.Journal. The entries of one partition become one frame with those of other callers: they are stored together
// or not at all, those of other partitions apart from them. Beside ErrFull and ErrClosed, ErrFailed says that the acknowledgement did not come in time: the entries
// may still be found later.
func (j *Journal) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	if err := ctx.Err(); err != nil {
		return journal.Position{}, err
	}
	if j.opts.Existing {
		return journal.Position{}, errExisting
	}
	if len(entries) == 0 {
		return journal.Position{}, nil
	}
	groups := make(map[*partition]*appending, 1)
	for _, e := range entries {
		p := j.parts[e.Routing%uint64(len(j.parts))]
		a := groups[p]
		if a == nil {
			a = &appending{done: make(chan struct{})}
			groups[p] = a
		}
		a.payloads = append(a.payloads, e.Payload)
		a.bytes += len(e.Payload)
	}
	for p, a := range groups {
		if size := frameSize(a.payloads); size > j.opts.MaxAppend {
			return journal.Position{}, fmt.Errorf("append %d bytes to partition %d: limit is %d bytes", size, p.number, j.opts.MaxAppend)
		}
	}
	for p, a := range groups {
		p.enqueue(a)
	}
	var errs []error
	for p, a := range groups {
		if err := p.await(ctx, a); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return journal.Position{}, err
	}
	last := j.parts[entries[len(entries)-1].Routing%uint64(len(j.parts))]
	return journal.Position{Partition: last.number, Offset: groups[last].last}, nil
}

// Wait implements journal.Journal.
func (j *Journal) Wait(ctx context.Context, from journal.Watermark) error {
	for {
		j.mu.Lock()
		changed := j.changed
		j.mu.Unlock()
		for _, p := range j.parts {
			if p.end() > from[p.number] {
				return nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Check asks whether the servers answer for the streams.
func (j *Journal) Check(ctx context.Context) error {
	for _, p := range j.parts {
		if _, err := j.js.Stream(ctx, p.name()); err != nil {
			return fmt.Errorf("check journal: stream %s: %w", p.name(), err)
		}
	}
	return nil
}

// notify wakes all who wait for the end of a partition.
func (j *Journal) notify() {
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.changed)
	j.changed = make(chan struct{})
}

// End implements journal.Journal.
func (j *Journal) End() journal.Watermark {
	w := journal.Watermark{}
	for _, p := range j.parts {
		if end := p.end(); end > 0 {
			w[p.number] = end
		}
	}
	return w
}

// Size implements journal.Journal. The bytes are estimated where a watermark lies within a frame.
func (j *Journal) Size(w journal.Watermark) (records, bytes int64) {
	for _, p := range j.parts {
		r, b := p.size(w[p.number])
		records += r
		bytes += b
	}
	return records, bytes
}
