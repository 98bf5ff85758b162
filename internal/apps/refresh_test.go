package apps_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest/engines"
	"quipu/internal/store/pgtest"
	"quipu/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestRefresh writes through two directories of the same documents: each learns what the other does, and neither reads all apps
// for a write of its own.
func TestRefresh(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect := documents(t)
			bus := hook.NewBus()
			open := func(bus *hook.Bus) *apps.Store {
				s, err := apps.Open(t.Context(), connect(), bus)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			one, two := open(hook.NewBus()), open(bus)
			heard := 0
			hook.On(bus, "test", func(context.Context, topic.AppCreated) error { heard++; return nil })
			refresh := func() {
				t.Helper()
				if err := two.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := one.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(one.All(), two.All()); d != "" {
					t.Errorf("the directories differ:\n%s", d)
				}
			}
			a, err := one.Create(t.Context(), named("a"))
			if err != nil {
				t.Fatal(err)
			}
			refresh()
			if got := two.ByKey(a.Key); got == nil || got.Name != "a" {
				t.Fatalf("an app made elsewhere: %+v", got)
			}
			if heard != 0 {
				t.Error("the bus heard of what another process wrote")
			}
			same := two.ByID(a.ID)
			refresh()
			if two.ByID(a.ID) != same {
				t.Error("apps were read again, though nothing was written")
			}
			if _, err := two.Create(t.Context(), named("b")); err != nil {
				t.Fatal(err)
			}
			if err := two.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if two.ByID(a.ID) != same {
				t.Error("apps were read again for a write of its own")
			}
			// Both write before either looks: neither loses the other's app.
			if _, _, err := one.Update(t.Context(), a.ID, func(a *model.App) error { a.Key = "other"; return nil }); err != nil {
				t.Fatal(err)
			}
			if _, err := two.Create(t.Context(), named("c")); err != nil {
				t.Fatal(err)
			}
			refresh()
			if two.ByKey("other") == nil || two.ByKey(a.Key) != nil || len(one.All()) != 3 {
				t.Errorf("%d apps; the changed key finds %v, the former one %v", len(one.All()), two.ByKey("other"), two.ByKey(a.Key))
			}
			if err := one.Delete(t.Context(), a.ID); err != nil {
				t.Fatal(err)
			}
			refresh()
			if two.ByID(a.ID) != nil {
				t.Error("an app that was deleted elsewhere is still there")
			}
		})
	}
}

// TestSeek asks one directory for apps that another has just made: by the key they are found at once, by any caller, as long as not too many keys are asked for that
// nobody has, and by the number always.
func TestSeek(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect := documents(t)
			var clock atomic.Int64
			open := func() *apps.Store {
				s, err := apps.Open(t.Context(), connect(), hook.NewBus())
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			one, two, alone := open(), open(), open()
			two.Seek(func() time.Time { return time.UnixMilli(clock.Load()) })
			create := func() model.App {
				t.Helper()
				a, err := one.Create(t.Context(), named("a"))
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			found := func(key string) bool {
				a, err := two.FindByKey(t.Context(), key)
				return a != nil && err == nil
			}
			a := create()
			var asking sync.WaitGroup
			for i := range 100 {
				asking.Go(func() {
					if i%2 == 0 && !found(a.Key) {
						t.Error("an app that was just made is not found by its key")
					}
					if i%2 == 1 && found(fmt.Sprint("first ", i%4)) {
						t.Error("an app that there is not")
					}
				})
			}
			asking.Wait()
			clock.Store(1e6)
			for range 200 { // does not count but for the first time
				if found("deleted") {
					t.Error("an app that there is not")
				}
			}
			clock.Store(2e6)
			if !found(create().Key) {
				t.Error("after a key that is asked for all the time, an app is not found")
			}
			clock.Store(3e6)
			asked := 0
			for ; asked < 1000 && found(create().Key); asked++ {
				clock.Add(100)
				found(fmt.Sprint("random ", asked))
				clock.Add(100)
			}
			if asked < 25 || asked > 60 { // 50 at once and one for each five looks
				t.Errorf("%d times two keys were looked for", asked)
			}
			clock.Add(500)
			b := create()
			if !found(b.Key) {
				t.Error("after a while an app is not found")
			}
			if got, err := two.Find(t.Context(), create().ID); err != nil || got == nil || got.Name != "a" {
				t.Errorf("an app by its number: %+v, %v", got, err)
			}
			if got, err := two.Find(t.Context(), model.NewID()); err != nil || got != nil {
				t.Errorf("no app: %+v, %v", got, err)
			}
			if alone.ByKey(b.Key) != nil {
				t.Error("a directory that does not seek has an app that it did not read")
			}
		})
	}
}

// flaky is a document store that may not answer. It counts how often it is asked whether something was written.
type flaky struct {
	docs.DB
	down, hangs atomic.Bool
	asked       atomic.Int64
}

func (f *flaky) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	f.asked.Add(1)
	if f.down.Load() {
		return 0, errors.New("connection refused")
	}
	if f.hangs.Load() {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return f.DB.Generation(ctx, l)
}

// TestSeekFails asks for keys while the store does not answer: that is an error, never "no such app". A key that was looked for in vain is found once its app exists.
func TestSeekFails(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect := documents(t)
			var clock atomic.Int64
			db := &flaky{DB: connect()}
			open := func(db docs.DB) *apps.Store {
				s, err := apps.Open(t.Context(), db, hook.NewBus())
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			one, two := open(connect()), open(db)
			two.Seek(func() time.Time { return time.UnixMilli(clock.Load()) })
			create := func(key string) {
				t.Helper()
				a := named("a")
				a.Key = key
				if _, err := one.Create(t.Context(), a); err != nil {
					t.Fatal(err)
				}
			}
			find := func(key string, look bool) (bool, bool, error) {
				clock.Add(200)
				a, looked, err := two.LookByKey(t.Context(), key, look)
				return a != nil, looked, err
			}
			expect := func(key string, look, wantFound, wantLooked bool) {
				t.Helper()
				if found, looked, err := find(key, look); found != wantFound || looked != wantLooked || err != nil {
					t.Errorf("%s: found %t, looked %t, %v, want %t and %t", key, found, looked, err, wantFound, wantLooked)
				}
			}
			expect("early", true, false, true)
			asked := db.asked.Load()
			expect("early", true, false, false) // as was seen a moment ago
			create("a")
			expect("a", false, false, false)
			if db.asked.Load() != asked {
				t.Error("the store was asked by who does not want to wait")
			}
			expect("a", true, true, true)
			expect("a", true, true, false)
			create("early")
			expect("early", true, true, true)

			db.down.Store(true)
			create("b")
			for i := range 100 { // more than looks may be made of
				if found, _, err := find("b", true); found || err == nil {
					t.Fatalf("%d: the store does not answer: found %t, %v", i, found, err)
				}
			}
			if two.ByKey("b") != nil || two.ByKey("a") == nil {
				t.Error("a known app is not found, or one is that cannot be")
			}
			db.down.Store(false)
			clock.Add(1000)
			expect("b", true, true, true)
			expect("nobody", true, false, true)

			clock.Add(10_000)
			db.hangs.Store(true)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if a, err := two.FindByKey(ctx, "c"); a != nil || fault.KindOf(err) != fault.Unavailable {
				t.Errorf("the store hangs: %v, %v", a, err)
			}
		})
	}
}
