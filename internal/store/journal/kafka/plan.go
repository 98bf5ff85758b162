package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Plan lists what Open would make on the brokers, and does nothing of it.
func Plan(ctx context.Context, o Options) (list []string, err error) {
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("look at journal: %w", err)
	}
	client, err := kgo.NewClient(append(slices.Clip(o.Client), kgo.RetryTimeout(o.Timeout))...)
	if err != nil {
		return nil, fmt.Errorf("look at journal: %w", err)
	}
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(ctx, o.Topic)
	if err == nil {
		err = topics[o.Topic].Err
	}
	switch {
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		return []string{fmt.Sprintf("make the topic %s with %d partitions and %d replicas", o.Topic, o.Partitions, o.Replicas)}, nil
	case err != nil:
		return nil, fmt.Errorf("look at journal: topic %s: %w", o.Topic, err)
	}
	return nil, nil
}
