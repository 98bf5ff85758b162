package kv_test

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/kv"
	"quipu/internal/testkit/logged"
)

// TestDamageIsToldOnce reads a damaged table over and over: every read fails, and the log
// reports the file once, without stacks.
func TestDamageIsToldOnce(t *testing.T) {
	t.Parallel()
	const n = 20_000
	fs := vfs.NewMem()
	db := open(t, fs)
	b := db.NewBatch()
	key := func(i uint32) []byte { return binary.BigEndian.AppendUint32([]byte{kv.PrefixProfile}, i) }
	for i := range uint32(n) {
		if err := b.Set(key(i), bytes.Repeat(key(i*977), 12)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	flip(t, fs, 1)
	var log logged.Buffer
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs, ReadOnly: true, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := range uint32(n) {
		if err := db.Get(key(i), func([]byte) error { return nil }); err != nil {
			failed++
		}
	}
	if failed < 2 {
		t.Fatalf("%d reads failed, want those of a whole block", failed)
	}
	if told := strings.Count(log.String(), "data corruption"); told != 1 || strings.Contains(log.String(), "stack trace") {
		t.Errorf("told %d times:\n%.1000s", told, log.String())
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
