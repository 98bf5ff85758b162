package profile_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
)

// TestSeenAgainstModel remembers more fingerprints than one layer of the
// filter takes, of two apps, over days that are forgotten and with the store opened
// again, and compares every look-up with a set.
func TestSeenAgainstModel(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewMem()
	var db *kv.DB
	var s *profile.Pebble
	open := func() {
		t.Helper()
		var err error
		if db, err = kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs}); err != nil {
			t.Fatal(err)
		}
		if s, err = profile.OpenPebble(db, profile.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	type key struct {
		app byte
		day uint16
		n   uint64
	}
	known := map[key]bool{}
	apps := map[byte]model.AppID{1: {1}, 2: {2}}
	print := func(n uint64) (f profile.Fingerprint) {
		binary.LittleEndian.PutUint64(f[:], n*0x9e3779b97f4a7c15)
		binary.LittleEndian.PutUint64(f[8:], n*0xc4ceb9fe1a85ec53)
		return f
	}
	open()
	day, wrong := uint16(100), 0
	for round := range 12 {
		for range 8_000 {
			k := key{byte(1 + r.IntN(2)), day - uint16(r.IntN(2)), r.Uint64N(60_000)}
			got, err := s.Seen(apps[k.app], print(k.n), k.day)
			if err != nil {
				t.Fatal(err)
			}
			if want := known[k]; got != want {
				wrong++
			}
			s.Remember(apps[k.app], k.day, print(k.n))
			known[k] = true
		}
		b := db.NewBatch()
		if round%3 == 2 {
			day++
			s.ForgetBefore(day - 1)
			for k := range known {
				if k.day < day-1 {
					delete(known, k)
				}
			}
		}
		if err := errors.Join(s.Flush(b), db.Commit(b)); err != nil {
			t.Fatal(err)
		}
		if round == 7 {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			open()
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong answers", wrong)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
