package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/filter"
)

func mustParse(tb testing.TB, v any) filter.Expr {
	tb.Helper()
	e, err := filter.Parse(v)
	if err != nil {
		tb.Fatalf("parse %v: %v", v, err)
	}
	return e
}

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{``, `{}`},
		{`null`, `{}`},
		{`{}`, `{}`},
		{`{"a":1}`, `{"a":1}`},
		{`{"a":-0.0}`, `{"a":0}`},
		{`{"a":null}`, `{"a":null}`},
		{`{"b":true,"a":"x<y"}`, `{"a":"x<y","b":true}`},
		{`{"a":{"$eq":1}}`, `{"a":1}`},
		{`{"a":{"$in":[1]}}`, `{"a":1}`},
		{`{"a":{"$in":"x"}}`, `{"a":"x"}`},
		{`{"a":{"$in":[]}}`, `{"a":{"$in":[]}}`},
		{`{"a":{"$nin":"x"}}`, `{"a":{"$ne":"x"}}`},
		{`{"a":{"$nin":["x",2]}}`, `{"a":{"$nin":["x",2]}}`},
		{`{"a":{"$not":{"$ne":1}}}`, `{"a":1}`},
		{`{"a":{"$exists":0}}`, `{"a":{"$exists":false}}`},
		{`{"a":{"$not":{"$exists":false}}}`, `{"a":{"$exists":true}}`},
		{`{"a":{"$lt":5,"$gt":1}}`, `{"$and":[{"a":{"$gt":1}},{"a":{"$lt":5}}]}`},
		{`{"a":{"$not":{"$gt":1}}}`, `{"a":{"$not":{"$gt":1}}}`},
		{`{"a":{"$not":{"$gt":1,"$lt":5}}}`, `{"$nor":[{"$and":[{"a":{"$gt":1}},{"a":{"$lt":5}}]}]}`},
		{`{"$and":[{"a":1},{"$and":[{"b":2},{}]}]}`, `{"a":1,"b":2}`},
		{`{"$or":[{"a":1}]}`, `{"a":1}`},
		{`{"$or":[{"a":1},{"b":2}],"c":3}`, `{"$or":[{"a":1},{"b":2}],"c":3}`},
		{`{"$or":[{"a":1},{}]}`, `{}`},
		{`{"$nor":[{"a":1},{"b":2}]}`, `{"$nor":[{"a":1},{"b":2}]}`},
		{`{"$nor":[{}]}`, `{"$nor":[{}]}`},
		{`{"$not":{"$nor":[{}]}}`, `{}`},
		{`{"$not":{"a":1}}`, `{"a":{"$ne":1}}`},
		{`{"a":{"$regex":"^x","$options":"usi"}}`, `{"a":{"$options":"is","$regex":"^x"}}`},
		{`{"a":{"$size":2}}`, `{"a":{"$size":2}}`},
		{`{"a":{"$all":["x"]}}`, `{"a":"x"}`},
		{`{"a":{"$all":["x","y"]}}`, `{"$and":[{"a":"x"},{"a":"y"}]}`},
		{`{"a":{"$all":[]}}`, `{"a":{"$in":[]}}`},
		{`{"a":{"$elemMatch":{"$gte":1,"$lt":5,"$ne":3,"$nin":[4]}}}`, `{"a":{"$elemMatch":{"$gte":1,"$lt":5,"$ne":3,"$nin":[4]}}}`},
		{`{"a":{"$elemMatch":{"$eq":null,"$in":[2]}}}`, `{"a":{"$elemMatch":{"$eq":null,"$in":[2]}}}`},
		{`{"a":{"$elemMatch":{"$in":[2]}}}`, `{"a":{"$elemMatch":{"$eq":2}}}`},
	} {
		t.Run(tc.in, func(t *testing.T) {
			e := mustParse(t, []byte(tc.in))
			if got := e.String(); got != tc.want {
				t.Fatalf("got  %s\nwant %s", got, tc.want)
			}
			if again := mustParse(t, e.String()).String(); again != tc.want {
				t.Errorf("parsed again: got %s, want %s", again, tc.want)
			}
			if e.IsZero() != (tc.want == "{}") {
				t.Errorf("IsZero is %v", e.IsZero())
			}
		})
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat(`{"$and":[`, 40) + `{"a":1}` + strings.Repeat(`]}`, 40)
	long := make([]string, filter.MaxTerms+1)
	for i := range long {
		long[i] = "1"
	}
	for _, tc := range []struct {
		name, in, code, msg string
	}{
		{"no JSON", `{"a"`, filter.CodeMalformed, "not valid JSON"},
		{"two values", `{} {}`, filter.CodeMalformed, "after the JSON value"},
		{"a list", `[1]`, filter.CodeMalformed, "must be an object"},
		{"a text", `"x"`, filter.CodeMalformed, "must be an object"},
		{"unknown at the top", `{"$where":"1"}`, filter.CodeUnknownOperator, `"$where"`},
		{"unknown at a path", `{"a":{"$near":1}}`, filter.CodeUnknownOperator, `"$near"`},
		{"unknown on elements", `{"a":{"$elemMatch":{"$size":1}}}`, filter.CodeUnknownOperator, `"$size"`},
		{"object as value", `{"a":{"b":1}}`, filter.CodeBadValue, `"a" is compared with an object`},
		{"value beside operator", `{"a":{"$gt":1,"b":1}}`, filter.CodeBadValue, "only operators"},
		{"empty object", `{"a":{}}`, filter.CodeBadValue, "empty object"},
		{"list as value", `{"a":[1]}`, filter.CodeBadValue, "$eq of"},
		{"list in list", `{"a":{"$in":[[1]]}}`, filter.CodeBadValue, "$in of"},
		{"order of booleans", `{"a":{"$gt":true}}`, filter.CodeBadValue, "$gt of"},
		{"order of null", `{"a":{"$lte":null}}`, filter.CodeBadValue, "$lte of"},
		{"$and of nothing", `{"$and":[]}`, filter.CodeBadValue, "$and needs a list"},
		{"$or of an object", `{"$or":{"a":1}}`, filter.CodeBadValue, "$or needs a list"},
		{"$nor of a text", `{"$nor":["a"]}`, filter.CodeMalformed, "must be an object"},
		{"$not of a value", `{"a":{"$not":1}}`, filter.CodeBadValue, "$not needs"},
		{"$exists of a text", `{"a":{"$exists":"yes"}}`, filter.CodeBadValue, "$exists needs"},
		{"$size of a fraction", `{"a":{"$size":1.5}}`, filter.CodeBadValue, "$size needs"},
		{"$size below zero", `{"a":{"$size":-1}}`, filter.CodeBadValue, "$size needs"},
		{"$elemMatch of paths", `{"a":{"$elemMatch":{"b":1}}}`, filter.CodeBadValue, "operators only"},
		{"$elemMatch of nothing", `{"a":{"$elemMatch":{}}}`, filter.CodeBadValue, "$elemMatch needs"},
		{"bad regex", `{"a":{"$regex":"("}}`, filter.CodeBadValue, "$regex is not valid"},
		{"regex that closes the group of options", `{"a":{"$regex":"a)(b","$options":"i"}}`, filter.CodeBadValue, "$regex is not valid"},
		{"look-around", `{"a":{"$regex":"(?=x)"}}`, filter.CodeBadValue, "$regex is not valid"},
		{"NUL in regex", `{"a":{"$regex":"a\u0000"}}`, filter.CodeBadValue, "NUL"},
		{"regex of a number", `{"a":{"$regex":5}}`, filter.CodeBadValue, "$regex of"},
		{"unknown option", `{"a":{"$regex":"x","$options":"ix"}}`, filter.CodeBadValue, "$options may hold"},
		{"option of a number", `{"a":{"$regex":"x","$options":1}}`, filter.CodeBadValue, "$options of"},
		{"options alone", `{"a":{"$options":"i"}}`, filter.CodeBadValue, "$options without"},
		{"empty path", `{"":1}`, filter.CodeBadValue, "empty path"},
		{"long path", `{"` + strings.Repeat("x", 513) + `":1}`, filter.CodeTooLarge, "path of 513 bytes"},
		{"long regex", `{"a":{"$regex":"` + strings.Repeat("x", 1025) + `"}}`, filter.CodeTooLarge, "$regex has 1025 bytes"},
		{"complex regex", `{"a":{"$regex":"(?:\\pL{100}){9}"}}`, filter.CodeTooLarge, "too complex"},
		{"deep", deep, filter.CodeTooLarge, "levels deep"},
		{"many values", `{"a":{"$in":[` + strings.Join(long, ",") + `]}}`, filter.CodeTooLarge, "more than 20000"},
		{"many bytes", `{"a":"` + strings.Repeat("x", filter.MaxBytes) + `"}`, filter.CodeTooLarge, "bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := filter.Parse(tc.in)
			if err == nil {
				t.Fatal("accepted")
			}
			if fault.KindOf(err) != fault.Invalid || fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.msg) {
				t.Fatalf("got %v of kind %v, want code %s with %q", err, fault.KindOf(err), tc.code, tc.msg)
			}
		})
	}
}

func TestParseForms(t *testing.T) {
	const want = `{"a":{"$in":[1,"x"]}}`
	for _, v := range []any{
		want, []byte(want), json.RawMessage(want),
		map[string]any{"a": map[string]any{"$in": []any{1, "x"}}},
		map[string]any{"a": map[string]any{"$in": []any{json.Number("1"), "x"}}},
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
			if got := mustParse(t, v).String(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	if got := mustParse(t, map[string]any{"a": map[string]any{"$in": []string{"x", "y"}}}).String(); got != `{"a":{"$in":["x","y"]}}` {
		t.Errorf("list of strings: got %s", got)
	}
	var e filter.Expr
	if err := json.Unmarshal([]byte(want), &e); err != nil || e.String() != want {
		t.Errorf("unmarshal: got %s, %v", e, err)
	}
	if b, err := json.Marshal(e); err != nil || string(b) != want {
		t.Errorf("marshal: got %s, %v", b, err)
	}
}

func TestPathsAndAnd(t *testing.T) {
	e := filter.And(mustParse(t, `{"b":1,"$or":[{"a":1},{"c.d":{"$not":{"$gt":2}}}]}`), filter.Expr{}, mustParse(t, `{"b":{"$elemMatch":{"$gt":1}}}`))
	if got := fmt.Sprint(e.Paths()); got != "[a b c.d]" {
		t.Errorf("paths: got %s", got)
	}
	want := `{"$and":[{"$or":[{"a":1},{"c.d":{"$not":{"$gt":2}}}]},{"b":1},{"b":{"$elemMatch":{"$gt":1}}}]}`
	if got := e.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !filter.And().IsZero() {
		t.Error("And of nothing is not the empty filter")
	}
}
