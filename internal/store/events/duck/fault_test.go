package duck_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

var app = model.ID{1, 2, 3}

// batch makes a batch of one record that gives n rows, requests, states and users of its own.
func batch(off uint64, n int, apps ...model.AppID) *events.Batch {
	b := &events.Batch{Watermark: eventstest.At(off), Apps: map[model.AppID]*events.AppBatch{}}
	for _, id := range apps {
		ab := &events.AppBatch{}
		for i := range uint32(n) {
			r := events.Row{Offset: off, Item: i, Key: events.CustomKey, Name: "buy", UID: i + 1}
			r.Text[i%16] = new(fmt.Sprint("value number ", i%100))
			ab.Rows = append(ab.Rows, r)
			ab.Requests = append(ab.Requests, events.RequestRow{Offset: off, Item: i, UID: i + 1})
			ab.States = append(ab.States, events.State{Number: uint32(off)*10_000 + i, Offset: off, UID: i + 1})
			ab.Users = append(ab.Users, &model.Profile{UID: i + 1, DID: fmt.Sprint("device ", i)})
		}
		b.Apps[id] = ab
	}
	return b
}

// counts are the rows of an app's tables, and how many distinct places they have.
func counts(tb testing.TB, s *duck.Store, id model.AppID) (out [6]int64) {
	tb.Helper()
	const statement = `SELECT (SELECT count(*) FROM {events}), (SELECT count(DISTINCT (off, item)) FROM {events}),
		(SELECT count(*) FROM {requests}), (SELECT count(DISTINCT (off, item)) FROM {requests}),
		(SELECT count(*) FROM {states}), (SELECT count(*) FROM {users})`
	err := s.Query(context.Background(), id, statement, nil, func(r events.Scanner) error {
		return r.Scan(&out[0], &out[1], &out[2], &out[3], &out[4], &out[5])
	})
	if err != nil && !errors.Is(err, events.ErrNoApp) {
		tb.Fatal(err)
	}
	return out
}

// exactly checks that an app holds the batches, of n rows each, once.
func exactly(tb testing.TB, s *duck.Store, id model.AppID, batches, n int64) {
	tb.Helper()
	users := n
	if batches == 0 {
		users = 0
	}
	rows := batches * n
	if diff := cmp.Diff([6]int64{rows, rows, rows, rows, rows, users}, counts(tb, s, id)); diff != "" {
		tb.Fatalf("app %s (-want +got):\n%s", id, diff)
	}
	w, err := s.Watermark(context.Background())
	if err != nil || w[0] != uint64(batches) {
		tb.Fatalf("watermark is %v, %v, want %d", w, err, batches)
	}
}

// TestWalkFailedCommit lets a commit fail in many ways and commits it again.
func TestWalkFailedCommit(t *testing.T) {
	t.Parallel()
	t.Run("shared tables", func(t *testing.T) { t.Parallel(); failedCommit(t, 0, 11) })
	t.Run("own tables", func(t *testing.T) { t.Parallel(); failedCommit(t, 1, 15) })
	t.Run("tables become the app's own", func(t *testing.T) { t.Parallel(); failedCommit(t, 3500, 11) })
}

// failedCommit does so where apps get tables of their own with so many rows, and late is the number of a chunk
// that belongs to one of the last tables.
func failedCommit(t *testing.T, own int64, late int) {
	t.Helper()
	broken := errors.New("injected")
	other := model.ID{9}
	tests := []struct {
		name string
		fail func(t *testing.T, s *duck.Store, b *events.Batch) error
		want error
	}{
		{"at the first row", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(string) error { return broken })
			return s.Commit(context.Background(), b)
		}, broken},
		{"in the middle of an appender", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			n := 0
			duck.SetFault(s, func(point string) error {
				if n++; n == 3 && point == "append" {
					return broken
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, broken},
		{"in one of the last tables", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			n := 0
			duck.SetFault(s, func(point string) error {
				if n++; n == late {
					return broken
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, broken},
		{"before the COMMIT", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(point string) error {
				if point == "commit" {
					return broken
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, broken},
		{"cancelled in the middle of an appender", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			ctx, cancel := context.WithCancel(context.Background())
			n := 0
			duck.SetFault(s, func(string) error {
				if n++; n == 2 {
					cancel()
				}
				return nil
			})
			return s.Commit(ctx, b)
		}, context.Canceled},
		{"deadline before the COMMIT", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
			defer cancel()
			return s.Commit(ctx, b)
		}, context.DeadlineExceeded},
		{"a statement that aborts the transaction", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(point string) error {
				if point == "commit" {
					return duck.Statement(s, "INSERT INTO watermark VALUES (NULL, NULL)")
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, nil},
		{"a rollback that finds no transaction", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(point string) error {
				if point == "commit" {
					return errors.Join(duck.Statement(s, "ROLLBACK"), broken)
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, broken},
		{"a connection that breaks", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(point string) error {
				if point == "commit" {
					return errors.Join(duck.Disconnect(s), broken)
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, broken},
		{"a database that took itself out of service", func(_ *testing.T, s *duck.Store, b *events.Batch) error {
			duck.SetFault(s, func(point string) error {
				if point == "commit" {
					return duck.ErrInvalidated
				}
				return nil
			})
			return s.Commit(context.Background(), b)
		}, duck.ErrInvalidated},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: own}
			s := open(t, opt)
			const n = 2100 // more than a chunk
			b := batch(1, n, app, other)
			for batches := range int64(2) { // in the second round the tables exist
				err := tt.fail(t, s, b)
				duck.SetFault(s, nil)
				if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) {
					t.Fatalf("commit: got %v, want %v", err, tt.want)
				}
				exactly(t, s, app, batches, n)
				exactly(t, s, other, batches, n)
				eventstest.Commit(t, s, b)
				exactly(t, s, app, batches+1, n)
				exactly(t, s, other, batches+1, n)
				b = batch(2, n, app, other)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, opt)
			exactly(t, s, app, 2, n)
		})
	}
}

// TestMemoryLimit commits a batch of more apps than fit into memory at once,
// with a failure on the way.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), MemoryLimit: 64 << 20, OwnRows: 1}
	s := open(t, opt)
	var apps []model.AppID
	for i := range byte(60) {
		apps = append(apps, model.ID{7, i})
	}
	b := batch(1, 20, apps...)
	broken, begun := errors.New("injected"), 0
	duck.SetFault(s, func(point string) error {
		if point == "commit" {
			if begun++; begun == 10 {
				return broken
			}
		}
		return nil
	})
	if err := s.Commit(context.Background(), b); !errors.Is(err, broken) {
		t.Fatalf("commit is to be split and fail in its tenth part: %v", err)
	}
	w, err := s.Watermark(context.Background())
	if err != nil || w[0] != 0 {
		t.Fatalf("watermark of a batch that is not whole: %v, %v", w, err)
	}
	duck.SetFault(s, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, opt)
	eventstest.Commit(t, s, b)
	for _, id := range apps {
		exactly(t, s, id, 1, 20)
	}
	var left int
	err = s.Ask(context.Background(), "SELECT count(*) FROM progress", func(r events.Scanner) error { return r.Scan(&left) })
	if err != nil || left != 0 {
		t.Errorf("%d notes of progress are left, %v", left, err)
	}
}

// TestSpillLimit reads what fits neither into memory nor into the part of the disk that reads may take: the read alone fails.
func TestSpillLimit(t *testing.T) {
	t.Parallel()
	const spill = 8 << 20
	path := filepath.Join(t.TempDir(), "events.duckdb")
	s := open(t, duck.Options{Path: path, MemoryLimit: 64 << 20, SpillBytes: spill})
	eventstest.Commit(t, s, batch(1, 20, app))
	const sorted = "SELECT m FROM (SELECT md5(range::VARCHAR) || md5((range+1)::VARCHAR) || md5((range+2)::VARCHAR) AS m FROM range(%[1]d)) ORDER BY m LIMIT 1 OFFSET %[1]d - 1"
	err := s.Ask(t.Context(), fmt.Sprintf(sorted, 2_000_000), func(events.Scanner) error { return nil })
	if !errors.Is(err, events.ErrMemory) {
		t.Errorf("got %v, want events.ErrMemory", err)
	}
	n := 0
	if err := s.Ask(t.Context(), fmt.Sprintf(sorted, 100_000), func(events.Scanner) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("a smaller read: got %d, %v", n, err)
	}
	eventstest.Commit(t, s, batch(2, 20, app))
	exactly(t, s, app, 2, 20)
}

// TestMemoryLimitBeside commits batches of more apps than fit into memory at once while a read is under way, and while a
// backup puts checkpoints off.
func TestMemoryLimitBeside(t *testing.T) {
	t.Parallel()
	var apps []model.AppID
	for i := range byte(24) {
		apps = append(apps, model.ID{7, i})
	}
	for name, beside := range map[string]func(s *duck.Store, path string, fn func()) error{
		"a read": func(s *duck.Store, _ string, fn func()) error {
			var once sync.Once
			return s.Ask(t.Context(), "SELECT range FROM range(1000000)", func(events.Scanner) error {
				once.Do(fn)
				return nil
			})
		},
		"a backup": func(s *duck.Store, path string, fn func()) error {
			log, release, err := s.Hold(t.Context())
			if err != nil {
				return err
			}
			fn()
			copied := filepath.Join(t.TempDir(), "copy.duckdb")
			for name, size := range map[string]int64{"": -1, ".wal": log} {
				data, err := os.ReadFile(path + name)
				if err == nil && size >= 0 {
					data = data[:size]
				}
				if err == nil {
					err = os.WriteFile(copied+name, data, 0o600)
				}
				if err != nil && (size != 0 || !errors.Is(err, fs.ErrNotExist)) {
					return err
				}
			}
			if err := release(); err != nil {
				return err
			}
			then := open(t, duck.Options{Path: copied})
			for _, id := range apps {
				exactly(t, then, id, 1, 20)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "events.duckdb")
			s := open(t, duck.Options{Path: path, MemoryLimit: 64 << 20, OwnRows: 1})
			eventstest.Commit(t, s, batch(1, 20, apps...))
			err := beside(s, path, func() {
				for off := uint64(2); off < 4; off++ {
					if err := s.Commit(t.Context(), batch(off, 20, apps...)); err != nil {
						t.Errorf("batch %d: %v", off, err)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range apps {
				exactly(t, s, id, 3, 20)
			}
		})
	}
}

// TestMemoryError commits a batch for which there is too little memory at
// first, as when a read takes it.
func TestMemoryError(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	apps := []model.ID{{1}, {2}, {3}}
	for batches := range int64(2) {
		var failed int
		duck.SetFault(s, func(point string) error {
			if point == "commit" && failed < 2 { // at once, and the first app alone
				failed++
				return events.ErrMemory
			}
			return nil
		})
		eventstest.Commit(t, s, batch(uint64(batches)+1, 10, apps...))
		if failed != 2 {
			t.Fatalf("%d failures, want 2", failed)
		}
		for _, id := range apps {
			exactly(t, s, id, batches+1, 10)
		}
	}
	duck.SetFault(s, func(string) error { return events.ErrMemory })
	if err := s.Commit(context.Background(), batch(3, 10, apps...)); !errors.Is(err, events.ErrMemory) {
		t.Errorf("commit without memory: %v", err)
	}
	duck.SetFault(s, nil)
	eventstest.Commit(t, s, batch(3, 10, apps...))
	exactly(t, s, apps[0], 3, 10)
}

// TestClearPropertyInSteps clears a property when there is no memory to do so
// at once, with a failure on the way.
func TestClearPropertyInSteps(t *testing.T) {
	t.Parallel()
	t.Run("shared tables", func(t *testing.T) { t.Parallel(); clearInSteps(t, 0) })
	t.Run("own tables", func(t *testing.T) { t.Parallel(); clearInSteps(t, 1) })
}

// insertRows adds event rows to the first app of a store by a statement: FROM … AS r(i), and what is selected from it
// beside the app.
func insertRows(t *testing.T, s *duck.Store, id model.AppID, columns, selected string) {
	t.Helper()
	statement := "INSERT INTO events (app, " + columns + ") SELECT 1, " + selected
	if s.Own(id) {
		if err := duck.Widen(s, id, events.Slots{Text: 3, Num: 1, Extra: true}); err != nil {
			t.Fatal(err)
		}
		statement = "INSERT INTO w_" + id.String() + " (" + columns + ") SELECT " + selected
	}
	if err := duck.Statement(s, statement); err != nil {
		t.Fatal(err)
	}
}

func clearInSteps(t *testing.T, own int64) {
	t.Helper()
	const n = 50_000
	opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: own}
	s := open(t, opt)
	other := model.ID{0xee}
	eventstest.Commit(t, s, batch(1, 1, app))
	eventstest.Commit(t, s, batch(2, 1, other))
	insertRows(t, s, app, "off, item, ts, received, e, n, uid, session, state, c, s, dur, hour, dow, s1, s2, n1, extra",
		fmt.Sprintf(`2 + i, 0, i, i, '[CLY]_custom', CASE WHEN i%%10 = 0 THEN 'sell' ELSE 'buy' END, 1, 0, 0, 1, 0, 0, 0, 0, 'value ' || i %% 9, 'other', i,
		'{"a":1,"b":2}' FROM range(%d) AS r(i)`, n))
	kept := eventstest.Dump(t, s, other)
	slots := []schema.Slot{{Kind: schema.Text, Index: 1}, {Kind: schema.JSON}}
	broken, commits := errors.New("injected"), 0
	duck.SetFault(s, func(point string) error {
		if point != "commit" {
			return nil
		}
		switch commits++; commits {
		case 1, 2, 34, 35: // beside reads and alone
			return events.ErrMemory
		case 33:
			return broken
		}
		return nil
	})
	if err := s.ClearProperty(context.Background(), app, "buy", slots, "a", eventstest.At(n+2)); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	w, err := s.Watermark(context.Background())
	if err != nil || w[0] != 2 {
		t.Fatalf("watermark of a removal that is not whole: %v, %v", w, err)
	}
	if err := s.ClearProperty(context.Background(), app, "buy", slots, "a", eventstest.At(n+2)); err != nil {
		t.Fatal(err)
	}
	if commits < 35+64 {
		t.Errorf("%d commits, want one for each step", commits)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, opt)
	var got [6]int64
	err = s.Query(context.Background(), app, `SELECT count(*), count(s1), count(s2), count(*) FILTER (extra = '{"b":2}'), count(*) FILTER (extra = '{"a":1,"b":2}'),
		count(*) FILTER (s1 IS NOT NULL AND n = 'buy') FROM {events} WHERE off >= 2`, nil, func(r events.Scanner) error {
		return r.Scan(&got[0], &got[1], &got[2], &got[3], &got[4], &got[5])
	})
	if diff := cmp.Diff([6]int64{n, n / 10, n, n / 10 * 9, n / 10, 0}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(kept, eventstest.Dump(t, s, other)); diff != "" {
		t.Errorf("rows of another app (-want +got):\n%s", diff)
	}
	eventstest.Commit(t, s, batch(n+3, 1, app))
	last := uint64(1)
	err = s.ScanRows(context.Background(), app, events.Place{Offset: n - 100}, func(r *events.Row) error { last = r.Offset; return nil })
	if err != nil || last != n+3 {
		t.Errorf("last row is of %d, %v", last, err)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.duckdb")
	s := open(t, duck.Options{Path: good})
	eventstest.Commit(t, s, batch(1, 100, app))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), content...)
	for i := 4096; i < 3*4096; i += 16 { // both headers
		damaged[i] ^= 0xff
	}
	newer := filepath.Join(dir, "newer.duckdb")
	s = open(t, duck.Options{Path: newer})
	if err := duck.Statement(s, "UPDATE format SET version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file := func(name string, content []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	tests := []struct {
		name string
		opt  duck.Options
		want error
		text string
	}{
		{"no path", duck.Options{}, nil, "path is missing"},
		{"several faults at once", duck.Options{Path: "a?b", MemoryLimit: 1, Threads: -1}, nil, "path \"a?b\" contains ?, % or #, which the driver does not support\nmemory limit of 1 bytes is below 64 MiB\nthreads,"},
		{"no folder", duck.Options{Path: filepath.Join(dir, "none", "x")}, nil, "No such file"},
		{"no database", duck.Options{Path: file("text", []byte(strings.Repeat("hello", 9999)))}, duck.ErrCorrupt, ""},
		{"damaged", duck.Options{Path: file("damaged", damaged)}, duck.ErrCorrupt, ""},
		{"newer format", duck.Options{Path: newer}, duck.ErrFormat, "99, want 5"},
	}
	for _, tt := range tests {
		s, err := duck.Open(context.Background(), tt.opt)
		if err == nil {
			t.Errorf("%s: no error, closing it: %v", tt.name, s.Close())
			continue
		}
		if tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: got %v, want %v with %q", tt.name, err, tt.want, tt.text)
		}
	}
	s = open(t, duck.Options{Path: good})
	exactly(t, s, app, 1, 100)
}

func TestClosed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, watermarkErr := s.Watermark(ctx)
	_, _, aheadErr := s.Ahead(ctx, app, 0, 1)
	for i, err := range []error{
		s.Commit(ctx, batch(1, 1, app)), s.DropApp(ctx, app, nil), s.Checkpoint(ctx), watermarkErr, aheadErr,
		s.Ask(ctx, "SELECT 1", func(events.Scanner) error { return nil }),
	} {
		if !errors.Is(err, duck.ErrClosed) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// TestQueryIsConfined checks what a statement of a read can reach.
func TestQueryIsConfined(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), ReadTimeout: time.Hour})
	nothing := func(events.Scanner) error { return nil }
	for _, statement := range []string{
		"SELECT * FROM read_text('/etc/hostname')", "COPY (SELECT 1) TO '/tmp/x'", "ATTACH '/tmp/x' AS x", "INSTALL httpfs", "LOAD httpfs",
		"SET GLOBAL enable_external_access = true",
	} {
		if err := s.Ask(context.Background(), statement, nothing); err == nil {
			t.Errorf("%s is allowed", statement)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	began := make(chan struct{})
	go func() { <-began; cancel() }()
	close(began)
	err := s.Ask(ctx, "SELECT sum(hash(a.range + b.range)) FROM range(10000000) a, range(10000000) b", nothing)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("endless statement: %v", err)
	}
}

func TestReadTimeout(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), ReadTimeout: 20 * time.Millisecond})
	err := s.Ask(context.Background(), "SELECT sum(hash(a.range + b.range)) FROM range(10000000) a, range(10000000) b", func(events.Scanner) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("endless statement: %v", err)
	}
}
