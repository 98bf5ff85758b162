package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func open(t *testing.T, dsn string) *postgres.Store {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Log: slog.New(slog.DiscardHandler)})
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

func empty(t *testing.T) docs.DB {
	t.Helper()
	return open(t, pgtest.Shared(t).Database(t))
}

func TestPostgreSQL(t *testing.T)     { docstest.Concurrent(t, empty) }
func TestWalkPostgreSQL(t *testing.T) { docstest.Sequential(t, empty) }

// TestDamage changes rows behind the store's back, each in another way.
func TestDamage(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	name := strings.TrimPrefix(mustParse(t, dsn).Path, "/")
	db := open(t, dsn)
	c := notes().Global(db)
	for i := range 700 {
		if err := c.Create(t.Context(), note{ID: fmt.Sprint(i), Text: fmt.Sprint("text ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Check(t.Context()); err != nil {
		t.Fatalf("before: %v", err)
	}
	for _, test := range []struct{ damage, repair string }{
		{"UPDATE documents SET body = replace(body, 'text 650', 'text 651') WHERE key = '650'", "UPDATE documents SET body = replace(body, 'text 651', 'text 650') WHERE key = '650'"},
		{"UPDATE documents SET doc = doc || '{\"text\":\"other\"}' WHERE key = '7'", "UPDATE documents SET doc = doc || '{\"text\":\"text 7\"}' WHERE key = '7'"},
		{"UPDATE entries SET value = value || '\\x00' WHERE document = 3", "UPDATE entries SET value = substring(value FROM 1 FOR length(value) - 1) WHERE document = 3"},
		{"UPDATE documents SET version = 2 WHERE key = '0'", "UPDATE documents SET version = 1 WHERE key = '0'"},
	} {
		server.SQL(t, name, "SET search_path = quipu_docs; "+test.damage)
		if err := db.Check(t.Context()); fault.CodeOf(err) != "docs.corrupt" {
			t.Errorf("%s: %v, want docs.corrupt", test.damage, err)
		}
		server.SQL(t, name, "SET search_path = quipu_docs; "+test.repair)
		if err := db.Check(t.Context()); err != nil {
			t.Fatalf("%s: %v", test.repair, err)
		}
	}
	server.SQL(t, name, "UPDATE quipu_docs.documents SET body = '{}' WHERE key = '1'")
	if _, err := c.Get(t.Context(), "1"); fault.CodeOf(err) != "docs.corrupt" {
		t.Errorf("a document that was changed is read: %v", err)
	}
}

// TestOpen refuses what is not its own.
func TestOpen(t *testing.T) {
	server := pgtest.Shared(t)
	const secret = "hunter2-and-more"
	refused := func(name, dsn, code, want string) {
		t.Helper()
		var log bytes.Buffer
		db, err := postgres.Open(t.Context(), postgres.Options{
			DSN: dsn, Wait: 300 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		if err == nil {
			_ = db.Close()
			t.Errorf("%s: opened", name)
			return
		}
		if fault.CodeOf(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, code %q, want %q, code %q", name, err, fault.CodeOf(err), want, code)
		}
		if all := fmt.Sprintf("%v %+v %s", err, err, &log); strings.Contains(all, secret) {
			t.Errorf("%s: the password is in %s", name, all)
		}
	}
	database := func(statements string) string {
		t.Helper()
		dsn := server.Database(t)
		server.SQL(t, strings.TrimPrefix(mustParse(t, dsn).Path, "/"), statements)
		return dsn
	}
	with := func(dsn string, change func(*url.URL)) string {
		u := mustParse(t, dsn)
		change(u)
		return u.String()
	}
	password := func(u *url.URL) { u.User = url.UserPassword("quipu", secret) }
	good := server.Database(t)
	refused("no address", "", "", "postgres://")
	refused("no number", "postgres://quipu:"+secret+"@127.0.0.1:port/x", "", "postgres://")
	refused("no pair", "host=127.0.0.1 password='"+secret+" x", "", "postgres://")
	refused("TLS that the server has not", with(good, func(u *url.URL) { password(u); u.RawQuery = "sslmode=require" }), "docs.unavailable", "cannot be reached")
	refused("no such database", with(good, func(u *url.URL) { password(u); u.Path = "/none" }), "", "does not exist")
	refused("nobody there", with(good, func(u *url.URL) { password(u); u.Host = "127.0.0.1:1" }), "docs.unavailable", "cannot be reached")
	refused("another's tables", database("CREATE SCHEMA quipu_docs; CREATE TABLE quipu_docs.collections (x int)"), "docs.foreign", "another program")
	refused("newer tables", database("CREATE SCHEMA quipu_docs; CREATE TABLE quipu_docs.format (version int); INSERT INTO quipu_docs.format VALUES (9)"), "docs.newer_format", "newer version")
	server.SQL(t, "postgres", "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
	refused("an encoding without most signs", server.Address("latin"), "", "UTF8")
	if _, err := postgres.Open(t.Context(), postgres.Options{DSN: good, Schema: `x"; DROP`, Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a schema that breaks out of its name is opened")
	}
}

// TestOpenTogether makes the tables from several processes at once.
func TestOpenTogether(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			db, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Error(err)
				return
			}
			if err := notes().Global(db).Create(t.Context(), note{ID: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n, err := notes().Global(open(t, dsn)).Count(t.Context(), docs.Query{}); n != 5 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
}

// TestTwoProcesses writes through two stores of the same tables: neither loses what the other writes.
func TestTwoProcesses(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	one, two := open(t, dsn), open(t, dsn)
	if err := notes().Global(one).Create(t.Context(), note{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	before, err := notes().Global(two).Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i, db := range []*postgres.Store{one, two, one, two} {
		wg.Go(func() {
			for range 10 {
				var err error
				if i < 2 {
					_, err = notes().Global(db).Update(t.Context(), "a", func(n *note) error { n.N++; return nil })
				} else {
					err = db.Tx(t.Context(), func(tx docs.Handle) error {
						n, err := notes().Global(tx).Get(t.Context(), "a")
						if err != nil {
							return err
						}
						n.N++
						return notes().Global(tx).Put(t.Context(), n)
					})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := notes().Global(two).Get(t.Context(), "a")
	if got.N != 40 || err != nil {
		t.Errorf("got %d, %v, want 40", got.N, err)
	}
	if after, err := notes().Global(one).Generation(t.Context()); after == before || err != nil {
		t.Errorf("the generation that another process sees stays at %d (%v)", after, err)
	}
}

// TestOwn refuses a second owner while the first is there, also after the first has lost its connection.
func TestOwn(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	own := func(dsn string) (*postgres.Store, error) {
		return postgres.Open(t.Context(), postgres.Options{DSN: dsn, Own: true, Log: slog.New(slog.DiscardHandler)})
	}
	first, err := own(dsn)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		if err := notes().Global(first).Create(t.Context(), note{ID: id}); err != nil {
			t.Fatal(err)
		}
		if db, err := own(dsn + "&lock_timeout=200"); fault.CodeOf(err) != "docs.busy" {
			t.Errorf("a second owner: %v, want docs.busy", err)
			if err == nil {
				_ = db.Close()
			}
		}
		server.Restart(t)
		if err := notes().Global(first).Put(t.Context(), note{ID: id, Text: "after"}); err != nil { // claims them again
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	err = first.Tx(gone, func(tx docs.Handle) error {
		cancel()
		return notes().Global(tx).Create(gone, note{ID: "c"})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a transaction that was cancelled: %v", err)
	}
	if err := notes().Global(first).Create(t.Context(), note{ID: "c"}); err != nil {
		t.Errorf("a write after one that was cancelled: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := own(dsn)
	if err != nil {
		t.Fatalf("after the first has closed them: %v", err)
	}
	if n, err := notes().Global(second).Count(t.Context(), docs.Query{}); n != 3 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// TestCrash takes the server away in the midst of reads and writes: reads wait for it, and what was acknowledged is there.
func TestCrash(t *testing.T) {
	server := pgtest.Shared(t)
	db := open(t, server.Database(t))
	c := notes().Global(db)
	for i := range 20 {
		if err := c.Create(t.Context(), note{ID: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	server.Restart(t)
	if n, err := c.Count(t.Context(), docs.Query{}); n != 20 || err != nil {
		t.Errorf("after a crash: %d, %v, want 20", n, err)
	}
	server.Restart(t)
	if err := c.Create(t.Context(), note{ID: "after"}); err != nil {
		t.Errorf("a write after a crash: %v", err)
	}
	err := db.Tx(t.Context(), func(tx docs.Handle) error {
		if err := notes().Global(tx).Create(t.Context(), note{ID: "during"}); err != nil {
			return err
		}
		server.Restart(t)
		return notes().Global(tx).Create(t.Context(), note{ID: "never"})
	})
	if fault.CodeOf(err) != "docs.unavailable" {
		t.Errorf("a transaction that lost its server: %v", err)
	}
	if n, err := c.Count(t.Context(), docs.Query{}); n != 21 || err != nil {
		t.Errorf("at the end: %d, %v, want 21", n, err)
	}
}

// TestBusy waits no longer for a lock than it may.
func TestBusy(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	one, two := open(t, dsn), open(t, dsn+"&lock_timeout=200")
	err := one.Tx(t.Context(), func(docs.Handle) error {
		return notes().Global(two).Create(t.Context(), note{ID: "a"})
	})
	if fault.CodeOf(err) != "docs.busy" {
		t.Errorf("got %v, want docs.busy", err)
	}
	if err := notes().Global(two).Create(t.Context(), note{ID: "a"}); err != nil {
		t.Error(err)
	}
}

// TestHalted has one process stop in the middle of a write, as one that is halted or cut off does: another, which waits its turn, can write all the same, and the first one's write fails.
func TestHalted(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it waits until the server gives up on a process")
	}
	dsn := pgtest.Shared(t).Database(t)
	one, two := open(t, dsn), open(t, dsn)
	began := make(chan struct{})
	written := make(chan error, 1)
	go func() {
		<-began
		written <- notes().Global(two).Create(t.Context(), note{ID: "b"})
	}()
	err := one.Tx(t.Context(), func(tx docs.Handle) error {
		if err := notes().Global(tx).Create(t.Context(), note{ID: "a"}); err != nil {
			return err
		}
		close(began)
		if err := <-written; err != nil {
			t.Errorf("the other process: %v", err)
		}
		return nil
	})
	if err == nil {
		t.Error("a write was committed whose turn was over")
	}
	if _, err := notes().Global(two).Get(t.Context(), "a"); fault.CodeOf(err) != fault.CodeOf(docs.ErrNotFound()) {
		t.Errorf("the write of the first process: %v", err)
	}
	if err := notes().Global(one).Create(t.Context(), note{ID: "a"}); err != nil {
		t.Errorf("the first process, later: %v", err)
	}
}

// TestScrub looks for deleted documents in the files of the tables.
func TestScrub(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	name := strings.TrimPrefix(mustParse(t, dsn).Path, "/")
	db := open(t, dsn)
	c := notes().Global(db)
	for i := range 200 {
		if err := c.Create(t.Context(), note{ID: fmt.Sprint(i), Text: "somebody@example.org"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.DeleteWhere(t.Context(), docs.Query{Where: []docs.Cond{docs.Ne("", "7")}}); err != nil {
		t.Fatal(err)
	}
	size := func() string { return server.SQL(t, name, "SELECT pg_relation_size('quipu_docs.documents') > 8192") }
	if size() != "t" {
		t.Fatal("before: the table has one page, so the test can tell nothing")
	}
	if err := db.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if size() != "f" {
		t.Error("deleted documents are still in the file of the table")
	}
	if n, err := c.Count(t.Context(), docs.Query{}); n != 1 || err != nil {
		t.Errorf("%d documents are left (%v), want 1", n, err)
	}
}

type note struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
	N    int    `json:"n"`
}

func (n note) Key() string   { return n.ID }
func (note) Validate() error { return nil }

func notes() docs.Spec[note] {
	return docs.Spec[note]{Name: "notes", Version: 1, Indexes: []docs.Index[note]{{Name: "text", Path: ".text"}}}
}

func mustParse(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
