package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"quipu/internal/store/journal"
)

const (
	// most is how many bytes one fetch returns, unless a record is larger.
	most = 8 << 20
	// retryWait is between two attempts at a broker.
	retryWait = 50 * time.Millisecond
)

// Read implements journal.Journal. Partitions take turns to be the first.
func (j *Journal) Read(ctx context.Context, from journal.Watermark, maxBytes int, fn func(journal.Record) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	first, left := int(j.turn.Add(1)), maxBytes
	for i := range j.parts {
		p := uint16((first + i) % len(j.parts)) // at most MaxPartitions
		more, err := j.read(ctx, p, from[p], &left, fn)
		if err != nil {
			return fmt.Errorf("read partition %d of the journal: %w", p, err)
		}
		if !more {
			return nil
		}
	}
	return nil
}

// read passes the records after an offset to fn. more says that fn wants more and that bytes are left.
func (j *Journal) read(ctx context.Context, p uint16, after uint64, left *int, fn func(journal.Record) bool) (more bool, err error) {
	at := &j.parts[p]
	for {
		after = max(after, at.start.Load())
		end := at.end.Load()
		if after >= end {
			return true, nil
		}
		records, err := j.fetch(ctx, p, after, min(*left+envelope, most))
		if err != nil {
			return false, err
		}
		for _, r := range records {
			offset := uint64(r.Offset) + 1 // not negative
			if offset <= after {
				continue
			}
			after = offset
			*left -= len(r.Value)
			if !fn(journal.Record{Partition: p, Offset: offset, Payload: r.Value}) || *left <= 0 {
				return false, nil
			}
		}
	}
}

// fetch returns records after an offset, at least one if there is one. It asks until it has an answer of the partition's leader, for at most Timeout.
func (j *Journal) fetch(ctx context.Context, p uint16, after uint64, maxBytes int) ([]*kgo.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, j.opts.Timeout)
	defer cancel()
	for {
		records, err := j.ask(ctx, p, after, maxBytes)
		if err == nil && (len(records) > 0 || after < j.parts[p].start.Load()) {
			return records, nil
		}
		if err != nil {
			if _, lerr := j.lead(ctx); lerr != nil {
				err = errors.Join(err, lerr)
			}
		}
		select {
		case <-time.After(retryWait):
		case <-ctx.Done():
			return nil, fmt.Errorf("fetch after offset %d: %w", after, errors.Join(err, ctx.Err()))
		}
	}
}

// ask makes one attempt. Without an error and without records there is none yet, or they are trimmed, which start says then.
func (j *Journal) ask(ctx context.Context, p uint16, after uint64, maxBytes int) ([]*kgo.Record, error) {
	lead := j.parts[p].leader.Load()
	if lead == nil {
		return nil, errors.New("the partition has no leader")
	}
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes, req.SessionEpoch = 500, 1, int32(maxBytes), -1 // at most most
	part := kmsg.NewFetchRequestTopicPartition()
	part.Partition, part.CurrentLeaderEpoch, part.FetchOffset, part.PartitionMaxBytes = int32(p), lead.epoch, int64(after), int32(maxBytes) // at most most
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID, topic.Partitions = j.opts.Topic, j.topic, []kmsg.FetchRequestTopicPartition{part}
	req.Topics = []kmsg.FetchRequestTopic{topic}
	answer, err := j.client.Broker(int(lead.broker)).RetriableRequest(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	resp, ok := answer.(*kmsg.FetchResponse)
	if !ok {
		return nil, fmt.Errorf("an answer of kind %T to a fetch", answer)
	}
	if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if len(resp.Topics) != 1 || len(resp.Topics[0].Partitions) != 1 {
		return nil, errors.New("a fetch without an answer")
	}
	found, _ := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{Offset: int64(after), Topic: j.opts.Topic, Partition: int32(p)}, // of what is stored
		&resp.Topics[0].Partitions[0], kgo.DefaultDecompressor(), nil)
	if errors.Is(found.Err, kerr.OffsetOutOfRange) {
		if err := j.bounds(ctx); err != nil || after >= j.parts[p].start.Load() {
			return nil, errors.Join(found.Err, err)
		}
		return nil, nil
	}
	if found.Err != nil {
		return nil, fmt.Errorf("fetch: %w", found.Err)
	}
	return found.Records, nil
}
