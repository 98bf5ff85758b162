package apps_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// brittle is a store whose reads of one document fail on demand, and that calls after, unless nil, after each replacement.
type brittle struct {
	docs.DB
	broken bool
	after  func()
}

func (b *brittle) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	done, err := b.DB.Replace(ctx, l, r)
	if b.after != nil {
		b.after()
	}
	return done, err
}

var errBroken = errors.New("injected")

func (b *brittle) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	if b.broken {
		return docs.Record{}, errBroken
	}
	return b.DB.Get(ctx, l, s, key)
}

func open(tb testing.TB) (*apps.Store, *brittle) {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Path: filepath.Join(tb.TempDir(), "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	b := &brittle{DB: db}
	s, err := apps.Open(tb.Context(), b, hook.NewBus())
	if err != nil {
		tb.Fatal(err)
	}
	return s, b
}

func named(name string) model.App { return model.App{Name: name, Timezone: "UTC"} }

// TestSnapshot makes random writes, some of which cannot read what they wrote: the directory is always what a start would read,
// but for an app that could not be read until the next write.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s, db := open(t)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		all := s.All()
		db.broken = r.IntN(20) == 0
		var err error
		switch what := r.IntN(4); {
		case len(all) < 3 || what == 0:
			_, err = s.Create(t.Context(), named(fmt.Sprint("app ", n)))
		case what == 1:
			err = s.Delete(t.Context(), all[r.IntN(len(all))].ID)
		default:
			_, _, err = s.Update(t.Context(), all[r.IntN(len(all))].ID, func(a *model.App) error {
				a.Name = fmt.Sprint("renamed ", n)
				if what == 2 {
					a.Key = keyOf(r.IntN(keys)) // at times another app's
				}
				return nil
			})
		}
		known := errors.Is(err, apps.ErrKeyTaken) || errors.Is(err, apps.ErrNotFound)
		if err != nil && !known && !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		if db.broken || errors.Is(err, errBroken) || known {
			continue
		}
		fresh, err := apps.Open(t.Context(), db, hook.NewBus())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fresh.All(), s.All()); diff != "" {
			t.Fatalf("write %d (-stored +directory):\n%s", n, diff)
		}
		for _, a := range s.All() {
			if s.ByID(a.ID) != a || s.ByKey(a.Key) != a {
				t.Fatalf("write %d: app %s with key %s is not found", n, a.ID, a.Key)
			}
		}
		for key := range keys { // those that were given up find nothing
			if a := s.ByKey(keyOf(key)); a != nil && a.Key != keyOf(key) {
				t.Fatalf("write %d: key %d finds an app with key %s", n, key, a.Key)
			}
		}
	}
}

// keys is how many keys apps of the test change between.
const keys = 20

func keyOf(n int) string { return fmt.Sprintf("%040d", n) }

// TestCancelledWrite: a write that is stored is in the directory, though nobody waits for it any more.
func TestCancelledWrite(t *testing.T) {
	t.Parallel()
	s, db := open(t)
	a, err := s.Create(t.Context(), named("a"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	db.after = cancel
	_, _, err = s.Update(ctx, a.ID, func(app *model.App) error {
		app.Name = "b"
		return nil
	})
	if err != nil || s.ByID(a.ID).Name != "b" {
		t.Errorf("name %q, %v", s.ByID(a.ID).Name, err)
	}
}

// BenchmarkCreate creates an app beside 2,000 others.
func BenchmarkCreate(b *testing.B) {
	s, _ := open(b)
	create := func(n int) {
		if _, err := s.Create(b.Context(), named(fmt.Sprint("app ", n))); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 2000 {
		create(n)
	}
	for n := 2000; b.Loop(); n++ {
		create(n)
	}
}
