package outbox_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/outbox"
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	"quipu/internal/store/profile"
)

var appA, appB = model.AppID{1}, model.AppID{2}

// sink is an event store that notes what it is given, and refuses on demand.
type sink struct {
	events.Writer // removals are not called

	mu      sync.Mutex
	mark    uint64
	offsets []uint64 // of the rows, app A
	commits []uint64 // watermarks
	users   []*model.Profile
	refuse  error
}

func (s *sink) Watermark(context.Context) (journal.Watermark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return journal.Watermark{0: s.mark}, nil
}

func (s *sink) Commit(_ context.Context, b *events.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		return s.refuse
	}
	if a := b.Apps[appA]; a != nil {
		err := a.EachRows(2, func(rows []events.Row) error {
			for _, r := range rows {
				if r.Offset > s.mark {
					s.offsets = append(s.offsets, r.Offset)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		s.users = append(s.users, a.Users...)
	}
	if at, ok := b.Watermark[0]; ok {
		s.mark = at
		s.commits = append(s.commits, s.mark)
	}
	return nil
}

func (s *sink) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = err
}

func (s *sink) seen() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.offsets)
}

// people are the profiles there are.
type people map[model.ProfileID]*model.Profile

func (p people) Get(_ context.Context, _ model.AppID, id model.ProfileID) (*model.Profile, error) {
	if u := p[id]; u != nil {
		return u, nil
	}
	return nil, profile.ErrNotFound
}

type world struct {
	db     *kv.DB
	outbox *outbox.Outbox
	sink   *sink
}

func open(t *testing.T, fs vfs.FS, s *sink, p people) *world {
	t.Helper()
	w := openOver(t, fs, s, p)
	w.sink = s
	return w
}

func openOver(t *testing.T, fs vfs.FS, s events.Writer, p people) *world {
	t.Helper()
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // a second time where the test closed it
	st, err := outbox.New(outbox.Options{
		Store: pebbleoutbox.New(db), Events: s, Profiles: p, Log: slog.New(slog.DiscardHandler), Now: time.Now, MoveRows: 10, MoveBytes: 1 << 20, Every: time.Second,
		MirrorEvery: 5 * time.Second, MirrorUsers: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &world{db: db, outbox: st}
}

// rows is a part with rows of the offsets.
func rows(offsets ...uint64) *outbox.Part {
	p := &outbox.Part{}
	for _, o := range offsets {
		p.Rows.Append(&events.Row{Offset: o, Key: "k", Hour: -1, Dow: -1})
	}
	return p
}

// put commits a batch.
func (w *world) put(t *testing.T, through uint64, parts map[model.AppID]*outbox.Part) {
	t.Helper()
	batch, end := w.outbox.Put(journal.Position{Offset: through}, parts)
	b := w.db.NewBatch()
	b.OnEnd(end)
	if err := pebbleoutbox.Put(b, &batch); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Commit(b); err != nil {
		t.Fatal(err)
	}
}

func (w *world) drain(t *testing.T) {
	t.Helper()
	if err := w.outbox.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// left counts the keys of the outbox.
func (w *world) left(t *testing.T) int {
	t.Helper()
	n := 0
	for _, prefix := range [][]byte{{kv.PrefixOutbox}, {kv.PrefixMirror}} {
		err := w.db.Scan(t.Context(), prefix, kv.After(prefix), func(_, _ []byte) (bool, error) { n++; return true, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestDrain(t *testing.T) {
	t.Parallel()
	anna, bert := model.ProfileID{1}, model.ProfileID{2}
	s := &sink{}
	w := open(t, vfs.NewMem(), s, people{anna: {ID: anna, UID: 1, Sessions: 9}})
	first := rows(1, 2)
	first.Users = []model.ProfileID{anna, bert}
	w.put(t, 2, map[model.AppID]*outbox.Part{appA: first, appB: {}})
	second := rows(4)
	second.Users = []model.ProfileID{anna}
	w.put(t, 5, map[model.AppID]*outbox.Part{appA: second})
	w.put(t, 6, map[model.AppID]*outbox.Part{appA: {}})
	if n := w.outbox.Rows(); n != 3 {
		t.Errorf("%d rows in the outbox, want 3", n)
	}
	w.drain(t)
	if diff := cmp.Diff([]uint64{1, 2, 4}, s.offsets); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint64{5}, s.commits); diff != "" {
		t.Errorf("watermarks (-want +got):\n%s", diff)
	}
	if len(s.users) != 0 {
		t.Errorf("%d users are mirrored with the rows", len(s.users))
	}
	if err := w.outbox.DrainAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.users) != 1 || s.users[0].Sessions != 9 {
		t.Errorf("users %v: want the one that exists, once", s.users)
	}
	if n, rows := w.left(t), w.outbox.Rows(); n != 0 || rows != 0 {
		t.Errorf("%d keys and %d rows are left", n, rows)
	}
	mark, err := pebblejournal.LoadRowsMark(t.Context(), w.db)
	if err != nil || mark[0] != 5 {
		t.Errorf("rows mark %v, %v", mark, err)
	}
	w.drain(t)
	if len(s.commits) != 1 {
		t.Error("nothing was committed once more")
	}
}

// TestSteps checks that much is moved in several steps, each of whole batches.
func TestSteps(t *testing.T) {
	t.Parallel()
	s := &sink{}
	w := open(t, vfs.NewMem(), s, nil)
	var want []uint64
	for n := uint64(1); n <= 12; n++ {
		at := 3 * n
		w.put(t, at, map[model.AppID]*outbox.Part{appA: rows(at-2, at-1, at), appB: rows(at)})
		want = append(want, at-2, at-1, at)
	}
	w.drain(t)
	if diff := cmp.Diff(want, s.offsets); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint64{9, 18, 27, 36}, s.commits); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// resuming is an event store that wants the rest of a move that was begun: up to an offset.
type resuming struct {
	*sink
	ends uint64
}

func (r *resuming) Resumes(context.Context, uint16) (uint64, error) {
	if r.ends <= r.mark {
		return 0, nil
	}
	return r.ends, nil
}

// TestResumes checks that a move ends where one that was begun would have, however little or much may be moved at once.
func TestResumes(t *testing.T) {
	t.Parallel()
	for ends, want := range map[uint64][]uint64{3: {3, 12, 21, 30, 36}, 9: {9, 18, 27, 36}, 24: {24, 33, 36}, 36: {36}} {
		s := &sink{}
		fs := vfs.NewMem()
		w := open(t, fs, s, nil)
		for n := uint64(1); n <= 12; n++ {
			w.put(t, 3*n, map[model.AppID]*outbox.Part{appA: rows(3*n-2, 3*n-1, 3*n), appB: rows(3 * n)})
		}
		if err := w.db.Close(); err != nil {
			t.Fatal(err)
		}
		w = openOver(t, fs, &resuming{s, ends}, nil)
		w.drain(t)
		if diff := cmp.Diff(want, s.commits); diff != "" || len(s.offsets) != 36 {
			t.Errorf("steps, the first of which ends at %d (-want +got):\n%s", ends, diff)
		}
	}
}

// TestRewritesChain joins the moves of several batches.
func TestRewritesChain(t *testing.T) {
	t.Parallel()
	var got map[uint32]uint32
	w := open(t, vfs.NewMem(), &sink{}, nil)
	for i, m := range []map[uint32]uint32{{1: 2, 9: 8}, {2: 3}, {3: 4}} {
		w.put(t, uint64(i+1), map[model.AppID]*outbox.Part{appA: {Rewrites: m}})
	}
	c := &spy{sink: w.sink, commit: func(b *events.Batch) { got = maps.Clone(b.Apps[appA].Rewrites) }}
	st, err := outbox.New(outbox.Options{Store: pebbleoutbox.New(w.db), Events: c, Profiles: people{}, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[uint32]uint32{1: 4, 2: 4, 3: 4, 9: 8}, got); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
}

type spy struct {
	*sink
	commit func(*events.Batch)
}

func (s *spy) Commit(ctx context.Context, b *events.Batch) error {
	s.commit(b)
	return s.sink.Commit(ctx, b)
}

// TestCrash takes the power away at random instants: what the event store has
// and what is left here are together all that was put, once.
func TestCrash(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	fs, s := vfs.NewCrashableMem(), &sink{}
	w := open(t, fs, s, nil)
	var want []uint64
	for at := uint64(1); at <= 200; at++ {
		w.put(t, at, map[model.AppID]*outbox.Part{appA: rows(at)})
		want = append(want, at)
		if r.IntN(4) == 0 {
			w.drain(t)
		}
		if r.IntN(8) == 0 {
			fs = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: r.IntN(101), RNG: r})
			if err := w.db.Close(); err != nil {
				t.Fatal(err)
			}
			w = open(t, fs, s, nil)
		}
	}
	w.drain(t)
	if diff := cmp.Diff(want, s.offsets); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if n := w.left(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// TestRefused lets the event store refuse for a while: writers wait, Trouble
// tells, and it goes on by itself.
func TestRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &sink{}
		w := open(t, vfs.NewMem(), s, nil)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			w.outbox.Run(ctx)
			close(ended)
		}()
		full := errors.New("disk full")
		s.fail(full)
		for at := uint64(1); at <= 40; at++ {
			w.put(t, at, map[model.AppID]*outbox.Part{appA: rows(at)})
		}
		time.Sleep(3 * time.Second)
		if retry, err := w.outbox.Trouble(); !errors.Is(err, full) || retry <= 0 {
			t.Errorf("trouble %v, again in %v", err, retry)
		}
		if err := w.outbox.Drain(ctx); !errors.Is(err, full) {
			t.Errorf("drain: %v", err)
		}
		room := make(chan error, 1)
		go func() { room <- w.outbox.Room(ctx) }()
		synctest.Wait()
		select {
		case err := <-room:
			t.Errorf("there is room for more: %v", err)
		default:
		}
		s.fail(nil)
		if err := <-room; err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second)
		if _, err := w.outbox.Trouble(); err != nil {
			t.Errorf("trouble stays: %v", err)
		}
		if n := len(s.seen()); n != 40 {
			t.Errorf("%d rows were moved, want 40", n)
		}
		// A few rows are moved without anyone asking, and the last at the end.
		w.put(t, 50, map[model.AppID]*outbox.Part{appA: rows(50)})
		time.Sleep(2 * time.Second)
		if n := len(s.seen()); n != 41 {
			t.Errorf("%d rows were moved, want 41", n)
		}
		w.put(t, 51, map[model.AppID]*outbox.Part{appA: rows(51)})
		stop()
		<-ended
		if n := len(s.seen()); n != 42 {
			t.Errorf("%d rows were moved at the end, want 42", n)
		}
	})
}

// TestMirror lets users wait for more of the same: until they are many, have
// waited long, or someone reads them.
func TestMirror(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := people{}
		for i := range byte(20) {
			all[model.ProfileID{i}] = &model.Profile{ID: model.ProfileID{i}, UID: uint32(i) + 1}
		}
		s := &sink{}
		w := open(t, vfs.NewMem(), s, all)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			w.outbox.Run(ctx)
			close(ended)
		}()
		touch := func(at uint64, users ...byte) {
			t.Helper()
			p := rows(at)
			for _, u := range users {
				p.Users = append(p.Users, model.ProfileID{u})
			}
			w.put(t, at, map[model.AppID]*outbox.Part{appA: p})
		}
		want := func(what string, n int) {
			t.Helper()
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.users) != n {
				t.Errorf("%s: %d users were mirrored, want %d", what, len(s.users), n)
			}
		}
		touch(1, 1, 2)
		time.Sleep(1500 * time.Millisecond)
		touch(2, 2, 1, 2)
		time.Sleep(1500 * time.Millisecond)
		want("few and young", 0)
		time.Sleep(5 * time.Second)
		want("few and old", 2)
		touch(3, 1, 2, 3, 4)
		time.Sleep(1500 * time.Millisecond)
		want("many", 6)
		touch(4, 5)
		if err := w.outbox.Reader(nothing{}).Run(ctx, &plan.Query{App: appA, From: plan.Users}, nil); err != nil {
			t.Error(err)
		}
		want("asked for", 7)
		touch(5, 6)
		if err := w.outbox.Reader(nothing{}).Run(ctx, &plan.Query{App: appA, From: plan.Events}, nil); err != nil {
			t.Error(err)
		}
		want("rows were asked for", 7)
		if n := len(s.seen()); n != 5 {
			t.Errorf("%d rows were moved, want 5", n)
		}
		if err := w.outbox.Reader(nothing{}).Run(ctx, &plan.Query{App: appA, From: plan.Events, Where: plan.Do(plan.IsNull, plan.Us("did"))}, nil); err != nil {
			t.Error(err)
		}
		want("asked for with events", 8)
		// A refusal that meets users alone ends when they are mirrored, without new rows.
		touch(6, 7)
		time.Sleep(1500 * time.Millisecond)
		s.fail(errors.New("disk full"))
		time.Sleep(6 * time.Second)
		if _, err := w.outbox.Trouble(); err == nil {
			t.Error("nobody tells that users are not mirrored")
		}
		s.fail(nil)
		time.Sleep(6 * time.Second)
		want("after a refusal", 9)
		if _, err := w.outbox.Trouble(); err != nil {
			t.Errorf("trouble stays: %v", err)
		}
		touch(7, 8)
		stop()
		<-ended
		want("at the end", 10)
		if n := w.left(t); n != 0 {
			t.Errorf("%d keys are left", n)
		}
	})
}

// TestMirrorWaits checks that who reads users waits for those that are being
// mirrored at the time.
func TestMirrorWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		id := model.ProfileID{1}
		w := open(t, vfs.NewMem(), &sink{}, people{})
		begun, goOn := make(chan struct{}), make(chan struct{})
		slow := &spy{sink: w.sink, commit: func(b *events.Batch) {
			if a := b.Apps[appA]; a != nil && len(a.Users) > 0 {
				close(begun)
				<-goOn
			}
		}}
		st, err := outbox.New(outbox.Options{Store: pebbleoutbox.New(w.db), Events: slow, Profiles: people{id: {ID: id, UID: 1}}, Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		w.put(t, 1, map[model.AppID]*outbox.Part{appA: {Users: []model.ProfileID{id}}})
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- st.DrainAll(t.Context()) }()
		<-begun
		go func() { second <- st.DrainAll(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-second:
			close(goOn)
			t.Fatalf("did not wait: %v", err)
		default:
		}
		close(goOn)
		if err := errors.Join(<-first, <-second); err != nil {
			t.Error(err)
		}
	})
}

// nothing is an event store to read from.
type nothing struct{ events.Reader }

func (nothing) Run(context.Context, *plan.Query, func(events.Scanner) error) error { return nil }

// TestMirrorCrash takes the power away between the move of rows and the
// mirroring of their users.
func TestMirrorCrash(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	all := people{}
	fs, s := vfs.NewCrashableMem(), &sink{}
	w := open(t, fs, s, all)
	for at := uint64(1); at <= 60; at++ {
		u := &model.Profile{ID: model.ProfileID{byte(at)}, UID: uint32(at)}
		all[u.ID] = u
		p := rows(at)
		p.Users = []model.ProfileID{u.ID}
		w.put(t, at, map[model.AppID]*outbox.Part{appA: p})
		switch r.IntN(6) {
		case 0, 1:
			w.drain(t)
		case 2:
			if err := w.outbox.DrainAll(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 3:
			fs = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: r.IntN(101), RNG: r})
			if err := w.db.Close(); err != nil {
				t.Fatal(err)
			}
			w = open(t, fs, s, all)
		}
	}
	if err := w.outbox.DrainAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	mirrored := map[uint32]bool{}
	for _, u := range s.users {
		mirrored[u.UID] = true
	}
	if len(mirrored) != 60 || len(s.offsets) != 60 || w.left(t) != 0 {
		t.Errorf("%d users and %d rows, want 60 of each; %d keys are left", len(mirrored), len(s.offsets), w.left(t))
	}
}

// TestExclusive checks that nothing is moved while a removal runs, and that all
// was moved before.
func TestExclusive(t *testing.T) {
	t.Parallel()
	s := &sink{}
	w := open(t, vfs.NewMem(), s, nil)
	w.put(t, 1, map[model.AppID]*outbox.Part{appA: rows(1)})
	drained := make(chan error, 1)
	err := w.outbox.Exclusive(t.Context(), func(ctx context.Context, _ events.Writer) error {
		if n := len(s.seen()); n != 1 {
			t.Errorf("%d rows were moved before, want 1", n)
		}
		w.put(t, 2, map[model.AppID]*outbox.Part{appA: rows(2)}) //nolint:contextcheck // a commit takes none
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := w.outbox.Drain(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("drain meanwhile: %v", err)
		}
		go func() { drained <- w.outbox.Drain(ctx) }()
		if n := len(s.seen()); n != 1 {
			t.Errorf("%d rows were moved meanwhile, want 1", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-drained; err != nil {
		t.Fatal(err)
	}
	if n := len(s.seen()); n != 2 {
		t.Errorf("%d rows were moved, want 2", n)
	}
}

// TestDamaged checks that a damaged key is told, not skipped.
func TestDamaged(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), &sink{}, nil)
	b := w.db.NewBatch()
	if err := b.Set([]byte{kv.PrefixOutbox, 0, 0, 1}, []byte{1}); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Commit(b); err != nil {
		t.Fatal(err)
	}
	st, err := outbox.New(outbox.Options{Store: pebbleoutbox.New(w.db), Events: &sink{}, Profiles: people{}, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Drain(t.Context()); !errors.Is(err, outbox.ErrPart) {
		t.Errorf("got %v", err)
	}
}
