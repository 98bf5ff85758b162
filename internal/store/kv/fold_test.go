package kv_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/kv"
)

// TestMergesAreFolded commits many small merges, which alone would never fill
// a write buffer, and expects a table with them in the folder.
func TestMergesAreFolded(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	db, err := kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	key := []byte{kv.PrefixSchema, 'x'}
	for range 300 {
		b := db.NewBatch()
		if err := b.Merge(key, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	for folded := false; !folded; runtime.Gosched() {
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		names, err := fs.List("state")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			folded = folded || strings.HasSuffix(name, ".sst")
		}
	}
	err = db.Get(key, func(v []byte) error {
		if len(v) != 300 {
			t.Errorf("value has %d operands, want 300", len(v))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
