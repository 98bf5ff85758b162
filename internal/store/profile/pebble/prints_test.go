package pebble_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	pebbleprofile "quipu/internal/store/profile/pebble"
)

// TestSeenAgainstModel remembers more fingerprints than one layer of the
// filter takes, of two apps, over days that are forgotten and with the store opened
// again, and compares every look-up with a set: with a filter that has room for all, for some, and for none.
func TestSeenAgainstModel(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 256 << 10, 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			seenAgainstModel(t, size)
		})
	}
}

func seenAgainstModel(t *testing.T, size int64) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewMem()
	var db *kv.DB
	var s *pebbleprofile.Store
	open := func() { db, s = openWith(t, fs, pebbleprofile.Options{PrintBytes: size}) }
	type key struct {
		app byte
		day uint16
		n   uint64
	}
	known := map[key]bool{}
	apps := map[byte]model.AppID{1: {1}, 2: {2}}
	open()
	day, wrong := uint16(100), 0
	for round := range 12 {
		for range 8_000 {
			k := key{byte(1 + r.IntN(2)), day - uint16(r.IntN(2)), r.Uint64N(60_000)}
			got, err := s.Seen(apps[k.app], printOf(k.n), k.day)
			if err != nil {
				t.Fatal(err)
			}
			if want := known[k]; got != want {
				wrong++
			}
			s.Remember(apps[k.app], k.day, printOf(k.n))
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
		if err := errors.Join(flush(db, s, b), db.Commit(b)); err != nil {
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

// printOf makes up fingerprints, which are hashes.
func printOf(n uint64) (f profile.Fingerprint) {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, n))
	copy(f[:], sum[:])
	return f
}

// TestVolumePrintsInMemory counts the look-ups that the filter spares the disk: nearly all of them, also of days that had
// fingerprints when the store was opened; still most when a day has twice as many as its memory is made for.
func TestVolumePrintsInMemory(t *testing.T) {
	t.Parallel()
	const day, stored = 100, 200_000
	app := model.AppID{1}
	fs := vfs.NewMem()
	open := func(size int64) (*kv.DB, *pebbleprofile.Store) {
		return openWith(t, fs, pebbleprofile.Options{PrintBytes: size})
	}
	batch := func(db *kv.DB, s *pebbleprofile.Store) {
		t.Helper()
		b := db.NewBatch()
		if err := errors.Join(flush(db, s, b), db.Commit(b)); err != nil {
			t.Fatal(err)
		}
	}
	spared := func(s *pebbleprofile.Store, day uint16) float64 {
		t.Helper()
		for n := uint64(0); n < stored; n += 3 {
			if s.Absent(day, app, printOf(n)) {
				t.Fatalf("fingerprint %d is said to be absent", n)
			}
		}
		n := 0
		for i := range uint64(20_000) {
			if s.Absent(day, app, printOf(1<<40+i)) {
				n++
			}
		}
		return float64(n) / 20_000
	}

	db, s := open(0)
	for n := range uint64(stored) {
		s.Remember(app, day, printOf(n))
	}
	if share := spared(s, day); share < 0.98 {
		t.Errorf("%.3f of the look-ups are spared", share)
	}
	batch(db, s)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	db, s = open(0)
	if share := spared(s, day); share != 0 {
		t.Errorf("%.3f of the look-ups are spared before anything was read", share)
	}
	for range stored/16_384 + 1 {
		batch(db, s)
	}
	if share := spared(s, day); share < 0.98 {
		t.Errorf("after a restart, %.3f of the look-ups are spared", share)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	db, s = open(stored / 2 * 12 / 8 * 2) // of which a day takes half
	for n := range uint64(stored) {
		s.Remember(app, day+1, printOf(n))
	}
	if share := spared(s, day+1); share < 0.75 {
		t.Errorf("with half of the memory, %.3f of the look-ups are spared", share)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRememberedWhereTheFilterKnowsAll asks for stored fingerprints: all are found once the filter has them, none costs a look-up
// before that, and one of another day or a new one is never found.
func TestRememberedWhereTheFilterKnowsAll(t *testing.T) {
	t.Parallel()
	const day, stored = 100, 1000
	app := model.AppID{1}
	fs := vfs.NewMem()
	found := func(s *pebbleprofile.Store, day uint16, from uint64) (n int) {
		t.Helper()
		for i := range uint64(stored) {
			ok, err := s.Remembered(app, printOf(from+i), day)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				n++
			}
		}
		return n
	}
	db, s := openWith(t, fs, pebbleprofile.Options{})
	for n := range uint64(stored) {
		s.Remember(app, day, printOf(n))
	}
	b := db.NewBatch()
	if err := errors.Join(flush(db, s, b), db.Commit(b)); err != nil {
		t.Fatal(err)
	}
	if got := []int{found(s, day, 0), found(s, day-1, 0), found(s, day, stored)}; !slices.Equal(got, []int{stored, 0, 0}) {
		t.Errorf("found %v of %d: of the day, of another, of new ones", got, stored)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, s = openWith(t, fs, pebbleprofile.Options{})
	if got := found(s, day, 0); got != 0 {
		t.Errorf("found %d after a restart, before the filter was read", got)
	}
	for range 2 { // reads a part each
		b := db.NewBatch()
		if err := errors.Join(flush(db, s, b), db.Commit(b)); err != nil {
			t.Fatal(err)
		}
	}
	if got := found(s, day, 0); got != stored {
		t.Errorf("found %d after a restart, want %d", got, stored)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRemembered looks up fingerprints that are new, over the days that duplicates are looked for.
func BenchmarkRemembered(b *testing.B) {
	const day, stored = 100, 1_000_000
	app := model.AppID{1}
	db, s := openWith(b, vfs.NewMem(), pebbleprofile.Options{})
	for n := range uint64(stored) {
		s.Remember(app, day, printOf(n))
	}
	b.ReportAllocs()
	n := uint64(1 << 40)
	for b.Loop() {
		n++
		var f profile.Fingerprint
		binary.LittleEndian.PutUint64(f[:], n*0x9e3779b97f4a7c15)
		binary.LittleEndian.PutUint64(f[8:], n*0xbf58476d1ce4e5b9)
		if _, err := s.Remembered(app, f, day, day-1, day-2, day+1, day+2); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkWritePrints stores batches of 3,500 new fingerprints of a day.
func BenchmarkWritePrints(b *testing.B) {
	db, _ := openWith(b, vfs.NewMem(), pebbleprofile.Options{})
	defer func() { _ = db.Close() }()
	w := pebbleprofile.NewWriter(db)
	r := rand.New(rand.NewPCG(1, 2))
	prints := map[profile.Print]struct{}{}
	c := profile.Change{Apps: []profile.AppChange{{App: model.AppID{1}, Prints: prints}}}
	b.ReportAllocs()
	for b.Loop() {
		clear(prints)
		for range 3500 {
			k := profile.Print{Day: 20783}
			binary.BigEndian.PutUint64(k.Hash[:], r.Uint64())
			binary.BigEndian.PutUint64(k.Hash[8:], r.Uint64())
			prints[k] = struct{}{}
		}
		batch := db.NewBatch()
		if err := errors.Join(w.Write(batch, &c), db.CommitNoSync(batch)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSeen looks up fingerprints that are new, of a day that has a million: with a filter, and without.
func BenchmarkSeen(b *testing.B) {
	const day, stored = 100, 1_000_000
	for _, size := range []int64{0, 1} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			db, err := kv.Open(b.Context(), kv.Options{Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			s, err := pebbleprofile.Open(db, pebbleprofile.Options{PrintBytes: size})
			if err != nil {
				b.Fatal(err)
			}
			app := model.AppID{1}
			for n := range uint64(stored) {
				s.Remember(app, day, printOf(n))
				if n%10_000 < 9_999 {
					continue
				}
				batch := db.NewBatch()
				if err := errors.Join(flush(db, s, batch), db.Commit(batch)); err != nil {
					b.Fatal(err)
				}
			}
			n := uint64(stored)
			for b.Loop() {
				n++
				if _, err := s.Seen(app, printOf(n), day); err != nil {
					b.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
