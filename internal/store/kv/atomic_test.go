package kv_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/kv/kvtest"
	"quipu/internal/store/profile"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/schema"
	pebbleschema "quipu/internal/store/schema/pebble"
	"quipu/internal/store/state"
	pebblestate "quipu/internal/store/state/pebble"
)

// stores are the stores that commit together.
type stores struct {
	db       *kv.DB
	profiles *pebbleprofile.Store
	schema   *pebbleschema.Store
	changes  *pebblestate.Store
}

func openState(t *testing.T, fs vfs.FS) *stores {
	t.Helper()
	s := &stores{db: open(t, fs)}
	var err, err2, err3 error
	s.profiles, err = pebbleprofile.Open(s.db, pebbleprofile.Options{CacheProfiles: 2})
	s.schema, err2 = pebbleschema.Open(s.db, pebbleschema.Options{Limits: schema.Limits{Events: 1 << 20}, CachedValues: 5})
	s.changes, err3 = pebblestate.New(s.db)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	return s
}

const tickUsers = 5

// batch commits the n-th batch. Each leaves a trace in every store, from which
// verify reads n again.
func (s *stores) batch(n uint64) error {
	app := model.AppID{1}
	l, err := s.schema.App(app)
	if err != nil {
		return err
	}
	l.AddEvent("e")
	l.AddEvent(fmt.Sprint("batch ", n))
	l.Segment("e", "s", schema.Text)
	_, err = l.AddValue(schema.OfEvents, "e", "s", fmt.Sprint(n))
	for i := range tickUsers {
		id := model.ProfileID{byte(i)}
		p, lerr := s.profiles.Load(app, id)
		if errors.Is(lerr, profile.ErrNotFound) {
			p, lerr = &model.Profile{ID: id, UID: uint32(i) + 1}, nil
		}
		if lerr != nil {
			return lerr
		}
		p.Sessions = int64(n)
		p.Open = model.SessionState{ID: n, Seen: int64(n)}
		err = errors.Join(err, s.profiles.Put(app, p))
	}
	_, serr := s.profiles.NextState(app)
	c := state.Change{Watermark: journal.Watermark{0: n}}
	var end func(committed bool)
	var perr, rerr error
	c.Profiles, end, perr = s.profiles.Flush()
	c.OnEnd(end)
	c.Schema, end, rerr = s.schema.Flush()
	c.OnEnd(end)
	if err := errors.Join(err, serr, perr, rerr); err != nil {
		return err
	}
	return s.changes.Commit(context.Background(), &c)
}

// verify returns which batch the stores are at, and fails when they disagree.
func (s *stores) verify(t *testing.T) uint64 {
	t.Helper()
	app := model.AppID{1}
	w, err := pebblejournal.LoadWatermark(t.Context(), s.db)
	if err != nil {
		t.Fatal(err)
	}
	n := w[0]
	want := func(what string, got, want any, err error) {
		t.Helper()
		if err != nil || got != want {
			t.Errorf("at watermark %d: %s: got %v, %v; want %v", n, what, got, err, want)
		}
	}
	seq, err := s.profiles.Sequence(t.Context(), app)
	want("state number", seq.State, uint32(n), err)
	if n == 0 {
		want("events", len(s.schema.Events(app)), 0, nil)
		return 0
	}
	want("users", seq.Users, int64(tickUsers), nil)
	want("events", len(s.schema.Events(app)), int(n)+1, nil)
	_, ok := s.schema.Event(app, fmt.Sprint("batch ", n))
	want("last event", ok, true, nil)
	values, err := s.schema.Values(t.Context(), app, "e", "s")
	want("values", len(values), min(int(n), 1000), err)
	for i := range tickUsers {
		p, err := s.profiles.Get(t.Context(), app, model.ProfileID{byte(i)})
		if err != nil {
			t.Errorf("at watermark %d: profile %d: %v", n, i, err)
			continue
		}
		want("profile", p.Sessions, int64(n), nil)
	}
	open, err := s.profiles.ExpiredSessions(t.Context(), 1<<40, 100)
	want("open sessions", len(open), tickUsers, err)
	for _, o := range open {
		want("open session", o.Seen, int64(n), nil)
	}
	return n
}

// TestBatchIsAtomicUnderCrash crashes the disk at random moments of a run of
// batches, keeping any share of what was not synced.
func TestBatchIsAtomicUnderCrash(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 6 {
		fs := vfs.NewCrashableMem()
		s := openState(t, fs)
		var acked atomic.Uint64
		stop, stopped, ticked := make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
		go func() {
			defer close(stopped)
			for n := uint64(1); ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := s.batch(n); err != nil {
					t.Errorf("batch %d: %v", n, err)
					return
				}
				acked.Store(n)
				select {
				case ticked <- struct{}{}:
				default:
				}
			}
		}()
		for range 8 {
			for target := acked.Load() + rng.Uint64N(6); acked.Load() < target; {
				select {
				case <-ticked:
				case <-stopped:
					t.FailNow() // said why
				}
			}
			before := acked.Load()
			crashed := openState(t, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng}))
			after := acked.Load()
			got := crashed.verify(t)
			if got < before || got > after+1 {
				t.Errorf("round %d: at batch %d after the crash, %d to %d were acknowledged", round, got, before, after)
			}
			if err := crashed.batch(got + 1); err != nil {
				t.Errorf("round %d: next batch: %v", round, err)
			}
			crashed.verify(t)
			if err := crashed.db.Close(); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		<-stopped
		if got := s.verify(t); got != acked.Load() {
			t.Errorf("round %d: at batch %d, %d acknowledged", round, got, acked.Load())
		}
		if err := s.db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBatchIsAtomicUnderFaults breaks the disk for good at a random write.
func TestBatchIsAtomicUnderFaults(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 20 {
		mem := vfs.NewCrashableMem()
		var left atomic.Int64
		left.Store(1 << 40)
		fs := kvtest.Faulty(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && left.Add(-1) < 0 {
				return errorfs.ErrInjected
			}
			return nil
		}))
		s := openState(t, fs)
		left.Store(rng.Int64N(200))
		acked := uint64(0)
		var err error
		for err == nil {
			if err = s.batch(acked + 1); err == nil {
				acked++
			}
		}
		if !errors.Is(err, kv.ErrFailed) {
			t.Fatalf("round %d: batch %d: got %v, want ErrFailed", round, acked+1, err)
		}
		left.Store(1 << 40)
		crashed := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		if err := s.db.Close(); !errors.Is(err, kv.ErrFailed) {
			t.Errorf("round %d: close: %v", round, err)
		}
		for name, fs := range map[string]vfs.FS{"reopened": fs, "crashed": crashed} {
			s := openState(t, fs)
			got := s.verify(t)
			if got < acked || got > acked+1 {
				t.Errorf("round %d: %s: at batch %d, %d were acknowledged", round, name, got, acked)
			}
			if err := s.batch(got + 1); err != nil {
				t.Errorf("round %d: %s: next batch: %v", round, name, err)
			}
			s.verify(t)
			if err := s.db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
