package query_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// rowsWorld is an event store with random rows, and the documents that they stand for.
type rowsWorld struct {
	tables *query.Tables
	docs   []map[string]any // in the order of offset and item
}

// segmentsOf is the schema of the test: text, number, mixed, and JSON segments; "kind" has another
// type in each event, and "late" became mixed after rows were in a slot.
var segmentsOf = []schema.Event{
	{Key: "Buy", Seq: 1, Segments: []schema.Segment{
		{Name: "item", Slot: schema.Slot{Kind: schema.Text, Index: 1}},
		{Name: "price", Slot: schema.Slot{Kind: schema.Number, Index: 1}},
		{Name: "kind", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Name: "late", Slot: schema.Slot{Kind: schema.JSON}, Was: schema.Slot{Kind: schema.Text, Index: 3}},
	}},
	{Key: "it's", Seq: 2, Segments: []schema.Segment{
		{Name: "item", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Name: "kind", Slot: schema.Slot{Kind: schema.Number, Index: 3}},
		{Name: "a.b/c~d'e", Slot: schema.Slot{Kind: schema.JSON}},
	}},
	{Key: "[CLY]_view", Seq: 3, Segments: []schema.Segment{{Name: "name", Slot: schema.Slot{Kind: schema.Text, Index: 1}}}},
}

func newRowsWorld(t *testing.T, r *rand.Rand, rows int) *rowsWorld {
	t.Helper()
	ctx := t.Context()
	store, err := duck.Open(ctx, duck.Options{Path: filepath.Join(t.TempDir(), "e.duckdb"), MemoryLimit: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &rowsWorld{tables: query.NewTables(store, &memory{events: segmentsOf})}
	b := &events.AppBatch{}
	states := []map[string]any{nil}
	for i := range 5 {
		props := map[string]any{"up.p": []string{"Android", "iOS"}[i%2], "custom.n": float64(i)}
		if i > 2 {
			props["custom.x.y"] = fmt.Sprint("v", i)
		}
		text, err := json.Marshal(props)
		if err != nil {
			t.Fatal(err)
		}
		b.States = append(b.States, events.State{Number: uint32(i + 1), Offset: 1, UID: uint32(i + 1), JSON: string(text)})
		b.Users = append(b.Users, &model.Profile{UID: uint32(i + 1), DID: fmt.Sprint("did", i+1)})
		states = append(states, props)
	}
	off := uint64(1)
	for i := range rows {
		if r.IntN(3) == 0 {
			off++
		}
		w.add(r, b, off, uint32(i), states)
	}
	if err := store.Commit(ctx, &events.Batch{Watermark: journal.Watermark{0: off}, Apps: map[model.AppID]*events.AppBatch{testApp: b}}); err != nil {
		t.Fatal(err)
	}
	return w
}

// add makes a random row and its document.
func (w *rowsWorld) add(r *rand.Rand, b *events.AppBatch, off uint64, item uint32, states []map[string]any) {
	uid := uint32(r.IntN(5))
	row := events.Row{
		Offset: off, Item: item, TS: int64(1000 + r.IntN(500)), Received: 5000, UID: uid + 1, State: uid * uint32(r.IntN(2)), Count: int64(1 + r.IntN(3)),
		Sum: float64(r.IntN(10)) / 2, Hour: int8(r.IntN(3) - 1), Dow: 2,
	}
	doc := map[string]any{
		"_id": fmt.Sprintf("%d.%d", off, item), "ts": row.TS, "cd": row.Received, "uid": fmt.Sprint(row.UID), "c": row.Count, "s": row.Sum,
		"dur": 0.0, "dow": int64(2), "did": fmt.Sprint("did", row.UID),
	}
	if row.Hour >= 0 {
		doc["hour"] = int64(row.Hour)
	}
	ev := segmentsOf[r.IntN(3)]
	row.Key, row.Name = events.Selector(ev.Key)
	if row.Name == "" {
		row.Name = "home"
	}
	doc["e"], doc["n"] = row.Key, row.Name
	extra := map[string]any{}
	for _, s := range ev.Segments {
		if r.IntN(4) == 0 {
			continue
		}
		text, number := fmt.Sprint(s.Name, r.IntN(4)), float64(r.IntN(6))
		switch {
		case s.Slot.Kind == schema.Text:
			row.Text[s.Slot.Index-1], doc["sg."+s.Name] = &text, text
		case s.Slot.Kind == schema.Number:
			row.Num[s.Slot.Index-1], doc["sg."+s.Name] = &number, number
		case s.Was.Kind == schema.Text && r.IntN(2) == 0:
			row.Text[s.Was.Index-1], doc["sg."+s.Name] = &text, text
		default:
			v := []any{text, number, true, []any{"a", number}, map[string]any{"k": text}}[r.IntN(5)]
			extra[s.Name], doc["sg."+s.Name] = v, v
		}
	}
	if len(extra) > 0 {
		row.Extra = events.JSONText(extra)
	}
	maps.Copy(doc, states[row.State])
	b.Rows = append(b.Rows, row)
	w.docs = append(w.docs, doc)
}

// read returns the rows of an export as flat documents.
func read(t *testing.T, e *query.Export) []map[string]any {
	t.Helper()
	var out []map[string]any
	err := e.Each(context.Background(), func(values []any) error {
		doc := map[string]any{}
		for i, v := range values {
			switch x := v.(type) {
			case nil:
				continue
			case json.Number:
				n, err := x.Float64()
				if err != nil {
					return err
				}
				v = n
			case json.RawMessage:
				v = nil
				if err := json.Unmarshal(x, &v); err != nil {
					return err
				}
			}
			doc[strings.Join(e.Columns[i], ".")] = v
		}
		out = append(out, doc)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestVolumeExportEvents compares exports of random selections with the documents that were stored.
func TestVolumeExportEvents(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	w := newRowsWorld(t, r, 9500)
	filters := []string{
		`{}`, `{"n":"Buy"}`, `{"sg.item":"item1"}`, `{"sg.price":{"$gte":3}}`, `{"sg.kind":{"$in":["kind1",2]}}`, `{"sg.late":{"$exists":true}}`,
		`{"sg.late":"late2","n":"Buy"}`, `{"sg.a.b/c~d'e":true}`, `{"up.p":"iOS","c":{"$gt":1}}`, `{"custom.n":{"$lt":2}}`, `{"custom.x.y":{"$regex":"v[45]"}}`,
		`{"did":"did3"}`, `{"uid":{"$nin":["1","2"]}}`, `{"hour":{"$exists":false}}`, `{"ts":{"$gte":1100,"$lt":1200}}`, `{"$or":[{"e":"[CLY]_view"},{"sg.none":1}]}`,
		`{"sg.none":{"$exists":true}}`,
	}
	sorts := []string{"", "", "ts", "s", "sg.price", "sg.item", "hour", "n", "sg.late", "sg.none", "(select 1)"}
	fields := [][]string{nil, {"n", "sg.item", "did"}, {"sg"}, {"custom", "ts"}, {"sg.price", "up.p"}}
	for range 40 {
		text := filters[r.IntN(len(filters))]
		f, err := filter.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		sel := query.RowSelection{Filter: f, Sort: sorts[r.IntN(len(sorts))], Desc: r.IntN(2) == 0, Fields: fields[r.IntN(len(fields))], Without: r.IntN(4) == 0}
		if r.IntN(2) == 0 {
			sel.Skip, sel.Limit = int64(r.IntN(6000)), int64(1+r.IntN(5000))
		}
		e, err := w.tables.Events(t.Context(), testApp, sel)
		if err != nil {
			t.Fatal(err)
		}
		want, got := w.expect(sel), read(t, e)
		if d := gocmp.Diff(want, got); d != "" {
			t.Fatalf("filter %s, %+v: %d rows, want %d (-want +got):\n%.1500s", text, sel, len(got), len(want), d)
		}
	}
}

// expect does by hand what an export does.
func (w *rowsWorld) expect(sel query.RowSelection) []map[string]any {
	var out []map[string]any
	for _, d := range w.docs {
		if sel.Filter.Match(filter.MapDoc(d)) {
			out = append(out, d)
		}
	}
	if !slices.Contains([]string{"", "sg.late", "sg.none", "(select 1)"}, sel.Sort) {
		slices.SortStableFunc(out, func(a, b map[string]any) int {
			x, y := a[sel.Sort], b[sel.Sort]
			if x == nil || y == nil {
				return cmp.Compare(rank(x), rank(y))
			}
			c := 0
			switch v := x.(type) {
			case string:
				c = strings.Compare(v, y.(string))
			case int64:
				c = cmp.Compare(v, y.(int64))
			case float64:
				c = cmp.Compare(v, y.(float64))
			}
			if sel.Desc {
				return -c
			}
			return c
		})
	}
	out = out[min(int(sel.Skip), len(out)):]
	if sel.Limit > 0 {
		out = out[:min(int(sel.Limit), len(out))]
	}
	var shown []map[string]any
	for _, d := range out {
		doc := map[string]any{}
		for path, v := range d {
			named := slices.ContainsFunc(sel.Fields, func(f string) bool { return path == f || strings.HasPrefix(path, f+".") })
			switch {
			case path == "_id":
			case path == "did" && (!named || sel.Without): // shown by name only
				continue
			case len(sel.Fields) > 0 && named == sel.Without:
				continue
			}
			doc[path] = v
		}
		shown = append(shown, doc)
	}
	return shown
}

func rank(v any) int {
	if v == nil {
		return 1
	}
	return 0
}

// TestExportNothing reads an app that never sent anything.
func TestExportNothing(t *testing.T) {
	w := newRowsWorld(t, rand.New(rand.NewPCG(1, 1)), 1)
	for name, open := range map[string]func(context.Context, model.AppID, query.RowSelection) (*query.Export, error){"events": w.tables.Events, "users": w.tables.Users} {
		for _, sort := range []string{"", "ts", "lac"} {
			e, err := open(t.Context(), model.AppID{99}, query.RowSelection{Sort: sort})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := read(t, e); got != nil {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}
