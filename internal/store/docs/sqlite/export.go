package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

var (
	_ docs.Exporter = (*Store)(nil)
	_ docs.Importer = (*Store)(nil)
)

// Export implements docs.Exporter. Documents come in the order of their apps and keys.
func (d *Store) Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[docs.Record, error]) error) (err error) {
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
		version, _, err := storedLayout(ctx, tx, &docs.Layout{Name: name})
		if err != nil {
			return err
		}
		if err := fn(name, version, exported(ctx, tx, name)); err != nil {
			return err
		}
	}
	return nil
}

// exported reads a collection.
func exported(ctx context.Context, q querier, collection string) iter.Seq2[docs.Record, error] {
	return func(yield func(docs.Record, error) bool) {
		l := &docs.Layout{Name: collection}
		where, args := "", []any{collection}
		for {
			page, err := queryRows(ctx, q, l, "SELECT "+recordColumns+" FROM documents d WHERE d.collection = ?"+where+" ORDER BY d.app, d.key LIMIT ?", append(args, findChunk)...)
			if err != nil {
				yield(docs.Record{}, fmt.Errorf("read documents of %s: %w", collection, err))
				return
			}
			for i := range page {
				if !yield(page[i].Record, nil) {
					return
				}
			}
			if len(page) < findChunk {
				return
			}
			last := &page[len(page)-1]
			where, args = " AND (d.app, d.key) > (?, ?)", []any{collection, appText(last.App), last.Key}
		}
	}
}

// Import implements docs.Importer.
func (d *Store) Import(ctx context.Context, collection string, version int, records iter.Seq2[docs.Record, error]) (changed bool, err error) {
	err = d.tx(ctx, func(tx *sqliteTx) error {
		if changed, err = docs.Import(ctx, incoming{tx, collection}, records); err != nil || !changed {
			return err
		}
		_, err := tx.q.ExecContext(ctx, `INSERT INTO collections (name, version, signature, generation) VALUES (?, ?, '', 1)
			ON CONFLICT (name) DO UPDATE SET version = excluded.version, signature = '', generation = collections.generation + 1`, collection, version)
		return storeError(err)
	})
	d.mu.Lock()
	delete(d.ensured, collection)
	d.mu.Unlock()
	if err != nil {
		return false, fmt.Errorf("import documents of %s: %w", collection, err)
	}
	return changed, nil
}

// incoming implements docs.Incoming for a collection.
type incoming struct {
	*sqliteTx
	collection string
}

// Differing implements docs.Incoming.
func (t incoming) Differing(ctx context.Context, list []docs.Record) (differing []docs.Record, err error) {
	for _, r := range list {
		found, err := column[int64](ctx, t.q, "SELECT coalesce(sum, -1) FROM documents WHERE collection = ? AND app = ? AND key = ?", t.collection, appText(r.App), r.Key)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 || found[0] != docs.DocumentSum(t.collection, appText(r.App), r.Key, r.Version, r.Body) {
			differing = append(differing, r)
		}
	}
	return differing, nil
}

// Put implements docs.Incoming.
func (t incoming) Put(ctx context.Context, list []docs.Record) error {
	for _, r := range list {
		app := appText(r.App)
		if _, err := t.q.ExecContext(ctx, "DELETE FROM documents WHERE collection = ? AND app = ? AND key = ?", t.collection, app, r.Key); err != nil {
			return storeError(err)
		}
		_, err := t.q.ExecContext(ctx, "INSERT INTO documents (collection, app, key, version, rev, body, sum, indexed) VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
			t.collection, app, r.Key, r.Version, r.Rev, string(r.Body), docs.DocumentSum(t.collection, app, r.Key, r.Version, r.Body))
		if err != nil {
			return storeError(err)
		}
	}
	return nil
}

// Retain implements docs.Incoming.
func (t incoming) Retain(ctx context.Context, keep func(app model.AppID, key string) bool) (removed int, err error) {
	for last := int64(0); ; {
		gone, next, err := t.unwanted(ctx, last, keep)
		if err != nil {
			return removed, err
		}
		for _, id := range gone {
			if _, err := t.q.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
				return removed, storeError(err)
			}
		}
		removed += len(gone)
		if next == last {
			return removed, nil
		}
		last = next
	}
}

// unwanted looks at some documents behind an id, and returns the ids of those that keep does not want and that of the last.
func (t incoming) unwanted(ctx context.Context, after int64, keep func(app model.AppID, key string) bool) (gone []int64, last int64, err error) {
	rows, err := t.q.QueryContext(ctx, "SELECT id, app, key FROM documents WHERE collection = ? AND id > ? ORDER BY id LIMIT ?", t.collection, after, findChunk)
	if err != nil {
		return nil, after, storeError(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for last = after; rows.Next(); {
		var name, key string
		var app model.AppID
		if err := rows.Scan(&last, &name, &key); err != nil {
			return nil, after, storeError(err)
		}
		if err := app.UnmarshalText([]byte(name)); err != nil {
			return nil, after, fmt.Errorf("read app of document %s: %w", key, err)
		}
		if !keep(app, key) {
			gone = append(gone, last)
		}
	}
	return gone, last, storeError(rows.Err())
}
