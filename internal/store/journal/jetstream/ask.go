package jetstream

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// askFor is how long servers have to answer one question of Open before it is asked again.
const askFor = 5 * time.Second

// ask asks the servers something until they answer, for as long as an Append waits for its acknowledgement: while they agree on a leader, or one of
// them has just come back, questions stay without an answer. What is asked may therefore have happened before, and question has to bear that.
func ask[T any](ctx context.Context, o Options, question func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	for {
		try, end := context.WithTimeout(ctx, askFor)
		answer, err := question(try)
		end()
		if err == nil || !unanswered(err) {
			return answer, err
		}
		select {
		case <-time.After(tryWait):
		case <-ctx.Done():
			return answer, err
		}
	}
}

// Faults of the API of JetStream that pass: an answer is incomplete, not enough servers are there yet, they have no leader.
var passing = []jetstream.ErrorCode{10004, 10005, 10008}

// unanswered says whether an error means that the servers cannot answer yet.
func unanswered(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return slices.Contains(passing, api.ErrorCode)
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
}
