package kv_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/store/kv"
)

// TestVolumeSalvage flips bytes in tables: what is copied is as it was written, what is
// missing lies in the gaps, and most is there.
func TestVolumeSalvage(t *testing.T) {
	t.Parallel()
	const n = 24_000
	key := func(i uint32) []byte { return binary.BigEndian.AppendUint32([]byte{kv.PrefixProfile}, i*977) }
	value := func(i uint32) []byte {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		return bytes.Repeat(binary.BigEndian.AppendUint64(nil, r.Uint64()), 8)
	}
	for _, flips := range []int{0, 1, 4} {
		fs := vfs.NewMem()
		filled := open(t, fs)
		for from := uint32(0); from < n; from += n / 4 {
			b := filled.NewBatch()
			for i := from; i < from+n/4; i++ {
				if err := b.Set(key(i), value(i)); err != nil {
					t.Fatal(err)
				}
			}
			if err := filled.Commit(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := filled.Close(); err != nil {
			t.Fatal(err)
		}
		flip(t, fs, flips)
		db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		fresh := open(t, vfs.NewMem())
		keys, gaps, err := db.Salvage(t.Context(), fresh)
		if err != nil {
			t.Fatalf("%d flips: %v", flips, err)
		}
		if (len(gaps) > 0) != (flips > 0) || len(gaps) > flips || keys < n*9/10 || flips == 0 && keys != n+1 {
			t.Errorf("%d flips: %d keys, %d gaps", flips, keys, len(gaps))
		}
		missing := 0
		for i := range uint32(n) {
			err := fresh.Get(key(i), func(v []byte) error {
				if !bytes.Equal(v, value(i)) {
					t.Errorf("%d flips: key %d has another value", flips, i)
				}
				return nil
			})
			if err == nil {
				continue
			}
			missing++
			in := false
			for _, g := range gaps {
				in = in || g.Touches(key(i))
			}
			if !in {
				t.Fatalf("%d flips: key %d is missing and in no gap", flips, i)
			}
		}
		if err := errors.Join(db.Close(), fresh.Close()); err != nil {
			t.Error(err)
		}
		if (missing > 0) != (flips > 0) {
			t.Errorf("%d flips: %d missing", flips, missing)
		}
	}
}

// flip changes bytes in the first halves of tables, where blocks of keys lie.
func flip(t *testing.T, fs *vfs.MemFS, times int) {
	t.Helper()
	names, err := fs.List("state")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, name := range names {
		if bytes.HasSuffix([]byte(name), []byte(".sst")) {
			tables = append(tables, name)
		}
	}
	for i := range times {
		f, err := fs.OpenReadWrite("state/"+tables[i%len(tables)], vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		at := info.Size() / int64(times+1) * int64(i+1) / 2
		var b [1]byte
		if _, err := f.ReadAt(b[:], at); err != nil {
			t.Fatal(err)
		}
		b[0] ^= 0x10
		if _, err := f.WriteAt(b[:], at); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
