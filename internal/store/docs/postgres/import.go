package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/pg"
)

var (
	_ docs.Exporter = (*Store)(nil)
	_ docs.Importer = (*Store)(nil)
)

// Export implements docs.Exporter. Documents come in the order of their apps and keys.
func (d *Store) Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[docs.Record, error]) error) error {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return d.fault(ctx, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = tx.Rollback(ctx) // it has read only
	}()
	rows, err := tx.Query(ctx, "SELECT name FROM collections ORDER BY name")
	if err != nil {
		return d.fault(ctx, err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return d.fault(ctx, err)
	}
	for _, name := range names {
		version, _, err := storedLayout(ctx, tx, &docs.Layout{Name: name})
		if err != nil {
			return d.fault(ctx, err)
		}
		if err := fn(name, version, d.exported(ctx, tx, name)); err != nil {
			return err
		}
	}
	return nil
}

// exported reads a collection.
func (d *Store) exported(ctx context.Context, q querier, collection string) iter.Seq2[docs.Record, error] {
	return func(yield func(docs.Record, error) bool) {
		l := &docs.Layout{Name: collection}
		where, args := "", []any{collection, findChunk}
		for {
			page, err := queryRows(ctx, q, l, "SELECT "+recordColumns+" FROM documents d WHERE d.collection = $1"+where+" ORDER BY d.app, d.key LIMIT $2", args...)
			if err != nil {
				yield(docs.Record{}, fmt.Errorf("read documents of %s: %w", collection, d.fault(ctx, err)))
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
			where, args = " AND (d.app, d.key) > ($3, $4)", []any{collection, findChunk, appText(last.App), storedKey(last.Key)}
		}
	}
}

// Import implements docs.Importer.
func (d *Store) Import(ctx context.Context, collection string, version int, records iter.Seq2[docs.Record, error]) (changed bool, err error) {
	err = d.tx(ctx, func(tx *writeTx) (err error) {
		if changed, err = docs.Import(ctx, incoming{tx, collection}, records); err != nil || !changed {
			return err
		}
		_, err = tx.q.Exec(ctx, `INSERT INTO collections (name, version, signature, generation) VALUES ($1, $2, '', 1)
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

// incoming implements docs.Incoming for a collection.
type incoming struct {
	*writeTx
	collection string
}

// Differing implements docs.Incoming.
func (t incoming) Differing(ctx context.Context, list []docs.Record) (differing []docs.Record, err error) {
	apps, keys := make([]string, len(list)), make([]string, len(list))
	for i, r := range list {
		apps[i], keys[i] = appText(r.App), storedKey(r.Key)
	}
	rows, err := t.q.Query(ctx, `SELECT coalesce(d.sum, -1) FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS u(app, key, n)
		LEFT JOIN documents d ON d.collection = $1 AND d.app = u.app AND d.key = u.key ORDER BY u.n`, t.collection, apps, keys)
	if err != nil {
		return nil, t.db.fault(ctx, err)
	}
	sums, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, t.db.fault(ctx, err)
	}
	for i, r := range list {
		if sums[i] != docs.DocumentSum(t.collection, apps[i], r.Key, r.Version, r.Body) {
			differing = append(differing, r)
		}
	}
	return differing, nil
}

// Put implements docs.Incoming.
func (t incoming) Put(ctx context.Context, list []docs.Record) error {
	batch := &pgx.Batch{}
	l := &docs.Layout{Name: t.collection}
	for _, r := range list {
		c, err := columnsOf(l, r)
		if err != nil {
			return err
		}
		app, key := appText(r.App), storedKey(r.Key)
		batch.Queue("DELETE FROM documents WHERE collection = $1 AND app = $2 AND key = $3", t.collection, app, key)
		batch.Queue(`INSERT INTO documents (collection, app, key, version, rev, body, doc, search, sum, indexed) VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, 0)`,
			t.collection, app, key, r.Version, r.Rev, c.body, c.doc, c.search, c.sum)
	}
	return t.db.fault(ctx, t.q.SendBatch(ctx, batch).Close())
}

// Retain implements docs.Incoming.
func (t incoming) Retain(ctx context.Context, keep func(app model.AppID, key string) bool) (removed int, err error) {
	for last := int64(0); ; {
		gone, next, err := t.unwanted(ctx, last, keep)
		if err != nil {
			return removed, t.db.fault(ctx, err)
		}
		if len(gone) > 0 {
			if _, err := t.q.Exec(ctx, "DELETE FROM documents WHERE id = ANY($1)", gone); err != nil {
				return removed, t.db.fault(ctx, err)
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
	rows, err := t.q.Query(ctx, "SELECT id, app, key FROM documents WHERE collection = $1 AND id > $2 ORDER BY id LIMIT $3", t.collection, after, findChunk)
	if err != nil {
		return nil, after, err
	}
	last = after
	var name, key string
	_, err = pgx.ForEachRow(rows, []any{&last, &name, &key}, func() error {
		var app model.AppID
		if name != "" {
			if err := app.UnmarshalText([]byte(name)); err != nil {
				return fmt.Errorf("read app of document %q: %w", plainKey(key), err)
			}
		}
		if !keep(app, plainKey(key)) {
			gone = append(gone, last)
		}
		return nil
	})
	return gone, last, err
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
