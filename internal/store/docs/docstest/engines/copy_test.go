package engines_test

import (
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
	ID   string `json:"_id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

// Key returns the document's id.
func (p page) Key() string { return p.ID }

// Validate accepts.
func (page) Validate() error { return nil }

func pages() docs.Spec[page] {
	return docs.Spec[page]{
		Name: "copytest.pages", Version: 1, Search: []docs.Field{".text"},
		Indexes: []docs.Index[page]{{Name: "name", Path: ".name", Order: true}, {Name: "id", Unique: true, Of: func(p page) []any { return []any{p.ID} }}},
	}
}

// copyAll copies all collections, and returns how many changed.
func copyAll(t *testing.T, from *sqlite.Store, to *postgres.Store) (changed int) {
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

// TestCopy changes documents at random and copies them from SQLite to PostgreSQL: afterwards both have the same, by keys, indexes and searches. What is the same already changes nothing.
func TestCopy(t *testing.T) {
	t.Parallel()
	one, there := engines.All()["sqlite"](t)().(*sqlite.Store), engines.All()["postgres"](t)
	two := there().(*postgres.Store)
	r := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // not for secrets
	apps := []model.AppID{model.NewID(), model.NewID()}
	key := func() string {
		return []string{"k", "K", "ä", "k\t", "\U0001F600"}[r.IntN(5)] + fmt.Sprint(r.IntN(300))
	}
	for round := range 3 {
		err := one.Tx(t.Context(), func(tx docs.Handle) error {
			for range 400 { // more than are read at a time
				in := pages().In(tx, apps[r.IntN(2)])
				if r.IntN(5) == 0 {
					in = pages().Global(tx)
				}
				p := page{ID: key(), Name: fmt.Sprint("n", r.IntN(20)), Text: strings.Repeat("word ", r.IntN(9)) + "\x00"}
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
		if round == 1 { // what is only there goes
			if err := pages().In(two, apps[0]).Put(t.Context(), page{ID: "own"}); err != nil {
				t.Fatal(err)
			}
		}
		if n := copyAll(t, one, two); n != 1 {
			t.Errorf("round %d: %d collections changed, want 1", round, n)
		}
		if n := copyAll(t, one, two); n != 0 {
			t.Errorf("round %d: %d collections change that are the same", round, n)
		}
		two = there().(*postgres.Store) // as a process that finds them
		for _, q := range []docs.Query{{}, {Where: []docs.Cond{docs.Eq("name", "n3")}}, {Search: "word"}, {Sort: "name"}} {
			if diff := cmp.Diff(found(t, one, apps, q), found(t, two, apps, q)); diff != "" {
				t.Errorf("round %d, %+v: -from +to\n%s", round, q, diff)
			}
		}
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

// TestCopyFails copies records that cannot be read to the end: nothing changes.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	db := engines.All()["postgres"](t)().(*postgres.Store)
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
		t.Errorf("%v, want %v", err, broken)
	}
	all, err := in.All(t.Context(), docs.Query{})
	if err != nil || len(all) != 1 || all[0].Text != "before" {
		t.Errorf("%v, %v", all, err)
	}
}
