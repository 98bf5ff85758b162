package bench

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// probe sends single requests to an app of its own until done is closed, and
// measures from each acknowledgement on how long it takes to be counted.
func (s *server) probe(ctx context.Context, o *Options, a app, done <-chan struct{}) ([]time.Duration, error) {
	var delays []time.Duration
	pause := time.NewTicker(100 * time.Millisecond)
	defer pause.Stop()
	for n := int64(1); ; n++ {
		_, err := s.get(ctx, "/i", url.Values{
			"app_key": {a.Key}, "device_id": {"probe"}, "timestamp": {strconv.FormatInt(o.Now().UnixMilli(), 10)},
			"events": {fmt.Sprintf(`[{"key":"probe","count":1,"segmentation":{"n":%d}}]`, n)},
		})
		if err != nil {
			return nil, err
		}
		acked := o.Now()
		if _, err := s.drained(ctx, a, n); err != nil {
			return nil, err
		}
		delays = append(delays, o.Now().Sub(acked))
		select {
		case <-done:
			return delays, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-pause.C:
		}
	}
}
