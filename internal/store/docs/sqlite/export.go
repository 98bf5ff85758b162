package sqlite

import (
	"context"
	"iter"

	"quipu/internal/store/docs"
)

// Export calls fn for each collection with an iterator over its documents. All collections are read from one snapshot. The iterator is valid until fn returns, whose error
// ends the export and is returned.
func (d *Store) Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[docs.Record, error]) error) error {
	tx, err := d.reader.BeginTx(ctx, nil)
	if err != nil {
		return storeError(err)
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	names, err := column[string](ctx, tx, "SELECT name FROM collections ORDER BY name")
	if err != nil {
		return err
	}
	for _, name := range names {
		l := &docs.Layout{Name: name}
		version, _, err := storedLayout(ctx, tx, l)
		if err != nil {
			return err
		}
		if err := fn(name, version, findRecords(ctx, tx, l, docs.Scope{All: true}, docs.Query{})); err != nil {
			return err
		}
	}
	return nil
}
