package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// settings are what the topic must say, so that it keeps every record until it is trimmed. min.insync.replicas and max.message.bytes may be larger.
func (o *Options) settings() map[string]string {
	return map[string]string{
		"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1", "unclean.leader.election.enable": "false",
		"min.insync.replicas": strconv.Itoa(o.MinInSync), "max.message.bytes": strconv.Itoa(o.MaxAppend + envelope),
	}
}

// open makes the topic, checks it, and looks where its partitions begin and end.
func (j *Journal) open(ctx context.Context) error {
	if !j.opts.Existing {
		if err := j.make(ctx); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context) error{j.check, j.bounds, j.sample} {
		if err := j.again(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// make makes the topic unless it is there.
func (j *Journal) make(ctx context.Context) error {
	o := j.opts
	want := map[string]*string{}
	for key, value := range o.settings() {
		want[key] = &value
	}
	_, err := j.admin.CreateTopic(ctx, int32(o.Partitions), int16(o.Replicas), want, o.Topic) // checked
	if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
		return fmt.Errorf("make topic %s: %w", o.Topic, err)
	}
	return nil
}

// again repeats a step for as long as an append may take while brokers do not know of the topic yet or elect a leader.
func (j *Journal) again(ctx context.Context, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, j.opts.Timeout)
	defer cancel()
	for {
		err := step(ctx)
		var known *kerr.Error
		if err == nil || !errors.As(err, &known) || !known.Retriable && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			return err
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return err
		}
	}
}

// check compares the topic with the options. A topic that was just made is waited for.
func (j *Journal) check(ctx context.Context) error {
	o := j.opts
	var detail kadm.TopicDetail
	for {
		var err error
		if detail, err = j.lead(ctx); err != nil {
			return err
		}
		if detail.Err == nil && led(detail) {
			break
		}
		if o.Existing && errors.Is(detail.Err, kerr.UnknownTopicOrPartition) {
			return fmt.Errorf("the brokers have no topic %s", o.Topic)
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return fmt.Errorf("topic %s has partitions without leaders: %w", o.Topic, errors.Join(detail.Err, ctx.Err()))
		}
	}
	j.topic = detail.ID
	var errs []error
	if n := len(detail.Partitions); n != o.Partitions {
		errs = append(errs, fmt.Errorf("it has %d partitions, not %d: the number cannot be changed", n, o.Partitions))
	}
	if o.Existing {
		if len(errs) > 0 {
			return fmt.Errorf("topic %s is another one: %w", o.Topic, errs[0])
		}
		return nil
	}
	for _, p := range detail.Partitions.Sorted() {
		if len(p.Replicas) < o.Replicas {
			errs = append(errs, fmt.Errorf("partition %d has %d replicas, want %d", p.Partition, len(p.Replicas), o.Replicas))
			break
		}
	}
	described, err := j.admin.DescribeTopicConfigs(ctx, o.Topic)
	if err == nil && len(described) == 1 {
		err = described[0].Err
	}
	if err != nil {
		return fmt.Errorf("settings of topic %s: %w", o.Topic, err)
	}
	has := map[string]string{}
	for _, c := range described[0].Configs {
		has[c.Key] = c.MaybeValue()
	}
	for key, value := range o.settings() {
		got, ok := has[key]
		if !ok || got == value {
			continue
		}
		if key == "min.insync.replicas" || key == "max.message.bytes" {
			n, err := strconv.Atoi(got)
			least, _ := strconv.Atoi(value)
			if err == nil && n >= least {
				continue
			}
			value = "at least " + value
		}
		errs = append(errs, fmt.Errorf("%s is %s, want %s", key, got, value))
	}
	if len(errs) > 0 {
		return fmt.Errorf("topic %s does not do for a journal: %w", o.Topic, errors.Join(errs...))
	}
	return nil
}

// lead looks who leads the partitions.
func (j *Journal) lead(ctx context.Context) (kadm.TopicDetail, error) {
	topics, err := j.admin.ListTopics(ctx, j.opts.Topic)
	if err != nil {
		return kadm.TopicDetail{}, fmt.Errorf("look at topic %s: %w", j.opts.Topic, err)
	}
	t := topics[j.opts.Topic]
	for _, p := range t.Partitions {
		if p.Leader >= 0 && p.Partition >= 0 && int(p.Partition) < len(j.parts) {
			j.parts[p.Partition].leader.Store(&leader{p.Leader, p.LeaderEpoch})
		}
	}
	return t, nil
}

func led(t kadm.TopicDetail) bool {
	for _, p := range t.Partitions {
		if p.Err != nil || p.Leader < 0 {
			return false
		}
	}
	return len(t.Partitions) > 0
}

// bounds looks where partitions begin and end.
func (j *Journal) bounds(ctx context.Context) error {
	starts, err := j.admin.ListStartOffsets(ctx, j.opts.Topic)
	if err == nil {
		err = starts.Error()
	}
	if err != nil {
		return fmt.Errorf("where topic %s begins: %w", j.opts.Topic, err)
	}
	starts.Each(func(o kadm.ListedOffset) { raise(&j.parts[o.Partition].start, uint64(max(o.Offset, 0))) }) // not negative
	return j.ends(ctx)
}

// ends looks where partitions end now.
func (j *Journal) ends(ctx context.Context) error {
	ends, err := j.admin.ListEndOffsets(ctx, j.opts.Topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return fmt.Errorf("where topic %s ends: %w", j.opts.Topic, err)
	}
	ends.Each(func(o kadm.ListedOffset) {
		if o.Offset > 0 && int(o.Partition) < len(j.parts) {
			j.ended(uint16(o.Partition), uint64(o.Offset)) // at most MaxPartitions
		}
	})
	return nil
}

// watch looks where partitions end, again and again: other nodes append, too.
func (j *Journal) watch(ctx context.Context) {
	t := time.NewTicker(look)
	defer t.Stop()
	failing := false
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		err := j.ends(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			j.opts.Log.WarnContext(ctx, "the ends of the journal are not known", "error", err)
		}
		failing = err != nil
	}
}

// sample reads the last records of each partition, so that Size knows how large they are.
func (j *Journal) sample(ctx context.Context) error {
	const records, bytes = 16, 64 << 10
	for n := range j.parts {
		p := &j.parts[n]
		end := p.end.Load()
		from := max(p.start.Load(), end-min(end, records))
		if end <= from {
			continue
		}
		got, err := j.fetch(ctx, uint16(n), from, bytes) // at most MaxPartitions
		if err != nil {
			return err
		}
		for _, r := range got {
			j.seen(uint16(n), len(r.Value)) // at most MaxPartitions
		}
	}
	return nil
}
