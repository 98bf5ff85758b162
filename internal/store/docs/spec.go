package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// Document is what a collection holds. Both methods have value receivers.
type Document interface {
	// Key is the document's name in its collection: valid UTF-8 of 1 to 512
	// bytes without NUL. It never changes.
	Key() string
	// Validate is called before every write.
	Validate() error
}

// Spec declares a collection. It is a value: nothing is registered, and equal
// specs are one collection. A faulty Spec fails at its first use.
type Spec[T Document] struct {
	// Name is unique in the program, as "crashes.groups".
	Name string
	// Version of the documents' form, from 1.
	Version int
	// Indexes that conditions, orders and uniqueness may name.
	Indexes []Index[T]
	// Migrations[i] brings a document of version i+1 to version i+2. They are
	// pure, and there are Version-1 of them.
	Migrations []func(json.RawMessage) (json.RawMessage, error)
	// Search are the JSON paths that Query.Search looks into.
	Search []Field
}

// Index declares an index. Changing what Of computes needs a new Version of
// the Spec, or a new Name of the index.
type Index[T Document] struct {
	Name string
	// Of computes the values, each a string, a bool or a number; none leaves
	// the document out. Exactly one of Of and Path is set.
	Of func(T) []any
	// Path is the JSON path of the value; an array gives all its scalars.
	Path Field
	// Unique refuses a second document of the same app with the same value.
	Unique bool
	// Fold ignores the case of text, in the index and in conditions on it.
	Fold bool
	// Order makes lists in the order of this index quick, however many documents there
	// are: a page is read off the index instead of sorting all. Such an index holds one value of a
	// document, the least.
	Order bool
}

// In binds the collection to an app.
func (s Spec[T]) In(h Handle, app model.AppID) Collection[T] {
	c := Collection[T]{spec: s, h: h, scope: Scope{App: app}}
	if app.IsZero() {
		c.err = fault.New(fault.Invalid, "docs.no_app", "No app was named")
	}
	return c
}

// Global binds the collection to the documents that belong to no app.
func (s Spec[T]) Global(h Handle) Collection[T] {
	return Collection[T]{spec: s, h: h}
}

// Among reads the documents of several apps as one list. Anyone who names the apps
// answers for it that the caller may read each of them. Of no app there is nothing.
func (s Spec[T]) Among(h Handle, apps []model.AppID) Across[T] {
	a := Across[T]{c: Collection[T]{spec: s, h: h, scope: Scope{Apps: append([]model.AppID{}, apps...)}}}
	if slices.ContainsFunc(apps, model.AppID.IsZero) {
		a.c.err = fault.New(fault.Invalid, "docs.no_app", "No app was named")
	}
	return a
}

// AcrossApps reads the documents of every app. reason says why this is right;
// it is there to be found and judged, and must not be empty.
func (s Spec[T]) AcrossApps(h Handle, reason string) Across[T] {
	a := Across[T]{c: Collection[T]{spec: s, h: h, scope: Scope{All: true}}}
	if reason == "" {
		a.c.err = ErrInvalidQuery("collection %s is read across apps without a reason", s.Name)
	}
	return a
}

var (
	nameForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
	indexForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_]{0,31}$`)
)

// layout checks the Spec and gives its untyped half.
func (s Spec[T]) layout() (*Layout, error) {
	var errs []error
	if !nameForm.MatchString(s.Name) {
		errs = append(errs, fmt.Errorf("name %q is not of lower-case letters, digits, dots and dashes", s.Name))
	}
	if s.Version < 1 {
		errs = append(errs, errors.New("version is below 1"))
	}
	if len(s.Migrations) != max(s.Version-1, 0) {
		errs = append(errs, fmt.Errorf("version %d has %d migrations", s.Version, len(s.Migrations)))
	}
	l := &Layout{Name: s.Name, Version: s.Version, Rebuild: s.rebuild}
	for _, ix := range s.Indexes {
		if !indexForm.MatchString(ix.Name) {
			errs = append(errs, fmt.Errorf("index name %q is not of lower-case letters, digits and underscores", ix.Name))
		}
		if (ix.Of == nil) == (ix.Path == "") {
			errs = append(errs, fmt.Errorf("index %s needs exactly one of Of and Path", ix.Name))
		}
		if _, taken := l.Index(ix.Name); taken {
			errs = append(errs, fmt.Errorf("index %s is declared twice", ix.Name))
		}
		l.Indexes = append(l.Indexes, IndexInfo{Name: ix.Name, Unique: ix.Unique, Fold: ix.Fold, Order: ix.Order})
	}
	for _, f := range s.Search {
		if _, ok := f.Path(); !ok {
			errs = append(errs, fmt.Errorf("search field %q is not a path", f))
		}
		l.Search = append(l.Search, string(f))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("spec of collection %q: %w", s.Name, err)
	}
	return l, nil
}

// migrate brings a body to the Spec's version.
func (s Spec[T]) migrate(body []byte, version int) ([]byte, error) {
	if version > s.Version {
		return nil, ErrNewerVersion(s.Name, version, s.Version)
	}
	for v := max(version, 1); v < s.Version; v++ {
		next, err := s.Migrations[v-1](body)
		if err != nil {
			return nil, fmt.Errorf("migrate a document of %s from version %d: %w", s.Name, v, err)
		}
		body = next
	}
	return body, nil
}

func (s Spec[T]) decode(r Record) (T, error) {
	var doc T
	body, err := s.migrate(r.Body, r.Version)
	if err != nil {
		return doc, err
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return doc, fmt.Errorf("read document %s of %s: %w", r.Key, s.Name, err)
	}
	return doc, nil
}

func (s Spec[T]) encode(app model.AppID, doc T) (Record, error) {
	if err := doc.Validate(); err != nil {
		return Record{}, err
	}
	key := doc.Key()
	if err := checkKey(key); err != nil {
		return Record{}, err
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return Record{}, fmt.Errorf("write document of %s: %w", s.Name, err)
	}
	entries, err := s.entries(doc, body)
	if err != nil {
		return Record{}, err
	}
	return Record{App: app, Key: key, Version: s.Version, Body: body, Entries: entries}, nil
}

func checkKey(key string) error {
	if key == "" || len(key) > 512 || !utf8.ValidString(key) || strings.Contains(key, "\x00") {
		return fault.New(fault.Invalid, "docs.invalid_key", "A key is text of 1 to 512 bytes")
	}
	return nil
}

// rebuild is Layout.Rebuild: the body in the present version, and its entries.
func (s Spec[T]) rebuild(r Record) (Record, error) {
	body, err := s.migrate(r.Body, r.Version)
	if err != nil {
		return Record{}, err
	}
	var doc T
	if err := json.Unmarshal(body, &doc); err != nil {
		return Record{}, fmt.Errorf("read document %s of %s: %w", r.Key, s.Name, err)
	}
	if r.Entries, err = s.entries(doc, body); err != nil {
		return Record{}, err
	}
	r.Body, r.Version = body, s.Version
	return r, nil
}

func (s Spec[T]) entries(doc T, body []byte) ([]Entry, error) {
	var tree any
	var out []Entry
	for _, ix := range s.Indexes {
		var values []any
		if ix.Of != nil {
			values = ix.Of(doc)
		} else {
			if tree == nil {
				if err := json.Unmarshal(body, &tree); err != nil {
					return nil, fmt.Errorf("read document of %s: %w", s.Name, err)
				}
			}
			values = pathValues(tree, ix.Path)
		}
		encoded, err := encodeAll(values, ix.Fold)
		if err != nil {
			return nil, fmt.Errorf("index %s of %s: %w", ix.Name, s.Name, err)
		}
		if ix.Order {
			if len(encoded) == 0 {
				out = append(out, Entry{Index: ix.Name, Value: []byte{}})
				continue
			}
			encoded = encoded[:1]
		}
		for _, b := range encoded {
			out = append(out, Entry{Index: ix.Name, Value: b, Unique: ix.Unique})
		}
	}
	return out, nil
}

// encodeAll encodes values, each once and the least first.
func encodeAll(values []any, fold bool) ([][]byte, error) {
	out := make([][]byte, 0, len(values))
	for _, v := range values {
		b, err := EncodeValue(v, fold)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal), nil
}

// pathValues gives the scalars at a path: one, or those of an array.
func pathValues(tree any, f Field) []any {
	elements, _ := f.Path()
	for _, e := range elements {
		m, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = m[e]
	}
	list, ok := tree.([]any)
	if !ok {
		list = []any{tree}
	}
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool {
		switch v.(type) {
		case string, bool, float64:
			return false
		}
		return true
	})
}

// Collection reads and writes the documents of one app, or the global ones.
// It is a small value, made where it is used, and as safe for concurrent use
// as its handle.
type Collection[T Document] struct {
	spec  Spec[T]
	h     Handle
	scope Scope
	err   error
}

func (c Collection[T]) ready(ctx context.Context) (*Layout, error) {
	if c.err != nil {
		return nil, c.err
	}
	l, err := c.spec.layout()
	if err != nil {
		return nil, err
	}
	if err := c.h.Ensure(ctx, l); err != nil {
		return nil, fmt.Errorf("prepare collection %s: %w", l.Name, err)
	}
	return l, nil
}

// Get returns the document with the key, or docs.not_found.
func (c Collection[T]) Get(ctx context.Context, key string) (T, error) {
	var zero T
	l, err := c.ready(ctx)
	if err != nil {
		return zero, err
	}
	if checkKey(key) != nil {
		return zero, ErrNotFound()
	}
	r, err := c.h.Get(ctx, l, c.scope, key)
	if err != nil {
		return zero, err
	}
	return c.spec.decode(r)
}

// Create stores a new document: docs.exists when the key is taken,
// docs.duplicate.<index> when a unique index refuses it.
func (c Collection[T]) Create(ctx context.Context, doc T) error {
	l, err := c.ready(ctx)
	if err != nil {
		return err
	}
	r, err := c.spec.encode(c.scope.App, doc)
	if err != nil {
		return err
	}
	return c.h.Insert(ctx, l, r)
}

// CreateAll is Create of many documents. When one is refused, some may be stored: it is for transactions.
func (c Collection[T]) CreateAll(ctx context.Context, list []T) error {
	l, err := c.ready(ctx)
	if err != nil {
		return err
	}
	records, unique := make([]Record, len(list)), false
	for i, doc := range list {
		if records[i], err = c.spec.encode(c.scope.App, doc); err != nil {
			return err
		}
		unique = unique || slices.ContainsFunc(records[i].Entries, func(e Entry) bool { return e.Unique })
	}
	if h, ok := c.h.(Inserter); ok && !unique {
		return h.InsertAll(ctx, l, records)
	}
	for _, r := range records {
		if err := c.h.Insert(ctx, l, r); err != nil {
			return err
		}
	}
	return nil
}

// CreateUpTo is Create in a collection of fewer than most documents; otherwise it returns full. It is for transactions: without
// one, others may create documents in between.
func (c Collection[T]) CreateUpTo(ctx context.Context, doc T, most int, full error) error {
	n, err := c.Count(ctx, Query{})
	if err != nil {
		return err
	}
	if n >= most {
		return full
	}
	return c.Create(ctx, doc)
}

// Put stores a document whether or not it is there.
func (c Collection[T]) Put(ctx context.Context, doc T) error {
	l, err := c.ready(ctx)
	if err != nil {
		return err
	}
	r, err := c.spec.encode(c.scope.App, doc)
	if err != nil {
		return err
	}
	return c.h.Upsert(ctx, l, r)
}

// Update changes a document and returns it as stored. When another writer was
// faster, fn is called again on the newer document: it must depend on nothing
// but its argument, and must not use the store. An error of fn leaves the document
// as it is and is returned. A document that fn did not change is not written.
func (c Collection[T]) Update(ctx context.Context, key string, fn func(*T) error) (T, error) {
	var zero T
	l, err := c.ready(ctx)
	if err != nil {
		return zero, err
	}
	if checkKey(key) != nil {
		return zero, ErrNotFound()
	}
	for {
		doc, done, err := c.tryUpdate(ctx, l, key, fn)
		if err != nil {
			return zero, err
		}
		if done {
			return doc, nil
		}
		if err := ctx.Err(); err != nil {
			return zero, err
		}
	}
}

func (c Collection[T]) tryUpdate(ctx context.Context, l *Layout, key string, fn func(*T) error) (T, bool, error) {
	var zero T
	old, err := c.h.Get(ctx, l, c.scope, key)
	if err != nil {
		return zero, false, err
	}
	doc, err := c.spec.decode(old)
	if err != nil {
		return zero, false, err
	}
	if err := fn(&doc); err != nil {
		return zero, false, err
	}
	r, err := c.spec.encode(c.scope.App, doc)
	if err != nil {
		return zero, false, err
	}
	if r.Key != key {
		return zero, false, fault.New(fault.Invalid, "docs.key_changed", "The key of a document cannot change")
	}
	if old.Version == r.Version && string(old.Body) == string(r.Body) {
		return doc, true, nil
	}
	r.Rev = old.Rev
	done, err := c.h.Replace(ctx, l, r)
	return doc, done, err
}

// Delete removes a document, or answers docs.not_found.
func (c Collection[T]) Delete(ctx context.Context, key string) error {
	l, err := c.ready(ctx)
	if err != nil {
		return err
	}
	if checkKey(key) != nil {
		return ErrNotFound()
	}
	return c.h.Delete(ctx, l, c.scope, key)
}

// DeleteWhere removes what q selects and says how many documents that were.
func (c Collection[T]) DeleteWhere(ctx context.Context, q Query) (int, error) {
	l, err := c.ready(ctx)
	if err != nil {
		return 0, err
	}
	return c.h.DeleteWhere(ctx, l, c.scope, q)
}

// List yields what q selects. The loop's body may use the same handle; see
// Handle.Find for what it sees of changes made meanwhile.
func (c Collection[T]) List(ctx context.Context, q Query) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for f, err := range c.list(ctx, q) {
			if !yield(f.Doc, err) {
				return
			}
		}
	}
}

func (c Collection[T]) list(ctx context.Context, q Query) iter.Seq2[Found[T], error] {
	return func(yield func(Found[T], error) bool) {
		l, err := c.ready(ctx)
		if err != nil {
			yield(Found[T]{}, err)
			return
		}
		for r, err := range c.h.Find(ctx, l, c.scope, q) {
			f := Found[T]{App: r.App}
			if err == nil {
				f.Doc, err = c.spec.decode(r)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// All collects what q selects.
func (c Collection[T]) All(ctx context.Context, q Query) ([]T, error) {
	var out []T
	for doc, err := range c.List(ctx, q) {
		if err != nil {
			return nil, err
		}
		out = append(out, doc)
	}
	return out, nil
}

// First returns the first document that q selects, or docs.not_found.
func (c Collection[T]) First(ctx context.Context, q Query) (T, error) {
	q.Limit = 1
	for doc, err := range c.List(ctx, q) {
		return doc, err
	}
	var zero T
	return zero, ErrNotFound()
}

// Count counts what q selects, without regard to its Offset and Limit.
func (c Collection[T]) Count(ctx context.Context, q Query) (int, error) {
	l, err := c.ready(ctx)
	if err != nil {
		return 0, err
	}
	return c.h.Count(ctx, l, c.scope, q)
}

// Generation is a number that grows with every transaction that writes to the collection, of any app and by any process: by one,
// but for the first. Caches compare it.
func (c Collection[T]) Generation(ctx context.Context) (int64, error) {
	l, err := c.ready(ctx)
	if err != nil {
		return 0, err
	}
	return c.h.Generation(ctx, l)
}

// Across reads the documents of all apps.
type Across[T Document] struct{ c Collection[T] }

// Found is a document and the app it belongs to; zero for a global one.
type Found[T Document] struct {
	App model.AppID
	Doc T
}

// List yields what q selects, of every app. What has the same key goes by app.
func (a Across[T]) List(ctx context.Context, q Query) iter.Seq2[Found[T], error] {
	return a.c.list(ctx, q)
}

// Count counts what q selects, of every app.
func (a Across[T]) Count(ctx context.Context, q Query) (int, error) { return a.c.Count(ctx, q) }
