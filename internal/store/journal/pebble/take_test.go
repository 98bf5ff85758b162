package pebble_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/pebble"
)

func payloads(t *testing.T, j journal.Journal) (list []string) {
	t.Helper()
	for _, r := range journaltest.All(t, j, nil) {
		list = append(list, string(r.Payload))
	}
	return list
}

// TestTake takes records of another journal, once each, and knows afterwards and after a reopen what it has taken.
func TestTake(t *testing.T) {
	fs := vfs.NewMem()
	b := openBox(t, fs, pebble.Options{MaxBytes: 100})
	defer func() { b.close(t) }()
	if got := b.j.Taken(); len(got) != 0 {
		t.Errorf("nothing was taken: %v", got)
	}
	take := func(partition uint16, offset uint64, want error, texts ...string) {
		t.Helper()
		var entries []journal.Entry
		for _, text := range texts {
			entries = append(entries, journal.Entry{Payload: []byte(text)})
		}
		end := b.j.End()[0]
		at, err := b.j.Take(t.Context(), journal.Position{Partition: partition, Offset: offset}, entries...)
		if !errors.Is(err, want) {
			t.Errorf("take up to %d of partition %d: %v, want %v", offset, partition, err, want)
		}
		if err == nil && len(texts) > 0 && at.Offset != end+uint64(len(texts)) {
			t.Errorf("the last record is number %d behind %d", at.Offset, end)
		}
	}
	take(3, 7, nil, "a", "b")
	take(0, 0, pebble.ErrTaken, "nothing lies before the first record")
	take(3, 7, pebble.ErrTaken, "again")
	take(3, 6, pebble.ErrTaken, "before")
	if _, err := b.j.Append(t.Context(), journal.Entries(0, []byte("own"))...); err != nil {
		t.Fatal(err)
	}
	take(1023, 1, nil, "c")
	take(3, 9, nil) // records that are left out
	take(3, 9, pebble.ErrTaken, "left out")
	take(3, 10, journal.ErrFull, strings.Repeat("x", 100))
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.j.Take(done, journal.Position{Partition: 3, Offset: 10}, journal.Entry{}); !errors.Is(err, context.Canceled) {
		t.Errorf("take for who has left: %v", err)
	}
	want := journal.Watermark{3: 9, 1023: 1}
	for _, when := range []string{"then", "after a reopen"} {
		if diff := cmp.Diff(want, b.j.Taken()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		if diff := cmp.Diff([]string{"a", "b", "own", "c"}, payloads(t, b.j)); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		b.close(t)
		b = openBox(t, fs, pebble.Options{})
	}
	if err := b.j.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := b.j.Taken(); len(got) != 0 {
			t.Errorf("after it is forgotten: %v", got)
		}
		b.close(t)
		b = openBox(t, fs, pebble.Options{})
	}
	take(3, 1, nil, "from the beginning")
}

// TestTakeCrash clones the disk as a crash would leave it while some take from another journal and others append, and goes on from there: every record is there once, in the
// order of its partition.
func TestTakeCrash(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const partitions, records = 4, 300
	payload := func(partition uint16, offset uint64) []byte {
		return append([]byte{byte(partition)}, journaltest.Numbered(offset, 200)...)
	}
	// taking takes what partition p has behind the note, in parts of random length, until stop is closed.
	taking := func(b *box, p uint16, rng *rand.Rand, stop <-chan struct{}) error {
		for at := b.j.Taken()[p]; at < records; {
			select {
			case <-stop:
				return nil
			default:
			}
			through := min(records, at+1+rng.Uint64N(8))
			var entries []journal.Entry
			for n := at + 1; n <= through; n++ {
				if n%10 != 0 { // each tenth is left out
					entries = append(entries, journal.Entry{Payload: payload(p, n)})
				}
			}
			if _, err := b.j.Take(context.Background(), journal.Position{Partition: p, Offset: through}, entries...); err != nil {
				return fmt.Errorf("take up to %d of %d: %w", through, p, err)
			}
			at = through
		}
		return nil
	}
	for round := range 6 {
		disk := vfs.NewCrashableMem()
		crashes := 1 + rng.IntN(4)
		for crash := range crashes + 1 {
			b := openBox(t, disk, pebble.Options{})
			stop, own := make(chan struct{}), make(chan struct{})
			var takers, owners sync.WaitGroup
			for p := range uint16(partitions) {
				mine := rand.New(rand.NewPCG(seed, rng.Uint64()))
				takers.Go(func() {
					if err := taking(b, p, mine, stop); err != nil {
						t.Error(err)
					}
				})
			}
			for range 2 {
				owners.Go(func() {
					for {
						select {
						case <-own:
							return
						default:
						}
						if _, err := b.j.Append(context.Background(), journal.Entries(0, []byte{255, 0})...); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			var before journal.Watermark
			if crash < crashes {
				for range rng.IntN(60) {
					if err := b.j.Wait(t.Context(), b.j.End()); err != nil {
						t.Fatal(err)
					}
				}
				before = b.j.Taken()
				disk = disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
				close(stop)
			}
			takers.Wait()
			close(own)
			owners.Wait()
			if crash == crashes {
				before = b.j.Taken()
			}
			b.close(t)

			// What the disk has: each partition up to its note, in order, nothing twice.
			b = openBox(t, disk, pebble.Options{})
			taken := b.j.Taken()
			if !taken.Reaches(before) {
				t.Errorf("round %d: taken up to %v after %v", round, taken, before)
			}
			got := map[uint16][]uint64{}
			for _, r := range journaltest.All(t, b.j, nil) {
				if p := uint16(r.Payload[0]); p != 255 {
					got[p] = append(got[p], binary.BigEndian.Uint64(r.Payload[1:]))
				}
			}
			for p := range uint16(partitions) {
				var want []uint64
				for n := uint64(1); n <= taken[p]; n++ {
					if n%10 != 0 {
						want = append(want, n)
					}
				}
				if diff := cmp.Diff(want, got[p]); diff != "" {
					t.Fatalf("round %d, partition %d, taken up to %d: %s", round, p, taken[p], diff)
				}
			}
			if crash == crashes && taken.Total() != partitions*records {
				t.Errorf("round %d: taken up to %v at the end", round, taken)
			}
			b.close(t)
		}
	}
}

// TestTakeTwiceAtOnce has many take the same records at the same time, among appends: one of them does.
func TestTakeTwiceAtOnce(t *testing.T) {
	b := openBox(t, vfs.NewMem(), pebble.Options{})
	defer b.close(t)
	const rounds, takers = 50, 8
	for n := range uint64(rounds) {
		var wg sync.WaitGroup
		results := make([]error, takers)
		for w := range takers {
			wg.Go(func() {
				_, results[w] = b.j.Take(t.Context(), journal.Position{Partition: 1, Offset: n + 1}, journal.Entry{Payload: []byte("taken")})
			})
			wg.Go(func() {
				if _, err := b.j.Append(t.Context(), journal.Entries(0, []byte("own"))...); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else if !errors.Is(err, pebble.ErrTaken) {
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d took record %d", won, n+1)
		}
	}
	count := map[string]int{}
	for _, text := range payloads(t, b.j) {
		count[text]++
	}
	if diff := cmp.Diff(map[string]int{"taken": rounds, "own": rounds * takers}, count); diff != "" {
		t.Error(diff)
	}
}
