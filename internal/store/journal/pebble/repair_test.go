package pebble_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
)

// TestRepair takes a record away and damages another: the rest can then be read
// in unbroken order, these two without content.
func TestRepair(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := kv.Open(ctx, kv.Options{Dir: "state", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	j, err := pebble.Open(ctx, db, pebble.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 9
	for i := range n {
		if _, err := j.Append(ctx, journal.Entries(0, fmt.Appendf(nil, "record %d", i+1))...); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if lost, err := pebble.Repair(ctx, db); lost != 0 || err != nil {
		t.Errorf("undamaged: %d lost, %v", lost, err)
	}
	b := db.NewBatch()
	key := func(offset byte) []byte {
		return append(bytes.Clone([]byte{kv.PrefixJournal, 0, 0}), 0, 0, 0, 0, 0, 0, 0, offset)
	}
	if err := b.Delete(key(4)); err != nil {
		t.Fatal(err)
	}
	if err := b.Set(key(7), []byte("damaged and long enough")); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	if lost, err := pebble.Repair(ctx, db); lost != 2 || err != nil {
		t.Errorf("damaged: %d lost, %v; want 2", lost, err)
	}
	if j, err = pebble.Open(ctx, db, pebble.Options{}); err != nil {
		t.Fatal(err)
	}
	offset := uint64(0)
	err = j.Read(ctx, nil, 0, func(r journal.Record) bool {
		offset++
		want := fmt.Sprintf("record %d", offset)
		if offset == 4 || offset == 7 {
			want = ""
		}
		if r.Offset != offset || string(r.Payload) != want {
			t.Errorf("record %d at %d: %q, want %q", offset, r.Offset, r.Payload, want)
		}
		return true
	})
	if err != nil || offset != n {
		t.Errorf("read %d records, %v", offset, err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
