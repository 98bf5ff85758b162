package filter_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/store/events/duck"
)

// columns are those of the table that the tests ask; "gone" has none.
func columns(path string) (filter.Column, bool) {
	c, ok := map[string]filter.Column{
		"t":        {Expr: `"t"`, Type: filter.Text},
		"n":        {Expr: `"n"`, Type: filter.Number},
		"i":        {Expr: `"i"`, Type: filter.Integer},
		"b":        {Expr: `"b"`, Type: filter.Bool},
		"j":        {Expr: `"j"`, Type: filter.JSON},
		"custom.x": {Expr: `json_extract("custom", '$."x"')`, Type: filter.JSON},
	}[path]
	return c, ok
}

var paths = []string{"t", "n", "i", "b", "j", "custom.x", "gone"}

func TestSQL(t *testing.T) {
	for _, tc := range []struct {
		filter, want string
		args         []any
	}{
		{`{}`, `TRUE`, nil},
		{`{"t":"x"}`, `(("t") IS NOT NULL AND ("t") = ?)`, []any{"x"}},
		{`{"t":5}`, `FALSE`, nil},
		{`{"t":true}`, `(("t") IS NOT NULL AND ("t") = ?)`, []any{"true"}},
		{`{"b":{"$in":["false",false]}}`, `(("b") IS NOT NULL AND ("b") = ?)`, []any{false}},
		{`{"t":null}`, `(("t") IS NULL)`, nil},
		{`{"t":{"$nin":["x",5,"y",null]}}`, `(NOT ((("t") IS NULL) OR (("t") IS NOT NULL AND ("t") IN (?, ?))))`, []any{"x", "y"}},
		{`{"n":{"$gt":1}}`, `(("n") IS NOT NULL AND ("n") > ?)`, []any{1.0}},
		{`{"i":{"$gt":1}}`, `(("i") IS NOT NULL AND ("i") > ?)`, []any{int64(1)}},
		{`{"i":{"$gt":1.5}}`, `(("i") IS NOT NULL AND CAST(("i") AS DOUBLE) > ?)`, []any{1.5}},
		{`{"gone":{"$ne":1}}`, `(NOT FALSE)`, nil},
		{`{"gone":null}`, `TRUE`, nil},
		{`{"t":{"$regex":"a'b","$options":"i"}}`, `(("t") IS NOT NULL AND CASE WHEN random() >= 0 THEN regexp_matches(("t"), ?) END)`, []any{"(?i:a'b)"}},
		{`{"$nor":[{}]}`, `FALSE`, nil},
		{`{"$or":[{"b":true},{"t":{"$exists":true}}]}`, `((("b") IS NOT NULL AND ("b") = ?) OR (("t") IS NOT NULL))`, []any{true}},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			got, args := mustParse(t, tc.filter).SQL(duck.Dialect{}, columns)
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if diff := cmp.Diff(tc.args, args); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSQLHasNoValues puts a value that would break out of a literal into
// every place of a filter: none may reach the text of the statement.
func TestSQLHasNoValues(t *testing.T) {
	const evil = `zz' OR 1=1 --`
	for _, p := range append(slices.Clone(paths), evil) {
		for _, f := range []any{
			evil,
			map[string]any{"$in": []any{evil, 1, evil}},
			map[string]any{"$gt": evil},
			map[string]any{"$regex": evil},
			map[string]any{"$all": []any{evil}},
			map[string]any{"$elemMatch": map[string]any{"$gt": evil}},
		} {
			for _, e := range []engine{duckDB(), postgreSQL()} {
				got, _ := mustParse(t, map[string]any{p: f}).SQL(e.dialect, e.columns)
				if strings.Contains(got, "zz") {
					t.Errorf("%s: %v gives %s", p, f, got)
				}
			}
		}
	}
}

// engine is a database that the tests ask.
type engine struct {
	dialect filter.Dialect
	columns filter.Columns
	open    func(tb testing.TB, docs []filter.MapDoc) *sql.DB // with a table d of the documents
}

// engines calls fn for each database that is there.
func engines(t *testing.T, fn func(t *testing.T, e engine)) {
	t.Helper()
	for name, e := range map[string]engine{"DuckDB": duckDB(), "PostgreSQL": postgreSQL()} {
		t.Run(name, func(t *testing.T) { fn(t, e) })
	}
}

// table is a table and the same documents in memory.
type table struct {
	engine
	db   *sql.DB
	docs []filter.MapDoc
}

func (e engine) table(tb testing.TB, docs []filter.MapDoc) *table {
	tb.Helper()
	return &table{engine: e, db: e.open(tb, docs), docs: docs}
}

func duckDB() engine { return engine{duck.Dialect{}, columns, openDuckDB} }

func openDuckDB(tb testing.TB, docs []filter.MapDoc) *sql.DB {
	tb.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	db.SetMaxOpenConns(1) // one connection is one database in memory
	if _, err := db.ExecContext(tb.Context(), `CREATE TABLE d (id BIGINT, t VARCHAR, n DOUBLE, i BIGINT, b BOOLEAN, j JSON, custom JSON)`); err != nil {
		tb.Fatal(err)
	}
	for id, doc := range docs {
		asJSON := func(v any, ok bool) any {
			if !ok {
				return nil
			}
			b, err := json.Marshal(v)
			if err != nil {
				tb.Fatal(err)
			}
			return string(b)
		}
		j, hasJ := doc["j"]
		custom, hasCustom := doc["custom"]
		_, err := db.ExecContext(tb.Context(), `INSERT INTO d VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, doc["t"], doc["n"], doc["i"], doc["b"], asJSON(j, hasJ), asJSON(custom, hasCustom))
		if err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

// compare wants that the filter, its canonical form and its opposite select
// the same documents in memory and in the database.
func (tab *table) compare(tb testing.TB, e filter.Expr) {
	tb.Helper()
	canonical := mustParse(tb, e.String())
	where, args := e.SQL(tab.dialect, tab.columns)
	rows, err := tab.db.QueryContext(tb.Context(), `SELECT id, `+where+` FROM d ORDER BY id`, args...)
	if err != nil {
		tb.Fatalf("%s: %v\n%s %v", e, err, where, args)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			tb.Error(err)
		}
	}()
	n := 0
	for rows.Next() {
		var id int
		var got sql.NullBool
		if err := rows.Scan(&id, &got); err != nil {
			tb.Fatal(err)
		}
		want := e.Match(tab.docs[id])
		if !got.Valid || got.Bool != want || canonical.Match(tab.docs[id]) != want {
			b, _ := json.Marshal(tab.docs[id])
			tb.Fatalf("document %s\nfilter %s: database says %v, Match %v, canonical form %v\n%s %q",
				b, e, got, want, canonical.Match(tab.docs[id]), where, args)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		tb.Fatalf("%s: %v\n%s %v", e, err, where, args)
	}
	if n != len(tab.docs) {
		tb.Fatalf("%d rows, want %d", n, len(tab.docs))
	}
	// The same as a condition, where the database may use other ways.
	var count int
	if err := tab.db.QueryRowContext(tb.Context(), `SELECT count(*) FROM d WHERE `+where, args...).Scan(&count); err != nil {
		tb.Fatalf("%s: %v", e, err)
	}
	want := 0
	for _, d := range tab.docs {
		if e.Match(d) {
			want++
		}
	}
	if count != want {
		tb.Fatalf("filter %s selects %d documents, want %d\n%s %q", e, count, want, where, args)
	}
}

var (
	texts   = []string{"", "5", "a", "A", "ab", "é", "É", "a\nb", "b\na", "a\x00b", "a.b", "true", "false", "null", "日本", "'; --", "\\", "x\r\n", "ß", "\u017f", "K", "\u212a"}
	numbers = []float64{0, 1, 5, -1.5, 0.1, 2.5, 1e15, 9007199254740991, 9007199254740992, 9007199254740994, 1e300, -1e300, 5e-324}
	whole   = []int64{0, 1, 5, -2, 3, 9007199254740991, 9007199254740992, 9007199254740993, 9223372036854775807, -9223372036854775808}
	regexes = []string{"", "a", "^a", "b$", "^a.b$", "^.$", "[a-z]+", "é", "\\d", "\\bb", "(?i)A", "a|^$", "\\x00", "^\\pL", "[^a]", "k", "s", "\\s$", "(a)(b)?", "x*", "\\z", ".\\z", "^b", "\\\\", "\\Qa.b\\E", "[[:alpha:]]", "a{1,2}", "(?s).b", "\\W", "日."}
	options = []string{"", "i", "m", "s", "im", "ims"}
)

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func randomScalar(rng *rand.Rand) any {
	switch rng.IntN(8) {
	case 0:
		return rng.IntN(2) == 0
	case 1:
		return nil
	case 2, 3, 4:
		return pick(rng, numbers)
	default:
		return pick(rng, texts)
	}
}

// randomJSON returns what a column of any type may hold.
func randomJSON(rng *rand.Rand, depth int) any {
	switch n := rng.IntN(10); {
	case n < 3 && depth < 2:
		list := make([]any, rng.IntN(4))
		for i := range list {
			list[i] = randomJSON(rng, depth+1)
		}
		return list
	case n == 3:
		return map[string]any{"k": randomScalar(rng)}
	default:
		return randomScalar(rng)
	}
}

func randomDoc(rng *rand.Rand) filter.MapDoc {
	d := filter.MapDoc{}
	if rng.IntN(4) > 0 {
		d["t"] = pick(rng, texts)
	}
	if rng.IntN(4) > 0 {
		d["n"] = pick(rng, numbers)
	}
	if rng.IntN(4) > 0 {
		d["i"] = pick(rng, whole)
	}
	if rng.IntN(4) > 0 {
		d["b"] = rng.IntN(2) == 0
	}
	if rng.IntN(6) > 0 {
		d["j"] = randomJSON(rng, 0)
	}
	switch rng.IntN(5) {
	case 0:
	case 1:
		d["custom"] = map[string]any{"y": 1}
	default:
		d["custom"] = map[string]any{"x": randomJSON(rng, 0), "y": 1}
	}
	return d
}

func randomList(rng *rand.Rand) any {
	if rng.IntN(6) == 0 {
		return randomScalar(rng) // tolerated
	}
	list := make([]any, pick(rng, []int{0, 1, 2, 3, 12}))
	for i := range list {
		list[i] = randomScalar(rng)
	}
	return list
}

func randomOperators(rng *rand.Rand, element bool, depth int) map[string]any {
	ops := map[string]any{}
	for range 1 + rng.IntN(3)/2 {
		n := rng.IntN(13)
		if element {
			n = rng.IntN(7)
		}
		switch n {
		case 0:
			ops["$eq"] = randomScalar(rng)
		case 1:
			ops["$ne"] = randomScalar(rng)
		case 2:
			ops["$in"] = randomList(rng)
		case 3:
			ops["$nin"] = randomList(rng)
		case 4, 5, 7:
			var operand any = pick(rng, numbers)
			if rng.IntN(2) == 0 {
				operand = pick(rng, texts)
			}
			ops[pick(rng, []string{"$gt", "$gte", "$lt", "$lte"})] = operand
		case 6:
			ops["$regex"] = pick(rng, regexes)
			if o := pick(rng, options); o != "" {
				ops["$options"] = o
			}
		case 8:
			ops["$exists"] = rng.IntN(2) == 0
		case 9:
			ops["$size"] = rng.IntN(4)
		case 10:
			ops["$all"] = randomList(rng)
		case 11:
			ops["$elemMatch"] = randomOperators(rng, true, depth)
		case 12:
			if depth < 2 {
				ops["$not"] = randomOperators(rng, false, depth+1)
			} else {
				ops["$eq"] = randomScalar(rng)
			}
		}
	}
	return ops
}

func randomFilter(rng *rand.Rand, depth int) map[string]any {
	f := map[string]any{}
	for range rng.IntN(3) + 1 - depth/3 {
		if depth < 3 && rng.IntN(4) == 0 {
			name := pick(rng, []string{"$and", "$or", "$nor", "$not"})
			if name == "$not" {
				f[name] = randomFilter(rng, depth+1)
				continue
			}
			list := make([]any, 1+rng.IntN(3))
			for i := range list {
				list[i] = randomFilter(rng, depth+1)
			}
			f[name] = list
			continue
		}
		if rng.IntN(3) == 0 {
			f[pick(rng, paths)] = randomScalar(rng)
		} else {
			f[pick(rng, paths)] = randomOperators(rng, false, 0)
		}
	}
	return f
}

// TestMatchAndSQLAgree runs random filters over random documents.
func TestMatchAndSQLAgree(t *testing.T) {
	engines(t, func(t *testing.T, e engine) {
		t.Helper()
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 1))
		docs := make([]filter.MapDoc, 400)
		for i := range docs {
			docs[i] = randomDoc(rng)
		}
		tab := e.table(t, docs)
		for range 600 {
			tab.compare(t, mustParse(t, randomFilter(rng, 0)))
		}
	})
}

// TestRegexesAgree runs every expression with every option over every text.
func TestRegexesAgree(t *testing.T) {
	engines(t, func(t *testing.T, e engine) {
		t.Helper()
		var docs []filter.MapDoc
		for _, s := range texts {
			docs = append(docs, filter.MapDoc{"t": s, "j": []any{s}})
		}
		tab := e.table(t, docs)
		for _, re := range regexes {
			for _, o := range options {
				for _, path := range []string{"t", "j"} {
					tab.compare(t, mustParse(t, map[string]any{path: map[string]any{"$regex": re, "$options": o}}))
				}
			}
		}
	})
}

// TestLargeRegexesAgree runs expressions near the limits: what Parse lets
// pass, the database must be able to compile.
func TestLargeRegexesAgree(t *testing.T) {
	engines(t, func(t *testing.T, e engine) {
		t.Helper()
		tab := e.table(t, []filter.MapDoc{{"t": strings.Repeat("é", 900)}, {"t": "aaaaaaa"}, {"t": ""}})
		for _, re := range []string{
			`\pL{7}`, `(?i)\pL{7}`, `(?s).{1000}`, `.{900}`, `[^a]{900}`, `[\x{100}-\x{10fffe}b-q]{900}`, `(?:(?:a{0,10}){0,10}){0,10}`,
			strings.Repeat("(a|b)*", 170), strings.Repeat("[é-日]", 120), `(?i)` + strings.Repeat("k", 1000),
		} {
			tab.compare(t, mustParse(t, map[string]any{"t": map[string]any{"$regex": re}}))
		}
	})
}

// TestWholeNumbersAgree compares every whole number with every operand, also
// beyond 2^53.
func TestWholeNumbersAgree(t *testing.T) {
	engines(t, func(t *testing.T, e engine) {
		t.Helper()
		var docs []filter.MapDoc
		for _, i := range whole {
			docs = append(docs, filter.MapDoc{"i": i})
		}
		tab := e.table(t, docs)
		for _, n := range append(slices.Clone(numbers), 9223372036854775808, -9223372036854775808) {
			for _, o := range []string{"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"} {
				tab.compare(t, mustParse(t, map[string]any{"i": map[string]any{o: n}}))
			}
			tab.compare(t, mustParse(t, map[string]any{"i": map[string]any{"$in": []any{1, n, 3, "x"}}}))
		}
	})
}

// FuzzMatchAndSQL compares filters that nobody thought of on fixed documents.
func FuzzMatchAndSQL(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 7))
	docs := make([]filter.MapDoc, 60)
	for i := range docs {
		docs[i] = randomDoc(rng)
	}
	for range 40 {
		f.Add(mustParse(f, randomFilter(rng, 0)).String())
	}
	tab := duckDB().table(f, docs)
	f.Fuzz(func(t *testing.T, s string) {
		e, err := filter.Parse(s)
		if err != nil || len(s) > 2000 {
			return
		}
		tab.compare(t, e)
	})
}

// TestManyValues binds a list as long as a filter may have.
func TestManyValues(t *testing.T) {
	engines(t, func(t *testing.T, e engine) {
		t.Helper()
		tab := e.table(t, []filter.MapDoc{{"t": "v9999"}, {"t": "w"}, {"j": []any{"v1", 2}}})
		list := make([]any, 10_000)
		for i := range list {
			list[i] = fmt.Sprint("v", i)
		}
		for _, p := range []string{"t", "j"} {
			tab.compare(t, mustParse(t, map[string]any{p: map[string]any{"$in": list}}))
		}
	})
}
