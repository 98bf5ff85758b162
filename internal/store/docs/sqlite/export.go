package sqlite

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/store/docs"
)

// Export calls fn with all documents of each collection, in the order of their keys. What fn returns ends it and is returned.
func (d *Store) Export(ctx context.Context, fn func(collection string, version int, list []docs.Record) error) (err error) {
	rows, err := d.reader.QueryContext(ctx, "SELECT name, version FROM collections ORDER BY name")
	if err != nil {
		return storeError(err)
	}
	type one struct {
		name    string
		version int
	}
	var all []one
	for rows.Next() {
		var c one
		if err := rows.Scan(&c.name, &c.version); err != nil {
			return errors.Join(storeError(err), rows.Close())
		}
		all = append(all, c)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return storeError(err)
	}
	for _, c := range all {
		found, err := queryRows(ctx, d.reader, &docs.Layout{Name: c.name}, "SELECT "+recordColumns+" FROM documents d WHERE d.collection = ? ORDER BY d.app, d.key", c.name)
		if err != nil {
			return fmt.Errorf("read documents of %s: %w", c.name, err)
		}
		list := make([]docs.Record, len(found))
		for i := range found {
			list[i] = found[i].Record
		}
		if err := fn(c.name, c.version, list); err != nil {
			return err
		}
	}
	return nil
}
