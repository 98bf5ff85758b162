package kv_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"quipu/internal/store/kv"
)

// folderSize returns how many bytes the files of a folder have.
func folderSize(t *testing.T, dir string) (n int64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// TestRest writes many versions of a few entries, while others write on, and rests.
func TestRest(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	db, err := kv.Open(t.Context(), kv.Options{Dir: dir, BufferBytes: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	key := func(prefix byte, i int) []byte { return binary.BigEndian.AppendUint32([]byte{prefix}, uint32(i)) }
	write := func(prefix byte, i int, value []byte) error {
		b := db.NewBatch()
		if err := b.Set(key(prefix, i), value); err != nil {
			return err
		}
		return db.CommitNoSync(b)
	}
	const entries, size, rounds = 50, 4000, 100
	value := make([]byte, size)
	for r := range rounds {
		for i := range entries {
			for k := 0; k < size; k += 8 {
				binary.LittleEndian.PutUint64(value[k:], uint64(r*31+i*17+k)*0x9e3779b97f4a7c15)
			}
			if err := write(kv.PrefixProfile, i, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := folderSize(t, dir)
	if before < 8<<20 {
		t.Fatalf("the folder has only %d bytes before it rests", before)
	}
	var stop atomic.Bool
	ended := make(chan error, 1)
	var others int
	go func() {
		for !stop.Load() && others < 5000 {
			if err := write(kv.PrefixUID, others, []byte("another")); err != nil {
				ended <- err
				return
			}
			others++
		}
		ended <- nil
	}()
	if err := db.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop.Store(true)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if db.Written() < entries*size*rounds {
		t.Errorf("%d bytes written, less than the values have", db.Written())
	}
	after := folderSize(t, dir)
	if most := int64(2*entries*size + 4<<20); after > most {
		t.Errorf("the folder has %d bytes after %d before, want %d at most", after, before, most)
	}
	check := func() {
		t.Helper()
		for i := range entries {
			if err := db.Get(key(kv.PrefixProfile, i), func(v []byte) error {
				if len(v) != size || binary.LittleEndian.Uint64(v) != uint64((rounds-1)*31+i*17)*0x9e3779b97f4a7c15 {
					t.Errorf("entry %d is not the last version", i)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range others {
			if err := db.Get(key(kv.PrefixUID, i), func(v []byte) error {
				if !bytes.Equal(v, []byte("another")) {
					t.Errorf("entry %d that was written meanwhile is %q", i, v)
				}
				return nil
			}); err != nil {
				t.Fatalf("entry %d of %d: %v", i, others, err)
			}
		}
	}
	check()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Rest(t.Context()); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("rest after the end: %v", err)
	}
	if db, err = kv.Open(t.Context(), kv.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	check()
}

// TestEmptyBuffers has a large batch, which waits beside the write buffers, written to a table, and leaves a few bytes where they are.
func TestEmptyBuffers(t *testing.T) {
	t.Parallel()
	db, err := kv.Open(t.Context(), kv.Options{Dir: filepath.Join(t.TempDir(), "state"), BufferBytes: 40 << 20})
	if err != nil {
		t.Fatal(err)
	}
	write := func(bytes int) {
		t.Helper()
		b := db.NewBatch()
		if err := b.Set([]byte{kv.PrefixProfile, byte(bytes)}, make([]byte, bytes)); err != nil {
			t.Fatal(err)
		}
		if err := db.CommitNoSync(b); err != nil {
			t.Fatal(err)
		}
	}
	empty := func() int64 {
		t.Helper()
		if err := db.EmptyBuffers(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, held := db.Memory()
		return held
	}
	write(1 << 20)
	if held := empty(); held < 1<<20 {
		t.Errorf("%d bytes are held of one MiB", held)
	}
	write(24 << 20)
	if held := empty(); held > 8<<20 {
		t.Errorf("%d bytes are held behind a large batch", held)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.EmptyBuffers(t.Context()); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("once it is closed: %v", err)
	}
}
