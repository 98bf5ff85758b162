// Package kvtest helps tests of what is kept in package kv.
package kvtest

import (
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// Faulty is errorfs.Wrap that also reaches the files which Pebble reuses:
// errorfs hands them out as they are, so that no fault meets a write-ahead log
// once the first ones have been recycled.
func Faulty(fs vfs.FS, inj errorfs.Injector) vfs.FS { return faulty{errorfs.Wrap(fs, inj)} }

type faulty struct{ *errorfs.FS }

// ReuseForWrite implements vfs.FS.
func (fs faulty) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.ReuseForWrite(oldname, newname, category)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return fs.OpenReadWrite(newname, category)
}
