package postgres_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/pgtest"
)

// TestShut refuses all writes, of every process and of any version, while reads go on, until writes are taken again.
func TestShut(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	name := strings.TrimPrefix(mustParse(t, dsn).Path, "/")
	one, two := open(t, dsn), open(t, dsn)
	ctx := t.Context()
	app := model.AppID{1}
	for _, id := range []string{"a", "b"} {
		if err := notes().In(one, app).Create(ctx, note{ID: id, Text: "before"}); err != nil {
			t.Fatal(err)
		}
	}
	other := notes()
	other.Name = "others"
	changed := notes()
	changed.Indexes = nil
	writes := func(db docs.DB) map[string]func() error {
		in := notes().In(db, app)
		return map[string]func() error{
			"create": func() error { return in.Create(ctx, note{ID: "c"}) },
			"put":    func() error { return in.Put(ctx, note{ID: "a", Text: "after"}) },
			"update": func() error {
				_, err := in.Update(ctx, "a", func(n *note) error { n.N++; return nil })
				return err
			},
			"delete":           func() error { return in.Delete(ctx, "a") },
			"delete of nobody": func() error { return in.Delete(ctx, "none") },
			"delete where":     func() error { _, err := in.DeleteWhere(ctx, docs.Query{}); return err },
			"drop":             func() error { return db.DropApp(ctx, app) },
			"in a transaction": func() error {
				return db.Tx(ctx, func(tx docs.Handle) error { return notes().In(tx, app).Put(ctx, note{ID: "a"}) })
			},
			"many": func() error {
				return db.Tx(ctx, func(tx docs.Handle) error { return notes().In(tx, app).CreateAll(ctx, []note{{ID: "x"}, {ID: "y"}}) })
			},
			"a new collection": func() error { return other.Global(db).Create(ctx, note{ID: "a"}) },
			"another form":     func() error { _, err := changed.In(db, app).Get(ctx, "a"); return err },
		}
	}
	refused := func(who string, db docs.DB) {
		t.Helper()
		for what, do := range writes(db) {
			err := do()
			if fault.CodeOf(err) != "docs.moved" || fault.KindOf(err) != fault.Unavailable {
				t.Errorf("%s, %s: %v, want docs.moved", who, what, err)
			}
		}
		all, err := notes().In(db, app).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("text", "before")}})
		if err != nil || len(all) != 2 || all[0].Text != "before" || all[0].N != 0 {
			t.Errorf("%s reads %v, %v", who, all, err)
		}
	}
	for range 2 { // the second changes nothing
		if err := one.Shut(ctx); err != nil {
			t.Fatal(err)
		}
	}
	refused("who did it", one)
	refused("another", two)
	three := open(t, dsn)
	refused("one that starts", three)
	_, err := three.Import(ctx, "notes", 1, func(func(docs.Record, error) bool) {})
	if fault.CodeOf(err) != "docs.moved" {
		t.Errorf("an import: %v, want docs.moved", err)
	}
	for _, sql := range []string{"DELETE FROM documents", "TRUNCATE documents, entries", "UPDATE collections SET generation = 0", "SET session_replication_role = replica; DELETE FROM entries"} {
		got := server.SQL(t, name, "SET search_path = quipu_docs; DO $$ BEGIN EXECUTE '"+strings.ReplaceAll(sql, "; ", "'; EXECUTE '")+"'; EXCEPTION WHEN SQLSTATE 'QP003' THEN RETURN; END $$; SELECT count(*) FROM entries")
		if !strings.HasSuffix(got, "2") {
			t.Errorf("%s by another program: %s", sql, got)
		}
	}
	n := 0
	err = two.Export(ctx, func(_ string, _ int, records iter.Seq2[docs.Record, error]) error {
		for _, err := range records {
			if n++; err != nil {
				return err
			}
		}
		return nil
	})
	if n != 2 || err != nil {
		t.Errorf("exported %d documents, %v", n, err)
	}
	if err := two.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestShutTogether shuts the documents among writes of another process: what was acknowledged is what is there.
func TestShutTogether(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	one, two := open(t, dsn), open(t, dsn)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	acknowledged := 0
	some := make(chan struct{})
	wg.Go(func() {
		for i := 0; ; i++ {
			err := notes().Global(two).Create(ctx, note{ID: fmt.Sprint(i)})
			if err != nil {
				if fault.CodeOf(err) != "docs.moved" {
					t.Errorf("document %d: %v, want docs.moved", i, err)
				}
				return
			}
			if acknowledged = i + 1; acknowledged == 10 {
				close(some)
			}
		}
	})
	<-some
	if err := one.Shut(ctx); err != nil {
		t.Fatal(err)
	}
	n, err := notes().Global(one).Count(ctx, docs.Query{})
	wg.Wait()
	if n != acknowledged || err != nil {
		t.Errorf("%d documents are there, %d were acknowledged, %v", n, acknowledged, err)
	}
}
