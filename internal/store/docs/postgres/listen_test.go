package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
)

// listening gathers what a store hears until the test ends.
func listening(t *testing.T, db *postgres.Store) <-chan []string {
	t.Helper()
	out := make(chan []string, 1000)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { db.Listen(ctx, func(names []string) { out <- names }) })
	t.Cleanup(func() { stop(); running.Wait() })
	if first := hears(t, out); first != nil {
		t.Fatalf("it begins with %v, want anything", first)
	}
	return out
}

func hears(t *testing.T, from <-chan []string) []string {
	t.Helper()
	select {
	case names := <-from:
		return names
	case <-time.After(20 * time.Second):
		t.Fatal("nothing is heard")
		return nil
	}
}

// TestListen writes to documents in one process and hears of it in another: of committed transactions alone, once each, with the names of the collections
// that fit, and of nothing that happens in another schema. What other clients of the database send is a hint at most.
func TestListen(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	at := func(schema string) *postgres.Store {
		t.Helper()
		db, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Schema: schema, Log: slog.New(slog.DiscardHandler), Patience: patience})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return db
	}
	writer, reader, apart := at(""), at(""), at("apart")
	heard := listening(t, reader)
	named := func(name string) docs.Spec[note] {
		s := notes()
		s.Name = name
		return s
	}
	if err := notes().Global(apart).Create(t.Context(), note{ID: "elsewhere"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * patience) // silence is no fault
	steps := []struct {
		what string
		do   func() error
		want []string
	}{
		{"a write", func() error { return notes().Global(writer).Create(t.Context(), note{ID: "a"}) }, []string{notes().Name}},
		{"a transaction", func() error {
			return writer.Tx(t.Context(), func(tx docs.Handle) error {
				for i := range 3 {
					for _, name := range []string{"two", "one"} {
						if err := named(name).Global(tx).Create(t.Context(), note{ID: fmt.Sprint(i)}); err != nil {
							return err
						}
					}
				}
				return nil
			})
		}, []string{"one", "two"}},
		{"one's own write", func() error { return notes().Global(reader).Create(t.Context(), note{ID: "own"}) }, []string{notes().Name}},
		{"very many collections", func() error {
			return writer.Tx(t.Context(), func(tx docs.Handle) error {
				for i := range 300 {
					if err := named(fmt.Sprint("a.collection.with.a.long.name.", i)).Global(tx).Create(t.Context(), note{ID: "a"}); err != nil {
						return err
					}
				}
				return nil
			})
		}, nil},
		{"an app that is dropped", func() error {
			app := model.NewID()
			if err := named("one").In(writer, app).Create(t.Context(), note{ID: "x"}); err != nil {
				return err
			}
			hears(t, heard)
			return writer.DropApp(t.Context(), app)
		}, []string{"one"}},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.what, err)
		}
		if got := hears(t, heard); !slices.Equal(got, s.want) || (got == nil) != (s.want == nil) {
			t.Errorf("%s: heard %q, want %q", s.what, got, s.want)
		}
	}
	// What does not write is not heard of.
	if err := notes().Global(writer).Create(t.Context(), note{ID: "a"}); err == nil {
		t.Error("a document is made twice")
	}
	_ = writer.Tx(t.Context(), func(tx docs.Handle) error {
		_ = notes().Global(tx).Create(t.Context(), note{ID: "given up"})
		return context.Canceled
	})
	name := strings.TrimPrefix(mustParse(t, dsn).Path, "/")
	server.SQL(t, name, `NOTIFY quipu_docs_changed, ''`)
	if got := hears(t, heard); got != nil {
		t.Errorf("heard %q of an empty notification, want anything", got)
	}
	server.SQL(t, name, `SELECT pg_notify('quipu_docs_changed', repeat('x,', 3900))`)
	if got := hears(t, heard); got != nil {
		t.Errorf("heard %d names of a long notification, want anything", len(got))
	}
	server.SQL(t, name, `SELECT pg_notify('quipu_docs_changed', E'\n,,\'')`)
	hears(t, heard)
	select {
	case got := <-heard:
		t.Errorf("heard %q", got)
	case <-time.After(2 * patience):
	}
}

// TestListenAgain listens through a server that restarts, and through one that answers no more for a while: each time it begins again, and says that
// anything may have changed.
func TestListenAgain(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	relay := newRelay(t, mustParse(t, dsn).Host)
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: relay.through(t, dsn), Log: slog.New(slog.DiscardHandler), Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	heard := listening(t, db)
	server.Restart(t)
	if got := hears(t, heard); got != nil {
		t.Errorf("after a restart: %q", got)
	}
	relay.stall(true)
	time.Sleep(4 * patience) // it gives the connection up
	relay.stall(false)
	if got := hears(t, heard); got != nil {
		t.Errorf("after a stall: %q", got)
	}
	c := notes().Global(open(t, dsn))
	if err := c.Create(t.Context(), note{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	for { // attempts to connect that were stalled may come through, too
		if got := hears(t, heard); got != nil {
			break
		}
	}
}
