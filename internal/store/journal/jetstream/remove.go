package jetstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Remove removes the streams and the bucket of a journal, which no node may have open, with all that is in them.
func Remove(ctx context.Context, nc *nats.Conn, o Options) error {
	if err := o.complete(); err != nil {
		return fmt.Errorf("remove journal: %w", err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("remove journal: %w", err)
	}
	j := &Journal{js: js, opts: o}
	var errs []error
	for n := range o.Partitions {
		p := &partition{j: j, number: uint16(n)} // at most MaxPartitions
		if err := js.DeleteStream(ctx, p.name()); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			errs = append(errs, fmt.Errorf("remove the stream %s: %w", p.name(), err))
		}
	}
	if err := js.DeleteKeyValue(ctx, j.bucket()); err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
		errs = append(errs, fmt.Errorf("remove the bucket %s: %w", j.bucket(), err))
	}
	return errors.Join(errs...)
}
