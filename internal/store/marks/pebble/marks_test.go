package pebble_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/marks"
	pebblemarks "quipu/internal/store/marks/pebble"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	one, two := model.AppID{1}, model.AppID{2}
	commit := func(write func(b *kv.Batch) error) {
		t.Helper()
		b := db.NewBatch()
		defer b.Discard()
		if err := write(b); err != nil {
			t.Fatal(err)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(app model.AppID, want marks.Marks) {
		t.Helper()
		got, err := pebblemarks.New(db).Marks(app)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("marks (-want +got):\n%s", diff)
		}
	}
	expect(one, marks.Marks{})
	m := marks.Marks{Dropped: -5, Deleted: 1 << 40, Merged: 3, Loose: true}
	commit(func(b *kv.Batch) error { return pebblemarks.Put(b, one, m) })
	commit(func(b *kv.Batch) error { return pebblemarks.Put(b, two, marks.Marks{Dropped: 7}) })
	expect(one, m)
	expect(two, marks.Marks{Dropped: 7})
	commit(func(b *kv.Batch) error { return pebblemarks.Delete(b, one) })
	expect(one, marks.Marks{})
	expect(two, marks.Marks{Dropped: 7})
	commit(func(b *kv.Batch) error { return b.Set(kv.AppKey(kv.PrefixMarks, one, 0), []byte{9, 9}) })
	if _, err := pebblemarks.New(db).Marks(one); err == nil {
		t.Error("bytes that are no marks were read")
	}
}
