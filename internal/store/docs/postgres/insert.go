package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
)

// InsertAll implements docs.Inserter, in three statements however many records there are.
func (t *writeTx) InsertAll(ctx context.Context, l *docs.Layout, list []docs.Record) error {
	if len(list) == 0 {
		return nil
	}
	app := appText(list[0].App)
	keys, at := make([]string, len(list)), make(map[string]int, len(list))
	versions, bodies, found := make([]int32, len(list)), make([]string, len(list)), make([]string, len(list))
	search, sums, indexed := make([]string, len(list)), make([]int64, len(list)), make([]int64, len(list))
	for i, r := range list {
		c, err := columnsOf(l, r)
		if err != nil {
			return err
		}
		texts, err := json.Marshal(c.search)
		if err != nil {
			return err
		}
		keys[i], versions[i], bodies[i], found[i] = storedKey(r.Key), int32(r.Version), c.body, c.doc // versions are counted by hand
		search[i], sums[i], indexed[i] = string(texts), c.sum, docs.EntriesSum(r.Entries)
		if _, twice := at[keys[i]]; twice {
			return docs.ErrExists()
		}
		at[keys[i]] = i
	}
	var taken bool
	err := t.q.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM documents WHERE collection = $1 AND app = $2 AND key = ANY($3))", l.Name, app, keys).Scan(&taken)
	if err != nil {
		return t.db.fault(ctx, err)
	}
	if taken {
		return docs.ErrExists()
	}
	t.touched[l.Name] = true
	rows, err := t.q.Query(ctx, `INSERT INTO documents (collection, app, key, version, rev, body, doc, search, sum, indexed)
		SELECT $1, $2, u.key, u.version, 1, u.body, u.doc::jsonb, ARRAY(SELECT jsonb_array_elements_text(u.search::jsonb)), u.sum, u.indexed
		FROM unnest($3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[]) WITH ORDINALITY AS u(key, version, body, doc, search, sum, indexed, n)
		ORDER BY u.n RETURNING id, key`, l.Name, app, keys, versions, bodies, found, search, sums, indexed)
	if err != nil {
		return t.db.fault(ctx, err)
	}
	var id int64
	var key string
	var ids []int64
	var names []string
	var entries [][]byte
	_, err = pgx.ForEachRow(rows, []any{&id, &key}, func() error {
		for _, e := range list[at[key]].Entries {
			ids, names, entries = append(ids, id), append(names, e.Index), append(entries, e.Value)
		}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return t.db.fault(ctx, err)
	}
	_, err = t.q.Exec(ctx, `INSERT INTO entries (collection, app, name, value, document, uniq)
		SELECT $1, $2, u.name, u.value, u.document, false FROM unnest($3::text[], $4::bytea[], $5::bigint[]) AS u(name, value, document)`, l.Name, app, names, entries, ids)
	return t.db.fault(ctx, err)
}
