package kv

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

const (
	defaultCache  = 64 << 20 // bytes
	defaultBuffer = 16 << 20 // bytes; most journal records are trimmed before it is flushed
	// manifestBytes is the size of a manifest from which on a new one is begun, once it has also named as many
	// tables as there are.
	manifestBytes = 16 << 10
	// maxBackgroundErrors is how many flushes and compactions may fail in a row
	// before the store is failed. Those that a full disk stops do not count.
	maxBackgroundErrors = 64
)

// pebbleOptions returns the options that all data folders are opened with.
func (db *DB) pebbleOptions(o Options) *pebble.Options {
	opts := &pebble.Options{
		FS:                          db.fs,
		ReadOnly:                    o.ReadOnly,
		DisableAutomaticCompactions: o.ReadOnly,
		Lock:                        db.lock,
		CacheSize:                   o.CacheBytes,
		Merger:                      o.Merger,
		FormatMajorVersion:          pebble.FormatValueSeparation,
		Logger:                      &logger{db: db},
		EventListener:               db.listener(),
		MemTableSize:                cmp.Or(o.BufferBytes, defaultBuffer),
		MemTableStopWritesThreshold: 3,
		L0CompactionThreshold:       10,
		L0StopWritesThreshold:       1000,
		LBaseMaxBytes:               256 << 20,
		MaxOpenFiles:                512,
		MaxManifestFileSize:         manifestBytes,
		BytesPerSync:                1 << 20,
		FlushDelayDeleteRange:       10 * time.Second, // gives trimmed journal space back
		CompactionConcurrencyRange:  func() (lower, upper int) { return 1, 2 },
	}
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	return opts
}

// background counts the errors of Pebble's own work in a row. Pebble tries
// failed flushes and compactions again at once and forever, while
// writers wait.
type background struct {
	mu       sync.Mutex
	errs     int
	corrupts map[string]bool // files that were found damaged
}

// corrupt notes that a file is damaged and reports whether that is news. Every read of it tells.
func (bg *background) corrupt(path string) bool {
	bg.mu.Lock()
	defer bg.mu.Unlock()
	if bg.corrupts[path] {
		return false
	}
	if bg.corrupts == nil {
		bg.corrupts = map[string]bool{}
	}
	bg.corrupts[path] = true
	return true
}

func (bg *background) succeeded() {
	bg.mu.Lock()
	defer bg.mu.Unlock()
	bg.errs = 0
}

func (bg *background) failed() int {
	bg.mu.Lock()
	defer bg.mu.Unlock()
	bg.errs++
	return bg.errs
}

// listener's functions run under Pebble's locks and must not call it.
func (db *DB) listener() *pebble.EventListener {
	return &pebble.EventListener{
		// Err is also set when all of a buffer was deleted again and no table came
		// out of it; BackgroundError is not called then.
		FlushEnd: func(info pebble.FlushInfo) {
			db.unfolded.Store(0)
			if info.Err == nil {
				db.bg.succeeded()
			}
		},
		ManifestCreated: func(info pebble.ManifestCreateInfo) {
			if info.Err == nil {
				db.manifests.Add(1)
			}
		},
		CompactionEnd: func(info pebble.CompactionInfo) {
			if info.Err == nil {
				db.bg.succeeded()
			}
		},
		BackgroundError: func(err error) {
			if noRoom(err) { // tried again until there is room; lack has logged it
				return
			}
			if n := db.bg.failed(); n >= maxBackgroundErrors {
				db.fail(fmt.Errorf("background work failed %d times in a row: %w", n, err))
				return
			}
			db.log.WarnContext(context.Background(), "state store background error", "err", err.Error()) // without its stacks
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			if db.bg.corrupt(info.Path) {
				db.log.ErrorContext(context.Background(), "state store data corruption", "path", info.Path, "err", info.Details.Error())
			}
		},
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) {
			db.log.WarnContext(context.Background(), "state store writes stalled", "reason", info.Reason)
		},
	}
}

// logger takes what Pebble says.
type logger struct{ db *DB }

// Infof implements pebble.Logger.
func (l *logger) Infof(format string, args ...any) {
	l.db.log.DebugContext(context.Background(), "pebble", "text", fmt.Sprintf(format, args...))
}

// Errorf implements pebble.Logger.
func (l *logger) Errorf(format string, args ...any) {
	l.db.log.ErrorContext(context.Background(), "pebble", "text", fmt.Sprintf(format, args...))
}

// Fatalf implements pebble.Logger, which says that it does not return. It
// does while the database opens or closes, where Pebble goes on to return an
// error, and in a commit, where Pebble touches nothing afterwards. Elsewhere
// the goroutine is parked, since nothing it could do is safe. The file system stops
// most such errors before they come here, see failStop.
func (l *logger) Fatalf(format string, args ...any) {
	passing := l.db.fs.mode.Load() == passing
	l.db.fail(fmt.Errorf(format, args...))
	if passing || format == "pebble: fatal commit error: %v" {
		return
	}
	park()
}
