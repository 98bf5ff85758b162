package rawjson_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"quipu/internal/ingest/rawjson"
)

func TestParseWide(t *testing.T) {
	t.Parallel()
	nines := strings.Repeat("9", 400)
	for _, tt := range []struct {
		in   string
		want float64
		ok   bool
	}{
		{"0", 0, true},
		{"-2.5", -2.5, true},
		{"1e308", 1e308, true},
		{"1e309", math.Inf(1), true},
		{"-1e999999999", math.Inf(-1), true},
		{nines, math.Inf(1), true},
		{"-" + nines, math.Inf(-1), true},
		{"1e-999", 0, true},
		{strings.Repeat("0", 80) + "7", 7, true},
		{"", 0, false},
		{"Infinity", 0, false},
		{"NaN", 0, false},
		{"0x10", 0, false},
		{"1_0", 0, false},
		{"1e", 0, false},
		{strings.Repeat("9", 2000), 0, false},
	} {
		if got, ok := rawjson.ParseWide([]byte(tt.in)); got != tt.want || ok != tt.ok {
			t.Errorf("%.40q: got %v, %v, want %v, %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{`{}`, `{}`},
		{`{"a":1e10,"b":[-12.5,0]}`, `{"a":1e10,"b":[-12.5,0]}`},
		{`{"a":1e999,"b":[-1e400, 2]}`, `{"a":1e+100,"b":[-1e+100, 2]}`},
		{`[1e101,"1e999 \" 1e999",1E+100]`, `[1e+100,"1e999 \" 1e999",1E+100]`},
		{`[` + strings.Repeat("8", 5000) + `,-` + strings.Repeat("8", 5000) + `]`, `[1e+100,-1e+100]`},
		{`{"1e999":true,"x":null}`, `{"1e999":true,"x":null}`},
	} {
		got, changed := rawjson.Bound([]byte(tt.in), 1e100)
		if string(got) != tt.want || changed != (tt.in != tt.want) {
			t.Errorf("%.60s: got %.80s, %v", tt.in, got, changed)
		}
	}
}

// FuzzBound checks that what is valid stays valid and holds no number beyond the limit.
func FuzzBound(f *testing.F) {
	for _, s := range []string{`{"a":1e999}`, `[-1e999,"\"1e999"]`, `1e-999`, `{"e":[1.5E+308,{"1e999":0}]}`, `-` + strings.Repeat("9", 1100)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		if !rawjson.Valid(v) {
			return
		}
		got, changed := rawjson.Bound(v, 1e100)
		if !rawjson.Valid(got) {
			t.Fatalf("%q became %q, which is not valid", v, got)
		}
		if !changed && string(got) != string(v) {
			t.Fatalf("%q became %q without a word", v, got)
		}
		if _, again := rawjson.Bound(got, 1e100); again {
			t.Fatalf("%q still holds a number beyond the limit: %q", v, got)
		}
		if !json.Valid(v) {
			return // package rawjson is more tolerant
		}
		var x any
		if err := json.Unmarshal(got, &x); err != nil {
			t.Fatalf("%q became %q: %v", v, got, err)
		}
	})
}
