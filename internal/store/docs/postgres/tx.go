package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
)

// writeTx is a transaction that excludes all other writes. Reads in it see its writes.
type writeTx struct {
	db      *Store
	q       pgx.Tx
	ensured map[string]string
	touched map[string]bool
}

// read calls fn with what reads. A transaction whose connection is lost has no second attempt.
func (t *writeTx) read(ctx context.Context, fn func(context.Context, querier) error) error {
	return t.db.fault(ctx, fn(ctx, t.q))
}

// Ensure brings a collection to the layout.
func (t *writeTx) Ensure(ctx context.Context, l *docs.Layout) error {
	want := signature(l)
	if t.ensured[l.Name] == want || t.ensured[l.Name] == "" && t.db.knows(l) {
		return nil
	}
	version, stored, err := storedLayout(ctx, t.q, l)
	switch {
	case err != nil:
	case version == 0:
		_, err = t.q.Exec(ctx, "INSERT INTO collections (name, version, signature, generation) VALUES ($1, $2, $3, 1)", l.Name, l.Version, want)
	case version > l.Version:
		return docs.ErrNewerVersion(l.Name, version, l.Version)
	case stored != want:
		if err := t.rebuild(ctx, l); err != nil {
			return fmt.Errorf("rebuild collection %s: %w", l.Name, err)
		}
		t.touched[l.Name] = true
		_, err = t.q.Exec(ctx, "UPDATE collections SET version = $2, signature = $3 WHERE name = $1", l.Name, l.Version, want)
	}
	if err != nil {
		return t.db.fault(ctx, err)
	}
	t.ensured[l.Name] = want
	return nil
}

func (t *writeTx) rebuild(ctx context.Context, l *docs.Layout) error {
	if _, err := t.q.Exec(ctx, "DELETE FROM entries WHERE collection = $1", l.Name); err != nil {
		return t.db.fault(ctx, err)
	}
	for row, err := range findRows(ctx, t.read, l, docs.Scope{All: true}, docs.Query{}) {
		if err != nil {
			return err
		}
		r, err := l.Rebuild(row.Record)
		if err != nil {
			return err
		}
		if err := t.replace(ctx, l, row.id, r); err != nil {
			return fmt.Errorf("document %s: %w", r.Key, err)
		}
	}
	return nil
}

// Get returns one record.
func (t *writeTx) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	r, err := getRecord(ctx, t.q, l, s, key)
	return r, t.db.fault(ctx, err)
}

// Find yields the records that q selects.
func (t *writeTx) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return findRecords(ctx, t.read, l, s, q)
}

// Count counts what q selects.
func (t *writeTx) Count(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	n, err := countRecords(ctx, t.q, l, s, q)
	return n, t.db.fault(ctx, err)
}

// Tally counts what q selects by the values of an index.
func (t *writeTx) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, q docs.Query) ([]docs.Tally, error) {
	list, err := tally(ctx, t.q, l, s, index, q)
	return list, t.db.fault(ctx, err)
}

// Generation returns the collection's write counter.
func (t *writeTx) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	n, err := generationOf(ctx, t.q, l)
	return n, t.db.fault(ctx, err)
}

// Insert stores a new record.
func (t *writeTx) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
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
func (t *writeTx) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
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
func (t *writeTx) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
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
func (t *writeTx) locate(ctx context.Context, l *docs.Layout, r docs.Record) (id, rev int64, err error) {
	err = t.q.QueryRow(ctx, "SELECT id, rev FROM documents WHERE collection = $1 AND app = $2 AND key = $3",
		l.Name, appText(r.App), storedKey(r.Key)).Scan(&id, &rev)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, nil
	}
	return id, rev, t.db.fault(ctx, err)
}

// insert and replace check the unique indexes before they write anything: a statement that fails would end
// the transaction, and a refused write must leave it as it was.

func (t *writeTx) insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	c, err := columnsOf(l, r)
	if err != nil {
		return err
	}
	if err := t.checkUnique(ctx, l, 0, r); err != nil {
		return err
	}
	t.touched[l.Name] = true
	var id int64
	err = t.q.QueryRow(ctx, `INSERT INTO documents (collection, app, key, version, rev, body, doc, search, sum, indexed)
		VALUES ($1, $2, $3, $4, 1, $5, $6::text::jsonb, $7, $8, $9) RETURNING id`,
		l.Name, appText(r.App), storedKey(r.Key), r.Version, c.body, c.doc, c.search, c.sum, docs.EntriesSum(r.Entries)).Scan(&id)
	if err != nil {
		return t.db.fault(ctx, err)
	}
	return t.writeEntries(ctx, l, id, r)
}

func (t *writeTx) replace(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	c, err := columnsOf(l, r)
	if err != nil {
		return err
	}
	if err := t.checkUnique(ctx, l, id, r); err != nil {
		return err
	}
	t.touched[l.Name] = true
	_, err = t.q.Exec(ctx, `UPDATE documents SET version = $2, rev = rev + 1, body = $3, doc = $4::text::jsonb, search = $5, sum = $6, indexed = $7 WHERE id = $1`,
		id, r.Version, c.body, c.doc, c.search, c.sum, docs.EntriesSum(r.Entries))
	if err != nil {
		return t.db.fault(ctx, err)
	}
	if _, err := t.q.Exec(ctx, "DELETE FROM entries WHERE document = $1", id); err != nil {
		return t.db.fault(ctx, err)
	}
	return t.writeEntries(ctx, l, id, r)
}

// values are what a record is in the columns of documents.
type values struct {
	body, doc string
	search    []string
	sum       int64
}

func columnsOf(l *docs.Layout, r docs.Record) (v values, err error) {
	v.body = strings.ToValidUTF8(string(r.Body), "\uFFFD")
	v.sum = docs.DocumentSum(l.Name, appText(r.App), r.Key, r.Version, []byte(v.body))
	if v.doc, err = queried([]byte(v.body)); err != nil {
		return v, fmt.Errorf("write document %s of %s: %w", r.Key, l.Name, err)
	}
	v.search = []string{}
	if len(l.Search) == 0 {
		return v, nil
	}
	var tree any
	if err := json.Unmarshal([]byte(v.body), &tree); err != nil {
		return v, fmt.Errorf("write document %s of %s: %w", r.Key, l.Name, err)
	}
	for _, f := range l.Search {
		if s, ok := textAt(tree, docs.Field(f)); ok {
			v.search = append(v.search, StoredText(docs.SearchText(s)))
		}
	}
	return v, nil
}

// queried is the form of a document that queries look at.
func queried(body []byte) (string, error) {
	doc, err := StoredJSON(body)
	return string(doc), err
}

// textAt is the text at a path.
func textAt(tree any, f docs.Field) (string, bool) {
	elements, _ := f.Path()
	for _, e := range elements {
		m, ok := tree.(map[string]any)
		if !ok {
			return "", false
		}
		tree = m[e]
	}
	s, ok := tree.(string)
	return s, ok
}

func (t *writeTx) checkUnique(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	var names []string
	var wanted [][]byte
	for _, e := range r.Entries {
		if e.Unique {
			names, wanted = append(names, e.Index), append(wanted, e.Value)
		}
	}
	if len(names) == 0 {
		return nil
	}
	var taken string
	err := t.q.QueryRow(ctx, `SELECT u.name FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS u(name, value, n)
		JOIN entries e ON e.collection = $1 AND e.app = $2 AND e.name = u.name AND e.uniq AND sha256(e.value) = sha256(u.value)
		WHERE e.document <> $5 ORDER BY u.n LIMIT 1`, l.Name, appText(r.App), names, wanted, id).Scan(&taken)
	switch {
	case err == nil:
		return docs.ErrDuplicate(taken)
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	}
	return t.db.fault(ctx, err)
}

func (t *writeTx) writeEntries(ctx context.Context, l *docs.Layout, id int64, r docs.Record) error {
	if len(r.Entries) == 0 {
		return nil
	}
	names, values, unique := make([]string, len(r.Entries)), make([][]byte, len(r.Entries)), make([]bool, len(r.Entries))
	for i, e := range r.Entries {
		names[i], values[i], unique[i] = e.Index, e.Value, e.Unique
	}
	_, err := t.q.Exec(ctx, `INSERT INTO entries (collection, app, name, value, document, uniq)
		SELECT $1, $2, u.name, u.value, $3, u.uniq FROM unnest($4::text[], $5::bytea[], $6::boolean[]) AS u(name, value, uniq)`,
		l.Name, appText(r.App), id, names, values, unique)
	return t.db.fault(ctx, err)
}

// Delete removes a record.
func (t *writeTx) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	tag, err := t.q.Exec(ctx, "DELETE FROM documents WHERE collection = $1 AND app = $2 AND key = $3", l.Name, appText(s.App), storedKey(key))
	if err != nil {
		return t.db.fault(ctx, err)
	}
	if tag.RowsAffected() == 0 {
		return docs.ErrNotFound()
	}
	t.touched[l.Name] = true
	return nil
}

// DeleteWhere removes what q selects.
func (t *writeTx) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	q.Sort = ""
	b, err := compile(l, s, q, usual(s, q))
	if err != nil {
		return 0, err
	}
	tag, err := t.q.Exec(ctx, "DELETE FROM documents AS d WHERE "+b.text(), b.bound()...)
	if err != nil {
		return 0, t.db.fault(ctx, err)
	}
	if tag.RowsAffected() > 0 {
		t.touched[l.Name] = true
	}
	return int(tag.RowsAffected()), nil
}
