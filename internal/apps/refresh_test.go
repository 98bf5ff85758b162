package apps_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/model"
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
