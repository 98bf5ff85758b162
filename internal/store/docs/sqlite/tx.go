package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// querier is what reads need of a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// sqliteTx is a write transaction. Reads in it see its writes.
type sqliteTx struct {
	db      *Store
	q       *sql.Tx
	ensured map[string]string
	touched map[string]bool
}

const recordColumns = "d.id, d.app, d.key, d.version, d.rev, d.body, d.sum"

// findChunk is how many records are in memory at a time.
const findChunk = 256

// Ensure brings a collection to the layout.
func (t *sqliteTx) Ensure(ctx context.Context, l *docs.Layout) error {
	signature := l.Signature()
	if t.ensured[l.Name] == signature || t.ensured[l.Name] == "" && t.db.knows(l) {
		return nil
	}
	version, stored, err := storedLayout(ctx, t.q, l)
	switch {
	case err != nil:
		return err
	case version == 0:
		_, err = t.q.ExecContext(ctx, "INSERT INTO collections (name, version, signature, generation) VALUES (?, ?, ?, 1)",
			l.Name, l.Version, signature)
		if err != nil {
			return storeError(err)
		}
	case version > l.Version:
		return docs.ErrNewerVersion(l.Name, version, l.Version)
	case stored != signature:
		if err := t.rebuild(ctx, l); err != nil {
			return fmt.Errorf("rebuild collection %s: %w", l.Name, err)
		}
		t.touched[l.Name] = true
		_, err = t.q.ExecContext(ctx, "UPDATE collections SET version = ?, signature = ? WHERE name = ?", l.Version, signature, l.Name)
		if err != nil {
			return storeError(err)
		}
	}
	t.ensured[l.Name] = signature
	return nil
}

func (t *sqliteTx) rebuild(ctx context.Context, l *docs.Layout) error {
	if _, err := t.q.ExecContext(ctx, "DELETE FROM entries WHERE collection = ?", l.Name); err != nil {
		return storeError(err)
	}
	for row, err := range findRows(ctx, t.q, l, docs.Scope{All: true}, docs.Query{}) {
		if err != nil {
			return err
		}
		r, err := l.Rebuild(row.Record)
		if err != nil {
			return err
		}
		_, err = t.q.ExecContext(ctx, "UPDATE documents SET version = ?, rev = rev + 1, body = ?, sum = ?, indexed = ? WHERE id = ?",
			r.Version, string(r.Body), docs.DocumentSum(l.Name, appText(r.App), r.Key, r.Version, r.Body), docs.EntriesSum(r.Entries), row.id)
		if err != nil {
			return storeError(err)
		}
		if err := t.putEntries(ctx, l, row.id, r); err != nil {
			return fmt.Errorf("document %s: %w", r.Key, err)
		}
	}
	return nil
}

// Get returns one record.
func (t *sqliteTx) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	return getRecord(ctx, t.q, l, s, key)
}

// Find yields the records that q selects.
func (t *sqliteTx) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return findRecords(ctx, t.q, l, s, q)
}

// Count counts what q selects.
func (t *sqliteTx) Count(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	return countRecords(ctx, t.q, l, s, q)
}

// Tally counts what q selects by the values of an index.
func (t *sqliteTx) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, q docs.Query) ([]docs.Tally, error) {
	return tally(ctx, t.q, l, s, index, q)
}

// Generation returns the collection's write counter.
func (t *sqliteTx) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	return generationOf(ctx, t.q, l)
}

// Insert stores a new record.
func (t *sqliteTx) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	id, _, err := t.locate(ctx, l, r)
	if err != nil {
		return err
	}
	if id != 0 {
		return docs.ErrExists()
	}
	return t.insert(ctx, l, r)
}

// Upsert stores a record whether or not it is there.
func (t *sqliteTx) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	id, _, err := t.locate(ctx, l, r)
	if err != nil {
		return err
	}
	if id == 0 {
		return t.insert(ctx, l, r)
	}
	return t.replace(ctx, l, id, r)
}

// Replace stores a record if its revision has not changed.
func (t *sqliteTx) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	id, rev, err := t.locate(ctx, l, r)
	if err != nil {
		return false, err
	}
	if id == 0 {
		return false, docs.ErrNotFound()
	}
	if rev != r.Rev {
		return false, nil
	}
	return true, t.replace(ctx, l, id, r)
}

// locate returns id and revision of the stored record with r's key; 0 when there is none.
func (t *sqliteTx) locate(ctx context.Context, l *docs.Layout, r docs.Record) (id, rev int64, err error) {
	err = t.q.QueryRowContext(ctx, "SELECT id, rev FROM documents WHERE collection = ? AND app = ? AND key = ?",
		l.Name, appText(r.App), r.Key).Scan(&id, &rev)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, nil
	}
	return id, rev, storeError(err)
}

// insert and replace check the unique indexes before they write anything, so
// that a refused write leaves the transaction as it was.

func (t *sqliteTx) insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	if err := t.checkUnique(ctx, l, 0, r); err != nil {
		return err
	}
	t.touched[l.Name] = true
	res, err := t.q.ExecContext(ctx, "INSERT INTO documents (collection, app, key, version, rev, body, sum, indexed) VALUES (?, ?, ?, ?, 1, ?, ?, ?)",
		l.Name, appText(r.App), r.Key, r.Version, string(r.Body), docs.DocumentSum(l.Name, appText(r.App), r.Key, r.Version, r.Body), docs.EntriesSum(r.Entries))
	if err != nil {
		return storeError(err)
	}
	id, err := res.LastInsertId()
	if err != nil {
		return storeError(err)
	}
	return t.writeEntries(ctx, l, id, r)
}

func (t *sqliteTx) replace(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	if err := t.checkUnique(ctx, l, id, r); err != nil {
		return err
	}
	t.touched[l.Name] = true
	_, err := t.q.ExecContext(ctx, "UPDATE documents SET version = ?, rev = rev + 1, body = ?, sum = ?, indexed = ? WHERE id = ?",
		r.Version, string(r.Body), docs.DocumentSum(l.Name, appText(r.App), r.Key, r.Version, r.Body), docs.EntriesSum(r.Entries), id)
	if err != nil {
		return storeError(err)
	}
	if _, err := t.q.ExecContext(ctx, "DELETE FROM entries WHERE document = ?", id); err != nil {
		return storeError(err)
	}
	return t.writeEntries(ctx, l, id, r)
}

func (t *sqliteTx) checkUnique(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	for _, e := range r.Entries {
		if !e.Unique {
			continue
		}
		var other int64
		err := t.q.QueryRowContext(ctx, `SELECT document FROM entries
			WHERE collection = ? AND app = ? AND name = ? AND value = ? AND uniq = 1 AND document <> ?`,
			l.Name, appText(r.App), e.Index, e.Value, id).Scan(&other)
		if err == nil {
			return docs.ErrDuplicate(e.Index)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return storeError(err)
		}
	}
	return nil
}

func (t *sqliteTx) putEntries(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	if err := t.checkUnique(ctx, l, id, r); err != nil {
		return err
	}
	return t.writeEntries(ctx, l, id, r)
}

func (t *sqliteTx) writeEntries(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	for _, e := range r.Entries {
		_, err := t.q.ExecContext(ctx, "INSERT INTO entries (collection, app, name, value, document, uniq) VALUES (?, ?, ?, ?, ?, ?)",
			l.Name, appText(r.App), e.Index, e.Value, id, e.Unique)
		if err != nil {
			return storeError(err)
		}
	}
	return nil
}

// Delete removes a record.
func (t *sqliteTx) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	res, err := t.q.ExecContext(ctx, "DELETE FROM documents WHERE collection = ? AND app = ? AND key = ?", l.Name, appText(s.App), key)
	if err != nil {
		return storeError(err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return storeError(err)
	}
	if n == 0 {
		return docs.ErrNotFound()
	}
	t.touched[l.Name] = true
	return nil
}

// DeleteWhere removes what q selects.
func (t *sqliteTx) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	b, err := compile(l, s, q, false)
	if err != nil {
		return 0, err
	}
	res, err := t.q.ExecContext(ctx, "DELETE FROM documents AS d WHERE "+b.text(), b.args...)
	if err != nil {
		return 0, storeError(err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, storeError(err)
	}
	if n > 0 {
		t.touched[l.Name] = true
	}
	return int(n), nil
}

func appText(app model.AppID) string {
	if app.IsZero() {
		return ""
	}
	return app.String()
}

// generationOf is 0 for a collection that was never written to.
func generationOf(ctx context.Context, q querier, l *docs.Layout) (int64, error) {
	var n int64
	err := q.QueryRowContext(ctx, "SELECT generation FROM collections WHERE name = ?", l.Name).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, storeError(err)
}

// storedLayout returns version 0 for a collection that was never written to.
func storedLayout(ctx context.Context, q querier, l *docs.Layout) (version int, signature string, err error) {
	err = q.QueryRowContext(ctx, "SELECT version, signature FROM collections WHERE name = ?", l.Name).Scan(&version, &signature)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return version, signature, storeError(err)
}

func getRecord(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	rows, err := queryRows(ctx, q, l, "SELECT "+recordColumns+" FROM documents d WHERE d.collection = ? AND d.app = ? AND d.key = ?",
		l.Name, appText(s.App), key)
	if err != nil {
		return docs.Record{}, err
	}
	if len(rows) == 0 {
		return docs.Record{}, docs.ErrNotFound()
	}
	return rows[0].Record, nil
}

func countRecords(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) (int, error) {
	b, err := compile(l, s, query, false)
	if err != nil {
		return 0, err
	}
	var n int
	err = q.QueryRowContext(ctx, "SELECT count(*) FROM documents d WHERE "+b.text(), b.args...).Scan(&n)
	return n, storeError(err)
}

func tally(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, index string, query docs.Query) (_ []docs.Tally, rerr error) {
	query.Sort = ""
	b, err := compile(l, s, query, false)
	if err != nil {
		return nil, err
	}
	text, args := "SELECT e.value, count(*) FROM "+b.from+" JOIN entries e ON e.document = d.id AND e.name = ? WHERE "+b.text(), append([]any{index}, b.args...)
	if len(query.Where) == 0 && query.Filter.IsZero() && query.Search == "" && !s.Many() { // the index alone tells
		text, args = "SELECT e.value, count(*) FROM entries e WHERE e.collection = ? AND e.app = ? AND e.name = ?", []any{l.Name, appText(s.App), index}
	}
	rows, err := q.QueryContext(ctx, text+" AND e.value <> x'' GROUP BY e.value ORDER BY e.value", args...)
	if err != nil {
		return nil, storeError(err)
	}
	defer func() { rerr = errors.Join(rerr, rows.Close()) }()
	var out []docs.Tally
	for rows.Next() {
		var value []byte
		var one docs.Tally
		if err := rows.Scan(&value, &one.Count); err != nil {
			return nil, storeError(err)
		}
		if one.Value, err = docs.DecodeValue(value); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, storeError(rows.Err())
}

func findRecords(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) iter.Seq2[docs.Record, error] {
	return func(yield func(docs.Record, error) bool) {
		for row, err := range findRows(ctx, q, l, s, query) {
			if !yield(row.Record, err) {
				return
			}
		}
	}
}

// row is a record with its row id.
type row struct {
	docs.Record
	id  int64
	sum sql.NullInt64
}

// findRows holds no cursor while it yields, so that loops may nest without
// exhausting the pool: short results are read at once, for long ones the
// row ids first and then the records in chunks.
func findRows(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		walk, err := walks(ctx, q, l, s, query)
		if err != nil {
			yield(row{}, err)
			return
		}
		b, err := compile(l, s, query, walk)
		if err != nil {
			yield(row{}, err)
			return
		}
		where := " FROM " + b.from + " WHERE " + b.text() + b.order(s, query)
		if query.Limit > 0 && query.Limit <= findChunk {
			rows, err := queryRows(ctx, q, l, "SELECT "+recordColumns+where, b.args...)
			if err != nil {
				yield(row{}, err)
				return
			}
			yieldRows(rows, yield)
			return
		}
		ids, err := column[int64](ctx, q, "SELECT d.id"+where, b.args...)
		if err != nil {
			yield(row{}, err)
			return
		}
		for len(ids) > 0 {
			n := min(len(ids), findChunk)
			rows, err := rowsByID(ctx, q, l, ids[:n])
			if err != nil {
				yield(row{}, err)
				return
			}
			if !yieldRows(rows, yield) {
				return
			}
			ids = ids[n:]
		}
	}
}

func yieldRows(rows []row, yield func(row, error) bool) bool {
	for _, r := range rows {
		if !yield(r, nil) {
			return false
		}
	}
	return true
}

// rowsByID reads records in the order of ids and leaves out those that are gone.
func rowsByID(ctx context.Context, q querier, l *docs.Layout, ids []int64) ([]row, error) {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	rows, err := queryRows(ctx, q, l, "SELECT "+recordColumns+" FROM documents d WHERE d.id IN ("+marks(len(ids))+")", args...)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]row, len(rows))
	for _, r := range rows {
		byID[r.id] = r
	}
	rows = rows[:0]
	for _, id := range ids {
		if r, ok := byID[id]; ok {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// queryRows reads documents of a collection, in recordColumns, and verifies their checksums.
func queryRows(ctx context.Context, q querier, l *docs.Layout, query string, args ...any) (_ []row, rerr error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, storeError(err)
	}
	defer func() { rerr = errors.Join(rerr, rows.Close()) }()
	var out []row
	for rows.Next() {
		var r row
		var app string
		if err := rows.Scan(&r.id, &app, &r.Key, &r.Version, &r.Rev, &r.Body, &r.sum); err != nil {
			return nil, storeError(err)
		}
		if err := r.verified(l.Name, app); err != nil {
			return nil, err
		}
		if err := r.App.UnmarshalText([]byte(app)); err != nil {
			return nil, fmt.Errorf("read app of document %s: %w", r.Key, err)
		}
		out = append(out, r)
	}
	return out, storeError(rows.Err())
}

func column[T any](ctx context.Context, q querier, query string, args ...any) (_ []T, rerr error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, storeError(err)
	}
	defer func() { rerr = errors.Join(rerr, rows.Close()) }()
	var out []T
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, storeError(err)
		}
		out = append(out, v)
	}
	return out, storeError(rows.Err())
}
