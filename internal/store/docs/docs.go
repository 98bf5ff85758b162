// Package docs keeps JSON documents in typed collections: members, apps,
// tokens, and every feature's own settings.
//
// A Spec declares a collection: its name, the version of its documents, its
// indexes and the migrations from older versions. Binding a Spec to an app
// (In) or to the whole installation (Global) gives a Collection, through which
// documents are read and written. A document of one app cannot be reached
// through another app's Collection; AcrossApps is the exception and asks for
// its reason.
//
//	var groups = docs.Spec[group]{Name: "crashes.groups", Version: 1}
//
//	g, err := groups.In(db, app).Get(ctx, id)
//
// Engines implement DB over records, which are documents in their stored
// form; package sqlite is the embedded one. Package docstest holds the suite that
// every engine passes. The stored form is drawn in docs/format/docs.md.
//
// Faults: docs.not_found (NotFound), docs.exists and docs.duplicate.<index>
// (Conflict), docs.invalid_key, docs.invalid_query, docs.no_app and
// docs.key_changed (Invalid), docs.busy (Unavailable), docs.corrupt,
// docs.newer_version and docs.newer_format (Internal). What a document's
// Validate returns is passed on as it is.
package docs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// Handle reads and writes records; it is a DB or a transaction of one.
// Implementations are safe for concurrent use, a transaction's is not.
//
// Modules do not call it: they go through a Collection.
type Handle interface {
	// Ensure brings a collection to the layout: it rebuilds every record whose
	// version or indexes are older. It is cheap once it has succeeded.
	Ensure(ctx context.Context, l *Layout) error
	// Get returns the record, or docs.not_found.
	Get(ctx context.Context, l *Layout, s Scope, key string) (Record, error)
	// Find yields the records that q selects, in its order. The order is fixed
	// when the iteration begins; a record changed since then is yielded as it
	// is now, a record deleted since then is left out. The loop's body may
	// use the same handle.
	Find(ctx context.Context, l *Layout, s Scope, q Query) iter.Seq2[Record, error]
	// Count counts what q selects, without regard to its Offset and Limit.
	Count(ctx context.Context, l *Layout, s Scope, q Query) (int, error)
	// Tally says how many of the records that q selects have each value in an
	// index, in the order of the values, without regard to q's order, Offset and Limit. A
	// record with several values counts for each, one without any for none.
	Tally(ctx context.Context, l *Layout, s Scope, index string, q Query) ([]Tally, error)
	// Insert stores a new record; docs.exists when its key is taken,
	// docs.duplicate.<index> when an entry of a unique index is.
	Insert(ctx context.Context, l *Layout, r Record) error
	// Upsert stores a record whether or not it is there.
	Upsert(ctx context.Context, l *Layout, r Record) error
	// Replace stores r if the stored revision is still r.Rev, and reports
	// whether it was; docs.not_found when there is no such record.
	Replace(ctx context.Context, l *Layout, r Record) (bool, error)
	// Delete removes a record, or answers docs.not_found.
	Delete(ctx context.Context, l *Layout, s Scope, key string) error
	// DeleteWhere removes what q selects, without regard to its order, and
	// says how many records that were.
	DeleteWhere(ctx context.Context, l *Layout, s Scope, q Query) (int, error)
	// Generation is a number that grows with every committed transaction that writes to the collection, by this process or
	// another: by one, but for the first.
	Generation(ctx context.Context, l *Layout) (int64, error)
}

// DB is a store of documents.
type DB interface {
	Handle
	// Tx runs fn in one transaction, which is committed when fn returns nil.
	// Write transactions exclude each other. fn must use tx alone: a write
	// through the DB itself would wait for the transaction to end.
	Tx(ctx context.Context, fn func(tx Handle) error) error
	// DropApp removes every document of an app, of all collections.
	DropApp(ctx context.Context, app model.AppID) error
	// Close waits for what runs and closes the store.
	Close() error
}

// Inserter is a Handle that can insert many records at once.
type Inserter interface {
	// InsertAll stores new records of one app, none of which has an entry of a unique index; docs.exists when a key is taken, or there twice, and
	// then none is stored.
	InsertAll(ctx context.Context, l *Layout, list []Record) error
}

// Record is a document in its stored form.
type Record struct {
	App     model.AppID // zero: global
	Key     string
	Version int   // of the document's form, from 1
	Rev     int64 // grows with every write of the record, from 1
	Body    []byte
	Entries []Entry // what its indexes hold of it
}

// Entry is one value of a record in one index.
type Entry struct {
	Index  string
	Value  []byte // see EncodeValue
	Unique bool
}

// Tally is a value of an index: string, bool or float64.
type Tally struct {
	Value any
	Count int
}

// Scope says whose records an operation sees.
type Scope struct {
	App model.AppID // zero: the global ones
	// All sees the records of every app and the global ones; App is ignored.
	All bool
	// Apps, unless nil, are the apps whose records are seen; App is ignored. All is not set.
	Apps []model.AppID
}

// Many reports whether the scope goes beyond one app.
func (s Scope) Many() bool { return s.All || s.Apps != nil }

// Layout is the untyped half of a Spec, as engines need it.
type Layout struct {
	Name    string
	Version int
	Indexes []IndexInfo
	// Search are the JSON paths that Query.Search looks into.
	Search []string
	// Rebuild brings an older record to Version and computes its entries.
	Rebuild func(Record) (Record, error)
}

// IndexInfo describes an index to an engine.
type IndexInfo struct {
	Name   string
	Unique bool
	Fold   bool
	// Order says that every record has exactly one entry in the index, that of nothing is empty.
	Order bool
}

// Signature tells layouts apart whose stored entries differ.
func (l *Layout) Signature() string {
	var b strings.Builder
	fmt.Fprintf(&b, "v%d", l.Version)
	for _, ix := range l.Indexes {
		fmt.Fprintf(&b, ";%s,%t,%t", ix.Name, ix.Unique, ix.Fold)
		if ix.Order {
			b.WriteString(",order")
		}
	}
	return b.String()
}

// Index returns the description of an index.
func (l *Layout) Index(name string) (IndexInfo, bool) {
	for _, ix := range l.Indexes {
		if ix.Name == name {
			return ix, true
		}
	}
	return IndexInfo{}, false
}

const duplicatePrefix = "docs.duplicate."

// ErrNotFound makes the fault of a document that is not there.
func ErrNotFound() error {
	return fault.New(fault.NotFound, "docs.not_found", "No such document")
}

// ErrExists makes the fault of a key that is taken.
func ErrExists() error {
	return fault.New(fault.Conflict, "docs.exists", "A document with this key already exists")
}

// ErrDuplicate makes the fault of a unique index entry that is taken.
func ErrDuplicate(index string) error {
	return fault.Newf(fault.Conflict, duplicatePrefix+index, "Another document has the same %s", index)
}

// ErrCorrupt makes the fault of a store whose data is not as it was written; err says where.
func ErrCorrupt(err error) error {
	return fault.Wrap(err, fault.Internal, "docs.corrupt", "The document store is damaged")
}

// ErrInvalidQuery makes the fault of a query that no collection, or not this one, can answer.
func ErrInvalidQuery(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "docs.invalid_query", format, args...)
}

// ErrNewerVersion makes the fault of data written by a newer program.
func ErrNewerVersion(collection string, found, known int) error {
	return fault.Newf(fault.Internal, "docs.newer_version",
		"Collection %s holds documents of version %d, this version supports up to %d", collection, found, known)
}

// IsNotFound reports whether err says that a document is not there.
func IsNotFound(err error) bool { return fault.CodeOf(err) == "docs.not_found" }

// DuplicateOf returns the name of the unique index that refused a write, and
// "" when err is something else.
func DuplicateOf(err error) string {
	if fe, ok := errors.AsType[*fault.Error](err); ok {
		if name, found := strings.CutPrefix(fe.Code, duplicatePrefix); found {
			return name
		}
	}
	return ""
}
