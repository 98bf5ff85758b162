package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/table"
)

// source calls fn for every document, in JSON; each call yields the same ones.
type source func(ctx context.Context, fn func(json.RawMessage) error) error

// leaf is a value of a document and where it stands.
type leaf struct {
	path  []string
	value any
}

// maxNesting bounds how deep objects are unfolded; what lies deeper stays JSON.
const maxNesting = 16

// flatten lists the values of a document in their order; lists, and what is no object, stay whole.
func flatten(raw json.RawMessage) ([]leaf, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' {
		v, err := leafValue(raw)
		return []leaf{{[]string{"value"}, v}}, err
	}
	return object(raw, nil, nil)
}

func object(raw json.RawMessage, path []string, out []leaf) ([]leaf, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // keys of objects are text
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		at := append(slices.Clip(path), key)
		if v[0] == '{' && len(at) < maxNesting && !bytes.Equal(bytes.TrimSpace(v[1:]), []byte("}")) {
			if out, err = object(v, at, out); err != nil {
				return nil, err
			}
			continue
		}
		value, err := leafValue(v)
		if err != nil {
			return nil, err
		}
		out = append(out, leaf{at, value})
	}
	return out, nil
}

func leafValue(raw json.RawMessage) (any, error) {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') {
		return raw, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

// tree orders columns by first appearance, those of one object side by side.
type tree struct {
	path     []string
	leaf     bool
	leaves   int // of the root: how many columns there are
	children map[string]*tree
	order    []string
}

func (t *tree) add(path []string) {
	root := t
	for i, key := range path {
		child := t.children[key]
		if child == nil {
			if t.children == nil {
				t.children = map[string]*tree{}
			}
			child = &tree{path: slices.Clone(path[:i+1])}
			t.children[key] = child
			t.order = append(t.order, key)
		}
		t = child
	}
	if !t.leaf {
		t.leaf = true
		root.leaves++
	}
}

func (t *tree) columns(out []table.Column) []table.Column {
	if t.leaf {
		out = append(out, table.Column{Path: t.path})
	}
	for _, key := range t.order {
		out = t.children[key].columns(out)
	}
	return out
}

// place names a path without mistaking dots in keys for steps.
func place(path []string) string { return strings.Join(path, "\x00") }

// shape applies projection and mapping to the values of a document.
func (o *order) shape(leaves []leaf) []leaf {
	if len(o.Fields) == 0 && o.Mapper == nil {
		return leaves
	}
	byKey := map[string]any{}
	var out []leaf
	for _, l := range leaves {
		key := strings.Join(l.path, ".")
		byKey[key] = l.value
		if o.wants(key) && o.Mapper.source(key) == key {
			out = append(out, leaf{l.path, o.Mapper.value(key, l.value)})
		}
	}
	copies := o.Mapper.copies()
	sort.Strings(copies)
	for _, key := range copies {
		if o.wants(key) {
			out = append(out, leaf{strings.Split(key, "."), o.Mapper.value(key, byKey[o.Mapper.source(key)])})
		}
	}
	return out
}

// untouched reports whether documents go out as they are.
func (o *order) untouched() bool {
	return o.format() == table.JSON && len(o.Fields) == 0 && o.Mapper == nil && len(o.Titles) == 0
}

// titled renames columns. In JSON the name is the key; elsewhere it heads the column.
func (o *order) titled(columns []table.Column) []table.Column {
	for i, c := range columns {
		title, ok := o.Titles[c.Key()]
		switch {
		case !ok || title == "":
		case o.format() == table.JSON:
			columns[i].Path = []string{title}
		default:
			columns[i].Title = title
		}
	}
	return columns
}

// Limits of what one export writes.
const (
	// maxColumns is how many columns a table has, as many as a sheet holds.
	maxColumns = 16384
	// maxSent is how many cells the rows that a caller sends may fill, empty ones included: a few
	// megabytes of rows without a common column would fill terabytes otherwise.
	maxSent = 20_000_000
	// maxCopies is how many fields may show the value of another field.
	maxCopies = 64
)

var (
	errTooWide    = fault.Newf(fault.Invalid, "export.too_many_columns", "An export has at most %d columns. Choose fields by projection", maxColumns)
	errTooLarge   = fault.Newf(fault.TooLarge, "export.too_many_cells", "The rows would fill more than %d cells", maxSent)
	errManyCopies = fault.Newf(fault.Invalid, "export.too_many_copies", "At most %d fields may show the value of another field", maxCopies)
)

// sent reports whether the order's rows came with the request.
func (o *order) sent() bool { return o.Collection == "" && o.Path == "" }

var errChanged = fault.New(fault.Conflict, "export.changed", "The data changed while it was exported. Please try again")

// documents writes the documents of a source.
func (o *order) documents(ctx context.Context, src source, w table.Writer, progress func(int64)) error {
	var n int64
	count := func() {
		n++
		progress(n)
	}
	if o.untouched() {
		if err := w.Begin([]table.Column{{}}); err != nil {
			return err
		}
		return src(ctx, func(raw json.RawMessage) error {
			count()
			return w.Row([]any{raw})
		})
	}
	root := &tree{}
	var rows int64
	err := src(ctx, func(raw json.RawMessage) error {
		rows++
		leaves, err := flatten(raw)
		for _, l := range o.shape(leaves) {
			root.add(l.path)
		}
		if err == nil && root.leaves > maxColumns {
			err = errTooWide
		}
		return err
	})
	if err != nil {
		return err
	}
	columns := root.columns(nil)
	if len(columns) > maxColumns {
		return errTooWide
	}
	if o.sent() && int64(len(columns))*rows > maxSent {
		return errTooLarge
	}
	at := map[string]int{}
	for i, c := range columns {
		at[place(c.Path)] = i
	}
	if err := w.Begin(o.titled(slices.Clone(columns))); err != nil {
		return err
	}
	values := make([]any, len(columns))
	return src(ctx, func(raw json.RawMessage) error {
		leaves, err := flatten(raw)
		if err != nil {
			return err
		}
		clear(values)
		for _, l := range o.shape(leaves) {
			i, ok := at[place(l.path)]
			if !ok {
				return errChanged
			}
			values[i] = l.value
		}
		count()
		return w.Row(values)
	})
}

// maxSorted bounds how many documents are sorted in memory, in bytes of JSON.
const maxSorted = 64 << 20

var (
	errTooMany = fault.New(fault.Invalid, "export.too_many", "Too many documents to sort")
	errEnough  = errors.New("export: enough")
)

// selected narrows a source to the filter, order and page of the order.
func (o *order) selected(src source, f filter.Expr) source {
	if !f.IsZero() {
		all := src
		src = func(ctx context.Context, fn func(json.RawMessage) error) error {
			return all(ctx, func(raw json.RawMessage) error {
				var doc filter.MapDoc
				if json.Unmarshal(raw, &doc) != nil || !f.Match(doc) {
					return nil //nolint:nilerr // what is no object passes no filter
				}
				return fn(raw)
			})
		}
	}
	if o.Sort != "" {
		src = o.sorted(src)
	}
	if o.Skip == 0 && o.Limit == 0 {
		return src
	}
	return func(ctx context.Context, fn func(json.RawMessage) error) error {
		var n int64
		err := src(ctx, func(raw json.RawMessage) error {
			if n++; n <= o.Skip {
				return nil
			}
			if o.Limit > 0 && n > o.Skip+o.Limit {
				return errEnough
			}
			return fn(raw)
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	}
}

// sorted orders documents by a field: numbers, then text, then those without it; other values
// count as none.
func (o *order) sorted(src source) source {
	type item struct {
		raw    json.RawMessage
		rank   int
		number float64
		text   string
	}
	return func(ctx context.Context, fn func(json.RawMessage) error) error {
		var items []item
		size := 0
		err := src(ctx, func(raw json.RawMessage) error {
			if size += len(raw); size > maxSorted {
				return errTooMany
			}
			it := item{raw: bytes.Clone(raw), rank: 2}
			var doc filter.MapDoc
			if json.Unmarshal(raw, &doc) == nil {
				switch v, _ := doc.Lookup(o.Sort); x := v.(type) {
				case float64:
					it.rank, it.number = 0, x
				case string:
					it.rank, it.text = 1, x
				}
			}
			items = append(items, it)
			return nil
		})
		if err != nil {
			return err
		}
		sort.SliceStable(items, func(i, j int) bool {
			a, b := items[i], items[j]
			if a.rank == 2 || b.rank == 2 {
				return a.rank < b.rank
			}
			if o.Desc {
				a, b = b, a
			}
			if a.rank != b.rank {
				return a.rank < b.rank
			}
			if a.rank == 0 {
				return a.number < b.number
			}
			return a.text < b.text
		})
		for _, it := range items {
			if err := fn(it.raw); err != nil {
				return err
			}
		}
		return nil
	}
}
