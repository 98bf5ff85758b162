package attribution_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/modules/attribution"
	"quipu/internal/store/docs/sqlite"
)

// TestPausedAppsWait has postbacks of apps that take none meanwhile: they wait on, and the next run of the job does not read them again.
func TestPausedAppsWait(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "docs"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	list, err := apps.Open(ctx, db, hook.NewBus())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(2_000_000_000, 0)
	w := attribution.NewWaiting(db, list, func() time.Time { return now })
	for name, closed := range map[string]model.App{"paused": {Paused: true}, "signed": {Salt: "s"}} {
		closed.Name, closed.Timezone = name, "UTC"
		app, err := list.Create(ctx, closed)
		if err != nil {
			t.Fatal(err)
		}
		for _, days := range []int64{0, 1, 91} {
			if err := w.Add(ctx, app.ID, now.Unix()-days*86400); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Tend(ctx); err != nil {
			t.Fatal(err)
		}
		got, err := w.Next(ctx, app.ID)
		if want := []int64{now.Unix() + 60, now.Unix() + attribution.Latest}; err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v; want the young one soon, the older one later, the oldest gone: %v", name, got, err, want)
		}
	}
}

// TestOneAppFails has an app of which something cannot be done: it is done of the others all the same, and the error names the app.
func TestOneAppFails(t *testing.T) {
	t.Parallel()
	list := []model.AppID{{1}, {2}, {1}, {3}}
	var got []model.AppID
	err := attribution.EachApp(t.Context(), list, func(app model.AppID) error {
		if app == list[0] {
			return errors.New("its users cannot be read")
		}
		got = append(got, app)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), list[0].String()) {
		t.Errorf("%v, want an error of %s", err, list[0])
	}
	if want := []model.AppID{{2}, {3}}; !cmp.Equal(got, want) {
		t.Errorf("done of %v, want %v", got, want)
	}
}
