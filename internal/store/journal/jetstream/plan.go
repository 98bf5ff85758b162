package jetstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Plan lists what Open would make or change on the servers, and does nothing of it.
func Plan(ctx context.Context, nc *nats.Conn, o Options) (list []string, err error) {
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("look at journal: %w", err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("look at journal: %w", err)
	}
	j := &Journal{js: js, opts: o}
	_, err = js.KeyValue(ctx, j.bucket())
	switch {
	case errors.Is(err, jetstream.ErrBucketNotFound):
		list = append(list, "make the bucket "+j.bucket())
	case err != nil:
		return nil, fmt.Errorf("look at journal: %w", err)
	}
	for n := range o.Partitions {
		p := &partition{j: j, number: uint16(n)} // at most MaxPartitions
		s, err := js.Stream(ctx, p.name())
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			list = append(list, "make the stream "+p.name())
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look at journal: partition %d: %w", n, err)
		}
		want, has := p.config(), s.CachedInfo().Config
		if want.MaxBytes != has.MaxBytes || want.Replicas != has.Replicas {
			list = append(list, fmt.Sprintf("change the stream %s: %d bytes and %d replicas become %d and %d", p.name(), has.MaxBytes, has.Replicas, want.MaxBytes, want.Replicas))
		}
	}
	return list, nil
}
