package logger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// TestTogether deals requests to pieces of a bounded size, each app's in their order.
func TestTogether(t *testing.T) {
	t.Parallel()
	pending := map[model.AppID][]row{}
	for app, n := range []int{1, 99, 250, 100, 3} {
		for i := range n {
			pending[model.AppID{byte(app)}] = append(pending[model.AppID{byte(app)}], row{Seq: int64(i)})
		}
	}
	next := map[model.AppID]int64{}
	pieces := 0
	for list := range together(pending) {
		pieces++
		n := 0
		for _, p := range list {
			n += len(p.rows)
			for _, r := range p.rows {
				if r.Seq != next[p.app] {
					t.Fatalf("request %d of app %s, want %d", r.Seq, p.app, next[p.app])
				}
				next[p.app]++
			}
		}
		if n != atOnce && pieces != 5 {
			t.Errorf("piece %d has %d requests", pieces, n)
		}
	}
	for app, rows := range pending {
		if next[app] != int64(len(rows)) {
			t.Errorf("%d of %d requests of app %s", next[app], len(rows), app)
		}
	}
	if pieces != 5 {
		t.Errorf("%d pieces, want 5", pieces)
	}
}

// failing is a store that cannot write documents of an app.
type failing struct {
	docs.DB
	app model.AppID
}

func (f failing) Tx(ctx context.Context, fn func(docs.Handle) error) error {
	return f.DB.Tx(ctx, func(tx docs.Handle) error { return fn(failingTx{tx, f.app}) })
}

type failingTx struct {
	docs.Handle
	app model.AppID
}

func (f failingTx) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	if r.App == f.app {
		return errors.New("no room")
	}
	return f.Handle.Insert(ctx, l, r)
}

// TestOneAppFails stores requests of three apps, one of which cannot be: those of the others are stored, once each, and those of an app that is gone are left out.
func TestOneAppFails(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
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
	s := &service{apps: list, now: time.Now, pending: map[model.AppID][]row{}}
	var ids []model.AppID
	for i := range 3 {
		app, err := list.Create(ctx, model.App{Name: fmt.Sprint("App ", i), Timezone: "UTC"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, app.ID)
	}
	for _, id := range append(ids, model.NewID()) {
		for seq := range int64(10) {
			s.pending[id] = append(s.pending[id], row{ID: model.NewID().String(), Seq: seq + 1})
		}
	}
	s.docs = failing{db, ids[1]}
	if err := s.flush(ctx); err == nil {
		t.Error("no error")
	}
	for i, want := range []int{10, 0, 10} {
		if n, err := spec().In(db, ids[i]).Count(ctx, docs.Query{}); err != nil || n != want {
			t.Errorf("%d requests of app %d are stored, %v, want %d", n, i, err, want)
		}
	}
}
