// Package writers is the half of a schema store that lies in memory and that all engines share: an app is in memory from its first
// use on, for the writer as it is in the running batch, for readers as an immutable snapshot of what is committed. An engine
// brings a Source, and stores what a flush hands over. Of more apps than a number those stay that were used last.
package writers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// Schema is the whole of it.
type Schema interface {
	schema.Reader
	schema.Writers
	schema.Details
}

// Options of Open.
type Options struct {
	// Limits are those of writers that nobody gave others.
	Limits schema.Limits
	// CachedValues is how many segment values that no batch uses are kept in memory, some 20 bytes each, where the values of a
	// segment count 28 more; 0 means 400,000.
	CachedValues int
	// CachedApps is how many apps that no batch uses are kept for writers, and a 16th of how many are kept for readers, as reads of all apps come again and
	// again: 5 and 4 kB each, and what their properties take. 0 means 1000.
	CachedApps int
	Log        *slog.Logger
}

// Store is the schema over what an engine has stored.
type Store struct {
	src    Source
	log    *slog.Logger
	limits schema.Limits
	values *setCache
	names  names

	mu   sync.Mutex // guards apps
	apps map[model.AppID]*appState

	keep           int           // apps in memory
	flushes, loads atomic.Uint64 // how many there were
	idled          atomic.Uint64 // loads when nothing was to be done last
}

var _ Schema = (*Store)(nil)

// appState holds the two forms of an app. Each is nil until it is asked for.
type appState struct {
	mu     sync.Mutex // taken before writer.mu
	writer *writer
	snap   *snapshot
	used   uint64 // loads when one of them was asked for last
	batch  uint64 // flushes when the writer was asked for last
}

// Open returns the schema over what is stored.
func Open(src Source, opts Options) (*Store, error) {
	values, err := newSetCache(cmp.Or(opts.CachedValues, 400_000))
	if err != nil {
		return nil, err
	}
	return &Store{
		src: src, log: opts.Log, values: values,
		limits: opts.Limits.Or(schema.Limits{Events: 500, Segments: 100, Values: 1000, Subjects: 10_000, SubjectValues: 50, MetricValues: 1000}),
		apps:   map[model.AppID]*appState{},
		keep:   cmp.Or(opts.CachedApps, 1000),
	}, nil
}

// Limits returns the limits of writers that nobody gave others.
func (s *Store) Limits() schema.Limits { return s.limits }

func (s *Store) state(app model.AppID) *appState {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.apps[app]
	if !ok {
		st = &appState{}
		s.apps[app] = st
	}
	return st
}

func (s *Store) all() map[model.AppID]*appState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.apps)
}

// read makes a writer of what is stored.
func (s *Store) read(ctx context.Context, app model.AppID) (*writer, error) {
	found, err := s.src.Load(ctx, app)
	if err != nil {
		return nil, fmt.Errorf("read schema of app %s: %w", app, err)
	}
	l := newWriter(s, app)
	if l.Counters = found.Counters; l.Subjects == nil {
		l.Subjects = map[schema.Kind]uint32{}
	}
	for i := range found.Events {
		ev := s.eventOf(&found.Events[i])
		l.events[ev.pub.Key] = ev
		if ev.pub.Seq > 0 && isCustom(ev.pub.Key) {
			l.custom++
		}
	}
	for _, v := range found.Subjects {
		l.subjectsOf(v.Kind).put(v.Subject)
	}
	return l, nil
}

// App implements schema.Writers.
func (s *Store) App(app model.AppID) (schema.Writer, error) {
	st := s.state(app)
	st.mu.Lock()
	l, known := st.writer, st.writer != nil
	var err error
	if !known {
		if l, err = s.read(context.Background(), app); err == nil {
			st.writer = l
		}
	}
	st.used, st.batch = s.loads.Load(), s.flushes.Load()
	st.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if !known {
		s.loaded()
	}
	return l, nil
}

// Flush implements schema.Writers.
func (s *Store) Flush() (schema.Change, func(committed bool), error) {
	type flushed struct {
		st     *appState
		writer *writer
		seen   bool      // readers see a change
		snap   *snapshot // of what they see; nil when nobody reads the app
	}
	var (
		c    schema.Change
		done []flushed
	)
	s.flushes.Add(1)
	for app, st := range s.all() {
		st.mu.Lock()
		l, read := st.writer, st.snap != nil
		st.mu.Unlock()
		if l == nil {
			continue
		}
		l.mu.Lock()
		f := flushed{st: st, writer: l}
		used, changed := len(l.sets) > 0, l.changed()
		var err error
		switch {
		case !used && !changed:
		case l.pending:
			err = errors.New("the previous flush has not ended")
		default:
			if f.seen = len(l.dirty) > 0 || l.renamed() || l.cleared; f.seen && read {
				f.snap = l.snapshot()
			}
			done = append(done, f)
			if part := l.flush(); changed {
				c.Apps = append(c.Apps, part)
			}
		}
		l.mu.Unlock()
		if err != nil {
			s.Abandon()
			return schema.Change{}, nil, fmt.Errorf("flush schema of app %s: %w", app, err)
		}
	}
	return c, func(committed bool) {
		if !committed {
			s.Abandon()
			return
		}
		for _, f := range done {
			if f.seen {
				f.st.show(f.snap)
			}
			f.st.end(f.writer)
		}
	}, nil
}

// show replaces what readers see by what is committed now; nil = the next reader loads it from the database: a view that was loaded during the commit may lack the change.
func (st *appState) show(snap *snapshot) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.snap = snap
}

// end ends the committed batch of an app. The writer may have been forgotten since.
func (st *appState) end(l *writer) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.writer == l {
		l.committed()
	}
}

// flush returns what changed and leaves the writer to the next batch.
func (l *writer) flush() schema.AppChange {
	l.pending = true // until the change has ended
	c := schema.AppChange{App: l.app, Cleared: l.cleared, Purged: l.purged}
	for id, ev := range l.dirty {
		if ev == nil {
			c.GoneEvents = append(c.GoneEvents, id)
			continue
		}
		c.Events = append(c.Events, schema.Record{ID: id, Event: ev.pub, Numbers: ev.nums, Last: ev.nextNum, Whitelist: ev.whitelist})
	}
	if len(l.dirty) > 0 || l.renamed() {
		counters := l.Counters
		counters.Subjects = maps.Clone(counters.Subjects)
		c.Counters = &counters
	}
	l.flushSubjects(&c)
	for k, set := range l.sets {
		if len(set.added) > 0 {
			c.Values = append(c.Values, schema.NewValues{Segment: k, First: uint32(len(set.hashes)-len(set.added)) + 1, Texts: set.added}) // few
			set.added = nil
		}
	}
	l.dirty, l.purged, l.cleared = map[uint32]*event{}, nil, false
	l.flushing, l.sets = l.sets, map[schema.SegmentID]*valueSet{}
	return c
}

// committed ends the flushed batch: its value sets go to the cache, except
// those the next batch has already taken.
func (l *writer) committed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, set := range l.flushing {
		if l.sets[k] == nil {
			l.s.values.put(l.app, k, set)
		}
	}
	l.flushing, l.pending = nil, false
}

// Forget implements schema.Writers.
func (s *Store) Forget(app model.AppID) {
	st := s.state(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	st.writer = nil
}

// Abandon implements schema.Writers.
func (s *Store) Abandon() {
	for _, st := range s.all() {
		st.mu.Lock()
		if l := st.writer; l != nil {
			l.mu.Lock()
			if l.pending || l.changed() {
				st.writer = nil
			}
			l.mu.Unlock()
		}
		st.mu.Unlock()
	}
}

// committedOf returns what is committed of an app.
func (s *Store) committedOf(ctx context.Context, app model.AppID) (*snapshot, error) {
	st := s.state(app)
	st.mu.Lock()
	snap, known := st.snap, st.snap != nil
	if !known {
		l, err := s.read(ctx, app)
		if err != nil {
			st.mu.Unlock()
			return nil, err
		}
		snap = l.snapshot()
		st.snap = snap
	}
	st.used = s.loads.Load()
	st.mu.Unlock()
	if !known {
		s.loaded()
	}
	return snap, nil
}

// Events implements Reader. The list is shared: do not change it. When the
// database cannot be read it is empty, and the error is logged.
func (s *Store) Events(app model.AppID) []schema.Event {
	ctx := context.Background()
	n, err := s.committedOf(ctx, app)
	if err != nil {
		s.log.ErrorContext(ctx, "schema unreadable", "app", app.String(), "err", err)
		return nil
	}
	return n.events
}

// Event implements Reader; see Events for errors.
func (s *Store) Event(app model.AppID, key string) (schema.Event, bool) {
	ctx := context.Background()
	n, err := s.committedOf(ctx, app)
	if err != nil {
		s.log.ErrorContext(ctx, "schema unreadable", "app", app.String(), "err", err)
		return schema.Event{}, false
	}
	if i, ok := n.find(key); ok {
		return n.events[i], true
	}
	return schema.Event{}, false
}

// Values implements Details.
func (s *Store) Values(ctx context.Context, app model.AppID, key, segment string) ([]string, error) {
	n, err := s.committedOf(ctx, app)
	if err != nil {
		return nil, err
	}
	i, ok := n.find(key)
	if !ok {
		return nil, nil
	}
	var out []string
	for j, seg := range n.events[i].Segments {
		if seg.Name != segment {
			continue
		}
		err = s.src.Values(ctx, app, schema.SegmentID{Event: n.numbers[i].event, Segment: n.numbers[i].segments[j]}, func(v []byte) { out = append(out, string(v)) })
	}
	return out, err
}

// Omitted implements Details. The map is shared: do not change it.
func (s *Store) Omitted(ctx context.Context, app model.AppID) (map[string][]string, error) {
	n, err := s.committedOf(ctx, app)
	if err != nil {
		return nil, err
	}
	return n.omitted, nil
}

// Whitelists implements Details. The map is shared: do not change it.
func (s *Store) Whitelists(ctx context.Context, app model.AppID) (map[string][]string, error) {
	n, err := s.committedOf(ctx, app)
	if err != nil {
		return nil, err
	}
	return n.whitelists, nil
}

// Stale forgets what readers were given of an app: another process has committed changes of it.
func (s *Store) Stale(app model.AppID) {
	st := s.state(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	st.snap = nil
}
