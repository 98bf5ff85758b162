package duck_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestReadsBesideCheckpoints reads while batches and checkpoints go on: each read sees whole batches, and none that was there before is
// missing.
func TestReadsBesideCheckpoints(t *testing.T) {
	t.Parallel()
	const n, batches = 200, 50
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 1, CheckpointBytes: 128 << 10})
	busy := model.AppID{2}
	eventstest.Commit(t, s, batch(1, n, busy))
	var over atomic.Bool
	var all sync.WaitGroup
	all.Go(func() {
		defer over.Store(true)
		for off := uint64(2); off <= batches; off++ {
			if err := s.Commit(t.Context(), batch(off, n, busy)); err != nil {
				t.Errorf("batch %d: %v", off, err)
				return
			}
		}
	})
	all.Go(func() {
		for !over.Load() {
			_ = s.Checkpoint(t.Context()) // beside a transaction it may be put off
		}
	})
	for statement, rows := range map[string]int{
		"SELECT off, item FROM {events} ORDER BY off DESC, item DESC LIMIT 100":  100,
		"SELECT off, uid FROM {events} ORDER BY off DESC LIMIT 150":              150,
		"SELECT max(off), any_value(uid) FROM {events}":                          1,
		"SELECT off, count(*) AS c FROM {events} GROUP BY off HAVING c <> 200":   0,
		"SELECT off, count(*) AS c FROM {requests} GROUP BY off HAVING c <> 200": 0,
		// Users are rewritten with each batch.
		"SELECT 1, uid FROM {users} ORDER BY uid DESC LIMIT 50":                                                                         50,
		"SELECT 1, uid FROM {users}":                                                                                                    200,
		"SELECT 1, count(DISTINCT did) FROM {users} HAVING count(*) = 200 AND count(DISTINCT uid) = 200":                                1,
		"SELECT max(e.off), count(*) FROM {events} e JOIN {users} u ON u.uid = e.uid HAVING count(*) = max(e.off) * 200":                1,
		"SELECT max(e.off), 1 FROM {events} e JOIN {states} st ON st.state = e.off * 10000 + e.item HAVING count(*) = max(e.off) * 200": 1,
		"SELECT off, 1 FROM (SELECT off, row_number() OVER (PARTITION BY uid ORDER BY off DESC) AS r FROM {events}) WHERE r = 1":        200,
		"SELECT DISTINCT ON (uid) off, uid FROM {events} ORDER BY uid, off DESC":                                                        200,
	} {
		all.Go(func() {
			var last uint64
			for !over.Load() && !t.Failed() {
				got, first := 0, uint64(0)
				err := s.Query(t.Context(), busy, statement, nil, func(r events.Scanner) error {
					var off uint64
					var other int64
					if got++; got == 1 {
						return r.Scan(&first, &other)
					}
					return r.Scan(&off, &other)
				})
				if err != nil || got != rows || rows > 0 && first < last {
					t.Errorf("%s: %d rows, of batch %d after %d, %v; want %d", statement, got, first, last, err, rows)
				}
				last = first
			}
		})
	}
	all.Wait()
	exactly(t, s, busy, batches, n)
}

// TestRest writes rows while nobody reads: a long log goes into the file, a short one stays.
func TestRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	s := open(t, duck.Options{Path: path})
	logged := func() int64 {
		t.Helper()
		st, err := os.Stat(path + ".wal")
		if errors.Is(err, fs.ErrNotExist) {
			return 0
		}
		if err != nil {
			t.Fatal(err)
		}
		return st.Size()
	}
	for off := uint64(1); logged() < 2<<20; off++ {
		if off == 1_000 {
			t.Fatalf("the log has only %d bytes", logged())
		}
		eventstest.Commit(t, s, batch(off, 1_000, model.AppID{1}))
	}
	if err := s.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := logged(); n > 0 {
		t.Errorf("the log has %d bytes after a rest", n)
	}
	eventstest.Commit(t, s, batch(2_000, 10, model.AppID{1}))
	short := logged()
	if err := s.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := logged(); short == 0 || n != short {
		t.Errorf("the log had %d bytes, and %d after a rest", short, n)
	}
	_, release, err := s.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for off := uint64(3_000); logged() < 2<<20; off++ {
		eventstest.Commit(t, s, batch(off, 1_000, model.AppID{1}))
	}
	if err := s.Rest(t.Context()); err != nil {
		t.Errorf("while the file is copied: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}
