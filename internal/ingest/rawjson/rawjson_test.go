package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/rawjson"
)

func TestElements(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	tests := []struct {
		name, in string
		want     []string
		bad      bool
	}{
		{"empty", " [ ] ", nil, false},
		{"values", `[1, -2.5e+3 ,"a,]",{"k":[1,{}]},[],true,false,null]`, []string{"1", "-2.5e+3", `"a,]"`, `{"k":[1,{}]}`, "[]", "true", "false", "null"}, false},
		{"escapes", `["\"\\\u00e9","]"]`, []string{`"\"\\\u00e9"`, `"]"`}, false},
		{"deep beside others", `[1,` + deep + `,2]`, []string{"1", deep, "2"}, false},
		{"breaks off", `[1,{"a":`, []string{"1"}, true},
		{"fault inside", `[1,{"a":}]`, []string{"1"}, true},
		{"trailing comma", `[1,]`, []string{"1"}, true},
		{"text behind", `[1]x`, []string{"1"}, true},
		{"not an array", `{"a":1}`, nil, true},
		{"nothing", ``, nil, true},
		{"leading zero", `[01]`, []string{"0"}, true},
		{"bad escape", `["\x"]`, nil, true},
		{"wrong bracket", `[[1}]`, nil, true},
		{"unclosed deep", strings.Repeat("[", 1_000_000), nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := rawjson.Elements([]byte(tt.in), func(v []byte) bool {
				got = append(got, string(v))
				return true
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.bad {
				t.Errorf("error %v, elements (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestMembers(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
		bad      bool
	}{
		{"empty", "{}", nil, false},
		{"members", ` { "a" : 1 , "b":"x","a":[2] , "":null, "__proto__":{} } `, []string{"a", "1", "b", `"x"`, "a", "[2]", "", "null", "__proto__", "{}"}, false},
		{"breaks off", `{"a":1,"b`, []string{"a", "1"}, true},
		{"no colon", `{"a" 1}`, nil, true},
		{"no quotes", `{a:1}`, nil, true},
		{"array", `[]`, nil, true},
		{"trailing comma", `{"a":1,}`, []string{"a", "1"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := rawjson.Members([]byte(tt.in), func(k, v []byte) bool {
				got = append(got, string(k), string(v))
				return true
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.bad {
				t.Errorf("error %v, members (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestStop(t *testing.T) {
	n := 0
	one := func([]byte) bool { n++; return false }
	if err := rawjson.Elements([]byte("[1,2,broken"), one); err != nil || n != 1 {
		t.Errorf("Elements: %v after %d calls, want nil after 1", err, n)
	}
	if err := rawjson.Members([]byte(`{"a":1,"b":2,broken`), func(_, v []byte) bool { return one(v) }); err != nil || n != 2 {
		t.Errorf("Members: %v after %d calls, want nil after 2", err, n)
	}
}

func TestUnescape(t *testing.T) {
	tests := []struct{ in, want string }{
		{`plain`, "plain"},
		{`a\"\\\/\b\f\n\r\t`, "a\"\\/\b\f\n\r\t"},
		{`\u0041\u00e9\u20ac`, "Aé€"},
		{`\ud83d\ude00`, "😀"},
		{`\ud83d`, "\uFFFD"},
		{`\ud83dx`, "\uFFFDx"},
		{`\ud83d\u0041`, "\uFFFDA"},
		{`\ude00`, "\uFFFD"},
		{`\u0000`, "\x00"},
		{"a\xffb", "a\uFFFDb"},
		{"é", "é"},
		{`\u12`, `\u12`},
	}
	for _, tt := range tests {
		if got := string(rawjson.Unescape(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("Unescape(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestParseFloat(t *testing.T) {
	tests := []struct {
		in   string
		want float64
		ok   bool
	}{
		{"1", 1, true},
		{"-2.5", -2.5, true},
		{"+3", 3, true},
		{"1e3", 1000, true},
		{".5", 0.5, true},
		{"", 0, false},
		{"NaN", 0, false},
		{"Inf", 0, false},
		{"1e999", 0, false},
		{"0x10", 0, false},
		{"1_000", 0, false},
		{"1 ", 0, false},
		{strings.Repeat("1", 100), 0, false},
		{"--1", 0, false},
	}
	for _, tt := range tests {
		if got, ok := rawjson.ParseFloat([]byte(tt.in)); got != tt.want || ok != tt.ok {
			t.Errorf("ParseFloat(%q) = %v %v, want %v %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

// FuzzValid holds the grammar against encoding/json, and walks whatever comes.
func FuzzValid(f *testing.F) {
	for _, s := range []string{`[1,{"a":"b\u0041"},null]`, `{"a":[true,false,-0.5e-1]}`, `"\ud83d"`, "[[[", "{\"a\":", " 1 ", "\"a\x01\"", "01", "[1,]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, want := rawjson.Valid(b), json.Valid(b)
		control := bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' })
		if want && !got && strings.Count(string(b), "[")+strings.Count(string(b), "{") <= rawjson.MaxDepth {
			t.Errorf("%q is JSON but not valid", b)
		}
		if got && !want && !control {
			t.Errorf("%q is not JSON but valid", b)
		}
		if got && want && rawjson.KindOf(rawjson.Trim(b)) == rawjson.String {
			text, ok := rawjson.Text(nil, rawjson.Trim(b))
			var std string
			if err := json.Unmarshal(b, &std); err != nil || !ok || string(text) != std {
				t.Errorf("%q: text %q, want %q", b, text, std)
			}
		}
		walk(t, b, 0)
		if q := rawjson.AppendQuote(nil, b); !json.Valid(q) {
			t.Errorf("AppendQuote(%q) = %s", b, q)
		} else if text, ok := rawjson.Text(nil, q); !ok || utf8.Valid(b) && !bytes.Equal(text, b) {
			t.Errorf("AppendQuote(%q) reads back as %q", b, text)
		}
	})
}

func walk(t *testing.T, v []byte, depth int) {
	t.Helper()
	if depth > 3 {
		return
	}
	switch rawjson.KindOf(v) {
	case rawjson.Array:
		_ = rawjson.Elements(v, func(e []byte) bool { walk(t, e, depth+1); return true })
	case rawjson.Object:
		_ = rawjson.Members(v, func(k, e []byte) bool {
			if !utf8.Valid(rawjson.Unescape(nil, k)) {
				t.Errorf("key %q is not UTF-8", k)
			}
			walk(t, e, depth+1)
			return true
		})
	case rawjson.Number:
		rawjson.Float(v)
	case rawjson.Invalid, rawjson.Null, rawjson.Bool, rawjson.String:
	}
}
