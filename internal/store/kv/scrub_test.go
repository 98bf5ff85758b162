package kv_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"quipu/internal/store/kv"
)

// TestScrub deletes keys and looks for their values in the bytes of the files.
func TestScrub(t *testing.T) {
	t.Parallel()
	const secret = "device-of-the-erased-0815"
	dir := filepath.Join(t.TempDir(), "state")
	db, err := kv.Open(t.Context(), kv.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	write := func(fn func(b *kv.Batch) error) {
		t.Helper()
		b := db.NewBatch()
		if err := fn(b); err != nil {
			t.Fatal(err)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	key := func(i int) []byte { return binary.BigEndian.AppendUint32([]byte{kv.PrefixProfile}, uint32(i)) }
	has := func() (n int) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			n += bytes.Count(b, []byte(secret))
		}
		return n
	}
	for round := range 3 { // so that there are tables below, and old logs
		for i := range 500 {
			write(func(b *kv.Batch) error {
				value := append(binary.BigEndian.AppendUint64(nil, uint64(i*7919*(round+1))), "somebody else"...)
				if i%10 == 7 {
					value = append(value, secret...)
				}
				return b.Set(key(i), value)
			})
		}
		if err := db.Scrub(t.Context(), kv.Prefix([]byte{kv.PrefixProfile})); err != nil {
			t.Fatal(err)
		}
	}
	write(func(b *kv.Batch) error { return b.Set(key(7), []byte(secret)) })
	if has() == 0 {
		t.Fatal("the value is nowhere before, so the test can tell nothing")
	}
	for i := 7; i < 500; i += 10 {
		write(func(b *kv.Batch) error { return b.Delete(key(i)) })
	}
	former, err := filepath.Glob(filepath.Join(dir, "MANIFEST-*"))
	if err != nil || len(former) == 0 {
		t.Fatal("there is no manifest before", err)
	}
	if err := db.Scrub(t.Context(), kv.Prefix([]byte{kv.PrefixProfile})); err != nil {
		t.Fatal(err)
	}
	for _, name := range former {
		if _, err := os.Stat(name); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", filepath.Base(name), err)
		}
	}
	if n := has(); n > 0 {
		t.Errorf("the value is found %d times in the files", n)
	}
	left := 0
	err = db.Scan(t.Context(), key(0), key(1<<20), func(_, _ []byte) (bool, error) { left++; return true, nil })
	if err != nil || left != 450 {
		t.Errorf("%d keys are left (%v), want 450", left, err)
	}
}
