package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/rollup/rolluptest"
)

// backend is a plain Pebble database with its aliases in memory.
type backend struct {
	*pebblerollup.Store
	db      *pebble.DB
	aliases map[model.AppID]map[uint32]uint32
	// step is how many cells a rewrite looks at in one call.
	step int
}

func (b *backend) Aliases(_ context.Context, app model.AppID) (map[uint32]uint32, error) {
	return b.aliases[app], nil
}

// openDB opens a database without a cache, so that memory it has lent is
// overwritten soon after it should be let go.
func openDB(tb testing.TB) *pebble.DB {
	tb.Helper()
	return openCached(tb, 1)
}

func openCached(tb testing.TB, cache int64) *pebble.DB {
	tb.Helper()
	return openWith(tb, &pebble.Options{MemTableSize: 256 << 10, CacheSize: cache})
}

func openWith(tb testing.TB, opts *pebble.Options) *pebble.DB {
	tb.Helper()
	opts.FS, opts.Merger, opts.Logger = vfs.NewMem(), pebblerollup.Merger(), silent{}
	db, err := pebble.Open("", opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// silent keeps Pebble's chatter out of the tests' output.
type silent struct{}

func (silent) Infof(string, ...any)                   { /* not a failure */ }
func (silent) Errorf(string, ...any)                  { /* reported by the operation as well */ }
func (silent) Fatalf(format string, args ...any)      { panic(fmt.Sprintf(format, args...)) }
func (silent) Eventf(context.Context, string, ...any) { /* tracing is off */ }

func openBackend(t *testing.T) rolluptest.Backend {
	t.Helper()
	b := &backend{db: openDB(t), aliases: map[model.AppID]map[uint32]uint32{}, step: 5}
	b.Store = pebblerollup.NewStore(b.db, b)
	return b
}

func (b *backend) batch(fn func(*pebble.Batch) error) error {
	batch := b.db.NewBatch()
	if err := fn(batch); err != nil {
		return err
	}
	return batch.Commit(pebble.NoSync)
}

func (b *backend) Write(_ context.Context, app model.AppID, aliases []rollup.Alias, d rollup.Delta) error {
	err := b.batch(func(batch *pebble.Batch) error { return pebblerollup.Write(batch, app, d) })
	if err != nil {
		return err
	}
	next := maps.Clone(b.aliases[app])
	if next == nil {
		next = map[uint32]uint32{}
	}
	for _, a := range aliases {
		next[a.Old] = a.New
	}
	b.aliases[app] = next
	return nil
}

func (b *backend) Rewrite(ctx context.Context, app model.AppID, between func() error) error {
	start := b.aliases[app]
	var cursor []byte
	for {
		batch := b.db.NewBatch()
		next, err := pebblerollup.Rewrite(ctx, b.db, batch, app, start, cursor, b.step)
		if err != nil {
			return err
		}
		// A batch between the look at the cells and the commit of the replacements.
		if err := between(); err != nil {
			return err
		}
		if err := batch.Commit(pebble.NoSync); err != nil {
			return err
		}
		if next == nil {
			break
		}
		cursor = next
	}
	rest := maps.Clone(b.aliases[app])
	for old := range start {
		delete(rest, old)
	}
	b.aliases[app] = rest
	return nil
}

func (b *backend) Compact(ctx context.Context) error {
	if err := b.db.Flush(); err != nil {
		return err
	}
	return b.db.Compact(ctx, []byte{0}, []byte{0xff}, false)
}

func (b *backend) DeleteApp(_ context.Context, app model.AppID) error {
	return b.batch(func(batch *pebble.Batch) error { return pebblerollup.DeleteApp(batch, app) })
}

func (b *backend) DeleteSeries(_ context.Context, app model.AppID, s rollup.Series) error {
	return b.batch(func(batch *pebble.Batch) error { return pebblerollup.DeleteSeries(batch, app, s) })
}

func (b *backend) DeleteDims(ctx context.Context, app model.AppID, m rollup.Metric, prefix string) error {
	return b.batch(func(batch *pebble.Batch) error { return pebblerollup.DeleteDims(ctx, b.db, batch, app, m, prefix) })
}

func (b *backend) DeleteValue(ctx context.Context, app model.AppID, s rollup.Series, value string) error {
	return b.batch(func(batch *pebble.Batch) error { return pebblerollup.DeleteValue(ctx, b.db, batch, app, s, value) })
}

// closing closes c and reports what goes wrong.
func closing(t *testing.T, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestConformance(t *testing.T) { rolluptest.Run(t, openBackend) }

func TestWriteRefusesLongText(t *testing.T) {
	db := openDB(t)
	long := strings.Repeat("x", rollup.MaxText+1)
	for name, k := range map[string]rollup.Key{
		"dimension": {Series: rollup.Series{Metric: 1, Dim: long}},
		"value":     {Series: rollup.Series{Metric: 1}, Value: long},
	} {
		t.Run(name, func(t *testing.T) {
			batch := db.NewBatch()
			defer closing(t, batch)
			err := pebblerollup.Write(batch, model.AppID{}, rollup.Delta{k: {Count: 1}})
			if err == nil || !strings.Contains(err.Error(), "1025 bytes") {
				t.Fatalf("got %v, want a refusal that names the length", err)
			}
		})
	}
}

func TestWriteSkipsEmptyCells(t *testing.T) {
	db := openDB(t)
	batch := db.NewBatch()
	defer closing(t, batch)
	d := rollup.Delta{{Value: "nil"}: nil, {Value: "zero"}: {}, {Value: "one"}: {Count: 1}}
	if err := pebblerollup.Write(batch, model.AppID{}, d); err != nil {
		t.Fatal(err)
	}
	if batch.Count() != 1 {
		t.Fatalf("batch has %d operations, want 1", batch.Count())
	}
}

// TestRewriteOfRemovedCells replaces users in cells that a removal takes away
// before the replacements are committed: no empty cell may come of it.
func TestRewriteOfRemovedCells(t *testing.T) {
	b := openBackend(t).(*backend)
	app := model.AppID{0: 9}
	s := rollup.Series{Metric: rollup.Users}
	c := &rollup.Cell{Count: 1}
	c.AddUser(1)
	if err := b.Write(t.Context(), app, []rollup.Alias{{Old: 1, New: 2}}, rollup.Delta{{Series: s, Grain: rollup.Day, Bucket: 1}: c}); err != nil {
		t.Fatal(err)
	}
	if err := b.Rewrite(t.Context(), app, func() error { return b.DeleteApp(t.Context(), app) }); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		it, err := b.db.NewIter(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer closing(t, it)
		for ok := it.First(); ok; ok = it.Next() {
			t.Errorf("%s: key % x is left with value % x", when, it.Key(), it.Value())
		}
	}
	check("before compaction")
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after compaction")
}

func TestRewriteIsBounded(t *testing.T) {
	b := openBackend(t).(*backend)
	app, other := model.AppID{0: 9}, model.AppID{0: 10}
	s := rollup.Series{Metric: rollup.Users}
	d := rollup.Delta{}
	for i := range rollup.Bucket(10) {
		d.At(rollup.Key{Series: s, Grain: rollup.Day, Bucket: i}).AddUser(1)
	}
	if err := b.Write(t.Context(), app, nil, d); err != nil {
		t.Fatal(err)
	}
	aliases := map[uint32]uint32{1: 2}
	var cursor []byte
	var counts []uint32
	for {
		batch := b.db.NewBatch()
		next, err := pebblerollup.Rewrite(t.Context(), b.db, batch, app, aliases, cursor, 4)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, batch.Count())
		if err := batch.Commit(pebble.NoSync); err != nil {
			t.Fatal(err)
		}
		if next == nil {
			break
		}
		cursor = next
	}
	if fmt.Sprint(counts) != "[4 4 2]" {
		t.Errorf("cells rewritten by call: got %v, want [4 4 2]", counts)
	}
	batch := b.db.NewBatch()
	defer closing(t, batch)
	if _, err := pebblerollup.Rewrite(t.Context(), b.db, batch, other, aliases, cursor, 4); err == nil {
		t.Error("a cursor of another app was taken")
	}
}

type brokenAliases struct{ err error }

func (b brokenAliases) Aliases(context.Context, model.AppID) (map[uint32]uint32, error) {
	return nil, b.err
}

func TestScanReportsMissingAliases(t *testing.T) {
	s := pebblerollup.NewStore(openDB(t), brokenAliases{io.ErrUnexpectedEOF})
	_, err := rolluptest.Rows(t.Context(), s, model.AppID{}, rollup.Series{Metric: rollup.Users}, rollup.Day, 0, 5)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("got %v, want the error of the aliases", err)
	}
}

func TestScanReportsCorruptValues(t *testing.T) {
	for name, value := range map[string][]byte{
		"empty":           {},
		"version":         {9, 0, 0},
		"truncated count": {1, 2, 0},
		"trailing bytes":  {1, 0, 0, 1},
		"bitmap":          {1, 0x80, 0, 1, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			for _, write := range []struct {
				how string
				do  func(*pebble.DB, []byte) error
			}{
				{"set", func(db *pebble.DB, key []byte) error { return db.Set(key, value, pebble.NoSync) }},
				{"merge", func(db *pebble.DB, key []byte) error { return db.Merge(key, value, pebble.NoSync) }},
			} {
				db := openDB(t)
				app := model.AppID{0: 3}
				s := rollup.Series{Metric: rollup.Users}
				batch := db.NewBatch()
				if err := pebblerollup.Write(batch, app, rollup.Delta{{Series: s, Grain: rollup.Day, Bucket: 1}: {Count: 1}}); err != nil {
					t.Fatal(err)
				}
				reader := batch.Reader()
				_, key, _, _, err := reader.Next()
				if err != nil {
					t.Fatal(err)
				}
				if err := write.do(db, key); err != nil {
					t.Fatal(err)
				}
				_, err = rolluptest.Rows(t.Context(), pebblerollup.NewStore(db, rollup.NoAliases{}), app, s, rollup.Day, 0, 5)
				if err == nil || !strings.Contains(err.Error(), "malformed value") {
					t.Errorf("%s: got %v, want a malformed value", write.how, err)
				}
			}
		})
	}
}
