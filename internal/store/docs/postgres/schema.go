package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
	"quipu/internal/store/pg"
)

// tables make an empty schema. An entry is found by the head of its value, because an index of PostgreSQL takes
// no long ones.
const tables = `
CREATE TABLE collections (
	name       text    COLLATE "C" NOT NULL PRIMARY KEY,
	version    integer NOT NULL,
	signature  text    NOT NULL,
	generation bigint  NOT NULL
);
CREATE TABLE documents (
	id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	collection text    COLLATE "C" NOT NULL,
	app        text    COLLATE "C" NOT NULL,
	key        text    COLLATE "C" NOT NULL,
	version    integer NOT NULL,
	rev        bigint  NOT NULL,
	body       text    NOT NULL,
	doc        jsonb   NOT NULL,
	search     text[]  COLLATE "C" NOT NULL,
	sum        bigint  NOT NULL,
	indexed    bigint  NOT NULL,
	UNIQUE (collection, app, key)
);
CREATE INDEX documents_app ON documents (app);
CREATE TABLE entries (
	collection text    COLLATE "C" NOT NULL,
	app        text    COLLATE "C" NOT NULL,
	name       text    COLLATE "C" NOT NULL,
	value      bytea   NOT NULL,
	head       bytea   NOT NULL GENERATED ALWAYS AS (substring(value FROM 1 FOR 1024)) STORED,
	document   bigint  NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	uniq       boolean NOT NULL
);
CREATE INDEX entries_value ON entries (collection, app, name, head, document);
CREATE INDEX entries_document ON entries (document, name, head);
CREATE UNIQUE INDEX entries_unique ON entries (collection, app, name, sha256(value)) WHERE uniq;
CREATE FUNCTION quipu_lookup(doc jsonb, path text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $lookup$
DECLARE
	dot integer := strpos(path, '.');
	rest text := substr(path, dot + 1);
	below jsonb;
BEGIN
	IF jsonb_exists(doc, path) THEN
		RETURN doc -> path;
	END IF;
	IF dot = 0 THEN
		RETURN NULL;
	END IF;
	below := doc -> left(path, dot - 1);
	IF jsonb_typeof(below) = 'object' THEN
		RETURN quipu_lookup(below, rest);
	END IF;
	IF jsonb_typeof(below) = 'array' THEN
		RETURN (
			SELECT jsonb_agg(part.value ORDER BY item.n, part.n)
			FROM jsonb_array_elements(below) WITH ORDINALITY AS item(value, n),
				LATERAL (SELECT CASE WHEN jsonb_typeof(item.value) = 'object' THEN quipu_lookup(item.value, rest) END) AS found(value),
				LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(found.value) = 'array' THEN found.value ELSE jsonb_build_array(found.value) END) WITH ORDINALITY AS part(value, n)
			WHERE found.value IS NOT NULL
		);
	END IF;
	RETURN NULL;
END
$lookup$;
`

// prepare makes or migrates the tables, one process at a time.
func (d *Store) prepare(ctx context.Context) error {
	tx, err := d.begin(ctx)
	if err != nil {
		return d.fault(ctx, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = tx.Rollback(ctx) // after Commit this does nothing
	}()
	if err := d.tables().Migrate(ctx, tx); err != nil {
		return d.fault(ctx, d.named(err))
	}
	return d.fault(ctx, tx.Commit(ctx))
}

// scrubTimeout bounds the rewriting of a table.
const scrubTimeout = "10min"

// Scrub takes what was deleted or replaced out of the files of the tables: the server writes them again. Writes and reads wait
// meanwhile. What the server keeps elsewhere, as its write-ahead log, replicas and backups, is its operator's.
func (d *Store) Scrub(ctx context.Context) error {
	select {
	case d.write <- struct{}{}:
		defer func() { <-d.write }()
	case <-ctx.Done():
		return ctx.Err()
	}
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("scrub document store: %w", d.fault(ctx, err))
	}
	defer conn.Release()
	for _, statement := range []string{"SET statement_timeout = '" + scrubTimeout + "'", "VACUUM (FULL) documents", "VACUUM (FULL) entries", "RESET statement_timeout"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			_ = conn.Conn().Close(ctx) // it has another time-out
			return fmt.Errorf("scrub document store: %w", d.fault(ctx, err))
		}
	}
	return nil
}

// Rest does nothing: the server makes its files small by itself.
func (*Store) Rest(context.Context) error { return nil }

// checkChunk is how many documents are checked at a time.
const checkChunk = 500

// Check reads all documents and reports any that are not as they were written, in themselves, in the form that
// queries look at, or in their indexes, as docs.corrupt.
func (d *Store) Check(ctx context.Context) error {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return d.fault(ctx, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = tx.Rollback(ctx) // it has written nothing
	}()
	for last := int64(0); ; {
		n, err := checkDocuments(ctx, tx, &last)
		if err != nil {
			return d.fault(ctx, err)
		}
		if n == 0 {
			return nil
		}
	}
}

// stored is a document with all that the tables hold of it.
type stored struct {
	id                   int64
	collection, app, key string
	version              int
	body                 string
	sum, indexed         int64
	names                []string
	values               [][]byte
	unique               []bool
}

func checkDocuments(ctx context.Context, q querier, last *int64) (int, error) {
	rows, err := q.Query(ctx, `SELECT d.id, d.collection, d.app, d.key, d.version, d.body, d.sum, d.indexed,
			ARRAY (SELECT e.name FROM entries e WHERE e.document = d.id AND e.collection = d.collection AND e.app = d.app ORDER BY e.name, e.value),
			ARRAY (SELECT e.value FROM entries e WHERE e.document = d.id AND e.collection = d.collection AND e.app = d.app ORDER BY e.name, e.value),
			ARRAY (SELECT e.uniq FROM entries e WHERE e.document = d.id AND e.collection = d.collection AND e.app = d.app ORDER BY e.name, e.value)
		FROM documents d WHERE d.id > $1 ORDER BY d.id LIMIT $2`, *last, checkChunk)
	if err != nil {
		return 0, err
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s stored, err error) {
		err = row.Scan(&s.id, &s.collection, &s.app, &s.key, &s.version, &s.body, &s.sum, &s.indexed, &s.names, &s.values, &s.unique)
		return s, err
	})
	if err != nil {
		return 0, err
	}
	ids, trees := make([]int64, len(list)), make([]string, len(list))
	for i, s := range list {
		if ids[i], *last = s.id, s.id; docs.DocumentSum(s.collection, s.app, plainKey(s.key), s.version, []byte(s.body)) != s.sum {
			return 0, s.damaged("is not as it was written")
		}
		var indexed int64
		for k, name := range s.names {
			indexed += docs.EntrySum(docs.Entry{Index: name, Value: s.values[k], Unique: s.unique[k]})
		}
		if indexed != s.indexed {
			return 0, s.damaged("has indexes that are not as they were written")
		}
		tree, err := queried([]byte(s.body))
		if err != nil {
			return 0, s.damaged("is no JSON")
		}
		trees[i] = tree
	}
	var other int64
	err = q.QueryRow(ctx, `SELECT d.id FROM unnest($1::bigint[], $2::text[]) AS u(id, tree) JOIN documents d ON d.id = u.id WHERE d.doc <> u.tree::jsonb LIMIT 1`, ids, trees).Scan(&other)
	if errors.Is(err, pgx.ErrNoRows) {
		return len(list), nil
	}
	for _, s := range list {
		if err == nil && s.id == other {
			return 0, s.damaged("is not what queries see of it")
		}
	}
	return 0, err
}

func (s *stored) damaged(what string) error {
	return docs.ErrCorrupt(fmt.Errorf("document %q of collection %s %s", plainKey(s.key), s.collection, what))
}
