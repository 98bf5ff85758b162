package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

const (
	// window is how many minutes the figures go back.
	window = 30
	// silence is after how long without a sign of life nobody counts as online. SDKs give one every minute.
	silence = 2 * time.Minute
	// restful is how much longer than reading the figures took they stand at least.
	restful = 20
	// stale is after how long figures are read again though nothing was recorded: minutes pass.
	stale = 10 * time.Second
)

// tiles are the figures of an app at a moment.
type tiles struct {
	At     int64          `json:"at"`      // ms
	Online int            `json:"online"`  // users with an open session and a sign of life lately
	Users  int64          `json:"users"`   // of whom something came within the minutes
	Minute []query.Minute `json:"minutes"` // the oldest first; the last one goes on
}

// source reads figures.
type source struct {
	tables   *query.Tables
	profiles profile.Reader
	noEvents []string // keys of rows that count as no events
	now      func() time.Time
}

func (s *source) read(ctx context.Context, app model.AppID) (tiles, error) {
	now := s.now()
	out := tiles{At: now.UnixMilli()}
	var err error
	if out.Online, err = s.profiles.Online(ctx, app, now.Add(-silence).UnixMilli()); err != nil {
		return out, err
	}
	out.Minute, out.Users, err = s.tables.Recent(ctx, app, now.Truncate(time.Minute).UnixMilli(), window, s.noEvents)
	return out, err
}

// figures are the tiles of an app, read once for all streams.
type figures struct {
	changed atomic.Bool // something was recorded since they were read

	mu   sync.Mutex
	last tiles
	took time.Duration
}

// get returns the figures, read again when something was recorded, but not more often than every
// pace and not so often that reading them is a burden.
func (f *figures) get(ctx context.Context, app model.AppID, src *source, pace time.Duration) (tiles, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	began := src.now()
	if age := began.Sub(time.UnixMilli(f.last.At)); f.last.At != 0 && (age < max(pace, restful*f.took) || age < stale && !f.changed.Load()) {
		return f.last, nil
	}
	f.changed.Store(false)
	next, err := src.read(ctx, app)
	if err != nil {
		f.changed.Store(true)
		return tiles{}, err
	}
	f.last, f.took = next, src.now().Sub(began)
	return next, nil
}
