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

// Remove removes the topic of a journal, which no node may have open, with all that is in it.
func Remove(ctx context.Context, o Options) error {
	if err := o.complete(); err != nil {
		return fmt.Errorf("remove journal: %w", err)
	}
	client, err := kgo.NewClient(append(slices.Clip(o.Client), kgo.RetryTimeout(o.Timeout))...)
	if err != nil {
		return fmt.Errorf("remove journal: %w", err)
	}
	defer client.Close()
	_, err = kadm.NewClient(client).DeleteTopic(ctx, o.Topic)
	if err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
		return fmt.Errorf("remove the topic %s: %w", o.Topic, err)
	}
	return nil
}
