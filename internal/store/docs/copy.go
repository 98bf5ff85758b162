package docs

import (
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"quipu/internal/model"
)

// Exporter is a store whose documents can be copied to another one.
type Exporter interface {
	// Export calls fn with each collection and what reads its documents, some at a time: all as they were at one moment. The documents are
	// read until fn returns, whose error ends it and is returned.
	Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[Record, error]) error) error
}

// Importer is a store to which documents of another one are copied.
type Importer interface {
	// Import makes a collection consist of the records, in one transaction, and reports whether anything changed. Documents that are there already stay as they are. The indexes
	// of a collection that changed are made when it is used next: no process may have it in use meanwhile.
	Import(ctx context.Context, collection string, version int, records iter.Seq2[Record, error]) (changed bool, err error)
}

// Incoming is how an engine imports a collection, within a transaction.
type Incoming interface {
	// Differing returns those of some records that are not stored as they are.
	Differing(ctx context.Context, list []Record) ([]Record, error)
	// Put stores records, whether or not there are others with their keys.
	Put(ctx context.Context, list []Record) error
	// Retain removes the documents that keep does not want and returns how many there were.
	Retain(ctx context.Context, keep func(app model.AppID, key string) bool) (removed int, err error)
}

// What is in memory at a time of an import.
const (
	importRecords = 256
	importBytes   = 4 << 20 // of bodies, unless one document has more
)

// Import is for engines: it makes a collection consist of the records and reports whether anything changed. Of documents that were seen it keeps eight bytes each.
func Import(ctx context.Context, to Incoming, records iter.Seq2[Record, error]) (changed bool, err error) {
	seed := maphash.MakeSeed()
	id := func(app model.AppID, key string) uint64 {
		var h maphash.Hash
		h.SetSeed(seed)
		_, _ = h.Write(app[:])
		_, _ = h.WriteString(strings.ToValidUTF8(key, "\uFFFD")) // as some engines keep it
		return h.Sum64()
	}
	var seen []uint64
	var list []Record
	bytes := 0
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		differing, err := to.Differing(ctx, list)
		if err == nil && len(differing) > 0 {
			changed = true
			err = to.Put(ctx, differing)
		}
		list, bytes = list[:0], 0
		return err
	}
	for r, err := range records {
		if err != nil {
			return false, err
		}
		if len(list) > 0 && bytes+len(r.Body) > importBytes {
			if err := flush(); err != nil {
				return false, err
			}
		}
		list, bytes = append(list, r), bytes+len(r.Body)
		seen = append(seen, id(r.App, r.Key))
		if len(list) == importRecords {
			if err := flush(); err != nil {
				return false, err
			}
		}
	}
	if err := flush(); err != nil {
		return false, err
	}
	slices.Sort(seen)
	removed, err := to.Retain(ctx, func(app model.AppID, key string) bool {
		_, known := slices.BinarySearch(seen, id(app, key))
		return known
	})
	return changed || removed > 0, err
}
