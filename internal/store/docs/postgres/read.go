package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
)

// querier is what reads need of a pool or a transaction.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// reader calls a function with what reads, and the context to do so under; it may call it again when a connection was lost.
type reader func(ctx context.Context, fn func(context.Context, querier) error) error

const recordColumns = "d.id, d.app, d.key, d.version, d.rev, d.body, d.sum"

// findChunk is how many records are in memory at a time.
const findChunk = 256

// generationOf is 0 for a collection that was never written to.
func generationOf(ctx context.Context, q querier, l *docs.Layout) (int64, error) {
	var n int64
	err := q.QueryRow(ctx, "SELECT generation FROM collections WHERE name = $1", l.Name).Scan(&n)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// storedLayout returns version 0 for a collection that was never written to.
func storedLayout(ctx context.Context, q querier, l *docs.Layout) (version int, signature string, err error) {
	err = q.QueryRow(ctx, "SELECT version, signature FROM collections WHERE name = $1", l.Name).Scan(&version, &signature)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, "", nil
	}
	return version, signature, err
}

func getRecord(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	rows, err := queryRows(ctx, q, l, "SELECT "+recordColumns+" FROM documents d WHERE d.collection = $1 AND d.app = $2 AND d.key = $3",
		l.Name, appText(s.App), storedKey(key))
	if err != nil {
		return docs.Record{}, err
	}
	if len(rows) == 0 {
		return docs.Record{}, docs.ErrNotFound()
	}
	return rows[0].Record, nil
}

func countRecords(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) (int, error) {
	query.Sort = ""
	b, err := compile(l, s, query, usual(s, query))
	if err != nil {
		return 0, err
	}
	var n int
	err = q.QueryRow(ctx, "SELECT count(*) FROM "+b.from+" WHERE "+b.text(), b.bound()...).Scan(&n)
	return n, err
}

func tally(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, index string, query docs.Query) ([]docs.Tally, error) {
	query.Sort = ""
	b, err := compile(l, s, query, usual(s, query))
	if err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, "SELECT e.value, count(*) FROM "+b.from+" JOIN entries e ON e.document = d.id AND e.name = "+b.bind(index)+
		" WHERE "+b.text()+" AND e.head <> '' GROUP BY e.value ORDER BY e.value", b.bound()...)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (one docs.Tally, err error) {
		var value []byte
		if err := row.Scan(&value, &one.Count); err != nil {
			return one, err
		}
		one.Value, err = docs.DecodeValue(value)
		return one, err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list, nil
}

func findRecords(ctx context.Context, read reader, l *docs.Layout, s docs.Scope, query docs.Query) iter.Seq2[docs.Record, error] {
	return func(yield func(docs.Record, error) bool) {
		for row, err := range findRows(ctx, read, l, s, query) {
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
	sum int64
}

// findRows holds no connection while it yields, so that loops may nest without
// exhausting the pool: short results are read at once, for long ones the
// row ids first and then the records in chunks.
func findRows(ctx context.Context, read reader, l *docs.Layout, s docs.Scope, query docs.Query) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var w way
		err := read(ctx, func(ctx context.Context, q querier) (err error) {
			w, err = listWay(ctx, q, l, s, query)
			return err
		})
		if err != nil {
			yield(row{}, err)
			return
		}
		b, err := compile(l, s, query, w)
		if err != nil {
			yield(row{}, err)
			return
		}
		where := " FROM " + b.from + " WHERE " + b.text() + b.order(query)
		if query.Limit > 0 && query.Limit <= findChunk {
			yieldRows(ctx, read, l, yield, "SELECT "+recordColumns+where, b.bound()...)
			return
		}
		var ids []int64
		err = read(ctx, func(ctx context.Context, q querier) error {
			rows, err := q.Query(ctx, "SELECT d.id"+where, b.bound()...)
			if err != nil {
				return err
			}
			ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
		if err != nil {
			yield(row{}, err)
			return
		}
		for len(ids) > 0 {
			n := min(len(ids), findChunk)
			// In the order of ids; those that are gone are left out.
			if !yieldRows(ctx, read, l, yield, "SELECT "+recordColumns+" FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, n) JOIN documents d ON d.id = u.id ORDER BY u.n", ids[:n]) {
				return
			}
			ids = ids[n:]
		}
	}
}

func yieldRows(ctx context.Context, read reader, l *docs.Layout, yield func(row, error) bool, query string, args ...any) bool {
	var list []row
	err := read(ctx, func(ctx context.Context, q querier) (err error) {
		list, err = queryRows(ctx, q, l, query, args...)
		return err
	})
	if err != nil {
		yield(row{}, err)
		return false
	}
	for _, r := range list {
		if !yield(r, nil) {
			return false
		}
	}
	return true
}

// queryRows reads documents of a collection, in recordColumns, and verifies their checksums.
func queryRows(ctx context.Context, q querier, l *docs.Layout, query string, args ...any) ([]row, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(from pgx.CollectableRow) (r row, err error) {
		var app, key string
		if err := from.Scan(&r.id, &app, &key, &r.Version, &r.Rev, &r.Body, &r.sum); err != nil {
			return r, err
		}
		r.Key = plainKey(key)
		if docs.DocumentSum(l.Name, app, r.Key, r.Version, r.Body) != r.sum {
			return r, docs.ErrCorrupt(fmt.Errorf("document %q of collection %s is not as it was written", r.Key, l.Name))
		}
		if app == "" {
			return r, nil
		}
		if err := r.App.UnmarshalText([]byte(app)); err != nil {
			return r, fmt.Errorf("read app of document %q: %w", r.Key, err)
		}
		return r, nil
	})
}
