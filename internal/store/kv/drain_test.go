package kv_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/kv"
)

// TestCloseLeavesNoLog writes, removes most of it and closes: the folder then
// holds neither the log of the writes nor what was removed.
func TestCloseLeavesNoLog(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	db, err := kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	const size = 4 << 20
	b := db.NewBatch()
	for i := range 64 {
		if err := b.Set(fmt.Appendf(nil, "%c%02d", kv.PrefixSchema, i), bytes.Repeat([]byte{byte(i)}, size/64)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	b = db.NewBatch()
	if err := b.DeleteRange([]byte{kv.PrefixSchema}, fmt.Appendf(nil, "%c63", kv.PrefixSchema)); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := fs.List("state")
	if err != nil {
		t.Fatal(err)
	}
	var tables int64
	for _, name := range names {
		info, err := fs.Stat(fs.PathJoin("state", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".sst") {
			tables += info.Size()
		}
	}
	if tables == 0 || tables > size/8 {
		t.Errorf("tables take %d bytes, want no more than one of the 64 values, and that there are some", tables)
	}
}
