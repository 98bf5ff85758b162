package kv_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/store/kv"
	"quipu/internal/store/kv/kvtest"
)

// disk is a file system in memory that can be full.
type disk struct {
	vfs.FS
	full *atomic.Bool
}

// newDisk returns a disk that, once full, refuses changes of files whose names hold part.
func newDisk(part string) disk {
	var full atomic.Bool
	inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
		grows := op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpFileWriteAt || op.Kind == errorfs.OpCreate
		if full.Load() && grows && strings.Contains(op.Path, part) {
			return syscall.ENOSPC
		}
		return nil
	})
	return disk{kvtest.Faulty(vfs.NewMem(), inj), &full}
}

// GetDiskUsage implements vfs.FS.
func (d disk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	if d.full.Load() {
		return vfs.DiskUsage{TotalBytes: 1 << 30}, nil
	}
	return vfs.DiskUsage{AvailBytes: 1 << 29, TotalBytes: 1 << 30}, nil
}

func put(db *kv.DB, key, value string) error {
	b := db.NewBatch()
	if err := b.Set([]byte("t"+key), []byte(value)); err != nil {
		return err
	}
	return db.Commit(b)
}

// TestFullDisk fills the disk under one kind of file after the other: commits wait, reads go on, and
// with room again everything is there, nothing has failed.
func TestFullDisk(t *testing.T) {
	for _, part := range []string{".log", "MANIFEST-", ".sst", ""} {
		t.Run("files "+part, func(t *testing.T) {
			d := newDisk(part)
			db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: d, BufferBytes: 256 << 10})
			if err != nil {
				t.Fatal(err)
			}
			if err := put(db, "before", "1"); err != nil {
				t.Fatal(err)
			}
			short := db.Short()
			d.full.Store(true)
			ended := make(chan error, 1)
			const writes = 200
			go func() {
				value := strings.Repeat("x", 16<<10) // fills buffers, so that tables, logs and manifests are written
				for n := range writes {
					if err := put(db, fmt.Sprint(n), value); err != nil {
						ended <- fmt.Errorf("write %d: %w", n, err)
						return
					}
				}
				ended <- nil
			}()
			select {
			case <-short:
			case err := <-ended:
				t.Fatalf("all was written to a full disk (%v)", err)
			}
			for range 100 {
				if ok, err := db.Has([]byte("tbefore")); !ok || err != nil {
					t.Fatalf("read on a full disk: %t, %v", ok, err)
				}
			}
			d.full.Store(false)
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			for n := range writes {
				if ok, err := db.Has([]byte(fmt.Sprint("t", n))); !ok || err != nil {
					t.Fatalf("write %d: %t, %v", n, ok, err)
				}
			}
			if err := db.Failed(); err != nil {
				t.Error(err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWalkDiskStaysFull leaves the disk full for an hour, in which no table can be written and buffers are full:
// the store waits that long, and goes on when there is room.
func TestWalkDiskStaysFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk(".sst")
		db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: d, BufferBytes: 256 << 10})
		if err != nil {
			t.Fatal(err)
		}
		short := db.Short()
		d.full.Store(true)
		ended := make(chan error, 1)
		go func() {
			value := strings.Repeat("x", 16<<10)
			for n := range 200 {
				if err := put(db, fmt.Sprint(n), value); err != nil {
					ended <- fmt.Errorf("write %d: %w", n, err)
					return
				}
			}
			ended <- nil
		}()
		<-short
		select {
		case <-time.After(time.Hour):
		case err := <-ended:
			t.Fatalf("writes ended on a full disk: %v", err)
		}
		d.full.Store(false)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if ok, err := db.Has([]byte("t199")); !ok || err != nil {
			t.Errorf("last write: %t, %v", ok, err)
		}
		for db.Full() {
			time.Sleep(time.Second) // of the bubble
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseOnFullDisk closes a database while a commit waits for room.
func TestCloseOnFullDisk(t *testing.T) {
	d := newDisk(".log")
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: d})
	if err != nil {
		t.Fatal(err)
	}
	if err := put(db, "before", "1"); err != nil {
		t.Fatal(err)
	}
	short := db.Short()
	d.full.Store(true)
	ended := make(chan error, 1)
	go func() { ended <- put(db, "late", "1") }()
	<-short
	if err := db.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v, want ErrFailed", err)
	}
	if err := <-ended; !errors.Is(err, kv.ErrFailed) && !errors.Is(err, kv.ErrClosed) {
		t.Errorf("commit: %v, want ErrFailed", err)
	}
	d.full.Store(false)
	again, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: d})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := again.Has([]byte("tbefore")); !ok || err != nil {
		t.Errorf("what was committed before: %t, %v", ok, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
