package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"quipu/internal/store/docs"
)

// Import makes a collection consist of the records, in one transaction, and reports whether anything changed. Documents that are there already stay as they are. Of each record
// that was seen it keeps eight bytes. The indexes of a collection that changed are made when it is used next: nobody may have it in use meanwhile.
func (d *Store) Import(ctx context.Context, collection string, version int, records iter.Seq2[docs.Record, error]) (changed bool, err error) {
	err = d.tx(ctx, func(tx *sqliteTx) error {
		in := incoming{sqliteTx: tx, collection: collection, seed: maphash.MakeSeed()}
		for r, err := range records {
			if err != nil {
				return err
			}
			if err := in.store(ctx, r); err != nil {
				return storeError(err)
			}
		}
		if err := in.removeOthers(ctx); err != nil || !in.changed {
			return storeError(err)
		}
		changed = true
		_, err := tx.q.ExecContext(ctx, `INSERT INTO collections (name, version, signature, generation) VALUES (?, ?, '', 1)
			ON CONFLICT (name) DO UPDATE SET version = excluded.version, signature = '', generation = generation + 1`, collection, version)
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

// incoming is an import of a collection.
type incoming struct {
	*sqliteTx
	collection string
	seed       maphash.Seed
	seen       []uint64 // hashes of what the records are known by
	changed    bool
}

// id is a hash of what a document is known by.
func (t *incoming) id(app, key string) uint64 {
	return maphash.Comparable(t.seed, [2]string{app, key})
}

// store stores a record that is not stored as it is.
func (t *incoming) store(ctx context.Context, r docs.Record) error {
	app := appText(r.App)
	t.seen = append(t.seen, t.id(app, r.Key))
	sum := docs.DocumentSum(t.collection, app, r.Key, r.Version, r.Body)
	var id int64
	var stored sql.NullInt64
	err := t.q.QueryRowContext(ctx, "SELECT id, sum FROM documents WHERE collection = ? AND app = ? AND key = ?", t.collection, app, r.Key).Scan(&id, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	case stored.Valid && stored.Int64 == sum:
		return nil
	default:
		if _, err := t.q.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
			return err
		}
	}
	t.changed = true
	_, err = t.q.ExecContext(ctx, "INSERT INTO documents (collection, app, key, version, rev, body, sum, indexed) VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
		t.collection, app, r.Key, r.Version, r.Rev, string(r.Body), sum)
	return err
}

// removeOthers removes the documents that were not among the records.
func (t *incoming) removeOthers(ctx context.Context) error {
	slices.Sort(t.seen)
	gone, err := t.others(ctx)
	if err != nil {
		return err
	}
	for _, id := range gone {
		t.changed = true
		if _, err := t.q.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// others are the documents that were not among the records.
func (t *incoming) others(ctx context.Context) (gone []int64, rerr error) {
	rows, err := t.q.QueryContext(ctx, "SELECT id, app, key FROM documents WHERE collection = ?", t.collection)
	if err != nil {
		return nil, err
	}
	defer func() { rerr = errors.Join(rerr, rows.Close()) }()
	for rows.Next() {
		var id int64
		var app, key string
		if err := rows.Scan(&id, &app, &key); err != nil {
			return nil, err
		}
		if _, known := slices.BinarySearch(t.seen, t.id(app, key)); !known {
			gone = append(gone, id)
		}
	}
	return gone, rows.Err()
}
