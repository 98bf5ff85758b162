package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
)

// What is in memory at a time of an import.
const (
	importRecords = 256
	importBytes   = 4 << 20 // of bodies, unless one document has more
)

// Import makes a collection consist of the records, in one transaction, and reports whether anything changed. Documents that are there already stay as they are. Of each record
// that was seen it keeps eight bytes. The indexes of a collection that changed are made when it is used next: no process may have it in use meanwhile.
func (d *Store) Import(ctx context.Context, collection string, version int, records iter.Seq2[docs.Record, error]) (changed bool, err error) {
	err = d.tx(ctx, func(tx *writeTx) error {
		in := incoming{writeTx: tx, collection: collection, seed: maphash.MakeSeed()}
		if err := in.take(ctx, records); err != nil {
			return err
		}
		if err := in.removeOthers(ctx); err != nil || !in.changed {
			return d.fault(ctx, err)
		}
		changed = true
		_, err := tx.q.Exec(ctx, `INSERT INTO collections (name, version, signature, generation) VALUES ($1, $2, '', 1)
			ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version, signature = '', generation = collections.generation + 1`, collection, version)
		return d.fault(ctx, err)
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
	*writeTx
	collection string
	seed       maphash.Seed
	seen       []uint64 // hashes of what the records are known by
	changed    bool
}

// id is a hash of what a document is known by, as the columns have it.
func (t *incoming) id(app, key string) uint64 {
	return maphash.Comparable(t.seed, [2]string{app, key})
}

// take stores the records that are not stored as they are.
func (t *incoming) take(ctx context.Context, records iter.Seq2[docs.Record, error]) error {
	var list []docs.Record
	size := 0
	for r, err := range records {
		if err != nil {
			return err
		}
		if len(list) == importRecords || len(list) > 0 && size+len(r.Body) > importBytes {
			if err := t.store(ctx, list); err != nil {
				return t.db.fault(ctx, err)
			}
			list, size = list[:0], 0
		}
		list, size = append(list, r), size+len(r.Body)
		t.seen = append(t.seen, t.id(appText(r.App), storedKey(r.Key)))
	}
	return t.db.fault(ctx, t.store(ctx, list))
}

// store stores those of some records that are not stored as they are.
func (t *incoming) store(ctx context.Context, list []docs.Record) error {
	apps, keys := make([]string, len(list)), make([]string, len(list))
	for i, r := range list {
		apps[i], keys[i] = appText(r.App), storedKey(r.Key)
	}
	rows, err := t.q.Query(ctx, `SELECT coalesce(d.sum, -1) FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS u(app, key, n)
		LEFT JOIN documents d ON d.collection = $1 AND d.app = u.app AND d.key = u.key ORDER BY u.n`, t.collection, apps, keys)
	if err != nil {
		return err
	}
	sums, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	l := &docs.Layout{Name: t.collection}
	for i, r := range list {
		if sums[i] == docs.DocumentSum(t.collection, apps[i], r.Key, r.Version, r.Body) {
			continue
		}
		c, err := columnsOf(l, r)
		if err != nil {
			return err
		}
		t.changed = true
		batch.Queue("DELETE FROM documents WHERE collection = $1 AND app = $2 AND key = $3", t.collection, apps[i], keys[i])
		batch.Queue(`INSERT INTO documents (collection, app, key, version, rev, body, doc, search, sum, indexed) VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, 0)`,
			t.collection, apps[i], keys[i], r.Version, r.Rev, c.body, c.doc, c.search, c.sum)
	}
	return t.q.SendBatch(ctx, batch).Close()
}

// removeOthers removes the documents that were not among the records.
func (t *incoming) removeOthers(ctx context.Context) error {
	slices.Sort(t.seen)
	for last := int64(0); ; {
		rows, err := t.q.Query(ctx, "SELECT id, app, key FROM documents WHERE collection = $1 AND id > $2 ORDER BY id LIMIT $3", t.collection, last, findChunk)
		if err != nil {
			return err
		}
		var gone []int64
		var app, key string
		tag, err := pgx.ForEachRow(rows, []any{&last, &app, &key}, func() error {
			if _, known := slices.BinarySearch(t.seen, t.id(app, key)); !known {
				gone = append(gone, last)
			}
			return nil
		})
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if len(gone) == 0 {
			continue
		}
		t.changed = true
		if _, err := t.q.Exec(ctx, "DELETE FROM documents WHERE id = ANY($1)", gone); err != nil {
			return err
		}
	}
}

// Empty reports whether there are no documents.
func (d *Store) Empty(ctx context.Context) (empty bool, err error) {
	err = d.read(ctx, func(ctx context.Context, q querier) error {
		return q.QueryRow(ctx, "SELECT NOT EXISTS (SELECT 1 FROM documents)").Scan(&empty)
	})
	if err != nil {
		err = errors.Join(errors.New("look for documents"), err)
	}
	return empty, err
}
