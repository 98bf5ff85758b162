package pebble_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/kv/kvtest"
)

// box is an open journal with its database.
type box struct {
	db *kv.DB
	j  *pebble.Journal
}

func openBox(t *testing.T, fs vfs.FS, opts pebble.Options) *box {
	t.Helper()
	db, err := kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs, BufferBytes: 256 << 10})
	if err != nil {
		t.Fatalf("open database: %v", err)
	}
	j, err := pebble.Open(context.Background(), db, opts)
	if err != nil {
		t.Fatalf("open journal: %v", err)
	}
	return &box{db, j}
}

func (b *box) close(t *testing.T) {
	t.Helper()
	if err := errors.Join(b.j.Close(), b.db.Close()); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestConformance(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) (journal.Journal, func() journal.Journal) {
		t.Helper()
		fs := vfs.NewMem()
		b := openBox(t, fs, pebble.Options{})
		t.Cleanup(func() { b.close(t) })
		return b.j, func() journal.Journal {
			b.close(t)
			b = openBox(t, fs, pebble.Options{})
			return b.j
		}
	})
}

// TestCrashKeepsWhatWasAcknowledged clones the disk as a crash would leave it
// while many goroutines append, with any share of what was not synced.
func TestCrashKeepsWhatWasAcknowledged(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 8 {
		fs := vfs.NewCrashableMem()
		b := openBox(t, fs, pebble.Options{})
		const workers = 8
		var acked [workers]atomic.Uint64 // last number acknowledged
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for n := uint64(1); ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					payload := append([]byte{byte(w)}, journaltest.Numbered(n, 1000)...)
					if _, err := b.j.Append(context.Background(), journal.Entries(0, payload)...); err != nil {
						t.Errorf("append: %v", err)
						return
					}
					acked[w].Store(n)
				}
			})
		}
		w := journal.Watermark{}
		for range 5 + rng.IntN(40) { // reads and trims like the pipeline
			if err := b.j.Wait(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			if err := b.j.Read(t.Context(), w, 20_000, func(r journal.Record) bool { w[0] = r.Offset; return true }); err != nil {
				t.Fatal(err)
			}
		}
		var before [workers]uint64
		for i := range before {
			before[i] = acked[i].Load()
		}
		crashed := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		close(stop)
		wg.Wait()
		b.close(t)

		b = openBox(t, crashed, pebble.Options{})
		var got [workers]uint64
		next := uint64(1)
		for _, r := range journaltest.All(t, b.j, nil) {
			if r.Offset != next {
				t.Fatalf("round %d: offset %d, want %d", round, r.Offset, next)
			}
			next++
			if n := binary.BigEndian.Uint64(r.Payload[1:]); n != got[r.Payload[0]]+1 {
				t.Fatalf("round %d: worker %d: record %d after %d", round, r.Payload[0], n, got[r.Payload[0]])
			}
			got[r.Payload[0]]++
		}
		for i := range before {
			if got[i] < before[i] {
				t.Errorf("round %d: worker %d: %d records were acknowledged, %d are there", round, i, before[i], got[i])
			}
		}
		if pos, err := b.j.Append(t.Context(), journal.Entries(0, []byte("x"))...); err != nil || pos.Offset != next {
			t.Errorf("round %d: next append: offset %d, %v; want %d", round, pos.Offset, err, next)
		}
		b.close(t)
	}
}

// TestFaults lets the disk fail at a random write while many append: what was
// acknowledged is there after opening again, and what was refused for another
// reason than the failure is not.
func TestFaults(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 12 {
		mem := vfs.NewCrashableMem()
		var left atomic.Int64
		left.Store(1 << 40)
		fs := kvtest.Faulty(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && left.Add(-1) < 0 {
				return errorfs.ErrInjected
			}
			return nil
		}))
		b := openBox(t, fs, pebble.Options{})
		left.Store(rng.Int64N(600))
		var mu sync.Mutex
		acked := map[uint64]string{}
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for n := uint64(0); ; n++ {
					payload := fmt.Appendf(nil, "%d/%d/%s", w, n, strings.Repeat("x", 5000))
					pos, err := b.j.Append(context.Background(), journal.Entries(0, payload)...)
					if err != nil {
						if !errors.Is(err, journal.ErrFailed) || !errors.Is(err, errorfs.ErrInjected) {
							t.Errorf("append: got %v, want ErrFailed with its cause", err)
						}
						return
					}
					mu.Lock()
					acked[pos.Offset] = string(payload)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if err := b.j.Wait(t.Context(), journal.Watermark{0: 1 << 40}); !errors.Is(err, journal.ErrFailed) {
			t.Errorf("round %d: wait: got %v, want ErrFailed", round, err)
		}
		for _, r := range journaltest.All(t, b.j, nil) {
			if acked[r.Offset] != string(r.Payload) {
				t.Errorf("round %d: offset %d can be read but was not acknowledged", round, r.Offset)
			}
		}
		left.Store(1 << 40)
		crashed := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		if err := b.j.Close(); err != nil {
			t.Errorf("round %d: close journal: %v", round, err)
		}
		if err := b.db.Close(); !errors.Is(err, kv.ErrFailed) {
			t.Errorf("round %d: close: got %v, want ErrFailed", round, err)
		}
		for name, fs := range map[string]vfs.FS{"reopened": fs, "crashed": crashed} {
			b := openBox(t, fs, pebble.Options{})
			got := map[uint64]string{}
			for _, r := range journaltest.All(t, b.j, nil) {
				got[r.Offset] = string(r.Payload)
			}
			for offset, payload := range acked {
				if got[offset] != payload {
					t.Errorf("round %d: %s: acknowledged record %d is lost", round, name, offset)
				}
			}
			b.close(t)
		}
	}
}

func TestFull(t *testing.T) {
	var free atomic.Uint64
	free.Store(1 << 30)
	b := openBox(t, vfs.NewMem(), pebble.Options{
		MaxBytes: 100, MaxRecords: 5, ReserveBytes: 1 << 20,
		DiskFree: func() (uint64, error) { return free.Load(), nil },
	})
	defer b.close(t)
	app := func(n, size int) error {
		var ps [][]byte
		for range n {
			ps = append(ps, make([]byte, size))
		}
		_, err := b.j.Append(t.Context(), journal.Entries(0, ps...)...)
		return err
	}
	for _, step := range []struct {
		name    string
		n, size int
		trim    uint64
		free    uint64
		want    error
	}{
		{"too many bytes at once", 1, 101, 0, 1 << 30, journal.ErrFull},
		{"too many records at once", 6, 1, 0, 1 << 30, journal.ErrFull},
		{"as much as fits", 1, 100, 0, 1 << 30, nil},
		{"a byte too many", 1, 1, 0, 1 << 30, journal.ErrFull},
		{"after a trim", 5, 1, 1, 1 << 30, nil},
		{"a record too many", 1, 0, 0, 1 << 30, journal.ErrFull},
		{"the disk is at its reserve", 1, 1, 6, 1 << 20, journal.ErrFull},
		{"the disk has room for it again", 1, 1, 6, 1<<20 + 1, nil},
	} {
		free.Store(step.free)
		if err := b.j.Trim(t.Context(), journal.Watermark{0: step.trim}); err != nil {
			t.Fatal(err)
		}
		if err := app(step.n, step.size); !errors.Is(err, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, err, step.want)
		}
	}
	if got := journaltest.All(t, b.j, nil); len(got) != 1 || got[0].Offset != 7 {
		t.Errorf("at the end: %d records", len(got))
	}
}

// fullDisk is a file system in memory that makes writes to the log wait, and then refuses them for lack of room.
type fullDisk struct {
	vfs.FS
	full *atomic.Bool
}

// GetDiskUsage implements vfs.FS.
func (d fullDisk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	if d.full.Load() {
		return vfs.DiskUsage{TotalBytes: 1 << 30}, nil
	}
	return vfs.DiskUsage{AvailBytes: 1 << 29, TotalBytes: 1 << 30}, nil
}

// TestQueueOnFullDisk fills the disk under a write, behind which others wait: these are refused, and so is what comes
// next; what was being written, and what comes once there is room, is stored.
func TestQueueOnFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var full atomic.Bool
		enter, leave := make(chan struct{}), make(chan struct{})
		inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
			if !full.Load() || op.Kind != errorfs.OpFileWrite || !strings.Contains(op.Path, ".log") {
				return nil
			}
			select {
			case enter <- struct{}{}:
				<-leave
			default:
			}
			return syscall.ENOSPC
		})
		b := openBox(t, fullDisk{kvtest.Faulty(vfs.NewMem(), inj), &full}, pebble.Options{})
		full.Store(true)
		first := make(chan error, 1)
		go func() {
			_, err := b.j.Append(t.Context(), journal.Entries(0, []byte("first"))...)
			first <- err
		}()
		<-enter
		const queued = 10
		ended := make(chan error, queued)
		for range queued {
			go func() {
				_, err := b.j.Append(t.Context(), journal.Entries(0, []byte("queued"))...)
				ended <- err
			}()
		}
		synctest.Wait()
		close(leave)
		for range queued {
			if err := <-ended; !errors.Is(err, journal.ErrFull) {
				t.Errorf("queued when the disk became full: %v, want ErrFull", err)
			}
		}
		if _, err := b.j.Append(t.Context(), journal.Entries(0, []byte("later"))...); !errors.Is(err, journal.ErrFull) {
			t.Errorf("on a full disk: %v, want ErrFull", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := b.j.Append(ctx, journal.Entries(0, []byte("gone"))...); !errors.Is(err, context.Canceled) {
			t.Errorf("of a client that left: %v, want its error", err)
		}
		full.Store(false)
		if err := <-first; err != nil {
			t.Errorf("being written when the disk became full: %v", err)
		}
		for b.db.Full() {
			time.Sleep(time.Second) // of the bubble
		}
		if _, err := b.j.Append(t.Context(), journal.Entries(0, []byte("last"))...); err != nil {
			t.Errorf("with room again: %v", err)
		}
		if got := journaltest.All(t, b.j, nil); len(got) != 2 || string(got[0].Payload) != "first" || string(got[1].Payload) != "last" {
			t.Errorf("stored are %d records, want the first and the last", len(got))
		}
		if records, bytes := b.j.Size(nil); records != 2 || bytes != int64(len("first")+len("last")) {
			t.Errorf("size %d records, %d bytes", records, bytes)
		}
		b.close(t)
	})
}

func TestCorruptRecords(t *testing.T) {
	value := func(db *kv.DB, offset uint64) (v []byte) {
		t.Helper()
		if err := db.Get(key(offset), func(got []byte) error { v = append(v, got...); return nil }); err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		name   string
		damage func(db *kv.DB, b *kv.Batch) error
	}{
		{"a bit of the payload", func(db *kv.DB, b *kv.Batch) error {
			v := value(db, 3)
			v[len(v)-1] ^= 1
			return b.Set(key(3), v)
		}},
		{"a bit of the total", func(db *kv.DB, b *kv.Batch) error {
			v := value(db, 3)
			v[12] ^= 1
			return b.Set(key(3), v)
		}},
		{"cut off", func(db *kv.DB, b *kv.Batch) error { return b.Set(key(3), value(db, 3)[:7]) }},
		{"another version", func(db *kv.DB, b *kv.Batch) error {
			v := value(db, 3)
			v[0] = 9
			return b.Set(key(3), v)
		}},
		{"another record's value", func(db *kv.DB, b *kv.Batch) error { return b.Set(key(3), value(db, 2)) }},
		{"missing", func(_ *kv.DB, b *kv.Batch) error { return b.Delete(key(3)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			box := openBox(t, vfs.NewMem(), pebble.Options{})
			defer box.close(t)
			for _, text := range []string{"one", "two", "three", "four"} { // one value each
				if _, err := box.j.Append(t.Context(), journal.Entries(0, []byte(text))...); err != nil {
					t.Fatal(err)
				}
			}
			b := box.db.NewBatch()
			if err := tt.damage(box.db, b); err != nil {
				t.Fatal(err)
			}
			if err := box.db.Commit(b); err != nil {
				t.Fatal(err)
			}
			var got []uint64
			err := box.j.Read(t.Context(), nil, 0, func(r journal.Record) bool { got = append(got, r.Offset); return true })
			corrupt, ok := errors.AsType[*pebble.CorruptError](err)
			if !ok || corrupt.Offset != 3 || corrupt.Partition != 0 {
				t.Fatalf("read: got %v, want a CorruptError at 3", err)
			}
			if len(got) != 2 {
				t.Errorf("records before it: got %v, want 1 and 2", got)
			}
			if rest := journaltest.All(t, box.j, journal.Watermark{0: 3}); len(rest) != 1 || string(rest[0].Payload) != "four" {
				t.Errorf("records after it: got %v", rest)
			}
		})
	}
}

// TestWatermarkKeepsOffsetsBusy loses records and trim point but not the
// watermark: the journal goes on after it.
func TestWatermarkKeepsOffsetsBusy(t *testing.T) {
	fs := vfs.NewMem()
	box := openBox(t, fs, pebble.Options{})
	b := box.db.NewBatch()
	if err := pebble.PutWatermark(b, journal.Watermark{0: 41, 3: 7}); err != nil {
		t.Fatal(err)
	}
	if err := box.db.Commit(b); err != nil {
		t.Fatal(err)
	}
	box.close(t)
	box = openBox(t, fs, pebble.Options{})
	defer box.close(t)
	w, err := pebble.LoadWatermark(t.Context(), box.db)
	if err != nil || w[0] != 41 || w[3] != 7 || len(w) != 2 {
		t.Errorf("watermark: got %v, %v", w, err)
	}
	if pos, err := box.j.Append(t.Context(), journal.Entries(0, []byte("x"))...); err != nil || pos.Offset != 42 {
		t.Errorf("append: got offset %d, %v; want 42", pos.Offset, err)
	}
	if got := journaltest.All(t, box.j, nil); len(got) != 1 || got[0].Offset != 42 {
		t.Errorf("records: got %v", got)
	}
}

func TestTrimGivesSpaceBack(t *testing.T) {
	fs := vfs.NewMem()
	box := openBox(t, fs, pebble.Options{})
	payload := make([]byte, 100_000)
	for range 50 {
		pos, err := box.j.Append(t.Context(), journal.Entries(0, payload)...)
		if err != nil {
			t.Fatal(err)
		}
		if err := box.j.Trim(t.Context(), journal.Watermark{0: pos.Offset}); err != nil {
			t.Fatal(err)
		}
	}
	left := 0
	err := box.db.Scan(t.Context(), []byte{kv.PrefixJournal}, []byte{kv.PrefixJournal + 1}, func(_, _ []byte) (bool, error) {
		left++
		return true, nil
	})
	if err != nil || left > 11 { // below 1 MiB may stay
		t.Errorf("%d records of 100 kB are left, %v", left, err)
	}
	box.close(t)
	box = openBox(t, fs, pebble.Options{})
	defer box.close(t)
	if has, err := box.db.Has(binary.BigEndian.AppendUint64([]byte{kv.PrefixJournal, 0, 0}, 50)); has || err != nil {
		t.Errorf("after close the last trimmed record is still there (%v)", err)
	}
}

func TestCloseRefusesAndEnds(t *testing.T) {
	box := openBox(t, vfs.NewMem(), pebble.Options{})
	waited := make(chan error)
	go func() { waited <- box.j.Wait(context.Background(), nil) }()
	box.close(t)
	if err := <-waited; !errors.Is(err, journal.ErrClosed) {
		t.Errorf("wait: got %v, want ErrClosed", err)
	}
	if _, err := box.j.Append(t.Context(), journal.Entries(0, []byte("x"))...); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append: got %v, want ErrClosed", err)
	}
	if err := box.j.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

// TestPayloadsOfWhoLeaves has a client leave while its payload is being copied and the disk becomes full: Append does not
// return before the copy is whole, since the caller uses the memory again.
func TestPayloadsOfWhoLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var full, slow atomic.Bool
		enter, leave := make(chan struct{}), make(chan struct{})
		inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
			if full.Load() && op.Kind == errorfs.OpFileWrite && strings.Contains(op.Path, ".log") {
				return syscall.ENOSPC
			}
			return nil
		})
		b := openBox(t, fullDisk{kvtest.Faulty(vfs.NewMem(), inj), &full}, pebble.Options{ReserveBytes: 1, DiskFree: func() (uint64, error) {
			if slow.Swap(false) {
				close(enter)
				<-leave
			}
			return 1 << 40, nil
		}})
		slow.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan error, 1)
		go func() {
			_, err := b.j.Append(ctx, journal.Entries(0, []byte("payload"))...)
			returned <- err
		}()
		<-enter // taken, not copied yet
		full.Store(true)
		other := b.db.NewBatch()
		if err := other.Set([]byte{0xff, 1}, []byte("x")); err != nil {
			t.Fatal(err)
		}
		written := make(chan error, 1)
		go func() { written <- b.db.Commit(other) }()
		for !b.db.Full() {
			time.Sleep(time.Millisecond) // of the bubble
		}
		cancel()
		synctest.Wait()
		select {
		case err := <-returned:
			t.Errorf("Append returned before its payload was copied: %v", err)
			returned <- err
		default:
		}
		close(leave)
		if err := <-returned; !errors.Is(err, context.Canceled) {
			t.Errorf("of a client that left: %v, want its error", err)
		}
		full.Store(false)
		if err := <-written; err != nil {
			t.Errorf("the other write: %v", err)
		}
		for b.db.Full() {
			time.Sleep(time.Second) // of the bubble
		}
		if _, err := b.j.Append(t.Context(), journal.Entries(0, []byte("last"))...); err != nil { // behind what was being written
			t.Errorf("with room again: %v", err)
		}
		b.close(t)
	})
}
