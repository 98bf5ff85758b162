package events_test

import (
	"encoding/json"
	"math"
	"testing"
	"unicode/utf8"

	"quipu/internal/store/events"
)

func TestSelector(t *testing.T) {
	t.Parallel()
	tests := []struct{ event, key, name string }{
		{"buy", events.CustomKey, "buy"},
		{"[CLY]_view", "[CLY]_view", ""},
		{"CLY_view", events.CustomKey, "CLY_view"},
	}
	for _, tt := range tests {
		if key, name := events.Selector(tt.event); key != tt.key || name != tt.name {
			t.Errorf("%s: got %q, %q", tt.event, key, name)
		}
	}
}

func TestCleanJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"as it is", ` {"b":1, "a":"é\u0000\n"} `, ` {"b":1, "a":"é\u0000\n"} `},
		{"no JSON", `{"a":`, ""},
		{"two values", `{} {}`, ""},
		{"nothing", "", ""},
		{"texts and numbers", `{"":"","é":"ü{[,:","n":0,"m":120}`, `{"":"","é":"ü{[,:","n":0,"m":120}`},
		{"leading zero", `{"a":"","b":01}`, ""},
		{"no number", `{"a":"","b":}`, ""},
		{"no key", `{"a":"",}`, ""},
		{"open text", `{"a":"b`, ""},
		{"open object", `{"a":"b","c":1`, ""},
		{"control character", "{\"a\":\"\n\"}", ""},
		{"more behind an object", `{"a":"b"}}`, ""},
		{"no UTF-8", "{\"a\":\"\xff\xfe\"}", "{\"a\":\"\uFFFD\"}"},
		{"lone surrogate", `{"b":"\uD800x","a":1.50}`, "{\"a\":1.50,\"b\":\"\uFFFDx\"}"},
		{"pair of surrogates", `"\ud83d\ude00"`, `"😀"`},
	}
	for _, tt := range tests {
		if got := events.CleanJSON(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestJSONText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"empty", map[string]any{}, ""},
		{"nil", map[string]bool(nil), ""},
		{"nothing", nil, ""},
		{"sorted", map[string]any{"b": "<&>", "a": true, "c": nil}, `{"a":true,"b":"<&>","c":null}`},
		{"numbers", []any{1.0, -0.5, 1e300, math.Inf(1), math.NaN(), float64(1 << 53), int64(7)}, `[1,-0.5,1e+300,null,null,9.007199254740992e+15,7]`},
		{"text", map[string]string{"\"\x00\xff": "\\\n\u2028"}, "{\"\\\"\\u0000\uFFFD\":\"\\\\\\u000a\u2028\"}"},
		{"no JSON at all", map[string]any{"f": func() {}}, `{"f":null}`},
	}
	for _, tt := range tests {
		if got := events.JSONText(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func BenchmarkCleanJSON(b *testing.B) {
	const state = `{"up.av":"3:2:1","up.cc":"DE","up.cty":"Berlin","up.d":"Galaxy S24","up.p":"Android","up.pv":"o15","up.la":"de","custom.plan":"pro","custom.level":12}`
	b.SetBytes(int64(len(state)))
	for b.Loop() {
		events.CleanJSON(state)
	}
}

// FuzzCleanJSON checks that JSON is never lost, that what comes out is valid
// and that cleaning it again changes nothing.
func FuzzCleanJSON(f *testing.F) {
	f.Add(`{"a":"\ud800","b":[1e999,-0,null,{}]}`)
	f.Add(`{"a":"b","c":10}`)
	f.Add("\"\xff\\udc00\\ud800\"")
	f.Fuzz(func(t *testing.T, in string) {
		got := events.CleanJSON(in)
		if got == "" {
			var v any
			if err := json.Unmarshal([]byte(events.CleanText(in)), &v); err == nil {
				if m, ok := v.(map[string]any); v != nil && (!ok || len(m) > 0) {
					t.Fatalf("%q is lost", in)
				}
			}
			return
		}
		if !utf8.ValidString(got) || !json.Valid([]byte(got)) {
			t.Fatalf("%q gives %q", in, got)
		}
		if again := events.CleanJSON(got); again != got {
			t.Fatalf("%q gives %q, then %q", in, got, again)
		}
	})
}
