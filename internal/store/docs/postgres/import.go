package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
)

// Import replaces a collection by documents of another store, in one transaction, unless it has the same ones. Their indexes are made by the first process that uses
// the collection and has not done so before: no process may have it in use meanwhile. It reports whether anything changed.
func (d *Store) Import(ctx context.Context, collection string, version int, list []docs.Record) (changed bool, err error) {
	err = d.tx(ctx, func(tx *writeTx) error {
		same, err := tx.has(ctx, collection, list)
		if err != nil || same {
			return err
		}
		changed = true
		batch := &pgx.Batch{}
		batch.Queue("DELETE FROM documents WHERE collection = $1", collection)
		batch.Queue(`INSERT INTO collections (name, version, signature, generation) VALUES ($1, $2, '', 1)
			ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version, signature = '', generation = collections.generation + 1`, collection, version)
		l := &docs.Layout{Name: collection}
		for _, r := range list {
			c, err := columnsOf(l, r)
			if err != nil {
				return err
			}
			batch.Queue(`INSERT INTO documents (collection, app, key, version, rev, body, doc, search, sum, indexed) VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, 0)`,
				collection, appText(r.App), storedKey(r.Key), r.Version, r.Rev, c.body, c.doc, c.search, c.sum)
		}
		return d.fault(ctx, tx.q.SendBatch(ctx, batch).Close())
	})
	d.mu.Lock()
	delete(d.ensured, collection)
	d.mu.Unlock()
	if err != nil {
		return false, fmt.Errorf("import documents of %s: %w", collection, err)
	}
	return changed, nil
}

// has reports whether a collection has these documents and no others.
func (t *writeTx) has(ctx context.Context, collection string, list []docs.Record) (bool, error) {
	type id struct{ app, key string }
	want := make(map[id]int64, len(list))
	for _, r := range list {
		want[id{appText(r.App), storedKey(r.Key)}] = docs.DocumentSum(collection, appText(r.App), r.Key, r.Version, r.Body)
	}
	rows, err := t.q.Query(ctx, "SELECT app, key, sum FROM documents WHERE collection = $1", collection)
	if err != nil {
		return false, t.db.fault(ctx, err)
	}
	n, same := 0, true
	var app, key string
	var sum int64
	_, err = pgx.ForEachRow(rows, []any{&app, &key, &sum}, func() error {
		n++
		before, known := want[id{app, key}]
		same = same && known && before == sum
		return nil
	})
	return same && n == len(list), t.db.fault(ctx, err)
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
