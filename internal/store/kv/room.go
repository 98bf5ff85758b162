package kv

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// errNoRoom is the cause of a failure when a database is given up while its disk is full.
var errNoRoom = errors.New("no space left on the disk")

// enoughRoom is how many bytes must be free before writes are taken to succeed again.
const enoughRoom = 8 << 20

// room knows whether the disk is full. The zero value is not usable; see newRoom.
type room struct {
	full  atomic.Bool
	lacks atomic.Int64 // changes that found no room
	// short is closed while the disk is full.
	short atomic.Pointer[chan struct{}]
	mu    sync.Mutex // guards changes of full and short, and onShort
	// onShort are called each time the disk becomes full.
	onShort []func()
}

func newRoom() *room {
	r := &room{}
	open := make(chan struct{})
	r.short.Store(&open)
	return r
}

// Full reports whether the disk has no room. Commits wait for it then, so callers that can
// refuse work do so first. Reads go on.
func (db *DB) Full() bool { return db.room.full.Load() }

// Short returns a channel that is closed when the disk becomes full.
func (db *DB) Short() <-chan struct{} { return *db.room.short.Load() }

// OnShort has fn called each time the disk has become full. Of many who wait, each would pay for a look at Short.
func (db *DB) OnShort(fn func()) {
	db.room.mu.Lock()
	defer db.room.mu.Unlock()
	db.room.onShort = append(db.room.onShort, fn)
}

// GiveUp fails the database if its disk is full, so that commits which wait for room end. Otherwise
// it does nothing.
func (db *DB) GiveUp() {
	if db.Full() {
		db.fail(errNoRoom)
	}
}

// lack notes that a change found no room and begins to look for it.
func (db *DB) lack() {
	r := db.room
	r.lacks.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full.Load() {
		return
	}
	r.full.Store(true)
	close(*r.short.Load())
	db.log.ErrorContext(context.Background(), "disk is full: writes wait or are refused until there is room", "dir", db.dir)
	go db.findRoom(slices.Clone(r.onShort))
}

// findRoom notifies those who asked for it, and waits until the disk has room again or the database has failed or is closed.
func (db *DB) findRoom(notify []func()) {
	for _, fn := range notify {
		fn()
	}
	look := time.NewTicker(roomRetry)
	defer look.Stop()
	for {
		select {
		case <-db.failed:
			return
		case <-db.ended:
			return
		case <-look.C:
		}
		seen := db.room.lacks.Load()
		if free, err := db.DiskFree(); err != nil || free < enoughRoom {
			continue
		}
		db.room.mu.Lock()
		if seen == db.room.lacks.Load() {
			open := make(chan struct{})
			db.room.short.Store(&open)
			db.room.full.Store(false)
			db.room.mu.Unlock()
			db.log.InfoContext(context.Background(), "disk has room again", "dir", db.dir)
			return
		}
		db.room.mu.Unlock()
	}
}
