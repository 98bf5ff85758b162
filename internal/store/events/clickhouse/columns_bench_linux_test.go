package clickhouse_test

import (
	"fmt"
	"testing"

	"quipu/internal/store/events/clickhouse/chdbtest"
)

// BenchmarkColumns compares columns in which properties of events could lie, with a million rows of four texts and two numbers each: slots, as package clickhouse
// has them, the text of an object, and ClickHouse's type JSON with and without types for its paths. It reports the rows' size, and the processor time of
// writing them and of asking for one value and for all.
func BenchmarkColumns(b *testing.B) {
	const rows = 1_000_000
	e := chdbtest.Open(b)
	run := func(b *testing.B, statement string) [][]any {
		b.Helper()
		out, err := e.Query(statement)
		if err != nil {
			b.Fatalf("%v\n%s", err, statement)
		}
		return out
	}
	const of = "['red','green','blue','black','white','grey','brown','pink','gold','teal'][number %% 10 + 1] AS a, concat('value ', toString(number * 7919 %% 400)) AS b, concat('item ', toString(number * 104729 %% 10000)) AS c, ['one','two','three'][number %% 3 + 1] AS d, number * 31 %% 1000 AS x, number * 17 %% 60 AS y"
	const text = "concat('{\"a\":\"', a, '\",\"b\":\"', b, '\",\"c\":\"', c, '\",\"d\":\"', d, '\",\"x\":', toString(x), ',\"y\":', toString(y), '}')"
	const raw = "JSONExtractRaw(coalesce(j, ''), '%[1]s')"
	const extract = "if(JSONType(" + raw + ") = 'String', JSONExtractString(" + raw + "), nullIf(" + raw + ", 'null'))"
	for _, c := range []struct{ name, columns, from, a, c string }{
		{"slots", "s1 LowCardinality(Nullable(String)), s2 LowCardinality(Nullable(String)), s3 LowCardinality(Nullable(String)), s4 LowCardinality(Nullable(String)), n1 Nullable(Float64), n2 Nullable(Float64)", "a, b, c, d, x, y", "s1", "s3"},
		{"text", "j Nullable(String)", text, fmt.Sprintf(extract, "a"), fmt.Sprintf(extract, "c")},
		{"JSON", "j JSON", text, "j.a.:String", "j.c.:String"},
		{"JSON with types", "j JSON(a LowCardinality(Nullable(String)), b LowCardinality(Nullable(String)), c LowCardinality(Nullable(String)), d LowCardinality(Nullable(String)), x Nullable(Float64), y Nullable(Float64))", text, "j.a", "j.c"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var write, filter, groups float64
			for b.Loop() {
				for _, statement := range []string{
					"DROP TABLE IF EXISTS given", "DROP TABLE IF EXISTS tried",
					"CREATE TABLE given ENGINE = Memory AS SELECT number AS off, number * 7919 % 50000 AS uid, " + c.from + fmt.Sprintf(" FROM (SELECT number, "+of+" FROM numbers(%d))", rows),
					"CREATE TABLE tried (off Int64, uid Int64, " + c.columns + ") ENGINE = MergeTree ORDER BY off",
				} {
					run(b, statement)
				}
				before := spent(b)
				run(b, "INSERT INTO tried SELECT * FROM given")
				run(b, "OPTIMIZE TABLE tried FINAL")
				write += spent(b) - before
				before = spent(b)
				if got := run(b, "SELECT count(*), count(DISTINCT uid) FROM tried WHERE "+c.a+" = 'red'"); got[0][0] != int64(rows/10) {
					b.Fatalf("%v", got)
				}
				filter += spent(b) - before
				before = spent(b)
				if got := run(b, "SELECT "+c.c+" AS v, count(*) AS n, count(DISTINCT uid) FROM tried GROUP BY v ORDER BY n DESC"); len(got) != 10_000 {
					b.Fatalf("%d groups", len(got))
				}
				groups += spent(b) - before
			}
			size := run(b, "SELECT sum(bytes_on_disk) FROM system.parts WHERE table = 'tried' AND active")[0][0]
			bytes, ok := size.(int64)
			if !ok {
				b.Fatalf("a size of type %T", size)
			}
			b.ReportMetric(float64(bytes)/rows, "B/row")
			b.ReportMetric(write/float64(b.N), "write-cpu-s")
			b.ReportMetric(filter/float64(b.N), "filter-cpu-s")
			b.ReportMetric(groups/float64(b.N), "groups-cpu-s")
		})
	}
}

// BenchmarkStates compares where the country of a user could lie, for a million rows and 150,000 states: in the state's object, in a column of states, and in a
// column of events.
func BenchmarkStates(b *testing.B) {
	const rows, states, users = 1_000_000, 150_000, 50_000
	e := chdbtest.Open(b)
	run := func(b *testing.B, statement string) [][]any {
		b.Helper()
		out, err := e.Query(statement)
		if err != nil {
			b.Fatalf("%v\n%s", err, statement)
		}
		return out
	}
	const cc = "char(65 + number %% 5, 65 + number %% 9)"
	run(b, "CREATE TABLE st (state Int64, props Nullable(String), cc LowCardinality(Nullable(String))) ENGINE = MergeTree ORDER BY state")
	run(b, fmt.Sprintf("INSERT INTO st SELECT number + 1, concat('{\"av\":\"', toString(number %% 7), ':1\",\"cc\":\"', "+cc+", '\",\"cty\":\"Unknown\",\"d\":\"Phone ', toString(number %% 40), '\",\"la\":\"de\",\"p\":\"iOS\",\"r\":\"1080x1920\"}'), "+cc+" FROM numbers(%d)", states))
	run(b, "CREATE TABLE ev (off Int64, uid Int64, state Int64, cc LowCardinality(Nullable(String))) ENGINE = MergeTree ORDER BY off")
	run(b, fmt.Sprintf("INSERT INTO ev SELECT off, (state - 1) %% %d + 1, state, st.cc FROM (SELECT number AS off, toInt64(number * 7919 %% %d + 1) AS state FROM numbers(%d)) AS g INNER JOIN st ON st.state = g.state", users, states, rows))
	run(b, "OPTIMIZE TABLE ev FINAL")
	const raw = "JSONExtractRaw(coalesce(st.props, ''), 'cc')"
	const extract = "if(JSONType(" + raw + ") = 'String', JSONExtractString(" + raw + "), nullIf(" + raw + ", 'null'))"
	const joined = "ev LEFT JOIN (SELECT * FROM st) AS st ON st.state = ev.state"
	for _, c := range []struct{ name, from, value, size string }{
		{"object of the state", joined, extract, "st' AND column = 'props"},
		{"column of the state", joined, "st.cc", "st' AND column = 'cc"},
		{"column of the event", "ev", "ev.cc", "ev' AND column = 'cc"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var filter, groups float64
			for b.Loop() {
				before := spent(b)
				if got := run(b, "SELECT count(*), count(DISTINCT ev.uid) FROM "+c.from+" WHERE "+c.value+" = 'AA' SETTINGS join_use_nulls = 1"); got[0][0] == int64(0) {
					b.Fatal("no rows")
				}
				filter += spent(b) - before
				before = spent(b)
				if got := run(b, "SELECT "+c.value+" AS v, count(*), count(DISTINCT ev.uid) FROM "+c.from+" GROUP BY v SETTINGS join_use_nulls = 1"); len(got) != 45 {
					b.Fatalf("%d groups", len(got))
				}
				groups += spent(b) - before
			}
			b.ReportMetric(filter/float64(b.N), "filter-cpu-s")
			b.ReportMetric(groups/float64(b.N), "groups-cpu-s")
			size := run(b, "SELECT sum(column_data_compressed_bytes) FROM system.parts_columns WHERE table = '"+c.size+"' AND active")[0][0]
			bytes, ok := size.(int64)
			if !ok {
				b.Fatalf("a size of type %T", size)
			}
			b.ReportMetric(float64(bytes)/rows, "B/event")
		})
	}
}
