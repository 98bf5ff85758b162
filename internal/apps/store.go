package apps

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// document is an app as the store keeps it.
type document struct{ model.App }

// Key returns the app's id.
func (d document) Key() string { return d.ID.String() }

// Validate refuses apps that nothing could be sent to.
func (d document) Validate() error {
	if d.ID.IsZero() || d.Name == "" || d.App.Key == "" || d.IDKey == "" {
		return fault.New(fault.Invalid, "apps.invalid", "An app needs a name and a key")
	}
	if _, err := time.LoadLocation(d.Timezone); err != nil {
		return fault.Wrap(err, fault.Invalid, "apps.invalid_timezone", "Unknown time zone")
	}
	return nil
}

// ErrKeyTaken says that another app has the key.
var ErrKeyTaken = fault.New(fault.Conflict, "apps.key_taken", "App key already in use")

// ErrNotFound says that there is no such app.
var ErrNotFound = fault.New(fault.NotFound, "apps.not_found", "App not found")

// Store keeps apps and is their Directory. Writes go to the document store
// first, then to the snapshot, then to the bus. Refresh takes over what other processes have written; the bus hears of
// own writes alone.
type Store struct {
	db  docs.DB
	bus *hook.Bus

	writes   sync.Mutex // one write and its snapshot at a time
	stale    bool       // an app that was written could not be read, so the next write reads all; under writes
	snapshot atomic.Pointer[snapshot]
	// generation is that of the collection when the snapshot was as stored; under writes.
	generation int64
	seeker     *seeker // nil = a key that is unknown has no app
}

type snapshot struct {
	byKey map[string]*model.App
	byID  map[model.AppID]*model.App
	all   []*model.App
}

func spec() docs.Spec[document] {
	return docs.Spec[document]{
		Name: "apps", Version: 1,
		Indexes: []docs.Index[document]{
			{Name: "key", Path: ".key", Unique: true},
			{Name: "name", Path: ".name", Fold: true, Order: true},
		},
		Search: []docs.Field{".name", ".key", "._id"},
	}
}

// Open reads all apps.
func Open(ctx context.Context, db docs.DB, bus *hook.Bus) (*Store, error) {
	s := &Store{db: db, bus: bus}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Collection is the name of the collection of apps.
func (*Store) Collection() string { return spec().Name }

// Refresh reads all apps again when another process has written since the last look. The app that runs a Store calls it from time to
// time: that long a directory may be behind others.
func (s *Store) Refresh(ctx context.Context) error {
	s.writes.Lock()
	defer s.writes.Unlock()
	return s.catchUp(ctx)
}

// catchUp is Refresh. The caller holds writes.
func (s *Store) catchUp(ctx context.Context) error {
	generation, err := spec().Global(s.db).Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of apps: %w", err)
	}
	if generation == s.generation && !s.stale {
		return nil
	}
	err = s.reload(ctx)
	s.stale = err != nil
	return err
}

// reload reads all apps. The caller holds writes, or is the only one.
func (s *Store) reload(ctx context.Context) error {
	// The generation is read first: a write in between is then seen again, not missed.
	generation, err := spec().Global(s.db).Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of apps: %w", err)
	}
	list, err := spec().Global(s.db).All(ctx, docs.Query{})
	if err != nil {
		return fmt.Errorf("read apps: %w", err)
	}
	next := &snapshot{byKey: map[string]*model.App{}, byID: map[model.AppID]*model.App{}}
	for _, d := range list {
		app := d.App
		next.byKey[app.Key], next.byID[app.ID] = &app, &app
		next.all = append(next.all, &app)
	}
	slices.SortFunc(next.all, func(a, b *model.App) int { return compareIDs(a, b.ID) })
	s.snapshot.Store(next)
	s.generation = generation
	if s.seeker != nil {
		s.seeker.forget()
	}
	return nil
}

func compareIDs(a *model.App, id model.AppID) int { return bytes.Compare(a.ID[:], id[:]) }

// refresh brings one app into the snapshot as it is stored, or takes it out. The caller holds writes.
func (s *Store) refresh(ctx context.Context, id model.AppID) error {
	if s.stale {
		err := s.reload(ctx)
		s.stale = err != nil
		return err
	}
	d, err := spec().Global(s.db).Get(ctx, id.String())
	if err != nil && !docs.IsNotFound(err) {
		s.stale = true
		return fmt.Errorf("read app %s: %w", id, err)
	}
	there := err == nil
	now := s.snapshot.Load()
	next := &snapshot{byKey: maps.Clone(now.byKey), byID: maps.Clone(now.byID), all: slices.Clone(now.all)}
	place, known := slices.BinarySearchFunc(next.all, id, compareIDs)
	if known {
		delete(next.byKey, next.all[place].Key)
		delete(next.byID, id)
		next.all = slices.Delete(next.all, place, place+1)
	}
	if there {
		app := d.App
		next.byKey[app.Key], next.byID[id] = &app, &app
		next.all = slices.Insert(next.all, place, &app)
	}
	s.snapshot.Store(next)
	// When the own write is the only one since the last look, the snapshot is as stored. Else the next Refresh reads all.
	if generation, err := spec().Global(s.db).Generation(ctx); err == nil && generation == s.generation+1 {
		s.generation = generation
	}
	return nil
}

// ByKey returns the app whose present key is key, or nil. It does not look for one that another process may have made; see FindByKey.
func (s *Store) ByKey(key string) *model.App { return s.snapshot.Load().byKey[key] }

// ByID returns the app, or nil.
func (s *Store) ByID(id model.AppID) *model.App { return s.snapshot.Load().byID[id] }

// Find is ByID that asks the store for an app that is not known here: another process may have made it a moment ago. nil = there is none.
func (s *Store) Find(ctx context.Context, id model.AppID) (*model.App, error) {
	if app := s.ByID(id); app != nil {
		return app, nil
	}
	d, err := spec().Global(s.db).Get(ctx, id.String())
	if docs.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find app %s: %w", id, err)
	}
	return &d.App, nil
}

// All returns every app, ordered by id.
func (s *Store) All() []*model.App { return s.snapshot.Load().all }

// List is the page that q asks for of all apps. It may be sorted by the index name.
func (s *Store) List(ctx context.Context, q docs.Query) (docs.Page[model.App], error) {
	p, err := spec().Global(s.db).Page(ctx, q)
	if err != nil {
		return docs.Page[model.App]{}, fmt.Errorf("list apps: %w", err)
	}
	out := docs.Page[model.App]{Docs: make([]model.App, len(p.Docs)), Total: p.Total, Matching: p.Matching}
	for i, d := range p.Docs {
		out.Docs[i] = d.App
	}
	return out, nil
}

// Create stores a new app and returns it with id and keys. An empty Key is
// made up. Faults: ErrKeyTaken, apps.invalid.
func (s *Store) Create(ctx context.Context, app model.App) (model.App, error) {
	app.ID = model.NewID()
	if app.Key == "" {
		app.Key = newKey()
	}
	app.IDKey = app.Key
	s.writes.Lock()
	defer s.writes.Unlock()
	if err := spec().Global(s.db).Create(ctx, document{app}); err != nil {
		return model.App{}, keyTaken(err)
	}
	ctx = context.WithoutCancel(ctx) // it is stored, so it shows
	if err := s.refresh(ctx, app.ID); err != nil {
		return model.App{}, err
	}
	return app, hook.Emit(ctx, s.bus, topic.AppCreated{App: app})
}

// Update changes an app with fn, which must not touch ID and IDKey, and
// returns it before and after. Faults: ErrNotFound, ErrKeyTaken, apps.invalid, and those of fn.
func (s *Store) Update(ctx context.Context, id model.AppID, fn func(*model.App) error) (before, after model.App, err error) {
	s.writes.Lock()
	defer s.writes.Unlock()
	d, err := spec().Global(s.db).Update(ctx, id.String(), func(d *document) error {
		before = d.App
		return fn(&d.App)
	})
	if docs.IsNotFound(err) {
		return before, after, ErrNotFound
	}
	if err != nil {
		return before, after, keyTaken(err)
	}
	ctx = context.WithoutCancel(ctx) // it is stored, so it shows
	if err := s.refresh(ctx, id); err != nil {
		return before, d.App, err
	}
	return before, d.App, hook.Emit(ctx, s.bus, topic.AppUpdated{Before: before, After: d.App})
}

// Delete removes an app and its documents; its data must be gone already. Fault: ErrNotFound.
func (s *Store) Delete(ctx context.Context, id model.AppID) error {
	s.writes.Lock()
	defer s.writes.Unlock()
	err := spec().Global(s.db).Delete(ctx, id.String())
	if docs.IsNotFound(err) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("delete app %s: %w", id, err)
	}
	ctx = context.WithoutCancel(ctx) // it is gone, so its documents go as well
	if err := s.db.DropApp(ctx, id); err != nil {
		return fmt.Errorf("delete documents of app %s: %w", id, err)
	}
	if err := s.refresh(ctx, id); err != nil {
		return err
	}
	return hook.Emit(ctx, s.bus, topic.AppDeleted{App: id})
}

func keyTaken(err error) error {
	if docs.DuplicateOf(err) == "key" {
		return ErrKeyTaken
	}
	return err
}

// newKey returns a random app key, 40 hex digits.
func newKey() string {
	var b [20]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return hex.EncodeToString(b[:])
}
