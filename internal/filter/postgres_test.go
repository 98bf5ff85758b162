package filter_test

import (
	"database/sql"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func postgreSQL() engine {
	return engine{postgres.Dialect{}, func(path string) (filter.Column, bool) {
		if path == "custom.x" {
			return filter.Column{Expr: `"custom" -> 'x'`, Type: filter.JSON}, true
		}
		return columns(path)
	}, openPostgreSQL}
}

func openPostgreSQL(tb testing.TB, docs []filter.MapDoc) *sql.DB {
	tb.Helper()
	db, err := sql.Open("pgx", pgtest.Shared(tb).Database(tb)+"&statement_timeout=60000&default_query_exec_mode=exec")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	if _, err := db.ExecContext(tb.Context(), `CREATE TABLE d (id bigint, t text COLLATE "C", n double precision, i bigint, b boolean, j jsonb, custom jsonb)`); err != nil {
		tb.Fatal(err)
	}
	for id, doc := range docs {
		asJSON := func(name string) any {
			v, ok := doc[name]
			if !ok {
				return nil
			}
			b, err := json.Marshal(v)
			if err == nil {
				b, err = postgres.StoredJSON(b)
			}
			if err != nil {
				tb.Fatal(err)
			}
			return string(b)
		}
		text := doc["t"]
		if s, ok := text.(string); ok {
			text = postgres.StoredText(s)
		}
		_, err := db.ExecContext(tb.Context(), `INSERT INTO d VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`,
			id, text, doc["n"], doc["i"], doc["b"], asJSON("j"), asJSON("custom"))
		if err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

// TestPostgreSQL looks at statements.
func TestPostgreSQL(t *testing.T) {
	for _, tc := range []struct {
		filter, want string
		args         []any
	}{
		{`{"t":"x\u0000"}`, `(("t") IS NOT NULL AND ("t") = $4)`, []any{"x\x01\x02\x02"}},
		{`{"i":{"$gt":1.5}}`, `(("i") IS NOT NULL AND CAST(("i") AS double precision) > $4)`, []any{1.5}},
		{`{"t":{"$regex":"a.?$"}}`, `(("t") IS NOT NULL AND (("t") ~ $4))`, []any{`***:(?:(?:a)(?:(?:\u0001[\u0002\u0003][\u0002\u0003]|[\u0004-\u0009\u000b-\ud7ff\ue000-\U0010ffff]){0,1})(?:\Z))`}},
		{`{"t":{"$regex":"k","$options":"i"},"n":{"$in":[1,2]}}`, `((("n") IS NOT NULL AND ("n") IN ($4, $5)) AND (("t") IS NOT NULL AND (("t") ~ $6)))`, []any{1.0, 2.0, `***:(?:(?:[Kk\u212a]))`}},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			got, args := mustParse(t, tc.filter).SQL(postgres.Dialect{Before: 3}, columns)
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if diff := cmp.Diff(tc.args, args); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// signs are those that stored texts are about, and neighbours.
var signs = []rune("\x00\x00\x01\x02\x03\x04abé日\U0001f600")

func randomText(rng *rand.Rand, most int) string {
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteRune(signs[rng.IntN(len(signs))])
	}
	return b.String()
}

// TestStoredText compares texts with each other as they are and as they are stored.
func TestStoredText(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 200_000 {
		a, b := randomText(rng, 6), randomText(rng, 3)
		x, y := postgres.StoredText(a), postgres.StoredText(b)
		if postgres.PlainText(x) != a || strings.Contains(x, "\x00") {
			t.Fatalf("%q is stored as %q, read as %q", a, x, postgres.PlainText(x))
		}
		if strings.Compare(a, b) != strings.Compare(x, y) || strings.HasPrefix(a, b) != strings.HasPrefix(x, y) || strings.Contains(a, b) != strings.Contains(x, y) {
			t.Fatalf("%q and %q compare in another way as %q and %q", a, b, x, y)
		}
	}
}

// TestRandomRegexesAgree looks for random expressions in random texts, which hold the signs that are stored as codes.
func TestRandomRegexesAgree(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	docs := make([]filter.MapDoc, 150)
	for i := range docs {
		docs[i] = filter.MapDoc{"t": randomText(rng, 8) + pick(rng, texts)}
	}
	tab := postgreSQL().table(t, docs)
	compared := 0
	for range 800 {
		re := randomRegex(rng, 0)
		if _, err := regexp.Compile(re); err != nil {
			t.Fatalf("%q: %v", re, err)
		}
		e, err := filter.Parse(map[string]any{"t": map[string]any{"$regex": re, "$options": pick(rng, options)}})
		if fault.CodeOf(err) == filter.CodeTooLarge {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		compared++
		tab.compare(t, e)
	}
	if compared < 400 {
		t.Errorf("only %d expressions were compared", compared)
	}
}

func randomRegex(rng *rand.Rand, depth int) string {
	if depth > 3 {
		return pick(rng, []string{"a", "b", ".", `\x00`, `\x01`, `[\x00-\x02]`, `[^\x01]`, "[a-é]", "日", "K", `\n`, `\W`, `\pL`, `[^\PL]`})
	}
	sub := func() string { return randomRegex(rng, depth+1) }
	switch rng.IntN(10) {
	case 0:
		return "(?:" + sub() + "|" + sub() + ")"
	case 1:
		return "(" + sub() + ")" + pick(rng, []string{"*", "+", "?", "{2}", "{1,3}", "{0}", "{2,}", "*?", "+?"})
	case 2:
		return pick(rng, []string{`\b`, `\B`, "^", "$", `\A`, `\z`, "(?m:^)", "(?m:$)"}) + sub()
	case 3:
		return sub() + pick(rng, []string{`\b`, `\B`, "$", "(?m:$)"})
	case 4:
		return "(?i:" + sub() + ")"
	case 5, 6, 7:
		return sub() + sub()
	default:
		return randomRegex(rng, 4)
	}
}
