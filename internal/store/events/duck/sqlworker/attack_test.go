package sqlworker_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/store/events"
	"quipu/internal/store/events/sqlbox"
)

// secret is what a statement must never show: it stands in a file and in the environment of the server.
const secret = "s3cr3t-of-the-server"

// kindOf is the kind of an error; "" for none, and that of Go for what is no error of a statement.
func kindOf(err error) string {
	var own *sqlbox.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &own):
		return string(own.Kind)
	}
	return fmt.Sprintf("%T", err)
}

// TestLeave tries to leave the app's views: none of the statements is run.
func TestLeave(t *testing.T) { //nolint:tparallel // the environment is of the process
	t.Setenv("QUIPU_SECRET", secret)
	file := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(file, []byte("a,b\n"+secret+",1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	statements := []string{
		// files
		"SELECT * FROM '$FILE'", "SELECT * FROM \"$FILE\"", "FROM read_csv('$FILE')", "FROM read_csv_auto('$FILE')", "FROM read_text('$FILE')", "FROM read_blob('$FILE')",
		"FROM read_json('$FILE')", "FROM read_json_auto('$FILE')", "FROM read_ndjson('$FILE')", "FROM read_parquet('$FILE')", "FROM parquet_scan('$FILE')", "FROM parquet_metadata('$FILE')",
		"FROM sniff_csv('$FILE')", "FROM glob('/*')", "FROM read_duckdb('$FILE')", "SELECT (SELECT content FROM read_text('$FILE'))", "FROM events, read_text('$FILE')",
		"WITH a AS (FROM read_text('$FILE')) FROM a", "FROM events WHERE event IN (SELECT content FROM read_text('$FILE'))", "FROM 'file://$FILE'", "FROM 'http://127.0.0.1/a.csv'",
		"FROM 's3://bucket/a.parquet'", "FROM '/proc/self/environ'", "FROM read_text('/proc/self/environ')", "SELECT * FROM events ORDER BY (SELECT content FROM read_text('$FILE'))",
		"COPY events TO '$FILE'", "COPY (SELECT 1) TO '/tmp/x.csv'", "COPY events FROM '$FILE'", "EXPORT DATABASE '/tmp/x'", "IMPORT DATABASE '/tmp/x'",
		"ATTACH '$FILE' AS x", "ATTACH ':memory:' AS x", "DETACH memory", "USE system", "FROM st_read('$FILE')", "FROM read_xlsx('$FILE')", "FROM sqlite_scan('$FILE', 'a')",
		"FROM postgres_scan('host=127.0.0.1', 'a', 'b')", "FROM query('SELECT 1')", "FROM query_table('events')", "FROM query_table(['events', 'users'])",
		"SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))", "PRAGMA json_execute_serialized_sql('x')", "SELECT write_log('x')", "FROM events AT (VERSION => 1)",
		// settings and extensions
		"SET memory_limit='100GB'", "SET enable_external_access=true", "RESET ALL", "SET VARIABLE a = 1", "SELECT getvariable('a')", "INSTALL httpfs", "LOAD httpfs", "PRAGMA database_list", "PRAGMA version",
		"CALL pragma_version()", "FROM pragma_database_size()", "FROM pragma_table_info('events')", "SELECT current_setting('memory_limit')", "FROM duckdb_settings()",
		"SELECT getenv('QUIPU_SECRET')", "FROM duckdb_secrets()", "FROM which_secret('a', 'b')", "CREATE SECRET (TYPE s3)", "CHECKPOINT", "FROM checkpoint()", "FROM force_checkpoint()", "VACUUM", "ANALYZE",
		"FROM enable_logging()", "FROM duckdb_logs()", "FROM duckdb_logs", "FROM duckdb_extensions()", "FROM enable_profiling()",
		// the catalog and other apps
		"FROM duckdb_tables()", "FROM duckdb_tables", "FROM duckdb_columns", "FROM duckdb_views()", "FROM information_schema.tables", "FROM pg_catalog.pg_class", "FROM pg_class", "FROM pg_tables",
		"FROM sqlite_master", "FROM sqlite_schema", "FROM sqlite_temp_master", "FROM main.sqlite_master", "FROM pragma_database_list", "FROM own.events", "FROM memory.own.events", "FROM main.events",
		"FROM memory.main.events", "FROM system.main.duckdb_tables", "FROM temp.x", "FROM \"events\".\"events\"", "FROM e_0123456789abcdef01234567", "FROM states", "FROM requests", "FROM watermark",
		"SHOW TABLES", "SHOW ALL TABLES", "DESCRIBE events", "DESCRIBE", "SUMMARIZE events", "FROM (DESCRIBE events)", "FROM (SHOW TABLES)", "FROM (SUMMARIZE users)", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1",
		"SELECT current_database()", "SELECT current_schema()", "SELECT current_schemas(true)", "SELECT current_query()", "SELECT version()", "SELECT pg_typeof(1)",
		"SELECT txid_current()", "SELECT current_connection_id()", "SELECT nextval('a')", "SELECT stats(1)", "SELECT in_search_path('a', 'b')", "SELECT inet_server_addr()", "SELECT error('x')",
		"SELECT obj_description(1, 'a')", "SELECT pg_get_viewdef(1)", "SELECT pg_catalog.pg_typeof(1)", "SELECT system.main.abs(1)", "FROM seq_scan()", "FROM summary(events)", "FROM test_all_types()", "FROM repeat('x', 3)",
		// writing, and other statements
		"INSERT INTO events VALUES (1)", "UPDATE events SET event = 'x'", "DELETE FROM events", "DROP VIEW events", "CREATE TABLE t (a INT)", "CREATE TABLE t AS SELECT 1", "CREATE MACRO f(x) AS x", "CREATE TEMP VIEW v AS SELECT 1",
		"CREATE FUNCTION f(x) AS TABLE FROM read_text(x)", "ALTER TABLE own.events ADD COLUMN x INT", "TRUNCATE events", "MERGE INTO events USING users ON true WHEN MATCHED THEN DELETE", "BEGIN", "COMMIT", "PREPARE a AS SELECT 1", "EXECUTE a",
		"SELECT 1; SELECT 2", "SELECT 1; DROP VIEW events", "SELECT 1; COPY events TO '/tmp/x'", ";", "", "--", "SELECT $1", "SELECT ?", "SELECT $name",
		// names that hide others
		"WITH duckdb_tables AS (SELECT 1) FROM duckdb_tables", "WITH sqlite_master AS (SELECT 1) SELECT (SELECT max(sql) FROM sqlite_master)", "SELECT (WITH pg_class AS (SELECT 1) SELECT 1), (SELECT count(*) FROM pg_class)",
		"WITH \"$FILE\" AS (SELECT 1) SELECT (SELECT 1 FROM main.\"$FILE\")", "WITH RECURSIVE duckdb_views AS (SELECT 1 UNION ALL SELECT 1 FROM duckdb_views) FROM duckdb_views",
		"SELECT nextafter(1, 2) FROM getenv('a')", "SELECT sleep_ms(100000)", "SELECT pg_sleep(100)", "FROM events TABLESAMPLE reservoir(getenv('x'))", "SELECT list_aggregate([1], 'getenv') FROM read_csv('x')",
		"PIVOT events ON event USING count(*)", "FROM (VALUES (getenv('QUIPU_SECRET'))) v", "SELECT CASE WHEN getenv('a') = '' THEN 1 END", "SELECT 1 LIMIT (SELECT length(content) FROM read_text('$FILE'))",
		"SELECT count(*) OVER (ORDER BY getenv('a')) FROM events", "SELECT sum(1) FILTER (WHERE getenv('a') = '') FROM events", "SELECT [getenv(x) FOR x IN ['QUIPU_SECRET']]", "SELECT list_transform(['QUIPU_SECRET'], lambda x: getenv(x))",
		"FROM events JOIN users ON getenv('a') = ''", "SELECT 1 GROUP BY getenv('a')", "SELECT DISTINCT ON (getenv('a')) 1", "SELECT 1 QUALIFY getenv('a') = ''", "FROM range(length(getenv('a')))", "FROM unnest([getenv('QUIPU_SECRET')])",
	}
	b := boxes(t, func(o *sqlbox.Options) { o.Statements = 4; o.Patience = time.Minute })
	for i, statement := range statements {
		statement = strings.ReplaceAll(statement, "$FILE", file)
		t.Run(fmt.Sprintf("%d", i), func(t *testing.T) {
			t.Parallel()
			r, err := run(t, b, statement)
			if kind := kindOf(err); kind != string(sqlbox.NotAllowed) && kind != string(sqlbox.Invalid) {
				t.Errorf("%s: got %v, want it refused; answer %v", statement, err, r)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: shows the secret: %v", statement, err)
			}
		})
	}
}

// TestExhaust runs statements that would take all memory, all time or an endless answer. Each ends with one of the errors that a statement may have.
func TestExhaust(t *testing.T) {
	t.Parallel()
	b := boxes(t, func(o *sqlbox.Options) { o.Time, o.Patience, o.Bytes = 3*time.Second, time.Minute, 1<<20 })
	deep := func(before, middle, after string, n int) string {
		return "SELECT " + strings.Repeat(before, n) + middle + strings.Repeat(after, n)
	}
	for _, statement := range []string{
		"SELECT count(*) FROM range(1000000000000)",
		"SELECT list_sum(range(1000000000))",
		"SELECT length(repeat('x', 4000000000))",
		"SELECT repeat(repeat('x', 1000000), 10000)",
		"SELECT repeat('x', 2000000) FROM range(100)",
		"SELECT count(DISTINCT a.range * b.range) FROM range(1000000) a, range(1000000) b",
		"SELECT string_agg(a.range::VARCHAR, '') FROM range(1000000000) a",
		"SELECT list(range) FROM range(10000000000)",
		"SELECT * FROM range(100000000) ORDER BY hash(range)",
		"WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT count(*) FROM t",
		"WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
		"WITH RECURSIVE t(n) AS (SELECT 'x' UNION ALL SELECT n || n FROM t) SELECT max(length(n)) FROM t",
		"SELECT * FROM range(1000000) a, range(1000000) b WHERE a.range + b.range < 0",
		"SELECT lpad('x', 2147483647, 'y')",
		"SELECT format('{:2000000000d}', 1)",
		"SELECT printf('%2000000000d', 1)",
		"SELECT regexp_matches(repeat('a', 1000000), '(a*)*(a*)*(a*)*(a*)*b{900}')",
		"SELECT list_resize([1], 4000000000, 1)",
		"SELECT array_agg(a) FROM (SELECT range(100000) a FROM range(1000000))",
		"SELECT levenshtein(repeat('a', 100000), repeat('b', 100000)) FROM range(1000)",
		"SELECT factorial(33) FROM range(10000000000)",
		"SELECT json_group_array(range) FROM range(1000000000)",
		"SELECT histogram(range) FROM range(1000000000)",
		deep("(", "1", ")", 3000), deep("abs(", "1", ")", 5000), deep("[", "1", "]", 5000), deep("-", "1", "", 20000), deep("NOT ", "true", "", 10000), deep("1 + ", "1", "", 15000),
		"SELECT " + strings.Repeat("(SELECT ", 3000) + "1" + strings.Repeat(")", 3000),
		strings.Repeat("SELECT * FROM (", 2500) + "SELECT 1" + strings.Repeat(")", 2500),
		"SELECT 1 " + strings.Repeat("UNION ALL SELECT 1 ", 3000),
		"WITH " + strings.Repeat("a AS (SELECT 1), ", 2000) + "b AS (SELECT 1) SELECT 1",
		"SELECT " + strings.Repeat("1,", 30000) + "1",
		strings.Repeat("x", 70_000),
	} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			r, err := run(t, b, statement)
			took := time.Since(began)
			name := statement[:min(len(statement), 90)]
			switch kind := sqlbox.Kind(kindOf(err)); kind {
			case sqlbox.Memory, sqlbox.Slow, sqlbox.Large, sqlbox.Invalid, sqlbox.NotAllowed, sqlbox.Crashed:
				t.Logf("%-11s %6.1fs %s: %.150s", kind, took.Seconds(), name, err)
			case "":
				t.Logf("answer      %6.1fs %s: %d rows", took.Seconds(), name, len(r.Rows))
			default:
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestGone ends a statement whose caller goes away.
func TestGone(t *testing.T) {
	t.Parallel()
	b := boxes(t, func(o *sqlbox.Options) { o.Statements = 1; o.Patience = 50 * time.Millisecond; o.Time = time.Minute })
	ctx, cancel := context.WithCancel(t.Context())
	fed := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		_, err := b.Run(ctx, sqlbox.Job{Statement: "SELECT count(*) FROM events, range(1000000000000)", Zone: "UTC", Views: views, Rows: 1},
			func(ctx context.Context, view string, columns []string, put func(*events.Columns) error) error {
				close(fed)
				return feed(ctx, view, columns, put)
			})
		done <- err
	}()
	<-fed
	if _, err := run(t, b, "SELECT 1"); kindOf(err) != string(sqlbox.Busy) {
		t.Errorf("beside another one: %v, want busy", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := run(t, b, "SELECT 1"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestLimits cuts long results, and tells that it did.
func TestLimits(t *testing.T) {
	t.Parallel()
	b := boxes(t, nil)
	for _, tt := range []struct {
		rows, want int
		truncated  bool
	}{{99, 99, false}, {100, 100, false}, {101, 100, true}, {100_000, 100, true}} {
		r, err := run(t, b, fmt.Sprintf("FROM range(%d)", tt.rows))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Rows) != tt.want || r.Truncated != tt.truncated {
			t.Errorf("of %d: %d rows, truncated %v", tt.rows, len(r.Rows), r.Truncated)
		}
	}
	if _, err := run(t, sqlbox.New(sqlbox.Options{}), "SELECT 1"); kindOf(err) != string(sqlbox.Unavailable) {
		t.Errorf("without a program: %v", err)
	}
	if _, err := run(t, sqlbox.New(sqlbox.Options{Program: []string{"/bin/false"}}), "SELECT 1"); kindOf(err) != string(sqlbox.Crashed) {
		t.Errorf("with a program that ends: %v", err)
	}
	gone := errors.New("gone")
	_, err := b.Run(t.Context(), sqlbox.Job{Statement: "FROM events", Zone: "UTC", Views: views, Rows: 1}, func(context.Context, string, []string, func(*events.Columns) error) error { return gone })
	if !errors.Is(err, gone) {
		t.Errorf("a feed that fails: %v", err)
	}
}

// TestNeeds hands over only what a statement names.
func TestNeeds(t *testing.T) {
	t.Parallel()
	b := boxes(t, nil)
	for _, tt := range []struct{ statement, want string }{
		{"SELECT 1", ""},
		{"SELECT count(*) FROM events", "events(time)"},
		{"SELECT event FROM events WHERE amount > 1", "events(event amount)"},
		{"FROM users", "users(user_id country)"},
		{"SELECT EVENT FROM Events E", "events(event)"},
		{"SELECT 1 FROM events NATURAL JOIN users", "events(time event user_id amount paid Größe \"x\") users(user_id country)"},
		{"SELECT max(country) FROM users JOIN events USING (user_id)", "events(user_id) users(user_id country)"},
		{"WITH users AS (SELECT 1 AS a) SELECT a FROM users", "users(user_id)"},
	} {
		var got []string
		_, err := b.Run(t.Context(), sqlbox.Job{Statement: tt.statement, Zone: "UTC", Views: views, Rows: 1},
			func(ctx context.Context, view string, columns []string, put func(*events.Columns) error) error {
				got = append(got, view+"("+strings.Join(columns, " ")+")")
				return feed(ctx, view, columns, put)
			})
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.statement, strings.Join(got, " "), err, tt.want)
		}
	}
}

// FuzzRun sends texts put together of pieces of SQL, and arbitrary ones: no statement reaches a file, the environment or the catalog, and
// none has an outcome that is not one of the listed.
func FuzzRun(f *testing.F) {
	f.Setenv("QUIPU_SECRET", secret)
	for _, s := range []string{"SELECT 1", "FROM events", "WITH a AS (FROM users) FROM a", "SELECT getenv('QUIPU_SECRET')", "\x00", "SELECT '\xff'", "FROM read_text('/proc/self/environ')"} {
		f.Add(s)
	}
	b := boxes(f, func(o *sqlbox.Options) { o.Time = 2 * time.Second; o.Patience = time.Minute })
	f.Fuzz(func(t *testing.T, statement string) {
		r, err := run(t, b, statement)
		if kind := kindOf(err); strings.HasPrefix(kind, "*") {
			t.Errorf("%q: %v", statement, err)
		}
		if r != nil && strings.Contains(lines(r), secret) {
			t.Errorf("%q shows the secret", statement)
		}
	})
}

// TestPieces runs random statements made of pieces that are harmless and others that are not.
func TestPieces(t *testing.T) {
	t.Setenv("QUIPU_SECRET", secret)
	seed := uint64(time.Now().UnixNano()) // only its bits count
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1)) // repeatable
	pieces := strings.Split("SELECT|FROM|WHERE|WITH a AS|(|)|,|*|events|users|a|event|user_id|=|'x'|1|getenv('QUIPU_SECRET')|read_text('/proc/self/environ')|duckdb_settings()|UNION ALL|JOIN|ON true|GROUP BY|ORDER BY|LIMIT 1|count(*)|OVER ()|AS b|own.events|COLUMNS('.*')|LATERAL|EXCLUDE (event)|UNPIVOT|[x FOR x IN|]|::|JSON|CASE WHEN|THEN|END|;|--|VALUES (1)|RECURSIVE|EXISTS|IN", "|")
	b := boxes(t, func(o *sqlbox.Options) { o.Time = 2 * time.Second; o.Patience = time.Minute })
	for range 150 {
		var s []string
		for range 2 + rnd.IntN(14) {
			s = append(s, pieces[rnd.IntN(len(pieces))])
		}
		statement := "SELECT " + strings.Join(s, " ")
		r, err := run(t, b, statement)
		if kind := kindOf(err); strings.HasPrefix(kind, "*") || kind == string(sqlbox.Crashed) {
			t.Errorf("%s: %v", statement, err)
		}
		if r != nil && strings.Contains(lines(r), secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s shows the secret", statement)
		}
	}
}
