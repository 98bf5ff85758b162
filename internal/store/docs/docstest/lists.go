package docstest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// testLongLists reads page after page of a list that is too long to be sorted for each, under conditions that
// hold for most of it, for few, and for none.
func testLongLists(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	app := model.AppID{1}
	const total = 2600
	m := newNaive()
	if err := db.Tx(ctx, func(tx docs.Handle) error {
		for i := range total {
			doc := item{ID: fmt.Sprintf("%04d", i*7919%total), Name: fmt.Sprintf("Name %d", i%50), N: float64(i % 97), Tags: []string{"most"}}
			switch {
			case i%100 == 0:
				doc.Tags = []string{"rare", "most"}
			case i%13 == 0:
				doc.Tags = nil
			}
			m.put(naiveKey{app, doc.ID}, doc)
			if err := items().In(tx, app).Create(ctx, doc); err != nil {
				return err
			}
		}
		return items().In(tx, model.AppID{2}).Create(ctx, item{ID: "other", Name: "Name 1", Tags: []string{"most"}})
	}); err != nil {
		t.Fatal(err)
	}
	c := items().In(db, app)
	for name, where := range map[string][]docs.Cond{
		"all":           nil,
		"most":          {docs.Eq("tags", "most")},
		"rare":          {docs.Eq("tags", "rare")},
		"none":          {docs.Eq("tags", "none")},
		"both":          {docs.Eq("tags", "rare"), docs.Gt("n", 3.0)},
		"a range":       {docs.Ge("name", "name 3"), docs.Lt("name", "NAME 31")},
		"range of most": {docs.Ge("name", "name 3"), docs.Eq("tags", "most")},
		"some missing":  {docs.Missing("tag")},
		"not rare":      {docs.Ne("tags", "rare"), docs.Exists("tag")},
		"either":        {docs.Any(docs.Eq("tags", "rare"), docs.Eq("n", 5.0))},
	} {
		for _, sort := range []docs.Field{"name", "tag", ""} {
			for _, desc := range []bool{false, true} {
				q := docs.Query{Where: where, Sort: sort, Desc: desc, Limit: 40}
				all := m.find(docs.Scope{App: app}, q)
				for _, q.Offset = range []int{0, 40, 1290, total - 20, total} {
					want := page(all, q)
					got, err := c.Page(ctx, q)
					if err != nil {
						t.Fatalf("%s by %q: %v", name, sort, err)
					}
					same := slices.EqualFunc(got.Docs, want, func(i item, k naiveKey) bool { return i.ID == k.key })
					if !same || got.Total != len(all) || got.Matching != len(all) {
						t.Fatalf("%s by %q, down %t, from %d: %d of %d, want %d of %d", name, sort, desc, q.Offset, len(got.Docs), got.Matching, len(want), len(all))
					}
				}
			}
		}
	}
}

// testSearch compares texts as Unicode does, whatever their case and composition, and takes signs of other
// languages for what they are.
func testSearch(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	for i, name := range []string{
		"Straße", "ΟΔΟΣ", "İstanbul", "Café", "Cafe\u0301 noir", "50%_done", `a\b`, "it's", `say "yes"`, "nul\x00byte", "KELVIN \u212a", "日本", "*?[x]",
	} {
		if err := c.Create(ctx, item{ID: fmt.Sprintf("%02d", i), Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for needle, want := range map[string][]string{
		"STRASSE": {"Straße"}, "straß": {"Straße"}, "οδος": {"ΟΔΟΣ"}, "Οδοσ": {"ΟΔΟΣ"}, "i\u0307STANBUL": {"İstanbul"},
		"CAFÉ": {"Café", "Cafe\u0301 noir"}, "cafe\u0301": {"Café", "Cafe\u0301 noir"}, "%": {"50%_done"}, "_": {"50%_done"}, "50%": {"50%_done"}, "%done": nil,
		`\`: {`a\b`}, "'": {"it's"}, `"YES`: {`say "yes"`}, "\x00": {"nul\x00byte"}, "nul\x00BYTE": {"nul\x00byte"}, "kelvin k": {"KELVIN \u212a"}, "本": {"日本"},
		"*": {"*?[x]"}, "[X]": {"*?[x]"}, "' OR 1=1 --": nil, "') OR 1=1; DROP TABLE documents; --": nil, "\xff": nil, strings.Repeat("x", 100_000): nil,
	} {
		got, err := c.Page(ctx, docs.Query{Search: needle, Limit: 100})
		if err != nil {
			t.Errorf("search %.40q: %v", needle, err)
			continue
		}
		var names []string
		for _, i := range got.Docs {
			names = append(names, i.Name)
		}
		if !slices.Equal(names, want) || got.Matching != len(want) || got.Total != 13 {
			t.Errorf("search %.40q: got %q, %d of %d, want %q", needle, names, got.Matching, got.Total, want)
		}
	}
}

// testFilter gives a store filters that mean to break out of it.
func testFilter(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := items().Global(db)
	for _, name := range []string{"a", "b", "x' OR 'x'='x"} {
		if err := c.Create(ctx, item{ID: name, Name: name, Tags: []string{name}}); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		`{}`: "a b x' OR 'x'='x", `{"name":"x' OR 'x'='x"}`: "x' OR 'x'='x", `{"x') OR ('1":1}`: "", `{"$or":[{"name":"a"},{"tags":"b"}]}`: "a b",
		`{"name":{"$nin":["a","x' OR 'x'='x"]}}`: "b", `{"name":{"$regex":"%"}}`: "", `{"name\"]":{"$exists":false}}`: "a b x' OR 'x'='x",
	} {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Page(ctx, docs.Query{Filter: f, Limit: 10})
		var names []string
		for _, i := range got.Docs {
			names = append(names, i.Name)
		}
		if err != nil || strings.Join(names, " ") != want || got.Total != 3 {
			t.Errorf("filter %s: got %q, %v, want %q", text, names, err, want)
		}
	}
}

// tally counts what q selects by the values of indexes.
func (n *naive) tally(s docs.Scope, q docs.Query, indexes ...docs.Field) map[string][]docs.Tally {
	out := map[string][]docs.Tally{}
	for _, index := range indexes {
		counts := map[any]int{}
		for _, k := range n.find(s, q) {
			scalars, _, _, fold := values(n.docs[k], index)
			seen := map[any]bool{}
			for _, v := range scalars {
				if text, ok := v.(string); ok && fold {
					v = strings.ToLower(text)
				}
				if !seen[v] {
					seen[v] = true
					counts[v]++
				}
			}
		}
		var list []docs.Tally
		for v, count := range counts {
			list = append(list, docs.Tally{Value: v, Count: count})
		}
		slices.SortFunc(list, func(a, b docs.Tally) int { return cmp.Compare(fmt.Sprint(a.Value), fmt.Sprint(b.Value)) })
		out[string(index)] = list
	}
	return out
}
