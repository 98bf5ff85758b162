package docstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// testOddTexts keeps texts that mean something to databases, or nothing to most of them, as keys, values and in indexes.
func testOddTexts(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().In(db, model.AppID{1})
	texts := []string{
		"\x01", "\x01\x02\x02", "\x02", "\x03x", " ", "%", "'", "'; DROP TABLE documents; --", "\"", "$1", "()", "*", "..", "/", "?", "A", "\\", "\\x00", "a", "a b", "a\tb\nc\r",
		"null", "true", "{}", "\x7f", "é", "e\u0301", "ß", "İ", "日本", "\ufeff", "\ufffd", "\uffff", "\U0001f600", "\U0010ffff", strings.Repeat("k", 512),
	}
	slices.Sort(texts)
	want := make([]item, len(texts))
	for i, text := range texts {
		want[i] = item{ID: text, Name: text + "\x00" + text, Email: fmt.Sprint(i, text, "\x00@x"), Tags: []string{text, "\x00" + text}, Place: place{City: "\x00" + text}}
		if err := c.Create(ctx, want[i]); err != nil {
			t.Fatalf("create %q: %v", text, err)
		}
	}
	got, err := c.All(ctx, docs.Query{})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v; all by key (-want +got):\n%s", err, diff)
	}
	for i, text := range texts {
		for name, cond := range map[string]docs.Cond{
			"key": docs.Eq("", text), "keys": docs.In("", text, text+"\x00"), "index": docs.Eq("name", text+"\x00"+text), "path": docs.Eq(".place.city", "\x00"+text),
			"array": docs.Has(".tags", "\x00"+text), "several values": docs.Eq("tags", "\x00"+text), "part of an index": docs.All(docs.Prefix("email", fmt.Sprint(i, text, "\x00@")), docs.Eq("", text)),
			"part of a path": docs.All(docs.Prefix(".name", text+"\x00"), docs.Eq("", text)), "order": docs.All(docs.Ge("", text), docs.Le("", text)),
			"order of a path": docs.All(docs.Ge(".place.city", "\x00"+text), docs.Le(".place.city", "\x00"+text)),
		} {
			got, err := c.All(ctx, docs.Query{Where: []docs.Cond{cond}})
			if diff := cmp.Diff(want[i:i+1], got, cmp.Comparer(func(a, b []string) bool { return slices.Equal(a, b) })); name != "index" && diff != "" || err != nil {
				t.Errorf("%s %q: %v (-want +got):\n%s", name, text, err, diff)
			}
			if !slices.ContainsFunc(got, func(i item) bool { return i.ID == text }) { // an index without case may have found more
				t.Errorf("%s %q is not found", name, text)
			}
		}
		if n, err := c.Count(ctx, docs.Query{Where: []docs.Cond{docs.Lt("", text)}}); n != i || err != nil {
			t.Errorf("%d keys below %q (%v), want %d", n, text, err, i)
		}
		for _, key := range []string{text + "\x00", text + "\xff"} {
			if n, err := c.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("", key)}}); n != 0 || err != nil {
				t.Errorf("key %q: %d, %v", key, n, err)
			}
			if err := c.Delete(ctx, key); !docs.IsNotFound(err) {
				t.Errorf("delete %q: %v", key, err)
			}
		}
		if err := c.Create(ctx, item{ID: "other", Name: "n", Email: fmt.Sprint(i, text, "\x00@X")}); docs.DuplicateOf(err) != "email" {
			t.Errorf("unique %q: %v", text, err)
		}
	}
	for _, text := range texts {
		if err := c.Delete(ctx, text); err != nil {
			t.Errorf("delete %q: %v", text, err)
		}
	}
}

// testLargeDocuments keeps documents of megabytes, and values of indexes of which only the end differs.
func testLargeDocuments(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	long := strings.Repeat("日\x00", 50_000)
	var want []item
	for i, end := range []string{"a", "b", "c"} {
		doc := item{ID: end, Name: long + end, Email: long + end + "@x", N: float64(i), Place: place{City: strings.Repeat(end, 2<<20)}}
		for k := range 2_000 {
			doc.Tags = append(doc.Tags, fmt.Sprint("tag ", k))
		}
		want = append(want, doc)
	}
	for _, doc := range slices.Backward(want) {
		if err := c.Create(ctx, doc); err != nil {
			t.Fatal(err)
		}
	}
	got, err := c.All(ctx, docs.Query{Sort: "name"})
	if !slices.EqualFunc(got, want, func(a, b item) bool { return cmp.Equal(a, b) }) || err != nil {
		t.Errorf("%d large documents are not as they were written (%v)", len(got), err)
	}
	ids := func(q docs.Query) string {
		t.Helper()
		var out []string
		for doc, err := range c.List(ctx, q) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, doc.ID)
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		q    docs.Query
		want string
	}{
		{docs.Query{Where: []docs.Cond{docs.Eq("name", long+"B")}}, "b"},
		{docs.Query{Where: []docs.Cond{docs.Gt("name", long+"a")}, Sort: "name", Desc: true}, "c b"},
		{docs.Query{Where: []docs.Cond{docs.Lt("name", long+"c")}, Sort: "email"}, "a b"},
		{docs.Query{Where: []docs.Cond{docs.Prefix("email", long+"c")}}, "c"},
		{docs.Query{Where: []docs.Cond{docs.In("name", long, long+"c")}}, "c"},
		{docs.Query{Where: []docs.Cond{docs.Prefix(".place.city", strings.Repeat("b", 1<<20))}}, "b"},
		{docs.Query{Where: []docs.Cond{docs.Has(".tags", "tag 1999")}, Sort: "n", Limit: 1, Offset: 1}, "b"},
		{docs.Query{Search: strings.Repeat("C", 100_000)}, "c"},
	} {
		if got := ids(test.q); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if err := c.Create(ctx, item{ID: "d", Name: "n", Email: long + "B@X"}); docs.DuplicateOf(err) != "email" {
		t.Errorf("a long unique value is taken twice: %v", err)
	}
	if tags, err := c.Tally(ctx, "tags", docs.Query{}); len(tags) != 2_000 || tags[0].Count != 3 || err != nil {
		t.Errorf("%d tags, %v", len(tags), err)
	}
	if n, err := c.DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Exists("name")}}); n != 3 || err != nil {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// testLostUpdates lets transactions and updates of many goroutines change the same documents.
func testLostUpdates(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	for _, id := range []string{"a", "b"} {
		if err := c.Create(ctx, item{ID: id, Name: "n"}); err != nil {
			t.Fatal(err)
		}
	}
	const workers, rounds = 6, 8
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for range rounds {
				var err error
				if w%2 == 0 {
					_, err = c.Update(ctx, "a", func(i *item) error { i.N++; return nil })
				} else {
					err = db.Tx(ctx, func(tx docs.Handle) error { // reads both, writes both
						a, err := items().Global(tx).Get(ctx, "a")
						if err != nil {
							return err
						}
						b, err := items().Global(tx).Get(ctx, "b")
						if err != nil {
							return err
						}
						if _, err := c.Get(ctx, "b"); err != nil { // reads outside do not wait for it
							return err
						}
						a.N++
						b.N++
						return errors.Join(items().Global(tx).Put(ctx, a), items().Global(tx).Put(ctx, b))
					})
				}
				if err != nil {
					t.Errorf("worker %d: %v", w, err)
				}
			}
		})
	}
	wg.Wait()
	for id, want := range map[string]float64{"a": workers * rounds, "b": workers * rounds / 2} {
		if got, err := c.Get(ctx, id); err != nil || got.N != want {
			t.Errorf("%s is %v (%v), want %v", id, got.N, err, want)
		}
	}
	// A record is stored only over the revision that was read.
	l := layoutOf(t, db)
	r, err := db.Get(ctx, l, docs.Scope{}, "a")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if done, err := db.Replace(ctx, l, r); done != want || err != nil {
			t.Errorf("replace %d: %t, %v, want %t", i, done, err, want)
		}
	}
	if _, err := db.Replace(ctx, l, docs.Record{Key: "none", Rev: 1, Version: 1, Body: []byte("{}")}); !docs.IsNotFound(err) {
		t.Errorf("replace of nothing: %v", err)
	}
}

// layoutOf is the layout of items, as a collection hands it to its handle.
func layoutOf(t *testing.T, db docs.DB) *docs.Layout {
	t.Helper()
	var l *docs.Layout
	if _, err := items().Global(seeing{db, &l}).Count(t.Context(), docs.Query{}); err != nil {
		t.Fatal(err)
	}
	return l
}

// seeing keeps the layout that it is called with.
type seeing struct {
	docs.DB
	l **docs.Layout
}

// Ensure prepares a collection.
func (s seeing) Ensure(ctx context.Context, l *docs.Layout) error {
	*s.l = l
	return s.DB.Ensure(ctx, l)
}

// testCancellation gives up in the midst of reads, writes and transactions.
func testCancellation(t *testing.T, db docs.DB) {
	t.Helper()
	c := items().Global(db)
	for i := range 300 {
		if err := c.Create(t.Context(), item{ID: fmt.Sprintf("%03d", i), Name: "n"}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Tx(ctx, func(tx docs.Handle) error {
		if err := items().Global(tx).Delete(ctx, "000"); err != nil {
			return err
		}
		cancel()
		return items().Global(tx).Delete(ctx, "001")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a transaction that was cancelled: %v", err)
	}
	if err := db.Tx(t.Context(), func(docs.Handle) error { return ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a transaction whose function gave up: %v", err)
	}
	for name, run := range map[string]func() error{
		"get":    func() error { _, err := c.Get(ctx, "000"); return err },
		"count":  func() error { _, err := c.Count(ctx, docs.Query{}); return err },
		"list":   func() error { _, err := c.All(ctx, docs.Query{}); return err },
		"put":    func() error { return c.Put(ctx, item{ID: "000", Name: "other"}) },
		"delete": func() error { return c.Delete(ctx, "000") },
		"tx":     func() error { return db.Tx(ctx, func(docs.Handle) error { return nil }) },
	} {
		if err := run(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that it was cancelled", name, err)
		}
	}
	loop, stop := context.WithCancel(t.Context())
	defer stop()
	seen := 0
	for _, err = range c.List(loop, docs.Query{}) {
		if err != nil {
			break
		}
		seen++
		stop()
	}
	if !errors.Is(err, context.Canceled) || seen == 0 {
		t.Errorf("a list that was cancelled after its first document yielded %d and then %v", seen, err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic was swallowed")
			}
		}()
		_ = db.Tx(t.Context(), func(tx docs.Handle) error {
			if err := items().Global(tx).Delete(t.Context(), "000"); err != nil {
				return err
			}
			panic("stop")
		})
	}()
	// Nothing of all this is left behind, neither in the documents nor as a lock.
	if n, err := c.Count(t.Context(), docs.Query{Where: []docs.Cond{docs.Eq("name", "n")}}); n != 300 || err != nil {
		t.Errorf("%d documents, %v, want 300", n, err)
	}
	if err := c.Put(t.Context(), item{ID: "000", Name: "other"}); err != nil {
		t.Error(err)
	}
}

// memo has had two forms.
type memo struct {
	ID   string   `json:"_id"`
	Text string   `json:"text,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// Key returns the document's id.
func (m memo) Key() string { return m.ID }

// Validate accepts every document.
func (memo) Validate() error { return nil }

func memos(version int) docs.Spec[memo] {
	s := docs.Spec[memo]{Name: "docstest.memos", Version: version, Indexes: []docs.Index[memo]{{Name: "text", Path: ".text"}}}
	if version == 1 {
		return s
	}
	s.Indexes = []docs.Index[memo]{{Name: "tags", Path: ".tags"}, {Name: "tag", Path: ".tags", Order: true}}
	s.Search = []docs.Field{".tags", ".text"}
	s.Migrations = []func(json.RawMessage) (json.RawMessage, error){func(old json.RawMessage) (json.RawMessage, error) {
		var m memo
		if err := json.Unmarshal(old, &m); err != nil {
			return nil, err
		}
		if m.Text == "refused" {
			return nil, errStop
		}
		m.Tags = strings.Fields(m.Text)
		return json.Marshal(m)
	}}
	return s
}

// testMigration opens a collection in a newer form, and then in the older one.
func testMigration(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	old, apps := memos(1), []model.AppID{{1}, {2}}
	for i := range 600 {
		if err := old.In(db, apps[i%2]).Create(ctx, memo{ID: fmt.Sprintf("%03d", i), Text: fmt.Sprintf("n%d mod%d", i, i%7)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.In(db, apps[0]).Put(ctx, memo{ID: "x", Text: "refused"}); err != nil {
		t.Fatal(err)
	}
	now := memos(2)
	if _, err := now.In(db, apps[0]).Count(ctx, docs.Query{}); !errors.Is(err, errStop) {
		t.Fatalf("a migration that fails: %v", err)
	}
	if n, err := old.In(db, apps[0]).Count(ctx, docs.Query{Where: []docs.Cond{docs.Exists("text")}}); n != 301 || err != nil {
		t.Fatalf("after a migration that failed: %d, %v", n, err)
	}
	if err := old.In(db, apps[0]).Delete(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	before, err := now.In(db, apps[0]).Generation(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []docs.Query{{Where: []docs.Cond{docs.Eq("tags", "mod3")}, Sort: "tag"}, {Search: "MOD3"}} {
		n, err := now.AcrossApps(db, "the suite counts everything").Count(ctx, q)
		if n != 86 || err != nil {
			t.Errorf("%+v: %d, %v, want 86", q, n, err)
		}
	}
	if after, err := now.In(db, apps[0]).Generation(ctx); before == 0 || after < before || err != nil {
		t.Errorf("generation went from %d to %d (%v)", before, after, err)
	}
	if err := now.In(db, apps[1]).Put(ctx, memo{ID: "new", Tags: []string{"mod3"}}); err != nil {
		t.Error(err)
	}
	err = old.In(db, apps[0]).Put(ctx, memo{ID: "older"})
	if fault.CodeOf(err) != "docs.newer_version" {
		t.Errorf("the older program: %v", err)
	}
}
