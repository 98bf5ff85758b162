package jetstream_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
)

// BenchmarkAppend counts durable acknowledgements per second of 850 byte requests, on one server and on three that are on one disk.
func BenchmarkAppend(b *testing.B) {
	payload := make([]byte, 850)
	for _, servers := range []int{1, 3} {
		c := natstest.Start(b, natstest.Options{Servers: servers})
		j, err := jetstream.Open(b.Context(), c.Connect(), jetstream.Options{Partitions: 1, Replicas: servers, MaxAppend: 16 << 20})
		if err != nil {
			b.Fatal(err)
		}
		for _, callers := range []int{1, 64, 256} {
			b.Run(fmt.Sprintf("servers=%d,callers=%d", servers, callers), func(b *testing.B) {
				b.ReportAllocs()
				var left atomic.Int64
				left.Store(int64(b.N))
				var wg sync.WaitGroup
				for range callers {
					wg.Go(func() {
						for left.Add(-1) >= 0 {
							pos, err := j.Append(context.Background(), journal.Entries(0, payload)...)
							if err != nil {
								b.Errorf("append: %v", err)
								return
							}
							if pos.Offset%4096 == 0 {
								if err := j.Trim(context.Background(), journal.Watermark{0: pos.Offset - 2048}); err != nil {
									b.Errorf("trim: %v", err)
								}
							}
						}
					})
				}
				wg.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "acks/s")
			})
		}
		if err := j.Close(); err != nil {
			b.Error(err)
		}
	}
}
