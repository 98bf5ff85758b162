// Package shards is the half of a profile store that lies in memory and that all engines share: what the running batch has of
// profiles, numbers, merges and fingerprints, and what is kept between batches. An engine brings a Source, and stores what a
// flush hands over.
package shards

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// Options of Open.
type Options struct {
	// CacheProfiles is how many profiles that no batch uses are kept in memory;
	// 0 means 10,000. What running batches touched comes on top.
	CacheProfiles int
	// PrintBytes bounds what is kept in memory of fingerprints; 0 means 16 MiB.
	PrintBytes int64
	Log        *slog.Logger
}

const defaultCacheProfiles = 10_000

// Store implements profile.Shards, and what of profile.Index is answered from memory. One process uses it for the apps whose
// changes it alone commits.
//
// A profile in memory is in exactly one of two places: the cache, where it is
// clean and nobody uses it, or the batch that loaded it. A batch ends when its
// batch is committed; then its profiles go to the cache. So the
// cache never holds what is not committed, and may forget anything.
type Store struct {
	src Source
	log *slog.Logger

	prints *printFilter
	// loaded is where loadPrints goes on in the day that it is loading, nil = at the beginning; unreadable says that it
	// has given up. All are of the goroutine that flushes.
	loading    uint16
	loaded     []byte
	unreadable bool

	// forget is the day before which fingerprints are to go, 0 = none.
	forget atomic.Uint32
	// newest is the last day that has fingerprints, or more; 0 = none has.
	newest atomic.Uint32

	// taken and changed are of the flush that is under way; they are used again by the next.
	taken   []profile.AppChange
	changed []profile.Changed

	mu   sync.Mutex // guards apps
	apps map[model.AppID]*appState

	cacheMu sync.Mutex // taken after appState.mu
	cache   simplelru.LRUCache[cacheKey, *entry]
}

var _ profile.Shards = (*Store)(nil)

type cacheKey struct {
	app model.AppID
	id  model.ProfileID
}

// entry is a profile in memory, with what is stored of it.
type entry struct {
	p *model.Profile // nil when the app has no such profile (any more)
	// dirty means that p differs from what was flushed.
	dirty bool
	// was is what the last flush or the disk has.
	was   profile.Indexed
	epoch uint64 // of the app when the entry was cached
}

func (e *entry) flushed() {
	e.dirty = false
	e.was.Stored = e.p != nil
	if e.p != nil {
		e.was.UID, e.was.Open, e.was.Seen = e.p.UID, e.p.Open.ID != 0, e.p.Open.Seen
	}
}

// batch is what a shard did since the last flush.
type batch struct {
	// before is how many entries and fingerprints the batch before had: about as many are to come.
	before struct{ entries, prints int }

	entries map[model.ProfileID]*entry
	uids    map[uint32]model.ProfileID // of new profiles
	aliases map[uint32]uint32          // changes; 0 = removed
	prints  map[profile.Print]struct{}
	// asked says of fingerprints that Ahead looked up whether they are stored; nil = it was not called.
	asked map[profile.Print]bool
	wiped bool // the app was deleted first: nothing older counts
}

// after returns an empty batch that follows t.
func (t *batch) after() *batch {
	next := &batch{}
	next.before.entries, next.before.prints = len(t.entries), len(t.prints)
	return next
}

// put adds an entry.
func (t *batch) put(id model.ProfileID, e *entry) {
	if t.entries == nil {
		t.entries = make(map[model.ProfileID]*entry, t.before.entries)
	}
	t.entries[id] = e
}

func (t *batch) empty() bool {
	return len(t.entries) == 0 && len(t.aliases) == 0 && len(t.prints) == 0 && !t.wiped
}

// appState is what the store has in memory of an app. A shard and the
// committer meet here.
type appState struct {
	mu       sync.Mutex
	running  *batch
	flushing *batch            // flushed, its commit not ended; nil = none
	epoch    uint64            // cached entries of an older one are void
	seq      *profile.Sequence // with the running batch; nil = not loaded
	seqDirty bool              // seq differs from what was flushed
	aliases  map[uint32]uint32 // with the running batch; nil = not loaded

	viewMu    sync.Mutex        // taken after mu
	committed map[uint32]uint32 // aliases that are stored; nil = not loaded
	view      map[uint32]uint32 // committed, resolved, shared; nil = to be made
}

// Open returns the shards over what is stored.
func Open(ctx context.Context, src Source, opts Options) (*Store, error) {
	if opts.CacheProfiles <= 0 {
		opts.CacheProfiles = defaultCacheProfiles
	}
	cache, err := simplelru.NewLRU[cacheKey, *entry](opts.CacheProfiles, nil)
	if err != nil {
		return nil, fmt.Errorf("profile cache: %w", err)
	}
	s := &Store{src: src, log: opts.Log, cache: cache, apps: map[model.AppID]*appState{}}
	days, err := src.Days(ctx)
	if err != nil {
		return nil, fmt.Errorf("list days of fingerprints: %w", err)
	}
	s.prints = newPrintFilter(days, opts.PrintBytes)
	if len(days) > 0 {
		s.newest.Store(uint32(days[len(days)-1]))
	}
	return s, nil
}

func (s *Store) app(app model.AppID) *appState {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.apps[app]
	if !ok {
		st = &appState{running: &batch{}}
		s.apps[app] = st
	}
	return st
}

// all lists the apps in memory.
func (s *Store) all() map[model.AppID]*appState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.apps)
}

// onDisk reports whether what is stored of the app counts for the running batch.
func (st *appState) onDisk() bool {
	return !st.running.wiped && (st.flushing == nil || !st.flushing.wiped)
}

// find returns the entry of a profile in the running batch, bringing it there
// from where it is. Its profile is nil when there is none.
func (s *Store) find(st *appState, app model.AppID, id model.ProfileID) (*entry, error) {
	if e, ok := st.running.entries[id]; ok {
		return e, nil
	}
	e := &entry{}
	if st.flushing != nil && !st.running.wiped && st.flushing.entries[id] != nil {
		e = st.flushing.entries[id]
	} else if st.onDisk() {
		if cached := s.takeCached(app, id, st.epoch); cached != nil {
			e = cached
		} else if err := s.read(e, app, id); err != nil {
			return nil, err
		}
	}
	st.running.put(id, e)
	return e, nil
}

func (s *Store) takeCached(app model.AppID, id model.ProfileID, epoch uint64) *entry {
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	k := cacheKey{app, id}
	e, ok := s.cache.Get(k)
	if !ok {
		return nil
	}
	s.cache.Remove(k)
	if e.epoch != epoch {
		return nil
	}
	return e
}

func (s *Store) read(e *entry, app model.AppID, id model.ProfileID) (err error) {
	if e.p, err = s.src.Profile(context.Background(), app, id); err != nil {
		return fmt.Errorf("load profile %s of app %s: %w", id, app, err)
	}
	if e.p != nil {
		e.flushed()
	}
	return nil
}

// Load implements Shards.
func (s *Store) Load(app model.AppID, id model.ProfileID) (*model.Profile, error) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	return s.load(st, app, id)
}

func (s *Store) load(st *appState, app model.AppID, id model.ProfileID) (*model.Profile, error) {
	e, err := s.find(st, app, id)
	if err != nil {
		return nil, err
	}
	if e.p == nil {
		return nil, profile.ErrNotFound
	}
	return e.p, nil
}

// LoadUID implements Shards.
func (s *Store) LoadUID(app model.AppID, uid uint32) (*model.Profile, error) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadAliases(st, app); err != nil {
		return nil, err
	}
	uid = resolve(st.aliases, uid)
	id, ok := st.running.uids[uid]
	if !ok && st.flushing != nil && !st.running.wiped {
		id, ok = st.flushing.uids[uid]
	}
	if !ok {
		if !st.onDisk() {
			return nil, profile.ErrNotFound
		}
		var err error
		if id, err = s.src.ID(context.Background(), app, uid); err != nil {
			return nil, err
		}
	}
	p, err := s.load(st, app, id)
	if err == nil && p.UID != uid {
		return nil, profile.ErrNotFound // the id has come back under another number
	}
	return p, err
}

// Put implements Shards.
func (s *Store) Put(app model.AppID, p *model.Profile) error {
	if p.UID == 0 {
		return fmt.Errorf("put profile %s of app %s: it has no number", p.ID, app)
	}
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	e, err := s.find(st, app, p.ID)
	if err != nil {
		return err
	}
	if e.p == nil {
		if err := s.loadSequence(st, app); err != nil {
			return err
		}
		st.seq.Users++
		st.seqDirty = true
		if st.running.uids == nil {
			st.running.uids = map[uint32]model.ProfileID{}
		}
		st.running.uids[p.UID] = p.ID
	}
	e.p, e.dirty = p, true
	return nil
}

// Delete implements Shards.
func (s *Store) Delete(app model.AppID, id model.ProfileID) error {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	e, err := s.find(st, app, id)
	if err != nil || e.p == nil {
		return err
	}
	if err := s.loadSequence(st, app); err != nil {
		return err
	}
	st.seq.Users--
	st.seqDirty = true
	e.p, e.dirty = nil, true
	return nil
}

func (s *Store) loadSequence(st *appState, app model.AppID) error {
	if st.seq != nil {
		return nil
	}
	seq, err := s.src.Sequence(context.Background(), app)
	if err != nil {
		return err
	}
	st.seq = &seq
	return nil
}

// NextUID implements Shards.
func (s *Store) NextUID(app model.AppID) (uint32, error) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadSequence(st, app); err != nil {
		return 0, err
	}
	st.seq.UID++
	st.seqDirty = true
	return st.seq.UID, nil
}

// NextState implements Shards.
func (s *Store) NextState(app model.AppID) (uint32, error) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadSequence(st, app); err != nil {
		return 0, err
	}
	st.seq.State++
	st.seqDirty = true
	return st.seq.State, nil
}

func (s *Store) loadAliases(st *appState, app model.AppID) error {
	if st.aliases != nil {
		return nil
	}
	m, err := s.src.Aliases(context.Background(), app)
	if err != nil {
		return err
	}
	st.aliases = m
	return nil
}

func (t *batch) setAlias(old, to uint32) {
	if t.aliases == nil {
		t.aliases = map[uint32]uint32{}
	}
	t.aliases[old] = to
}

// PutAlias implements Shards.
func (s *Store) PutAlias(app model.AppID, old, to uint32) error {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadAliases(st, app); err != nil {
		return err
	}
	if to = resolve(st.aliases, to); old == 0 || to == 0 || old == to {
		return fmt.Errorf("put alias of app %s: user %d cannot be merged into %d", app, old, to)
	}
	st.aliases[old] = to
	st.running.setAlias(old, to)
	return nil
}

// RemoveAliases implements Shards.
func (s *Store) RemoveAliases(app model.AppID, olds ...uint32) error {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadAliases(st, app); err != nil {
		return err
	}
	gone := make(map[uint32]bool, len(olds))
	for _, old := range olds {
		if _, ok := st.aliases[old]; ok {
			gone[old] = true
		}
	}
	moved := map[uint32]uint32{}
	for old, to := range st.aliases {
		if gone[to] && !gone[old] {
			moved[old] = resolve(st.aliases, to)
		}
	}
	for old, to := range moved {
		st.aliases[old] = to
		st.running.setAlias(old, to)
	}
	for old := range gone {
		delete(st.aliases, old)
		st.running.setAlias(old, 0)
	}
	return nil
}

// Resolve implements Shards.
func (s *Store) Resolve(app model.AppID, uid uint32) (uint32, error) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.loadAliases(st, app); err != nil {
		return 0, err
	}
	return resolve(st.aliases, uid), nil
}

// Seen implements Shards.
func (s *Store) Seen(app model.AppID, fingerprint profile.Fingerprint, days ...uint16) (bool, error) {
	may := s.prints.may(app, fingerprint, days)
	if may == 0 {
		return false, nil
	}
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	for i, day := range days {
		if may>>i&1 == 0 {
			continue
		}
		k := profile.Print{Day: day, Hash: fingerprint}
		if _, ok := st.running.prints[k]; ok {
			return true, nil
		}
		if st.flushing != nil && !st.running.wiped {
			if _, ok := st.flushing.prints[k]; ok {
				return true, nil
			}
		}
		if !st.onDisk() {
			continue
		}
		ok, known := st.running.asked[k]
		if !known {
			var err error
			if ok, err = s.src.HasPrint(context.Background(), app, k); err != nil {
				return false, fmt.Errorf("look up fingerprint of app %s: %w", app, err)
			}
		}
		if ok {
			return true, nil
		}
	}
	return false, nil
}

// Remember implements Shards.
func (s *Store) Remember(app model.AppID, day uint16, fingerprint profile.Fingerprint) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.running.prints == nil {
		st.running.prints = make(map[profile.Print]struct{}, st.running.before.prints)
	}
	st.running.prints[profile.Print{Day: day, Hash: fingerprint}] = struct{}{}
	s.prints.add(day, app, fingerprint)
	for {
		was := s.newest.Load()
		if uint32(day) <= was || s.newest.CompareAndSwap(was, uint32(day)) {
			return
		}
	}
}

// DeleteApp implements Shards.
func (s *Store) DeleteApp(app model.AppID) {
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	st.running = &batch{}
	st.running.wiped = true
	st.epoch++
	st.seq, st.seqDirty = &profile.Sequence{}, false
	st.aliases = map[uint32]uint32{}
}

// ForgetBefore implements Shards.
func (s *Store) ForgetBefore(day uint16) {
	for {
		was := s.forget.Load()
		if uint32(day) <= was || s.forget.CompareAndSwap(was, uint32(day)) {
			return
		}
	}
}

// Flush implements profile.Shards.
func (s *Store) Flush() (profile.Change, func(committed bool), error) {
	s.loadPrints()
	forget := s.forget.Load()
	c := profile.Change{Forget: uint16(forget), Apps: s.taken[:0]} // a day
	var flushed []*appState
	s.changed = s.changed[:0]
	for app, st := range s.all() {
		st.mu.Lock()
		part, done, err := s.flushApp(app, st)
		st.mu.Unlock()
		if err != nil {
			s.Abandon()
			return profile.Change{}, nil, fmt.Errorf("flush profiles of app %s: %w", app, err)
		}
		if done {
			c.Apps, flushed = append(c.Apps, part), append(flushed, st)
		}
	}
	s.taken = c.Apps
	return c, func(committed bool) {
		defer s.release()
		if !committed {
			s.Abandon()
			return
		}
		s.prints.forget(c.Forget)
		s.forget.CompareAndSwap(forget, 0)
		for i, st := range flushed {
			s.committed(c.Apps[i].App, st)
		}
	}, nil
}

// keptChanges bounds what is kept for the next flush, profiles.
const keptChanges = 1 << 16

// release lets go of what was flushed.
func (s *Store) release() {
	clear(s.taken)
	clear(s.changed)
	if cap(s.changed) > keptChanges {
		s.changed = nil
	}
}

func (s *Store) flushApp(app model.AppID, st *appState) (part profile.AppChange, done bool, err error) {
	t := st.running
	if t.empty() && !st.seqDirty {
		return part, false, nil
	}
	if st.flushing != nil {
		return part, false, errors.New("the previous flush has not ended")
	}
	from := len(s.changed)
	for id, e := range t.entries {
		if !e.dirty {
			continue
		}
		s.changed = append(s.changed, profile.Changed{ID: id, Profile: e.p, Was: e.was})
		e.flushed()
	}
	part = profile.AppChange{App: app, Cleared: t.wiped, Profiles: s.changed[from:len(s.changed):len(s.changed)], Aliases: t.aliases, Prints: t.prints}
	if st.seqDirty {
		seq := *st.seq
		part.Sequence, st.seqDirty = &seq, false
	}
	st.flushing, st.running = t, t.after()
	return part, true, nil
}

// committed ends the flushed batch of an app: its profiles go to the cache,
// except those the next batch has already taken.
func (s *Store) committed(app model.AppID, st *appState) {
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.flushing
	if t == nil {
		return // abandoned meanwhile
	}
	st.flushing = nil
	st.commitAliases(t)
	if st.running.wiped {
		return
	}
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	for id, e := range t.entries {
		if st.running.entries[id] == nil && e.p != nil {
			e.epoch = st.epoch
			s.cache.Add(cacheKey{app, id}, e)
		}
	}
}

// Abandon implements Shards.
func (s *Store) Abandon() {
	for _, st := range s.all() {
		st.mu.Lock()
		st.running, st.flushing = &batch{}, nil
		st.seq, st.seqDirty, st.aliases = nil, false, nil
		st.mu.Unlock()
	}
}
