package duck_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// greedyStatements need far more memory than there is and cannot do with the disk.
var greedyStatements = []string{
	"SELECT uid, list(s1 || r.range) FROM {events}, range(8) AS r GROUP BY uid",
	"SELECT len(string_agg(s1, '')) FROM {events}, range(8) AS r",
	"SELECT quantile_disc(s1 || r.range, [0.1, 0.5]) FROM {events}, range(8) AS r",
}

// smallStatements need little.
var smallStatements = []string{
	"SELECT count(*), count(DISTINCT uid) FROM {events} WHERE uid < 100",
	"SELECT n, count(*) AS c FROM {events} GROUP BY n ORDER BY c DESC LIMIT 10",
	"SELECT uid, s1 FROM {events} ORDER BY off DESC LIMIT 100",
	"SELECT count(*) FROM {requests}",
}

// TestGreedyRead runs reads that need too much memory beside small reads, batches and checkpoints: the greedy ones fail, and
// nothing else.
func TestGreedyRead(t *testing.T) {
	t.Parallel()
	for name, greedy := range map[string]int{"one": 1, "three": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rows, batches, n = 200_000, 25, 200
			s := open(t, duck.Options{
				Path: filepath.Join(t.TempDir(), "events.duckdb"), MemoryLimit: 64 << 20, OwnRows: 1, CheckpointBytes: 128 << 10,
				Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
			})
			big, busy := model.AppID{1}, model.AppID{2}
			eventstest.Commit(t, s, batch(1, 1, big))
			eventstest.Commit(t, s, batch(2, n, busy))
			insertRows(t, s, big, "off, item, ts, received, e, n, uid, session, state, c, s, dur, hour, dow, s1",
				"1, 1 + i, i, i, '[CLY]_custom', 'event ' || i % 50, i % 5000, 0, 0, 1, 0, 0, 0, 0, repeat(md5(i::VARCHAR), 3) FROM range(200000) AS r(i)")
			if err := s.Checkpoint(t.Context()); err != nil {
				t.Fatal(err)
			}

			var work, crowd sync.WaitGroup
			var over atomic.Bool
			var refused atomic.Int64
			for i := range greedy {
				crowd.Go(func() {
					for ; !over.Load(); i++ {
						err := s.Query(t.Context(), big, greedyStatements[i%len(greedyStatements)], nil, func(events.Scanner) error { return nil })
						if !errors.Is(err, events.ErrMemory) {
							t.Errorf("greedy read: got %v, want events.ErrMemory", err)
							return
						}
						refused.Add(1)
					}
				})
			}
			work.Go(func() {
				for off := uint64(3); off < 3+batches && !t.Failed(); off++ {
					if err := s.Commit(t.Context(), batch(off, n, busy)); err != nil {
						t.Errorf("batch %d: %v", off, err)
					}
					var places int64
					err := s.Query(t.Context(), busy, "SELECT count(DISTINCT off) FROM {events}", nil, func(r events.Scanner) error { return r.Scan(&places) })
					if err != nil || places != int64(off-1) {
						t.Errorf("after batch %d: %d batches, %v", off, places, err)
					}
				}
			})
			work.Go(func() {
				for i := 0; i < 10 && !t.Failed(); i++ {
					err := s.Checkpoint(t.Context())
					if err != nil && !strings.Contains(err.Error(), "Cannot CHECKPOINT") { // beside a transaction it is put off
						t.Errorf("checkpoint %d: %v", i, err)
					}
					time.Sleep(10 * time.Millisecond)
				}
			})
			for _, statement := range smallStatements {
				work.Go(func() {
					for i := 0; i < 15 && !t.Failed(); i++ {
						var got int
						err := s.Query(t.Context(), []model.AppID{big, busy}[i%2], statement, nil, func(events.Scanner) error { got++; return nil })
						if err != nil || got == 0 {
							t.Errorf("small read %q of app %d: %d rows, %v", statement, 1+i%2, got, err)
						}
					}
				})
			}
			work.Wait()
			over.Store(true)
			crowd.Wait()
			if refused.Load() == 0 {
				t.Error("no greedy read ended")
			}
			var got int64
			err := s.Query(t.Context(), big, "SELECT count(*) FROM {events}", nil, func(r events.Scanner) error { return r.Scan(&got) })
			if err != nil || got != rows+1 {
				t.Errorf("%d rows of the large app, %v; want %d", got, err, rows+1)
			}
			var places int64
			err = s.Query(t.Context(), busy, "SELECT count(DISTINCT (off, item)) FROM {events}", nil, func(r events.Scanner) error { return r.Scan(&places) })
			if err != nil || places != (batches+1)*n {
				t.Errorf("%d rows of the other app, %v; want %d", places, err, (batches+1)*n)
			}
			t.Logf("%d greedy reads were refused", refused.Load())
		})
	}
}
