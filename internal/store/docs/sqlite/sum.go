package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quipu/internal/store/docs"
)

// sums brings a file of format 1, which had none, to format 2.
const sums = `
ALTER TABLE documents ADD COLUMN sum INTEGER;
ALTER TABLE documents ADD COLUMN indexed INTEGER;
UPDATE documents SET
	sum = quipu_sum(collection, app, key, version, body),
	indexed = (SELECT coalesce(sum(quipu_entry(name, value, uniq)), 0) FROM entries WHERE document = documents.id);
`

// verified compares a document that was read with its checksum, if it has one.
func (r *row) verified(collection, app string) error {
	if r.sum.Valid && r.sum.Int64 != docs.DocumentSum(collection, app, r.Key, r.Version, r.Body) {
		return docs.ErrCorrupt(fmt.Errorf("document %s of collection %s is not as it was written", r.Key, collection))
	}
	return nil
}

// checkSums compares all documents and entries with their checksums.
func (d *Store) checkSums(ctx context.Context) error {
	for _, check := range []struct{ what, from string }{
		{"documents are not as they were written", "documents d WHERE d.sum <> quipu_sum(d.collection, d.app, d.key, d.version, d.body)"},
		{"documents have indexes that are not as they were written", `documents d
			LEFT JOIN (SELECT document, sum(quipu_entry(name, value, uniq)) AS indexed FROM entries GROUP BY document) e ON e.document = d.id
			WHERE d.indexed <> coalesce(e.indexed, 0)`},
	} {
		var broken int64
		var first sql.NullString
		row := d.reader.QueryRowContext(ctx, "SELECT count(*), min(d.collection || ' ' || d.app || ' ' || d.key) FROM "+check.from)
		if err := row.Scan(&broken, &first); err != nil {
			return storeError(err)
		}
		if broken > 0 {
			return docs.ErrCorrupt(fmt.Errorf("%d %s, one of them %q", broken, check.what, first.String))
		}
	}
	return nil
}

// errSumType says that a column of a document has a value of a type that was never written.
var errSumType = errors.New("value of an unexpected type")

// registerable forms of docs.DocumentSum and docs.EntrySum: SQLite hands text and blobs as they are stored.

func sqlSum(collection, app, key string, version int64, body any) (int64, error) {
	text, ok := bytesOf(body)
	if !ok {
		return 0, errSumType
	}
	return docs.DocumentSum(collection, app, key, int(version), text), nil
}

func sqlEntry(index string, value any, unique int64) (int64, error) {
	b, ok := bytesOf(value)
	if !ok {
		return 0, errSumType
	}
	return docs.EntrySum(docs.Entry{Index: index, Value: b, Unique: unique != 0}), nil
}

func bytesOf(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	case nil:
		return nil, true // the driver's form of a blob of no bytes
	}
	return nil, false
}
