package pebble_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
)

// BenchmarkAppend counts durable acknowledgements per second of 1 kB requests
// with some callers in parallel, next to what the disk can do: the
// rate of writing and syncing 1 kB at the end of a plain file, one after the other.
func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	payloads := make([][]byte, 256) // different ones, alike as requests are
	for i := range payloads {
		for n := 0; len(payloads[i]) < 1000; n++ {
			payloads[i] = fmt.Appendf(payloads[i], `{"key":"event %d","count":1,"timestamp":%d,"segmentation":{"value":"%x"}},`, n, 1_700_000_000_000+rng.Uint64N(1<<30), rng.Uint32())
		}
	}
	for _, callers := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			dir := b.TempDir()
			raw := rawSyncs(b, filepath.Join(dir, "raw"), payloads[0])
			db, err := kv.Open(context.Background(), kv.Options{Dir: filepath.Join(dir, "state"), FS: vfs.Default})
			if err != nil {
				b.Fatal(err)
			}
			j, err := pebble.Open(context.Background(), db, pebble.Options{ReserveBytes: 1 << 20})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			var left atomic.Int64
			left.Store(int64(b.N))
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					for n := left.Add(-1); n >= 0; n = left.Add(-1) {
						pos, err := j.Append(context.Background(), journal.Entries(0, payloads[n%int64(len(payloads))])...)
						if err != nil {
							b.Errorf("append: %v", err)
							return
						}
						if pos.Offset%1024 == 0 {
							if err := j.Trim(context.Background(), journal.Watermark{0: pos.Offset - 512}); err != nil {
								b.Errorf("trim: %v", err)
							}
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			acks := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(acks, "acks/s")
			b.ReportMetric(raw, "fsyncs/s")
			b.ReportMetric(acks/raw, "acks/fsync")
			if err := j.Close(); err != nil {
				b.Error(err)
			}
			if err := db.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}

func rawSyncs(b *testing.B, name string, payload []byte) float64 {
	b.Helper()
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	const n = 300
	start := time.Now()
	for range n {
		if _, err := f.Write(payload); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	rate := n / time.Since(start).Seconds()
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return rate
}
