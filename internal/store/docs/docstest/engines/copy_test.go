package engines_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest/engines"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// page is the document of the tests.
type page struct {
	ID    string `json:"_id"`
	Name  string `json:"name"`
	Text  string `json:"text"`
	Other string `json:"other"`
}

// Key returns the document's id.
func (p page) Key() string { return p.ID }

// Validate accepts.
func (page) Validate() error { return nil }

func pages() docs.Spec[page] {
	return docs.Spec[page]{
		Name: "copytest.pages", Version: 1, Search: []docs.Field{".text"},
		Indexes: []docs.Index[page]{{Name: "name", Path: ".name", Order: true}, {Name: "id", Unique: true, Of: func(p page) []any { return []any{p.ID} }}, {Name: "other", Path: ".other", Unique: true}},
	}
}

// copied is a store whose collections can be copied.
type copied interface {
	docs.DB
	Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[docs.Record, error]) error) error
	Import(ctx context.Context, collection string, version int, records iter.Seq2[docs.Record, error]) (bool, error)
	Check(ctx context.Context) error
}

var (
	_ copied = (*sqlite.Store)(nil)
	_ copied = (*postgres.Store)(nil)
)

// open opens a store of a kind again and again.
func open(t *testing.T, engine string) func() copied {
	t.Helper()
	again := engines.All()[engine](t)
	return func() copied {
		db, ok := again().(copied)
		if !ok {
			t.Fatalf("stores of %s cannot be copied", engine)
		}
		return db
	}
}

// copyAll copies all collections, and returns how many changed.
func copyAll(t *testing.T, from, to copied) (changed int) {
	t.Helper()
	err := from.Export(t.Context(), func(collection string, version int, records iter.Seq2[docs.Record, error]) error {
		did, err := to.Import(t.Context(), collection, version, records)
		if did {
			changed++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestCopy changes documents at random and copies them from SQLite to PostgreSQL and on to another file of SQLite, where some are changed and copied back: afterwards all have the same, by keys,
// indexes and searches. What is the same already changes nothing.
func TestCopy(t *testing.T) {
	t.Parallel()
	one, there, back := open(t, "sqlite")(), open(t, "postgres"), open(t, "sqlite")
	two, three := there(), back()
	r := rand.New(rand.NewPCG(7, 7)) // not for secrets
	apps := []model.AppID{model.NewID(), model.NewID()}
	key := func() string {
		return []string{"k", "K", "ä", "k\t", "\U0001F600", "\x01", "\x02\x03"}[r.IntN(7)] + fmt.Sprint(r.IntN(200))
	}
	texts := []string{"\x00", "\u2028", `"\u0000"`, "\x01\x02\x03", "Zoë", "<&>"}
	change := func(db docs.DB, times int) {
		t.Helper()
		err := db.Tx(t.Context(), func(tx docs.Handle) error {
			for range times {
				in := pages().In(tx, apps[r.IntN(2)])
				if r.IntN(5) == 0 {
					in = pages().Global(tx)
				}
				p := page{ID: key(), Name: fmt.Sprint("n", r.IntN(20)), Text: strings.Repeat("word ", r.IntN(9)) + texts[r.IntN(len(texts))], Other: fmt.Sprint(r.IntN(1 << 30))}
				var err error
				if r.IntN(4) > 0 {
					err = in.Put(t.Context(), p)
				} else if err = in.Delete(t.Context(), p.ID); fault.CodeOf(err) == "docs.not_found" {
					err = nil
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(round int, a, b copied) {
		t.Helper()
		for _, q := range []docs.Query{{}, {Where: []docs.Cond{docs.Eq("name", "n3")}}, {Search: "word"}, {Sort: "name"}} {
			want := found(t, a, apps, q)
			if diff := cmp.Diff(want, found(t, b, apps, q)); diff != "" || len(want) == 0 {
				t.Errorf("round %d, %+v: %d, -from +to\n%s", round, q, len(want), diff)
			}
		}
		if err := b.Check(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	copies := func(round int, from, to copied) {
		t.Helper()
		if n := copyAll(t, from, to); n != 1 {
			t.Errorf("round %d: %d collections changed, want 1", round, n)
		}
		if n := copyAll(t, from, to); n != 0 {
			t.Errorf("round %d: %d collections change that are the same", round, n)
		}
	}
	for round := range 3 {
		change(one, 400) // more than are read at a time
		if round == 1 {  // what is only there goes
			for _, db := range []docs.DB{two, three} {
				if err := pages().In(db, apps[0]).Put(t.Context(), page{ID: "own"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		copies(round, one, two)
		two = there() // as a process that finds them
		same(round, one, two)
		swap(t, two, apps[1])
		copies(round, two, three)
		three = back()
		same(round, two, three)
		swap(t, three, apps[1])
		change(three, 20)
		copies(round, three, two)
		two = there()
		same(round, three, two)
	}
}

// swap has two documents have each other's entry of a unique index.
func swap(t *testing.T, db docs.DB, app model.AppID) {
	t.Helper()
	in := pages().In(db, app)
	list := []page{{ID: "one", Other: "a"}, {ID: "two", Other: "b"}}
	if was, err := in.Get(t.Context(), "one"); err == nil && was.Other == "a" {
		list[0].Other, list[1].Other = "b", "a"
	}
	for _, p := range []page{{ID: "two", Other: "meanwhile"}, list[0], list[1]} {
		if err := in.Put(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Put(t.Context(), page{ID: "three", Other: "a"}); docs.DuplicateOf(err) != "other" {
		t.Errorf("an entry of a unique index, twice: %v", err)
	}
}

// found are the documents that a query selects, of apps and of none.
func found(t *testing.T, db docs.DB, apps []model.AppID, q docs.Query) (list []string) {
	t.Helper()
	for _, app := range append([]model.AppID{{}}, apps...) {
		in := pages().Global(db)
		if !app.IsZero() {
			in = pages().In(db, app)
		}
		all, err := in.All(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			list = append(list, fmt.Sprintf("%s %q", app, p))
		}
	}
	slices.Sort(list)
	return list
}

// TestCopyFails copies records that cannot be read to the end: nothing changes. Nor does it when who takes them fails.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		db := open(t, engine)()
		in := pages().Global(db)
		if err := in.Put(t.Context(), page{ID: "a", Text: "before"}); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken off")
		_, err := db.Import(t.Context(), pages().Name, 1, func(yield func(docs.Record, error) bool) {
			for i := range 1000 {
				if !yield(docs.Record{Key: fmt.Sprint(i), Version: 1, Rev: 1, Body: []byte(`{"_id":"x"}`)}, nil) {
					return
				}
			}
			yield(docs.Record{}, broken)
		})
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v, want %v", engine, err, broken)
		}
		err = db.Export(t.Context(), func(string, int, iter.Seq2[docs.Record, error]) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("%s: an export whose documents nobody takes: %v, want %v", engine, err, broken)
		}
		all, err := in.All(t.Context(), docs.Query{})
		if err != nil || len(all) != 1 || all[0].Text != "before" {
			t.Errorf("%s: %v, %v", engine, all, err)
		}
	}
}

// TestExportSnapshot changes documents in the midst of an export: it has those of its beginning, of all collections.
func TestExportSnapshot(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		db := open(t, engine)()
		second := pages()
		second.Name = "copytest.second"
		for _, of := range []docs.Spec[page]{pages(), second} {
			for i := range 600 {
				if err := of.Global(db).Put(t.Context(), page{ID: fmt.Sprint(i), Text: "before", Other: fmt.Sprint(i)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		n := 0
		err := db.Export(t.Context(), func(collection string, version int, records iter.Seq2[docs.Record, error]) error {
			for r, err := range records {
				if err != nil {
					return err
				}
				if n++; !strings.Contains(string(r.Body), "before") || version != 1 {
					return fmt.Errorf("document %s of %s, version %d: %s", r.Key, collection, version, r.Body)
				}
				if n == 1 {
					if _, err := second.Global(db).DeleteWhere(t.Context(), docs.Query{}); err != nil {
						return err
					}
					if err := pages().Global(db).Put(t.Context(), page{ID: "599", Text: "after"}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if n != 1200 || err != nil {
			t.Errorf("%s: %d documents, %v", engine, n, err)
		}
	}
}
