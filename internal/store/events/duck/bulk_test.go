package duck_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// rowGroup is the number of rows from which on DuckDB writes what a transaction
// adds to a table into the file at once, and only where it lies into the log.
const rowGroup = 122_880

// holds checks that a store has the rows of batches, value by value, and no others.
func holds(t *testing.T, s *duck.Store, batches ...*events.Batch) {
	t.Helper()
	var want []events.Row
	for _, b := range batches {
		want = append(want, b.Apps[app].Rows...)
	}
	n := 0
	err := s.ScanRows(t.Context(), app, events.Place{}, func(r *events.Row) error {
		if n >= len(want) || !reflect.DeepEqual(*r, want[n]) {
			return fmt.Errorf("row %d is %+v", n, *r)
		}
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	last := batches[len(batches)-1].Watermark[0]
	if w, err := s.Watermark(t.Context()); err != nil || w[0] != last || n != len(want) {
		t.Fatalf("%d rows and watermark %v, %v; want %d rows up to %d", n, w, err, len(want), last)
	}
}

// sums is a digest of rows.
type sums struct {
	rows, off, item, texts int
	numbers                float64
}

// adds checks that the rows of a store add up to those of batches, as many
// rows take long to compare.
func adds(t *testing.T, s *duck.Store, batches ...*events.Batch) {
	t.Helper()
	var want, got sums
	for _, b := range batches {
		for i := range b.Apps[app].Rows {
			r := &b.Apps[app].Rows[i]
			want.rows, want.off, want.item = want.rows+1, want.off+int(r.Offset), want.item+int(r.Item)
			want.texts += len(*r.Text[0]) + len(*r.Text[2])
			want.numbers += *r.Num[0]
		}
	}
	statement := "SELECT count(*), sum(off)::BIGINT, sum(item)::BIGINT, sum(length(s1) + length(s3))::BIGINT, sum(n1) FROM {events}"
	err := s.Query(t.Context(), app, statement, nil, func(r events.Scanner) error {
		return r.Scan(&got.rows, &got.off, &got.item, &got.texts, &got.numbers)
	})
	if err != nil || got != want {
		t.Fatalf("got %+v, %v; want %+v", got, err, want)
	}
	last := batches[len(batches)-1].Watermark[0]
	if w, err := s.Watermark(t.Context()); err != nil || w[0] != last {
		t.Fatalf("watermark is %v, %v; want %d", w, err, last)
	}
}

// rowsOnly makes a batch of event rows alone.
func (l *load) rowsOnly(n int) *events.Batch {
	b := l.bulk(n, 1)
	ab := b.Apps[app]
	ab.Requests, ab.States, ab.Users = nil, nil, nil
	return b
}

// TestChunks writes values that differ from chunk to chunk: columns that are
// NULL in one and not in the next, and texts that fill more than a block.
func TestChunks(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	b := newLoad().rowsOnly(3*2048 + 1)
	for i := range b.Apps[app].Rows {
		r := &b.Apps[app].Rows[i]
		switch chunk := i / 2048; {
		case i%7 == 0:
			r.Text[chunk] = new(strings.Repeat("é", i%400))
		case chunk == 1:
			r.Text = [16]*string{}
			r.Num = [8]*float64{}
			r.Num[7] = new(float64(i))
		case chunk == 3:
			r.Text[9], r.Extra = new("twelve bytes"), `{"a":"more than twelve"}`
		}
		if i == 3000 || i == 3001 {
			r.Text[15] = new(strings.Repeat("long", 300_000))
		}
	}
	eventstest.Commit(t, s, b)
	holds(t, s, b)
}

// TestVolumeRowGroups crashes behind and within commits that are written past the log.
func TestVolumeRowGroups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "events.duckdb")
	open1 := func(path string) *duck.Store { return open(t, duck.Options{Path: path, OwnRows: 1}) }
	s, l := open1(path), newLoad()
	small, big, more := l.rowsOnly(1000), l.rowsOnly(rowGroup+5000), l.rowsOnly(2000) // most rows are wide, so all lie in one table
	eventstest.Commit(t, s, small)
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("injected")
	duck.SetFault(s, func(point string) error {
		if point == "commit" {
			return broken
		}
		return nil
	})
	if err := s.Commit(t.Context(), big); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	duck.SetFault(s, nil)
	adds(t, s, small)
	eventstest.Commit(t, s, big)
	if err := duck.Abandon(s); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + ".wal")
	if err != nil {
		t.Fatal(err)
	}
	if len(log) > 1<<20 {
		t.Errorf("the log has %d bytes, so rows stand in it", len(log))
	}
	damages := []func(log []byte) []byte{ // the commit is not whole
		func(log []byte) []byte { return log[:len(log)-1] },
		func(log []byte) []byte { return log[:len(log)/2] },
		func(log []byte) []byte { return log[:1] },
		func(log []byte) []byte { clear(log[len(log)-20:]); return log },
		func(log []byte) []byte { clear(log[len(log)-512:]); return log },
		func(log []byte) []byte { log[len(log)-1] ^= 1; return log },
	}
	for i, damage := range damages {
		torn := filepath.Join(dir, fmt.Sprint("torn", i, ".duckdb"))
		copyTo(t, path, torn, 1<<40)
		if err := os.WriteFile(torn+".wal", damage(slices.Clone(log)), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, duck.Options{Path: torn, Held: small.Watermark})
		adds(t, s, small)
		if i > 0 {
			continue
		}
		eventstest.Commit(t, s, big)
		adds(t, s, small, big)
	}
	s = open1(path)
	adds(t, s, small, big)
	eventstest.Commit(t, s, big) // repeated, it changes nothing
	eventstest.Commit(t, s, more)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, open1(path), small, big, more)
}

// TestVolumeHoldRowGroups copies a store while commits are written past the log.
func TestVolumeHoldRowGroups(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	s, l := open(t, duck.Options{Path: path}), newLoad()
	first, dropped := l.rowsOnly(rowGroup), l.rowsOnly(rowGroup+100)
	eventstest.Commit(t, s, first)
	// Blocks become free, which the commit during the copy may take.
	id := model.AppID{2}
	dropped.Apps[id] = dropped.Apps[app]
	delete(dropped.Apps, app)
	eventstest.Commit(t, s, dropped)
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.off++
	if err := s.DropApp(t.Context(), id, eventstest.At(l.off)); err != nil {
		t.Fatal(err)
	}
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := l.rowsOnly(rowGroup + 200)
	eventstest.Commit(t, s, kept)
	log, release, err := s.Hold(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy.duckdb")
	after := l.rowsOnly(rowGroup + 300)
	eventstest.Commit(t, s, after)
	copyTo(t, path, to, 1<<40)
	copyTo(t, path+".wal", to+".wal", log)
	if err := release(); err != nil {
		t.Fatal(err)
	}
	adds(t, open(t, duck.Options{Path: to}), first, kept)
	adds(t, s, first, kept, after)
}

// TestVolumeLittleMemory commits the largest batches that the outbox makes, and
// twice as large ones, with the least memory.
func TestVolumeLittleMemory(t *testing.T) {
	t.Parallel()
	for _, mib := range []int64{64, 192} {
		s, l := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), MemoryLimit: mib << 20}), newLoad()
		var all []*events.Batch
		for range 3 {
			b := l.rowsOnly(int(mib) << 9)
			eventstest.Commit(t, s, b)
			all = append(all, b)
		}
		adds(t, s, all...)
	}
}
