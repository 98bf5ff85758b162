package kv_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/store/kv"
	"quipu/internal/store/kv/kvtest"
)

func open(t *testing.T, fs vfs.FS) *kv.DB {
	t.Helper()
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs, BufferBytes: 1 << 20})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return db
}

func set(t *testing.T, db *kv.DB, key, value string) error {
	t.Helper()
	b := db.NewBatch()
	if err := b.Set([]byte(key), []byte(value)); err != nil {
		t.Fatalf("set: %v", err)
	}
	return db.Commit(b)
}

func get(t *testing.T, db *kv.DB, key string) string {
	t.Helper()
	var got string
	err := db.Get([]byte(key), func(v []byte) error { got = string(v); return nil })
	if errors.Is(err, kv.ErrNotFound) {
		return "<none>"
	}
	if err != nil {
		t.Fatalf("get %q: %v", key, err)
	}
	return got
}

func TestReopenKeepsWhatWasCommitted(t *testing.T) {
	fs := vfs.NewCrashableMem()
	db := open(t, fs)
	if err := set(t, db, "\x20a", "1"); err != nil {
		t.Fatal(err)
	}
	b := db.NewBatch()
	if err := errors.Join(b.Set([]byte("\x20b"), []byte("2")), b.Set([]byte("\x20c"), []byte("3")), b.Delete([]byte("\x20a"))); err != nil {
		t.Fatal(err)
	}
	b.Discard()
	crashed := fs.CrashClone(vfs.CrashCloneCfg{})
	if err := db.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatalf("second close: %v", err)
	}
	if err := db.Get([]byte("\x20a"), func([]byte) error { return nil }); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("get after close: got %v, want ErrClosed", err)
	}
	for name, fs := range map[string]vfs.FS{"closed": fs, "crashed": crashed} {
		db := open(t, fs)
		if got := get(t, db, "\x20a"); got != "1" {
			t.Errorf("%s: a = %q, want 1", name, got)
		}
		if got := get(t, db, "\x20b"); got != "<none>" {
			t.Errorf("%s: discarded b = %q", name, got)
		}
		if err := db.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
	}
}

func TestBatchTellsHowItEnded(t *testing.T) {
	db := open(t, vfs.NewMem())
	var ends []string
	note := func(name string) func(bool) {
		return func(ok bool) { ends = append(ends, fmt.Sprintf("%s %v", name, ok)) }
	}
	b := db.NewBatch()
	b.OnEnd(note("first"))
	b.OnEnd(note("second"))
	if err := b.Set([]byte("\x20k"), nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	b.Discard() // after Commit it does nothing
	if err := db.Commit(b); err == nil {
		t.Error("a batch was committed twice")
	}
	b = db.NewBatch()
	b.OnEnd(note("discarded"))
	b.Discard()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(ends, ", "), "first true, second true, discarded false"; got != want {
		t.Errorf("ends: got %q, want %q", got, want)
	}
}

func TestOpenRefusesNewerFormat(t *testing.T) {
	fs := vfs.NewMem()
	db := open(t, fs)
	if err := set(t, db, "\x01f", string(binary.BigEndian.AppendUint32(nil, 99))); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the refusal gives up the lock
		if _, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs}); !errors.Is(err, kv.ErrNewer) || !strings.Contains(err.Error(), "format 99") {
			t.Errorf("open: got %v, want ErrNewer naming format 99", err)
		}
	}
}

const childDir = "QUIPU_KV_TEST_DIR"

// TestLockedByAnotherProcess runs itself as a second process that opens the
// folder the first one holds.
func TestLockedByAnotherProcess(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		_, err := kv.Open(t.Context(), kv.Options{Dir: dir})
		if !errors.Is(err, kv.ErrLocked) || !strings.Contains(err.Error(), dir) {
			t.Errorf("second process: got %v, want ErrLocked naming the folder", err)
		}
		return
	}
	dir := t.TempDir()
	db, err := kv.Open(t.Context(), kv.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Open(t.Context(), kv.Options{Dir: dir}); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("same process: got %v, want ErrLocked", err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLockedByAnotherProcess$", "-test.count=1")
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("second process: %v\n%s", err, out)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err = kv.Open(t.Context(), kv.Options{Dir: dir})
	if err != nil {
		t.Fatalf("open after close: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpenReportsWhereItCannotWrite(t *testing.T) {
	for _, what := range []string{"MANIFEST-", ".log", "marker.", "LOCK", ".dbtmp"} {
		t.Run(what, func(t *testing.T) {
			mem := vfs.NewCrashableMem()
			toggle := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
				if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && strings.Contains(op.Path, what) {
					return errorfs.ErrInjected
				}
				return nil
			})}
			toggle.On()
			fs := kvtest.Faulty(mem, toggle)
			_, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs})
			if err == nil || errors.Is(err, kv.ErrLocked) {
				t.Fatalf("open: got %v, want an error that is not about the lock", err)
			}
			toggle.Off()
			if err := open(t, fs).Close(); err != nil {
				t.Errorf("open after the fault is gone: %v", err)
			}
		})
	}
}

// TestWalkDiskFaults breaks the disk in one way after the other while batches are
// committed. However Pebble takes it: no call hangs, the store is failed, later
// writes say so, what was acknowledged stays readable, and after opening the
// folder again, in this process or after a crash, all of it is there and every
// batch is whole.
func TestWalkDiskFaults(t *testing.T) {
	match := func(part string, kinds ...errorfs.OpKind) func(errorfs.Op) bool {
		return func(op errorfs.Op) bool {
			for _, k := range kinds {
				if op.Kind == k && strings.Contains(op.Path, part) {
					return true
				}
			}
			return false
		}
	}
	tests := []struct {
		name   string
		warmUp int // commits before the fault
		fault  func(errorfs.Op) bool
	}{
		{"log write", 100, match(".log", errorfs.OpFileWrite, errorfs.OpFileWriteAt)},
		{"log sync", 100, match(".log", errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo)},
		{"log create", 1, match(".log", errorfs.OpCreate)},
		{"log reuse", 100, match(".log", errorfs.OpReuseForWrite)},
		{"manifest write", 100, match("MANIFEST-", errorfs.OpFileWrite)},
		{"manifest sync", 100, match("MANIFEST-", errorfs.OpFileSync, errorfs.OpFileSyncData)},
		{"table create", 100, match(".sst", errorfs.OpCreate)},
		{"table write", 100, match(".sst", errorfs.OpFileWrite)},
		{"table sync", 100, match(".sst", errorfs.OpFileSync, errorfs.OpFileSyncData)},
		{"every write", 100, func(op errorfs.Op) bool { return op.Kind.ReadOrWrite() == errorfs.OpIsWrite }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mem := vfs.NewCrashableMem()
			toggle := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
				if tt.fault(op) {
					return errorfs.ErrInjected
				}
				return nil
			})}
			fs := kvtest.Faulty(mem, toggle)
			db := open(t, fs)

			// Before the fault the buffer is turned over a few times, so that logs are there to be reused.
			value := bytes.Repeat([]byte("v"), 20_000)
			commit := func(i int) error {
				b := db.NewBatch()
				for _, part := range []string{"a", "b"} {
					if err := b.Set(fmt.Appendf(nil, "\x20%06d%s", i, part), value); err != nil {
						t.Fatal(err)
					}
				}
				return db.Commit(b)
			}
			acked := 0
			for acked < tt.warmUp {
				if err := commit(acked); err != nil {
					t.Fatalf("commit %d before the fault: %v", acked, err)
				}
				acked++
			}
			toggle.On()
			var err error
			for err == nil && acked < 4000 {
				if err = commit(acked); err == nil {
					acked++
				}
			}
			if !errors.Is(err, kv.ErrFailed) || !errors.Is(err, errorfs.ErrInjected) {
				t.Fatalf("commit %d: got %v, want ErrFailed with its cause", acked, err)
			}
			if err := db.Failed(); !errors.Is(err, kv.ErrFailed) {
				t.Errorf("failed: got %v", err)
			}
			<-db.Done()
			toggle.Off()
			if err := set(t, db, "\x20later", ""); !errors.Is(err, kv.ErrFailed) {
				t.Errorf("commit after the failure: got %v, want ErrFailed", err)
			}
			crashed := mem.CrashClone(vfs.CrashCloneCfg{})
			check(t, "failed", db, acked)
			if err := db.Close(); !errors.Is(err, kv.ErrFailed) {
				t.Errorf("close: got %v, want ErrFailed", err)
			}
			for name, fs := range map[string]vfs.FS{"reopened": fs, "crashed": crashed} {
				db := open(t, fs)
				check(t, name, db, acked)
				if got := get(t, db, "\x20later"); got != "<none>" {
					t.Errorf("%s: a refused write is there", name)
				}
				if err := db.Close(); err != nil {
					t.Errorf("%s: close: %v", name, err)
				}
			}
		})
	}
}

func check(t *testing.T, name string, db *kv.DB, acked int) {
	t.Helper()
	seen := map[string]int{}
	err := db.Scan(t.Context(), []byte("\x200"), []byte("\x20:"), func(k, _ []byte) (bool, error) {
		seen[string(k[:7])]++
		return true, nil
	})
	if err != nil {
		t.Fatalf("%s: scan: %v", name, err)
	}
	for i := range acked {
		if seen[fmt.Sprintf("\x20%06d", i)] != 2 {
			t.Fatalf("%s: acknowledged batch %d of %d has %d of 2 keys", name, i, acked, seen[fmt.Sprintf("\x20%06d", i)])
		}
	}
	for k, n := range seen {
		if n != 2 {
			t.Errorf("%s: batch %q has %d of 2 keys", name, k, n)
		}
	}
}

// TestPassingBackgroundError fails the first tables that are written: Pebble
// tries again, and the store stays as it is.
func TestPassingBackgroundError(t *testing.T) {
	var left atomic.Int64
	left.Store(10)
	failed := make(chan struct{})
	fs := kvtest.Faulty(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind != errorfs.OpCreate || !strings.HasSuffix(op.Path, ".sst") {
			return nil
		}
		switch n := left.Add(-1); {
		case n > 0:
			return errorfs.ErrInjected
		case n == 0:
			close(failed)
			return errorfs.ErrInjected
		}
		return nil
	}))
	db := open(t, fs)
	value := bytes.Repeat([]byte("v"), 20_000)
	for i := range 200 { // more than the write buffer holds before it is flushed
		if err := set(t, db, fmt.Sprintf("\x20%03d", i), string(value)); err != nil {
			t.Fatalf("commit %d: %v", i, err)
		}
	}
	<-failed
	if err := db.Failed(); err != nil {
		t.Errorf("failed: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestEmptyFlushIsNoFault turns the buffer over while everything in it is
// deleted again, which Pebble reports like an error.
func TestEmptyFlushIsNoFault(t *testing.T) {
	db := open(t, vfs.NewMem())
	value := bytes.Repeat([]byte("v"), 20_000)
	for i := range 200 { // more than the write buffer holds before it is flushed
		b := db.NewBatch()
		if err := errors.Join(b.Set(fmt.Appendf(nil, "\x20%d", i), value), b.DeleteRange([]byte("\x20"), []byte("\x21"))); err != nil {
			t.Fatal(err)
		}
		if err := db.CommitNoSync(b); err != nil {
			t.Fatalf("commit %d: %v", i, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestMergerIsUsed(t *testing.T) {
	merger := &pebble.Merger{Name: "test.sum", Merge: pebble.DefaultMerger.Merge}
	fs := vfs.NewMem()
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs, Merger: merger})
	if err != nil {
		t.Fatal(err)
	}
	b := db.NewBatch()
	if err := errors.Join(b.Merge([]byte("\x20m"), []byte("x")), b.Merge([]byte("\x20m"), []byte("y"))); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	if got := get(t, db, "\x20m"); got != "xy" {
		t.Errorf("merged: got %q", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs}); err == nil {
		t.Error("a database with another merger was opened")
	}
}

func TestScanStopsWithContext(t *testing.T) {
	db := open(t, vfs.NewMem())
	b := db.NewBatch()
	for i := range 5000 {
		if err := b.Set(fmt.Appendf(nil, "\x20%05d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := db.Scan(ctx, []byte("\x20"), nil, func(_, _ []byte) (bool, error) {
		if n++; n == 10 {
			cancel()
		}
		return true, nil
	})
	if !errors.Is(err, context.Canceled) || n >= 5000 {
		t.Errorf("scan: got %v after %d keys", err, n)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAfter(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"\x01", "\x02"}, {"a\xff", "b"}, {"\x01\x00", "\x01\x01"}, {"\xff\xff", ""},
	} {
		if got := string(kv.After([]byte(tt.in))); got != tt.want {
			t.Errorf("After(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestBatchFor compares what a large batch takes with what it holds. It is not parallel, as it counts for the process.
func TestBatchFor(t *testing.T) {
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	for _, entries := range []int{1, 5} {
		const key, size = 20, 20 << 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b := db.NewBatchFor(entries, entries*key+size)
		for range entries {
			_, _, finish := b.SetDeferred(key, size/entries)
			if err := finish(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		b.Discard()
		if got := after.TotalAlloc - before.TotalAlloc; got > size+64<<10 {
			t.Errorf("%d entries of %d bytes in all: %d bytes are allocated", entries, size, got)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOpenRaisesFormat opens a folder of the first format: it is noted to be of the present one, unless it is only read.
func TestOpenRaisesFormat(t *testing.T) {
	fs := vfs.NewMem()
	noted := func(db *kv.DB) (format uint32) {
		t.Helper()
		if err := db.Get([]byte("\x01f"), func(v []byte) error { format = binary.BigEndian.Uint32(v); return nil }); err != nil {
			t.Fatal(err)
		}
		return format
	}
	db := open(t, fs)
	if got := noted(db); got != kv.FormatVersion {
		t.Errorf("new: format %d, want %d", got, kv.FormatVersion)
	}
	if err := errors.Join(set(t, db, "\x01f", string(binary.BigEndian.AppendUint32(nil, 1))), db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{true, false} {
		db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs, ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		want := uint32(kv.FormatVersion)
		if readOnly {
			want = 1
		}
		if got := noted(db); got != want {
			t.Errorf("read only %t: format %d, want %d", readOnly, got, want)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
