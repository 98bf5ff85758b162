package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/profile/profiletest"
)

// openStore opens a store with a cache so small that it is always full.
func openStore(tb testing.TB, fs vfs.FS) (*kv.DB, *pebbleprofile.Store) {
	tb.Helper()
	return openCached(tb, fs, 3)
}

func openCached(tb testing.TB, fs vfs.FS, cached int) (*kv.DB, *pebbleprofile.Store) {
	tb.Helper()
	return openWith(tb, fs, pebbleprofile.Options{CacheProfiles: cached})
}

func openWith(tb testing.TB, fs vfs.FS, opts pebbleprofile.Options) (*kv.DB, *pebbleprofile.Store) {
	tb.Helper()
	db, err := kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := pebbleprofile.Open(db, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return db, s
}

func TestConformance(t *testing.T) {
	profiletest.Run(t, func(t *testing.T) *profiletest.Env {
		t.Helper()
		fs := vfs.NewMem()
		db, s := openStore(t, fs)
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		e := &profiletest.Env{Store: s}
		e.Flush = func() (func(bool) error, error) {
			b := db.NewBatch()
			if err := flush(db, s, b); err != nil {
				b.Discard()
				return nil, err
			}
			return func(commit bool) error {
				if commit {
					return db.Commit(b)
				}
				b.Discard()
				return nil
			}, nil
		}
		e.Reopen = func() profile.Store {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db, s = openStore(t, fs)
			return s
		}
		return e
	})
}

func TestSecondFlushBeforeTheFirstEnded(t *testing.T) {
	db, s := openStore(t, vfs.NewMem())
	defer func() { _ = db.Close() }()
	p := &model.Profile{ID: model.ProfileID{1}, UID: 1}
	var batches [2]*kv.Batch
	var errs [2]error
	for i := range batches {
		if err := s.Put(model.AppID{1}, p); err != nil {
			t.Fatal(err)
		}
		batches[i] = db.NewBatch()
		errs[i] = flush(db, s, batches[i])
	}
	if errs[0] != nil || errs[1] == nil {
		t.Errorf("flushes: got %v, want the second refused", errs)
	}
	batches[1].Discard()
	batches[0].Discard()
	if _, err := s.Load(model.AppID{1}, p.ID); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("load: got %v, want ErrNotFound", err)
	}
}

// TestIdleBatchWritesNothing looks at profiles without changing them.
func TestIdleBatchWritesNothing(t *testing.T) {
	db, s := openStore(t, vfs.NewMem())
	app, id := model.AppID{1}, model.ProfileID{1}
	if err := s.Put(app, &model.Profile{ID: id, UID: 1, Open: model.SessionState{ID: 1, Seen: 5}}); err != nil {
		t.Fatal(err)
	}
	s.ForgetBefore(9)
	for batch, want := range []bool{true, false, false} {
		if _, err := s.Load(app, id); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load(app, model.ProfileID{2}); !errors.Is(err, profile.ErrNotFound) {
			t.Fatal(err)
		}
		b := db.NewBatch()
		if err := flush(db, s, b); err != nil {
			t.Fatal(err)
		}
		if got := b.Count() > 0; got != want {
			t.Errorf("batch %d: writes %v, want %v", batch, got, want)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// largeProfile is of the size that those of a real app have.
func largeProfile() *model.Profile {
	return &model.Profile{
		DID: "device", Dims: model.Dims{model.Country: "CH", model.City: "Zürich", model.Device: "Pixel 9", model.OS: "Android", model.OSVersion: "a16:0", model.AppVersion: "3:4:1", model.Resolution: "1080x2424", model.Carrier: "Swisscom", model.Language: "de"},
		FirstSession: 1_700_000_000, LastSession: 1_700_000_100, FirstActivity: 1_700_000_001, LastActivity: 1_700_000_101, Sessions: 2, TotalDuration: 100,
		Open: model.SessionState{ID: 99, Start: 1_700_000_100_000, Last: 1_700_000_101_000, Seconds: 12.5, Seen: 1_700_000_102_000},
		Name: "Ada", Email: "ada@example.org", Custom: map[string]any{"plan": "pro", "seats": 12.0, "tags": []any{"a", 1.0}},
	}
}

// BenchmarkLoadPutFlush measures a batch that changes 1,000 profiles, with all
// of them in the cache and with none.
func BenchmarkLoadPutFlush(b *testing.B) {
	const n = 1000
	for _, cached := range []int{2 * n, 1} {
		b.Run(fmt.Sprintf("cached=%d", cached), func(b *testing.B) {
			db, s := openCached(b, vfs.NewMem(), cached)
			app := model.AppID{1}
			b.ReportAllocs()
			for b.Loop() {
				for i := range n {
					id := model.ProfileID{byte(i), byte(i >> 8)}
					p, err := s.Load(app, id)
					if err != nil {
						p = largeProfile()
						p.ID, p.UID = id, uint32(i)+1
					}
					p.Sessions++
					if err := s.Put(app, p); err != nil {
						b.Fatal(err)
					}
				}
				batch := db.NewBatch()
				if err := flush(db, s, batch); err != nil {
					b.Fatal(err)
				}
				if err := db.Commit(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/profile")
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestOpenSessionFollowsTheNumber deletes a profile with an open session and
// makes one of the same id again, under another number.
func TestOpenSessionFollowsTheNumber(t *testing.T) {
	t.Parallel()
	db, s := openStore(t, vfs.NewMem())
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	app := model.AppID{1}
	flush := func() {
		t.Helper()
		b := db.NewBatch()
		if err := errors.Join(flush(db, s, b), db.Commit(b)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(uid uint32) {
		t.Helper()
		p := &model.Profile{ID: model.ProfileID{9}, UID: uid, Open: model.SessionState{ID: 4, Seen: 100}}
		if err := s.Put(app, p); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	flush()
	if err := s.Delete(app, model.ProfileID{9}); err != nil {
		t.Fatal(err)
	}
	put(2)
	flush()
	got, err := s.ExpiredSessions(t.Context(), 1000, 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []profile.OpenSession{{App: app, ID: model.ProfileID{9}, UID: 2, Seen: 100}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("open sessions (-want +got):\n%s", diff)
	}
}
