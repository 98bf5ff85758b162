package docstest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// free is a document of any form.
type free map[string]any

// Key returns the document's id.
func (f free) Key() string {
	id, _ := f["_id"].(string)
	return id
}

// Validate accepts every document.
func (free) Validate() error { return nil }

func frees() docs.Spec[free] { return docs.Spec[free]{Name: "docstest.free", Version: 1} }

// testFilters compares random filters over random documents with what Match says of each.
func testFilters(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	app := model.AppID{1}
	var all []free
	if err := db.Tx(ctx, func(tx docs.Handle) error {
		for i := range 200 {
			doc := free{"_id": fmt.Sprintf("%03d", i)}
			for range r.IntN(6) {
				doc[pick(r, names()...)] = randomTree(r, 0)
			}
			all = append(all, doc)
			if err := frees().In(tx, app).Create(ctx, doc); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c := frees().In(db, app)
	matched := 0
	for range 400 {
		f, err := filter.Parse(randomFilter(r, 0))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, doc := range all {
			if f.Match(filter.MapDoc(again(t, doc))) {
				want = append(want, doc.Key())
			}
		}
		matched += min(len(want), 1)
		var got []string
		for doc, err := range c.List(ctx, docs.Query{Filter: f}) {
			if err != nil {
				t.Fatalf("filter %s: %v", f, err)
			}
			got = append(got, doc.Key())
		}
		if !slices.Equal(got, want) {
			for _, doc := range all {
				if slices.Contains(got, doc.Key()) != slices.Contains(want, doc.Key()) {
					body, _ := json.Marshal(doc)
					t.Fatalf("filter %s selects %q: %t, want %t", f, body, slices.Contains(got, doc.Key()), slices.Contains(want, doc.Key()))
				}
			}
			t.Fatalf("filter %s selects %q, want %q", f, got, want)
		}
		if n, err := c.Count(ctx, docs.Query{Filter: f}); err != nil || n != len(want) {
			t.Fatalf("filter %s counts %d (%v), want %d", f, n, err, len(want))
		}
	}
	if matched < 100 {
		t.Errorf("only %d of the filters select anything", matched)
	}
}

// testLargeFilters gives a store filters near their limits.
func testLargeFilters(t *testing.T, db docs.DB) {
	t.Helper()
	ctx := t.Context()
	c := frees().Global(db)
	if err := c.Create(ctx, free{"_id": "a", "n": 9999.0, "t": []any{"v9998"}}); err != nil {
		t.Fatal(err)
	}
	texts, numbers := make([]any, 9_000), make([]any, 9_000)
	for i := range texts {
		texts[i], numbers[i] = fmt.Sprint("v", i+1000), float64(i+1000)
	}
	deep := map[string]any{"n": 9999.0}
	for range filter.MaxDepth - 3 {
		deep = map[string]any{"$not": deep}
	}
	path := "a"
	for len(path)+2 <= filter.MaxPath {
		path += ".a"
	}
	for name, test := range map[string]struct {
		filter map[string]any
		want   int
	}{
		"texts":     {map[string]any{"t": map[string]any{"$in": texts}}, 1},
		"numbers":   {map[string]any{"n": map[string]any{"$in": numbers}}, 1},
		"not texts": {map[string]any{"t": map[string]any{"$nin": texts}}, 0},
		"deep":      {deep, 1 - (filter.MaxDepth-3)%2},
		"long path": {map[string]any{path: map[string]any{"$exists": false}}, 1},
		"large":     {map[string]any{"t": map[string]any{"$regex": `^v\pL{0,7}\d{4}$`}}, 1},
	} {
		f, err := filter.Parse(test.filter)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n, err := c.Count(ctx, docs.Query{Filter: f}); err != nil || n != test.want {
			t.Errorf("%s: got %d, %v, want %d", name, n, err, test.want)
		}
	}
	// A filter that a store cannot answer is a fault of the query, and the store goes on.
	if _, err := c.Count(ctx, docs.Query{Sort: "nothing", Where: []docs.Cond{docs.Eq("nothing", 1)}}); fault.CodeOf(err) != "docs.invalid_query" {
		t.Errorf("got %v, want docs.invalid_query", err)
	}
}

// again is a document as it is read back.
func again(t *testing.T, doc free) map[string]any {
	t.Helper()
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// names are keys of documents; joined with dots they are paths, and some look like paths themselves.
func names() []string {
	return []string{"a", "b", "c", "a.b", "b.c", "0", "x y", `q"uote`, "it's", `back\slash`, "nul\x00", "\x01", "日", "?", "$1", "') OR TRUE --"}
}

func randomPath(r *rand.Rand) string {
	path := pick(r, names()...)
	for range r.IntN(3) {
		path += "." + pick(r, "a", "b", "c", "0", "nul\x00")
	}
	if path[0] == '$' {
		path = "a" + path
	}
	return path
}

func randomScalar(r *rand.Rand) any {
	switch r.IntN(8) {
	case 0:
		return r.IntN(2) == 0
	case 1:
		return nil
	case 2, 3, 4:
		return pick(r, 0, 1, 5, -1.5, 0.1, 1e15, 9007199254740993, 1e300, 5e-324)
	default:
		return pick(r, "", "5", "a", "A", "ab", "é", "a\nb", "a\x00b", "\x00", "\x01", "\x02", "true", "null", "日本", "'; --", `\`, "ß", "K", "\u212a")
	}
}

func randomTree(r *rand.Rand, depth int) any {
	switch n := r.IntN(10); {
	case n < 3 && depth < 3:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomTree(r, depth+1)
		}
		return list
	case n < 6 && depth < 3:
		m := map[string]any{}
		for range r.IntN(4) {
			m[pick(r, "a", "b", "c", "a.b", "0", "nul\x00")] = randomTree(r, depth+1)
		}
		return m
	default:
		return randomScalar(r)
	}
}

func randomList(r *rand.Rand) any {
	list := make([]any, pick(r, 0, 1, 2, 3, 12))
	for i := range list {
		list[i] = randomScalar(r)
	}
	return list
}

// randomOperators asks anything that may stand at a path, or of an element of an array.
func randomOperators(r *rand.Rand, element bool, depth int) map[string]any {
	n := r.IntN(13)
	if element {
		n = r.IntN(7)
	}
	operand := randomScalar(r)
	for _, ok := operand.(bool); ok || operand == nil; _, ok = operand.(bool) {
		operand = randomScalar(r)
	}
	switch n {
	case 0:
		return map[string]any{"$eq": randomScalar(r)}
	case 1:
		return map[string]any{"$ne": randomScalar(r)}
	case 2:
		return map[string]any{"$in": randomList(r)}
	case 3:
		return map[string]any{"$nin": randomList(r)}
	case 4, 5:
		return map[string]any{pick(r, "$gt", "$gte", "$lt", "$lte"): operand}
	case 6:
		return map[string]any{
			"$regex":   pick(r, "", "a", "^a", "b$", "^a.b$", "^.$", "[a-z]+", "é", `\d`, `\bb`, `\x00`, `[^a]`, "k", `\W`, "日."),
			"$options": pick(r, "", "i", "m", "s"),
		}
	case 7:
		return map[string]any{"$gte": operand, "$lt": operand, "$ne": randomScalar(r)}
	case 8:
		return map[string]any{"$exists": r.IntN(2) == 0}
	case 9:
		return map[string]any{"$size": float64(r.IntN(4))}
	case 10:
		return map[string]any{"$all": randomList(r)}
	case 11:
		return map[string]any{"$elemMatch": randomOperators(r, true, depth)}
	default:
		if depth > 1 {
			return map[string]any{"$eq": randomScalar(r)}
		}
		return map[string]any{"$not": randomOperators(r, false, depth+1)}
	}
}

func randomFilter(r *rand.Rand, depth int) map[string]any {
	f := map[string]any{}
	for range cmp.Or(r.IntN(3), 1) {
		switch n := r.IntN(6); {
		case n == 0 && depth < 2:
			list := make([]any, 1+r.IntN(3))
			for i := range list {
				list[i] = randomFilter(r, depth+1)
			}
			f[pick(r, "$and", "$or", "$nor")] = list
		case n == 1 && depth < 2:
			f["$not"] = randomFilter(r, depth+1)
		case n == 2:
			f[randomPath(r)] = randomScalar(r)
		default:
			f[randomPath(r)] = randomOperators(r, false, 0)
		}
	}
	return f
}
