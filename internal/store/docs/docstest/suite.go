// Package docstest holds the suite that every engine of package docs
// passes, in two halves, and a wrapper that makes a store fail on demand.
package docstest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// item is the document of the suite.
type item struct {
	ID    string   `json:"_id"`
	Name  string   `json:"name"`
	Email string   `json:"email,omitempty"`
	N     float64  `json:"n"`
	Flag  *bool    `json:"flag"`
	Tags  []string `json:"tags"`
	Place place    `json:"place"`
}

type place struct {
	City string `json:"city,omitempty"`
	Zip  any    `json:"zip,omitempty"` // text or a number
}

// Key returns the document's id.
func (i item) Key() string { return i.ID }

// Validate refuses documents without a name.
func (i item) Validate() error {
	if i.Name == "" {
		return fault.New(fault.Invalid, "item.no_name", "Missing name")
	}
	return nil
}

func items() docs.Spec[item] {
	return docs.Spec[item]{
		Name: "docstest.items", Version: 1,
		Indexes: []docs.Index[item]{
			{Name: "email", Unique: true, Fold: true, Of: func(i item) []any {
				if i.Email == "" {
					return nil
				}
				return []any{i.Email}
			}},
			{Name: "tags", Path: ".tags"},
			{Name: "n", Path: ".n"},
			{Name: "name", Path: ".name", Fold: true, Order: true},
			{Name: "zip", Path: ".place.zip", Order: true},
			{Name: "tag", Path: ".tags", Order: true},
		},
		Search: []docs.Field{".name", ".place.city"},
	}
}

// part is a part of the suite, which runs on a store of its own.
type part struct {
	name string
	run  func(*testing.T, docs.DB)
}

// Sequential runs what does one thing after the other on stores that open makes; each is empty and is closed
// by open's own cleanup. The other half of the suite is Concurrent.
func Sequential(t *testing.T, open func(t *testing.T) docs.DB) {
	t.Helper()
	run(t, open, []part{
		{"random operations", testRandom},
		{"long lists", testLongLists},
		{"search", testSearch},
		{"filter", testFilter},
		{"faults", testFaults},
		{"tenants", testTenants},
		{"many at once", testCreateAll},
		{"odd texts", testOddTexts},
		{"large documents", testLargeDocuments},
		{"migration", testMigration},
		{"random filters", testFilters},
		{"large filters", testLargeFilters},
	})
}

// Concurrent runs the other half of the suite: what several callers do at a time, and what one of them sees of another.
func Concurrent(t *testing.T, open func(t *testing.T) docs.DB) {
	t.Helper()
	run(t, open, []part{
		{"concurrent updates", testConcurrentUpdates},
		{"unique races", testUniqueRaces},
		{"transactions", testTransactions},
		{"bounded collections", testCreateUpTo},
		{"nested loops", testNestedLoops},
		{"generation", testGeneration},
		{"lost updates", testLostUpdates},
		{"cancellation", testCancellation},
	})
}

func run(t *testing.T, open func(t *testing.T) docs.DB, suite []part) {
	t.Helper()
	for _, p := range suite {
		t.Run(p.name, func(t *testing.T) { p.run(t, open(t)) })
	}
}

// testCreateAll stores many documents together: they are found as those that were stored one by one, and where one cannot be stored none is.
func testCreateAll(t *testing.T, db docs.DB) {
	t.Helper()
	ctx, r := t.Context(), rand.New(rand.NewPCG(rand.Uint64(), 1)) // not for secrets
	one, many := model.AppID{1}, model.AppID{2}
	texts := []string{"", "a", "\x00", "Zoë", "\u2028", `"x"`, "b\\"}
	list := make([]item, 60)
	for i := range list {
		yes := i%2 == 0
		list[i] = item{ID: fmt.Sprint("id", i, strings.Trim(texts[i%len(texts)], "\x00")), Name: "n" + texts[r.IntN(len(texts))], N: float64(r.IntN(5)), Flag: &yes, Place: place{City: texts[r.IntN(len(texts))], Zip: r.IntN(3)}}
		for range r.IntN(3) {
			list[i].Tags = append(list[i].Tags, fmt.Sprint("tag", r.IntN(4)))
		}
		if err := items().In(db, one).Create(ctx, list[i]); err != nil {
			t.Fatal(err)
		}
	}
	all := func(list []item) error {
		return db.Tx(ctx, func(tx docs.Handle) error { return items().In(tx, many).CreateAll(ctx, list) })
	}
	if err := errors.Join(all(nil), all(list)); err != nil {
		t.Fatal(err)
	}
	for _, q := range []docs.Query{{}, {Sort: "name"}, {Sort: "zip", Desc: true}, {Where: []docs.Cond{docs.Eq("tags", "tag1")}}, {Where: []docs.Cond{docs.Eq("n", 2.0)}}, {Search: "zoë"}} {
		want, err := items().In(db, one).All(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := items().In(db, many).All(ctx, q)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%+v: %v, one by one against together: %s", q, err, diff)
		}
	}
	for what, list := range map[string][]item{
		"a key that is taken": {{ID: "new", Name: "n"}, list[3]}, "a key twice": {{ID: "new", Name: "n"}, {ID: "new", Name: "n"}},
		"no name": {{ID: "new", Name: "n"}, {ID: "bad"}}, "an address twice": {{ID: "new", Name: "n", Email: "x"}, {ID: "newer", Name: "n", Email: "X"}},
	} {
		if err := all(list); err == nil {
			t.Errorf("%s is stored", what)
		}
	}
	if n, err := items().In(db, many).Count(ctx, docs.Query{}); n != len(list) || err != nil {
		t.Errorf("%d documents, want %d; %v", n, len(list), err)
	}
}

// testCreateUpTo lets many transactions create in a collection that has room for some: those of another app do not count.
func testCreateUpTo(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	if err := items().In(db, model.AppID{2}).Create(ctx, item{ID: "other", Name: "n"}); err != nil {
		t.Fatal(err)
	}
	const most = 3
	var full atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 * most {
		wg.Go(func() {
			err := db.Tx(ctx, func(tx docs.Handle) error {
				return items().In(tx, model.AppID{1}).CreateUpTo(ctx, item{ID: fmt.Sprint(i), Name: "n"}, most, errStop)
			})
			switch {
			case errors.Is(err, errStop):
				full.Add(1)
			case err != nil:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n, err := items().In(db, model.AppID{1}).Count(ctx, docs.Query{}); err != nil || n != most || full.Load() != most {
		t.Errorf("%d documents, %d refusals (%v), want %d each", n, full.Load(), err, most)
	}
}

var errStop = errors.New("stop")

func testRandom(t *testing.T, db docs.DB) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	ctx := t.Context()
	apps := []model.AppID{{}, {1}, {2}}
	m := newNaive()
	bind := func(app model.AppID) docs.Collection[item] {
		if app.IsZero() {
			return items().Global(db)
		}
		return items().In(db, app)
	}
	for step := range 600 {
		app := apps[r.IntN(len(apps))]
		c := bind(app)
		doc := randomItem(r)
		k := naiveKey{app, doc.ID}
		old, exists := m.docs[k]
		var err error
		want := ""
		switch op := r.IntN(12); op {
		case 0, 1, 2:
			err = c.Create(ctx, doc)
			switch index := m.taken(app, doc); {
			case exists:
				want = "docs.exists"
			case index != "":
				want = "docs.duplicate." + index
			default:
				m.put(k, doc)
			}
		case 3:
			err = c.Put(ctx, doc)
			if index := m.taken(app, doc); index != "" {
				want = "docs.duplicate." + index
			} else {
				m.put(k, doc)
			}
		case 4, 5:
			var got item
			got, err = c.Update(ctx, doc.ID, func(i *item) error { *i = doc; return nil })
			switch index := m.taken(app, doc); {
			case !exists:
				want = "docs.not_found"
			case index != "":
				want = "docs.duplicate." + index
			default:
				m.put(k, doc)
				if diff := cmp.Diff(doc, got); diff != "" {
					t.Fatalf("step %d: update answered (-want +got):\n%s", step, diff)
				}
			}
		case 6:
			err = c.Delete(ctx, doc.ID)
			if !exists {
				want = "docs.not_found"
			}
			m.drop(k)
		case 7:
			if r.IntN(4) > 0 {
				break
			}
			q := docs.Query{Where: []docs.Cond{randomCond(r, 0), docs.Gt("n", 7.0)}}
			var n int
			n, err = c.DeleteWhere(ctx, q)
			gone := m.find(docs.Scope{App: app}, q)
			for _, g := range gone {
				m.drop(g)
			}
			if n != len(gone) {
				t.Fatalf("step %d: deleted %d by %+v, want %d", step, n, q, len(gone))
			}
		case 8:
			var got item
			got, err = c.Get(ctx, doc.ID)
			if !exists {
				want = "docs.not_found"
			} else if diff := cmp.Diff(old, got); diff != "" {
				t.Fatalf("step %d: get (-want +got):\n%s", step, diff)
			}
		default:
			compareQuery(t, db, c, m, app, randomQuery(r))
		}
		if got := fault.CodeOf(err); got != want || (err != nil && want == "") {
			t.Fatalf("step %d: got %v, want code %q", step, err, want)
		}
	}
}

func compareQuery(t *testing.T, db docs.DB, c docs.Collection[item], m *naive, app model.AppID, q docs.Query) {
	t.Helper()
	ctx := t.Context()
	var got, want []item
	for doc, err := range c.List(ctx, q) {
		if err != nil {
			t.Fatalf("list %+v: %v", q, err)
		}
		got = append(got, doc)
	}
	all := m.find(docs.Scope{App: app}, q)
	for _, k := range page(all, q) {
		want = append(want, m.docs[k])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("list %+v (-want +got):\n%s", q, diff)
	}
	if n, err := c.Count(ctx, q); err != nil || n != len(all) {
		t.Fatalf("count %+v: got %d, %v, want %d", q, n, err, len(all))
	}
	comparePage(t, c, m, app, q)
	keys := func(list iter.Seq2[docs.Found[item], error]) (out []naiveKey) {
		t.Helper()
		for f, err := range list {
			if err != nil {
				t.Fatalf("list of several apps %+v: %v", q, err)
			}
			out = append(out, naiveKey{f.App, f.Doc.ID})
		}
		return out
	}
	for name, part := range map[string]struct {
		across docs.Across[item]
		scope  docs.Scope
	}{
		"all":  {items().AcrossApps(db, "the suite compares all apps"), docs.Scope{All: true}},
		"two":  {items().Among(db, []model.AppID{{2}, {1}}), docs.Scope{Apps: []model.AppID{{1}, {2}}}},
		"one":  {items().Among(db, []model.AppID{{2}}), docs.Scope{Apps: []model.AppID{{2}}}},
		"none": {items().Among(db, nil), docs.Scope{Apps: []model.AppID{}}},
	} {
		got, want := keys(part.across.List(ctx, q)), page(m.find(part.scope, q), q)
		if !slices.Equal(got, want) {
			t.Fatalf("list of %s apps %+v: got %v, want %v", name, q, got, want)
		}
	}
}

// comparePage compares a page with its totals, and the tallies of what it is a page of.
func comparePage(t *testing.T, c docs.Collection[item], m *naive, app model.AppID, q docs.Query) {
	t.Helper()
	ctx := t.Context()
	for index, want := range m.tally(docs.Scope{App: app}, q, "tags", "name") {
		got, err := c.Tally(ctx, index, q)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("tally of %s, %+v: %v (-want +got):\n%s", index, q, err, diff)
		}
	}
	q.Limit = max(q.Limit, 2)
	all := m.find(docs.Scope{App: app}, q)
	want := docs.Page[item]{Docs: []item{}, Matching: len(all), Total: len(m.find(docs.Scope{App: app}, docs.Query{Where: q.Where}))}
	for _, k := range page(all, q) {
		want.Docs = append(want.Docs, m.docs[k])
	}
	got, err := c.Page(ctx, q)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("page %+v: %v (-want +got):\n%s", q, err, diff)
	}
}

func pick[T any](r *rand.Rand, vs ...T) T { return vs[r.IntN(len(vs))] }

func randomItem(r *rand.Rand) item {
	i := item{
		ID:    fmt.Sprintf("k%d", r.IntN(12)),
		Name:  pick(r, "Ada", "ada", "Élan", "Bob \"B\" O'Hara", "50%_", "<&>"),
		Email: pick(r, "", "", "a@x", "A@X", "b@x", "É@x"),
		N:     pick(r, -3, -0.5, 0, 1, 2, 10, 1e12),
		Tags:  pick(r, nil, []string{}, []string{"red"}, []string{"red", "blue"}, []string{"blue", "green", "blue"}),
		Place: place{City: pick(r, "", "Oslo", "ÉVORA"), Zip: pick[any](r, nil, "0123", 123.0, true)},
	}
	if b := r.IntN(3); b > 0 {
		v := b == 1
		i.Flag = &v
	}
	return i
}

func randomCond(r *rand.Rand, depth int) docs.Cond {
	if depth < 2 && r.IntN(6) == 0 {
		return pick(r, docs.Any, docs.All)(randomCond(r, depth+1), randomCond(r, depth+1))
	}
	text := func() any { return pick[any](r, "a@x", "A@X", "red", "blue", "Ada", "Oslo", "0123", "", "É@X") }
	number := func() any { return pick[any](r, -0.5, 0.0, 1.0, 123.0, 10.0) }
	f := pick[docs.Field](r, "email", "tags", "n", "name", "zip", "tag", ".name", ".n", ".place.city", ".place.zip", ".flag", ".none.at.all")
	switch r.IntN(11) {
	case 0:
		return docs.Eq(f, pick(r, text(), number(), true, false))
	case 1:
		return docs.Ne(f, pick(r, text(), number(), true))
	case 2:
		return docs.Lt(f, pick(r, text(), number()))
	case 3:
		return docs.Le(f, pick(r, text(), number()))
	case 4:
		return docs.Gt(f, pick(r, text(), number()))
	case 5:
		return docs.Ge(f, pick(r, text(), number()))
	case 6:
		return docs.In(f, text(), number(), true)
	case 7:
		return docs.Prefix(f, pick(r, "", "a", "A", "bl", "É", "é"))
	case 8:
		return docs.Exists(f)
	case 9:
		return docs.Missing(f)
	default:
		return docs.Has(".tags", pick[any](r, "red", "green", 1.0))
	}
}

func randomQuery(r *rand.Rand) docs.Query {
	q := docs.Query{
		Sort:   pick[docs.Field](r, "", "email", "tags", "n", "name", "zip", "tag", ".name", ".place.zip", ".flag", ".tags"),
		Desc:   r.IntN(2) == 0,
		Offset: pick(r, 0, 0, 1, 5),
		Limit:  pick(r, 0, 0, 1, 4, 1000),
		Search: pick(r, "", "", "ADA", "é", "%", "\"b"),
	}
	if r.IntN(3) == 0 {
		f, err := filter.Parse(pick(r, `{"tags":"red"}`, `{"place.zip":{"$gt":5}}`, `{"name":{"$regex":"^[aé]","$options":"i"}}`, `{"flag":{"$ne":true}}`,
			`{"$or":[{"n":{"$lt":1}},{"tags":{"$size":0}}]}`, `{"nothing":{"$exists":false}}`, `{"name":"x' OR 1=1 --"}`))
		if err != nil {
			panic(err)
		}
		q.Filter = f
	}
	for range r.IntN(3) {
		q.Where = append(q.Where, randomCond(r, 0))
	}
	return q
}

func testFaults(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().In(db, model.AppID{1})
	ok := item{ID: "a", Name: "Ada"}
	if err := c.Create(ctx, ok); err != nil {
		t.Fatal(err)
	}
	list := func(q docs.Query) error {
		_, err := c.All(ctx, q)
		return err
	}
	for _, test := range []struct {
		name string
		want string
		run  func() error
	}{
		{"validate", "item.no_name", func() error { return c.Create(ctx, item{ID: "b"}) }},
		{"empty key", "docs.invalid_key", func() error { return c.Put(ctx, item{Name: "x"}) }},
		{"long key", "docs.invalid_key", func() error { return c.Put(ctx, item{ID: strings.Repeat("k", 513), Name: "x"}) }},
		{"key with NUL", "docs.invalid_key", func() error { return c.Put(ctx, item{ID: "a\x00", Name: "x"}) }},
		{"unusable key is not found", "docs.not_found", func() error { _, err := c.Get(ctx, "a\xff"); return err }},
		{"key changed", "docs.key_changed", func() error {
			_, err := c.Update(ctx, "a", func(i *item) error { i.ID = "z"; return nil })
			return err
		}},
		{"unknown index", "docs.invalid_query", func() error { return list(docs.Query{Where: []docs.Cond{docs.Eq("nope", 1)}}) }},
		{"unknown order", "docs.invalid_query", func() error { return list(docs.Query{Sort: "nope"}) }},
		{"path with a quote", "docs.invalid_query", func() error { return list(docs.Query{Sort: `.a"b`}) }},
		{"page without a bound", "docs.invalid_query", func() error { _, err := c.Page(ctx, docs.Query{}); return err }},
		{"tally of no index", "docs.invalid_query", func() error { _, err := c.Tally(ctx, "nope", docs.Query{}); return err }},
		{"among no app", "docs.no_app", func() error { _, err := items().Among(db, []model.AppID{{}}).Count(ctx, docs.Query{}); return err }},
		{"negative offset", "docs.invalid_query", func() error { return list(docs.Query{Offset: -1}) }},
		{"no app", "docs.no_app", func() error { return items().In(db, model.AppID{}).Put(ctx, ok) }},
		{"drop no app", "docs.no_app", func() error { return db.DropApp(ctx, model.AppID{}) }},
		{"no reason", "docs.invalid_query", func() error {
			_, err := items().AcrossApps(db, "").Count(ctx, docs.Query{})
			return err
		}},
		{"first of nothing", "docs.not_found", func() error {
			_, err := c.First(ctx, docs.Query{Where: []docs.Cond{docs.Eq(".name", "Bob")}})
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fault.CodeOf(test.run()); got != test.want {
				t.Errorf("got code %q, want %q", got, test.want)
			}
		})
	}
	if _, err := c.Update(ctx, "a", func(*item) error { return errStop }); !errors.Is(err, errStop) {
		t.Errorf("update: got %v, want the function's own error", err)
	}
	if got, err := c.Get(ctx, "a"); err != nil || !cmp.Equal(got, ok) {
		t.Errorf("after refused updates: got %+v, %v", got, err)
	}
}

func testTenants(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	one, two, global := items().In(db, model.AppID{1}), items().In(db, model.AppID{2}), items().Global(db)
	for i, c := range []docs.Collection[item]{one, two, global} {
		// The same key and the same unique value live side by side in different apps.
		if err := c.Create(ctx, item{ID: "same", Name: fmt.Sprint(i), Email: "a@x"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.DropApp(ctx, model.AppID{1}); err != nil {
		t.Fatal(err)
	}
	for i, c := range []docs.Collection[item]{one, two, global} {
		n, err := c.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("email", "A@X")}})
		if err != nil || n != min(i, 1) {
			t.Errorf("collection %d holds %d documents (%v) after app 1 was dropped", i, n, err)
		}
	}
	if err := one.Create(ctx, item{ID: "new", Name: "n", Email: "a@x"}); err != nil {
		t.Errorf("the unique value of a dropped app is still taken: %v", err)
	}
}

func testConcurrentUpdates(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	if err := c.Create(ctx, item{ID: "counter", Name: "n"}); err != nil {
		t.Fatal(err)
	}
	const workers, rounds = 8, 10
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				if _, err := c.Update(ctx, "counter", func(i *item) error { i.N++; return nil }); err != nil {
					t.Errorf("update: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := c.Get(ctx, "counter"); err != nil || got.N != workers*rounds {
		t.Errorf("got %v, %v, want %d", got.N, err, workers*rounds)
	}
}

func testUniqueRaces(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	for round := range 5 {
		var created, refused atomic.Int32
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				email := fmt.Sprintf("u%d@X", round)
				if w%2 == 0 {
					email = strings.ToLower(email)
				}
				err := c.Create(ctx, item{ID: fmt.Sprintf("%d-%d", round, w), Name: "n", Email: email})
				switch {
				case err == nil:
					created.Add(1)
				case docs.DuplicateOf(err) == "email" && fault.KindOf(err) == fault.Conflict:
					refused.Add(1)
				default:
					t.Errorf("create: %v", err)
				}
			})
		}
		wg.Wait()
		if created.Load() != 1 || refused.Load() != 7 {
			t.Errorf("round %d: %d created, %d refused", round, created.Load(), refused.Load())
		}
	}
}

func testTransactions(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	err := db.Tx(ctx, func(tx docs.Handle) error {
		in := items().Global(tx)
		if err := in.Create(ctx, item{ID: "a", Name: "n", Email: "a@x"}); err != nil {
			return err
		}
		if _, err := in.Get(ctx, "a"); err != nil {
			t.Errorf("a transaction does not see its own write: %v", err)
		}
		if _, err := c.Get(ctx, "a"); !docs.IsNotFound(err) {
			t.Errorf("an uncommitted document is visible outside: %v", err)
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Errorf("got %v, want the function's error", err)
	}
	if n, err := c.Count(ctx, docs.Query{}); err != nil || n != 0 {
		t.Errorf("%d documents (%v) after a rolled back transaction", n, err)
	}
	err = db.Tx(ctx, func(tx docs.Handle) error {
		in := items().Global(tx)
		if err := in.Create(ctx, item{ID: "a", Name: "n", Email: "a@x"}); err != nil {
			return err
		}
		// A refused write leaves no trace and the transaction goes on.
		if err := in.Create(ctx, item{ID: "b", Name: "n", Email: "A@X"}); docs.DuplicateOf(err) != "email" {
			t.Errorf("got %v, want a duplicate", err)
		}
		return items().In(tx, model.AppID{1}).Create(ctx, item{ID: "c", Name: "n"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := items().AcrossApps(db, "the suite counts everything").Count(ctx, docs.Query{}); err != nil || n != 2 {
		t.Errorf("%d documents (%v) after the commit, want 2", n, err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.Put(canceled, item{ID: "d", Name: "n"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a write with a cancelled context: %v", err)
	}
}

func testNestedLoops(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	const total = 600 // more than one chunk
	if err := db.Tx(ctx, func(tx docs.Handle) error {
		for i := range total {
			if err := items().Global(tx).Create(ctx, item{ID: fmt.Sprintf("%04d", i), Name: "n", N: float64(i)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	// Every loop reads and writes inside; with cursors held open this would
	// exhaust any pool.
	var wg sync.WaitGroup
	var seen atomic.Int32
	for w := range 16 {
		wg.Go(func() {
			for doc, err := range c.List(ctx, docs.Query{Sort: "n", Desc: true, Limit: 300, Offset: w}) {
				if err != nil {
					t.Errorf("list: %v", err)
					return
				}
				if _, err := c.Get(ctx, doc.ID); err != nil {
					t.Errorf("get: %v", err)
				}
				seen.Add(1)
			}
		})
	}
	wg.Wait()
	if seen.Load() != 16*300 {
		t.Errorf("saw %d documents, want %d", seen.Load(), 16*300)
	}
	n := 0
	for doc, err := range c.List(ctx, docs.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 {
			if err := c.Delete(ctx, "0500"); err != nil {
				t.Fatal(err)
			}
		}
		if doc.ID == "0500" {
			t.Error("a document deleted while the loop ran was yielded")
		}
	}
	if n != total-1 {
		t.Errorf("saw %d documents, want %d", n, total-1)
	}
}

func testGeneration(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().In(db, model.AppID{1})
	last, err := c.Generation(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name    string
		changes bool
		run     func() error
	}{
		{"create", true, func() error { return c.Create(ctx, item{ID: "a", Name: "n"}) }},
		{"read", false, func() error { _, err := c.Get(ctx, "a"); return err }},
		{"update", true, func() error {
			_, err := c.Update(ctx, "a", func(i *item) error { i.N = 1; return nil })
			return err
		}},
		{"update without a change", false, func() error {
			_, err := c.Update(ctx, "a", func(*item) error { return nil })
			return err
		}},
		{"other app", true, func() error { return items().In(db, model.AppID{2}).Put(ctx, item{ID: "a", Name: "n"}) }},
		{"delete", true, func() error { return c.Delete(ctx, "a") }},
		{"delete nothing", false, func() error { _, err := c.DeleteWhere(ctx, docs.Query{}); return err }},
		{"drop app", true, func() error { return db.DropApp(ctx, model.AppID{2}) }},
	} {
		if err := step.run(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		now, err := c.Generation(ctx)
		if grown := now - last; err != nil || (grown > 0) != step.changes || grown > 1 && last > 0 {
			t.Errorf("%s: generation went from %d to %d (%v), change by one wanted: %t", step.name, last, now, err, step.changes)
		}
		last = now
	}
}
