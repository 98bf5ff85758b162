package clickhouse

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/rollup"
)

// hot keeps the cells of buckets that are read again and again while they change, today's and the month's as a rule: a dashboard reads one bucket of many series, and a statement
// takes ten milliseconds where ClickHouse has many parts, however few cells it is for. When one of them has changed, all that were read lately are read in one statement.
type hot struct {
	mu    sync.Mutex
	apps  map[model.AppID]*hotApp
	bytes int // estimated
}

// hotApp are the hot cells of an app.
type hotApp struct {
	turn    chan struct{} // holds one while somebody reads them again
	buckets map[hotKey]*hotBucket
}

// hotKey names a bucket of a series; of hours, the 24 of a day.
type hotKey struct {
	series rollup.Series
	grainBucket
}

// span returns the first and the last bucket.
func (k hotKey) span() (from, to rollup.Bucket) {
	if k.grain == rollup.Hour {
		return k.bucket * 24, k.bucket*24 + 23
	}
	return k.bucket, k.bucket
}

// hotBucket is guarded by hot.mu. Its cells are never changed.
type hotBucket struct {
	used       time.Time
	again      bool // it was read more than once
	known      bool // cells are those of the generation
	large      bool // it is not kept
	generation uint64
	cells      []hotCell
	bytes      int
}

// hotCell is a cell with its users, who are corrected for the merges at that time.
type hotCell struct {
	bucket rollup.Bucket
	value  string
	cell   rollup.Cell
}

// Bounds of what is hot.
const (
	hotTime    = time.Minute // since a bucket was read last
	hotAtOnce  = 128         // buckets of an app
	hotBytes   = 32 << 20    // of all apps
	hotCellsOf = 512 << 10   // bytes of a bucket
	hotBeside  = 160         // bytes of a cell beside its value and users
)

// hotCells returns the cells of a bucket of a series by a view, if they are read often; otherwise false.
func (s *Store) hotCells(ctx context.Context, app model.AppID, v *view, series rollup.Series, g rollup.Grain, from, to rollup.Bucket) (cells []hotCell, ok bool, err error) {
	k, now := hotKey{series, noted(g, to)}, s.o.Now()
	if first, _ := k.span(); from < first { // the last of them is what may change
		s.hot.get(app, k, v, now)
		return nil, false, nil
	}
	a, cells, state := s.hot.get(app, k, v, now)
	if state != hotStale {
		return cells, state == hotKnown, nil
	}
	waiting, cancel := context.WithTimeout(ctx, s.o.ReadTimeout)
	defer cancel()
	if !a.takeTurn(waiting) {
		return nil, false, ctx.Err() // others wait for ClickHouse without end: the caller asks by itself
	}
	defer a.endTurn()
	if latest := s.changes.latest(app); latest != nil {
		v = latest
	}
	if _, cells, state = s.hot.get(app, k, v, now); state != hotStale { // somebody else has read it meanwhile
		return cells, state == hotKnown, nil
	}
	stale := s.hot.stale(a, v, now, false)
	stale[k] = true
	found, err := s.readTogether(ctx, app, stale, v.merges)
	if err != nil {
		return nil, false, err
	}
	s.hot.keep(app, a, found, v)
	got := found[k]
	return got.cells, !got.large, nil
}

// rereadHot implements Changes.readHot. It does nothing while the app's buckets are being read elsewhere; a bucket that it leaves out or fails to read is read when it is
// next needed.
func (s *Store) rereadHot(ctx context.Context, app model.AppID, next *view) (keep func(published *view)) {
	a := s.hot.of(app)
	if a == nil || !a.tryTurn() {
		return func(*view) {}
	}
	read := false
	defer func() { // it does not keep the turn when it panics
		if !read {
			a.endTurn()
		}
	}()
	stale := s.hot.stale(a, next, s.o.Now(), true)
	var found map[hotKey]*hotBucket
	if len(stale) > 0 {
		var err error
		if found, err = s.readTogether(ctx, app, stale, next.merges); err != nil {
			s.log.DebugContext(ctx, "hot cells are not read again", slog.Any("app", app), slog.Any("error", err))
		}
	}
	read = true
	return func(published *view) {
		defer a.endTurn()
		if published != nil {
			s.hot.keep(app, a, found, published)
		}
	}
}

// takeTurn reports whether the caller may read the buckets of an app; false = ctx is done.
func (a *hotApp) takeTurn(ctx context.Context) bool {
	select {
	case a.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// tryTurn is takeTurn without waiting.
func (a *hotApp) tryTurn() bool {
	select {
	case a.turn <- struct{}{}:
		return true
	default:
		return false
	}
}

func (a *hotApp) endTurn() { <-a.turn }

// generation is that of a bucket by a view.
func (k hotKey) generation(v *view) uint64 {
	from, to := k.span()
	return v.generation(k.grain, from, to)
}

// What is known of a bucket.
type hotState uint8

const (
	hotNever hotState = iota // it is not read often, or is large
	hotStale
	hotKnown
)

// of returns the hot cells of an app; nil = there are none.
func (h *hot) of(app model.AppID) *hotApp {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.apps[app]
}

// get returns what is known of a bucket by a view or a later one, and notes that it is read. What is read for the first time is not hot.
func (h *hot) get(app model.AppID, k hotKey, v *view, now time.Time) (*hotApp, []hotCell, hotState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.apps[app]
	if a == nil {
		if h.apps == nil || len(h.apps) >= maxApps/10 {
			h.apps, h.bytes = map[model.AppID]*hotApp{}, 0
		}
		a = &hotApp{turn: make(chan struct{}, 1), buckets: map[hotKey]*hotBucket{}}
		h.apps[app] = a
	}
	b := a.buckets[k]
	if b == nil {
		if len(a.buckets) >= hotAtOnce {
			h.forget(a, now, true)
		}
		if len(a.buckets) < hotAtOnce {
			a.buckets[k] = &hotBucket{used: now}
		}
		return a, nil, hotNever
	}
	b.used, b.again = now, true
	switch {
	case b.large:
		return a, nil, hotNever
	case b.known && b.generation >= k.generation(v):
		return a, b.cells, hotKnown
	}
	return a, nil, hotStale
}

// forget removes the buckets that were not read lately, and with once those that were read only once, with h.mu held.
func (h *hot) forget(a *hotApp, now time.Time, once bool) {
	for k, b := range a.buckets {
		if now.Sub(b.used) > hotTime || once && !b.again {
			h.bytes -= b.bytes
			delete(a.buckets, k)
		}
	}
}

// stale returns the buckets of an app that are to be read again by a view, with again only those that were read more than once.
func (h *hot) stale(a *hotApp, v *view, now time.Time, again bool) map[hotKey]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(a, now, false)
	out := map[hotKey]bool{}
	for k, b := range a.buckets {
		if !b.large && (b.again || !again) && (!b.known || b.generation < k.generation(v)) {
			out[k] = true
		}
	}
	return out
}

// keep keeps what was read of buckets when a view held.
func (h *hot) keep(app model.AppID, a *hotApp, found map[hotKey]*hotBucket, v *view) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.apps[app] != a { // all was forgotten
		return
	}
	for k, now := range found {
		b, generation := a.buckets[k], k.generation(v)
		if b == nil || b.known && b.generation > generation {
			continue
		}
		h.bytes += now.bytes - b.bytes
		b.known, b.large, b.generation, b.cells, b.bytes = !now.large, now.large, generation, now.cells, now.bytes
	}
	if h.bytes > hotBytes {
		h.evict()
	}
}

// sweep forgets what was not read lately, of all apps.
func (h *hot) sweep(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for app, a := range h.apps {
		if h.forget(a, now, false); len(a.buckets) == 0 {
			delete(h.apps, app)
		}
	}
}

// evict forgets the buckets that were read the longest ago until a quarter of the room is free, with h.mu held.
func (h *hot) evict() {
	type kept struct {
		a *hotApp
		k hotKey
		*hotBucket
	}
	var all []kept
	for _, a := range h.apps {
		for k, b := range a.buckets {
			all = append(all, kept{a, k, b})
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return a.used.Compare(b.used) })
	for _, b := range all {
		if h.bytes <= hotBytes/4*3 {
			return
		}
		h.bytes -= b.bytes
		delete(b.a.buckets, b.k)
	}
}

// readTogether reads some buckets of an app.
func (s *Store) readTogether(ctx context.Context, app model.AppID, of map[hotKey]bool, merged merges) (map[hotKey]*hotBucket, error) {
	found, all := make(map[hotKey]*hotBucket, len(of)), 0
	where, args := make([]string, 0, len(of)), []any{app.String()}
	for k := range of {
		found[k] = &hotBucket{}
		from, to := k.span()
		where = append(where, "metric = ? AND dim = ? AND grain = ? AND bucket >= ? AND bucket <= ?")
		args = append(args, int(k.series.Metric), k.series.Dim, int(k.grain), uint32(from), uint32(to))
	}
	st := ch.Statement{
		SQL: "SELECT metric, dim, grain, bucket, value, " + counters + ", " + sets + " FROM " + cellsTable +
			" WHERE app = ? AND (" + strings.Join(where, " OR ") + ") GROUP BY metric, dim, grain, bucket, value ORDER BY metric, dim, grain, bucket, value",
		Args: args, Settings: reading(map[string]string{"max_block_size": setsAtOnce}),
	}
	err := s.each(ctx, fmt.Sprintf("read %d buckets", len(of)), st, func(b *ch.Block, row int) error {
		key, c := keyOf(b, row), hotCell{}
		into := found[hotKey{key.Series, noted(key.Grain, key.Bucket)}]
		if into == nil || into.large {
			return nil
		}
		if err := whole(&c.cell, b, 5, row, merged); err != nil {
			return err
		}
		c.bucket, c.value = key.Bucket, strings.Clone(key.Value)
		bytes := hotBeside + len(c.value)
		if users := c.cell.Users; users != nil {
			users.CloneCopyOnWriteContainers()
			users.SetCopyOnWrite(false)
			bytes += int(users.GetSizeInBytes()) // far below
		}
		into.cells, into.bytes, all = append(into.cells, c), into.bytes+bytes, all+bytes
		if into.bytes > hotCellsOf || all > hotBytes/2 {
			all -= into.bytes
			*into = hotBucket{large: true}
		}
		return nil
	})
	return found, err
}

// eachHot calls fn for the cells from from to to, with the users as they are by now; they are fn's.
func eachHot(cells []hotCell, merged merges, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) error {
	at, _ := slices.BinarySearchFunc(cells, from, func(c hotCell, b rollup.Bucket) int { return int(c.bucket) - int(b) })
	for ; at < len(cells) && cells[at].bucket <= to; at++ {
		c := cells[at].cell
		if c.Users != nil {
			c.Users = c.Users.Clone()
			merged.correct(c.Users)
		}
		if c.IsZero() {
			continue
		}
		if err := fn(cells[at].bucket, cells[at].value, &c); err != nil {
			return err
		}
	}
	return nil
}
