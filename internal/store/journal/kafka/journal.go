// Package kafka keeps the journal in a topic of Kafka: an engine of package journal for servers that share it.
//
// A partition of the journal is a partition of the topic, and offset n of the journal is offset n-1 of Kafka: the topic has neither
// transactions nor compaction, so offsets have no holes. Records are acknowledged by all replicas in sync, of which there have to be at
// least two. Reads are stateless fetches from the leaders of partitions.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"quipu/internal/store/journal"
)

// Options of the journal. Topic and Partitions must be the same on every node, and forever.
type Options struct {
	// Client says how brokers are reached: addresses, TLS, credentials.
	Client []kgo.Opt
	// Topic holds the journal; "" = quipu-journal. It is made where it is missing, except with Existing.
	Topic string
	// Partitions is how many the topic has: 1 to MaxPartitions.
	Partitions int
	// Replicas is how many brokers keep each record, 0 = 3. MinInSync is how many have to have one before it is acknowledged,
	// 0 = 2, or 1 with a single replica.
	Replicas, MinInSync int
	// MaxBytes bounds what lies between the trim and the end of a partition, estimated; Append gives ErrFull beyond. 0 = no bound.
	MaxBytes int64
	// MaxAppend is how many bytes a record may have, 0 = 1 MiB less a margin.
	MaxAppend int
	// Existing says that the topic must be there and stays as it is: nothing is made on the brokers or required of its settings, but it is trimmed. Replicas,
	// MinInSync, MaxBytes and MaxAppend do not count then, and Append is refused.
	Existing bool
	// Timeout is how long an Append may wait for its acknowledgement, 0 = 10 s.
	Timeout time.Duration
	// Log receives what operators should know; nil = nothing.
	Log *slog.Logger
}

const (
	// MaxPartitions is the largest number of partitions.
	MaxPartitions = 1024
	// look is how often the ends of partitions are asked for: records of other nodes are known that late.
	look = 50 * time.Millisecond
	// envelope is how many bytes a batch of records may have beside a record.
	envelope = 4096

	defaultTopic    = "quipu-journal"
	defaultReplicas = 3
	defaultTimeout  = 10 * time.Second
	defaultAppend   = 1<<20 - 2*envelope
)

// Journal is the journal in Kafka. It is safe for concurrent use.
type Journal struct {
	client *kgo.Client
	admin  *kadm.Client
	opts   Options
	topic  [16]byte // id of the topic
	parts  []partition
	turn   atomic.Uint32 // the partition with which the next Read begins
	closed atomic.Bool

	appending sync.Mutex // keeps the records of one Append together

	mu      sync.Mutex
	changed chan struct{} // closed when the end of a partition moves

	cancel context.CancelFunc
	wg     sync.WaitGroup
}

// partition is what this node knows of a partition.
type partition struct {
	start, end atomic.Uint64 // offset of the last trimmed and of the last record
	mean       atomic.Uint64 // bytes of a record, of those seen lately
	trimming   atomic.Bool
	leader     atomic.Pointer[leader] // nil = none
}

// leader is the broker that leads a partition, and since which election.
type leader struct{ broker, epoch int32 }

var _ journal.Journal = (*Journal)(nil)

// errExisting refuses an Append to a journal with Options.Existing.
var errExisting = errors.New("append: the journal is only read")

// Open opens the journal, and makes its topic where it is missing, except with Options.Existing. An error names every setting of the topic that does not do.
func Open(ctx context.Context, o Options) (*Journal, error) { //nolint:contextcheck // what watches outlives the call
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	client, err := kgo.NewClient(append(slices.Clip(o.Client),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0),
		kgo.ProducerBatchMaxBytes(int32(o.MaxAppend+envelope)), kgo.ProducerBatchCompression(kgo.NoCompression()), // checked
		kgo.RecordDeliveryTimeout(o.Timeout), kgo.AllowIdempotentProduceCancellation(), kgo.RetryTimeout(o.Timeout),
		kgo.MetadataMinAge(250*time.Millisecond), kgo.BrokerMaxWriteBytes(int32(max(100<<20, 2*o.MaxAppend))), // checked
	)...)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{client: client, admin: kadm.NewClient(client), opts: o, parts: make([]partition, o.Partitions), changed: make(chan struct{})}
	if err := j.open(ctx); err != nil {
		client.Close()
		return nil, fmt.Errorf("open journal: %w", err)
	}
	run, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	j.wg.Go(func() { j.watch(run) })
	return j, nil
}

// complete fills in defaults and reports every setting that is out of range.
func (o *Options) complete() error {
	if o.Topic == "" {
		o.Topic = defaultTopic
	}
	if o.Replicas == 0 {
		o.Replicas = defaultReplicas
	}
	if o.MinInSync == 0 {
		o.MinInSync = min(2, o.Replicas)
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
	if o.Replicas < 1 || o.Replicas > 9 || o.MinInSync < 1 || o.MinInSync > o.Replicas {
		errs = append(errs, fmt.Errorf("%d replicas of which %d are in sync, want 1 to 9 and no more in sync than there are", o.Replicas, o.MinInSync))
	}
	if o.MaxAppend < 1 || o.MaxAppend > 512<<20 || o.MaxBytes < 0 {
		errs = append(errs, fmt.Errorf("records of %d bytes within %d, want 1 to 512 MiB and no less than 0", o.MaxAppend, o.MaxBytes))
	}
	if o.Timeout < time.Second {
		errs = append(errs, fmt.Errorf("a time-out of %s, want at least 1s", o.Timeout))
	}
	return errors.Join(errs...)
}

// Close ends the journal; what is being sent has ended before.
func (j *Journal) Close() error {
	if !j.closed.CompareAndSwap(false, true) {
		return nil
	}
	j.appending.Lock()   // nobody begins to send any more
	j.appending.Unlock() //nolint:staticcheck // see above
	j.cancel()
	j.wg.Wait()
	j.client.Close()
	return nil
}

func (j *Journal) partition(routing uint64) uint16 {
	return uint16(routing % uint64(len(j.parts))) // at most MaxPartitions
}

// Append implements journal.Journal. Entries of one partition come one after the other unless they are so many that they take several
// batches, between which other nodes may append. On an error some may be found later: ErrFailed says that the acknowledgement did not come in time.
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
	for _, e := range entries {
		if len(e.Payload) > j.opts.MaxAppend {
			return journal.Position{}, fmt.Errorf("append %d bytes: limit is %d bytes", len(e.Payload), j.opts.MaxAppend)
		}
		if j.full(j.partition(e.Routing)) {
			return journal.Position{}, journal.ErrFull
		}
	}
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		faults   []error
		position journal.Position
	)
	wg.Add(len(entries))
	// Records that are under way when ctx ends are waited for: their payloads are the caller's.
	sending := context.WithoutCancel(ctx)
	j.appending.Lock()
	if j.closed.Load() {
		j.appending.Unlock()
		return journal.Position{}, journal.ErrClosed
	}
	for i, e := range entries {
		r := &kgo.Record{Topic: j.opts.Topic, Partition: int32(j.partition(e.Routing)), Value: e.Payload}
		j.client.Produce(sending, r, func(r *kgo.Record, err error) {
			defer wg.Done()
			if err != nil {
				mu.Lock()
				faults = append(faults, err)
				mu.Unlock()
				return
			}
			p := uint16(r.Partition)       // one of ours
			offset := uint64(r.Offset) + 1 // acknowledged, so not negative
			j.seen(p, len(r.Value))
			j.ended(p, offset)
			if i == len(entries)-1 {
				position = journal.Position{Partition: p, Offset: offset}
			}
		})
	}
	j.appending.Unlock()
	wg.Wait()
	if len(faults) == 0 {
		return position, nil
	}
	if errors.Is(faults[0], kerr.MessageTooLarge) || errors.Is(faults[0], kerr.RecordListTooLarge) {
		return journal.Position{}, fmt.Errorf("append: record too large for the brokers: %w", faults[0])
	}
	return journal.Position{}, fmt.Errorf("%w: not acknowledged: %w", journal.ErrFailed, faults[0])
}

// full reports whether a partition has reached its bound.
func (j *Journal) full(p uint16) bool {
	if j.opts.MaxBytes == 0 {
		return false
	}
	at := &j.parts[p]
	end, start := at.end.Load(), at.start.Load()
	return end > start && (end-start)*at.mean.Load() >= uint64(j.opts.MaxBytes) // positive
}

// seen notes how large a record is.
func (j *Journal) seen(p uint16, bytes int) {
	const memory = 64 // records that count
	mean := &j.parts[p].mean
	for {
		old := mean.Load()
		next := uint64(bytes) // a length
		if old != 0 {
			next = (old*(memory-1) + next + memory/2) / memory
		}
		if mean.CompareAndSwap(old, next) {
			return
		}
	}
}

// ended notes that a partition reaches to an offset.
func (j *Journal) ended(p uint16, offset uint64) {
	if !raise(&j.parts[p].end, offset) {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.changed)
	j.changed = make(chan struct{})
}

// raise sets a number that only grows, and reports whether it grew.
func raise(n *atomic.Uint64, to uint64) bool {
	for {
		old := n.Load()
		if to <= old {
			return false
		}
		if n.CompareAndSwap(old, to) {
			return true
		}
	}
}

// Wait implements journal.Journal.
func (j *Journal) Wait(ctx context.Context, from journal.Watermark) error {
	for {
		j.mu.Lock()
		changed := j.changed
		j.mu.Unlock()
		for p := range j.parts {
			if j.parts[p].end.Load() > from[uint16(p)] { // at most MaxPartitions
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

// Check asks whether the brokers answer for the topic.
func (j *Journal) Check(ctx context.Context) error {
	if err := j.ends(ctx); err != nil {
		return fmt.Errorf("check journal: %w", err)
	}
	return nil
}

// End implements journal.Journal.
func (j *Journal) End() journal.Watermark {
	w := journal.Watermark{}
	for p := range j.parts {
		if end := j.parts[p].end.Load(); end > 0 {
			w[uint16(p)] = end // at most MaxPartitions
		}
	}
	return w
}

// Size implements journal.Journal. The bytes are the mean of records seen lately, times their number.
func (j *Journal) Size(w journal.Watermark) (records, bytes int64) {
	for p := range j.parts {
		at := &j.parts[p]
		end, after := at.end.Load(), max(w[uint16(p)], at.start.Load()) // at most MaxPartitions
		if end > after {
			records += int64(end - after)                  // of what is stored
			bytes += int64((end - after) * at.mean.Load()) // an estimate
		}
	}
	return records, bytes
}

// Trim implements journal.Journal. It goes to the brokers when it frees enough.
func (j *Journal) Trim(ctx context.Context, w journal.Watermark) error {
	const (
		worthBytes   = 1 << 20
		worthRecords = 4096
	)
	to := kadm.Offsets{}
	for n := range j.parts {
		p := &j.parts[n]
		through := min(w[uint16(n)], p.end.Load()) // at most MaxPartitions
		start := p.start.Load()
		if through <= start || through-start < worthRecords && (through-start)*p.mean.Load() < worthBytes || !p.trimming.CompareAndSwap(false, true) {
			continue
		}
		defer p.trimming.Store(false)
		to.Add(kadm.Offset{Topic: j.opts.Topic, Partition: int32(n), At: int64(through), LeaderEpoch: -1}) // of what is stored
	}
	if len(to) == 0 {
		return nil
	}
	done, err := j.admin.DeleteRecords(ctx, to)
	if err != nil {
		return fmt.Errorf("trim journal: %w", err)
	}
	var errs []error
	done.Each(func(r kadm.DeleteRecordsResponse) {
		if r.Err != nil {
			errs = append(errs, fmt.Errorf("trim partition %d of the journal: %w", r.Partition, r.Err))
			return
		}
		raise(&j.parts[r.Partition].start, uint64(r.LowWatermark)) // not negative without an error
	})
	return errors.Join(errs...)
}
