package kv

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Pebble cannot go on after an I/O error on its write-ahead log or its
// manifest: depending on the place it calls Logger.Fatalf, panics, or panics
// while it holds no lock that its deferred functions unlock, which nothing
// can recover. Returning from Fatalf is worse, because Pebble then goes on as
// if the write had happened and may delete files that are still needed.
//
// failStop is the file system between Pebble and the disk that makes such an
// error the same as a crash of the machine: the first one fails the store,
// and the goroutine that met it, as every goroutine of that Pebble
// instance that wants to change a file later, is parked for good. What is on
// disk stays as it was in that moment, so opening the directory again is an
// ordinary crash recovery, also in the same process.
//
// A disk without room is no such error: nothing was lost, and the room may come back. A vital
// change then waits and is tried again until it succeeds or the store fails, while reads go on.
// Other changes fail after a pause, so that Pebble drops what it has begun to write and neither
// keeps the last room nor spins.
type failStop struct {
	inner vfs.FS
	fail  func(op, name string, err error)
	// lack is notified of every change that the disk has no room for. It must not block.
	lack func()

	// mode is one of the constants below.
	mode atomic.Uint32
	// renew counts those who want files not to be used again for others.
	renew atomic.Int32
	// ops is held shared by every change under way; anyone who takes it
	// exclusively after the mode became frozen knows that no change comes any more.
	ops sync.RWMutex
}

const (
	passing uint32 = iota // opening or closing: errors go to Pebble, which returns them
	armed                 // open: a fatal error freezes
	frozen                // failed: no change reaches the disk
)

// arm makes errors fatal, unless the file system is frozen already.
func (s *failStop) arm() { s.mode.CompareAndSwap(passing, armed) }

// disarm lets errors through to Pebble's Close; it reports false when the
// file system is frozen.
func (s *failStop) disarm() bool {
	return s.mode.CompareAndSwap(armed, passing) || s.mode.Load() == passing
}

// freeze stops all changes to come, unless the database is just being opened
// or closed.
func (s *failStop) freeze() { s.mode.CompareAndSwap(armed, frozen) }

// settle waits for the changes under way; the mode must be frozen.
func (s *failStop) settle() {
	s.ops.Lock()
	defer s.ops.Unlock()
}

// roomRetry is the time between two attempts of a change that the disk has no room for.
const roomRetry = 100 * time.Millisecond

// do runs a change, which may be called again after it failed for lack of room. fatal says
// whether Pebble cannot go on when it fails.
func (s *failStop) do(op, name string, fatal bool, change func() error) error {
	for {
		s.ops.RLock()
		if s.mode.Load() == frozen {
			s.ops.RUnlock()
			park()
		}
		err := change()
		s.ops.RUnlock()
		if err == nil || s.mode.Load() == passing {
			return err
		}
		// After a sync that failed nobody knows what is on disk: trying again proves nothing.
		if full := noRoom(err) && op != "sync"; full {
			s.lack()
			<-time.After(roomRetry)
			if fatal {
				continue
			}
		}
		if fatal {
			s.fail(op, name, err)
			park()
		}
		return err
	}
}

// noRoom reports whether err says that the disk, or the quota of the user, is full.
func noRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// park never returns. The goroutine keeps what it holds; see failStop.
func park() { select {} }

// vital reports whether Pebble cannot go on after an error on the file: the
// write-ahead log, the manifest, and the markers that name the current ones.
func (s *failStop) vital(name string) bool {
	base := s.inner.PathBase(name)
	return strings.HasSuffix(base, ".log") || strings.HasPrefix(base, "MANIFEST-") || strings.HasPrefix(base, "marker.")
}

func (s *failStop) wrap(name string, vital bool, f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &failStopFile{File: f, fs: s, name: name, vital: vital}, nil
}

// Create implements vfs.FS.
func (s *failStop) Create(name string, category vfs.DiskWriteCategory) (f vfs.File, err error) {
	err = s.do("create", name, s.vital(name), func() error {
		f, err = s.inner.Create(name, category)
		return err
	})
	return s.wrap(name, s.vital(name), f, err)
}

// Link implements vfs.FS.
func (s *failStop) Link(oldname, newname string) error {
	return s.do("link", newname, s.vital(newname), func() error { return s.inner.Link(oldname, newname) })
}

// Open implements vfs.FS.
func (s *failStop) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	return s.inner.Open(name, opts...)
}

// OpenReadWrite implements vfs.FS.
func (s *failStop) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (f vfs.File, err error) {
	err = s.do("open", name, s.vital(name), func() error {
		f, err = s.inner.OpenReadWrite(name, category, opts...)
		return err
	})
	return s.wrap(name, s.vital(name), f, err)
}

// OpenDir implements vfs.FS. A directory that cannot be synced is as bad as a
// log that cannot.
func (s *failStop) OpenDir(name string) (vfs.File, error) {
	f, err := s.inner.OpenDir(name)
	return s.wrap(name, true, f, err)
}

// Remove implements vfs.FS. Pebble tolerates a file that stays.
func (s *failStop) Remove(name string) error {
	return s.do("remove", name, false, func() error { return s.inner.Remove(name) })
}

// RemoveAll implements vfs.FS.
func (s *failStop) RemoveAll(name string) error {
	return s.do("remove", name, false, func() error { return s.inner.RemoveAll(name) })
}

// Rename implements vfs.FS.
func (s *failStop) Rename(oldname, newname string) error {
	return s.do("rename", newname, s.vital(newname), func() error { return s.inner.Rename(oldname, newname) })
}

// ReuseForWrite implements vfs.FS.
func (s *failStop) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (f vfs.File, err error) {
	err = s.do("reuse", newname, s.vital(newname), func() error {
		f, err = s.reuse(oldname, newname, category)
		return err
	})
	return s.wrap(newname, s.vital(newname), f, err)
}

// MkdirAll implements vfs.FS.
func (s *failStop) MkdirAll(dir string, perm os.FileMode) error {
	return s.do("mkdir", dir, false, func() error { return s.inner.MkdirAll(dir, perm) })
}

// Lock implements vfs.FS.
func (s *failStop) Lock(name string) (io.Closer, error) { return s.inner.Lock(name) }

// List implements vfs.FS.
func (s *failStop) List(dir string) ([]string, error) { return s.inner.List(dir) }

// Stat implements vfs.FS.
func (s *failStop) Stat(name string) (vfs.FileInfo, error) { return s.inner.Stat(name) }

// PathBase implements vfs.FS.
func (s *failStop) PathBase(path string) string { return s.inner.PathBase(path) }

// PathJoin implements vfs.FS.
func (s *failStop) PathJoin(elem ...string) string { return s.inner.PathJoin(elem...) }

// PathDir implements vfs.FS.
func (s *failStop) PathDir(path string) string { return s.inner.PathDir(path) }

// GetDiskUsage implements vfs.FS.
func (s *failStop) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	return s.inner.GetDiskUsage(path)
}

// Unwrap implements vfs.FS.
func (s *failStop) Unwrap() vfs.FS { return s.inner }

// failStopFile is a file that was opened for change.
type failStopFile struct {
	vfs.File
	fs    *failStop
	name  string
	vital bool
}

// Write implements vfs.File.
func (f *failStopFile) Write(p []byte) (n int, err error) {
	err = f.fs.do("write", f.name, f.vital, func() error {
		k, err := f.File.Write(p[n:]) // the part that found room is written
		n += k
		return err
	})
	return n, err
}

// WriteAt implements vfs.File.
func (f *failStopFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.fs.do("write", f.name, f.vital, func() error {
		k, err := f.File.WriteAt(p[n:], off+int64(n))
		n += k
		return err
	})
	return n, err
}

// Preallocate implements vfs.File. It is a hint, so it is never fatal.
func (f *failStopFile) Preallocate(offset, length int64) error {
	return f.fs.do("preallocate", f.name, false, func() error { return f.File.Preallocate(offset, length) })
}

// Sync implements vfs.File.
func (f *failStopFile) Sync() error {
	return f.fs.do("sync", f.name, f.vital, f.File.Sync)
}

// SyncData implements vfs.File.
func (f *failStopFile) SyncData() error {
	return f.fs.do("sync", f.name, f.vital, f.File.SyncData)
}

// SyncTo implements vfs.File.
func (f *failStopFile) SyncTo(length int64) (full bool, err error) {
	err = f.fs.do("sync", f.name, f.vital, func() error {
		full, err = f.File.SyncTo(length)
		return err
	})
	return full, err
}

// Close implements vfs.File.
func (f *failStopFile) Close() error {
	return f.fs.do("close", f.name, f.vital, f.File.Close)
}
