package duck_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestSalvage damages a block of rows: Check finds it, Salvage gives back all
// but the groups of rows in it, and the new file can be opened and written.
func TestSalvage(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	s := open(t, duck.Options{Path: path})
	hit, other := model.AppID{1}, model.AppID{2}
	eventstest.Commit(t, s, batch(1, 5, other))
	const batches, rows = 4, 125_000
	for off := uint64(2); off < 2+batches; off++ {
		b := &events.AppBatch{}
		for i := range uint32(rows) {
			b.Rows = append(b.Rows, events.Row{Offset: off, Item: i, Key: events.CustomKey, Name: "buy", UID: i ^ i<<7, Sum: float64(i) * 1.37})
		}
		eventstest.Commit(t, s, &events.Batch{Watermark: eventstest.At(off), Apps: map[model.AppID]*events.AppBatch{hit: b}})
	}
	if err := s.Check(ctx); err != nil {
		t.Fatalf("undamaged: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := ""
	for part := int64(9); part > 0 && damaged == ""; part-- { // what is hit may be free
		try := filepath.Join(t.TempDir(), "events.duckdb")
		copyTo(t, path, try, 1<<40)
		damageAt(t, try, part)
		s := open(t, duck.Options{Path: try})
		err := s.Check(ctx)
		_ = s.Close() // may complain
		if errors.Is(err, duck.ErrCorrupt) {
			damaged = try
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if damaged == "" {
		t.Fatal("no damage was found")
	}
	to := filepath.Join(t.TempDir(), "new.duckdb")
	lost, err := duck.Salvage(ctx, damaged, to, 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	var gone int64
	for _, l := range lost {
		gone += l.Rows
		if l.Of < l.Rows || l.Table != `e_`+hit.String() {
			t.Errorf("lost: %+v", l)
		}
	}
	fresh := open(t, duck.Options{Path: to})
	if err := fresh.Check(ctx); err != nil {
		t.Errorf("new file: %v", err)
	}
	left, err := fresh.Count(ctx, hit, events.RowFilter{})
	if err != nil || left+gone != batches*rows || gone == 0 || left == 0 {
		t.Errorf("%d rows left, %d lost of %d, %v", left, gone, batches*rows, err)
	}
	if n, err := fresh.Count(ctx, other, events.RowFilter{}); err != nil || n != 5 {
		t.Errorf("the other app has %d rows, %v", n, err)
	}
	w, err := fresh.Watermark(ctx)
	if err != nil || w[0] != 1+batches {
		t.Errorf("watermark %v, %v", w, err)
	}
	eventstest.Commit(t, fresh, batch(batches+2, 5, hit))
}

// damageAt changes bytes at some tenths of a file.
func damageAt(t *testing.T, path string, tenths int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("damage"), st.Size()/10*tenths); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
